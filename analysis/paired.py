"""Differences of two runs: sums over clusters (matches) that hold both runs' rows, and what they say about B less A.

A rate or a mean of a run is a ratio of two sums over clusters, R = sum(y_m) / sum(n_m). The variance of R_b - R_a is that of
the linearised difference,

    G / (G - 1) * sum(((y_bm - R_b n_bm) / N_b - (y_am - R_a n_am) / N_a)^2)

(W. G. Cochran, Sampling Techniques, 3rd ed. 1977, chapter 6, for two ratios of the same clusters), with Student's t of G - 1
degrees of freedom; G is the smaller of the two runs' numbers of clusters of equal size (`simcore.estimates`). What is kept
are moments of (n_a, y_a, n_b - n_a, y_b - y_a), so runs that agree in every row differ by exactly 0. To the variance of a
difference of rates 1 / (n + 2)^2 is added (half a row in each cell of the table of pairs: A. Agresti, Y. Min, Statistics in
Medicine 24, 2005), so that a few rows that all agree do not pass for certainty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analysis.estimates import ClusterSums, Estimate, t_quantile
from analysis.groups import Key

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PAIRED = "difference of two ratios of sums over the same matches, Student's t"
UNPAIRED = "difference of two ratios, as if the runs were independent, Student's t"
_UPPER = [(i, j) for i in range(4) for j in range(i, 4)]
_N_SUMS, _N_MOMENTS, _N_BOTH, _N_CELLS = 4, len(_UPPER), 5, 4
_WIDTH = _N_SUMS + _N_MOMENTS + _N_BOTH + _N_CELLS
_DENSE = 2_000_000
"""Groups times clusters up to which sums are made in arrays."""
_TWO = 2
_BITS = 62
_LIMIT = "the columns of --by have too many values together; name fewer"


@dataclass(frozen=True, slots=True)
class Cells:
    """McNemar's table: rows that both runs have in a group, by whether they were made."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def n(self) -> int:
        """All rows."""
        return self.both + self.only_a + self.only_b + self.neither

    def as_json(self) -> dict[str, int]:
        """Form for ``--json``."""
        return {"n": self.n, "both": self.both, "only_a": self.only_a, "only_b": self.only_b, "neither": self.neither}


@dataclass(frozen=True, slots=True)
class PairSums:
    """Sums of two runs over clusters.

    Attributes
    ----------
    a, b : ClusterSums
        Of each run by itself.
    moments : ndarray of float, shape (4, 4)
        Of (n_a, y_a, n_b - n_a, y_b - y_a).
    both : ClusterSums
        Of y_b - y_a over the rows that both have in the group.
    cells : Cells or None
        Of truth values.
    paired : bool
        Whether the clusters of both runs are the same.
    """

    a: ClusterSums
    b: ClusterSums
    moments: Floats
    both: ClusterSums
    cells: Cells | None
    paired: bool

    @classmethod
    def independent(cls, a: ClusterSums, b: ClusterSums) -> PairSums:
        """Sums of two runs that have nothing in common."""
        moments = np.zeros((4, 4))
        moments[:2, :2] = [[a.nn, a.ny], [a.ny, a.yy]]
        moments[:2, 2:] = moments[2:, :2] = -moments[:2, :2]
        moments[2:, 2:] = moments[:2, :2] + [[b.nn, b.ny], [b.ny, b.yy]]
        return cls(a, b, moments, ClusterSums(), None, False)

    def difference(self, is_rate: bool, same: bool = False) -> Estimate:
        """B less A.

        Parameters
        ----------
        is_rate : bool
            Whether the values are truth values.
        same : bool
            Whether the runs are one and the same by their rules, bots and seed, so that there is nothing to be unsure of.

        Returns
        -------
        Estimate
            n is the smaller of the two numbers of rows; without an interval where there are fewer than two clusters.
        """
        a, b = self.a, self.b
        method = PAIRED if self.paired else UNPAIRED
        n = min(a.n, b.n)
        if not n:
            return Estimate(n, None, None, None, method)
        estimate = b.mean - a.mean
        clusters = min(a.clusters, b.clusters)
        if clusters < _TWO:
            return Estimate(n, estimate, None, None, method)
        weights = np.array([a.mean / a.n - b.mean / b.n, 1 / b.n - 1 / a.n, -b.mean / b.n, 1 / b.n])
        variance = clusters / (clusters - 1) * max(0.0, float(weights @ self.moments @ weights))
        if is_rate and not same:
            variance += 1 / (n + 2) ** 2
        half = t_quantile(clusters - 1) * math.sqrt(variance)
        low, high = estimate - half, estimate + half
        if is_rate:
            low, high = max(-1.0, low), min(1.0, high)
        return Estimate(n, estimate, low, high, method)


