"""Distributions of tricks at each predicted mean: counted, smoothed by a kernel over the means, never taken for normal."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from simcore.codes import GRID_STEP, HUNDREDTHS, PROB_UNIT
from simcore.trick_model import N_RESULTS, ROLES, SETS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
N_MEANS = HUNDREDTHS * (N_RESULTS - 1) + 1
"""Means in hundredths of a trick."""
_WIDTH = 0.12
"""Standard deviation of the kernel, in tricks; doubled where cases are too few."""
_ENOUGH = 400.0
"""Cases, weighted by the kernel, that are enough for a row."""


class Counts:
    """Cases by role, `TrickSet`, predicted mean in hundredths, and tricks."""

    def __init__(self) -> None:
        self.cases = np.zeros((len(ROLES), len(SETS), N_MEANS, N_RESULTS), np.int64)

    def add(self, role: int, kind: int, means: Ints, tricks: Ints) -> None:
        """Add cases of a role and a `TrickSet`.

        Parameters
        ----------
        role, kind : int
        means : ndarray
            Predicted, in hundredths.
        tricks : ndarray
            Taken.
        """
        found = np.bincount(means * N_RESULTS + tricks, minlength=N_MEANS * N_RESULTS)
        self.cases[role, kind] += found.reshape(N_MEANS, N_RESULTS)

    def distributions(self, otherwise: Ints | None = None, enough: float = _ENOUGH) -> Ints:
        """Rows of the grid of means.

        Parameters
        ----------
        otherwise : ndarray or None
            What stands in where a role and set has too few cases at all.
        enough : float
            Cases, weighted by the kernel, that are enough for a row.

        Returns
        -------
        ndarray of int64, shape (role, set, mean on the grid, tricks)
            In `PROB_UNIT`s; each row adds up to one.
        """
        found = np.zeros((len(ROLES), len(SETS), (N_MEANS - 1) // GRID_STEP + 1, N_RESULTS), np.int64)
        for role in range(len(ROLES)):
            for kind in range(len(SETS)):
                counts = self.cases[role, kind].astype(np.float64)
                if counts.sum() >= enough or otherwise is None:
                    found[role, kind] = smoothed(counts, enough=enough)
                else:
                    found[role, kind] = otherwise[role, kind]
        return found


def smoothed(counts: Floats, narrowest: float = _WIDTH, enough: float = _ENOUGH) -> Ints:
    """Rows of the grid: counts under a kernel as wide as it must be for enough cases.

    Parameters
    ----------
    counts : ndarray
        Cases (mean in hundredths, tricks), some at least.
    narrowest : float
        Standard deviation of the kernel where there are enough cases, in tricks.
    enough : float
        Cases, weighted by the kernel, that are enough for a row.

    Returns
    -------
    ndarray of int64, shape (mean on the grid, tricks)
        In `PROB_UNIT`s; each row adds up to one.
    """
    enough, centres = min(enough, counts.sum()), np.arange(0, len(counts), GRID_STEP)
    cases = np.flatnonzero(counts.any(axis=1))
    seen, left, width = np.zeros((len(centres), counts.shape[1])), np.arange(len(centres)), narrowest
    while len(left):
        seen[left] = _kernels(width, len(counts))[np.ix_(left, cases)] @ counts[cases]
        left = left[seen[left].sum(axis=1) < enough] if width <= N_RESULTS else left[:0]
        width *= 2
    return whole_parts(seen / seen.sum(axis=1, keepdims=True))


@lru_cache
def _kernels(width: float, n_means: int) -> Floats:
    """Weights of the means for every row of the grid."""
    at, centres = np.arange(n_means) / HUNDREDTHS, np.arange(0, n_means, GRID_STEP) / HUNDREDTHS
    return np.exp(-0.5 * ((at - centres[:, None]) / width) ** 2)


def whole_parts(shares: Floats) -> Ints:
    """Rows of shares as whole `PROB_UNIT`s that add up to one; what is left of a row goes to its largest rests.

    Parameters
    ----------
    shares : ndarray of float, shape (rows, parts)
        Each row adds up to one.

    Returns
    -------
    ndarray of int64, shape (rows, parts)
    """
    exact = shares * PROB_UNIT
    parts = np.floor(exact).astype(np.int64)
    left = PROB_UNIT - parts.sum(axis=1, keepdims=True)
    by_rest = np.argsort(np.argsort(parts - exact, axis=1, kind="stable"), axis=1)
    found: Ints = parts + (by_rest < left)
    return found
