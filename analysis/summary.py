"""Rates and scores of a run that kept sums instead of rows (``output: summary``): the same numbers, from fewer files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analysis.estimates import ClusterSums
from analysis.load import Key, RunData
from simcore.errors import InputError
from simcore.runs import read_parts

if TYPE_CHECKING:
    from analysis.where import Condition

UNKNOWN_CLUSTERS = "no interval: the sums of a summary do not tell it for this condition"
"""Method of a rate whose sums over matches are unknown."""
GROUPS = ("declarer_role", "upcard_class", "strain", "level", "doubling", "contested", "tricks")
"""The columns that sums can be grouped by."""
_TENTHS = 10
_MADE = ("made_0", "made_1", "made_2")
Points = tuple[ClusterSums, Counter[float]]
"""Sums over matches, and how often each value came."""


def _read(data: RunData, table: str) -> pa.Table:
    """A table of all segments; names as text, since they are compared."""
    found = read_parts([data.out / name for name in data.manifest.files(table)])
    plain = [column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column for column in found.columns]
    return pa.table(dict(zip(found.column_names, plain, strict=True)))


def rate_sums(
    data: RunData, by: Sequence[str], where: Condition | None = None
) -> tuple[dict[Key, ClusterSums], dict[str, ClusterSums], list[Key]]:
    """Sums of contracts made by group, and of all deals.

    Parameters
    ----------
    data : RunData
        A run with ``output: summary``.
    by : sequence of str
        Some of `GROUPS`.
    where : Condition or None
        On some of `GROUPS`.

    Returns
    -------
    tuple
        Key to sums of each group; sums of made and, without a condition, of passed_out and contested; groups of the run in
        which nothing meets the condition.

    Raises
    ------
    InputError
        Where several deals of a match may be in a group that the sums over matches do not tell apart.
    """
    cells = _read(data, "cells")
    played = cells.filter(pc.is_valid(cells["level"]))
    pairs = _read(data, "pairs") if data.clustered else None
    if where is not None:
        passing = _passing(data, where)
        groups, empty = _restricted(played, pairs, by, where, passing)
        for key, sums in groups.items():
            if math.isnan(sums.nn):
                raise InputError(_unknown_interval(by, key, where))
        total, _ = _restricted(played, pairs, (), where, passing)
        return groups, {"made": total.get((), ClusterSums())}, empty
    groups = _group(played, pairs, by)
    n_deals, n_played = _sum(cells["n"]), _sum(played["n"])
    contested = _sum(played.filter(played["contested"])["n"])
    shares = {"passed_out": _independent(n_deals, n_deals - n_played), "contested": _independent(n_deals, contested)}
    if data.clustered:
        shares = {name: _moments(data, 1)[name] for name in shares}
    made = _group(played, pairs, ()).get((), ClusterSums())
    return groups, {"made": made, **shares}, []


def cell_counts(data: RunData, names: Sequence[str], where: Condition | None = None) -> dict[Key, int]:
    """Numbers of deals by the values of some columns.

    Parameters
    ----------
    data : RunData
        A run with ``output: summary``.
    names : sequence of str
        Some of `GROUPS`; null in deals that were passed out.
    where : Condition or None
        Which deals.

    Returns
    -------
    dict
        Key to number.
    """
    known = [*names, *(where.columns if where else ())]
    fine = dict(_totals(_read(data, "cells"), tuple(dict.fromkeys(known)), ("n",)))
    passing = None if where is None else _passing(data, where)
    places = {name: place for place, name in enumerate(dict.fromkeys(known))}
    found: dict[Key, int] = {}
    for key, n in fine.items():
        if passing is None or where is None or tuple(key[places[name]] for name in where.columns) in passing:
            short = tuple(key[places[name]] for name in names)
            found[short] = found.get(short, 0) + n
    return found


def _passing(data: RunData, where: Condition) -> set[Key]:
    """Combinations of the columns of a condition that meet it."""
    from analysis.query import Rows, answers, connect

    rows = Rows.of_rates(data, where)
    connection = connect(data)
    names = ", ".join(f'"{name}"' for name in where.columns) or "1"
    files = {"deals": data.manifest.files("cells")}
    found = answers(connection, data, f"SELECT DISTINCT {names} FROM {rows.source(where.columns)}", files)
    connection.close()
    return {key if where.columns else () for key in found}


def _restricted(
    played: pa.Table, pairs: pa.Table | None, by: Sequence[str], where: Condition, passing: set[Key]
) -> tuple[dict[Key, ClusterSums], list[Key]]:
    """Sums of the cells that meet a condition by group, and the groups in which none does.

    Pairs of deals are known by the columns in which both agree. So the sums over matches of a group are known where it is
    all of a group of `by`, or one group of `by` and the columns of the condition; else they are NaN.
    """
    extra = tuple(name for name in where.columns if name not in by)
    names = (*by, *extra)
    places = [names.index(name) for name in where.columns]
    whole, fine = _group(played, pairs, by), _group(played, pairs, names)
    inside: dict[Key, list[ClusterSums]] = {key: [] for key in whole}
    outside = set()
    for key, sums in fine.items():
        if tuple(key[place] for place in places) in passing:
            inside[key[: len(by)]].append(sums)
        else:
            outside.add(key[: len(by)])
    found = {}
    for key, parts in inside.items():
        if parts and key not in outside:
            found[key] = whole[key]
        elif parts:
            total = sum(parts, ClusterSums())
            unknown = pairs is not None and len(parts) > 1
            found[key] = replace(total, nn=math.nan, ny=math.nan, yy=math.nan) if unknown else total
    return found, [key for key in whole if key not in found]


def _unknown_interval(by: Sequence[str], key: Key, where: Condition) -> str:
    missing = [name for name in where.columns if name not in by]
    group = ", ".join(f"{name} {value}" for name, value in zip(by, key, strict=True))
    return (
        f"--where: output: summary does not tell the interval{' of ' + group if group else ''} over several values of "
        f"{', '.join(missing)}; add {', '.join(missing)} to --by, or run with output: rows"
    )


def _sum(column: pa.ChunkedArray) -> int:
    return int(pc.sum(column).as_py() or 0)


def _independent(n: int, y: float, squares: float | None = None) -> ClusterSums:
    """Sums where each row is a cluster of its own; for truth values the squares are the values."""
    squares = float(y) if squares is None else squares
    return ClusterSums(n, float(y), float(n), float(y), squares, squares)


def _group(played: pa.Table, pairs: pa.Table | None, by: Sequence[str]) -> dict[Key, ClusterSums]:
    sums = {key: _independent(n, y) for key, n, y in _totals(played, by, ("n", "made"))}
    if pairs is None:
        return sums
    for name in by:
        pairs = pairs.filter(pc.is_valid(pairs[name]))
    for key, none, one, both in _totals(pairs, by, _MADE):
        # sum over matches of n^2 = n + 2 pairs, of n y = y + (pairs of which one is made) + 2 (of which both are), ...
        more = ClusterSums(0, 0.0, 2.0 * (none + one + both), float(one + 2 * both), 2.0 * both, 0.0)
        sums[key] = sums[key] + more
    return sums


def _totals(table: pa.Table, by: Sequence[str], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    grouped = table.group_by(list(by)).aggregate([(name, "sum") for name in columns])
    keys = [grouped[name].to_pylist() for name in by]
    values = [grouped[f"{name}_sum"].to_pylist() for name in columns]
    rows = range(grouped.num_rows)
    found = [(tuple(column[row] for column in keys), *(column[row] for column in values)) for row in rows]
    return [row for row in found if any(row[1:])]


def _moments(data: RunData, scale: int) -> dict[str, ClusterSums]:
    """Sums over matches by what was added up; values in units of 1 / scale."""
    table = _read(data, "sums")
    found: dict[str, list[int]] = {}
    for what, *numbers in zip(*(table[name].to_pylist() for name in ("what", "n", "y", "nn", "ny", "yy")), strict=True):
        known = found.setdefault(what, [0] * len(numbers))
        for place, number in enumerate(numbers):
            known[place] += int(number)
    return {
        what: ClusterSums(n, y / scale, float(nn), ny / scale, yy / scale**2, 0.0) for what, (n, y, nn, ny, yy) in found.items()
    }


def deal_points(data: RunData) -> dict[str, Points]:
    """Points per deal by seat, by the dealer's role and by declarer's, passed-out deals included but for the last.

    Parameters
    ----------
    data : RunData
        A run with ``output: summary``.

    Returns
    -------
    dict
        Who to sums and values.
    """
    cells = _read(data, "cells")
    n = cells["n"].to_numpy()
    played = pc.is_valid(cells["level"]).to_numpy()
    dealer = cells["dealer"].to_numpy()
    role = pc.equal(cells["declarer_role"], "non_dealer").fill_null(False).to_numpy()
    declarer = dealer ^ role
    # exact tenths again: a cell's points are n times those of a deal
    own, other = (np.rint(cells[f"points_{side}"].to_numpy() / n * _TENTHS) / _TENTHS for side in ("declarer", "opponent"))
    points = {f"seat {seat}": np.where(declarer == seat, own, other) for seat in range(data.players)}
    points |= {"dealer": np.where(role, other, own), "non_dealer": np.where(role, own, other)}
    points |= {"declarer": own, "opponent": other}
    moments = _moments(data, _TENTHS) if data.clustered else {}
    found = {}
    for who, values in points.items():
        where = played if who in ("declarer", "opponent") else np.ones(len(n), bool)
        squares = float((n[where] * values[where] ** 2).sum())
        sums = _independent(int(n[where].sum()), float((n[where] * values[where]).sum()), squares)
        if data.clustered:
            sums = replace(moments[who], squares=squares)
        counts: Counter[float] = Counter()
        for value, times in zip(values[where].tolist(), n[where].tolist(), strict=True):
            counts[value] += times
        found[who] = (sums, counts)
    return found


def match_points(data: RunData) -> dict[str, Points]:
    """Points of whole matches by seat, and the margin."""
    table = _read(data, "totals")
    names = [*(f"seat {seat}" for seat in range(data.players)), "margin"]
    counts: dict[str, Counter[float]] = {name: Counter() for name in names}
    for what, points, n in zip(*(table[name].to_pylist() for name in ("what", "points", "n")), strict=True):
        counts[what][points] += n
    found = {}
    for what, counter in counts.items():
        total = sum(points * n for points, n in counter.items())
        found[what] = (_independent(counter.total(), total, sum(points**2 * n for points, n in counter.items())), counter)
    return found


def match_results(data: RunData) -> Counter[tuple[int, int, int, bool]]:
    """Number of matches by winner (-1: shared), first dealer, number of deals, and whether finished."""
    table = _read(data, "results")
    counts: Counter[tuple[int, int, int, bool]] = Counter()
    names = ("winner", "first_dealer", "deals", "finished", "n")
    for winner, first, deals, finished, n in zip(*(table[name].to_pylist() for name in names), strict=True):
        counts[-1 if winner is None else winner, first, deals, finished] += n
    return counts
