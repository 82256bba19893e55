"""``simcore compare``: what is different between two runs, on common deals."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, column_names, print_json

EXAMPLES = """Examples:
  simcore compare runs/today runs/new
  simcore compare runs/today runs/new --by level,declarer_role --json
"""


def command(
    run_a: Annotated[str, typer.Argument(metavar="RUN_A", help="A run directory.", show_default=False)],
    run_b: Annotated[str, typer.Argument(metavar="RUN_B", help="Another one; differences are B less A.", show_default=False)],
    by: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN,...",
            help="Columns of the deals table to group make rates by; without it the contract, the call, or the bid.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the differences of two runs, each with a 95 % interval and what it says.

    Runs of the same seed, deck and exchange are paired deal by deal; others are compared as independent runs, and a
    sentence says why.
    """
    names = column_names("--by", by)
    from analysis.comparison import compare_runs

    report = compare_runs(run_a, run_b, names)
    if as_json:
        print_json(report.as_json())
        return
    from analysis.comparison_tables import print_comparison

    print_comparison(report)
