"""Bidding policy `points`: counts expected tricks by strain, bids what the hand is worth, competes and doubles.

Tricks expected as declarer are linear in high cards, colons, trump length and short side suits; the weights come from
duels on simulated deals (configs/bots/heuristic.yaml). A level is worth bidding when the tricks expected exceed it by a
margin. The policy does not read the scoring table. It draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, I, clz, popcount
from simcore.bots.bidding.plan import BidPlan
from simcore.bots.bidding.seen import bids_up_to, expected_tricks, is_seen, most_are_seen, plan_seen, with_strain
from simcore.cards import ACES, COLONS, JACKS, KINGS, QUEENS, length
from simcore.codes import (
    BID_OFFSET,
    BOOK,
    CALL_DOUBLE,
    CALL_PASS,
    CALL_REDOUBLE,
    HUNDREDTHS,
    N_RANKS,
    N_STRAINS,
    PointsParam,
    Strain,
)

ACE, KING, QUEEN, JACK = (int(p) for p in (PointsParam.ACE, PointsParam.KING, PointsParam.QUEEN, PointsParam.JACK))
COLON = int(PointsParam.COLON)
NT_BASE, SUIT_BASE = int(PointsParam.NT_BASE), int(PointsParam.SUIT_BASE)
LENGTH = int(PointsParam.LENGTH)
VOID, SINGLETON = int(PointsParam.VOID), int(PointsParam.SINGLETON)
MARGIN, COMPETE = int(PointsParam.MARGIN), int(PointsParam.COMPETE)
SEEN_MARGIN, SEEN_COMPETE = int(PointsParam.SEEN_MARGIN), int(PointsParam.SEEN_COMPETE)
SEEN_DOUBLE = int(PointsParam.SEEN_DOUBLE)
DOUBLE_MARGIN, REDOUBLE_MARGIN = int(PointsParam.DOUBLE_MARGIN), int(PointsParam.REDOUBLE_MARGIN)

NOTRUMP = int(Strain.NOTRUMP)
_TOP_BIT = 63


@inlined
def _bid_more(plan, params, seat, most_seen):
    """Hundredths of tricks by which what a plan expects may be exceeded when the opponent has bid. -> int64"""
    if most_seen is not None:
        if is_seen(plan):
            return params[seat, SEEN_COMPETE] - params[seat, SEEN_MARGIN]
    return params[seat, COMPETE] - params[seat, MARGIN]


@inlined
def _double_beyond(plan, params, seat, most_seen):
    """Hundredths of tricks, as if declarer, beyond those that defeat the opponent, for a double. -> int64"""
    if most_seen is not None:
        if is_seen(plan):
            return params[seat, SEEN_DOUBLE]
    return params[seat, DOUBLE_MARGIN]


@inlined
def competing_bids(plan, params, seat, most_seen=1):
    """Bids the hand is worth when the opponent has bid: a little more, since passing leaves him the contract. -> uint64"""
    more = _bid_more(plan, params, seat, most_seen)
    bids = U0
    for strain in range(N_STRAINS):
        bids |= bids_up_to(strain, expected_tricks(plan, strain) + more)
    return bids


@inlined
def plan_auction(view, params, seat, most_seen=1):
    """Evaluate the hand in every strain.

    view : AuctionView; params : int64[:, :] rows of `PointsParam`; seat : int64 -> BidPlan
    most_seen : int64 or None   None where nobody can have seen most cards: the question is not even compiled then
    """
    if most_seen is not None:
        if most_are_seen(view):
            return plan_seen(view, params, seat)
    hand = view.hand
    high = (
        params[seat, ACE] * I(popcount(hand & ACES))
        + params[seat, KING] * I(popcount(hand & KINGS))
        + params[seat, QUEEN] * I(popcount(hand & QUEENS))
        + params[seat, JACK] * I(popcount(hand & JACKS))
        + params[seat, COLON] * I(popcount(hand & COLONS))
    )
    n0, n1, n2, n3 = length(hand, 0), length(hand, 1), length(hand, 2), length(hand, 3)
    voids = I(n0 == U0) + I(n1 == U0) + I(n2 == U0) + I(n3 == U0)
    singletons = I(n0 == U1) + I(n1 == U1) + I(n2 == U1) + I(n3 == U1)
    suits = high + params[seat, VOID] * voids + params[seat, SINGLETON] * singletons + params[seat, SUIT_BASE]
    # written out, not as a loop: LLVM would vectorise five strains into slow gathers
    margin, per_trump = params[seat, MARGIN], params[seat, LENGTH]
    plan = BidPlan(U0, U0)
    plan = with_strain(plan, 0, suits + per_trump * I(n0), margin)
    plan = with_strain(plan, 1, suits + per_trump * I(n1), margin)
    plan = with_strain(plan, 2, suits + per_trump * I(n2), margin)
    plan = with_strain(plan, 3, suits + per_trump * I(n3), margin)
    return with_strain(plan, NOTRUMP, high + params[seat, NT_BASE], margin)


@inlined
def choose_call(view, plan, params, seat, most_seen=1):
    """A call: the highest bid the hand is worth, else a double or redouble that pays, else a pass. -> int64"""
    legal = view.legal
    if view.own_bids != U0 and view.own_bids > view.opponent_bids:
        legal = U0  # one's own bid stands: do not bid against oneself
    bids = legal & plan.wants
    if bids == U0 and view.opponent_bids != U0 and params[seat, COMPETE] > 0:
        bids = legal & competing_bids(plan, params, seat, most_seen)
    if bids != U0:
        return _TOP_BIT - I(clz(bids)) + BID_OFFSET
    if view.may_double > 0:
        level = view.last_bid // N_STRAINS
        tricks = expected_tricks(plan, view.last_bid % N_STRAINS)
        beyond = _double_beyond(plan, params, seat, most_seen)
        if view.may_double == CALL_DOUBLE and tricks >= (N_RANKS - BOOK - level) * HUNDREDTHS + beyond:
            return CALL_DOUBLE
        if view.may_double == CALL_REDOUBLE and tricks >= (BOOK + level) * HUNDREDTHS + params[seat, REDOUBLE_MARGIN]:
            return CALL_REDOUBLE
    return CALL_PASS
