"""Exchange policy `keep_best`: keeps the best suit, aces, kings and colons, and throws the worst suits whole.

A void is worth more than a few middling cards: throwing suit by suit gains about 40 points a deal over throwing the lowest
cards of all suits but the best, in duels on mirrored deals. Draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U, pdep, pext, popcount
from simcore.cards import ACES, COLONS, FACES, KINGS, LANE, NATURALS, SUIT0, length
from simcore.codes import N_RANKS, N_SUITS, KeepParam

KEEP_COLONS = int(KeepParam.KEEP_COLONS)
_HONOURS = ACES | FACES
# A rank-major copy of a hand: bit 4 * rank + suit, so that the lowest bits are the lowest ranks of all suits.
_RANK_MAJOR = [U(sum(1 << (N_SUITS * rank + suit) for rank in range(N_RANKS))) for suit in range(N_SUITS)]
_BY_RANK0, _BY_RANK1, _BY_RANK2, _BY_RANK3 = _RANK_MAJOR
_SHIFT6, _LOW6 = U(6), U(63)
_LANE1, _LANE2, _LANE3 = U(LANE), U(2 * LANE), U(3 * LANE)


@inlined
def lowest_cards(cards, n):
    """The n lowest-ranked of some natural cards; among equal ranks the lower suit first. n : uint64 -> uint64"""
    by_rank = (
        pdep(cards & SUIT0, _BY_RANK0)
        | pdep((cards >> _LANE1) & SUIT0, _BY_RANK1)
        | pdep((cards >> _LANE2) & SUIT0, _BY_RANK2)
        | pdep((cards >> _LANE3) & SUIT0, _BY_RANK3)
    )
    low = pdep((U1 << n) - U1, by_rank)
    return (
        pext(low, _BY_RANK0)
        | (pext(low, _BY_RANK1) << _LANE1)
        | (pext(low, _BY_RANK2) << _LANE2)
        | (pext(low, _BY_RANK3) << _LANE3)
    )


@inlined
def worth(hand, suit):
    """What a suit is worth keeping: its length and twice its honours, times 64; then the suit's first bit. -> uint64"""
    return ((length(hand, suit) + (length(hand & _HONOURS, suit) << U1)) << _SHIFT6) | U(LANE * suit)


@inlined
def suits_by_worth(hand):
    """First bits of the four suits, the one least worth keeping first; the lower suit on ties. -> four uint64"""
    a, b = worth(hand, 0), worth(hand, 1)
    c, d = worth(hand, 2), worth(hand, 3)
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return a & _LOW6, b & _LOW6, c & _LOW6, d & _LOW6


@inlined
def choose_throw(view, params, seat):
    """Cards to throw: the worst suit from below, then the next; aces, kings and the best suit only when nothing else is left.

    view : ExchangeView
    params : int64[:, :] rows of `KeepParam`; seat : int64 the own row
    -> uint64            view.n_throw cards of view.hand

    Assumes as many natural cards as are to be thrown (a hand keeps more cards than there are colons).
    """
    hand = view.hand
    n = U(view.n_throw)
    kept_colons = hand & COLONS if params[seat, KEEP_COLONS] else U0
    colons = (hand & COLONS) ^ kept_colons
    if popcount(colons) > n:
        colons = U0
    n -= popcount(colons)
    naturals = hand & NATURALS
    worst, second, third, best = suits_by_worth(hand)
    spare = naturals & ~((SUIT0 << best) | ACES | KINGS)
    n_spare = popcount(spare)
    if n_spare < n:
        return colons | spare | lowest_cards(naturals ^ spare, n - n_spare)
    # the spare cards with their suits in the order in which they go, so that the lowest bits go first
    in_order = (
        ((spare >> worst) & SUIT0) | (((spare >> second) & SUIT0) << _LANE1) | (((spare >> third) & SUIT0) << _LANE2)
    )
    low = pdep((U1 << n) - U1, in_order)
    return colons | ((low & SUIT0) << worst) | (((low >> _LANE1) & SUIT0) << second) | ((low >> _LANE2) << third)
