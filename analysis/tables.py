"""Reports as tables for people: with lines on a terminal, in plain ASCII where the output goes to a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from rich import box
from rich.console import Console
from rich.table import Table

from analysis.auctions import CONTRACT
from analysis.estimates import Estimate, rate
from analysis.rates import RatesReport
from analysis.scores import PAIR, ScoresReport, Summary, WinRate
from simcore.notation import COLONS

_SYMBOLS = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
_EIGHTHS = ("", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589")
_BAR = 20
"""Characters of the bar of a rate of 100 %, where there is room."""
_SHORTEST_BAR = 5
_PADDING = 3
_DOUBLING = {1: "", 2: "X", 4: "XX"}
_WIDE = 200
"""Columns of output that goes to a file."""
_FEW_LENGTHS = 8
_LENGTH_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_ONE_TABLE = 110
"""Columns that means and quantiles need side by side."""


def print_rates(report: RatesReport, file: IO[str] | None = None) -> None:
    """Print make rates.

    Parameters
    ----------
    report : RatesReport
        What to print.
    file : text file or None
        Where to; None: standard output.
    """
    console = new_console(file)
    imposed = report.total is None
    _print_header(console, "Make rates of imposed contracts" if imposed else "Make rates", report.header, report.where)
    contracts = set(report.by) == set(CONTRACT)
    names = ["contract"] if contracts else list(report.by)
    symbols = shows_pictures(console)
    table = _rates_table(report, names, contracts, symbols, 0)
    if symbols:
        # a bar takes what the numbers leave
        room = console.width - console.measure(table, options=console.options.update(width=_WIDE)).maximum - _PADDING
        table = _rates_table(report, names, contracts, True, min(_BAR, room)) if room >= _SHORTEST_BAR else table
    console.print(table)
    if report.total is None:
        console.print("every strain was played from both sides on every deal, for tricks alone")
        console.print(f"intervals: 95 %, {report.rows[0].rate.method}")
        return
    never = [" ".join(_key_cells(report.by, row.key, contracts, symbols)) for row in report.rows if not row.rate.n]
    if never:
        console.print("n = 0: " + ", ".join(never), soft_wrap=False)
    _print_shares(console, {"passed_out": report.passed_out, "contested": report.contested})
    console.print(f"intervals: 95 %, {report.total.rate.method}")


def _rates_table(report: RatesReport, names: list[str], contracts: bool, symbols: bool, bar: int) -> Table:
    """The rows of a report that are not empty and the line of all; with bars of so many characters at most."""
    table = new_table([*names, "n", "made", "rate", "95 % interval"], text=len(names) if not contracts else 1)
    if bar:
        table.add_column("", no_wrap=True)
    for row in report.rows:
        if row.rate.n:
            drawn = [rate_bar(row.rate.estimate, bar)] if bar else []
            table.add_row(*_key_cells(report.by, row.key, contracts, symbols), *_rate_cells(row.rate, row.made), *drawn)
    if report.total is not None:
        table.add_section()
        table.add_row("all", *[""] * (len(names) - 1), *_rate_cells(report.total.rate, report.total.made))
    return table


def print_scores(report: ScoresReport, file: IO[str] | None = None) -> None:
    """Print score distributions; parameters as for `print_rates`."""
    console = new_console(file)
    _print_header(console, "Scores", report.header, report.where)
    _print_summaries(console, "points per deal", report.deals)
    if report.by:
        _print_groups(console, report)
    if report.totals:
        _print_summaries(console, "points per match", report.totals)
        table = new_table(["matches won by", "first dealer", "n", "won", "rate", "95 % interval"], text=2)
        for seat, first, found, won in _shown_wins(report.wins):
            table.add_row(seat, first, *_rate_cells(found, won))
        console.print(table)
    if report.drawn is not None:
        console.print(f"drawn: {_share(report.drawn)} of all matches")
    if report.unfinished is not None:
        console.print(f"ended at the cap: {_share(report.unfinished)} of all matches")
    if report.lengths:
        console.print(f"deals in a match: {_lengths(report.lengths)}")
    _print_shares(console, report.shares)
    for text in report.notes:
        console.print(f"note: {text}")
    for what, method in report.method.items():
        console.print(f"intervals of {what.replace('_', ' ')}: 95 %, {method}")


def _shown_wins(wins: list[WinRate]) -> Iterator[tuple[str, str, Estimate, int]]:
    """Wins by seat and first dealer; among more than two players by the place after the first dealer instead."""
    seats = 1 + max(win.seat for win in wins)
    for win in wins:
        if win.first_dealer is None:
            yield f"seat {win.seat}", "any", win.rate, win.won
        elif seats == PAIR:
            yield f"seat {win.seat}", f"seat {win.first_dealer}", win.rate, win.won
    for place in range(seats) if seats > PAIR else ():
        found = [win for win in wins if win.first_dealer is not None and (win.seat - win.first_dealer) % seats == place]
        won, n = sum(win.won for win in found), sum(win.rate.n for win in found)
        yield "first dealer" if place == 0 else f"first dealer + {place}", "", rate(won, n), won


def _lengths(lengths: dict[int, int]) -> str:
    """Numbers of deals of matches: each, or where there are many, how they are distributed."""
    if len(lengths) <= _FEW_LENGTHS:
        return ", ".join(f"{deals} in {n:,}" for deals, n in lengths.items())
    n_matches = sum(lengths.values())
    quantiles = []
    for share in _LENGTH_SHARES:
        seen = 0
        for deals, n in lengths.items():
            seen += n
            if seen >= share * n_matches:
                quantiles.append(f"{100 * share:g} % at most {deals}")
                break
    mean = sum(deals * n for deals, n in lengths.items()) / n_matches
    return f"mean {mean:.1f}; " + ", ".join(quantiles)


def _print_shares(console: Console, shares: Mapping[str, Estimate | None]) -> None:
    """Shares of all deals, those that the auction knows."""
    for name, title in (("passed_out", "passed out"), ("contested", "contested (both seats bid)")):
        share = shares.get(name)
        if share is not None:
            console.print(f"{title}: {_share(share)} of all deals")


def new_console(file: IO[str] | None) -> Console:
    """Console for a file (None: standard output): plain and wide where it is no terminal."""
    file = sys.stdout if file is None else file
    console = Console(file=file, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(file=file, highlight=False, markup=False, emoji=False, width=_WIDE, color_system=None)
    return console


def new_table(headings: Sequence[str], text: int) -> Table:
    """Empty table whose first `text` columns are text, the others numbers."""
    on_terminal = sys.stdout.isatty()
    table = Table(box=box.SIMPLE if on_terminal else box.ASCII, pad_edge=True)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < text else "right", no_wrap=True)
    return table


def _print_header(console: Console, title: str, header: dict[str, Any], where: str | None) -> None:
    bots = " - ".join(header["bots"])
    counts = f"{header['deals']:,} deals"
    if "matches" in header:
        counts += f" in {header['matches']:,} matches"
    shard = f", shard {header['shard']['index']}/{header['shard']['of']}" if "shard" in header else ""
    console.print(f"{title}: {header['variant']}, bots {bots}, seed {header['seed']}{shard}, {counts}")
    if where is not None:
        console.print(f"where {where}")
    if header["state"] != "finished":
        console.print(f"The run is not finished ({header['state']}); this is what its finished chunks hold.")


def _print_summaries(console: Console, title: str, summaries: dict[str, Summary]) -> None:
    """One table, or on a narrow terminal two: means, and quantiles."""
    shown = {who.replace("_", "-"): found for who, found in summaries.items() if found.mean.n}
    means = ["n", "mean", "95 % interval", "sd"]
    shares = [f"{100 * share:g} %" for share in next(iter(summaries.values())).quantiles]
    cells = {who: (_mean_cells(found), _quantile_cells(found)) for who, found in shown.items()}
    if console.width >= _ONE_TABLE:
        table = new_table([title, *means, *shares], text=1)
        for who, (left, right) in cells.items():
            table.add_row(who, *left, *right)
        console.print(table)
        return
    for place, headings in enumerate((means, shares)):
        table = new_table([title, *headings], text=1)
        for who, pair in cells.items():
            table.add_row(who, *pair[place])
        console.print(table)


def _print_groups(console: Console, report: ScoresReport) -> None:
    """Points per deal by group."""
    shares = [f"{100 * share:g} %" for share in next(iter(report.deals.values())).quantiles]
    wide = console.width >= _ONE_TABLE
    headings = [*report.by, "points per deal", "n", "mean", "95 % interval", "sd", *(shares if wide else [])]
    table = new_table(headings, text=len(report.by) + 1)
    for group in report.groups:
        cells = _key_cells(report.by, group.key, False, shows_pictures(console))
        for who, found in group.deals.items():
            if found.mean.n:
                table.add_row(*cells, who.replace("_", "-"), *_mean_cells(found), *(_quantile_cells(found) if wide else []))
                cells = [""] * len(cells)
        table.add_section()
    console.print(table)


def _mean_cells(found: Summary) -> list[str]:
    mean = found.mean
    interval = f"{_number(mean.low)} .. {_number(mean.high)}"
    return [f"{mean.n:,}", _number(mean.estimate), interval, _number(found.sd)]


def _quantile_cells(found: Summary) -> list[str]:
    return ["-" if value is None else f"{value:g}" for value in found.quantiles.values()]


def shows_pictures(console: Console) -> bool:
    """Whether suit symbols and bars can be shown: on a terminal that takes UTF-8."""
    return console.is_terminal and console.encoding.lower().replace("-", "").startswith("utf8")


def rate_bar(share: float | None, width: int) -> str:
    """A bar that has `width` characters for a share of 1."""
    whole, rest = divmod(round((share or 0.0) * width * len(_EIGHTHS)), len(_EIGHTHS))
    return "\u2588" * whole + (_EIGHTHS[rest] if rest else "")


def _key_cells(by: Sequence[str], key: Sequence[Any], contracts: bool, symbols: bool) -> list[str]:
    parts = dict(zip(by, key, strict=True))
    if symbols:
        parts |= {name: with_symbols(value) for name, value in parts.items() if name in ("strain", "upcard")}
    if contracts:
        return [f"{parts['level']}{parts['strain']}{_DOUBLING[parts['doubling']]}"]
    return ["-" if value is None else str(value) for value in parts.values()]


def with_symbols(value: Any) -> Any:
    """A strain or a card with the symbol of its suit; everything else as it is."""
    if isinstance(value, str) and value[:1] in _SYMBOLS and value not in ("NT", *COLONS):
        return _SYMBOLS[value[0]] + value[1:]
    return value


def _rate_cells(found: Estimate, made: int) -> list[str]:
    return [f"{found.n:,}", f"{made:,}", _percent(found.estimate), f"{_percent(found.low)} .. {_percent(found.high)}"]


def _share(found: Estimate) -> str:
    return f"{_percent(found.estimate)} ({_percent(found.low)} .. {_percent(found.high)})"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f} %"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.2f}"
