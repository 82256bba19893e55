"""What a run stores: turns the raw rows of a chunk into the part files of its tables.

Another form of output, sums instead of rows, is `simcore.runs.sums`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simcore.columns import deal_columns, match_columns
from simcore.runs import store
from simcore.runs.manifest import ChunkEntry, versions
from simcore.runs.plan import Played
from simcore.runs.schema import build_table, table_schema

if TYPE_CHECKING:
    import pyarrow as pa

    from simcore.config import Run


class TableWriter:
    """Writes rows: a table of deals, and one of matches where there are matches.

    Parameters
    ----------
    run : Run
        The resolved run.

    Attributes
    ----------
    tables : tuple of str
        Names of the tables.
    """

    segments = False
    """Each chunk has files of its own."""

    def __init__(self, run: Run) -> None:
        metadata = origin(run)
        columns = {"deals": deal_columns(run.variant, run.groups)}
        if run.unit == "match":
            columns["matches"] = match_columns(run.variant)
        self.columns = columns
        self.schemas = {name: table_schema(listed, metadata) for name, listed in columns.items()}
        self.tables = tuple(columns)

    def build(self, played: Played) -> dict[str, pa.Table]:
        """The tables of a chunk, by name."""
        rows = {"deals": played.deal_rows, "matches": played.match_rows}
        return {name: build_table(self.columns[name], rows[name], self.schemas[name]) for name in self.tables}

    def encoded_bytes(self, played: Played) -> int:
        """Size of the files of a chunk."""
        return sum(store.encode(table).size for table in self.build(played).values())

    def disk_bytes(self, by_deal: float, deals: int) -> float:
        """Size of the deals of a run in files, given the size of one; the files themselves come on top."""
        return by_deal * deals

    def close(self, folder: store.AnyFolder, entries: Sequence[ChunkEntry]) -> ChunkEntry:
        """Store a segment; rows have none."""
        raise NotImplementedError

    def joined(self, folder: store.AnyFolder, entries: Sequence[ChunkEntry]) -> list[ChunkEntry]:
        """Entries of a whole run; rows stay in the files of their chunks."""
        return list(entries)

    def write(self, folder: store.AnyFolder, played: Played) -> ChunkEntry:
        """Write the files of a chunk.

        Parameters
        ----------
        folder : Folder
            The run directory.
        played : Played
            The chunk, cut to what belongs to the run.

        Returns
        -------
        ChunkEntry
            What the manifest says about it.
        """
        spec = played.spec
        files = tuple(store.write_part(folder, name, spec.index, table) for name, table in self.build(played).items())
        played.release()
        return ChunkEntry(spec.index, spec.first_match, played.matches, played.deals, files, played.until)


def origin(run: Run) -> dict[str, str]:
    """Where the rows of a run come from, for the metadata of its files; the same for every way of running it."""
    found = versions()
    return {
        "simcore.variant": run.variant.name,
        "simcore.rules_digest": run.variant.digest(),
        "simcore.bots": ",".join(bot.name for bot in run.bots),
        "simcore.bots_digest": ",".join(bot.digest() for bot in run.bots),
        "simcore.seed": str(run.seed),
        "simcore.unit": run.unit,
        "simcore.versions": ",".join(f"{name} {found[name]}" for name in ("simcore", "numba", "pyarrow")),
    }
