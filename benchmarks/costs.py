"""What a million deals cost: processor seconds by variant and bot, and bytes by kind of output.

    python -m benchmarks.costs                          the cases of `CASES`, a line each
    python -m benchmarks.costs bridgette:oracle pit:novice

Processor time of one thread, the least of several pieces, as a multiple of the C calibrator's in the same minutes, so that
others on the machine matter little; seconds are those of a machine on which the calibrator takes `REFERENCE`. Playing
with every column, and beside it turning rows into Parquet. The table stands in docs/scaling.md.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.calibrate import build, nanoseconds
from simcore.api import resolve_run
from simcore.runs.forecast import _calibrate
from simcore.runs.outputs import writer_of
from simcore.runs.plan import ChunkSpec
from simcore.runs.player import Player

CASES = (
    "bridgette:heuristic", "bridgette:random", "bridgette:novice", "bridgette:expected", "draw_bridge_published:heuristic",
    "draw_and_discard_bridge_published:heuristic", "call_bridge:heuristic", "pit:heuristic", "bridgette:oracle",
    "draw_bridge_published:expected", "draw_and_discard_bridge_published:expected", "draw_bridge_published:random",
    "draw_and_discard_bridge_published:random", "call_bridge:random", "pit:random", "draw_bridge_published:oracle",
)  # fmt: skip
PIECE_SECONDS, PIECES = 1.0, 12
REFERENCE = 106.3
"""Nanoseconds of the calibrator to which seconds are converted: those of the table in benchmarks/README.md."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of a deal: nanoseconds of the processor, played and encoded, and of the calibrator beside it; bytes; deals a match."""

    play: float
    encode: float
    calibrator: float
    bytes: float
    deals_of_match: float


def measured(variant: str, bot: str, calibrator: Path) -> Cost:
    """Measure one case."""
    run = resolve_run(variant, bots=bot, deals=10**6)
    player, writer = Player(run), writer_of(run)
    _calibrate(player, writer, 0, 1)
    few, begin = 4, time.thread_time()
    _calibrate(player, writer, 0, few)
    matches = max(few, min(run.chunk_matches, int(PIECE_SECONDS * few / (time.thread_time() - begin))))
    play, encode, beside, size, deals = [], [], [], 0, 0
    for piece in range(PIECES):
        begin = time.thread_time()
        played = player.play(ChunkSpec(0, piece * matches, matches))
        middle = time.thread_time()
        assert played is not None
        size += writer.encoded_bytes(played)
        deals += played.deals
        play.append((middle - begin) / played.deals * 1e9)
        encode.append((time.thread_time() - middle) / played.deals * 1e9)
        beside.append(nanoseconds(calibrator))
    return Cost(min(play), min(encode), min(beside), size / deals, deals / (PIECES * matches))


def main(names: list[str]) -> None:
    """Print a table."""
    calibrator = build()
    if calibrator is None:
        sys.exit("a C compiler is needed, and a processor with BMI2")
    print("| variant | bots | to C | play, s | rows to Parquet, s | bytes a deal | deals a match |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for name in names or CASES:
        variant, _, bot = name.partition(":")
        cost = measured(variant, bot, calibrator)
        play, encode = (1e-3 * REFERENCE * ns / cost.calibrator for ns in (cost.play, cost.encode))
        ratio = f"{cost.play / cost.calibrator:,.1f}"
        numbers = f"{play:.2f} | {encode:.2f} | {cost.bytes:.1f} | {cost.deals_of_match:.2f}"
        print(f"| {variant} | {bot} | {ratio} | {numbers} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
