"""Scoring tables judged and searched: cells, measures against a slow count, objectives, resumption, planted faults."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import PASSING

import analysis
import simcore
from analysis import beliefs
from analysis.tuning import equilibrium
from analysis.tuning.bidders import EQUILIBRATED, Margins, coarse_basis
from analysis.tuning.cells import Group, cells, default_groups, rounded, table_of, with_cells
from analysis.tuning.equilibrium import paired_gains
from analysis.tuning.evaluator import Evaluator
from analysis.tuning.measures import alarms, interval, measure_names, measures, standard_error, tiers_of
from analysis.tuning.objective import Objective
from analysis.tuning.result import UNCHANGED
from analysis.tuning.search import solve_step
from analysis.tuning.tune import check_tuning, groups_of, tune, world_of
from analysis.tuning.world import World, collect_tricks
from simcore.cli import invoke
from simcore.config import Tuning, load_tuning, load_variant
from simcore.errors import InputError
from simcore.notation import STRAINS
from simcore.plugins import cards_of

BRIDGETTE = load_variant("bridgette")
SMALL = {"model": 4000, "beliefs": 2000, "search": 2000, "final": 4000, "parts": 3}
REDUCED: dict[str, Any] = {
    "variant": "bridgette",
    "deals": SMALL,
    "free": [
        {"name": "low", "cells": ["award=250"], "step": 10},
        {"name": "high", "cells": ["award=1500"], "step": 50},
        {"name": "undertricks", "cells": ["undertricks.undoubled"], "step": 10},
    ],
    "targets": [{"measure": "make", "band": [0, 1], "unit": 0.05}],
    "search": {"searches": 2, "steps": 2, "damping": [0.3, 30]},
    "panel": {"bidders": ["plain"], "beside": []},
    "played": {"bots": []},
}


def reduced(**changes: Any) -> Tuning:
    return load_tuning({**REDUCED, **changes})


@pytest.fixture(scope="module", autouse=True)
def _short_self_play() -> Iterator[None]:
    """Beliefs under today's table in two rounds, responses in few tries: nothing here depends on how well they are found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beliefs, "ROUNDS", 2)
        patch.setattr(equilibrium, "TRIES", 12)
        yield


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator(World(BRIDGETTE, "careful", model=4000, beliefs=2000, search=2000, final=4000, parts=3))


def test_shared_deals_and_seats_taken_anew_change_nothing(evaluator: Evaluator) -> None:
    dearer = with_cells(BRIDGETTE, {path: 2 * value for path, value in cells(BRIDGETTE, "undertricks").items()})
    world = World(dearer, "careful", model=4000, beliefs=2000, search=2000, final=4000, parts=3)
    alone, sharing = Evaluator(world), Evaluator(world)
    sharing.share_deals(evaluator)
    evaluator.evaluate({}, "search 0")
    for values in ({}, {("exact", 1): 0.0}, {}):
        found = [each.evaluate(values, "search 0").values for each in (alone, sharing)]
        assert (found[0] == found[1]).all()
        sharing.found.clear()
        assert (sharing.evaluate(values, "search 0").values == found[0]).all()


# --- cells -------------------------------------------------------------------------------------------------------------


def test_cells_are_found_by_path_and_by_value() -> None:
    assert cells(BRIDGETTE, "award=150") == {("award", "NT", 0): 150, **{("award", s, 1): 150 for s in "CDHS"}}
    assert cells(BRIDGETTE, "scoring.exact[6]") == {("exact", 6): 100}
    assert cells(BRIDGETTE, "overtricks_exactly") == {("overtricks_exactly", "3"): 350}
    assert len(cells(BRIDGETTE, "undertricks")) == 18
    changed = with_cells(BRIDGETTE, {("award", "C", 1): 170.0, ("overtricks_exactly", "3"): 0.5})
    assert simcore.score(changed.model_dump(mode="json"), "1C", 8)["points"]["declarer"] == 170
    assert changed.scoring.model_dump() != BRIDGETTE.scoring.model_dump()
    assert with_cells(changed, {("award", "C", 1): 150.0, ("overtricks_exactly", "3"): 350.0}) == BRIDGETTE


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("award=151", "there are 150, 250, 750"),
        ("exacts", "did you mean exact"),
        ("exact[9]", "there are"),
        ("multiplier.applies_to", "no number"),
    ],
)
def test_cells_that_are_not_there(selector: str, said: str) -> None:
    with pytest.raises(InputError, match="scoring|award") as caught:
        cells(BRIDGETTE, selector)
    assert said in str(caught.value)


