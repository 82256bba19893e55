"""The only place that looks at the code of an exchange policy."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots import compiled
from simcore.bots.exchange import keep_best, random
from simcore.codes import ExchangePolicy

RANDOM = int(ExchangePolicy.RANDOM)
KEEP_BEST = int(ExchangePolicy.KEEP_BEST)
COMPILED = int(ExchangePolicy.COMPILED)
_random = random.choose_throw
_compiled = compiled.choose_throw
_keep_best = keep_best.choose_throw


@inlined
def choose_throw(policy, view, params, memory, seat):
    """Cards that a policy throws.

    policy : int64       an `ExchangePolicy`
    view : ExchangeView
    params : int64[:, :] parameters, a row a seat
    memory : uint64[:, :] or None   words of compiled bots, a row a seat; modified
    seat : int64         the own row
    -> uint64            view.n_throw cards of view.hand
    """
    if policy == KEEP_BEST:
        return _keep_best(view, params, seat)
    if policy == RANDOM:
        return _random(view)
    if memory is not None:  # the branch is not even compiled for a run without compiled bots
        if policy == COMPILED:
            return _compiled(view, params, memory, seat)
    raise ValueError("unknown exchange policy")
