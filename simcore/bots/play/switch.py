"""The only place that looks at the code of a play policy."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots.play import careful, eager, random
from simcore.codes import PlayPolicy

RANDOM = int(PlayPolicy.RANDOM)
CAREFUL = int(PlayPolicy.CAREFUL)
EAGER = int(PlayPolicy.EAGER)
_random = random.choose_card
_lead_careful, _follow_careful = careful.lead, careful.follow
_lead_eager, _follow_eager = eager.lead, eager.follow


@inlined
def choose_lead(policy, view, params, notes, seat):
    """The card a policy leads.

    policy : int64       a `PlayPolicy`
    view : PlayView      with led == 0
    params : int64[:, :] parameters, a row a seat
    notes : uint64[:, :] what the policy keeps from trick to trick, a row a seat; modified
    seat : uint64        the own row
    -> uint64            one card of view.legal
    """
    if policy == CAREFUL:
        return _lead_careful(view)
    if policy == RANDOM:
        return _random(view, notes, seat)
    if policy == EAGER:
        return _lead_eager(view)
    raise ValueError("unknown play policy")


@inlined
def choose_follow(policy, view, params, notes, seat):
    """The card a policy follows with; arguments as in `choose_lead`, with the card led in the view. -> uint64"""
    if policy == CAREFUL:
        return _follow_careful(view)
    if policy == RANDOM:
        return _random(view, notes, seat)
    if policy == EAGER:
        return _follow_eager(view)
    raise ValueError("unknown play policy")
