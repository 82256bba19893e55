"""The ladder for people: ranking with bars, matrix of all pairs, and both as a chart in a file."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import IO

from rich.console import Console
from rich.table import Table

from analysis.estimates import Estimate
from analysis.ladder import LadderReport
from analysis.tables import new_console, new_table, seers_text
from simcore.errors import InputError

_BAR = 30
"""Characters of the longest bar on each side of zero."""
_CHART_COLUMNS = 132
_BLOCKS = "▏▎▍▌▋▊▉█"


def print_ladder(report: LadderReport, file: IO[str] | None = None) -> None:
    """Print a ladder.

    Parameters
    ----------
    report : LadderReport
        What to print.
    file : text file or None
        Where to; None: standard output.
    """
    _print(report, new_console(file))


def chart_format(path: Path) -> str:
    """The format of a chart file, by its ending.

    Parameters
    ----------
    path : Path
        A name ending in .svg or .html.

    Returns
    -------
    str
        ``"svg"`` or ``"html"``.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in ("svg", "html"):
        raise InputError(f"--chart: {path} has no ending that says what it is; allowed: .svg, .html")
    return ending


def write_chart(report: LadderReport, path: Path) -> None:
    """Write ranking and matrix as a picture (.svg) or a page (.html) that needs nothing beside itself.

    Parameters
    ----------
    report : LadderReport
        What to show.
    path : Path
        The file; its ending says the format.
    """
    ending = chart_format(path)
    nowhere = StringIO()
    console = Console(file=nowhere, record=True, width=_CHART_COLUMNS, force_terminal=True, highlight=False, markup=False)
    _print(report, console)
    title = f"Ladder of {report.variant}"
    if ending == "svg":
        text = console.export_svg(title=title)
        start, end = text.find("@font-face"), text.rfind("@font-face")
        text = text if start < 0 else text[:start] + text[text.index("}", end) + 1 :]  # no fonts from the network
    else:
        text = console.export_html()
    path.write_text(text, encoding="utf-8")


def _print(report: LadderReport, console: Console) -> None:
    what, measure = ("deals", "points per deal") if report.unit == "deal" else ("matches", "percent of matches won")
    console.print(f"Ladder: {report.variant}, seed {report.seed}, {report.deals:,} mirrored {what} a pair, {measure}")
    if report.sees_all:
        console.print(seers_text(report.sees_all))
    console.print(_ranking(report, plain=console.color_system is None))
    console.print(_matrix(report))
    console.print(f"each cell: the bot of the row less the bot of the column; intervals: 95 %, {report.method}")
    if report.width is not None and report.widest > report.width:
        console.print(f"the width {report.width:g} was not reached: the widest interval is +- {report.widest:.4g}")


def _ranking(report: LadderReport, plain: bool) -> Table:
    table = new_table(["rank", "bot", "against the others", "95 % interval"], text=0)
    table.columns[1].justify = "left"
    table.add_column("", no_wrap=True)
    largest = max(abs(_shown(report, standing.difference).estimate or 0.0) for standing in report.ranking) or 1.0
    for place, standing in enumerate(report.ranking, start=1):
        found = _shown(report, standing.difference)
        bar = _bar((found.estimate or 0.0) / largest, plain)
        table.add_row(str(place), standing.bot, _signed(found.estimate), f"{_signed(found.low)} .. {_signed(found.high)}", bar)
    return table


def _bar(share: float, plain: bool) -> str:
    """A bar to the right of the middle for a positive share of the longest one, to the left for a negative one."""
    eighths = round(abs(share) * _BAR * len(_BLOCKS))
    whole, rest = divmod(eighths, len(_BLOCKS))
    if plain:
        bar = "#" * (whole + (rest >= len(_BLOCKS) // 2))
        return f"{bar:>{_BAR}}|" if share < 0 else f"{'':{_BAR}}|{bar}"
    if share < 0:
        return f"{'█' * whole:>{_BAR}}│"
    return f"{'':{_BAR}}│{'█' * whole}{_BLOCKS[rest - 1] if rest else ''}"


def _matrix(report: LadderReport) -> Table:
    names = [standing.bot for standing in report.ranking]
    cells: dict[tuple[str, str], str] = {}
    for duel in report.duels:
        pair = (duel.challenger, duel.opponent)
        cells[pair] = _cell(_shown(report, duel.difference), 1)
        cells.setdefault(pair[::-1], _cell(_shown(report, duel.difference), -1))
    table = new_table(["", *names], text=1)
    for row in names:
        table.add_row(row, *("" if row == column else cells[row, column] for column in names))
    return table


def _shown(report: LadderReport, found: Estimate) -> Estimate:
    """The estimate in the unit of the tables: points, or percent of matches."""
    if report.unit == "deal" or found.estimate is None or found.low is None or found.high is None:
        return found
    return replace(found, estimate=100 * found.estimate, low=100 * found.low, high=100 * found.high)


def _cell(found: Estimate, sign: int) -> str:
    assert found.estimate is not None
    assert found.high is not None
    return f"{_signed(sign * found.estimate)} +- {found.high - found.estimate:.1f}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+,.1f}"
