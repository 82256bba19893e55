"""The client's side of a run on a Dask cluster: asks for chunks ahead, and keeps the manifest of what workers have written.

Where it is known before which matches the run has, a chunk is one task, which plays it and writes its files. Else the rows of
a chunk stay with the worker that played them until the chunks before are known, and only then it is cut and written. A
worker that is lost is Dask's concern: what it had is played again on another.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.places import Place
from simcore.runs.engines import Item, Pending, PlayedChunk
from simcore.runs.manifest import ChunkEntry, Manifest
from simcore.runs.options import Options
from simcore.runs.plan import ChunkSpec, Extent
from simcore.runs.player import Player

if TYPE_CHECKING:
    from types import TracebackType

    from simcore.config import Run
    from simcore.runs.dask_tasks import Counted, Job

TASK_SECONDS = 10.0
"""Of runs that keep sums, chunks that last about so long together are one task."""
RETRIES = 3
"""A task that fails, because its storage is away for a moment, is tried so often again."""
_CONNECT_SECONDS = "20s"
_AHEAD = 3
"""Tasks asked for ahead, by thread of the cluster."""
_LEAST_AHEAD = 16
"""And at least so many, so that a cluster that grows with its work sees some."""
_POLL = 0.2
_COUNT_SECONDS = 5.0


@contextmanager
def connected(run: Run, options: Options) -> Iterator[Cluster]:
    """A client of the cluster that is to play a run, while the context lasts.

    Parameters
    ----------
    run : Run
        The resolved run, which may name the scheduler.
    options : Options
        Which may name another, or hold a client.

    Yields
    ------
    Cluster
        The cluster.

    Raises
    ------
    InputError
        Dask is not installed, or no scheduler answers.
    """
    try:
        import dask
        import distributed
    except ImportError as error:
        raise InputError(
            f"--engine dask needs what the extra 'cluster' installs: pip install 'bridgette-lab[cluster]' ({error})"
        ) from None
    if isinstance(options.scheduler, distributed.Client):
        yield Cluster(options.scheduler)
        return
    address = options.scheduler or run.scheduler or dask.config.get("scheduler-address", None)
    if not address:
        raise InputError(
            "--engine dask: which cluster? give --scheduler ADDRESS (tcp://HOST:8786, or the scheduler's JSON file), "
            "or set DASK_SCHEDULER_ADDRESS"
        )
    logger = logging.getLogger("distributed.client")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # it would log with tracebacks what is said here in a sentence
    where = {"scheduler_file": address} if str(address).endswith(".json") else {"address": address}
    try:
        try:
            client = distributed.Client(**where, timeout=_CONNECT_SECONDS, set_as_default=False, name="simcore")
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            said = " ".join(str(error).split())[:200]
            raise InputError(f"--scheduler {address}: no Dask scheduler answers there ({said})") from error
        try:
            yield Cluster(client)
        finally:
            with suppress(Exception):  # a scheduler that has gone away cannot be told good-bye
                client.close(timeout=2)
    finally:
        logger.setLevel(level)


class Cluster:
    """A cluster, by a client of it."""

    def __init__(self, client: Any) -> None:
        self.client = client

    @property
    def address(self) -> str:
        """The scheduler's address."""
        return str(getattr(self.client.scheduler, "address", "unknown"))

    def threads(self) -> int:
        """Threads of all workers there are now, at least 1."""
        with reaching(self.client, OSError):
            return max(1, int(sum(self.client.nthreads().values())))

    def engine(self, run: Run, player: Player, out: Place, extent: Extent, manifest: Manifest) -> DaskEngine:
        """What plays a run whose manifest is written."""
        return DaskEngine(self, run, player, out, extent, manifest)


