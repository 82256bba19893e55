"""The Parquet schema of a result table, made from the list of columns, and raw columns turned into an Arrow table.

One fixed schema per table: a chunk in which a column is all null, or has no null at all, is stored with the same types
as every other chunk. Names are stored as ``dictionary<int8, string>``, points as float64 (whole tenths divided by ten),
everything else as the integer or truth value it is; columns that are never null say so, which makes writing faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.codes import TENTHS
from simcore.columns import Column
from simcore.hands import hand_texts
from simcore.runs.arrow import pa

RawColumns = Mapping[str, npt.NDArray[Any]]


def arrow_type(column: Column) -> pa.DataType:
    """Type of a column in files."""
    if column.names is not None:
        return pa.dictionary(pa.int8(), pa.string())
    if column.tenths:
        return pa.float64()
    if column.type == "text":
        return pa.string()
    return pa.from_numpy_dtype(np.dtype(column.type))


def table_schema(columns: Sequence[Column], metadata: Mapping[str, str]) -> pa.Schema:
    """Schema of a table.

    Parameters
    ----------
    columns : sequence of Column
        The columns in file order; unit and meaning go into each field's metadata.
    metadata : mapping of str to str
        Origin of the rows (rules, seed, versions); stored in every file.

    Returns
    -------
    pyarrow.Schema
        The one schema of all part files of the table.
    """
    fields = [
        pa.field(column.name, arrow_type(column), column.nullable, {"unit": column.unit, "meaning": column.meaning})
        for column in columns
    ]
    return pa.schema(fields, metadata=dict(metadata))


def build_table(columns: Sequence[Column], raw: RawColumns, schema: pa.Schema) -> pa.Table:
    """Arrow table of raw columns.

    Parameters
    ----------
    columns : sequence of Column
        The columns in file order.
    raw : mapping of str to ndarray
        One array a column as the kernels fill them: codes for names, whole tenths for points, truth values or 0 and 1.
        A negative value of an optional column means "none" and becomes null, as do columns of play in passed-out deals.
    schema : pyarrow.Schema
        What `table_schema` made of the same columns.

    Returns
    -------
    pyarrow.Table
        Integer columns share memory with `raw`.
    """
    passed_out = raw.get("passed_out")
    arrays = [
        _build_array(column, raw[column.name], passed_out if column.played_only else None, field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _build_array(column: Column, values: npt.NDArray[Any], passed_out: npt.NDArray[Any] | None, kind: pa.DataType) -> pa.Array:
    # Arrays are put together from buffers: `pa.array` would import pandas, a third of a second.
    if column.tenths:
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values / TENTHS)])
    if column.type == "text":
        text, ends = hand_texts(values)
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(ends), pa.py_buffer(text)])
    missing = _missing(values, passed_out) if column.nullable else None
    validity = None if missing is None else bits(~missing)
    if column.type == "bool":
        return pa.Array.from_buffers(kind, len(values), [validity, bits(values > 0)])
    values = np.ascontiguousarray(values, dtype=np.dtype(column.type))
    if column.names is None:
        return pa.Array.from_buffers(kind, len(values), [validity, pa.py_buffer(values)])
    codes = pa.Array.from_buffers(pa.int8(), len(values), [validity, pa.py_buffer(values.astype(np.int8, copy=False))])
    return pa.DictionaryArray.from_arrays(codes, texts(column.names))


@lru_cache
def texts(names: tuple[str, ...]) -> pa.Array:
    """An array of texts."""
    encoded = [name.encode() for name in names]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), len(names), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))])


def bits(values: npt.NDArray[np.bool_]) -> pa.Buffer:
    """Truth values as Arrow packs them."""
    return pa.py_buffer(np.packbits(values, bitorder="little"))


def _missing(values: npt.NDArray[Any], passed_out: npt.NDArray[Any] | None) -> npt.NDArray[np.bool_] | None:
    """Which values are null, or None where no value is."""
    missing = np.zeros(len(values), bool) if values.dtype == np.bool_ else values < 0
    if passed_out is not None:
        missing |= passed_out.astype(bool, copy=False)
    return missing if missing.any() else None
