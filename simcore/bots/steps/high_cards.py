"""Bidding policy `high_cards` in an auction in steps: one trick for so many high-card points, whatever the trumps and the others' hands.

The points for the first trick and for each further one are those of its openings and levels in other auctions, scaled to
... """

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, I, ctz
from simcore.cards import high_card_points
from simcore.codes import HighCardsParam

PASS = 0
PER_LEVEL = int(HighCardsParam.PER_LEVEL)


@inlined
def choose_step(view, params, seat):
    """The lowest bid, if it has so many points for each of its tricks. -> int64"""
    if view.legal == U0:
        return PASS
    bid = I(ctz(view.legal))
    good = high_card_points(view.hand) >= params[seat, PER_LEVEL] * bid
    return bid if good or view.may_pass == 0 else PASS
