"""Searches over paired common deals: Gauss-Newton on residuals (central differences, damped steps within bounds, the best is
taken), CMA-ES for objectives that are not smooth, and random tables as a baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.tuning.bidders import EQUILIBRATED, NO_MARGINS, Margins
from analysis.tuning.cells import Group, table_of
from analysis.tuning.evaluator import Evaluator
from analysis.tuning.measures import Floats
from analysis.tuning.objective import Objective
from simcore.config import Tuning
from simcore.errors import InputError

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
    residuals : list of list of float
        Of the best table by bidder of the panel, on the deals of the search.
    """

    part: str
    start: float
    best: float
    factors: list[float]
    steps: list[dict[str, Any]] = field(default_factory=list)
    residuals: list[list[float]] = field(default_factory=list)
    jacobian: Floats | None = None
    """Slopes of the residuals by group where the last step began, bidder after bidder; None for other methods."""


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
    margins : Margins
        Of the equilibrated bidder.
    tell : callable
        Is told the best so far.
    """

    evaluator: Evaluator
    objective: Objective
    part: str
    margins: Margins = NO_MARGINS
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
        """Residuals at logarithms of factors, of all bidders of the panel one behind the other; they weigh the same."""
        each = self._by_bidder(logs)
        found: Floats = np.concatenate(each) / np.sqrt(len(each))
        return found

    def _by_bidder(self, logs: Floats) -> list[Floats]:
        factors = [float(factor) for factor in np.exp(logs)]
        table = table_of(self.groups, factors)
        return [
            self.objective.residuals(self.evaluator.evaluate(table, self.part, *who), factors)[0]
            for who in panel_of(self.tuning, self.margins)
        ]

    def run(self, begin: Floats | None = None) -> Trace:
        """Search from today's table, or from logarithms of factors.

        Parameters
        ----------
        begin : ndarray or None

        Returns
        -------
        Trace
        """
        low, high = (np.log([getattr(group, name) for group in self.groups]) for name in ("low", "high"))
        at = np.zeros(len(self.groups)) if begin is None else np.round(begin, DIGITS)
        residual = self.residuals(at)
        value = float(residual @ residual)
        trace = Trace(self.part, value, value, np.exp(at).tolist())
        search = {"gauss_newton": self._gauss_newton, "cma": self._cma, "random": self._random}[self.tuning.search.method]
        value, at = search(trace, value, at, residual, low, high)
        trace.best, trace.factors = value, np.exp(at).tolist()
        trace.residuals = [found.tolist() for found in self._by_bidder(at)]
        return trace

    def _gauss_newton(
        self, trace: Trace, value: float, at: Floats, residual: Floats, low: Floats, high: Floats
    ) -> tuple[float, Floats]:
        settings = self.tuning.search
        for number in range(settings.steps):
            self.tell(f"{self.part}, step {number + 1} of at most {settings.steps}: objective {value:.3f}")
            if value == 0.0:
                break
            jacobian = trace.jacobian = self._jacobian(at, low, high)
            cap = float(settings.cap)
            found = self._best_step(at, residual, jacobian, np.maximum(low - at, -cap), np.minimum(high - at, cap))
            gain = value - found[0]
            if gain > 0:
                value, at, residual = found
                trace.steps.append({"objective": value, "factors": np.exp(at).tolist()})
            if gain <= settings.least_gain * value:
                break
        return value, at

    def _value(self, at: Floats) -> float:
        found = self.residuals(np.round(at, DIGITS))
        return float(found @ found)

    def _seed(self) -> int:
        """Of a search that draws: another one for each part."""
        return (self.tuning.seed + 7919 * int(self.part.split()[1])) % 2**31

    def _cma(
        self, trace: Trace, value: float, at: Floats, residual: Floats, low: Floats, high: Floats
    ) -> tuple[float, Floats]:
        """CMA-ES; the mean of the distribution is reported, not the best table seen, which flatters."""
        from importlib.util import find_spec

        if find_spec("cmaes") is None:
            raise InputError("search.method cma needs the library cmaes; install it with: pip install 'bridgette-lab[tune]'")
        from cmaes import CMA

        settings = self.tuning.search
        bounds = np.stack([low, high], axis=1)
        size = settings.population
        optimizer = CMA(at.copy(), float(settings.sigma), bounds=bounds, seed=self._seed(), population_size=size)
        for number in range(settings.generations):
            tried = [optimizer.ask() for _ in range(size)]
            optimizer.tell([(table, self._value(table)) for table in tried])
            at = np.round(optimizer.mean, DIGITS)
            value = self._value(at)
            trace.steps.append({"objective": value, "factors": np.exp(at).tolist()})
            self.tell(f"{self.part}, generation {number + 1} of {settings.generations}: objective {value:.3f} at the mean")
            if optimizer.should_stop():
                break
        return (value, at) if value < trace.start else (trace.start, np.log(trace.factors))

    def _random(
        self, trace: Trace, value: float, at: Floats, residual: Floats, low: Floats, high: Floats
    ) -> tuple[float, Floats]:
        settings = self.tuning.search
        random, begin = np.random.default_rng(self._seed()), at
        for _ in range(settings.generations * settings.population):
            moved = begin + float(settings.sigma) * random.standard_normal(len(at))
            table: Floats = np.round(np.clip(moved, low, high), DIGITS).astype(np.float64)
            tried = self._value(table)
            if tried < value:
                value, at = tried, table
                trace.steps.append({"objective": value, "factors": np.exp(at).tolist()})
        self.tell(f"{self.part}: objective {value:.3f}, the best of random tables")
        return value, at

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


def panel_of(tuning: Tuning, margins: Margins) -> list[tuple[str, Margins]]:
    """The bidders of a panel with their margins.

    Parameters
    ----------
    tuning : Tuning
    margins : Margins
        Of the equilibrated bidder.

    Returns
    -------
    list of tuple
    """
    return [(name, margins if name == EQUILIBRATED else NO_MARGINS) for name in tuning.panel.bidders]


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


def interval_of_factors(factors: Floats, spread: Floats, searches: int) -> tuple[Floats, Floats]:
    """95 % interval of the mean of several searches, from their spread.

    Parameters
    ----------
    factors, spread : ndarray
        As `mean_factors` gives them.
    searches : int

    Returns
    -------
    tuple of ndarray
        Least and largest factors; NaN for a single search.
    """
    from analysis.estimates import t_quantile

    half = (t_quantile(searches - 1) if searches > 1 else np.nan) * spread / np.sqrt(searches)
    return factors * np.exp(-half), factors * np.exp(half)
