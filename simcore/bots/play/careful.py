"""Play policy `careful`: draws trumps, leads the ripest suit from the top, wins cheaply, bars where it cannot win.

It remembers every card it has seen and reckons with every card it has not. It draws nothing.

With two players a third of the pack or more is out of play: an honour led holds more often than not, and small cards led from
length only help the opponent. Gains in duels on mirrored deals, in points a deal with 95 % intervals: the top of the
longest side suit instead of its lowest card +65 +- 2; declarer's top trumps first as long as he holds three +27 +- 2; the suit
of which least is unseen instead of the longest +10 +- 3; barring with the colon of the range instead of keeping it +7 +- 1.
Leading colons early or late loses. Cashing sure winners before other leads, ducking, and guarding honours when throwing gain
nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import ALL_ONES, U0, U, clz, lowest, popcount, select
from simcore.cards import (
    LANE,
    NATURALS,
    SUIT0,
    length,
    lowest_rank,
    suit_mask,
)

_TOP_BIT = U(1 << 63)
DRAW_FROM = U(3)
_SHIFT6, _LOW6 = U(6), U(63)
_NOT_HELD = ALL_ONES


@inlined
def _missing(held, cards, suit):
    """Number of these cards in a suit, times 64, and the suit's first bit; all ones where none of it is held. -> uint64"""
    return select(held & suit_mask(suit) != U0, (length(cards, suit) << _SHIFT6) | U(LANE * suit), _NOT_HELD)


@inlined
def ripest_suit(held, unseen):
    """Mask of the suit held of which fewest cards are unseen; the lower suit on ties. Assumes that one is held. -> uint64"""
    best = min(
        min(_missing(held, unseen, 0), _missing(held, unseen, 1)), min(_missing(held, unseen, 2), _missing(held, unseen, 3))
    )
    return SUIT0 << (best & _LOW6)


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
    """A card to lead: trumps while declarer draws them, else the top card of the side suit of which least is unseen.

    Declarer draws trumps as long as he holds `DRAW_FROM` of them and the opponent may hold some. Trumps that are not drawn
    with are led last, before colons. All candidates are worked out and chosen among without a branch, those that take
    longest last. -> uint64, one bit
    """
    trumps = view.legal & view.trumps
    side = view.legal & ~view.trumps & NATURALS
    unseen = view.unseen & ~view.opponent_void
    draws = (unseen & view.trumps != U0) & (view.is_declarer != 0) & (popcount(trumps) >= DRAW_FROM)
    others = first_of(trumps, view.legal)
    return highest(select(draws | (side == U0), others, side & ripest_suit(side, unseen)))


@inlined
def follow(view):
    """A card to follow with: the cheapest winner; else the colon that bars; else what is worth least. -> uint64

    What is worth least in the whole hand is worked out first, since it does not wait for the card led.
    """
    least = lowest_rank(first_of(view.hand & ~view.trumps, view.hand))
    winners = view.legal & view.winners
    win = lowest(first_of(winners & ~view.trumps, winners))
    throw = select(view.legal & least != U0, least, lowest(first_of(view.legal & NATURALS, view.legal)))
    return first_of(first_of(win, view.legal & view.barring), throw)
