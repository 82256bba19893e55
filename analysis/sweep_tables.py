"""Sweeps as tables for people: one row a point."""

from __future__ import annotations

from typing import IO

from analysis.differences import MAKE_RATE, POINTS, RATES, SHARE, WINS
from analysis.estimates import Estimate
from analysis.sweeps import PointReport, SweepReport, What
from analysis.tables import new_console, new_table

_PAIR = 2


def print_sweep(report: SweepReport, file: IO[str] | None = None) -> None:
    """Print a sweep.

    Parameters
    ----------
    report : SweepReport
        What to print.
    file : text file or None
        Where to; None: standard output.
    """
    console = new_console(file)
    header = report.header
    seeds = sorted({point.seed for point in report.points})
    seed = f"seed {seeds[0]} at every point" if len(seeds) == 1 else "a seed for each point"
    console.print(f"Sweep: {header['sweep']}: {header['variant']}, bots {'; '.join(header['bots'])}, {seed}")
    columns = _columns(report)
    table = new_table(["#", "point", "deals", *(_title(what) for what in columns)], text=_PAIR)
    for point in report.points:
        mark = " *" if point.index == report.reference else ""
        cells = [_cell(what, point.figures[what]) for what in columns]
        table.add_row(f"{point.index}{mark}", point.name, f"{point.deals:,}", *cells)
    console.print(table)
    if len(seeds) > 1:
        console.print("seeds: " + ", ".join(f"{point.index}: {point.seed}" for point in report.points))
    name = report.points[report.reference].name
    console.print(f"less point {report.reference} * ({name}), with 95 % intervals; = the same in all common deals")
    table = new_table(["#", "point", "", *(_title(what) for what in columns)], text=_PAIR)
    for point in report.points:
        if point.differences:
            cells = [_less(point, what) for what in columns]
            table.add_row(str(point.index), point.name, "paired" if point.paired else "not paired", *cells)
    console.print(table)
    console.print(report.verdict)
    for note in report.notes:
        console.print(f"note: {note}")
    console.print(f"intervals: 95 %, {header['method']}; each difference by itself, the best point corrected as it says")
    console.print(f"runs: {header['out']}/*; next: simcore compare two of them")


def _columns(report: SweepReport) -> list[What]:
    """Figures that are shown: make rate, passed out, points by role, or by seat in games of more; and the measure."""
    figures = report.points[0].figures
    found = [key for key in figures if key in ((MAKE_RATE, ""), (SHARE, "passed_out"))]
    roles = [key for key in figures if key[0] == POINTS and not key[1].startswith("seat")]
    seats = [key for key in figures if key[0] == POINTS and key[1].startswith("seat")]
    found += roles[:_PAIR] if len(seats) == _PAIR else []
    found += seats
    if report.measure.startswith("wins"):
        found += [key for key in figures if key[0] == WINS and report.measure.endswith(key[1].replace(" ", "_"))]
    return found


def _title(what: What) -> str:
    kind, who = what
    if kind == MAKE_RATE:
        return "make rate"
    return {POINTS: "points ", WINS: "won by ", SHARE: ""}[kind] + who.replace("_", "-" if kind == POINTS else " ")


def _cell(what: What, found: Estimate) -> str:
    if found.estimate is None:
        return "-"
    half = None if found.low is None or found.high is None else (found.high - found.low) / _PAIR
    return _with_half(what, found.estimate, half, "")


def _less(point: PointReport, what: What) -> str:
    row = point.differences[what]
    found = row.difference
    if row.alike or row.same:
        return "="
    if found.estimate is None or found.low is None or found.high is None:
        return "-"
    return _with_half(what, found.estimate, (found.high - found.low) / _PAIR, "+")


def _with_half(what: What, value: float, half: float | None, sign: str) -> str:
    scale = 100 if what[0] in RATES else 1
    unit = " %" if scale > 1 else ""
    width = "" if half is None else f" +- {scale * half:,.2f}"
    return f"{scale * value:{sign},.2f}{width}{unit}"
