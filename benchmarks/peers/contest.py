"""The frame of the comparison: entries for a work, timed in turn, with ratios of each round and their spread.

Time is processor time of this process and of the programs it starts, so that other users of the machine matter little. In
every round each entry works once for about the same time; a ratio compares two entries of the same round.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Play = Callable[[int], object]
"""Does so many units of the work."""


class MissingError(Exception):
    """What an entry needs is not installed; the text says what."""


@dataclass(frozen=True)
class Entry:
    """One way to do a work.

    Attributes
    ----------
    who : str
        What does it.
    does : str
        What exactly is done, where that differs from the work.
    make : callable
        Prepares it; -> its version and a function that does so many units. Raises `MissingError`.
    first : int
        Units that it surely does within a second or so.
    """

    who: str
    does: str
    make: Callable[[], tuple[str, Play]]
    first: int


@dataclass(frozen=True)
class Work:
    """Entries that do the same, or the nearest there is; the first one is ours."""

    name: str
    unit: str
    what: str
    entries: tuple[Entry, ...]


@dataclass
class Line:
    """What was measured of an entry: units a second in every round, or what is missing."""

    entry: Entry
    version: str = ""
    missing: str = ""
    play: Play | None = None
    units: int = 0
    speeds: list[float] = field(default_factory=list)

    @property
    def speed(self) -> float:
        """Median of the rounds."""
        return statistics.median(self.speeds)


def processor_time() -> float:
    """Seconds of this process, all its threads, and of the programs it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(play: Play, units: int) -> float:
    """Processor time of so many units."""
    begin = processor_time()
    play(units)
    return max(processor_time() - begin, 1e-9)


def prepare(entry: Entry, seconds: float) -> Line:
    """Make an entry ready, and find how many units take about so many seconds."""
    line = Line(entry)
    try:
        line.version, line.play = entry.make()
    except MissingError as missing:
        line.missing = str(missing)
        return line
    line.play(1)  # whatever has to be compiled or loaded
    units = entry.first
    while (took := timed(line.play, units)) < seconds / 4:
        units *= 4
    line.units = max(1, round(units * seconds / took))
    return line


def contest(works: Sequence[Work], rounds: int, seconds: float, say: Callable[[str], None]) -> list[tuple[Work, list[Line]]]:
    """Measure all works.

    Parameters
    ----------
    works : sequence of Work
        What to measure.
    rounds : int
        How often each entry works.
    seconds : float
        Processor time of an entry in a round.
    say : callable
        Told what is being measured.

    Returns
    -------
    list
        Each work with a line an entry.
    """
    found = []
    for work in works:
        say(work.name)
        lines = [prepare(entry, seconds) for entry in work.entries]
        for _ in range(rounds):
            for line in lines:
                if line.play is not None:
                    line.speeds.append(line.units / timed(line.play, line.units))
        found.append((work, lines))
    return found


def ratios(ours: Line, other: Line) -> tuple[float, float, float] | None:
    """How many times as fast ours is: median, least and most of the rounds; None where one of them is missing."""
    pairs = [mine / theirs for mine, theirs in zip(ours.speeds, other.speeds, strict=False)]
    return (statistics.median(pairs), min(pairs), max(pairs)) if pairs else None
