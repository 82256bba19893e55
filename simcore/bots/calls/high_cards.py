"""Bidding policy `high_cards` in an auction of calls: calls its share of the high-card points, and looks at nothing else.

It draws nothing and does not read the scoring table.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.cards import high_card_points
from simcore.codes import N_RANKS, HighCardsParam

CALL_PERCENT = int(HighCardsParam.CALL_PERCENT)
_POINTS_A_SUIT = 10
_PERCENT = 100


@inlined
def nearest_call(call, view):
    """A call brought to the legal ones; the forbidden one gives way to the next lower, or else higher. -> int64"""
    call = min(max(call, view.lowest), view.highest)
    if call == view.forbidden:
        return call - 1 if call > view.lowest else call + 1
    return call


@inlined
def choose_call(view, params, seat):
    """A call. view : CallView, params : int64[:, :] rows of `HighCardsParam`, seat : uint64 -> int64

    The points of the cards dealt to all are ten for each thirteen of them; its share of those, in tricks, rounded down.
    """
    share = high_card_points(view.hand) * N_RANKS * params[seat, CALL_PERCENT]
    return nearest_call(share // (_POINTS_A_SUIT * _PERCENT * view.players), view)
