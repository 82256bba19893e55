"""Exchange policy `random` in Draw and Discard: keeps or throws by a fair bit (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, I, U
from simcore.rng import word


@inlined
def coins(key):
    """All decisions of a seat in a deal: bit t is 1 to keep the card looked at in its turn t. key : uint64 -> uint64"""
    return word(key, U0, U0)


@inlined
def keeps_first(view):
    """1 to keep the card looked at, 0 to throw it. view : ChooseView -> int64"""
    return I((coins(view.key) >> U(view.turn)) & U1)
