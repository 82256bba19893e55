"""Interrupts that never tear the bookkeeping of a run apart."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType


class Interrupts:
    """Ctrl-C and SIGTERM: at first they interrupt as usual; later they set an event, so that no bookkeeping is torn apart.

    A second one is always as usual.
    """

    def __init__(self) -> None:
        self._previous: dict[int, Any] = {}
        self._event: threading.Event | None = None

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                previous = signal.getsignal(number)
                if previous not in (signal.SIG_IGN, None):
                    self._previous[number] = previous
                    signal.signal(number, self._arrived)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._restore()

    def set_instead(self, event: threading.Event) -> None:
        """From now on, set an event."""
        self._event = event

    def _restore(self) -> None:
        while self._previous:
            signal.signal(*self._previous.popitem())

    def _arrived(self, _number: int, _frame: object) -> None:
        if self._event is None:
            raise KeyboardInterrupt
        self._event.set()
        self._restore()
