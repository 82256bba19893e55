"""Several runs beside the first one: differences with intervals, paired where they met the same deals."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from analysis import charts
from analysis.estimates import ClusterSums, Estimate, clustered_mean
from analysis.report.parts import Figure, Table, interval, percent
from analysis.report.provenance import what_differs
from analysis.report.view import RunView

INDEPENDENT = "independent: square-and-add of the two intervals"
PAIRED = "paired on common deals, clustered by match"
PAIRED_DEALS = "paired on common deals"
_FULL: Any = "container"
_MOST = 18
_FEWEST = 30
_SAME = ("players", "deck", "deal")
"""Sections of a variant on which the cards that are dealt depend."""


def are_common(first: RunView, other: RunView) -> bool:
    """Whether two runs met the same cards: rows of the same seed, pack, deal and unit."""
    a, b = first.data.manifest.config, other.data.manifest.config
    if first.data.summed or other.data.summed:
        return False
    if any(a.get(key) != b.get(key) for key in ("seed", "unit", "hands_digest")):
        return False
    return all(a["variant"].get(key) == b["variant"].get(key) for key in _SAME)


def independent(first: Estimate, other: Estimate) -> Estimate:
    """Difference of two estimates of independent runs (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10).

    Parameters
    ----------
    first, other : Estimate
        Each with its interval.

    Returns
    -------
    Estimate
        `other` less `first`; n of the smaller one.
    """
    n = min(first.n, other.n)
    if first.estimate is None or other.estimate is None:
        return Estimate(n, None, None, None, INDEPENDENT)
    difference = other.estimate - first.estimate
    if first.low is None or first.high is None or other.low is None or other.high is None:
        return Estimate(n, difference, None, None, INDEPENDENT)
    below = math.hypot(other.estimate - other.low, first.high - first.estimate)
    above = math.hypot(other.high - other.estimate, first.estimate - first.low)
    return Estimate(n, difference, difference - below, difference + above, INDEPENDENT)


def _expression(pair: str, players: int) -> str:
    """SQL of a measure of one deal."""
    if pair.startswith("seat "):
        return f"points_{int(pair.removeprefix('seat '))}"
    if pair in ("dealer", "non_dealer"):
        own = " ".join(f"WHEN {seat} THEN points_{seat if pair == 'dealer' else 1 - seat}" for seat in range(players))
        return f"CASE dealer {own} END"
    return f"CAST({pair} AS DOUBLE)"


def paired(first: RunView, other: RunView, pairs: list[str]) -> tuple[dict[str, Estimate], int, int]:
    """Differences on the deals that both runs have.

    Parameters
    ----------
    first, other : RunView
        Runs for which `are_common`.
    pairs : list of str
        Measures of a deal.

    Returns
    -------
    tuple
        By measure the mean of `other` less `first`; deals in common; deals that only one of them has.
    """
    import duckdb

    players = first.data.players
    names = [f"v{place}" for place in range(len(pairs))]
    values = ", ".join(f"{_expression(pair, players)} AS {name}" for pair, name in zip(pairs, names, strict=True))
    each = ", ".join(
        f"count(b.{v} - a.{v}) AS n_{v}, coalesce(sum(b.{v} - a.{v}), 0) AS d_{v}, sum((b.{v} - a.{v}) ** 2) AS q_{v}"
        for v in names
    )
    found = {}
    with duckdb.connect() as base:
        for name, view in (("a", first), ("b", other)):
            base.register(f"{name}_rows", view.data.dataset("deals"))
            base.execute(f"CREATE VIEW {name} AS SELECT match, deal, {values} FROM {name}_rows")
        of_match = (
            f"SELECT a.match, count(*) AS n, {each} FROM a JOIN b ON a.match = b.match AND a.deal = b.deal GROUP BY a.match"
        )
        base.execute(f"CREATE TABLE m AS {of_match}")
        common = _numbers(base, "SELECT sum(n) FROM m")[0]
        in_first, in_other = first.data.manifest.deals, other.data.manifest.deals
        for pair, v in zip(pairs, names, strict=True):
            n, *rest = _numbers(
                base,
                f"SELECT sum(n_{v}), sum(d_{v}), sum(n_{v} * n_{v}), sum(n_{v} * d_{v}), sum(d_{v} * d_{v}), sum(q_{v}) FROM m",
            )
            method = PAIRED if first.data.clustered else PAIRED_DEALS
            found[pair] = clustered_mean(ClusterSums(int(n), *rest), method)
    return found, int(common), int(in_first + in_other - 2 * common)


def _numbers(base: Any, query: str) -> list[float]:
    """The one row of a query; null is 0."""
    row = base.execute(query).fetchone()
    return [float(value or 0) for value in row]


def measure_table(views: list[RunView]) -> Table:
    """Key figures of all runs, and the differences from the first."""
    measures = [view.measures() for view in views]
    names = [measure.name for measure in measures[0]]
    known = [{measure.name: measure for measure in found} for found in measures]
    headings = ["measure", *(f"{view.letter} - {views[0].letter}" for view in views[1:]), *(view.title for view in views)]
    pairs = [measure.pair for measure in measures[0] if measure.pair]
    differences: list[dict[str, Estimate]] = []
    notes = []
    for view in views[1:]:
        if view.data.players != views[0].data.players or not are_common(views[0], view):
            differences.append({})
            notes.append(f"{view.letter} - {views[0].letter}: independent intervals (the runs did not meet the same deals).")
            continue
        found, common, unmatched = paired(views[0], view, pairs)
        differences.append(found)
        notes.append(
            f"{view.letter} - {views[0].letter}: paired (p) on {common:,} common deals, {unmatched:,} deals unmatched and "
            "left out of the pairs; measures of whole matches as if independent (i)."
        )
    rows = []
    for name in names:
        if not all(name in found for found in known):
            continue
        cells = []
        for place in range(1, len(views)):
            first = known[0][name]
            shared = differences[place - 1].get(first.pair) if first.pair else None
            difference = shared if shared is not None else independent(first.found, known[place][name].found)
            cells.append(_difference(difference, first.percent, "p" if shared is not None else "i"))
        rows.append((name, *cells, *(f"{found[name].value}\n{found[name].interval}" for found in known)))
    return Table(tuple(headings), rows, 1, " ".join(notes))


def _difference(found: Estimate, as_percent: bool, mark: str) -> str:
    if found.estimate is None:
        return "-"
    scale = 100 if as_percent else 1
    unit = " points of %" if as_percent else ""
    return f"{scale * found.estimate:+,.2f}{unit} ({mark})\n{interval(found.low, found.high, as_percent, True)}"


def comparison_figures(views: list[RunView]) -> list[Figure]:
    """Key figures side by side, what differs, and differences of make rates."""
    caption = (
        "The key figures of each run with their 95 % intervals, and their differences from the first run. An interval of "
        "a difference that does not contain 0 is more than chance at this length."
    )
    figures = [Figure("Key figures side by side", caption, table=measure_table(views), open=True, wide=True)]
    differing = what_differs(views)
    if differing:
        table = Table(("setting", *(view.letter for view in views)), differing, len(views) + 1, long=True)
        text = "Every value of the resolved configurations that is not the same in all runs."
        figures.append(Figure("What differs", text, table=table, open=len(differing) <= 12, wide=True))
    figures.append(_rate_differences(views))
    return figures


def _rate_differences(views: list[RunView]) -> Figure:
    first = _compared(views[0]).set_index("label")
    rows = []
    for view in views[1:]:
        for row in _compared(view).to_dict("records"):
            if row["label"] in first.index:
                base = first.loc[row["label"]]
                if min(row["n"], base["n"]) >= _FEWEST:
                    found = independent(_estimate(base), _estimate(row))
                    rows.append(
                        {
                            **_row(found),
                            "label": row["label"],
                            "order": int(base["order"]),
                            "group": f"{view.letter} - {views[0].letter}",
                        }
                    )
    title = "Differences of make rates"
    if not rows:
        return Figure(title, "", missing=f"Nothing was bid {_FEWEST} times in both runs.")
    frame = pd.DataFrame(rows)
    most = frame.groupby("label")["n"].sum().nlargest(_MOST).index
    shown = frame[frame["label"].isin(most)].sort_values(["order", "group"])
    caption = (
        f"Make rate of each run less that of run {views[0].letter}, in points of percent, with 95 % intervals; across the "
        f"dashed line: no difference shown. The {len(most)} most frequent ones. The same contract is bid on other deals "
        "in each run, so these are not paired: the intervals take the runs as independent."
    )
    table = Table(
        ("contract", "runs", "n", "difference", "95 % interval"),
        [
            (
                row["label"],
                row["group"],
                f"{row['n']:,}",
                percent(row["estimate"], 2),
                interval(row["low"], row["high"], True, True),
            )
            for row in frame.sort_values(["order", "group"]).to_dict("records")
        ],
        2,
        f"Intervals: 95 %, {INDEPENDENT}.",
    )
    chart = charts.differences(shown, "difference of make rates, points of percent", percent=True, width=_FULL)
    return Figure(title, caption, chart, table, wide=True)


def _compared(view: RunView) -> pd.DataFrame:
    """Make rates by contract without regard to doubling, by call or by bid."""
    return view.cells if view.kind == "bridge" else view.bids


def _estimate(row: Any) -> Estimate:
    return Estimate(int(row["n"]), float(row["estimate"]), float(row["low"]), float(row["high"]), str(row["method"]))


def _row(found: Estimate) -> dict[str, Any]:
    return {"estimate": found.estimate, "low": found.low, "high": found.high, "n": found.n, "method": found.method}
