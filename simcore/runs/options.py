"""How a run is played and where it goes; nothing here changes what a match holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.places import Place
from simcore.runs.forecast import Forecast
from simcore.runs.shard import Shard

if TYPE_CHECKING:
    from simcore.config import Run

THREADS, DASK = "threads", "dask"


@dataclass(frozen=True, slots=True)
class Options:
    """How to run.

    Attributes
    ----------
    out : Path, Url or None
        The run directory; None: see `default_out`.
    workers : int or None
        Threads; None: one a processor.
    overwrite : bool
        Whether a run in `out` may be replaced.
    command : sequence of str
        For the manifest.
    progress : bool or None
        Whether to show a bar; None: on a terminal.
    resume : bool
        Whether to go on with a run that is in `out`; where nothing is there, it begins.
    shard : Shard or None
        Only a part of the run.
    on_start : callable or None
        Told what the run is going to cost, before it begins.
    engine : str or None
        ``threads`` of this process, or the workers of a ``dask`` cluster; None: what the run says.
    scheduler : str, distributed.Client or None
        Address of the cluster's scheduler, or a client of it; None: what the run says, else Dask's own configuration.
    """

    out: Place | None = None
    workers: int | None = None
    overwrite: bool = False
    command: Sequence[str] = ()
    progress: bool | None = None
    resume: bool = False
    shard: Shard | None = None
    on_start: Callable[[Forecast], None] | None = None
    engine: str | None = None
    scheduler: Any = None

    def engine_of(self, run: Run) -> str:
        """The engine that plays a run; a scheduler alone means Dask."""
        if self.engine is not None:
            found = self.engine
        elif self.scheduler is not None:
            found = DASK
        else:
            found = run.engine
        if found == THREADS and self.scheduler is not None:
            raise InputError("--scheduler is for --engine dask; the engine here is threads")
        if found == DASK and self.workers is not None:
            raise InputError("--workers: threads of this process; with --engine dask the cluster's workers play")
        return found


def engine_name(name: str | None) -> str | None:
    """An engine by its name; None for None."""
    if name is not None and name not in (THREADS, DASK):
        raise InputError(f"engine: {name!r} is unknown; allowed: {THREADS}, {DASK}")
    return name


def worker_count(workers: int | None) -> int:
    """Number of threads: as asked for, else the processors this process may use."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers < 1:
        raise InputError(f"workers: {workers} is not possible; allowed: 1 or more")
    return workers
