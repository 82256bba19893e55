"""Frames behind the pictures of the report: those of `analysis.frames`, each made once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis import frames
from analysis.frames.basics import estimate_frame
from analysis.load import RunData
from analysis.rates import RatesReport, make_rates
from analysis.scores import deal_distributions, match_distributions
from analysis.summary import deal_points

if TYPE_CHECKING:
    import pandas as pd

Counts = dict[str, Counter[float]]
"""By whose points or what totals: how often each value came."""
TRICKS_BY = {"bridge": ("level", "strain"), "calls": ("call",), "steps": ("bid",)}
"""By kind of the auction: the groups whose tricks are counted."""


def frame_of(report: RatesReport) -> pd.DataFrame:
    """Make rates of a report as a frame: its groups, made, estimate .. method."""
    return estimate_frame([*report.by, "made"], [((*row.key, row.made), row.rate) for row in report.rows])


def rates(data: RunData, by: Sequence[str]) -> pd.DataFrame:
    """Make rates by columns."""
    return frame_of(make_rates(data.out, by))


def tricks(data: RunData, kind: str) -> pd.DataFrame:
    """How many tricks are taken, by `TRICKS_BY`."""
    return frames.tricks(data.out, TRICKS_BY[kind])


def together(frame: pd.DataFrame, by: str) -> pd.DataFrame:
    """Tricks by one column: counts of its groups added up; shares without intervals."""
    found = frame.groupby([by, "tricks"], sort=False, observed=True)["count"].sum().reset_index()
    total = found.groupby(by, observed=True)["count"].transform("sum")
    return found.assign(estimate=found["count"] / total, n=total)


def points_of_deals(data: RunData) -> Counts:
    """Points per deal by seat and role."""
    if data.summed:
        return {who: counts for who, (_, counts) in deal_points(data).items()}
    return {who: found.counts for who, found in deal_distributions(data)[0][()].items()}


def points_of_matches(data: RunData) -> Counts:
    """Totals by seat, and the margin."""
    return {what: found.counts for what, found in match_distributions(data)[0].items()}
