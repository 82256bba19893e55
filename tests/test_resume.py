"""Runs that last: killed and taken up again, cut in shards and joined, damaged and mended, held by one process."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import simcore
from simcore.api import resolve_run
from simcore.errors import InputError
from simcore.runs import read_manifest, read_table, store
from simcore.runs.lock import LOCK, directory_lock
from simcore.runs.merge import merge
from simcore.runs.plan import Extent, extent_of
from simcore.runs.runner import Options, RunInterrupted, run_batch
from simcore.runs.shard import Shard, parse_shard
from simcore.runs.verify import check_run

CONFIG = {"bots": "random", "seed": 5}
QUICK_SEGMENTS = (
    "-c", "from simcore.runs import runner; runner.SEGMENT_SECONDS = 0.1; from simcore.cli import main; main()"
)  # fmt: skip
"""The program, but that sums are stored ten times a second in place of every ten seconds."""
KILLED = ("--bots", "random", "--seed", "5", "--matches", "150000", "--set", "chunk=500")


def small(
    out: Path, resume: bool = False, shard: str | None = None, workers: int = 2, **given: object
) -> simcore.api.RunResult:
    """A small run."""
    settings: dict[str, object] = {"matches": 1000, "overrides": ["chunk=100"], **CONFIG, **given}
    options = Options(out=out, workers=workers, progress=False, resume=resume, shard=parse_shard(shard))
    return run_batch(resolve_run("bridgette", **settings), options)


def contents(out: Path) -> dict[str, bytes]:
    """Part files of a run directory."""
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*.parquet"))}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """The undisturbed run."""
    return small(tmp_path_factory.mktemp("resume") / "whole")


def cut_off(out: Path, chunks: list[int], state: str = "running") -> None:
    """Make a finished run look as if it had been killed: only some chunks are listed, and only in the journal."""
    document = json.loads((out / "manifest.json").read_text())
    entries = {entry["index"]: entry for entry in document["chunks"]}
    document |= {"chunks": [], "state": state, "ended": None}
    (out / "manifest.json").write_text(json.dumps(document))
    (out / "chunks.jsonl").write_text("".join(json.dumps(entries[index]) + "\n" for index in chunks) + '{"index": 99, "fi')


def kill_and_resume(
    out: Path, kills: int, seed: int, arguments: tuple[str, ...] = KILLED, program: tuple[str, ...] = ("-m", "simcore")
) -> int:
    """Start a run, kill it at random moments until it has been killed so often, let it end; the number of kills."""
    generator = random.Random(seed)
    command = [sys.executable, *program, "run", "bridgette", *arguments, "--out", str(out), "--resume", "--json"]
    done = 0
    while True:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done == kills:
            printed, said = process.communicate(timeout=600)
            assert process.returncode == 0, said
            assert json.loads(printed)["resumed"] is True
            return done
        if generator.random() < 0.75:
            _wait_for_chunks(process, out)
            time.sleep(generator.uniform(0, 0.25))
        else:  # perhaps before it has begun to store anything
            time.sleep(generator.uniform(0, 2))
        if process.poll() is None:
            process.kill()
            done += 1
        process.communicate()


def _wait_for_chunks(process: subprocess.Popen[str], out: Path) -> None:
    """Until a process has begun to store something (or has ended)."""
    before = time.time()
    limit = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < limit:
        journal = out / "chunks.jsonl"
        if journal.exists() and journal.stat().st_mtime >= before:
            return
        time.sleep(0.01)


def test_killed_and_resumed_run_is_the_undisturbed_one(tmp_path: Path) -> None:
    assert kill_and_resume(tmp_path / "run", 4, 11) == 4
    undisturbed = simcore.run("bridgette", out=tmp_path / "whole", matches=150_000, overrides=["chunk=500"], **CONFIG)
    assert contents(tmp_path / "run") == contents(undisturbed.out)
    assert check_run(tmp_path / "run") == []
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["resumed"]


def kill_a_summary(tmp_path: Path, kills: int, seed: int, matches: int) -> None:
    """Kill a run with ``--output summary`` at random moments; in the end its sums are those of an undisturbed run."""
    arguments = ("--bots", "random", "--seed", "5", "--matches", str(matches), "--set", "chunk=1000", "--output", "summary")
    assert kill_and_resume(tmp_path / "run", kills, seed, arguments, QUICK_SEGMENTS) == kills
    settings = {**CONFIG, "output": "summary", "matches": matches, "overrides": ["chunk=1000"]}
    undisturbed = simcore.run("bridgette", out=tmp_path / "whole", **settings)
    assert contents(tmp_path / "run") == contents(undisturbed.out)
    assert len(contents(tmp_path / "run")) == 5
    assert check_run(tmp_path / "run") == []
    resumed = json.loads((tmp_path / "run" / "manifest.json").read_text())["resumed"]
    assert any(0 < time_["deals"] < undisturbed.n_deals for time_ in resumed), "no kill in the middle"


def test_killed_and_resumed_summary_is_the_undisturbed_one(tmp_path: Path) -> None:
    kill_a_summary(tmp_path, 4, 17, 1_000_000)


@pytest.mark.parametrize("chunks", [[], [0], [0, 1, 2, 5, 6], [9], list(range(10))])
def test_resume_plays_what_no_line_lists(whole: simcore.api.RunResult, tmp_path: Path, chunks: list[int]) -> None:
    made = small(tmp_path / "run")
    cut_off(made.out, chunks)
    (made.out / "deals" / ".writing-1-part-000004.parquet").write_bytes(b"half")
    assert read_manifest(made.out).matches == 100 * len(chunks)
    again = small(made.out, resume=True, workers=1)
    assert (again.resumed, again.state, again.n_deals) == (True, "finished", whole.n_deals)
    assert contents(made.out) == contents(whole.out)
    assert check_run(made.out) == []


def test_a_target_in_deals_is_resumed_to_the_same_end(tmp_path: Path) -> None:
    one = small(tmp_path / "one", matches=None, deals=3000)
    other = small(tmp_path / "other", matches=None, deals=3000)
    for chunks in ([0, 3], [4], [0, 1, 2, 3]):
        cut_off(other.out, chunks)
        small(other.out, resume=True, matches=None, deals=3000)
        assert contents(other.out) == contents(one.out)


def test_a_flipped_bit_and_a_missing_file_are_played_again(whole: simcore.api.RunResult, tmp_path: Path) -> None:
    made = small(tmp_path / "run")
    part = made.out / "deals" / "part-000003.parquet"
    data = bytearray(part.read_bytes())
    data[len(data) // 3] ^= 8
    part.write_bytes(bytes(data))
    (made.out / "matches" / "part-000007.parquet").unlink()
    assert len(check_run(made.out)) == 2
    again = small(made.out, resume=True)
    assert check_run(made.out) == []
    assert contents(made.out) == contents(whole.out)
    assert again.n_deals == whole.n_deals
    assert "part-000003.parquet: content differs" in (made.out / "log.txt").read_text()


def test_resuming_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    made = small(tmp_path / "run")
    before = json.loads((made.out / "manifest.json").read_text())
    again = small(made.out, resume=True)
    assert (again.n_deals, again.resumed) == (made.n_deals, False)
    assert json.loads((made.out / "manifest.json").read_text()) == before


def test_resume_begins_where_nothing_is(whole: simcore.api.RunResult, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("new", "empty"):
        made = small(tmp_path / name, resume=True)
        assert not made.resumed
        assert contents(made.out) == contents(whole.out)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seed": 6}, ["seed: 5 there, 6 now"]),
        ({"matches": 2000}, ["matches: 1000 there, 2000 now"]),
        ({"overrides": ["chunk=50"]}, ["chunk: 100 there, 50 now"]),
        (
            {"overrides": ["chunk=100", "scoring.doubled_made=0", "auction.jump=ladder"]},
            ["variant.scoring.doubled_made: 400 there, 0 now", "variant.auction.jump: level there, ladder now"],
        ),
        ({"bots": ["random", "heuristic"]}, ["bots[1].name: random there, heuristic now"]),
    ],
)
def test_another_configuration_is_not_resumed(tmp_path: Path, given: dict[str, object], said: list[str]) -> None:
    made = small(tmp_path / "run", matches=1000)
    before = contents(made.out)
    with pytest.raises(InputError, match="cannot be resumed") as caught:
        small(made.out, resume=True, **given)
    for text in said:
        assert text in str(caught.value)
    assert contents(made.out) == before


def test_another_shard_is_not_resumed(tmp_path: Path) -> None:
    made = small(tmp_path / "run", shard="1/2")
    with pytest.raises(InputError, match="shard: 1/2 there, 2/2 now"):
        small(made.out, resume=True, shard="2/2")
    assert small(made.out, resume=True).n_matches == 500


def test_another_engine_is_not_resumed(tmp_path: Path) -> None:
    made = small(tmp_path / "run")
    text = (made.out / "manifest.json").read_text()
    digest = json.loads(text)["engine_digest"]
    (made.out / "manifest.json").write_text(text.replace(digest, "0123456789abcdef"))
    with pytest.raises(InputError, match="0123456789abcdef"):
        small(made.out, resume=True)
    with pytest.raises(InputError, match="another version of the engine"):
        merge([made.out], tmp_path / "joined")


def test_joined_shards_are_one_run(whole: simcore.api.RunResult, tmp_path: Path) -> None:
    parts = [small(tmp_path / str(index), shard=f"{index}/3") for index in (1, 2, 3)]
    assert [part.n_matches for part in parts] == [300, 300, 400]
    assert all(check_run(part.out) == [] for part in parts)
    joined = merge([parts[2].out, parts[0].out, parts[1].out], tmp_path / "joined")
    assert contents(joined.out) == contents(whole.out)
    assert check_run(joined.out) == []
    assert read_table(joined.out, "deals").equals(read_table(whole.out, "deals"))
    one = json.loads((joined.out / "manifest.json").read_text())
    other = json.loads((whole.out / "manifest.json").read_text())
    assert all(one[key] == other[key] for key in ("config", "chunks", "state", "deals", "matches", "shard", "extent"))


def test_shards_of_independent_deals(tmp_path: Path) -> None:
    settings = {"unit": "deal", "matches": None, "deals": 950}
    one = small(tmp_path / "one", **settings)
    parts = [small(tmp_path / str(index), shard=f"{index}/2", **settings).out for index in (1, 2)]
    assert contents(merge(parts, tmp_path / "joined").out) == contents(one.out)


def test_what_cannot_be_joined(whole: simcore.api.RunResult, tmp_path: Path) -> None:
    one, two, three = (small(tmp_path / str(index), shard=f"{index}/3").out for index in (1, 2, 3))
    half = small(tmp_path / "half", shard="1/2").out
    other = small(tmp_path / "other", shard="2/3", seed=6).out
    out = tmp_path / "joined"
    for parts, said in (
        ([one, three], "matches 300 to 599 are missing"),
        ([two, three], "matches 0 to 299 are missing"),
        ([one, two], "matches 600 to 999 are missing"),
        ([one, half, two, three], "overlap"),
        ([one, one, two, three], "overlap"),
        ([one, other, three], "seed: 5 in .*1, 6 in .*other"),
    ):
        with pytest.raises(InputError, match=said):
            merge(parts, out)
    with pytest.raises(InputError, match="one of the parts"):
        merge([one, two, three], two)
    assert not out.exists()
    part = two / "deals" / "part-000004.parquet"
    data = bytearray(part.read_bytes())
    data[50] ^= 1
    part.write_bytes(bytes(data))
    with pytest.raises(InputError, match=r"part-000004\.parquet is damaged"):
        merge([one, two, three], out)
    cut_off(two, [3])
    with pytest.raises(InputError, match="is not finished"):
        merge([one, two, three], tmp_path / "later")


def test_shards_cover_every_chunk_once() -> None:
    run = resolve_run("bridgette", matches=1050, overrides=["chunk=100"], **CONFIG)
    for of in (1, 2, 3, 7, 11):
        extents = [extent_of(run, Shard(index, of)) for index in range(1, of + 1)]
        assert extents[0].first == 0
        assert extents[-1].end == 1050
        assert all(one.end == other.first for one, other in zip(extents, extents[1:], strict=False))
        assert all(extent.first % 100 == 0 and extent.matches for extent in extents)
    assert extent_of(run) == Extent(0, 1050)


@pytest.mark.parametrize(
    ("given", "shard", "said"),
    [
        ({"deals": 5000, "matches": None}, "1/2", "--matches"),
        ({"deals": 900, "matches": None, "unit": "deal", "overrides": ["auction.passed_out=redeal"]}, "1/2", "dealt again"),
        ({}, "1/11", "10 chunks"),
    ],
)
def test_what_cannot_be_cut(tmp_path: Path, given: dict[str, object], shard: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        small(tmp_path / "run", shard=shard, **given)
    assert not (tmp_path / "run").exists()


def test_deals_of_matches_of_one_length_can_be_cut(tmp_path: Path) -> None:
    settings = {"deals": 5000, "matches": None, "overrides": ["chunk=100", "match.tie=draw"]}
    one = small(tmp_path / "one", **settings)
    parts = [small(tmp_path / str(index), shard=f"{index}/2", **settings).out for index in (1, 2)]
    assert contents(merge(parts, tmp_path / "joined").out) == contents(one.out)
    assert one.n_deals == 5004


@pytest.mark.parametrize("text", ["", "3", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"])
def test_wrong_shards(text: str) -> None:
    with pytest.raises(InputError, match="i/n"):
        parse_shard(text)


def test_two_runs_in_one_directory_are_refused(tmp_path: Path) -> None:
    made = small(tmp_path / "run")
    before = contents(made.out)
    with directory_lock(made.out), pytest.raises(InputError, match=f"in use by process {os.getpid()} on"):
        small(made.out, resume=True)
    assert contents(made.out) == before
    assert not (made.out / LOCK).exists()
    small(made.out, resume=True)


def test_a_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    code = f"import os, sys; sys.path[:0] = {sys.path!r}\nfrom pathlib import Path\n"
    code += "from simcore.runs.lock import directory_lock\n"
    code += f"with directory_lock(Path({str(tmp_path)!r})): os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    assert json.loads((tmp_path / LOCK).read_text())["pid"]
    assert small(tmp_path).n_matches == 1000


def test_a_lock_of_another_machine_is_respected(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text(json.dumps({"pid": 1, "host": "elsewhere.example", "since": "2024-01-01"}))
    with pytest.raises(InputError, match=r"elsewhere\.example.*delete"):
        small(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_keep_finished_chunks_and_say_how_to_go_on(tmp_path: Path, number: int) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "simcore", "run", "bridgette", *KILLED, "--out", str(out), "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _wait_for_chunks(process, out)
    sent = time.monotonic()
    process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert time.monotonic() - sent < 2
    assert process.returncode == 130
    assert f"to go on: simcore run --resume {out}" in said
    assert "Traceback" not in said
    assert read_manifest(out).state == "interrupted"
    assert not (out / LOCK).exists()


def test_an_error_in_the_middle_is_resumed(
    whole: simcore.api.RunResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = store.write_part

    def full(folder: store.Folder, table: str, index: int, rows: object) -> store.PartFile:
        if index == 4:
            raise OSError(28, "No space left on device")
        return write(folder, table, index, rows)

    with monkeypatch.context() as patched:
        patched.setattr(store, "write_part", full)
        with pytest.raises(OSError, match="No space"):
            small(tmp_path / "run")
    assert 0 < small_state(tmp_path / "run") < 1000
    assert contents(small(tmp_path / "run", resume=True).out) == contents(whole.out)


def small_state(out: Path) -> int:
    """Matches that are stored."""
    return read_manifest(out).matches


def test_interrupts_at_many_places(whole: simcore.api.RunResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from simcore.runs.player import Player

    play = Player.play
    for stop_at in (0, 3, 7):

        def stopping(self: Player, *arguments: object, stop_at: int = stop_at) -> object:
            if len(arguments) > 1 and arguments[0].index == stop_at:  # the calibration plays too, with one argument
                self.stop.set()
            return play(self, *arguments)

        with monkeypatch.context() as patched:
            patched.setattr(Player, "play", stopping)
            with pytest.raises(RunInterrupted):
                small(tmp_path / "run", resume=True, workers=1)
    assert contents(small(tmp_path / "run", resume=True).out) == contents(whole.out)


def test_the_manifest_of_a_run_that_goes_on_lists_chunks_of_the_journal(tmp_path: Path) -> None:
    made = small(tmp_path / "run")
    document = json.loads((made.out / "manifest.json").read_text())
    lines = [json.dumps(entry) + "\n" for entry in document["chunks"]]
    document["chunks"] = document["chunks"][:4]
    (made.out / "manifest.json").write_text(json.dumps(document))
    (made.out / "chunks.jsonl").write_text("".join([*lines[2:6], "not json\n", "[]\n", "{}\n"]))
    assert [chunk.index for chunk in read_manifest(made.out).chunks] == [0, 1, 2, 3, 4, 5]


@pytest.mark.long
def test_killed_fifty_times(tmp_path: Path) -> None:
    arguments = ("--bots", "random", "--seed", "5", "--matches", "400000", "--set", "chunk=1000")
    assert kill_and_resume(tmp_path / "run", 50, 12, arguments) == 50
    undisturbed = simcore.run("bridgette", out=tmp_path / "whole", matches=400_000, overrides=["chunk=1000"], **CONFIG)
    assert contents(tmp_path / "run") == contents(undisturbed.out)
    assert check_run(tmp_path / "run") == []


@pytest.mark.long
def test_a_summary_killed_fifty_times(tmp_path: Path) -> None:
    kill_a_summary(tmp_path, 50, 18, 3_000_000)
