"""The differences of two runs that `simcore compare` reports: their form, and what they say in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.aligned import Unmatched
from analysis.estimates import MEAN_CLUSTERED, Estimate, clustered_mean, clustered_rate
from analysis.groups import Key
from analysis.paired import Cells, PairSums

MAKE_RATE, POINTS, SHARE, WINS, TOTAL, LENGTH = "make_rate", "points_per_deal", "share", "wins", "points_per_match", "deals"
RATES = (MAKE_RATE, SHARE, WINS)
"""Kinds of differences whose values are rates."""
SHARED = "shared"
"""Matches that nobody wins alone."""
_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Difference:
    """One number in both runs, and B less A.

    Attributes
    ----------
    kind : str
        What the number is: `MAKE_RATE`, `POINTS` a deal, a `SHARE` of deals, `WINS` of matches, `TOTAL` of matches, `LENGTH`.
    who : str
        Seat, role or share; of make rates empty.
    key : tuple
        Values of the grouping columns, of make rates by group.
    a, b : Estimate
        In each run, over the rows that are compared.
    difference : Estimate
        B less A with its interval.
    cells : Cells or None
        Of rates: how often both, only one, or none.
    paired : bool
        Whether the same deals stand behind both.
    deals : int
        Deals (or matches) that the estimate comes from, for what would be needed.
    """

    kind: str
    who: str
    key: Key
    a: Estimate
    b: Estimate
    difference: Estimate
    cells: Cells | None
    paired: bool
    deals: int
    same: bool = False
    """Whether both runs are the same by their rules, bots and seed."""

    @classmethod
    def of(cls, kind: str, who: str, sums: PairSums, deals: int, *, key: Key = (), same: bool = False) -> Difference:
        """The difference that sums stand for."""
        is_rate = kind in RATES
        a, b = (clustered_rate(run) if is_rate else clustered_mean(run, MEAN_CLUSTERED) for run in (sums.a, sums.b))
        return cls(kind, who, key, a, b, sums.difference(is_rate, same), sums.cells, sums.paired, deals, same)

    @property
    def shown(self) -> bool:
        """Whether the interval excludes 0."""
        low, high = self.difference.low, self.difference.high
        return low is not None and high is not None and (low > 0 or high < 0)

    @property
    def alike(self) -> bool:
        """Whether both runs agree in every pair of rows, so far as these sums tell."""
        found = self.difference
        if not self.paired or found.estimate is None:
            return False
        if self.cells is not None:
            return self.a.n == self.b.n == self.cells.n and not self.cells.only_a and not self.cells.only_b
        return found.estimate == 0 and found.low == found.high

    def verdict(self, unit: str = "deals") -> str:
        """What the difference says, in words; `unit` is what it is counted in."""
        found = self.difference
        if found.estimate is None:
            return "nothing to compare"
        if self.same:
            return "the same rules, bots and seed: no difference"
        if self.alike:
            return f"the same in all common {unit}"
        if found.low is None or found.high is None:
            return f"too few {unit} for an interval"
        if not self.shown:
            return f"not distinguishable at this n{self._needed(unit)}"
        scale = 100 if self.kind in RATES else 1
        sign = 1 if found.estimate > 0 else -1
        low, high = sorted((sign * found.low * scale, sign * found.high * scale))
        size = abs(found.estimate) * scale
        number, lowest, highest = (f"{value:,.{_digits(high - low)}f}" for value in (size, low, high))
        return f"{self._sentence(number, sign > 0)} ({lowest} .. {highest})"

    def _sentence(self, number: str, more: bool) -> str:
        word = "more" if more else "fewer"
        if self.kind == MAKE_RATE:
            return f"B makes {number} % {'more' if more else 'less'} often"
        if self.kind == SHARE:
            return f"{number} % {word} of B's deals are {self.who.replace('_', ' ')}"
        if self.kind == WINS:
            what = "are shared" if self.who == "shared" else f"are won by {self.who}"
            return f"{number} % {word} of B's matches {what}"
        if self.kind == LENGTH:
            return f"B's matches have {number} {word} deals"
        return f"B's {self.who.replace('_', '-')} scores {number} {'more' if more else 'less'}"

    def _needed(self, unit: str) -> str:
        """How much would be needed for an interval as narrow as the difference is large."""
        found = self.difference
        if not found.estimate or found.low is None or found.high is None or found.low == found.high:
            return ""
        half = (found.high - found.low) / 2
        needed = self.deals * (half / found.estimate) ** 2
        scale = 100 if self.kind in RATES else 1
        size = abs(found.estimate) * scale
        text = f"{size:.2g} %" if scale > 1 else f"{size:.2g}"
        return f"; about {round_up(needed):,} {unit} would be needed for a half-width of {text}"

    def as_json(self, by: Sequence[str] = ()) -> dict[str, Any]:
        """Form for ``--json``; of rates ``rate_a``, of points ``mean_a``."""
        name = "rate" if self.kind in RATES else "mean"
        document: dict[str, Any] = dict(zip(by, self.key, strict=True)) if by else {}
        if self.who:
            document["who"] = self.who
        for side, estimate in (("a", self.a), ("b", self.b)):
            numbers = {"n": estimate.n, name: estimate.estimate, "low": estimate.low, "high": estimate.high}
            document |= {f"{key}_{side}": value for key, value in numbers.items()}
        document |= {
            "difference": self.difference.estimate,
            "low": self.difference.low,
            "high": self.difference.high,
            "pairs": None if self.cells is None or not self.paired else self.cells.as_json(),
            "verdict": self.verdict("matches" if self.kind in (WINS, TOTAL, LENGTH) else "deals"),
        }
        return document


def _digits(width: float) -> int:
    """Decimals with which an interval of this width is told: two of its digits, at least as usual."""
    if width <= 0:
        return _DIGITS
    return min(6, max(_DIGITS, 1 - math.floor(math.log10(width))))


def round_up(number: float) -> int:
    """A number to two digits, upwards."""
    unit = 10 ** max(0, len(str(int(number))) - 2)
    return max(1, int(-(-number // unit) * unit))


@dataclass(frozen=True, slots=True)
class CompareReport:
    """Two runs, compared.

    Attributes
    ----------
    a, b : dict
        Variant, bots, seed, counts, and the directory of each.
    paired : bool
        Whether the same deals are compared.
    why : str or None
        Why not.
    changes : list of str
        What is different in the configurations.
    common : dict
        Deals, and matches where there are matches, that are compared in pairs.
    unmatched : Unmatched
        Deals that are left out of the pairs.
    by : tuple of str
        Grouping columns of `rows`.
    rows : list of Difference
        Make rates by group, in bidding order.
    total : Difference or None
        Make rate of all; None where contracts were imposed.
    points, shares, matches : list of Difference
        Points per deal; passed out, contested; wins, points and deals of matches.
    notes : list of str
    """

    a: dict[str, Any]
    b: dict[str, Any]
    paired: bool
    why: str | None
    changes: list[str]
    common: dict[str, int]
    unmatched: Unmatched
    by: tuple[str, ...]
    rows: list[Difference]
    total: Difference
    points: list[Difference]
    shares: list[Difference]
    matches: list[Difference]
    notes: list[str] = field(default_factory=list)

    def all(self) -> list[Difference]:
        """Every difference."""
        return [self.total, *self.rows, *self.points, *self.shares, *self.matches]

    def find(self, kind: str, who: str = "") -> Difference | None:
        """The difference of a kind, not by group; None where there is none."""
        return next((row for row in self.all() if row.kind == kind and row.who == who and not row.key), None)

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore compare --json``."""
        return {
            "a": self.a,
            "b": self.b,
            "paired": self.paired,
            "why_not_paired": self.why,
            "changes": self.changes,
            "common": self.common,
            "unmatched": self.unmatched.as_json(),
            "by": list(self.by),
            "rows": [row.as_json(self.by) for row in self.rows],
            "total": self.total.as_json(),
            "points_per_deal": [row.as_json() for row in self.points],
            "shares": [row.as_json() for row in self.shares],
            "matches": [{"what": row.kind, **row.as_json()} for row in self.matches],
            "notes": self.notes,
            "method": self.total.difference.method,
        }
