"""What a deal scores under two scoring tables, looked up by its result: the numbers that re-scoring adds up.

Of each deal: whether it was played, whether its points change, the points under today's table of each seat, of the dealer and
of declarer, and by how much each of them changes; in tenths, so all sums are exact. Points come from one look into a table over
all results; what decides nothing is never read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simcore.codes import N_DOUBLINGS, N_LEVELS, N_STRAINS
from simcore.columns import STRAIN_NAMES
from simcore.phases.scoring.calls import call_cells
from simcore.phases.scoring.contracts import N_TRICKS, score_cells
from simcore.places import Place
from simcore.runs import read_parts

if TYPE_CHECKING:
    from simcore.config import Variant

Ints = npt.NDArray[np.int32]
Pairs = npt.NDArray[np.int64]
_HALF = 32
PLAYED, CHANGED, FIRST = 0, 1, 2
"""Places of the numbers of a deal; the points begin at `FIRST`."""
PAIR = 2
_SEATS = 4
"""Pairs of declarer and dealer."""
_RESULTS = N_LEVELS * N_STRAINS * N_DOUBLINGS * (N_TRICKS + 1)
PASSED_OUT = _RESULTS * _SEATS
"""Place of a deal that nobody played."""


class Lookup(Protocol):
    """Finds the numbers of deals.

    Attributes
    ----------
    names : tuple of str
        Whose points: seats first, then roles.
    columns : tuple of str
        Columns of deals that it reads.
    """

    names: tuple[str, ...]
    columns: tuple[str, ...]

    def numbers(self, paths: Sequence[Place]) -> Pairs:
        """Numbers of the deals of part files, `packed`: played, changed, points of `names`, changes of the same."""
        ...


def packed(numbers: npt.NDArray[Any]) -> Pairs:
    """Two columns in one number, so that both are added at once.

    Parameters
    ----------
    numbers : ndarray of int, shape (rows, an even number)
        They and their sums must fit into 32 bits.

    Returns
    -------
    ndarray of int64, shape (rows, half as many)
    """
    found: Pairs = (numbers[:, 1::2].astype(np.int64) << _HALF) + numbers[:, 0::2]
    return found


def unpacked(pairs: Pairs) -> Ints:
    """What was `packed`, or sums of it."""
    found = np.empty((len(pairs), 2 * pairs.shape[1]), np.int32)
    low = pairs.astype(np.int32)
    found[:, 0::2], found[:, 1::2] = low, (pairs - low) >> _HALF
    return found


def whole_numbers(column: pa.ChunkedArray) -> npt.NDArray[np.int8]:
    """Values of a column of small whole numbers without a copy; where it is null, anything."""
    chunk = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(chunk, pa.ChunkedArray):
        chunk = pa.concat_arrays(chunk.chunks)
    values: npt.NDArray[np.int8] = np.frombuffer(chunk.buffers()[1], np.int8)[chunk.offset : chunk.offset + len(chunk)]
    return values


def strain_codes(column: pa.ChunkedArray) -> npt.NDArray[np.int8]:
    """Strains as numbers in bidding order; where it is null, anything."""
    column = column.unify_dictionaries()
    indices = whole_numbers(pa.chunked_array([chunk.indices for chunk in column.chunks]))
    names = column.chunk(0).dictionary.to_pylist()
    if tuple(names) == STRAIN_NAMES:
        return indices
    order = np.array([*(STRAIN_NAMES.index(name) for name in names), 0], np.int8)
    return order[np.minimum(indices.view(np.uint8), len(names))]


@dataclass(frozen=True, slots=True)
class ContractLookup:
    """Of contracts, in games of two."""

    table: Ints
    """[result, declarer and dealer; last: passed out; the numbers of a deal]"""
    pairs: Pairs
    """The same, `packed`."""
    names: tuple[str, ...] = ("seat 0", "seat 1", "dealer", "declarer")
    columns: tuple[str, ...] = ("level", "strain", "doubling", "tricks", "declarer", "dealer")

    @classmethod
    def of(cls, today: Variant, new: Variant) -> ContractLookup:
        """The table of all results under two scorings."""
        old, other = (score_cells(variant.scoring).reshape(-1).astype(np.int64) for variant in (today, new))
        table = np.zeros((_RESULTS, _SEATS, FIRST + 2 * 4), np.int64)
        table[:, :, PLAYED] = 1
        for seats in range(_SEATS):
            declarer, dealer = divmod(seats, PAIR)
            before, after = (_by_who(cells, declarer, dealer) for cells in (old, other))
            table[:, seats, FIRST : FIRST + 4] = before
            table[:, seats, FIRST + 4 :] = after - before
            table[:, seats, CHANGED] = (after != before).any(axis=1)
        nothing = np.zeros((1, table.shape[2]), np.int64)
        whole = np.vstack([table.reshape(PASSED_OUT, -1), nothing])
        return cls(whole.astype(np.int32), packed(whole))

    def places(self, rows: pa.Table) -> npt.NDArray[np.int16]:
        """Place of each deal in the table."""
        code = whole_numbers(rows["level"]).astype(np.int16)
        doubling = whole_numbers(rows["doubling"]) >> 1
        tricks, declarer, dealer = (whole_numbers(rows[name]) for name in ("tricks", "declarer", "dealer"))
        steps = ((N_STRAINS, strain_codes(rows["strain"])), (N_DOUBLINGS, doubling), (N_TRICKS + 1, tricks), (PAIR, declarer))
        for size, values in (*steps, (PAIR, dealer)):
            code *= np.int16(size)
            code += values
        if rows["level"].null_count:
            code[np.asarray(rows["level"].is_null())] = PASSED_OUT
        return code

    def numbers(self, paths: Sequence[Place]) -> Pairs:
        """See `Lookup`."""
        return self.pairs.take(self.places(read_parts(paths, self.columns)), axis=0)


def _by_who(cells: npt.NDArray[np.int64], declarer: int, dealer: int) -> npt.NDArray[np.int64]:
    """Points of seat 0, seat 1, the dealer and declarer for every result."""
    own, other = np.maximum(cells, 0), np.maximum(-cells, 0)
    seats = (own, other) if declarer == 0 else (other, own)
    return np.column_stack([*seats, seats[dealer], own])


@dataclass(frozen=True, slots=True)
class CallLookup:
    """Of calls, for any number of seats."""

    old: Ints
    """[call, tricks]"""
    change: Ints
    names: tuple[str, ...]
    columns: tuple[str, ...]

    @classmethod
    def of(cls, today: Variant, new: Variant) -> CallLookup:
        """The tables of all calls under two scorings."""
        old, other = (call_cells(variant)[0] for variant in (today, new))
        seats = range(today.players)
        columns = ("dealer", *(f"{stem}_{seat}" for stem in ("call", "tricks") for seat in seats))
        return cls(old, other - old, (*(f"seat {seat}" for seat in seats), "dealer"), columns)

    def numbers(self, paths: Sequence[Place]) -> Pairs:
        """See `Lookup`."""
        rows = read_parts(paths, self.columns)
        players, count = len(self.names) - 1, rows.num_rows
        found = np.zeros((count, FIRST + 2 * len(self.names)), np.int32)
        found[:, PLAYED] = 1
        before, after = found[:, FIRST : FIRST + players + 1], found[:, FIRST + players + 1 :]
        for seat in range(players):
            call, tricks = whole_numbers(rows[f"call_{seat}"]), whole_numbers(rows[f"tricks_{seat}"])
            before[:, seat], after[:, seat] = self.old[call, tricks], self.change[call, tricks]
        dealer = rows["dealer"].to_numpy()
        for part in (before, after):
            part[:, players] = part[np.arange(count), dealer]
        found[:, CHANGED] = after.any(axis=1)
        return packed(found)


def lookup_of(today: Variant, new: Variant) -> Any:
    """The lookup of a variant's kind of auction."""
    return CallLookup.of(today, new) if today.auction.kind == "calls" else ContractLookup.of(today, new)
