"""Bidding policy `high_cards`: counts high-card points, and bids its longest suit as high as they go.

It never bids no trump, sees no value in length or shortness, and learns nothing from what the opponent bids. Whole points,
ace 4, king 3, queen 2, jack 1. It does not read the scoring table and draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, I, U, ctz
from simcore.bots.bidding.plan import BIDS_OF_STRAIN, BidPlan
from simcore.cards import high_card_points, length
from simcore.codes import BID_OFFSET, CALL_DOUBLE, CALL_PASS, N_LEVELS, N_STRAINS, N_SUITS, HighCardsParam

OPENING, PER_LEVEL = int(HighCardsParam.OPENING), int(HighCardsParam.PER_LEVEL)
DOUBLE_FROM = int(HighCardsParam.DOUBLE_FROM)


@inlined
def longest_suit(hand):
    """The longest suit, the higher one on ties. -> int64"""
    suit = 0
    for other in range(1, N_SUITS):
        if length(hand, other) >= length(hand, suit):
            suit = other
    return suit


@inlined
def plan_auction(view, params, seat):
    """Count the points. The plan's tricks hold them (a number of points, not of tricks).

    view : AuctionView; params : int64[:, :] rows of `HighCardsParam`; seat : int64 -> BidPlan
    """
    points = high_card_points(view.hand)
    above = points - params[seat, OPENING]
    level = min(1 + above // params[seat, PER_LEVEL], N_LEVELS - 1) if above >= 0 else -1
    return BidPlan(BIDS_OF_STRAIN[longest_suit(view.hand)] & ((U1 << U(N_STRAINS * (level + 1))) - U1), U(points))


@inlined
def choose_call(view, plan, params, seat):
    """The lowest bid of the longest suit that the points are good for, else a double on many points, else a pass. -> int64"""
    legal = view.legal
    if view.own_bids > view.opponent_bids:
        legal = U0  # one's own bid stands
    bids = legal & plan.wants
    if bids != U0:
        return I(ctz(bids)) + BID_OFFSET
    if view.may_double == CALL_DOUBLE and I(plan.tricks) >= params[seat, DOUBLE_FROM]:
        return CALL_DOUBLE
    return CALL_PASS
