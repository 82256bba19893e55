"""``simcore rates``: make rates of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, RunArgument, print_json
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore rates runs/bridgette-heuristic-seed1
  simcore rates runs/bridgette-heuristic-seed1 --by declarer_role,level --json
"""


def command(
    run: RunArgument,
    by: Annotated[
        str, typer.Option(metavar="COLUMN,...", help="Columns of the deals table to group by.")
    ] = "level,strain,doubling",
    as_json: JsonOption = False,
) -> None:
    """Print make rates by contract, each with n and a 95 % interval."""
    names = [name.strip() for name in by.split(",")]
    if not all(names):
        raise InputError(f"--by: {by!r} has an empty name; write columns with commas between, as in level,strain")
    from analysis.rates import make_rates

    report = make_rates(run, names)
    if as_json:
        print_json(report.as_json())
        return
    from analysis.tables import print_rates

    print_rates(report)
