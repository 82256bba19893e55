"""Play policy `eager` among any number of hands: leads its highest card, wins with its highest card, throws its lowest.

It remembers nothing of what was played, does not look at what was called, and wants every trick. It draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0
from simcore.bots.many.careful import highest_rank
from simcore.bots.play.careful import first_of, lowest_rank


@inlined
def choose_card(view):
    """The highest card that wins (leading, any does), else the lowest there is. view : ManyView -> uint64, one bit"""
    wins = first_of(view.legal & view.winners, view.legal)
    if (view.led == U0) | (view.legal & view.winners != U0):
        return highest_rank(wins)
    return lowest_rank(view.legal)
