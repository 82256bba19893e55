"""Runs a batch into a run directory: plays chunks on threads, stores them in match order, keeps the manifest.

Chunks are played ahead by a bounded window of workers and looked at in match order. Only when it is known how much of a
chunk belongs to the run is it written, on the same workers. So what is stored is the same for any number of workers; and
where chunks are there already (a run that is resumed), they are only counted.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

from simcore.places import Place
from simcore.runs import manifest as manifests
from simcore.runs import store
from simcore.runs.dask_engine import connected
from simcore.runs.engines import Engine, Item, Pending, PlayedChunk, Threads
from simcore.runs.forecast import forecast
from simcore.runs.interrupts import Interrupts
from simcore.runs.limits import is_large, weigh
from simcore.runs.manifest import ChunkEntry
from simcore.runs.options import DASK, Options, worker_count
from simcore.runs.outputs import Writer, writer_of
from simcore.runs.plan import Extent, chunk_items, default_out, extent_of
from simcore.runs.player import Player
from simcore.runs.progress import Progress, announce_kernels
from simcore.runs.result import RunResult
from simcore.runs.resume import all_faults, check_same
from simcore.runs.shard import Shard
from simcore.runs.until import Part

if TYPE_CHECKING:
    from simcore.config import Run

SEGMENT_SECONDS = 10.0
"""Sums are stored about so often; what was added since is lost when a run is killed."""
MOST_SEGMENTS = 32
"""So many segments are joined to one."""
MANIFEST_SECONDS = 10.0
"""The manifest is rewritten at most so often (and always at the end)."""


class RunInterrupted(KeyboardInterrupt):
    """A run was interrupted; `result` says what is kept (None: it had not begun to store anything)."""

    def __init__(self, result: RunResult | None) -> None:
        super().__init__("interrupted")
        self.result = result


def run_batch(run: Run, options: Options) -> RunResult:
    """Simulate a run into its directory.

    Parameters
    ----------
    run : Run
        The resolved run.
    options : Options
        Where and with how many threads; whether to go on with what is there.

    Returns
    -------
    RunResult
        What was stored.

    Raises
    ------
    InputError
        The directory cannot be used, or holds another run than the one to be resumed.
    RunInterrupted
        An interrupt arrived; finished chunks are kept.
    """
    workers = worker_count(options.workers)
    dask = options.engine_of(run) == DASK
    out, shard, resuming = target(run, options)
    extent = extent_of(run, shard)
    announce_kernels(run)
    with Interrupts() as interrupts:
        try:
            player = Player(run)
        except KeyboardInterrupt:
            raise RunInterrupted(None) from None
        interrupts.set_instead(player.stop)
        writer = writer_of(run)
        with connected(run, options) if dask else nullcontext() as client:
            if client is not None:
                workers = client.threads()
            if options.on_start is not None or is_large(run):
                with suppress(KeyboardInterrupt):  # the event is set, so nothing is going to be played
                    there = manifests.read_manifest(out) if resuming else None
                    weigh(run, forecast(run, out, extent, player, writer, workers, there), options.on_start)
            with store.held(out) as folder:
                target(run, options)  # once more: what was there may have changed before the directory was held
                manifest = _resumed(folder, options, workers) if resuming else _begun(
                    folder, run, options, workers, extent, shard, writer
                )
                engine: Engine = Threads(player, writer, folder, workers)
                if client is not None:
                    engine = client.engine(run, player, out, extent, manifest)
                    folder.append(store.LOG, f"{manifests.now()} played on the dask cluster at {client.address}\n")
                work = _Work(run, extent, player, writer, folder, manifest, engine)
                total, counted = (extent.matches, "matches") if run.deals is None else (run.deals, "deals")
                with Progress(total or 0, counted, options.progress) as bar:
                    work.go(bar)
    result = RunResult.of(out, manifest)
    if manifest.state == manifests.INTERRUPTED:
        raise RunInterrupted(result)
    return result


def target(run: Run, options: Options) -> tuple[Place, Shard | None, bool]:
    """Where a run goes, which shard of it, and whether it takes up what is there; refuses what cannot be.

    Parameters
    ----------
    run : Run
        The resolved run.
    options : Options
        What was asked for.

    Returns
    -------
    tuple
        Directory, shard, and whether there is something to resume.
    """
    out, shard = options.out or default_out(run, options.shard), options.shard
    found = manifests.find_manifest(out)
    if not options.resume or (found is None and is_empty(out)):
        store.check_target(out, options.overwrite, found)
        return out, shard, False
    manifest = manifests.read_manifest(out)
    check_same(out, manifest, run, shard)
    return out, Shard(**manifest.shard) if manifest.shard else None, True


def is_empty(path: Place) -> bool:
    """Whether nothing is at a path, or an empty directory."""
    return not path.exists() or (path.is_dir() and not store.folder_of(path).names())


def _begun(
    folder: store.AnyFolder,
    run: Run,
    options: Options,
    workers: int,
    extent: Extent,
    shard: Shard | None,
    writer: Writer,
) -> manifests.Manifest:
    store.clear(folder, writer.tables)
    manifest = manifests.new_manifest(run, workers, options.command, (extent.first, extent.end), shard)
    manifest.write(folder)
    folder.append(store.LOG, f"{manifest.started} started with {workers} workers: {' '.join(options.command)}\n")
    return manifest


def _resumed(folder: store.AnyFolder, options: Options, workers: int) -> manifests.Manifest:
    """The manifest of what is there and whole; files that are damaged or belong to no finished chunk are gone."""
    manifest = manifests.read_manifest(folder.path)
    found = all_faults(folder, manifest.chunks, workers)
    time_, lost = manifests.now(), [fault for chunk in found for fault in chunk]
    complete = manifest.state == manifests.FINISHED and not lost
    manifest.chunks = [chunk for chunk, wrong in zip(manifest.chunks, found, strict=True) if not wrong]
    store.sweep(folder, {file.name for chunk in manifest.chunks for file in chunk.files})
    folder.append(store.LOG, "".join(f"{time_} to be played again: {fault}\n" for fault in lost))
    if not complete:
        manifest.state, manifest.workers = manifests.RUNNING, workers
        resumption = {"at": time_, "deals": manifest.deals, "damaged": len(lost)}
        manifest.resumed.append(resumption | {"versions": manifests.versions(), "command": list(options.command)})
        folder.append(store.LOG, f"{time_} resumed after {manifest.deals} deals with {workers} workers\n")
    manifest.write(folder)
    return manifest


class _Work:
    """One run in progress: the window of chunks being played, those being written, and the manifest."""

    def __init__(
        self,
        run: Run,
        extent: Extent,
        player: Player,
        writer: Writer,
        folder: store.AnyFolder,
        manifest: manifests.Manifest,
        engine: Engine,
    ) -> None:
        self.run, self.extent, self.player, self.writer = run, extent, player, writer
        self.folder, self.manifest, self.engine = folder, manifest, engine
        self.playing: deque[tuple[Item, Pending[PlayedChunk | None] | None]] = deque()
        self.writing: deque[Pending[ChunkEntry]] = deque()
        self.open: list[ChunkEntry] = []
        """Chunks of the open segment, where chunks have no files of their own."""
        self.deals = 0
        """Deals taken so far, from the beginning of the run on."""
        self.done_matches = self.done_deals = self.new_deals = 0
        """What is stored, and what of it was stored now."""
        self.complete = False
        self.seconds_before = manifest.seconds
        self.started = self.saved = self.closed = time.perf_counter()

    def go(self, bar: Progress) -> None:
        """Play and store everything, or what could be finished until `player.stop` was set."""
        try:
            with self.engine:
                try:
                    self._loop(bar)
                finally:
                    self.player.stop.set()
                    for _, pending in self.playing:
                        if pending is not None:
                            pending.cancel()
        except BaseException:
            self._close(manifests.INTERRUPTED)
            raise
        self._close(manifests.FINISHED if self.complete else manifests.INTERRUPTED)

    def _loop(self, bar: Progress) -> None:
        kept = {chunk.index: chunk for chunk in self.manifest.chunks}
        items = self.engine.items(chunk_items(self.extent, self.run.chunk_matches, kept))
        ended = False
        while not self.player.stop.is_set():
            while len(self.playing) < self.engine.window and not self._may_be_enough():
                item = next(items, None)
                if item is None:
                    ended = True
                    break
                pending = None if isinstance(item, ChunkEntry) else self.engine.play(item, self._deals_left())
                self.playing.append((item, pending))
            if not self.playing:
                break
            if not self._take(*self.playing[0]):
                break
            self.playing.popleft()
            self._record(bar, wait=len(self.writing) > self.engine.window)
        self._close_segment()
        if self.player.stop.is_set():
            for entry in self.engine.finished(pending for _, pending in self.playing if pending is not None):
                self._enter(entry)
        self._show(bar)
        self.complete = (ended and not self.playing) or self._reached()
        if self.complete:
            self._join_segments()
            if self.engine.strays:
                store.sweep(self.folder, {file.name for chunk in self.manifest.chunks for file in chunk.files})

    def _reached(self) -> bool:
        left = self._deals_left()
        watch = self.player.watch
        return (watch is not None and watch.reached) or (left is not None and left <= 0)

    def _deals_left(self) -> int | None:
        return None if self.run.deals is None else self.run.deals - self.deals

    def _may_be_enough(self) -> bool:
        """Whether the chunks in the window probably reach the target in deals; if not, more are played later."""
        left = self._deals_left()
        if left is None or self._reached():
            return self._reached()
        coming = sum(item.matches for item, _ in self.playing)
        return coming * self.player.deals_per_match >= left

    def _take(self, item: Item, pending: Pending[PlayedChunk | None] | None) -> bool:
        """Take the next item in match order; what was played goes to be written, cut where the run ends.

        Returns
        -------
        bool
            False where the item was not finished because the run is to stop.
        """
        if self._reached():
            return True
        if isinstance(item, ChunkEntry):
            self._close_segment()
            self._look(item.until)
            self.deals += item.deals
            self._count(item)
            return True
        played = pending.result() if pending is not None else None
        if played is None:
            return False
        left = self._deals_left()
        if left is not None and played.deals >= left:
            played = self.engine.cut(played, left)
        end = self._look(played.until)
        if end is not None:
            played = self.engine.cut_matches(played, end - played.spec.first_match)
        self.deals += played.deals
        self.writing.append(self.engine.write(played))
        return True

    def _look(self, parts: tuple[Part, ...]) -> int | None:
        """Add what a run that stops by itself watches; the match at which it ends, if it does."""
        watch = self.player.watch
        return None if watch is None else watch.take(parts)

    def _count(self, entry: ChunkEntry) -> None:
        self.done_matches += entry.matches
        self.done_deals += entry.deals

    def _record(self, bar: Progress, wait: bool) -> None:
        """Enter written chunks into the manifest."""
        while self.writing and (wait or self.writing[0].done()):
            self._enter(self.writing.popleft().result())
            wait = False
        if self.open and time.perf_counter() - self.closed > SEGMENT_SECONDS:
            self._close_segment()
        self._show(bar)

    def _enter(self, entry: ChunkEntry) -> None:
        if self.engine.segments:
            self.open.append(entry)
        else:
            self.manifest.add(self.folder, entry)
            if len(self.manifest.chunks) >= MOST_SEGMENTS:
                self._join_segments()
        self._count(entry)
        self.new_deals += entry.deals

    def _join_segments(self) -> None:
        """Make one entry of those that follow one another; the manifest knows it before the old files go."""
        if not self.writer.segments or len(self.manifest.chunks) < 2:
            return
        before = {file.name for chunk in self.manifest.chunks for file in chunk.files}
        self.manifest.chunks = self.writer.joined(self.folder, self.manifest.chunks)
        self.manifest.write(self.folder)
        for name in before - {file.name for chunk in self.manifest.chunks for file in chunk.files}:
            self.folder.remove(name)

    def _close_segment(self) -> None:
        """Wait for what is being written, and store the open segment."""
        while self.writing:
            self._enter(self.writing.popleft().result())
        if self.open:
            self.manifest.add(self.folder, self.writer.close(self.folder, self.open))
            self.open = []
            if len(self.manifest.chunks) >= MOST_SEGMENTS:
                self._join_segments()
        self.closed = time.perf_counter()

    def _show(self, bar: Progress) -> None:
        """Show how far the run is, and write the manifest now and then."""
        now = time.perf_counter()
        elapsed = now - self.started
        bar.update(self.done_deals if self.run.deals is not None else self.done_matches, self.new_deals, elapsed)
        if now - self.saved > MANIFEST_SECONDS:
            self.manifest.seconds = self.seconds_before + elapsed
            self.manifest.write(self.folder)
            # A manifest that takes long to write (very many chunks) is written less often; the journal is complete anyway.
            self.saved = time.perf_counter() + 20 * (time.perf_counter() - now)

    def _close(self, state: str) -> None:
        manifest = self.manifest
        if state == manifests.FINISHED:
            self.folder.sync(file.name for chunk in manifest.chunks for file in chunk.files)
        if manifest.state == manifests.FINISHED:  # it was before, and nothing had to be played
            return
        if self.player.watch is not None:
            manifest.until = self.player.watch.state().as_json()
        manifest.state, manifest.ended = state, manifests.now()
        manifest.seconds = self.seconds_before + time.perf_counter() - self.started
        manifest.write(self.folder)
        text = f"{state}: {manifest.matches} matches, {manifest.deals} deals in {manifest.seconds:.1f} s"
        self.folder.append(store.LOG, f"{manifest.ended} {text}\n")
        self.folder.sync(())
