"""``simcore report``: one HTML file about one or more runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simcore.cli.options import JsonOption, print_json
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore report runs/bridgette-heuristic-seed1
  simcore report runs/a runs/b --out both.html
  simcore ladder bridgette --json > ladder.json
  simcore report runs/a --ladder ladder.json --overwrite
  simcore report tunings/first
"""


def command(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...",
            help="Run directories, several are set side by side; or the folder of one tuning.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="The file to write; without it beside the run with its name, of several runs report.html.",
            show_default=False,
        ),
    ] = None,
    ladder: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A ladder to show too: what `simcore ladder --json` printed.", show_default=False),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if there is one.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a page with pictures and key figures, and how to run it again: one file, no network."""
    from analysis.report import write_report, write_tuning_report
    from analysis.report.tuning import is_tuning

    if any(is_tuning(run) for run in runs):
        if len(runs) > 1 or ladder is not None:
            raise InputError("a tuning has a page of its own: name one tuning's folder, without --ladder")
        found = write_tuning_report(runs[0], out, overwrite)
    else:
        found = write_report(runs, out, overwrite, ladder)
    if as_json:
        print_json(found.as_json())
        return
    typer.echo(f"{found.out}: {len(found.charts)} pictures, {found.size / 1e6:.1f} MB")
    for title, why in found.missing.items():
        typer.echo(f"not shown: {title}: {why}")
