"""Score distributions: points per deal by seat and role, match totals, margins, and who wins matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.auctions import SHARES, auction_kind
from analysis.columns import check_columns, deal_row_columns
from analysis.estimates import MEAN, MEAN_CLUSTERED, ClusterSums, Estimate, clustered_mean, rate
from analysis.load import Key, RunData, open_run
from analysis.match_results import Results, match_results_of_rows
from analysis.query import Rows, group_counts, group_sums
from analysis.rates import TRUTH_SQL, bidding_order, estimate_rate
from analysis.summary import Points, deal_points, match_points, match_results, rate_sums
from analysis.where import read_condition
from simcore.errors import InputError
from simcore.places import Place
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
_TENTHS = 10


@dataclass(slots=True)
class Distribution:
    """Distribution of points; quantiles are exact, since points take few values and each is counted."""

    sums: ClusterSums = field(default_factory=ClusterSums)
    counts: Counter[float] = field(default_factory=Counter)

    @classmethod
    def of_counts(cls, counts: Counter[float]) -> Distribution:
        """Of values that are independent of each other."""
        n, y = counts.total(), float(sum(value * times for value, times in counts.items()))
        squares = float(sum(value * value * times for value, times in counts.items()))
        return cls(ClusterSums(n, y, float(n), y, squares, squares), counts)

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
class GroupScores:
    """Points per deal of one group of deals: values of the grouping columns, and a summary by who."""

    key: Key
    deals: dict[str, Summary]


@dataclass(frozen=True, slots=True)
class ScoresReport:
    """Score distributions of a run; the parts on matches are empty under ``unit: deal`` and with a condition on deals.

    `lengths` is the number of matches by number of deals; `unfinished` the share of matches that ended at the cap on their
    deals, where there is one; `shares` of all deals are passed_out and contested; `notes` say what to beware of. `groups` are
    those of the columns `by`; `where` is the condition that the deals meet.
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
    by: tuple[str, ...] = ()
    groups: tuple[GroupScores, ...] = ()
    where: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore scores --json``."""
        wins = [
            {"seat": win.seat, "first_dealer": win.first_dealer, "won": win.won, **win.rate.as_json("rate")}
            for win in self.wins
        ]
        asked: dict[str, Any] = {} if self.where is None else {"where": self.where}
        if self.by:
            rows = [
                {**dict(zip(self.by, group.key, strict=True)), "who": who, **summary.as_json()}
                for group in self.groups
                for who, summary in group.deals.items()
            ]
            asked |= {"by": list(self.by), "rows": rows}
        return {
            **self.header,
            **asked,
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


def score_summary(run: RunResult | Place | str, by: Sequence[str] = (), where: str | None = None) -> ScoresReport:
    """Score distributions of a run.

    Parameters
    ----------
    run : RunResult, Path or str
        The run or its directory.
    by : sequence of str
        Columns of deals; points per deal are also given for each combination of their values.
    where : str or None
        Only deals that meet this condition; results of whole matches are then left out.

    Returns
    -------
    ScoresReport
        Points per deal (passed-out deals included, with 0) by seat, by the dealer's role and by declarer's; match
        totals by seat, the margin between the two highest, and win rates.

    Raises
    ------
    InputError
        For columns that the run does not have.
    """
    data = open_run(run)
    groups: tuple[GroupScores, ...] = ()
    if data.summed:
        _refuse_groups(by, where)
        deals, sums = _from_sums(deal_points(data)), rate_sums(data, ())[1]
    else:
        found, sums = deal_distributions(data, by, where)
        deals = found.pop((), {})
        ordered = sorted((key for key in found if by), key=bidding_order)
        groups = tuple(GroupScores(key, _summaries(found[key], data)) for key in ordered)
    shares = {name: estimate_rate(sums[name], data.clustered) for name in SHARES[auction_kind(data)] if where is None}
    n_deals = deals["seat 0"].sums.n if where is not None else data.manifest.deals
    n_units = data.manifest.matches if data.clustered and where is None else n_deals // _DEALS_A_MATCH
    notes = [FEW_NOTE.format(n_deals)] if n_units < FEW else []
    method = {"points_per_deal": MEAN_CLUSTERED if data.clustered else MEAN}
    asked = (tuple(by), groups, where)
    summaries = _summaries(deals, data)
    if not data.clustered or where is not None:
        return ScoresReport(data.header(), summaries, {}, [], None, None, {}, shares, notes, method, *asked)
    method.update(match_totals=MEAN, wins="Wilson")
    totals, results = match_distributions(data)
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
    return ScoresReport(data.header(), summaries, match_totals, *ends, shares, notes, method, *asked)


def _refuse_groups(by: Sequence[str], where: str | None) -> None:
    """A summary knows the sums over matches of points as a whole only."""
    for option, given in (("--by", ",".join(by)), ("--where", where)):
        if given:
            raise InputError(f"{option} {given}: output: summary keeps no points of groups of deals; run with output: rows")


def _summaries(deals: dict[str, Distribution], data: RunData) -> dict[str, Summary]:
    return {who: found.summary(data.clustered) for who, found in deals.items()}


def _from_sums(points: dict[str, Points]) -> dict[str, Distribution]:
    return {who: Distribution(sums, counts) for who, (sums, counts) in points.items()}


def point_columns(data: RunData) -> dict[str, str]:
    """Whose points a deal has, and the column of rows that holds them."""
    found = {f"seat {seat}": f"points_{seat}" for seat in range(data.players)}
    holders = [("dealer", "non_dealer")] + ([("declarer", "opponent")] if auction_kind(data) != "calls" else [])
    return found | {who: f"points_{who}" for roles in holders for who in (roles if data.players == PAIR else roles[:1])}


def deal_distributions(
    data: RunData, by: Sequence[str] = (), where: str | None = None
) -> tuple[dict[Key, dict[str, Distribution]], dict[str, ClusterSums]]:
    """Distributions of points per deal, and sums of the truth columns whose shares are reported.

    Parameters
    ----------
    data : RunData
        A run with rows.
    by : sequence of str
        Grouping columns.
    where : str or None
        Which deals.

    Returns
    -------
    tuple
        For each group, and under ``()`` for all deals, distributions by who; sums by column.
    """
    columns = deal_row_columns(data)
    check_columns(by, columns)
    rows = Rows.of_deals(data, None if where is None else read_condition(where, columns))
    points = point_columns(data)
    values = {column: f'ROUND("{column}" * {_TENTHS})' for column in points.values()}
    known = {name: TRUTH_SQL.format(name) for name in SHARES[auction_kind(data)]}
    asked = {"all": ((), values | known)} | ({"groups": (by, values)} if by else {})
    found = group_sums(rows, asked, data.clustered)
    result = _counted(rows, by, data)
    for key, deals in result.items():
        for who, column in points.items():
            sums = found["all" if key == () else "groups"][column].get(key, ClusterSums())
            deals[who].sums = _in_points(sums, deals[who].sums.squares)
    return result, {name: found["all"][name].get((), ClusterSums()) for name in known}


def _in_points(sums: ClusterSums, squares: float) -> ClusterSums:
    """Sums of points from sums of tenths; the sum of squares is that of points."""
    return ClusterSums(sums.n, sums.y / _TENTHS, sums.nn, sums.ny / _TENTHS, sums.yy / _TENTHS**2, squares)


def _counted(rows: Rows, by: Sequence[str], data: RunData) -> dict[Key, dict[str, Distribution]]:
    """How often each number of points comes, by group, under ``()`` of all deals, and by who."""
    points = point_columns(data)
    counts: dict[Key, dict[str, Counter[float]]] = {(): {who: Counter() for who in points}}
    if data.players == PAIR:  # one count tells all: whose points these are follows from dealer and declarer
        names = ["points_0", "points_1", *(name for name in ("dealer", "declarer") if f"points_{name}" in points.values())]
        for key, n in group_counts(rows, {"all": (*by, *names)})["all"].items():
            found = dict(zip(names, key[len(by) :], strict=True))
            for group in {(), key[: len(by)]}:
                known = counts.setdefault(group, {who: Counter() for who in points})
                for who, value in _of_pair(found).items():
                    known[who][value] += n
    else:
        for who, column in points.items():
            for key, n in group_counts(rows, {"all": (*by, column)})["all"].items():
                if key[-1] is not None:
                    for group in {(), key[:-1]}:
                        counts.setdefault(group, {other: Counter() for other in points})[who][key[-1]] += n
    return {key: {who: Distribution.of_counts(one) for who, one in by_who.items()} for key, by_who in counts.items()}


def _of_pair(found: dict[str, Any]) -> dict[str, float]:
    """Points of a deal of two by who."""
    points = (found["points_0"], found["points_1"])
    who = {"seat 0": points[0], "seat 1": points[1]}
    for roles in (("dealer", "non_dealer"), ("declarer", "opponent")):
        holder = found.get(roles[0])
        if holder is not None:
            who |= {roles[0]: points[holder], roles[1]: points[1 - holder]}
    return who


def match_distributions(data: RunData) -> tuple[dict[str, Distribution], Results]:
    """Distributions of match totals by seat and of the margin; numbers of matches by how they ended."""
    if data.summed:
        return _from_sums(match_points(data)), match_results(data)
    totals, results = match_results_of_rows(data)
    return {what: Distribution.of_counts(counts) for what, counts in totals.items()}, results


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


def _win_rate(seat: int, first_dealer: int | None, won: int, n: int) -> WinRate:
    return WinRate(seat, first_dealer, won, rate(won, n))
