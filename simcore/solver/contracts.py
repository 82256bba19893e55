"""The perfect-play trick table of deals: every strain from both sides. Plain Python."""

from __future__ import annotations

import numpy as np

from simcore._jit import mark_cache_warm
from simcore.codes import N_STRAINS
from simcore.rules import PlayRules
from simcore.solver.deals import new_scratch
from simcore.solver.oracle import shared_search


def contract_tricks(hands: np.ndarray, play: PlayRules, with_colons: bool) -> np.ndarray:
    """Declarer's tricks in every strain from both sides, when both sides see all cards and play for tricks.

    Parameters
    ----------
    hands : ndarray of uint64, shape (deals, 2)
        As the play begins, in the kernels' layout.
    play : PlayRules
        Rules of the tricks.
    with_colons : bool
        Whether there may be colons.

    Returns
    -------
    ndarray of int8, shape (10, deals)
        Row 5 * declarer + strain; his opponent leads.
    """
    from simcore.solver.values import colon_deals, free_deals

    hands = np.ascontiguousarray(hands)
    search = shared_search(play, with_colons, points=False)
    scratch = new_scratch(search)
    found = np.zeros((len(hands), N_STRAINS, 2), np.int8)
    kernel = colon_deals if search.with_colons else free_deals
    kernel(search.tables.address, scratch.tricks.address, hands, 0, len(hands), search.mode, found)
    mark_cache_warm("warm-solver-tricks")
    n_cards = np.bitwise_count(hands[:, 0]).astype(np.int8)
    first = [found[:, strain, 1] for strain in range(N_STRAINS)]
    second = [n_cards - found[:, strain, 0] for strain in range(N_STRAINS)]
    return np.array([*first, *second], np.int8)
