"""The only place that looks at the code of a play policy among any number of hands."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bots.many import careful, careful_shedding, eager, eager_shedding, random
from simcore.codes import PlayPolicy

RANDOM = int(PlayPolicy.RANDOM)
CAREFUL = int(PlayPolicy.CAREFUL)
EAGER = int(PlayPolicy.EAGER)
_random, _fresh = random.choose_card, random.choose_fresh
_careful, _eager = careful.choose_card, eager.choose_card
_careful_contract, _eager_contract = careful_shedding.choose_card, eager_shedding.choose_card


@inlined
def choose_card(policy, view, params, seat, note, only_random=None):
    """The card a policy plays.

    policy : int64       a `PlayPolicy`
    view : ManyView
    params : int64[:, :] parameters, a row a seat
    seat : uint64        the own row
    note : uint64        what the policy noted at its last card of this deal, 0 before the first
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then,
        and the note is fresh (`simcore.bots.play.ahead`)
    -> (uint64, uint64)  one card of view.legal, and the policy's note
    """
    if only_random is not None:
        return _fresh(view, note)
    if policy == CAREFUL:
        return (_careful_contract(view) if view.declarer >= 0 else _careful(view)), note
    if policy == RANDOM:
        return _random(view, note)
    if policy == EAGER:
        return (_eager_contract(view) if view.declarer >= 0 else _eager(view)), note
    raise ValueError("unknown play policy")
