"""The page of a tuning: both sheets with what changed, objectives, the search, contracts, break-even rates, sensitivities."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import charts
from analysis.estimates import rate
from analysis.frames import break_even
from analysis.report.parts import Figure, Section, Table, number, percent
from analysis.thresholds import thresholds
from simcore.config import Variant, load_variant
from simcore.errors import InputError

DOCUMENT, TUNED, BASE = "tuning.json", "tuned.yaml", "variant.yaml"
_FULL: Any = "container"
_MOST = 18
_POINTS = ("points", "edge", "sd", "calls", "never_bid")


def is_tuning(path: Path | str) -> bool:
    """Whether a folder holds a finished tuning."""
    return (Path(path) / DOCUMENT).is_file()


def read_tuning(path: Path | str) -> tuple[dict[str, Any], Variant, Variant]:
    """A finished tuning.

    Parameters
    ----------
    path : Path or str
        Its folder.

    Returns
    -------
    tuple
        All figures; the variant with today's table, and with the one that was found.
    """
    folder = Path(path)
    try:
        document = json.loads((folder / DOCUMENT).read_text(encoding="utf-8"))
        base = folder / BASE
        return document, load_variant(str(base) if base.is_file() else document["variant"]), load_variant(str(folder / TUNED))
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder} holds no whole tuning: {type(error).__name__} {error}") from None


def tuning_sections(document: dict[str, Any], before: Variant, after: Variant) -> list[Section]:
    """Everything that is told of a tuning.

    Parameters
    ----------
    document : dict
        What is in tuning.json.
    before, after : Variant

    Returns
    -------
    list of Section
    """
    alarms = [f"{when}: {text}" for when, texts in document["alarms"].items() for text in texts]
    sections = [
        Section("run", "What was searched"),
        Section("result", "Result", points=[f"{text[:1].upper()}{text[1:]}." for text in document["words"]]),
        Section("alarms", "Alarms", points=alarms or ["None, before or after."]),
        Section("sheets", "Both sheets", [[_cells(document)], sheet_figures(before, after)]),
        Section("objective", "What was aimed at", [[_targets(document)], [_objective(document)], [_bidders(document)]]),
        Section("search", "The search", [[_trace(document), _slopes(document)]]),
        Section("usage", "What is bid", [[_usage(document)], _worth(document, before, after)]),
        Section("doubles", "When doubles pay", [[_doubles(before, after)]]),
        Section("measures", "All measures", [[_measures(document)]]),
        Section("limits", "What these numbers do not say", points=_limits(document)),
    ]
    return [section for section in sections if section.key == "run" or section.points or section.figures]


def _limits(document: dict[str, Any]) -> list[str]:
    return [
        f"Tricks are those of the play policy {document['play']}, which plays for tricks; only the deals that bots played "
        "whole know that play follows the table.",
        "The bidders are those named; people, and bots that look ahead, may bid otherwise under either table.",
        f"Intervals: {document['method']}.",
    ]


def _both(entry: dict[str, Any], when: str, as_points: bool = False) -> str:
    found = entry[when]
    if found["value"] is None:
        return "-"
    digits = 1 if as_points else 4
    if found["low"] is None:
        return number(found["value"], digits)
    return f"{number(found['value'], digits)} ({number(found['low'], digits)} .. {number(found['high'], digits)})"


def _cells(document: dict[str, Any]) -> Figure:
    rows = []
    for group in document["groups"]:
        same = group["found"] == group["shown"]
        spread = "-" if group["low"] is None else f"{group['low']:.3f} .. {group['high']:.3f}"
        mark = "" if same else "changed"
        rows.append((group["name"], f"{group['shown']:g}", f"{group['found']:g}", mark, f"{group['factor']:.3f}", spread))
    note = "The first cell of each group. The interval is that of the mean of several searches, from their spread."
    table = Table(("group", "today", "found", "", "factor", "95 % interval"), rows, 1, note)
    return Figure("What changed", "Cells of a group move by one factor.", table=table, open=True, wide=True)


def sheet_figures(before: Variant, after: Variant) -> list[Figure]:
    """Both sheets side by side; what differs from the other is marked.

    Parameters
    ----------
    before, after : Variant

    Returns
    -------
    list of Figure
    """
    old, new = (_flat(variant.model_dump(mode="json")["scoring"]) for variant in (before, after))
    figures = []
    for title, mine, other in (("Today's sheet", old, new), ("The sheet that was found", new, old)):
        width = max(len(values) for values in mine.values())
        rows = [
            (name, *_marked(values, other.get(name, [])), *[""] * (width - len(values))) for name, values in mine.items()
        ]
        note = "Lists are by level, or by tricks short. Marked with *: different from the other sheet."
        figures.append(Figure(title, "", table=Table(("", *map(str, range(width))), rows, 1, note), open=True))
    return figures


def _marked(values: list[Any], other: list[Any]) -> list[str]:
    """Values as texts, those with a star that are not the same in the other sheet."""
    found = []
    for place, value in enumerate(values):
        text = "-" if value is None else f"{value:g}" if isinstance(value, int | float) else str(value)
        found.append(text if place < len(other) and other[place] == value else f"{text} *")
    return found


def _flat(value: Any, path: str = "") -> dict[str, list[Any]]:
    """A section as rows: a list or a number each."""
    if isinstance(value, dict):
        found: dict[str, list[Any]] = {}
        for key, child in value.items():
            if key != "kind":
                found |= _flat(child, f"{path}{' ' if path else ''}{key}")
        return found
    return {path: value if isinstance(value, list) else [value]}


def _objective(document: dict[str, Any]) -> Figure:
    rows = [("panel", document)] + [(entry["name"], entry) for entry in document["panel"]]
    rows += [(f"{entry['name']}, not tuned on", entry) for entry in document["beside"]]
    rows += [(f"{entry['bot']}, played, aim {entry['aim']}", entry) for entry in document["played"]]
    found = [
        {"label": name, "order": place, "estimate": entry["objective"]["gain"]["value"],
         "low": entry["objective"]["gain"]["low"], "high": entry["objective"]["gain"]["high"], "n": document["deals"]["final"],
         "method": document["method"]}
        for place, (name, entry) in enumerate(rows)
    ]  # fmt: skip
    frame = pd.DataFrame(found)
    frame[["low", "high"]] = frame[["low", "high"]].astype(float)
    frame["low"], frame["high"] = frame["low"].fillna(frame["estimate"]), frame["high"].fillna(frame["estimate"])
    cells = [(name, *(_both(entry["objective"], when, True) for when in ("before", "after", "gain"))) for name, entry in rows]
    caption = (
        "By how much the objective (squares of misses in units, without the distance from today's table) falls on fresh "
        "deals, with 95 % intervals. Right of zero the table that was found is better for this bidder."
    )
    table = Table(("bidder", "before", "after", "falls by"), cells, 1)
    return Figure("Objective", caption, charts.differences(frame, "objective falls by", width=_FULL), table, wide=True)


def _targets(document: dict[str, Any]) -> Figure:
    rows = []
    for target in document["targets"]:
        band = " .. ".join(f"{value:g}" for value in target["band"])
        rows.append((target["measure"], band, _both(target, "before"), _both(target, "after")))
    table = Table(("measure", "band", "today", "found"), rows, 1, "Means of the panel, with 95 % intervals.")
    return Figure("Targets", "Inside a band there is nothing to gain.", table=table, open=True, wide=True)


def _bidders(document: dict[str, Any]) -> Figure:
    rows = []
    entries = [(entry["name"], entry) for entry in document["panel"]]
    if document["kept_margins"]:
        entries.append(("equilibrated, margins of the searches", document["kept_margins"]))
    entries += [(f"{entry['name']}, not tuned on", entry) for entry in document["beside"]]
    entries += [(f"{entry['bot']}, played, aim {entry['aim']}", entry) for entry in document["played"]]
    names = ("make", "doubled", "redoubled", "passed_out")
    for name, entry in entries:
        measures = entry["measures"]
        pairs = (measures[measure] for measure in names)
        cells = [f"{percent(pair['before']['value'])} -> {percent(pair['after']['value'])}" for pair in pairs]
        gains = [
            f"{found['exploitability']:+.1f} +- {found['half']:.1f}" for found in entry.get("equilibrium", {}).values()
        ]
        rows.append((name, *cells, " -> ".join(gains)))
    headings = ("bidder", "made", "doubled", "redoubled", "passed out", "exploitability")
    told = "; ".join(f"{entry['name']}: {entry['told']}" for entry in (*document["panel"], *document["beside"]))
    note = f"{told}. Exploitability: what a best response gains, points a deal."
    return Figure("Bidders", "", table=Table(headings, rows, 1, note), open=True, wide=True)


def _trace(document: dict[str, Any]) -> Figure:
    rows = [
        {"step": step, "objective": value, "group": search["part"]}
        for search in document["searches"]
        for step, value in enumerate([search["start"], *(entry["objective"] for entry in search["steps"])])
    ]
    cells = [(row["group"], str(row["step"]), f"{row['objective']:.3f}") for row in rows]
    caption = "Objective after each step, on the deals of each search, with the distance from today's table; logarithmic."
    chart = charts.search_trace(pd.DataFrame(rows), width=_FULL)
    return Figure("Search trace", caption, chart, Table(("search", "step", "objective"), cells, 1))


def _slopes(document: dict[str, Any]) -> Figure:
    slopes = document["slopes"]
    if slopes is None:
        return Figure("Sensitivities", "", missing="This search does not measure slopes; `simcore sensitivity` does.")
    rows = [{"measure": name, "group": group, "slope": value} for name, values in slopes["targets"].items()
            for group, value in zip(slopes["groups"], values, strict=True)]  # fmt: skip
    singular = ", ".join(f"{value:.1f}" for value in slopes["singular_values"])
    caption = (
        "By how many units each target moves when a group grows by a factor e, where the last step began; root mean square "
        f"over bidders and searches. Targets inside their bands do not move. Singular values: {singular}."
    )
    cells = [(name, *(f"{value:.2f}" for value in values)) for name, values in slopes["targets"].items()]
    chart = charts.slopes(pd.DataFrame(rows), width=_FULL)
    return Figure("Sensitivities", caption, chart, Table(("target", *slopes["groups"]), cells, 1))


def _usage(document: dict[str, Any]) -> Figure:
    contracts = document["contracts"]
    totals = {when: sum(entry["n"] for entry in found.values()) or 1 for when, found in contracts.items()}
    rows = [
        {"label": name, "order": place, "estimate": found[name]["n"] / totals[when], "count": found[name]["n"],
         "n": totals[when], "group": word}
        for when, word in (("before", "today"), ("after", "found"))
        for found in [contracts[when]]
        for place, name in enumerate(found)
    ]  # fmt: skip
    shares = pd.DataFrame(rows)
    cells = []
    for name in contracts["before"]:
        counts = {when: contracts[when][name]["n"] for when in totals}
        cells.append((name, *(f"{n:,} ({percent(n / totals[when], 2)})" for when, n in counts.items())))
    caption = "Shares of the contracts that were reached, first bidder of the panel, doubled contracts included."
    chart = charts.histogram(shares, "contract", "table", width=_FULL)
    return Figure("Contracts before and after", caption, chart, Table(("contract", "today", "found"), cells, 1), wide=True)


def _worth(document: dict[str, Any], before: Variant, after: Variant) -> list[Figure]:
    figures = []
    for when, word, variant in (("before", "today", before), ("after", "found", after)):
        arithmetic = break_even(variant)
        needed = {
            f"{row['level']}{row['strain']}": row["estimate"]
            for row in arithmetic.to_dict("records")
            if row["against"] == "pass" and row["doubling"] == 1
        }
        rows = []
        for place, (name, entry) in enumerate(document["contracts"][when].items()):
            if entry["n"]:
                found = rate(entry["made"], entry["n"])
                rows.append({"label": name, "order": place, "n": entry["n"], "estimate": found.estimate, "method": found.method,
                             "low": found.low, "high": found.high, "break_even": needed.get(name, float("nan"))})  # fmt: skip
        frame = pd.DataFrame(rows)
        shown = frame[frame["break_even"].notna()].nlargest(_MOST, "n").sort_values("order")
        caption = (
            "Make rates with 95 % intervals; the tick is the rate at which making an undoubled contract exactly and failing by "
            f"one trick balance, compared with no points. The {len(shown)} most frequent contracts, doubled ones included."
        )
        cells = [(row["label"], f"{row['n']:,}", percent(row["break_even"], 2), percent(row["estimate"], 2))
                 for row in frame.to_dict("records")]  # fmt: skip
        table = Table(("contract", "n", "break-even", "make rate"), cells, 1)
        figures.append(Figure(f"Break-even and make rates, {word}", caption, charts.break_even(shown, width=_FULL), table))
    return figures


def _doubles(before: Variant, after: Variant) -> Figure:
    found = [{row.contract: row for row in thresholds(variant)} for variant in (before, after)]
    rows = []
    for contract in found[0]:
        cells = []
        for name in ("double", "redouble"):
            values = [getattr(each[contract], name) for each in found]
            cells += ["-" if value is None else f"{float(value):.3f}" for value in values]
        rows.append((contract, *cells, "alarm" if found[1][contract].alarm else ""))
    headings = ("contract", "double below, today", "found", "redouble above, today", "found", "")
    note = "Beliefs that the contract is made; one short when it fails. Exact. Alarm: what may be doubled will be redoubled."
    return Figure("Break-evens of doubling", "", table=Table(headings, rows, 1, note), open=False, wide=True)


def _measures(document: dict[str, Any]) -> Figure:
    rows = [
        (name, *(_both(entry, when, name in _POINTS) for when in ("before", "after", "difference")))
        for name, entry in document["measures"].items()
    ]
    table = Table(("measure", "today", "found", "difference"), rows, 1, "Means of the panel. Differences are paired.")
    return Figure("Measures on fresh deals", "", table=table, open=True, wide=True)
