"""The exchange: who draws how many, from where, and what the policies throw."""

from __future__ import annotations

import random

import numpy as np
import pytest
from helpers import HEURISTIC, RANDOM, Json, U, card, deals_of, hand, mask, setup_of, texts, variant_with
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import cards as reference_cards
from reference.exchange import class_of_upcard

from simcore.bots.exchange.keep_best import lowest_cards, suits_by_worth
from simcore.bots.exchange.switch import choose_throw
from simcore.bots.view import ExchangeView
from simcore.cards import from_border
from simcore.codes import ExchangePolicy
from simcore.phases.exchange.upcard import dealer_draw, stock_needed
from simcore.rules import build_rules
from simcore.table import new_table

EASY = settings(max_examples=60, derandomize=True, deadline=None)
DECK = reference_cards.DRAW_ORDER
RANKS = "23456789TJQKA"
KEEPER: Json = {**RANDOM, "name": "keeper", "exchange": {"policy": "expected"}}
KEEPING = setup_of({}, (KEEPER,)).bot_table.keeping


@pytest.mark.nojit
@pytest.mark.parametrize("upcard", DECK)
def test_the_upcard_says_how_many_cards_the_dealer_sees(upcard: str) -> None:
    number = {"spot": 4, "face": 8, "ace": 12}[class_of_upcard(upcard)]
    exchange = build_rules(variant_with()).exchange
    assert dealer_draw(exchange, card(upcard)) == number
    assert stock_needed(exchange, card(upcard)) == 1 + 2 + number


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("upcard", "number"), [("S2", 4), ("ST", 4), ("LC", 4), ("SJ", 8), ("CK", 8), ("RC", 8), ("HA", 12), ("GC", 12)]
)
def test_four_eight_twelve(upcard: str, number: int) -> None:
    assert dealer_draw(build_rules(variant_with()).exchange, card(upcard)) == number


@pytest.mark.parametrize("takes", ["aside", "dealer_takes_it"])
@pytest.mark.parametrize("bot", [RANDOM, HEURISTIC], ids=["random", "heuristic"])
def test_order_and_cards_of_the_exchange(takes: str, bot: Json) -> None:
    """The non-dealer takes the top two, then the dealer; both throw down to thirteen; nothing appears twice."""
    for line in deals_of(setup_of({"exchange.upcard": takes}, (bot,), seed=4), 0, 30):
        deal, first, second = line["events"][:3]
        assert [first["seat"], second["seat"]] == [1 - line["dealer"], line["dealer"]]
        number = {"spot": 4, "face": 8, "ace": 12}[class_of_upcard(deal["upcard"])]
        assert first["drew"] == deal["stock"][:2]
        own = deal["stock"][2 : 2 + number]
        assert second["drew"] == ([deal["upcard"], *own] if takes == "dealer_takes_it" else own)
        for event in (first, second):
            held = set(reference_cards.parse_hand(deal["hands"][event["seat"]])) | set(event["drew"])
            assert len(held) == 13 + len(event["drew"])
            assert set(event["discarded"]) < held
            assert len(set(event["discarded"])) == len(event["discarded"]) == len(event["drew"])


# --- keep_best -------------------------------------------------------------------------------------------------------


def thrown(held: str | np.uint64, n_throw: int, policy: str = "KEEP_BEST", keep_colons: bool = True, key: int = 5) -> set[str]:
    view = ExchangeView(
        hand=hand(held) if isinstance(held, str) else held,
        n_throw=n_throw,
        upcard=U(0),
        is_dealer=1,
        colons=mask("GC RC LC"),
        key=U(key),
    )
    params = np.array([[int(keep_colons)] + [0] * 31] * 2, np.int64)
    keeping = KEEPING if policy == "EXPECTED" else None
    return texts(choose_throw(int(ExchangePolicy[policy]), view, params, new_table().memory, 0, None, keeping))


@pytest.mark.nojit
@EASY
@given(st.integers(0, 2**52 - 1), st.integers(0, 52))
def test_lowest_cards(border: int, n: int) -> None:
    held = U(from_border(U(border)))
    order = sorted(texts(held), key=lambda text: (RANKS.index(text[1]), "CDHS".index(text[0])))
    n = min(n, len(order))
    assert texts(lowest_cards(held, U(n))) == set(order[:n])


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("held", "order"),
    [
        ("65432.A.K.Q", "CDHS"),  # length and twice the honours; the lower suit first on ties
        ("432.AKQ.987.654", "CDSH"),
        ("5432.5432.2.2", "CDHS"),
        ("2.2.2.5432", "DHSC"),
        ("...", "CDHS"),
        ("A..32.", "CHDS"),
        ("KQ.65432.J432.2/GRL", "CHDS"),
    ],
)
def test_suits_by_worth(held: str, order: str) -> None:
    assert "".join("CDHS"[int(first_bit) // 16] for first_bit in suits_by_worth(hand(held))) == order


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("held", "n", "goes"),
    [
        ("AKQJ2.3.4.5", 2, "D4 C5"),  # cards outside the best suit
        ("AKQJ2.3.4.5", 3, "H3 D4 C5"),
        ("AKQJ2.98.K32.T9", 3, "C9 CT H8"),  # the worst suit whole, then the next from below
        ("AKQJ2.98.K32.T9", 6, "C9 CT H8 H9 D2 D3"),
        ("AKQJ2.A.K.5", 2, "C5 S2"),  # then what is lowest: aces and kings stay
        ("AK32.Q.J./G", 2, "HQ DJ"),  # colons stay
        ("32.../GRL", 1, "S2"),
    ],
)
def test_keep_best_throws(held: str, n: int, goes: str) -> None:
    assert thrown(held, n) == set(goes.split())


@pytest.mark.nojit
def test_keep_best_without_colons() -> None:
    assert thrown("AK32.Q.J./GR", 2, keep_colons=False) == {"GC", "RC"}
    assert thrown("AK32.Q.J./GR", 3, keep_colons=False) == {"GC", "RC", "DJ"}
    assert thrown("AK32.Q.J./GRL", 2, keep_colons=False) == {"HQ", "DJ"}  # not all of them would go


@pytest.mark.parametrize("policy", [p.name for p in ExchangePolicy if p is not ExchangePolicy.COMPILED])
@pytest.mark.parametrize("keep_colons", [True, False])
def test_every_policy_throws_that_many_of_its_own_cards(policy: str, keep_colons: bool) -> None:
    chosen = random.Random(policy)
    for number in range(100):
        n_throw = chosen.choice([0, 1, 2, 4, 8, 12, 20, 29])
        held = chosen.sample(DECK, 13 + n_throw)
        goes = thrown(mask(held), n_throw, policy, keep_colons, key=number)
        assert goes <= set(held)
        assert len(goes) == n_throw
