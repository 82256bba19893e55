"""Every shipped variant with every shipped bot that can play it: processor time of whole deals, beside the C calibrator."""

from __future__ import annotations

import time

from benchmarks.run import MATCHES, Batch
from simcore.batch import Setup, prepare
from simcore.config import load_bot, load_variant, shipped
from simcore.errors import SimcoreError

_SECONDS = 0.1


def setups(seers: bool) -> dict[tuple[str, str], Setup]:
    """Every pair that can play; bots that see all cards only where they are wanted."""
    found = {}
    for variant_name in shipped("variants"):
        variant = load_variant(variant_name)
        for bot_name in shipped("bots"):
            bot = load_bot(bot_name)
            if bot.sees_all and not seers:
                continue
            try:
                found[variant_name, bot_name] = prepare(variant, [bot] * variant.players, 1, "deal")
            except SimcoreError:
                continue  # the bot does not know this game
    return found


def nanoseconds(setup: Setup, batch: Batch, repeats: int) -> float:
    """Processor time of a deal, the best of some repeats."""
    batch.play(setup, 2)
    count, best = 64, float("inf")
    while True:
        begin = time.process_time()
        batch.play(setup, count)
        took = time.process_time() - begin
        if took > _SECONDS / 4 or count == MATCHES:
            break
        count = min(4 * count, MATCHES)
    for _ in range(repeats):
        begin = time.process_time()
        deals = batch.play(setup, count)
        best = min(best, (time.process_time() - begin) / deals * 1e9)
    return best


def table(unit: float | None, repeats: int, seers: bool) -> tuple[str, dict[str, float]]:
    """The table as Markdown: millions of deals a second; and each pair's time by the C calibrator's.

    Parameters
    ----------
    unit : float or None
        Nanoseconds of the calibrator.
    repeats : int
        Of each pair.
    seers : bool
        Whether bots that see all cards play too: they compile the solver.
    """
    batch, found = Batch(), setups(seers)
    measured = {pair: nanoseconds(setup, batch, repeats) for pair, setup in found.items()}
    bots = list(dict.fromkeys(bot for _, bot in found))
    lines = ["| M deals a second | " + " | ".join(bots) + " |", "| --- |" + " ---: |" * len(bots)]
    for variant in dict.fromkeys(name for name, _ in found):
        cells = [f"{1e3 / measured[variant, bot]:.3g}" if (variant, bot) in measured else "" for bot in bots]
        lines.append(f"| {variant} | " + " | ".join(cells) + " |")
    ratios = {f"{variant}, {bot}": round(value / unit, 4) for (variant, bot), value in measured.items()} if unit else {}
    return "\n".join(lines), ratios
