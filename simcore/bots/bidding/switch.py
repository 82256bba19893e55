"""The only place that looks at the code of a bidding policy."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import ALL_ONES, U0, U1, I, U, popcount, select
from simcore.bots import compiled
from simcore.bots.bidding import expected as by_score
from simcore.bots.bidding import high_cards, perfect, points, random
from simcore.bots.bidding.plan import BidPlan
from simcore.codes import BID_OFFSET, BiddingPolicy, ExpectedParam

RANDOM = int(BiddingPolicy.RANDOM)
POINTS = int(BiddingPolicy.POINTS)
HIGH_CARDS = int(BiddingPolicy.HIGH_CARDS)
PERFECT = int(BiddingPolicy.PERFECT)
EXPECTED = int(BiddingPolicy.EXPECTED)
COMPILED = int(BiddingPolicy.COMPILED)
LOW6 = 63
SOLVES_KNOWN = int(ExpectedParam.SOLVES_KNOWN)
_call_compiled, _call_perfect = compiled.choose_call, perfect.choose_call
_plan_random, _plan_points, _plan_high_cards = random.plan_auction, points.plan_auction, high_cards.plan_auction
_plan_expected, _call_expected = by_score.plan_auction, by_score.choose_call
_call_random, _call_points, _call_high_cards = random.choose_call, points.choose_call, high_cards.choose_call
_parts_random = random.choose_parts


@inlined
def solves(policy, view, params, seat):
    """Whether a seat solves the auction: it bids by expected score, may solve, and knows the other hand from what it has seen.

    policy : int64, view : AuctionView, params : int64[:, :], seat : int64 -> bool
    """
    knows = popcount(view.unseen) == popcount(view.hand)
    return (policy == EXPECTED) & (params[seat, SOLVES_KNOWN] != 0) & knows


@inlined
def plan_auction(policy, view, params, seat, only_random=None, most_seen=1, expected=None):
    """A policy's plan before the first call.

    policy : int64       a `BiddingPolicy`
    view : AuctionView   as the auction begins
    params : int64[:, :] parameters, a row a seat; seat : int64 the own row
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then
    most_seen : int64 or None   None where nobody can have seen most cards as the auction begins (`Rules.most_seen`)
    expected : Expected or None   tables of the policy `expected`; None where no seat uses it
    -> BidPlan
    """
    if only_random is not None:
        return _plan_random(view, params, seat)
    if policy == POINTS:
        return _plan_points(view, params, seat, most_seen)
    if policy == RANDOM:
        return _plan_random(view, params, seat)
    if policy == HIGH_CARDS:
        return _plan_high_cards(view, params, seat)
    if expected is not None:
        if policy == EXPECTED:
            return _plan_expected(view, expected, params, seat)
    if (policy == COMPILED) | (policy == PERFECT) | (policy == EXPECTED):  # who expects without a model solves its auctions
        return BidPlan(U0, U0)
    raise ValueError("unknown bidding policy")


@inlined
def choose_call(
    policy,
    view,
    plan,
    params,
    memory,
    seat,
    only_random=None,
    most_seen=1,
    oracle=None,
    expected=None,
    known=None,
):
    """A policy's call.

    policy : int64       a `BiddingPolicy`
    view : AuctionView
    plan : BidPlan       what `plan_auction` gave this seat
    params : int64[:, :] parameters, a row a seat
    memory : uint64[:, :] or None   words of compiled bots, a row a seat; modified
    seat : int64         the own row
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then
    most_seen : int64 or None   None where nobody can have seen most cards as the auction begins (`Rules.most_seen`)
    oracle : Oracle or None   for policies that see all cards; None: nothing of them is compiled
    expected : Expected or None   tables of the policy `expected`; None where no seat uses it
    known : Oracle or None   for seats that know the other hand from what they have seen; None: nothing of it is compiled
    -> int64             CALL_PASS, CALL_DOUBLE, CALL_REDOUBLE, or a bid's index + BID_OFFSET
    """
    if only_random is not None:
        return _call_random(view, plan, params, seat)
    if policy == POINTS:
        return _call_points(view, plan, params, seat, most_seen)
    if policy == RANDOM:
        return _call_random(view, plan, params, seat)
    if policy == HIGH_CARDS:
        return _call_high_cards(view, plan, params, seat)
    if known is not None:
        if solves(policy, view, params, seat):
            return _call_perfect(view, seat, known)
    if expected is not None:
        if policy == EXPECTED:
            return _call_expected(view, plan, expected, params, seat)
    if memory is not None:  # the branch is not even compiled for a run without compiled bots
        if policy == COMPILED:
            return _call_compiled(view, params, memory, seat)
    if oracle is not None:
        if policy == PERFECT:
            return _call_perfect(view, seat, oracle)
    raise ValueError("unknown bidding policy")


@inlined
def bids_to_look_at(only_random, plan):
    """Bids of which `choose_call_in_parts` needs to know whether they are legal: where all bots are random, those of the plan.

    only_random : int64 or None, plan : BidPlan -> uint64
    """
    if only_random is not None:
        return plan.wants
    return ALL_ONES


@inlined
def choose_call_in_parts(
    policy,
    view,
    plan,
    params,
    memory,
    seat,
    only_random=None,
    most_seen=1,
    oracle=None,
    expected=None,
    known=None,
):
    """`choose_call`, taken apart: random bots draw a bid as a bit, and the next call need not wait for its index.

    -> (uint64, uint64, uint64)   CALL_PASS, CALL_DOUBLE or CALL_REDOUBLE, or 0 where it is a bid; not 0 where it is a bid;
    the bid, a bit, of no meaning where it is none
    """
    if only_random is not None:
        return _parts_random(view, view.legal, params, seat)
    call = I(choose_call(policy, view, plan, params, memory, seat, only_random, most_seen, oracle, expected, known))
    bid = select(call >= BID_OFFSET, U1 << U((call - BID_OFFSET) & LOW6), U0)
    return select(call >= BID_OFFSET, U0, U(call)), bid, bid
