"""``simcore rescore``: a run under another scoring table, without playing it again."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, RunArgument, SetOption, print_json

EXAMPLES = """Examples:
  simcore rescore runs/today --set scoring.doubled_made=0
  simcore rescore runs/today --set scoring.exact=[0,0,0,0,0,0,0,0] --json
  simcore rescore runs/today --scoring bridgette_flat_doubles
"""


def command(
    run: RunArgument,
    scoring: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A YAML file with a section scoring (or keys of it), stating only what differs, or a variant.",
            show_default=False,
        ),
    ] = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score the deals of a run by another table: points under both side by side, and whose matches change hands.

    Exact where the bots read neither the table nor the score of the match; others are refused.
    """
    from analysis.rescoring import rescore_run

    report = rescore_run(run, scoring, set_ or ())
    if as_json:
        print_json(report.as_json())
        return
    from analysis.rescored_tables import print_rescored

    print_rescored(report)
