"""The command line: what it prints, exit codes, one to three lines for whatever is wrong, nothing written then."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

import simcore
from simcore.cli import _COMMANDS, invoke, options
from simcore.errors import InputError
from simcore.runs import RunResult


class Result(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


class Cli:
    """Runs commands within this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Result:
        self._capsys.readouterr()
        code = invoke([str(argument) for argument in arguments])
        return Result(code, *self._capsys.readouterr())


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Commands in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    return Cli(capsys)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """A small run."""
    out = tmp_path_factory.mktemp("cli") / "run"
    return simcore.run("bridgette", bots="random", deals=2000, out=out)


BROKEN = (
    ("rn bridgette", "'run'"),
    ("run", "CONFIG"),
    ("run bridgete", "did you mean 'bridgette'"),
    ("run missing.yaml", "missing.yaml"),
    ("run bridgette --dealz 10", "did you mean --deals"),
    ("run bridgette --bots heuristik", "did you mean 'heuristic'"),
    ("run bridgette --bots random,", "empty name"),
    ("run bridgette --bots random,random,random", "3 bots for 2 players"),
    ("run bridgette --deals many", "--deals: 'many'"),
    ("run bridgette --deals 0", "1 or more"),
    ("run bridgette --deals 1.5", "whole number"),
    ("run bridgette --deals 10 --matches 10", "both"),
    ("run bridgette --seed -1", "0 .. 18446744073709551615"),
    ("run bridgette --seed 18446744073709551616", "0 .. 18446744073709551615"),
    ("run bridgette --unit deals", "allowed: match, deal"),
    ("run bridgette --workers 0", "allowed: 1 .. 4096"),
    ("run bridgette --set scoring.doubld_made=0", "doubled_made"),
    ("run bridgette --set scoring.doubled_made", "scoring.doubled_made"),
    ("run bridgette --set auction.lowest_bid=2C", "0NT, 1C"),
    ("run bridgette --out file", "is a file"),
    ("run bridgette --out occupied --overwrite", "left alone"),
    ("run bridgette --out", "--out"),
    ("run bridgette more", "more"),
    ("run --resume", "CONFIG"),
    ("run --resume missing", "missing"),
    ("run --resume --out missing", "missing"),
    ("run bridgette --resume --out occupied", "manifest.json"),
    ("run bridgette --resume --overwrite", "both"),
    ("run bridgette --output row", "rows, summary"),
    ("run bridgette --until narrow", "half-width"),
    ("run bridgette --until 0", "half-width"),
    ("run bridgette --until 0.01 --until-of 8S", "8S"),
    ("run bridgette --until-of 4S", "until"),
    ("run bridgette --until 0.01 --shard 1/2", "until"),
    ("run bridgette --shard 3", "i/n"),
    ("run bridgette --shard 0/2", "i/n"),
    ("run bridgette --shard 1/2", "--matches"),
    ("run bridgette --matches 10 --shard 1/2", "1 chunks"),
    ("merge missing --out x", "no such run directory"),
    ("merge occupied --out x", "manifest.json"),
    ("merge x", "--out"),
    ("deal bridgette --match minus", "--match: 'minus'"),
    ("deal bridgette --count 0", "1 or more"),
    ("replay missing.jsonl", "missing.jsonl"),
    ("score bridgette", "--contract"),
    ("score bridgette --contract 8S --tricks 3", "8S"),
    ("score bridgette --contract 4SX --tricks 14", "0..13"),
    ("score bridgette --contract 0C --tricks 7", "0C"),
    ("score bridgette --table --tricks 3", "--table"),
    ("rates missing", "no such run directory"),
    ("rates occupied", "manifest.json"),
    ("scores file", "is a file"),
    ("schema vriant", "did you mean 'variant'"),
    ("show bridgete", "did you mean 'bridgette'"),
    ("check", "FILE"),
    ("check missing.yaml", "missing.yaml"),
    ("doctor now", "now"),
)


