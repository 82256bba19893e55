"""One block of memory with everything the search looks up: complete endgame tables and how to find a position in them.

A position of n cards a hand is known by who owns each of its cards in order of suits and ranks (``pext(lead, all)``) and
by the suits' lengths: ranks matter only by their order. Side suits (in no trump: all suits) are put in order of length, so
that renaming them makes no new position. The row of a table is given by the lengths, the place in the row by the rank of the
pattern among those with as many bits. The block is passed to the kernels as an address: one register through the recursion.
"""

from __future__ import annotations

from itertools import permutations
from math import comb

import numpy as np

from simcore._jit import inlined
from simcore.bits import U1, I, U, load8, load16, load32, load64, permute_lanes, pext, popcount
from simcore.cards import LANE
from simcore.codes import N_RANKS, N_SUITS
from simcore.solver.layout import SUIT, lengths_key

MAX_DEPTH = 9
"""Cards a hand of the largest endgame table."""
MAX_BOUND_DEPTH = 7
"""Cards a hand, colons included, of the largest table of bounds for positions with colons."""
TOTALS = 2 * MAX_DEPTH + 1
SIDES = 4
"""Numbers of colons a side may hold: 0 to 3."""
SET_DEPTH = 6
"""Cards a hand of the largest table of sets of tricks, for play for points."""

CHOOSE = np.array([[comb(n, k) for k in range(TOTALS + 1)] for n in range(TOTALS + 1)], np.uint64)
_PERMUTATIONS = list(permutations(range(N_SUITS)))
LANE_ORDERS = np.array(
    [sum(((2 * q[t]) | (2 * q[t] + 1) << 8) << (LANE * t) for t in range(N_SUITS)) for q in _PERMUTATIONS], np.uint64
)
"""Control words of `permute_lanes`, one a permutation."""


