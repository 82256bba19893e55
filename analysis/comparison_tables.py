"""Comparisons of runs as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from rich.console import Console

from analysis.auctions import CONTRACT
from analysis.differences import LENGTH, RATES, SHARED, TOTAL, WINS, CompareReport, Difference
from analysis.tables import new_console, new_table

_DOUBLING = {1: "", 2: "X", 4: "XX"}
_LONGEST = 8
"""Changes that are listed."""
PAIR = 2


def print_comparison(report: CompareReport, file: IO[str] | None = None) -> None:
    """Print a comparison.

    Parameters
    ----------
    report : CompareReport
        What to print.
    file : text file or None
        Where to; None: standard output.
    """
    console = new_console(file)
    for name, side in (("A", report.a), ("B", report.b)):
        counts = f"{side['deals']:,} deals" + (f" in {side['matches']:,} matches" if "matches" in side else "")
        bots = " - ".join(side["bots"])
        console.print(f"{name}: {side['run']}: {side['variant']}, bots {bots}, seed {side['seed']}, {counts}")
    changes = report.changes or ["nothing but how much was played or kept"]
    for line in changes[:_LONGEST]:
        console.print(f"different: {line}")
    if len(changes) > _LONGEST:
        console.print(f"different: and {len(changes) - _LONGEST} more (--json lists all)")
    _print_pairing(console, report)
    console.print()
    for title, row in _in_words(report):
        console.print(f"{title}: {row.verdict('matches' if row.kind == WINS else 'deals')}")
    _print_rows(console, [*report.rows, report.total], _titles(report), "make rate")
    _print_rows(console, report.points, [[row.who.replace("_", "-")] for row in report.points], "points per deal")
    _print_rows(console, report.shares, [[row.who.replace("_", " ")] for row in report.shares], "share of deals")
    _print_matches(console, report.matches)
    for note in report.notes:
        console.print(f"note: {note}")
    console.print(f"intervals: 95 %, {report.total.difference.method}")
    console.print("differences are B less A, those of rates in percentage points")


def _in_words(report: CompareReport) -> Iterator[tuple[str, Difference]]:
    """The differences that are told in words: make rate, passed out, points by role (of more than two by seat), wins."""
    yield "make rate", report.total
    for row in report.shares:
        if row.who == "passed_out":
            yield "passed out", row
    pair = sum(row.who.startswith("seat") for row in report.points) == PAIR
    for row in report.points:
        if row.who in ("dealer", "non_dealer") if pair else row.who.startswith("seat"):
            yield f"points per deal, {row.who.replace('_', '-')}", row
    for row in report.matches:
        if row.kind == WINS and row.who != SHARED:
            yield f"matches won by {row.who}", row


def _print_pairing(console: Console, report: CompareReport) -> None:
    if not report.paired:
        console.print(f"not paired: {report.why}")
        return
    matches = f" in {report.common['matches']:,} matches" if "matches" in report.common else ""
    left = report.unmatched
    out = f"left out: {left.only_a:,} deals only in A, {left.only_b:,} only in B, {left.other_cards:,} with other cards"
    console.print(f"paired: {report.common['deals']:,} common deals{matches}; {out}")


def _print_matches(console: Console, rows: Sequence[Difference]) -> None:
    rates = [row for row in rows if row.kind in RATES]
    means = [row for row in rows if row.kind not in RATES]
    _print_rows(console, rates, [[f"won by {row.who}" if row.who != SHARED else "shared"] for row in rates], "matches")
    titles = {TOTAL: "{}", LENGTH: "deals"}
    _print_rows(console, means, [[titles[row.kind].format(row.who)] for row in means], "points per match")


def _titles(report: CompareReport) -> list[list[str]]:
    """Cells that name the rows of make rates, the total last."""
    if set(report.by) == set(CONTRACT):
        keys = [dict(zip(report.by, row.key, strict=True)) for row in report.rows]
        return [*([f"{key['level']}{key['strain']}{_DOUBLING[key['doubling']]}"] for key in keys), ["all"]]
    cells = [["-" if value is None else str(value) for value in row.key] for row in report.rows]
    return [*cells, ["all", *[""] * (len(report.by) - 1)]]


def _print_rows(console: Console, rows: Sequence[Difference], titles: Sequence[Sequence[str]], heading: str) -> None:
    """A table of differences, with the table of pairs where there is one."""
    if not rows:
        return
    pairs = any(row.cells is not None and row.paired for row in rows)
    width = max(len(title) for title in titles)
    names = [heading, *[""] * (width - 1), "n A", "n B", "A", "B", "B - A", "95 % interval"]
    names += ["both", "only A", "only B", "neither"] if pairs else []
    table = new_table([*names, ""], text=width)
    for title, row in zip(titles, rows, strict=True):
        if not row.a.n and not row.b.n:
            continue
        cells = ["-"] * 4 if row.cells is None else [f"{n:,}" for name, n in row.cells.as_json().items() if name != "n"]
        table.add_row(*title, *_numbers(row), *(cells if pairs else []), _mark(row))
    console.print(table)


def _numbers(row: Difference) -> list[str]:
    found = row.difference
    return [
        f"{row.a.n:,}",
        f"{row.b.n:,}",
        _number(row, row.a.estimate),
        _number(row, row.b.estimate),
        _number(row, found.estimate, "+"),
        f"{_number(row, found.low, '+')} .. {_number(row, found.high, '+')}",
    ]


def _number(row: Difference, value: float | None, sign: str = "") -> str:
    if value is None:
        return "-"
    return f"{100 * value:{sign}.2f} %" if row.kind in RATES else f"{value:{sign},.2f}"


def _mark(row: Difference) -> str:
    """More, less, or nothing that can be told."""
    if row.same or row.alike:
        return "="
    return "more" if row.shown and (row.difference.estimate or 0) > 0 else "less" if row.shown else ""


