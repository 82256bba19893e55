"""Bidding policy `random` in an auction in steps: passes at random, else any legal bid (docs/random-streams.md, section 5)."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, I, U, ctz, nth_bit, popcount
from simcore.codes import STEP_ALONE, RandomBiddingParam
from simcore.rng import below

STEP_PASS_PERCENT = int(RandomBiddingParam.STEP_PASS_PERCENT)
ALONE_PERCENT = int(RandomBiddingParam.ALONE_PERCENT)
PERCENT = 100
PASS = 0


@inlined
def choose_step(view, params, seat):
    """A call. view : StepView, params : int64[:, :] rows of `RandomBiddingParam`, seat : uint64 -> int64"""
    if view.legal == U0:
        return PASS
    draw = U1 + (U(view.own_calls) << U1)
    if view.may_pass != 0 and I(below(view.key, draw, U(PERCENT))) < params[seat, STEP_PASS_PERCENT]:
        return PASS
    bid = I(ctz(nth_bit(view.legal, below(view.key, draw + U1, popcount(view.legal)))))
    if view.may_say_alone != 0 and I(below(view.key, U0, U(PERCENT))) < params[seat, ALONE_PERCENT]:
        return bid + STEP_ALONE
    return bid
