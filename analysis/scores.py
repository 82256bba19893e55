"""Score distributions: points per deal by seat and role, match totals, margins, and who wins matches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analysis.auctions import SHARES, auction_kind
from analysis.estimates import MEAN, MEAN_CLUSTERED, ClusterSums, Estimate, clustered_mean, rate
from analysis.groups import estimate_rate, group_sums, match_starts, value_sums
from analysis.load import RunData, open_run
from analysis.summary import Points, deal_points, match_points, match_results, rate_sums
from simcore.runs import RunResult

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Reported quantiles."""
FEW = 500
"""Matches (of independent deals: six times as many) up to which intervals of mean points are known to be too narrow."""
_DEALS_A_MATCH = 6
FEW_NOTE = (
    "only {:,} deals: few results are worth very much, so with so few deals intervals of mean points "
    "hold the truth less often than 95 times in a hundred (about 92 times with 900 deals)"
)
PAIR = 2
"""Seats of a game in which each seat has one opponent."""
Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class Distribution:
    """Distribution of points, gathered piece by piece; quantiles are exact, since points take few values."""

    sums: ClusterSums = field(default_factory=ClusterSums)
    counts: Counter[float] = field(default_factory=Counter)

    def add(self, values: Floats, starts: npt.NDArray[np.intp] | None) -> None:
        """Add rows in match order; `starts` as in `value_sums`."""
        self.sums += value_sums(values, starts)
        found, times = np.unique(values, return_counts=True)
        self.counts.update(dict(zip(found.tolist(), times.tolist(), strict=True)))

    def quantile(self, share: float) -> float | None:
        """Smallest value that at least `share` of all rows do not exceed."""
        wanted, seen = share * self.sums.n, 0
        for value in sorted(self.counts):
            seen += self.counts[value]
            if seen >= wanted:
                return value
        return None

    def summary(self, clustered: bool) -> Summary:
        """Mean with interval, standard deviation and quantiles."""
        return Summary(
            clustered_mean(self.sums, MEAN_CLUSTERED if clustered else MEAN),
            self.sums.sd,
            {share: self.quantile(share) for share in QUANTILES},
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean, standard deviation and quantiles of points."""

    mean: Estimate
    sd: float | None
    quantiles: dict[float, float | None]

    def as_json(self) -> dict[str, Any]:
        """Form for ``--json``; quantiles by percent."""
        return {
            **self.mean.as_json("mean"),
            "sd": self.sd,
            "quantiles": {f"{100 * share:g}": value for share, value in self.quantiles.items()},
        }


@dataclass(frozen=True, slots=True)
class WinRate:
    """How often a seat wins matches; among those in which `first_dealer` dealt first, where given."""

    seat: int
    first_dealer: int | None
    won: int
    rate: Estimate


@dataclass(frozen=True, slots=True)
class ScoresReport:
    """Score distributions of a run; the parts on matches are empty under ``unit: deal``.

    `lengths` is the number of matches by number of deals; `unfinished` the share of matches that ended at the cap on their
    deals, where there is one; `shares` of all deals are passed_out and contested; `notes` say what to beware of.
    """

    header: dict[str, Any]
    deals: dict[str, Summary]
    totals: dict[str, Summary]
    wins: list[WinRate]
    drawn: Estimate | None
    unfinished: Estimate | None
    lengths: dict[int, int]
    shares: dict[str, Estimate]
    notes: list[str]
    method: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore scores --json``."""
        wins = [
            {"seat": win.seat, "first_dealer": win.first_dealer, "won": win.won, **win.rate.as_json("rate")}
            for win in self.wins
        ]
        return {
            **self.header,
            "points_per_deal": [{"who": who, **summary.as_json()} for who, summary in self.deals.items()],
            "match_totals": [{"what": what, **summary.as_json()} for what, summary in self.totals.items()],
            "wins": wins,
            "drawn": None if self.drawn is None else self.drawn.as_json("share"),
            "unfinished": None if self.unfinished is None else self.unfinished.as_json("share"),
            "match_deals": [{"deals": deals, "matches": matches} for deals, matches in self.lengths.items()],
            **{name: share.as_json("share") for name, share in self.shares.items()},
            "notes": self.notes,
            "method": self.method,
        }


def score_summary(run: RunResult | Path | str) -> ScoresReport:
    """Score distributions of a run.

    Parameters
    ----------
    run : RunResult, Path or str
        The run or its directory.

    Returns
    -------
    ScoresReport
        Points per deal (passed-out deals included, with 0) by seat, by the dealer's role and by declarer's; match
        totals by seat, the margin between the two highest, and win rates.
    """
    data = open_run(run)
    if data.summed:
        deals, sums = _from_sums(deal_points(data)), rate_sums(data, ())[1]
    else:
        deals, sums = _deal_points(data)
    shares = {name: estimate_rate(sums[name], data.clustered) for name in SHARES[auction_kind(data)]}
    n_units = data.manifest.matches if data.clustered else data.manifest.deals // _DEALS_A_MATCH
    notes = [FEW_NOTE.format(data.manifest.deals)] if n_units < FEW else []
    method = {"points_per_deal": MEAN_CLUSTERED if data.clustered else MEAN}
    summaries = {who: found.summary(data.clustered) for who, found in deals.items()}
    if not data.clustered:
        return ScoresReport(data.header(), summaries, {}, [], None, None, {}, shares, notes, method)
    method.update(match_totals=MEAN, wins="Wilson")
    totals, results = (_from_sums(match_points(data)), match_results(data)) if data.summed else _match_results(data)
    wins, drawn = _win_rates(results, range(data.players))
    lengths: Counter[int] = Counter()
    capped = 0
    for (_, _, n_deals, finished), times in results.items():
        lengths[n_deals] += times
        capped += 0 if finished else times
    unfinished = None if data.rules["match"]["max_deals"] is None else rate(capped, lengths.total())
    match_totals = {what: found.summary(False) for what, found in totals.items()}
    deals_of_matches = dict(sorted(lengths.items()))
    ends = (wins, drawn, unfinished, deals_of_matches)
    return ScoresReport(data.header(), summaries, match_totals, *ends, shares, notes, method)


def _from_sums(points: dict[str, Points]) -> dict[str, Distribution]:
    return {who: Distribution(sums, counts) for who, (sums, counts) in points.items()}


def _deal_points(data: RunData) -> tuple[dict[str, Distribution], dict[str, ClusterSums]]:
    """Points by who, and sums of the truth columns whose shares are reported."""
    seats, known = range(data.players), SHARES[auction_kind(data)]
    names = [f"points_{seat}" for seat in seats]
    found = {f"seat {seat}": Distribution() for seat in seats}
    holders = [("dealer", "non_dealer")] + ([("declarer", "opponent")] if auction_kind(data) != "calls" else [])
    found |= {who: Distribution() for roles in holders for who in (roles if len(seats) == PAIR else roles[:1])}
    shares = {name: ClusterSums() for name in known}
    for piece in data.pieces("deals", ["match", *(roles[0] for roles in holders), *known, *names]):
        for name in shares:
            shares[name] += group_sums(piece, (), name, data.clustered).get((), ClusterSums())
        points = np.column_stack([piece[name].to_numpy() for name in names])
        match = piece["match"].to_numpy()
        starts = match_starts(match) if data.clustered else None
        for seat in seats:
            found[f"seat {seat}"].add(np.ascontiguousarray(points[:, seat]), starts)
        for roles in holders:
            holder = piece[roles[0]].fill_null(-1).to_numpy()
            played = holder >= 0
            starts = match_starts(match[played]) if data.clustered else None
            _add_by_role(found, roles, points[played], holder[played], starts)
    return found, shares


def _add_by_role(
    found: dict[str, Distribution],
    roles: tuple[str, str],
    points: Floats,
    holder: npt.NDArray[Any],
    starts: npt.NDArray[np.intp] | None,
) -> None:
    """Add the points of the seat that has a role, and of its opponent in a game of two."""
    own = points[np.arange(len(points)), holder]
    found[roles[0]].add(own, starts)
    if points.shape[1] == PAIR:
        found[roles[1]].add(points[np.arange(len(points)), 1 - holder], starts)


def _match_results(data: RunData) -> tuple[dict[str, Distribution], Counter[tuple[int, int, int, bool]]]:
    """Totals, and the number of matches by winner (-1: shared), first dealer, number of deals, and whether finished."""
    seats = range(data.players)
    names = [f"total_{seat}" for seat in seats]
    totals = {f"seat {seat}": Distribution() for seat in seats} | {"margin": Distribution()}
    results: Counter[tuple[int, int, int, bool]] = Counter()
    wanted = ["winner", "deals", "finished", *names]
    pieces = zip(data.pieces("deals", ["deal", "dealer"]), data.pieces("matches", wanted), strict=True)
    for deals, matches in pieces:
        points = np.column_stack([matches[name].to_numpy() for name in names])
        for seat in seats:
            totals[f"seat {seat}"].add(np.ascontiguousarray(points[:, seat]), None)
        highest = np.sort(points, axis=1)
        totals["margin"].add(highest[:, -1] - highest[:, -2], None)
        winner = matches["winner"].fill_null(-1).to_numpy()
        first = first_dealers(deals)
        ends = (matches["deals"].to_pylist(), matches["finished"].to_pylist())
        results.update(zip(winner.tolist(), first.tolist(), *ends, strict=True))
    return totals, results


def _win_rates(results: Counter[tuple[int, int, int, bool]], seats: range) -> tuple[list[WinRate], Estimate]:
    """Win rates by seat, over all matches and by who dealt first; share of drawn matches."""
    wins: Counter[tuple[int, int]] = Counter()
    dealt: Counter[int] = Counter()
    for (winner, first, _, _), times in results.items():
        wins[winner, first] += times
        dealt[first] += times
    n = dealt.total()
    rates = [_win_rate(seat, None, sum(wins[seat, d] for d in seats), n) for seat in seats]
    rates += [_win_rate(seat, d, wins[seat, d], dealt[d]) for seat in seats for d in seats]
    return rates, rate(sum(times for (winner, _), times in wins.items() if winner < 0), n)


def first_dealers(deals: pa.Table) -> npt.NDArray[Any]:
    """Seat that dealt the first deal of each match, in match order."""
    dealer: npt.NDArray[Any] = deals["dealer"].to_numpy()[deals["deal"].to_numpy() == 0]
    return dealer


def _win_rate(seat: int, first_dealer: int | None, won: int, n: int) -> WinRate:
    return WinRate(seat, first_dealer, won, rate(won, n))
