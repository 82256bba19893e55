"""Perfect play of arrays of deals, on threads, and of single positions; hands in the kernels' layout. Plain Python."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from simcore.bits import PORTABLE
from simcore.cards import COLONS
from simcore.codes import N_STRAINS
from simcore.rules import PlayRules
from simcore.solver.border import mode_of, scratch_words, table_flags
from simcore.solver.memory import Block, colon_tables, endgame_tables, point_tables
from simcore.solver.mode import EVERY_RUN
from simcore.solver.points import POINT_WORDS

U = np.uint64
CHUNK = 64
"""Deals of one task."""
MANY = 100_000
"""From so many values on, the largest endgame tables repay building them (a second)."""
SMALL_DEPTH, LARGE_DEPTH, BOUNDS, SETS = 7, 9, 7, 6
"""Cards a hand of the endgame tables, of the tables of bounds, of the tables of sets of tricks."""


@dataclass(frozen=True)
class Search:
    """Tables, mode and rules of a search.

    Attributes
    ----------
    play
        Rules of the tricks.
    tables
        Memory of the tables.
    mode
        See `simcore.solver.mode`.
    with_colons
        Whether the kernels for colons are to be used.
    """

    play: PlayRules
    tables: Block
    mode: np.uint64
    with_colons: bool


def prepare_search(
    play: PlayRules,
    with_colons: bool,
    depth: int = SMALL_DEPTH,
    bounds: int = BOUNDS,
    dominance: bool = True,
    sets: int = 0,
) -> Search:
    """Build or find the tables for a search.

    Parameters
    ----------
    play : PlayRules
        Rules of the tricks.
    with_colons : bool
        Whether there may be colons.
    depth, bounds : int
        Cards a hand of the endgame tables (1 .. 9) and of the tables of bounds (0 .. 7, none above `depth`).
    dominance : bool
        False: no shortcut that is tested, not proved.
    sets : int
        Cards a hand of the tables of sets of tricks (0 .. 6), for play for points: SETS, or 0 for none.

    Returns
    -------
    Search
        Ready; the memory is shared by all threads.
    """
    with_colons = with_colons or int(play.must_follow) == 0
    mode = mode_of(play, depth, min(bounds, depth) if with_colons else 0, dominance, sets)
    used_bounds = mode >> 4 & 15
    if sets:
        tables = point_tables(max(mode & 15, 1), used_bounds, sets, table_flags(mode))
    elif used_bounds:
        tables = colon_tables(depth, used_bounds, table_flags(mode))
    else:
        tables = endgame_tables(max(mode & 15, 1), dominance)
    return Search(play, tables, U(mode), with_colons)


@dataclass(frozen=True)
class Scratch:
    """Transposition tables of one thread, for one `Search`.

    Attributes
    ----------
    tricks
        Of play for tricks.
    points
        Of play for points; None where that is not asked for.
    """

    tricks: Block
    points: Block | None


def new_scratch(search: Search, points: bool = False) -> Scratch:
    """Scratch memory of one thread for a search, for play for points too where that is wanted."""
    words = scratch_words(int(search.mode))
    return Scratch(Block.of_bytes(8 * words), Block.of_bytes(8 * POINT_WORDS) if points else None)


def large_depth(n_values: int) -> int:
    """Depth of the endgame tables that suits a number of values to solve."""
    return LARGE_DEPTH if n_values >= MANY and not PORTABLE else SMALL_DEPTH


def solve_tricks(
    hands: np.ndarray,
    play: PlayRules,
    *,
    workers: int | None = None,
    search: Search | None = None,
    progress: Callable[[int], None] | None = None,
) -> np.ndarray:
    """Tricks of perfect play in every strain, with either leader.

    Parameters
    ----------
    hands : ndarray of uint64, shape (deals, 2)
        Hands of seats 0 and 1 in the kernels' layout (`simcore.cards`), as many cards each, 1 .. 13.
    play : PlayRules
        Rules of the tricks.
    workers : int or None
        Threads; None: one a processor.
    search : Search or None
        Tables to use; None: chosen by the number of deals.
    progress : callable or None
        Called with the number of deals done.

    Returns
    -------
    ndarray of int8, shape (deals, strains 5, leaders 2)
        Tricks of seat 0, by strain and by who leads.
    """
    from simcore.solver.values import colon_deals, free_deals

    hands = np.ascontiguousarray(hands, np.uint64)
    if search is None:
        depth = large_depth(len(hands) * N_STRAINS * 2)
        search = prepare_search(play, bool(np.any(hands & COLONS)), depth)
    out = np.zeros((len(hands), N_STRAINS, 2), np.int8)
    kernel = colon_deals if search.with_colons else free_deals

    def fill(scratch: Scratch, first: int, end: int) -> None:
        kernel(search.tables.address, scratch.tricks.address, hands, first, end, search.mode, out)

    _on_threads(len(hands), workers, lambda: new_scratch(search), fill, progress)
    return out


def solve_points(
    hands: np.ndarray,
    play: PlayRules,
    strains: np.ndarray,
    declarers: np.ndarray,
    leaders: np.ndarray,
    payoffs: np.ndarray,
    *,
    workers: int | None = None,
    search: Search | None = None,
    progress: Callable[[int], None] | None = None,
) -> np.ndarray:
    """Points that declarer can make sure of when both play for points, in one contract a deal.

    Parameters
    ----------
    hands : ndarray of uint64, shape (deals, 2)
        As for `solve_tricks`.
    play : PlayRules
        Rules of the tricks.
    strains, declarers, leaders : ndarray of int64, shape (deals,)
        Strain, declarer and leader of each deal.
    payoffs : ndarray of int32, shape (deals, 14)
        Points by declarer's tricks; what he loses is negative.
    workers, search, progress
        As for `solve_tricks`; a `search` must have been made for points.

    Returns
    -------
    ndarray of int32, shape (deals,)
        Points, declarer's view.
    """
    from simcore.solver.values import point_deals

    hands = np.ascontiguousarray(hands, np.uint64)
    if search is None:
        search = prepare_search(play, bool(np.any(hands & COLONS)), large_depth(len(hands) * 10), sets=SETS)
    codes = [np.ascontiguousarray(column, np.int64) for column in (strains, declarers, leaders)]
    payoffs = np.ascontiguousarray(payoffs, np.int32)
    out = np.zeros(len(hands), np.int32)

    def fill(scratch: Scratch, first: int, end: int) -> None:
        assert scratch.points is not None
        memory = (search.tables.address, scratch.tricks.address, scratch.points.address)
        point_deals(*memory, hands, first, end, search.mode, *codes, payoffs, out)

    _on_threads(len(hands), workers, lambda: new_scratch(search, points=True), fill, progress)
    return out


def _on_threads(
    n_deals: int,
    workers: int | None,
    allocate: Callable[[], Scratch],
    fill: Callable[[Scratch, int, int], None],
    progress: Callable[[int], None] | None,
) -> None:
    """Call ``fill(scratch, first, end)`` for chunks of deals; each thread has its own scratch memory, allocated once."""
    n_threads = max(1, min(workers or os.cpu_count() or 1, -(-n_deals // CHUNK)))
    free: SimpleQueue[Scratch] = SimpleQueue()
    for _ in range(n_threads):
        free.put(allocate())

    def task(first: int, end: int) -> int:
        scratch = free.get()
        try:
            fill(scratch, first, end)
        finally:
            free.put(scratch)
        return end - first

    done = 0
    with ThreadPoolExecutor(n_threads) as pool:
        tasks = [pool.submit(task, first, min(first + CHUNK, n_deals)) for first in range(0, n_deals, CHUNK)]
        for finished in as_completed(tasks):
            done += finished.result()
            if progress is not None:
                progress(done)


def card_tricks(
    search: Search,
    scratch: Scratch,
    strain: int,
    lead: int,
    follow: int,
    bar: int = 0,
    led: int = 0,
) -> dict[int, int]:
    """Tricks that the player to move takes with each of his legal cards.

    Parameters
    ----------
    search : Search
        Tables and rules.
    scratch : Scratch
        Scratch memory of this thread and search.
    strain : int
        0 .. 4.
    lead, follow : int
        Hands of the leader (without the card he led) and of the follower, kernels' layout.
    bar : int
        Mask of the suit the leader may not lead, 0 for none.
    led : int
        The card on the table, 0 for none: then the leader is to move.

    Returns
    -------
    dict
        By bit number of the card: tricks from here on, the open trick included.
    """
    from simcore.solver.position import lead_values, reply_values

    out, replies = np.full((2, 64), -1, np.int8)
    fixed = (search.tables.address, scratch.tricks.address, search.mode, search.play, np.int64(strain), U(lead), U(follow))
    if led:
        reply_values(*fixed, U(led), out)
    else:
        barred = U(bar) | (search.play.barred_colons if bar else U(0))
        lead_values(*fixed, barred, replies, out)
    return {bit: int(value) for bit, value in enumerate(out) if value >= 0}


def card_points(
    search: Search,
    scratch: Scratch,
    strain: int,
    lead: int,
    follow: int,
    leader_declares: bool,
    payoff: np.ndarray,
    taken: int,
    bar: int = 0,
    led: int = 0,
) -> dict[int, int]:
    """Declarer's points with each legal card of the player to move, when the rest is perfect play for points.

    Parameters
    ----------
    search : Search
        Tables and rules, made for points.
    scratch : Scratch
        Scratch memory of this thread and search, for points.
    strain, lead, follow
        As for `card_tricks`.
    leader_declares : bool
        Whether the leader is declarer.
    payoff : ndarray of int32, shape (14,)
        Points by declarer's tricks.
    taken : int
        Tricks declarer has taken so far.
    bar, led
        As for `card_tricks`.

    Returns
    -------
    dict
        By bit number of the card: points, declarer's view.
    """
    from simcore.solver.position_points import lead_points, reply_points

    assert scratch.points is not None
    unset = np.iinfo(np.int32).min
    out, replies = np.full((2, 64), unset, np.int32)
    fixed = (search.tables.address, scratch.points.address, search.mode | EVERY_RUN, search.play, np.int64(strain))
    contract = (leader_declares, np.ascontiguousarray(payoff, np.int32), np.int64(taken))
    if led:
        reply_points(*fixed, U(lead), U(follow), U(led), *contract, out)
    else:
        barred = U(bar) | (search.play.barred_colons if bar else U(0))
        lead_points(*fixed, U(lead), U(follow), barred, *contract, replies, out)
    return {bit: int(value) for bit, value in enumerate(out) if value != unset}
