"""Faults provoked on purpose: signals, full and read-only disks, damaged files, other versions, clocks that jump.

`docs/faults.md` lists every fault with what happens and its test. After each, the run is taken up again, and its files are
those of the run that nothing disturbed.
"""

from __future__ import annotations

import ast
import ctypes
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_resume import _wait_for_chunks, contents, small

import simcore
from simcore import _jit
from simcore.cli import invoke
from simcore.errors import InputError
from simcore.runs import manifest as manifests
from simcore.runs import read_manifest, runner, store
from simcore.runs.merge import merge
from simcore.runs.verify import check_run

NOBODY = 65534
SETTINGS: dict[str, Any] = {"bots": "random", "seed": 5, "matches": 10_000, "overrides": ["chunk=50"]}
SLOW_DISK = (
    sys.executable, "-c", "import time; from simcore.runs import store; write = store.write_part\n"
    "def slow(*given):\n    time.sleep(0.03)\n    return write(*given)\n"
    "store.write_part = slow\nfrom simcore.cli import main; main()",
    "run", "bridgette", "--bots", "random", "--seed", "5", "--matches", "10000", "--set", "chunk=50", "--workers", "1",
)  # fmt: skip
"""The program, but that every file takes its time: it is surely not done when the test has seen the first ones."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """The run that nothing disturbs."""
    return small(tmp_path_factory.mktemp("faults") / "whole")


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """What the program of `SLOW_DISK` plays."""
    return simcore.run("bridgette", out=tmp_path_factory.mktemp("faults") / "long", **SETTINGS)


# --- signals and processes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", [(signal.SIGTERM,), (signal.SIGINT, signal.SIGINT)], ids=["SIGTERM", "Ctrl-C twice"])
def test_interrupted_runs_are_taken_up(tmp_path: Path, long_run: simcore.api.RunResult, numbers: tuple[int, ...]) -> None:
    out = tmp_path / "run"
    process = subprocess.Popen([*SLOW_DISK, "--out", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _wait_for_chunks(process, out)
    for number in numbers:
        process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert 0 < read_manifest(out).matches < SETTINGS["matches"]
    assert simcore.run("bridgette", out=out, resume=True, **SETTINGS).resumed
    assert contents(out) == contents(long_run.out)
    assert check_run(out) == []


def test_two_processes_into_one_directory(tmp_path: Path, long_run: simcore.api.RunResult) -> None:
    """One gets it; the other says who has it, and changes nothing."""
    command = [*SLOW_DISK, "--out", str(tmp_path / "run")]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    both = [subprocess.Popen(command, **pipes) for _ in range(2)]
    said = [process.communicate(timeout=240)[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 2], said
    refusal = said[[process.returncode for process in both].index(2)]
    assert "is in use by process" in refusal or "already holds a run" in refusal
    assert contents(tmp_path / "run") == contents(long_run.out)
    assert check_run(tmp_path / "run") == []


# --- disks -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of twelve megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    libc = ctypes.CDLL(None, use_errno=True)
    if os.name != "posix" or os.getuid() != 0 or libc.mount(b"tmpfs", os.fsencode(place), b"tmpfs", 0, b"size=12m") != 0:
        pytest.skip("mounting a small file system needs root and the right to mount")
    yield place
    libc.umount2(os.fsencode(place), 2)


@pytest.mark.parametrize("output", ["rows", "summary"])
def test_a_full_disk(
    tiny_disk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    """Something else fills the disk while the run goes on; when there is room again, nothing is missing."""
    arguments = ["bridgette", "--bots", "random", "--seed", "5", "--matches", "6000", "--set", "chunk=100", "--output", output]
    arguments += ["--json", "--workers", "1"]
    filler = tiny_disk / "filler"
    add, done = manifests.Manifest.add, []

    def filled(self: manifests.Manifest, folder: store.Folder, entry: manifests.ChunkEntry) -> None:
        add(self, folder, entry)
        done.append(entry)
        if len(done) == 3:
            fill(filler)

    monkeypatch.setattr(runner, "SEGMENT_SECONDS", 0.0)
    with monkeypatch.context() as patched:
        patched.setattr(manifests.Manifest, "add", filled)
        assert invoke(["run", *arguments, "--out", str(tiny_disk / "run")]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "No space left on device" in said.err
    assert f"simcore run --resume {tiny_disk / 'run'}" in said.err
    kept = read_manifest(tiny_disk / "run")
    assert 0 < kept.matches < 6000
    # what is listed is whole; a file may have been written whose line found no room
    assert [text for text in check_run(tiny_disk / "run") if "checksum" in text or "missing" in text] == []
    filler.unlink()
    assert invoke(["run", *arguments, "--out", str(tiny_disk / "run"), "--resume"]) == 0
    assert invoke(["run", *arguments, "--out", str(tmp_path / "whole")]) == 0
    assert contents(tiny_disk / "run") == contents(tmp_path / "whole")
    assert check_run(tiny_disk / "run") == []


def fill(path: Path) -> None:
    """Leave no byte of a file system."""
    with open(path, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            while True:
                try:
                    if not file.write(bytes(size)):
                        break
                except OSError:
                    break


def as_nobody(work: Callable[[], object]) -> str:
    """Do something in a child process without rights; -> what it returned or the error it raised, as text."""
    if os.name != "posix" or os.getuid() != 0:
        pytest.skip("becoming another user needs root")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            try:
                said = str(work())
            except BaseException as error:
                said = f"{type(error).__name__}: {error}"
            os.write(writer, said.encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        found = pipe.read().decode()
    os.waitpid(child, 0)
    return found


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A directory that every user can reach (pytest's own are this user's alone)."""
    folder = Path("/tmp") / f"simcore-faults-{os.getpid()}-{random.randrange(10**9)}"
    folder.mkdir()
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_directory_that_may_not_be_written(whole: simcore.api.RunResult, open_folder: Path) -> None:
    shutil.copytree(whole.out, open_folder / "run")
    before = contents(open_folder / "run")
    for out in (open_folder / "new", open_folder / "run"):
        said = as_nobody(lambda out=out: small(out, resume=True))  # type: ignore[misc]
        assert said.startswith(f"InputError: {out} cannot be written: Permission denied"), said
    assert contents(open_folder / "run") == before
    assert sorted(path.name for path in open_folder.iterdir()) == ["run"]
    assert as_nobody(lambda: check_run(open_folder / "run")) == "[]"


