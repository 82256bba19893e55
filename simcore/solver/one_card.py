"""What one card of the player to move is worth when the rest is perfect play: exact, by a few questions to the searches.

`position` and `position_points` play every reply by the rule functions of the game; here the searches' own list of replies is
used, so that policies that ask often need not wait. Cards are in the searches' layout.
"""

from __future__ import annotations

from simcore._jit import kernel
from simcore.bits import U0, U1, I, lowest
from simcore.solver.colons import all_replies, colon_reaches
from simcore.solver.points import set_reached, tricks_worth, when_missed, when_reached


@kernel
def lead_reaches(tables, scratch, trumps, mode, n, lead, follow, own, other, card, colon, need):
    """Whether the leader takes at least `need` of n tricks when he leads a card, or a colon.

    card, colon : uint64  the lead, the other one empty; other arguments as of `colon_reaches`
    -> bool
    """
    winners, in_range, losers, thrown, next_bar = all_replies(mode, lead, follow, own, other, card, colon, trumps)
    holds = True
    while holds and winners | in_range | losers | thrown != U0:
        reply, answer, after = U0, U0, U0
        if winners != U0:
            reply = lowest(winners)
            winners ^= reply
            next_ = (follow ^ reply, lead ^ card, other, own ^ colon)
            holds = not colon_reaches(tables, scratch, trumps, mode, n - 1, *next_, U0, n - need)
            continue
        if in_range != U0:
            answer, in_range, after = in_range, U0, next_bar
        elif losers != U0:
            reply = lowest(losers)
            losers ^= reply
        else:
            answer = lowest(thrown)
            thrown ^= answer
        next_ = (lead ^ card, follow ^ reply, own ^ colon, other ^ answer)
        holds = colon_reaches(tables, scratch, trumps, mode, n - 1, *next_, after, need - 1)
    return holds


@kernel
def tricks_of_lead(tables, scratch, trumps, mode, n, lead, follow, own, other, card, colon, guess):
    """Tricks the leader takes of n with a lead, by steps from a guess; arguments as of `lead_reaches`. -> int64"""
    low, high = I(0), n
    step = min(max(guess, low), high - 1)
    while low < high:
        if lead_reaches(tables, scratch, trumps, mode, n, lead, follow, own, other, card, colon, step + 1):
            low = step + 1
            step = low
        else:
            high = step
            step = max(high - 1, low)
    return low


@kernel
def lead_reaches_set(tables, scratch, trumps, mode, n, lead, follow, own, other, card, colon, declares, wanted):
    """Whether declarer can make the number of tricks he takes of n lie in a set, after a lead.

    declares : bool      whether the leader is declarer
    wanted : uint64      the set: bit t for t tricks
    -> bool
    """
    winners, in_range, losers, thrown, next_bar = all_replies(mode, lead, follow, own, other, card, colon, trumps)
    # the follower chooses: declarer needs one reply that does, his opponent one that does not
    same = True
    while same and winners | in_range | losers | thrown != U0:
        reply, answer, after = U0, U0, U0
        if winners != U0:
            reply = lowest(winners)
            winners ^= reply
            left = wanted if declares else wanted >> U1
            next_ = (follow ^ reply, lead ^ card, other, own ^ colon, U0)
            same = set_reached(tables, scratch, trumps, mode, n - 1, *next_, not declares, left) == declares
            continue
        if in_range != U0:
            answer, in_range, after = in_range, U0, next_bar
        elif losers != U0:
            reply = lowest(losers)
            losers ^= reply
        else:
            answer = lowest(thrown)
            thrown ^= answer
        left = wanted >> U1 if declares else wanted
        next_ = (lead ^ card, follow ^ reply, own ^ colon, other ^ answer, after)
        same = set_reached(tables, scratch, trumps, mode, n - 1, *next_, declares, left) == declares
    return same == declares


@kernel
def points_of_lead(tables, scratch, trumps, mode, n, lead, follow, own, other, card, colon, declares, payoff, taken, guess):
    """Declarer's points after a lead, both sides playing for points, by thresholds from a guess.

    payoff : int32[:]    points by declarer's tricks
    taken : int64        tricks he has already
    guess : int64        points to ask for first
    -> int64
    """
    low, high = I(payoff[taken]), I(payoff[taken])
    for more in range(1, n + 1):
        low, high = min(low, I(payoff[taken + more])), max(high, I(payoff[taken + more]))
    least = min(max(guess, low + 1), high)
    while low < high:
        wanted = tricks_worth(payoff, taken, n, least)
        fixed = (n, lead, follow, own, other, card, colon, declares)
        if lead_reaches_set(tables, scratch, trumps, mode, *fixed, wanted):
            low, least = when_reached(payoff, taken, n, wanted, high)
        else:
            high = when_missed(payoff, taken, n, wanted, low)
            least = high
    return low
