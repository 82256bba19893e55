"""What `simcore rescore` reports: today's and the new scoring table side by side on the same deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.differences import Difference
from analysis.estimates import Estimate


@dataclass(frozen=True, slots=True)
class RescoreReport:
    """A run under two scoring tables; in `Difference`, A is today's and B the new one.

    Attributes
    ----------
    header : dict
        Variant, bots, seed, unit, counts.
    changes : list of str
        What is different between the tables.
    points : list of Difference
        Points per deal by seat and role.
    changed : Estimate
        Share of deals whose points change.
    wins : list of Difference
        Matches won by seat, and shared; empty where that is not known.
    unknown : int
        Matches that the new table leaves level and whose extra deal was not played; they are not in `wins`.
    why : str or None
        Why matches are not known.
    notes : list of str
    """

    header: dict[str, Any]
    changes: list[str]
    points: list[Difference]
    changed: Estimate
    wins: list[Difference]
    unknown: int
    why: str | None
    notes: list[str]

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore rescore --json``."""
        return {
            **self.header,
            "changes": self.changes,
            "points_per_deal": [_row(row, "mean") for row in self.points],
            "deals_changed": self.changed.as_json("share"),
            "wins": [_row(row, "rate") for row in self.wins],
            "matches_unknown": self.unknown,
            "why_no_matches": self.why,
            "notes": self.notes,
            "method": self.points[0].difference.method,
        }


def _row(row: Difference, name: str) -> dict[str, Any]:
    return {
        "who": row.who,
        "n": row.a.n,
        "today": row.a.as_json(name),
        "new": row.b.as_json(name),
        "difference": row.difference.estimate,
        "low": row.difference.low,
        "high": row.difference.high,
        "verdict": verdict(row),
    }


def verdict(row: Difference) -> str:
    """What a difference of the two tables says, in words."""
    return row.verdict("matches" if row.cells is not None else "deals").replace("B's ", "").replace("B makes", "makes")
