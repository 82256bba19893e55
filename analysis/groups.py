"""Sums by group and by match, made in Arrow, so that large runs need little memory."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analysis.estimates import ClusterSums, Estimate, clustered_rate, rate
from simcore.columns import UPCARD_CLASS_NAMES
from simcore.errors import InputError

Key = tuple[Any, ...]
_SUMS = ("n", "y", "nn", "ny", "yy", "squares")


def group_sums(rows: pa.Table, by: Sequence[str], value: str, clustered: bool) -> dict[Key, ClusterSums]:
    """Sums of a column that is true or false, by group.

    Parameters
    ----------
    rows : pyarrow.Table
        Whole matches in match order; rows in which `value` is null are left out.
    by : sequence of str
        The grouping columns; may be empty.
    value : str
        A truth column.
    clustered : bool
        Whether the rows of a match are a cluster; else each row is its own.

    Returns
    -------
    dict
        Key (a tuple of values of `by`) to sums.
    """
    if not by:
        valid = rows.filter(pc.is_valid(rows[value]))
        starts = match_starts(valid["match"].to_numpy()) if clustered else None
        sums = value_sums(valid[value].cast(pa.float64()).to_numpy(), starts)
        return {(): sums} if sums.n else {}
    names = [*by, "match"] if clustered else list(by)
    keys = {name: _plain(rows[name]) for name in names}
    table = pa.table({**keys, "y": rows[value].cast(pa.int64())}).filter(pc.is_valid(rows[value]))
    if not clustered:
        # Each row is a cluster with n = 1 and y = 0 or 1, so all sums are one of two numbers.
        grouped = table.group_by(names).aggregate([("y", "count"), ("y", "sum")])
        return {
            key: ClusterSums(n, float(y), float(n), float(y), float(y), float(y))
            for key, n, y in _records(grouped, by, ("y_count", "y_sum"))
            if n
        }
    matches = table.group_by(names).aggregate([("y", "count"), ("y", "sum")])
    n, y = matches["y_count"], matches["y_sum"]
    products = {"n": n, "y": y, "nn": pc.multiply(n, n), "ny": pc.multiply(n, y), "yy": pc.multiply(y, y), "squares": y}
    sums = pa.table({**{name: matches[name] for name in by}, **products})
    grouped = sums.group_by(list(by)).aggregate([(name, "sum") for name in _SUMS])
    columns = tuple(f"{name}_sum" for name in _SUMS)
    return {
        key: ClusterSums(n, *(float(number) for number in rest))
        for key, n, *rest in _records(grouped, by, columns)
        if n
    }


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Names as text: part files have dictionaries of their own, and keys are compared across files."""
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def _records(grouped: pa.Table, by: Sequence[str], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    keys = [grouped[name].to_pylist() for name in by]
    values = [grouped[name].to_pylist() for name in columns]
    return [(tuple(column[row] for column in keys), *(v[row] for v in values)) for row in range(grouped.num_rows)]


def match_starts(match: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """First row of each match of rows in match order."""
    return np.flatnonzero(np.r_[True, match[1:] != match[:-1]]) if len(match) else np.zeros(0, np.intp)


def value_sums(values: npt.NDArray[np.float64], starts: npt.NDArray[np.intp] | None) -> ClusterSums:
    """Sums of a column of numbers.

    Parameters
    ----------
    values : ndarray of float
        In match order.
    starts : ndarray of int or None
        First row of each match (`match_starts`); None: each row is a cluster of its own.

    Returns
    -------
    ClusterSums
        Of all rows.
    """
    count = len(values)
    if not count:
        return ClusterSums()
    squares = float(values @ values)
    if starts is None:
        total = float(values.sum())
        return ClusterSums(count, total, float(count), total, squares, squares)
    n = np.diff(np.r_[starts, count]).astype(np.float64)
    y = np.add.reduceat(values, starts)
    return ClusterSums(count, float(y.sum()), float(n @ n), float(n @ y), float(y @ y), squares)


def estimate_rate(sums: ClusterSums, clustered: bool) -> Estimate:
    """The rate that sums of a truth column stand for."""
    return clustered_rate(sums) if clustered else rate(round(sums.y), sums.n)


def check_groups(by: Sequence[str], allowed: Sequence[str], known: Sequence[str], why: str = "") -> None:
    """Refuse grouping columns that are not allowed or named twice.

    Parameters
    ----------
    by : sequence of str
        What was asked for.
    allowed : sequence of str
        What is possible.
    known : sequence of str
        Columns that exist but are nothing to group by.
    why : str
        Said at the end.
    """
    for place, name in enumerate(by):
        if name in by[:place]:
            raise InputError(f"--by names {name!r} twice")
        if name not in allowed:
            near = [] if name in known else get_close_matches(name, allowed, 1)
            meant = f"; did you mean {near[0]!r}?" if near else f"; allowed: {', '.join(allowed)}"
            raise InputError(f"--by: {name!r} is not a column to group by{meant}{why}")


def upcard_classes(upcard: pa.ChunkedArray) -> pa.ChunkedArray:
    """Class of each upcard, as text: aces and the Grand Colon, faces and the Royal, the other cards and the Little."""
    name = upcard.cast(pa.string())
    ace = pc.or_(pc.ends_with(name, "A"), pc.equal(name, "GC"))
    face = pc.or_(pc.match_substring_regex(name, "[JQK]$"), pc.equal(name, "RC"))
    spot_, face_, ace_ = UPCARD_CLASS_NAMES
    return pc.if_else(ace, ace_, pc.if_else(face, face_, spot_))
