"""What a run is going to cost: deals, chunks, time and disk, from a short calibration that writes nothing."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.runs import manifest as manifests
from simcore.runs import store
from simcore.runs.plan import ChunkSpec, Played, default_out
from simcore.runs.player import Player
from simcore.runs.progress import announce_compile
from simcore.runs.runner import Options, worker_count
from simcore.runs.tables import TableWriter

if TYPE_CHECKING:
    from simcore.config import Run

CALIBRATION_DEALS = 20_000
"""Deals that are played and encoded, at most."""
CALIBRATION_SECONDS = 3.0
"""Time after which the calibration stops, however few deals it has."""


@dataclass(frozen=True, slots=True)
class DryRun:
    """Estimate of a run; `deals` and `matches` are exact where the run asks for them, else estimated."""

    out: Path
    matches: int
    deals: int
    chunks: int
    workers: int
    seconds: float
    disk_bytes: int
    calibration_deals: int

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore run --dry-run --json``."""
        return {
            "dry_run": True,
            "out": str(self.out),
            "matches": self.matches,
            "deals": self.deals,
            "chunks": self.chunks,
            "workers": self.workers,
            "seconds": round(self.seconds, 3),
            "deals_per_second": round(self.deals / max(self.seconds, 1e-9)),
            "disk_bytes": self.disk_bytes,
            "calibration_deals": self.calibration_deals,
        }


def estimate_run(run: Run, options: Options) -> DryRun:
    """Estimate a run without storing anything.

    Parameters
    ----------
    run : Run
        The resolved run.
    options : Options
        As for `run_batch`; the directory is checked in the same way.

    Returns
    -------
    DryRun
        The estimate. Time assumes that each worker has a processor of its own.
    """
    out = options.out or default_out(run)
    workers = worker_count(options.workers)
    store.check_target(out, options.overwrite, manifests.find_manifest(out))
    announce_compile()
    player, writer = Player(run), TableWriter(run)
    size, deals, matches, seconds = 0, 0, 0, 0.0
    _calibrate(player, writer, 0, 1)  # loads what only the first call loads
    while not deals or (deals < CALIBRATION_DEALS and seconds < CALIBRATION_SECONDS):
        started = time.perf_counter()
        played, bytes_ = _calibrate(player, writer, matches, min(run.chunk, player.piece))
        seconds += time.perf_counter() - started
        size += bytes_
        deals, matches = deals + played.deals, matches + played.matches
    all_matches = run.matches if run.matches is not None else math.ceil((run.deals or 0) * matches / deals)
    all_deals = run.deals if run.deals is not None else round(all_matches * deals / matches)
    chunks = math.ceil(all_matches / run.chunk)
    return DryRun(
        out=out,
        matches=all_matches,
        deals=all_deals,
        chunks=chunks,
        workers=workers,
        seconds=all_deals * seconds / deals / min(workers, chunks),
        disk_bytes=round(size * all_deals / deals),
        calibration_deals=deals,
    )


def _calibrate(player: Player, writer: TableWriter, first: int, matches: int) -> tuple[Played, int]:
    """Play and encode some matches; returns them and the size of their files."""
    played = player.play(ChunkSpec(0, first, matches))
    assert played is not None  # only an interrupt stops a player
    return played, sum(store.encode(table).size for table in writer.build(played).values())
