"""The regret of bots for people."""

from __future__ import annotations

from typing import IO

from analysis.estimates import Estimate
from analysis.regret import RegretReport
from analysis.tables import new_console, new_table, seers_text


def print_regret(report: RegretReport, file: IO[str] | None = None) -> None:
    """Print a report of regret.

    Parameters
    ----------
    report : RegretReport
        What to print.
    file : text file or None
        Where to; None: standard output.
    """
    console = new_console(file)
    tables = ", ".join(" - ".join(names) for names in report.bots)
    console.print(f"Regret of the play: {report.variant}, bots {tables}, seed {report.seed}, {report.deals:,} deals")
    if report.sees_all:
        console.print(seers_text(report.sees_all))
    table = new_table(["bot", "role", "n", "tricks lost", "95 % interval", "points lost", "95 % interval"], text=2)
    for row in report.rows:
        table.add_row(row.bot, row.role, f"{row.tricks.n:,}", *_cells(row.tricks, 3), *_cells(row.points, 1))
    console.print(table)
    console.print("a deal, from the first card on, in the contracts that the bots bid; perfect play sees both hands")
    console.print("tricks lost: against perfect play for tricks; points lost: against perfect play for points")
    console.print(f"intervals: 95 %, {report.method}")


def _cells(found: Estimate, digits: int) -> list[str]:
    if found.estimate is None:
        return ["-", "-"]
    if found.low is None or found.high is None:
        return [f"{found.estimate:.{digits}f}", "-"]
    return [f"{found.estimate:.{digits}f}", f"{found.low:.{digits}f} .. {found.high:.{digits}f}"]
