"""Re-scored runs as tables for people: today's table and the new one side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from rich.console import Console

from analysis.differences import RATES, SHARED, Difference
from analysis.rescored import RescoreReport
from analysis.tables import new_console, new_table, print_header


def print_rescored(report: RescoreReport, file: IO[str] | None = None) -> None:
    """Print a re-scored run.

    Parameters
    ----------
    report : RescoreReport
        What to print.
    file : text file or None
        Where to; None: standard output.
    """
    console = new_console(file)
    print_header(console, "Another scoring table", report.header)
    for line in report.changes or ["nothing: the two tables are the same"]:
        console.print(f"different: {line}")
    bots = " and ".join(dict.fromkeys(report.header["bots"]))
    console.print(f"reads: {bots}: neither the scoring table nor the score of the match, so nothing is replayed")
    share = report.changed
    if share.estimate is not None and share.low is not None and share.high is not None:
        interval = f"{100 * share.low:.2f} % .. {100 * share.high:.2f} %"
        console.print(f"points change in {100 * share.estimate:.2f} % ({interval}) of all deals")
    _print(console, report.points, "points per deal")
    if report.wins:
        _print(console, report.wins, "matches won by")
        if report.unknown:
            console.print(
                f"left out: {report.unknown:,} of the matches, level under the new table, whose extra deal was not played"
            )
    if report.why is not None:
        console.print(f"matches are not told: {report.why}")
    for note in report.notes:
        console.print(f"note: {note}")
    console.print(f"intervals: 95 %, {report.points[0].difference.method}; new less today")


def _print(console: Console, rows: Sequence[Difference], heading: str) -> None:
    table = new_table([heading, "n", "today", "new", "new - today", "95 % interval", ""], text=1)
    for row in rows:
        if not row.a.n:
            continue
        found = row.difference
        interval = f"{_number(row, found.low, '+')} .. {_number(row, found.high, '+')}"
        numbers = (_number(row, row.a.estimate), _number(row, row.b.estimate), _number(row, found.estimate, "+"), interval)
        who = "nobody alone" if row.who == SHARED else row.who.replace("_", "-")
        table.add_row(who, f"{row.a.n:,}", *numbers, _mark(row))
    console.print(table)


def _mark(row: Difference) -> str:
    if row.alike or row.same:
        return "="
    if not row.shown:
        return "not distinguishable"
    return "more" if (row.difference.estimate or 0) > 0 else "less"


def _number(row: Difference, value: float | None, sign: str = "") -> str:
    if value is None:
        return "-"
    return f"{100 * value:{sign}.2f} %" if row.kind in RATES else f"{value:{sign},.2f}"
