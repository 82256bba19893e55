"""The exchange policy `expected`: what it keeps, what it looks at, where it is used, and why, as `deal --explain` says."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from helpers import EXPECTED, EXPERT, HEURISTIC, RANDOM, Json, U, bots_of, mask, setup_of, variant_with
from reference import cards as reference_cards

from simcore import explain
from simcore.batch import prepare
from simcore.bits import I
from simcore.bots.bidding.hand_features import N_FEATURES, write_features
from simcore.bots.exchange.expected import STEP, HandView
from simcore.bots.exchange.switch import choose_throw
from simcore.bots.explain.keeping import expected
from simcore.bots.view import ExchangeView
from simcore.codes import ExchangePolicy, TrickSet
from simcore.config import load_bot, load_run, load_variant
from simcore.errors import InputError
from simcore.slow_course import SlowDeal
from simcore.table import new_table
from simcore.trick_model import model_of, read_model, shipped_models
from simcore.used_models import models_for

KEEPER: Json = {**RANDOM, "name": "keeper", "exchange": {"policy": "expected"}}
"""Its model is read for the exchange alone."""
SETUP = setup_of({}, (KEEPER,))
SETS = ((TrickSet.SUIT_OWN, TrickSet.NT_OWN), (TrickSet.SUIT_OPPONENT, TrickSet.NT_OPPONENT))
DRAWN = {0: 2, 1: 4}
"""Cards thrown in the tests, by whether the seat is the dealer."""


def view_of(chosen: random.Random, is_dealer: int, n_throw: int | None = None) -> ExchangeView:
    """A hand of Bridgette with the cards drawn."""
    upcard, *held = chosen.sample(reference_cards.DRAW_ORDER, 14 + (DRAWN[is_dealer] if n_throw is None else n_throw))
    return ExchangeView(
        hand=mask(held), n_throw=len(held) - 13, upcard=mask([upcard]), is_dealer=is_dealer, colons=mask("GC RC LC"), key=U(3)
    )


def thrown(view: ExchangeView, setup: Any = SETUP) -> int:
    bots = setup.bot_table
    return int(choose_throw(ExchangePolicy.EXPECTED, view, bots.exchange_params, None, 0, None, bots.keeping))


def worth(kept: int, view: ExchangeView, against: int, setup: Any = SETUP) -> float:
    """Points, in the tables' units: the features of the hand, the weights of the model, a straight line between rows."""
    tables, role = setup.bot_table.keeping, 1 - view.is_dealer
    unseen = int(tables.deck) & ~(int(view.hand) | int(view.upcard))
    best = []
    for who in (0, 1):
        found = []
        for strain in range(5):
            row = np.zeros(N_FEATURES)
            write_features(HandView(U(kept), U(unseen), view.upcard), I(strain), row)
            has_all = all(kept & 0x1FFF << 16 * suit for suit in range(4))
            if who == 0 and strain == 4 and not has_all:
                continue
            mean = float(tables.weights[0, role, SETS[who][strain == 4]] @ row)
            grid = STEP * np.arange(tables.worth.shape[-1])
            found.append(float(np.interp(mean, grid, tables.worth[0, role, who, strain])))
        best.append(max(found))
    return best[0] - against / 100 * best[1]


def natural_throws(view: ExchangeView, keeps_colons: bool) -> list[int]:
    """Every throw that takes from each suit its lowest cards."""
    bits = [1 << bit for bit in range(64) if int(view.hand) >> bit & 1]
    found = []
    for cards in combinations(bits, int(view.n_throw)):
        away = sum(cards)
        kept = int(view.hand) & ~away
        suits = [0x1FFF << 16 * suit for suit in range(4)]
        from_below = all(not kept & suit or (away & suit) < (kept & suit & -(kept & suit)) for suit in suits)
        colons = away & ~sum(suits)
        if from_below and not (keeps_colons and colons):
            found.append(away)
    return found


