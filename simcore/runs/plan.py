"""What a run consists of: chunks of whole matches in match order, and where a target in deals ends.

Chunk i holds matches ``i * chunk .. (i + 1) * chunk - 1``. A target in deals takes whole matches in match order until
at least so many deals are done, so it depends neither on the size of chunks nor on the order in which they finish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from simcore.runs.shard import Shard

if TYPE_CHECKING:
    from simcore.config import Run
    from simcore.runs.manifest import ChunkEntry

RawTable = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Extent:
    """The matches of a run, or of a shard of it: ``first .. end - 1``; `end` is None where only deals are known."""

    first: int
    end: int | None

    @property
    def matches(self) -> int | None:
        """Number of matches."""
        return None if self.end is None else self.end - self.first


@dataclass(frozen=True, slots=True)
class ChunkSpec:
    """Chunk number `index`: `matches` matches from `first_match` on."""

    index: int
    first_match: int
    matches: int


@dataclass(frozen=True, slots=True)
class Played:
    """The raw rows of a chunk, in (match, deal) order; no match rows under ``unit: deal``.

    `release` is to be called by whoever has read the rows last: their memory is then played into again.
    """

    spec: ChunkSpec
    matches: int
    deal_rows: RawTable
    match_rows: RawTable
    until: tuple[tuple[int, ...], ...] = ()
    release: Callable[[], None] = lambda: None

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.deal_rows["match"])

    @property
    def raw_bytes(self) -> int:
        """Memory that the rows take."""
        return sum(values.nbytes for rows in (self.deal_rows, self.match_rows) for values in rows.values())


def chunk_specs(matches: int | None, chunk: int, first_chunk: int = 0) -> Iterator[ChunkSpec]:
    """Chunks of a run in order; without end where only the number of deals is known.

    Parameters
    ----------
    matches : int or None
        Where the last chunk ends, counted from match 0.
    chunk : int
        Matches in a chunk.
    first_chunk : int
        Number of the first chunk.

    Yields
    ------
    ChunkSpec
        The next chunk.
    """
    index = first_chunk
    while matches is None or index * chunk < matches:
        first = index * chunk
        yield ChunkSpec(index, first, chunk if matches is None else min(chunk, matches - first))
        index += 1


def chunk_items(
    extent: Extent, chunk: int, kept: Mapping[int, ChunkEntry]
) -> Iterator[ChunkSpec | ChunkEntry]:
    """What a run goes through in match order: chunks to play, and entries that are stored already.

    Parameters
    ----------
    extent : Extent
        Which matches.
    chunk : int
        Matches in a chunk.
    kept : mapping of int to ChunkEntry
        Stored entries by the number of their first chunk; an entry may cover several chunks.

    Yields
    ------
    ChunkSpec or ChunkEntry
        The next chunk, or the entry that covers it.
    """
    covered = 0
    for spec in chunk_specs(extent.end, chunk, extent.first // chunk):
        if spec.first_match < covered:
            continue
        entry = kept.get(spec.index)
        if entry is None:
            yield spec
        else:
            covered = entry.end
            yield entry


def extent_of(run: Run, shard: Shard | None = None) -> Extent:
    """The matches that a run, or a shard of it, plays.

    Parameters
    ----------
    run : Run
        The resolved run.
    shard : Shard or None
        A part of its chunks.

    Returns
    -------
    Extent
        In matches.

    Raises
    ------
    InputError
        The run cannot be cut into such shards.
    """
    matches = run.matches if run.matches is not None else matches_of_deals(run)
    if shard is None:
        return Extent(0, matches)
    return Extent(*shard.matches(run, matches))


def matches_of_deals(run: Run) -> int | None:
    """Matches that a target in deals takes, where every match has the same number of deals; else None."""
    auction, match = run.variant.auction, run.variant.match
    if run.deals is None or (auction.kind == "bridge" and auction.passed_out == "redeal"):
        return None
    if run.unit == "deal":
        return run.deals
    if match.deals is None:
        return None
    return -(-run.deals // int(match.deals)) if match.tie == "draw" else None


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
    return cut_matches(played, int(played.deal_rows["match"][deals - 1]) - played.spec.first_match + 1)


def cut_matches(played: Played, matches: int) -> Played:
    """The first `matches` matches of a chunk, at least 1 and no more than it has."""
    end = played.spec.first_match + matches
    rows = int(np.searchsorted(played.deal_rows["match"], end, side="left"))
    return replace(
        played,
        matches=matches,
        deal_rows={name: values[:rows] for name, values in played.deal_rows.items()},
        match_rows={name: values[:matches] for name, values in played.match_rows.items()},
        until=(),
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


def default_out(run: Run, shard: Shard | None = None) -> Path:
    """Where a run goes without ``--out``: ``runs/<variant>-<bots>-seed<seed>``; a plus sign joins different bots."""
    names = [bot.name for bot in run.bots]
    bots = names[0] if len(set(names)) == 1 else "+".join(names)
    part = "" if shard is None else f"-shard{shard.index}of{shard.of}"
    return Path("runs") / f"{run.variant.name}-{bots}-seed{run.seed}{part}"