def test_groups_move_by_a_factor_on_a_grid() -> None:
    group = Group("penalties", cells(BRIDGETTE, "undertricks.undoubled"), step=50)
    assert list(group.values(1.5, 50).values()) == [150, 300, 450, 600, 1050, 1500]
    assert list(group.values(1.234).values())[:2] == [123.4, 246.8]
    assert rounded(0.25, 0.1) in (0.2, 0.3)
    assert table_of([group], [1.0], shipped=True) == group.today
    assert {entry.name for entry in default_groups(load_variant("draw_bridge"))} == {"trick_value", "nt_first"}


# --- measures ----------------------------------------------------------------------------------------------------------


def test_tiers() -> None:
    tiers = tiers_of(BRIDGETTE)
    assert tiers.names == ("150", "250", "750", "1500", "2200")  # 2500 belongs to the last one
    of = {f"{bid // 5}{STRAINS[bid % 5]}": tier for bid, tier in enumerate(tiers.of_bid)}
    assert (of["0NT"], of["4D"], of["4H"], of["5NT"], of["6NT"], of["7NT"], of["0C"]) == (0, 1, 2, 3, 4, 4, -1)
    assert tiers_of(load_variant("draw_bridge")).names == tuple(f"level{level}" for level in range(1, 8))


def test_measures_are_what_a_slow_count_finds(evaluator: Evaluator) -> None:
    """Deals bid over one by one, points from the public function."""
    from analysis.beliefs import setup_with
    from simcore import auctions

    sums = evaluator.evaluate({}, "search 0")
    deals = evaluator.deals("search 0")
    setup = setup_with(BRIDGETTE, evaluator.bidder(BRIDGETTE, "search 0").model)
    outcomes = auctions.hold(setup, deals)
    made = doubled = games = games_made = 0
    nets = []
    for row in range(2000):
        bid, doubling = int(outcomes.bid[row]), int(outcomes.doubling[row])
        if bid < 0:
            nets.append(0.0)
            continue
        contract = f"{bid // 5}{STRAINS[bid % 5]}" + "X" * doubling
        tricks = int(deals.trick_table[5 * outcomes.declarer[row] + bid % 5, row])
        found = simcore.score("bridgette", contract, tricks)
        points = found["points"]["declarer"] - found["points"]["opponent"]
        nets.append(points if outcomes.declarer[row] == deals.dealer[row] else -points)
        made += found["made"]
        doubled += doubling > 0
        if found["contract"].rstrip("X") in ("3NT", "4NT", "4H", "4S", "5C", "5D", "5H", "5S"):
            games, games_made = games + 1, games_made + found["made"]
    values = {name: rows[0] for name, rows in measures(sums).items()}
    n = sum(sums.bids().values())
    assert values["make"] == made / n
    assert values["doubled"] == doubled / 2000
    assert values["make_750"] == games_made / games
    assert values["edge"] == pytest.approx(np.mean(nets))
    assert values["points"] == pytest.approx(np.mean(np.abs(nets)))
    assert values["sd"] == pytest.approx(np.std(nets))
    assert sum(values[f"share_{tier}"] for tier in sums.tiers.names) == pytest.approx(1)
    assert tuple(values) == measure_names(sums.tiers)


