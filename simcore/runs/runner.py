"""Runs a batch into a run directory: plays chunks on threads, stores them in match order, keeps the manifest.

Chunks are played ahead by a bounded window of workers and looked at in match order. Only when it is known how much of a
chunk belongs to the run is it written, on the same workers. So what is stored is always a beginning of the whole run,
and it is the same for any number of workers.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simcore import _jit
from simcore.errors import InputError
from simcore.runs import manifest as manifests
from simcore.runs import store
from simcore.runs.plan import ChunkSpec, Played, chunk_specs, cut, default_out
from simcore.runs.player import Player
from simcore.runs.progress import Progress, announce_compile
from simcore.runs.result import RunResult
from simcore.runs.tables import TableWriter

if TYPE_CHECKING:
    from simcore.config import Run

MANIFEST_SECONDS = 1.0
"""The manifest is rewritten at most so often (and always at the end)."""


class RunInterrupted(KeyboardInterrupt):
    """A run was interrupted; `result` says what is kept (None: it had not begun to store anything)."""

    def __init__(self, result: RunResult | None) -> None:
        super().__init__("interrupted")
        self.result = result


@dataclass(frozen=True, slots=True)
class Options:
    """How to run; nothing here changes results.

    Attributes
    ----------
    out : Path or None
        The run directory; None: see `default_out`.
    workers : int or None
        Threads; None: one a processor.
    overwrite : bool
        Whether a run in `out` may be replaced.
    command : sequence of str
        For the manifest.
    progress : bool or None
        Whether to show a bar; None: on a terminal.
    """

    out: Path | None = None
    workers: int | None = None
    overwrite: bool = False
    command: Sequence[str] = ()
    progress: bool | None = None


def worker_count(workers: int | None) -> int:
    """Number of threads: as asked for, else the processors this process may use."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers < 1:
        raise InputError(f"workers: {workers} is not possible; allowed: 1 or more")
    return workers


def run_batch(run: Run, options: Options) -> RunResult:
    """Simulate a run into its directory.

    Parameters
    ----------
    run : Run
        The resolved run.
    options : Options
        Where and with how many threads.

    Returns
    -------
    RunResult
        What was stored.

    Raises
    ------
    InputError
        The directory cannot be used.
    RunInterrupted
        An interrupt arrived; finished chunks are kept.
    """
    out = options.out or default_out(run)
    workers = worker_count(options.workers)
    store.check_target(out, options.overwrite, manifests.find_manifest(out))
    announce_compile()
    try:
        player = Player(run)
    except KeyboardInterrupt:
        raise RunInterrupted(None) from None
    writer = TableWriter(run)
    folder = store.create(out, writer.tables)
    manifest = manifests.new_manifest(run, workers, options.command, _jit.SOURCE_DIGEST)
    manifest.write(folder)
    folder.append(store.LOG, f"{manifest.started} started with {workers} workers: {' '.join(options.command)}\n")
    work = _Work(run, player, writer, folder, manifest, workers)
    total, counted = (run.matches, "matches") if run.matches is not None else (run.deals, "deals")
    with Progress(total or 0, counted, options.progress) as bar, _stop_on_interrupt(player.stop):
        work.go(bar)
    result = RunResult.of(out, manifest)
    if manifest.state == manifests.INTERRUPTED:
        raise RunInterrupted(result)
    return result


@contextmanager
def _stop_on_interrupt(stop: threading.Event) -> Iterator[None]:
    """Turn Ctrl-C into setting `stop`, so that it never tears the bookkeeping apart; a second one is as usual."""
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or previous in (signal.SIG_IGN, None):
        yield
        return

    def request(_number: int, _frame: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, request)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


