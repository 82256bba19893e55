"""Play policy `careful`: leads winners, draws trumps, wins cheaply, throws what is worth least, spends colons with a purpose.

It remembers every card it has seen and reckons with every card it has not. It draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U2, U4, U, ctz, lowest, select
from simcore.cards import (
    ACES,
    COLONS,
    FACES,
    GRAND,
    LANE,
    LANE1,
    LITTLE,
    NATURALS,
    ROYAL,
    SPOTS,
    SUIT0,
    fill_down,
    length,
)

_SHIFT16, _SHIFT32 = U(16), U(32)
_ONE_RANK = U(LANE1)
_ALL_RANKS = U((1 << LANE) - 1)


@inlined
def lowest_rank(cards):
    """A card of the lowest rank, the lowest suit on ties; colons count as higher than aces. 0 for none. -> uint64"""
    ranks = cards | (cards >> _SHIFT32)
    ranks |= ranks >> _SHIFT16
    return lowest(cards & (_ONE_RANK << (ctz(ranks & _ALL_RANKS) & U(15))))


@inlined
def longest_suit(cards):
    """Mask of the suit in which most of these cards lie; the lower suit on ties. -> uint64"""
    n0 = (length(cards, 0) << U2) | U(3)
    n1 = (length(cards, 1) << U2) | U2
    n2 = (length(cards, 2) << U2) | U1
    n3 = length(cards, 3) << U2
    best = max(max(n0, n1), max(n2, n3))
    return SUIT0 << ((U(3) - (best & U(3))) << U4)


@inlined
def first_of(best, second):
    """The first of two sets that is not empty (or the second)."""
    return select(best != U0, best, second)


@inlined
def sure_colons(colons, unseen):
    """Colons that no unseen card of their range can beat when led. -> uint64"""
    safe = select(unseen & ACES == U0, GRAND, U0)
    safe |= select(unseen & FACES == U0, ROYAL, U0)
    safe |= select(unseen & SPOTS == U0, LITTLE, U0)
    return colons & safe


@inlined
def lead(view):
    """A card to lead.

    Cards that no unseen card of their suit beats come first (declarer's trumps while the opponent may hold some; side winners that
    he may ruff last); then a colon that cannot lose; then the lowest card of the longest suit that may be led; colons
    that may lose come last. All candidates are worked out and chosen among without a branch. -> uint64, one bit
    """
    naturals = view.legal & NATURALS
    unseen = view.unseen & NATURALS & ~view.opponent_void
    may_ruff = unseen & view.trumps != U0
    masters = naturals & ~fill_down(unseen)
    drawing = select(may_ruff & (view.is_declarer != 0), masters & view.trumps, U0)
    safe = masters & ~select(may_ruff, view.opponent_void & ~view.trumps, U0)
    sure = select(may_ruff, U0, sure_colons(view.legal & COLONS, unseen))
    low = first_of(naturals & longest_suit(naturals), view.legal)
    # in pairs, so that what takes longest to work out is chosen among last
    return lowest(first_of(first_of(drawing, safe), first_of(masters, first_of(sure, low))))


@inlined
def follow(view):
    """A card to follow with: the cheapest winner; else the colon that bars; else what is worth least. -> uint64"""
    winners = view.legal & view.winners
    win = lowest(first_of(winners & ~view.trumps, winners))
    throw = lowest_rank(first_of(view.legal & ~view.trumps, view.legal))
    return first_of(first_of(win, view.legal & view.barring), throw)
