"""One run at a time in a directory: a lock file that says who holds it and that a dead process cannot keep.

The lock is the kernel's (`flock`), so it ends with its process, however that ends. The file's text is for people and for
other machines: where a file system does not carry locks between machines, a text that names another host counts as held.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simcore.errors import InputError

LOCK = ".lock"
"""Name of the lock file in a run directory; hidden, so that readers of the directory skip it."""


@contextmanager
def directory_lock(path: Path) -> Iterator[None]:
    """Hold a directory for this process.

    Parameters
    ----------
    path : Path
        An existing directory.

    Raises
    ------
    InputError
        Another process holds it.
    """
    descriptor = _acquire(path)
    try:
        yield
    finally:
        with suppress(OSError):
            (path / LOCK).unlink()
        os.close(descriptor)


def _acquire(path: Path) -> int:
    while True:
        descriptor = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _take(path, descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        # The holder before us may have removed the file between our opening and locking it.
        with suppress(FileNotFoundError):
            if os.stat(path / LOCK).st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        os.close(descriptor)


def _take(path: Path, descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"{path} is in use{by_whom(_holder(descriptor))}; wait for it, or give another --out") from None
    holder = _holder(descriptor)
    if holder.get("host") not in (None, socket.gethostname()):
        raise InputError(
            f"{path} may be in use{by_whom(holder)}, another machine; if that is over, delete {path / LOCK} and try again"
        )
    text = {"pid": os.getpid(), "host": socket.gethostname(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(text).encode(), 0)


def _holder(descriptor: int) -> dict[str, Any]:
    try:
        found = json.loads(os.pread(descriptor, 1000, 0) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def by_whom(holder: dict[str, Any]) -> str:
    """Who holds a lock, as the rest of a sentence."""
    if not holder:
        return " by another run"
    return f" by process {holder.get('pid')} on {holder.get('host')} since {holder.get('since')}"
