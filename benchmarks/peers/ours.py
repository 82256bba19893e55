"""This project's entries: kernels as a run uses them, in batches that lie in memory, without files."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.run import MATCHES, Batch
from simcore import __version__
from simcore._jit import kernel
from simcore.batch import prepare
from simcore.bits import U0, U
from simcore.config import load_bot, load_variant
from simcore.phases.deal import deal_hands
from simcore.rng import derive
from simcore.rules import build_rules

TWO_HANDS = {
    "extends": "call_bridge",
    "name": "two_hands",
    "players": 2,
    "auction": {"min": 6, "max": 7},
    "play": {"must_ruff": False, "must_overruff": False},
}
"""Two hands, one call each, thirteen tricks with spades as trumps: the least that a game here can be."""


@kernel
def deal_many(deal, seed, n_deals, hands):
    """Deal the hands of so many deals. -> uint64 that depends on all of them"""
    total = U0
    for i in range(n_deals):
        deal_hands(deal, derive(seed, U(i)), 0, hands)
        total += hands[0] ^ hands[1] * U(3) ^ hands[2] * U(5) ^ hands[3] * U(7)
    return total


def dealing() -> tuple[str, Any]:
    """Four hands of thirteen cards."""
    rules, hands = build_rules(load_variant("call_bridge")).deal, np.zeros(4, np.uint64)
    return __version__, lambda units: deal_many(rules, np.uint64(1), units, hands)


def playing(variant: Any, bot: str = "random") -> tuple[str, Any]:
    """Whole deals, every column of a row filled."""
    loaded = load_variant(variant)
    setup = prepare(loaded, [load_bot(bot)] * loaded.players, 1, "deal")
    batch = Batch()

    def play(units: int) -> None:
        while units > 0:
            units -= batch.play(setup, min(units, MATCHES))

    return __version__, play


def solving() -> tuple[str, Any]:
    """Ten values of two hands of thirteen cards: five strains, each hand on lead."""
    from benchmarks.solver import natural_deals
    from simcore.solver.deals import LARGE_DEPTH, new_scratch, prepare_search
    from simcore.solver.values import free_deals

    search = prepare_search(build_rules(load_variant("bridgette")).play, False, LARGE_DEPTH)
    hands = natural_deals(4096)
    out = np.zeros((len(hands), 5, 2), np.int8)

    def play(units: int) -> None:
        while units > 0:
            scratch = new_scratch(search)  # remembers nothing of hands that were solved before
            rows = min(-(-units // 10), len(hands))
            free_deals(search.tables.address, scratch.tricks.address, hands, 0, rows, search.mode, out)
            units -= 10 * rows

    return __version__, play
