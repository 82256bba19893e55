"""Regret of bots, and perfect play's make rates beside the bots'."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import HEURISTIC, RANDOM, Json
from test_cli import Cli, cli  # noqa: F401
from test_oracle import FOR_TRICKS, ORACLE, contracts_of, mask_of, play_events, setup_with

import simcore
from analysis.imposed import imposed_rates, mean_tricks
from analysis.regret import bots_regret, run_regret
from simcore.batch import play_chunk
from simcore.columns import STRAIN_NAMES
from simcore.config import load_variant
from simcore.errors import InputError
from simcore.solver.regret import GROUPS, Losses, chunk_losses
from simcore.transcript import play_transcripts


def losses_of(bots: tuple[Json, ...], count: int) -> tuple[Losses, np.ndarray, np.ndarray]:
    """Losses, and of each played deal declarer's tricks and points (tenths)."""
    setup = setup_with(bots, GROUPS)
    chunk = play_chunk(setup, 0, count, with_record=True)
    _, _, payoffs, played = contracts_of(setup, chunk)
    tricks = chunk.deals["tricks"][played]
    return chunk_losses(setup, chunk), tricks, payoffs[np.arange(len(played)), tricks]


@pytest.mark.parametrize(
    "bots", [(HEURISTIC,), (RANDOM, HEURISTIC), (ORACLE,), (FOR_TRICKS,)], ids=lambda bots: bots[0]["name"]
)
def test_losses_explain_the_result(bots: tuple[Json, ...]) -> None:
    """The result is the value of the deal, less what declarer lost, plus what his opponent lost; nobody wins by a card."""
    found, tricks, points = losses_of(bots, 40)
    rows, declarer = np.arange(len(tricks)), found.declarer
    for lost, perfect, result in ((found.tricks, found.perfect_tricks, tricks), (found.points, found.perfect_points, points)):
        assert (lost >= 0).all()
        assert np.array_equal(perfect - lost[rows, declarer] + lost[rows, 1 - declarer], result)
    if bots == (ORACLE,):
        assert not found.points.any()
        assert found.tricks.any()
    if bots == (FOR_TRICKS,):
        assert not found.tricks.any()
        assert found.points.any()


def barred_after(trick: list[str]) -> str | None:
    """The suit that the leader of a trick may not lead next, if its reply was the colon of the range (C3)."""
    led, reply = trick
    colon = {"A": "GC", "J": "RC", "Q": "RC", "K": "RC"}.get(led[1], "LC")
    return led[0] if reply == colon and led[1] != "C" else None


def test_losses_card_by_card() -> None:
    """All cards of one deal, each against the values of all cards that could be played."""
    setup = setup_with((HEURISTIC, RANDOM), GROUPS, seed=8)
    (line,) = [line for line in play_transcripts(setup, 4, 1) if "events" in line]
    found = chunk_losses(setup, play_chunk(setup, 4, 1, with_record=True))
    strain = line["result"]["contract"].rstrip("X")[1:]
    lost, barred = np.zeros(2, int), None
    for event, hands, trick, _ in play_events(line):
        masks, seat = [mask_of(hand) for hand in hands], event["seat"]
        if trick:
            solution = simcore.solve_position("bridgette", masks, strain=strain, leader=1 - seat, led=trick[0])
            barred = barred_after([trick[0], event["card"]])
        else:
            solution = simcore.solve_position("bridgette", masks, strain=strain, leader=seat, barred=barred)
        lost[seat] += abs(solution.value - solution.cards[event["card"]])
    assert lost.tolist() == found.tricks[0].tolist()
    assert lost.sum() > 0


def test_report_of_bots_against_plain_means() -> None:
    rules, names = load_variant("bridgette"), ["novice", "heuristic"]
    report = bots_regret(rules, names, deals=150, seed=5, workers=2)
    assert report.as_json() == bots_regret(rules, names, deals=150, seed=5, workers=1).as_json()
    found, _, _ = losses_of((HEURISTIC,), 150)
    rows = np.arange(len(found.match))
    tricks = found.tricks[rows, found.declarer]
    row = next(row for row in report.rows if (row.bot, row.role) == ("heuristic", "declarer"))
    assert row.tricks.n == len(rows)
    assert row.tricks.estimate == pytest.approx(tricks.mean())
    assert row.points.estimate == pytest.approx(found.points[rows, found.declarer].mean() / 10)
    half = (row.tricks.high or 0) - (row.tricks.estimate or 0)
    assert half == pytest.approx(1.96 * tricks.std(ddof=1) / np.sqrt(len(rows)), rel=0.03)
    both = next(row for row in report.rows if (row.bot, row.role) == ("heuristic", "both"))
    assert both.tricks.n == 2 * len(rows)
    assert both.tricks.estimate == pytest.approx(found.tricks.mean())
    careless, _, _ = losses_of(({**HEURISTIC, "name": "careless", "play": {"policy": "random"}},), 150)
    for better, worse in ((found.tricks, careless.tricks), (found.points, careless.points)):
        assert (better.mean(0) < worse.mean(0)).all()


