"""Exchange policy `keep_best`: keeps the best suit, high cards and colons, and throws the lowest of the rest.

What it keeps is what the bidding policy `points` values: length in one suit, aces and kings anywhere, colons. Draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U2, U, pdep, pext, popcount
from simcore.cards import ACES, COLONS, FACES, KINGS, LANE, NATURALS, SUIT0, length, suit_mask
from simcore.codes import N_RANKS, N_SUITS, KeepBestParam

KEEP_COLONS = int(KeepBestParam.KEEP_COLONS)
_HONOURS = ACES | FACES
# A rank-major copy of a hand: bit 4 * rank + suit, so that the lowest bits are the lowest ranks of all suits.
_RANK_MAJOR = [U(sum(1 << (N_SUITS * rank + suit) for rank in range(N_RANKS))) for suit in range(N_SUITS)]
_BY_RANK0, _BY_RANK1, _BY_RANK2, _BY_RANK3 = _RANK_MAJOR
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
def best_suit(hand):
    """The suit worth keeping: length counts four times an honour; the higher suit on ties. -> int64"""
    best = 0
    best_value = U0
    for suit in range(N_SUITS):
        value = (length(hand, suit) << U2) + length(hand & _HONOURS, suit)
        if value >= best_value:
            best = suit
            best_value = value
    return best


@inlined
def choose_throw(view, params, seat):
    """Cards to throw: low cards outside the best suit first, then what is lowest.

    view : ExchangeView
    params : int64[:, :] rows of `KeepBestParam`; seat : int64 the own row
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
    spare = naturals & ~(suit_mask(best_suit(hand)) | ACES | KINGS)
    n_spare = popcount(spare)
    if n_spare >= n:
        return colons | lowest_cards(spare, n)
    return colons | spare | lowest_cards(naturals ^ spare, n - n_spare)
