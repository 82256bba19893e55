"""Sweeps: which points a file means, that a point is a run like any other, resuming, and what is called the best."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import simcore
from analysis import compare_runs, sweep
from analysis.sweeps import report_sweep, what_is
from simcore.cli import invoke
from simcore.config import json_schema, shipped
from simcore.config.sweep import derived_seed, load_sweep, measures_of
from simcore.errors import InputError
from simcore.runs.sweeps import SweepOptions, play_sweep

SMALL = """\
base: {variant: bridgette, bots: random, matches: 600}
grid:
  scoring.doubled_made: [0, 400]
  exchange.dealer_draw.ace: {from: 4, to: 12, step: 8}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(text: str, name: str = "my.yaml") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


# --- points -----------------------------------------------------------------------------------------------------------


def test_the_points_of_a_grid(folder: Path) -> None:
    plan = load_sweep(written(SMALL))
    names = ["doubled_made=0, ace=4", "doubled_made=0, ace=12", "doubled_made=400, ace=4", "doubled_made=400, ace=12"]
    assert [point.name for point in plan.points] == names
    assert [point.directory for point in plan.points][1] == "001-doubled_made=0,ace=12"
    values = [(p.run.variant.scoring.doubled_made, p.run.variant.exchange.dealer_draw.ace) for p in plan.points]
    assert values == [(0, 4), (0, 12), (400, 4), (400, 12)]
    assert {point.run.seed for point in plan.points} == {1}
    assert plan.reference == 0
    assert load_sweep("my.yaml", ["seed=9", "matches=5"]).points[3].run.seed == 9


def test_zips_ranges_lists_and_references(folder: Path) -> None:
    text = """\
base: call_bridge
reference: bots=novice, target=20
grid:
  bots: [heuristic, novice, [heuristic, novice, novice, novice]]
zip:
  match.target: {from: 10, to: 20, step: 10}
  scoring.bonus_points: {from: 12.5, to: 13, step: 0.5}
"""
    plan = load_sweep(written(text.replace("target=20", "target=20, bonus_points=13.0")))
    assert len(plan.points) == 6
    assert plan.reference == 3
    assert plan.points[4].name == "bots=heuristic+novice+novice+novice, target=10, bonus_points=12.5"
    last = plan.points[5].run
    assert (last.variant.match.target, last.variant.scoring.bonus_points, [bot.name for bot in last.bots][:2]) == (
        20,
        13,
        ["heuristic", "novice"],
    )
    assert load_sweep(written(text.replace("reference: bots=novice, target=20", "reference: 4"))).reference == 4


def test_files_are_found_from_the_sweep(folder: Path) -> None:
    """Paths of base and bots are relative to the file; so are names of rows in it."""
    (folder / "deep").mkdir()
    written("extends: bridgette\nname: mine\nmatch: {deals: 2}\n", "deep/mine.yaml")
    written("name: own\nexchange: {policy: random}\nbidding: {policy: random}\nplay: {policy: random}\n", "deep/own.yaml")
    plan = load_sweep(written("base: ./mine.yaml\ngrid: {bots: [./own.yaml, novice]}\n", "deep/sweep.yaml"))
    assert plan.points[0].run.variant.match.deals == 2
    assert [bot.name for bot in plan.points[0].run.bots] == ["own", "own"]
    run = simcore.run("bridgette", bots="random", matches=20, out="runs/x", overrides=["match.deals=3"])
    written("base: runs/x\ngrid: {seed: [1, 2]}\ncommon_deals: false\n", "from_run.yaml")
    found = load_sweep("from_run.yaml").points
    assert [(p.run.seed, p.run.variant.match.deals, p.run.matches) for p in found] == [(1, 3, 20), (2, 3, 20)]
    assert run.n_matches == 20


def test_seeds_of_points_with_their_own_deals(folder: Path) -> None:
    plan = load_sweep(written(SMALL + "common_deals: false\n"))
    seeds = [point.run.seed for point in plan.points]
    assert seeds == [derived_seed(1, index) for index in range(4)]
    assert len(set(seeds)) == 4
    assert seeds != [point.run.seed for point in load_sweep("my.yaml", ["seed=2"]).points]


@pytest.mark.parametrize("name", shipped("sweeps"))
def test_shipped_sweeps(name: str) -> None:
    path = shipped("sweeps")[name]
    plan = load_sweep(name)
    assert len(plan.points) > 1
    assert set(json_schema("sweep")["properties"]) <= {line.partition(":")[0] for line in path.read_text().splitlines()}
    for line in path.read_text(encoding="utf-8").splitlines():
        assert not line or "#" in line or line.startswith("  variant: "), line


