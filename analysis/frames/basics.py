"""What a run is, its columns, its tables as data frames; and how estimates become one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.auctions import auction_kind
from analysis.columns import NUMBER, RowColumn, deal_row_columns, row_columns
from analysis.estimates import Estimate
from analysis.load import RunData, open_run
from analysis.where import read_condition
from simcore.codes import BOOK
from simcore.errors import InputError
from simcore.places import Place
from simcore.runs import RunResult, read_table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

AnyRun = RunResult | Place | str
ESTIMATE = ("estimate", "low", "high", "n", "method")
"""The last columns of every frame."""
NEEDED = "needed"
_NEEDED = {"bridge": f'"level" + {BOOK}', "calls": '"call_{seat}"', "steps": '"bid"'}


def estimate_frame(keys: Sequence[str], rows: Iterable[tuple[Sequence[Any], Estimate]]) -> pd.DataFrame:
    """A frame of estimates.

    Parameters
    ----------
    keys : sequence of str
        Names of the columns that stand before the estimate.
    rows : iterable
        Their values, and the estimate.

    Returns
    -------
    pandas.DataFrame
        `keys`, then `ESTIMATE`. What is not known is missing.
    """
    import pandas as pd

    rows = list(rows)
    columns: dict[str, Any] = {name: _column([row[0][place] for row in rows]) for place, name in enumerate(keys)}
    found = [row[1] for row in rows]
    for name in ("estimate", "low", "high"):
        columns[name] = pd.array([getattr(one, name) for one in found], dtype="float64")
    columns["n"] = pd.array([one.n for one in found], dtype="int64")
    columns["method"] = [one.method for one in found]
    return pd.DataFrame(columns, columns=[*keys, *ESTIMATE])


def _column(values: list[Any]) -> Any:
    """Whole numbers and truth values of which some are missing stay what they are."""
    import pandas as pd

    known = [value for value in values if value is not None]
    if len(known) == len(values) or not known:
        return values
    kind: Any = "boolean" if isinstance(known[0], bool) else "Int64" if isinstance(known[0], int) else None
    return values if kind is None else pd.Series(values, dtype=kind)


def describe(run: AnyRun) -> dict[str, Any]:
    """What was run.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.

    Returns
    -------
    dict
        variant, bots, seed, unit, state, deals, output, contracts, and where there are some matches and shard.
    """
    data = open_run(run)
    config = data.manifest.config
    return {**data.header(), "output": config.get("output", "rows"), "contracts": config.get("contracts", "auction")}


def columns_of(run: AnyRun) -> pd.DataFrame:
    """The columns that `by` and `where` may name.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.

    Returns
    -------
    pandas.DataFrame
        name, kind (number, text, truth), groups (whether `by` takes it), meaning. Rows are deals, in games of calls the calls
        of all seats; of a summary the columns that it keeps.
    """
    import pandas as pd

    found = row_columns(open_run(run)).values()
    names = ("name", "kind", "groups", "meaning")
    return pd.DataFrame({name: [getattr(column, name) for column in found] for name in names})


def load(run: AnyRun, table: str = "deals", columns: Sequence[str] | None = None, where: str | None = None) -> pd.DataFrame:
    """Rows of a run.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.
    table : str
        ``deals`` or ``matches``; of a summary ``cells``, ``pairs``, ``sums``, ``totals`` or ``results`` (docs/files.md).
    columns : sequence of str or None
        Only these, for deals derived ones too; None: those of the files.
    where : str or None
        Only deals that meet this condition.

    Returns
    -------
    pandas.DataFrame
        In (match, deal) order.
    """
    data = open_run(run)
    if table not in data.manifest.tables:
        raise InputError(f"{data.out} has no table {table!r}; it has: {', '.join(data.manifest.tables)}")
    stored = data.columns(table).names
    derived = [name for name in columns or () if name not in stored]
    if table != "deals" or (where is None and not derived):
        if derived:
            raise InputError(f"{table} has no column {derived[0]!r}; it has: {', '.join(stored)}")
        return _nullable(read_table(data.out, table, columns))
    return _selected(data, stored if columns is None else columns, where)


def _selected(data: RunData, names: Sequence[str], where: str | None) -> pd.DataFrame:
    import pandas as pd

    from analysis.query import Rows

    found = deal_row_columns(data)
    for name in names:
        if name not in found:
            raise InputError(f"no column {name!r}; there are: {', '.join(found)}")
    rows = Rows.of_deals(data, None if where is None else read_condition(where, found))
    listed = ", ".join(f'"{name}"' for name in names)
    sql = f"SELECT {listed} FROM {rows.source([*names, 'match', 'deal'])} ORDER BY match, deal"
    records = [record for _, batch in rows.run({"rows": sql}) for record in batch]
    return pd.DataFrame({name: _column([record[place] for record in records]) for place, name in enumerate(names)})


def _nullable(table: pa.Table) -> pd.DataFrame:
    """Rows with whole numbers and truth values that may be missing and stay what they are."""
    import pandas as pd
    import pyarrow as pa

    kinds = {
        pa.int8(): pd.Int8Dtype(),
        pa.int16(): pd.Int16Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    frame: pd.DataFrame = table.to_pandas(types_mapper=kinds.get)
    return frame


def with_needed(columns: Mapping[str, RowColumn], data: RunData) -> dict[str, RowColumn]:
    """Columns of rows, and the tricks that the contract, the call or the bid needs."""
    needed = RowColumn(NEEDED, NUMBER, _NEEDED[auction_kind(data)], "tricks that are needed")
    return {**columns, NEEDED: needed}


def needs_rows(data: RunData, what: str) -> None:
    """Refuse a summary where only rows tell."""
    if data.summed:
        raise InputError(f"{what}: {data.out} keeps sums and no rows (output: summary); run with output: rows")
