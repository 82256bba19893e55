"""``simcore rates``: make rates of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, RunArgument, print_json
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore rates runs/bridgette-heuristic-seed1
  simcore rates runs/bridgette-heuristic-seed1 --by declarer_role,level --json
  simcore rates runs/all --by level,strain,declarer_role     (of a run with --contracts all)
  simcore rates runs/call_bridge-heuristic-seed1 --by bonus,position
"""


def command(
    run: RunArgument,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN,...",
            help="Columns of the deals table to group by; without it the contract, the call, or the bid of steps.",
            show_default=False,
        ),
    ] = None,
    imposed: Annotated[
        bool | None,
        typer.Option(
            "--imposed/--bid",
            help="Of a run with contracts: all: every contract, imposed on every deal (the default), or those that were bid.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print make rates by contract, call or bid, each with n and a 95 % interval."""
    names = None if by is None else [name.strip() for name in by.split(",")]
    if names is not None and not all(names):
        raise InputError(f"--by: {by!r} has an empty name; write columns with commas between, as in level,strain")
    from analysis.auctions import CONTRACT
    from analysis.imposed import GROUPS, has_trick_table, imposed_rates
    from analysis.rates import make_rates

    of_contracts = set(CONTRACT if names is None else names) in (set(CONTRACT), {*GROUPS}, {*GROUPS[:2]})
    if imposed or (imposed is None and of_contracts and has_trick_table(run)):
        report = imposed_rates(run, by_role=names is not None and GROUPS[-1] in names)
    else:
        report = make_rates(run, names)
    if as_json:
        print_json(report.as_json())
        return
    from analysis.tables import print_rates

    print_rates(report)
