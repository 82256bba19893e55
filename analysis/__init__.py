"""Analysis of runs: make rates, score distributions, with an interval on every number.

Works on run directories and on the public functions of `simcore` only. `frames` has a function for each question, which
answers with a data frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.scores import ScoresReport, score_summary

if TYPE_CHECKING:
    from analysis.asking import estimate
    from analysis.estimate_report import EstimateReport

__all__ = ["Estimate", "EstimateReport", "RatesReport", "ScoresReport", "estimate", "frames", "make_rates", "score_summary"]


def __getattr__(name: str) -> Any:
    """Load `estimate`, which needs the kernels, when it is first used."""
    if name == "estimate":
        from analysis.asking import estimate as found

        return found
    if name == "EstimateReport":
        from analysis import estimate_report

        return estimate_report.EstimateReport
    raise AttributeError(f"module 'analysis' has no attribute {name!r}")
