"""The only place that looks at the code of a bidding policy in an auction of calls."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots.calls import expected as by_score
from simcore.bots.calls import high_cards, points, random
from simcore.codes import BiddingPolicy

RANDOM = int(BiddingPolicy.RANDOM)
POINTS = int(BiddingPolicy.POINTS)
HIGH_CARDS = int(BiddingPolicy.HIGH_CARDS)
EXPECTED = int(BiddingPolicy.EXPECTED)
_random, _points, _high_cards = random.choose_call, points.choose_call, high_cards.choose_call
_expected = by_score.choose_call


@inlined
def choose_call(policy, view, params, seat, only_random=None, expected=None):
    """A policy's call.

    policy : int64       a `BiddingPolicy`
    view : CallView
    params : int64[:, :] parameters, a row a seat
    seat : uint64        the own row
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then
    expected : Called or None   tables of the policy `expected`; None where no seat uses it
    -> int64             tricks, from view.lowest to view.highest, but not view.forbidden
    """
    if only_random is not None:
        return _random(view, params, seat)
    if policy == POINTS:
        return _points(view, params, seat)
    if policy == RANDOM:
        return _random(view, params, seat)
    if policy == HIGH_CARDS:
        return _high_cards(view, params, seat)
    if expected is not None:
        if policy == EXPECTED:
            return _expected(view, params, seat, expected)
    raise ValueError("unknown bidding policy")
