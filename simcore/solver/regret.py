"""What bots lost by their play, for whole chunks of deals; the kernels are in `losses`. Plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simcore.cards import COLONS
from simcore.codes import N_RANKS
from simcore.solver.deals import new_scratch
from simcore.solver.oracle import shared_search

if TYPE_CHECKING:
    from simcore.batch import Chunk, Setup

GROUPS = ("hands",)
"""Column groups that a setup needs for `chunk_losses`."""


@dataclass(frozen=True)
class Losses:
    """What the play of deals lost against perfect play of the same contracts, one entry a deal that was played.

    Attributes
    ----------
    match
        ndarray of int64: number of the match (under ``unit: deal``: of the deal).
    declarer
        ndarray of int64: his seat.
    tricks, points
        ndarray of int32, shape (deals, 2): lost by each seat, card by card, in play for tricks and (in tenths) in play for
        points; never negative.
    perfect_tricks, perfect_points
        ndarray of int32: what declarer gets when both seats play perfectly for tricks, and for points (in tenths).
    """

    match: np.ndarray
    declarer: np.ndarray
    tricks: np.ndarray
    points: np.ndarray
    perfect_tricks: np.ndarray
    perfect_points: np.ndarray


def chunk_losses(setup: Setup, chunk: Chunk) -> Losses:
    """What each seat lost in the deals of a chunk, from the first card on.

    Parameters
    ----------
    setup : Setup
        Of a game that is solved (`simcore.config.unsolved`), with the column groups `GROUPS`.
    chunk : Chunk
        Played with its record.

    Returns
    -------
    Losses
        Of the deals that were not passed out.
    """
    from simcore.solver.api import kernel_hands
    from simcore.solver.losses import lose_in_deals

    assert chunk.record is not None
    deals = chunk.deals
    played = np.flatnonzero(~deals["passed_out"])
    hands = kernel_hands(np.stack([deals["hand_0"][played], deals["hand_1"][played]], 1))
    strains, declarers, levels, doublings = (
        deals[name][played].astype(np.int64) for name in ("strain", "declarer", "level", "doubling")
    )
    payoffs = np.zeros((len(played), N_RANKS + 1), np.int32)
    payoffs[:] = setup.rules.score.tenths[levels, strains, doublings // 2]
    cards = np.ascontiguousarray(chunk.record.tricks[played])
    tricks, points, perfect = np.zeros((3, len(played), 2), np.int32)
    play = setup.rules.play
    search = shared_search(play, bool(setup.rules.deal.deck & COLONS), points=True)
    scratch = new_scratch(search, points=True)
    assert scratch.points is not None
    memory = (search.tables.address, scratch.tricks.address, scratch.points.address)
    contracts = (strains, declarers, payoffs)
    lose_in_deals(*memory, search.mode, play, hands, cards, 0, len(played), *contracts, tricks, points, perfect)
    return Losses(deals["match"][played], declarers, tricks, points, perfect[:, 0], perfect[:, 1])
