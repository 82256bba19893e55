"""Cards as bits: the two layouts of a hand and back, and what is counted in a hand."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from helpers import U, card, hand, mask, suit, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from simcore import bits, cards
from simcore.bits import ALL_ONES, lowest, nth_bit
from simcore.cards import (
    BEATEN_BY,
    BORDER_CARD,
    COLON_OF,
    SUIT_OF,
    UPCARD_CLASS,
    bit_number,
    from_border,
    high_card_points,
    length,
    rank_index,
    to_border,
    trump_cards,
)
from simcore.notation import card_text, hand_text

pytestmark = [pytest.mark.nojit, pytest.mark.portable]

EASY = settings(max_examples=60, derandomize=True, deadline=None)
WORDS = st.integers(0, 2**64 - 1)
HANDS = st.integers(0, 2**55 - 1)
RANKS = "23456789TJQKA"


def is_uint64(value: object) -> bool:
    """A 64-bit unsigned number, not a float and nothing signed; compiled code returns it as a plain int."""
    return type(value) in (int, np.uint64) and value >= 0


# Intrinsics exist inside compiled code only.
ctz = numba.njit(lambda x: bits.ctz(x))
clz = numba.njit(lambda x: bits.clz(x))
popcount = numba.njit(lambda x: bits.popcount(x))
pdep = numba.njit(lambda source, mask: bits.pdep(source, mask))
pext = numba.njit(lambda source, mask: bits.pext(source, mask))
mulhi = numba.njit(lambda a, b: bits.mulhi(a, b))
select = numba.njit(lambda condition, a, b: bits.select(condition, a, b))
unlikely = numba.njit(lambda condition: bits.unlikely(condition))


# --- bits ------------------------------------------------------------------------------------------------------------


@EASY
@given(WORDS, WORDS)
def test_bit_operations_against_python(a: int, b: int) -> None:
    assert popcount(U(a)) == a.bit_count()
    assert ctz(U(a)) == ((a & -a).bit_length() - 1 if a else 64)
    assert clz(U(a)) == 64 - a.bit_length()
    assert mulhi(U(a), U(b)) == a * b >> 64
    assert lowest(U(a)) == a & -a
    assert select(a > b, U(a), U(b)) == max(a, b)
    assert unlikely(a > b) == (a > b)
    places = [bit for bit in range(64) if b >> bit & 1]
    assert pdep(U(a), U(b)) == sum(1 << place for i, place in enumerate(places) if a >> i & 1)
    assert pext(U(a), U(b)) == sum((a >> place & 1) << i for i, place in enumerate(places))
    for i, place in enumerate(places):
        assert nth_bit(U(b), U(i)) == 1 << place


@pytest.mark.parametrize("value", [0, 1, 2**63, 2**64 - 1, 0x5555555555555555])
def test_bit_operations_at_the_ends(value: int) -> None:
    assert popcount(U(value)) == value.bit_count()
    assert pext(U(pdep(U(value), ALL_ONES)), ALL_ONES) == value
    assert pdep(U(value), U(0)) == 0
    assert lowest(U(0)) == 0


# --- the two layouts -------------------------------------------------------------------------------------------------


@EASY
@given(HANDS)
def test_border_and_back(border: int) -> None:
    """A 55-bit mask survives; as a float it would lose its lowest bits."""
    kernel = from_border(U(border))
    assert is_uint64(kernel)
    assert to_border(U(kernel)) == border
    assert is_uint64(to_border(U(kernel)))
    assert popcount(U(kernel)) == border.bit_count()


def test_masks_that_a_float_cannot_hold() -> None:
    for border in (2**55 - 1, 2**54 + 1, 2**54 + 2**53 + 1):
        assert int(float(border)) != border or border == 2**54
        assert to_border(U(from_border(U(border)))) == border


def test_every_card_in_both_layouts() -> None:
    numbers = [bit_number(number) for number in range(55)]
    assert len(set(numbers)) == 55
    for number, bit in enumerate(numbers):
        assert BORDER_CARD[bit] == number
        assert to_border(U(1 << bit)) == 1 << number
    assert sorted(set(range(64)) - set(numbers)) == [bit for bit in range(64) if BORDER_CARD[bit] == -1]
    assert BORDER_CARD[-1] == -1  # no card


def test_sets_of_cards() -> None:
    deck = {card_text(number) for number in range(55)}
    assert texts(cards.NATURALS) == {text for text in deck if text not in ("GC", "RC", "LC")}
    assert texts(cards.COLONS) == {"GC", "RC", "LC"}
    assert texts(cards.ACES) == {"CA", "DA", "HA", "SA"}
    assert texts(cards.FACES) == {letter + rank for letter in "CDHS" for rank in "JQK"}
    assert texts(cards.SPOTS) == {letter + rank for letter in "CDHS" for rank in "23456789T"}
    for number, letter in enumerate("CDHS"):
        assert texts(trump_cards(number)) == {letter + rank for rank in RANKS} == texts(suit(letter))
    assert trump_cards(4) == 0


def test_tables_by_card() -> None:
    for number in range(52):
        text = card_text(number)
        bit = bit_number(number)
        assert texts(SUIT_OF[bit]) == {text[0] + rank for rank in RANKS}
        colon = "GC" if text[1] == "A" else "RC" if text[1] in "JQK" else "LC"
        assert texts(COLON_OF[bit]) == {colon}
        assert texts(BEATEN_BY[bit]) == {text[0] + rank for rank in RANKS[RANKS.index(text[1]) + 1 :]}
        assert UPCARD_CLASS[rank_index(U(1 << bit))] == {"LC": 0, "RC": 1, "GC": 2}[colon]
    for text, beaten_by, kind in (("GC", cards.ACES, 2), ("RC", cards.FACES, 1), ("LC", cards.SPOTS, 0)):
        bit = int(ctz(card(text)))
        assert SUIT_OF[bit] == COLON_OF[bit] == 0
        assert BEATEN_BY[bit] == beaten_by
        assert UPCARD_CLASS[rank_index(card(text))] == kind


# --- counting --------------------------------------------------------------------------------------------------------


@EASY
@given(HANDS)
def test_counting_against_text(border: int) -> None:
    text = hand_text(border)
    held = from_border(U(border))
    suits = text.partition("/")[0].split(".")
    assert [length(U(held), number) for number in range(4)] == [len(ranks) for ranks in reversed(suits)]
    points = {"A": 4, "K": 3, "Q": 2, "J": 1}
    assert high_card_points(U(held)) == sum(points.get(rank, 0) for ranks in suits for rank in ranks)


def test_colons_have_no_suit_and_no_points() -> None:
    held = hand(".../GRL")
    assert [length(held, number) for number in range(4)] == [0, 0, 0, 0]
    assert high_card_points(held) == 0


def test_helpers_read_what_they_say() -> None:
    assert mask("SA GC") == card("SA") | card("GC") == hand("A.../G")