FAULTS = (
    ("base: bridgete\ngrid: {seed: [1]}", "my.yaml:1: base: there is no shipped run or variant 'bridgete'"),
    ("base: bridgette", "my.yaml:1: a grid, or a zip, with at least one path"),
    ("grid: {match.deals: [3]}", "base: is missing"),
    ("base: bridgette\ngird: {}", "my.yaml:2: gird: unknown key"),
    ("base: bridgette\ngrid: {match.deels: [3]}", "my.yaml:2: match.deels: there is no key 'deels'"),
    ("base: bridgette\ngrid: {'match deals': [3]}", "'match deals' is not a path"),
    ("base: bridgette\ngrid:\n  match.deals: [3, six]", "my.yaml:3: match.deals: 'six' is not a whole number"),
    ("base: bridgette\ngrid: {match.deals: 3}", "my.yaml:2: grid.match.deals: 3 is not a list of values"),
    ("base: bridgette\ngrid: {match.deals: []}", "is not a list of values"),
    ("base: bridgette\ngrid: {match.deals: {from: 1}}", "to: is missing"),
    ("base: bridgette\ngrid: {match.deals: {from: 1, to: x}}", "to: 'x' is not a number"),
    ("base: bridgette\ngrid: {match.deals: {from: 1, to: 9, stop: 2}}", "did you mean 'step'"),
    ("base: bridgette\ngrid: {match.deals: {from: 9, to: 1}}", "from at most to"),
    ("base: bridgette\ngrid: {match.deals: {from: 1, to: 9, step: 0}}", "step above 0"),
    ("base: bridgette\ngrid: {match.deals: {from: 1, to: 9e9}}", "at most 1000"),
    ("base: bridgette\ngrid: {match.deals: {from: 1, to: 100}, chunk: {from: 1, to: 100}}", "10000 points"),
    ("base: bridgette\nzip: {match.deals: [1, 2], chunk: [1]}", "match.deals 2, chunk 1"),
    ("base: bridgette\ngrid: {seed: [1, 2]}", "common_deals: false"),
    ("base: bridgette\ngrid: {match.deals: [1, 2]}\nreference: deals=22", "did you mean 'deals=2'"),
    ("base: bridgette\ngrid: {match.deals: [1, 2]}\nreference: 2", "allowed: 0 to 1"),
    ("base: bridgette\ngrid: {match.deals: [1, 2]}\nmeasure: make_rates", "did you mean 'make_rate'"),
    ("base: call_bridge\ngrid: {match.target: [1, 2]}\nmeasure: passed_out", "'passed_out' is not allowed"),
    ("base: bridgette\ngrid: {bots: [novise]}", "did you mean 'novice'"),
    ("name: x\nbidding: {policy: random}", "a sweep is expected"),
)


