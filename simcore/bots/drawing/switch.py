"""The only place that looks at the code of an exchange policy in phase 1 of Draw Bridge."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots.drawing import keep_best, keep_high, random
from simcore.codes import ExchangePolicy

RANDOM = int(ExchangePolicy.RANDOM)
KEEP_BEST = int(ExchangePolicy.KEEP_BEST)
KEEP_HIGH = int(ExchangePolicy.KEEP_HIGH)
_random, _random_drawn = random.choose_card, random.choose_drawn
_keep_best, _keep_high = keep_best.choose_card, keep_high.choose_card


@inlined
def choose_card(policy, view, params, seat, note, only_random=None, drawn=None):
    """The card a policy plays in phase 1.

    policy : int64       an `ExchangePolicy`
    view : DrawView
    params : int64[:, :] parameters, a row a seat
    seat : uint64        the own row
    note : uint64        what the policy noted at its last card of phase 1, 0 before the first
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then
    drawn : (uint64, uint64)   where all bots are random, the draw, made ahead (`simcore.bots.play.ahead`)
    -> (uint64, uint64)  one card of view.legal, and the policy's note
    """
    if only_random is not None:
        return _random_drawn(view, drawn)
    if policy == KEEP_BEST:
        return _keep_best(view), note
    if policy == RANDOM:
        return _random(view, note)
    if policy == KEEP_HIGH:
        return _keep_high(view), note
    raise ValueError("unknown exchange policy")
