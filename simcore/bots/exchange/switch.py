"""The only place that looks at the code of an exchange policy."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots.exchange import keep_best, keep_high, random
from simcore.codes import ExchangePolicy

RANDOM = int(ExchangePolicy.RANDOM)
KEEP_BEST = int(ExchangePolicy.KEEP_BEST)
KEEP_HIGH = int(ExchangePolicy.KEEP_HIGH)
_random = random.choose_throw
_keep_best = keep_best.choose_throw
_keep_high = keep_high.choose_throw


@inlined
def choose_throw(policy, view, params, seat):
    """Cards that a policy throws.

    policy : int64       an `ExchangePolicy`
    view : ExchangeView
    params : int64[:, :] parameters, a row a seat; seat : int64 the own row
    -> uint64            view.n_throw cards of view.hand
    """
    if policy == KEEP_BEST:
        return _keep_best(view, params, seat)
    if policy == RANDOM:
        return _random(view)
    if policy == KEEP_HIGH:
        return _keep_high(view)
    raise ValueError("unknown exchange policy")
