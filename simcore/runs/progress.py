"""What a person sees while a run goes on: on standard error, and a moving bar only on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

    from simcore.config import Run

COMPILE_SECONDS = 30
"""About how long the kernels take to compile, once per version and machine (benchmarks/README.md)."""

PERFECT_SECONDS, PERFECT_PART = 60, "warm-perfect"
"""The same where a bot asks the solver: it plays perfectly, or by sampling."""
SOLVER_SECONDS = 10
"""Those of the solver alone."""


def note(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def announce_compile(part: str = "warm", seconds: int = COMPILE_SECONDS) -> None:
    """Say that the kernels (of a part of them) are going to be compiled, where they are."""
    from simcore import _jit

    if not _jit.cache_is_warm(part):
        note(f"compiling kernels, about {seconds} s once")


def announce_kernels(run: Run) -> None:
    """`announce_compile` for all kernels that a run needs: those of perfect play count apart."""
    from simcore.bot_table import ask_the_solver

    if ask_the_solver(run.bots):
        announce_compile(PERFECT_PART, PERFECT_SECONDS)
    else:
        announce_compile()
    if run.play != "bots":
        announce_compile("warm-solver-tricks", SOLVER_SECONDS)


class Progress:
    """Deals done, deals a second and remaining time, as a context manager.

    Parameters
    ----------
    total : int
        Deals (or matches, with `unit`) of the whole run.
    unit : str
        What is counted toward `total`.
    shown : bool
        False for no bar at all; None for a bar only where standard error is a terminal.
    """

    def __init__(self, total: int, unit: str, shown: bool | None = None) -> None:
        self.total, self.unit = total, unit
        self._bar: Any = None
        self._task: Any = None
        self.shown = sys.stderr.isatty() if shown is None else shown

    def __enter__(self) -> Progress:
        if self.shown:
            self._start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _start(self) -> None:
        from rich import progress
        from rich.console import Console

        self._bar = progress.Progress(
            progress.BarColumn(),
            progress.TaskProgressColumn(),
            progress.TextColumn("{task.fields[deals]:,} deals, {task.fields[rate]:,.0f} deals/s, remaining"),
            progress.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=self.total, deals=0, rate=0.0)

    def update(self, done: int, deals: int, seconds: float) -> None:
        """Show the state: `done` of the total, `deals` deals played in `seconds` seconds."""
        if self._bar is not None:
            rate = deals / max(seconds, 1e-9)
            self._bar.update(self._task, total=self.total, completed=min(done, self.total), deals=deals, rate=rate)
