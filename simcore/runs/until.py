"""Stopping at the width of an interval: looked at only after 10,000 x 2^k matches in match order.

So where a run stops depends neither on chunks nor on workers, and a run that is resumed stops where it would have. The
interval is the one `simcore rates` prints for the same matches (`simcore.estimates`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from simcore.estimates import Z95, ClusterSums, Estimate, clustered_rate, rate
from simcore.notation import parse_contract, parse_step
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
    """Watches the make rate of all contracts (calls, bids), or of one, while a run goes on.

    Parameters
    ----------
    run : Run
        With `until`.
    """

    def __init__(self, run: Run) -> None:
        assert run.until is not None
        self.half_width = float(run.until.half_width)
        self.kind = run.variant.auction.kind
        self.players = run.variant.players
        self.of = run.until.of
        self.clustered = run.unit == "match" or self.kind == "calls"
        self.sums = [0, 0, 0, 0, 0]
        self.matches = 0
        self.reached = False

    def parts(self, played: Played) -> tuple[Part, ...]:
        """Sums over the matches of a chunk, cut at the looks within it."""
        rows = played.deal_rows
        n, y = (np.zeros(played.matches, np.int64) for _ in range(2))
        for mine, made in self._rows(rows):
            place = rows["match"] - played.spec.first_match
            n += np.bincount(place[mine], minlength=played.matches)
            y += np.bincount(place[mine & made], minlength=played.matches)
        products = (n, y, n * n, n * y, y * y) if self.clustered else (n, y, n, y, y)
        found = []
        first, end = 0, played.matches
        while first < end:
            last = min(end, next_look(played.spec.first_match + first) - played.spec.first_match)
            found.append((played.spec.first_match + last, *(int(values[first:last].sum()) for values in products)))
            first = last
        return tuple(found)

    def _rows(self, rows: Mapping[str, npt.NDArray[Any]]) -> Iterator[tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]]:
        """Which deals count and which of them are made; in games of calls for each seat."""
        if self.kind == "calls":
            for seat in range(self.players):
                call, made = rows[f"call_{seat}"], rows[f"made_{seat}"]
                yield (call >= 0 if self.of is None else call == int(self.of)), made > 0
            return
        if self.kind == "steps":
            bid, alone = rows["bid"], rows["alone"] > 0
            said = None if self.of is None else parse_step(self.of)
            yield (bid >= 0 if said is None else (bid == said[0]) & (alone == said[1])), rows["made"] > 0
            return
        if self.of is None:
            mine = rows["level"] >= 0
        else:
            contract = parse_contract(self.of)
            mine = (rows["level"] == contract.level) & (rows["strain"] == contract.strain)
            mine &= rows["doubling"] == 1 << contract.doubling
        yield mine, rows["made"] > 0

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
