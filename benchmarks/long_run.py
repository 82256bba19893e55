"""Whether a long run keeps its pace and its memory: one run, looked at by tenths.

    python -m benchmarks.long_run                     2x10^8 deals of Bridgette as sums; some two minutes a processor
    python -m benchmarks.long_run --deals 2e7         a tenth of it
    python -m benchmarks.long_run --output rows --out /big/disk/run

By tenth of the run: deals a second of the clock, processor time a deal, memory of the process. Compare the processor
time where others use the machine too. Exit code 1 where a tenth's processor time is more than 10 % off the median of
all, or memory has grown by more than 10 % since the second tenth.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

from simcore.api import resolve_run
from simcore.runs import runner
from simcore.runs.progress import Progress
from simcore.runs.runner import Options, run_batch

TENTHS = 10
ALLOWED = 0.10


@dataclass(frozen=True, slots=True)
class Look:
    """Deals stored so far, and the clocks and the memory at that moment."""

    deals: int
    wall: float
    cpu: float
    memory: int


def memory() -> int:
    """Resident memory of this process in bytes."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


class Recorder(Progress):
    """A bar that notes what it is told."""

    looks: list[Look]

    def __init__(self, total: int, unit: str, shown: bool | None) -> None:
        super().__init__(total, unit, False)
        Recorder.looks = [Look(0, time.perf_counter(), time.process_time(), memory())]

    def update(self, done: int, deals: int, seconds: float) -> None:
        """Note how far the run is."""
        if deals > Recorder.looks[-1].deals:
            Recorder.looks.append(Look(deals, time.perf_counter(), time.process_time(), memory()))


def by_tenths(looks: list[Look]) -> list[tuple[Look, Look]]:
    """The first and the last look of each tenth."""
    total = looks[-1].deals
    ends = [next(look for look in looks if look.deals >= total * tenth // TENTHS) for tenth in range(TENTHS + 1)]
    return list(pairwise(ends))


def report(looks: list[Look]) -> bool:
    """Print the table; -> whether pace and memory were kept."""
    tenths = by_tenths(looks)
    costs = [(end.cpu - begin.cpu) / (end.deals - begin.deals) for begin, end in tenths]
    usual = median(costs)
    print("| tenth | deals to its end | deals/s | processor ns a deal | to the median | memory, MiB |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for number, ((begin, end), cost) in enumerate(zip(tenths, costs, strict=True), start=1):
        rate = (end.deals - begin.deals) / (end.wall - begin.wall)
        print(f"| {number} | {end.deals:,} | {rate:,.0f} | {cost * 1e9:.0f} | {cost / usual:.3f} | {end.memory / 2**20:.0f} |")
    growth = tenths[-1][1].memory / tenths[1][1].memory
    print(f"processor time a deal, last tenth to first: {costs[-1] / costs[0]:.3f}; farthest from the median: "
          f"{max(abs(cost / usual - 1) for cost in costs):.1%}; memory, end to second tenth: {growth:.3f}")  # fmt: skip
    return max(abs(cost / usual - 1) for cost in costs) <= ALLOWED and growth <= 1 + ALLOWED


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="bridgette")
    parser.add_argument("--bots", default="heuristic")
    parser.add_argument("--deals", type=float, default=2e8)
    parser.add_argument("--output", choices=("rows", "summary"), default="summary")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    runner.Progress = Recorder  # type: ignore[misc]
    run = resolve_run(given.variant, bots=given.bots.split(","), deals=int(given.deals), output=given.output)
    with tempfile.TemporaryDirectory() as folder:
        result = run_batch(run, Options(given.out or Path(folder) / "run", given.workers))
    print(f"{given.variant}, {given.bots}, {result.n_deals:,} deals, {given.output}, {result.seconds:.1f} s\n")
    return 0 if report(Recorder.looks) else 1


if __name__ == "__main__":
    sys.exit(main())
