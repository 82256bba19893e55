"""Sampled deals in the order of their attempts, made and played on threads. Plain Python.

A deal counts or not by its own attempt alone, and attempts are taken in order; so the first n deals that count are the same
however the attempts are shared out. Who asks for a rare deal is told so: after `LOOK_AFTER` attempts at least `FEWEST` must
have counted, and `MOST_ATTEMPTS` are the end.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simcore.bot_table import python_bots
from simcore.cards import ACES, BORDER_CARD, COLONS, JACKS, KINGS, LANE, QUEENS, SUIT0, UPCARD_CLASS
from simcore.codes import N_STRAINS, N_SUITS
from simcore.columns import CARD_NAMES, ROLE_NAMES, STRAIN_NAMES, UPCARD_CLASS_NAMES
from simcore.errors import InputError
from simcore.sampling.attempts import Sampled, new_sampled, sample_deals
from simcore.sampling.plays import IMPOSSIBLE, play_call, play_strains
from simcore.solving import solving_memory
from simcore.table import new_record

if TYPE_CHECKING:
    from simcore.batch import Setup
    from simcore.sampling.known import Deal

CHUNK = 8192
"""Attempts of one task."""
STREAM_BITS = 40
"""Attempts of one stream: the number of an attempt is stream * 2^40 + its place in the stream."""
LOOK_AFTER, FEWEST = 2_000_000, 20
"""Attempts after which so many deals must have counted."""
MOST_ATTEMPTS = 20_000_000
"""Attempts after which no more are made."""
Columns = dict[str, np.ndarray]
Keep = Callable[[Columns], np.ndarray]
"""A condition: from columns of sampled deals to which of them count."""


@dataclass(frozen=True)
class Batch:
    """Deals of consecutive attempts that count.

    Attributes
    ----------
    attempts
        Attempts made, those that do not count included.
    sampled
        The deals.
    tricks
        int8[strain, row] of declarer, or int8[1, row] of the caller; None where nothing was played.
    """

    attempts: int
    sampled: Sampled
    tricks: np.ndarray | None


def take(sampled: Sampled, rows: np.ndarray | slice) -> Sampled:
    """Some rows of sampled deals."""
    return Sampled(*(np.ascontiguousarray(column[rows]) for column in sampled))


def features(sampled: Sampled, role: int | None) -> Columns:
    """Columns of sampled deals for conditions, named as those of a run, ``declarer`` or ``opponent`` in the place of a seat.

    Parameters
    ----------
    sampled : Sampled
        Deals.
    role : int or None
        Declarer's role, where there is a declarer.

    Returns
    -------
    dict
        hcp, len_S .. len_C, colons, drawn of declarer and opponent and of dealer and non-dealer, or of the caller; upcard,
        upcard_class, declarer_role, or the caller's position.
    """
    columns: Columns = {}
    if role is None:
        named = {0: [""]}
        players = sampled.hands.shape[1]
        columns["position"] = (players - 1 - sampled.dealer) % players
    else:
        named = {0: ["_declarer", f"_{ROLE_NAMES[role]}"], 1: ["_opponent", f"_{ROLE_NAMES[1 - role]}"]}
        columns["declarer_role"] = np.full(len(sampled.attempt), ROLE_NAMES[role], object)
    for seat, ends in named.items():
        hands = sampled.hands[:, seat]
        honours = sum(np.bitwise_count(hands & mask).astype(np.int64) * n for mask, n in _POINTS)
        own = {"hcp": np.asarray(honours, np.int64)}
        for suit in reversed(range(N_SUITS)):
            held = (hands >> np.uint64(LANE * suit)) & SUIT0
            own[f"len_{STRAIN_NAMES[suit]}"] = np.bitwise_count(held).astype(np.int64)
        own["colons"] = np.bitwise_count(hands & COLONS).astype(np.int64)
        own["drawn"] = sampled.drawn[:, seat]
        columns |= {stem + end: column for stem, column in own.items() for end in ends}
    if sampled.upcard.any():
        bits = np.bitwise_count(sampled.upcard - np.uint64(1)).astype(np.int64)
        columns["upcard"] = np.array(CARD_NAMES, object)[BORDER_CARD[bits]]
        columns["upcard_class"] = np.array(UPCARD_CLASS_NAMES, object)[UPCARD_CLASS[bits & 15]]
    return columns


_POINTS = ((ACES, 4), (KINGS, 3), (QUEENS, 2), (JACKS, 1))


class Sampler:
    """Deals that agree with what is known.

    Parameters
    ----------
    setup : Setup
        Rules, bots, seed; ``unit: deal``.
    deal : Deal
        What is known.
    role : int or None
        Declarer's role.
    keep : callable or None
        A further condition.
    call : int or None
        In games of calls, what seat 0 calls.
    play : bool
        Whether the bots play the deals.
    """

    def __init__(
        self, setup: Setup, deal: Deal, role: int | None = None, keep: Keep | None = None, call: int | None = None,
        play: bool = True,
    ) -> None:  # fmt: skip
        if any(python_bots(setup.bots)):
            raise InputError("bots written in Python are too slow for estimates; compiled ones and those in YAML can play")
        self._setup, self._deal, self._role, self._keep = setup, deal, role, keep
        self._call, self._play = call, play

    def _make(self, first: int, count: int) -> Batch:
        setup, players = self._setup, self._setup.variant.players
        seed, dealer = np.uint64(setup.seed), np.int64(self._deal.dealer)
        table, _memory = solving_memory(setup)  # kept while the table knows its addresses
        record = new_record(2)
        room = new_sampled(count, players)
        rows = sample_deals(
            setup.rules, setup.bot_table, seed, np.uint64(first), np.int64(count), dealer, self._deal.known, self._deal.heard,
            table, record, room,
        )  # fmt: skip
        sampled = take(room, slice(0, int(rows)))
        if self._keep is not None and rows:
            sampled = take(sampled, np.flatnonzero(self._keep(features(sampled, self._role))))
        if not self._play:
            return Batch(count, sampled, None)
        n = np.int64(len(sampled.attempt))
        tricks = np.zeros((1 if self._call is not None else N_STRAINS, n), np.int8)
        if self._call is not None:
            call = np.int64(self._call)
            play_call(setup.rules, setup.bot_table, seed, sampled, np.int64(0), n, call, table, record, tricks[0])
            possible = np.flatnonzero(tricks[0] != IMPOSSIBLE)
            return Batch(count, take(sampled, possible), np.ascontiguousarray(tricks[:, possible]))
        play_strains(setup.rules.common, setup.bot_table, seed, sampled, np.int64(0), n, table, record, tricks)
        return Batch(count, sampled, tricks)

    def batches(self, stream: int = 0, workers: int | None = None) -> Iterator[Batch]:
        """Deals in the order of their attempts, without end.

        Parameters
        ----------
        stream : int
            Streams are independent of one another.
        workers : int or None
            Threads; None: one a processor.

        Yields
        ------
        Batch
            Of the next `CHUNK` attempts.
        """
        threads = workers or os.cpu_count() or 1
        place = stream << STREAM_BITS
        waiting: deque[Future[Batch]] = deque()
        pool = ThreadPoolExecutor(threads)
        try:
            while True:
                while len(waiting) <= threads:
                    waiting.append(pool.submit(self._make, place, CHUNK))
                    place += CHUNK
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def first(self, n: int, stream: int = 0, workers: int | None = None) -> Batch:
        """The first n deals that count.

        Parameters
        ----------
        n : int
            How many.
        stream, workers
            As for `batches`.

        Returns
        -------
        Batch
            With the attempts up to the last of them; fewer deals where the attempts ended before.

        Raises
        ------
        InputError
            Where too few attempts count.
        """
        collected = Collector(self, stream, workers)
        try:
            collected.reach(n)
        finally:
            collected.close()
        return collected.batch(min(n, collected.n))


class Collector:
    """Deals of a sampler, gathered up to growing numbers; parameters as for `Sampler.batches`.

    Parameters
    ----------
    sampler : Sampler
        Whose deals.
    stream, workers
        As for `Sampler.batches`.
    with_cards : bool
        Whether the cards are kept, or only attempts and tricks.
    """

    def __init__(self, sampler: Sampler, stream: int = 0, workers: int | None = None, with_cards: bool = True) -> None:
        self._batches = sampler.batches(stream, workers)
        self._first = stream << STREAM_BITS
        self._with_cards = with_cards
        self._parts: list[Batch] = []
        self.n = self.attempts = 0

    def reach(self, n: int) -> bool:
        """Gather at least n deals; -> False where the attempts ended before.

        Raises
        ------
        InputError
            Where too few attempts count.
        """
        while self.n < n:
            if self.attempts >= MOST_ATTEMPTS:
                return False
            part = next(self._batches)
            self.n += len(part.sampled.attempt)
            self.attempts += part.attempts
            if not self._with_cards:
                part = Batch(part.attempts, take(part.sampled, slice(0, 0))._replace(attempt=part.sampled.attempt), part.tricks)
            self._parts.append(part)
            if self.attempts >= LOOK_AFTER and self.n < FEWEST:
                raise InputError(
                    f"only {self.n} of {self.attempts:,} simulated deals agree with what is known; at least {FEWEST} must.\n"
                    "Ask for less at once: fewer cards, a wider condition, a shorter auction, thrown any in place of policy"
                )
        return True

    def close(self) -> None:
        """End the threads."""
        self._batches.close()  # type: ignore[attr-defined]

    def batch(self, n: int, start: int = 0) -> Batch:
        """Deals start .. n - 1 of those gathered, with all attempts up to the last of them."""
        parts = self._parts
        columns = zip(*(part.sampled for part in parts), strict=True)
        sampled = Sampled(*(np.concatenate(column) for column in columns))
        attempts = int(sampled.attempt[n - 1]) - self._first + 1 if 0 < n < self.n else self.attempts
        tricks = None
        if parts[0].tricks is not None:
            tricks = np.concatenate([part.tricks for part in parts if part.tricks is not None], axis=1)[:, start:n]
        return Batch(attempts, take(sampled, slice(start, n)), tricks)
