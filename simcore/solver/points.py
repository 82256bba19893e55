"""Perfect play for points: can declarer make the number of tricks he takes lie in a set? With and without colons.

Points depend on the final number of tricks and need not grow with it: the exact bonus can be worth losing a trick for, and a
trick can be worth handing over. Asking for "at least so many points" is asking for a set of numbers of tricks, so the best
payoff is found by thresholds. Bounds of tricks decide what is monotone about a set: a set that holds everything from a number
on that declarer can make sure of, or nothing up to a number that he can be held to.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, load64, lowest, select, store64
from simcore.rng import GOLD
from simcore.solver.colons import all_replies, cashable_against_colons, colon_keys, lead_group, needless_bar, possible_leads
from simcore.solver.free import at_most, cashable
from simcore.solver.layout import COUNT, downward, empty_suits, highest_each
from simcore.solver.mode import NO_FOLLOWING, bound_depth, has, set_depth, table_depth
from simcore.solver.tables import bound_byte, free_value, set_word, sure_trumps

POINT_BITS = 15
"""The transposition table has 2 ** POINT_BITS entries of two words."""
POINT_WORDS = 2 << POINT_BITS
"""Words of scratch memory of one thread, for points."""
_HASH_SHIFT = U(64 - POINT_BITS)
_HASH, _HASH_WANTED = U(0xD6E8FEB86659FD93), U(0x2545F4914F6CDD1D)
_WANTED_AT, _DECLARES_AT, _RESULT_AT, _C63 = U(12), U(26), U(27), U(63)
_SECOND = U(1 << 63 | (1 << 27) - 1)
_LEAD_GROUPS = 7


@inlined
def trick_bounds(tables, trumps, mode, n, lead, follow, own, other, bar):
    """Bounds of the tricks that the leader can make sure of. -> int64 lower, int64 upper"""
    low, high = I(0), n
    if own | other == U0:
        if has(mode, NO_FOLLOWING):
            return low, high
        if n <= table_depth(mode):
            high = free_value(tables, trumps, n, lead, follow)
            low = high
        else:
            low, high = cashable(tables, trumps, lead, follow), at_most(tables, trumps, n, lead, follow)
        if bar != U0:
            low = I(0)
        return low, high
    depth = bound_depth(mode)
    if depth == 0:
        return low, high
    if n <= depth:
        bounds = I(bound_byte(tables, trumps, n, lead, follow, COUNT[own], COUNT[other]))
        return I(0) if bar != U0 else bounds & 15, bounds >> 4
    if trumps != U0:
        high = n - I(sure_trumps(tables, lead, follow) >> U(4))
    return cashable_against_colons(trumps, lead, follow, other, bar), high


@inlined
def set_settled(tables, trumps, mode, n, lead, follow, own, other, bar, declares, wanted):
    """What tables and bounds say: 1 declarer can, 0 he cannot, -1 nothing; arguments as of `set_reached`. -> int64"""
    if n <= set_depth(mode) and own | other | bar == U0:
        word = set_word(tables, trumps, n, lead, follow, declares, wanted >> U(6))
        return I((word >> (wanted & _C63)) & U1)
    low, high = trick_bounds(tables, trumps, mode, n, lead, follow, own, other, bar)
    if not declares:
        low, high = n - high, n - low
    if wanted >> U(low) == (U(2) << U(n - low)) - U1:
        return I(1)
    if wanted & ((U(2) << U(high)) - U1) == U0:
        return I(0)
    return I(-1)


@kernel
def set_reached(tables, scratch, trumps, mode, n, lead, follow, own, other, bar, declares, wanted):
    """Whether declarer can make the number of tricks he takes of n lie in a set.

    tables, scratch : uint64  addresses
    trumps : uint64      SUIT, or 0 for no trump
    mode : uint64        see `simcore.solver.mode`; with EVERY_RUN
    n : int64            cards a hand, colons included
    lead, follow : uint64  natural cards, trumps in lane 0
    own, other : uint64  colons of the leader, of the follower
    bar : uint64         the suit the leader may not lead, 0 for none
    declares : bool      whether the leader is declarer
    wanted : uint64      the set: bit t for t tricks
    -> bool
    """
    every = (U(2) << U(n)) - U1
    wanted &= every
    if wanted == U0:
        return False
    if wanted == every:
        return True
    if bar != U0 and needless_bar(mode, lead, own, bar):
        bar = U0
    known = set_settled(tables, trumps, mode, n, lead, follow, own, other, bar, declares, wanted)
    if known >= 0:
        return known == 1
    first, second = colon_keys(trumps, n, lead, follow, own, other, bar)
    second |= (wanted << _WANTED_AT) | ((U1 if declares else U0) << _DECLARES_AT)
    slot = (((first ^ (second * _HASH)) * GOLD) >> _HASH_SHIFT) << U1
    data = load64(scratch, slot + U1)
    if load64(scratch, slot) == first and data & _SECOND == second:
        return (data >> _RESULT_AT) & U1 != U0
    leads, colon_leads = possible_leads(mode, lead, follow, own, other, bar)
    tops, highest, voids = leads & ~downward(follow), highest_each(leads), empty_suits(follow)
    result = not declares
    for group in range(_LEAD_GROUPS):
        untried = lead_group(group, leads, U0, tops, highest, voids, colon_leads)
        leads &= ~untried
        while untried != U0 and result != declares:
            chosen = lowest(untried)
            untried ^= chosen
            card = select(group < _LEAD_GROUPS - 1, chosen, U0)
            colon = chosen ^ card
            winners, in_range, losers, thrown, next_bar = all_replies(mode, lead, follow, own, other, card, colon, trumps)
            same = True
            while same and winners | in_range | losers | thrown != U0:
                if winners != U0:
                    reply = lowest(winners)
                    winners ^= reply
                    left = wanted if declares else wanted >> U1
                    next_ = (follow ^ reply, lead ^ card, other, own ^ colon, U0)
                    same = set_reached(tables, scratch, trumps, mode, n - 1, *next_, not declares, left) == declares
                    continue
                reply, answer, after = U0, U0, U0
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
            if same:
                result = declares
    stored = (U1 if result else U0) << _RESULT_AT
    store64(scratch, slot, first)
    store64(scratch, slot + U1, second | stored)
    return result


@inlined
def tricks_worth(payoff, taken, n, least):
    """The set of further tricks with which declarer gets at least so many points.

    payoff : int32[:]    points by declarer's tricks
    taken : int64        tricks he has already
    -> uint64
    """
    wanted = U0
    for more in range(n + 1):
        if payoff[taken + more] >= least:
            wanted |= U1 << U(more)
    return wanted


@inlined
def when_reached(payoff, taken, n, wanted, high):
    """What it says that declarer can reach a set: the least points he gets, and the next to ask for. -> int64, int64"""
    low, least = high, high
    for more in range(n + 1):
        value = I(payoff[taken + more])
        if wanted >> U(more) & U1 != U0:
            low = min(low, value)
    for more in range(n + 1):
        value = I(payoff[taken + more])
        if value > low:
            least = min(least, value)
    return low, least


@inlined
def when_missed(payoff, taken, n, wanted, low):
    """What it says that he cannot: the most points he gets. -> int64"""
    high = low
    for more in range(n + 1):
        value = I(payoff[taken + more])
        if wanted >> U(more) & U1 == U0:
            high = max(high, value)
    return high


@kernel
def best_points(tables, scratch, trumps, mode, n, lead, follow, own, other, bar, declares, payoff, taken, guess):
    """Points declarer can make sure of, by thresholds from a guess; arguments as of `set_reached` and `tricks_worth`.

    guess : int64        points to ask for first
    -> int64
    """
    low, high = I(payoff[taken]), I(payoff[taken])
    for more in range(1, n + 1):
        low, high = min(low, I(payoff[taken + more])), max(high, I(payoff[taken + more]))
    least = min(max(guess, low + 1), high)
    while low < high:
        wanted = tricks_worth(payoff, taken, n, least)
        if set_reached(tables, scratch, trumps, mode, n, lead, follow, own, other, bar, declares, wanted):
            low, least = when_reached(payoff, taken, n, wanted, high)
        else:
            high = when_missed(payoff, taken, n, wanted, low)
            least = high
    return low
