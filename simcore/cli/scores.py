"""``simcore scores``: score distributions of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, RunArgument, WhereOption, column_names, print_json

EXAMPLES = """Examples:
  simcore scores runs/bridgette-heuristic-seed1
  simcore scores runs/bridgette-heuristic-seed1 --by upcard_class
  simcore scores runs/bridgette-heuristic-seed1 --where "level >= 6 and not made" --json
"""


def command(
    run: RunArgument,
    by: Annotated[
        str | None,
        typer.Option(metavar="COLUMN,...", help="Also points per deal by these columns of deals.", show_default=False),
    ] = None,
    where: WhereOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print points per deal and per match, and who wins, with intervals."""
    names = column_names("--by", by)
    from analysis.scores import score_summary

    report = score_summary(run, names or (), where)
    from analysis.degenerate import alarms as alarms_of_run

    alarms = alarms_of_run(run) if where is None else []
    if as_json:
        print_json(report.as_json() | ({"alarms": alarms} if alarms else {}))
        return
    from analysis.tables import print_scores

    print_scores(report)
    for text in alarms:
        typer.echo(f"alarm: {text}")
