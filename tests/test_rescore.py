"""Re-scored runs: exactly what a fresh run under the other table scores, where bots do not read it; refusals elsewhere."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simcore
from analysis import compare_runs, rescore, rescore_run, score_summary
from analysis.load import open_run
from analysis.match_ends import NOBODY, UNKNOWN, Ends, leaders
from analysis.rescoring import sums_by_match
from analysis.tables_of_points import packed, unpacked
from simcore.cli import invoke
from simcore.errors import InputError
from simcore.runs import RunResult

EXACT = ["scoring.exact=[0, 50, 0, 100.5, 0, 700, 0, 0]", "scoring.undertricks.undoubled=[50, 80]", "scoring.doubled_made=0"]
TRICKS = ["scoring.trick_value.S=45", "scoring.nt_first=10", "scoring.overtricks=none"]
CALLS = ["scoring.overtrick_points=0.3", "scoring.failed=zero"]
RANDOM_CALLS = [*CALLS, "scoring.success=exact", "scoring.bonus_from=6"]


def play(folder: Path, name: str, variant: str, **options: Any) -> RunResult:
    return simcore.run(variant, out=folder / name, **options)


CASES = {
    "single deals": ("bridgette", "heuristic", {"unit": "deal", "deals": 3000}, EXACT),
    "matches": ("bridgette", "heuristic", {"matches": 700}, EXACT),
    "novice": ("bridgette", "novice", {"matches": 300}, ["scoring.award.S=[null,1,2,3,4,5,6,7]"]),
    "tricks": ("draw_bridge", "heuristic", {"unit": "deal", "deals": 1500}, TRICKS),
    "choices": ("draw_and_discard_bridge", "heuristic", {"unit": "deal", "deals": 1500}, TRICKS),
    "calls": ("call_bridge", "heuristic", {"unit": "deal", "deals": 1500}, CALLS),
    "random calls": ("call_bridge", "random", {"unit": "deal", "deals": 1500}, RANDOM_CALLS),
    "matches of calls": ("call_break", "heuristic", {"matches": 200, "overrides": ["match.tie=draw"]}, CALLS),
}


@pytest.mark.parametrize("case", CASES)
def test_equal_to_a_fresh_run(tmp_path: Path, case: str) -> None:
    """Means, intervals of the differences on common deals, and matches won."""
    variant, bots, options, changes = CASES[case]
    kept = ["chunk=130", *options.get("overrides", ["match.tie=draw"] if variant == "bridgette" else [])]
    options = {**options, "bots": bots}
    today = play(tmp_path, "today", variant, **{**options, "overrides": kept})
    fresh = play(tmp_path, "fresh", variant, **{**options, "overrides": [*kept, *changes]})
    report = rescore_run(today, overrides=changes)
    other = compare_runs(today, fresh)
    assert other.common["deals"] == today.n_deals
    points = score_summary(fresh).deals
    assert {row.who for row in report.points} == set(points)
    for row in report.points:
        found = other.find("points_per_deal", row.who)
        assert row.b.estimate == pytest.approx(points[row.who].mean.estimate, rel=1e-12)
        assert (row.b.low, row.b.high) == pytest.approx((points[row.who].mean.low, points[row.who].mean.high))
        assert row.difference.estimate == pytest.approx(found.difference.estimate, abs=1e-10)
        interval = (found.difference.low, found.difference.high)
        assert (row.difference.low, row.difference.high) == pytest.approx(interval, abs=1e-8)
    assert any(row.difference.estimate != 0 for row in report.points)
    changed = today.deals().filter(like="points_") != fresh.deals().filter(like="points_")
    assert report.changed.estimate == pytest.approx(changed.any(axis=1).mean())
    if "matches" in options:
        assert report.why is None
        assert report.unknown == 0
        for row in report.wins:
            found = other.find("wins", row.who)
            assert (row.a.estimate, row.b.estimate, row.cells) == (found.a.estimate, found.b.estimate, found.cells)
            assert row.difference.high == pytest.approx(found.difference.high)
    else:
        assert report.wins == []
        assert "unit: deal" in report.why


def winners_of(run: RunResult) -> np.ndarray:
    return run.matches()["winner"].fillna(NOBODY).to_numpy(int)


@pytest.mark.parametrize("tie", ["extra_deal_then_draw", "until_broken", "extra_deal"])
@pytest.mark.parametrize("passed_out", ["count_zero", "redeal"])
def test_matches_that_extra_deals_decide(tmp_path: Path, tie: str, passed_out: str) -> None:
    """Every winner that is known is that of a fresh run; unknown are those whose extra deal today's table did not ask for."""
    rules = ["match.deals=2", f"match.tie={tie}", f"auction.passed_out={passed_out}", "chunk=200"]
    rules += ["match.max_deals=9"] if tie == "extra_deal" else []
    shy = {"name": "shy", "exchange": {"policy": "random"}, "play": {"policy": "random"}}
    shy["bidding"] = {"policy": "random", "double_percent": 5, "pass_percent": 70}
    rules.append(f"bots={json.dumps([shy, shy])}")
    new = ["scoring.undertricks.undoubled=[200]", "scoring.exact=[0,0,0,0,0,0,0,0]"]
    today = play(tmp_path, "today", "bridgette", matches=900, overrides=rules)
    fresh = play(tmp_path, "fresh", "bridgette", matches=900, overrides=[*rules, *new])
    report = rescore_run(today, overrides=new)
    deals, data = today.deals(), open_run(today)
    joined = deals[["match", "deal"]].merge(fresh.deals(), on=["match", "deal"], how="left")
    points = (10 * joined[["points_0", "points_1"]].fillna(0)).round().to_numpy(int)
    lengths = today.matches()["deals"].to_numpy(int)
    starts = np.r_[0, np.cumsum(lengths)[:-1]]
    ends = Ends.of(data.rules)
    counted = ends.counted(deals["dealer"].to_numpy(int), starts)
    many = np.add.reduceat(counted.astype(int), starts)
    own = (10 * deals[["points_0", "points_1"]]).round().to_numpy(int)
    assert (ends.winners(own[counted], np.add.reduceat(own, starts), many, lengths) == winners_of(today)).all()
    found = ends.winners(points[counted], np.add.reduceat(points, starts), many, lengths)
    known = found != UNKNOWN
    longer = fresh.matches()["deals"].to_numpy(int) > lengths
    assert report.unknown > 0
    if passed_out == "count_zero":
        assert (longer == ~known).all()
        assert report.unknown == longer.sum()
        assert (found[known] == winners_of(fresh)[known]).all()
        assert report.wins[0].a.n == known.sum()
        assert report.wins[0].b.estimate == pytest.approx((winners_of(fresh)[known] == 0).mean())


