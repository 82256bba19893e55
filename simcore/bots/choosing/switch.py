"""The only place that looks at the code of an exchange policy in Draw and Discard."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots.choosing import expected, keep_best, keep_high, random
from simcore.codes import ExchangePolicy

RANDOM = int(ExchangePolicy.RANDOM)
KEEP_BEST = int(ExchangePolicy.KEEP_BEST)
KEEP_HIGH = int(ExchangePolicy.KEEP_HIGH)
EXPECTED = int(ExchangePolicy.EXPECTED)
_random, _keep_best, _keep_high = random.keeps_first, keep_best.keeps_first, keep_high.keeps_first
_expected = expected.keeps_first


@inlined
def keeps_first(policy, view, params, seat, choosing=None):
    """Whether a policy keeps the card looked at.

    policy : int64       an `ExchangePolicy`
    view : ChooseView
    params : int64[:, :] parameters, a row a seat
    seat : uint64        the own row
    choosing : Choosing or None   the model of the policy `expected`; None where no seat uses it
    -> int64             1 to keep it, 0 to throw it and keep the next
    """
    if policy == KEEP_BEST:
        return _keep_best(view)
    if policy == RANDOM:
        return _random(view)
    if policy == KEEP_HIGH:
        return _keep_high(view)
    if choosing is not None:
        if policy == EXPECTED:
            return _expected(view, params, seat, choosing)
    raise ValueError("unknown exchange policy")
