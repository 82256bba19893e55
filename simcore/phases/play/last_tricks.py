"""The last tricks of a layout solved, in games of calls: every seat plays for its own score, and sees all cards.

This is the solution of the game with all cards open by backward induction (max^n): at each card the seat in turn takes what
leaves it the most of its own points at the end; of equals the card that `careful` would play, else the lowest. Tricks of all
seats are kept in one word, a byte a seat.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, lowest, popcount, select
from simcore.bots.many.careful import choose_card as careful_call
from simcore.bots.view import ManyView
from simcore.cards import SUIT_OF
from simcore.codes import NO_SEAT
from simcore.phases.play.duties import legal_cards
from simcore.phases.play.many_rules import cards_above, overtricks_allowed
from simcore.seats import next_seat

_BYTE, _MASK = U(8), U(255)
LOWEST = -(1 << 60)


@inlined
def tricks_of(packed, seat):
    """Tricks of a seat in a word. packed : uint64 -> int64"""
    return I((packed >> (_BYTE * U(seat))) & _MASK)


@kernel
def _usual_card(rules, view, plies, at, seat, hand, legal, winners, rollouts):
    """The card that `careful` plays at a ply. -> uint64"""
    pool = U0
    for other in range(view.players):
        rollouts.taken[other] = tricks_of(plies.taken[at], other)
        pool |= rollouts.hands[other] if other != seat else U0
    return careful_call(
        ManyView(
            hand=hand,
            legal=legal,
            n_legal=popcount(legal),
            led=plies.led[at],
            best=plies.best[at],
            winners=winners,
            best_seat=plies.best_seat[at],
            to_play=plies.to_play[at],
            unseen=pool,
            trumps=view.trumps,
            strain=view.strain,
            seat=seat,
            players=view.players,
            voids=view.voids,
            shown=view.shown,
            calls=view.calls,
            overtricks=overtricks_allowed(rules.call_score, view.calls[seat]),
            taken=rollouts.taken,
            quotas=view.quotas,
            declarer=view.declarer,
            bid=view.bid,
            alone=view.alone,
            trick=plies.trick[at],
            n_tricks=view.n_tricks,
            totals=view.totals,
            key=U0,
        )
    )


@inlined
def _enter(rules, view, plies, at, rollouts):
    """List what the seat in turn may play at a ply. plies : Plies, modified"""
    seat, led, best = plies.seat[at], plies.led[at], plies.best[at]
    hand, trumps = rollouts.hands[seat], view.trumps
    suit = select(led != U0, SUIT_OF[ctz(led) & U(63)], U0)
    winners = cards_above(best, suit, trumps) if led != U0 else U0
    ruffed = (best & trumps != U0) & (suit & trumps == U0)
    legal = legal_cards(rules.play, hand, suit, winners, trumps, ruffed)
    plies.left[at] = legal
    plies.score[at] = LOWEST
    one = legal & (legal - U1) == U0
    plies.usual[at] = legal if one else _usual_card(rules, view, plies, at, seat, hand, legal, winners, rollouts)


@inlined
def _play(view, plies, at, card):
    """Put a card on the table. plies : Plies, ply at + 1 is written -> bool, whether it was the last one"""
    seat, led, best, best_seat = plies.seat[at], plies.led[at], plies.best[at], plies.best_seat[at]
    taken, trick, to_play = plies.taken[at], plies.trick[at], plies.to_play[at]
    if led == U0:
        led, best, best_seat = card, card, seat
    elif card & cards_above(best, SUIT_OF[ctz(led)], view.trumps) != U0:
        best, best_seat = card, seat
    after = at + 1
    if to_play == 0:
        taken += U1 << (_BYTE * U(best_seat))
        trick += 1
        plies.seat[after], plies.to_play[after] = best_seat, view.players - 1
        plies.led[after], plies.best[after], plies.best_seat[after] = U0, U0, NO_SEAT
    else:
        plies.seat[after], plies.to_play[after] = next_seat(seat, view.players), to_play - 1
        plies.led[after], plies.best[after], plies.best_seat[after] = led, best, best_seat
    plies.taken[after], plies.trick[after] = taken, trick
    return to_play == 0 and trick == view.n_tricks


@kernel
def solve_on(rules, view, card, rollouts):
    """Play a card, and then the deal to its end, every seat for its own score with all cards open.

    rules : Rules        with calls
    view : ManyView      of the seat that plays the card
    card : uint64
    rollouts : Rollouts  hands are those of the layout; taken is modified: the tricks at the end
    """
    plies, tenths = rollouts.plies, rules.call_score.tenths
    at, packed = 0, U0
    for seat in range(view.players):
        packed |= U(view.taken[seat]) << (_BYTE * U(seat))
    plies.seat[0], plies.to_play[0], plies.trick[0], plies.taken[0] = view.seat, view.to_play, view.trick, packed
    plies.led[0], plies.best[0], plies.best_seat[0] = view.led, view.best, view.best_seat
    plies.left[0], plies.usual[0], plies.score[0] = card, card, LOWEST
    while True:
        if plies.left[at] == U0:
            if at == 0:
                break
            found = plies.found[at]
            at -= 1
            rollouts.hands[plies.seat[at]] |= plies.card[at]
        else:
            usual = plies.usual[at]
            card = usual if plies.left[at] & usual != U0 else lowest(plies.left[at])
            plies.left[at] ^= card
            plies.card[at] = card
            rollouts.hands[plies.seat[at]] ^= card
            if not _play(view, plies, at, card):
                at += 1
                _enter(rules, view, plies, at, rollouts)
                continue
            found = plies.taken[at + 1]
            rollouts.hands[plies.seat[at]] |= card
        seat = plies.seat[at]
        score = I(tenths[view.calls[seat], tricks_of(found, seat)])
        if score > plies.score[at]:
            plies.score[at], plies.found[at] = score, found
    for seat in range(view.players):
        rollouts.taken[seat] = tricks_of(plies.found[0], seat)
