"""Estimates with 95 % intervals: rates and means, of independent rows or of rows that come in clusters (matches).

Where each row is an observation of its own, a rate has a Wilson interval. Deals of one match are not independent (the
same seat deals first, bots may read the score), so there the variance is taken over matches: a rate or a mean is the
ratio of two sums over matches, and its variance is that of the linearised ratio

    p = sum(y_m) / sum(n_m),   var(p) = G / (G - 1) * sum((y_m - p n_m)^2) / sum(n_m)^2

(W. G. Cochran, Sampling Techniques, 3rd ed. 1977, chapter 6). G = sum(n_m)^2 / sum(n_m^2), rounded down, is the number of
matches of equal size that would say as much (L. Kish, Survey Sampling, 1965): no more than the matches that have such
rows, and known from the same sums. A rate keeps Wilson's form, which never leaves 0 .. 1, with n divided by the design
effect (var(p) over the variance of independent rows, at least 1) and Student's t with G - 1 degrees of freedom instead
of the normal quantile.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

CONFIDENCE = 0.95
"""Share of intervals that contain the true value."""
Z95 = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""Two-sided normal quantile, 1.96."""
_ROUNDING = 1e-9
_TWO = 2
"""Observations that a variance needs at least."""
WILSON = "Wilson"
WILSON_CLUSTERED = "Wilson, n divided by the design effect of matches"
MEAN = "mean, Student's t"
MEAN_CLUSTERED = "ratio of sums over matches, Student's t"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its uncertainty.

    Attributes
    ----------
    n : int
        Rows it comes from.
    estimate : float or None
        None where there is no row.
    low, high : float or None
        The 95 % interval; None where it cannot be had.
    method : str
        How the interval was made.
    """

    n: int
    estimate: float | None
    low: float | None
    high: float | None
    method: str

    def as_json(self, name: str = "estimate") -> dict[str, Any]:
        """Form for ``--json``, with the estimate under `name`."""
        return {"n": self.n, name: self.estimate, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """Sums over clusters, each with n rows whose values sum to y; add two of them for the union of disjoint clusters.

    Attributes
    ----------
    n, y : float
        Sums of n and of y.
    nn, ny, yy : float
        Sums of n^2, n y and y^2 over clusters.
    squares : float
        Sum of the squares of the single values.
    """

    n: int = 0
    y: float = 0.0
    nn: float = 0.0
    ny: float = 0.0
    yy: float = 0.0
    squares: float = 0.0

    def __add__(self, other: ClusterSums) -> ClusterSums:
        return ClusterSums(
            self.n + other.n,
            self.y + other.y,
            self.nn + other.nn,
            self.ny + other.ny,
            self.yy + other.yy,
            self.squares + other.squares,
        )

    @property
    def clusters(self) -> int:
        """Clusters of equal size that would say as much."""
        return int(self.n**2 / self.nn + _ROUNDING) if self.n else 0

    @property
    def mean(self) -> float:
        """Mean of all rows."""
        return self.y / self.n

    @property
    def sd(self) -> float | None:
        """Standard deviation of single rows."""
        if self.n < _TWO:
            return None
        return math.sqrt(max(0.0, (self.squares - self.n * self.mean**2) / (self.n - 1)))

    @property
    def variance(self) -> float | None:
        """Variance of the mean, over clusters; None with fewer than two."""
        if self.clusters < _TWO:
            return None
        mean = self.mean
        residuals = max(0.0, self.yy - 2 * mean * self.ny + mean**2 * self.nn)
        return self.clusters / (self.clusters - 1) * residuals / self.n**2


def t_quantile(freedom: int) -> float:
    """Two-sided 95 % quantile of Student's t.

    Parameters
    ----------
    freedom : int
        Degrees of freedom, at least 1.

    Returns
    -------
    float
        Exact for 1 and 2, else the expansion of Abramowitz and Stegun 26.7.5, within 0.2 % of the truth.
    """
    if freedom == 1:
        return math.tan(math.pi * CONFIDENCE / 2)
    if freedom == _TWO:
        return CONFIDENCE * math.sqrt(2 / (1 - CONFIDENCE**2))
    z = Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms)))


def wilson_interval(rate: float, n: float, quantile: float = Z95) -> tuple[float, float]:
    """Wilson's score interval (E. B. Wilson, JASA 22, 1927).

    Parameters
    ----------
    rate : float
        Share of successes.
    n : float
        Number of independent rows, or its equivalent.
    quantile : float
        Of the normal distribution, or of Student's t.

    Returns
    -------
    tuple of float
        Within 0 .. 1.
    """
    square = quantile**2 / n
    middle = (rate + square / 2) / (1 + square)
    half = math.sqrt(rate * (1 - rate) * square + square**2 / 4) / (1 + square)
    low = 0.0 if rate == 0 else max(0.0, middle - half)
    high = 1.0 if rate == 1 else min(1.0, middle + half)
    return low, high


def rate(successes: int, n: int) -> Estimate:
    """A rate of independent rows.

    Parameters
    ----------
    successes : int
        Rows that count.
    n : int
        All rows.

    Returns
    -------
    Estimate
        With Wilson's interval.
    """
    if n == 0:
        return Estimate(0, None, None, None, WILSON)
    return Estimate(n, successes / n, *wilson_interval(successes / n, n), WILSON)


def clustered_rate(sums: ClusterSums) -> Estimate:
    """A rate of rows that come in clusters; `sums.y` counts successes.

    Parameters
    ----------
    sums : ClusterSums
        Over all clusters.

    Returns
    -------
    Estimate
        With Wilson's interval for the equivalent number of independent rows. One cluster counts as one row; where all
        rows agree, clusters count as rows, since then nothing is known about how alike the rows of a cluster are.
    """
    if sums.n == 0:
        return Estimate(0, None, None, None, WILSON_CLUSTERED)
    share = sums.mean
    variance = sums.variance
    independent = share * (1 - share) / sums.n
    if variance is None or independent <= 0:
        equivalent = float(sums.clusters)
    else:
        equivalent = sums.n / max(1.0, variance / independent)
    quantile = t_quantile(max(1, sums.clusters - 1))
    return Estimate(sums.n, share, *wilson_interval(share, equivalent, quantile), WILSON_CLUSTERED)


def clustered_mean(sums: ClusterSums, method: str = MEAN_CLUSTERED) -> Estimate:
    """A mean of rows that come in clusters (rows that are their own clusters included).

    Parameters
    ----------
    sums : ClusterSums
        Over all clusters.
    method : str
        Name of the method in the result.

    Returns
    -------
    Estimate
        Without an interval where there are fewer than two clusters.
    """
    if sums.n == 0:
        return Estimate(0, None, None, None, method)
    variance = sums.variance
    if variance is None:
        return Estimate(sums.n, sums.mean, None, None, method)
    half = t_quantile(sums.clusters - 1) * math.sqrt(variance)
    return Estimate(sums.n, sums.mean, sums.mean - half, sums.mean + half, method)
