"""``simcore run``: simulates a batch into a run directory."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.cli.options import (
    MOST_WORKERS,
    BotsOption,
    HandsOption,
    JsonOption,
    OutputOption,
    PluginOption,
    SeedOption,
    SetOption,
    UnitOption,
    WorkersOption,
    bot_names,
    count,
    one_of,
    output_name,
    print_json,
    unit_name,
    width,
)
from simcore.errors import InputError, SimcoreError
from simcore.places import Place, place

if TYPE_CHECKING:
    from simcore.config import Run
    from simcore.runs.forecast import Forecast
    from simcore.runs.options import Options
    from simcore.runs.result import RunResult

EXAMPLES = """Examples:
  simcore run bridgette --deals 1_000_000 --bots heuristic,random
  simcore run bridgette --matches 1e5 --seed 7 --set scoring.doubled_made=0
  simcore run bridgette --contracts all --unit deal --deals 1e5
  simcore run bridgette --contracts all --play both --unit deal --deals 2000
  simcore run my_run.yaml --dry-run
  simcore run --resume runs/bridgette-heuristic-seed1
"""


def command(
    config: Annotated[
        str | None,
        typer.Argument(
            metavar="CONFIG",
            help="A run or variant: shipped name (bridgette), YAML file, manifest or run directory.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|URL",
            help="Run directory, or its URL as s3://bucket/name; without it: runs/<variant>-<bots>-seed<seed>.",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(metavar="N", help="Whole matches until at least N deals are done.", show_default=False),
    ] = None,
    matches: Annotated[str | None, typer.Option(metavar="N", help="Number of matches.", show_default=False)] = None,
    seed: SeedOption = None,
    bots: BotsOption = None,
    unit: UnitOption = None,
    contracts: Annotated[
        str | None,
        typer.Option(
            metavar="auction|all",
            help="What the bots bid is played; all: also every strain from both sides, for rates of any contract.",
            show_default=False,
        ),
    ] = None,
    play: Annotated[
        str | None,
        typer.Option(
            metavar="bots|perfect|both",
            help="Of --contracts all: who plays every strain, for tricks; perfect: both hands are known to both sides.",
            show_default=False,
        ),
    ] = None,
    output: OutputOption = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="W",
            help="End when the 95 % interval of the make rate is at most 2 W wide (0.005: plus or minus half a percent); "
            "looked at after 10 000 x 2^k matches. --deals or --matches beside it: the most.",
            show_default=False,
        ),
    ] = None,
    until_of: Annotated[
        str | None,
        typer.Option(metavar="CONTRACT", help="The contract that --until is about, as 4S; without: all.", show_default=False),
    ] = None,
    hands: HandsOption = None,
    plugin: PluginOption = None,
    set_: SetOption = None,
    workers: WorkersOption = None,
    engine: Annotated[
        str | None,
        typer.Option(
            metavar="threads|dask",
            help="Who plays: threads of this process, or the workers of a Dask cluster. Changes no result.",
            show_default=False,
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The cluster's scheduler: tcp://HOST:8786, tls://HOST:8786, or its JSON file; means --engine dask.",
            show_default=False,
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only part I of N, to be joined by simcore merge.", show_default=False),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with the run in the directory (--out DIR, or DIR in place of CONFIG); only --workers may change.",
        ),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a run that is in the directory.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say deals, chunks, time, disk and memory; write nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Simulate a batch into a run directory.

    Ctrl-C keeps the finished chunks and prints the command to go on. What --resume finds damaged or missing is played
    again; a configuration or an engine other than those it was begun with is refused.
    """
    if deals is not None and matches is not None:
        raise InputError("--deals and --matches cannot both be given")
    if resume and overwrite:
        raise InputError("--resume and --overwrite cannot both be given")
    config, where = _what_and_where(config, None if out is None else place(out), resume)
    from simcore.api import MAX_SEED, load_plugins, resolve_run
    from simcore.runs.options import Options
    from simcore.runs.runner import RunInterrupted, run_batch
    from simcore.runs.shard import parse_shard

    load_plugins(plugin or ())
    resolved = resolve_run(
        config,
        deals=count("--deals", deals),
        matches=count("--matches", matches),
        seed=count("--seed", seed, 0, MAX_SEED),
        bots=bot_names(bots),
        unit=unit_name(unit),
        contracts=one_of("--contracts", contracts, ("auction", "all")),
        play=one_of("--play", play, ("bots", "perfect", "both")),
        hands=hands,
        output=output_name(output),
        until=width("--until", until),
        until_of=until_of,
        overrides=set_ or (),
    )
    options = Options(
        where,
        count("--workers", workers, 1, MOST_WORKERS),
        overwrite,
        ("simcore", *sys.argv[1:]),
        resume=resume,
        shard=parse_shard(shard),
        on_start=_print_forecast,
        engine=one_of("--engine", engine, ("threads", "dask")),
        scheduler=scheduler,
    )
    if dry_run:
        _dry_run(resolved, options, as_json)
        return 0
    _announce(resolved, options)
    try:
        result = run_batch(resolved, options)
    except RunInterrupted as interrupt:
        _print_kept(interrupt.result)
        return 130
    except OSError as error:
        raise SimcoreError(_failed(resolved, options, error)) from error
    if as_json:
        print_json(result.as_json())
    else:
        _print_result(result)
    return 0


