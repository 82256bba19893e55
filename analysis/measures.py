"""What two runs are compared by: make rates, shares, points and match results, as columns of the two tables and as sums.

Of rows, columns of both runs that stand side by side go into counters of pairs (`analysis.paired`); of one run by itself, and
of a run that kept sums, only its own sums are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analysis.aligned import pair_columns
from analysis.auctions import SEAT_GROUPS, SHARES, auction_kind, seat_columns, stack_seats
from analysis.differences import LENGTH, MAKE_RATE, POINTS, SHARE, SHARED, TOTAL, WINS
from analysis.estimates import ClusterSums
from analysis.groups import Key, check_groups, upcard_classes
from analysis.load import RunData
from analysis.paired import GroupCodes, PairCounter, PairSums
from analysis.rates import NO_OTHERS
from analysis.summary import GROUPS, deal_points, match_points, match_results, rate_sums
from simcore.errors import InputError

PAIR = 2
UPCARD, UPCARD_CLASS = "upcard", "upcard_class"
_NOT_GROUPS = ("match", "deal", "made")
Measure = tuple[str, str, Key]
"""Kind, who, and the group of a make rate."""


def check_by(run: RunData, by: tuple[str, ...]) -> None:
    """Refuse grouping columns that a run does not have."""
    if run.summed:
        check_groups(by, GROUPS, (), NO_OTHERS)
        return
    columns = run.columns("deals")
    if auction_kind(run) == "calls":
        check_groups(by, SEAT_GROUPS, columns.names)
        return
    allowed = [f.name for f in columns if f.name not in _NOT_GROUPS and not pa.types.is_floating(f.type)]
    check_groups(by, [*allowed, *([UPCARD_CLASS] if UPCARD in columns.names else [])], columns.names)


@dataclass(slots=True)
class DealCounters:
    """What is counted of deals, as pairs."""

    made: PairCounter
    by_group: PairCounter
    codes: GroupCodes
    shares: dict[str, PairCounter]
    points: dict[str, PairCounter]


def new_counters(run: RunData, by: tuple[str, ...]) -> DealCounters:
    """Empty counters of a run like this one."""
    kind = auction_kind(run)
    whos = [f"seat {seat}" for seat in range(run.players)]
    for roles in _roles(run):
        whos += roles if run.players == PAIR else roles[:1]
    return DealCounters(
        PairCounter(True),
        PairCounter(True),
        GroupCodes(by),
        {name: PairCounter(True) for name in SHARES[kind]},
        {who: PairCounter(False) for who in whos},
    )


def _roles(run: RunData) -> list[tuple[str, str]]:
    """Roles in a deal: the column that names the seat, and how the other of two is called."""
    return [("dealer", "non_dealer")] + ([("declarer", "opponent")] if auction_kind(run) != "calls" else [])


def deal_names(run: RunData, by: tuple[str, ...]) -> list[str]:
    """Columns of deals to read."""
    names = [*pair_columns(run.rules), *SHARES[auction_kind(run)], *(roles[0] for roles in _roles(run))]
    names += [f"points_{seat}" for seat in range(run.players)]
    if auction_kind(run) == "calls":
        names += seat_columns(run.players)
    else:
        names += ["made", *(UPCARD if name == UPCARD_CLASS and UPCARD in run.columns("deals").names else name for name in by)]
    return list(dict.fromkeys(names))


def add_deals(found: DealCounters, run: RunData, one: pa.Table, other: pa.Table, sides: tuple[bool, bool]) -> None:
    """Add deals that stand side by side; `sides`: which of the two tables count."""
    if not one.num_rows:
        return
    match = one["match"].to_numpy()
    numbers = np.cumsum(np.r_[False, match[1:] != match[:-1]])
    cluster = numbers if run.clustered else np.arange(len(match))
    tables = (one, other)
    for name, counter in found.shares.items():
        add_column(counter, cluster, [rows[name].to_numpy() for rows in tables], sides)
    points = [np.column_stack([rows[f"points_{seat}"].to_numpy() for seat in range(run.players)]) for rows in tables]
    for seat in range(run.players):
        add_column(found.points[f"seat {seat}"], cluster, [values[:, seat] for values in points], sides)
    for column, rest in _roles(run):
        holders = [rows[column].fill_null(-1).to_numpy() for rows in tables]
        own = [values[np.arange(len(values)), holder] for values, holder in zip(points, holders, strict=True)]
        add_column(found.points[column], cluster, own, sides, holders)
        if run.players == PAIR:
            theirs = [values[np.arange(len(values)), 1 - abs(holder)] for values, holder in zip(points, holders, strict=True)]
            add_column(found.points[rest], cluster, theirs, sides, holders)
    if auction_kind(run) == "calls":
        tables = (stack_seats(one, run.rules), stack_seats(other, run.rules))
        cluster = np.repeat(numbers, run.players)
    if UPCARD_CLASS in found.codes.by:
        tables = tuple(rows.append_column(UPCARD_CLASS, upcard_classes(rows[UPCARD])) for rows in tables)
    played = [pc.is_valid(rows["made"]).to_numpy() for rows in tables]
    made = [rows["made"].fill_null(False).to_numpy() for rows in tables]
    add_column(found.made, cluster, made, sides, [np.where(there, 0, -1) for there in played])
    if found.codes.by:
        try:
            codes = [found.codes.codes(rows) for rows in tables]
        except ValueError as error:
            raise InputError(str(error)) from None
        groups = [np.where(there, code, -1) for there, code in zip(played, codes, strict=True)]
        add_column(found.by_group, cluster, made, sides, groups)


def add_column(
    counter: PairCounter, cluster: Any, values: Sequence[Any], sides: tuple[bool, bool], groups: Sequence[Any] | None = None
) -> None:
    """Add a column of both tables; rows of groups below 0 do not count."""
    nowhere = np.full(len(cluster), -1)
    if groups is None:
        codes = [np.zeros(len(cluster), np.int64)] * PAIR
    elif counter.truth:
        codes = [np.asarray(group, np.int64) for group in groups]
    else:  # holders of a role: all that there are make one group
        codes = [np.where(np.asarray(group) >= 0, 0, -1) for group in groups]
    shown = [code if side else nowhere for code, side in zip(codes, sides, strict=True)]
    y = [np.asarray(column, np.float64) for column in values]
    counter.add(cluster, shown[0], y[0], shown[1], y[1])


def match_names(run: RunData) -> list[str]:
    """Columns of matches to read."""
    return ["match", "winner", "deals", *(f"total_{seat}" for seat in range(run.players))]


def match_keys(players: int) -> list[tuple[str, str]]:
    """What matches are compared by: kind and who."""
    seats = [f"seat {seat}" for seat in range(players)]
    return [*((WINS, seat) for seat in (*seats, SHARED)), *((TOTAL, seat) for seat in seats), (LENGTH, "match")]


def match_values(rows: pa.Table, players: int) -> dict[tuple[str, str], Any]:
    """Numbers of matches by `match_keys`."""
    winner = rows["winner"].fill_null(-1).to_numpy()
    found: dict[tuple[str, str], Any] = {(WINS, f"seat {seat}"): winner == seat for seat in range(players)}
    found |= {(WINS, SHARED): winner < 0, (LENGTH, "match"): rows["deals"].to_numpy()}
    return found | {(TOTAL, f"seat {seat}"): rows[f"total_{seat}"].to_numpy() for seat in range(players)}


def pair_sums(found: DealCounters, paired: bool) -> dict[Measure, PairSums]:
    """Sums by what they are about."""
    sums: dict[Measure, PairSums] = {(MAKE_RATE, "", ()): found.made.sums(0, paired)}
    for key, code in found.codes.keys(sorted(found.by_group.found)):
        sums[MAKE_RATE, "", key] = found.by_group.sums(code, paired)
    sums |= {(SHARE, name, ()): counter.sums(0, paired) for name, counter in found.shares.items()}
    return sums | {(POINTS, who, ()): counter.sums(0, paired) for who, counter in found.points.items()}


@dataclass(slots=True)
class OwnSums:
    """Sums of one run by itself."""

    of_deals: dict[Measure, ClusterSums] = field(default_factory=dict)
    of_matches: dict[tuple[str, str], ClusterSums] = field(default_factory=dict)


def own_sums(run: RunData, by: tuple[str, ...]) -> OwnSums:
    """Sums of one run by itself, of rows or of a summary."""
    if run.summed:
        return _sums_of_summary(run, by)
    found = new_counters(run, by)
    for rows in run.pieces("deals", deal_names(run, by)):
        add_deals(found, run, rows, rows, (True, False))
    own = OwnSums({key: sums.a for key, sums in pair_sums(found, False).items()})
    if run.clustered:
        counters = {key: PairCounter(key[0] == WINS) for key in match_keys(run.players)}
        for rows in run.pieces("matches", match_names(run)):
            values = match_values(rows, run.players)
            for key, counter in counters.items():
                add_column(counter, np.arange(rows.num_rows), [values[key]] * PAIR, (True, False))
        own.of_matches = {key: counter.sums(0, False).a for key, counter in counters.items()}
    return own


def _sums_of_summary(run: RunData, by: tuple[str, ...]) -> OwnSums:
    groups, totals, _ = rate_sums(run, by)
    own = OwnSums({(MAKE_RATE, "", ()): totals["made"]})
    own.of_deals |= {(MAKE_RATE, "", key): sums for key, sums in groups.items() if by}
    own.of_deals |= {(SHARE, name, ()): sums for name, sums in totals.items() if name != "made"}
    own.of_deals |= {(POINTS, who, ()): sums for who, (sums, _) in deal_points(run).items()}
    if run.clustered:
        own.of_matches = dict(_matches_of_summary(run))
    return own


def _matches_of_summary(run: RunData) -> Iterator[tuple[tuple[str, str], ClusterSums]]:
    wins: Counter[int] = Counter()
    lengths: Counter[int] = Counter()
    for (winner, _, deals, _), times in match_results(run).items():
        wins[winner] += times
        lengths[deals] += times
    totals = match_points(run)
    for kind, who in match_keys(run.players):
        if kind == WINS:
            won, n = wins[-1 if who == SHARED else int(who.split()[1])], wins.total()
            yield (kind, who), ClusterSums(n, float(won), float(n), float(won), float(won), float(won))
        elif kind == TOTAL:
            yield (kind, who), totals[who][0]
        else:
            n, y = lengths.total(), float(sum(deals * times for deals, times in lengths.items()))
            squares = float(sum(deals**2 * times for deals, times in lengths.items()))
            yield (kind, who), ClusterSums(n, y, float(n), y, squares, squares)
