"""Runs in object stores: the same files as in a directory, taken up, joined, read, and held by one process at a time."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from s3_server import s3_server

import simcore
from analysis.comparison import compare_runs
from analysis.rates import make_rates
from analysis.rescoring import rescore
from analysis.scores import score_summary
from simcore.cli import invoke
from simcore.errors import InputError
from simcore.places import Url, is_url, place
from simcore.runs import object_lock, objects, read_manifest, read_table
from simcore.runs.lock import LOCK
from simcore.runs.objects import ObjectFolder
from simcore.runs.store import JOURNAL, MANIFEST
from simcore.runs.verify import check_run

SETTINGS = {"bots": "random", "seed": 5, "matches": 300, "overrides": ["chunk=100"]}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with s3_server() as address:
        yield address


@pytest.fixture(autouse=True)
def _quick_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_lock, "SETTLE", 0.01)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run in a directory."""
    return Path(str(simcore.run("bridgette", out=tmp_path_factory.mktemp("objects") / "run", **SETTINGS).out))


@pytest.fixture(scope="module")
def stored(server: str) -> Url:
    """The same in the object store."""
    out = simcore.run("bridgette", out="s3://bucket/runs/one", **SETTINGS).out
    assert isinstance(out, Url)
    return out


def contents(out: Path | Url) -> dict[str, bytes]:
    names = out.names() if isinstance(out, Url) else [path.relative_to(out).as_posix() for path in out.rglob("*.parquet")]
    return {name: (out / name).read_bytes() for name in names if name.endswith(".parquet")}


def test_same_files(local: Path, stored: Url) -> None:
    assert contents(stored) == contents(local)
    assert len(contents(stored)) == 6
    assert stored.names() == sorted([*contents(local), "log.txt", MANIFEST])
    assert read_manifest(stored).state == "finished"
    assert "finished: 300 matches" in (stored / "log.txt").read_text()
    assert read_table(stored, "deals").equals(read_table(local, "deals"))
    assert check_run(stored) == []


def test_same_answers(local: Path, stored: Url) -> None:
    where = "level >= 2 and strain in ('S', 'NT')"
    for by in (("level", "strain"), ("declarer_role",)):
        assert make_rates(stored, by, where).rows == make_rates(local, by, where).rows
    assert score_summary(stored).as_json() == score_summary(local).as_json()
    table = compare_runs(stored, local).as_json()
    assert all(row["difference"] in (0, None) for row in table.get("rows", []) if "difference" in row)
    overrides = ["scoring.doubled_made=0"]
    assert rescore(stored, overrides=overrides).equals(rescore(local, overrides=overrides))


def test_summary(server: str, tmp_path: Path) -> None:
    settings = {**SETTINGS, "output": "summary"}
    here = simcore.run("bridgette", out=tmp_path / "sums", **settings).out
    there = simcore.run("bridgette", out="s3://bucket/sums", **settings).out
    assert contents(there) == contents(here)
    where = "level >= 2"
    assert make_rates(there, ("level",), where).rows == make_rates(here, ("level",), where).rows


