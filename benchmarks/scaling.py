"""What whole runs cost: the start, cold and warm, and `simcore run` by number of deals, with rows and with sums only.

Every figure is of a process of its own, as a user starts it: from the clock, from the processor, and the most memory it held.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
LARGEST = 100_000_000
_OFTEN = 3
"""Repeats of what takes little time, of which the quickest counts."""
_LARGE = 1_000_000
_MIB = 1 << 20
_LAUNCHER = """
import json, os, sys, time
begin = time.perf_counter()
out = os.open(os.devnull, os.O_WRONLY)
ways = [(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, out, 2)]
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=ways)
_, status, used = os.wait4(process, 0)
seconds = time.perf_counter() - begin
print(json.dumps([os.waitstatus_to_exitcode(status), seconds, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
"""Starts a program from a small process: the most memory of a process begins with that of the one that started it."""


@dataclass(frozen=True)
class Cost:
    """Cost of a process: seconds by the clock and of processor time, MiB of memory at most, MiB written."""

    seconds: float
    processor: float
    memory: float
    disk: float


def cost_of(arguments: list[str], settings: dict[str, str] | None = None, repeats: int = 1) -> Cost:
    """Run `simcore` with some arguments in an empty folder; -> the quickest of some repeats."""
    found = []
    for _ in range(repeats):
        folder = Path(tempfile.mkdtemp())
        root = str(Path(__file__).resolve().parents[1])
        surroundings = {**os.environ, "PYTHONPATH": root, **(settings or {})}
        done = subprocess.run(
            [sys.executable, "-S", "-c", _LAUNCHER, sys.executable, "-m", "simcore", *arguments],
            cwd=folder,
            env=surroundings,
            capture_output=True,
            text=True,
            check=True,
        )
        code, seconds, processor, memory = json.loads(done.stdout)
        if code:
            raise SystemExit(f"simcore {' '.join(arguments)} ended with {code}")
        written = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
        found.append(Cost(seconds, processor, memory / 1024, written / _MIB))
        shutil.rmtree(folder)
    return min(found, key=lambda cost: cost.processor)


def starts() -> list[str]:
    """Rows of the table of starts."""
    with tempfile.TemporaryDirectory() as cache:
        cold = {"SIMCORE_CACHE_DIR": cache}
        run = ["run", "bridgette", "--deals", "100", "--out", "x"]
        rows = [
            ("`simcore --help`", cost_of(["--help"], repeats=_OFTEN)),
            ("100 deals of Bridgette, nothing compiled yet", cost_of(run, cold)),
            ("100 deals of Bridgette, compiled before", cost_of(run, cold, _OFTEN)),
            ("`simcore rates` of them", _cost_of_rates(cold)),
        ]
    lines = ["| start | seconds | processor seconds | memory, MiB |", "| --- | ---: | ---: | ---: |"]
    return [*lines, *(f"| {what} | {cost.seconds:.2f} | {cost.processor:.2f} | {cost.memory:.0f} |" for what, cost in rows)]


def _cost_of_rates(settings: dict[str, str]) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        cost_of(["run", "bridgette", "--deals", "100", "--out", f"{folder}/x"], settings)
        return cost_of(["rates", f"{folder}/x"], settings, _OFTEN)


def runs(largest: int) -> tuple[list[str], dict[str, float]]:
    """Rows of the table of runs, and the processor time of a deal with rows less that of the kernels' yardstick, by name."""
    sizes = [size for size in (*SIZES, LARGEST) if size <= largest]
    lines = ["| deals | kept | seconds | deals a second | processor ns a deal | memory, MiB | files, MiB |"]
    lines.append("| ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    nanoseconds = {}
    for output in ("rows", "summary"):
        for size in sizes:
            arguments = ["run", "bridgette", "--deals", str(size), "--output", output, "--out", "x"]
            cost = cost_of(arguments, repeats=_OFTEN if size <= _LARGE else 1)
            each = cost.processor / size * 1e9
            nanoseconds[f"run of {size:,} deals, {output}"] = each
            cells = [f"{size:,}", output, f"{cost.seconds:.2f}", f"{size / cost.seconds:,.0f}", f"{each:,.0f}"]
            lines.append("| " + " | ".join([*cells, f"{cost.memory:.0f}", f"{cost.disk:.1f}"]) + " |")
    return lines, nanoseconds


def table(largest: int) -> tuple[str, dict[str, float]]:
    """The tables as Markdown, and nanoseconds a deal of each run."""
    lines, nanoseconds = runs(largest)
    return "\n".join([*starts(), "", *lines]), nanoseconds
