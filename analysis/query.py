"""Sums over the rows of a run by DuckDB, some files at a time, so that a run of any size needs little memory.

A part file holds whole matches, so what is summed by match is complete in its file, and sums of batches of files add up.
The database sees the run's files and nothing else: other files, the network, extensions and its own settings are closed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from analysis.columns import RowColumn, deal_row_columns, row_columns, seat_sql
from analysis.estimates import ClusterSums
from analysis.load import Key, RunData
from analysis.where import Condition
from simcore.errors import InputError
from simcore.places import opened
from simcore.runs import read_parts

BATCH = 1_000_000
"""Rows that are aggregated at a time."""
MEMORY = "600MB"
MOST_GROUPS = 50_000
_MOST_THREADS = 8
_SUMS = 5


@dataclass(slots=True)
class Rows:
    """The rows of a run that a condition leaves, as something to select from.

    Attributes
    ----------
    data : RunData
        A run with rows.
    columns : dict
        The columns that can be named.
    where : Condition or None
        Which rows.
    calls : bool
        Whether a row is a seat's call; else it is a deal.
    """

    data: RunData
    columns: dict[str, RowColumn]
    where: Condition | None = None
    calls: bool = False
    _connection: Any = field(default=None, repr=False)

    @classmethod
    def of_rates(cls, data: RunData, where: Condition | None = None) -> Rows:
        """Rows that are made or not: deals, in games of calls the calls of all seats."""
        return cls(data, row_columns(data), where, data.rules["auction"]["kind"] == "calls")

    @classmethod
    def of_deals(cls, data: RunData, where: Condition | None = None) -> Rows:
        """Rows that are deals, in every game."""
        return cls(data, deal_row_columns(data), where)

    def source(self, names: Sequence[str], filtered: bool = True) -> str:
        """SQL of a table with some columns of the rows; ``$deals`` are the part files.

        Parameters
        ----------
        names : sequence of str
            The columns.
        filtered : bool
            Whether only rows that meet the condition.
        """
        where = self.where if filtered else None
        names = list(dict.fromkeys([*names, *(where.columns if where else ())]))
        seats = range(self.data.players) if self.calls else range(1)
        parts = []
        for seat in seats:
            listed = ", ".join(f'{seat_sql(self.columns[name], seat)} AS "{name}"' for name in names)
            parts.append(f"SELECT {listed or '1'} FROM {parquet('deals')}")
        table = " UNION ALL ".join(parts)
        return f"({table})" if where is None else f"(SELECT * FROM ({table}) WHERE {where.sql})"

    def run(self, queries: Mapping[str, str]) -> Iterator[tuple[str, list[Key]]]:
        """Results of queries over each batch of files.

        Parameters
        ----------
        queries : mapping
            SQL by a name; ``$deals`` and ``$matches`` are the files of the batch.

        Yields
        ------
        tuple
            Name of the query, and its rows.
        """
        import duckdb

        connection = connect(self.data)
        try:
            for files in _batches(self.data):
                for name, sql in queries.items():
                    yield name, answers(connection, self.data, sql, files)
        except duckdb.OutOfMemoryException as error:
            raise InputError("--by: more groups than fit into memory; group by fewer columns") from error
        except (duckdb.OutOfRangeException, duckdb.ConversionException) as error:
            said = str(error).splitlines()[0]
            raise InputError(f"--where: the condition cannot be worked out for all rows ({said})") from error
        except (duckdb.InvalidInputException, duckdb.IOException) as error:
            said = str(error).splitlines()[0]
            raise InputError(f"{self.data.out} cannot be read ({said}); `simcore check {self.data.out}` says more") from error
        except RuntimeError as error:
            # what the database makes of Ctrl-C
            if "interrupted" in str(error).lower():
                raise KeyboardInterrupt from error
            raise
        finally:
            connection.close()


def connect(data: RunData) -> Any:
    """A connection to a database in memory that can read the files of a run and nothing else."""
    if not isinstance(data.out, Path):  # its files are read here and given as tables
        return _database(()).cursor()
    return _database(tuple(sorted({str(data.out.resolve()), pattern(data.out)}))).cursor()


def answers(connection: Any, data: RunData, sql: str, files: Mapping[str, Sequence[str]]) -> list[Key]:
    """The rows that a query over part files has.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        What `connect` gave.
    data : RunData
        The run.
    sql : str
        ``$deals`` and others of its tables, by `parquet`, are the files.
    files : mapping
        Names of the files of each table.
    """
    used = {table: names for table, names in files.items() if f"${table}" in sql}
    if isinstance(data.out, Path):
        paths = {table: [pattern(data.out / name) for name in names] for table, names in used.items()}
        found: list[Key] = connection.execute(sql, paths).fetchall()
        return found
    for table, names in used.items():
        # Every column whose name stands in the query; some of them may only be words of it.
        words = set(re.findall(r"\w+", sql))
        known = pq.read_schema(opened(data.out / names[0])).names
        columns = [name for name in known if name in words] or known[:1]
        connection.register(f"rows_of_{table}", read_parts([data.out / name for name in names], columns))
        sql = sql.replace(parquet(table), f"rows_of_{table}")
    found = connection.execute(sql).fetchall()
    for table in used:
        connection.unregister(f"rows_of_{table}")
    return found


@lru_cache(maxsize=2)
def _database(folders: tuple[str, ...]) -> Any:
    """The database, kept: making one takes longer than a small run's answer. It keeps nothing of the files."""
    import duckdb

    threads = min(os.cpu_count() or 1, _MOST_THREADS)
    database = duckdb.connect(config={"threads": threads, "memory_limit": MEMORY, "temp_directory": ""})
    allowed = ", ".join("'" + name.replace("'", "''") + "'" for name in folders)
    for setting in (
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_external_file_cache = false",
        "preserve_insertion_order = false",
        f"allowed_directories = [{allowed}]",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        database.execute(f"SET {setting}")
    return database


def parquet(table: str) -> str:
    """SQL of the files of a table, ``$deals`` or ``$matches``; names of folders say nothing about columns."""
    return f"read_parquet(${table}, hive_partitioning = false)"


def pattern(path: Path) -> str:
    """The name of a file as the database takes it: as a pattern, in which some characters have to be bracketed."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path.resolve()))


def _batches(data: RunData) -> Iterator[dict[str, list[str]]]:
    """Part files by table, of about `BATCH` rows at a time."""
    files: dict[str, list[str]] = {}
    rows = 0
    for chunk in sorted(data.manifest.chunks, key=lambda chunk: chunk.index):
        for file in chunk.files:
            files.setdefault(file.table, []).append(file.name)
        rows += chunk.deals
        if rows >= BATCH:
            yield files
            files, rows = {}, 0
    if files:
        yield files


def sums_query(rows: Rows, by: Sequence[str], values: Mapping[str, str], clustered: bool) -> str:
    """SQL of the sums of some values by group.

    Parameters
    ----------
    rows : Rows
        What to select from.
    by : sequence of str
        The grouping columns; may be empty.
    values : mapping
        Expressions of numbers by the column that they need, as ``{"made": '"made"::INT'}``.
    clustered : bool
        Whether the rows of a match are a cluster.

    Returns
    -------
    str
        For each group its key, then for each value n, y, nn, ny and yy.
    """
    names = [*by, *values, *(["match"] if clustered else [])]
    source = rows.source(list(dict.fromkeys(names)))
    keys = [f'"{name}"' for name in by]
    numbers = [f"CAST({sql} AS DOUBLE) AS v{place}" for place, sql in enumerate(values.values())]
    any_value = " OR ".join(f'"{name}" IS NOT NULL' for name in values)
    inner = f"SELECT {', '.join([*keys, *(['match'] if clustered else []), *numbers])} FROM {source} WHERE {any_value}"
    places = range(len(values))
    if clustered:
        sums = [f"CAST(COUNT(v{i}) AS DOUBLE) AS n{i}, SUM(v{i}) AS y{i}" for i in places]
        inner = f"SELECT {', '.join([*keys, *sums])} FROM ({inner}) GROUP BY {', '.join([*keys, 'match'])}"
        outer = [f"SUM(n{i}), SUM(y{i}), SUM(n{i} * n{i}), SUM(n{i} * y{i}), SUM(y{i} * y{i})" for i in places]
    else:
        outer = [f"COUNT(v{i}), SUM(v{i}), COUNT(v{i}), SUM(v{i}), SUM(v{i} * v{i})" for i in places]
    grouped = f" GROUP BY {', '.join(keys)}" if by else ""
    return f"SELECT {', '.join([*keys, *outer])} FROM ({inner}){grouped}"


@dataclass(slots=True)
class Gathered:
    """Sums of batches of a query of `sums_query`, added up: `found` by name of the value, then by key.

    Their `squares` are right for truth values, whose squares they are.
    """

    by: int
    values: tuple[str, ...]
    found: dict[str, dict[Key, ClusterSums]] = field(init=False)

    def __post_init__(self) -> None:
        self.found = {name: {} for name in self.values}

    def add(self, rows: Sequence[Key]) -> None:
        """Add the rows of a batch."""
        for row in rows:
            key = row[: self.by]
            for place, name in enumerate(self.values):
                n, *rest = row[self.by + _SUMS * place : self.by + _SUMS * (place + 1)]
                if n:
                    known = self.found[name]
                    y, nn, ny, yy = (float(number) for number in rest)
                    sums = ClusterSums(int(n), y, nn, ny, yy, y)
                    known[key] = known[key] + sums if key in known else sums
        if any(len(known) > MOST_GROUPS for known in self.found.values()):
            raise InputError(f"--by: more than {MOST_GROUPS:,} groups; group by fewer columns")


def group_sums(
    rows: Rows, asked: Mapping[str, tuple[Sequence[str], Mapping[str, str]]], clustered: bool
) -> dict[str, dict[str, dict[Key, ClusterSums]]]:
    """Sums for several groupings, in one pass over the files.

    Parameters
    ----------
    rows : Rows
        What to sum over.
    asked : mapping
        By a name: the grouping columns and the values, as for `sums_query`.
    clustered : bool
        Whether the rows of a match are a cluster.

    Returns
    -------
    dict
        By that name, then by value, then by key. Groups without a value are left out; `squares` are right for truth values.
    """
    queries = {name: sums_query(rows, by, values, clustered) for name, (by, values) in asked.items()}
    gathered = {name: Gathered(len(by), tuple(values)) for name, (by, values) in asked.items()}
    for name, found in rows.run(queries):
        gathered[name].add(found)
    return {name: one.found for name, one in gathered.items()}


def group_counts(rows: Rows, asked: Mapping[str, Sequence[str]], filtered: bool = True) -> dict[str, dict[Key, int]]:
    """Numbers of rows by the values of some columns, for several choices of columns.

    Parameters
    ----------
    rows : Rows
        What to count.
    asked : mapping
        By a name: the columns.
    filtered : bool
        Whether only rows that meet the condition.

    Returns
    -------
    dict
        By that name, then by key.
    """
    queries = {}
    for name, by in asked.items():
        keys = ", ".join(f'"{column}"' for column in by)
        queries[name] = f"SELECT {keys}{', ' if by else ''}COUNT(*) FROM {rows.source(by, filtered)}" + (
            f" GROUP BY {keys}" if by else ""
        )
    found: dict[str, dict[Key, int]] = {name: {} for name in asked}
    for name, records in rows.run(queries):
        known = found[name]
        for *key, n in records:
            known[tuple(key)] = known.get(tuple(key), 0) + n
        if len(known) > MOST_GROUPS:
            raise InputError(f"--by: more than {MOST_GROUPS:,} groups; group by fewer columns")
    return found


def share_sums(rows: Rows, within: Sequence[str], names: Sequence[str], clustered: bool) -> dict[Key, ClusterSums]:
    """Sums of the shares that the values of some columns have in groups of rows.

    Parameters
    ----------
    rows : Rows
        What to count.
    within : sequence of str
        Columns of the groups; may be empty.
    names : sequence of str
        The columns whose combinations of values are counted.
    clustered : bool
        Whether the rows of a match are a cluster.

    Returns
    -------
    dict
        Key (values of `within`, then of `names`) to sums, in which y counts the rows and n all rows of the group.
    """
    counts: dict[Key, list[float]] = {}
    totals: dict[Key, list[float]] = {}
    own, other = [f'"{name}"' for name in within], [f'"{name}"' for name in names]
    source = rows.source([*within, *names, *(["match"] if clustered else [])])
    if clustered:
        inner = f"SELECT {', '.join([*own, *other, 'match'])}, COUNT(*)::DOUBLE AS y FROM {source} GROUP BY ALL"
        of_match = f"SUM(y) OVER (PARTITION BY {', '.join([*own, 'match'])}) AS n"
        table = f"(SELECT *, {of_match} FROM ({inner}))"
        sums = f"SELECT {', '.join([*own, *other])}, SUM(y), SUM(n * y), SUM(y * y) FROM {table} GROUP BY ALL"
        matches = f"SELECT {', '.join([*own, 'match'])}, COUNT(*)::DOUBLE AS n FROM {source} GROUP BY ALL"
        whole = f"SELECT {''.join(f'{name}, ' for name in own)}SUM(n), SUM(n * n) FROM ({matches}) GROUP BY ALL"
    else:
        sums = f"SELECT {', '.join([*own, *other])}, COUNT(*), COUNT(*), COUNT(*) FROM {source} GROUP BY ALL"
        whole = f"SELECT {''.join(f'{name}, ' for name in own)}COUNT(*), COUNT(*) FROM {source} GROUP BY ALL"
    width = {"sums": len(own) + len(other), "whole": len(own)}
    for name, records in rows.run({"sums": sums, "whole": whole}):
        found = counts if name == "sums" else totals
        for record in records:
            key, numbers = record[: width[name]], record[width[name] :]
            if numbers[0]:
                known = found.setdefault(key, [0.0] * len(numbers))
                for place, number in enumerate(numbers):
                    known[place] += float(number)
    result = {}
    for key, (y, ny, yy) in counts.items():
        n, nn = totals[key[: len(own)]]
        result[key] = ClusterSums(int(n), y, nn, ny, yy, y)
    return result
