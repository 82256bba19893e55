"""Analysis of runs: make rates, score distributions, with an interval on every number.

Works on run directories and on the public functions of `simcore` only. `frames` has a function for each question, which
answers with a data frame.
"""

from __future__ import annotations

from analysis import frames
from analysis.comparison import compare, compare_runs
from analysis.differences import CompareReport, Difference
from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.rescored import RescoreReport
from analysis.rescoring import rescore, rescore_run
from analysis.scores import ScoresReport, score_summary
from analysis.sweeps import SweepReport, sweep

__all__ = ["CompareReport", "Difference", "Estimate", "RatesReport", "RescoreReport", "ScoresReport", "SweepReport"]
__all__ += ["compare", "compare_runs", "frames", "make_rates", "rescore", "rescore_run", "score_summary", "sweep"]
