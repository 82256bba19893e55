"""Reads run directories in pieces: only the columns that are asked for, whole matches, a bounded number of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simcore.errors import InputError
from simcore.places import Place, opened, place
from simcore.runs import Manifest, RunResult, read_manifest, read_parts

Key = tuple[Any, ...]
"""Values of grouping columns."""
ROWS_AT_ONCE = 500_000
"""Part files are read together up to about so many rows."""


@dataclass(frozen=True, slots=True)
class RunData:
    """A run directory that is going to be analysed.

    Attributes
    ----------
    out : Path or Url
        The directory.
    manifest : Manifest
        Its manifest; only chunks that it lists are read.
    """

    out: Place
    manifest: Manifest

    @property
    def rules(self) -> dict[str, Any]:
        """The resolved variant."""
        variant: dict[str, Any] = self.manifest.config["variant"]
        return variant

    @property
    def clustered(self) -> bool:
        """Whether several rows come from one match."""
        return bool(self.manifest.config["unit"] == "match")

    @property
    def summed(self) -> bool:
        """Whether it holds sums instead of rows."""
        return self.manifest.config.get("output") == "summary"

    @property
    def players(self) -> int:
        """Seats."""
        return int(self.rules["players"])

    def header(self) -> dict[str, Any]:
        """What every result says about where it comes from."""
        config = self.manifest.config
        header = {
            "variant": self.rules["name"],
            "bots": [bot["name"] for bot in config["bots"]],
            "seed": config["seed"],
            "unit": config["unit"],
            "state": self.manifest.state,
            "matches": self.manifest.matches,
            "deals": self.manifest.deals,
        }
        seers = list(dict.fromkeys(bot["name"] for bot in config["bots"] if bot.get("sees_all")))
        if seers:
            header["sees_all"] = seers
        if self.manifest.shard is not None:
            header["shard"] = self.manifest.shard
        if not self.clustered:
            del header["matches"]
        return header

    def columns(self, table: str) -> pa.Schema:
        """Schema of a table."""
        return pq.read_schema(opened(self.out / self.manifest.files(table)[0]))

    def dataset(self, table: str) -> Any:
        """A table as a ``pyarrow.dataset``, of which only what is asked for is read."""
        from pyarrow.dataset import dataset

        files = self.manifest.files(table)
        if isinstance(self.out, Path):
            return dataset([self.out / name for name in files])
        storage, path = self.out.found
        return dataset([f"{path}/{name}" for name in files], filesystem=storage)

    def known_columns(self) -> frozenset[str]:
        """Columns, in lower case, that the rows of such a run have, whether it keeps rows or not."""
        from simcore.columns import deal_columns
        from simcore.config import load_variant

        variant = load_variant(self.rules)
        return frozenset(column.name.lower() for column in deal_columns(variant))

    def pieces(self, table: str, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Read a table piece by piece.

        Parameters
        ----------
        table : str
            ``deals`` or ``matches``.
        columns : sequence of str
            The columns to read.

        Yields
        ------
        pyarrow.Table
            Rows of whole chunks, so of whole matches, in match order. Pieces of both tables hold the same matches.
        """
        for group in self.groups():
            yield read_parts([self.out / name for name in group[table]], columns)

    def groups(self, rows_at_once: int = ROWS_AT_ONCE) -> Iterator[dict[str, list[str]]]:
        """Names of part files by table, of chunks that hold about so many rows together, in match order."""
        group: dict[str, list[str]] = {}
        rows = 0
        for chunk in sorted(self.manifest.chunks, key=lambda chunk: chunk.index):
            for file in chunk.files:
                group.setdefault(file.table, []).append(file.name)
            rows += chunk.deals
            if rows >= rows_at_once:
                yield group
                group, rows = {}, 0
        if group:
            yield group


def open_run(run: RunResult | Place | str) -> RunData:
    """Open a run directory.

    Parameters
    ----------
    run : RunResult, Path, Url or str
        The run or its directory.

    Returns
    -------
    RunData
        Of its finished chunks; those of a run that was interrupted are a beginning of the whole.

    Raises
    ------
    InputError
        There is no run, or nothing of it is finished.
    """
    out = run.out if isinstance(run, RunResult) else place(run)
    manifest = read_manifest(out)
    if not manifest.chunks:
        raise InputError(f"{out}: no chunk of this run is finished (it is {manifest.state}); there is nothing to analyse")
    there = None if isinstance(out, Path) else set(out.names())
    for name in (name for table in manifest.tables for name in manifest.files(table)):
        if not ((out / name).is_file() if isinstance(out, Path) else there is not None and name in there):
            raise InputError(f"{out / name} is missing though the manifest lists it; `simcore check {out}` says more")
    return RunData(out, manifest)
