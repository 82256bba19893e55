"""Re-scoring of a run that kept sums (``output: summary``): its cells say how often each result came.

Which deals stood in one match is not known of cells, so the variance over matches of the new points is not, either. Intervals
are those of independent deals, times the design effect that today's points have (their variance over matches, which is kept,
over that of independent deals; at least 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analysis.differences import POINTS, Difference
from analysis.estimates import ClusterSums, Estimate, rate, t_quantile
from analysis.load import RunData
from analysis.summary import deal_points
from analysis.tables_of_points import FIRST, PASSED_OUT, PLAYED, ContractLookup
from simcore.codes import N_DOUBLINGS, N_STRAINS, TENTHS
from simcore.columns import ROLE_NAMES, STRAIN_NAMES
from simcore.phases.scoring.contracts import N_TRICKS
from simcore.runs import read_parts

METHOD = "mean of independent deals, variance times the design effect of matches, Student's t"
_TWO = 2
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SummarySums:
    """How often each result came, and what that makes under two tables."""

    data: RunData
    lookup: ContractLookup
    counts: npt.NDArray[np.int64]
    unknown: int = 0

    def wins(self) -> list[Difference]:
        """Nothing: matches are not known."""
        return []

    def changed(self) -> Estimate:
        """Share of deals whose points change."""
        return rate(int(self.counts @ self.lookup.table[:, 1]), int(self.counts.sum()))

    def points(self) -> list[Difference]:
        """Points per deal under both tables."""
        table = self.lookup.table.astype(np.float64) / TENTHS
        n_names = len(self.lookup.names)
        old, change = (dict(zip(self.lookup.names, part.T, strict=True)) for part in _halves(table, n_names))
        for values in (old, change):
            both = values["seat 0"] + values["seat 1"]
            values |= {"non_dealer": both - values["dealer"], "opponent": both - values["declarer"]}
        known = deal_points(self.data)
        played = self.lookup.table[:, PLAYED] > 0
        order = ("seat 0", "seat 1", "dealer", "non_dealer", "declarer", "opponent")
        found = []
        for who in order:
            counts = self.counts * played if who in ("declarer", "opponent") else self.counts
            today = known[who][0]
            effect = _design_effect(today, _sums(counts, old[who]), self.data.clustered)
            parts = (old[who], old[who] + change[who], change[who])
            before, after, less = (_estimate(counts, values, effect, today) for values in parts)
            found.append(Difference(POINTS, who, (), before, after, less, None, True, int(counts.sum())))
        return found


def _halves(table: Floats, n_names: int) -> tuple[Floats, Floats]:
    return table[:, FIRST : FIRST + n_names], table[:, FIRST + n_names :]


def _sums(counts: npt.NDArray[np.int64], values: Floats) -> ClusterSums:
    n, y, yy = int(counts.sum()), float(counts @ values), float(counts @ values**2)
    return ClusterSums(n, y, float(n), y, yy, yy)


def _design_effect(today: ClusterSums, independent: ClusterSums, clustered: bool) -> float:
    if not clustered or not today.variance or not independent.variance:
        return 1.0
    return max(1.0, today.variance / independent.variance)


def _estimate(counts: npt.NDArray[np.int64], values: Floats, effect: float, today: ClusterSums) -> Estimate:
    sums = _sums(counts, values)
    if not sums.n:
        return Estimate(0, None, None, None, METHOD)
    if sums.variance is None or today.clusters < _TWO:
        return Estimate(sums.n, sums.mean, None, None, METHOD)
    half = t_quantile(today.clusters - 1) * math.sqrt(effect * sums.variance)
    return Estimate(sums.n, sums.mean, sums.mean - half, sums.mean + half, METHOD)


def sums_of_summary(data: RunData, lookup: Any) -> SummarySums:
    """The results of a summary, by their place in the table.

    Parameters
    ----------
    data : RunData
        A run with ``output: summary``.
    lookup : ContractLookup
        Of its variant.

    Returns
    -------
    SummarySums
        Of all deals.
    """
    cells = read_parts([data.out / name for name in data.manifest.files("cells")])
    strain = _codes(cells["strain"], STRAIN_NAMES)
    role = _codes(cells["declarer_role"], ROLE_NAMES)
    level, doubling, tricks = (cells[name].fill_null(1).to_numpy().astype(np.int64) for name in ("level", "doubling", "tricks"))
    dealer = cells["dealer"].to_numpy().astype(np.int64)
    place = ((level * N_STRAINS + strain) * N_DOUBLINGS + (doubling >> 1)) * (N_TRICKS + 1) + tricks
    place = (place * 2 + (dealer ^ role)) * 2 + dealer
    place[pc.is_null(cells["level"]).to_numpy()] = PASSED_OUT
    counts = np.zeros(PASSED_OUT + 1, np.int64)
    np.add.at(counts, place, cells["n"].to_numpy())
    return SummarySums(data, lookup, counts)


def _codes(column: pa.ChunkedArray, names: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """Names as numbers; 0 where there is none."""
    found = pc.index_in(column.cast(pa.string()), value_set=pa.array(names)).fill_null(0)
    codes: npt.NDArray[np.int64] = found.to_numpy().astype(np.int64)
    return codes
