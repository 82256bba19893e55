"""``simcore rates``: make rates of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, RunArgument, WhereOption, column_names, print_json

EXAMPLES = """Examples:
  simcore rates runs/bridgette-heuristic-seed1
  simcore rates runs/bridgette-heuristic-seed1 --by declarer_role,level --json
  simcore rates runs/x --where "hcp_declarer >= 15 and len_trump_declarer >= 5" --by level,strain
  simcore rates runs/all --by level,strain,declarer_role     (of a run with --contracts all)
  simcore rates runs/call_bridge-heuristic-seed1 --by bonus,position
"""


def command(
    run: RunArgument,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN,...",
            help="Columns to group by, such as level,strain or upcard_class; without it the contract, call or bid.",
            show_default=False,
        ),
    ] = None,
    where: WhereOption = None,
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
    names = column_names("--by", by)
    from analysis.auctions import CONTRACT
    from analysis.imposed import GROUPS, has_trick_table, imposed_rates
    from analysis.load import open_run
    from analysis.rates import make_rates

    of_contracts = set(CONTRACT if names is None else names) in (set(CONTRACT), {*GROUPS}, {*GROUPS[:2]})
    if imposed or (imposed is None and of_contracts and has_trick_table(run)):
        report = imposed_rates(run, by_role=names is not None and GROUPS[-1] in names, where=where)
    else:
        report = make_rates(run, names, where)
    from analysis.degenerate import alarms_of

    alarms = alarms_of(report, open_run(run).rules)
    if as_json:
        print_json(report.as_json() | ({"alarms": alarms} if alarms else {}))
        return
    from analysis.tables import print_rates

    print_rates(report)
    for text in alarms:
        typer.echo(f"alarm: {text}")
