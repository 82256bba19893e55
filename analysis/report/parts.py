"""What a report is made of: sections with pictures and tables, and how numbers are written in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.estimates import Estimate

_LARGE = 20
"""Points from here on are written with one decimal, smaller ones with three."""
_SMALL, _TINY = 0.0095, 1e-6
"""Shares below these are written with two significant digits, or with four decimals of a percent."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts.

    Attributes
    ----------
    headings : tuple of str
    rows : list of tuple of str
    text : int
        So many columns at the left are text, the others numbers.
    note : str
        Said below it, as the method of the intervals.
    long : bool
        Whether texts may be long, so that they are broken into lines.
    """

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    text: int = 1
    note: str = ""
    long: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its caption and the table behind it.

    Attributes
    ----------
    title : str
    caption : str
        How to read it.
    chart : altair chart or None
        None where there is only a table, or nothing.
    table : Table or None
    missing : str
        Why there is no picture.
    run : str
        Letter of the run, where there are several.
    open : bool
        Whether the table is shown at once.
    wide : bool
        Whether it takes the whole width of the page.
    """

    title: str
    caption: str
    chart: Any = None
    table: Table | None = None
    missing: str = ""
    run: str = ""
    open: bool = False
    wide: bool = False


@dataclass(slots=True)
class Section:
    """A part of the page under one heading.

    Attributes
    ----------
    key : str
        Its anchor.
    title : str
    rows : list of list of Figure
        Pictures, a row of the page each; they wrap where it is narrow.
    points : list of str
        Sentences.
    """

    key: str
    title: str
    rows: list[list[Figure]] = field(default_factory=list)
    points: list[str] = field(default_factory=list)

    @property
    def figures(self) -> list[Figure]:
        """All its pictures."""
        return [figure for row in self.rows for figure in row]


def percent(value: float | None, digits: int = 1) -> str:
    """A share in percent, small ones with more digits; a dash for None."""
    if value is None or value != value:
        return "-"
    small = 0 < abs(value) < _SMALL
    return (
        f"{100 * value:.2g} %"
        if small and abs(value) >= _TINY
        else f"{100 * value:.{digits}f} %"
        if not small
        else f"{100 * value:.4f} %"
    )


def number(value: float | None, digits: int = 1) -> str:
    """A number with separators; a dash for None."""
    return "-" if value is None or value != value else f"{value:,.{digits}f}"


def interval(low: float | None, high: float | None, as_percent: bool, signed: bool = False, digits: int = 1) -> str:
    """An interval as ``low .. high``; a dash where there is none."""
    if low is None or high is None or low != low or high != high:
        return "-"
    if signed:
        scale = 100 if as_percent else 1
        return f"{scale * low:+,.{digits + 1}f} .. {scale * high:+,.{digits + 1}f}"
    if as_percent:
        return f"{percent(low).removesuffix(' %')} .. {percent(high)}"
    return f"{number(low, digits)} .. {number(high, digits)}"


def rate_table(headings: Sequence[str], frame: Any, names: Sequence[str], value: str = "make rate") -> Table:
    """Rates with n and interval, a row of the frame each.

    Parameters
    ----------
    headings : sequence of str
        Of the columns `names`.
    frame : pandas.DataFrame
        names, estimate, low, high, n, method; and made.
    names : sequence of str
        The columns that say what a row is.
    value : str
        What the rate is.

    Returns
    -------
    Table
        With the method as its note.
    """
    rows = [
        (
            *(plain(row[name]) for name in names),
            f"{row['n']:,.0f}",
            percent(row["estimate"], 2),
            interval2(row["low"], row["high"]),
        )
        for row in frame.to_dict("records")
    ]
    methods = dict.fromkeys(frame["method"])
    note = f"Intervals: 95 %, {'; '.join(methods)}." if methods else ""
    return Table((*headings, "n", value, "95 % interval"), rows, len(names), note)


def interval2(low: float | None, high: float | None) -> str:
    """An interval of a rate with two decimals."""
    if low is None or high is None or low != low or high != high:
        return "-"
    return f"{100 * low:.2f} .. {100 * high:.2f} %"


def plain(value: Any) -> str:
    """A value of a key as people write it."""
    if value is None or value != value:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class Measure:
    """A key figure: an estimate and how it is written; `pair` names the measure of paired differences, if there is one."""

    name: str
    found: Estimate
    percent: bool
    pair: str = ""

    @property
    def value(self) -> str:
        """The number."""
        return percent(self.found.estimate) if self.percent else number(self.found.estimate, self._digits)

    @property
    def interval(self) -> str:
        """Its interval."""
        return interval(self.found.low, self.found.high, self.percent, digits=self._digits)

    @property
    def _digits(self) -> int:
        """Decimals that show the interval."""
        return 1 if abs(self.found.estimate or 0.0) >= _LARGE else 3
