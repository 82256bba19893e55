"""Referee of the tricks: two hands with colons and the bar, or any number of hands with duties to ruff and to head."""

from __future__ import annotations

import numpy as np

from simcore.bits import U
from simcore.cards import NATURALS, SUIT_OF, trump_cards
from simcore.phases.play import duties, two_hand_rules
from simcore.referee.base import Referee, Violation, texts

_NATURALS = int(NATURALS)


def check_tricks(referee: Referee, leader: int, strain: int) -> None:
    """All tricks of a deal.

    Parameters
    ----------
    referee : Referee
        Its hands are played out, its tricks counted.
    leader : int
        Seat that leads to the first trick.
    strain : int
        Strain of the contract; what it matters is for `play.trump` to say.
    """
    rules = referee.rules
    strain = int(two_hand_rules.trump_strain(rules.play, np.int64(strain), U(referee.turned)))
    trumps = int(trump_cards(np.int64(strain)))
    if rules.between_two is not None:
        _check_two_hands(referee, leader, trumps)
    else:
        for _ in range(rules.deal.final_cards):
            leader = check_trick(referee, leader, trumps)


# ------------------------------------------------------------------------------------------------- any number of hands


def check_trick(referee: Referee, leader: int, trumps: int) -> int:
    """One trick of any number of hands; seats without cards are skipped.

    Parameters
    ----------
    referee : Referee
    leader : int
        Winner of the last trick; if he has no cards left, the next one with cards leads.
    trumps : int
        Mask of the trump suit.

    Returns
    -------
    int
        The winner.
    """
    play = referee.rules.play
    suit = best = winners = 0
    winner = leader
    for seat in referee.seats_from(leader):
        hand = referee.hands[seat]
        if not hand:
            continue
        ruffed = bool(best & trumps) and not suit & trumps
        legal = int(duties.legal_cards(play, U(hand), U(suit), U(winners), U(trumps), ruffed))
        card = referee.card_played(seat, hand)
        if not card & legal:
            rule = _broken_duty(referee, hand, suit, winners, trumps, card)
            raise Violation(rule, f"seat {seat} may not play {texts(card)} here, but {texts(legal)}")
        referee.hands[seat] ^= card
        if not best or card & winners:
            bit = card.bit_length() - 1
            suit = suit if best else int(SUIT_OF[bit])
            best, winner = card, seat
            winners = int(two_hand_rules.winning_replies(U(bit), U(trumps)))
    referee.trick_won_by(winner)
    return winner


def _broken_duty(referee: Referee, hand: int, suit: int, winners: int, trumps: int, card: int) -> str:
    """Which duty a natural card breaks, played where it may not be (simcore.phases.play.duties)."""
    if hand & suit & int(referee.rules.play.must_follow):
        return "must_head" if card & suit else "follow_suit"
    if card & trumps:
        return "must_overruff"
    return "must_ruff" if hand & trumps & winners else "must_underruff"


# ----------------------------------------------------------------------------------------------------------- two hands


def _check_two_hands(referee: Referee, leader: int, trumps: int) -> None:
    """All tricks of two hands, with colons."""
    play, hands = referee.rules.play, referee.hands
    bar = 0
    for _ in range(referee.rules.deal.final_cards):
        hand = hands[leader]
        legal = int(two_hand_rules.legal_leads(play, U(hand), U(bar)))
        led = referee.card_played(leader, hand)
        if not legal & led:
            rule = "barred_suit" if led & _NATURALS else "colon_lead_when_barred"
            raise Violation(rule, f"seat {leader} may not lead {texts(led)} here, but {texts(legal)}")
        follower = 1 - leader
        hand = hands[follower]
        bit = U(led.bit_length() - 1)
        legal = int(two_hand_rules.legal_replies(play, U(hand), bit, U(trumps)))
        reply = referee.card_played(follower, hand)
        if not legal & reply:
            rule = _broken_by_reply(referee, hand, led, reply, trumps)
            raise Violation(rule, f"seat {follower} may not play {texts(reply)} on {texts(led)}, but {texts(legal)}")
        bar = int(two_hand_rules.bar_after(play, U(hand), bit, U(reply)))
        hands[leader] ^= led
        hands[follower] ^= reply
        if reply & int(two_hand_rules.winning_replies(bit, U(trumps))):
            leader = follower
        referee.trick_won_by(leader)


def _broken_by_reply(referee: Referee, hand: int, led: int, reply: int, trumps: int) -> str:
    """Which duty a reply breaks."""
    play, bit = referee.rules.play, U(led.bit_length() - 1)
    if not led & _NATURALS:
        return "must_beat_led_colon"
    suit = int(two_hand_rules.suit_to_follow(play, bit))
    winners = int(two_hand_rules.winning_replies(bit, U(trumps)))
    if reply & _NATURALS:
        return _broken_duty(referee, hand, suit, winners, trumps, reply)
    if hand & suit:
        return "colon_out_of_range"
    is_due = int(duties.ruff_due(play, U(hand), U(winners), U(trumps))) & ~suit
    return "must_ruff" if is_due else "colon_only_if_forced"
