"""Sums instead of rows: the same rates, scores and intervals, whatever the chunks, workers, shards and interruptions."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from helpers import RANDOM, SHY, setup_of

import simcore
from analysis import make_rates, score_summary
from analysis.summary import GROUPS
from simcore.api import resolve_run
from simcore.batch import play_chunk
from simcore.errors import InputError
from simcore.notation import card_text
from simcore.runs import read_manifest, runner
from simcore.runs.merge import merge
from simcore.runs.runner import Options, run_batch
from simcore.runs.shard import parse_shard
from simcore.runs.verify import check_run
from simcore.summary import MOMENTS, PAIR_SHAPE, SHAPE, Summary

TWINS = {
    "heuristic": {"bots": "heuristic", "deals": 9000},
    "random": {"bots": "random", "deals": 9000},
    "deal": {"bots": ["random", "heuristic"], "deals": 5000, "unit": "deal"},
    "redeal": {"bots": "random", "matches": 700, "overrides": ["auction.passed_out=redeal", "match.max_deals=9"]},
    "tenths": {"bots": "random", "matches": 700, "overrides": ["scoring.doubled_made=0.7", "match.tie=until_broken"]},
    "plain": {"bots": "random", "matches": 700, "overrides": ["deck.colons=[]", "exchange.kind=none", "deal.upcard=false"]},
}


def made(out: Path, output: str, shard: str | None = None, resume: bool = False, **given: Any) -> simcore.api.RunResult:
    """A small run."""
    settings: dict[str, Any] = {"seed": 5, **given, "output": output}
    settings["overrides"] = ["chunk=300", *settings.get("overrides", [])]
    return run_batch(resolve_run("bridgette", **settings), Options(out=out, resume=resume, shard=parse_shard(shard)))


@pytest.mark.nojit
@pytest.mark.parametrize("bot", [RANDOM, SHY])
def test_counts_agree_with_plain_counting(bot: dict[str, Any]) -> None:
    setup = setup_of(bots=(bot,), seed=9)
    chunk = play_chunk(setup, 3, 12)
    summary = Summary(setup.variant, "match")
    summary.add(chunk.deals, chunk.matches)
    rows = [dict(zip(chunk.deals, values, strict=True)) for values in zip(*map(list, chunk.deals.values()), strict=True)]
    played: dict[int, list[tuple[tuple[int, ...], int]]] = {}
    cells: Counter[tuple[int, ...]] = Counter()
    for row in rows:
        if row["passed_out"]:
            continue
        rank = card_text(int(row["upcard"]))
        kind = 2 if rank[1] == "A" or rank == "GC" else 1 if rank[1] in "JQK" or rank == "RC" else 0
        doubling = {1: 0, 2: 1, 4: 2}[int(row["doubling"])]
        middle = (int(row["declarer_role"]), kind, int(row["strain"]), int(row["level"]), doubling)
        key = (*middle, int(row["contested"]), int(row["tricks"]))
        cells[int(row["dealer"]), *key] += 1
        played.setdefault(int(row["match"]), []).append((key, int(row["made"])))
    counted = summary.sums.cells.reshape(SHAPE)
    assert {place: int(counted[place]) for place in zip(*map(list, counted.nonzero()), strict=True)} == cells
    assert summary.deals == len(rows)
    pairs: Counter[tuple[int, ...]] = Counter()
    for deals in played.values():
        for (one, made_one), (other, made_other) in combinations(deals, 2):
            shared = (a + 1 if a == b else 0 for a, b in zip(one, other, strict=True))
            pairs[*shared, made_one + made_other] += 1
    found = summary.sums.pairs.reshape(*PAIR_SHAPE, 3)
    assert {place: int(found[place]) for place in zip(*map(list, found.nonzero()), strict=True)} == pairs
    totals = chunk.matches["total_0"].astype(int)
    deals_of = chunk.matches["deals"].astype(int)
    expected = [deals_of.sum(), totals.sum(), (deals_of**2).sum(), (deals_of * totals).sum(), (totals**2).sum()]
    assert summary.moments[MOMENTS.index("seat 0")] == expected


@pytest.fixture(scope="module", params=TWINS)
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[simcore.api.RunResult]:
    """The same run with rows and with sums."""
    folder = tmp_path_factory.mktemp("summary")
    return [made(folder / output, output, **TWINS[request.param]) for output in ("rows", "summary")]


def assert_close(one: Any, other: Any) -> None:
    """Equal, numbers up to rounding."""
    if isinstance(one, float) and isinstance(other, float | int):
        assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9), (one, other)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key, value in one.items():
            assert_close(value, other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            assert_close(left, right)
    else:
        assert one == other


def test_scores_are_those_of_the_rows(twins: list[simcore.api.RunResult]) -> None:
    rows, sums = (score_summary(run).as_json() for run in twins)
    assert_close(rows, sums)


def test_rates_are_those_of_the_rows(twins: list[simcore.api.RunResult]) -> None:
    with_upcard = "upcard" in twins[0].deals().columns
    names = [name for name in GROUPS if with_upcard or name != "upcard_class"]
    subsets = list(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))
    for by in (*subsets[:20], *subsets[20::7], ("strain", "level", "doubling")):
        rows, sums = (make_rates(run, by).as_json() for run in twins)
        assert_close(rows, sums)


def test_the_files_are_few_and_can_be_read_by_anybody(twins: list[simcore.api.RunResult]) -> None:
    rows, sums = twins
    clustered = "matches" in make_rates(rows).header
    files = sorted(path.parent.name for path in sums.out.rglob("*.parquet"))
    assert files == (["cells", "pairs", "results", "sums", "totals"] if clustered else ["cells"])
    cells, deals = pd.read_parquet(sums.out / "cells"), rows.deals()
    assert cells["n"].sum() == len(deals)
    assert cells["made"].sum() == deals["made"].sum()
    assert cells["points_declarer"].sum() + cells["points_opponent"].sum() == pytest.approx(
        deals[["points_0", "points_1"]].to_numpy().sum()
    )
    squares = (deals[["points_0", "points_1"]] ** 2).to_numpy().sum()
    assert cells["squares_declarer"].sum() + cells["squares_opponent"].sum() == pytest.approx(squares)
    assert check_run(sums.out) == []
    with pytest.raises(InputError, match="keeps sums and no rows"):
        sums.deals()


def test_other_columns_are_refused_by_name(tmp_path: Path) -> None:
    sums = made(tmp_path / "run", "summary", bots="random", deals=600)
    for name in ("hcp_declarer", "upcard", "dealer", "points_0"):
        with pytest.raises(InputError, match=rf"'{name}' is not a column to group by.*output: summary"):
            make_rates(sums, [name])
    with pytest.raises(InputError, match="did you mean 'level'"):
        make_rates(sums, ["levl"])
    with pytest.raises(InputError, match="twice"):
        make_rates(sums, ["level", "level"])


def contents(out: Path, names: bool = True) -> list[Any]:
    """Files of a summary."""
    found = {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*.parquet"))}
    return [found] if names else list(found.values())


@pytest.mark.parametrize("unit", ["match", "deal"])
def test_neither_chunks_nor_workers_nor_segments_nor_shards_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unit: str
) -> None:
    settings = {"bots": "heuristic", "unit": unit, ("deals" if unit == "deal" else "matches"): 2500}
    one = made(tmp_path / "one", "summary", **settings)
    chunky = made(tmp_path / "chunky", "summary", overrides=["chunk=77"], **settings)
    assert contents(chunky.out, names=False) == contents(one.out, names=False)
    monkeypatch.setattr(runner, "SEGMENT_SECONDS", 0.0)
    monkeypatch.setattr(runner, "MOST_SEGMENTS", 3)
    segmented = made(tmp_path / "segmented", "summary", **settings)
    assert contents(segmented.out) == contents(one.out)
    assert check_run(segmented.out) == []
    parts = [made(tmp_path / str(index), "summary", shard=f"{index}/3", **settings).out for index in (1, 2, 3)]
    joined = merge(parts, tmp_path / "joined")
    assert contents(joined.out) == contents(one.out)
    assert check_run(joined.out) == []


def test_segments_are_resumed_and_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"bots": "random", "deals": 12_000, "overrides": ["chunk=40"]}
    one = made(tmp_path / "one", "summary", **settings)
    other = tmp_path / "other"
    with monkeypatch.context() as patched:
        patched.setattr(runner, "SEGMENT_SECONDS", 0.0)
        patched.setattr(runner._Work, "_join_segments", lambda self: None)
        made(other, "summary", **settings)
    manifest = read_manifest(other)
    assert len(manifest.chunks) > 3
    assert_close(make_rates(one).as_json(), make_rates(other).as_json())
    assert_close(score_summary(one).as_json(), score_summary(other).as_json())
    # the second segment damaged, the last one never entered
    (other / manifest.chunks[1].files[0].name).write_bytes(b"damaged")
    document = json.loads((other / "manifest.json").read_text())
    document["chunks"].pop()
    document["state"] = "running"
    (other / "manifest.json").write_text(json.dumps(document))
    assert len(check_run(other)) >= 3
    made(other, "summary", resume=True, **settings)
    assert contents(other) == contents(one.out)
    assert check_run(other) == []


def test_a_damaged_summary_is_played_again(tmp_path: Path) -> None:
    settings = {"bots": "random", "matches": 900}
    one = made(tmp_path / "one", "summary", **settings)
    before = contents(one.out)
    part = next((one.out / "pairs").iterdir())
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(bytes(data))
    assert len(check_run(one.out)) == 1
    made(one.out, "summary", resume=True, **settings)
    assert contents(one.out) == before


def test_sums_of_huge_points_are_exact(tmp_path: Path) -> None:
    huge = ["scoring.redoubled_made=900000", "scoring.doubled_made=800000.1", "match.deals=40"]
    rows, sums = (made(tmp_path / kind, kind, bots="random", matches=60, overrides=huge) for kind in ("rows", "summary"))
    assert_close(score_summary(rows).as_json(), score_summary(sums).as_json())
    variant = simcore.load_variant("bridgette", huge)
    assert Summary(variant, "match")._matches_at_once < 10_000
    too_long = simcore.load_variant("bridgette", ["scoring.redoubled_made=900000", "match.deals=100"])
    with pytest.raises(InputError, match="use output: rows"):
        Summary(too_long, "match")


def test_the_moments_are_stored_as_whole_numbers(tmp_path: Path) -> None:
    out = made(tmp_path / "run", "summary", bots="random", matches=50).out
    table = pq.read_table(next((out / "sums").iterdir()))
    assert str(table.schema.field("yy").type) == "decimal128(38, 0)"
    assert table["what"].to_pylist()[0] == "passed_out"
