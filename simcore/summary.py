"""Sums over deals and matches that are enough for make rates, score distributions and their intervals, without any rows.

What is counted

- `cells`: deals by dealer, declarer's role, class of the upcard, strain, level, doubling, contested, declarer's tricks.
  The points of a deal follow from its cell and the scoring table, so their sums, squares and quantiles do, too.
- `pairs`: pairs of deals of one match, by the values of those columns in which both agree, and by how many of the two
  were made. For any grouping by some of the columns, the sum over matches of n^2 (n: deals of the match in the group) is
  the number of its deals plus twice the number of pairs that agree on these columns, and likewise for n y and y^2; so
  one table serves the clustered intervals of all groupings.
- `moments`: for points, pass-outs and contested auctions n, y, n^2, n y and y^2, summed over matches.
- `totals`, `results`: points of whole matches by value; who won, who dealt first, how long it took.

All are whole numbers and are added up exactly, so neither order nor chunking matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from simcore.batch import longest_match
from simcore.codes import MAX_REDEALS
from simcore.columns import deal_columns
from simcore.errors import InputError
from simcore.rules import Rules, build_rules
from simcore.summing import (
    COLUMNS,
    MADE_COUNTS,
    MOMENTS,
    N_CLASSES,
    N_TOTALS,
    PAIR,
    PAIR_SHAPE,
    PARTS,
    PASSED,
    SHAPE,
    SIDES,
    SUMS,
    Rows,
    Sums,
    add_deals,
    add_matches,
)

if TYPE_CHECKING:
    from simcore.config import Variant

RawRows = Mapping[str, npt.NDArray[Any]]
_DENSE = 1 << 16
"""Values of a match total up to which they are counted in an array."""
_LARGEST_TOTAL = 1 << 31
"""Below it, the square of a total in tenths is exact in an int64."""


class Summary:
    """Sums over any number of matches; two of them can be added.

    Parameters
    ----------
    variant : Variant
        Whose deals; a game of two with a scoring table by contract.
    unit : {"match", "deal"}
        Whether the deals of a match belong together.
    rules : Rules or None
        What `build_rules` makes of them, where it is known.

    Attributes
    ----------
    sums : Sums
        Counts, and moments not added to `moments` yet.
    sparse : list of Counter
        Match totals in tenths, where they have too many values for an array.
    """

    def __init__(self, variant: Variant, unit: str, rules: Rules | None = None) -> None:
        if variant.players != PAIR:
            raise InputError("output: summary is available for games of two; allowed here: rows")
        rules = build_rules(variant, unit) if rules is None else rules
        self.clustered = unit == "match"
        self.unit, largest = points_unit(rules)
        self._matches_at_once = (1 << 62) // max(1, largest) ** 2
        if largest >= _LARGEST_TOTAL:
            raise InputError("output: summary cannot add up the points of so long matches exactly; use output: rows")
        values = largest // self.unit + 1
        longest = longest_match(rules)
        self.sums = Sums(
            cells=np.zeros(int(np.prod(SHAPE)), np.int64),
            passed=np.zeros((PAIR, N_CLASSES), np.int64),
            pairs=np.zeros(int(np.prod(PAIR_SHAPE)) * MADE_COUNTS if self.clustered else 0, np.int64),
            by_deals=np.zeros((longest + 1, 1 + SIDES), np.int64),
            by_played=np.zeros((longest + 1, 1 + len(MOMENTS) - SIDES), np.int64),
            squares=np.zeros(len(MOMENTS), np.int64),
            totals=np.zeros((N_TOTALS, values if values <= _DENSE and self.clustered else 0), np.int64),
            results=np.zeros((PAIR, PAIR + 1, 2, longest + 1), np.int64),
            parts=np.zeros((len(PARTS), longest), np.uint64),
        )
        self._moments = _no_moments()
        self._matches_since = 0
        """Matches whose moments are in `sums` only."""
        self.sparse: list[Counter[int]] = [Counter() for _ in range(N_TOTALS)]

    @property
    def deals(self) -> int:
        """Number of deals."""
        return int(self.sums.cells.sum() + self.sums.passed.sum())

    @property
    def tables(self) -> tuple[npt.NDArray[np.int64], ...]:
        """The arrays that are added up."""
        return (self.sums.cells, self.sums.passed, self.sums.pairs, self.sums.totals, self.sums.results)

    def add(self, deal_rows: RawRows, match_rows: RawRows) -> None:
        """Add whole matches in order; raw columns as in `simcore.batch.Chunk`."""
        matches = len(match_rows["match"]) if self.clustered else 0
        if matches <= self._matches_at_once:
            self._add(deal_rows, match_rows)
            return
        for first in range(0, matches, self._matches_at_once):
            part = slice(first, min(matches, first + self._matches_at_once))
            numbers = match_rows["match"][part]
            low, high = np.searchsorted(deal_rows["match"], [numbers[0], numbers[-1] + 1])
            self._add(
                {name: values[low:high] for name, values in deal_rows.items()},
                {name: values[part] for name, values in match_rows.items()},
            )

    def _add(self, deal_rows: RawRows, match_rows: RawRows) -> None:
        upcard = deal_rows.get("upcard")
        rows = {name: deal_rows[name] for name in Rows._fields if name in deal_rows}
        # without an upcard every deal is of the first class, that of card 0
        rows["upcard"] = np.zeros(len(deal_rows["match"]), np.int8) if upcard is None else upcard
        for name, kind in _OF_MATCHES.items():
            rows[name] = match_rows[name] if self.clustered else np.zeros(0, kind)
        if not self.clustered:
            add_deals(Rows(**rows), self.sums)
            return
        self._matches_since += len(match_rows["match"])
        if self._matches_since > self._matches_at_once:
            self._fold_moments()
            self._matches_since = len(match_rows["match"])
        add_matches(Rows(**rows), np.int64(self.unit), self.sums)
        if not self.sums.totals.shape[1]:
            one, other = match_rows["total_0"], match_rows["total_1"]
            for counter, values in zip(self.sparse, (one, other, np.abs(one - other)), strict=True):
                found, times = np.unique(values, return_counts=True)
                counter.update(dict(zip(found.tolist(), times.tolist(), strict=True)))

    @property
    def moments(self) -> list[list[int]]:
        """`MOMENTS` by `SUMS`, whole numbers without bounds."""
        self._fold_moments()
        return self._moments

    @moments.setter
    def moments(self, values: list[list[int]]) -> None:
        """Put others in their place."""
        self._clear_moments()
        self._moments = values

    def _fold_moments(self) -> None:
        """Add the moments in `sums`, which have bounds, to those that have none."""
        if not self._matches_since:
            return
        squares = self.sums.squares.tolist()
        for first, table in ((PASSED, self.sums.by_deals), (SIDES, self.sums.by_played)):
            counts = [(n, matches, values) for n, (matches, *values) in enumerate(table.tolist()) if matches]
            for place in range(table.shape[1] - 1):
                added = (
                    sum(n * matches for n, matches, _ in counts),
                    sum(values[place] for _, _, values in counts),
                    sum(n * n * matches for n, matches, _ in counts),
                    sum(n * values[place] for n, _, values in counts),
                    squares[first + place],
                )
                row = self._moments[first + place]
                row[:] = [known + more for known, more in zip(row, added, strict=True)]
        self._clear_moments(bounded_only=True)

    def _clear_moments(self, bounded_only: bool = False) -> None:
        for table in (self.sums.by_deals, self.sums.by_played, self.sums.squares):
            table[...] = 0
        self._matches_since = 0
        if not bounded_only:
            self._moments = _no_moments()

    def merge(self, other: Summary) -> None:
        """Add the sums of other matches of the same run."""
        for mine, theirs in zip(self.tables, other.tables, strict=True):
            np.add(mine, theirs, out=mine)
        self.moments = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(self.moments, other.moments, strict=True)]
        for counter, more in zip(self.sparse, other.sparse, strict=True):
            counter.update(more)

    def clear(self) -> None:
        """Begin again with nothing."""
        for table in self.tables:
            table[...] = 0
        self._clear_moments()
        self.sparse = [Counter() for _ in range(N_TOTALS)]


def row_names(variant: Variant) -> tuple[str, ...]:
    """Columns of deals that are read."""
    known = {column.name for column in deal_columns(variant)}
    return tuple(name for name in Rows._fields if name in known)


def _no_moments() -> list[list[int]]:
    return [[0] * len(SUMS) for _ in MOMENTS]


_OF_MATCHES = {"total_0": np.int64, "total_1": np.int64, "winner": np.int8, "deals": np.int32, "finished": np.bool_}


def points_unit(rules: Rules) -> tuple[int, int]:
    """Largest number of tenths that all points are multiples of, and the largest total a match can have."""
    tenths = np.abs(rules.score.tenths.astype(np.int64))
    deals = longest_match(rules) // (1 + MAX_REDEALS * rules.match.redeal)
    return max(1, int(np.gcd.reduce(tenths, axis=None))), int(tenths.max()) * max(1, deals)


__all__ = ["COLUMNS", "MADE_COUNTS", "MOMENTS", "PAIR_SHAPE", "SHAPE", "SUMS", "Summary", "points_unit", "row_names"]
