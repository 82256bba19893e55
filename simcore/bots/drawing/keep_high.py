"""Exchange policy `keep_high` in phase 1 of Draw Bridge: plays its lowest card, whatever its suit. Draws nothing."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.cards import lowest_rank


@inlined
def choose_card(view):
    """The lowest card it may play, the lower suit on ties. view : DrawView -> uint64, one bit"""
    return lowest_rank(view.legal)
