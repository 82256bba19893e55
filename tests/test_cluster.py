"""Runs on a Dask cluster: the same files as on threads, whatever is cut, stopped, lost or killed on the way."""

from __future__ import annotations

import logging
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from s3_server import s3_server

import simcore
from simcore.api import resolve_run
from simcore.cli import invoke
from simcore.errors import InputError
from simcore.places import Url, place
from simcore.runs import dask_engine, dask_tasks, read_manifest
from simcore.runs.dask_engine import DaskEngine
from simcore.runs.options import Options
from simcore.runs.plan import ChunkSpec
from simcore.runs.runner import RunInterrupted
from simcore.runs.store import folder_of
from simcore.runs.verify import check_run

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")
"""What the library warns about is not the matter of these tests."""

DOCUMENT = Path(__file__).parent.parent / "docs" / "howto" / "cluster.md"
SETTINGS: dict[str, Any] = {"bots": "random", "seed": 5, "matches": 300, "overrides": ["chunk=50"]}


OWN_CLUSTER = """
from distributed import LocalCluster
with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp://") as cluster:
    print(cluster.scheduler_address, flush=True)
    input()
"""
"""A cluster in a process of its own, which can be killed."""


@contextmanager
def cluster(**given: Any) -> Iterator[Any]:
    """A small cluster, in this process unless asked otherwise."""
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with distributed.LocalCluster(**{**settings, "protocol": "tcp://", **given}) as found:
        yield found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler's address."""
    with cluster() as found:
        yield found.scheduler_address


def contents(out: Path | Url) -> dict[str, bytes]:
    folder = folder_of(out)
    return {name: folder.get(name) for name in folder.names() if name.endswith(".parquet")}


def both(tmp_path: Path, scheduler: Any, **given: Any) -> tuple[simcore.runs.RunResult, simcore.runs.RunResult]:
    """The same run on threads and on the cluster."""
    settings = {**SETTINGS, **given}
    settings = {key: value for key, value in settings.items() if value is not None}
    here = simcore.run("bridgette", out=tmp_path / "threads", **settings)
    there = simcore.run("bridgette", out=tmp_path / "dask", engine="dask", scheduler=scheduler, **settings)
    return here, there


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"matches": None, "deals": 1000},
        {"output": "summary"},
        {"matches": None, "until": 0.02, "overrides": ["chunk=4000"]},
        {"matches": None, "until": 0.02, "output": "summary", "overrides": ["chunk=4000"]},
    ],
    ids=["rows", "deals", "sums", "until", "until-sums"],
)
def test_same_files(tmp_path: Path, address: str, given: dict[str, Any]) -> None:
    here, there = both(tmp_path, address, **given)
    assert contents(there.out) == contents(here.out)
    assert (there.n_deals, there.until) == (here.n_deals, here.until)
    assert check_run(there.out) == []
    assert read_manifest(there.out).config == read_manifest(here.out).config


def test_resumed_where_chunks_are_missing(tmp_path: Path, address: str) -> None:
    here, there = both(tmp_path, address)
    (there.out / "deals" / "part-000002.parquet").unlink()
    (there.out / "matches" / "part-000004.parquet").write_bytes(b"damaged")
    again = simcore.run("bridgette", out=there.out, resume=True, scheduler=address, **SETTINGS)
    assert again.resumed
    assert contents(again.out) == contents(here.out)


