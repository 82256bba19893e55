"""Bidding policy `random`: a random ceiling for each auction, then random legal calls below it.

A uniform choice among all legal calls ends almost every auction at level 7, which nobody makes. Here each seat draws
a ceiling level from weights, bids uniformly among its legal bids up to the ceiling, and passes and doubles with fixed
chances. The draws are laid down in docs/random-streams.md, section 5.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, I, U, ctz, nth_bit, popcount, select
from simcore.bots.bidding.plan import ALL_BIDS, BidPlan
from simcore.codes import BID_OFFSET, CALL_PASS, N_LEVELS, N_STRAINS, RandomBiddingParam
from simcore.rng import below

WEIGHTS_UP_TO = int(RandomBiddingParam.WEIGHTS_UP_TO)
DOUBLE_PERCENT = int(RandomBiddingParam.DOUBLE_PERCENT)
PASS_PERCENT = int(RandomBiddingParam.PASS_PERCENT)
PERCENT = 100
STEPS = (N_LEVELS - 1).bit_length()


@inlined
def plan_auction(view, params, seat):
    """Draw the ceiling. view : AuctionView, params : int64[:, :] rows of `RandomBiddingParam`, seat : int64 -> BidPlan"""
    r = I(below(view.key, U0, U(params[seat, WEIGHTS_UP_TO + N_LEVELS - 1])))
    level = U0  # found by halving: four levels up or not, then two, then one
    for step in range(STEPS):
        half = U(N_LEVELS >> (step + 1))
        level += select(r >= params[seat, U(WEIGHTS_UP_TO) + level + half - U1], half, U0)
    return BidPlan(ALL_BIDS & ((U1 << (U(N_STRAINS) * (level + U1))) - U1), U0)


@inlined
def choose_parts(view, worth, params, seat):
    """A call in parts: CALL_PASS, CALL_DOUBLE or CALL_REDOUBLE of one who does not bid; the bids to choose from; one of them.

    worth : uint64       legal bids that the hand is worth
    -> (uint64, uint64, uint64)   bids, a bit each; none to choose from where it is no bid, and the one is then of no meaning
    """
    draw = U1 + (U(view.own_calls) << U1)
    die = I(below(view.key, draw, U(PERCENT)))
    # by selects, since nobody can predict the die
    bid = nth_bit(worth, below(view.key, draw + U1, popcount(worth)))
    doubles = (view.may_double > 0) & (die < params[seat, DOUBLE_PERCENT])
    bids = (not doubles) & (die < PERCENT - params[seat, PASS_PERCENT])
    return select(doubles, U(view.may_double), U(CALL_PASS)), select(bids, worth, U0), bid


@inlined
def choose_call(view, plan, params, seat):
    """A call: CALL_PASS, CALL_DOUBLE, CALL_REDOUBLE, or a bid's index + BID_OFFSET. -> int64"""
    other, choice, bid = choose_parts(view, view.legal & plan.wants, params, seat)
    return I(select(choice != U0, ctz(bid) + U(BID_OFFSET), other))
