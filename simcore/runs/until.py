"""Stopping at the width of an interval: looked at only after 10,000 x 2^k matches in match order.

So where a run stops depends neither on chunks nor on workers, and a run that is resumed stops where it would have. The
interval is the one `simcore rates` prints for the same matches (`simcore.estimates`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.estimates import Z95, ClusterSums, Estimate, clustered_rate, rate
from simcore.notation import parse_contract
from simcore.runs.plan import Played

if TYPE_CHECKING:
    from simcore.config import Run

FIRST_LOOK = 10_000
"""Matches before the first look; each later one comes after twice as many."""
WATCHED = ("match", "level", "strain", "doubling", "made")
"""Columns of deals that a watch reads."""
Part = tuple[int, ...]
"""The match after the last, and sums over matches up to it from the part before: n, y, n^2, n y, y^2."""


def next_look(matches: int) -> int:
    """The first look after more than so many matches."""
    return FIRST_LOOK << max(0, math.floor(matches / FIRST_LOOK).bit_length())


def look_for(matches: float) -> int:
    """The first look after at least so many matches."""
    return FIRST_LOOK << max(0, math.ceil(math.log2(max(1.0, matches / FIRST_LOOK))))


@dataclass(frozen=True, slots=True)
class Reached:
    """The state at a look.

    Attributes
    ----------
    matches : int
        Matches so far.
    estimate : Estimate
        Of the watched row.
    half_width : float or None
        Of its interval; None where there is none.
    reached : bool
        Whether the run ends here.
    needed : int or None
        Matches that are probably needed; None where nothing tells.
    """

    matches: int
    estimate: Estimate
    half_width: float | None
    reached: bool
    needed: int | None

    def as_json(self) -> dict[str, Any]:
        """Form in the manifest."""
        return {
            "reached": self.reached,
            "matches": self.matches,
            "half_width": self.half_width,
            **self.estimate.as_json("rate"),
            "needed_matches": None if self.reached else self.needed,
        }


class Watch:
    """Watches the make rate of all contracts, or of one, while a run goes on.

    Parameters
    ----------
    run : Run
        With `until`.
    """

    def __init__(self, run: Run) -> None:
        assert run.until is not None
        self.half_width = float(run.until.half_width)
        self.contract = None if run.until.of is None else parse_contract(run.until.of)
        self.clustered = run.unit == "match"
        self.sums = [0, 0, 0, 0, 0]
        self.matches = 0
        self.reached = False

    def parts(self, played: Played) -> tuple[Part, ...]:
        """Sums over the matches of a chunk, cut at the looks within it."""
        rows = played.deal_rows
        if self.contract is None:
            mine = rows["level"] >= 0
        else:
            level, strain, doubling = self.contract.level, self.contract.strain, 1 << self.contract.doubling
            mine = (rows["level"] == level) & (rows["strain"] == strain) & (rows["doubling"] == doubling)
        place = rows["match"][mine] - played.spec.first_match
        made = rows["made"][mine] > 0
        n = np.bincount(place, minlength=played.matches)
        y = np.bincount(place[made], minlength=played.matches)
        products = (n, y, n * n, n * y, y * y) if self.clustered else (n, y, n, y, y)
        found = []
        first, end = 0, played.matches
        while first < end:
            last = min(end, next_look(played.spec.first_match + first) - played.spec.first_match)
            found.append((played.spec.first_match + last, *(int(values[first:last].sum()) for values in products)))
            first = last
        return tuple(found)

    def take(self, parts: tuple[Part, ...]) -> int | None:
        """Add the next parts in match order.

        Returns
        -------
        int or None
            The match at which the run ends because its interval is narrow enough there.
        """
        for end, *numbers in parts:
            self.sums = [known + more for known, more in zip(self.sums, numbers, strict=True)]
            is_look = end == next_look(self.matches)
            self.matches = end
            if is_look:
                found = self.state().half_width
                self.reached = found is not None and found <= self.half_width
                if self.reached:
                    return end
        return None

    def state(self) -> Reached:
        """The estimate as it is now."""
        n, y, nn, ny, yy = self.sums
        sums = ClusterSums(n, float(y), float(nn), float(ny), float(yy), float(y))
        found = clustered_rate(sums) if self.clustered else rate(y, n)
        half_width = None if found.low is None or found.high is None else (found.high - found.low) / 2
        return Reached(self.matches, found, half_width, self.reached, self.needed())

    def needed(self) -> int | None:
        """Matches that are probably needed, from what was added so far; None where nothing tells."""
        n, y = self.sums[0], self.sums[1]
        if not n or not self.matches:
            return None
        share = min(max(y / n, 1 / n), 1 - 1 / n) if n > 1 else 0.5
        rows = share * (1 - share) * (Z95 / self.half_width) ** 2
        return look_for(rows / n * self.matches)
