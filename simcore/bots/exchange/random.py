"""Exchange policy `random`: throws cards at random. Draws: one block at draw 0 (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, popcount
from simcore.rng import draw_cards


@inlined
def choose_throw(view):
    """Cards to throw, each choice equally likely. view : ExchangeView -> uint64"""
    kept = draw_cards(view.key, U0, view.hand, popcount(view.hand), view.n_throw)
    return view.hand ^ kept
