"""The verification: the program judged by statistics, by rules written apart from it, and by a second engine.

`verify` runs the checks; each states what it allows, in standard errors, and the chance that a sound program fails anywhere is
below 1 in 1000. Nothing here is used elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from analysis.verify.effort import Effort, full, quick
from analysis.verify.findings import FALSE_ALARM, Finding, Outcome
from simcore.errors import InputError

CHECKS = {
    "hands": "cards",
    "positions": "cards",
    "pairs": "cards",
    "choices": "choices",
    "streams": "streams",
    "intervals": "coverage",
    "solver": "perfect",
    "points": "replays",
    "tricks": "replays",
    "blind": "blind",
    "replay": "replays",
    "reference": "replays",
}
"""Checks in their order, with their modules."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found.

    Attributes
    ----------
    seed : int
    quick : bool
    outcomes : list of Outcome
    out : Path or None
        The page.
    """

    seed: int
    quick: bool
    outcomes: list[Outcome]
    out: Path | None = None

    @property
    def failed(self) -> list[str]:
        """Names of the checks that failed."""
        return [outcome.name for outcome in self.outcomes if not outcome.ok]

    @property
    def seconds(self) -> float:
        """Of all checks."""
        return sum(outcome.seconds for outcome in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore verify --json``."""
        return {
            "ok": not self.failed,
            "failed": self.failed,
            "seed": self.seed,
            "quick": self.quick,
            "false_alarm": FALSE_ALARM,
            "seconds": round(self.seconds, 1),
            "out": None if self.out is None else str(self.out),
            "checks": [outcome.as_json() for outcome in self.outcomes],
        }


def verify(
    seed: int,
    *,
    short: bool = False,
    only: Sequence[str] = (),
    out: Path | str | None = None,
    overwrite: bool = False,
    effort: Effort | None = None,
    report: Callable[[Outcome], None] | None = None,
) -> Verification:
    """Run the checks.

    Parameters
    ----------
    seed : int
        Of everything that is played.
    short : bool
        The short form, for every day.
    only : sequence of str
        Names of checks; none: all.
    out : Path, str or None
        An HTML file to write, with pictures.
    overwrite : bool
        Whether that file may be replaced.
    effort : Effort or None
        Other sizes of the samples.
    report : callable or None
        Called with each outcome as it is there.

    Returns
    -------
    Verification

    Raises
    ------
    InputError
        An unknown check; a file that cannot be written.
    """
    for name in only:
        if name not in CHECKS:
            from simcore.config.fields import nearest

            near = nearest(name, CHECKS)
            hint = f"did you mean {near}?" if near else f"allowed: {', '.join(CHECKS)}"
            raise InputError(f"--only: {name!r} is no check; {hint}")
    path = None if out is None else _place(Path(out), overwrite)
    effort = effort or (quick() if short else full())
    outcomes = []
    for name, module in CHECKS.items():
        if only and name not in only:
            continue
        began = time.perf_counter()
        outcome: Outcome = getattr(import_module(f"analysis.verify.{module}"), f"check_{name}")(seed, effort)
        outcome.seconds = time.perf_counter() - began
        outcomes.append(outcome)
        if report is not None:
            report(outcome)
    found = Verification(seed, short, outcomes, path)
    if path is not None:
        from analysis.verify.page import write

        write(path, found)
    return found


def _place(out: Path, overwrite: bool) -> Path:
    """The file to write, if it may be written."""
    from analysis.charts.theme import require_charts

    require_charts()
    if out.exists() and not overwrite:
        raise InputError(f"{out} exists; --overwrite replaces it, --out names another file")
    if not out.parent.is_dir():
        raise InputError(f"--out: {out.parent} is not a directory")
    return out


__all__ = ["CHECKS", "FALSE_ALARM", "Effort", "Finding", "Outcome", "Verification", "full", "quick", "verify"]
