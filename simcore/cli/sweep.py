"""``simcore sweep``: one run at many points of its configuration, compared on common deals."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcore.cli.options import MOST_WORKERS, JsonOption, SetOption, WorkersOption, count, print_json
from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.config.sweep import SweepPlan, SweepPoint
    from simcore.places import Place
    from simcore.runs.forecast import Forecast

EXAMPLES = """Examples:
  simcore sweep bridgette_doubling
  simcore sweep my_sweep.yaml --set deals=1e6 --dry-run
  simcore sweep my_sweep.yaml --resume --json
"""


def command(
    sweep: Annotated[str, typer.Argument(metavar="SWEEP", help="A sweep: shipped name or YAML file.", show_default=False)],
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR|URL", help="The sweep's directory; without it: runs/sweep-<name>.", show_default=False),
    ] = None,
    set_: SetOption = None,
    workers: WorkersOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the sweep in the directory.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a sweep that is in the directory.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say points, deals, time and disk; write nothing.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Play every point of a grid, each into a run directory, and print one row a point.

    Points are compared with the first (or the one named by reference) on common deals; a best point is named only where
    paired intervals, corrected for the number of points, show it. --set changes the base run, as deals=10_000.
    """
    if resume and overwrite:
        raise InputError("--resume and --overwrite cannot both be given")
    from simcore.config.sweep import load_sweep
    from simcore.places import place
    from simcore.runs.sweeps import SweepOptions, default_out, forecast_sweep, play_sweep

    plan = load_sweep(sweep, set_ or ())
    where = default_out(plan) if out is None else place(out)
    options = SweepOptions(
        count("--workers", workers, 1, MOST_WORKERS),
        resume,
        overwrite,
        ("simcore", *sys.argv[1:]),
        on_point=lambda point: _announce(plan, point),
    )
    if dry_run:
        _print_forecasts(plan, where, forecast_sweep(plan, where, options), as_json)
        return 0
    try:
        play_sweep(plan, where, options)
    except KeyboardInterrupt:
        words = ["simcore", "sweep", sweep, *(word for text in set_ or () for word in ("--set", text)), "--out", str(where)]
        typer.echo(f"interrupted; what is finished is kept in {where}\nto go on: {shlex.join([*words, '--resume'])}", err=True)
        return 130
    from analysis.sweeps import report_sweep

    report = report_sweep(plan, where)
    if as_json:
        print_json(report.as_json())
        return 0
    from analysis.sweep_tables import print_sweep

    print_sweep(report)
    return 0


def _announce(plan: SweepPlan, point: SweepPoint) -> None:
    from simcore.runs.progress import note

    seed = "" if plan.common_deals else f", seed {point.run.seed}"
    note(f"point {point.index + 1} of {len(plan.points)}: {point.name}{seed}")


def _print_forecasts(plan: SweepPlan, out: Place, found: list[Forecast], as_json: bool) -> None:
    deals, disk = sum(one.deals for one in found), sum(one.disk_bytes for one in found)
    seconds, left = sum(one.seconds for one in found), sum(one.deals - one.deals_before for one in found)
    if as_json:
        points: list[dict[str, Any]] = [
            {"index": point.index, "name": point.name, "seed": point.run.seed, **one.as_json()}
            for point, one in zip(plan.points, found, strict=True)
        ]
        numbers = {"deals": deals, "deals_left": left, "seconds": round(seconds, 3), "disk_bytes": disk}
        print_json({"dry_run": True, "out": str(out), "n_points": len(points), **numbers, "points": points})
        return
    from simcore.runs.limits import duration, size

    for point, one in zip(plan.points, found, strict=True):
        typer.echo(f"{point.index:>4}  {point.name}: about {one.deals:,} deals, {duration(one.seconds)}, seed {point.run.seed}")
    typer.echo(f"would write   {out}")
    typer.echo(f"points        {len(found)}")
    typer.echo(f"deals         about {deals:,}" + (f", {deals - left:,} of them are there" if left < deals else ""))
    typer.echo(f"time          about {duration(seconds)} with {found[0].workers} workers, without comparing")
    typer.echo(f"disk          about {size(disk)}")
    typer.echo("nothing was written")
