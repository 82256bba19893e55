"""What a run is going to cost: deals, chunks, time, disk and memory, from a short calibration that writes nothing."""

from __future__ import annotations

import math
import resource
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.places import Place
from simcore.runs.outputs import Writer
from simcore.runs.plan import ChunkSpec, Extent, Played
from simcore.runs.player import Player
from simcore.runs.until import Watch

if TYPE_CHECKING:
    from simcore.config import Run
    from simcore.runs.manifest import Manifest

START_SECONDS = 0.01
"""Length of the calibration at the start of a run."""
DRY_RUN_SECONDS = 1.0
"""Length of that of a dry run."""
_KIB = 1024
_COPIES = 2
"""What is held of a chunk while it is encoded, as a multiple of its raw rows."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Estimate of a run; `deals` and `matches` are exact where the run asks for them, else estimated.

    Of a run that ends at a width of an interval, they are a guess from the calibration.

    Attributes
    ----------
    deals_before : int
        Deals that are stored already, of a run that is resumed.
    seconds : float
        For the deals that are left.
    disk_bytes, memory_bytes : int
        Size of all files, and largest size of the process.
    calibration_deals : int
        Deals the estimate comes from.
    endless : bool
        Whether the run ends at a width of an interval and nothing tells yet when; then the length is the most it may take.
    """

    out: Place
    matches: int
    deals: int
    chunks: int
    workers: int
    deals_before: int
    seconds: float
    disk_bytes: int
    memory_bytes: int
    calibration_deals: int
    endless: bool = False

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore run --dry-run --json``."""
        return {
            "dry_run": True,
            "out": str(self.out),
            "matches": self.matches,
            "deals": self.deals,
            "chunks": self.chunks,
            "workers": self.workers,
            "deals_before": self.deals_before,
            "seconds": round(self.seconds, 3),
            "deals_per_second": round((self.deals - self.deals_before) / max(self.seconds, 1e-9)),
            "disk_bytes": self.disk_bytes,
            "memory_bytes": self.memory_bytes,
            "calibration_deals": self.calibration_deals,
            "endless": self.endless,
        }


def forecast(
    run: Run,
    out: Place,
    extent: Extent,
    player: Player,
    writer: Writer,
    workers: int,
    manifest: Manifest | None = None,
    limit: float = START_SECONDS,
) -> Forecast:
    """Estimate a run without storing anything.

    Parameters
    ----------
    run : Run
        The resolved run.
    out : Path or Url
        Its directory.
    extent : Extent
        Its matches.
    player : Player
        Plays it.
    writer : Writer
        Encodes it.
    workers : int
        Threads.
    manifest : Manifest or None
        What is stored already.
    limit : float
        About how long the calibration may take, in seconds.

    Returns
    -------
    Forecast
        Time assumes that each worker has a processor of its own.

    Raises
    ------
    KeyboardInterrupt
        The player was stopped.
    """
    watch = None if run.until is None else Watch(run)
    deals = matches = size = raw = rounds = 0
    seconds = clock = 0.0  # of this thread's processor, which a busy machine does not change; of the wall
    one, empty = _calibrate(player, writer, 0, 1)  # loads what only the first call loads; hardly more than empty files
    there = math.inf if run.hands is None else run.deals or 0  # deals from a file end somewhere
    while not deals or (clock < limit and matches < there):
        count = min(run.chunk_matches, player.piece, max(1, int(limit / player.seconds_per_match / 2)))
        count = int(min(count, there - matches))
        started, begun = time.perf_counter(), time.thread_time()
        played, encoded = _calibrate(player, writer, matches, count)
        clock += time.perf_counter() - started
        seconds += time.thread_time() - begun
        size, raw, rounds = size + encoded, raw + played.raw_bytes, rounds + 1
        deals, matches = deals + played.deals, matches + played.matches
        if watch is not None:
            watch.take(played.until)
    all_matches = extent.matches if extent.matches is not None else math.ceil((run.deals or 0) * matches / deals)
    all_deals = run.deals if extent.first == 0 and run.deals is not None else round(all_matches * deals / matches)
    needed = None if watch is None else watch.needed()
    if needed is not None and needed < all_matches:
        all_matches, all_deals = needed, round(needed * deals / matches)
    before = 0 if manifest is None else manifest.deals
    chunks = math.ceil(all_matches / run.chunk_matches)
    left = max(0, all_deals - before)
    by_deal = max(0, size - rounds * empty) / max(1, deals - rounds * one.deals)
    of_a_chunk = raw / matches * min(run.chunk_matches, all_matches)
    return Forecast(
        out=out,
        matches=all_matches,
        deals=all_deals,
        chunks=chunks,
        workers=workers,
        deals_before=before,
        seconds=left * seconds / deals / min(workers, chunks),
        disk_bytes=round(writer.disk_bytes(by_deal, all_deals) + empty * chunks),
        memory_bytes=round(
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB + of_a_chunk * (2 * workers + 2 + _COPIES * workers)
        ),
        calibration_deals=deals,
        endless=watch is not None and needed is None,
    )


def _calibrate(player: Player, writer: Writer, first: int, matches: int) -> tuple[Played, int]:
    """Play and encode some matches; returns them and the size of their files."""
    played = player.play(ChunkSpec(0, first, matches))
    if played is None:
        raise KeyboardInterrupt
    return played, writer.encoded_bytes(played)
