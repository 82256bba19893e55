"""Play policy `eager` among any number of hands: leads its highest card, wins with its highest card, throws its lowest.

It remembers nothing of what was played. Where tricks beyond its call may hurt, it stops at its call and plays its lowest cards.
It draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0
from simcore.bots.many.careful import highest_rank
from simcore.bots.play.careful import first_of
from simcore.cards import lowest_rank


@inlined
def choose_card(view):
    """The highest card that wins (leading, any does), else the lowest there is. view : ManyView -> uint64, one bit"""
    winners = view.legal & view.winners
    wants = (view.taken[view.seat] < view.calls[view.seat]) | (view.overtricks >= view.n_tricks)
    if wants & ((view.led == U0) | (winners != U0)):
        return highest_rank(first_of(winners, view.legal))
    return lowest_rank(view.legal)
