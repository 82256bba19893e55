"""What the bots of a setup work with that ask the solver: perfect play, play by sampling, auctions with a known hand.

Made once a thread; a run in which nobody asks has none of it, and its kernels know nothing of it. Plain Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.bot_table import rollouts_of, solves_known
from simcore.table import Table, new_table

if TYPE_CHECKING:
    from simcore.batch import Setup
    from simcore.sampling.workspace import SamplingMemory
    from simcore.solver.oracle import OracleMemory


def oracle_memory(setup: Setup) -> OracleMemory | None:
    """What bots that see all cards work with, or None where nobody does; to be kept as long as it is used."""
    if not any(bot.sees_all for bot in setup.bots):
        return None
    from simcore.solver.oracle import new_oracle

    points = any(getattr(bot.play, "aim", None) == "points" for bot in setup.bots)
    rules = setup.rules
    return new_oracle(rules.play, bool(setup.variant.deck.colons), points, rules.score.tenths)


def sampling_memory(setup: Setup) -> SamplingMemory | None:
    """What bots work with that draw hidden cards and solve, or None where nobody does; to be kept as long as it is used."""
    from simcore.config import knows_other_hand

    knows = knows_other_hand(setup.variant)
    solves = [bot for bot in setup.bots if bot.play.policy == "sampling" or (knows and solves_known(bot))]
    if not solves or setup.variant.auction.kind != "bridge":
        return None
    from simcore.sampling.workspace import new_sampling

    tenths = setup.rules.score.tenths
    # where a trick never costs declarer points, what is best for tricks is best for points
    points = bool((np.diff(tenths) < 0).any()) and any(getattr(bot.play, "aim", None) == "points" for bot in solves)
    return new_sampling(setup.rules.play, bool(setup.variant.deck.colons), points, tenths, knows)


def solving_memory(setup: Setup) -> tuple[Table, Any]:
    """A table with all that the bots of a setup work with, and the memory that it knows by addresses only."""
    oracle, sampling = oracle_memory(setup), sampling_memory(setup)
    perfect = None if oracle is None else oracle.oracle
    drawn, known = (None, None) if sampling is None else (sampling.sampling, sampling.known)
    table = new_table(setup.has_compiled_bots, perfect, drawn, known, rollouts_of(setup))
    return table, (oracle, sampling)
