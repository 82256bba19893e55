"""Where the time of a whole deal goes: the random bot takes over one part of the heuristic bot after the other.

    python -m benchmarks.where          the table, written into benchmarks/README.md

Processor time of whole deals in nanoseconds, the best of several interleaved repeats. A part's figure is what it adds to the
bot before it: its own decisions, and what they change for the parts after it (better contracts are longer to bid and to play).
What a random bot takes is dealing, the rules, random choices, and filling every column; where all parts are random, choices
are drawn ahead in one go, so the first part that is added also costs what that saves.
"""

from __future__ import annotations

import itertools
import time

from benchmarks.calibrate import build, nanoseconds
from benchmarks.cases import CASES
from benchmarks.publish import machine, put
from benchmarks.run import MATCHES, Batch
from simcore.batch import prepare
from simcore.config import load_bot, load_variant

PARTS = ("exchange", "bidding", "play")
KEEPING = ("bridgette", "draw_and_discard_bridge_published", "draw_bridge_published")
"""Games in which cards are kept or thrown."""


def table(repeats: int) -> str:
    """The table as Markdown, a line for each game that is a benchmark case with heuristic bots.

    Parameters
    ----------
    repeats : int
        Of each bot.
    """
    program, batch = build(), Batch()
    unit = nanoseconds(program) if program else None
    variants = list(dict.fromkeys(case.variant for case in CASES if case.bots == ("heuristic",)))
    full, setups = load_bot("heuristic").model_dump(), {}
    for variant_name in variants:
        variant, parts = load_variant(variant_name), {}
        for part in ("", *PARTS):
            if part and (part != "exchange" or variant_name in KEEPING):
                parts |= {part: full[part]}
            bot = load_bot({"name": "mixed", "extends": "random", **parts})
            setups[variant_name, part] = prepare(variant, [bot] * variant.players, 1, "deal")
    best = dict.fromkeys(setups, float("inf"))
    for setup in setups.values():
        batch.play(setup, 8)  # compiles
    for _ in range(repeats):
        unit = min(unit, nanoseconds(program)) if program and unit else None
        for key, setup in setups.items():
            begin = time.process_time()
            deals = batch.play(setup, MATCHES)
            best[key] = min(best[key], (time.process_time() - begin) / deals * 1e9)
    lines = [
        f"{machine()}; " + (f"C calibrator {unit:.1f} ns a deal; " if unit else "") + f"best of {repeats}.",
        "",
        "| ns a deal | random bot | + keeping cards | + calls | + play | heuristic bot |",
        "| --- |" + " ---: |" * 5,
    ]
    for name in variants:
        steps = [best[name, part] for part in ("", *PARTS)]
        added = [f"{after - before:+.0f}" for before, after in itertools.pairwise(steps)]
        added[0] = added[0] if name in KEEPING else ""
        lines.append(f"| {name} | {steps[0]:.0f} | " + " | ".join(added) + f" | {steps[-1]:.0f} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print and write."""
    text = table(24)
    print(text)
    put("where", text)


if __name__ == "__main__":
    main()