def test_leaders() -> None:
    totals = np.array([[3, 1, 2], [4, 4, 1], [0, 0, 5], [2, 2, 2]])
    assert leaders(totals).tolist() == [0, NOBODY, 2, NOBODY]
    assert leaders(totals[:, :2]).tolist() == [0, NOBODY, NOBODY, NOBODY]
    assert leaders(totals[:, 1:]).tolist() == [1, 0, 1, NOBODY]


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """Bridgette as it is."""
    return play(tmp_path_factory.mktemp("rescore"), "today", "bridgette", bots="heuristic", deals=6000)


@pytest.mark.parametrize("unit", ["match", "deal"])
def test_sums_say_what_rows_say(tmp_path: Path, unit: str) -> None:
    runs = [
        play(tmp_path, output, "bridgette", bots=["heuristic", "novice"], deals=9000, unit=unit, output=output)
        for output in ("rows", "summary")
    ]
    rows, sums = (rescore_run(run, overrides=EXACT) for run in runs)
    for one, other in zip(rows.points, sums.points, strict=True):
        assert one.who == other.who
        assert other.a.estimate == pytest.approx(one.a.estimate, abs=1e-9)
        assert other.b.estimate == pytest.approx(one.b.estimate, abs=1e-9)
        assert other.difference.estimate == pytest.approx(one.difference.estimate, abs=1e-9)
        width = (other.difference.high - other.difference.low) / (one.difference.high - one.difference.low)
        assert 0.9 < width < (1.01 if unit == "deal" else 1.35)
    assert sums.changed.estimate == rows.changed.estimate
    assert sums.wins == []
    assert ("unit: deal" if unit == "deal" else "output: summary") in sums.why


def test_the_same_table_changes_nothing(today: RunResult) -> None:
    report = rescore_run(today, overrides=["scoring.doubled_made=400"])
    assert report.changes == []
    assert report.changed.estimate == 0
    for row in report.points:
        assert (row.difference.estimate, row.difference.low, row.difference.high) == (0, 0, 0)
    assert all(row.cells.only_a == row.cells.only_b == 0 for row in report.wins)


def test_ways_to_give_a_table(today: RunResult, tmp_path: Path) -> None:
    expected = rescore_run(today, overrides=["scoring.multiplier.applies_to=none"])
    texts = {
        "section": "scoring:\n  multiplier: {applies_to: none}\n",
        "keys": "multiplier: {applies_to: none}\n",
        "variant": "extends: bridgette\nname: mine\nscoring: {multiplier: {applies_to: none}}\n",
    }
    sources: list[str | Path] = ["bridgette_flat_doubles"]
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text)
        sources.append(tmp_path / f"{name}.yaml")
    for source in sources:
        assert rescore_run(today, source).as_json() == expected.as_json()
    frame = rescore(today, sources[1])
    assert frame[frame.who == "dealer"].estimate.iloc[0] == expected.points[2].difference.estimate
    both = rescore_run(today, sources[1], ["scoring.multiplier.applies_to=total"])
    assert both.changes == []


