"""A run that was made: where it is, how much it holds, and its tables as data frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.places import Place, Url, opened, place
from simcore.runs.manifest import Manifest, read_manifest

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

REMOTE_READERS = 8
"""Files of an object store that are read at once."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """A run directory.

    Attributes
    ----------
    out : Path or Url
        The directory.
    n_matches, n_deals : int
        Finished matches and deals; under ``unit: deal`` a deal counts as a match.
    seconds : float
        Time it took, without compiling.
    state : str
        ``finished``, ``interrupted`` or ``running``.
    resumed : bool
        Whether it was taken up again at least once.
    until : dict or None
        Of a run that ends at a width of an interval: what it has reached.
    """

    out: Place
    n_matches: int
    n_deals: int
    seconds: float
    state: str
    resumed: bool = False
    until: dict[str, Any] | None = None

    @classmethod
    def of(cls, out: Place, manifest: Manifest) -> RunResult:
        """Result of a directory whose manifest is known."""
        counts = (manifest.matches, manifest.deals, manifest.seconds, manifest.state)
        return cls(out, *counts, bool(manifest.resumed), manifest.until)

    @classmethod
    def open(cls, out: Place | str) -> RunResult:
        """Result of a run that was made earlier."""
        return cls.of(place(out), read_manifest(out))

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore run --json``."""
        document: dict[str, Any] = {
            "out": str(self.out),
            "matches": self.n_matches,
            "deals": self.n_deals,
            "seconds": round(self.seconds, 3),
            "deals_per_second": round(self.n_deals / max(self.seconds, 1e-9)),
            "resumed": self.resumed,
        }
        return document if self.until is None else {**document, "until": self.until}

    def deals(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The deals, one row a deal in (match, deal) order.

        Parameters
        ----------
        columns : sequence of str or None
            Only these columns.

        Returns
        -------
        pandas.DataFrame
            With nullable types; names (strains, cards, roles) are categories in bidding or card order.
        """
        return _frame(read_table(self.out, "deals", columns))

    def matches(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The matches, one row a match; see `deals`. A run with ``unit: deal`` has none."""
        return _frame(read_table(self.out, "matches", columns))


def read_table(out: Place, table: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Rows of all finished chunks of a run.

    Parameters
    ----------
    out : Path or Url
        The run directory.
    table : str
        ``deals`` or ``matches``.
    columns : sequence of str or None
        Only these columns.

    Returns
    -------
    pyarrow.Table
        In (match, deal) order.
    """
    manifest = read_manifest(out)
    files = manifest.files(table)
    if not files:
        why = "it was run with unit: deal" if manifest.chunks else "no chunk of it is finished"
        if manifest.config.get("output") == "summary":
            why = "it was run with output: summary, which keeps sums and no rows"
        raise InputError(f"{out} has no {table}: {why}")
    return read_parts([out / name for name in files], columns)


def read_parts(paths: Sequence[Place], columns: Sequence[str] | None = None) -> pa.Table:
    """Rows of part files of one table, one after another.

    Parameters
    ----------
    paths : sequence of Path or Url
        At least one.
    columns : sequence of str or None
        Only these columns.

    Returns
    -------
    pyarrow.Table
        A chunk a file. No reader threads: for few columns they gain nothing here, and Arrow's may abort a process that
        ends soon afterwards (apache/arrow 34314).
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    def read(path: Place) -> pa.Table:
        remote = isinstance(path, Url)
        with pq.ParquetFile(opened(path), pre_buffer=remote) as file:
            return file.read(columns=None if columns is None else list(columns), use_threads=False)

    if isinstance(paths[0], Url):  # what takes time is waiting for answers
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(min(REMOTE_READERS, len(paths))) as pool:
            return pa.concat_tables(list(pool.map(read, paths)))
    return pa.concat_tables([read(path) for path in paths])


def _frame(table: pa.Table) -> pd.DataFrame:
    import pandas as pd
    import pyarrow as pa

    nullable = {
        pa.int8(): pd.Int8Dtype(),
        pa.int16(): pd.Int16Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    frame: pd.DataFrame = table.to_pandas(types_mapper=nullable.get)
    return frame