def test_jackknife_is_the_standard_error_of_a_mean() -> None:
    """Of equal blocks: that of the mean of the blocks."""
    blocks = np.random.default_rng(1).normal(5, 2, 50)
    rows = np.array([blocks.mean(), *((blocks.sum() - blocks) / 49)])
    assert standard_error(rows) == pytest.approx(blocks.std(ddof=1) / math.sqrt(50))
    found = interval(rows)
    assert found["low"] == pytest.approx(found["value"] - 2.0096 * standard_error(rows), rel=1e-3)
    assert interval(np.ones(51))["low"] is None
    assert interval(np.full(51, np.nan))["value"] is None


def test_same_cards_same_bids_when_all_numbers_double(evaluator: Evaluator) -> None:
    """Auctions depend on ratios alone."""
    scoring = BRIDGETTE.scoring
    names = ("award", "exact", "undertricks", "overtricks_exactly", "doubled_made", "redoubled_made")
    factors = {path: 2.0 * value for name in names
               for path, value in cells(BRIDGETTE, name).items()}  # fmt: skip
    doubled = with_cells(BRIDGETTE, factors)
    assert doubled.scoring != scoring
    once, twice = (evaluator.evaluate(values, "search 0") for values in ({}, factors))
    assert once.bids() == twice.bids()
    assert measures(twice)["points"][0] == pytest.approx(2 * measures(once)["points"][0])


def test_perfect_play_is_that_of_the_solver() -> None:
    from simcore.rules import build_rules
    from simcore.solver import solve_tricks

    variant = load_variant("bridgette", ["deck.colons=[]"])
    deals = collect_tricks(variant, "perfect", 3, 100, 20)
    found = solve_tricks(np.ascontiguousarray(deals.hands.T), build_rules(variant).play)
    for row in range(20):
        for strain in range(5):
            assert deals.trick_table[strain, row] == found[row, strain, 1]
            assert deals.trick_table[5 + strain, row] == 13 - found[row, strain, 0]
    careful = collect_tricks(variant, "careful", 3, 100, 20)
    assert (careful.hands == deals.hands).all()  # the same cards, whatever plays them


# --- alarms ------------------------------------------------------------------------------------------------------------


def test_alarms_of_measures() -> None:
    fine = {"make": 0.5, "level_7": 0.02, "zero": 0.0, "redoubled_of_doubled": 0.3, "doubled": 0.1, "passed_out": 0.01}
    tiers = ("150", "250")
    shares = {"share_150": 0.4, "share_250": 0.6}
    assert alarms({**fine, **shares}, tiers, 20_000) == []
    wrong = {
        "overbidding is free: 60.0%": {"level_7": 0.6},
        "overbidding is free: nobody": {"zero": 0.95},
        "nearly every double": {"redoubled_of_doubled": 0.95},
        "most deals are passed out": {"passed_out": 0.6},
        "few contracts are made": {"make": 0.3},
        "never used: contracts of tier 150": {"share_150": 0.0},
    }
    for text, change in wrong.items():
        found = alarms({**fine, **shares, **change}, tiers, 20_000)
        assert [entry[: len(text)] for entry in found] == [text]
    assert alarms({**fine, "share_150": 0.0, "share_250": 1.0}, tiers, 500) == []  # too few contracts to say so


def test_alarms_of_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bold = {"policy": "random", "pass_percent": 0, "double_percent": 0}
    always = {"name": "bold", "exchange": {"policy": "random"}, "bidding": bold, "play": {"policy": "random"}}
    free = simcore.run({"variant": "draw_bridge", "bots": always, "unit": "deal", "deals": 500}, out=tmp_path / "free")
    assert any("few contracts are made" in text for text in analysis.alarms(free))
    shy = simcore.run("bridgette", bots=[PASSING], deals=500, out=tmp_path / "shy")
    assert any("most deals are passed out" in text for text in analysis.alarms(shy))
    for shown in ([command, str(shy.out), *more] for command in ("rates", "scores") for more in ([], ["--json"])):
        assert invoke(shown) == 0
        assert "most deals are passed out" in capsys.readouterr().out
    assert invoke(["report", str(shy.out), "--out", str(tmp_path / "shy.html")]) == 0
    assert "Most deals are passed out" in (tmp_path / "shy.html").read_text(encoding="utf-8")
    assert analysis.alarms(simcore.run("pit", bots=["random"], deals=200, out=tmp_path / "pit")) == []


