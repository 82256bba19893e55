"""Two runs side by side: whether their deals are the same ones, and both tables read piece by piece, cut to the same matches.

Rows of two runs are a pair where seed, deck, dealing and exchange are the same, and the row (match, deal) has the same
dealer: then the cards come from the same random stream in the same order. In games of shedding the cards of a round also
depend on what was shed before: rows are a pair where both runs had the same quotas, and with cards that stay for the
whole match only in its first round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analysis.load import RunData

_DEALS = np.int64(1 << 20)
"""More deals than a match has."""
_SAME = ("players", "deck", "deal")
"""Sections of the rules that the cards follow from."""
Places = npt.NDArray[np.intp]


def why_not_paired(a: RunData, b: RunData) -> str | None:
    """Why the deals of two runs are not the same ones.

    Parameters
    ----------
    a, b : RunData
        The runs.

    Returns
    -------
    str or None
        A sentence; None where they are.
    """
    for run in (a, b):
        if run.summed:
            return f"{run.out} keeps sums (output: summary), and sums hold no single deals"
    one, other = a.manifest.config, b.manifest.config
    for key in ("unit", "seed"):
        if one[key] != other[key]:
            return f"the runs have different deals ({key} {one[key]} and {other[key]})"
    if one.get("hands_digest") != other.get("hands_digest"):
        return "the runs have different deals (hands from different files)"
    for key in _SAME:
        if a.rules[key] != b.rules[key]:
            return f"the runs have different deals ({key} is not the same)"
    kinds = [run.rules["exchange"]["kind"] for run in (a, b)]
    if kinds[0] != kinds[1]:
        return f"the runs have different deals (exchange.kind {kinds[0]} and {kinds[1]})"
    if not _overlap(a, b):
        return "the runs have no match in common (shards of different matches)"
    return None


def _overlap(a: RunData, b: RunData) -> bool:
    """Whether any finished chunks hold the same matches."""
    spans = [sorted((chunk.first_match, chunk.end) for chunk in run.manifest.chunks) for run in (a, b)]
    first = second = 0
    while first < len(spans[0]) and second < len(spans[1]):
        one, other = spans[0][first], spans[1][second]
        if max(one[0], other[0]) < min(one[1], other[1]):
            return True
        first, second = (first + 1, second) if one[1] <= other[1] else (first, second + 1)
    return False


def common_pieces(a: RunData, b: RunData, table: str, columns: Sequence[str]) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Read a table of two runs, whose chunks may have different sizes, together.

    Parameters
    ----------
    a, b : RunData
        The runs.
    table : str
        ``deals`` or ``matches``.
    columns : sequence of str
        The columns to read, ``match`` among them.

    Yields
    ------
    tuple of pyarrow.Table
        Rows of the same span of matches; one of the two may be empty.
    """
    pieces = [run.pieces(table, columns) for run in (a, b)]
    held: list[pa.Table | None] = [next(piece, None) for piece in pieces]
    while held[0] is not None or held[1] is not None:
        last = min(int(rows["match"][-1].as_py()) for rows in held if rows is not None)
        empty = next(rows.slice(0, 0) for rows in held if rows is not None)
        parts: list[pa.Table] = []
        for side, rows in enumerate(held):
            if rows is None:
                parts.append(empty)
                continue
            count = int(np.searchsorted(rows["match"].to_numpy(), last, side="right"))
            parts.append(rows.slice(0, count))
            held[side] = rows.slice(count) if count < rows.num_rows else next(pieces[side], None)
        yield parts[0], parts[1]


@dataclass(slots=True)
class Unmatched:
    """Rows that are no pair: those that only one run has, and those whose cards are not the same."""

    only_a: int = 0
    only_b: int = 0
    other_cards: int = 0

    def as_json(self) -> dict[str, int]:
        """Form for ``--json``."""
        return {"only_a": self.only_a, "only_b": self.only_b, "other_cards": self.other_cards}


def pair_columns(rules: dict[str, Any]) -> list[str]:
    """Columns of deals that `pair_rows` needs."""
    names = ["match", "deal", "dealer"]
    return names + [f"quota_{seat}" for seat in range(int(rules["players"]))] if rules["auction"]["kind"] == "steps" else names


def pair_rows(one: pa.Table, other: pa.Table, rules: dict[str, Any], unmatched: Unmatched) -> tuple[Places, Places]:
    """Places of the rows that are pairs, in both tables.

    Parameters
    ----------
    one, other : pyarrow.Table
        Rows of deals of the same matches, in order, with `pair_columns`.
    rules : dict
        The resolved variant.
    unmatched : Unmatched
        Counts the others.

    Returns
    -------
    tuple of ndarray of int
        Of equal length.
    """
    keys = [rows["match"].to_numpy() * _DEALS + rows["deal"].to_numpy() for rows in (one, other)]
    if len(keys[0]) == len(keys[1]) and np.array_equal(*keys):
        mine = theirs = np.arange(len(keys[0]))
    else:
        mine, theirs = common_places(keys[0], keys[1])
    unmatched.only_a += len(keys[0]) - len(mine)
    unmatched.only_b += len(keys[1]) - len(theirs)
    same = one["dealer"].to_numpy()[mine] == other["dealer"].to_numpy()[theirs]
    if rules["auction"]["kind"] == "steps":
        same &= _same_quotas(one, other, mine, theirs, rules)
    unmatched.other_cards += int(np.count_nonzero(~same))
    return mine[same], theirs[same]


def common_places(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> tuple[Places, Places]:
    """Places of the numbers that two rising lists have in common."""
    if not len(other):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    place = np.minimum(np.searchsorted(other, one), len(other) - 1)
    found = other[place] == one
    return np.flatnonzero(found), place[found]


def _same_quotas(one: pa.Table, other: pa.Table, mine: Places, theirs: Places, rules: dict[str, Any]) -> npt.NDArray[np.bool_]:
    """Whether the hands of a round had the same sizes in both runs; always in the first round."""
    first: npt.NDArray[np.bool_] = one["deal"].to_numpy()[mine] == 0
    if rules["shedding"]["model"] != "quota":
        return first
    same = np.ones(len(mine), bool)
    for seat in range(int(rules["players"])):
        # what a round left is the row before: the rounds of a match follow one another
        before = [one[f"quota_{seat}"].to_numpy()[mine - 1], other[f"quota_{seat}"].to_numpy()[theirs - 1]]
        same &= before[0] == before[1]
    return first | same
