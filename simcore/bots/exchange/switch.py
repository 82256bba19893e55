"""The only place that looks at the code of an exchange policy."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots import compiled
from simcore.bots.exchange import expected, keep_best, keep_high, random
from simcore.codes import ExchangePolicy

RANDOM = int(ExchangePolicy.RANDOM)
KEEP_BEST = int(ExchangePolicy.KEEP_BEST)
KEEP_HIGH = int(ExchangePolicy.KEEP_HIGH)
EXPECTED = int(ExchangePolicy.EXPECTED)
COMPILED = int(ExchangePolicy.COMPILED)
_random = random.choose_throw
_compiled = compiled.choose_throw
_keep_best = keep_best.choose_throw
_keep_high = keep_high.choose_throw
_expected = expected.choose_throw


@inlined
def choose_throw(policy, view, params, memory, seat, only_random=None, keeping=None):
    """Cards that a policy throws.

    policy : int64       an `ExchangePolicy`
    view : ExchangeView
    params : int64[:, :] parameters, a row a seat
    memory : uint64[:, :] or None   words of compiled bots, a row a seat; modified
    seat : int64         the own row
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then
    keeping : Keeping or None   tables of the policy `expected`; None where no seat uses it
    -> uint64            view.n_throw cards of view.hand
    """
    if only_random is not None:
        return _random(view)
    if policy == KEEP_BEST:
        return _keep_best(view, params, seat)
    if policy == RANDOM:
        return _random(view)
    if policy == KEEP_HIGH:
        return _keep_high(view)
    if keeping is not None:
        if policy == EXPECTED:
            return _expected(view, params, seat, keeping)
    if memory is not None:  # the branch is not even compiled for a run without compiled bots
        if policy == COMPILED:
            return _compiled(view, params, memory, seat)
    raise ValueError("unknown exchange policy")
