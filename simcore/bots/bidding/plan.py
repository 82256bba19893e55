"""What a bidding policy works out once, before the first call: a function of its own view at that moment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore.bits import U
from simcore.codes import N_BIDS, N_LEVELS, N_STRAINS

ALL_BIDS = U((1 << N_BIDS) - 1)
BIDS_OF_STRAIN = np.array(
    [sum(1 << (N_STRAINS * level + strain) for level in range(N_LEVELS)) for strain in range(N_STRAINS)], np.uint64
)
"""Bids in each strain, as masks."""


class BidPlan(NamedTuple):
    """A seat's plan for one auction."""

    wants: np.uint64
    """Bids the hand is worth."""
    tricks: np.uint64
    """Tricks expected as declarer, in hundredths: five fields of twelve bits, strain 0 lowest."""
