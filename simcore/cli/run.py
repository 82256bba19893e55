"""``simcore run``: simulates a batch into a run directory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.cli.options import (
    BotsOption,
    ConfigArgument,
    JsonOption,
    SeedOption,
    SetOption,
    UnitOption,
    bot_names,
    count,
    print_json,
    unit_name,
)
from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.config import Run
    from simcore.runs.dry_run import DryRun
    from simcore.runs.result import RunResult
    from simcore.runs.runner import Options

_KIB = 1024
_MINUTE = 60

EXAMPLES = """Examples:
  simcore run bridgette --deals 1_000_000 --bots heuristic,random
  simcore run bridgette --matches 1e5 --seed 7 --set scoring.doubled_made=0
  simcore run my_run.yaml --dry-run
"""


def command(
    config: ConfigArgument,
    out: Annotated[
        Path | None,
        typer.Option(help="Run directory; without it: runs/<variant>-<bots>-seed<seed>.", show_default=False),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(metavar="N", help="Whole matches until at least N deals are done.", show_default=False),
    ] = None,
    matches: Annotated[str | None, typer.Option(metavar="N", help="Number of matches.", show_default=False)] = None,
    seed: SeedOption = None,
    bots: BotsOption = None,
    unit: UnitOption = None,
    set_: SetOption = None,
    workers: Annotated[
        str | None,
        typer.Option(metavar="N", help="Threads; without it: one a processor. Changes no result.", show_default=False),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a run that is in the directory.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say deals, chunks, time and disk; write nothing.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Simulate a batch into a run directory."""
    if deals is not None and matches is not None:
        raise InputError("--deals and --matches cannot both be given")
    from simcore.api import MAX_SEED, resolve_run
    from simcore.runs.runner import Options, RunInterrupted, run_batch

    resolved = resolve_run(
        config,
        deals=count("--deals", deals),
        matches=count("--matches", matches),
        seed=count("--seed", seed, 0, MAX_SEED),
        bots=bot_names(bots),
        unit=unit_name(unit),
        overrides=set_ or (),
    )
    options = Options(out, count("--workers", workers), overwrite, ("simcore", *sys.argv[1:]))
    if dry_run:
        _dry_run(resolved, options, as_json)
        return 0
    _announce(resolved, options)
    try:
        result = run_batch(resolved, options)
    except RunInterrupted as interrupt:
        _print_kept(interrupt.result)
        return 130
    if as_json:
        print_json(result.as_json())
    else:
        _print_result(result)
    return 0


def _announce(run: Run, options: Options) -> None:
    from simcore.runs.plan import default_out
    from simcore.runs.progress import note

    bots = " - ".join(bot.name for bot in run.bots)
    note(f"{run.variant.name}, bots {bots}, seed {run.seed}, into {options.out or default_out(run)}")


def _dry_run(run: Run, options: Options, as_json: bool) -> None:
    from simcore.runs.dry_run import estimate_run

    found = estimate_run(run, options)
    if as_json:
        print_json(found.as_json())
    else:
        _print_estimate(found)


def _print_estimate(found: DryRun) -> None:
    typer.echo(f"would write   {found.out}")
    typer.echo(f"deals         about {found.deals:,} in {found.matches:,} matches, {found.chunks:,} chunks")
    typer.echo(f"time          about {_duration(found.seconds)} with {found.workers} workers")
    typer.echo(f"disk          about {_size(found.disk_bytes)}")
    typer.echo(f"calibrated on {found.calibration_deals:,} deals; nothing was written")


def _print_result(result: RunResult) -> None:
    rate = result.n_deals / max(result.seconds, 1e-9)
    typer.echo(f"{result.n_deals:,} deals in {result.n_matches:,} matches, {result.seconds:.1f} s, {rate:,.0f} deals/s")
    typer.echo(f"deals:   {result.out}/deals/part-*.parquet")
    if (result.out / "matches").is_dir():
        typer.echo(f"matches: {result.out}/matches/part-*.parquet")
    typer.echo(f"next:    simcore rates {result.out}; simcore scores {result.out}")


def _print_kept(result: RunResult | None) -> None:
    if result is None:
        typer.echo("interrupted before anything was stored; nothing was written", err=True)
        return
    typer.echo(
        f"interrupted; {result.n_deals:,} finished deals ({result.n_matches:,} matches) are kept in {result.out}\n"
        f"to look at them: simcore rates {result.out}\n"
        "to run all of it again: the same command with --overwrite",
        err=True,
    )


def _duration(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    hours, minutes = divmod(minutes, _MINUTE)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _size(size: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if size < _KIB:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= _KIB
    return f"{size:.1f} GiB"
