"""Play policy `random`: a legal card at random. Draws: number `trick` (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U
from simcore.rng import pick_card


@inlined
def choose_card(view):
    """A legal card, each equally likely. view : PlayView -> uint64, one bit"""
    return pick_card(view.key, U(view.trick), view.legal)
