"""The only place that looks at the code of a bidding policy in an auction in steps."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots.steps import expected as by_worth
from simcore.bots.steps import high_cards, points, random
from simcore.codes import BiddingPolicy

RANDOM = int(BiddingPolicy.RANDOM)
POINTS = int(BiddingPolicy.POINTS)
HIGH_CARDS = int(BiddingPolicy.HIGH_CARDS)
EXPECTED = int(BiddingPolicy.EXPECTED)
_points, _high_cards = points.choose_step, high_cards.choose_step
_random = random.choose_step
_expected = by_worth.choose_step


@inlined
def choose_step(policy, view, params, seat, only_random=None, expected=None):
    """A policy's call.

    policy : int64       a `BiddingPolicy`
    view : StepView
    params : int64[:, :] parameters, a row a seat
    seat : uint64        the own row
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then
    expected : Stepping or None   tables of the policy `expected`; None where no seat uses it
    -> int64             0 for a pass, or tricks of view.legal, + STEP_ALONE for a bid alone where view.may_say_alone
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