def test_stopped_and_resumed(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = DaskEngine.write

    def stopping(self: DaskEngine, played: Any) -> Any:
        if played.spec.index == 1:
            self.player.stop.set()
        return taken(self, played)

    monkeypatch.setattr(DaskEngine, "write", stopping)
    with pytest.raises(RunInterrupted) as stopped:
        both(tmp_path, address)
    monkeypatch.undo()
    result = stopped.value.result
    assert result is not None
    assert 100 <= result.n_matches < 300 or read_manifest(result.out).state == "interrupted"
    again = simcore.run("bridgette", out=result.out, resume=True, **SETTINGS)
    assert contents(again.out) == contents(tmp_path / "threads")


def test_scheduler_that_goes_away(tmp_path: Path) -> None:
    out = tmp_path / "dask"
    process = subprocess.Popen(
        [sys.executable, "-c", OWN_CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    scheduler = process.stdout.readline().strip()
    taken = DaskEngine.write

    def leaving(self: DaskEngine, played: Any) -> Any:
        if played.spec.index == 1:
            process.kill()
        return taken(self, played)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DaskEngine, "write", leaving)
        patch.setattr(dask_engine, "_LEAST_AHEAD", 2)
        patch.setattr(dask_engine, "_AHEAD", 1)
        with pytest.raises(InputError, match=r"scheduler .* went away; what is finished is kept"):
            simcore.run("bridgette", out=out, scheduler=scheduler, **SETTINGS)
    process.communicate()
    manifest = read_manifest(out)
    assert manifest.state == "interrupted"
    assert 0 < manifest.matches < 300
    again = simcore.run("bridgette", out=out, resume=True, **SETTINGS)
    whole = simcore.run("bridgette", out=tmp_path / "threads", **SETTINGS)
    assert contents(again.out) == contents(whole.out)
    assert check_run(out) == []


def kill_one(client: Any, out: Path | Url) -> threading.Thread:
    """Kill a worker's process as soon as the run has finished some chunks."""
    process = next(iter(client.run(os.getpid).values()))
    folder = folder_of(out)

    def kill() -> None:
        while len([name for name in folder.names() if name.startswith("deals/part")]) < 3:
            time.sleep(0.01)
        os.kill(process, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def test_worker_that_is_killed(tmp_path: Path) -> None:
    settings = {**SETTINGS, "matches": 8000, "overrides": ["chunk=200"]}
    here = simcore.run("bridgette", out=tmp_path / "threads", **settings)
    out = tmp_path / "dask"
    with cluster(processes=True) as found, distributed.Client(found) as client:
        killing = kill_one(client, out)
        simcore.run("bridgette", out=out, engine="dask", scheduler=client, **settings)
        killing.join()
    assert contents(out) == contents(here.out)
    assert check_run(out) == []


@pytest.mark.long
def test_four_workers_one_of_them_killed(tmp_path: Path) -> None:
    settings = {**SETTINGS, "matches": 60_000, "overrides": ["chunk=1000"]}
    here = contents(simcore.run("bridgette", out=tmp_path / "threads", **settings).out)
    with s3_server(), cluster(processes=True, n_workers=4) as found, distributed.Client(found) as client:
        for out in (place(tmp_path / "dask"), place("s3://bucket/dask")):
            before = set(client.run(os.getpid).values())
            killing = kill_one(client, out)
            result = simcore.run("bridgette", out=out, engine="dask", scheduler=client, **settings)
            killing.join()
            client.wait_for_workers(4)
            assert set(client.run(os.getpid).values()) != before, "a worker was killed and another begun"
            assert result.n_matches == 60_000
            assert contents(out) == here
            assert check_run(out) == []


def test_encrypted(tmp_path: Path) -> None:
    security = distributed.Security.temporary()
    for name, text in (("ca", security.tls_ca_file), ("cert", security.tls_client_cert), ("key", security.tls_client_key)):
        (tmp_path / f"{name}.pem").write_text(text)
    settings = {
        "distributed.comm.tls.ca-file": str(tmp_path / "ca.pem"),
        "distributed.comm.tls.client.cert": str(tmp_path / "cert.pem"),
        "distributed.comm.tls.client.key": str(tmp_path / "key.pem"),
    }
    with cluster(security=security, protocol="tls://", n_workers=1) as found:
        assert found.scheduler_address.startswith("tls://")
        with pytest.raises(InputError, match="no Dask scheduler answers"):
            simcore.run("bridgette", out=tmp_path / "dask", scheduler=found.scheduler_address, **SETTINGS)
        with dask.config.set(settings):
            here, there = both(tmp_path, found.scheduler_address)
    assert contents(there.out) == contents(here.out)


def test_commands_of_the_documents(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that need a bucket or a cluster; few deals of bots at random."""
    text = DOCUMENT.read_text(encoding="utf-8")
    files = re.findall(r"^```yaml\n# (big\.yaml)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for name, content in files:
        (tmp_path / name).write_text(content.replace("tcp://10.0.0.1:8786", address), encoding="utf-8")
    commands = re.findall(r"^(simcore .*)$", text, re.MULTILINE)
    assert len(commands) >= 9
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("simcore.runs.object_lock.SETTLE", 0.01)
    with s3_server():
        for command in commands:
            short = command.replace("1e6", "300").replace("1_000_000", "300")
            words = shlex.split(short.replace("tcp://10.0.0.1:8786", address))
            if words[1] == "run" and "--resume" not in words:
                words += ["--bots", "random", "--set", "chunk=50"]
                words += ["--deals", "300"] if words[2] == "big.yaml" else []
            assert invoke(words[1:]) == 0, (command, capsys.readouterr().err)
    capsys.readouterr()


def job_of(run: Path | Url, **changed: Any) -> dask_tasks.Job:
    manifest = read_manifest(run)
    job = {"out": str(run), "config_digest": dask_tasks.digest_of(manifest.config), "engine_digest": manifest.engine_digest}
    return dask_tasks.Job(**{**job, **changed})


def test_workers_refuse_what_is_not_the_run(tmp_path: Path) -> None:
    out = simcore.run("bridgette", out=tmp_path / "run", **SETTINGS).out
    spec = ChunkSpec(0, 0, 50)
    for changed, said in (
        ({"out": str(tmp_path / "elsewhere")}, "finds no run in"),
        ({"config_digest": "other"}, "finds another run in"),
        ({"engine_digest": "other"}, "another version of the engine"),
    ):
        with pytest.raises(InputError, match=said):
            dask_tasks.play_and_write(job_of(out, **changed), spec)
    assert dask_tasks.play_and_write(job_of(out), spec) == read_manifest(out).chunks[0]


def test_sums_of_several_chunks_are_one_task(tmp_path: Path, address: str) -> None:
    settings = {**SETTINGS, "matches": 850, "output": "summary"}
    asked: list[ChunkSpec] = []
    play = DaskEngine.play

    def listing(self: DaskEngine, spec: ChunkSpec, enough: int | None) -> Any:
        asked.append(spec)
        return play(self, spec, enough)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DaskEngine, "play", listing)
        simcore.run("bridgette", out=tmp_path / "dask", scheduler=address, **settings)
    assert [spec.matches for spec in asked] == [100] * 8 + [50]


def test_who_plays_is_no_part_of_the_run(tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.yaml"
    path.write_text(
        f"variant: bridgette\nbots: random\nmatches: 100\nchunk: 50\nengine: dask\nscheduler: {address}\n", encoding="utf-8"
    )
    out = tmp_path / "out"
    assert invoke(["run", str(path), "--out", str(out)]) == 0
    assert not {"engine", "scheduler"} & set(read_manifest(out).config)
    assert " dask " in (out / "log.txt").read_text()
    assert invoke(["run", "--resume", str(out), "--engine", "threads"]) == 0
    assert invoke(["run", str(path), "--out", str(out), "--resume", "--workers", "2"]) == 2
    assert "--workers: threads of this process" in capsys.readouterr().err


def test_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = resolve_run("bridgette", bots="random", deals=10)
    assert Options().engine_of(run) == "threads"
    assert Options(scheduler="tcp://host:8786").engine_of(run) == "dask"
    with pytest.raises(InputError, match="the engine here is threads"):
        Options(engine="threads", scheduler="tcp://host:8786").engine_of(run)
    with pytest.raises(InputError, match="allowed with scheduler: engine: dask"):
        resolve_run("bridgette", overrides=["scheduler=tcp://host:8786"])
    monkeypatch.setattr(dask_engine, "_CONNECT_SECONDS", "1s")
    out = str(tmp_path / "out")
    assert invoke(["run", "bridgette", "--bots", "random", "--deals", "10", "--engine", "dask", "--out", out]) == 2
    assert "which cluster?" in capsys.readouterr().err
    nobody = ["--scheduler", "tcp://127.0.0.1:1", "--out", out]
    assert invoke(["run", "bridgette", "--bots", "random", "--deals", "10", *nobody]) == 2
    said = capsys.readouterr().err
    assert "no Dask scheduler answers there" in said
    assert "Traceback" not in said
    assert not Path(out).exists()
    assert invoke(["run", "bridgette", "--engine", "slurm"]) == 2
    assert "threads, dask" in capsys.readouterr().err
