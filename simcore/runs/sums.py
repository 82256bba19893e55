"""What a run with ``output: summary`` stores: sums of many chunks in a handful of small files (`simcore.summary`).

While the run goes on, the sums of some seconds are a segment: an entry of the manifest that covers several chunks, with
files named by the first and the last of them. Segments are joined now and then and at the end, so a finished run holds
one of each file. Columns

- `cells`: the columns of `simcore.summary.COLUMNS` and the dealer's seat; n, made, and the sums and sums of squares of
  the points of declarer and opponent, in points.
- `pairs`: the same columns but the dealer, null where the two deals differ; the number of pairs by how many were made.
- `sums`: what, and the moments over matches, points in tenths.
- `totals`: what, its value in points, the number of matches.
- `results`: first dealer, winner, finished, number of deals, number of matches.
"""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from simcore.codes import BOOK, TENTHS
from simcore.columns import ROLE_NAMES, STRAIN_NAMES, UPCARD_CLASS_NAMES
from simcore.rules import build_rules
from simcore.runs import store
from simcore.runs.arrow import pa, pq
from simcore.runs.manifest import ChunkEntry
from simcore.runs.plan import Played
from simcore.runs.schema import bits, texts
from simcore.runs.tables import origin
from simcore.summary import COLUMNS, MADE_COUNTS, MOMENTS, PAIR_SHAPE, SHAPE, SUMS, Summary

if TYPE_CHECKING:
    from simcore.config import Run

TOTALS = ("seat 0", "seat 1", "margin")
CELLS = "cells"
OF_MATCHES = ("pairs", "sums", "totals", "results")
_NAMES = {"declarer_role": ROLE_NAMES, "strain": STRAIN_NAMES, "upcard_class": UPCARD_CLASS_NAMES}
_DIGITS = 38
"""Decimal digits of a sum."""
DEALS_AT_ONCE = 1 << 18
"""Chunks wait until they have so many deals: playing drives the counts out of the cache, and loading them takes time."""
Codes = npt.NDArray[Any]


