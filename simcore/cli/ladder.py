"""``simcore ladder``: bots against each other on mirrored deals."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from simcore.cli.options import (
    MOST_PLAYED,
    MOST_WORKERS,
    JsonOption,
    SeedOption,
    SetOption,
    VariantArgument,
    WorkersOption,
    bot_names,
    count,
    positive_number,
    print_json,
)

EXAMPLES = """Examples:
  simcore ladder bridgette
  simcore ladder bridgette --bots novice,heuristic --width 1 --json
  simcore ladder bridgette --deals 100_000 --chart ladder.svg
"""


def command(
    variant: VariantArgument,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            metavar="A,B,...",
            help="Bots; without it all shipped ones that can play and see no hidden cards.",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Mirrored deals of each pair; without it: 20,000. With --width: the most.", show_default=False
        ),
    ] = None,
    width: Annotated[
        str | None,
        typer.Option(
            metavar="W",
            help="Stop when all 95 % intervals are at most this wide to each side, in points per deal; "
            "looked at after 10000, 20000, 40000, ... mirrored deals.",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = None,
    set_: SetOption = None,
    workers: WorkersOption = None,
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write a chart: FILE.svg or FILE.html.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let every pair of bots play the same deals with seats changed, and rank them."""
    from simcore.api import MAX_SEED
    from simcore.config import load_variant
    from simcore.runs.progress import Progress, announce_compile, note

    names = bot_names(bots)
    n_deals = count("--deals", deals, 2, MOST_PLAYED)
    half_width = None if width is None else positive_number("--width", width)
    number = count("--seed", seed, 0, MAX_SEED)
    threads = count("--workers", workers, 1, MOST_WORKERS)
    rules = load_variant(variant, set_ or ())
    from analysis.ladder import DEALS, play_ladder
    from analysis.ladder_table import chart_format, print_ladder, write_chart

    if chart is not None:
        chart_format(chart)
    announce_compile()
    with Progress(n_deals or DEALS, "mirrored deals") as bar:
        begun = time.perf_counter()

        def tell(done: int, of: int) -> None:
            bar.total = of
            bar.update(done, done, time.perf_counter() - begun)

        report = play_ladder(
            rules, names, deals=n_deals, width=half_width, seed=1 if number is None else number, workers=threads, progress=tell
        )
    if chart is not None:
        write_chart(report, chart)
        note(f"chart: {chart}")
    if as_json:
        print_json(report.as_json())
    else:
        print_ladder(report)
