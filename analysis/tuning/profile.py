"""Measures of a table with some of its cells at several multiples of today's values: what a number does over a range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

from analysis.tuning.bidders import PLAIN
from analysis.tuning.cells import Group, path_text, table_of
from analysis.tuning.evaluator import Evaluator
from analysis.tuning.measures import BLOCK_METHOD, Sums, interval, measures
from analysis.tuning.sensitivity import found_alarms, number

_SHOWN = ("make", "doubled", "redoubled", "passed_out", "level_7", "points", "edge")


@dataclass(frozen=True)
class Profile:
    """A table at several multiples of some cells.

    Attributes
    ----------
    groups : list of Group
        What moves, together.
    factors : list of float
    sums : list of Sums
        At each factor, over the same deals.
    evaluator : Evaluator
    bidder : str
    """

    groups: list[Group]
    factors: list[float]
    sums: list[Sums]
    evaluator: Evaluator
    bidder: str

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore sensitivity --factors --json``."""
        world = self.evaluator.world
        return {
            "variant": world.variant.name,
            "bots": [world.bot] * 2,
            "bidder": self.bidder,
            "play": world.play,
            "aim": "tricks",
            "seed": world.seed,
            "n": self.sums[0].n_deals,
            "method": f"{BLOCK_METHOD}; beliefs fitted anew under each table; their own fit is not in the intervals",
            "cells": {path_text(path): value for group in self.groups for path, value in group.today.items()},
            "rows": [
                {
                    "factor": factor,
                    "measures": {name: interval(rows, name) for name, rows in measures(sums).items()},
                    "alarms": found_alarms(sums),
                }
                for factor, sums in zip(self.factors, self.sums, strict=True)
            ],
        }


def profile(
    evaluator: Evaluator, groups: Sequence[Group], factors: Sequence[float], bidder: str = PLAIN, part: str = "search 0"
) -> Profile:
    """Evaluate a table at several multiples of some cells.

    Parameters
    ----------
    evaluator : Evaluator
    groups : sequence of Group
        All move by the same factor.
    factors : sequence of float
    bidder : str
        Of `analysis.tuning.bidders.TOLD`, but for the equilibrated one.
    part : str
        Deals to bid over.

    Returns
    -------
    Profile
    """
    groups = list(groups)
    tables = [table_of(groups, [float(factor)] * len(groups)) for factor in factors]
    return Profile(groups, list(factors), [evaluator.evaluate(table, part, bidder) for table in tables], evaluator, bidder)


def print_profile(found: Profile, file: IO[str] | None = None) -> None:
    """Print a line a factor: the main measures, and shares of the tiers.

    Parameters
    ----------
    found : Profile
    file : text file or None
        Where to; None: standard output.
    """
    from analysis.tables import new_console, new_table

    console = new_console(file)
    world, tiers = found.evaluator.world, found.sums[0].tiers.names
    console.print(
        f"Scoring table of {world.variant.name}: bots {world.bot} - {world.bot}, bidder {found.bidder}, play {world.play} "
        f"(aim tricks), seed {world.seed}, {found.sums[0].n_deals:,} deals"
    )
    console.print(f"moved: {', '.join(group.name for group in found.groups)}")
    for names in (_SHOWN, tuple(f"share_{tier}" for tier in tiers), tuple(f"make_{tier}" for tier in tiers)):
        table = new_table(["factor", "first cell", *names], text=0)
        for factor, sums in zip(found.factors, found.sums, strict=True):
            values = {name: interval(rows, name) for name, rows in measures(sums).items()}
            first = next(iter(found.groups[0].values(factor).values()))
            cells = []
            for name in names:
                value, low, high = (values[name][key] for key in ("value", "low", "high"))
                half = "" if low is None or high is None else f" +-{number((high - low) / 2)}"
                cells.append(f"{number(value)}{half}")
            table.add_row(f"{factor:g}", f"{first:g}", *cells)
        console.print(table)
    for factor, sums in zip(found.factors, found.sums, strict=True):
        for text in found_alarms(sums):
            console.print(f"alarm at {factor:g}: {text}")
    console.print(f"intervals: {BLOCK_METHOD}; the fit of the beliefs itself is not in them")
