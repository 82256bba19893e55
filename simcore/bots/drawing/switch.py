"""The only place that looks at the code of an exchange policy in phase 1 of Draw Bridge."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots.drawing import random
from simcore.codes import ExchangePolicy

RANDOM = int(ExchangePolicy.RANDOM)
_random = random.choose_card


@inlined
def choose_card(policy, view, params, seat, note, only_random=None):
    """The card a policy plays in phase 1.

    policy : int64       an `ExchangePolicy`
    view : DrawView
    params : int64[:, :] parameters, a row a seat
    seat : uint64        the own row
    note : uint64        what the policy noted at its last card of phase 1, 0 before the first
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then
    -> (uint64, uint64)  one card of view.legal, and the policy's note
    """
    if only_random is not None:
        return _random(view, note)
    if policy == RANDOM:
        return _random(view, note)
    raise ValueError("unknown exchange policy")
