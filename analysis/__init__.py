"""Analysis of runs: make rates, score distributions, with an interval on every number.

Works on run directories and on the public functions of `simcore` only. `frames` has a function for each question, which
answers with a data frame; it is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.scores import ScoresReport, score_summary

if TYPE_CHECKING:
    from analysis import frames

__all__ = ["Estimate", "RatesReport", "ScoresReport", "frames", "make_rates", "score_summary"]


def __getattr__(name: str) -> Any:
    """Load `frames`."""
    if name != "frames":
        raise AttributeError(f"module 'analysis' has no attribute {name!r}")
    from importlib import import_module

    return import_module("analysis.frames")
