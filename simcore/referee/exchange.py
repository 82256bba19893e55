"""Referee of the exchange: by upcard (Bridgette), by tricks (Draw Bridge), by looking and choosing (Draw and Discard)."""

from __future__ import annotations

from simcore import codes
from simcore.bits import U
from simcore.phases.exchange.draw_tricks import legal_draw_replies, winning_draw_replies
from simcore.phases.exchange.upcard import dealer_draw
from simcore.referee.base import Referee, Violation, bit_of, mask_of, texts


def check_exchange(referee: Referee, rest: list[str]) -> None:
    """The events of the exchange, if there is one; the referee's hands become those of the auction.

    Parameters
    ----------
    referee : Referee
    rest : list of str
        The rest of the pack in order, the turned card first.
    """
    kind = referee.rules.exchange.kind
    if kind == codes.ExchangeKind.UPCARD:
        _check_upcard(referee, rest)
    elif kind == codes.ExchangeKind.DRAW_TRICKS:
        _check_draw_tricks(referee, rest)
    elif kind == codes.ExchangeKind.LOOK_AND_CHOOSE:
        _check_choices(referee, rest)


def _check_upcard(referee: Referee, rest: list[str]) -> None:
    """Both exchange events, the non-dealer's first."""
    exchange, dealer = referee.rules.exchange, referee.dealer
    first = 1
    n_dealer = int(dealer_draw(exchange, U(referee.turned)))
    for seat, n_cards in ((1 - dealer, exchange.non_dealer_draw), (dealer, n_dealer)):
        event = referee.event_of("exchange", seat)
        due = mask_of(rest[first : first + n_cards])
        first += n_cards
        if seat == dealer and exchange.takes_upcard:
            due |= referee.turned
        drew = mask_of(referee.field(event, "drew", list))
        if drew != due:
            raise Violation("exchange_draw", f"seat {seat} draws {texts(drew)}, due were {texts(due)}")
        hand = referee.hands[seat] | drew
        thrown = mask_of(referee.field(event, "discarded", list))
        if thrown & ~hand:
            raise Violation("card_not_held", f"seat {seat} throws {texts(thrown & ~hand)}, which it does not hold")
        if thrown.bit_count() != drew.bit_count():
            raise Violation("exchange_count", f"seat {seat} draws {drew.bit_count()} cards and throws {thrown.bit_count()}")
        referee.hands[seat] = hand & ~thrown


def _check_draw_tricks(referee: Referee, rest: list[str]) -> None:
    """Phase 1: tricks without trumps, after each of which the winner draws, then the loser (rules.md, section 3)."""
    draw = referee.rules.draw
    assert draw is not None
    leader = 1 - referee.dealer
    stock = rest[referee.rules.deal.upcard :]
    hands, waiting = list(referee.hands), [0, 0]
    into = waiting if draw.aside else hands
    for number in range(referee.rules.deal.cards):
        follower = 1 - leader
        led = referee.card_played(leader, hands[leader])
        led_bit = U(led.bit_length() - 1)
        legal = int(legal_draw_replies(draw, U(hands[follower]), led_bit))
        reply = referee.card_played(follower, hands[follower])
        if not reply & legal:
            raise Violation("follow_suit", f"seat {follower} may not play {texts(reply)} on {texts(led)}, but {texts(legal)}")
        hands[leader] ^= led
        hands[follower] ^= reply
        if reply & int(winning_draw_replies(draw, led_bit)):
            leader = follower
        referee.trick_won_by(leader)
        for seat, due in zip((leader, 1 - leader), stock[2 * number : 2 * number + 2], strict=True):
            card = referee.card_of("draw", seat)
            if card != bit_of(due):
                raise Violation("draw_card", f"seat {seat} draws {texts(card)}, due was {due}, the top card of the stock")
            into[seat] |= card
    referee.hands = [hand | late for hand, late in zip(hands, waiting, strict=True)]
    referee.tricks = [0] * referee.players  # those of phase 1 score nothing


def _check_choices(referee: Referee, rest: list[str]) -> None:
    """The turns of Draw and Discard: which of two cards is kept, and what was seen of them (rules.md, section 4)."""
    choose = referee.rules.choose
    assert choose is not None
    seat = 1 - referee.dealer
    for turn in range(codes.CHOICES):
        first, second = (bit_of(card) for card in rest[2 * turn : 2 * turn + 2])
        event = referee.event_of("choose", seat)
        kept = bit_of(referee.field(event, "kept", str))
        if kept not in (first, second):
            raise Violation("kept_card", f"seat {seat} keeps {texts(kept)}, but looked at {texts(first)} and {texts(second)}")
        due = [first] if kept == first and not choose.second_seen else [first, second]
        if [bit_of(card) for card in referee.field(event, "seen", list)] != due:
            raise Violation("seen_cards", f"seat {seat}, who keeps {texts(kept)}, sees {' '.join(map(texts, due))}")
        referee.hands[seat] |= kept
        seat = 1 - seat
