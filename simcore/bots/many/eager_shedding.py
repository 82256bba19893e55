"""Play policy `eager` in a contract among any number of hands: leads its highest card, wins with its highest.

It remembers nothing of what was played, and it is all one to it who declares and who is winning. It draws nothing from the
random stream.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, select
from simcore.bots.play.careful import first_of
from simcore.bots.play.eager import highest_rank
from simcore.cards import lowest_rank


@inlined
def choose_card(view):
    """The highest card to lead; the highest that wins; else the lowest. view : ManyView -> uint64, one bit"""
    wanted = select(view.led == U0, view.legal, view.legal & view.winners)
    return first_of(highest_rank(wanted), lowest_rank(view.legal))
