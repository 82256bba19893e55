"""Calls by expected score: what the model looks at, tables of expected scores, calls, models and their fit."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import U
from test_cli import Cli, cli  # noqa: F401

from analysis.calibration import worst_gap
from analysis.fitting import Fitting, bot_of
from analysis.fitting_calls import collect, fit_call_model, means_of
from simcore.batch import play_chunk, prepare
from simcore.bots.bidding.hand_features import FEATURES
from simcore.bots.calls.expected import CALL_FEATURES, N_CALL_FEATURES, choose_call, write_call_features
from simcore.bots.view import CallView
from simcore.call_model import CallModel, build_called, calls_of, read_call_model
from simcore.codes import GRID_STEP, PROB_UNIT, TENTHS
from simcore.config import load_bot, load_variant
from simcore.errors import InputError
from simcore.explain import explain_transcripts
from simcore.phases.scoring.calls import score_call
from simcore.trick_model import differences, model_of, shipped_models, write_model

I = np.int64
SHIPPED = shipped_models("calls")
GAMES = ["call_bridge", "call_bridge_pagat", "call_break", "oh_hell", "oh_hell_openspiel"]
CALL_BRIDGE = load_variant("call_bridge")
EXPECTED = load_bot("expected")


@pytest.mark.parametrize("name", GAMES)
def test_each_shipped_game_of_calls_has_a_model(name: str) -> None:
    variant = load_variant(name)
    assert not differences(model_of(EXPECTED.bidding, variant), variant)


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_shipped_models_are_calibrated(name: str) -> None:
    """Bins of the predicted chance to make a call, with 10 000 cases at least: made within two points."""
    model = read_call_model(SHIPPED[name])
    report = model.calibration
    assert worst_gap(report) < 0.02
    assert sum(row["n"] >= 10_000 for row in report["reliability"]) >= 8
    assert report["log_loss"]["model"] < report["log_loss"]["base_rate"]
    assert (model.tricks.sum(axis=2) == PROB_UNIT).all()


def view_of(chosen: random.Random, position: int, calls: list[int], forbidden: int = -1) -> CallView:
    """A view of Call Bridge with a random hand."""
    bits = chosen.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 13)
    hand = sum(1 << bit for bit in bits)
    deck = sum(0x1FFF << 16 * suit for suit in range(4))
    return CallView(
        hand=U(hand), trumps=U(0x1FFF << 48), strain=3, turned=U(0), unseen=U(deck & ~hand), lowest=2, highest=12,
        overtricks=52, bonus_from=8, bonus_overtricks=1, forbidden=forbidden, position=position, players=4, seat=0,
        calls=np.array(calls + [0, 0], I), n_tricks=13, totals=np.zeros(6, I), key=U(0),
    )  # fmt: skip


def called_with(model: CallModel, variant: Any = CALL_BRIDGE) -> Any:
    return build_called([model], prepare(variant, [EXPECTED], 1, "deal").rules)


def test_scores_are_expectations_under_the_points() -> None:
    model = model_of(EXPECTED.bidding, CALL_BRIDGE)
    called, chosen = called_with(model), random.Random(4)
    for _ in range(40):
        call, row = chosen.randrange(2, 13), chosen.randrange(1300 // GRID_STEP + 1)
        points = [score_call(CALL_BRIDGE, call, tricks)["points"] for tricks in range(14)]
        due = sum(int(chance) * point for chance, point in zip(model.tricks[call - 2, row], points, strict=True))
        assert called.scores[0, call, row] == due * TENTHS


def test_the_call_is_the_one_with_the_best_expected_score() -> None:
    """Means from the features as written for the fit, scores from the table; the lowest of equals, never the forbidden one."""
    model = model_of(EXPECTED.bidding, CALL_BRIDGE)
    called, chosen = called_with(model), random.Random(9)
    params = np.zeros((6, 64), I)
    for number in range(60):
        position = number % 4
        calls = [-1] + [chosen.randrange(2, 8) if seat > 3 - position else -1 for seat in range(1, 4)]
        row = np.zeros(N_CALL_FEATURES)
        view = view_of(chosen, position, calls)
        write_call_features(view, row)
        named = dict(zip(CALL_FEATURES, row.astype(int).tolist(), strict=True))
        assert named["called"] == sum(call for call in calls if call > 0)
        assert [named[name] for name in ("second", "third", "fourth")] == [int(position == place) for place in (1, 2, 3)]
        assert named["called_before_last"] == (named["called"] if position == 3 else 0)
        means = np.clip((model.weights @ row.astype(np.int64) + 50) // 100, 0, 1300)
        scores = {call: int(called.scores[0, call, (means[call - 2] + GRID_STEP // 2) // GRID_STEP]) for call in range(2, 13)}
        best = max(scores, key=lambda call: (scores[call], -call))
        assert choose_call(view, params, U(0), called) == best
        del scores[best]
        other = max(scores, key=lambda call: (scores[call], -call))
        assert choose_call(view._replace(forbidden=best), params, U(0), called) == other
    assert CALL_FEATURES[: len(FEATURES)] == FEATURES


@pytest.mark.long
def test_other_points_make_other_calls() -> None:
    """Bonus calls worth 130 are made far more often than bonus calls worth 13."""
    rich = load_variant("call_bridge", ["scoring.bonus_points=130"])
    shares = []
    for variant in (CALL_BRIDGE, rich):
        deals = play_chunk(prepare(variant, [EXPECTED], 5, "deal"), 0, 400).deals
        shares.append(np.mean([deals[f"call_{seat}"] >= 8 for seat in range(4)]))
    assert shares[1] > 3 * shares[0]
    assert shares[1] > 0.01


def test_a_fit_is_repeatable_and_its_means_are_unbiased(tmp_path: Path) -> None:
    fitting = Fitting(CALL_BRIDGE, bot_of("careful"), 600, 3, 2)
    model = fit_call_model(fitting)
    assert model.digest == fit_call_model(fitting).digest
    path = tmp_path / "model.json"
    write_model(model, path)
    assert read_call_model(path).digest == model.digest
    cases = collect(fitting, "fit", None)
    means = means_of(cases, model.weights, 13)
    assert np.abs(means.mean(axis=1) / 100 - cases.tricks.mean(axis=0)).max() < 0.05
    assert cases.tricks.shape == (2400, len(calls_of(CALL_BRIDGE)))
    changed = json.loads(path.read_text())
    changed["calls"]["2"]["weights"][0] += 1
    path.write_text(json.dumps(changed))
    with pytest.raises(InputError, match="was changed"):
        read_call_model(path)


def test_models_of_other_rules_are_refused() -> None:
    five = load_variant("call_bridge", ["players=5", "deal.cards=10", "auction.max=10"])
    with pytest.raises(InputError, match=r"was fitted for other rules than those of call_bridge: .*\n.*simcore fit"):
        prepare(five, [EXPECTED], 1)


def test_fit_reports_what_it_made(cli: Cli) -> None:  # noqa: F811
    found = json.loads(cli("fit", "call_bridge", "--deals", "1000", "--json").out)
    assert found["variant"] == "call_bridge"
    assert found["deals"] == {"fit": 1000, "calibration": 5000}
    assert {"reliability", "log_loss", "sets"} <= set(found["calibration"])


# --- why it calls so -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "changes"),
    [("call_bridge", ()), ("oh_hell", ()), ("call_bridge", ("auction.total_may_equal_tricks=false", "deal.cards=13"))],
    ids=["call_bridge", "oh_hell", "a forbidden call"],
)
def test_calls_are_explained(name: str, changes: tuple[str, ...]) -> None:
    """Tricks and points of every call that may be made; it raises where they do not lead to the call that was made."""
    variant = load_variant(name, list(changes))
    shipped = model_of(EXPECTED.bidding, load_variant(name))
    setup = prepare(variant, [EXPECTED], 6, "deal", model=shipped)
    forbidden = 0
    for line in explain_transcripts(setup, 0, 6):
        calls = [event for event in line["events"] if event["act"] == "call"]
        assert len(calls) == 4
        for event in calls:
            why, numbers = event["explain"], event["explain"]["numbers"]
            assert (why["policy"], why["rule"]) == ("expected", f"calls what is worth most: {event['call']}")
            assert list(numbers["tricks_expected_with_each_call"]) == list(numbers["points_expected"])
            points = numbers["points_expected"]
            assert points[event["call"]] == max(points.values())
            every = {str(call) for call in calls_of(variant)}
            assert set(points) == every - {numbers.get("may_not_call")}
            forbidden += "may_not_call" in numbers
        assert [why["explain"]["numbers"]["called_before"].split() for why in calls][-1] == [why["call"] for why in calls][:-1]
    assert (forbidden > 0) == (not variant.auction.total_may_equal_tricks)  # type: ignore[union-attr]
