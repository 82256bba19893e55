"""Frames behind the pictures of the report: those of `analysis.frames`, each made once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis import frames
from analysis.estimates import ClusterSums, clustered_rate
from analysis.frames.basics import estimate_frame
from analysis.imposed import joint_tricks
from analysis.load import RunData
from analysis.rates import RatesReport, make_rates
from analysis.scores import deal_distributions, match_distributions
from analysis.summary import UNKNOWN_CLUSTERS, deal_points
from simcore.codes import BOOK

if TYPE_CHECKING:
    import pandas as pd

Counts = dict[str, Counter[float]]
"""By whose points or what totals: how often each value came."""


def frame_of(report: RatesReport) -> pd.DataFrame:
    """Make rates of a report as a frame: its groups, made, estimate .. method."""
    return estimate_frame([*report.by, "made"], [((*row.key, row.made), row.rate) for row in report.rows])


def rates(data: RunData, by: Sequence[str]) -> pd.DataFrame:
    """Make rates by columns."""
    return frame_of(make_rates(data.out, by))


def results(data: RunData) -> pd.DataFrame:
    """How far declarer's tricks lie from the contract.

    Parameters
    ----------
    data : RunData
        Of a game of contracts.

    Returns
    -------
    pandas.DataFrame
        beyond (tricks more than the contract asks for), count, and estimate .. method as a share of all deals; of a summary
        without intervals.
    """
    if not data.summed:
        found = frames.contracts(data.out, ["overtricks", "undertricks"])
        found = found[found["overtricks"].notna()]
        return found.assign(beyond=(found["overtricks"] - found["undertricks"]).astype(int))
    found = frames.tricks(data.out, ["level"])
    found = found.assign(beyond=(found["tricks"] - found["level"] - BOOK).astype(int))
    counts = found.groupby("beyond")["count"].sum().reset_index()
    n = data.manifest.deals
    return counts.assign(estimate=counts["count"] / n, low=math.nan, high=math.nan, n=n, method=UNKNOWN_CLUSTERS)


def imposed_tricks(data: RunData) -> pd.DataFrame:
    """Tricks of declarer in each strain when all are played: group, tricks, count, estimate .. method (clustered by deal)."""
    listed = []
    for strain, joint in joint_tricks(data).items():
        deals = int(joint.sum())
        for tricks in range(len(joint)):
            both = int(joint[tricks, tricks])
            one = int(joint[tricks, :].sum()) + int(joint[:, tricks].sum()) - 2 * both
            count = one + 2 * both
            sums = ClusterSums(n=2 * deals, y=count, nn=4 * deals, ny=2 * count, yy=one + 4 * both, squares=count)
            if count:
                listed.append(((strain, tricks, count), clustered_rate(sums)))
    return estimate_frame(["group", "tricks", "count"], listed)


def points_of_deals(data: RunData) -> Counts:
    """Points per deal by seat and role."""
    if data.summed:
        return {who: counts for who, (_, counts) in deal_points(data).items()}
    return {who: found.counts for who, found in deal_distributions(data)[0][()].items()}


def points_of_matches(data: RunData) -> Counts:
    """Totals by seat, and the margin."""
    return {what: found.counts for what, found in match_distributions(data)[0].items()}
