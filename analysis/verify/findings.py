"""What a check of the verification finds, and how far a statistic may lie from what it should be.

Every statistical comparison becomes one number in standard errors: the normal deviate with the same tail probability. The
chance that a sound program fails anywhere is at most `FALSE_ALARM`: it is divided among the statistical checks, and within
a check among its comparisons, two-sided (Bonferroni). Exact comparisons have no tolerance and no false alarm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from analysis.report.parts import Figure

FALSE_ALARM = 0.001
"""Chance that a sound program fails any statistical check of a whole verification."""
STATISTICAL = ("hands", "positions", "pairs", "choices", "streams", "intervals")
"""Checks that compare statistics; the others compare exactly."""
_SMALLEST = 1e-280
_MANY = 50
"""Degrees of freedom from which on a chi-square is also tested for being too even."""
_EXPECTED = 10
"""Observations that a group of a chi-square holds at least; smaller groups are put together."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One comparison.

    Attributes
    ----------
    name : str
        What was compared.
    n : int
        Observations.
    z : float or None
        Deviation in standard errors; None for an exact comparison.
    faults : int
        Exact comparison: how many observations are wrong.
    note : str
        The first fault, or what else belongs to it.
    both : bool
        Whether a deviation below is a failure too. A chi-square of few groups is too even only where its approximation is
        poor, so it can fail above alone.
    """

    name: str
    n: int
    z: float | None = None
    faults: int = 0
    note: str = ""
    both: bool = True

    def beyond(self, allowed: float | None) -> bool:
        """Whether it is a failure, with this tolerance."""
        if self.faults or self.z is None or allowed is None:
            return self.faults > 0
        return self.z > allowed or (self.both and self.z < -allowed)

    def as_json(self) -> dict[str, Any]:
        """Form for ``--json``."""
        found: dict[str, Any] = {"name": self.name, "n": self.n}
        return found | ({"faults": self.faults} if self.z is None else {"deviation": self.z}) | {"note": self.note}


@dataclass(slots=True)
class Outcome:
    """What one check found.

    Attributes
    ----------
    name, title : str
    findings : list of Finding
    figures : list of Figure
    skipped : str
        Why it was not run; empty where it was.
    seconds : float
    """

    name: str
    title: str
    findings: list[Finding] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    skipped: str = ""
    seconds: float = 0.0

    @property
    def tolerance(self) -> float | None:
        """Standard errors that each comparison may be away; None where all are exact."""
        count = sum(finding.z is not None for finding in self.findings)
        return tolerance(count) if count else None

    @property
    def failed(self) -> list[Finding]:
        """Comparisons that are not as they should be."""
        allowed = self.tolerance
        return [finding for finding in self.findings if finding.beyond(allowed)]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; also where it was not run."""
        return not self.failed

    @property
    def worst(self) -> float | None:
        """The largest deviation that can fail, in standard errors."""
        return max((abs(f.z) if f.both else max(f.z, 0.0) for f in self.findings if f.z is not None), default=None)

    @property
    def n(self) -> int:
        """Observations of the comparison with most of them."""
        return max((finding.n for finding in self.findings), default=0)

    def as_json(self) -> dict[str, Any]:
        """Form for ``--json``."""
        return {
            "name": self.name,
            "title": self.title,
            "ok": self.ok,
            "skipped": self.skipped or None,
            "seconds": round(self.seconds, 2),
            "comparisons": len(self.findings),
            "tolerance": self.tolerance,
            "worst": self.worst,
            "failed": [finding.as_json() for finding in self.failed],
            "findings": [finding.as_json() for finding in self.findings],
        }


def tolerance(comparisons: int) -> float:
    """Standard errors that each of so many comparisons of a check may be away."""
    return deviate_of(FALSE_ALARM / len(STATISTICAL) / comparisons / 2, True)


def deviate_of(tail: float, above: bool) -> float:
    """The normal deviate with this probability beyond it, above or below the mean."""
    from scipy.special import ndtri

    found = float(ndtri(max(tail, _SMALLEST)))
    return -found if above else found


