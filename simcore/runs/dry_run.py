"""``simcore run --dry-run``: what a run is going to cost; nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcore.runs.forecast import DRY_RUN_SECONDS, Forecast, forecast
from simcore.runs.manifest import read_manifest
from simcore.runs.options import Options, worker_count
from simcore.runs.outputs import writer_of
from simcore.runs.plan import extent_of
from simcore.runs.player import Player
from simcore.runs.progress import announce_kernels
from simcore.runs.runner import target

if TYPE_CHECKING:
    from simcore.config import Run


def estimate_run(run: Run, options: Options, limit: float = DRY_RUN_SECONDS) -> Forecast:
    """Estimate a run without storing anything.

    Parameters
    ----------
    run : Run
        The resolved run.
    options : Options
        As for `run_batch`; the directory is checked in the same way.
    limit : float
        About how long the calibration may take, in seconds.

    Returns
    -------
    Forecast
        The estimate.
    """
    workers = worker_count(options.workers)
    out, shard, resuming = target(run, options)
    extent = extent_of(run, shard)
    announce_kernels(run)
    manifest = read_manifest(out) if resuming else None
    return forecast(run, out, extent, Player(run), writer_of(run), workers, manifest, limit)
