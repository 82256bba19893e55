"""Text of cards, hands, bids and contracts: one form out, a few forms in, and messages that help."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import cards as reference_cards

from simcore.errors import InputError
from simcore.notation import (
    STRAINS,
    Contract,
    bid_text,
    card_numbers,
    card_text,
    contract_text,
    hand_text,
    mask_of,
    parse_bid,
    parse_card,
    parse_contract,
    parse_hand,
    points_number,
)

EASY = settings(max_examples=60, derandomize=True, deadline=None)


def test_every_card() -> None:
    texts = [card_text(number) for number in range(55)]
    assert texts[0] == "C2"
    assert texts[12] == "CA"
    assert texts[51:] == ["SA", "GC", "RC", "LC"]
    assert sorted(texts) == sorted(reference_cards.DRAW_ORDER)
    for number, text in enumerate(texts):
        assert parse_card(text) == parse_card(text.lower()) == parse_card(f" {text} ") == number
    assert parse_card("S10") == parse_card("ST")


@pytest.mark.parametrize("text", ["", "S", "S1", "S11", "XA", "AS", "SAA", "10S", "G", "KC5", "C10T", "S 5"])
def test_no_card(text: str) -> None:
    with pytest.raises(InputError, match="is not a card"):
        parse_card(text)


@EASY
@given(st.integers(0, 2**55 - 1))
def test_hands_and_back(border: int) -> None:
    text = hand_text(border)
    assert parse_hand(text) == border
    assert reference_cards.hand_text([card_text(number) for number in card_numbers(border)]) == text
    assert mask_of(card_numbers(border)) == border


@pytest.mark.parametrize(
    ("given_text", "written"),
    [
        ("AKQ2.K83.A4.QT95", "AKQ2.K83.A4.QT95"),
        ("AKQJ.T98..432", "AKQJ.T98..432"),
        ("AKQ2.K83.A4.QT9/G", "AKQ2.K83.A4.QT9/G"),
        (".../GRL", ".../GRL"),
        (".../LRG", ".../GRL"),
        ("...", "..."),
        ("2akq.38k.4a.95q10", "AKQ2.K83.A4.QT95"),
        ("97...", "97..."),
    ],
)
def test_examples_of_hands(given_text: str, written: str) -> None:
    assert hand_text(parse_hand(given_text)) == written


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "four suits"),
        ("AKQ", "four suits"),
        ("A.K.Q", "four suits"),
        ("A.K.Q.J.T", "four suits"),
        ("A.../", "four suits"),
        ("AA...", "twice"),
        (".../GG", "twice"),
        ("A1...", "not a card"),
        ("A.../X", "not a card"),
        ("A.../C", "not a card"),
    ],
)
def test_no_hand(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_hand(text)


def test_every_bid_and_contract() -> None:
    bids = [bid_text(bid) for bid in range(40)]
    assert bids[4:7] == ["0NT", "1C", "1D"]
    assert bids[-1] == "7NT"
    for bid, text in enumerate(bids):
        assert parse_bid(text) == parse_bid(text.lower()) == bid
        for doubling, mark in enumerate(("", "X", "XX")):
            contract = Contract(*divmod(bid, 5), doubling)
            assert contract_text(contract) == text + mark
            assert parse_contract(text + mark) == parse_contract((text + mark).lower()) == contract
            assert contract.need == 6 + bid // 5
    assert [bid[1:] for bid in bids[:5]] == list(STRAINS)
    assert parse_bid("3N") == parse_bid("3NT")


@pytest.mark.parametrize("text", ["", "8C", "4", "S4", "4SXXX", "4XS", "-1C", "4 S", "Pass", "X"])
def test_no_contract(text: str) -> None:
    with pytest.raises(InputError, match="is not a contract"):
        parse_contract(text)


def test_points() -> None:
    assert [points_number(tenths) for tenths in (0, 50, 51, 25_000, -51)] == [0, 5, 5.1, 2500, -5.1]
    assert type(points_number(50)) is int


def test_contracts_are_compared_with_their_doubling() -> None:
    assert Contract(4, 3, 0) != Contract(4, 3, 1)
