"""Frames behind the pictures of the report."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.load import RunData
from analysis.rates import RatesReport, make_rates
from analysis.scores import Distribution, deal_distributions, match_distributions
from analysis.summary import deal_points

END = ("estimate", "low", "high", "n", "method")


def frame_of(report: RatesReport) -> pd.DataFrame:
    rows = [
        {
            **dict(zip(report.by, row.key, strict=True)),
            "made": row.made,
            "estimate": row.rate.estimate,
            "low": row.rate.low,
            "high": row.rate.high,
            "n": row.rate.n,
            "method": row.rate.method,
        }
        for row in report.rows
    ]
    return pd.DataFrame(rows, columns=[*report.by, "made", *END])


def rates(data: RunData, by: Sequence[str] | None = None) -> pd.DataFrame:
    return frame_of(make_rates(data.out, by))


def tricks(data: RunData, by: Sequence[str]) -> pd.DataFrame:
    frame = rates(data, [*by, "tricks"])
    frame["count"] = frame["n"]
    total = frame.groupby(list(by))["count"].transform("sum")
    frame["estimate"] = frame["count"] / total
    frame["n"] = total
    return frame[frame["count"] > 0]


def point_distribution(data: RunData) -> pd.DataFrame:
    if data.summed:
        found = {who: Distribution(sums, counts) for who, (sums, counts) in deal_points(data).items()}
    else:
        found = deal_distributions(data)[0][()]
    return _distribution(found, "who")


def total_distribution(data: RunData) -> pd.DataFrame:
    if not data.clustered:
        return _distribution({}, "what")
    return _distribution(match_distributions(data)[0], "what")


def _distribution(found: dict[str, Distribution], name: str) -> pd.DataFrame:
    rows = [
        {name: who, "points": points, "count": count, "estimate": count / found_.sums.n, "n": found_.sums.n}
        for who, found_ in found.items()
        for points, count in sorted(found_.counts.items())
    ]
    return pd.DataFrame(rows, columns=[name, "points", "count", "estimate", "n"])
