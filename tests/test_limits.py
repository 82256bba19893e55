"""Runs that cannot end well are refused before anything is written, with the arithmetic."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_resume import contents, small

from simcore.api import resolve_run
from simcore.cli import invoke
from simcore.config import load_run
from simcore.errors import InputError
from simcore.runs import limits, read_manifest
from simcore.runs.forecast import Forecast
from simcore.runs.limits import duration, memory_there, refusals, size, weigh

GIB = 2**30
RUN = resolve_run("bridgette", bots="random", matches=10**9)
FINE = Forecast(
    out=Path("runs/x"), matches=10**9, deals=6 * 10**9, chunks=244_141, workers=2, deals_before=0, seconds=1800.0,
    disk_bytes=100 * GIB, memory_bytes=GIB, calibration_deals=30_000,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight gigabytes of memory, and two hundred of disk."""
    monkeypatch.setattr(limits, "memory_there", lambda: 8 * GIB)
    monkeypatch.setattr(limits, "disk_free", lambda out, replaced=False: 200 * GIB)


REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    (
        {"disk_bytes": 300 * GIB},
        [
            r"6,000,000,000 deals of 53\.7 bytes are 300\.0 GiB on disk, and 200\.0 GiB are free at runs/x; "
            r"about 4,000,000,000 deals have room there, or sums only: --output summary"
        ],
    ),
    ({"disk_bytes": 300 * GIB, "deals_before": 5 * 10**9}, []),
    (
        {"memory_bytes": 9 * GIB},
        [r"9\.0 GiB of memory are needed \(2 workers, chunks of 4,096 matches\), 8\.0 GiB are there"],
    ),
    ({"seconds": 1e9}, [r"6,000,000,000 deals at 6 a second with 2 workers take 31\.7 years, more than a year"]),
    (
        {"chunks": 2_000_000},
        [
            r"1,000,000,000 matches in chunks of 4,096 are 2,000,000 files of each table, more than 250,000; "
            r"a larger chunk \(--set chunk=10000\)"
        ],
    ),
    ({"seconds": 1e9, "disk_bytes": 2**60, "chunks": 10**9, "endless": True}, []),
    ({"memory_bytes": 9 * GIB, "seconds": 1e9, "disk_bytes": 2**60}, ["memory", "years", r"1,048,576\.0 TiB on disk"]),
]


@pytest.mark.parametrize(("changes", "said"), REFUSED)
def test_what_is_refused(changes: dict[str, Any], said: list[str]) -> None:
    found = replace(FINE, **changes)
    texts = refusals(found, RUN)
    assert len(texts) == len(said)
    assert all(re.search(pattern, text) for pattern, text in zip(said, texts))
    told: list[Forecast] = []
    if said:
        with pytest.raises(InputError, match=said[0]):
            weigh(RUN, found, told.append)
    else:
        weigh(RUN, found, told.append)
    assert told == ([] if said else [found])


def test_sums_need_no_files() -> None:
    found = replace(FINE, chunks=10**9, disk_bytes=10**6)
    assert refusals(found, resolve_run("bridgette", bots="random", matches=10**9, output="summary")) == []


def test_a_refused_run_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither an empty place nor a run that was to be replaced; a dry run says what would be refused."""
    made = small(tmp_path / "run")
    before = contents(made.out)
    arguments = ["run", "bridgette", "--bots", "random", "--matches", "1e10", "--set", "chunk=100000", "--out"]
    assert invoke([*arguments, str(tmp_path / "new")]) == 2
    assert invoke([*arguments, str(made.out), "--overwrite"]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.count("on disk, and 200.0 GiB are free") == 2
    assert contents(made.out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert invoke([*arguments, str(tmp_path / "new"), "--dry-run", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["refused"]) == 1
    assert found["disk_bytes"] > 200 * GIB
    assert invoke([*arguments, str(tmp_path / "new"), "--dry-run"]) == 0
    assert "would be refused: " in capsys.readouterr().out
    with pytest.raises(InputError, match="are free"):
        small(tmp_path / "new", matches=10**10, overrides=["chunk=100000"])
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("run bridgette --deals 1e13", "allowed: 1 to 1000000000000"),
        ("run bridgette --workers 1e9", "--workers: 1000000000 is out of range; allowed: 1 .. 4096"),
        ("ladder bridgette --deals 1e15", "--deals: 1000000000000000 is out of range; allowed: 2 .. 1000000000"),
        ("regret bridgette --deals 1e15", "allowed: 1 .. 10000000"),
        ("fit bridgette --play careful --out x.json --deals 1e12", "allowed: 1000 .. 10000000"),
        ("sensitivity bridgette --deals 1e12", "allowed: 2000 .. 10000000"),
        ("tune bridgette --deals 1e12", "allowed: 1000 .. 10000000"),
        ("estimate bridgette --contract 4S --deals 1e12", "allowed are 1 .. 10,000,000"),
    ],
)
def test_absurd_numbers(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What a command would hold in memory, or play for weeks, is refused at once."""
    assert invoke(line.split()) == 2
    assert said in capsys.readouterr().err


def test_a_long_manifest_is_read(tmp_path: Path) -> None:
    """Of a run in very many files, the configuration is read without a careful look at every one of them."""
    made = small(tmp_path / "run", matches=100)
    document = json.loads((made.out / "manifest.json").read_text(encoding="utf-8"))
    entry = document["chunks"][0]
    document["chunks"] = [{**entry, "index": index, "first_match": 100 * index} for index in range(4000)]
    (made.out / "manifest.json").write_text(json.dumps(document), encoding="utf-8")
    assert (made.out / "manifest.json").stat().st_size > 1_000_000
    assert load_run(made.out) == load_run(document["config"])
    assert len(read_manifest(made.out).chunks) == 4000
    (made.out / "manifest.json").write_text(json.dumps(document)[:-1], encoding="utf-8")
    with pytest.raises(InputError, match="this is not JSON"):
        load_run(made.out)


def test_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    memory = memory_there()
    assert memory is not None
    assert 10**8 < memory < 2**50
    free = limits.disk_free(tmp_path / "not" / "yet")
    assert free is not None
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_bytes(bytes(50_000_000))
    with_it, without = limits.disk_free(tmp_path / "there", replaced=True), limits.disk_free(tmp_path / "there")
    assert with_it is not None
    assert without is not None
    assert with_it - without > 25_000_000
    assert limits.disk_free("s3://bucket/run") is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.34, "2.3 s"), (90, "1 min 30 s"), (7200, "2 h 0 min"), (864_000, "10.0 days"), (38_942_078_400, "1,234.0 years")],
)
def test_times_in_words(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("number", "text"), [(5, "5 B"), (2048, "2.0 KiB"), (3 << 40, "3.0 TiB"), (1 << 50, "1,024.0 TiB")])
def test_sizes_in_words(number: float, text: str) -> None:
    assert size(number) == text
