"""Answers about a run as data frames, one function a question, each with estimate, low, high, n and method.

``low .. high`` is a 95 % interval, clustered by match where the deals of a match depend on each other; it is missing where it
cannot be had, and `method` says why. Functions take a run directory (or the result of `simcore.run`), most of them also `by`,
columns to group by, and `where`, a condition (`analysis.where`); `columns_of` lists the columns. Nothing is read that is not
asked for, and runs larger than memory are summed up file by file.
"""

from __future__ import annotations

from analysis.frames.basics import columns_of, describe, load
from analysis.frames.effects import calibration, seat_effects
from analysis.frames.luck import luck_and_skill
from analysis.frames.made import contracts, imposed, rates, shares, tricks
from analysis.frames.points import point_distribution, points, total_distribution, totals, wins
from analysis.frames.worth import break_even

__all__ = [
    "break_even",
    "calibration",
    "columns_of",
    "contracts",
    "describe",
    "imposed",
    "load",
    "luck_and_skill",
    "point_distribution",
    "points",
    "rates",
    "seat_effects",
    "shares",
    "total_distribution",
    "totals",
    "tricks",
    "wins",
]
