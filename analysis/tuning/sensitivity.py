"""What a step in each part of a scoring table does to each measure, and which directions of the table matter at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from analysis.tuning.bidders import PLAIN
from analysis.tuning.cells import Group, path_text, table_of
from analysis.tuning.evaluator import Evaluator
from analysis.tuning.measures import BLOCK_METHOD, Floats, Sums, alarms, interval, measures
from simcore.codes import N_STRAINS
from simcore.notation import Contract, contract_text

STEP = 0.15
"""Central differences by so much, as logarithms of the values."""
UNITS = {"make": 0.05, "share": 0.2, "doubled": 0.02, "redoubled": 0.01, "passed_out": 0.03, "edge_in_sd": 0.05}
"""Acceptance units: changes that would be noticed; of shares in their logarithms."""
_RARE, _RARE_UNIT = 0.03, 0.1
"""Make rates of tiers with fewer contracts are judged more coarsely."""
DECORATION = 1.0
"""A part that moves no measure by more than this many units when it grows by a factor e is decoration."""


@dataclass(frozen=True)
class Sensitivity:
    """Sensitivities of a table.

    Attributes
    ----------
    groups : list of Group
    base : Sums
        Of today's table.
    slopes : dict
        Measure -> one array a group: d measure / d ln value, rows as those of measures.
    evaluator : Evaluator
    bidder : str
        Of `analysis.tuning.bidders.TOLD`.
    """

    groups: list[Group]
    base: Sums
    slopes: dict[str, list[Floats]]
    evaluator: Evaluator
    bidder: str = PLAIN

    def scaled(self) -> tuple[list[str], Floats]:
        """Measures that have a unit, and the Jacobian in these units (measure, group)."""
        base = measures(self.base)
        names, rows = [], []
        for name, columns in self.slopes.items():
            unit = _unit(name, base)
            if unit is None or not all(np.isfinite(column[0]) for column in columns):
                continue
            logarithm = 1 / base[name][0] if name.startswith("share_") else 1.0
            names.append(name)
            rows.append([column[0] * logarithm / unit for column in columns])
        return names, np.array(rows)

    def singular(self) -> tuple[Floats, Floats]:
        """Singular values, and the directions that belong to them, one a row."""
        _, values, directions = np.linalg.svd(self.scaled()[1], full_matrices=False)
        return values, directions

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore sensitivity --json``."""
        world, base = self.evaluator.world, measures(self.base)
        values, directions = self.singular()
        names, jacobian = self.scaled()
        return {
            "variant": world.variant.name,
            "bots": [world.bot] * 2,
            "bidder": self.bidder,
            "play": world.play,
            "aim": "tricks",
            "seed": world.seed,
            "n": self.base.n_deals,
            "method": f"{BLOCK_METHOD}; paired, beliefs fitted anew under each table; their own fit is not in the intervals",
            "step": STEP,
            "tiers": list(self.base.tiers.names),
            "measures": {name: interval(rows, name) for name, rows in base.items()},
            "contracts": {_contract(bid): n for bid, n in self.base.bids().items()},
            "alarms": found_alarms(self.base),
            "groups": [
                {
                    "name": group.name,
                    "cells": {path_text(path): value for path, value in group.today.items()},
                    "largest": float(np.abs(jacobian[:, place]).max()),
                    "decoration": bool(np.abs(jacobian[:, place]).max() < DECORATION),
                    "slopes": {name: interval(columns[place]) for name, columns in self.slopes.items()},
                }
                for place, group in enumerate(self.groups)
            ],
            "units": {name: _unit(name, base) for name in names},
            "singular_values": values.tolist(),
            "directions": [dict(zip([group.name for group in self.groups], row.tolist(), strict=True)) for row in directions],
        }


def _unit(name: str, base: dict[str, Floats]) -> float | None:
    if name in UNITS:
        return UNITS[name]
    kind, _, tier = name.partition("_")
    share = base.get(f"share_{tier}")
    if share is None or share[0] <= 0:
        return None
    return _RARE_UNIT if kind == "make" and share[0] < _RARE else UNITS.get(kind)


def found_alarms(sums: Sums) -> list[str]:
    """What is degenerate about auctions (`measures.alarms`).

    Parameters
    ----------
    sums : Sums

    Returns
    -------
    list of str
    """
    values = {name: float(rows[0]) if np.isfinite(rows[0]) else None for name, rows in measures(sums).items()}
    passed = values["passed_out"] or 0.0
    return alarms(values, sums.tiers.names, round(sums.n_deals * (1 - passed)))


