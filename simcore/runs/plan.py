"""What a run consists of: chunks of whole matches in match order, and where a target in deals ends.

Chunk i holds matches ``i * chunk .. (i + 1) * chunk - 1``. A target in deals takes whole matches in match order until
at least so many deals are done, so it depends neither on the size of chunks nor on the order in which they finish.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from simcore.config import Run

RawTable = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class ChunkSpec:
    """Chunk number `index`: `matches` matches from `first_match` on."""

    index: int
    first_match: int
    matches: int


@dataclass(frozen=True, slots=True)
class Played:
    """The raw rows of a chunk, in (match, deal) order; no match rows under ``unit: deal``."""

    spec: ChunkSpec
    matches: int
    deal_rows: RawTable
    match_rows: RawTable

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.deal_rows["match"])


def chunk_specs(matches: int | None, chunk: int) -> Iterator[ChunkSpec]:
    """Chunks of a run in order; without end where only the number of deals is known.

    Parameters
    ----------
    matches : int or None
        Matches of the run.
    chunk : int
        Matches in a chunk.

    Yields
    ------
    ChunkSpec
        The next chunk.
    """
    index = 0
    while matches is None or index * chunk < matches:
        first = index * chunk
        yield ChunkSpec(index, first, chunk if matches is None else min(chunk, matches - first))
        index += 1


def cut(played: Played, deals: int) -> Played:
    """The first whole matches of a chunk that have at least `deals` deals.

    Parameters
    ----------
    played : Played
        A chunk with at least `deals` deals.
    deals : int
        At least 1.

    Returns
    -------
    Played
        Its beginning.
    """
    last = int(played.deal_rows["match"][deals - 1])
    rows = int(np.searchsorted(played.deal_rows["match"], last, side="right"))
    matches = last - played.spec.first_match + 1
    return Played(
        played.spec,
        matches,
        {name: values[:rows] for name, values in played.deal_rows.items()},
        {name: values[:matches] for name, values in played.match_rows.items()},
    )


def join(spec: ChunkSpec, parts: list[Any]) -> Played:
    """One chunk from pieces that were played one after another.

    Parameters
    ----------
    spec : ChunkSpec
        The chunk the pieces belong to.
    parts : list
        Results of ``batch.play_chunk``, with the number of matches of each: ``(matches, result)``.

    Returns
    -------
    Played
        All rows.
    """
    matches = sum(count for count, _ in parts)
    if len(parts) == 1:
        return Played(spec, matches, dict(parts[0][1].deals), dict(parts[0][1].matches))
    deals, totals = (
        {name: np.concatenate([getattr(part, table)[name] for _, part in parts]) for name in getattr(parts[0][1], table)}
        for table in ("deals", "matches")
    )
    return Played(spec, matches, deals, totals)


def default_out(run: Run) -> Path:
    """Where a run goes without ``--out``: ``runs/<variant>-<bots>-seed<seed>``; a plus sign joins different bots."""
    names = [bot.name for bot in run.bots]
    bots = names[0] if len(set(names)) == 1 else "+".join(names)
    return Path("runs") / f"{run.variant.name}-{bots}-seed{run.seed}"
