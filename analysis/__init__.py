"""Analysis of runs: make rates, score distributions, with an interval on every number.

Works on run directories and on the public functions of `simcore` only. `frames` has a function for each question, which
answers with a data frame. What a simple question does not need is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.scores import ScoresReport, score_summary

if TYPE_CHECKING:
    from analysis import frames
    from analysis.asking import estimate
    from analysis.comparison import compare, compare_runs
    from analysis.degenerate import alarms
    from analysis.differences import CompareReport, Difference
    from analysis.estimate_report import EstimateReport
    from analysis.rescored import RescoreReport
    from analysis.rescoring import rescore, rescore_run
    from analysis.sweeps import SweepReport, sweep

__all__ = ["CompareReport", "Difference", "Estimate", "EstimateReport", "RatesReport", "RescoreReport", "ScoresReport"]
__all__ += ["SweepReport", "alarms", "compare", "compare_runs", "estimate", "frames", "make_rates", "rescore", "rescore_run"]
__all__ += ["score_summary", "sweep"]

_HOMES = {
    "CompareReport": "differences",
    "Difference": "differences",
    "EstimateReport": "estimate_report",
    "RescoreReport": "rescored",
    "SweepReport": "sweeps",
    "alarms": "degenerate",
    "compare": "comparison",
    "compare_runs": "comparison",
    "estimate": "asking",
    "rescore": "rescoring",
    "rescore_run": "rescoring",
    "sweep": "sweeps",
}
"""Modules of the names that are loaded late."""


def __getattr__(name: str) -> Any:
    """Load a name of `_HOMES`, or `frames`."""
    if name == "frames":
        return import_module("analysis.frames")
    if name not in _HOMES:
        raise AttributeError(f"module 'analysis' has no attribute {name!r}")
    return getattr(import_module(f"analysis.{_HOMES[name]}"), name)
