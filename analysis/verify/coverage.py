"""Check of the intervals: how many of many small runs have the true value in their 95 % interval."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np

from analysis.estimates import CONFIDENCE, ClusterSums, clustered_mean, clustered_rate, rate
from analysis.rates import make_rates
from analysis.verify.effort import Effort
from analysis.verify.findings import Finding, Outcome, exact
from simcore.api import run
from simcore.batch import play_chunk, prepare
from simcore.config import load_bot, load_variant

DEALS, MATCHES = 500, 600
"""Deals of a small run of independent deals; matches of one of matches."""
ALLOWANCE = 0.015
"""How far the coverage of an approximate interval may truly be from 95 %, beside the error of counting it."""
_AT_ONCE = 40
_STORED = 3


def check_intervals(seed: int, effort: Effort) -> Outcome:
    """Independent deals whose true rate is known exactly; make rates and points of matches against all runs together."""
    from analysis.verify.figures import coverage_figure

    found = Outcome("intervals", f"95 % intervals of small runs contain the true value; allowance {ALLOWANCE:.1%}")
    shares = [*_known_rate(seed, effort.runs), *_of_matches(seed, effort.runs)]
    for name, covered, runs, due, allowance in shares:
        away = covered / runs - due
        beyond = math.copysign(max(0.0, abs(away) - allowance), away)
        z = beyond / math.sqrt(due * (1 - due) / runs)
        found.findings.append(Finding(name, runs, z, note=f"covered {covered / runs:.2%}, expected {due:.2%}"))
    found.findings.append(_stored(seed))
    found.figures.append(coverage_figure([(name, covered / runs, runs, due) for name, covered, runs, due, _ in shares]))
    return found


def _known_rate(seed: int, runs: int) -> list[tuple[str, int, int, float, float]]:
    """Passed-out deals of random bots in Draw Bridge: both pass, or draw a level that has no bid."""
    bidding = load_bot("random").model_dump(mode="json")["bidding"]
    passes, weights = bidding["pass_percent"] / 100, bidding["level_weights"]
    truth = (passes + (1 - passes) * weights[0] / sum(weights)) ** 2
    setup = prepare(load_variant("draw_bridge"), [load_bot("random")], seed, "deal")
    covered = 0
    for first in range(0, runs, _AT_ONCE):
        count = min(_AT_ONCE, runs - first)
        out = play_chunk(setup, first * DEALS, count * DEALS, names=("match", "passed_out")).deals["passed_out"]
        for passed in out.reshape(count, DEALS).sum(axis=1):
            covered += _holds(rate(int(passed), DEALS), truth)
    due = sum(
        math.comb(DEALS, k) * truth**k * (1 - truth) ** (DEALS - k) for k in range(DEALS + 1) if _holds(rate(k, DEALS), truth)
    )
    return [(f"rate {truth:.4f} of {DEALS} independent deals", covered, runs, due, 0.0)]


def _holds(found: object, truth: float) -> bool:
    low, high = getattr(found, "low", None), getattr(found, "high", None)
    return low is not None and high is not None and low <= truth <= high


def _of_matches(seed: int, runs: int) -> list[tuple[str, int, int, float, float]]:
    """Make rates and mean points of heuristic bots in Bridgette, clustered by match; the truth is that of all runs."""
    setup = prepare(load_variant("bridgette"), [load_bot("heuristic")], seed, "match")
    names = ("match", "made", "points_0", "passed_out")
    sums: dict[str, list[ClusterSums]] = {"make rate": [], "passed out": [], "mean points of seat 0": []}
    for number in range(runs):
        table = play_chunk(setup, number * MATCHES, MATCHES, names=names).deals
        match = table["match"] - number * MATCHES
        played = table["made"] >= 0
        for name, kept, values in (
            ("make rate", played, table["made"]),
            ("passed out", np.ones(len(match), bool), table["passed_out"]),
            ("mean points of seat 0", np.ones(len(match), bool), table["points_0"] / 10),
        ):
            sums[name].append(_sums(match[kept], values[kept].astype(float)))
    found = []
    for name, of_runs in sums.items():
        whole = sum(of_runs, ClusterSums())
        estimates = [(clustered_mean if "mean" in name else clustered_rate)(one) for one in of_runs]
        covered = sum(_holds(one, whole.mean) for one in estimates)
        if name != "passed out":  # a rare event: some runs have none of it
            found.append((f"{name}, {MATCHES} matches", covered, runs, CONFIDENCE, ALLOWANCE))
    return found


def _sums(match: np.ndarray, values: np.ndarray) -> ClusterSums:
    n = np.bincount(match, minlength=MATCHES).astype(float)
    y = np.bincount(match, weights=values, minlength=MATCHES)
    return ClusterSums(int(n.sum()), float(y.sum()), float(n @ n), float(n @ y), float(y @ y), float((values**2).sum()))


def _stored(seed: int) -> Finding:
    """Runs that are stored and read again give the same intervals as the sums."""
    setup = prepare(load_variant("bridgette"), [load_bot("heuristic")], seed, "match")
    wrong = []
    with tempfile.TemporaryDirectory(prefix="simcore-verify-") as folder:
        for number in range(1, _STORED + 1):
            out = run("bridgette", bots="heuristic", matches=50 * number, seed=seed, out=Path(folder) / str(number))
            report = make_rates(out, ("level",)).total
            table = play_chunk(setup, 0, 50 * number, names=("match", "made")).deals
            played = table["made"] >= 0
            due = clustered_rate(_sums(table["match"][played], table["made"][played].astype(float)))
            same = report is not None and all(
                math.isclose(getattr(report.rate, key), getattr(due, key), rel_tol=1e-9) for key in ("estimate", "low", "high")
            )
            if not same:
                wrong.append(f"{50 * number} matches: {report and report.rate} and {due}")
    return exact("runs stored and read again", _STORED, wrong)