def _print_until(result: RunResult) -> None:
    """What a run that ends at a width of an interval has reached."""
    found = result.until or {}
    wide = "no interval yet" if found["half_width"] is None else f"half-width {found['half_width']:.6f}, n {found['n']:,}"
    if found["reached"]:
        typer.echo(f"until:   reached after {found['matches']:,} matches: {wide}")
        return
    needed = "" if found["needed_matches"] is None else f"; about {found['needed_matches']:,} matches are needed"
    typer.echo(f"until:   not reached: {wide}{needed}")


def _what_and_where(config: str | None, out: Place | None, resume: bool) -> tuple[str, Place | None]:
    """The configuration and the directory, where --resume makes one stand for the other."""
    if config is None:
        if not resume or out is None:
            raise InputError("CONFIG is missing: a shipped name as bridgette, a YAML file, or with --resume a run directory")
        return str(out), out
    if resume and out is None:
        path = place(config)
        if path.name == "manifest.json":
            return config, path.parent
        if path.is_dir():
            return config, path
    return config, out


def _print_forecast(found: Forecast) -> None:
    from simcore.runs.limits import duration, size
    from simcore.runs.progress import note

    before = f", {found.deals_before:,} of them are there" if found.deals_before else ""
    memory = f"{size(found.memory_bytes)} of memory"
    if found.endless:
        note(f"until the interval is narrow enough, nothing tells yet when; at most {found.deals:,} deals{before}; {memory}")
        return
    note(
        f"about {found.deals:,} deals in {found.matches:,} matches, {found.chunks:,} chunks{before}: "
        f"{duration(found.seconds)} with {found.workers} workers, {size(found.disk_bytes)} on disk, {memory}"
    )


def _announce(run: Run, options: Options) -> None:
    from simcore.runs.plan import default_out
    from simcore.runs.progress import note

    bots = " - ".join(bot.name for bot in run.bots)
    part = "" if options.shard is None else f", shard {options.shard}"
    note(f"{run.variant.name}, bots {bots}, seed {run.seed}{part}, into {options.out or default_out(run, options.shard)}")


def _dry_run(run: Run, options: Options, as_json: bool) -> None:
    from simcore.runs.dry_run import estimate_run
    from simcore.runs.limits import refusals

    found = estimate_run(run, options)
    refused = refusals(found, run)
    if as_json:
        print_json({**found.as_json(), "refused": refused})
    else:
        _print_estimate(found, refused)


def _print_estimate(found: Forecast, refused: list[str]) -> None:
    from simcore.runs.limits import duration, size

    typer.echo(f"would write   {found.out}")
    typer.echo(f"deals         about {found.deals:,} in {found.matches:,} matches, {found.chunks:,} chunks")
    typer.echo(f"time          about {duration(found.seconds)} with {found.workers} workers")
    typer.echo(f"disk          about {size(found.disk_bytes)}")
    typer.echo(f"memory        about {size(found.memory_bytes)}")
    typer.echo(f"calibrated on {found.calibration_deals:,} deals; nothing was written")
    for text in refused:
        typer.echo(f"would be refused: {text}")


def _print_result(result: RunResult) -> None:
    rate = result.n_deals / max(result.seconds, 1e-9)
    typer.echo(f"{result.n_deals:,} deals in {result.n_matches:,} matches, {result.seconds:.1f} s, {rate:,.0f} deals/s")
    if result.until is not None:
        _print_until(result)
    if (result.out / "cells").is_dir():
        typer.echo(f"sums:    {result.out / 'cells' / 'part-*.parquet'} and its neighbours")
    else:
        typer.echo(f"deals:   {result.out / 'deals' / 'part-*.parquet'}")
    if (result.out / "matches").is_dir():
        typer.echo(f"matches: {result.out / 'matches' / 'part-*.parquet'}")
    shown = shlex.quote(str(result.out))
    typer.echo(f"next:    simcore rates {shown}; simcore scores {shown}")


def _print_kept(result: RunResult | None) -> None:
    if result is None:
        typer.echo("interrupted before anything was stored; nothing was written", err=True)
        return
    typer.echo(
        f"interrupted; {result.n_deals:,} finished deals ({result.n_matches:,} matches) are kept in {result.out}\n"
        f"to look at them: simcore rates {shlex.quote(str(result.out))}\n"
        f"to go on: simcore run --resume {shlex.quote(str(result.out))}",
        err=True,
    )


def _failed(run: Run, options: Options, error: OSError) -> str:
    """What is said when a disk refuses: finished chunks are whole, and the run can go on."""
    from simcore.runs.plan import default_out

    out = options.out or default_out(run, options.shard)
    what = f"{error.filename}: " if error.filename else ""
    return (
        f"{what}{error.strerror or error}; what is finished is kept in {out}\n"
        f"to go on when that is mended: simcore run --resume {shlex.quote(str(out))}"
    )
