"""A deal among any number of hands played on from a card to its end, all seats by the policy `careful`, and what it came to.

The hands are a layout that one player imagines (`simcore.sampling.hidden_hands`); every seat then sees of it what it would see
in that deal. The course of the tricks is that of `simcore.phases.play.many_hands`, by the same rules.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U, ctz, popcount, select
from simcore.bots.many.careful import choose_card as careful_call
from simcore.bots.many.careful_shedding import choose_card as careful_contract
from simcore.bots.view import ManyView
from simcore.cards import SUIT_OF
from simcore.phases.play.duties import legal_cards
from simcore.phases.play.many_rules import cards_above, overtricks_allowed
from simcore.seats import next_seat

NOBODY = -1


@inlined
def careful_card(call_score, view):
    """The card that `careful` plays. call_score : CallScoreRules or None -> uint64"""
    if call_score is not None:
        return careful_call(view)
    return careful_contract(view)


@inlined
def others_with_cards(rollouts, seat, players):
    """Other seats that hold cards. -> int64"""
    n = 0
    for other in range(players):
        n += 1 if other != seat and rollouts.hands[other] != U0 else 0
    return n


@inlined
def with_cards(rollouts, seat, players):
    """A seat, or the next one that holds cards. Assumes that one does. -> int64"""
    while rollouts.hands[seat] == U0:
        seat = next_seat(seat, players)
    return seat


@inlined
def is_settled(call_score, view, trick, rollouts):
    """Whether the tricks still to come change nothing. call_score : CallScoreRules or None, trick : int64 -> bool"""
    if call_score is not None:
        return False
    taken = rollouts.taken[view.declarer]
    return rollouts.same_to[taken] >= taken + view.n_tricks - trick


@kernel
def play_on(rules, view, card, n_played, rollouts):
    """Play a card, and then the deal to its end, or until it is settled (`simcore.phases.play.worth.prepare_worths`).

    rules : Rules or SheddingRules
    view : ManyView      of the seat that plays the card
    card : uint64
    n_played : int64     cards in the trick so far
    rollouts : Rollouts  hands (used up), taken, taken_cards are modified; hands are those of the layout
    """
    play, players, trumps = rules.play, view.players, view.trumps
    seat, trick, to_play = view.seat, view.trick, view.to_play
    pool = view.unseen | view.hand  # cards that are in a hand, or in none
    led, best, winners, best_seat, shown = view.led, view.best, view.winners, view.best_seat, view.shown
    suit = select(led != U0, SUIT_OF[ctz(led) & U(63)], U0)
    while True:
        rollouts.hands[seat] ^= card
        pool ^= card
        n_played += 1
        if led == U0:
            suit, led, best, best_seat = SUIT_OF[ctz(card)], card, card, seat
            winners = cards_above(card, suit, trumps)
        else:
            shown |= select(card & suit == U0, suit & play.must_follow, U0)
            if card & winners != U0:
                best, best_seat = card, seat
                winners = cards_above(card, suit, trumps)
        if to_play == 0:
            rollouts.taken[best_seat] += 1
            rollouts.taken_cards[best_seat] += n_played
            trick += 1
            if trick == view.n_tricks or is_settled(rules.call_score, view, trick, rollouts):
                return
            seat = with_cards(rollouts, best_seat, players)
            to_play, n_played = others_with_cards(rollouts, seat, players), 0
            suit, led, best, winners, best_seat = U0, U0, U0, U0, NOBODY
        else:
            seat = with_cards(rollouts, next_seat(seat, players), players)
            to_play -= 1
        hand = rollouts.hands[seat]
        legal = legal_cards(play, hand, suit, winners, trumps, (best & trumps != U0) & (suit & trumps == U0))
        imagined = ManyView(
            hand=hand,
            legal=legal,
            n_legal=popcount(legal),
            led=led,
            best=best,
            winners=winners,
            best_seat=best_seat,
            to_play=to_play,
            unseen=pool & ~hand,
            trumps=trumps,
            strain=view.strain,
            seat=seat,
            players=players,
            voids=view.voids,
            shown=shown,
            calls=view.calls,
            overtricks=overtricks_allowed(rules.call_score, view.calls[seat]),
            taken=rollouts.taken,
            quotas=view.quotas,
            declarer=view.declarer,
            bid=view.bid,
            alone=view.alone,
            trick=trick,
            n_tricks=view.n_tricks,
            totals=view.totals,
            key=U0,
        )
        card = careful_card(rules.call_score, imagined)
