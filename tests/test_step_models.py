"""Bids by expected score in Pit: what the model looks at, what calls are worth, calls, models and their fit."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import U
from pit import pit_with
from test_cli import Cli, cli  # noqa: F401

from analysis.calibration import worst_gap
from analysis.fitting import Fitting, bot_of
from analysis.fitting_steps import collect, fit_step_model, means_of
from simcore.batch import play_chunk, prepare
from simcore.bots.steps.expected import (
    FARTHEST,
    N_STEP_FEATURES,
    OUT,
    STEP_FEATURES,
    choose_step,
    worth_of_bid,
    worth_of_pass,
    write_step_features,
)
from simcore.bots.view import StepView
from simcore.codes import MAX_TRICKS, PROB_UNIT, STEP_ALONE
from simcore.config import load_bot, load_variant
from simcore.errors import InputError
from simcore.phases.shedding import score_bid
from simcore.step_model import StepModel, build_stepping, read_step_model
from simcore.trick_model import differences, model_of, shipped_models, write_model
from simcore.used_models import with_digests

I = np.int64
PIT = load_variant("pit")
EXPECTED, HEURISTIC = load_bot("expected"), load_bot("heuristic")
SHIPPED = shipped_models("steps")
PARAMS = np.zeros((6, 64), I)


def shipped_model() -> StepModel:
    return read_step_model(SHIPPED["pit"])


def view_of(chosen: random.Random, quotas: list[int], **changes: Any) -> StepView:
    """A view of the first speaker, seat 0, with a random hand and hearts as trumps."""
    bits = chosen.sample([16 * suit + rank for suit in range(4) for rank in range(13)], quotas[0] + 1)
    turned, hand = 1 << bits[0], sum(1 << bit for bit in bits[1:])
    deck = sum(0x1FFF << 16 * suit for suit in range(4))
    fields: dict[str, Any] = {
        "hand": U(hand), "trumps": U(0x1FFF << 32), "strain": 2, "turned": U(turned), "unseen": U(deck & ~(hand | turned)),
        "legal": U(1 << (3 if quotas[0] >= 3 else quotas[0])), "may_pass": 1, "may_say_alone": 1, "last_bid": 0,
        "last_alone": 0, "bidder": -1, "own_calls": 0, "position": 0, "players": len(quotas), "seat": 0,
        "quotas": np.array(quotas + [0] * (6 - len(quotas)), I), "totals": np.zeros(6, I), "key": U(0), "target": 0, "sheds": 1,
        "passed": U(0),
    }  # fmt: skip
    return StepView(**{**fields, **changes})


def test_the_shipped_model_fits_pit_and_is_calibrated() -> None:
    """Bins of the predicted chance to take so many tricks, with 10 000 cases at least: taken within two points."""
    model = shipped_model()
    assert not differences(model, PIT)
    assert model_of(EXPECTED.bidding, PIT).digest == model.digest
    report = model.calibration
    assert worst_gap(report) < 0.02
    assert all(row["n"] >= 10_000 for row in report["reliability"])
    assert report["log_loss"]["model"] < report["log_loss"]["base_rate"]
    assert (model.tricks.sum(axis=2) <= PROB_UNIT).all()
    assert (model.tricks[:, 0].sum(axis=1) == PROB_UNIT).all()
    assert (model.others.sum(axis=2) <= PROB_UNIT).all()


def test_what_a_round_leaves_declarer_follows_the_rules() -> None:
    for changes in ({}, {"shedding.alone_failed": "shortfall"}, {"shedding.model": "persistent"}):
        variant = pit_with(changes)
        stepping = build_stepping([shipped_model()], variant, prepare(variant, [HEURISTIC], 1).rules)
        for bid in (1, 2, 3, 4, 5):
            for alone in (0, 1):
                for tricks in range(8):
                    change = score_bid(variant, bid, bool(alone), tricks)["cards"]
                    due = -1 if 7 + change == 0 else 7 + change
                    assert stepping.after[alone, bid, 7, tricks] == due, (changes, bid, alone, tricks)
    capture = pit_with({"shedding.model": "capture"})
    after = build_stepping([shipped_model()], capture, prepare(capture, [HEURISTIC], 1).rules).after
    assert after[0, 3, 7, 3] == -1
    assert after[0, 3, 7, 2] == 2 * 4 + 1


def plain_worth(model: StepModel, view: StepView, stepping: Any, bid: int, alone: int, mean: int) -> float:
    """Chance to win by a bid that nobody can raise, in plain floating point."""
    quotas = view.quotas[:4].tolist()
    strength = model.strengths.tolist()
    found = 0.0
    for tricks, chance in enumerate(model.tricks[min(quotas[0], 8) - 1, (mean + 5) // 10].tolist()):
        after = int(stepping.after[alone, bid, quotas[0], min(tricks, quotas[0])])
        share = 1.0 if after < 0 else strength[after] / (strength[after] + sum(strength[one] for one in quotas[1:]))
        found += chance / PROB_UNIT * share
    return found


def test_a_bid_is_worth_the_chance_to_win_after_the_round() -> None:
    model = shipped_model()
    stepping = prepare(PIT, [EXPECTED], 1).bot_table.expected
    chosen = random.Random(5)
    for number in range(60):
        quotas = [chosen.randint(1, 11) for _ in range(4)]
        bid, alone, mean = chosen.randint(1, 5), number % 2, chosen.randint(0, 100 * min(quotas[0], 13))
        view = view_of(chosen, quotas, passed=U(0b1110))
        worth = int(worth_of_bid(stepping, I(0), view, I(bid), I(alone), I(mean), I(0)))
        due = plain_worth(model, view, stepping, bid, alone, mean)
        assert abs(worth / (1e6 * PROB_UNIT**2) - due) < 1e-5
    view = view_of(chosen, [5, 4, 3, 7], passed=U(0b1110))
    share = model.strengths[5] / model.strengths[[5, 4, 3, 7]].sum()
    assert abs(int(worth_of_pass(stepping, I(0), view, I(0))) / (1e6 * PROB_UNIT**2) - share) < 1e-5


def test_a_pass_is_worth_what_others_make_of_it() -> None:
    """A bidder whom nobody can raise declares, with the outcomes of his cell."""
    model, chosen = shipped_model(), random.Random(6)
    stepping = prepare(PIT, [EXPECTED], 1).bot_table.expected
    view = view_of(chosen, [5, 4, 3, 7], passed=U(0b1100), last_bid=4, bidder=1, legal=U(1 << 5))
    bucket, cell = 2, ((3 * 2 + 1) * 8 + 3) * 3
    row = model.others[cell, bucket]
    assert row.sum() > 0.99 * PROB_UNIT
    due = 0.0
    for outcome, chance in enumerate(row.tolist()):
        after = [5, max(4 + outcome - FARTHEST, 1), 3, 7]
        due += 0.0 if outcome == OUT else chance * model.strengths[5] / model.strengths[after].sum()
    worth = int(worth_of_pass(stepping, I(0), view, I(bucket))) / (1e6 * PROB_UNIT**2)
    assert abs(worth - due / row.sum()) < 1e-5


def test_the_call_is_the_one_that_is_worth_most() -> None:
    model, chosen = shipped_model(), random.Random(7)
    stepping = prepare(PIT, [EXPECTED], 1).bot_table.expected
    made = set()
    for _ in range(80):
        view = view_of(chosen, [chosen.randint(1, 9) for _ in range(4)])
        row = np.zeros(N_STEP_FEATURES)
        write_step_features(view, stepping.bids, row)
        named = dict(zip(STEP_FEATURES, row.astype(int).tolist(), strict=True))
        quota = int(view.quotas[0])
        assert named["quota"] == quota == int(view.hand).bit_count()
        assert named["most"] == max(view.quotas[1:4])
        assert named["in_contention"] == 3
        assert named["trump_length"] == (int(view.hand) & int(view.trumps)).bit_count()
        total = int(model.weights[min(quota, 8) - 1] @ row.astype(I))
        mean = min(max((total + 50) // 100, 0), 100 * quota)
        bucket, bid = min(mean // 100, 3), min(quota, 3)
        worths = {0: int(worth_of_pass(stepping, I(0), view, I(bucket)))}
        for alone in (0, 1):
            worths[bid + STEP_ALONE * alone] = int(worth_of_bid(stepping, I(0), view, I(bid), I(alone), I(mean), I(bucket)))
        best = max(worths, key=lambda call: (worths[call], -call))
        assert int(choose_step(view, PARAMS, U(0), stepping)) == best
        made.add(min(best, 1))
        forced = int(choose_step(view._replace(may_pass=0, may_say_alone=0), PARAMS, U(0), stepping))
        assert forced == bid
    assert made == {0, 1}


def test_it_gains_on_points_and_has_the_same_bytes_for_any_chunks() -> None:
    setups = [prepare(PIT, [EXPECTED if seat == place else HEURISTIC for seat in range(4)], 3) for place in range(4)]
    wins = sum(int((play_chunk(setup, 0, 250).matches["winner"] == place).sum()) for place, setup in enumerate(setups))
    assert wins > 250 + 4 * (1000 * 0.25 * 0.75) ** 0.5
    whole, parts = play_chunk(setups[0], 0, 6), [play_chunk(setups[0], match, 1) for match in range(6)]
    for name, column in whole.deals.items():
        assert np.array_equal(column, np.concatenate([part.deals[name] for part in parts])), name


def test_variants_without_a_model_say_so_or_bid_by_points() -> None:
    three = load_variant("pit", ["players=3"])
    with pytest.raises(InputError, match=r"was fitted for other rules than those of pit: .*\n.*simcore fit.*\n.*without_model"):
        prepare(three, [EXPECTED], 1)
    bot = load_bot("expected", ["bidding.without_model=points"])
    table, plain = prepare(three, [bot], 1).bot_table, prepare(three, [HEURISTIC], 1).bot_table
    assert (table.bidding == plain.bidding).all()
    assert table.expected is None
    assert with_digests([bot], three)[0].bidding.digest is None
    assert with_digests([bot], PIT)[0].bidding.digest == shipped_model().digest
    named = load_bot("expected", ["bidding.without_model=points", "bidding.model=pit"])
    with pytest.raises(InputError, match="was fitted for other rules"):
        prepare(three, [named], 1)
    assert prepare(PIT, [HEURISTIC], 1).bot_table.expected is None  # nothing of it is compiled or loaded then


@pytest.mark.parametrize(
    "changes", [{}, {"shedding.model": "persistent", "players": 3}, {"shedding.model": "capture", "players": 6},
                {"match.victory": {"points": 20}, "auction.jump_bids": True}, {"auction.pass_is_final": False, "players": 5}],
    ids=str,
)  # fmt: skip
@pytest.mark.long
def test_a_fit_is_repeatable_and_bots_play_by_it(changes: dict[str, Any], tmp_path: Path) -> None:
    variant = pit_with(changes)
    fitting = Fitting(variant, bot_of("careful"), 300, 3, 2)
    model = fit_step_model(fitting)
    assert model.digest == fit_step_model(Fitting(variant, bot_of("careful"), 300, 3, 1)).digest
    path = tmp_path / "model.json"
    write_model(model, path)
    assert read_step_model(path).digest == model.digest
    cases = collect(fitting, "fit", None)
    rows, calls = np.nonzero(cases.tricks >= 0)
    means = means_of(cases, model.weights)[rows] / 100
    assert abs(means.mean() - np.minimum(cases.tricks[rows, calls], 13).mean()) < 0.05
    assert cases.tricks.max() <= MAX_TRICKS
    bot = load_bot("expected", [f"bidding.model={path}"])
    chunk = play_chunk(prepare(variant, [bot], 1), 0, 20)
    assert (chunk.deals["passed_out"] == 0).any()
    changed = json.loads(path.read_text())
    changed["strengths"][3] += 1
    path.write_text(json.dumps(changed))
    with pytest.raises(InputError, match="was changed"):
        read_step_model(path)


def test_where_points_win_it_bids_for_points() -> None:
    """Declarer's points less the mean of the others', alone at twice the rate and nothing for a failure."""
    variant = pit_with({"match.victory": {"points": 20}})
    stepping = build_stepping([shipped_model()], variant, prepare(variant, [HEURISTIC], 1).rules)
    for bid, alone, tricks in ((3, 0, 4), (3, 1, 4), (3, 1, 2), (5, 0, 0)):
        own = (20 * tricks if tricks >= bid else 0) if alone else 0
        assert stepping.points[alone, bid, 7, tricks] == 3 * own - 10 * (7 - tricks)


@pytest.mark.parametrize("broken", ['{"format": 3}', "[]", "{", '{"format": "simcore-step-model/1", "features": []}'])
def test_other_files_are_refused(broken: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(broken)
    with pytest.raises(InputError, match="model"):
        read_step_model(path)


@pytest.mark.long
def test_fit_reports_what_it_made(cli: Cli) -> None:  # noqa: F811
    found = json.loads(cli("fit", "pit", "--deals", "1000", "--json").out)
    assert found["variant"] == "pit"
    assert found["deals"] == {"fit": 100, "calibration": 500}
    assert {"reliability", "log_loss", "sets"} <= set(found["calibration"])