@pytest.mark.parametrize(("text", "said"), FAULTS)
def test_faults_are_explained(folder: Path, capsys: pytest.CaptureFixture[str], text: str, said: str) -> None:
    """By the command and, where the file is known to be a sweep, by check; nothing is written."""
    written(text)
    assert invoke(["sweep", "my.yaml"]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert 1 <= len(captured.err.strip().splitlines()) <= 3
    assert [path.name for path in folder.iterdir()] == ["my.yaml"]
    if "sweep is expected" not in said:
        assert invoke(["check", "my.yaml"]) == 2
        assert said in capsys.readouterr().err


def test_check_lists_all_faults(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written("base: bridgette\ngrid:\n  match.deels: [3]\n  bots: [novise]\n")
    assert invoke(["check", "my.yaml"]) == 2
    said = capsys.readouterr().err
    assert "match.deels" in said
    assert "novise" in said
    assert invoke(["check", written(SMALL)]) == 0


# --- playing ----------------------------------------------------------------------------------------------------------


def test_points_are_runs_and_are_taken_up_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["sweep", written(SMALL), "--out", "s", "--json"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert "point 3 of 4: doubled_made=400, ace=4" in captured.err
    assert [point["name"] for point in document["points"]] == [point.name for point in load_sweep("my.yaml").points]
    last = folder / "s" / "003-doubled_made=400,ace=12"
    alone = simcore.run("bridgette", bots="random", matches=600, out="alone")
    files = sorted((last / "deals").iterdir())
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in sorted((alone.out / "deals").iterdir())]
    assert invoke(["sweep", "my.yaml", "--out", "s"]) == 2
    assert "--resume" in capsys.readouterr().err
    shutil.rmtree(last)
    untouched = (folder / "s" / "000-doubled_made=0,ace=4" / "deals" / "part-000000.parquet").stat().st_mtime_ns
    assert invoke(["sweep", "my.yaml", "--out", "s", "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["points"] == document["points"]
    assert untouched == (folder / "s" / "000-doubled_made=0,ace=4" / "deals" / "part-000000.parquet").stat().st_mtime_ns
    assert invoke(["sweep", "my.yaml", "--out", "s", "--resume", "--set", "seed=3"]) == 2
    assert "holds another sweep" in capsys.readouterr().err
    written(SMALL.replace("[0, 400]", "[0]"))
    assert invoke(["sweep", "my.yaml", "--out", "s", "--overwrite"]) == 0
    assert len(list((folder / "s").iterdir())) == 3
    assert "ace=12" in capsys.readouterr().out


def test_a_dry_run_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["sweep", written(SMALL), "--out", "s", "--dry-run", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["n_points"] == len(document["points"]) == 4
    assert document["deals"] == sum(point["deals"] for point in document["points"]) > 4 * 3600
    assert document["seconds"] > 0
    assert not (folder / "s").exists()
    assert invoke(["sweep", "my.yaml", "--dry-run"]) == 0
    assert "points        4" in capsys.readouterr().out


def test_foreign_directories_are_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "s").mkdir()
    written("x", "s/thesis.txt")
    for option in ("--overwrite", "--resume"):
        assert invoke(["sweep", written(SMALL), "--out", "s", option]) == 2
        assert "left alone" in capsys.readouterr().err
    (folder / "s" / "sweep.json").write_text("{}")
    assert invoke(["sweep", "my.yaml", "--out", "s"]) == 2
    assert "simcore-sweep/1" in capsys.readouterr().err
    assert (folder / "s" / "thesis.txt").read_text() == "x"


def test_points_against_the_reference(folder: Path) -> None:
    plan = load_sweep(written(SMALL + "reference: 1\n"))
    play_sweep(plan, Path("s"), SweepOptions(progress=False))
    report = report_sweep(plan, Path("s"))
    assert report.points[1].differences == {}
    for index in (0, 2, 3):
        point = report.points[index]
        other = compare_runs(report.points[1].run, point.run, ())
        assert point.paired
        assert point.differences["points_per_deal", "dealer"] == other.find("points_per_deal", "dealer")
    frame = sweep("my.yaml", "s", resume=True)
    row = frame[(frame["index"] == 2) & (frame.what == "make_rate")].iloc[0]
    assert row.difference == report.points[2].differences["make_rate", ""].difference.estimate


def test_a_best_point_needs_pairs_that_tell_it_apart(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = "base: {variant: bridgette, bots: [heuristic, random], matches: 700}\nmeasure: wins_seat_0\n"
    grid = "grid: {bots: [[random, random], [heuristic, random], [novice, random]]}\n"
    plan = load_sweep(written(base + grid))
    play_sweep(plan, Path("s"), SweepOptions(progress=False))
    report = report_sweep(plan, Path("s"))
    wins = [point.figures["wins", "seat 0"].estimate for point in report.points]
    assert report.highest == wins.index(max(wins)) == 1
    assert "Bonferroni for 3 pairs" in report.verdict
    assert report.best in (None, 1)
    assert report.best == 1 or "is not told apart from [bots=novice+random]" in report.verdict
    # a table that these bots do not read changes no make rate
    written("base: {variant: bridgette, matches: 700}\ngrid: {scoring.doubled_made: [0, 100]}\n")
    assert invoke(["sweep", "my.yaml", "--out", "t"]) == 0
    assert "no difference in make rate is shown" in capsys.readouterr().out
    # deals of their own, or sums, are no pairs
    for name, more in (("u", "common_deals: false\n"), ("v", "")):
        text = base.replace("matches: 700", "matches: 700, output: summary") if name == "v" else base
        written(text + grid + more)
        assert invoke(["sweep", "my.yaml", "--out", name, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["best"] is None
        assert "no best point is shown" in document["verdict"]
        assert document["points"][1]["paired"] is False
        assert document["notes"]


def test_measures_exist(folder: Path) -> None:
    for variant in ("bridgette", "call_bridge", "pit"):
        text = f"base: {{variant: {variant}, matches: 30}}\ngrid: {{seed: [1]}}\ncommon_deals: false\n"
        plan = load_sweep(written(text))
        play_sweep(plan, Path(variant), SweepOptions(progress=False))
        figures = report_sweep(plan, Path(variant)).points[0].figures
        for measure in measures_of(plan.points[0].run):
            assert what_is(measure) in figures


def test_unknown_names(folder: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'bridgette_doubling'"):
        load_sweep("bridgette_doublin")


@pytest.mark.parametrize("points", [[], [{}], [{"directory": "0", "seed": None}], {}, None])
def test_a_damaged_list_of_points_is_refused(folder: Path, points: object) -> None:
    """A sweep without points would have nothing to compare with."""
    plan = load_sweep(written(SMALL))
    (folder / "out").mkdir()
    (folder / "out" / "sweep.json").write_text(json.dumps({"format": "simcore-sweep/1", "points": points}), encoding="utf-8")
    with pytest.raises(InputError, match="is damaged: points is no list of maps"):
        play_sweep(plan, folder / "out", SweepOptions(resume=True))
