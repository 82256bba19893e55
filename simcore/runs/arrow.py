"""pyarrow, loaded when it is first needed: a run loads it in a thread while it plays its first deals, others perhaps never.

``pa`` and ``pq`` stand for ``pyarrow`` and ``pyarrow.parquet``.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any


class _Later:
    """Stands for a module until one of its names is asked for."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._load(), name)
        setattr(self, name, value)
        return value


def _arrow() -> Any:
    import pyarrow

    return pyarrow


def _parquet() -> Any:
    import pyarrow.parquet

    return pyarrow.parquet


if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq
else:
    pa = _Later(_arrow)
    pq = _Later(_parquet)


def load_in_background() -> None:
    """Begin to load pyarrow; whoever needs it before it is there waits for it."""
    threading.Thread(target=_load, name="load pyarrow").start()


def _load() -> None:
    with contextlib.suppress(ImportError):  # said where it is needed
        _parquet()


__all__ = ["load_in_background", "pa", "pq"]