def test_settings_of_the_address_in_the_url(server: str, stored: Url, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_manifest(stored).matches == 300
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    url = f"s3://bucket/runs/one?endpoint_override={server}&scheme=http&region=us-east-1"
    assert read_manifest(url).matches == 300
    assert read_manifest(Path(url)).matches == 300  # a path makes one slash of two


def test_resume(local: Path, server: str) -> None:
    out = simcore.run("bridgette", out="s3://bucket/torn", **SETTINGS).out
    document = json.loads((out / MANIFEST).read_text())
    entries = document["chunks"]
    document |= {"chunks": [], "state": "running", "ended": None}
    (out / MANIFEST).write_bytes(json.dumps(document).encode())
    lines = "".join(json.dumps(entry) + "\n" for entry in entries)
    (out / JOURNAL).write_bytes((lines + '{"index": 9, "fi').encode())
    (out / entries[1]["files"][0]["name"]).write_bytes(b"damaged")
    (out / entries[2]["files"][1]["name"]).unlink()
    assert len(check_run(out)) > 2
    result = simcore.run("bridgette", out=out, resume=True, **SETTINGS)
    assert result.resumed
    assert contents(out) == contents(local)
    assert check_run(out) == []
    assert (out / "log.txt").read_text().count("to be played again") == 2


def test_shards_are_joined(local: Path, server: str) -> None:
    parts = [simcore.run("bridgette", out=f"s3://bucket/part{i}", shard=f"{i}/2", **SETTINGS).out for i in (1, 2)]
    joined = simcore.merge(parts, "s3://bucket/joined")
    assert contents(joined.out) == contents(local)
    assert check_run(joined.out) == []
    with pytest.raises(InputError, match="one of the parts"):
        simcore.merge(parts, parts[0])


def test_commands(stored: Url, capsys: pytest.CaptureFixture[str]) -> None:
    url = str(stored)
    assert invoke(["check", url]) == 0
    assert invoke(["rates", url, "--json"]) == 0
    assert invoke(["run", "--resume", url, "--json"]) == 0
    out = capsys.readouterr().out
    assert f'"out": "{url}"' in out
    assert invoke(["run", "bridgette", "--out", url, "--deals", "100"]) == 2
    assert "already holds a run" in capsys.readouterr().err
    assert invoke(["run", f"{url}/manifest.json", "--out", "s3://nosuchbucket/x"]) == 2
    assert "bucket" in capsys.readouterr().err
    assert invoke(["rates", "s3://bucket/nothing"]) == 2
    assert "no such run directory" in capsys.readouterr().err


def test_replaced(server: str) -> None:
    simcore.run("bridgette", out="s3://bucket/again", **SETTINGS)
    result = simcore.run("bridgette", out="s3://bucket/again", **{**SETTINGS, "matches": 100}, overwrite=True)
    assert len(contents(result.out)) == 2
    foreign = result.out / "notes.txt"
    foreign.write_bytes(b"mine")
    with pytest.raises(InputError, match="files that no run wrote"):
        simcore.run("bridgette", out=result.out, overwrite=True, **SETTINGS)


def test_growing_texts_are_stored_soon(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ObjectFolder(Url("s3", "bucket/texts"))
    folder.append("log.txt", "one\n")
    assert folder.names() == []
    monkeypatch.setattr(objects, "JOURNAL_SECONDS", 0.0)
    folder.append("log.txt", "two\n")
    assert folder.get("log.txt") == b"one\ntwo\n"
    other = ObjectFolder(folder.path)
    other.append("log.txt", "three\n")
    other.sync(())
    assert folder.get("log.txt") == b"one\ntwo\nthree\n"
    other.put("log.txt", b"new")
    other.append("log.txt", "er")
    assert other.get("log.txt") == b"newer"
    other.remove("log.txt")
    other.remove("log.txt")
    assert other.names() == []


def lock_text(**changed: object) -> bytes:
    text = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "process": object_lock.process_start(os.getpid()),
        "token": "other",
        "count": 1,
    }
    return json.dumps(text | changed).encode()


def held(path: Url) -> bool:
    """Whether the lock can be had."""
    lock = ObjectFolder(path).lock()
    try:
        lock.__enter__()
    except InputError:
        return False
    lock.__exit__(None, None, None)
    return True


def test_lock_of_this_machine(server: str) -> None:
    path = Url("s3", "bucket/locked")
    with ObjectFolder(path).lock():
        assert json.loads((path / LOCK).read_bytes())["pid"] == os.getpid()
        assert not held(path)
    assert not (path / LOCK).exists()
    (path / LOCK).write_bytes(lock_text(process="of a process that has ended"))
    assert held(path)
    (path / LOCK).write_bytes(lock_text())
    assert not held(path)


def test_lock_of_another_machine(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_lock, "WATCH", 0.3)
    monkeypatch.setattr(object_lock, "BEAT", 0.05)
    path = Url("s3", "bucket/elsewhere")
    (path / LOCK).write_bytes(lock_text(host="elsewhere"))
    assert held(path), "its count stands still"
    counting = threading.Event()

    def count() -> None:
        for number in range(1000):
            (path / LOCK).write_bytes(lock_text(host="elsewhere", count=number))
            if counting.wait(0.02):
                return

    holder = threading.Thread(target=count)
    holder.start()
    time.sleep(0.1)
    assert not held(path)
    counting.set()
    holder.join()


def test_lock_that_was_taken_away(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_lock, "BEAT", 0.02)
    folder = ObjectFolder(Url("s3", "bucket/taken"))
    with folder.lock():
        folder.put(MANIFEST, b"first")
        deadline = time.monotonic() + 60
        while folder._lock is not None and folder._lock.lost is None and time.monotonic() < deadline:
            (folder.path / LOCK).write_bytes(lock_text())  # again, where the holder was just writing its next count
            time.sleep(0.05)
        for write in (lambda: folder.put(MANIFEST, b"second"), lambda: folder.append(JOURNAL, "line\n")):
            with pytest.raises(InputError, match="was taken over by"):
                write()
    assert folder.get(MANIFEST) == b"first"
    assert (folder.path / LOCK).exists(), "the other's lock stays"


def test_places(tmp_path: Path) -> None:
    assert place("runs/one") == Path("runs/one")
    assert place(f"file://{tmp_path}/a%20run") == tmp_path / "a run"
    assert place("C:/runs") == Path("C:/runs")
    url = place("s3://bucket/runs/one/?scheme=http")
    assert isinstance(url, Url)
    assert (str(url), url.name, str(url.parent / "two")) == (
        "s3://bucket/runs/one?scheme=http", "one", "s3://bucket/runs/two?scheme=http"
    )  # fmt: skip
    assert place(Path("s3://bucket/runs/one")) == place("s3://bucket/runs/one")
    assert is_url("gs://bucket/x")
    assert not is_url("runs/one")
    with pytest.raises(InputError, match="credentials do not belong in a URL"):
        place("s3://key:secret@bucket/runs")
    with pytest.raises(InputError, match="names no place"):
        place("s3:///")
    with pytest.raises(InputError, match="kind s4:// is known .*; known: s3, gs"):
        place("s4://bucket/run").exists()


def test_storage_of_fsspec(local: Path) -> None:
    pytest.importorskip("fsspec")
    result = simcore.run("bridgette", out="memory://bucket/run", **SETTINGS)
    assert contents(result.out) == contents(local)
    assert make_rates(result.out).rows == make_rates(local).rows
    assert check_run(result.out) == []
