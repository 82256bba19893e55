"""Analysis of runs: make rates, score distributions, with an interval on every number.

Works on run directories and on the public functions of `simcore` only.
"""

from __future__ import annotations

from analysis.asking import estimate
from analysis.estimate_report import EstimateReport
from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.scores import ScoresReport, score_summary

__all__ = ["Estimate", "EstimateReport", "RatesReport", "ScoresReport", "estimate", "make_rates", "score_summary"]
