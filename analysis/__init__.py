"""Analysis of runs: make rates, score distributions, with an interval on every number.

Works on run directories and on the public functions of `simcore` only.
"""

from __future__ import annotations

from analysis.degenerate import alarms
from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.scores import ScoresReport, score_summary

__all__ = ["Estimate", "RatesReport", "ScoresReport", "alarms", "make_rates", "score_summary"]
