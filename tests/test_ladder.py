"""The ladder: mirrored deals, paired intervals, the order of the shipped bots, and what the command prints."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from helpers import HEURISTIC, RANDOM, SHY, bots_of, setup_of
from test_cli import Cli, cli  # noqa: F401

from analysis import ladder
from analysis.estimates import t_quantile
from analysis.ladder import LadderReport, play_ladder
from analysis.ladder_table import write_chart
from simcore.batch import play_chunk
from simcore.config import load_variant, shipped
from simcore.errors import InputError

QUICK = ["expected", "heuristic", "novice", "random"]
"""The shipped bots but for those that solve, whose ladder is in tests/test_expert.py."""


@pytest.fixture(scope="module")
def shipped_ladder() -> LadderReport:
    return play_ladder("bridgette", QUICK, deals=4000)


def test_shipped_bots_stand_in_order(shipped_ladder: LadderReport) -> None:
    """heuristic beats novice beats random, each by far more than chance."""
    duels = {(duel.challenger, duel.opponent): duel for duel in shipped_ladder.duels}
    for better, worse in (("expected", "heuristic"), ("heuristic", "novice"), ("novice", "random"), ("heuristic", "random")):
        duel = duels[better, worse]
        assert duel.difference.estimate is not None
        assert duel.difference.estimate > 5 * duel.standard_error
    assert [place.bot for place in shipped_ladder.ranking if place.bot in ("heuristic", "novice", "random")] == [
        "heuristic",
        "novice",
        "random",
    ]
    n = len(QUICK)
    assert len(shipped_ladder.ranking) == n
    assert len(shipped_ladder.duels) == n * (n - 1) // 2
    every = [bot.name for bot in ladder.ladder_bots(load_variant("bridgette"), None)]
    assert every == [name for name in shipped("bots") if not load(name)["sees_all"]]


def test_a_duel_is_the_mean_of_paired_differences() -> None:
    """Against the two runs it is made of, worked out in another way."""
    report = play_ladder("bridgette", ["novice", "random"], deals=700, seed=9)
    novice = load("novice")
    one = play_chunk(setup_of(None, (novice, RANDOM), 9, "deal"), 0, 700).deals
    other = play_chunk(setup_of(None, (RANDOM, novice), 9, "deal"), 0, 700).deals
    assert (one["dealer"] == other["dealer"]).all()
    paired = (one["points_0"] - one["points_1"] + other["points_1"] - other["points_0"]) / 20
    (duel,) = report.duels
    error = paired.std(ddof=1) / math.sqrt(700)
    assert (duel.challenger, duel.opponent, duel.difference.n) == ("novice", "random", 700)
    assert duel.difference.estimate == pytest.approx(paired.mean())
    assert duel.standard_error == pytest.approx(error)
    assert duel.difference.low == pytest.approx(paired.mean() - t_quantile(699) * error)
    best, last = (place.difference for place in report.ranking)
    assert (best.estimate, best.low) == pytest.approx((duel.difference.estimate, duel.difference.low))
    assert (last.estimate, last.high) == pytest.approx((-duel.difference.estimate, -duel.difference.low))


def load(name: str) -> dict[str, object]:
    from simcore.config import load_bot

    return load_bot(name).model_dump(mode="json")


def test_ranking_uses_the_covariances_of_the_pairs(shipped_ladder: LadderReport) -> None:
    """The mean over opponents, with an interval that is neither that of independent pairs nor of equal ones."""
    for place in shipped_ladder.ranking:
        own = [
            duel.difference.estimate * (1 if duel.challenger == place.bot else -1)
            for duel in shipped_ladder.duels
            if place.bot in (duel.challenger, duel.opponent)
        ]
        assert place.difference.estimate == pytest.approx(np.mean(own))
    total = sum(place.difference.estimate for place in shipped_ladder.ranking)
    assert total == pytest.approx(0, abs=1e-6)


def test_a_bot_against_its_twin_is_level() -> None:
    """The same policies under two names: every mirrored deal cancels exactly, if they draw nothing."""
    rules = setup_of().variant
    twin = {**HEURISTIC, "name": "twin"}
    found = ladder._Table(rules, bots_of(HEURISTIC, twin), 3).differences(0, 300)
    assert not found.any()


def test_workers_and_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = play_ladder("bridgette", QUICK, deals=900, workers=1).as_json()
    monkeypatch.setattr(ladder, "_BLOCK", 77)
    assert play_ladder("bridgette", QUICK, deals=900, workers=3).as_json() == one


def test_an_interrupt_is_heard_and_progress_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that wait are given up; what was told before counts up to the interrupt."""
    monkeypatch.setattr("analysis.ladder._BLOCK", 10)
    told: list[tuple[int, int]] = []

    def stop(done: int, of: int) -> None:
        told.append((done, of))
        if done >= 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_ladder("bridgette", QUICK, deals=100_000, workers=2, progress=stop)
    assert [of for _, of in told] == [100_000] * len(told)
    assert sorted(done for done, _ in told) == [done for done, _ in told]
    assert 50 <= told[-1][0] < 70