@pytest.mark.parametrize(("against", "keeps_colons"), [(0, False), (100, False), (40, True)])
def test_no_hand_is_worth_more(against: int, keeps_colons: bool) -> None:
    """Of all throws from below in each suit, with or without colons; the plain-Python twin names the same cards."""
    chosen = random.Random(against)
    bot = {**KEEPER, "exchange": {"policy": "expected", "against": against, "keep_colons": keeps_colons}}
    setup = setup_of({}, (bot,))
    for number in range(12):
        view = view_of(chosen, number % 2)
        throws = natural_throws(view, keeps_colons)
        worths = {away: worth(int(view.hand) & ~away, view, against, setup) for away in throws}
        found = thrown(view, setup)
        assert found in worths
        assert worths[found] >= max(worths.values()) - 1e-6 * abs(max(worths.values())) - 100
        reason = expected(view, setup.bot_table.exchange_params[0].tolist(), setup.bot_table.keeping)
        assert reason.choice == found
        assert reason.numbers["hands_weighed"] == len(throws)


def test_many_cards_and_few() -> None:
    """The right number of own cards, whatever is drawn; the twin agrees where the dealer saw twelve."""
    chosen = random.Random(8)
    for n_throw in (0, 1, 8, 12, 29):
        view = view_of(chosen, 1, n_throw)
        found = thrown(view)
        assert found & ~int(view.hand) == 0
        assert found.bit_count() == n_throw
        if n_throw == 12:
            assert expected(view, SETUP.bot_table.exchange_params[0].tolist(), SETUP.bot_table.keeping).choice == found


def test_the_slow_course_throws_the_same() -> None:
    """The course in Python hands over the tables as well: each seat throws what the policy throws from its view."""
    chosen = random.Random(12)
    for upcard in ("S4", "HJ"):
        cards = [card for card in reference_cards.DRAW_ORDER if card != upcard]
        chosen.shuffle(cards)
        table = new_table()
        hands = [mask(cards[:13]), mask(cards[13:26])]
        table.hands[:2] = hands
        stock = [upcard, *cards[26:]]
        table.stock[: len(stock)] = [mask([card]) for card in stock]
        SlowDeal(SETUP, (None, None), U(1), 0, 1, table).exchange()
        n_dealer = 4 if upcard == "S4" else 8
        for seat, drawn in ((1, stock[1:3]), (0, stock[3 : 3 + n_dealer])):
            view = ExchangeView(
                hand=hands[seat] | mask(drawn), n_throw=len(drawn), upcard=mask([upcard]), is_dealer=1 - seat,
                colons=mask("GC RC LC"), key=U(3),
            )  # fmt: skip
            assert int(table.thrown[seat]) == thrown(view)
            assert int(table.hands[seat]) == int(view.hand) & ~thrown(view)


def test_it_reads_the_scoring_table() -> None:
    """Where only contracts in no trump pay, it keeps the suits together; the bot says that it reads the table."""
    nothing = [None] + [10] * 7
    other = setup_of({f"scoring.award.{suit}": nothing for suit in "CDHS"}, (KEEPER,))
    chosen = random.Random(2)
    views = [view_of(chosen, 1, 8) for _ in range(60)]

    def voids(setup: Any) -> int:
        hands = [int(view.hand) & ~thrown(view, setup) for view in views]
        return sum(not hand & 0x1FFF << 16 * suit for hand in hands for suit in range(4))

    assert voids(other) < voids(SETUP) / 2
    assert SETUP.bots[0].reads.table


def test_what_is_turned_and_where_it_goes() -> None:
    """The upcard is out of play where it is set aside, and may be in the opponent's hand where the dealer takes it."""
    shipped = model_of(load_bot("expected").bidding, load_variant("bridgette"))
    taken = prepare(variant_with({"exchange.upcard": "dealer_takes_it"}), bots_of(KEEPER), 1, model=shipped)
    assert (int(SETUP.bot_table.keeping.aside), int(taken.bot_table.keeping.aside)) == (2**64 - 1, 0)


