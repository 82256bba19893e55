"""The only place that looks at the code of a play policy."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0
from simcore.bots import compiled
from simcore.bots.play import careful, eager, perfect, random, sampling
from simcore.codes import PlayPolicy

RANDOM = int(PlayPolicy.RANDOM)
CAREFUL = int(PlayPolicy.CAREFUL)
EAGER = int(PlayPolicy.EAGER)
PERFECT = int(PlayPolicy.PERFECT)
SAMPLING = int(PlayPolicy.SAMPLING)
COMPILED = int(PlayPolicy.COMPILED)
_random, _fresh, _drawn = random.choose_card, random.choose_fresh, random.choose_drawn
_compiled = compiled.choose_card
_perfect = perfect.choose_card
_sampling = sampling.choose_card
_lead_careful, _follow_careful = careful.lead, careful.follow
_lead_eager, _follow_eager = eager.lead, eager.follow


@inlined
def choose_lead(
    policy, view, params, memory, seat, note, only_random=None, oracle=None, other=U0, sampling=None, drawn=None
):
    """The card a policy leads.

    policy : int64       a `PlayPolicy`
    view : PlayView      with led == 0
    params : int64[:, :] parameters, a row a seat
    memory : uint64[:, :] or None   words of compiled bots, a row a seat; modified
    seat : uint64        the own row
    note : uint64        what the policy noted at its last card of this deal, 0 before the first
    only_random : int64 or None   not None where all bots of the run are random throughout: nothing else is compiled then
    oracle : Oracle or None   for policies that see all cards; None: nothing of them is compiled
    other : uint64       the other hand, without the card on the table; for those policies alone
    sampling : Sampling or None   for policies that draw hidden cards and solve; None: nothing of them is compiled
    drawn : (uint64, uint64)   where all bots are random, the draw, made ahead (`simcore.bots.play.ahead`)
    -> (uint64, uint64)  one card of view.legal, and the policy's note
    """
    if only_random is not None:
        return _drawn(view, drawn)
    if policy == CAREFUL:
        return _lead_careful(view), note
    if policy == RANDOM:
        return _random(view, note)
    if policy == EAGER:
        return _lead_eager(view), note
    if memory is not None:  # the branch is not even compiled for a run without compiled bots
        if policy == COMPILED:
            return _compiled(view, params, memory, seat), note
    if oracle is not None:
        if policy == PERFECT:
            return _perfect(view, params, seat, note, oracle, other)
    if sampling is not None:
        if policy == SAMPLING:
            return _sampling(view, params, seat, sampling), note
    raise ValueError("unknown play policy")


@inlined
def choose_follow(policy, view, params, memory, seat, note, only_random=None, oracle=None, other=U0, sampling=None):
    """The card a policy follows with; arguments as in `choose_lead`, with the card led in the view.

    Where all bots are random, the note is fresh (`simcore.bots.play.ahead`).
    """
    if only_random is not None:
        return _fresh(view, note)
    if policy == CAREFUL:
        return _follow_careful(view), note
    if policy == RANDOM:
        return _random(view, note)
    if policy == EAGER:
        return _follow_eager(view), note
    if memory is not None:  # the branch is not even compiled for a run without compiled bots
        if policy == COMPILED:
            return _compiled(view, params, memory, seat), note
    if oracle is not None:
        if policy == PERFECT:
            return _perfect(view, params, seat, note, oracle, other)
    if sampling is not None:
        if policy == SAMPLING:
            return _sampling(view, params, seat, sampling), note
    raise ValueError("unknown play policy")
