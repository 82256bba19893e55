"""Bidding policy `high_cards` in an auction in steps: the next bid on so many high-card points for each of its tricks.

It sees no value in trumps or length and does not mind the others' cards; it plays alone where points win. Whole points, ace 4,
king 3, queen 2, jack 1. It draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, I, ctz
from simcore.cards import high_card_points
from simcore.codes import STEP_ALONE, HighCardsParam

PASS = 0
STEP_POINTS = int(HighCardsParam.STEP_POINTS)


@inlined
def choose_step(view, params, seat):
    """The lowest bid, or a pass. view : StepView, params : int64[:, :] rows of `HighCardsParam`, seat : uint64 -> int64"""
    if view.legal == U0:
        return PASS
    bid = I(ctz(view.legal))
    good = high_card_points(view.hand) >= params[seat, STEP_POINTS] * bid
    if good and view.target > 0 and view.may_say_alone != 0:
        return bid + STEP_ALONE
    return bid if good or view.may_pass == 0 else PASS
