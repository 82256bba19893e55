"""A run directory in an object store: the methods of `simcore.runs.store.Folder` over a URL.

An object appears when it is complete, so nothing is renamed and nothing has to be flushed. Nothing can be added to an object
either: texts that grow, the journal and the log, are kept here and stored anew as a whole, the journal at most once in
`JOURNAL_SECONDS` and always with the lock's count; what a killed run had finished since is played again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from simcore.places import Url
from simcore.runs.lock import LOCK
from simcore.runs.object_lock import ObjectLock

JOURNAL_SECONDS = 1.0
"""Texts that grow are stored at most so often."""


class ObjectFolder:
    """A directory in an object store; names are relative with forward slashes."""

    def __init__(self, path: Url) -> None:
        self.path = path
        self._texts: dict[str, str] = {}
        """Texts that grow, as a whole."""
        self._unstored: dict[str, float] = {}
        """Names of texts that have grown since they were stored, and when the first part of that was added."""
        self._guard = threading.RLock()
        self._lock: ObjectLock | None = None

    def put(self, name: str, data: Any, flush: bool = True) -> None:
        """Write an object, which is either absent (or the old one) or complete.

        Parameters
        ----------
        name : str
            Final name.
        data : bytes-like
            The whole content.
        flush : bool
            Without meaning here.
        """
        self._check()
        with self._guard:
            self._texts.pop(name, None)
            self._unstored.pop(name, None)
        (self.path / name).write_bytes(data)

    def get(self, name: str) -> bytes:
        """Content of an object."""
        return (self.path / name).read_bytes()

    def append(self, name: str, text: str) -> None:
        """Add text to the end of a text; it is stored soon."""
        self._check()
        with self._guard:
            if name not in self._texts:
                try:
                    self._texts[name] = self.get(name).decode(errors="replace")
                except FileNotFoundError:
                    self._texts[name] = ""
            self._texts[name] += text
            since = self._unstored.setdefault(name, time.monotonic())
            if time.monotonic() - since >= JOURNAL_SECONDS:
                self._store()

    def _store(self) -> None:
        with self._guard:
            for name in list(self._unstored):
                (self.path / name).write_bytes(self._texts[name].encode())
                del self._unstored[name]

    def names(self) -> list[str]:
        """Names of all objects but the lock, sorted."""
        return [name for name in self.path.names() if name != LOCK]

    def remove(self, name: str) -> None:
        """Delete an object; one that is not there is deleted already."""
        self._check()
        with self._guard:
            known = name in self._texts
            self._texts.pop(name, None)
            if known and name in self._unstored:
                del self._unstored[name]
            (self.path / name).unlink(missing_ok=True)

    def prepare(self, tables: Iterable[str]) -> None:
        """Nothing: an object store has no directories to be made."""

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the directory for this process while the context lasts; refused where another process holds it."""
        lock = ObjectLock(self.path, self._store)
        with lock.held():
            self._lock = lock
            try:
                yield
            finally:
                if lock.lost is None:
                    self._store()
                self._lock = None

    def _check(self) -> None:
        if self._lock is not None:
            self._lock.check()

    def sync(self, names: Iterable[str]) -> None:
        """Store what has grown; objects are kept as soon as they are complete."""
        self._store()
