"""Do 95 % intervals contain the truth 95 times in a hundred? A longer check: 4,000 small runs against one of 20 million deals.

Own command: ``make intervals`` (``python -m pytest -m long -s tests/test_intervals.py``), some minutes. Every small run is a
run like any other: stored, then read by `make_rates` and `score_summary`. Seeds are fixed here, so the figures can be
made again.

With 150 matches instead of 600, rates were covered as they should be (94.8 to 96.5 %), mean points only in 91.5 to 95.0 %
of the runs: a rare redoubled slam is worth twenty deals (skewness of a match's total 4.7), and a small run often has none.
`score_summary` says so where matches are few (`analysis.scores.FEW`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import simcore
from analysis import Estimate, make_rates, score_summary

REPLICATIONS = 4_000
FIRST_SEED = 1_000_000
"""Seeds of the small runs: this one and those after it."""
TRUTH_SEED = 20
TRUTH_DEALS = 20_000_000
MATCHES = 600
"""Matches of a small run."""
BY = (("level",), ("strain",), ("declarer_role",), ("level", "strain", "doubling"))
COMMON = 0.05
"""Groups are looked at that hold at least this share of all contracts."""
ALLOWED = (0.935, 0.965)
BOTS = ["heuristic", "heuristic"]


def estimates(run: simcore.api.RunResult) -> Iterator[tuple[str, Estimate]]:
    """Every estimate of a run, with its name."""
    for by in BY:
        report = make_rates(run, by)
        for row in report.rows:
            yield f"make rate {' '.join(map(str, row.key))} ({', '.join(by)})", row.rate
    yield "make rate of all", report.total.rate
    yield "contested", report.contested
    scores = score_summary(run)
    for who, found in scores.deals.items():
        yield f"mean points of a deal, {who}", found.mean
    for what, found in scores.totals.items():
        yield f"mean points of a match, {what}", found.mean
    for win in scores.wins:
        yield f"matches won by seat {win.seat}, first dealer {win.first_dealer}", win.rate


@pytest.mark.long
def test_intervals_contain_the_truth_as_often_as_they_say(tmp_path: Path) -> None:
    whole = simcore.run("bridgette", bots=BOTS, seed=TRUTH_SEED, deals=TRUTH_DEALS, output="summary", out=tmp_path / "truth")
    found = dict(estimates(whole))
    n_contracts = found["make rate of all"].n
    truth = {
        name: estimate.estimate
        for name, estimate in found.items()
        if not name.startswith("make rate") or estimate.n >= COMMON * n_contracts
    }
    covered: Counter[str] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + REPLICATIONS):
        out = tmp_path / "small"
        small = simcore.run("bridgette", bots=BOTS, seed=seed, matches=MATCHES, out=out, workers=1, overwrite=True)
        for name, estimate in estimates(small):
            if name in truth and estimate.low is not None:
                covered[name] += estimate.low <= truth[name] <= estimate.high
    shares = {name: covered[name] / REPLICATIONS for name in truth}
    for name, share in shares.items():
        print(f"{share:7.2%}  {name}")
    outside = {name: share for name, share in shares.items() if not ALLOWED[0] <= share <= ALLOWED[1]}
    assert not outside