def test_cache_folders_that_may_not_be_written(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels go among the user's temporary files; where those cannot be written either, nothing is stored."""
    monkeypatch.setenv("SIMCORE_CACHE_DIR", str(open_folder / "cache"))
    monkeypatch.setattr(_jit.numba_config, "CACHE_DIR", "")
    writable = open_folder / "temporary"
    writable.mkdir()
    writable.chmod(0o777)
    monkeypatch.setattr(_jit.tempfile, "tempdir", str(writable))
    assert as_nobody(lambda: _jit._prepare_cache("digest")) == str(writable / f"simcore-{NOBODY}" / "digest")
    monkeypatch.setattr(_jit.tempfile, "tempdir", str(open_folder))
    assert as_nobody(lambda: (_jit._prepare_cache("digest"), _jit.numba_config.CACHE_DIR)) == str(
        (open_folder / "cache" / "digest", "")
    )


# --- damaged files, other versions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 0.5, -1, "longer"])
def test_a_truncated_chunk_is_played_again(whole: simcore.api.RunResult, tmp_path: Path, length: Any) -> None:
    made = small(tmp_path / "run")
    part = made.out / "deals" / "part-000002.parquet"
    size = part.stat().st_size
    if length == "longer":
        part.write_bytes(part.read_bytes() + b"PAR1")
    else:
        os.truncate(part, int(length * size) if isinstance(length, float) else length % size)
    assert [fault.split(":")[0] for fault in check_run(made.out)] == ["deals/part-000002.parquet"]
    assert invoke(["check", str(made.out)]) == 1
    small(made.out, resume=True)
    assert contents(made.out) == contents(whole.out)
    assert check_run(made.out) == []


def change_manifest(out: Path, **changes: Any) -> None:
    document = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    for path, value in changes.items():
        place = document
        *above, last = path.split("__")
        for key in above:
            place = place[key]
        place[last] = value
    (out / "manifest.json").write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "simcore-run/2"}, "of another format or version; simcore-run/1 is expected"),
        ({"versions__simcore": "0.0.1", "config__variant__auction__nil": True}, "version 0.0.1 of simcore wrote it"),
        ({"engine_digest": "0123456789abcdef"}, "another version of the engine"),
        ({"chunks": "none"}, "chunks is 'none', not a list"),
        ({"seconds": None}, "seconds is None, not a number"),
    ],
)
def test_a_manifest_from_elsewhere_is_left_alone(
    whole: simcore.api.RunResult, tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    shutil.copytree(whole.out, tmp_path / "run")
    change_manifest(tmp_path / "run", **changes)
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=said):
        small(tmp_path / "run", resume=True)
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before


