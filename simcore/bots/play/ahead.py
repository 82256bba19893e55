"""Draws of random bots made ahead: before it is known who leads to the next trick, so that no card waits for a draw.

Where not all bots of a run are random, nothing is drawn ahead, and what stands for it drops out of the kernels.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, select
from simcore.bots.play.random import draw_of


@inlined
def draw_ahead(only_random, key, trick, note, n_legal):
    """The draw of a seat's next card, from so many legal ones. only_random : int64 or None; others, and -> : as `draw_of`"""
    if only_random is not None:
        return draw_of(key, trick, note, n_legal)
    return U0, U0


@inlined
def draw_again(ahead, differs, key, trick, note, n_legal):
    """The draw made ahead, but where the number of legal cards differs from what was known then: made anew. -> as `draw_of`"""
    if differs:
        return draw_of(key, trick, note, n_legal)
    return ahead


@inlined
def change_draws(moves, a, b):
    """(b, a) where moves holds, (a, b) where not. a, b : as `draw_of` gives them"""
    return (
        (select(moves, b[0], a[0]), select(moves, b[1], a[1])),
        (select(moves, a[0], b[0]), select(moves, a[1], b[1])),
    )
