"""Exchange policy `keep_best` in Draw and Discard: keeps what is worth more than the next card will be on average.

Turns do not depend on one another: whoever throws a card keeps the next one, whatever it is. So the card looked at is compared
with the average of the pack. High cards are worth what they are, and any card more in a suit in which the hand holds many. A
higher or lower worth of length, a higher bar, or more weight on aces gain nothing in duels on mirrored deals. Draws nothing.
"""

from __future__ import annotations

import numpy as np

from simcore._jit import inlined
from simcore.bits import I, ctz, popcount
from simcore.cards import SUIT_OF, rank_index
from simcore.codes import N_SUITS

RANK_WORTH = np.array([0, 0, 0, 0, 0, 0, 0, 10, 20, 35, 50, 60, 80, 0, 0, 0], np.int64)
"""By rank index, in hundredths of a trick."""
LENGTH_WORTH = 20
"""Of each card held already in the suit, likewise."""
AVERAGE = 20


@inlined
def keeps_first(view):
    """1 to keep the card looked at, 0 to throw it. view : ChooseView -> int64"""
    in_suit = I(popcount(view.hand & SUIT_OF[ctz(view.first)]))
    more = N_SUITS * (RANK_WORTH[rank_index(view.first)] - AVERAGE) + LENGTH_WORTH * (N_SUITS * in_suit - view.turn)
    return I(more >= 0)
