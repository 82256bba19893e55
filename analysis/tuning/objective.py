"""The objective of a tuning: residuals in acceptance units, as a function of measures and of the table itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.thresholds import thresholds
from analysis.tuning.cells import Group, path_text, table_of, with_cells
from analysis.tuning.measures import Floats, Sums, Tiers, measure_names, measures
from simcore.codes import N_STRAINS
from simcore.config import Tuning
from simcore.config.fields import nearest
from simcore.errors import InputError
from simcore.notation import STRAINS

_FEW = 0.02
"""Make rates of tiers with a smaller share count less."""


@dataclass(frozen=True)
class Objective:
    """Residuals of a tuning.

    Attributes
    ----------
    tuning : Tuning
    groups : list of Group
    tiers : Tiers
    own : callable or None
        A user's objective: measures and cells by name -> a residual, or several.
    """

    tuning: Tuning
    groups: list[Group]
    tiers: Tiers
    own: Callable[..., Any] | None = None

    def residuals(self, sums: Sums, factors: Sequence[float], shipped: bool = False) -> Floats:
        """All residuals; the sum of their squares is what is made small.

        Parameters
        ----------
        sums : Sums
            Of the auctions under the table.
        factors : sequence of float
            Of the groups.
        shipped : bool
            The table is on the grid of the groups' steps.

        Returns
        -------
        ndarray, shape (rows of `measures`, residuals)
            Targets first, then those of the table alone: order of doubles, monotone awards, distance.
        """
        found = measures(sums)
        targets = [self._residual(place, found) for place in range(len(self.tuning.targets))]
        rows = len(found["make"])
        targets += self._own(found, factors, shipped)
        alone = [*self._of_table(factors, shipped), *self._distances(factors)]
        return np.stack([*targets, *(np.full(rows, value) for value in alone)], axis=1)

    def value(self, sums: Sums, factors: Sequence[float], shipped: bool = False, with_distance: bool = True) -> Floats:
        """The objective by row of `measures`; without the distance it judges what was found."""
        squares = self.residuals(sums, factors, shipped) ** 2
        found: Floats = squares[:, : None if with_distance else squares.shape[1] - len(self.groups)].sum(axis=1)
        return found

    def of_targets(self, sums: Sums) -> Floats:
        """The objective of the targets alone, by row of `measures`: what auctions and play do, whatever the table is."""
        found = measures(sums)
        squares = [self._residual(place, found) ** 2 for place in range(len(self.tuning.targets))]
        total: Floats = np.sum(squares, axis=0) if squares else np.zeros(len(found["make"]))
        return total

    def measured(self, place: int, sums: Sums) -> Floats:
        """The measure of a target."""
        return self._measure(place, measures(sums))

    def _measure(self, place: int, found: dict[str, Floats]) -> Floats:
        parts = [found[part.strip()] for part in self.tuning.targets[place].measure.split("+")]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def _residual(self, place: int, found: dict[str, Floats]) -> Floats:
        """A target's residual: how far the measure is out of its band, in units; rare tiers count less."""
        target = self.tuning.targets[place]
        value, (low, high) = self._measure(place, found), target.band
        weight: Any = float(target.weight)
        kind, _, tier = target.measure.partition("_")
        share = found.get(f"share_{tier}") if kind == "make" else None
        if share is not None:
            weight = weight * np.sqrt(np.minimum(1.0, share / _FEW))
            value = np.where(share > 0, value, low)
        if target.scale == "log":
            value, low, high = np.log(np.maximum(value, 1e-5)), math.log(low), math.log(high)
        missed = np.minimum(value - low, 0.0) + np.maximum(value - high, 0.0)
        return np.asarray(weight * missed / float(target.unit), np.float64)

    def _own(self, found: dict[str, Floats], factors: Sequence[float], shipped: bool) -> list[Floats]:
        """Residuals of a user's function, row by row."""
        if self.own is None:
            return []
        cells = {path_text(path): value for path, value in table_of(self.groups, factors, shipped).items()}
        rows = []
        for row in range(len(found["make"])):
            answer = np.atleast_1d(np.asarray(self.own({name: float(each[row]) for name, each in found.items()}, cells), float))
            if answer.ndim != 1 or not np.isfinite(answer).all():
                raise InputError(f"the plugin's OBJECTIVE must return a finite number or a list of them, not {answer.tolist()}")
            rows.append(answer)
        return list(np.stack(rows).T)

    def _of_table(self, factors: Sequence[float], shipped: bool) -> list[float]:
        """Residuals that need no deals: redoubles not before doubles, awards that rise."""
        order, monotone = self.tuning.order, self.tuning.monotone
        if not order.weight and not monotone.weight:
            return []
        variant = with_cells(self.tuning.variant, table_of(self.groups, factors, shipped))
        found: list[float] = []
        if order.weight:
            rows = thresholds(variant)
            bids = [bid for bid in range(len(self.tiers.of_bid)) if self.tiers.of_bid[bid] >= 0]
            for tier in range(len(self.tiers.names)):
                row = rows[next(place for place, bid in enumerate(bids) if self.tiers.of_bid[bid] == tier)]
                gap = 0.0 if row.double is None or row.redouble is None else max(0.0, float(row.double - row.redouble))
                found.append(float(order.weight) * gap / float(order.unit))
        award: Any = getattr(variant.scoring, "award", None)
        if monotone.weight and award is not None:
            lowest, highest = [math.inf] * len(self.tiers.names), [0.0] * len(self.tiers.names)
            for bid, tier in enumerate(self.tiers.of_bid):
                if tier >= 0:
                    value = float(getattr(award, STRAINS[bid % N_STRAINS])[bid // N_STRAINS])
                    lowest[tier], highest[tier] = min(lowest[tier], value), max(highest[tier], value)
            for below, above in zip(highest, lowest[1:], strict=False):
                ratio = math.log(max(above, 0.1) / max(below, 0.1))
                found.append(float(monotone.weight) * max(0.0, float(monotone.gap) - ratio))
        columns: Any = getattr(variant.scoring, "undertricks", None)
        if monotone.weight and columns is not None and columns != "none":
            found += self._of_penalties(columns)
        return found

    def _of_penalties(self, columns: Any) -> list[float]:
        """Residuals of the columns of undertricks, which must rise with the doubling."""
        monotone, found = self.tuning.monotone, []
        for before, after in ((columns.undoubled, columns.doubled), (columns.doubled, columns.redoubled)):
            pairs = [(float(low), float(high)) for low, high in zip(before, after, strict=False)]
            ratio = min(math.log(max(high, 0.1) / max(low, 0.1)) for low, high in pairs)
            found.append(float(monotone.weight) * max(0.0, float(monotone.gap) - ratio))
        return found

    def _distances(self, factors: Sequence[float]) -> list[float]:
        distance = self.tuning.distance
        unit = math.log(distance.factor) if distance.factor > 1 else 1.0
        return [float(distance.weight) * math.log(factor) / unit for factor in factors]


def check_targets(tuning: Tuning, tiers: Tiers) -> None:
    """Refuse targets on measures that there are not.

    Parameters
    ----------
    tuning : Tuning
    tiers : Tiers
    """
    names = measure_names(tiers)
    for place, target in enumerate(tuning.targets):
        for part in target.measure.split("+"):
            if part.strip() not in names:
                near = nearest(part.strip(), names)
                hint = f"; did you mean {near}?" if near else ""
                allowed = ", ".join(names)
                raise InputError(f"targets[{place}].measure: there is no measure {part.strip()!r}{hint}\nallowed: {allowed}")
