"""Exchange policy `keep_high`: keeps high cards whatever their suit, and throws the lowest. Draws nothing."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U
from simcore.bots.exchange.keep_best import lowest_cards
from simcore.cards import NATURALS


@inlined
def choose_throw(view):
    """The lowest natural cards; among equal ranks the lower suit first. Colons are kept. view : ExchangeView -> uint64

    Assumes as many natural cards as are to be thrown (a hand keeps more cards than there are colons).
    """
    return lowest_cards(view.hand & NATURALS, U(view.n_throw))
