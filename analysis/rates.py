"""Make rates by contract, call or bid, or by other columns, with the share of passed-out and of contested deals.

A rate is a property of the rules and of the players: every report names both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.auctions import DEFAULT_GROUPS, SHARES, auction_kind, is_clustered, possible_groups
from analysis.columns import MADE, RowColumn, check_columns, row_columns
from analysis.estimates import ClusterSums, Estimate, clustered_rate, rate
from analysis.load import Key, RunData, open_run
from analysis.query import Rows, group_counts, group_sums
from analysis.summary import UNKNOWN_CLUSTERS, rate_sums
from analysis.where import Condition, read_condition
from simcore.columns import CARD_NAMES, ROLE_NAMES, STRAIN_NAMES, UPCARD_CLASS_NAMES
from simcore.places import Place
from simcore.runs import RunResult

TRUTH_SQL = 'CAST("{}" AS TINYINT)'
_NAMES = (STRAIN_NAMES, ROLE_NAMES, CARD_NAMES, UPCARD_CLASS_NAMES)
_NAME_ORDER = {name: place for names in _NAMES for place, name in enumerate(names)}
NO_OTHERS = " (output: summary keeps no other columns)"


@dataclass(frozen=True, slots=True)
class GroupRate:
    """Make rate of one group: values of the grouping columns, contracts made, estimate.

    Beside the bots' rate of an imposed contract there may be that of perfect play for tricks on the same deals, and the
    difference, perfect play less the bots.
    """

    key: Key
    made: int
    rate: Estimate
    perfect: GroupRate | None = None
    difference: Estimate | None = None

    def as_json(self) -> dict[str, Any]:
        """Counts, rate and interval, and what there is beside it."""
        found: dict[str, Any] = {"n": self.rate.n, "made": self.made}
        found |= {"rate": self.rate.estimate, "low": self.rate.low, "high": self.rate.high}
        if self.perfect is not None:
            found["perfect"] = self.perfect.as_json()
        if self.difference is not None:
            found["difference"] = {**self.difference.as_json("difference"), "method": self.difference.method}
        return found


@dataclass(frozen=True, slots=True)
class RatesReport:
    """Make rates of a run.

    Attributes
    ----------
    header : dict
        Variant, bots, seed, unit, counts.
    by : tuple of str
        The grouping columns.
    rows : list of GroupRate
        In bidding order.
    total : GroupRate or None
        Of all contracts; its key is empty. None where contracts were imposed.
    passed_out, contested : Estimate or None
        Shares of all deals; None where contracts were imposed, a condition was given or the auction knows no such thing.
    where : str or None
        The condition that the rows meet.
    """

    header: dict[str, Any]
    by: tuple[str, ...]
    rows: list[GroupRate]
    total: GroupRate | None
    passed_out: Estimate | None
    contested: Estimate | None
    where: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore rates --json``."""
        rows = [{**dict(zip(self.by, row.key, strict=True)), **row.as_json()} for row in self.rows]
        header = self.header if self.where is None else {**self.header, "where": self.where}
        if self.total is None:
            first = self.rows[0].rate
            return {**header, "by": list(self.by), "rows": rows, "n": first.n, "method": first.method}
        return {
            **header,
            "by": list(self.by),
            "rows": rows,
            "n": self.total.rate.n,
            "method": self.total.rate.method,
            "total": {"made": self.total.made, **self.total.rate.as_json("rate")},
            "passed_out": None if self.passed_out is None else self.passed_out.as_json("share"),
            "contested": None if self.contested is None else self.contested.as_json("share"),
        }


def make_rates(run: RunResult | Place | str, by: Sequence[str] | None = None, where: str | None = None) -> RatesReport:
    """Make rates of a run.

    Parameters
    ----------
    run : RunResult, Path or str
        The run or its directory.
    by : sequence of str or None
        Columns of the rows (`analysis.columns_of`): of deals, in games of calls of the calls of all seats; each combination
        of their values is a group. None: the contract, the call, or the bid.
    where : str or None
        Only rows that meet this condition (`analysis.where`).

    Returns
    -------
    RatesReport
        A row a group. Where only parts of the contract, the call or the bid are given, also those of the variant that
        nobody bid, with n = 0; with `where` also the groups of the run in which no row meets it.
    """
    data = open_run(run)
    by = tuple(DEFAULT_GROUPS[auction_kind(data)] if by is None else by)
    columns = row_columns(data)
    check_columns(by, columns, NO_OTHERS if data.summed else "")
    condition = None if where is None else read_where(where, data, columns)
    if data.summed:
        groups, totals, empty = rate_sums(data, by, condition)
    else:
        groups, totals, empty = _sums_of_rows(data, by, condition)
    for key in (*possible_groups(data.rules, by), *empty):
        groups.setdefault(key, ClusterSums())
    clustered = is_clustered(data)
    rows = [
        GroupRate(key, round(groups[key].y), estimate_rate(groups[key], clustered)) for key in sorted(groups, key=bidding_order)
    ]
    shares = {name: estimate_rate(sums, clustered) for name, sums in totals.items()}
    total = GroupRate((), round(totals[MADE].y), shares[MADE])
    return RatesReport(data.header(), by, rows, total, shares.get("passed_out"), shares.get("contested"), where)


def read_where(where: str, data: RunData, columns: dict[str, RowColumn]) -> Condition:
    """Read the condition of a user; of a summary, columns that it does not hold are refused by name."""
    return read_condition(where, columns, known_elsewhere=data.known_columns if data.summed else tuple)


def estimate_rate(sums: ClusterSums, clustered: bool) -> Estimate:
    """The rate that sums of a truth column stand for; without an interval where the sums over matches are unknown."""
    if clustered and math.isnan(sums.nn):
        return Estimate(sums.n, sums.mean, None, None, UNKNOWN_CLUSTERS)
    return clustered_rate(sums) if clustered else rate(round(sums.y), sums.n)


def _sums_of_rows(
    data: RunData, by: tuple[str, ...], where: Condition | None
) -> tuple[dict[Key, ClusterSums], dict[str, ClusterSums], list[Key]]:
    """Sums of what was made by group, of all rows and of the shares of deals; groups without rows that meet the condition."""
    rows = Rows.of_rates(data, where)
    made = {MADE: TRUTH_SQL.format(MADE)}
    shares = SHARES[auction_kind(data)] if where is None else ()
    totals = made | {name: TRUTH_SQL.format(name) for name in shares}
    found = group_sums(rows, {"groups": (by, made), "totals": ((), totals)}, is_clustered(data))
    empty: list[Key] = []
    if where is not None and by and not next(possible_groups(data.rules, by), None):
        everywhere = Rows.of_rates(data, read_condition(f"{MADE} is not null", rows.columns))
        empty = list(group_counts(everywhere, {"all": by})["all"])
    all_rows = {name: sums.get((), ClusterSums()) for name, sums in found["totals"].items()}
    return found["groups"][MADE], all_rows, empty


def bidding_order(key: Key) -> list[tuple[bool, Any]]:
    """Names in their own order (strains in bidding order, cards rising), numbers rising, null last."""
    return [
        (value is None, (_NAME_ORDER.get(value, len(_NAME_ORDER)), value) if isinstance(value, str) else (value or 0, ""))
        for value in key
    ]