@pytest.mark.parametrize(("line", "said"), BROKEN)
def test_a_broken_command_line_is_explained(cli: Cli, tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "occupied").mkdir()
    (tmp_path / "occupied" / "thesis.txt").write_text("x")
    before = sorted(tmp_path.rglob("*"))
    result = cli(*line.split())
    assert result.code == 2
    assert said in result.err
    assert result.out == ""
    assert "Traceback" not in result.err
    assert 1 <= len(result.err.strip().splitlines()) <= 3
    assert all(character.isprintable() or character == "\n" for character in result.err)
    assert sorted(tmp_path.rglob("*")) == before


def test_debug_shows_the_traceback_wherever_it_stands(cli: Cli) -> None:
    for arguments in (("--debug", "run", "bridgete"), ("run", "bridgete", "--debug")):
        with pytest.raises(InputError, match="bridgete"):
            cli(*arguments)


def test_help_of_the_program_and_of_each_command(cli: Cli) -> None:
    result = cli("--help")
    assert result.code == 0
    for name in _COMMANDS:
        assert f"\n  {name} " in result.out
        one = cli(name, "--help")
        assert one.code == 0
        assert f"simcore {name}" in one.out
    assert cli().code == 2


def test_help_is_fast_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from simcore.cli import invoke; invoke(['--help']); "
        "print([name for name in ('numba', 'numpy', 'pandas', 'pyarrow') if name in sys.modules], file=sys.stderr)"
    )
    times = []
    for _ in range(3):
        started = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        times.append(time.perf_counter() - started)
        assert done.stderr.strip() == "[]"
    assert min(times) < 0.4