@dataclass(slots=True)
class Waiting:
    """A result that a worker is making.

    Attributes
    ----------
    future : distributed.Future
        What is waited for.
    player : Player
        Whose event stops the run.
    made : callable
        Makes the result.
    stoppable : bool
        Whether a run that is stopped has None.
    """

    future: Any
    player: Player
    made: Callable[[Any], Any]
    stoppable: bool = True

    def done(self) -> bool:
        """Whether it is there, or failed."""
        return bool(self.future.done())

    def cancel(self) -> None:
        """Not wanted any more; a task that has begun goes on to its end all the same."""
        with suppress(Exception):
            self.future.cancel()

    def result(self) -> Any:
        """Wait for it, or for the end of the run."""
        with reaching(self.future.client):
            while not self.future.done():
                if self.stoppable and self.player.stop.is_set():
                    return None
                with suppress(TimeoutError):
                    self.future.result(timeout=_POLL)
            return self.made(self.future.result())


@contextmanager
def reaching(client: Any, *also: type[Exception]) -> Iterator[None]:
    """What goes wrong between client and cluster becomes a message; what a task raises stays what it is.

    Parameters
    ----------
    client : distributed.Client
        Of the cluster.
    *also : exception classes
        Where no task is asked, they too mean that nobody answers.
    """
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    kept = "what is finished is kept, and --resume goes on with it"
    try:
        yield
    except (CommClosedError, FutureCancelledError, *also) as error:
        address = Cluster(client).address
        raise InputError(f"the Dask scheduler {address} went away; {kept}") from error
    except KilledWorker as error:
        raise InputError(
            f"{error.task} ended several workers, one after another: too little memory, or killed from outside? their logs "
            f"say more; {kept}"
        ) from error


@dataclass(frozen=True, slots=True)
class Written:
    """A chunk that a worker has written already, because all of it belongs to the run."""

    spec: ChunkSpec
    entry: ChunkEntry

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.entry.deals

    @property
    def until(self) -> tuple[tuple[int, ...], ...]:
        """What a run that stops by itself looks at."""
        return self.entry.until


@dataclass(frozen=True, slots=True)
class Remote:
    """A chunk whose rows are with a worker."""

    spec: ChunkSpec
    rows: Any
    deals: int
    until: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class There:
    """A result that is known."""

    value: ChunkEntry

    def done(self) -> bool:
        """Yes."""
        return True

    def cancel(self) -> None:
        """Nothing to do."""

    def result(self) -> ChunkEntry:
        """The result."""
        return self.value


@dataclass(slots=True)
class _Size:
    """Threads of the cluster, asked for now and then: workers come and go."""

    cluster: Cluster
    threads: int = 1
    asked: float = field(default=float("-inf"))

    def now(self) -> int:
        """How many there are."""
        if time.monotonic() - self.asked > _COUNT_SECONDS:
            self.threads, self.asked = self.cluster.threads(), time.monotonic()
        return self.threads


