"""Bidding policy `random` in an auction of calls: one of the lowest legal calls (docs/random-streams.md, section 5).

Among all legal calls it would mostly choose what nobody makes; the parameter `call_spread` says how far above the lowest it
goes.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, I, U
from simcore.codes import RandomBiddingParam
from simcore.rng import below

CALL_SPREAD = int(RandomBiddingParam.CALL_SPREAD)


@inlined
def choose_call(view, params, seat):
    """A call. view : CallView, params : int64[:, :] rows of `RandomBiddingParam`, seat : uint64 -> int64"""
    highest = min(view.highest, view.lowest + params[seat, CALL_SPREAD])
    if view.lowest == view.forbidden and highest == view.lowest:
        highest = view.highest  # the only low call is the forbidden one
    is_in_the_way = view.lowest <= view.forbidden <= highest
    n = highest - view.lowest + 1 - (1 if is_in_the_way else 0)
    call = view.lowest + I(below(view.key, U0, U(n)))
    return call + 1 if is_in_the_way and call >= view.forbidden else call
