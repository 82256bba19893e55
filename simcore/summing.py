"""Kernels that add the rows of deals and matches to sums (`simcore.summary` says which).

All columns that two deals may share are read once a deal and packed into three small numbers; for a pair of deals, three
small tables then give its place among the counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U
from simcore.cards import BORDER_CARD, LANE, UPCARD_CLASS
from simcore.codes import BOOK, N_CARDS, N_COLONS, N_DOUBLINGS, N_LEVELS, N_RANKS, N_STRAINS

PAIR = 2
"""Players; the sums are those of games of two."""
N_CLASSES = 3
"""Classes of the upcard: spot, face, ace; without an upcard all deals are in the first."""
COLUMNS = {
    "declarer_role": 2,
    "upcard_class": N_CLASSES,
    "strain": N_STRAINS,
    "level": N_LEVELS,
    "doubling": N_DOUBLINGS,
    "contested": 2,
    "tricks": N_RANKS + 1,
}
"""The columns deals can be grouped by, and how many values each has."""
SHAPE = (PAIR, *COLUMNS.values())
"""Shape of the cells: dealer first."""
PAIR_SHAPE = tuple(size + 1 for size in COLUMNS.values())
"""Shape of the pairs: index 0 where the two deals differ, else 1 + the value they share."""
MOMENTS = ("passed_out", "contested", "seat 0", "seat 1", "dealer", "non_dealer", "declarer", "opponent")
"""Rows of the moments; of declarer and opponent over the deals that were played, else over all deals."""
PASSED, CONTESTED, SEATS, ROLES, SIDES = 0, 1, 2, 4, 6
SUMS = ("n", "y", "nn", "ny", "yy")
"""Columns of the moments."""
N_TOTALS = PAIR + 1
"""Match totals of each seat, and the margin."""
MADE_COUNTS = 3
"""Pairs are counted by how many of the two deals were made."""
PARTS = (("declarer_role", "upcard_class"), ("strain", "level"), ("doubling", "contested", "tricks"))
"""The columns in three parts: what two deals share is found by one look into a table for each part."""


def _part_table(part: tuple[str, ...]) -> npt.NDArray[np.uint32]:
    """What a part adds to the place of a pair in the flat counts, by its values in the one deal and in the other."""
    values = np.indices([COLUMNS[name] for name in part]).reshape(len(part), -1)
    place = np.zeros((values.shape[1], values.shape[1]), np.int64)
    for name, value in zip(part, values, strict=True):
        stride = MADE_COUNTS * int(np.prod(PAIR_SHAPE[list(COLUMNS).index(name) + 1 :]))
        place += np.where(value[:, None] == value, (value[:, None] + 1) * stride, 0)
    return place.astype(np.uint32)


def _with_made(table: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """The same where the values have one more bit, the lowest: whether the contract was made."""
    made = np.arange(2 * len(table), dtype=np.uint32) & 1
    twice: npt.NDArray[np.uint32] = table.repeat(2, axis=0).repeat(2, axis=1) + made[:, None] + made
    return twice


_SIDES = _with_made(_part_table(PARTS[0]))
_BIDS, _RESULTS = (_part_table(part).astype(np.uint16) for part in PARTS[1:])
_N_SIDES, _N_BIDS, _N_RESULTS = U(len(_SIDES) >> 1), U(len(_BIDS)), U(len(_RESULTS))
_KIND = np.zeros(N_CARDS + N_COLONS + 1, np.uint8)
"""Class of the upcard, by card."""
for _bit, _card in enumerate(BORDER_CARD):
    if _card >= 0:
        _KIND[_card] = UPCARD_CLASS[_bit % LANE]


class Rows(NamedTuple):
    """Raw columns of deals, and of their matches (empty for independent deals)."""

    match: np.ndarray
    dealer: np.ndarray
    declarer_role: np.ndarray
    upcard: np.ndarray
    strain: np.ndarray
    level: np.ndarray
    doubling: np.ndarray
    contested: np.ndarray
    tricks: np.ndarray
    points_0: np.ndarray
    points_1: np.ndarray
    total_0: np.ndarray
    total_1: np.ndarray
    winner: np.ndarray
    deals: np.ndarray
    finished: np.ndarray


class Sums(NamedTuple):
    """What the kernel adds to."""

    cells: np.ndarray
    """int64, `SHAPE`, flat."""
    passed: np.ndarray
    """int64[dealer, upcard class]: deals that were passed out."""
    pairs: np.ndarray
    """int64, `PAIR_SHAPE` and how many of the two were made, flat."""
    by_deals: np.ndarray
    """int64[deals, 0..6]: matches of so many deals, and y of the first six `MOMENTS`."""
    by_played: np.ndarray
    """int64[played deals, 0..2]: matches of so many, and y of the others."""
    squares: np.ndarray
    """int64[`MOMENTS`]: y^2"""
    totals: np.ndarray
    """int64[total, value // unit]; without columns where values are counted elsewhere."""
    results: np.ndarray
    """int64[first dealer, winner + 1, finished, deals]"""
    parts: np.ndarray
    """uint64[part, played deal of the match]: values of `PARTS`, scratch."""


_N_KINDS, _N_LEVELS, _N_TRICKS, _BOOK, U2 = U(N_CLASSES), U(N_LEVELS), U(N_RANKS + 1), U(BOOK), U(2)


@inlined
def _add_played(rows, row, sums, slot):
    """Count a deal that was played, and note its parts.

    rows : Rows
    row : uint64
    sums : Sums          added to; the parts go into `slot` of the scratch
    slot : uint64
    -> uint64            whether both seats bid
    """
    level, tricks, contested = U(rows.level[row]), U(rows.tricks[row]), U(rows.contested[row])
    sides = U(rows.declarer_role[row]) * _N_KINDS + U(_KIND[U(rows.upcard[row])])
    bid = U(rows.strain[row]) * _N_LEVELS + level
    result = ((U(rows.doubling[row]) & ~U1) + contested) * _N_TRICKS + tricks
    cell = ((U(rows.dealer[row]) * _N_SIDES + sides) * _N_BIDS + bid) * _N_RESULTS + result
    sums.cells[cell] += 1
    made = U1 if tricks >= level + _BOOK else U0
    sums.parts[U0, slot] = sides + sides + made
    sums.parts[U1, slot] = bid
    sums.parts[U2, slot] = result
    return contested


@inlined
def _add_pairs(parts, n, pairs):
    """Add all pairs of the n played deals of a match.

    parts : uint64[:, :]  as `Sums.parts`
    n : uint64
    pairs : int64[:]      added to
    """
    for i in range(U1, n):
        sides, bid, result = parts[U0, i], parts[U1, i], parts[U2, i]
        for j in range(U0, i):
            place = U(_SIDES[sides, parts[U0, j]]) + U(_BIDS[bid, parts[U1, j]]) + U(_RESULTS[result, parts[U2, j]])
            pairs[place] += 1


@inlined
def _add_match(rows, k, first_dealer, unit, sums):
    """Add match number k of the rows."""
    sums.results[first_dealer, U(rows.winner[k] + 1), U(rows.finished[k]), U(rows.deals[k])] += 1
    if sums.totals.shape[1] > 0:
        one, other = U(rows.total_0[k]) // U(unit), U(rows.total_1[k]) // U(unit)
        sums.totals[0, one] += 1
        sums.totals[1, other] += 1
        sums.totals[2, max(one, other) - min(one, other)] += 1


@inlined
def _add_moment(by, n, column, squares, row, y):
    """Add a match with n deals and the sum y to a row of the moments."""
    by[n, column] += y
    squares[row] += y * y


@kernel
def add_deals(rows, sums):
    """Add independent deals.

    rows : Rows
    sums : Sums          added to
    """
    for row in range(U(rows.match.shape[0])):
        if rows.level[row] < 0:
            sums.passed[U(rows.dealer[row]), U(_KIND[U(rows.upcard[row])])] += 1
        else:
            _add_played(rows, row, sums, U0)


@kernel
def add_matches(rows, unit, sums):
    """Add whole matches in order.

    rows : Rows
    unit : int64         all points are multiples of it, in tenths
    sums : Sums          added to
    """
    row = U0  # unsigned: an index that may be negative costs three instructions more
    for k in range(U(rows.deals.shape[0])):
        first, n, n_played, contested = row, U(rows.deals[k]), U0, U0
        by_seat_0, by_seat_1, by_dealer, by_declarer = 0, 0, 0, 0
        while row < first + n:
            dealer = U(rows.dealer[row])
            if rows.level[row] < 0:
                sums.passed[dealer, U(_KIND[U(rows.upcard[row])])] += 1
                row += U1
                continue
            contested += _add_played(rows, row, sums, n_played)
            n_played += U1
            points_0, points_1 = I(rows.points_0[row]), I(rows.points_1[row])
            by_seat_0 += points_0
            by_seat_1 += points_1
            by_dealer += points_1 if dealer == U1 else points_0
            by_declarer += points_1 if dealer ^ U(rows.declarer_role[row]) == U1 else points_0
            row += U1
        points = by_seat_0 + by_seat_1
        by, by_played, squares = sums.by_deals, sums.by_played, sums.squares
        by[n, 0] += 1
        _add_moment(by, n, 1, squares, PASSED, I(n - n_played))
        _add_moment(by, n, 2, squares, CONTESTED, I(contested))
        _add_moment(by, n, 3, squares, SEATS, by_seat_0)
        _add_moment(by, n, 4, squares, SEATS + 1, by_seat_1)
        _add_moment(by, n, 5, squares, ROLES, by_dealer)
        _add_moment(by, n, 6, squares, ROLES + 1, points - by_dealer)
        by_played[n_played, 0] += 1
        _add_moment(by_played, n_played, 1, squares, SIDES, by_declarer)
        _add_moment(by_played, n_played, 2, squares, SIDES + 1, points - by_declarer)
        _add_pairs(sums.parts, n_played, sums.pairs)
        _add_match(rows, k, U(rows.dealer[first]), unit, sums)
