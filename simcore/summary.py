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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore._jit import inlined, kernel
from simcore.batch import longest_match
from simcore.bits import I
from simcore.cards import BORDER_CARD, LANE, UPCARD_CLASS
from simcore.codes import (
    BOOK,
    MAX_REDEALS,
    N_CARDS,
    N_COLONS,
    N_DOUBLINGS,
    N_LEVELS,
    N_RANKS,
    N_STRAINS,
)
from simcore.errors import InputError
from simcore.rules import Rules, build_rules

if TYPE_CHECKING:
    from simcore.config import Variant

RawRows = Mapping[str, npt.NDArray[Any]]
PAIR = 2
"""Players; the sums are those of games of two."""
N_CLASSES = 3
"""Classes of the upcard: spot, face, ace; without an upcard all deals are in the first."""
COLUMNS = {
    "declarer_role": 2,
    "upcard_class": N_CLASSES,
    "strain": N_STRAINS,
    "level": N_LEVELS,
    "doubling": N_DOUBLINGS,
    "contested": 2,
    "tricks": N_RANKS + 1,
}
"""The columns deals can be grouped by, and how many values each has."""
SHAPE = (PAIR, *COLUMNS.values())
"""Shape of the cells: dealer first."""
PAIR_SHAPE = tuple(size + 1 for size in COLUMNS.values())
"""Shape of the pairs: index 0 where the two deals differ, else 1 + the value they share."""
MOMENTS = ("passed_out", "contested", "seat 0", "seat 1", "dealer", "non_dealer", "declarer", "opponent")
"""Rows of the moments; of declarer and opponent over the deals that were played, else over all deals."""
PASSED, CONTESTED, SEATS, ROLES, SIDES = 0, 1, 2, 4, 6
SUMS = ("n", "y", "nn", "ny", "yy")
"""Columns of the moments."""
N_TOTALS = PAIR + 1
"""Match totals of each seat, and the margin."""
_DENSE = 1 << 16
"""Values of a match total up to which they are counted in an array."""
_LARGEST_TOTAL = 1 << 31
"""Below it, the square of a total in tenths is exact in an int64."""
LANE_BITS = 4
_ONES = int("1" * len(COLUMNS), 16)
_LANE = (1 << LANE_BITS) - 1


def _pair_index(lanes: range) -> npt.NDArray[np.int64]:
    """Part of the index of a pair, by the bits of some lanes."""
    strides = [int(np.prod(PAIR_SHAPE[lane + 1 :])) for lane in lanes]
    bits = np.arange(1 << (LANE_BITS * len(lanes)))
    parts = [((bits >> (LANE_BITS * place)) & _LANE) * stride for place, stride in enumerate(strides)]
    index: npt.NDArray[np.int64] = np.sum(parts, axis=0, dtype=np.int64)
    return index


_LOW, _MIDDLE, _HIGH = _pair_index(range(0, 2)), _pair_index(range(2, 4)), _pair_index(range(4, 7))
_UPCARD_CLASS = np.zeros(N_CARDS + N_COLONS + 1, np.int8)
for _bit, _card in enumerate(BORDER_CARD):
    if _card >= 0:
        _UPCARD_CLASS[_card] = UPCARD_CLASS[_bit % LANE]


class Rows(NamedTuple):
    """Raw columns of deals, and of their matches (empty for independent deals)."""

    match: np.ndarray
    dealer: np.ndarray
    declarer_role: np.ndarray
    upcard: np.ndarray
    strain: np.ndarray
    level: np.ndarray
    doubling: np.ndarray
    contested: np.ndarray
    tricks: np.ndarray
    points_0: np.ndarray
    points_1: np.ndarray
    total_0: np.ndarray
    total_1: np.ndarray
    winner: np.ndarray
    deals: np.ndarray
    finished: np.ndarray


