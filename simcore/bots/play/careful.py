"""Play policy `careful`: leads winners, draws trumps, wins cheaply, throws what is worth least, spends colons with a purpose.

It remembers every card it has seen and reckons with every card it has not. It draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U2, U4, U, clz, ctz, lowest, popcount, select
from simcore.cards import (
    LANE,
    LANE1,
    NATURALS,
    SUIT0,
    length,
    suit_mask,
)

_SHIFT16, _SHIFT32 = U(16), U(32)
_ONE_RANK = U(LANE1)
_ALL_RANKS = U((1 << LANE) - 1)
_TOP_BIT = U(1 << 63)
DRAW_FROM = U(3)
_VOID = U(64)


@inlined
def lowest_rank(cards):
    """A card of the lowest rank, the lowest suit on ties; colons count as higher than aces. 0 for none. -> uint64"""
    ranks = cards | (cards >> _SHIFT32)
    ranks |= ranks >> _SHIFT16
    return lowest(cards & (_ONE_RANK << (ctz(ranks & _ALL_RANKS) & U(15))))


@inlined
def _missing(held, cards, suit):
    """Cards of a suit among `cards`, times four, and the suit; a large number where none of the suit is held. -> uint64"""
    return select(held & suit_mask(suit) != U0, (length(cards, suit) << U2) | U(suit), _VOID)


@inlined
def ripest_suit(held, unseen):
    """Mask of the suit held of which the fewest cards are unseen; the lower suit on ties. -> uint64

    Written so that what depends on the hand, which is known last, comes last.
    """
    best = min(
        min(_missing(held, unseen, 0), _missing(held, unseen, 1)), min(_missing(held, unseen, 2), _missing(held, unseen, 3))
    )
    return SUIT0 << ((best & U(3)) << U4)


@inlined
def first_of(best, second):
    """The first of two sets that is not empty (or the second)."""
    return select(best != U0, best, second)


@inlined
def highest(cards):
    """The highest bit of some cards: the highest card of the highest suit. Assumes at least one. -> uint64"""
    return _TOP_BIT >> clz(cards)


@inlined
def lead(view):
    """A card to lead: trumps while declarer draws them, else the top card of the longest side suit.

    Declarer draws trumps as long as he holds `DRAW_FROM` of them and the opponent may hold some. Trumps that are not drawn with are led
    last, before colons. All candidates are worked out and chosen among without a branch. -> uint64, one bit
    """
    naturals = view.legal & NATURALS
    trumps = naturals & view.trumps
    side = naturals ^ trumps
    unseen = view.unseen & ~view.opponent_void
    draws = (unseen & view.trumps != U0) & (view.is_declarer != 0) & (popcount(trumps) >= DRAW_FROM)
    best = side & ripest_suit(side, unseen)
    last = first_of(trumps, view.legal)
    return highest(first_of(select(draws, trumps, U0), first_of(best, last)))


@inlined
def follow(view):
    """A card to follow with: the cheapest winner; else the colon that bars; else what is worth least. -> uint64"""
    winners = view.legal & view.winners
    win = lowest(first_of(winners & ~view.trumps, winners))
    throw = lowest_rank(first_of(view.legal & ~view.trumps, view.legal))
    return first_of(first_of(win, view.legal & view.barring), throw)
