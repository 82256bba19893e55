"""Pictures of what contracts are worth: make rates beside those that pay, and the scoring table."""

from __future__ import annotations

from typing import Any

import pandas as pd

from analysis import charts
from analysis.report.made import bid_frame
from analysis.report.parts import Figure, Table, interval2, percent
from analysis.report.view import RunView
from simcore.config import load_variant

_FULL: Any = "container"
_MOST = 18
"""Contracts of one picture."""
_DOUBLED = (("", "undoubled"), ("X", "doubled"), ("XX", "redoubled"))


def sheet(view: RunView) -> list[dict[str, Any]]:
    """Every result of the variant with its points."""
    from simcore.phases.scoring.sheets import sheet_of

    return sheet_of(load_variant(view.data.rules))


def break_even_rates(results: list[dict[str, Any]]) -> dict[str, float]:
    """By contract, the make rate at which making it exactly and failing by one trick balance."""
    gain, cost = {}, {}
    for found in results:
        if found["made"] and not found["overtricks"]:
            gain[found["contract"]] = found["points"]["declarer"]
        if found["undertricks"] == 1:
            cost[found["contract"]] = found["points"]["opponent"]
    return {name: cost[name] / (gain[name] + cost[name]) for name in gain if cost.get(name, 0) + gain[name] > 0}


def worth_figures(view: RunView) -> list[Figure]:
    """Break-even beside realised make rates."""
    if view.kind != "bridge":
        missing = (
            "There is no break-even rate here: nobody may pass a call of this game, so a call is only better or worse than another one."
            if view.kind == "calls"
            else "There is no break-even rate here: what a bid wins or costs is cards to shed, not points."
        )
        return [Figure("Break-even and realised make rates", "", missing=missing, run=view.letter, wide=True)]
    frame = bid_frame(view)
    needed = break_even_rates(sheet(view))
    frame = frame.assign(break_even=[needed.get(label) for label in frame["label"]])
    played = frame[(frame["n"] > 0) & frame["break_even"].notna()]
    if played.empty:
        return [Figure("Break-even and realised make rates", "", missing="No contract was played.", run=view.letter)]
    shown = played.nlargest(_MOST, "n").sort_values("order")
    caption = (
        "Points are make rates with their 95 % intervals; the dark tick is the rate at which making the contract exactly and failing "
        "by one trick balance under this scoring table, compared with passing the deal out. A point right of its tick pays. "
        "Overtricks, further undertricks and what the opponent would have bid are not in the tick. "
        f"The {min(_MOST, len(played))} most frequent contracts."
    )
    rows = [
        (row["label"], f"{row['n']:,}", percent(row["break_even"], 2), percent(row["estimate"], 2), interval2(row["low"], row["high"]))
        for row in played.to_dict("records")
    ]
    table = Table(("contract", "n", "break-even", "make rate", "95 % interval"), rows, 1, f"Intervals: 95 %, {played['method'].iloc[0]}.")
    return [Figure("Break-even and realised make rates", caption, charts.break_even(shown, width=_FULL), table, run=view.letter)]


def scoring_figures(view: RunView) -> list[Figure]:
    """The scoring table: the points of every result, equal rows together."""
    results = sheet(view)
    rows: dict[str, dict[int, str]] = {}
    for found in results:
        name = f"call {found['call']}" if "call" in found else str(found["contract"])
        rows.setdefault(name, {})[found["tricks"]] = _points(found)
    most = max(tricks for cells in rows.values() for tricks in cells)
    headings = ("contract" if view.kind == "bridge" else "bid", *(str(tricks) for tricks in range(most + 1)))
    if view.kind != "bridge":
        caption = (
            "Points by tricks taken." if view.kind == "calls" else "Declarer's cards to shed / points, by tricks taken."
        )
        table = Table(headings, _joined(rows, most))
        return [Figure("Scoring table", caption, table=table, run=view.letter, open=True, wide=True)]
    figures = []
    for ending, name in _DOUBLED:
        part = {label: cells for label, cells in rows.items() if label.lstrip("01234567CDHSNT") == ending}
        if part:
            caption = f"Declarer's points by tricks taken, {name}; negative: points of the opponent. Equal rows stand together."
            table = Table(headings, _joined(part, most))
            figures.append(Figure(f"Scoring table, {name}", caption, table=table, run=view.letter, open=not ending, wide=True))
    return figures


def _joined(rows: dict[str, dict[int, str]], most: int) -> list[tuple[str, ...]]:
    """Rows as texts; the names of equal rows in one."""
    together: dict[tuple[str, ...], list[str]] = {}
    for name, cells in rows.items():
        together.setdefault(tuple(cells.get(tricks, "") for tricks in range(most + 1)), []).append(name)
    return [(" ".join(names), *cells) for cells, names in together.items()]


def _points(found: dict[str, Any]) -> str:
    points = found["points"]
    if isinstance(points, dict):
        value = points["declarer"] if found["made"] else -points["opponent"]
        return f"{value:g}"
    if "cards" not in found:
        return f"{points:g}"
    return f"{'' if found['cards'] is None else format(found['cards'], '+d')}/{points:g}"


def rate_frame(view: RunView) -> pd.DataFrame:
    """Make rates by contract without regard to doubling, by call or by bid: what runs are compared by."""
    from analysis.report import source

    if view.kind != "bridge":
        return bid_frame(view)
    frame = source.rates(view.data, ["level", "strain"])
    labels = [f"{row['level']}{row['strain']}" for row in frame.to_dict("records")]
    return frame.assign(label=labels, order=range(len(frame)))
