"""Benchmarks of perfect play, beside the C calibrator and, if wanted, beside another solver in the same minutes.

    python -m benchmarks.solver                       the tables, written into benchmarks/solver.md
    python -m benchmarks.solver --quick               few deals, printed only
    python -m benchmarks.solver --beside MODULE       another solver as well: see below

MODULE has functions ``free(hands, out)`` and ``colons(hands, out)`` that fill out[deal, strain, leader] (int8: tricks of the
first seat) from hands in the layout of `simcore.cards`; they are timed alternately with ours, and values are compared.
Means are processor time of whole batches, the best of several; medians and 99 % come from single calls, which add about a
microsecond each. The deals are whole: 13 cards of 52 a hand, and Bridgette's hands after the exchange of two heuristic bots.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.calibrate import build, nanoseconds
from benchmarks.publish import machine
from simcore.batch import play_chunk, prepare
from simcore.cards import COLONS
from simcore.config import load_bot, load_variant
from simcore.rules import build_rules
from simcore.solver.api import kernel_hands
from simcore.solver.deals import LARGE_DEPTH, SETS, Scratch, Search, new_scratch, prepare_search, solve_tricks
from simcore.solver.values import colon_deals, free_deals, point_deals

OUT = Path(__file__).parent / "solver.md"
SEED = 31
Fill = Callable[[np.ndarray, np.ndarray], None]


def natural_deals(count: int) -> np.ndarray:
    """Two random hands of 13 of 52 cards."""
    parts = {"deck": {"colons": []}, "deal": {"upcard": False}, "exchange": {"kind": "none"}}
    return dealt(load_variant({"extends": "bridgette", "name": "natural", **parts}), count)


def dealt(variant: object, count: int) -> np.ndarray:
    """Hands as the auction begins. -> uint64[count, 2] in the kernels' layout"""
    heuristic = load_bot("heuristic")
    setup = prepare(variant, [heuristic, heuristic], SEED, "deal", groups=("hands",))
    deals = play_chunk(setup, 0, count).deals
    return kernel_hands(np.stack([deals["hand_0"], deals["hand_1"]], 1).astype(np.uint64))


def live_colons(hands: np.ndarray) -> np.ndarray:
    """Colons in each deal."""
    return np.bitwise_count((hands[:, 0] | hands[:, 1]) & COLONS).astype(int)


def best_time(fill: Callable[[], None], repeats: int) -> float:
    """Least processor time of several calls, in seconds."""
    best = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        fill()
        best = min(best, time.process_time() - begin)
    return best


def tricks_filler(search: Search, hands: np.ndarray, out: np.ndarray) -> Callable[[], None]:
    kernel = colon_deals if search.with_colons else free_deals

    def fill() -> None:
        scratch = new_scratch(search)
        kernel(search.tables.address, scratch.tricks.address, hands, 0, len(hands), search.mode, out)

    return fill


def single_times(search: Search, hands: np.ndarray) -> np.ndarray:
    """Microseconds of all ten values of each deal."""
    kernel = colon_deals if search.with_colons else free_deals
    scratch = new_scratch(search)
    out = np.zeros((len(hands), 5, 2), np.int8)
    times = np.zeros(len(hands))
    for row in range(len(hands)):
        begin = time.thread_time_ns()
        kernel(search.tables.address, scratch.tricks.address, hands, row, row + 1, search.mode, out)
        times[row] = (time.thread_time_ns() - begin) / 1e3
    return times


