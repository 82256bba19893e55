"""Exact checks of transcripts: the referee accepts them, tricks and points follow from plain rules, the reference agrees."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import simcore
from analysis.verify import plain
from analysis.verify.effort import Effort
from analysis.verify.findings import Finding, Outcome, exact
from analysis.verify.games import TENTHS, all_seen
from simcore.api import deal
from simcore.config import load_bot, load_variant, shipped
from simcore.phases.scoring.sheets import sheet_of


def check_replay(seed: int, effort: Effort) -> Outcome:
    """Transcripts of every shipped variant and bot, replayed."""
    found = Outcome("replay", "transcripts of every shipped variant and bot replayed by the referee")
    for seen in all_seen(seed, effort):
        found.findings.append(exact(f"{seen.variant}, {seen.bot}", seen.replayed, seen.violations))
    return found


def check_tricks(seed: int, effort: Effort) -> Outcome:
    """Legal cards, winners and cards drawn, in the same transcripts, by rules written a third time."""
    found = Outcome("tricks", "legal cards and winners of tricks by rules written apart from the engine's")
    for seen in all_seen(seed, effort):
        found.findings.append(exact(f"{seen.variant}, {seen.bot}", seen.tricks, seen.tricks_wrong))
    return found


def check_points(seed: int, effort: Effort) -> Outcome:
    """Every cell of every scoring table, and the points of the same transcripts."""
    found = Outcome("points", "every cell of every scoring table, and the points of transcripts, worked out from the YAML")
    for name in shipped("variants"):
        cells = list(_cells(name))
        wrong = [f"{what}: {given:g} in the engine, by the rules {due:g}" for what, given, due in cells if given != due]
        found.findings.append(exact(f"{name}: sheet", len(cells), wrong))
    for seen in all_seen(seed, effort):
        found.findings.append(exact(f"{seen.variant}, {seen.bot}: transcripts", seen.deals, seen.points_wrong))
    return found


def _cells(name: str) -> Iterator[tuple[str, float, float]]:
    """What was bid and taken, the engine's points, those of the plain rules; declarer's view."""
    variant = load_variant(name)
    rules = variant.model_dump(mode="json")
    if rules["scoring"]["kind"] == "shedding":
        return
    due = {" ".join(map(str, cell.values())): points for cell, points in plain.cells(rules)}
    for row in sheet_of(variant):
        what = f"{row.get('contract', row.get('call'))} {row['tricks']}"
        points = row["points"]
        given = points["declarer"] - points["opponent"] if isinstance(points, dict) else points
        yield what, round(TENTHS * given) / TENTHS, round(TENTHS * due.pop(what)) / TENTHS
    for what, points in due.items():
        yield f"{what} (missing)", float("nan"), points


# --- the reference ----------------------------------------------------------------------------------------------------


def reference_folder() -> Path | None:
    """Where the reference engine is, in a checkout: it shares no code with the engine and is not in the wheel."""
    folder = Path(simcore.__file__).resolve().parent.parent / "tests"
    return folder if (folder / "reference" / "__init__.py").is_file() else None


def check_reference(seed: int, effort: Effort) -> Outcome:
    """Random bots in every shipped variant: the reference plays the same events from the same seed."""
    found = Outcome("reference", "the reference engine in plain Python plays the same deals from a fresh seed")
    folder = reference_folder()
    if folder is None:
        found.skipped = "needs a checkout: tests/reference is not beside the package"
        return found
    reference = _imported(folder)
    for name in shipped("variants"):
        rules = load_variant(name).model_dump(mode="json")
        bots = [load_bot("random").model_dump(mode="json")] * rules["players"]
        lines, different = 0, []
        mine: dict[int, list[Any]] = {}
        first = seed % 2**32  # matches that no other check plays
        for line in deal(name, first, count=effort.fresh, seed=seed, bots="random"):
            mine.setdefault(line["match"], []).append(line)
        for match, ours in mine.items():
            theirs = list(reference.play_match(rules, bots, seed, match, "match"))
            lines += len(ours)
            if ours != theirs:
                different.append(f"match {match}{_where(ours, theirs)}")
        found.findings.append(exact(name, lines, different))
    return found


def _where(ours: list[Any], theirs: list[Any]) -> str:
    """The first difference of two lists of lines."""
    for one, other in zip(ours, theirs, strict=False):
        for key in one:
            if one[key] != other.get(key):
                if key != "events":
                    return f", deal {one.get('deal')}: {key} {one[key]} and {other.get(key)}"
                pairs = enumerate(zip(one[key], other[key], strict=False))
                place, pair = next(((n, p) for n, p in pairs if p[0] != p[1]), (len(one[key]), ("", "")))
                return f", deal {one.get('deal')}, event {place}: {pair[0]} and {pair[1]}"
    return f": {len(ours)} and {len(theirs)} lines"


def _imported(folder: Path) -> Any:
    """The package of the reference engine; the path is put back afterwards."""
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("reference")
    finally:
        sys.path.remove(str(folder))


__all__ = ["Finding", "check_points", "check_reference", "check_replay", "check_tricks"]