class Sums(NamedTuple):
    """What the kernel adds to."""

    cells: np.ndarray
    """int64, `SHAPE`, flat."""
    passed: np.ndarray
    """int64[dealer, upcard class]: deals that were passed out."""
    pairs: np.ndarray
    """int64[pair, 0..2]: `PAIR_SHAPE`, flat, by how many of the two were made."""
    moments: np.ndarray
    """int64[`MOMENTS`, `SUMS`]"""
    totals: np.ndarray
    """int64[total, value // unit]; without columns where values are counted elsewhere."""
    results: np.ndarray
    """int64[first dealer, winner + 1, finished, deals]"""
    lanes: np.ndarray
    """int64[deal of the match]: scratch."""


@inlined
def _add_moment(moments, row, n, y):
    """Add a match to a row of the moments.

    moments : int64[:, :]  added to
    row : int64
    n, y : int64
    """
    moments[row, 0] += n
    moments[row, 1] += y
    moments[row, 2] += n * n
    moments[row, 3] += n * y
    moments[row, 4] += y * y


@inlined
def _add_pairs(lanes, n, pairs):
    """Add all pairs of the n played deals of a match; lanes : int64[:], made in the bit above the lanes."""
    for i in range(1, n):
        one = lanes[i]
        for j in range(i):
            other = lanes[j]
            differing = one ^ other
            differing |= differing >> 1
            differing |= differing >> 2
            agreeing = (~differing & _ONES) * _LANE
            shared = one & agreeing
            index = _LOW[shared & 0xFF] + _MIDDLE[(shared >> 8) & 0xFF] + _HIGH[shared >> 16]
            pairs[index, (one >> _MADE) + (other >> _MADE)] += 1


_MADE = LANE_BITS * len(COLUMNS)
_N_STRAINS, _N_LEVELS, _N_DOUBLINGS, _N_TRICKS = N_STRAINS, N_LEVELS, N_DOUBLINGS, N_RANKS + 1


@inlined
def _add_match_result(rows, k, first_dealer, unit, sums):
    """Add match number k of the rows."""
    sums.results[first_dealer, rows.winner[k] + 1, 1 if rows.finished[k] else 0, rows.deals[k]] += 1
    if sums.totals.shape[1] > 0:
        one, other = rows.total_0[k] // unit, rows.total_1[k] // unit
        sums.totals[0, one] += 1
        sums.totals[1, other] += 1
        sums.totals[2, abs(one - other)] += 1


@kernel
def add_rows(rows, clustered, unit, sums):
    """Add deals, whole matches in order.

    rows : Rows
    clustered : bool     whether the deals of a match belong together, so that there are match rows
    unit : int64         all points are multiples of it, in tenths
    sums : Sums          added to
    """
    n_rows = rows.match.shape[0]
    row, k = 0, 0
    while row < n_rows:
        match, first = rows.match[row], row
        n_played, n_contested = 0, 0
        by_seat_0, by_seat_1, by_dealer, by_declarer = 0, 0, 0, 0
        while row < n_rows and rows.match[row] == match:
            dealer, kind = I(rows.dealer[row]), I(_UPCARD_CLASS[rows.upcard[row]])
            if rows.level[row] < 0:
                sums.passed[dealer, kind] += 1
                row += 1
                continue
            role, strain, level = I(rows.declarer_role[row]), I(rows.strain[row]), I(rows.level[row])
            doubling, tricks = I(rows.doubling[row]) >> 1, I(rows.tricks[row])
            contested = 1 if rows.contested[row] else 0
            cell = ((dealer * PAIR + role) * N_CLASSES + kind) * _N_STRAINS + strain
            cell = ((cell * _N_LEVELS + level) * _N_DOUBLINGS + doubling) * PAIR + contested
            sums.cells[cell * _N_TRICKS + tricks] += 1
            if clustered:
                lanes = (role + 1) | (kind + 1) << 4 | (strain + 1) << 8 | (level + 1) << 12
                lanes |= (doubling + 1) << 16 | (contested + 1) << 20 | (tricks + 1) << 24
                made = 1 if tricks >= level + BOOK else 0
                sums.lanes[n_played] = lanes | made << _MADE
                n_played += 1
                n_contested += contested
                points_0, points_1 = I(rows.points_0[row]), I(rows.points_1[row])
                by_seat_0 += points_0
                by_seat_1 += points_1
                by_dealer += points_1 if dealer == 1 else points_0
                by_declarer += points_1 if dealer ^ role == 1 else points_0
            row += 1
        if clustered:
            n = row - first
            points = by_seat_0 + by_seat_1
            _add_moment(sums.moments, PASSED, n, n - n_played)
            _add_moment(sums.moments, CONTESTED, n, n_contested)
            _add_moment(sums.moments, SEATS, n, by_seat_0)
            _add_moment(sums.moments, SEATS + 1, n, by_seat_1)
            _add_moment(sums.moments, ROLES, n, by_dealer)
            _add_moment(sums.moments, ROLES + 1, n, points - by_dealer)
            _add_moment(sums.moments, SIDES, n_played, by_declarer)
            _add_moment(sums.moments, SIDES + 1, n_played, points - by_declarer)
            _add_pairs(sums.lanes, n_played, sums.pairs)
            _add_match_result(rows, k, rows.dealer[first], unit, sums)
            k += 1


