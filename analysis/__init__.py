"""Analysis of runs: make rates, score distributions, with an interval on every number.

Works on run directories and on the public functions of `simcore` only. `frames` has a function for each question, which
answers with a data frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.comparison import compare, compare_runs
from analysis.degenerate import alarms
from analysis.differences import CompareReport, Difference
from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.rescored import RescoreReport
from analysis.rescoring import rescore, rescore_run
from analysis.scores import ScoresReport, score_summary
from analysis.sweeps import SweepReport, sweep

if TYPE_CHECKING:
    from analysis.asking import estimate
    from analysis.estimate_report import EstimateReport

__all__ = ["CompareReport", "Difference", "Estimate", "EstimateReport", "RatesReport", "RescoreReport", "ScoresReport"]
__all__ += ["SweepReport", "alarms", "compare", "compare_runs", "estimate", "frames", "make_rates", "rescore", "rescore_run"]
__all__ += ["score_summary", "sweep"]


def __getattr__(name: str) -> Any:
    """Load `estimate` and its report, which need the kernels, when they are first used."""
    if name == "estimate":
        from analysis import asking

        return asking.estimate
    if name == "EstimateReport":
        from analysis import estimate_report

        return estimate_report.EstimateReport
    raise AttributeError(f"module 'analysis' has no attribute {name!r}")
