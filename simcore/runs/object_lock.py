"""One run at a time in a directory of an object store, where no kernel holds a lock: an object that says who holds it.

The holder rewrites the object every few seconds with a higher count. Another run that finds it watches: where the count
stands still for `WATCH` seconds the holder is taken for dead, on whatever machine and whatever the clocks say; a holder of
the same machine whose process is gone is known to be dead at once. What is written is read back, and looked at again with
each count, so of two that take the lock in the same moment one gives up, at the latest at its next count. In that time
both may have written; of the same run they write the same bytes under the same names.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simcore.errors import InputError
from simcore.places import Url
from simcore.runs.lock import LOCK, by_whom

BEAT = 5.0
"""Seconds between two counts."""
WATCH = 30.0
"""A lock that does not change for so long is nobody's."""
SETTLE = 0.3
"""Seconds after which what was written is read back."""


class ObjectLock:
    """The lock of one run.

    Parameters
    ----------
    path : Url
        The directory.
    each_beat : callable
        Called now and then while the lock is held, on another thread.
    """

    def __init__(self, path: Url, each_beat: Callable[[], None]) -> None:
        self.path, self.object = path, path / LOCK
        self.each_beat = each_beat
        self.lost: dict[str, Any] | None = None
        """Who has taken the lock away."""
        self._count = 0
        self._text = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
            "process": process_start(os.getpid()),
            "token": os.urandom(8).hex(),
        }
        self._done = threading.Event()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the directory while the context lasts."""
        self._acquire()
        beating = threading.Thread(target=self._beat, name="simcore-lock", daemon=True)
        beating.start()
        try:
            yield
        finally:
            self._done.set()
            beating.join()
            if self.lost is None and self._is_mine(self._read()):
                self.object.unlink(missing_ok=True)

    def check(self) -> None:
        """Refuse to write where somebody else has taken the lock."""
        if self.lost is not None:
            raise InputError(
                f"{self.path} was taken over{by_whom(self.lost)}, which took this run for dead; what it had finished is kept"
            )

    def _acquire(self) -> None:
        holder = self._read()
        if holder and not self._is_dead(holder):
            raise InputError(f"{self.path} is in use{by_whom(holder)}; wait for it, or give another --out")
        self._write()
        time.sleep(SETTLE)
        holder = self._read()
        if not self._is_mine(holder):
            raise InputError(f"{self.path} is in use{by_whom(holder)}; wait for it, or give another --out")

    def _is_dead(self, holder: dict[str, Any]) -> bool:
        """Whether a holder's process is gone, or its count stands still."""
        if holder.get("host") == socket.gethostname():
            pid = holder.get("pid")
            return not isinstance(pid, int) or process_start(pid) != holder.get("process")
        from simcore.runs.progress import note

        note(f"{self.path} was in use{by_whom(holder)}; watching {WATCH:.0f} s whether it still is")
        end = time.monotonic() + WATCH
        while time.monotonic() < end:
            time.sleep(min(BEAT, WATCH) / 2)
            now = self._read()
            if not now:
                return True
            if now != holder:
                return False
        return True

    def _beat(self) -> None:
        while not self._done.wait(BEAT):
            try:
                holder = self._read() or self._read()  # what cannot be read is looked at twice
                if not self._is_mine(holder):
                    self.lost = holder
                    return
                self._count += 1
                self._write()
                self.each_beat()
            except (InputError, OSError):
                continue  # the store is away; who writes next says so

    def _is_mine(self, holder: dict[str, Any]) -> bool:
        return holder.get("token") == self._text["token"]

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self.object.read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self) -> None:
        self.object.write_bytes(json.dumps({**self._text, "count": self._count}).encode())


def process_start(pid: int) -> str | None:
    """When a process of this machine began, in the kernel's own count; None where there is no such process."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        # The second field, the program's name, is in brackets and may hold blanks.
        ticks = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None
    return f"{boot} {ticks}"