def sensitivities(
    evaluator: Evaluator,
    groups: Sequence[Group],
    bidder: str = PLAIN,
    part: str = "search 0",
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Sensitivity:
    """Central differences of every measure by every group, on the same deals.

    Parameters
    ----------
    evaluator : Evaluator
    groups : sequence of Group
    bidder : str
        Of `analysis.tuning.bidders.TOLD`, but for the equilibrated one.
    part : str
        Deals to bid over.
    progress : callable
        Is told how many groups of how many are done.

    Returns
    -------
    Sensitivity
    """
    groups = list(groups)
    base = evaluator.evaluate({}, part, bidder)
    slopes: dict[str, list[Floats]] = {name: [] for name in measures(base)}
    for place, group in enumerate(groups):
        progress(place, len(groups))
        tables = [table_of([group], [float(np.exp(sign * STEP))]) for sign in (1, -1)]
        up, down = (measures(evaluator.evaluate(table, part, bidder)) for table in tables)
        for name, columns in slopes.items():
            columns.append((up[name] - down[name]) / (2 * STEP))
    return Sensitivity(groups, base, slopes, evaluator, bidder)


_SELDOM = 0.001
_SHOWN = ("make", "doubled", "redoubled", "passed_out", "points", "edge", "sd")


def print_measures(sums: Sums, file: IO[str] | None = None) -> None:
    """Print all measures of a table.

    Parameters
    ----------
    sums : Sums
    file : text file or None
        Where to; None: standard output.
    """
    from analysis.tables import new_console, new_table

    console = new_console(file)
    table = new_table(["measure", "value", "95 % interval"], text=1)
    for name, rows in measures(sums).items():
        found = interval(rows, name)
        table.add_row(name, number(found["value"]), f"{number(found['low'])} .. {number(found['high'])}")
    console.print(table)
    least = sum(sums.bids().values()) * _SELDOM
    seldom = [_contract(bid) for bid, n in sums.bids().items() if n < least]
    console.print(f"contracts of less than {_SELDOM:.1%}: {' '.join(seldom) or 'none'}")
    for text in found_alarms(sums):
        console.print(f"alarm: {text}")


def _contract(bid: int) -> str:
    return contract_text(Contract(bid // N_STRAINS, bid % N_STRAINS, 0))


def number(value: float | None) -> str:
    """A number as tables show it."""
    if value is None:
        return "-"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.4f}"


def print_sensitivity(found: Sensitivity, file: IO[str] | None = None) -> None:
    """Print today's measures, the slopes, and the directions.

    Parameters
    ----------
    found : Sensitivity
    file : text file or None
        Where to; None: standard output.
    """
    from analysis.tables import new_console

    console = new_console(file)
    world, tiers = found.evaluator.world, found.base.tiers.names
    console.print(
        f"Scoring table of {world.variant.name}: bots {world.bot} - {world.bot}, bidder {found.bidder}, play {world.play} "
        f"(aim tricks), seed {world.seed}, {found.base.n_deals:,} deals"
    )
    print_measures(found.base, file)
    console.print("d measure / d ln(value); shares as d ln(share); +- half the 95 % interval")
    for names in (_SHOWN, *(tuple(f"{kind}_{tier}" for tier in tiers) for kind in ("make", "share"))):
        _print_slopes(found, names, console)
    _print_directions(found, console)
    console.print(f"intervals: {BLOCK_METHOD}; the fit of the beliefs itself is not in them")


def _print_slopes(found: Sensitivity, names: Sequence[str], console: Any) -> None:
    """One table of slopes: a line a group, a column a measure."""
    from analysis.tables import new_table

    table = new_table(["part", "today", *names], text=1)
    base = measures(found.base)
    for place, group in enumerate(found.groups):
        cells = []
        for name in names:
            rows = found.slopes[name][place]
            today = float(base[name][0]) if name.startswith("share_") else 1.0
            slope = interval(rows / today if today else np.full(len(rows), np.nan))
            half = None if slope["low"] is None or slope["high"] is None else (slope["high"] - slope["low"]) / 2
            cells.append("-" if half is None or slope["value"] is None else _with_half(slope["value"], half))
        table.add_row(group.name, f"{group.shown:g}", *cells)
    console.print(table)


def _with_half(value: float, half: float) -> str:
    return f"{value:+.0f}+-{half:.0f}" if abs(value) >= 10 or half >= 10 else f"{value:+.2f}+-{half:.2f}"


def _print_directions(found: Sensitivity, console: Any) -> None:
    """Singular values with what they move, and the parts that move nothing."""
    values, directions = found.singular()
    console.print("singular values in acceptance units (above 1: a direction that can be tuned):")
    for value, row in zip(values, directions, strict=True):
        strongest = sorted(range(len(row)), key=lambda place: -abs(row[place]))[:3]
        parts = ", ".join(f"{row[place]:+.2f} {found.groups[place].name}" for place in strongest)
        console.print(f"  {value:7.2f}  {parts}")
    jacobian = found.scaled()[1]
    decoration = [group.name for place, group in enumerate(found.groups) if np.abs(jacobian[:, place]).max() < DECORATION]
    if decoration:
        console.print(f"decoration (a factor e moves no measure by {DECORATION:g} unit): {', '.join(decoration)}")
