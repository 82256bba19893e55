"""Analysis of runs: make rates, score distributions, with an interval on every number.

Works on run directories and on the public functions of `simcore` only. `frames` has a function for each question, which
answers with a data frame.
"""

from __future__ import annotations

from analysis import frames
from analysis.estimates import Estimate
from analysis.rates import RatesReport, make_rates
from analysis.scores import ScoresReport, score_summary

__all__ = ["Estimate", "RatesReport", "ScoresReport", "frames", "make_rates", "score_summary"]
