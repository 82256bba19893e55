"""The exchange of Draw Bridge: thirteen tricks without trumps, whose winner draws the top stock card and whose loser the next.

Rule (rules.md, section 3): the non-dealer leads; no duty to follow suit (option: there is one); the highest card of the
led suit wins (option: the highest rank whatever the suit, a tie goes to the leader); the winner draws the top stock card,
the loser the next, and the winner leads again. The tricks score nothing. Options: the card the winner will draw lies
open; drawn cards wait, so that phase 1 is played from the cards dealt. Only natural cards take part.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, popcount, select
from simcore.bots.drawing.switch import choose_card
from simcore.bots.play.ahead import change_draws, draw_again, draw_ahead
from simcore.bots.view import DrawView
from simcore.cards import HIGHER_RANK, suit_at
from simcore.phases.play.two_hand_rules import change_places
from simcore.rng import exchange_key

TWO = U(2)


@inlined
def stock_for_draws(deal):
    """Cards of the rest of the pack that phase 1 uses, a turned card included. deal : DealRules -> int64"""
    return 2 * deal.cards + deal.upcard


@inlined
def legal_draw_replies(draw, hand, led_bit):
    """Cards a follower may play in phase 1: any, or those of the led suit where the option asks to follow.

    draw : DrawRules, hand : uint64, led_bit : uint64 bit number of the card led -> uint64
    """
    if draw.must_follow == U0:
        return hand
    following = hand & suit_at(led_bit)
    return select(following != U0, following, hand)


@inlined
def winning_draw_replies(draw, led_bit):
    """Cards that beat the card led in phase 1: higher ones of its suit, or (option) all of a higher rank. -> uint64"""
    higher = suit_at(led_bit) & (U0 - (TWO << led_bit))
    return higher if draw.any_suit == U0 else higher | HIGHER_RANK[led_bit]


@inlined
def _card_of(
    bots, seat, note, drawn, hand, waiting, legal, n_legal, led, winners, visible, unseen, known, trick, n_tricks, is_dealer,
    key,
):
    """The card that a seat plays in phase 1. Others than the fields of `DrawView` as for `choose_card` -> as `choose_card`"""
    view = DrawView(
        hand=hand,
        waiting=waiting,
        legal=legal,
        n_legal=n_legal,
        led=led,
        winners=winners,
        visible=visible,
        unseen=unseen,
        opponent_known=known,
        trick=trick,
        n_tricks=n_tricks,
        is_dealer=is_dealer,
        key=key,
    )
    return choose_card(bots.exchange[seat], view, bots.exchange_params, seat, note, bots.only_random, drawn)


@kernel
def exchange_by_tricks(rules, draw, bots, key, dealer, table, phase1, slot):
    """Play phase 1.

    rules : CommonRules, draw : DrawRules, bots : Bots, key : uint64 key of the deal, dealer : int64 seat
    table : Table        hands as dealt and the stock in order; hands, gone and drawn are updated
    phase1 : uint64[:, :]  output, row `slot`: the two cards of each trick
    """
    n_tricks = rules.deal.cards
    leader = U1 - U(dealer)
    # leader and follower change places, as in the play (phases/play/two_hands.py)
    lead_hand, follow_hand = table.hands[leader], table.hands[U1 - leader]
    lead_waits, follow_waits = U0, U0  # cards drawn and laid aside
    n_turned = U(rules.deal.upcard)  # a turned card lies aside, before the stock
    aside = table.stock[0] if n_turned != U0 else U0
    lead_unseen, follow_unseen = rules.deal.deck & ~(lead_hand | aside), rules.deal.deck & ~(follow_hand | aside)
    lead_known, follow_known = U0, U0  # cards the other is known to hold
    lead_key, follow_key = exchange_key(key, I(leader)), exchange_key(key, I(U1 - leader))
    lead_note, lead_draw = draw_ahead(bots.only_random, lead_key, 0, U0, U(n_tricks))
    follow_note, follow_draw = draw_ahead(bots.only_random, follow_key, 0, U0, U(n_tricks))
    played = U0
    for trick in range(n_tricks):
        follower = U1 - leader
        at = n_turned + (U(trick) << U1)
        first, second = table.stock[at], table.stock[at + U1]
        # known before the cards are: a hand is filled up after each trick, unless what is drawn lies aside
        n_held = U(n_tricks) - (U(trick) & draw.aside)
        visible = first & draw.visible
        lead_unseen, follow_unseen = lead_unseen & ~visible, follow_unseen & ~visible
        leads = 1 if leader == U(dealer) else 0
        led, lead_note = _card_of(
            bots, leader, lead_note, lead_draw, lead_hand, lead_waits, lead_hand, n_held, U0, U0, visible, lead_unseen,
            lead_known & ~played, trick, n_tricks, leads, lead_key,
        )
        led_bit = ctz(led)
        played |= led
        follow_unseen &= ~led
        winners = winning_draw_replies(draw, led_bit)
        legal = legal_draw_replies(draw, follow_hand, led_bit)
        n_legal = n_held if draw.must_follow == U0 else popcount(legal)
        follow_draw = draw_again(follow_draw, draw.must_follow != U0, follow_note, n_legal)
        reply, follow_note = _card_of(
            bots, follower, follow_note, follow_draw, follow_hand, follow_waits, legal, n_legal, led, winners, visible,
            follow_unseen, follow_known & ~played, trick, n_tricks, 1 - leads, follow_key,
        )
        played |= reply
        lead_unseen &= ~reply
        phase1[slot, trick] = led | reply
        n_next = U(n_tricks) - (U(trick + 1) & draw.aside)
        lead_note, lead_draw = draw_ahead(bots.only_random, lead_key, trick + 1, lead_note, n_next)
        follow_note, follow_draw = draw_ahead(bots.only_random, follow_key, trick + 1, follow_note, n_next)
        moves = reply & winners != U0
        lead_draw, follow_draw = change_draws(moves, lead_draw, follow_draw)
        lead_hand, follow_hand = change_places(moves, lead_hand ^ led, follow_hand ^ reply)
        lead_waits, follow_waits = change_places(moves, lead_waits, follow_waits)
        lead_unseen, follow_unseen = change_places(moves, lead_unseen, follow_unseen)
        lead_known, follow_known = change_places(moves, lead_known, follow_known)
        lead_note, follow_note = change_places(moves, lead_note, follow_note)
        lead_key, follow_key = change_places(moves, lead_key, follow_key)
        leader = select(moves, follower, leader)
        # the leader of the next trick has won this one
        lead_unseen, follow_unseen = lead_unseen & ~first, follow_unseen & ~second
        follow_known |= visible
        lead_waits, follow_waits = lead_waits | (first & draw.aside), follow_waits | (second & draw.aside)
        lead_hand, follow_hand = lead_hand | (first & ~draw.aside), follow_hand | (second & ~draw.aside)
    # by now both have seen all cards that were played
    table.hands[leader] = lead_hand | lead_waits
    table.hands[U1 - leader] = follow_hand | follow_waits
    for seat in range(2):
        table.gone[seat] = played
        table.drawn[seat] = n_tricks