def test_pyarrow_is_loaded_only_while_a_run_plays() -> None:
    """What a run imports before it plays leaves it out; whoever builds a table has it."""
    code = (
        "import sys, simcore.runs.options, simcore.runs.runner; print('pyarrow' in sys.modules); "
        "from simcore.runs.arrow import pa; print(pa.int8(), 'pyarrow' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "int8 True"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_what_cannot_be_written_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output that waits when the program leaves is written, or its loss is said; a reader who went away is no fault."""
    code = "import simcore.cli as c; c.invoke = lambda arguments: print('words') or 0; c.main()"
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # else nothing waits
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "words\n"
    with open("/dev/full", "w") as full:
        lost = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (lost.returncode, lost.stderr) == (1, "error: No space left on device\n")
    reader, writer = os.pipe()
    os.close(reader)
    gone = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (gone.returncode, gone.stderr) == (0, "")


def test_version(cli: Cli) -> None:
    assert cli("--version") == Result(0, f"simcore {simcore.__version__}\n", "")


def test_run_prints_where_its_files_are(cli: Cli, tmp_path: Path) -> None:
    command = ("run", "bridgette", "--bots", "random,random", "--deals", "1_000", "--seed", "3")
    result = cli(*command)
    assert result.code == 0
    assert "simcore rates runs/bridgette-random-seed3" in result.out
    assert "seed 3, into runs/bridgette-random-seed3" in result.err
    assert (tmp_path / "runs/bridgette-random-seed3/manifest.json").is_file()
    again = cli(*command)
    assert again.code == 2
    assert "--overwrite" in again.err
    assert cli(*command, "--overwrite").code == 0


def test_run_as_json(cli: Cli) -> None:
    result = cli("run", "bridgette", "--bots", "random", "--deals", "1e3", "--seed", "9", "--out", "x", "--json")
    document = json.loads(result.out)
    assert set(document) == {"out", "matches", "deals", "seconds", "deals_per_second", "resumed"}
    assert document["out"] == "x"
    assert document["deals"] >= 1000
    assert document["resumed"] is False
    assert "seed 9" in result.err


def test_dry_run_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    result = cli("run", "bridgette", "--bots", "random", "--deals", "1e7", "--dry-run", "--json")
    document = json.loads(result.out)
    assert document["deals"] == 10_000_000
    assert 1_600_000 < document["matches"] <= 10_000_000 / 6
    assert document["chunks"] == -(-document["matches"] // 4096)
    assert 10 < document["disk_bytes"] / document["deals"] < 60
    assert document["seconds"] > 0
    text = cli("run", "bridgette", "--bots", "random", "--matches", "1e6", "--dry-run")
    assert "1,000,000 matches" in text.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("deals", [100, 5000])
def test_forecast_of_disk_space(cli: Cli, tmp_path: Path, deals: int) -> None:
    """Few deals are hardly more than the files they stand in, and many are not charged for a file each."""
    command = ("run", "bridgette", "--bots", "random", "--deals", str(deals), "--out", "x")
    said = json.loads(cli(*command, "--dry-run", "--json").out)["disk_bytes"]
    assert cli(*command).code == 0
    taken = sum(path.stat().st_size for path in (tmp_path / "x").rglob("*.parquet"))
    assert 0.8 * taken < said < 1.25 * taken


def test_rates_and_scores(cli: Cli, made: RunResult) -> None:
    document = json.loads(cli("rates", made.out, "--json").out)
    row = next(row for row in document["rows"] if row["n"])
    assert {"level", "strain", "doubling", "n", "made", "rate", "low", "high"} <= set(row)
    assert row["low"] <= row["rate"] <= row["high"]
    assert document["n"] == sum(row["n"] for row in document["rows"])
    assert document["method"]
    by_role = json.loads(cli("rates", made.out, "--by", "declarer_role", "--json").out)
    assert [row["declarer_role"] for row in by_role["rows"]] == ["dealer", "non_dealer"]
    assert json.loads(cli("scores", made.out, "--json").out)["points_per_deal"][0]["who"] == "seat 0"
    for command in ("rates", "scores"):
        text = cli(command, made.out)
        assert text.code == 0
        assert text.err == ""
        assert text.out.isascii()
    wrong = cli("rates", made.out, "--by", "levl")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean 'level'" in wrong.err


def test_score(cli: Cli) -> None:
    result = cli("score", "bridgette", "--contract", "4SX", "--tricks", "11", "--json")
    assert json.loads(result.out) == {
        "variant": "bridgette",
        "contract": "4SX",
        "tricks": 11,
        "made": True,
        "overtricks": 1,
        "undertricks": 0,
        "points": {"declarer": 2300, "opponent": 0},
    }
    assert simcore.score("bridgette", "4SX", 11) == json.loads(result.out)
    assert "declarer 2300" in cli("score", "bridgette", "--contract", "4SX", "--tricks", "11").out
    flat = cli("score", "bridgette", "--contract", "4SX", "--tricks", "11", "--set", "scoring.doubled_made=0", "--json")
    assert json.loads(flat.out)["points"]["declarer"] == 1500
    sheet = cli("score", "bridgette", "--table").out.splitlines()
    assert len(sheet) == 2 + 36 * 3
    assert sheet[-1].split()[0] == "7NTXX"
    assert len(json.loads(cli("score", "bridgette", "--table", "--json").out)["results"]) == 36 * 3 * 14


def test_deal_and_replay(cli: Cli, tmp_path: Path) -> None:
    result = cli("deal", "bridgette", "--match", "3", "--count", "2", "--bots", "random", "--json")
    assert result.code == 0
    lines = [json.loads(line) for line in result.out.splitlines()]
    deals = [line for line in lines if line["format"] == "simcore-transcript/1"]
    matches = [line for line in lines if line["format"] == "simcore-match/1"]
    assert [line["match"] for line in matches] == [3, 4]
    assert list(simcore.deal("bridgette", 3, count=2, bots="random")) == lines
    (tmp_path / "deals.jsonl").write_text(result.out)
    report = cli("replay", "deals.jsonl", "--json")
    assert (report.code, json.loads(report.out)) == (
        0,
        {"transcripts": len(deals), "ok": len(deals), "violations": []},
    )
    assert simcore.replay(tmp_path / "deals.jsonl").ok == len(deals)
    played = next(place for place, line in enumerate(deals) if line["result"]["contract"])
    deals[played]["result"]["points"][0] += 100
    (tmp_path / "wrong.jsonl").write_text("\n".join(map(json.dumps, deals)))
    found = cli("replay", "wrong.jsonl", "--json")
    assert found.code == 1
    violation = json.loads(found.out)["violations"][0]
    assert violation["transcript"] == played
    assert set(violation) == {"transcript", "event", "rule", "message"}
    text = cli("replay", "wrong.jsonl")
    assert text.code == 1
    assert f"transcript {played}" in text.out
    shown = cli("deal", "bridgette", "--match", "3", "--bots", "random")
    assert shown.code == 0
    assert shown.out


def test_deal_plays_what_run_plays(made: RunResult) -> None:
    deals = made.deals()
    lines = [line for line in simcore.deal("bridgette", 5, bots="random") if line["format"] == "simcore-transcript/1"]
    rows = deals[deals["match"] == 5]
    assert [line["result"]["points"] for line in lines] == rows[["points_0", "points_1"]].to_numpy().tolist()
    assert [line["dealer"] for line in lines] == rows["dealer"].tolist()


def test_deal_into_a_pipe_that_closes() -> None:
    command = f"{sys.executable} -m simcore deal bridgette --bots random --count 3000 --json | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert json.loads(done.stdout)["match"] == 0


def test_show_check_and_schema(cli: Cli, made: RunResult, tmp_path: Path) -> None:
    shown = cli("show", "bridgette")
    assert shown.code == 0
    (tmp_path / "shown.yaml").write_text(shown.out)
    checked = cli("check", "shown.yaml", made.out)
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.count(": ok") == 2
    assert cli("show", "bridgette", "--origin").out != shown.out
    assert json.loads(cli("show", "bridgette", "--json").out)["name"] == "bridgette"
    (tmp_path / "wrong.yaml").write_text("name: x\nplayers: two\ndeck: {colonels: []}\n")
    wrong = cli("check", "wrong.yaml")
    assert wrong.code == 2
    assert "wrong.yaml:2" in wrong.err
    assert "wrong.yaml:3" in wrong.err
    document = json.loads(cli("check", "shown.yaml", "wrong.yaml", "--json").out)
    assert [found["ok"] for found in document["files"]] == [True, False]
    for kind in ("variant", "bot", "run"):
        assert json.loads(cli("schema", kind).out)["type"] == "object"


def test_check_of_a_damaged_run(cli: Cli, tmp_path: Path) -> None:
    made = simcore.run("bridgette", bots="random", deals=200, out=tmp_path / "run")
    (made.out / "deals" / "part-000000.parquet").write_bytes(b"x")
    result = cli("check", made.out)
    assert result.code == 1
    assert "checksum" in result.err


def test_shipped_variants_and_bots(cli: Cli) -> None:
    for kind, name in (("variants", "bridgette"), ("bots", "heuristic")):
        assert any(line.startswith(name) for line in cli(kind).out.splitlines())
        document = json.loads(cli(kind, "--json").out)
        assert name in [entry["name"] for entry in document[kind]]


def test_doctor(cli: Cli) -> None:
    result = cli("doctor", "--json")
    document = json.loads(result.out)
    assert (result.code, document["ok"]) == (0, True)
    assert all(test["ok"] for test in document["self_test"])
    assert document["cache"]["writable"]
    assert "self_test" not in cli("doctor").out


@pytest.mark.parametrize(
    ("text", "number"),
    [("1000", 1000), ("1_000_000", 10**6), ("1e6", 10**6), ("2.5e3", 2500), ("1E+3", 1000), ("007", 7), (None, None)],
)
def test_counts(text: str | None, number: int | None) -> None:
    assert options.count("--deals", text) == number


@pytest.mark.parametrize("text", ["", "x", "1.5", "1e-3", "1__0", "_1", "0x10", "1.55e1", "-3", "٣", "1e400"])
def test_wrong_counts(text: str) -> None:
    with pytest.raises(InputError, match="--deals"):
        options.count("--deals", text, 1, 10**12)


def test_public_names() -> None:
    for name in simcore.__all__:
        assert getattr(simcore, name)
    importlib.import_module("simcore.replay")
    assert callable(simcore.replay)
    with pytest.raises(AttributeError):
        _ = simcore.nonsense
