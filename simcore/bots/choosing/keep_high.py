"""Exchange policy `keep_high` in Draw and Discard: keeps a nine or anything higher, whatever its suit. Draws nothing.

An eight is the average card, so that is what the next card is worth to one who looks at ranks alone.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import I, U
from simcore.cards import rank_index

LOWEST_KEPT = U(7)
"""Rank index of the nine."""


@inlined
def keeps_first(view):
    """1 to keep the card looked at, 0 to throw it. view : ChooseView -> int64"""
    return I(rank_index(view.first) >= LOWEST_KEPT)
