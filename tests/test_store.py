"""The run directory: fixed schema, finished files only, the same table whatever the threads and chunks, interrupts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import simcore
from simcore.api import resolve_run
from simcore.columns import Column
from simcore.errors import InputError
from simcore.runs import read_manifest, read_table, runner, store
from simcore.runs.plan import ChunkSpec, Played, chunk_specs, cut, default_out, join
from simcore.runs.runner import Options, RunInterrupted, run_batch
from simcore.runs.schema import build_table, table_schema
from simcore.runs.verify import check_run

COLUMNS = (
    Column("match", "int64", "", "number of the match"),
    Column("passed_out", "bool", "", "nobody bid"),
    Column("points_0", "int32", "points", "points of seat 0", tenths=True),
    Column("strain", "int8", "", "strain", played_only=True, names=("C", "D", "H", "S", "NT")),
    Column("level", "int8", "tricks", "level", played_only=True),
    Column("made", "bool", "", "made", played_only=True),
    Column("winner", "int8", "seat", "winner, null where shared", optional=True),
)


def small(out: Path, **options: object) -> simcore.api.RunResult:
    """A small run of the random bot."""
    given: dict[str, object] = {"bots": "random", "deals": 3000, "seed": 5, "overrides": ["chunk=100"]}
    return simcore.run("bridgette", out=out, **(given | options))


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """A run that tests may read but not change."""
    return small(tmp_path_factory.mktemp("store") / "one")


def raw(passed: list[bool]) -> dict[str, np.ndarray]:
    """Raw rows, one a deal."""
    n = len(passed)
    return {
        "match": np.arange(n, dtype=np.int64),
        "passed_out": np.array(passed),
        "points_0": np.array([51, 0, 28_000, 1][:n], np.int32),
        "strain": np.array([4, 0, -1, 2][:n], np.int8),
        "level": np.array([3, -1, -1, 7][:n], np.int8),
        "made": np.array([1, -1, -1, 1][:n], np.int8),
        "winner": np.array([-1, 0, 1, -1][:n], np.int8),
    }


def test_schema_has_units_meanings_and_origin(one: simcore.api.RunResult) -> None:
    for table in ("deals", "matches"):
        schema = pq.read_schema(one.out / table / "part-000000.parquet")
        for field in schema:
            assert field.metadata[b"meaning"], field.name
            assert b"unit" in field.metadata
        assert schema.metadata[b"simcore.seed"] == b"5"
        assert schema.metadata[b"simcore.variant"] == b"bridgette"
        assert len(schema.metadata[b"simcore.rules_digest"]) == 64
    deals = pq.read_schema(one.out / "deals" / "part-000000.parquet")
    assert deals.field("strain").type == pa.dictionary(pa.int8(), pa.string())
    assert deals.field("points_0").type == pa.float64()
    assert deals.field("level").type == pa.int8()


def test_a_first_chunk_that_is_all_null_has_the_same_schema(tmp_path: Path) -> None:
    schema = table_schema(COLUMNS, {"simcore.seed": "1"})
    folder = store.Folder(tmp_path)
    for index, passed in enumerate(([True] * 4, [False, False, True, False])):
        store.write_part(folder, "deals", index, build_table(COLUMNS, raw(passed), schema))
    table = ds.dataset(str(tmp_path / "deals"), format="parquet").to_table()
    assert table.schema.equals(schema)
    assert table["strain"].to_pylist() == [None] * 4 + ["NT", "C", None, "H"]
    assert table["level"].to_pylist() == [None] * 4 + [3, None, None, 7]
    assert table["made"].to_pylist() == [None] * 4 + [True, None, None, True]
    assert table["winner"].to_pylist() == [None, 0, 1, None] * 2
    assert table["points_0"].to_pylist() == [5.1, 0.0, 2800.0, 0.1] * 2
    frame = pd.read_parquet(tmp_path / "deals")
    assert list(frame["strain"].cat.categories) == ["C", "D", "H", "S", "NT"]
    assert frame["strain"].tolist()[4:] == ["NT", "C", np.nan, "H"] or frame["strain"].isna().tolist()[4:] == [
        0,
        0,
        1,
        0,
    ]


def test_frames_have_nullable_types_and_names(one: simcore.api.RunResult) -> None:
    deals, matches = one.deals(), one.matches()
    assert len(deals) == one.n_deals >= 3000
    assert len(matches) == one.n_matches
    assert deals["level"].dtype == pd.Int8Dtype()
    assert deals["made"].dtype == pd.BooleanDtype()
    assert deals["points_0"].dtype == np.float64
    assert set(deals["strain"].dropna()) <= {"C", "D", "H", "S", "NT"}
    assert deals.loc[deals["passed_out"], ["strain", "level", "made", "declarer", "tricks"]].isna().all(axis=None)
    assert deals.loc[~deals["passed_out"], ["strain", "level", "made", "declarer", "tricks"]].notna().all(axis=None)
    assert (deals["len_trump_declarer"].isna() == ((deals["strain"] == "NT") | deals["passed_out"])).all()
    played = deals[~deals["passed_out"]]
    assert (played["made"] == (played["undertricks"] == 0)).all()
    assert ((played["tricks"] >= played["level"] + 6) == played["made"]).all()
    sums = deals.groupby("match")[["points_0", "points_1"]].sum()
    assert np.array_equal(sums.to_numpy(), matches[["total_0", "total_1"]].to_numpy())
    assert (deals.groupby("match").size().to_numpy() == matches["deals"].to_numpy()).all()
    level = matches["total_0"] == matches["total_1"]
    assert (matches["winner"].isna() == level).all()


def test_reading_needs_nothing_of_ours(one: simcore.api.RunResult) -> None:
    frame = pd.read_parquet(one.out / "deals")
    assert len(frame) == one.n_deals
    assert frame["match"].is_monotonic_increasing


def test_an_unfinished_file_is_never_read(one: simcore.api.RunResult, tmp_path: Path) -> None:
    folder = store.Folder(tmp_path)
    folder.put("deals/part-000000.parquet", (one.out / "deals/part-000000.parquet").read_bytes())
    (tmp_path / "deals" / ".writing-99-part-000001.parquet").write_bytes(b"half a file")
    rows = pq.read_metadata(tmp_path / "deals/part-000000.parquet").num_rows
    assert len(pd.read_parquet(tmp_path / "deals")) == rows


def test_a_failed_write_leaves_the_old_file_and_no_leftover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = store.Folder(tmp_path)
    folder.put("manifest.json", b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        folder.put("manifest.json", b"new")
    assert folder.get("manifest.json") == b"old"
    assert folder.names() == ["manifest.json"]


@pytest.mark.parametrize(("workers", "chunk"), [(1, 1000), (2, 4096), (7, 1000), (7, 37), (2, 100)])
def test_same_table_for_any_workers_and_chunks(one: simcore.api.RunResult, tmp_path: Path, workers: int, chunk: int) -> None:
    other = small(tmp_path / "run", workers=workers, overrides=[f"chunk={chunk}"])
    assert other.n_matches == one.n_matches
    for table in ("deals", "matches"):
        assert read_table(other.out, table).equals(read_table(one.out, table).combine_chunks())


def test_files_are_the_same_bytes_for_any_workers(one: simcore.api.RunResult, tmp_path: Path) -> None:
    other = small(tmp_path / "run", workers=7)
    for name in (*read_manifest(one.out).files("deals"), *read_manifest(one.out).files("matches")):
        assert (one.out / name).read_bytes() == (other.out / name).read_bytes()


def test_a_target_in_deals_takes_whole_matches_in_order(one: simcore.api.RunResult, tmp_path: Path) -> None:
    more = small(tmp_path / "run", deals=None, matches=one.n_matches + 20)
    assert more.n_matches == one.n_matches + 20
    beginning = more.deals().iloc[: one.n_deals]
    pd.testing.assert_frame_equal(beginning, one.deals())
    last = one.matches()["deals"].iloc[-1]
    assert one.n_deals - last < 3000 <= one.n_deals


def test_unit_deal_has_one_row_a_deal_and_no_matches(tmp_path: Path) -> None:
    made = small(tmp_path / "run", unit="deal", deals=500)
    deals = made.deals()
    assert len(deals) == made.n_deals == made.n_matches == 500
    assert deals["match"].tolist() == list(range(500))
    assert (deals["deal"] == 0).all()
    assert 0.3 < deals["dealer"].mean() < 0.7
    assert not (made.out / "matches").exists()
    with pytest.raises(InputError, match="unit: deal"):
        made.matches()


def test_redealt_deals_are_rows_of_their_unit(tmp_path: Path) -> None:
    made = small(tmp_path / "run", unit="deal", deals=500, overrides=["chunk=64", "auction.passed_out=redeal"])
    deals = made.deals()
    assert 500 <= len(deals) == made.n_deals < 500 + 21
    assert made.n_matches == deals["match"].nunique()
    assert deals.groupby("match")["passed_out"].sum().max() >= 1


def test_manifest_is_a_configuration(one: simcore.api.RunResult, tmp_path: Path) -> None:
    for number, config in enumerate((one.out / "manifest.json", one.out)):
        again = simcore.run(config, out=tmp_path / str(number))
        assert read_table(again.out, "deals").equals(read_table(one.out, "deals"))
    document = json.loads((one.out / "manifest.json").read_text())
    assert document["state"] == "finished"
    assert document["deals"] == one.n_deals
    assert document["config"]["seed"] == document["seed"] == 5
    assert sum(chunk["deals"] for chunk in document["chunks"]) == one.n_deals
    assert simcore.open_run(one.out).n_deals == one.n_deals


def test_largest_seed_survives(tmp_path: Path) -> None:
    made = small(tmp_path / "run", seed=2**64 - 1, deals=60)
    again = simcore.run(made.out, out=tmp_path / "again")
    assert read_manifest(made.out).config["seed"] == 2**64 - 1
    assert read_table(again.out, "deals").equals(read_table(made.out, "deals"))
    assert not read_table(small(tmp_path / "zero", seed=0, deals=60).out, "deals").equals(read_table(made.out, "deals"))


def test_refuses_to_overwrite(tmp_path: Path) -> None:
    small(tmp_path / "run", deals=60)
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=r"already holds a run.*--overwrite"):
        small(tmp_path / "run", deals=60)
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before
    made = small(tmp_path / "run", deals=500, unit="deal", overwrite=True)
    assert check_run(made.out) == []
    assert not (made.out / "matches").exists()


def test_overwrite_never_deletes_what_is_not_a_run(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    (tmp_path / "file").write_text("a file")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "manifest.json").write_text('{"format": "something else"}')
    for name in ("thesis", "file", "foreign"):
        with pytest.raises(InputError, match=r"left alone|is a file"):
            small(tmp_path / name, deals=60, overwrite=True)
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "years of work"
    small(tmp_path / "run", deals=60)
    (tmp_path / "run" / "deals" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="no run wrote"):
        small(tmp_path / "run", deals=60, overwrite=True)
    assert (tmp_path / "run" / "deals" / "notes.txt").read_text() == "mine"


def test_an_empty_directory_may_be_used(tmp_path: Path) -> None:
    assert small(tmp_path, deals=60).n_deals >= 60


def test_a_directory_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        small(tmp_path / "file" / "run", deals=60)


def test_check_finds_damage(tmp_path: Path) -> None:
    made = small(tmp_path / "run", deals=1500)
    assert check_run(made.out) == []
    part = made.out / "deals" / "part-000001.parquet"
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(bytes(data))
    (made.out / "matches" / "part-000000.parquet").unlink()
    (made.out / "deals" / "part-000099.parquet").write_bytes(b"")
    problems = check_run(made.out)
    assert len(problems) == 3
    assert any("part-000001" in text and "checksum" in text for text in problems)
    assert any("matches/part-000000" in text and "missing" in text for text in problems)
    assert any("part-000099" in text and "not part" in text for text in problems)
    document = json.loads((made.out / "manifest.json").read_text())
    del document["chunks"][1]
    (made.out / "manifest.json").write_text(json.dumps(document))
    assert any("gap" in text for text in check_run(made.out))


def test_a_damaged_manifest_is_explained(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such run directory"):
        read_manifest(tmp_path / "nothing")
    with pytest.raises(InputError, match=r"no manifest\.json"):
        read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="damaged"):
        read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "simcore-run/1"}')
    with pytest.raises(InputError, match="damaged"):
        read_manifest(tmp_path)


def test_a_full_disk_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = store.write_part

    def full(folder: store.Folder, table: str, index: int, rows: pa.Table) -> store.PartFile:
        if index == 2:
            raise OSError(28, "No space left on device")
        return write(folder, table, index, rows)

    monkeypatch.setattr(store, "write_part", full)
    with pytest.raises(OSError, match="No space"):
        small(tmp_path / "run")
    manifest = read_manifest(tmp_path / "run")
    assert manifest.state == "interrupted"
    assert [chunk.index for chunk in manifest.chunks] == [0, 1]
    assert len(read_table(tmp_path / "run", "deals")) == manifest.deals


def test_interrupt_before_anything_is_stored_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(run: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "Player", interrupted)
    with pytest.raises(RunInterrupted) as caught:
        run_batch(resolve_run("bridgette", bots="random"), Options(out=tmp_path / "run"))
    assert caught.value.result is None
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_ctrl_c_keeps_finished_chunks(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "simcore", "run", "bridgette", "--bots", "random", "--deals", "1e8"]
    command += ["--out", str(out), "--json", "--seed", "5", "--set", "chunk=500"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        limit = time.monotonic() + 120
        while not (out / "deals" / "part-000003.parquet").exists():
            assert process.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        printed, said = process.communicate(timeout=20)
    finally:
        process.kill()
    assert time.monotonic() - sent < 2
    assert process.returncode == 130
    assert printed == ""
    assert "kept in" in said
    assert "Traceback" not in said
    manifest = read_manifest(out)
    assert manifest.state == "interrupted"
    assert manifest.deals > 0
    assert [chunk.index for chunk in manifest.chunks] == list(range(len(manifest.chunks)))
    assert [text for text in check_run(out) if "not finished" not in text] == []
    whole = small(tmp_path / "whole", deals=manifest.deals, overrides=["chunk=500"])
    assert read_table(whole.out, "deals").equals(read_table(out, "deals"))


def test_chunk_specs_cover_every_match_once() -> None:
    assert list(chunk_specs(10, 4)) == [ChunkSpec(0, 0, 4), ChunkSpec(1, 4, 4), ChunkSpec(2, 8, 2)]
    assert list(chunk_specs(8, 4)) == [ChunkSpec(0, 0, 4), ChunkSpec(1, 4, 4)]
    endless = chunk_specs(None, 4)
    assert [next(endless).first_match for _ in range(3)] == [0, 4, 8]


def test_cut_ends_with_a_whole_match() -> None:
    rows = {"match": np.array([10, 10, 11, 11, 11, 12])}
    played = Played(ChunkSpec(0, 10, 3), 3, rows, {"match": np.array([10, 11, 12])})
    for deals, matches, kept in ((1, 1, 2), (2, 1, 2), (3, 2, 5), (5, 2, 5), (6, 3, 6)):
        part = cut(played, deals)
        assert (part.matches, part.deals, len(part.match_rows["match"])) == (matches, kept, matches)


def test_join_puts_pieces_together() -> None:
    class Piece:
        def __init__(self, first: int) -> None:
            self.deals = {"match": np.array([first, first])}
            self.matches = {"match": np.array([first])}

    played = join(ChunkSpec(0, 3, 2), [(1, Piece(3)), (1, Piece(4))])
    assert played.deal_rows["match"].tolist() == [3, 3, 4, 4]
    assert played.match_rows["match"].tolist() == [3, 4]
    assert played.matches == 2


def test_slow_bots_are_played_in_pieces(tmp_path: Path, one: simcore.api.RunResult, monkeypatch: pytest.MonkeyPatch) -> None:
    from simcore.runs.player import Player

    monkeypatch.setattr(Player, "piece", property(lambda self: 7))
    other = small(tmp_path / "run")
    assert read_table(other.out, "deals").equals(read_table(one.out, "deals"))
    assert read_table(other.out, "matches").equals(read_table(one.out, "matches"))


def test_default_directory_names_variant_bots_and_seed() -> None:
    assert default_out(resolve_run("bridgette", bots="random", seed=7)) == Path("runs/bridgette-random-seed7")
    both = resolve_run("bridgette", bots=["random", "heuristic"], seed=3)
    assert default_out(both) == Path("runs/bridgette-random+heuristic-seed3")