def test_redealt_deals_count_to_their_unit() -> None:
    """Where passed-out deals are dealt again a unit has several rows."""
    rules = setup_of({"auction.passed_out": "redeal"}).variant
    found = ladder._Table(rules, bots_of(SHY, RANDOM), 5).differences(40, 60)
    whole = ladder._Table(rules, bots_of(SHY, RANDOM), 5).differences(0, 100)
    assert found.shape == (60, 1)
    assert (whole[40:] == found).all()


def test_stops_at_a_width_at_fixed_looks_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "FIRST_LOOK", 500)
    report = play_ladder("bridgette", ["novice", "random"], width=12)
    assert report.deals in [500 * 2**k for k in range(12)]
    assert report.widest <= 12
    before = play_ladder("bridgette", ["novice", "random"], deals=report.deals // 2)
    assert before.widest > 12
    capped = play_ladder("bridgette", ["novice", "random"], width=0.01, deals=1200)
    assert (capped.deals, capped.as_json()["reached"]) == (1200, False)
    assert list(ladder._looks(None, 1.0))[-1] == ladder.MOST_DEALS


def test_more_players_would_meet_one_challenger_in_every_seat() -> None:
    a, b = bots_of(RANDOM, SHY)
    assert ladder.seatings(2, a, b) == [[a, b], [b, a]]
    assert ladder.seatings(3, a, b) == [[a, b, b], [b, a, b], [b, b, a]]
    assert ladder.pairs_of(2, [a, b]) == [(a, b)]
    assert ladder.pairs_of(4, [a, b]) == [(a, b), (b, a)]


def test_command(cli: Cli, tmp_path: Path) -> None:  # noqa: F811
    shown = cli("ladder", "bridgette", "--bots", "novice,random", "--deals", "300", "--chart", "l.svg")
    assert shown.code == 0
    assert "novice" in shown.out
    assert "300 mirrored deals" in shown.out
    assert "l.svg" in shown.err
    assert (tmp_path / "l.svg").read_text().startswith("<svg")
    document = json.loads(cli("ladder", "bridgette", "--bots", "novice,random", "--deals", "300", "--json").out)
    keys = {"variant", "seed", "unit", "deals", "sees_all", "width", "reached", "duels", "ranking", "method"}
    assert set(document) == keys
    assert document["sees_all"] == []
    assert document["duels"][0]["low"] < document["duels"][0]["difference"] < document["duels"][0]["high"]
    assert [place["rank"] for place in document["ranking"]] == [1, 2]
    capped = cli("ladder", "bridgette", "--bots", "novice,random", "--deals", "300", "--width", "1e-3")
    assert "was not reached" in capped.out


def test_charts_need_nothing_from_the_network(shipped_ladder: LadderReport, tmp_path: Path) -> None:
    for ending in ("svg", "html"):
        path = tmp_path / f"chart.{ending}"
        write_chart(shipped_ladder, path)
        text = path.read_text(encoding="utf-8")
        assert "heuristic" in text
        assert "url(http" not in text
        assert "@font-face" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--bots novice", "two bots"),
        ("--bots novice,novice", "twice"),
        ("--bots novice,radom", "did you mean 'random'"),
        ("--width 0", "above 0"),
        ("--width wide", "above 0"),
        ("--deals 1", "allowed: 2 .. "),
        ("--chart ladder.png", ".svg, .html"),
        ("--set play.trump=K", "play.trump"),
    ],
)
def test_wrong_usage(cli: Cli, arguments: str, message: str) -> None:  # noqa: F811
    result = cli("ladder", "bridgette", *arguments.split())
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_wrong_bots_by_function() -> None:
    with pytest.raises(InputError, match="two bots"):
        play_ladder("bridgette", ["random"])