class SummaryWriter:
    """Adds up chunks on any number of threads; the rows are gone when a chunk is added.

    Parameters
    ----------
    run : Run
        The resolved run.

    Attributes
    ----------
    tables : tuple of str
        Names of the tables.
    """

    segments = True

    def __init__(self, run: Run) -> None:
        self.run = run
        self.tables = (CELLS, *OF_MATCHES) if run.unit == "match" else (CELLS,)
        self._metadata = origin(run)
        self._rules = build_rules(run.variant, run.unit)
        self._scratch = self._new()
        self._free: queue.SimpleQueue[Summary] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._waiting: list[Played] = []
        """Chunks of the open segment that are not added yet."""
        self._waiting_deals = 0

    def _new(self) -> Summary:
        return Summary(self.run.variant, self.run.unit, self._rules)

    def write(self, folder: store.AnyFolder, played: Played) -> ChunkEntry:
        """Add a chunk to the open segment; its entry has no files of its own."""
        with self._lock:
            self._waiting.append(played)
            self._waiting_deals += played.deals
            ready: list[Played] = []
            if self._waiting_deals >= DEALS_AT_ONCE:
                ready, self._waiting, self._waiting_deals = self._waiting, [], 0
        self._add(ready)
        spec = played.spec
        return ChunkEntry(spec.index, spec.first_match, played.matches, played.deals, (), played.until)

    def _add(self, chunks: Sequence[Played]) -> None:
        if not chunks:
            return
        try:
            summary = self._free.get_nowait()
        except queue.Empty:
            summary = self._new()
        for played in chunks:
            summary.add(played.deal_rows, played.match_rows)
            played.release()
        self._free.put(summary)

    def close(self, folder: store.AnyFolder, entries: Sequence[ChunkEntry]) -> ChunkEntry:
        """Store the open segment, to which exactly these chunks were added; a new one begins."""
        self._add(self._waiting)
        self._waiting, self._waiting_deals = [], 0
        whole = self._scratch
        whole.clear()
        parts = []
        while not self._free.empty():
            parts.append(self._free.get_nowait())
            whole.merge(parts[-1])
        entry = self._store(folder, entries, whole)
        for part in parts:
            part.clear()
            self._free.put(part)
        return entry

    def joined(self, folder: store.AnyFolder, entries: Sequence[ChunkEntry]) -> list[ChunkEntry]:
        """Join the files of entries that follow one another; the old files stay until they are swept away."""
        found: list[ChunkEntry] = []
        group: list[ChunkEntry] = []
        for entry in [*sorted(entries, key=lambda entry: entry.first_match), None]:
            if group and (entry is None or group[-1].end != entry.first_match):
                found.append(group[0] if len(group) == 1 else self._join(folder, group))
                group = []
            if entry is not None:
                group.append(entry)
        return found

    def _join(self, folder: store.AnyFolder, entries: Sequence[ChunkEntry]) -> ChunkEntry:
        whole = self._new()
        for entry in entries:
            whole.merge(self.read(folder, entry))
        return self._store(folder, entries, whole)

    def _store(self, folder: store.AnyFolder, entries: Sequence[ChunkEntry], summary: Summary) -> ChunkEntry:
        first, last = entries[0], entries[-1]
        chunks = f"{first.index:06d}-{last.index + -(-last.matches // self.run.chunk_matches) - 1:06d}"
        files = []
        for name, table in self.build(summary).items():
            data = _encode(table)
            path = f"{name}/part-{chunks}.parquet"
            folder.put(path, data)
            files.append(store.PartFile(name, path, table.num_rows, data.size, hashlib.sha256(data).hexdigest()))
        until = tuple(sums for entry in entries for sums in entry.until)
        deals = sum(entry.deals for entry in entries)
        return ChunkEntry(first.index, first.first_match, last.end - first.first_match, deals, tuple(files), until)

    def encoded_bytes(self, played: Played) -> int:
        """Add up a chunk as a run would; nothing grows on the disk."""
        self._scratch.add(played.deal_rows, played.match_rows)
        return 0

    def disk_bytes(self, by_deal: float, deals: int) -> float:
        """Size of all files of a run, from what was added for calibration."""
        return float(sum(_encode(table).size for table in self.build(self._scratch).values()))

    # ------------------------------------------------------------------------------------------------- tables and back

    def build(self, summary: Summary) -> dict[str, pa.Table]:
        """The tables of some sums, by name."""
        builders = {
            CELLS: self._cells,
            "pairs": _pairs,
            "sums": _moments,
            "totals": _totals,
            "results": _results,
        }
        return {name: builders[name](summary).replace_schema_metadata(self._metadata) for name in self.tables}

    def _cells(self, summary: Summary) -> pa.Table:
        counts = summary.sums.cells
        where = np.flatnonzero(counts)
        dealer, *codes = np.unravel_index(where, SHAPE)
        values = dict(zip(COLUMNS, codes, strict=True))
        tenths = self._rules.score.tenths
        points = tenths[values["level"], values["strain"], values["doubling"], values["tricks"]].astype(np.int64)
        n = counts[where]
        out_dealer, out_kind = np.nonzero(summary.sums.passed)
        n_out = len(out_dealer)
        columns: dict[str, Any] = {"dealer": _ints(np.r_[dealer, out_dealer])}
        for name, code in values.items():
            passed = {"upcard_class": out_kind, "contested": np.zeros(n_out, np.int64)}.get(name, np.full(n_out, -1))
            columns[name] = _column(name, np.r_[code, passed])
        made = n * (values["tricks"] >= values["level"] + BOOK)
        columns["n"] = _numbers(np.r_[n, summary.sums.passed[out_dealer, out_kind]])
        columns["made"] = _numbers(np.r_[made, np.zeros(n_out, np.int64)])
        for side, sign in (("declarer", 1), ("opponent", -1)):
            own = np.maximum(sign * points, 0) / TENTHS
            for prefix, power in (("points", 1), ("squares", 2)):
                columns[f"{prefix}_{side}"] = _numbers(np.r_[n * own**power, np.zeros(n_out)])
        return _table(columns)

    def read(self, folder: store.AnyFolder, entry: ChunkEntry) -> Summary:
        """The sums that an entry's files hold."""
        summary = self._new()
        tables = {file.table: _decode(folder.get(file.name)) for file in entry.files}
        _read_cells(tables[CELLS], summary)
        if summary.clustered:
            codes = [_codes(tables["pairs"], name) + 1 for name in COLUMNS]
            where = np.ravel_multi_index(codes, PAIR_SHAPE)
            for made in range(MADE_COUNTS):
                summary.sums.pairs[where * MADE_COUNTS + made] = tables["pairs"][f"made_{made}"].to_numpy()
            summary.moments = [[int(tables["sums"][name][row].as_py()) for name in SUMS] for row in range(len(MOMENTS))]
            _read_totals(tables["totals"], summary)
            results = tables["results"]
            winner = results["winner"].fill_null(-1).to_numpy() + 1
            place = (results["first_dealer"].to_numpy(), winner, results["finished"].to_numpy().astype(int))
            summary.sums.results[(*place, results["deals"].to_numpy())] = results["n"].to_numpy()
        return summary


