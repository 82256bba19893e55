"""Gauss-Newton on residuals over paired common deals: central differences, damped steps within bounds, the best is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.tuning.cells import Group, table_of
from analysis.tuning.evaluator import Evaluator
from analysis.tuning.measures import Floats
from analysis.tuning.objective import Objective
from simcore.config import Tuning

DIGITS = 6
"""Of the logarithms of factors: what is evaluated is what is stored."""


@dataclass
class Trace:
    """How a search went.

    Attributes
    ----------
    part : str
        Its deals.
    start, best : float
        Objective of today's table, and of the best table.
    steps : list of dict
        Objective and factors after each step.
    residuals : list of float
        Of the best table, on the deals of the search.
    """

    part: str
    start: float
    best: float
    factors: list[float]
    steps: list[dict[str, Any]] = field(default_factory=list)
    residuals: list[float] = field(default_factory=list)


def solve_step(jacobian: Floats, residual: Floats, damping: float, low: Floats, high: Floats) -> Floats:
    """The step with the least predicted sum of squares, damped, within bounds.

    Parameters
    ----------
    jacobian : ndarray, shape (residuals, groups)
    residual : ndarray
    damping : float
    low, high : ndarray
        Bounds of the step.

    Returns
    -------
    ndarray
    """
    from scipy.optimize import lsq_linear

    n = jacobian.shape[1]
    matrix = np.concatenate([jacobian, np.sqrt(damping) * np.eye(n)])
    wanted = np.concatenate([-residual, np.zeros(n)])
    free = high - low > 1e-9
    step = np.zeros(n)
    if free.any():
        step[free] = lsq_linear(matrix[:, free], wanted, (low[free], high[free]), method="bvls").x
    return step


@dataclass
class Searcher:
    """A search on the deals of one part.

    Attributes
    ----------
    evaluator : Evaluator
    objective : Objective
    part : str
    tell : callable
        Is told the best so far.
    """

    evaluator: Evaluator
    objective: Objective
    part: str
    tell: Callable[[str], None] = lambda text: None

    @property
    def groups(self) -> list[Group]:
        """The free groups of cells."""
        return self.objective.groups

    @property
    def tuning(self) -> Tuning:
        """What is asked for."""
        return self.objective.tuning

    def residuals(self, logs: Floats) -> Floats:
        """Residuals at logarithms of factors."""
        factors = [float(factor) for factor in np.exp(logs)]
        sums = self.evaluator.evaluate(table_of(self.groups, factors), self.part)
        found: Floats = self.objective.residuals(sums, factors)[0]
        return found

    def run(self) -> Trace:
        """Search from today's table.

        Returns
        -------
        Trace
        """
        settings = self.tuning.search
        low, high = (np.log([getattr(group, name) for group in self.groups]) for name in ("low", "high"))
        at = np.zeros(len(self.groups))
        residual = self.residuals(at)
        value = float(residual @ residual)
        trace = Trace(self.part, value, value, np.exp(at).tolist())
        for number in range(settings.steps):
            self.tell(f"{self.part}, step {number + 1} of at most {settings.steps}: objective {value:.3f}")
            if value == 0.0:
                break
            jacobian = self._jacobian(at, low, high)
            cap = float(settings.cap)
            found = self._best_step(at, residual, jacobian, np.maximum(low - at, -cap), np.minimum(high - at, cap))
            gain = value - found[0]
            if gain > 0:
                value, at, residual = found
                trace.steps.append({"objective": value, "factors": np.exp(at).tolist()})
            if gain <= settings.least_gain * value:
                break
        trace.best, trace.factors, trace.residuals = value, np.exp(at).tolist(), residual.tolist()
        return trace

    def _jacobian(self, at: Floats, low: Floats, high: Floats) -> Floats:
        """Differences of all residuals, to both sides as far as the bounds let."""
        columns = []
        for place in range(len(at)):
            ends = []
            for sign in (1, -1):
                other = at.copy()
                moved = at[place] + sign * self.tuning.search.difference
                other[place] = round(float(np.clip(moved, low[place], high[place])), DIGITS)
                ends.append(other)
            width = ends[0][place] - ends[1][place]
            columns.append((self.residuals(ends[0]) - self.residuals(ends[1])) / width)
        return np.stack(columns, axis=1)

    def _best_step(
        self, at: Floats, residual: Floats, jacobian: Floats, low: Floats, high: Floats
    ) -> tuple[float, Floats, Floats]:
        """Objective, place and residuals of the best of the damped steps."""
        best: tuple[float, Floats, Floats] | None = None
        for damping in self.tuning.search.damping:
            other = np.round(at + solve_step(jacobian, residual, float(damping), low, high), DIGITS)
            there = self.residuals(other)
            value = float(there @ there)
            if best is None or value < best[0]:
                best = value, other, there
        assert best is not None
        return best


def mean_factors(traces: Sequence[Trace]) -> tuple[Floats, Floats]:
    """Mean of several searches, and the standard deviation of the logarithms of their factors.

    Parameters
    ----------
    traces : sequence of Trace

    Returns
    -------
    tuple of ndarray
        Factors; standard deviations, NaN for a single search.
    """
    logs = np.log([trace.factors for trace in traces])
    spread = logs.std(axis=0, ddof=1) if len(traces) > 1 else np.full(logs.shape[1], np.nan)
    return np.exp(logs.mean(axis=0)), spread
