"""A tuning from beginning to end: several searches on different deals, their mean, and its judgement on fresh deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis.thresholds import alarms as threshold_alarms
from analysis.thresholds import thresholds
from analysis.tuning.cells import Group, Values, cells, path_text, scoring_of, table_of, with_cells
from analysis.tuning.evaluator import FINAL, Evaluator, World, check_world
from analysis.tuning.measures import METHOD, Floats, Sums, interval, measures
from analysis.tuning.objective import Objective, check_targets
from analysis.tuning.search import Searcher, Trace, mean_factors
from analysis.tuning.sensitivity import found_alarms
from simcore.codes import N_STRAINS
from simcore.config import Tuning, Variant
from simcore.errors import InputError
from simcore.notation import Contract, contract_text

FORMAT = "simcore-tuning/1"
BETTER, SAME, WORSE, UNCHANGED = "better", "not_distinguishable", "worse", "unchanged"
_SENTENCES = {
    BETTER: "better than today's table for this objective and this bidder",
    SAME: "not distinguishable from today's table",
    WORSE: "worse than today's table on fresh deals",
    UNCHANGED: "no change: today's table is the best that was found",
}
_OVERFIT = 1.25
"""An objective on fresh deals that is so many times that of the searches, and a unit more, was fitted to their deals."""
_AT_BOUND = 0.005


def groups_of(tuning: Tuning) -> list[Group]:
    """The free groups of cells, checked.

    Parameters
    ----------
    tuning : Tuning

    Returns
    -------
    list of Group
    """
    found: list[Group] = []
    owner: dict[Any, str] = {}
    for free in tuning.free:
        today: Values = {}
        for selector in free.cells:
            today |= cells(tuning.variant, selector)
        for path in today:
            if path in owner:
                both = f"{owner[path]} and in {free.name}"
                raise InputError(f"free: scoring.{path_text(path)} is in {both}; a cell moves with one group")
            owner[path] = free.name
        if not any(today.values()):
            raise InputError(f"free: all cells of {free.name} are 0 today, and a factor leaves them 0")
        found.append(Group(free.name, today, float(free.low), float(free.high), float(free.step)))
    numbers = set(cells(tuning.variant, "award")) if "award" in scoring_of(tuning.variant) else set()
    if numbers and numbers <= set(owner):
        raise InputError("free: every award may move, but auctions see ratios only; leave one award out as the anchor")
    return found


def world_of(tuning: Tuning, workers: int | None = None) -> World:
    """What the evaluations of a tuning depend on.

    Parameters
    ----------
    tuning : Tuning
    workers : int or None

    Returns
    -------
    World
    """
    deals = tuning.deals
    counts = (deals.model, deals.beliefs, deals.search, deals.final, tuning.search.belief_rounds)
    return World(tuning.variant, tuning.play, tuning.bot, tuning.seed, *counts, workers)


def most_evaluations(tuning: Tuning) -> int:
    """Evaluations that the searches and the final judgement need at most."""
    settings = tuning.search
    step = 2 * len(tuning.free) + len(settings.damping)
    return settings.searches * (1 + settings.steps * step) + 2


@dataclass(frozen=True)
class Result:
    """What a tuning found.

    Attributes
    ----------
    tuning : Tuning
    objective : Objective
    traces : list of Trace
    factors, spread : ndarray
        Mean of the searches by group; standard deviation of the logarithms.
    values : dict
        The table that was found, on the grid of the steps: cells that differ from today's.
    before, after : Sums
        On the fresh deals.
    evaluations : int
        How many there were, those of an interrupted search included.
    """

    tuning: Tuning
    objective: Objective
    traces: list[Trace]
    factors: Floats
    spread: Floats
    values: Values
    before: Sums
    after: Sums
    evaluations: int

    @property
    def variant(self) -> Variant:
        """The variant with the table that was found."""
        return with_cells(self.tuning.variant, self.values)

    def objectives(self, with_distance: bool = False) -> tuple[Floats, Floats]:
        """The objective of today's table and of the one that was found, on fresh deals."""
        ones = [1.0] * len(self.factors)
        before = self.objective.value(self.before, ones, with_distance=with_distance)
        after = self.objective.value(self.after, self.factors.tolist(), True, with_distance)
        return before, after

    def gain(self) -> dict[str, float | None]:
        """By how much the objective fell on fresh deals, paired."""
        before, after = self.objectives()
        return interval(before - after)

    def verdict(self) -> str:
        """Whether the table is better than today's: `BETTER`, `SAME`, `WORSE` or `UNCHANGED`."""
        gain = self.gain()
        if not self.values:
            return UNCHANGED
        if gain["low"] is not None and gain["low"] > 0:
            return BETTER
        return WORSE if gain["high"] is not None and gain["high"] < 0 else SAME

    def words(self) -> list[str]:
        """What must be said of the result."""
        gain = self.gain()
        found = [f"{_SENTENCES[self.verdict()]} (objective falls by {_three(gain)})"]
        training = float(np.mean([trace.best for trace in self.traces]))
        fresh = float(self.objectives(True)[1][0])
        if fresh > _OVERFIT * training + 1:
            found.append(f"over-fitted: the objective is {fresh:.2f} on fresh deals, {training:.2f} where it was searched")
        found += self._infeasible()
        for group, factor in zip(self.objective.groups, self.factors, strict=True):
            for name in ("low", "high"):
                bound = getattr(group, name)
                if abs(np.log(factor / bound)) < _AT_BOUND:
                    found.append(f"{group.name} ends at its bound {name}: {bound:g} times today's values")
        return found

    def _infeasible(self) -> Iterator[str]:
        """Targets that stay outside of their bands, beyond the interval and by more than a unit."""
        rows = self.objective.residuals(self.after, self.factors.tolist(), True)
        for place, target in enumerate(self.tuning.targets):
            value = interval(self.objective.measured(place, self.after), target.measure)
            low, high = target.band
            inside = value["low"] is None or value["high"] is None or (value["high"] >= low and value["low"] <= high)
            if not inside and abs(rows[0, place]) > target.weight:
                everywhere = all(abs(trace.residuals[place]) > target.weight for trace in self.traces)
                word = "infeasible with the others" if everywhere else "missed on fresh deals"
                yield f"{word}: {target.measure} is {_three(value)}, its band {low:g} .. {high:g}"

    def alarms(self) -> dict[str, list[str]]:
        """Alarms of auctions and thresholds, before and after."""
        return {
            "before": [*found_alarms(self.before), *threshold_alarms(self.tuning.variant, thresholds(self.tuning.variant))],
            "after": [*found_alarms(self.after), *threshold_alarms(self.variant, thresholds(self.variant))],
        }

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore tune --json``, and what is in tuning.json."""
        before, after = self.objectives()
        found = (measures(self.before), measures(self.after))
        training = [{"part": trace.part, "start": trace.start, "best": trace.best, "factors": trace.factors,
                     "steps": trace.steps} for trace in self.traces]  # fmt: skip
        return {
            "format": FORMAT,
            "variant": self.tuning.variant.name,
            "bots": [self.tuning.bot] * 2,
            "play": self.tuning.play,
            "aim": "tricks",
            "seed": self.tuning.seed,
            "deals": self.tuning.deals.model_dump(),
            "evaluations": self.evaluations,
            "verdict": self.verdict(),
            "words": self.words(),
            "method": f"{METHOD}; differences paired; the fit of the beliefs is not in the intervals",
            "objective": {"before": interval(before), "after": interval(after), "gain": self.gain()},
            "groups": [self._group(place) for place in range(len(self.factors))],
            "cells": {path_text(path): {"before": _today(self.objective.groups, path), "after": value}
                      for path, value in self.values.items()},
            "targets": [self._target(place) for place in range(len(self.tuning.targets))],
            "measures": {name: {"before": interval(found[0][name], name), "after": interval(found[1][name], name),
                                "difference": interval(found[1][name] - found[0][name])} for name in found[0]},
            "never_bid": {"before": _never(self.before), "after": _never(self.after)},
            "alarms": self.alarms(),
            "searches": training,
        }  # fmt: skip

    def _group(self, place: int) -> dict[str, Any]:
        group, spread = self.objective.groups[place], self.spread[place]
        found = group.values(float(self.factors[place]), group.step)
        return {
            "name": group.name,
            "factor": float(self.factors[place]),
            "spread": float(spread) if np.isfinite(spread) else None,
            "shown": group.shown,
            "found": next(found[path] for path, value in group.today.items() if value),
        }

    def _target(self, place: int) -> dict[str, Any]:
        target = self.tuning.targets[place]
        before, after = (self.objective.measured(place, sums) for sums in (self.before, self.after))
        return {
            "measure": target.measure,
            "band": list(target.band),
            "before": interval(before, target.measure),
            "after": interval(after, target.measure),
            "difference": interval(after - before),
        }


def _three(found: dict[str, float | None]) -> str:
    if found["low"] is None or found["high"] is None:
        return f"{found['value']:.3f}" if found["value"] is not None else "unknown"
    return f"{found['value']:.3f} ({found['low']:.3f} .. {found['high']:.3f})"


def _today(groups: list[Group], path: Any) -> float:
    return next(group.today[path] for group in groups if path in group.today)


def _never(sums: Sums) -> list[str]:
    """Contracts that were never reached."""
    return [contract_text(Contract(bid // N_STRAINS, bid % N_STRAINS, 0)) for bid, n in sums.bids().items() if not n]


def check_tuning(tuning: Tuning) -> tuple[World, Objective]:
    """Check what the schema cannot, and prepare.

    Parameters
    ----------
    tuning : Tuning

    Returns
    -------
    tuple of World and Objective
    """
    world = world_of(tuning)
    check_world(world)
    groups = groups_of(tuning)
    tiers = Evaluator(world).tiers
    check_targets(tuning, tiers)
    return world, Objective(tuning, groups, tiers)


def tune(
    tuning: Tuning, store: Path | None = None, workers: int | None = None, tell: Callable[[str], None] = lambda text: None
) -> Result:
    """Search a scoring table and judge it on fresh deals.

    Parameters
    ----------
    tuning : Tuning
    store : Path or None
        Where evaluations are kept as they are made; what is there already is not done again.
    workers : int or None
        Threads; results do not depend on it.
    tell : callable
        Is told what goes on.

    Returns
    -------
    Result
        The same for the same tuning.
    """
    _, objective = check_tuning(tuning)
    evaluator = Evaluator(world_of(tuning, workers), store, tell)
    recalled = evaluator.recall()
    if recalled:
        tell(f"{recalled} evaluations are there already")
    traces = [Searcher(evaluator, objective, f"search {number}", tell).run() for number in range(tuning.search.searches)]
    factors, spread = mean_factors(traces)
    table = table_of(objective.groups, factors.tolist(), shipped=True)
    values = {path: value for path, value in table.items() if value != _today(objective.groups, path)}
    tell("judges today's table and the one that was found on fresh deals")
    before = evaluator.evaluate({}, FINAL)
    after = evaluator.evaluate(values, FINAL)
    return Result(tuning, objective, traces, factors, spread, values, before, after, len(evaluator.found))