def _pairs(summary: Summary) -> pa.Table:
    counts = summary.sums.pairs.reshape(-1, MADE_COUNTS)
    where = np.flatnonzero(counts.any(axis=1))
    codes = np.unravel_index(where, PAIR_SHAPE)
    columns = {name: _column(name, code - 1) for name, code in zip(COLUMNS, codes, strict=True)}
    return _table(columns | {f"made_{made}": _numbers(counts[where, made]) for made in range(MADE_COUNTS)})


def _moments(summary: Summary) -> pa.Table:
    columns: dict[str, pa.Array] = {"what": texts(MOMENTS)}
    for place, name in enumerate(SUMS):
        digits = b"".join(row[place].to_bytes(16, "little", signed=True) for row in summary.moments)
        columns[name] = pa.Array.from_buffers(pa.decimal128(_DIGITS, 0), len(MOMENTS), [None, pa.py_buffer(digits)])
    return _table(columns)


def _totals(summary: Summary) -> pa.Table:
    what: list[str] = []
    tenths: list[int] = []
    n: list[int] = []
    for row, name in enumerate(TOTALS):
        counted = dict(summary.sparse[row])
        if summary.sums.totals.shape[1]:
            values = np.flatnonzero(summary.sums.totals[row])
            counted |= dict(zip((values * summary.unit).tolist(), summary.sums.totals[row, values].tolist(), strict=True))
        for value in sorted(counted):
            what.append(name)
            tenths.append(value)
            n.append(counted[value])
    points = np.array(tenths, np.int64) / TENTHS
    return _table({"what": texts(tuple(what)), "points": _numbers(points), "n": _numbers(np.array(n, np.int64))})


def _read_totals(table: pa.Table, summary: Summary) -> None:
    tenths = np.rint(table["points"].to_numpy() * TENTHS).astype(np.int64)
    for what, value, n in zip(table["what"].to_pylist(), tenths.tolist(), table["n"].to_pylist(), strict=True):
        row = TOTALS.index(what)
        if summary.sums.totals.shape[1]:
            summary.sums.totals[row, value // summary.unit] = n
        else:
            summary.sparse[row][value] = n


def _results(summary: Summary) -> pa.Table:
    counts = summary.sums.results
    first, winner, finished, deals = np.nonzero(counts)
    return _table(
        {
            "first_dealer": _ints(first),
            "winner": _ints(winner - 1),
            "finished": _truths(finished),
            "deals": _numbers(deals.astype(np.int32)),
            "n": _numbers(counts[first, winner, finished, deals]),
        }
    )


def _read_cells(table: pa.Table, summary: Summary) -> None:
    dealer, n = table["dealer"].to_numpy(), table["n"].to_numpy()
    codes = {name: _codes(table, name) for name in COLUMNS}
    played = codes["level"] >= 0
    index = np.ravel_multi_index([dealer[played], *(code[played] for code in codes.values())], SHAPE)
    summary.sums.cells[index] = n[played]
    out = ~played
    summary.sums.passed[dealer[out], codes["upcard_class"][out]] = n[out]


# Arrays are put together from buffers: `pa.array` would import pandas, a third of a second.


def _table(columns: dict[str, pa.Array]) -> pa.Table:
    return pa.Table.from_arrays(list(columns.values()), names=list(columns))


def _numbers(values: Codes, missing: Codes | None = None) -> pa.Array:
    valid = None if missing is None else bits(~missing)
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [valid, pa.py_buffer(values)])


def _ints(values: Codes) -> pa.Array:
    """Small whole numbers; negative ones are null."""
    return _numbers(values.astype(np.int8), values < 0)


def _truths(values: Codes) -> pa.Array:
    """Truth values of 1 and 0; negative ones are null."""
    return pa.Array.from_buffers(pa.bool_(), len(values), [bits(values >= 0), bits(values > 0)])


def _column(name: str, codes: Codes) -> pa.Array:
    """A column of `COLUMNS` as users see it, from its codes; -1 is null."""
    if name in _NAMES:
        return pa.DictionaryArray.from_arrays(_ints(codes), texts(_NAMES[name]))
    if name == "contested":
        return _truths(codes)
    return _ints(np.where(codes < 0, -1, 1 << np.maximum(codes, 0)) if name == "doubling" else codes)


def _codes(table: pa.Table, name: str) -> Codes:
    """The codes of a column; -1 for null."""
    column = table[name]
    if name in _NAMES:
        values = column.to_pylist()
        names = _NAMES[name]
        return np.array([-1 if value is None else names.index(value) for value in values], np.int64)
    numbers = column.cast(pa.int64()).fill_null(-1).to_numpy()
    return np.where(numbers < 0, -1, np.maximum(numbers, 1) >> 1) if name == "doubling" else numbers


def _encode(table: pa.Table) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="ZSTD", write_statistics=False)
    return sink.getvalue()


def _decode(data: bytes) -> pa.Table:
    return pq.read_table(pa.BufferReader(data), use_threads=False)