def test_regret_of_a_run(cli: Cli) -> None:  # noqa: F811
    assert cli("run", "bridgette", "--bots", "heuristic,random", "--matches", 12, "--out", "run", "--seed", 3).code == 0
    report = json.loads(cli("regret", "run", "--deals", 30, "--json").out)
    assert report["tables"] == [["heuristic", "random"]]
    assert report["unit"] == "match"
    assert 30 <= report["deals"] <= 36
    assert report["aims"] == {"tricks_lost": "perfect play for tricks", "points_lost": "perfect play for points"}
    assert {(row["bot"], row["role"]) for row in report["rows"]} == {
        (bot, role) for bot in ("heuristic", "random") for role in ("declarer", "defender", "both")
    }
    text = cli("regret", "run", "--deals", 30).out
    assert "perfect play for tricks" in text
    assert "clustered" not in text
    assert "ratio of sums over matches" in text
    assert run_regret("run", deals=30, workers=1).as_json() == report
    refused = cli("regret", "run", "--bots", "random")
    assert refused.code == 2
    assert "--bots goes with a variant" in refused.err


def test_regret_where_nothing_is_solved(cli: Cli) -> None:  # noqa: F811
    refused = cli("regret", "call_bridge")
    assert refused.code == 2
    assert "call_bridge has 4 players; allowed: 2" in refused.err
    with pytest.raises(InputError, match="twice"):
        bots_regret(load_variant("bridgette"), ["random", "random"], deals=10)


# --- perfect play's make rates ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> simcore.runs.RunResult:
    out = tmp_path_factory.mktemp("both") / "run"
    return simcore.run(
        "bridgette", bots="heuristic", deals=150, unit="deal", contracts="all", play="both", out=out
    )


def test_rates_side_by_side(both: simcore.runs.RunResult) -> None:
    deals = both.deals()
    report = imposed_rates(both)
    for row in report.rows:
        level, strain = row.key
        made = {
            stem: np.stack([deals[f"{stem}_{strain}_{seat}"] >= 6 + level for seat in range(2)], 1).astype(int)
            for stem in ("tricks", "perfect_tricks")
        }
        assert row.perfect is not None
        assert row.difference is not None
        assert row.made == made["tricks"].sum()
        assert row.perfect.made == made["perfect_tricks"].sum()
        gain = (made["perfect_tricks"] - made["tricks"]).mean(1)
        assert row.difference.estimate == pytest.approx(gain.mean())
        half = (row.difference.high or 0) - (row.difference.estimate or 0)
        assert half == pytest.approx(1.976 * gain.std(ddof=1) / np.sqrt(len(gain)), rel=0.01, abs=1e-9)
    by_role = imposed_rates(both, by_role=True)
    dealer = deals["dealer"].to_numpy()
    row = next(row for row in by_role.rows if row.key == (2, "NT", "dealer"))
    tricks = np.where(dealer == 0, deals["perfect_tricks_NT_0"], deals["perfect_tricks_NT_1"])
    assert row.perfect is not None
    assert row.perfect.made == (tricks >= 8).sum()


def test_rates_command_names_who_played(cli: Cli, both: simcore.runs.RunResult) -> None:  # noqa: F811
    document = json.loads(cli("rates", both.out, "--json").out)
    assert (document["play"], document["perfect_aim"]) == ("both", "tricks")
    assert set(document["rows"][0]["perfect"]) == {"n", "made", "rate", "low", "high"}
    assert {"difference", "low", "high", "n", "method"} == set(document["rows"][0]["difference"])
    text = cli("rates", both.out).out
    assert "perfect less bots" in text
    assert "for tricks alone: by the bots, and by perfect play" in text
    assert mean_tricks(both)["NT"] == pytest.approx(
        float(np.mean([both.deals()[f"tricks_NT_{seat}"] for seat in range(2)]))
    )


def test_perfect_table_alone(cli: Cli, both: simcore.runs.RunResult, tmp_path: Path) -> None:  # noqa: F811
    """The same table whoever bids, if they throw the same cards: it is one of hands."""
    assert cli(
        "run", "bridgette", "--bots", "oracle", "--deals", 60, "--unit", "deal", "--contracts", "all",
        "--play", "perfect", "--out", "alone",
    ).code == 0  # fmt: skip
    alone, other = simcore.api.open_run("alone").deals(), both.deals()
    for strain in STRAIN_NAMES:
        name = f"perfect_tricks_{strain}_0"
        assert (alone[name].to_numpy() == other[name].to_numpy()[:60]).all()
        assert f"tricks_{strain}_0" not in alone.columns
    document = json.loads(cli("rates", "alone", "--json").out)
    assert document["play"] == "perfect"
    assert "perfect" not in document["rows"][0]
    assert "not the bots" in cli("rates", "alone").out


def test_what_is_stored_compiled_gives_the_same(cli: Cli) -> None:  # noqa: F811
    """Kernels from the cache, in a process of their own; compiled by the first command if by nobody before."""
    for command in (("regret", "bridgette", "--deals", "10", "--json"), ("deal", "bridgette", "--bots", "oracle", "--json")):
        here = cli(*command).out
        found = subprocess.run([sys.executable, "-m", "simcore", *command], capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stderr
        assert found.stdout == here
