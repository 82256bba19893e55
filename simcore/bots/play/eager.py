"""Play policy `eager`: leads its highest card, wins with its highest card, uses a colon as soon as it may.

It remembers nothing of what was played, saves no trumps and draws none on purpose. It draws nothing from the random stream.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U, lowest
from simcore.bots.play.careful import first_of
from simcore.cards import COLONS, LANE1, NATURALS, lowest_rank
from simcore.codes import N_RANKS


@inlined
def highest_rank(cards):
    """A natural card of the highest rank, the lowest suit on ties; 0 for none. -> uint64"""
    best = U0
    for rank in range(N_RANKS):
        found = cards & (U(LANE1) << U(rank))
        best = first_of(found, best)
    return lowest(best)


@inlined
def lead(view):
    """The highest natural card that may be led; a colon when there is no other. -> uint64, one bit"""
    return first_of(highest_rank(view.legal & NATURALS), lowest(view.legal))


@inlined
def follow(view):
    """The colon that bars, whatever it costs; else the highest card that wins; else a colon; else the lowest card. -> uint64"""
    win = highest_rank(view.legal & view.winners)
    throw = first_of(lowest(view.legal & COLONS), lowest_rank(view.legal))
    return first_of(view.legal & view.barring, first_of(win, throw))