# --- bidders -----------------------------------------------------------------------------------------------------------


def test_open_auctions_are_what_a_search_of_every_auction_finds() -> None:
    """Few bids, so that each auction can be followed to its end: values of both, by plain recursion."""
    from functools import cache

    from simcore import auctions, batch
    from simcore.config import load_bot

    award = {strain: [None] * 6 + [1500 + 100 * place, 2200] for place, strain in enumerate(STRAINS)}
    rules = {"name": "slams", "extends": "bridgette", "scoring": {"award": award}, "auction": {"min_jump_length": 3}}
    variant = load_variant(rules)
    deals = collect_tricks(variant, "careful", 5, 0, 40)
    setup = batch.prepare(variant, [load_bot("heuristic")], 5, "deal")
    outcomes = auctions.hold_open(setup, deals)
    bids = range(30, 40)
    for row in range(40):
        dealer = int(deals.dealer[row])
        hands = [[card[0] for card in cards_of(int(deals.hands[seat, row]))] for seat in range(2)]
        lengths = [[hand.count(suit) for suit in "CDHS"] for hand in hands]

        def allowed(seat: int, bid: int, last: int, lengths: Any = lengths) -> bool:
            strain = bid % 5
            if strain == 4:
                return all(lengths[seat])
            lowest = min(other for other in bids if other > last and other % 5 == strain)
            return lengths[seat][strain] >= (2 if bid == lowest else 3)

        def points(bid: int, bidder: int, doubling: int, row: int = row) -> float:
            tricks = int(deals.trick_table[5 * bidder + bid % 5, row])
            found = simcore.score(rules, f"{bid // 5}{STRAINS[bid % 5]}" + "X" * doubling, tricks)["points"]
            value = found["declarer"] - found["opponent"]
            return value if bidder == 0 else -value

        @cache
        def value(
            seat: int, last: int, bidder: int, doubling: int, passes: int, allowed: Any = allowed, points: Any = points
        ) -> float:
            if last < 0:
                found = [0.0 if passes else value(1 - seat, -1, -1, 0, 1)]
            else:
                found = [points(last, bidder, doubling)]
                if (doubling == 0 and bidder != seat) or (doubling == 1 and bidder == seat):
                    found.append(value(1 - seat, last, bidder, doubling + 1, 0))
            found += [value(1 - seat, bid, seat, 0, 0) for bid in bids if bid > last and allowed(seat, bid, last)]
            return max(found) if seat == 0 else min(found)

        wanted = value(dealer, -1, -1, 0, 0)
        declarer, tenths = int(outcomes.declarer[row]), int(outcomes.tenths[row])
        assert (tenths if declarer == 0 else -tenths) / 10 == wanted


def test_margins_change_what_they_name(evaluator: Evaluator) -> None:
    """A bidder with margins on bids passes more; on doubles, doubles less; all numbers doubled change nothing."""
    sums = [
        evaluator.evaluate({}, "search 0", EQUILIBRATED, margins)
        for margins in (Margins(), Margins(opening=0.4, second=0.4), Margins(double=0.5))
    ]
    assert np.array_equal(sums[0].values, evaluator.evaluate({}, "search 0").values)
    plain, shy, soft = ({name: float(rows[0]) for name, rows in measures(each).items()} for each in sums)
    assert shy["passed_out"] > plain["passed_out"] + 0.05
    assert soft["doubled"] < plain["doubled"]
    names = ("award", "exact", "undertricks", "overtricks_exactly", "doubled_made", "redoubled_made")
    twice = {path: 2.0 * value for name in names for path, value in cells(BRIDGETTE, name).items()}
    margins = Margins(opening=0.1, over=-0.1, double=0.1, trust=0.2)
    once, doubled = (evaluator.evaluate(values, "search 0", EQUILIBRATED, margins) for values in ({}, twice))
    assert once.bids() == doubled.bids()


