"""The arrays that kernels write results into: made, used again, and read by the names of the columns (`simcore.columns`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from simcore import codes
from simcore.cards import BORDER_CARD
from simcore.columns import CARD_GROUPS, CARD_STEMS, STRAIN_NAMES
from simcore.course import DealColumns, MatchColumns
from simcore.hands import border_masks

_PAGE, _CACHE_LINE = 4096, 64
PERFECT_TABLE = "perfect_table"
"""The column group of perfect play's tricks in every contract."""
_PLAIN = {"match", "deal", "dealer", "passed_out", "declarer", "declarer_role", "strain", "level", "doubling"}
_PLAIN |= {"calls", "contested", "made", "tricks", "upcard", *(f"points_{seat}" for seat in range(codes.MAX_SEATS))}
"""Columns that are filled in without `DealColumns.describe`."""
_CARD_OF_BYTE = np.resize(BORDER_CARD.astype(np.int8), 256).tobytes()
"""Cards as files hold them by the byte of a kernel's bit number."""


def new_deal_columns(players: int, rows: int, groups: Sequence[str] = (), describe: bool = True) -> DealColumns:
    """Columns for `rows` deals; with room for the cards of each only where a group wants them.

    Without `describe`, only what `_PLAIN` names is filled in.

    The small columns lie one behind the other, each a page and a cache line longer than whole pages: at equal
    distances within a page they would all fight for the same lines of the cache.
    """
    stride = -(-rows // _PAGE) * _PAGE + _CACHE_LINE
    n_cards = max(rows, 2) if (CARD_GROUPS | {PERFECT_TABLE}) & set(groups) else 1
    n_small = codes.DealColumn.SEATS + players * codes.SeatColumn.END
    return DealColumns(
        match=np.empty(rows, np.int64),
        deal=np.empty(rows, np.int32),
        points=np.empty((players, rows), np.int32),
        small=np.empty((n_small, stride), np.int8),
        trick_table=np.empty((players * codes.N_STRAINS, stride if "trick_table" in groups else 0), np.int8),
        hands=np.empty((players, n_cards), np.uint64),
        thrown=np.empty((players, n_cards), np.uint64),
        describe=describe,
    )


def new_match_columns(players: int, rows: int) -> MatchColumns:
    """Empty columns for `rows` matches."""
    return MatchColumns(
        match=np.empty(rows, np.int64),
        deals=np.empty(rows, np.int32),
        totals=np.empty((players, rows), np.int64),
        winner=np.empty(rows, np.int8),
        finished=np.empty(rows, np.bool_),
    )


@cache
def _source(name: str) -> tuple[str, str, int]:
    """Where a named column of the deals table comes from: kind, attribute of `DealColumns`, row in it."""
    if name in ("match", "deal"):
        return "line", name, 0
    stem, _, last = name.rpartition("_")
    if not last.isdigit():
        kind = {"upcard": "card", "passed_out": "truth", "contested": "truth"}.get(name, "row")
        return kind, "small", int(codes.DealColumn[name.upper()])
    seat = int(last)
    if stem.startswith("tricks_"):
        return "row", "trick_table", codes.N_STRAINS * seat + STRAIN_NAMES.index(stem[len("tricks_") :])
    if stem == "points":
        return "row", "points", seat
    if stem in CARD_STEMS:
        return "mask", CARD_STEMS[stem], seat
    block = int(codes.DealColumn.SEATS) + seat * int(codes.SeatColumn.END)
    if stem.startswith("len_"):
        return "row", "small", block + codes.SeatColumn.LENGTHS + STRAIN_NAMES.index(stem[len("len_") :])
    return "truth" if stem == "made" else "row", "small", block + int(codes.SeatColumn[stem.upper()])


def raw_column(columns: DealColumns, name: str, rows: int) -> np.ndarray:
    """The raw array behind one named column of the deals table."""
    kind, attribute, row = _source(name)
    table: np.ndarray = getattr(columns, attribute)
    if kind == "line":
        return table[:rows]
    raw: np.ndarray = table[row, :rows]
    if kind == "card":
        # as bytes: twenty times as fast as an array of indices
        return np.frombuffer(raw.tobytes().translate(_CARD_OF_BYTE), np.int8)
    if kind == "mask":
        return border_masks(raw)
    return raw.view(np.bool_) if kind == "truth" else raw


def raw_match_columns(columns: MatchColumns, rows: int) -> dict[str, np.ndarray]:
    """The named raw columns of the first rows of matches."""
    named = {"match": columns.match[:rows], "deals": columns.deals[:rows]}
    for seat in range(columns.totals.shape[0]):
        named[f"total_{seat}"] = columns.totals[seat, :rows]
    return named | {"winner": columns.winner[:rows], "finished": columns.finished[:rows]}


class Room:
    """Columns that are played into again and again: fresh memory would have to be got from the system for every chunk.

    Parameters
    ----------
    names : sequence of str or None
        The columns of deals that are wanted; None: all.
    """

    def __init__(self, names: Sequence[str] | None = None) -> None:
        self._describe = names is None or not _PLAIN.issuperset(names)
        self._rows = self._matches = 0
        self._deals_columns: DealColumns | None = None
        self._match_columns: MatchColumns | None = None

    def columns(
        self, players: int, rows: int, n_matches: int, groups: Sequence[str]
    ) -> tuple[DealColumns, MatchColumns]:
        """Columns with room for so many deals and matches, of always the same players and groups; old rows are overwritten."""
        if self._deals_columns is None or rows > self._rows:
            self._deals_columns, self._rows = new_deal_columns(players, rows, groups, self._describe), rows
        if self._match_columns is None or n_matches > self._matches:
            self._match_columns, self._matches = new_match_columns(players, n_matches), n_matches
        return self._deals_columns, self._match_columns