def value_times(search: Search, hands: np.ndarray) -> np.ndarray:
    """Microseconds of single values: each deal in one strain and with one leader, in turn."""
    from simcore.bits import U0
    from simcore.cards import high_card_points
    from simcore.solver.colons import tricks
    from simcore.solver.free import free_tricks
    from simcore.solver.layout import SUIT, colon_set, trumps_first, with_borders
    from simcore.solver.values import first_guess

    memory = new_scratch(search)  # kept alive: kernels get its address
    scratch = memory.tricks.address
    tables, times = search.tables.address, np.zeros(len(hands) + 1)
    for row in [0, *range(len(hands))]:
        strain = row % 5
        lead, follow = (hands[row, seat] for seat in ((0, 1) if row // 5 % 2 == 0 else (1, 0)))
        one, two = (np.uint64(trumps_first(np.uint64(with_borders(hand)), np.int64(strain))) for hand in (lead, follow))
        points = int(high_card_points(lead)) - int(high_card_points(follow))
        more = int(one & SUIT).bit_count() - int(two & SUIT).bit_count()
        guess = np.int64(first_guess(np.int64(points), np.int64(more), np.int64(13), strain < 4))
        trumps = SUIT if strain < 4 else U0
        own, other = np.uint64(colon_set(lead)), np.uint64(colon_set(follow))
        begin = time.thread_time_ns()
        if search.with_colons:
            tricks(tables, scratch, trumps, search.mode, np.int64(13), one, two, own, other, U0, guess)
        else:
            free_tricks(tables, scratch, trumps, np.int64(13), one, two, guess, search.mode)
        times[row + 1] = (time.thread_time_ns() - begin) / 1e3
    return times[1:]


def trick_rows(name: str, search: Search, hands: np.ndarray, repeats: int, other: Fill | None) -> list[str]:
    """Rows of the table of tricks: all deals, and with colons by how many there are."""
    out = np.zeros((len(hands), 5, 2), np.int8)
    fill = tricks_filler(search, hands, out)
    tricks_filler(search, hands[:1], out)()
    ours, theirs = float("inf"), float("inf")
    others = np.zeros_like(out)
    if other is not None:
        other(hands[:1], others)
    for _ in range(repeats):
        ours = min(ours, best_time(fill, 1))
        if other is not None:
            theirs = min(theirs, best_time(lambda: other(hands, others), 1))
    if other is not None and not np.array_equal(out, others):
        raise SystemExit(f"{name}: the other solver has other values")
    values, deals = value_times(search, hands), single_times(search, hands)
    colons = live_colons(hands)
    rows = []
    for number in [None, *sorted(set(colons))] if search.with_colons else [None]:
        chosen = colons == number if number is not None else np.ones(len(hands), bool)
        mean = ours / len(hands) / 10 * 1e6 if number is None else deals[chosen].mean() / 10
        cells = [name if number is None else f"{name}, {number} of them", f"{chosen.sum():,}", f"{mean:.1f}"]
        cells += [f"{np.percentile(values[chosen], q):.1f}" for q in (50, 99)]
        cells += [f"{10 * mean:.0f}", f"{np.percentile(deals[chosen], 99):.0f}"]
        cells.append(f"{theirs / len(hands) / 10 * 1e6:.1f}" if number is None and other is not None else "")
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def point_rows(name: str, search: Search, hands: np.ndarray, repeats: int) -> list[str]:
    """Rows of the table of points: contracts of declarer's perfect tricks, of one less, of two less."""
    cells = build_rules(load_variant("bridgette")).score.tenths
    tricks = solve_tricks(hands, search.play, search=search)[:, :, 1].astype(int)  # seat 0 declares, seat 1 leads
    strains, most = tricks.argmax(1), tricks.max(1)
    rows = []
    for less in range(3):
        levels = most - 6 - less
        rows_at = np.flatnonzero((levels >= np.where(strains == 4, 0, 1)) & (levels <= 7))
        payoffs = np.ascontiguousarray(cells[levels[rows_at], strains[rows_at], 0])
        chosen, count = np.ascontiguousarray(hands[rows_at]), len(rows_at)
        codes = (np.ascontiguousarray(strains[rows_at]), np.zeros(count, np.int64), np.ones(count, np.int64))
        out = np.zeros(count, np.int32)

        def fill(scratch: Scratch, first: int, end: int) -> None:
            memory = (search.tables.address, scratch.tricks.address, scratch.points.address)
            point_deals(*memory, chosen, first, end, search.mode, *codes, payoffs, out)  # noqa: B023

        fill(new_scratch(search, points=True), 0, 1)
        mean = best_time(lambda: fill(new_scratch(search, points=True), 0, count), repeats) / count * 1e6  # noqa: B023
        scratch, times = new_scratch(search, points=True), []
        for row in range(count):
            begin = time.thread_time_ns()
            fill(scratch, row, row + 1)
            times.append((time.thread_time_ns() - begin) / 1e3)
        for_tricks = payoffs[np.arange(count), most[rows_at]]
        differ = (out != for_tricks).mean()
        gain = (out - for_tricks).mean() / 10
        label = "perfect tricks" + (f" less {less}" if less else "")
        figures = f"{mean:.0f} | {np.percentile(times, 50):.0f} | {np.percentile(times, 99):.0f} | {differ:.1%} | {gain:+.0f}"
        rows.append(f"| {name}, {label} | {count:,} | {figures} |")
    return rows


def report(deals: int, repeats: int, beside: str | None) -> str:
    """Measure everything; -> the tables as Markdown."""
    program = build()
    unit = f"C calibrator {nanoseconds(program):.1f} ns a deal" if program else "no calibrator"
    other = importlib.import_module(beside) if beside else None
    play = build_rules(load_variant("bridgette")).play
    natural, bridgette = natural_deals(deals), dealt(load_variant("bridgette"), deals)
    begin = time.process_time()
    free = prepare_search(play, False, LARGE_DEPTH, sets=SETS)
    with_colons = prepare_search(play, True, LARGE_DEPTH, sets=SETS)
    building = time.process_time() - begin
    shares = np.bincount(live_colons(bridgette), minlength=4) / len(bridgette)
    lines = [
        f"{machine()}; {unit}; best of {repeats}; microseconds.",
        f"Live colons 0, 1, 2, 3 in {', '.join(f'{share:.1%}' for share in shares)} of Bridgette's deals. "
        f"Tables of all kinds: {building:.1f} s of processor time once a process, with compilation if it was due.",
        "",
        "| tricks | deals | one value | median | 99 % | ten values | 99 % | another solver, one value |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *trick_rows("52 cards", free, natural, repeats, other.free if other else None),
        *trick_rows("Bridgette", with_colons, bridgette, repeats, other.colons if other else None),
        "",
        "| points, one contract, undoubled | deals | mean | median | 99 % | differs from play for tricks | by points a deal |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        *point_rows("52 cards", free, natural, repeats),
        *point_rows("Bridgette", with_colons, bridgette[: max(1, deals // 4)], max(1, repeats // 2)),
    ]
    return "\n".join(lines)


def main() -> int:
    """Measure, print, and unless --quick write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few deals, nothing written")
    parser.add_argument("--beside", metavar="MODULE", help="another solver")
    given = parser.parse_args()
    text = report(100 if given.quick else 1000, 2 if given.quick else 7, given.beside)
    print(text)
    if not given.quick:
        what = "Written by `python -m benchmarks.solver`, which says what the figures are; never edited by hand."
        OUT.write_text(f"# Perfect play: benchmarks\n\n{what}\n\n{text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