def test_a_bidder_gains_nothing_from_itself(evaluator: Evaluator) -> None:
    from simcore import batch
    from simcore.config import load_bot

    bidder = evaluator.bidder(BRIDGETTE, "search 0")
    setup = batch.prepare(BRIDGETTE, [load_bot("expected")], 1, "deal", model=bidder.model)
    gains = paired_gains(setup, evaluator.deals("search 0"), bidder, bidder)
    assert np.all(gains == 0)


def test_the_coarse_bidder_knows_honours_and_length_alone(evaluator: Evaluator) -> None:
    fine, coarse = evaluator.start(), evaluator.start("coarse")
    basis = coarse_basis()
    for role in range(2):
        for kind in range(2):
            weights = coarse.weights[role, kind].astype(float)
            rest = weights - basis @ np.linalg.lstsq(basis, weights, rcond=None)[0]
            assert np.abs(rest).max() <= 2.5  # rounded to ten-thousandths of a trick
    assert not np.array_equal(fine.weights, coarse.weights)


# --- objective and search ----------------------------------------------------------------------------------------------


def objective_of(tuning: Tuning) -> Objective:
    return Objective(tuning, groups_of(tuning), tiers_of(tuning.variant))


def test_residuals(evaluator: Evaluator) -> None:
    """Bands, units, logarithms, sums of measures, monotone awards and distance, each by hand."""
    sums = evaluator.evaluate({}, "search 0")
    values = {name: float(rows[0]) for name, rows in measures(sums).items()}
    make, slams = values["make"], values["share_1500"] + values["share_2200"]
    targets = [
        {"measure": "make", "band": [make + 0.1, 1], "unit": 0.05, "weight": 3},
        {"measure": "make", "band": [0, 1], "unit": 0.05},
        {"measure": "share_1500 + share_2200", "band": [0.000001, 0.01], "unit": 0.1, "scale": "log"},
    ]
    targets[0]["band"] = [round(make + 0.1, 6), 1]
    objective = objective_of(reduced(targets=targets))
    found = objective.residuals(sums, [1.0, 1.0, 1.0])[0]
    assert found[0] == pytest.approx(-3 * 0.1 / 0.05, rel=1e-3)
    assert found[1] == 0
    assert found[2] == pytest.approx(math.log(slams / 0.01) / 0.1)
    assert np.all(found[3:] == 0)
    moved = objective.residuals(sums, [2.9, 1.0, 1.5])[0]
    assert moved[4] == pytest.approx(8 * (0.25 - math.log(750 / 725)))  # 250 x 2.9 is too near to 750
    assert moved[-1] == pytest.approx(0.5)
    assert objective.value(sums, [1.0, 1.0, 1.5])[0] - objective.value(sums, [1.0, 1.0, 1.5], with_distance=False)[
        0
    ] == pytest.approx(0.25)


def test_a_step_solves_a_linear_problem_within_bounds() -> None:
    jacobian = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    residual = np.array([0.5, -0.2, 9.0])
    wide = np.full(2, 10.0)
    assert solve_step(jacobian, residual, 1e-12, -wide, wide) == pytest.approx([-0.5, 0.1])
    assert solve_step(jacobian, residual, 1e-12, -np.array([0.3, 1]), wide) == pytest.approx([-0.3, 0.1])
    assert solve_step(jacobian, residual, 1.0, -wide, wide) == pytest.approx([-0.25, 0.08])
    assert solve_step(jacobian, residual, 1.0, np.zeros(2), np.zeros(2)) == pytest.approx([0, 0])


def test_an_objective_without_slope_claims_nothing() -> None:
    result = tune(reduced(search={"searches": 1, "steps": 2}))
    assert result.values == {}
    assert result.verdict() == UNCHANGED
    assert "no change" in result.words()[0]


