"""Analysis of runs: make rates, score distributions, differences of runs, with an interval on every number.

Works on run directories and on the public functions of `simcore` only. What reads configurations or plays runs is loaded when
it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.scores import ScoresReport, score_summary

if TYPE_CHECKING:
    from analysis.comparison import compare, compare_runs
    from analysis.differences import CompareReport, Difference
    from analysis.rescored import RescoreReport
    from analysis.rescoring import rescore, rescore_run
    from analysis.sweeps import SweepReport, sweep

__all__ = ["CompareReport", "Difference", "Estimate", "RatesReport", "RescoreReport", "ScoresReport", "SweepReport"]
__all__ += ["compare", "compare_runs", "make_rates", "rescore", "rescore_run", "score_summary", "sweep"]

_LATER = {
    "compare": "comparison",
    "compare_runs": "comparison",
    "CompareReport": "differences",
    "Difference": "differences",
    "RescoreReport": "rescored",
    "rescore": "rescoring",
    "rescore_run": "rescoring",
    "SweepReport": "sweeps",
    "sweep": "sweeps",
}
"""Public names that are loaded when they are first used, and their modules."""


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in _LATER:
        raise AttributeError(f"module 'analysis' has no attribute {name!r}")
    return getattr(import_module(f"analysis.{_LATER[name]}"), name)
