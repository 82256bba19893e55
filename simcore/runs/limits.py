"""Runs that cannot end well are refused before they begin, with the arithmetic: disk, memory, time, number of files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.config import Run
    from simcore.runs.forecast import Forecast

LARGE = 1_000_000
"""Matches from which on a run is weighed even where nobody wants to see the forecast."""
MOST_SECONDS = 365.25 * 24 * 3600
MOST_CHUNKS = 250_000
"""Files of rows: each is a line of the manifest, which is read whole (measured: 21 microseconds and 2 KB a line)."""
_ENOUGH, _FEW_MARGIN = 20_000, 4
"""Few deals have large files, since every file has a head: of fewer than so many, the size may be so many times too large."""
_KIB = 1024
_MINUTE, _HOURS, _DAYS = 60, 24, 365.25
_CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def is_large(run: Run) -> bool:
    """Whether a run is weighed before it begins, whoever starts it."""
    return max(run.matches or 0, run.deals or 0) > LARGE or (run.chunk_matches > LARGE // 4)


def weigh(run: Run, found: Forecast, on_start: Callable[[Forecast], None] | None) -> None:
    """Refuse a run that cannot end well; tell what another is going to cost.

    Parameters
    ----------
    run : Run
        The resolved run.
    found : Forecast
        What it is going to cost.
    on_start : callable or None
        Is told.

    Raises
    ------
    InputError
        The first of `refusals`.
    """
    for text in refusals(found, run):
        raise InputError(text)
    if on_start is not None:
        on_start(found)


def refusals(found: Forecast, run: Run) -> list[str]:
    """Why a run is refused, a sentence with the arithmetic for each reason; empty where it may begin.

    Parameters
    ----------
    found : Forecast
        What it is going to cost. Where a width ends it and nothing tells yet when, only what a chunk needs is looked at.
    run : Run
        The resolved run.
    """
    texts = []
    memory = memory_there()
    if memory is not None and found.memory_bytes > memory:
        texts.append(
            f"{size(found.memory_bytes)} of memory are needed ({found.workers} workers, chunks of {run.chunk_matches:,} "
            f"matches), {size(memory)} are there; a smaller chunk (--set chunk=N) or fewer --workers need less"
        )
    if found.endless:
        return texts
    left = max(found.deals - found.deals_before, 0)
    if found.seconds > MOST_SECONDS:
        rate = left / found.seconds
        texts.append(
            f"{left:,} deals at {rate:,.0f} a second with {found.workers} workers take {duration(found.seconds)}, "
            "more than a year; fewer deals, or parts on many machines: --shard i/n and simcore merge"
        )
    if run.output == "rows" and found.chunks > MOST_CHUNKS:
        texts.append(
            f"{found.matches:,} matches in chunks of {run.chunk_matches:,} are {found.chunks:,} files of each table, more than "
            f"{MOST_CHUNKS:,}; a larger chunk (--set chunk={_enough_matches(found)}), or sums only: --output summary"
        )
    free = disk_free(found.out, replaced=not found.deals_before)
    by_deal = found.disk_bytes / max(found.deals, 1)
    surely = 1 if found.calibration_deals >= _ENOUGH else _FEW_MARGIN
    if free is not None and left * by_deal > surely * free:
        fit = int(free / by_deal)
        sums = "" if run.output == "summary" else ", or sums only: --output summary"
        texts.append(
            f"{left:,} deals of {by_deal:.1f} bytes are {size(left * by_deal)} on disk, and {size(free)} are free "
            f"at {found.out}; about {fit:,} deals have room there{sums}"
        )
    return texts


def _enough_matches(found: Forecast) -> int:
    """A round number of matches a chunk that makes few enough chunks."""
    least = -(-found.matches // MOST_CHUNKS)
    return next(number for number in (10_000, 100_000, 1_000_000) if number >= least or number == 1_000_000)


def disk_free(out: object, replaced: bool = False) -> int | None:
    """Bytes that this user may still write where a directory is going to be; None where nobody can tell.

    Parameters
    ----------
    out : object
        The directory; another place than a path of this machine tells nothing.
    replaced : bool
        Whether what is there makes room.
    """
    if not isinstance(out, Path):
        return None
    for folder in (out, *out.absolute().parents):
        try:
            there = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) if replaced else 0
            return shutil.disk_usage(folder).free + there
        except OSError:
            continue
    return None


def memory_there() -> int | None:
    """Bytes of memory of the machine, or of the container this process lives in; None where nobody can tell."""
    found = []
    with suppress(AttributeError, ValueError, OSError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for name in _CGROUPS:
        try:
            text = Path(name).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            continue
        if text.isdecimal():
            found.append(int(text))
    return min(found, default=None)


def duration(seconds: float) -> str:
    """A time in words."""
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    hours, minutes = divmod(minutes, _MINUTE)
    if not hours:
        return f"{minutes} min {rest} s"
    days = seconds / (_HOURS * _MINUTE**2)
    if days < 2:
        return f"{hours} h {minutes} min"
    return f"{days:,.1f} days" if days < 2 * _DAYS else f"{days / _DAYS:,.1f} years"


def size(number: float) -> str:
    """A number of bytes in words."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if number < _KIB:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= _KIB
    return f"{number:,.1f} TiB"