class Summary:
    """Sums over any number of matches; two of them can be added.

    Parameters
    ----------
    variant : Variant
        Whose deals; a game of two with a scoring table by contract.
    unit : {"match", "deal"}
        Whether the deals of a match belong together.

    Attributes
    ----------
    sums : Sums
        Counts; the moments of `sums` are scratch.
    moments : list of list of int
        As `Sums.moments`, without bounds.
    sparse : list of Counter
        Match totals in tenths, where they have too many values for an array.
    """

    def __init__(self, variant: Variant, unit: str) -> None:
        rules = build_rules(variant, unit)
        if variant.players != PAIR:
            raise InputError("output: summary is available for games of two; allowed here: rows")
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
            pairs=np.zeros((int(np.prod(PAIR_SHAPE)) if self.clustered else 0, 3), np.int64),
            moments=np.zeros((len(MOMENTS), len(SUMS)), np.int64),
            totals=np.zeros((N_TOTALS, values if values <= _DENSE and self.clustered else 0), np.int64),
            results=np.zeros((PAIR, PAIR + 1, 2, longest + 1), np.int64),
            lanes=np.zeros(longest, np.int64),
        )
        self.moments = [[0] * len(SUMS) for _ in MOMENTS]
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
        add_rows(Rows(**rows), self.clustered, np.int64(self.unit), self.sums)
        self._fold_moments(self.sums.moments.tolist())
        self.sums.moments[:] = 0
        if self.clustered and not self.sums.totals.shape[1]:
            one, other = match_rows["total_0"], match_rows["total_1"]
            for counter, values in zip(self.sparse, (one, other, np.abs(one - other)), strict=True):
                found, times = np.unique(values, return_counts=True)
                counter.update(dict(zip(found.tolist(), times.tolist(), strict=True)))

    def _fold_moments(self, more: list[list[int]]) -> None:
        for row, added in zip(self.moments, more, strict=True):
            for place, number in enumerate(added):
                row[place] += number

    def merge(self, other: Summary) -> None:
        """Add the sums of other matches of the same run."""
        for mine, theirs in zip(self.tables, other.tables, strict=True):
            np.add(mine, theirs, out=mine)
        self._fold_moments(other.moments)
        for counter, more in zip(self.sparse, other.sparse, strict=True):
            counter.update(more)

    def clear(self) -> None:
        """Begin again with nothing."""
        for table in self.tables:
            table[...] = 0
        self.moments = [[0] * len(SUMS) for _ in MOMENTS]
        self.sparse = [Counter() for _ in range(N_TOTALS)]


_OF_MATCHES = {"total_0": np.int64, "total_1": np.int64, "winner": np.int8, "deals": np.int32, "finished": np.bool_}


def points_unit(rules: Rules) -> tuple[int, int]:
    """Largest number of tenths that all points are multiples of, and the largest total a match can have."""
    tenths = np.abs(rules.score.tenths.astype(np.int64))
    deals = longest_match(rules) // (1 + MAX_REDEALS * rules.match.redeal)
    return max(1, int(np.gcd.reduce(tenths, axis=None))), int(tenths.max()) * max(1, deals)
