"""Tables and scratch memory: who allocates, who builds, who keeps them alive. Kernels get addresses only. Plain Python."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np

from simcore.bits import PORTABLE
from simcore.solver.endgames import fill_free_rows
from simcore.solver.layout import SUIT
from simcore.solver.mode import EVERY_RUN
from simcore.solver.relaxed import fill_bound_rows
from simcore.solver.sets import fill_set_rows
from simcore.solver.tables import (
    CHOOSE,
    DATA_AT,
    MAX_BOUND_DEPTH,
    ROWS,
    SET_DEPTH,
    SIDES,
    bound_offset_word,
    free_offset_word,
    set_offset_word,
    write_fixed_parts,
)

U = np.uint64
DEFAULT_DEPTH = 7 if PORTABLE else 9
"""Without pext and pshufb the largest tables take longer to build than they save."""
_TRUMPS = (U(0), SUIT)
_ROWS_A_TASK = 16


@dataclass(frozen=True)
class Block:
    """Aligned memory that kernels read by address.

    Attributes
    ----------
    words
        All of it, uint64.
    address
        Of the first word.
    """

    words: np.ndarray
    address: np.uint64

    @classmethod
    def of_bytes(cls, size: int) -> Block:
        """Zeroed memory of at least so many bytes, at a multiple of 64."""
        raw = np.zeros(size // 8 + 16, np.uint64)
        skip = -raw.ctypes.data % 64 // 8
        words = raw[skip : skip + (size + 7) // 8]
        return cls(words, U(words.ctypes.data))


def run_rows(n_rows: int, workers: int | None, fill: Callable[[int, int], None]) -> None:
    """Call ``fill(first, end)`` for all rows, in pieces on threads."""
    pieces = [(first, min(first + _ROWS_A_TASK, n_rows)) for first in range(0, n_rows, _ROWS_A_TASK)]
    if len(pieces) == 1:
        fill(*pieces[0])
        return
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for future in [pool.submit(fill, *piece) for piece in pieces]:
            future.result()


@cache
def endgame_tables(depth: int = DEFAULT_DEPTH, dominance: bool = True, workers: int | None = None) -> Block:
    """Endgame tables of all positions without colons, built once per process.

    Parameters
    ----------
    depth : int
        Cards a hand of the largest table, 1 .. 9.
    dominance : bool
        Whether only the lowest winner and loser are looked at as replies (docs/solver.md); False for verification.
    workers : int or None
        Threads; None: one a processor.

    Returns
    -------
    Block
        The memory.
    """
    places, size = {}, int(DATA_AT)
    for n in range(1, depth + 1):
        for trump in range(2):
            places[trump, n] = size
            size += len(ROWS[trump, 2 * n][1]) * int(CHOOSE[2 * n, n])
    block = Block.of_bytes(size)
    write_fixed_parts(block.words.view(np.uint8))
    for (trump, n), at in places.items():
        block.words[free_offset_word(trump, n)] = at
        rows = ROWS[trump, 2 * n][1]

        def fill(first: int, end: int, at: int = at, trump: int = trump, n: int = n, rows: np.ndarray = rows) -> None:
            fill_free_rows(block.address, U(at), rows, first, end, _TRUMPS[trump], n, dominance)

        run_rows(len(rows), workers, fill)
    return block


@cache
def colon_tables(depth: int, bounds: int, mode: int = 0, workers: int | None = None) -> Block:
    """Endgame tables and, behind them, the tables of bounds for positions with colons, built once per process.

    Parameters
    ----------
    depth : int
        Cards a hand of the largest endgame table; at least `bounds`.
    bounds : int
        Cards a hand of the largest table of bounds, 1 .. 7.
    mode : int
        The flags that matter (`simcore.solver.border.table_flags`).
    workers : int or None
        Threads; None: one a processor.

    Returns
    -------
    Block
        The memory.
    """
    assert bounds <= min(depth, MAX_BOUND_DEPTH)
    free = endgame_tables(depth, not mode & int(EVERY_RUN), workers)
    places, size = {}, free.words.nbytes  # a multiple of 8
    for n in range(1, bounds + 1):
        for trump in range(2):
            for own in range(SIDES):
                for other in range(SIDES - own):
                    if own + other > 0 and max(own, other) <= n:
                        total = 2 * n - own - other
                        places[trump, n, own, other] = size
                        size += len(ROWS[trump, total][1]) * int(CHOOSE[total, n - own])
    block = Block.of_bytes(size)
    block.words[: len(free.words)] = free.words
    for (trump, n, own, other), at in places.items():
        block.words[bound_offset_word(trump, n, own, other)] = at
        rows = ROWS[trump, 2 * n - own - other][1]

        def fill(
            first: int,
            end: int,
            at: int = at,
            trump: int = trump,
            n: int = n,
            own: int = own,
            other: int = other,
            rows: np.ndarray = rows,
        ) -> None:
            fill_bound_rows(block.address, U(at), rows, first, end, _TRUMPS[trump], U(mode), n, own, other)

        run_rows(len(rows), workers, fill)
    return block


@cache
def point_tables(depth: int, bounds: int, sets: int = SET_DEPTH, mode: int = 0, workers: int | None = None) -> Block:
    """The tables of `colon_tables` (with `bounds` 0: of `endgame_tables`) and behind them the tables of sets of tricks."""
    assert sets <= SET_DEPTH
    if bounds:
        before = colon_tables(depth, bounds, mode, workers)
    else:
        before = endgame_tables(depth, not mode & int(EVERY_RUN), workers)
    places, size = {}, before.words.nbytes
    for n in range(1, sets + 1):
        for trump in range(2):
            for declares in range(2):
                places[trump, n, declares] = size
                words = 2 if n == SET_DEPTH else 1
                size += 8 * words * len(ROWS[trump, 2 * n][1]) * int(CHOOSE[2 * n, n])
    block = Block.of_bytes(size)
    block.words[: len(before.words)] = before.words
    for (trump, n, declares), at in places.items():
        block.words[set_offset_word(trump, n, declares)] = at
        rows = ROWS[trump, 2 * n][1]

        def fill(
            first: int, end: int, at: int = at, trump: int = trump, n: int = n, rows: np.ndarray = rows, d: int = declares
        ) -> None:
            fill_set_rows(block.address, U(at), rows, first, end, _TRUMPS[trump], n, d == 1)

        run_rows(len(rows), workers, fill)
    return block
