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

import numpy as np
import pytest

import simcore
from analysis import Estimate, make_rates, score_summary
from analysis.estimates import ClusterSums, clustered_rate
from simcore.batch import play_chunk, prepare
from simcore.config import load_bot, load_variant

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


@pytest.mark.long
def test_stopping_at_a_width_keeps_the_coverage() -> None:
    """A run that stops at a half-width looks after so many matches, then twice as many, and so on, as `until` does.

    The width is one that about half of the runs reach at the second look.
    """
    setup = prepare(load_variant("bridgette"), [load_bot(bot) for bot in BOTS[:1]], TRUTH_SEED, "match")
    looks, width, longest = (500, 1000, 2000), 0.01264, 2000
    stopped: list[Estimate] = []
    stops: Counter[int] = Counter()
    n_all, y_all = 0, 0.0
    for replication in range(REPLICATIONS):
        chunk = play_chunk(setup, replication * longest, longest, names=("match", "made")).deals
        played = chunk["made"] >= 0
        match = chunk["match"][played] - replication * longest
        n = np.bincount(match, minlength=longest).astype(float)
        y = np.bincount(match, weights=chunk["made"][played], minlength=longest)
        n_all, y_all = n_all + int(n.sum()), y_all + y.sum()
        for look in looks:
            own_n, own_y = n[:look], y[:look]
            total = own_y.sum()
            found = clustered_rate(ClusterSums(int(own_n.sum()), total, own_n @ own_n, own_n @ own_y, own_y @ own_y, total))
            if (found.high - found.low) / 2 <= width:
                break
        stops[look] += 1
        stopped.append(found)
    truth = y_all / n_all
    covered = sum(one.low <= truth <= one.high for one in stopped) / REPLICATIONS
    print(f" {covered:.2%}  make rate of all, stopped at a half-width of {width}; stops {dict(stops)}")
    assert min(stops[1000], stops[2000]) > 0.2 * REPLICATIONS
    assert ALLOWED[0] <= covered <= ALLOWED[1]