def test_a_planted_fault_is_brought_back() -> None:
    """Penalties of 0.6 times today's, and what today's table does as the target: the search undoes the fault.

    One group is free. With an award free as well, another table has the same measures (docs/howto/tune-a-table.md).
    """
    deals = {"model": 20_000, "beliefs": 8000, "search": 8000, "final": 20_000, "parts": 5}
    today = measures(Evaluator(world_of(reduced(deals=deals))).evaluate({}, "search 0"))
    units = {"make": 0.02, "share_250": 0.1, "share_1500": 0.1}
    targets = [
        {"measure": name, "band": [value, value], "unit": units[name], "scale": "log" if "share" in name else "plain"}
        for name, value in ((name, round(float(today[name][0]), 6)) for name in units)
    ]
    fault = {"scoring": {"undertricks": {"undoubled": [60, 120, 180, 240, 420, 600]}}}
    variant = {"name": "faulty", "extends": "bridgette", **fault}
    result = tune(reduced(variant=variant, targets=targets, distance={"weight": 0.1}, deals=deals, free=REDUCED["free"][2:]))
    before, after = (objective[0] for objective in result.objectives())
    assert after < 0.2 * before
    assert result.factors[0] == pytest.approx(1 / 0.6, rel=0.2)
    assert result.gain()["low"] > 0


def test_interrupted_and_gone_on(tmp_path: Path) -> None:
    """Evaluations that are there are not done again, and the result is the same; those of another tuning are refused."""
    tuning = reduced(
        targets=[{"measure": "make", "band": [0.7, 0.8], "unit": 0.05}], search={"searches": 1, "steps": 1, "damping": [3]}
    )
    store = tmp_path / "evaluations.jsonl"
    whole = tune(tuning, store)
    lines = store.read_text().splitlines()
    assert len(lines) == whole.evaluations == 14
    store.write_text("\n".join(lines[:4]) + "\n" + lines[4][:50])
    again = tune(tuning, store)
    assert again.as_json() == whole.as_json()
    assert store.read_text().splitlines() == lines
    with pytest.raises(InputError, match="another search"):
        tune(reduced(seed=2), store)


# --- commands ----------------------------------------------------------------------------------------------------------


