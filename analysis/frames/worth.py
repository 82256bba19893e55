"""How often a contract, a raise, a double or a redouble has to be made to be worth it under a scoring table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.estimates import Estimate
from analysis.frames.basics import estimate_frame
from analysis.load import open_run
from simcore.codes import BOOK
from simcore.errors import InputError
from simcore.places import Place, place
from simcore.runs import RunResult

if TYPE_CHECKING:
    import pandas as pd

    from simcore.config import Variant

PASS, LOWER, UNDOUBLED, DOUBLED = "pass", "one lower", "undoubled", "doubled"
_DOUBLING = {"": 1, "X": 2, "XX": 4}
_TEXT = {1: "", 2: "X", 4: "XX"}
_ALL = 13
_NEVER, _ALWAYS = "never", "always"
_METHOD = "arithmetic: made with {} over, failed by {}"
Sheet = dict[tuple[int, str, int], dict[int, float]]
"""By level, strain and doubling: declarer's points less the opponent's by tricks."""


def break_even(source: RunResult | Place | str | Variant | Mapping[str, Any], over: int = 0, under: int = 1) -> pd.DataFrame:
    """Make probabilities at which two choices are worth the same.

    Parameters
    ----------
    source : RunResult, Path, str, Variant or mapping
        A run directory, or a variant: shipped name, file or rules.
    over : int
        Overtricks of a contract that is made.
    under : int
        Undertricks of one that fails.

    Returns
    -------
    pandas.DataFrame
        level, strain, doubling, against, pays, estimate .. method, four rows a contract at most:

        - against ``pass``: of the contract, and no points;
        - against ``one lower`` (undoubled): of the raise by one level, and the contract one lower in the same strain. The
          probability is that of the raised contract among deals in which the lower one makes; where it fails both fail;
        - against ``undoubled`` and ``doubled``: of the doubled contract and the undoubled one, the redoubled and the doubled.

        `pays` says for declarer on which side of the estimate the first choice is worth more: ``above`` it, ``below`` it,
        ``always``, ``never``. The opponent's double pays where for declarer it does not. Arithmetic on the scoring table: low
        and high are the estimate, n is 0.
    """
    variant = _variant(source)
    if variant.auction.kind != "bridge":
        raise InputError(f"break_even: {variant.name} has no contracts (auction.kind: {variant.auction.kind})")
    sheet = _sheet(variant)
    method = _METHOD.format(over, under)
    rows = []
    for (level, strain, doubling), points in sheet.items():
        won, lost = _two(points, level, over, under)
        found = {PASS: _solve(won, -lost)}
        lower = sheet.get((level - 1, strain, 1))
        if doubling == 1 and lower is not None:
            # among deals in which the lower contract makes: the raise makes too, or is one short
            need = BOOK + level - 1
            stays = (lower[min(need + 1, _ALL)], lower[need])
            raised = (points[min(need + 1, _ALL)], points[need])
            found[LOWER] = _solve(raised[0] - stays[0], stays[1] - raised[1])
        if doubling > 1:
            other = _two(sheet[level, strain, doubling // 2], level, over, under)
            found[UNDOUBLED if doubling == _DOUBLING["X"] else DOUBLED] = _solve(won - other[0], other[1] - lost)
        for against, (share, pays) in found.items():
            rows.append(((level, strain, doubling, against, pays), Estimate(0, share, share, share, method)))
    return estimate_frame(["level", "strain", "doubling", "against", "pays"], rows)


def _solve(gain: float, loss: float) -> tuple[float | None, str]:
    """Where p * gain = (1 - p) * loss, and on which side of it the gamble pays."""
    if gain >= 0 and loss <= 0:
        return None, _ALWAYS
    if gain <= 0 and loss >= 0:
        return None, _NEVER
    return loss / (gain + loss), "above" if gain > 0 else "below"


def _two(points: dict[int, float], level: int, over: int, under: int) -> tuple[float, float]:
    """Points of the contract made and failed."""
    need = BOOK + level
    return points[min(need + over, max(points))], points[max(need - under, 0)]


def _sheet(variant: Variant) -> Sheet:
    from simcore.phases.scoring.contracts import score_sheet

    sheet: Sheet = {}
    for row in score_sheet(variant):
        text = str(row["contract"])
        strain = text[1:].rstrip("X")
        key = (int(text[0]), strain, _DOUBLING[text[1 + len(strain) :]])
        sheet.setdefault(key, {})[row["tricks"]] = row["points"]["declarer"] - row["points"]["opponent"]
    return sheet


def _variant(source: Any) -> Variant:
    from simcore.config import Variant, load_variant

    if isinstance(source, Variant):
        return source
    if isinstance(source, RunResult) or (isinstance(source, str | Path) and (place(source) / "manifest.json").is_file()):
        return load_variant(open_run(source).rules)
    return load_variant(source)