def chi_square(value: float, freedom: int) -> float:
    """A chi-square as a normal deviate."""
    from scipy.special import chdtr, chdtrc

    upper, lower = float(chdtrc(freedom, value)), float(chdtr(freedom, value))
    return deviate_of(upper, True) if upper <= lower else deviate_of(lower, False)


def of_chi_square(name: str, n: int, value: float, freedom: int) -> Finding:
    """A chi-square as a finding."""
    return Finding(name, n, chi_square(value, freedom), both=freedom >= _MANY) if freedom else Finding(name, n, 0.0)


def fit(name: str, counts: Sequence[float] | np.ndarray, shares: Sequence[float] | np.ndarray) -> Finding:
    """Counts of a sample against exact shares.

    Parameters
    ----------
    name : str
    counts, shares : sequence of float
        By group; the shares sum to 1. Groups that expect few are put together; a group of share 0 must be empty.

    Returns
    -------
    Finding
        Pearson's chi-square as a normal deviate.
    """
    observed, expected = np.asarray(counts, float), np.asarray(shares, float)
    n = int(observed.sum())
    impossible = int(observed[expected == 0].sum())
    if impossible:
        return Finding(name, n, None, impossible, "in groups that cannot occur")
    due = expected * n
    small = due < _EXPECTED
    if small.any():
        observed = np.append(observed[~small], observed[small].sum())
        due = np.append(due[~small], due[small].sum())
        if due[-1] < _EXPECTED and len(due) > 1:
            place = int(np.argmin(due[:-1]))
            observed[place], due[place] = observed[place] + observed[-1], due[place] + due[-1]
            observed, due = observed[:-1], due[:-1]
    if len(due) < 2:
        return Finding(name, n, 0.0, note="too few for groups")
    return of_chi_square(name, n, float(((observed - due) ** 2 / due).sum()), len(due) - 1)


def largest(name: str, n: int, deviates: np.ndarray) -> Finding:
    """The largest of many deviations, as the deviate of a single one that is as unlikely."""
    from scipy.special import ndtr

    flat = np.abs(np.asarray(deviates, float)).ravel()
    single = 2 * float(ndtr(-flat.max()))
    whole = -math.expm1(flat.size * math.log1p(-single)) if single < 1 else 1.0
    return Finding(name, n, deviate_of(whole / 2, True), note=f"largest of {flat.size}: {flat.max():.2f} standard errors")


def independence(name: str, one: np.ndarray, other: np.ndarray) -> Finding:
    """Whether two tables of indicators, a row an observation each, have nothing to do with one another.

    Parameters
    ----------
    name : str
    one, other : ndarray of shape (n, groups)
        For each observation which groups it is in; one group each makes it the chi-square of a contingency table.

    Returns
    -------
    Finding
        n times Pillai's trace, a chi-square with the product of the ranks as degrees of freedom.
    """
    both = np.hstack([one, other]).astype(np.float64)
    both -= both.mean(axis=0)
    return pillai(name, len(one), both.T @ both / len(one), one.shape[1])


def pillai(name: str, n: int, covariance: np.ndarray, left: int) -> Finding:
    """`independence`, from the covariance of both tables side by side; `left` columns are the first's."""
    inner_a, rank_a = _inverse(covariance[:left, :left])
    inner_b, rank_b = _inverse(covariance[left:, left:])
    cross = covariance[:left, left:]
    value = n * float(np.trace(inner_a @ cross @ inner_b @ cross.T))
    return of_chi_square(name, n, value, rank_a * rank_b)


def _inverse(matrix: np.ndarray) -> tuple[np.ndarray, int]:
    """Pseudo-inverse of a covariance and its rank."""
    values, vectors = np.linalg.eigh(np.asarray(matrix, float))
    kept = values > values.max() * 1e-6
    return (vectors[:, kept] / values[kept]) @ vectors[:, kept].T, int(kept.sum())


def one_hot(groups: np.ndarray) -> np.ndarray:
    """Indicators of the values that occur."""
    values = np.unique(groups)
    found: np.ndarray = (groups[:, None] == values[None, :]).astype(np.float64)
    return found


def exact(name: str, n: int, faults: Sequence[str]) -> Finding:
    """An exact comparison of n things, with its faults."""
    return Finding(name, n, None, len(faults), faults[0] if faults else "")
