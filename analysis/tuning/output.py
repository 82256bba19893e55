"""What a tuning leaves behind: the tuned variant as YAML, all figures as JSON, tables on the terminal."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import IO, Any

from analysis.tables import new_console, new_table
from analysis.tuning.cells import Path_, path_text, scoring_of
from analysis.tuning.result import Result
from analysis.tuning.result import today as value_today
from analysis.tuning.sensitivity import number
from analysis.tuning.tune import most_evaluations, world_of
from analysis.tuning.world import ATTACK, FINAL, OF, RESPOND
from simcore.config import Tuning, Variant, load_variant, shipped, to_yaml

TUNED, DOCUMENT, BASE = "tuned.yaml", "tuning.json", "variant.yaml"


def write_result(result: Result, out: Path) -> None:
    """Write the tuned variant and all figures into a folder.

    Parameters
    ----------
    result : Result
    out : Path
        A folder that exists.
    """
    variant = result.tuning.variant
    extends = variant.name if _is_shipped(variant) else f"./{BASE}"
    if extends != variant.name:
        (out / BASE).write_text(to_yaml(variant), encoding="utf-8")
    (out / TUNED).write_text(tuned_yaml(result, extends), encoding="utf-8")
    text = json.dumps(result.as_json(), indent=1, ensure_ascii=False)
    (out / DOCUMENT).write_text(text + "\n", encoding="utf-8")


def _is_shipped(variant: Variant) -> bool:
    return variant.name in shipped("variants") and load_variant(variant.name) == variant


def tuned_yaml(result: Result, extends: str) -> str:
    """The tuned variant: what it extends, and the parts of the scoring that differ, each cell with a comment.

    Parameters
    ----------
    result : Result
    extends : str

    Returns
    -------
    str
    """
    tuning = result.tuning
    head = [
        f"# Found by simcore tune: {tuning.variant.name}, bot {tuning.bot} in both seats, play {tuning.play} (aim tricks),",
        f"# seed {tuning.seed}, searches: {len(result.traces)} of {tuning.deals.search:,} deals;"
        f" judged on {tuning.deals.final:,} fresh deals.",
        *(f"# {text}" for text in result.words()),
        "# spread: standard deviation of the logarithm over the searches",
        f"name: {tuning.variant.name[:50]}_tuned",
        f"extends: {extends}",
    ]
    if not result.values:
        return "\n".join(head) + "\n"
    scoring = scoring_of(result.variant)
    comments: dict[Path_, list[str]] = {}
    for path, value in result.values.items():
        comments.setdefault(_written_as_one(path), []).append(_comment(result, path, value))
    lines, above = ["scoring:"], ()
    for path, texts in comments.items():
        for depth in range(len(path) - 1):
            if tuple(above[: depth + 1]) != path[: depth + 1]:
                lines.append(f"{'  ' * (depth + 1)}{path[depth]}:")
        indent = "  " * len(path)
        lines += [f"{indent}# {text}" for text in texts]
        there: Any = scoring
        for part in path:
            there = there[part]
        lines.append(f"{indent}{path[-1]}: {_flow(there)}")
        above = path[:-1]  # type: ignore[assignment]
    return "\n".join([*head, *lines]) + "\n"


def _written_as_one(path: Path_) -> Path_:
    """Lists, and maps keyed by numbers, are replaced as a whole."""
    for place, part in enumerate(path):
        if isinstance(part, int) or part.isdigit():
            return path[:place]
    return path


def _flow(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_flow(entry) for entry in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(entry)}" for key, entry in value.items()) + "}"
    return "null" if value is None else f"{value:g}" if abs(value) < 1e5 else str(value)


def _comment(result: Result, path: Path_, value: float) -> str:
    groups = result.objective.groups
    place = next(place for place, group in enumerate(groups) if path in group.today)
    spread = result.spread[place]
    told = f"spread {spread:.3f}" if math.isfinite(spread) else "one search, no spread"
    return f"{path_text(path)}: {value_today(groups, path):g} -> {value:g}, with {groups[place].name} ({told})"


def print_plan(tuning: Tuning, file: IO[str] | None = None) -> None:
    """Print what a tuning would do.

    Parameters
    ----------
    tuning : Tuning
    file : text file or None
        Where to; None: standard output.
    """
    from analysis.tuning.tune import groups_of

    console = new_console(file)
    world = world_of(tuning)
    console.print(f"Tuning of {tuning.variant.name}: bot {tuning.bot}, play {tuning.play} (aim tricks), seed {tuning.seed}")
    table = new_table(["free", "cells", "today", "least", "most", "step"], text=1)
    for group in groups_of(tuning):
        bounds = (f"{group.shown * factor:g}" for factor in (group.low, group.high))
        table.add_row(group.name, str(len(group.today)), f"{group.shown:g}", *bounds, f"{group.step:g}")
    console.print(table)
    searches = [f"search {place}" for place in range(tuning.search.searches)]
    for part in ["model", "beliefs", RESPOND, ATTACK, *(name for search in searches for name in (OF + search, search))]:
        first, n_deals = world.part(part)
        console.print(f"{part}: deals {first:,} .. {first + n_deals - 1:,}")
    first, (start, size) = world.part(f"{OF}{FINAL} 0")[0], world.part(f"{FINAL} {world.parts - 1}")
    console.print(f"final: deals {first:,} .. {start + size - 1:,}, in {world.parts} parts with beliefs of their own")
    panel = tuning.panel
    console.print(f"panel: {', '.join(panel.bidders)}; beside it: {', '.join(panel.beside) or 'nobody'}")
    who = ", ".join(tuning.played.bots) or "nobody"
    console.print(f"play deals under both tables: {who} ({tuning.played.deals:,} deals each)")
    console.print(f"at most {most_evaluations(tuning):,} evaluations")


def print_result(result: Result, file: IO[str] | None = None) -> None:
    """Print what a tuning found.

    Parameters
    ----------
    result : Result
    file : text file or None
        Where to; None: standard output.
    """
    console, tuning, document = new_console(file), result.tuning, result.as_json()
    console.print(
        f"Tuning of {tuning.variant.name}: bots {tuning.bot} - {tuning.bot}, play {tuning.play} (aim tricks), "
        f"seed {tuning.seed}, {document['evaluations']} evaluations, {tuning.deals.final:,} fresh deals; "
        "measures are means of the panel"
    )
    table = new_table(["group", "before", "after", "factor", "95 % interval", "spread (sd of ln)"], text=1)
    for group in document["groups"]:
        spread = "-" if group["spread"] is None else f"{group['spread']:.3f}"
        both = "-" if group["low"] is None else f"{group['low']:.3f} .. {group['high']:.3f}"
        table.add_row(group["name"], f"{group['shown']:g}", f"{group['found']:g}", f"{group['factor']:.3f}", both, spread)
    console.print(table)
    table = new_table(["measure", "band", "before", "after", "95 % interval", "difference", "95 % interval"], text=1)
    shown = {target["measure"]: target for target in document["targets"]}
    others = {name: entry for name, entry in document["measures"].items() if name not in shown}
    for name, entry in {**shown, **others}.items():
        band = " .. ".join(f"{value:g}" for value in entry["band"]) if "band" in entry else ""
        cells = [band, number(entry["before"]["value"])]
        for key in ("after", "difference"):
            cells += [number(entry[key]["value"]), f"{number(entry[key]['low'])} .. {number(entry[key]['high'])}"]
        table.add_row(name, *cells)
    console.print(table)
    _print_bidders(document, console)
    objective = document["objective"]
    both = " -> ".join(number(objective[when]["value"]) for when in ("before", "after"))
    console.print(f"objective (without distance): {both}")
    for trace in document["searches"]:
        values = " -> ".join(f"{value:.2f}" for value in (trace["start"], *(step["objective"] for step in trace["steps"])))
        console.print(f"{trace['part']}: {values}")
    console.print(f"never the contract: {', '.join(document['never_bid']['after']) or 'none'}")
    for when, texts in document["alarms"].items():
        for text in texts:
            console.print(f"alarm {when}: {text}")
    for text in document["words"]:
        console.print(f"result: {text}")
    console.print(f"intervals: {document['method']}")


_BIDDER_MEASURES = ("make", "doubled", "redoubled", "passed_out", "points", "edge")


def _print_bidders(document: dict[str, Any], console: Any) -> None:
    """Who bids or plays how: a line a bidder, its objective and main measures before and after."""
    table = new_table(["bidder", "objective", *_BIDDER_MEASURES], text=1)

    def row(name: str, entry: dict[str, Any]) -> None:
        pairs = [entry["objective"], *(entry["measures"][measure] for measure in _BIDDER_MEASURES)]
        table.add_row(name, *(" -> ".join(number(pair[when]["value"]) for when in ("before", "after")) for pair in pairs))

    for entry in document["panel"]:
        row(entry["name"], entry)
    if document["kept_margins"] is not None:
        row("equilibrated, margins of the searches", document["kept_margins"])
    for entry in document["beside"]:
        row(f"{entry['name']} (not tuned on)", entry)
    for entry in document["played"]:
        row(f"{entry['bot']}, played (aim {entry['aim']})", entry)
    console.print(table)
    for when, found in document["skill"].items():
        value, low, high = (found["gain"][key] for key in ("value", "low", "high"))
        console.print(
            f"skill {when}: {found['better']} gains {value:+.1f} ({low:+.1f} .. {high:+.1f}) points a deal from "
            f"{found['worse']}, {found['skill']:.3f} of a deal's spread; luck: {found['luck']:.0%} of the variance"
        )
    for entry in document["panel"]:
        for when, found in entry.get("equilibrium", {}).items():
            share = found["exploitability"] / found["points"]
            console.print(
                f"exploitability of {entry['name']} {when}: {found['exploitability']:+.1f} +- {found['half']:.1f} points a "
                f"deal, {share:.1%} of a deal's mean points"
            )