def changed_manifest(run: RunResult, out: Path, change: Any) -> Path:
    """A copy of a run whose manifest says something else."""
    shutil.copytree(run.out, out)
    manifest = json.loads((out / "manifest.json").read_text())
    change(manifest["config"])
    (out / "manifest.json").write_text(json.dumps(manifest))
    return out


def test_bots_that_read_points_are_refused(today: RunResult, tmp_path: Path) -> None:
    for key, what in (("table", "the scoring table"), ("match_score", "the score of the match")):
        out = changed_manifest(today, tmp_path / key, lambda config, key=key: config["bots"][1]["reads"].update({key: True}))
        with pytest.raises(InputError, match=f"heuristic reads {what} .reads.{key}: true.*\nplay it anew"):
            rescore_run(out, overrides=EXACT)
    plugin = {"policy": "plugin", "bot": "mine", "digest": "0" * 16}
    out = changed_manifest(today, tmp_path / "plugin", lambda config: config["bots"][0].update(bidding=plugin))
    with pytest.raises(InputError, match="is a bot of a plugin, which is shown the score of the match"):
        rescore_run(out, overrides=EXACT)


def test_points_of_another_table_are_noticed(today: RunResult, tmp_path: Path) -> None:
    out = changed_manifest(today, tmp_path / "other", lambda config: config["variant"]["scoring"]["exact"].__setitem__(3, 10))
    with pytest.raises(InputError, match="not those of its own scoring table"):
        rescore_run(out, overrides=EXACT)


def test_other_bids_and_other_makes_are_refused(today: RunResult, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="other bids exist"):
        rescore_run(today, overrides=["scoring.award.S[7]=null"])
    calls = play(tmp_path, "calls", "call_bridge", bots="heuristic", deals=300)
    for text in ("scoring.success=exact", "scoring.bonus_from=6", "scoring.bonus_overtricks=2"):
        key = text.partition("=")[0]
        with pytest.raises(InputError, match=f"{key} says when a call is made"):
            rescore_run(calls, overrides=[text])
    report = rescore_run(calls, overrides=CALLS)
    assert report.wins == []
    assert "20 points (match.target)" in report.why
    assert report.notes == ["the deals are those of matches that today's table ended"]
    pit = play(tmp_path, "pit", "pit", bots="heuristic", deals=100)
    with pytest.raises(InputError, match="won by getting rid of cards"):
        rescore_run(pit, overrides=["scoring.per_trick=2"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no other scoring table is given"),
        (["--set", "match.deals=8"], "only the scoring"),
        (["--set", "scoring.doubled_mad=8"], "did you mean 'scoring.doubled_made'"),
        (["--set", "scoring.doubled_made=many"], "scoring.doubled_made: 'many'"),
        (["--scoring", "missing.yaml"], "missing.yaml: there is no such file"),
        (["--scoring", "bridgete"], "did you mean 'bridgette'"),
        (["--scoring", "wrong.yaml"], "wrong.yaml:2: scoring.doubled_mad: unknown key"),
        (["--scoring", "list.yaml"], "no map of keys"),
    ],
)
def test_broken_command_lines(
    today: RunResult,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.yaml").write_text("scoring:\n  doubled_mad: 3\n")
    Path("list.yaml").write_text("[1, 2]\n")
    assert invoke(["rescore", str(today.out), *words]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert 1 <= len(captured.err.strip().splitlines()) <= 3


def test_the_command(today: RunResult, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["rescore", str(today.out), "--set", EXACT[0], "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads(json.dumps(rescore_run(today, overrides=EXACT[:1]).as_json()))
    assert document["points_per_deal"][0].keys() == {"who", "n", "today", "new", "difference", "low", "high", "verdict"}
    assert invoke(["rescore", str(today.out), "--set", EXACT[0]]) == 0
    text = capsys.readouterr().out
    for words in ("nothing is replayed", "new - today", "points change in", "matches won by", "left out: ", "scoring.exact: "):
        assert words in text
    assert text.isascii()


@pytest.mark.parametrize("longest", [7, 40])
def test_sums_by_match_are_those_of_segments(longest: int) -> None:
    random = np.random.default_rng(longest)
    lengths = random.integers(1, longest, 300)
    starts = np.cumsum(lengths) - lengths
    numbers = random.integers(-90_000, 90_000, (int(lengths.sum()), 10)).astype(np.int32)
    found = unpacked(sums_by_match(packed(numbers), starts, lengths))
    assert (found == np.add.reduceat(numbers, starts, axis=0)).all()
