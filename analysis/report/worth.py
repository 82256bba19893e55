"""Pictures of what contracts are worth: make rates beside those that pay, and the scoring table."""

from __future__ import annotations

import math
from typing import Any

from analysis import charts
from analysis.frames import break_even
from analysis.report.parts import Figure, Table, interval2, percent
from analysis.report.view import RunView, contract_label
from simcore.config import load_variant

_FULL: Any = "container"
_TITLE = "Break-even and realised make rates"
_MOST = 18
"""Contracts of one picture."""
_DOUBLED = (("", "undoubled"), ("X", "doubled"), ("XX", "redoubled"))


def sheet(view: RunView) -> list[dict[str, Any]]:
    """Every result of the variant with its points."""
    from simcore.phases.scoring.sheets import sheet_of

    return sheet_of(load_variant(view.data.rules))


def worth_figures(view: RunView) -> list[Figure]:
    """Break-even beside realised make rates."""
    if view.kind != "bridge":
        missing = (
            "There is no break-even rate here: nobody may pass a call of this game, so a call is only better or worse "
            "than another one."
            if view.kind == "calls"
            else "There is no break-even rate here: what a bid wins or costs is cards to shed, not points."
        )
        return [Figure(_TITLE, "", missing=missing, run=view.letter, wide=True)]
    arithmetic = break_even(load_variant(view.data.rules))
    against = {
        name: {contract_label(row): row for row in rows.to_dict("records")}
        for name, rows in arithmetic.groupby("against", sort=False)
    }
    known = against.get("pass", {})
    frame = view.bids.assign(
        break_even=[known[label]["estimate"] if label in known else math.nan for label in view.bids["label"]]
    )
    played = frame[frame["n"] > 0]
    shown = played[played["break_even"].notna()].nlargest(_MOST, "n").sort_values("order")
    if shown.empty:
        missing = "No contract was played that can both win and lose points under this scoring table."
        return [Figure(_TITLE, "", missing=missing, run=view.letter)]
    caption = (
        "Points are make rates with their 95 % intervals; the tick is the rate at which making the contract exactly and "
        "failing by one trick balance under this scoring table, compared with no points. A point right of its tick pays. "
        f"Overtricks, further undertricks and what the opponent would have bid are not in the tick. The {len(shown)} most "
        "frequent contracts; the table has all, and the make probability from which a raise by one level pays."
    )
    rows = [
        (
            row["label"],
            f"{row['n']:,}",
            *(_needed(against, name, row["label"] + ending) for name, ending in (("pass", ""), ("one lower", ""))),
            percent(row["estimate"], 2),
            interval2(row["low"], row["high"]),
        )
        for row in played.to_dict("records")
    ]
    headings = ("contract", "n", "break-even", "raise from one lower", "make rate", "95 % interval")
    note = (
        f"Intervals: 95 %, {played['method'].iloc[0]}. Break-even rates are arithmetic. That of a raise is a share of the "
        "deals in which the lower contract makes."
    )
    return [Figure(_TITLE, caption, charts.break_even(shown, width=_FULL), Table(headings, rows, 1, note), run=view.letter)]


def _needed(against: dict[Any, dict[str, Any]], name: str, label: str) -> str:
    """The make probability that a choice needs, in words where any or none is enough."""
    row = against.get(name, {}).get(label)
    if row is None:
        return "-"
    if row["pays"] in ("always", "never"):
        return f"{row['pays']} pays"
    return f"{'' if row['pays'] == 'above' else 'below '}{percent(row['estimate'], 2)}"


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
        caption = "Points by tricks taken." if view.kind == "calls" else "Declarer's cards to shed / points, by tricks taken."
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
