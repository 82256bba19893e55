"""Estimates as tables for people."""

from __future__ import annotations

from typing import IO, Any

from analysis.estimate_report import EstimateReport, RoleEstimate
from analysis.estimates import Estimate
from analysis.tables import new_console, new_table

_BAR = 30


def print_estimate(report: EstimateReport, file: IO[str] | None = None) -> None:
    """Print an estimate.

    Parameters
    ----------
    report : EstimateReport
        What to print.
    file : text file or None
        Where to; None: standard output.
    """
    console = new_console(file)
    header = report.header
    who = " - ".join(header["bots"]) if len(set(header["bots"])) > 1 else header["bots"][0]
    played = "perfect play for tricks" if header["play"] == "perfect" else f"bots {who}"
    bid = f"call {header['call']}" if "call" in header else header["contract"]
    console.print(f"{bid}, imposed: {header['variant']}, {played}, seed {header['seed']}")
    for key, value in header["known"].items():
        console.print(f"{key}: {value}")
    table = new_table(["declarer" if "call" not in header else "call", "n", "make rate", "95 % interval"], text=1)
    for row in report.rows:
        table.add_row(_name(row, bid), f"{row.rate.n:,}", _percent(row.rate.estimate), _interval(row.rate))
    console.print(table)
    _print_tricks(console, report, bid)
    _print_points(console, report, bid)
    for row in report.rows:
        _print_best(console, report, row)
    for row in report.rows:
        if row.acceptance.estimate is not None and row.acceptance.estimate < 1:
            console.print(
                f"{_name(row, bid)}: {row.rate.n:,} of {row.attempts:,} simulated deals agree with what is known"
                f" ({_percent(row.acceptance.estimate)})"
            )
    for note in [*report.notes, *dict.fromkeys(note for row in report.rows for note in row.notes)]:
        console.print(f"note: {note}")
    console.print(f"intervals: 95 %, {report.rows[0].rate.method}; {next(iter(report.rows[0].points.values())).method}")


def _name(row: RoleEstimate, bid: str) -> str:
    return bid if row.declarer is None else row.declarer.replace("_", "-")


def _print_tricks(console: Any, report: EstimateReport, bid: str) -> None:
    """How often each number of tricks, with a bar where there is one row."""
    names = [_name(row, bid) for row in report.rows]
    one = len(report.rows) == 1
    table = new_table(["tricks", *names, *([""] if one else [])], text=0)
    if one:
        table.columns[-1].justify = "left"
    totals = [max(sum(row.tricks), 1) for row in report.rows]
    most = max(max(row.tricks) / total for row, total in zip(report.rows, totals, strict=True))
    for number in range(len(report.rows[0].tricks)):
        shares = [row.tricks[number] / total for row, total in zip(report.rows, totals, strict=True)]
        if any(shares):
            bar = ["#" * round(_BAR * shares[0] / most)] if one else []
            table.add_row(str(number), *(_percent(share) for share in shares), *bar)
    console.print(table)


def _print_points(console: Any, report: EstimateReport, bid: str) -> None:
    table = new_table(["declarer's points per deal", "", "mean", "95 % interval"], text=2)
    for row in report.rows:
        for key, found in row.points.items():
            table.add_row(_name(row, bid), "" if key == "points" else key, _number(found.estimate), _interval(found, _number))
    console.print(table)


def _print_best(console: Any, report: EstimateReport, row: RoleEstimate) -> None:
    best = row.best
    if best is None:
        return
    asked = report.bid
    start = f"most points on average{'' if row.declarer is None else ' as ' + row.declarer.replace('_', '-')}: {best.bid}"
    if best.bid == asked.rstrip("X"):
        points = f"{_number(best.points.estimate)} points ({_interval(best.points, _number)})"
        console.print(f"{start}, {points}; {best.rate.n:,} fresh deals")
        return
    console.print(
        f"{start}, makes in {_percent(best.rate.estimate)}, {_number(best.points.estimate)} points"
        f" ({_interval(best.points, _number)}), {_number(best.difference.estimate)} more than {asked}"
        f" ({_interval(best.difference, _number)}); {best.rate.n:,} fresh deals"
    )


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f} %"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f}"


def _interval(found: Estimate, write: Any = _percent) -> str:
    return "-" if found.low is None else f"{write(found.low)} .. {write(found.high)}"