class DaskEngine:
    """Plays and writes chunks on the workers of a cluster; see `simcore.runs.engines.Engine`."""

    segments, strays = False, True

    def __init__(self, cluster: Cluster, run: Run, player: Player, out: Place, extent: Extent, manifest: Manifest) -> None:
        self.cluster, self.run, self.player = cluster, run, player
        self.job = _job(run, out, manifest)
        self.whole = extent.end is not None and run.until is None
        self.size = _Size(cluster)
        self.token = os.urandom(4).hex()
        self.group = 1
        if self.whole and extent.matches is not None and run.output == "summary":
            chunks = -(-extent.matches // run.chunk_matches)
            lasting = int(TASK_SECONDS / max(player.seconds_per_match * run.chunk_matches, 1e-9))
            self.group = max(1, min(lasting, chunks // (4 * self.size.now())))

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None

    @property
    def window(self) -> int:
        """Chunks that are asked for ahead."""
        return max(_LEAST_AHEAD, _AHEAD * self.size.now())

    def items(self, items: Iterator[Item]) -> Iterator[Item]:
        """Where sums are kept, chunks that follow one another as one."""
        most = self.group * self.run.chunk_matches
        one: ChunkSpec | None = None
        for item in items:
            if isinstance(item, ChunkSpec) and one is not None and one.matches < most:
                one = ChunkSpec(one.index, one.first_match, one.matches + item.matches)
                continue
            if one is not None:
                yield one
            one = item if isinstance(item, ChunkSpec) else None
            if isinstance(item, ChunkEntry):
                yield item
        if one is not None:
            yield one

    def _ask(
        self, function: Callable[..., Any], *arguments: Any, name: str, made: Callable[[Any], Any], **more: Any
    ) -> Waiting:
        return Waiting(self._submit(function, *arguments, name=name), self.player, made, **more)

    def _submit(self, function: Callable[..., Any], *arguments: Any, name: str) -> Any:
        with reaching(self.cluster.client, OSError):
            return self.cluster.client.submit(
                function, *arguments, key=f"simcore-{name}-{self.token}", pure=False, retries=RETRIES
            )

    def play(self, spec: ChunkSpec, enough: int | None) -> Pending[PlayedChunk | None]:
        """Ask for a chunk, or several as one."""
        from simcore.runs import dask_tasks as tasks

        if self.whole:
            return self._ask(
                tasks.play_and_write, self.job, spec, name=f"chunk-{spec.index}", made=lambda entry: Written(spec, entry)
            )
        rows = self._submit(tasks.play, self.job, spec, enough, name=f"play-{spec.index}")
        return self._counted(spec, rows, f"count-{spec.index}")

    def _counted(self, spec: ChunkSpec, rows: Any, name: str, stoppable: bool = True) -> Waiting:
        from simcore.runs import dask_tasks as tasks

        def made(found: Counted) -> Remote:
            return Remote(spec, rows, found.deals, found.until)

        return self._ask(tasks.counted, rows, name=name, made=made, stoppable=stoppable)

    def cut(self, played: Any, deals: int) -> PlayedChunk:
        """The first whole matches with at least so many deals."""
        return self._cut(played, deals, None)

    def cut_matches(self, played: Any, matches: int) -> PlayedChunk:
        """The first so many matches."""
        return self._cut(played, None, matches)

    def _cut(self, played: Written | Remote, deals: int | None, matches: int | None) -> PlayedChunk:
        from simcore.runs import dask_tasks as tasks

        if isinstance(played, Written):  # it ends where the run does
            return played
        name = f"{played.spec.index}-{deals}-{matches}"
        rows = self._submit(tasks.beginning, self.job, played.rows, deals, matches, name=f"cut-{name}")
        found: PlayedChunk = self._counted(played.spec, rows, f"count-{name}", stoppable=False).result()
        return found

    def write(self, played: Any) -> Pending[ChunkEntry]:
        """Have a chunk written, if it is not yet."""
        from simcore.runs import dask_tasks as tasks

        if isinstance(played, Written):
            return There(played.entry)
        return self._ask(
            tasks.write,
            self.job,
            played.rows,
            name=f"write-{played.spec.index}",
            made=lambda entry: entry,
            stoppable=False,
        )

    def finished(self, pending: Iterable[Pending[PlayedChunk | None]]) -> list[ChunkEntry]:
        """Chunks that were written out of turn."""
        found = []
        for one in pending:
            if self.whole and one.done():
                with suppress(Exception):  # one that failed is played again
                    played = one.result()
                    if isinstance(played, Written):
                        found.append(played.entry)
        return found


def _job(run: Run, out: Place, manifest: Manifest) -> Job:
    from simcore.plugins import REGISTRY
    from simcore.runs.dask_tasks import Job, digest_of

    sources = dict.fromkeys(REGISTRY[bot.name].source for bot in run.bots if bot.name in REGISTRY)
    plugins = tuple(str(Path(name).resolve()) if name.endswith(".py") else name for name in sources)
    return Job(str(out.resolve()), digest_of(manifest.config), manifest.engine_digest, plugins)
