"""Plays the points of a sweep, each into a run directory of its own under that of the sweep, and takes it up again.

`sweep.json` says which points there are; whether a point is finished, its own manifest says.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.places import Place
from simcore.runs import manifest as manifests
from simcore.runs import store
from simcore.runs.dry_run import estimate_run
from simcore.runs.forecast import DRY_RUN_SECONDS, Forecast
from simcore.runs.options import Options
from simcore.runs.runner import is_empty, run_batch

if TYPE_CHECKING:
    from simcore.config.sweep import SweepPlan, SweepPoint
    from simcore.runs.result import RunResult

FORMAT = "simcore-sweep/1"
SWEEP = "sweep.json"
_POINT = re.compile(r"[0-9]{3,}-[A-Za-z0-9_.+=,-]*")
"""Name of a point's directory (`simcore.config.sweep.SweepPoint`)."""
_LEAST_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """How to play a sweep; nothing here changes what a point holds.

    Attributes
    ----------
    workers : int or None
        Threads; None: one a processor.
    resume : bool
        Whether to go on with a sweep that is there.
    overwrite : bool
        Whether a sweep that is there may be replaced.
    command : sequence of str
        For the manifests.
    progress : bool or None
        Whether to show a bar for each point; None: on a terminal.
    on_point : callable or None
        Told which point begins.
    """

    workers: int | None = None
    resume: bool = False
    overwrite: bool = False
    command: Sequence[str] = ()
    progress: bool | None = None
    on_point: Callable[[SweepPoint], None] | None = None


def default_out(plan: SweepPlan) -> Path:
    """Where a sweep goes without ``--out``: ``runs/sweep-<name of the file>``."""
    return Path("runs") / f"sweep-{Path(plan.source).stem}"


def play_sweep(plan: SweepPlan, out: Place, options: SweepOptions) -> list[RunResult]:
    """Play all points of a sweep.

    Parameters
    ----------
    plan : SweepPlan
        Its points.
    out : Path or Url
        The sweep's directory.
    options : SweepOptions
        Whether to go on, or to replace what is there.

    Returns
    -------
    list of RunResult
        One a point, in order.

    Raises
    ------
    InputError
        The directory holds something else.
    RunInterrupted
        An interrupt arrived; finished points, and finished chunks of the one at hand, are kept.
    """
    _prepare(plan, out, options)
    results = []
    for point in plan.points:
        if options.on_point is not None:
            options.on_point(point)
        results.append(run_batch(point.run, _options_of(point, out, options)))
    return results


def forecast_sweep(plan: SweepPlan, out: Place, options: SweepOptions) -> list[Forecast]:
    """What the points are going to cost; nothing is written."""
    _check(plan, out, options)
    limit = max(_LEAST_SECONDS, DRY_RUN_SECONDS / len(plan.points))
    return [estimate_run(point.run, _options_of(point, out, options), limit) for point in plan.points]


def _options_of(point: SweepPoint, out: Place, options: SweepOptions) -> Options:
    return Options(
        out / point.directory, options.workers, options.overwrite, options.command, options.progress, options.resume
    )


def _content(plan: SweepPlan) -> dict[str, Any]:
    points = [
        {"index": point.index, "name": point.name, "directory": point.directory, "settings": point.settings}
        | {"seed": point.run.seed}
        for point in plan.points
    ]
    return {"format": FORMAT, "source": plan.source, "common_deals": plan.common_deals, "points": points}


def _found(out: Place) -> dict[str, Any] | None:
    """What ``sweep.json`` says, where there is one."""
    try:
        found = json.loads((out / SWEEP).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{out / SWEEP} cannot be read ({error}); give another --out") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise InputError(f"{out / SWEEP} is not of format {FORMAT}; give another --out")
    points = found.get("points")
    if not isinstance(points, list) or not points or not all(map(_is_point, points)):
        raise InputError(f"{out / SWEEP} is damaged: points is no list of maps with directory and seed; give another --out")
    return found


def _is_point(point: Any) -> bool:
    """Whether an entry names a directory in that of the sweep, and a seed."""
    directory = point.get("directory") if isinstance(point, dict) else None
    return isinstance(directory, str) and _POINT.fullmatch(directory) is not None and isinstance(point.get("seed"), int)


def _check(plan: SweepPlan, out: Place, options: SweepOptions) -> dict[str, Any] | None:
    """Refuse a directory that cannot be used; what ``sweep.json`` says otherwise."""
    if out.is_file():
        raise InputError(f"{out} is a file; --out names a directory for the sweep")
    found = _found(out)
    if found is None:
        if not is_empty(out):
            raise InputError(f"{out} is not empty and holds no sweep, so it is left alone; give another --out")
        return None
    if options.overwrite:
        return found
    if not options.resume:
        raise InputError(
            f"{out} already holds a sweep ({len(found['points'])} points); --resume goes on with it, "
            "--overwrite replaces it, another --out leaves it alone"
        )
    there, now = ([(point["directory"], point["seed"]) for point in side["points"]] for side in (found, _content(plan)))
    if there != now:
        raise InputError(
            f"{out} holds another sweep ({len(there)} points, the first {there[0][0]}; now {len(now)}, the first {now[0][0]}), "
            "so it cannot be resumed; give another --out, or --overwrite"
        )
    return found


def _prepare(plan: SweepPlan, out: Place, options: SweepOptions) -> None:
    """Write ``sweep.json``; points of a sweep that is replaced go."""
    found = _check(plan, out, options)
    if found is not None and options.overwrite:
        for point in found["points"]:
            _remove(out / point["directory"])
    if isinstance(out, Path):
        out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_content(plan), indent=2, ensure_ascii=False)
    store.folder_of(out).put(SWEEP, (text + "\n").encode("utf-8"))


def _remove(path: Place) -> None:
    """Remove the run of a point that is replaced; refused where anything but a run is there."""
    if not path.is_dir() or path.is_symlink():
        return
    store.check_target(path, True, manifests.find_manifest(path))
    if isinstance(path, Path):
        shutil.rmtree(path)
        return
    folder = store.folder_of(path)
    for name in sorted(folder.names(), key=lambda name: name == store.MANIFEST):
        folder.remove(name)
