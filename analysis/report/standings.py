"""The ladder in a report, from what ``simcore ladder --json`` printed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import charts
from analysis.report.parts import Figure, Table, interval, number
from simcore.errors import InputError

_FULL: Any = "container"
_ESTIMATE = ("n", "difference", "low", "high")
_KEYS = ("variant", "seed", "unit", "deals", "duels", "ranking", "method")


def read_ladder(path: Path | str) -> dict[str, Any]:
    """A ladder from a file.

    Parameters
    ----------
    path : Path or str
        What ``simcore ladder --json`` printed.

    Returns
    -------
    dict
        The document.

    Raises
    ------
    InputError
        It cannot be read or is something else.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"--ladder: {path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"--ladder: {path} is not JSON; what `simcore ladder --json` prints is expected") from error
    missing = _KEYS if not isinstance(document, dict) else [key for key in _KEYS if key not in document]
    if missing:
        raise InputError(f"--ladder: {path} is not what `simcore ladder --json` prints: it has no {', '.join(missing)}")
    wrong = next(_wrong(document), None)
    if wrong is not None:
        raise InputError(f"--ladder: {path} is not what `simcore ladder --json` prints: {wrong}")
    found: dict[str, Any] = document
    return found


def _wrong(document: dict[str, Any]) -> Iterator[str]:
    """What is of another kind than in a ladder."""
    for key in ("variant", "unit", "method"):
        if not isinstance(document[key], str):
            yield f"{key} is no text"
    for key in ("seed", "deals"):
        if type(document[key]) is not int:
            yield f"{key} is no whole number"
    for part, texts in (("ranking", ("bot",)), ("duels", ("challenger", "opponent"))):
        numbers = (*_ESTIMATE, "rank") if part == "ranking" else _ESTIMATE
        rows = document[part]
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            yield f"{part} is no list of maps"
            return
        for row in rows:
            if not all(isinstance(row.get(key), str) for key in texts):
                yield f"{part} has an entry without {' and '.join(texts)}"
            if not all(type(row.get(key)) in (int, float) and math.isfinite(row[key]) for key in numbers):
                yield f"{part} has an entry without the numbers {', '.join(numbers)}"


def ladder_figures(ladder: dict[str, Any]) -> list[Figure]:
    """Ranking and duels of a ladder."""
    matches = ladder["unit"] != "deal"
    measure = "share of matches won, less the others'" if matches else "points per deal, less the others'"
    ranking = [
        {
            "label": row["bot"],
            "order": row["rank"],
            "estimate": row["difference"],
            "low": row["low"],
            "high": row["high"],
            "n": row["n"],
        }
        for row in ladder["ranking"]
    ]
    frame = pd.DataFrame(ranking).assign(method=ladder["method"])
    caption = (
        f"Every pair of bots played {ladder['deals']:,} mirrored {ladder['unit']}s of {ladder['variant']} (seed "
        f"{ladder['seed']}): the same cards with seats changed. Each point is a bot's mean difference from the others, "
        "with its 95 % interval; two bots are told apart by the table of their own duel, not by whether their intervals "
        "here overlap."
    )
    rows = [
        (
            duel["challenger"],
            duel["opponent"],
            f"{duel['n']:,}",
            f"{duel['difference']:+,.3f}",
            interval(duel["low"], duel["high"], False, True),
        )
        for duel in ladder["duels"]
    ]
    table = Table(("bot", "against", "n", "difference", "95 % interval"), rows, 2, f"Intervals: 95 %, {ladder['method']}.")
    chart = charts.ladder_ranking(frame, measure, width=_FULL)
    return [Figure(f"Ladder, {number(ladder['deals'], 0)} mirrored {ladder['unit']}s a pair", caption, chart, table)]
