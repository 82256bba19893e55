"""``simcore replay``: checks transcripts against the rules."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from simcore.cli.options import JsonOption, print_json
from simcore.errors import printable

_SHOWN = 5

EXAMPLES = """Examples:
  simcore replay deals.jsonl
  simcore deal bridgette --count 100 --json | simcore replay -
"""


def command(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Transcripts, one JSON object a line; - for standard input.", show_default=False),
    ],
    as_json: JsonOption = False,
) -> int:
    """Check transcripts event by event against the rules, points included.

    Exit code 1 where something is illegal.
    """
    from simcore.api import replay

    report = replay(sys.stdin if file == "-" else file)
    if as_json:
        print_json(report.as_dict())
        return 1 if report.violations else 0
    typer.echo(f"{report.transcripts} transcripts, {report.ok} legal, {len(report.violations)} violations")
    for found in report.violations[:_SHOWN]:
        where = f"transcript {found['transcript']}"
        where += "" if found["event"] is None else f", event {found['event']}"
        typer.echo(printable(f"{where}: {found['rule']}: {found['message']}"))
    if len(report.violations) > _SHOWN:
        typer.echo(f"and {len(report.violations) - _SHOWN} more (--json lists all)")
    return 1 if report.violations else 0
