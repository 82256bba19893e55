"""What the workers of a Dask cluster do: play chunks of a run and write their files into the run directory.

A task is little: where the run is, and which chunk. The worker reads the configuration from the manifest that is there,
which shows at once whether it sees the same storage, and keeps what it has prepared for the next task. The same task done
twice, because a worker was thought lost, writes the same bytes under the same name.
"""

from __future__ import annotations

import hashlib
import json
import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.places import place
from simcore.runs import manifest as manifests
from simcore.runs import store
from simcore.runs.engines import watched
from simcore.runs.manifest import ChunkEntry
from simcore.runs.outputs import Writer, writer_of
from simcore.runs.plan import ChunkSpec, Played, chunk_specs, cut, cut_matches
from simcore.runs.player import Player

if TYPE_CHECKING:
    from simcore.config import Run

_MOST_KEPT = 2
"""Runs that a worker keeps prepared."""


@dataclass(frozen=True, slots=True)
class Job:
    """A run as workers know it.

    Attributes
    ----------
    out : str
        The run directory, as the workers see it.
    config_digest, engine_digest : str
        Of the configuration in its manifest, and of the engine that has to play it.
    plugins : tuple of str
        Modules or files with users' bots.
    """

    out: str
    config_digest: str
    engine_digest: str
    plugins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """What the client has to know of a chunk whose rows stay with a worker."""

    deals: int
    until: tuple[tuple[int, ...], ...]


class _Ready:
    """A run that is prepared: its player, and writers that are free."""

    def __init__(self, run: Run, folder: store.AnyFolder) -> None:
        self.run, self.folder = run, folder
        self.player = Player(run)
        self.writers: queue.SimpleQueue[Writer] = queue.SimpleQueue()

    def writer(self) -> Writer:
        """A writer for one task; give it back with ``writers.put``."""
        try:
            return self.writers.get_nowait()
        except queue.Empty:
            return writer_of(self.run)


_ready: dict[Job, _Ready] = {}
_guard = threading.Lock()


def digest_of(config: Mapping[str, Any]) -> str:
    """Digest of a configuration as manifests hold it."""
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()


def _prepared(job: Job) -> _Ready:
    with _guard:
        if job not in _ready:
            while len(_ready) >= _MOST_KEPT:
                del _ready[next(iter(_ready))]
            _ready[job] = _prepare(job)
        return _ready[job]


def _prepare(job: Job) -> _Ready:
    from simcore import _jit
    from simcore.config import load_run
    from simcore.plugins import load_plugin

    host = _me()
    if job.engine_digest != _jit.ENGINE_DIGEST:
        raise InputError(
            f"{host} has another version of the engine ({_jit.ENGINE_DIGEST}; the client has {job.engine_digest}), whose "
            "results may differ; install the same version of simcore and numba on all workers"
        )
    out = place(job.out)
    document = manifests.find_manifest(out)
    if document is None or digest_of(document["config"]) != job.config_digest:
        what = "no run" if document is None else "another run"
        raise InputError(f"{host} finds {what} in {out}; all workers and the client need the same storage under the same name")
    for name in job.plugins:
        load_plugin(name)
    return _Ready(load_run(document["config"], label=str(out)), store.folder_of(out))


def _me() -> str:
    import socket

    return f"the worker on {socket.gethostname()}"


def play_and_write(job: Job, spec: ChunkSpec) -> ChunkEntry:
    """Play a chunk, or several that are stored as one, and write the files.

    Parameters
    ----------
    job : Job
        The run.
    spec : ChunkSpec
        The matches; where sums are kept, any number of chunks together.

    Returns
    -------
    ChunkEntry
        What the manifest is to say.
    """
    ready = _prepared(job)
    writer = ready.writer()
    end = spec.first_match + spec.matches
    entries = []
    for part in chunk_specs(end, ready.run.chunk_matches, spec.index):
        played = ready.player.play(part)
        assert played is not None, "nobody stops the player of a worker"
        entries.append(writer.write(ready.folder, played))
    return _closed(ready, writer, entries)


def _closed(ready: _Ready, writer: Writer, entries: list[ChunkEntry]) -> ChunkEntry:
    """The entry of a task; its files are on the disk."""
    entry = writer.close(ready.folder, entries) if writer.segments else entries[0]
    ready.folder.sync([file.name for file in entry.files])
    ready.writers.put(writer)
    return entry


def play(job: Job, spec: ChunkSpec, enough: int | None) -> Played:
    """Play a chunk whose rows stay with the worker until it is known how much of it belongs to the run."""
    played = _prepared(job).player.play(spec, enough)
    assert played is not None, "nobody stops the player of a worker"
    return played


def counted(played: Played) -> Counted:
    """What the client has to know."""
    return Counted(played.deals, played.until)


def beginning(job: Job, played: Played, deals: int | None, matches: int | None) -> Played:
    """A chunk that was cut to so many deals, or matches."""
    if deals is not None:
        played = cut(played, deals)
    if matches is not None:
        played = cut_matches(played, matches)
    return watched(_prepared(job).player, played)


def write(job: Job, played: Played) -> ChunkEntry:
    """Write the files of a chunk."""
    ready = _prepared(job)
    writer = ready.writer()
    return _closed(ready, writer, [writer.write(ready.folder, replace(played))])