def test_tune_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    text = json.dumps({**REDUCED, "targets": [{"measure": "make", "band": [0.7, 0.8], "unit": 0.05}],
                       "search": {"searches": 2, "steps": 1, "damping": [3]}})  # fmt: skip
    Path("mine.json").write_text(text)
    assert invoke(["check", "mine.json"]) == 0
    capsys.readouterr()
    assert invoke(["tune", "mine.json", "--dry-run"]) == 0
    assert "at most 22 evaluations" in capsys.readouterr().out
    assert invoke(["tune", "mine.json", "--out", "done", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["aim"] == "tricks"
    assert document["cells"]
    tuned = load_variant("done/tuned.yaml")
    for path, entry in document["cells"].items():
        assert list(cells(tuned, path).values()) == [entry["after"]]
        assert f"{path}: {entry['before']:g} -> {entry['after']:g}" in Path("done/tuned.yaml").read_text()
    assert json.loads(Path("done/tuning.json").read_text())["cells"] == document["cells"]
    assert invoke(["tune", "mine.json", "--out", "done"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert invoke(["tune", "mine.json", "--out", "done", "--resume"]) == 0
    assert "result: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"targets": [{"measure": "makes", "band": [0, 1], "unit": 1}]}, "did you mean make"),
        ({"free": [{"name": "a", "cells": ["award"]}]}, "anchor"),
        ({"free": [{"name": "a", "cells": ["exact"]}, {"name": "b", "cells": ["exact[2]"]}]}, "in a and in b"),
        ({"bot": "heuristic"}, "bidding.policy expected"),
        ({"variant": "pit"}, "auction.kind bridge"),
    ],
)
def test_wrong_tunings(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        check_tuning(reduced(**changes))
    assert said in str(caught.value)


def test_sensitivity_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sensitivity", "bridgette", "--deals", "4000", "--cells", "undertricks", "--cells", "award=750"]
    assert invoke([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    penalties, games = document["groups"]
    assert penalties["slopes"]["make"]["low"] > 0  # dearer penalties, doubled or not: fewer contracts fail
    assert games["slopes"]["share_750"]["low"] > 0
    assert len(document["singular_values"]) == 2
    assert invoke(["sensitivity", "bridgette", "--bot", "heuristic"]) == 2


def test_profile_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sensitivity", "bridgette", "--deals", "2000", "--cells", "undertricks"]
    assert invoke([*words, "--factors", "0,1", "--bidder", "open", "--json"]) == 0
    free, today = json.loads(capsys.readouterr().out)["rows"]
    assert free["measures"]["make"]["value"] < today["measures"]["make"]["value"]
    assert any("overbidding is free" in text for text in free["alarms"])
    assert invoke(["sensitivity", "bridgette", "--factors", "1"]) == 2
    assert "--cells" in capsys.readouterr().err


OWN_OBJECTIVE = """
def OBJECTIVE(measures, cells):
    return [max(0.0, 0.7 - measures["make"]) / 0.05, 0.0 * len(cells)]
"""


@pytest.mark.parametrize("method", ["cma", "random"])
def test_an_objective_of_ones_own(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from simcore import plugins

    monkeypatch.setattr(plugins, "OBJECTIVES", {})
    with pytest.raises(InputError, match="--plugin"):
        check_tuning(reduced(targets=[]))
    (tmp_path / "own.py").write_text(OWN_OBJECTIVE)
    assert plugins.load_plugin(str(tmp_path / "own.py")) == []
    (own,) = plugins.OBJECTIVES.values()
    search = {"method": method, "searches": 1, "generations": 2, "population": 4, "sigma": 0.3}
    result = tune(reduced(targets=[], search=search, free=REDUCED["free"][2:]), own=own)
    trace = result.traces[0]
    assert trace.best <= trace.start
    assert len(trace.steps) >= (2 if method == "cma" else 0)
    assert result.objectives()[0][0] == pytest.approx(
        ((0.7 - measures(result.before)["make"][0]) / 0.05) ** 2, rel=1e-6
    )


def test_a_panel_played_deals_and_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two bidders, two others beside them, deals played by a bot whose bids follow no table, and the page of it all."""
    document = {
        **REDUCED,
        "targets": [{"measure": "make", "band": [0.6, 0.8], "unit": 0.05}],
        "search": {"searches": 2, "steps": 1, "damping": [3]},
        "panel": {"rounds": 2, "deals": 1000, "outer": 1},
        "played": {"bots": ["heuristic", "expected"], "deals": 2000},
    }
    (tmp_path / "mine.json").write_text(json.dumps(document))
    assert invoke(["tune", str(tmp_path / "mine.json"), "--out", str(tmp_path / "done"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in found["panel"]] == ["plain", "equilibrated"]
    assert [entry["name"] for entry in found["beside"]] == ["coarse", "open"]
    both = [entry["objective"]["before"]["value"] for entry in found["panel"]]
    assert found["objective"]["before"]["value"] == pytest.approx(sum(both) / 2)
    assert found["panel"][1]["equilibrium"]["after"]["exploitability"] is not None
    heuristic, expected = found["played"]
    assert (heuristic["aim"], heuristic["n"]) == ("tricks", 2000)
    assert heuristic["measures"]["make"]["difference"]["value"] == 0  # it bids and plays as it always does
    assert heuristic["measures"]["points"]["difference"]["value"] != 0
    assert expected["measures"]["make"]["difference"]["value"] != 0
    assert invoke(["report", str(tmp_path / "done")]) == 0
    page = (tmp_path / "done.html").read_text(encoding="utf-8")
    for text in ("Both sheets", "Search trace", "Break-even and make rates", "Exploitability", "equilibrated"):
        assert text in page
    assert invoke(["report", str(tmp_path / "done"), str(tmp_path / "done")]) == 2


# --- longer ------------------------------------------------------------------------------------------------------------