def test_keys_of_a_later_version_are_passed_over(whole: simcore.api.RunResult, tmp_path: Path) -> None:
    shutil.copytree(whole.out, tmp_path / "run")
    change_manifest(tmp_path / "run", weather="fine")
    assert small(tmp_path / "run", resume=True).n_deals == whole.n_deals


@pytest.mark.parametrize(
    "name", ["../../elsewhere.parquet", "/etc/passwd", "deals/../../x", "matches/part-000000.parquet", "deals/x"]
)
def test_no_file_outside_the_run_is_touched(whole: simcore.api.RunResult, tmp_path: Path, name: str) -> None:
    """Neither read, nor written, nor deleted, whatever a manifest or a journal lists."""
    shutil.copytree(whole.out, tmp_path / "run")
    (tmp_path / "elsewhere.parquet").write_bytes(b"mine")
    document = json.loads((tmp_path / "run" / "manifest.json").read_text(encoding="utf-8"))
    entry = document["chunks"][0]
    entry["files"][0]["name"] = name
    line = json.dumps({**entry, "index": 99, "first_match": 5000}) + "\n"
    (tmp_path / "run" / "chunks.jsonl").write_text(line, encoding="utf-8")
    assert len(read_manifest(whole.out).chunks) == len(read_manifest(tmp_path / "run").chunks)
    (tmp_path / "run" / "manifest.json").write_text(json.dumps(document), encoding="utf-8")
    for work in (check_run, lambda out: small(out, resume=True), lambda out: merge([out], tmp_path / "joined")):
        with pytest.raises(InputError, match="is not the name of a part file"):
            work(tmp_path / "run")
    assert (tmp_path / "elsewhere.parquet").read_bytes() == b"mine"
    assert not (tmp_path / "joined").exists()


def test_a_clock_that_jumps(whole: simcore.api.RunResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The date goes back and forth, hours pass between two looks (a laptop that slept), files are from the future."""
    chance = random.Random(3)
    slept = iter(range(0, 10**9, 10_000))
    clock, years = time.perf_counter, iter(("1970-01-01T00:00:00+00:00", "2106-02-07T06:28:15+00:00") * 50)
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + next(slept))
    monkeypatch.setattr(manifests, "now", lambda: next(years))
    made = small(tmp_path / "run", workers=1)
    assert contents(made.out) == contents(whole.out)
    (made.out / "deals" / "part-000004.parquet").unlink()
    for path in made.out.rglob("*"):
        os.utime(path, (4e9, 4e9) if chance.random() < 0.5 else (0, 0))
    assert small(made.out, resume=True).resumed
    assert contents(made.out) == contents(whole.out)
    assert check_run(made.out) == []


# --- the document ------------------------------------------------------------------------------------------------------


def test_the_document_names_tests_that_exist() -> None:
    tests = Path(__file__).parent
    text = (tests.parent / "docs" / "faults.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+)(?:::(test_\w+))?`", text)
    assert len(named) > 40
    for file, function in named:
        tree = ast.parse((tests / f"{file}.py").read_text(encoding="utf-8"))
        assert not function or function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, function


# --- many cold starts --------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_eight_processes_start_cold_and_a_cache_is_damaged(tmp_path: Path) -> None:
    """All compile at once into one folder, and play the same; then every file of the folder is damaged."""
    env = {**os.environ, "SIMCORE_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "simcore", "run", "bridgette", "--bots", "random", "--seed", "5", "--matches", "1000"]
    command += ["--set", "chunk=100", "--out"]
    pipes: dict[str, Any] = {"env": env, "stderr": subprocess.PIPE, "text": True}

    def play(names: list[str]) -> list[dict[str, bytes]]:
        started = [subprocess.Popen([*command, str(tmp_path / name)], **pipes) for name in names]
        said = [process.communicate(timeout=3000)[1] for process in started]
        assert {process.returncode for process in started} == {0}, said
        return [contents(tmp_path / name) for name in names]

    first, *others = play([f"cold-{number}" for number in range(8)])
    assert all(other == first for other in others)
    files = list((tmp_path / "cache").rglob("*.nb?"))
    assert len(files) > 20
    chance = random.Random(7)
    for path in files:
        data = bytearray(path.read_bytes())
        if chance.random() < 0.5:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        else:
            del data[chance.randrange(len(data)) :]
        path.write_bytes(bytes(data))
    assert play(["damaged"]) == [first]
    assert play(["mended"]) == [first]
