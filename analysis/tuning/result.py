"""What a tuning found: verdict, words, alarms, and every figure as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.thresholds import alarms as threshold_alarms
from analysis.thresholds import thresholds
from analysis.tuning.bidders import EQUILIBRATED, TOLD
from analysis.tuning.cells import Group, Values, path_text, with_cells
from analysis.tuning.equilibrium import Equilibrium
from analysis.tuning.measures import COUNT, Floats, Sums, interval, measures, method_of
from analysis.tuning.objective import Objective
from analysis.tuning.played import PlayedDeals
from analysis.tuning.search import Trace, interval_of_factors
from analysis.tuning.sensitivity import found_alarms
from simcore.codes import N_STRAINS
from simcore.config import Tuning, Variant
from simcore.notation import Contract, contract_text

FORMAT = "simcore-tuning/2"
BETTER, SAME, WORSE, UNCHANGED = "better", "not_distinguishable", "worse", "unchanged"
_SENTENCES = {
    BETTER: "better than today's table for this objective and these bidders",
    SAME: "not distinguishable from today's table",
    WORSE: "worse than today's table on fresh deals",
    UNCHANGED: "no change: today's table is the best that was found",
}
_OVERFIT = 1.25
"""An objective on fresh deals that is so many times that of the searches, and a unit more, was fitted to their deals."""
_AT_BOUND = 0.005
_UNSETTLED = 0.02
"""A best response that gains more than this share of a deal's mean points says that bidders have not settled."""


@dataclass(frozen=True)
class Judged:
    """Sums of a bidder over the fresh deals.

    Attributes
    ----------
    name : str
        Of `analysis.tuning.bidders.TOLD`.
    before, after : Sums
        Under today's table and under the one that was found.
    equilibria : tuple of Equilibrium or None
        Of the equilibrated bidder, before and after.
    """

    name: str
    before: Sums
    after: Sums
    equilibria: tuple[Equilibrium, Equilibrium] | None = None


