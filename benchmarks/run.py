"""Runs the benchmark cases beside the C calibrator and writes the table of benchmarks/README.md.

    python -m benchmarks.run            the table, written into benchmarks/README.md
    python -m benchmarks.run --quick    few repeats, printed only

Every figure is the best of several repeats, interleaved with the calibrator's, so that a change of the machine's
speed meets both. Compare ratios, not nanoseconds.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from benchmarks.calibrate import build, nanoseconds, pair_nanoseconds
from benchmarks.cases import CASES, Case
from benchmarks.publish import machine, put
from simcore.batch import Setup, prepare, run_kernel
from simcore.codes import MAX_SEATS, DealColumn, SeatColumn
from simcore.config import load_bot, load_variant
from simcore.raw_columns import new_deal_columns, new_match_columns
from simcore.table import new_record, new_table

MATCHES = 4096


@dataclass(slots=True)
class Measured:
    """Best time of a case so far, in nanoseconds of processor time per deal, and what was played."""

    case: Case
    setup: Setup
    best: float = float("inf")
    passed_out: float = 0.0
    made: float = 0.0
    two_threads: float = float("inf")


class Batch:
    """Columns and scratch for one thread, so that only kernels are timed."""

    def __init__(self) -> None:
        self.deals = new_deal_columns(MAX_SEATS, MATCHES * 8)
        self.matches = new_match_columns(MAX_SEATS, MATCHES)
        self.table, self.record = new_table(), new_record(1)

    def play(self, setup: Setup, n_matches: int) -> int:
        """Play matches from 0 on, as many as the columns have room for; -> deals."""
        return run_kernel(setup, 0, n_matches, self.table, self.record, self.deals, self.matches)[0]


def _prepare(case: Case) -> Measured:
    return Measured(case, prepare(load_variant(case.variant), [load_bot(bot) for bot in case.bots], 1, case.unit))


def _measure_one(measured: Measured, batch: Batch) -> None:
    begin = time.process_time()
    n_deals = batch.play(measured.setup, MATCHES)
    measured.best = min(measured.best, (time.process_time() - begin) / n_deals * 1e9)
    small = batch.deals.small[:, :n_deals]
    played = small[DealColumn.PASSED_OUT] == 0
    measured.passed_out = 1 - played.mean()
    players = measured.setup.variant.players
    if measured.setup.variant.auction.kind == "calls":
        calls = [small[DealColumn.SEATS + SeatColumn.END * seat + SeatColumn.MADE] for seat in range(players)]
        measured.made = np.mean(calls)
    else:
        measured.made = (small[DealColumn.MADE][played] == 1).mean()


def _measure_two_threads(measured: Measured, batches: list[Batch], pool: ThreadPoolExecutor) -> None:
    begin = time.perf_counter()
    n_deals = sum(pool.map(lambda batch: sum(batch.play(measured.setup, MATCHES) for _ in range(8)), batches))
    measured.two_threads = min(measured.two_threads, (time.perf_counter() - begin) / n_deals * 1e9)


def _row(measured: Measured, unit: float | None, gain: float | None) -> str:
    case = measured.case
    cells = [f"{case.variant}, {case.name}", f"{measured.best:.0f}", f"{1e3 / measured.best:.2f}"]
    cells.append(f"{measured.best / unit:.2f}" if unit else "")
    cells.append(f"{case.bar:.2f}{' (aim)' if case.is_aim else ''}" if case.bar and unit else "")
    threads = measured.best / measured.two_threads
    cells.append(f"{threads:.2f}" + (f" of {gain:.2f}" if gain else ""))
    cells += [f"{measured.passed_out:.2%}", f"{measured.made:.1%}"]
    return "| " + " | ".join(cells) + " |"


def measured_table(repeats: int) -> tuple[str, dict[str, float]]:
    """Measure all cases; -> the table as Markdown, and the ratios to the C calibrator by case."""
    program = build()
    unit, pair = (nanoseconds(program), float("inf")) if program else (None, None)
    measured = [_prepare(case) for case in CASES]
    batches = [Batch(), Batch()]
    for one in measured:
        batches[0].play(one.setup, 8)  # compiles
    with ThreadPoolExecutor(2) as pool:
        for _ in range(repeats):
            if program and unit and pair:
                unit = min(unit, nanoseconds(program))
                pair = min(pair, pair_nanoseconds(program))
            for one in measured:
                for _ in range(3):  # as often with two threads as with one: each is the best of its repeats
                    _measure_one(one, batches[0])
                    _measure_two_threads(one, batches, pool)
    limit = f"C calibrator {unit:.1f} ns a deal" if unit else "no C compiler with BMI2: no ratios"
    lines = [
        f"{machine()}; {limit}; best of {3 * repeats}.",
        "",
        "| case | ns a deal | M deals/s | ratio to C | bar | gain of 2 threads | passed out | made |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(_row(one, unit, unit / pair if unit and pair else None) for one in measured),
    ]
    ratios = {f"case {one.case.variant}, {one.case.name}": round(one.best / unit, 4) for one in measured} if unit else {}
    return "\n".join(lines), ratios


def main() -> int:
    """Measure, print, and unless --quick write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few repeats, nothing written")
    quick = parser.parse_args().quick
    text, _ = measured_table(2 if quick else 12)
    print(text)
    if not quick:
        put("table", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