@dataclass(slots=True)
class PairCounter:
    """Adds up pairs of runs piece by piece, by group; `sums` gives the result of a group."""

    truth: bool
    found: dict[int, Floats] = field(default_factory=dict)

    def add(self, cluster: Ints, group_a: Ints, y_a: Floats, group_b: Ints, y_b: Floats) -> None:
        """Add rows that stand side by side.

        Parameters
        ----------
        cluster : ndarray of int
            Number of the cluster of each row, from 0, rising.
        group_a : ndarray of int
            Group of the row in A; negative: in none.
        y_a : ndarray of float
            Its value.
        group_b, y_b : ndarray
            The same of B.
        """
        in_a, in_b = group_a >= 0, group_b >= 0
        top = max(group_a.max(initial=-1), group_b.max(initial=-1))
        if top < 0:
            return
        one_group = np.zeros(1, np.int64)
        groups = one_group if top == 0 else np.unique(np.concatenate([np.unique(group_a[in_a]), np.unique(group_b[in_b])]))
        n_clusters = int(cluster[-1]) + 1
        alike = (group_a == group_b) & in_a
        rows = (group_a[in_a], group_b[in_b], group_a[alike])
        place_a, place_b, place = rows if top == 0 else (np.searchsorted(groups, row) for row in rows)
        place_a, place_b = place_a * n_clusters + cluster[in_a], place_b * n_clusters + cluster[in_b]
        place_both = place * n_clusters + cluster[alike]
        size = len(groups) * n_clusters
        of_group = np.repeat(np.arange(len(groups)), n_clusters)
        if size > _DENSE:
            used, inverse = np.unique(np.concatenate([place_a, place_b]), return_inverse=True)
            place_both = inverse[: len(place_a)][alike[in_a]]
            place_a, place_b = inverse[: len(place_a)], inverse[len(place_a) :]
            size, of_group = len(used), used // n_clusters
        one_a, one_b = y_a[alike], y_b[alike]
        v = _values(place_a, y_a[in_a], place_b, y_b[in_b], size)
        both: tuple[Floats, Any] = _counts(place_both, size), np.bincount(place_both, one_b - one_a, size)
        products: list[Any] = [*v, *(v[i] * v[j] for i, j in _UPPER)]
        products += [both[0], both[1], both[0] ** 2, both[0] * both[1], both[1] ** 2]
        table = np.column_stack([np.bincount(of_group, product, len(groups)) for product in products])
        cells = np.zeros((len(groups), _N_CELLS))
        if self.truth:
            code = place * _N_CELLS + 2 * (one_a < 1) + (one_b < 1)  # both, only a, only b, neither
            cells = _counts(code, len(groups) * _N_CELLS).reshape(-1, _N_CELLS)
        for group, numbers in zip(groups.tolist(), np.hstack([table, cells]), strict=True):
            self.found[group] = self.found.get(group, np.zeros(_WIDTH)) + numbers

    def sums(self, group: int = 0, paired: bool = True) -> PairSums:
        """What was added up of a group."""
        numbers = self.found.get(group, np.zeros(_WIDTH))
        n_a, y_a, n_more, y_more = numbers[:_N_SUMS]
        moments = np.zeros((4, 4))
        for (i, j), value in zip(_UPPER, numbers[_N_SUMS : _N_SUMS + _N_MOMENTS], strict=True):
            moments[i, j] = moments[j, i] = value
        to_b = np.array([[1.0, 0, 1, 0], [0, 1, 0, 1]])
        of_b = to_b @ moments @ to_b.T
        rest = numbers[_N_SUMS + _N_MOMENTS :]
        n, d, nn, nd, dd = rest[:_N_BOTH].tolist()
        cells = Cells(*(round(count) for count in rest[_N_BOTH:].tolist())) if self.truth else None
        return PairSums(
            ClusterSums(round(n_a), float(y_a), moments[0, 0], moments[0, 1], moments[1, 1]),
            ClusterSums(round(n_a + n_more), float(y_a + y_more), of_b[0, 0], of_b[0, 1], of_b[1, 1]),
            moments,
            ClusterSums(round(n), d, nn, nd, dd),
            cells,
            paired,
        )


def _counts(place: Ints, size: int) -> Floats:
    return np.bincount(place, minlength=size).astype(np.float64)


def _values(place_a: Ints, y_a: Floats, place_b: Ints, y_b: Floats, size: int) -> list[Floats]:
    """(n_a, y_a, n_b - n_a, y_b - y_a) by place."""
    n = [_counts(place, size) for place in (place_a, place_b)]
    y = [np.bincount(place, values, size).astype(np.float64) for place, values in ((place_a, y_a), (place_b, y_b))]
    return [n[0], y[0], n[1] - n[0], y[1] - y[0]]


class GroupCodes:
    """One number for each combination of values of some columns, the same in all pieces and in both runs.

    Parameters
    ----------
    by : sequence of str
        The columns; none: all rows are one group.
    """

    def __init__(self, by: Sequence[str]) -> None:
        self.by = tuple(by)
        self._bits = _BITS // max(1, len(self.by))
        self._known: list[dict[Any, int]] = [{} for _ in self.by]

    def codes(self, rows: pa.Table) -> Ints:
        """Number of each row's group."""
        code = np.zeros(rows.num_rows, np.int64)
        for name, known in zip(self.by, self._known, strict=True):
            column = rows[name]
            column = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
            found = pc.unique(column)
            values = found.to_pylist()
            numbers = np.array([known.setdefault(value, len(known)) for value in values], np.int64)
            if len(known) >> self._bits:
                raise ValueError(_LIMIT)
            place = pc.index_in(column, value_set=found, skip_nulls=False)
            code = (code << self._bits) + numbers[place.to_numpy()]
        return code

    def key(self, code: int) -> Key:
        """The values that a number stands for."""
        values: list[Any] = []
        for known in reversed(self._known):
            values.append(list(known)[code & ((1 << self._bits) - 1)])
            code >>= self._bits
        return tuple(reversed(values))

    def keys(self, codes: Sequence[int]) -> Iterator[tuple[Key, int]]:
        """Keys beside their numbers."""
        for code in codes:
            yield self.key(code), code
