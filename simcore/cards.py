"""Cards and hands inside the kernels: one bit a card, sixteen bits a suit.

Bit 16 * suit + rank, suits C D H S = 0..3, ranks 2..A = 0..12, so that inside a suit a higher bit is a higher card.
Bridgette's colons sit in spare bits of the lowest lane: Grand 13, Royal 14, Little 15; they have no suit and no rank.
Rules about cards become bit operations on whole hands. At the border to Python a hand has 55 bits
(`simcore.notation`); `to_border` and `from_border` convert.
"""

from __future__ import annotations

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U, ctz, lowest, pext, popcount, select
from simcore.codes import N_CARDS, N_COLONS, N_RANKS, N_SUITS, NO_CARD

LANE = 16
SUIT0 = U((1 << N_RANKS) - 1)
"""Mask of the clubs; shifted by 16 * suit, of any suit."""
LANE1 = sum(1 << (LANE * s) for s in range(N_SUITS))
NATURALS = U(int(SUIT0) * LANE1)
"""All 52 natural cards."""
GRAND, ROYAL, LITTLE = (U(1 << (N_RANKS + c)) for c in range(N_COLONS))
COLONS = U(int(GRAND) | int(ROYAL) | int(LITTLE))
"""The three colons."""
ACES = U((1 << 12) * LANE1)
KINGS, QUEENS, JACKS = (U(int(ACES) >> below) for below in (1, 2, 3))
FACES = U(int(KINGS) | int(QUEENS) | int(JACKS))
SPOTS = U(((1 << 9) - 1) * LANE1)
"""Cards 2 to 10."""



def _card_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tables below, by bit number; entries of bits that are no card stay zero."""
    suit_of, colon_of, beaten_by = (np.zeros(64, np.uint64) for _ in range(3))
    colon_by_rank = [LITTLE] * 9 + [ROYAL] * 3 + [GRAND]
    for bit in range(64):
        suit, rank = divmod(bit, LANE)
        if rank < N_RANKS:
            suit_of[bit] = int(SUIT0) << (LANE * suit)
            colon_of[bit] = colon_by_rank[rank]
            beaten_by[bit] = int(suit_of[bit]) & ~((2 << bit) - 1)
        elif suit == 0:
            beaten_by[bit] = (ACES, FACES, SPOTS)[rank - N_RANKS]
    return suit_of, colon_of, beaten_by


SUIT_OF, COLON_OF, BEATEN_BY = _card_tables()
"""By the bit number of a card led, as masks. SUIT_OF: its suit, nothing for a colon. COLON_OF: the colon in whose
range it is, nothing for a colon. BEATEN_BY: what beats it without a trump: higher cards of its suit, or the natural
cards in the colon's range. One load costs less than working these out."""


def _higher_ranks() -> np.ndarray:
    """The table below. Plain Python."""
    above = np.zeros(64, np.uint64)
    for suit in range(N_SUITS):
        for rank in range(N_RANKS):
            above[LANE * suit + rank] = sum(1 << higher for higher in range(rank + 1, N_RANKS)) * LANE1
    return above


HIGHER_RANK = _higher_ranks()
"""By the bit number of a natural card: all cards of a higher rank, of any suit."""
UPCARD_CLASS = np.array([0] * 9 + [1] * 3 + [2] + [2, 1, 0], np.int64)
"""Class of an upcard by `rank_index`: 0 spot card or Little, 1 face or Royal, 2 ace or Grand (rules.md, section 1)."""

_C48 = U(48)
_C15 = U(15)
_BYTE_TOP = U(0x80)
_SUIT_BYTES = U(sum(1 << (8 * suit) for suit in range(N_SUITS)))
_SHIFT16, _SHIFT32 = U(16), U(32)
_ONE_RANK = U(LANE1)
_ALL_RANKS = U((1 << LANE) - 1)


def bit_number(card: int) -> int:
    """Bit number in the kernels' layout of a card number of `simcore.notation`. Plain Python."""
    if card >= N_CARDS:
        return N_RANKS + card - N_CARDS
    suit, rank = divmod(card, N_RANKS)
    return LANE * suit + rank


def _border_cards() -> np.ndarray:
    numbers = np.full(64, NO_CARD, np.int8)
    for card in range(N_CARDS + N_COLONS):
        numbers[bit_number(card)] = card
    return numbers


BORDER_CARD = _border_cards()
"""Card number of `simcore.notation` by bit number; -1 for bits that are no card, and, for index -1, for no card."""


@inlined
def rank_index(card):
    """Low four bits of a card's bit number: 0..12 for ranks, 13..15 for colons.

    card : uint64        one bit
    -> uint64
    """
    return ctz(card) & _C15


@inlined
def lowest_rank(cards):
    """A card of the lowest rank, the lowest suit on ties; colons count as higher than aces. 0 for none. -> uint64"""
    ranks = cards | (cards >> _SHIFT32)
    ranks |= ranks >> _SHIFT16
    return lowest(cards & (_ONE_RANK << (ctz(ranks & _ALL_RANKS) & _C15)))


@inlined
def suit_mask(suit):
    """Mask of a suit; suit : int64 0..3."""
    return SUIT0 << U(LANE * suit)


@inlined
def suit_at(bit):
    """Mask of the suit of a natural card; bit : uint64 its bit number. Worked out sooner than a table would be read."""
    return SUIT0 << (bit & _C48)


@inlined
def trump_cards(strain):
    """Mask of the trumps of a strain, empty for no trump; strain : int64 0..4."""
    return select(strain < N_SUITS, SUIT0 << (U(LANE * strain) & _C48), U0)


@inlined
def length(hand, suit):
    """Natural cards of a hand in a suit; colons do not count. suit : int64 0..3."""
    return popcount(hand & suit_mask(suit))


@inlined
def suit_lengths(hand):
    """Natural cards of a hand in each suit, a byte a suit. -> uint64"""
    lengths = U0
    for suit in range(N_SUITS):
        lengths |= length(hand, suit) << U(8 * suit)
    return lengths


@inlined
def suits_of_length(lengths, least):
    """Suits with at least so many cards, a bit a suit. lengths : as `suit_lengths` gives them, least : uint64 -> uint64"""
    return pext(lengths + (_BYTE_TOP - least) * _SUIT_BYTES, _BYTE_TOP * _SUIT_BYTES)


@inlined
def high_card_points(hand):
    """High-card points of a hand: ace 4, king 3, queen 2, jack 1. -> int64"""
    aces = hand & ACES
    honours = popcount(aces) + popcount(hand & (ACES | KINGS)) + popcount(hand & (ACES | KINGS | QUEENS))
    return np.int64(honours + popcount(hand & (ACES | FACES)))


@kernel
def to_border(hand):
    """A hand in the 55-bit form of `simcore.notation`: bit 13 * suit + rank, colons 52..54. -> uint64"""
    border = U0
    for suit in range(N_SUITS):
        border |= ((hand >> U(LANE * suit)) & SUIT0) << U(N_RANKS * suit)
    return border | ((hand & COLONS) >> U(N_RANKS)) << U(N_CARDS)


@kernel
def from_border(border):
    """A hand in the kernels' form, from the 55-bit form. Inverse of `to_border`. -> uint64"""
    hand = U0
    for suit in range(N_SUITS):
        hand |= ((border >> U(N_RANKS * suit)) & SUIT0) << U(LANE * suit)
    return hand | ((border >> U(N_CARDS)) & U((1 << N_COLONS) - 1)) << U(N_RANKS)