def _rows_of(total: int, trump: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a table. Plain Python.

    Parameters
    ----------
    total : int
        Natural cards of both hands.
    trump : int
        1 where lane 0 holds the trumps.

    Returns
    -------
    tuple of ndarray
        uint32[4096]: by `lengths_key`, row number << 5 | order of the lanes; uint64: for each row its cards, packed low.
    """
    a, b, c = (grid.ravel() for grid in np.meshgrid(*[np.arange(N_RANKS + 1)] * 3, indexing="ij"))
    lengths = np.stack([a, b, c, total - a - b - c], 1)
    lengths = lengths[(lengths[:, 3] >= 0) & (lengths[:, 3] <= N_RANKS)]
    sortable = -lengths
    if trump:
        sortable[:, 0] = -N_RANKS - 1
    order = np.argsort(sortable, 1, kind="stable")
    in_order = np.take_along_axis(lengths, order, 1)
    weights = 16 ** np.arange(N_SUITS)
    keys, rows = np.unique(in_order @ weights, return_inverse=True)
    number = {sum(lane * 4**t for t, lane in enumerate(q)): i for i, q in enumerate(_PERMUTATIONS)}
    orders = np.array([number.get(code, 0) for code in range(4**N_SUITS)])[order @ 4 ** np.arange(N_SUITS)]
    index = np.zeros(4096, np.uint32)
    index[lengths[:, :3] @ weights[:3]] = rows << 5 | orders
    masks = np.zeros(len(keys), np.uint64)
    for t in range(N_SUITS):
        held = (keys // 16**t % 16).astype(np.uint64)
        masks |= ((U1 << held) - U1) << U(LANE * t)
    return index, masks


def _pattern_ranks() -> np.ndarray:
    """Rank of each bit pattern among those of equal length with as many bits. Plain Python. -> uint16[2 ** 18]"""
    patterns = np.arange(1 << (TOTALS - 1))
    ranks, ones = np.zeros_like(patterns), np.zeros_like(patterns)
    choose = CHOOSE.astype(np.int64)
    for place in range(TOTALS - 1):
        bit = patterns >> place & 1
        ones += bit
        ranks += bit * choose[place, ones]
    return ranks.astype(np.uint16)


def _sure_trumps() -> np.ndarray:
    """Trumps of either side that the other side can never beat one by one. Plain Python.

    A trump loses only to a higher trump in the same trick, so a side takes at least as many tricks as it has trumps beyond the
    largest number of them that can be paired with higher ones of the other side. By 1 << length | owners of the trumps in play:
    the first owner's number | the other's << 4.
    """
    table = np.zeros(1 << (N_RANKS + 1), np.uint8)
    for length in range(N_RANKS + 1):
        patterns = np.arange(1 << length)
        for side in range(2):
            above, sure = np.zeros_like(patterns), np.zeros_like(patterns)
            for place in reversed(range(length)):
                mine = (patterns >> place & 1) == 1 - side
                sure += mine & (above == 0)
                above += np.where(mine, -(above > 0).astype(int), 1)
            table[(1 << length) + patterns] |= (sure << 4 * side).astype(np.uint8)
    return table


ROWS = {(trump, total): _rows_of(total, trump) for trump in range(2) for total in range(TOTALS)}
_INDEX = np.stack([np.stack([ROWS[trump, total][0] for total in range(TOTALS)]) for trump in range(2)])
_RANKS = _pattern_ranks()
_SURE = _sure_trumps()


def _places(*sizes: int) -> list[int]:
    """Where parts of given sizes begin, each at a multiple of 64 bytes; and the end. Plain Python."""
    places = [0]
    for size in sizes:
        places.append((places[-1] + size + 63) // 64 * 64)
    return places


_FREE_WORDS = 2 * (MAX_DEPTH + 1)
_BOUND_WORDS = 2 * (MAX_BOUND_DEPTH + 1) * SIDES * SIDES
_SET_WORDS = 2 * (SET_DEPTH + 1) * 2
_AT = _places(_INDEX.nbytes, _RANKS.nbytes, _SURE.nbytes, 8 * _FREE_WORDS, 8 * _BOUND_WORDS, 8 * _SET_WORDS)
_INDEX_AT, _RANKS_AT, _SURE_AT, _FREE_AT, _BOUND_AT, _SET_AT, DATA_AT = (U(place) for place in _AT)
_INDEX_STRIDE, _FREE_STRIDE = U(TOTALS), U(MAX_DEPTH + 1)
_C12, _C5, _C31 = U(12), U(5), U(31)


def free_offset_word(trump: int, n: int) -> int:
    """Which word of the block holds the place of an endgame table. Plain Python."""
    return int(_FREE_AT) // 8 + trump * (MAX_DEPTH + 1) + n


def bound_offset_word(trump: int, n: int, own: int, other: int) -> int:
    """Which word of the block holds the place of a table of bounds. Plain Python."""
    return int(_BOUND_AT) // 8 + ((trump * (MAX_BOUND_DEPTH + 1) + n) * SIDES + own) * SIDES + other


def set_offset_word(trump: int, n: int, declares: int) -> int:
    """Which word of the block holds the place of a table of sets. Plain Python."""
    return int(_SET_AT) // 8 + (trump * (SET_DEPTH + 1) + n) * 2 + declares


def write_fixed_parts(memory: np.ndarray) -> None:
    """Write what does not depend on depths into a block. Plain Python. memory : uint8[:] output"""
    for at, part in ((_INDEX_AT, _INDEX), (_RANKS_AT, _RANKS), (_SURE_AT, _SURE)):
        memory[int(at) : int(at) + part.nbytes] = part.reshape(-1).view(np.uint8)


@inlined
def place_in_table(tables, trumps, total, own, cards, both):
    """Number of a position in its table.

    tables : uint64      address of the block
    trumps : uint64      SUIT, or 0 for no trump
    total, own : uint64  natural cards of both hands, of the leader
    cards, both : uint64 the leader's, and both hands'
    -> uint64
    """
    row = load32(tables + _INDEX_AT, (((trumps & U1) * _INDEX_STRIDE + total) << _C12) + lengths_key(both))
    order = LANE_ORDERS[row & _C31]
    pattern = pext(permute_lanes(cards, order), permute_lanes(both, order))
    return (row >> _C5) * CHOOSE[total, own] + load16(tables + _RANKS_AT, pattern)


@inlined
def free_value(tables, trumps, n, lead, follow):
    """Tricks the leader takes of n, no colons and no bar; 1 <= n <= depth of the tables. -> int64"""
    number = U(n)
    at = load64(tables + _FREE_AT, (trumps & U1) * _FREE_STRIDE + number)
    return I(load8(tables + at, place_in_table(tables, trumps, number << U1, number, lead, lead | follow)))


@inlined
def bound_byte(tables, trumps, n, lead, follow, own, other):
    """Bounds of the leader's tricks where sides hold `own` and `other` colons; lower | upper << 4. -> uint64"""
    number = U(n)
    slot = (((trumps & U1) * U(MAX_BOUND_DEPTH + 1) + number) * U(SIDES) + U(own)) * U(SIDES) + U(other)
    at = load64(tables + _BOUND_AT, slot)
    total = (number << U1) - U(own) - U(other)
    return load8(tables + at, place_in_table(tables, trumps, total, number - U(own), lead, lead | follow))


@inlined
def set_word(tables, trumps, n, lead, follow, declares, part):
    """Sixty-four sets of tricks: bit w of part p says whether declarer can take a number of tricks in the set 64 p + w.

    tables, trumps, lead, follow : uint64
    n : int64            1 .. SET_DEPTH
    declares : bool      whether the leader is declarer
    part : uint64        0, or 1 with six cards a hand
    -> uint64
    """
    number = U(n)
    slot = (((trumps & U1) * U(SET_DEPTH + 1) + number) << U1) + (U1 if declares else U(0))
    place = place_in_table(tables, trumps, number << U1, number, lead, lead | follow)
    if n == SET_DEPTH:
        place = (place << U1) + part
    return load64(tables + load64(tables + _SET_AT, slot), place)


@inlined
def sure_trumps(tables, lead, follow):
    """Sure trump tricks of the leader | of the follower << 4; see `_sure_trumps`. -> uint64"""
    both = (lead | follow) & SUIT
    return load8(tables + _SURE_AT, (U1 << popcount(both)) | pext(lead, both))
