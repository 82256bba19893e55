"""Estimates with 95 % intervals, as `simcore.estimates` makes them (a run that stops at a width uses the same)."""

from __future__ import annotations

from simcore.estimates import (
    CONFIDENCE,
    MEAN,
    MEAN_CLUSTERED,
    WILSON,
    WILSON_CLUSTERED,
    Z95,
    ClusterSums,
    Estimate,
    clustered_mean,
    clustered_rate,
    rate,
    t_quantile,
    wilson_interval,
)

__all__ = [
    "CONFIDENCE",
    "MEAN",
    "MEAN_CLUSTERED",
    "WILSON",
    "WILSON_CLUSTERED",
    "Z95",
    "ClusterSums",
    "Estimate",
    "clustered_mean",
    "clustered_rate",
    "rate",
    "t_quantile",
    "wilson_interval",
]
