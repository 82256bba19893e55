"""Make rates by contract, call or bid, or by other columns, with the share of passed-out and of contested deals.

A rate is a property of the rules and of the players: every report names both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from analysis.auctions import (
    DEFAULT_GROUPS,
    SEAT_GROUPS,
    SHARES,
    auction_kind,
    is_clustered,
    possible_groups,
    seat_columns,
    stack_seats,
)
from analysis.estimates import ClusterSums, Estimate
from analysis.groups import Key, check_groups, estimate_rate, group_sums, upcard_classes
from analysis.load import RunData, open_run
from analysis.summary import rate_sums
from simcore.columns import CARD_NAMES, ROLE_NAMES, STRAIN_NAMES, UPCARD_CLASS_NAMES
from simcore.runs import RunResult

MADE = "made"
UPCARD, UPCARD_CLASS = "upcard", "upcard_class"
_NOT_GROUPS = ("match", "deal", "made")
_NAMES = (STRAIN_NAMES, ROLE_NAMES, CARD_NAMES, UPCARD_CLASS_NAMES)
_NAME_ORDER = {name: place for names in _NAMES for place, name in enumerate(names)}


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
        Shares of all deals; None where contracts were imposed or the auction knows no such thing.
    """

    header: dict[str, Any]
    by: tuple[str, ...]
    rows: list[GroupRate]
    total: GroupRate | None
    passed_out: Estimate | None
    contested: Estimate | None

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore rates --json``."""
        rows = [{**dict(zip(self.by, row.key, strict=True)), **row.as_json()} for row in self.rows]
        if self.total is None:
            first = self.rows[0].rate
            return {**self.header, "by": list(self.by), "rows": rows, "n": first.n, "method": first.method}
        return {
            **self.header,
            "by": list(self.by),
            "rows": rows,
            "n": self.total.rate.n,
            "method": self.total.rate.method,
            "total": {"made": self.total.made, **self.total.rate.as_json("rate")},
            "passed_out": None if self.passed_out is None else self.passed_out.as_json("share"),
            "contested": None if self.contested is None else self.contested.as_json("share"),
        }


def make_rates(run: RunResult | Path | str, by: Sequence[str] | None = None) -> RatesReport:
    """Make rates of a run.

    Parameters
    ----------
    run : RunResult, Path or str
        The run or its directory.
    by : sequence of str or None
        Columns of the deals table, in games of calls `analysis.auctions.SEAT_GROUPS`; each combination of their values is a
        group. None: the contract, the call, or the bid.

    Returns
    -------
    RatesReport
        A row a group. Where only parts of the contract, the call or the bid are given, also those of the variant that
        nobody bid, with n = 0.
    """
    data = open_run(run)
    by = tuple(DEFAULT_GROUPS[auction_kind(data)] if by is None else by)
    clustered = is_clustered(data)
    if data.summed:
        groups, totals = rate_sums(data, by)
    elif auction_kind(data) == "calls":
        groups, totals = _sums_of_calls(data, by)
    else:
        groups, totals = _sums_of_rows(data, by)
    for key in possible_groups(data.rules, by):
        groups.setdefault(key, ClusterSums())
    rows = [
        GroupRate(key, round(groups[key].y), estimate_rate(groups[key], clustered))
        for key in sorted(groups, key=bidding_order)
    ]
    shares = {name: estimate_rate(sums, clustered) for name, sums in totals.items()}
    total = GroupRate((), round(totals[MADE].y), shares[MADE])
    return RatesReport(data.header(), by, rows, total, shares.get("passed_out"), shares.get("contested"))


def _sums_of_calls(data: RunData, by: tuple[str, ...]) -> tuple[dict[Key, ClusterSums], dict[str, ClusterSums]]:
    """Sums of calls made by group, and of all calls."""
    check_groups(by, SEAT_GROUPS, data.columns("deals").names)
    groups: dict[Key, ClusterSums] = {}
    total = ClusterSums()
    for piece in data.pieces("deals", seat_columns(data.players)):
        calls = stack_seats(piece, data.rules)
        total += group_sums(calls, (), MADE, True).get((), ClusterSums())
        for key, sums in group_sums(calls, by, MADE, True).items():
            groups[key] = groups.get(key, ClusterSums()) + sums
    return groups, {MADE: total}


def _sums_of_rows(data: RunData, by: tuple[str, ...]) -> tuple[dict[Key, ClusterSums], dict[str, ClusterSums]]:
    """Sums of contracts made by group, and of all deals."""
    columns = data.columns("deals").names
    _check_columns(data, by)
    groups: dict[Key, ClusterSums] = {}
    totals = {name: ClusterSums() for name in (MADE, *SHARES[auction_kind(data)])}
    wanted = [UPCARD if name == UPCARD_CLASS and UPCARD in columns else name for name in by]
    for piece in data.pieces("deals", list(dict.fromkeys(["match", *totals, *wanted]))):
        if UPCARD_CLASS in by:
            piece = piece.append_column(UPCARD_CLASS, upcard_classes(piece[UPCARD]))
        for name in totals:
            totals[name] += group_sums(piece, (), name, data.clustered).get((), ClusterSums())
        for key, sums in group_sums(piece, by, MADE, data.clustered).items():
            groups[key] = groups.get(key, ClusterSums()) + sums
    return groups, totals


def bidding_order(key: Key) -> list[tuple[bool, Any]]:
    """Names in their own order (strains in bidding order, cards rising), numbers rising, null last."""
    return [(value is None, _NAME_ORDER.get(value, 0) if isinstance(value, str) else value or 0) for value in key]


def _check_columns(data: RunData, by: Sequence[str]) -> None:
    schema = data.columns("deals")
    allowed = [f.name for f in schema if f.name not in _NOT_GROUPS and not pa.types.is_floating(f.type)]
    if UPCARD in schema.names:
        allowed.append(UPCARD_CLASS)
    check_groups(by, allowed, schema.names)
