"""Who plays the chunks of a run: threads of this process, or through the same methods a cluster (`simcore.runs.dask_engine`).

`simcore.runs.runner` asks an engine for chunks ahead, takes them in match order, has them cut where the run ends, and
has them written; what a chunk is made of it does not look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from simcore.runs.manifest import ChunkEntry
from simcore.runs.outputs import Writer
from simcore.runs.plan import ChunkSpec, Played, cut, cut_matches
from simcore.runs.player import Player
from simcore.runs.store import AnyFolder
from simcore.runs.until import Part

if TYPE_CHECKING:
    from types import TracebackType

T_co = TypeVar("T_co", covariant=True)
Item = ChunkSpec | ChunkEntry


class Pending(Protocol[T_co]):
    """Something that is being made."""

    def done(self) -> bool:
        """Whether it is there."""

    def result(self) -> T_co:
        """Wait for it."""

    def cancel(self) -> Any:
        """It is not wanted any more."""


class PlayedChunk(Protocol):
    """A chunk that was played, wherever its rows are."""

    @property
    def spec(self) -> ChunkSpec:
        """Which one."""

    @property
    def deals(self) -> int:
        """Number of deals."""

    @property
    def until(self) -> tuple[Part, ...]:
        """What a run that stops by itself looks at."""


class Engine(Protocol):
    """Plays and writes chunks."""

    @property
    def window(self) -> int:
        """Chunks that are asked for ahead."""

    @property
    def segments(self) -> bool:
        """Whether entries of written chunks have no files until their segment is closed."""

    @property
    def strays(self) -> bool:
        """Whether somebody who was killed may have left unfinished files."""

    def __enter__(self) -> Engine: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    def items(self, items: Iterator[Item]) -> Iterator[Item]:
        """What is asked for, one at a time."""

    def play(self, spec: ChunkSpec, enough: int | None) -> Pending[PlayedChunk | None]:
        """Play a chunk; None where the run was stopped before."""

    def cut(self, played: Any, deals: int) -> PlayedChunk:
        """The first whole matches with at least so many deals."""

    def cut_matches(self, played: Any, matches: int) -> PlayedChunk:
        """The first so many matches."""

    def write(self, played: Any) -> Pending[ChunkEntry]:
        """Write a chunk."""

    def finished(self, pending: Iterable[Pending[PlayedChunk | None]]) -> list[ChunkEntry]:
        """Of chunks that were asked for and not taken: those that are stored already."""


class Threads:
    """Threads of this process.

    Parameters
    ----------
    player : Player
        Plays.
    writer : Writer
        Writes.
    folder : Folder or ObjectFolder
        The run directory.
    workers : int
        How many.
    """

    def __init__(self, player: Player, writer: Writer, folder: AnyFolder, workers: int) -> None:
        self.player, self.writer, self.folder, self.workers = player, writer, folder, workers
        self.window = workers + 2
        self.segments, self.strays = writer.segments, False
        self.pool: ThreadPoolExecutor

    def __enter__(self) -> Threads:
        self.pool = ThreadPoolExecutor(self.workers, thread_name_prefix="simcore")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.pool.shutdown()

    def items(self, items: Iterator[Item]) -> Iterator[Item]:
        """Chunk by chunk."""
        return items

    def play(self, spec: ChunkSpec, enough: int | None) -> Pending[Played | None]:
        """Play a chunk, which may end early where it has enough deals."""
        return self.pool.submit(self.player.play, spec, enough)

    def cut(self, played: Played, deals: int) -> Played:
        """The first whole matches with at least so many deals."""
        return watched(self.player, cut(played, deals))

    def cut_matches(self, played: Played, matches: int) -> Played:
        """The first so many matches."""
        return watched(self.player, cut_matches(played, matches))

    def write(self, played: Played) -> Pending[ChunkEntry]:
        """Write a chunk, on the same threads."""
        return self.pool.submit(self.writer.write, self.folder, played)

    def finished(self, pending: Iterable[Pending[PlayedChunk | None]]) -> list[ChunkEntry]:
        """None: chunks are written when they are taken."""
        return []


def watched(player: Player, played: Played) -> Played:
    """A chunk that was cut, with the sums of what is left of it."""
    watch = player.watch
    return played if watch is None else replace(played, until=watch.parts(played))
