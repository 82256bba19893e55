"""The solver's own layout of a hand: sixteen bits a suit, with a spare bit at each border between the colons' ranges.

Bits 0-8 of a lane are 2..10, 9 is a border, 10-12 are J Q K, 13 is a border, 14 is the ace, 15 stays free as a guard for
subtractions. Colons are not in the hand; a side's colons are a set of three bits (Grand 1, Royal 2, Little 4). Trumps are
always in lane 0; no trump is a flag. Where a live colon of the other side makes a border matter, the border's bit counts as
a foreign card, so that the bit operations below stop there; else it is as good as absent.
"""

from __future__ import annotations

import numpy as np

from simcore._jit import inlined
from simcore.bits import U0, U1, U, pext, popcount, select
from simcore.cards import ACES, COLONS, FACES, LANE, LANE1, SPOTS
from simcore.codes import N_RANKS, N_SUITS

SUIT = U(0x7FFF)
"""Lane 0, borders included."""
ROOM = U(0x7FFF * LANE1)
"""All lanes, borders included, guards not."""
GUARDS = U(0x8000 * LANE1)
LOWEST_BITS = U(LANE1)
RANGES = np.array([0x4000 * LANE1, 0x1C00 * LANE1, 0x01FF * LANE1, 0], np.uint64)
"""Natural cards in the range of the Grand, the Royal, the Little; then of no colon."""
_LOW_BORDER, _HIGH_BORDER = 0x0200 * LANE1, 0x2000 * LANE1
BORDERS = np.array(
    [0, _HIGH_BORDER, *[_LOW_BORDER | _HIGH_BORDER] * 2, _LOW_BORDER, *[_LOW_BORDER | _HIGH_BORDER] * 3], np.uint64
)
"""By the other side's set of colons: the borders that matter among a side's cards."""
COLON_OF_BIT = np.array([4] * 10 + [2] * 4 + [1] * 2, np.uint64)
"""By place in the lane: the colon whose range holds the card."""
COUNT = np.array([bin(colons).count("1") for colons in range(8)], np.int64)
"""Colons of a set."""
_HIGH_CARDS = U(0x5C00 * LANE1)
_C48, _C15, _BYTE = U(48), U(15), U(255)
_SMEAR = tuple(U(bits * LANE1) for bits in (0x7FFF, 0x3FFF, 0x0FFF, 0x00FF))
_BY_ONE, _BY_TWO, _BY_FOUR, _BY_EIGHT = _SMEAR


def _class_codes() -> np.ndarray:
    """Codes of two suits' high cards (J Q K A, four bits a suit), by the other side's colons. Plain Python.

    What matters is how many cards of each live range a side holds in a suit, given how many cards it holds there.
    """
    codes = np.zeros((8, 256), np.uint64)
    for colons in range(8):
        for cards in range(256):
            for half in range(2):
                held = cards >> (4 * half) & 15
                faces, ace = (held & 7).bit_count(), held >> 3
                code = {0: 0, 1: ace, 4: faces + ace}.get(colons, faces | ace << 2)
                codes[colons, cards] |= np.uint64(code << (3 * half))
    return codes


_CLASS_CODES = _class_codes()


@inlined
def with_borders(hand):
    """Natural cards of a hand of the kernels (`simcore.cards`) in this layout. -> uint64"""
    return (hand & SPOTS) | ((hand & FACES) << U1) | ((hand & ACES) << U(2))


@inlined
def colon_set(hand):
    """Colons of a hand of the kernels: Grand 1, Royal 2, Little 4. -> uint64"""
    return (hand & COLONS) >> U(N_RANKS)


@inlined
def trumps_first(cards, strain):
    """Cards with the lane of the trumps moved to lane 0; unchanged for no trump. strain : int64 0..4"""
    shift = U(LANE * strain) & _C48
    turned = (cards >> shift) | (cards << ((U(64) - shift) & U(63)))
    return select((strain < N_SUITS) & (shift != U0), turned, cards)


@inlined
def suit_of(bit):
    """Mask of the lane that holds a bit. bit : uint64 bit number"""
    return SUIT << (bit & _C48)


@inlined
def in_lane(bit):
    """Place of a bit in its lane. -> uint64 0..15"""
    return bit & _C15


@inlined
def higher(card):
    """All bits above a card."""
    return ~((card << U1) - U1)


@inlined
def downward(cards):
    """The cards and, in each lane, everything below its highest one."""
    cards |= (cards >> U1) & _BY_ONE
    cards |= (cards >> U(2)) & _BY_TWO
    cards |= (cards >> U(4)) & _BY_FOUR
    return cards | ((cards >> U(8)) & _BY_EIGHT)


@inlined
def highest_each(cards):
    """The highest card of each lane."""
    return cards & ~downward((cards >> U1) & _BY_ONE)


@inlined
def run_lowest(cards, others, borders):
    """The lowest card of each run: of cards with none of the others', and no border that matters, between them.

    Cards of one run are equivalent. A carry from the bottom of each run of bits that are not foreign stops at its lowest card.
    """
    open_ = ROOM & ~others & ~borders
    starts = open_ & ~(open_ << U1)
    return cards & ~((cards | ~open_) - starts)


@inlined
def class_lowest(cards, borders):
    """The lowest card of each lane, and of each range in it whose border matters."""
    return cards & ~((cards | borders | GUARDS) - (LOWEST_BITS | (borders << U1)))


@inlined
def empty_suits(cards):
    """Masks of the lanes in which there are no cards."""
    return ~((((cards + ROOM) >> _C15) & LOWEST_BITS) * SUIT) & ROOM


@inlined
def lengths_key(cards):
    """Number of cards in lanes 0, 1, 2, four bits each."""
    return (
        popcount(cards & SUIT)
        | (popcount(cards & (SUIT << U(LANE))) << U(4))
        | (popcount(cards & (SUIT << U(2 * LANE))) << U(8))
    )


@inlined
def class_key(cards, colons):
    """Twelve bits that say how a side's cards lie in the ranges of the other side's colons."""
    high = pext(cards, _HIGH_CARDS)
    return _CLASS_CODES[colons, high & _BYTE] | (_CLASS_CODES[colons, high >> U(8)] << U(6))