class _Work:
    """One run in progress: the window of chunks being played, those being written, and the manifest."""

    def __init__(
        self,
        run: Run,
        player: Player,
        writer: TableWriter,
        folder: store.Folder,
        manifest: manifests.Manifest,
        workers: int,
    ) -> None:
        self.run, self.player, self.writer = run, player, writer
        self.folder, self.manifest, self.workers = folder, manifest, workers
        self.window = workers + 2
        self.playing: deque[tuple[ChunkSpec, Future[Played | None]]] = deque()
        self.writing: deque[Future[manifests.ChunkEntry]] = deque()
        self.matches = self.deals = self.stored_deals = 0
        self.started = self.saved = time.perf_counter()

    def go(self, bar: Progress) -> None:
        """Play and store everything, or what could be finished until `player.stop` was set."""
        try:
            with ThreadPoolExecutor(self.workers, thread_name_prefix="simcore") as pool:
                try:
                    self._loop(pool, bar)
                finally:
                    self.player.stop.set()
                    for _, future in self.playing:
                        future.cancel()
            complete = self._is_complete()
        except BaseException:
            self._close(manifests.INTERRUPTED)
            raise
        self._close(manifests.FINISHED if complete else manifests.INTERRUPTED)

    def _loop(self, pool: ThreadPoolExecutor, bar: Progress) -> None:
        specs = chunk_specs(self.run.matches, self.run.chunk)
        while not self.player.stop.is_set():
            while len(self.playing) < self.window and not self._may_be_enough():
                spec = next(specs, None)
                if spec is None:
                    break
                self.playing.append((spec, pool.submit(self.player.play, spec, self._deals_left())))
            if not self.playing:
                break
            played = self.playing.popleft()[1].result()
            if played is None:
                break
            self._take(played, pool)
            self._record(bar, wait=len(self.writing) > self.window)
        while self.writing:
            self._record(bar, wait=True)

    def _deals_left(self) -> int | None:
        return None if self.run.deals is None else self.run.deals - self.deals

    def _may_be_enough(self) -> bool:
        """Whether the chunks in the window probably reach the target in deals; if not, more are played later."""
        left = self._deals_left()
        if left is None:
            return False
        coming = sum(spec.matches for spec, _ in self.playing)
        return left <= 0 or coming * self.player.deals_per_match >= left

    def _take(self, played: Played, pool: ThreadPoolExecutor) -> None:
        """Hand the next chunk in match order to be written, cut where the run ends."""
        left = self._deals_left()
        if left is not None and left <= 0:
            return
        if left is not None and played.deals >= left:
            played = cut(played, left)
        self.matches += played.matches
        self.deals += played.deals
        self.writing.append(pool.submit(self.writer.write, self.folder, played))

    def _record(self, bar: Progress, wait: bool) -> None:
        """Enter written chunks into the manifest."""
        while self.writing and (wait or self.writing[0].done()):
            entry = self.writing.popleft().result()
            self.manifest.chunks.append(entry)
            self.stored_deals += entry.deals
            wait = False
        elapsed = time.perf_counter() - self.started
        done = self.stored_deals if self.run.matches is None else entry_end(self.manifest)
        bar.update(done, self.stored_deals, elapsed)
        now = time.perf_counter()
        if now - self.saved > MANIFEST_SECONDS:
            self.manifest.seconds = elapsed
            self.manifest.write(self.folder)
            # A manifest that takes long to write (very many chunks) is written less often.
            self.saved = time.perf_counter() + 20 * (time.perf_counter() - now)

    def _is_complete(self) -> bool:
        if self.run.deals is not None:
            return self.stored_deals >= self.run.deals
        return entry_end(self.manifest) == self.run.matches

    def _close(self, state: str) -> None:
        manifest = self.manifest
        manifest.state, manifest.ended = state, manifests.now()
        manifest.seconds = time.perf_counter() - self.started
        manifest.write(self.folder)
        text = f"{state}: {manifest.matches} matches, {manifest.deals} deals in {manifest.seconds:.1f} s"
        self.folder.append(store.LOG, f"{manifest.ended} {text}\n")
        store.sync(self.folder.path)


def entry_end(manifest: manifests.Manifest) -> int:
    """Matches finished from the beginning of the run on."""
    return manifest.chunks[-1].first_match + manifest.chunks[-1].matches if manifest.chunks else 0