@dataclass(frozen=True)
class Result:
    """What a tuning found.

    Attributes
    ----------
    tuning : Tuning
    objective : Objective
    traces : list of Trace
        Of the last outer step.
    factors, spread : ndarray
        Mean of the searches by group; standard deviation of the logarithms.
    values : dict
        The table that was found, on the grid of the steps: cells that differ from today's.
    panel, beside : list of Judged
        The bidders that were tuned on, and others.
    evaluations : int
        How many there were, those of an interrupted search included.
    kept : Judged or None
        The equilibrated bidder with the margins of the last searches, not found anew at the table that was found.
    played : list of PlayedDeals
    skill : list of dict
        Under today's table and the one that was found, what the plain bidder gains from the coarse one.
    """

    tuning: Tuning
    objective: Objective
    traces: list[Trace]
    factors: Floats
    spread: Floats
    values: Values
    panel: list[Judged]
    beside: list[Judged]
    evaluations: int
    kept: Judged | None = None
    played: list[PlayedDeals] = field(default_factory=list)
    skill: list[dict[str, Any]] = field(default_factory=list)

    @property
    def before(self) -> Sums:
        """Today's table, by the first bidder of the panel."""
        return self.panel[0].before

    @property
    def after(self) -> Sums:
        """The table that was found, by the first bidder of the panel."""
        return self.panel[0].after

    @property
    def variant(self) -> Variant:
        """The variant with the table that was found."""
        return with_cells(self.tuning.variant, self.values)

    def objectives(self, with_distance: bool = False, of: Judged | None = None) -> tuple[Floats, Floats]:
        """The objective of both tables on fresh deals: the mean of the panel, or that of one bidder."""
        ones = [1.0] * len(self.factors)
        who = self.panel if of is None else [of]
        before = [self.objective.value(each.before, ones, with_distance=with_distance) for each in who]
        after = [self.objective.value(each.after, self.factors.tolist(), True, with_distance) for each in who]
        return np.mean(before, axis=0), np.mean(after, axis=0)

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
        found = [f"{_SENTENCES[self.verdict()]} (objective falls by {_three(self.gain())})"]
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
        for each in (*self.panel, *self.beside):
            before, after = (values[0] for values in self.objectives(of=each))
            if after > before and self.values:
                found.append(f"worse for the bidder {each.name}: its objective goes from {before:.1f} to {after:.1f}")
        return [*found, *self._settled(), *self._in_play()]

    def _settled(self) -> Iterator[str]:
        """Whether the equilibrated bidder is one."""
        for each in self.panel:
            for when, found in zip(("before", "after"), each.equilibria or (), strict=False):
                if found.exploitability - found.half > _UNSETTLED * found.points:
                    gained = f"{found.exploitability:.1f} +- {found.half:.1f} points a deal"
                    yield f"the equilibrated bidder has not settled {when}: a best response gains {gained}"

    def _in_play(self) -> Iterator[str]:
        """What played deals say."""
        for played in self.played:
            before, after = played.objective
            gain = interval(before - after)
            sure = gain["low"] is not None and gain["high"] is not None and gain["low"] * gain["high"] > 0
            word = "not distinguishable" if not sure else "better" if (gain["value"] or 0) > 0 else "worse"
            yield f"played by {played.bot.name} (aim {played.aim}): {word}, the objective falls by {_three(gain)}"

    def _averaged(self, place: int) -> tuple[Floats, Floats]:
        """The measure of a target before and after, mean of the panel."""
        before = np.mean([self.objective.measured(place, each.before) for each in self.panel], axis=0)
        return before, np.mean([self.objective.measured(place, each.after) for each in self.panel], axis=0)

    def _infeasible(self) -> Iterator[str]:
        """Targets that stay outside of their bands, beyond the interval and by more than a unit."""
        rows = [self.objective.residuals(each.after, self.factors.tolist(), True)[0] for each in self.panel]
        for place, target in enumerate(self.tuning.targets):
            value = interval(self._averaged(place)[1], target.measure)
            low, high = target.band
            inside = value["low"] is None or value["high"] is None or (value["high"] >= low and value["low"] <= high)
            if not inside and np.mean([abs(row[place]) for row in rows]) > target.weight:
                missed = [np.mean([abs(found[place]) for found in trace.residuals]) for trace in self.traces]
                word = "infeasible with the others" if min(missed) > target.weight else "missed on fresh deals"
                yield f"{word}: {target.measure} is {_three(value)}, its band {low:g} .. {high:g}"

    def alarms(self) -> dict[str, list[str]]:
        """Alarms of auctions and thresholds, before and after."""
        found: dict[str, list[str]] = {}
        for when, variant in (("before", self.tuning.variant), ("after", self.variant)):
            texts = [f"{each.name}: {text}" for each in self.panel for text in found_alarms(getattr(each, when))]
            found[when] = [*texts, *threshold_alarms(variant, thresholds(variant))]
        return found

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore tune --json``, and what is in tuning.json."""
        before, after = self.objectives()
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
            "method": f"{method_of(self.before)}; differences paired",
            "objective": {"before": interval(before), "after": interval(after), "gain": self.gain()},
            "groups": [self._group(place) for place in range(len(self.factors))],
            "cells": {path_text(path): {"before": today(self.objective.groups, path), "after": value}
                      for path, value in self.values.items()},
            "targets": [self._target(place) for place in range(len(self.tuning.targets))],
            "measures": self._measures(self.panel),
            "panel": [self._bidder(each) for each in self.panel],
            "beside": [self._bidder(each) for each in self.beside],
            "kept_margins": None if self.kept is None else self._bidder(self.kept),
            "played": [each.as_json() for each in self.played],
            "skill": dict(zip(("before", "after"), self.skill, strict=False)),
            "never_bid": {"before": _never(self.before), "after": _never(self.after)},
            "contracts": {when: _contracts(getattr(self, when)) for when in ("before", "after")},
            "slopes": self._slopes(),
            "alarms": self.alarms(),
            "searches": training,
        }  # fmt: skip

    def _slopes(self) -> dict[str, Any] | None:
        """By how many units each target moves with the logarithm of each group: root mean square over bidders and searches."""
        found = [trace.jacobian for trace in self.traces if trace.jacobian is not None]
        if not found:
            return None
        n = len(self.panel)
        squares = np.mean([np.square(each).reshape(n, -1, each.shape[1]).sum(axis=0) for each in found], axis=0)
        n_targets = len(self.tuning.targets)
        singular = np.mean([np.linalg.svd(each, compute_uv=False) for each in found], axis=0)
        return {
            "groups": [group.name for group in self.objective.groups],
            "targets": {target.measure: np.sqrt(squares[place]).tolist() for place, target in enumerate(self.tuning.targets)},
            "table": np.sqrt(squares[n_targets:].sum(axis=0)).tolist(),
            "singular_values": singular.tolist(),
        }

    def _measures(self, who: list[Judged]) -> dict[str, Any]:
        """All measures before and after, mean of some bidders, with paired differences."""
        all_before = [measures(each.before) for each in who]
        all_after = [measures(each.after) for each in who]
        found = {}
        for name in all_before[0]:
            before = np.mean([rows[name] for rows in all_before], axis=0)
            after = np.mean([rows[name] for rows in all_after], axis=0)
            difference = interval(after - before, COUNT if name == COUNT else "")
            found[name] = {"before": interval(before, name), "after": interval(after, name), "difference": difference}
        return found

    def _bidder(self, each: Judged) -> dict[str, Any]:
        before, after = self.objectives(of=each)
        found: dict[str, Any] = {
            "name": each.name,
            "told": TOLD[each.name],
            "objective": {"before": interval(before), "after": interval(after), "gain": interval(before - after)},
            "measures": self._measures([each]),
        }
        if each.equilibria is not None:
            found["equilibrium"] = {
                when: entry.as_json() for when, entry in zip(("before", "after"), each.equilibria, strict=True)
            }
        return found

    def _group(self, place: int) -> dict[str, Any]:
        group, spread = self.objective.groups[place], self.spread[place]
        found = group.values(float(self.factors[place]), group.step)
        low, high = interval_of_factors(self.factors, self.spread, len(self.traces))
        known = bool(np.isfinite(spread))
        return {
            "name": group.name,
            "factor": float(self.factors[place]),
            "spread": float(spread) if known else None,
            "low": float(low[place]) if known else None,
            "high": float(high[place]) if known else None,
            "shown": group.shown,
            "found": next(found[path] for path, value in group.today.items() if value),
        }

    def _target(self, place: int) -> dict[str, Any]:
        target = self.tuning.targets[place]
        before, after = self._averaged(place)
        return {
            "measure": target.measure,
            "band": list(target.band),
            "before": interval(before, target.measure),
            "after": interval(after, target.measure),
            "difference": interval(after - before),
        }


def equilibrated(result: Result) -> Judged | None:
    """The equilibrated bidder of a result's panel.

    Parameters
    ----------
    result : Result

    Returns
    -------
    Judged or None
    """
    return next((each for each in result.panel if each.name == EQUILIBRATED), None)


def _three(found: dict[str, float | None]) -> str:
    if found["low"] is None or found["high"] is None:
        return f"{found['value']:.3f}" if found["value"] is not None else "unknown"
    return f"{found['value']:.3f} ({found['low']:.3f} .. {found['high']:.3f})"


def today(groups: list[Group], path: Any) -> float:
    """Today's value of a cell.

    Parameters
    ----------
    groups : list of Group
    path : tuple

    Returns
    -------
    float
    """
    return next(group.today[path] for group in groups if path in group.today)


def _name(bid: int) -> str:
    return contract_text(Contract(bid // N_STRAINS, bid % N_STRAINS, 0))


def _never(sums: Sums) -> list[str]:
    """Contracts that were never reached."""
    return [_name(bid) for bid, n in sums.bids().items() if not n]


def _contracts(sums: Sums) -> dict[str, dict[str, int]]:
    """How often each contract was reached and made, doubled ones included."""
    made = sums.bids(made=True)
    return {_name(bid): {"n": n, "made": made[bid]} for bid, n in sums.bids().items()}
