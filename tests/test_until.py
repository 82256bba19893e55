"""Runs that end at a width of an interval: where they end depends on nothing but the matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simcore
from analysis import make_rates
from simcore.api import MOST, resolve_run
from simcore.errors import InputError
from simcore.runs import read_manifest, read_table, until
from simcore.runs.plan import ChunkSpec, Played
from simcore.runs.runner import Options, run_batch
from simcore.runs.until import Watch, look_for, next_look
from simcore.runs.verify import check_run


@pytest.fixture(autouse=True)
def _early_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first look after 100 matches, so that tests are short."""
    monkeypatch.setattr(until, "FIRST_LOOK", 100)


def made(out: Path, workers: int = 2, resume: bool = False, **given: Any) -> simcore.api.RunResult:
    """A small run of random bots."""
    settings: dict[str, Any] = {"bots": "random", "seed": 3, "until": 0.02, "overrides": ["chunk=70"], **given}
    return run_batch(resolve_run("bridgette", **settings), Options(out=out, workers=workers, resume=resume))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """A run that ends by itself."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(until, "FIRST_LOOK", 100)
        return made(tmp_path_factory.mktemp("until") / "first")


def test_looks_double() -> None:
    assert [next_look(matches) for matches in (0, 99, 100, 199, 200, 399, 400)] == [100, 100, 200, 200, 400, 400, 800]
    assert [look_for(matches) for matches in (1, 100, 101, 200, 201, 700)] == [100, 100, 200, 200, 400, 800]


def test_the_run_ends_at_the_first_look_that_is_narrow_enough(first: simcore.api.RunResult, tmp_path: Path) -> None:
    found = make_rates(first).total.rate
    assert first.n_matches in (100, 200, 400, 800, 1600, 3200)
    assert (found.high - found.low) / 2 <= 0.02
    before = made(tmp_path / "before", until=None, matches=first.n_matches // 2)
    wider = make_rates(before).total.rate
    assert (wider.high - wider.low) / 2 > 0.02
    state = read_manifest(first.out).until
    assert state["reached"] is True
    assert (state["matches"], state["n"], state["rate"]) == (first.n_matches, found.n, found.estimate)
    assert (state["low"], state["high"]) == (found.low, found.high)
    assert state["half_width"] == (found.high - found.low) / 2
    assert check_run(first.out) == []
    assert first.as_json()["until"] == state
    assert read_manifest(first.out).config["deals"] == MOST


@pytest.mark.parametrize(("workers", "chunk"), [(1, 1000), (3, 33), (2, 100), (2, 25_000)])
def test_neither_chunks_nor_workers_matter(first: simcore.api.RunResult, tmp_path: Path, workers: int, chunk: int) -> None:
    other = made(tmp_path / "run", workers, overrides=[f"chunk={chunk}"])
    assert (other.n_matches, other.n_deals) == (first.n_matches, first.n_deals)
    assert read_table(other.out, "deals").equals(read_table(first.out, "deals").combine_chunks())


def test_sums_end_where_rows_end(first: simcore.api.RunResult, tmp_path: Path) -> None:
    sums = made(tmp_path / "run", output="summary")
    assert (sums.n_matches, sums.n_deals) == (first.n_matches, first.n_deals)
    assert sums.until == first.until


def test_of_one_contract(tmp_path: Path) -> None:
    one = made(tmp_path / "one", until=0.05, until_of="4S")
    row = next(row for row in make_rates(one).rows if row.key == (4, "S", 1))
    assert (row.rate.high - row.rate.low) / 2 <= 0.05
    assert one.until["n"] == row.rate.n
    assert one.until["half_width"] == pytest.approx((row.rate.high - row.rate.low) / 2)
    single = made(tmp_path / "single", until=0.2, until_of="4SX", unit="deal")
    row = next(row for row in make_rates(single).rows if row.key == (4, "S", 2))
    assert single.until["n"] == row.rate.n
    assert single.n_matches == single.n_deals


def test_the_length_is_the_most(tmp_path: Path) -> None:
    short = made(tmp_path / "run", until=0.0001, matches=350)
    assert short.n_matches == 350
    assert short.state == "finished"
    state = short.as_json()["until"]
    assert (state["reached"], state["matches"]) == (False, 350)
    assert state["needed_matches"] > 100_000
    found = make_rates(short).total.rate
    assert state["half_width"] == pytest.approx((found.high - found.low) / 2)
    never = made(tmp_path / "never", until=0.01, until_of="7NTXX", matches=150)
    assert never.until["reached"] is False


def test_resumed_it_ends_where_it_would_have(first: simcore.api.RunResult, tmp_path: Path) -> None:
    for output in ("rows", "summary"):
        whole = made(tmp_path / f"{output}-whole", output=output)
        other = made(tmp_path / output, output=output)
        document = json.loads((other.out / "manifest.json").read_text())
        kept = document["chunks"][:3] if output == "rows" else []
        document |= {"chunks": kept, "state": "interrupted", "until": None}
        (other.out / "manifest.json").write_text(json.dumps(document))
        again = made(other.out, output=output, resume=True)
        assert again.n_matches == whole.n_matches == first.n_matches
        assert again.until == whole.until
        files = [read_manifest(run).chunks for run in (other.out, whole.out)]
        assert files[0] == files[1]
        (other.out / files[0][0].files[0].name).write_bytes(b"damaged")
        made(other.out, output=output, resume=True)
        assert read_manifest(other.out).chunks == files[1]


def test_another_width_is_not_resumed(tmp_path: Path) -> None:
    made(tmp_path / "run", until=0.05)
    with pytest.raises(InputError, match=r"until\.half_width: 0\.05 there, 0\.06 now"):
        made(tmp_path / "run", until=0.06, resume=True)


def test_parts_of_a_chunk_are_cut_at_looks() -> None:
    run = resolve_run("bridgette", bots="random", until=0.02)
    rows = {
        "match": np.array([90, 90, 99, 100, 100, 250]),
        "level": np.array([1, -1, 2, 3, 3, 4]),
        "strain": np.zeros(6, np.int8),
        "doubling": np.ones(6, np.int8),
        "made": np.array([1, -1, 0, 1, 1, 0]),
    }
    played = Played(ChunkSpec(0, 90, 200), 200, rows, {})
    watch = Watch(run)
    assert watch.parts(played) == ((100, 2, 1, 2, 1, 1), (200, 2, 2, 4, 4, 4), (290, 1, 0, 1, 0, 0))
