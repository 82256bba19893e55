"""Plays chunks in pieces that are short in time, so that a run can stop within a second whatever its bots cost."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from simcore import batch
from simcore.columns import deal_columns
from simcore.given import given_of
from simcore.raw_columns import Room
from simcore.runs.arrow import load_in_background
from simcore.runs.plan import ChunkSpec, Played, join
from simcore.runs.until import WATCHED, Watch
from simcore.summary import row_names

if TYPE_CHECKING:
    from simcore.config import Run

PIECE_SECONDS = 0.25
"""About how long a piece takes; between pieces a worker looks whether it is to stop."""
_FIRST_PIECE = 32
"""Matches of the first timed piece."""


def _names(run: Run) -> tuple[str, ...]:
    """Columns of deals that the output of a run needs."""
    if run.output == "rows":
        return tuple(column.name for column in deal_columns(run.variant, run.groups))
    return tuple(dict.fromkeys((*row_names(run.variant), *(WATCHED if run.until is not None else ()))))


class Player:
    """Plays the chunks of one run; safe to use from several threads.

    Parameters
    ----------
    run : Run
        The resolved run.

    Attributes
    ----------
    stop : threading.Event
        Set it to make all workers give up after their present piece.
    deals_per_match : float
        As far as seen.
    watch : Watch or None
        What a run that stops by itself looks at.
    """

    def __init__(self, run: Run) -> None:
        self.stop = threading.Event()
        self.watch = Watch(run) if run.until is not None else None
        given = given_of(run)
        self._rooms: queue.SimpleQueue[Room] = queue.SimpleQueue()
        """Memory of chunks that were stored."""
        self._names = _names(run)
        self._setup: Any = batch.prepare(run.variant, run.bots, run.seed, run.unit, run.groups, given)
        first_piece = min(_FIRST_PIECE, len(given.hands) or _FIRST_PIECE)
        # The first call compiles the kernels or loads them. It happens in the thread that constructs, so that an
        # interrupt arrives there and not after the compilation.
        batch.play_chunk(self._setup, 0, 1)
        started = time.perf_counter()
        first = batch.play_chunk(self._setup, 0, first_piece)
        self.seconds_per_match = max((time.perf_counter() - started) / first_piece, 1e-9)
        self.deals_per_match = len(first.deals["match"]) / first_piece
        load_in_background()  # while the first chunks are played

    @property
    def piece(self) -> int:
        """Matches of a piece."""
        return max(1, int(PIECE_SECONDS / self.seconds_per_match))

    def play(self, spec: ChunkSpec, enough: int | None = None) -> Played | None:
        """Play a chunk.

        Parameters
        ----------
        spec : ChunkSpec
            Which one.
        enough : int or None
            The chunk may end early once it has so many deals.

        Returns
        -------
        Played or None
            Its rows, or None where `stop` was set before it was complete.
        """
        parts: list[Any] = []
        rooms: list[Room] = []
        done = deals = 0
        while done < spec.matches and (enough is None or deals < enough):
            if self.stop.is_set():
                return None
            matches = min(spec.matches - done, self.piece)
            started = time.perf_counter()
            room = self._room()
            part = batch.play_chunk(self._setup, spec.first_match + done, matches, names=self._names, room=room)
            self.seconds_per_match = max((time.perf_counter() - started) / matches, 1e-9)
            self.deals_per_match = len(part.deals["match"]) / matches
            parts.append((matches, part))
            rooms.append(room)
            done += matches
            deals += len(part.deals["match"])
        played = join(spec, parts)
        if len(rooms) == 1:
            played = replace(played, release=partial(self._rooms.put, rooms[0]))
        else:  # joined rows are copies
            for room in rooms:
                self._rooms.put(room)
        return played if self.watch is None else replace(played, until=self.watch.parts(played))

    def _room(self) -> Room:
        """Memory to play into."""
        try:
            return self._rooms.get_nowait()
        except queue.Empty:
            return Room(self._names)
