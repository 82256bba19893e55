"""A compiled bot: the same idea as python_bot.py, as a function that the kernels call at their own speed.

    simcore run bridgette --plugin examples/plugins/compiled_bot.py --bots eager_compiled,heuristic --deals 1e6

The function gets the view as words, in the order of the fields of `simcore.bots.view.PlayView`, and eight words of
its own. It must keep to unsigned numbers: write np.uint64(1), not 1, beside a word.
"""

from __future__ import annotations

import numpy as np

from simcore.bots.view import PlayView
from simcore.plugins import CompiledBot, helper

U = np.uint64
LEGAL = PlayView._fields.index("legal")
LED = PlayView._fields.index("led")
WINNERS = PlayView._fields.index("winners")
SUIT = U(0x1FFF)


@helper
def highest_by_rank(cards):
    """The highest rank in any suit; a colon only when there is nothing else."""
    for rank in range(12, -1, -1):
        for suit in range(4):
            card = U(1) << U(16 * suit + rank)
            if cards & card != U(0):
                return card
    return cards & (~cards + U(1))


@helper
def lowest_by_rank(cards):
    """The lowest rank in any suit, colons first."""
    for colon in range(13, 16):
        if cards & (U(1) << U(colon)) != U(0):
            return U(1) << U(colon)
    for rank in range(13):
        for suit in range(4):
            card = U(1) << U(16 * suit + rank)
            if cards & card != U(0):
                return card
    return cards


def choose_card(view, memory):
    """Lead and win high, throw low."""
    legal = view[LEGAL]
    winners = legal & view[WINNERS]
    if winners != U(0):
        return highest_by_rank(winners)
    return highest_by_rank(legal) if view[LED] == U(0) else lowest_by_rank(legal)


BOTS = [CompiledBot("eager_compiled", choose_card=choose_card)]