def test_games_without_it() -> None:
    """Plain runs hold no part of it; where no model tells what to keep, it keeps as keep_best does."""
    assert setup_of({}, (HEURISTIC,)).bot_table.keeping is None
    assert setup_of({}, (EXPECTED,)).bot_table.keeping is None
    open_choices = load_variant("draw_and_discard_bridge_published", ["exchange.discards_face_up=true"])
    for variant in (open_choices, load_variant("draw_bridge"), load_variant("call_bridge")):
        bots = prepare(variant, bots_of(KEEPER), 1).bot_table
        assert bots.keeping is None
        assert set(bots.exchange) == {ExchangePolicy.KEEP_BEST}


def test_wrong_values_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'expected'"):
        load_bot("expected", ["exchange.policy=expectd"])
    with pytest.raises(InputError, match="out of range; allowed: 0 to 100"):
        load_bot("expected", ["exchange.policy=expected", "exchange.against=101"])
    bridgette = load_variant("bridgette")
    wrong = load_bot("expected", ["exchange.policy=expected", "exchange.model=bridgete"])
    with pytest.raises(InputError, match="exchange.model: there is no shipped model 'bridgete'.*did you mean bridgette"):
        model_of(wrong.exchange, bridgette, "exchange")
    eager = load_variant("bridgette", ["exchange.non_dealer_draw=3"])
    with pytest.raises(InputError, match="exchange.model bridgette.* was fitted for other rules.*exchange.non_dealer_draw"):
        model_of(load_bot("expected", ["exchange.policy=expected"]).exchange, eager, "exchange")


def test_it_bids_by_a_model_of_such_hands() -> None:
    """Of the shipped models of the rules, that made from hands kept like this; it keeps by the other, or by what it bids by."""
    bridgette, shipped = load_variant("bridgette"), shipped_models()
    digests = {name: read_model(shipped[name]).digest for name in ("bridgette", "bridgette_expected")}
    for bot, due in (("expected", {"bidding": "bridgette"}),
                     ("expert", {"exchange": "bridgette", "bidding": "bridgette_expected"})):
        found = models_for(load_bot(bot), bridgette)
        assert {stage: model.digest for stage, model in found.items()} == {stage: digests[name] for stage, name in due.items()}
    named = models_for(load_bot("expert", ["bidding.model=bridgette_flat_doubles"]), bridgette)
    assert named["exchange"].digest == named["bidding"].digest == read_model(shipped["bridgette_flat_doubles"]).digest


def test_runs_note_its_model() -> None:
    bot = {**RANDOM, "name": "keeper", "exchange": {"policy": "expected"}}
    run = load_run({"variant": "bridgette", "bots": [bot, "random"], "deals": 10})
    model = model_of(load_bot("expected").bidding, load_variant("bridgette"))
    assert run.bots[0].exchange.digest == model.digest  # type: ignore[union-attr]
    assert getattr(run.bots[1].exchange, "digest", None) is None


def test_explained_deals() -> None:
    """`explain_transcripts` raises where an explanation does not lead to what the kernels threw."""
    setup = setup_of({}, (EXPERT,), unit="deal")
    lines = explain.explain_transcripts(setup, 0, 6)
    found = [event for line in lines for event in line["events"] if event["act"] == "exchange"]
    assert len(found) == 12
    for event in found:
        why = event["explain"]
        assert why["policy"] == "expected"
        assert why["rule"].startswith("keeps the hand that is worth most")
        assert {"to_throw", "hands_weighed", "own_best_contract", "points_expected_if_it_throws"} <= set(why["numbers"])
        first, *rest = why["numbers"]["points_expected_if_it_throws"].items()
        assert set(first[0].split()) == set(event["discarded"])
        assert all(first[1] >= other for _, other in rest)
