"""Makes what policies that see all cards work with: addresses, tables and scratch memory of one thread. Plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from threading import Lock

import numpy as np

from simcore.codes import N_BIDS, N_DOUBLINGS, OracleWord
from simcore.errors import InputError
from simcore.rules import PlayRules
from simcore.solver.deals import SETS, Scratch, Search, new_scratch, prepare_search
from simcore.table import Oracle

_LOCK = Lock()
_SEATS = 2


@dataclass(frozen=True)
class OracleMemory:
    """An oracle, and the memory that it knows by addresses only: keep this while kernels run.

    Attributes
    ----------
    oracle
        For `simcore.table.Table`.
    search, scratch
        The memory.
    """

    oracle: Oracle
    search: Search
    scratch: Scratch


def shared_search(play: PlayRules, with_colons: bool, points: bool) -> Search:
    """Tables for a search, built once however many threads ask.

    Parameters
    ----------
    play : PlayRules
        Rules of the tricks.
    with_colons : bool
        Whether there may be colons.
    points : bool
        Whether play for points is asked for as well.

    Returns
    -------
    Search
        Shared by all threads.
    """
    with _LOCK:
        return _search(play, with_colons, points)


@cache
def _search(play: PlayRules, with_colons: bool, points: bool) -> Search:
    return prepare_search(play, with_colons, sets=SETS if points else 0)


def new_oracle(
    play: PlayRules, with_colons: bool, points: bool, tenths: np.ndarray, plays: bool = True, bids: bool = True
) -> OracleMemory:
    """An oracle for one thread.

    Parameters
    ----------
    play : PlayRules
        Rules of the tricks.
    with_colons : bool
        Whether there may be colons.
    points : bool
        Whether a seat plays for points.
    tenths : ndarray of int32
        Points of every result (`simcore.rules.ScoreRules`).
    plays, bids : bool
        Whether it is asked for cards, and for the tricks of all contracts; kernels that are not wanted are not compiled.

    Returns
    -------
    OracleMemory
        To be kept as long as kernels use it.

    Raises
    ------
    InputError
        Where kernels are switched off.
    """
    from simcore._jit import JIT_DISABLED

    if JIT_DISABLED:
        raise InputError("bots that play perfectly need compiled kernels; allowed: NUMBA_DISABLE_JIT unset")
    from simcore.solver.entries import card_entry, contracts_entry

    search = shared_search(play, with_colons, points)
    scratch = new_scratch(search, points)
    words = np.zeros((_SEATS, int(OracleWord.END)), np.uint64)
    words[:, OracleWord.TABLES] = search.tables.address
    words[:, OracleWord.SCRATCH] = scratch.tricks.address
    if scratch.points is not None:
        words[:, OracleWord.POINT_SCRATCH] = scratch.points.address
    words[:, OracleWord.MODE] = search.mode
    rules = [int(value) for value in play[:-1]]  # all but `colons`
    words[:, OracleWord.PLAY : OracleWord.PLAY + len(rules)] = np.array(rules, np.uint64)
    oracle = Oracle(
        card=np.int64(card_entry.address if plays else 0),
        contracts=np.int64(contracts_entry.address if bids else 0),
        words=words,
        tenths=tenths,
        legal=np.zeros((_SEATS, N_BIDS + 1), np.uint64),
        worth=np.zeros((_SEATS, N_BIDS, N_DOUBLINGS), np.int64),
        values=np.zeros((_SEATS, N_BIDS, N_DOUBLINGS), np.int64),
        calls=np.zeros((_SEATS, N_BIDS + 1, N_DOUBLINGS), np.int64),
    )
    return OracleMemory(oracle, search, scratch)
