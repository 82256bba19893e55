"""Perfect play with colons (rules.md C1-C12 and their options): zero-window search over endgame tables and bounds.

One loop for all leads and one for all replies, natural cards and colons, so that each rule stands in one place. A reply or a
lead is a natural card and a colon of which one is empty. Under a mode without bounds and with every run looked at, this is a
plain search: nothing in it but the rules, equivalent cards and the transposition table.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, load64, lowest, pext, popcount, select, store64
from simcore.cards import LANE
from simcore.codes import N_SUITS
from simcore.rng import GOLD
from simcore.solver.endgames import beaters
from simcore.solver.free import FREE_BITS, free_reaches, masters
from simcore.solver.layout import (
    BORDERS,
    COLON_OF_BIT,
    COUNT,
    RANGES,
    SUIT,
    class_key,
    class_lowest,
    downward,
    empty_suits,
    highest_each,
    in_lane,
    lengths_key,
    run_lowest,
    suit_of,
)
from simcore.solver.mode import (
    BAR_NEEDS_SUIT,
    COLONS_BARRED,
    EVERY_RUN,
    MUST_BEAT,
    NO_FOLLOWING,
    ONLY_IF_FORCED,
    bound_depth,
    entry_bits,
    has,
    table_depth,
)
from simcore.solver.relaxed import bar_is_lifted, colons_may_be_led
from simcore.solver.tables import bound_byte, free_value, sure_trumps

_ENTRIES_AT = U(8 << FREE_BITS)
_HASH = U(0xD6E8FEB86659FD93)
_SECOND = U(1 << 63 | 0xFFF)
_USED = U(1 << 63)
_LOW_AT, _HIGH_AT, _BEST_AT, _NIBBLE, _C63 = U(12), U(16), U(20), U(15), U(63)
_LEAD_GROUPS = 7


@inlined
def cashable_against_colons(trumps, lead, follow, other, bar):
    """Lower bound on the leader's tricks: masters he can cash although the follower may answer with colons. -> int64

    A colon answers a lead without following to it: the suit's other cards stay out, and the leader may not go on with the suit
    at once. So a suit runs only if its masters outlast the follower's cards and colons, trumps count as drawn only if there are
    none (or no colons), and after an answer another suit's master is needed: with r masters outside the longest suit and more
    than r colons against him, the leader is sure of 2 r + 1 only. Leads of colons are not counted, so the options of the bar
    do not matter.

    other : uint64       the follower's colons
    bar : uint64         the suit the leader may not lead now
    """
    answers = COUNT[other]
    drawn = trumps == U0
    total, longest = I(0), I(0)
    for suit in range(N_SUITS):
        own = (lead >> U(LANE * suit)) & SUIT
        his = (follow >> U(LANE * suit)) & SUIT
        held, length = I(popcount(own)), I(popcount(his))
        top = masters(own, his)
        if suit == 0 and trumps != U0:
            drawn = (length == 0) | ((answers == 0) & (top >= length))
            sure = held if drawn else top
        elif drawn:
            sure = held if top >= length + answers else top
        else:
            sure = min(top, length)
        if bar & (SUIT << U(LANE * suit)) != U0:
            sure = I(0)
        total += sure
        longest = max(longest, sure)
    rest = total - longest
    if answers > rest and total > 0:
        return min(total, 2 * rest + 1)
    return total


@inlined
def settled(tables, scratch, trumps, mode, n, lead, follow, own, other, bar, need):
    """What tables and bounds say about a position: 1 the leader takes `need`, 0 he does not, -1 nothing. -> int64"""
    if own | other == U0:
        if n <= table_depth(mode):
            enough = free_value(tables, trumps, n, lead, follow) >= need
            if bar == U0 or not enough:
                return I(1) if enough else I(0)
        elif bar == U0 and not has(mode, NO_FOLLOWING):
            return I(1) if free_reaches(tables, scratch, trumps, n, lead, follow, need, mode) else I(0)
        return I(-1)
    depth = bound_depth(mode)
    if depth == 0:
        return I(-1)
    if n <= depth:
        bounds = I(bound_byte(tables, trumps, n, lead, follow, COUNT[own], COUNT[other]))
        if bounds >> 4 < need:
            return I(0)
        if bar == U0 and bounds & 15 >= need:
            return I(1)
        return I(-1)
    if trumps != U0 and n - I(sure_trumps(tables, lead, follow) >> U(4)) < need:
        return I(0)
    if cashable_against_colons(trumps, lead, follow, other, bar) >= need:
        return I(1)
    return I(-1)


@inlined
def colon_keys(trumps, n, lead, follow, own, other, bar):
    """The two words by which a position is known: owners, lengths, colons, bar, number of cards, strain, ranges."""
    both = lead | follow
    barred = select(bar != U0, U1 + (ctz(bar) >> U(4)), U0)
    first = pext(lead, both) | (lengths_key(both) << U(26)) | (own << U(38)) | (other << U(41)) | (barred << U(44))
    first |= (U(n) << U(47)) | ((trumps & U1) << U(51)) | (class_key(lead, other) << U(52))
    return first, class_key(follow, own) | _USED


@inlined
def lead_group(group, leads, hint, tops, highest, voids, colons):
    """Leads in the order in which they are tried.

    The stored best one; in suits that the follower holds masters, then the highest runs; masters in his void suits; the rest in
    suits he holds, then in others; colons last.
    """
    if group == 0:
        return hint & leads
    if group == 1:
        return tops & leads & ~voids
    if group == 2:
        return highest & leads & ~voids
    if group == 3:
        return tops & leads
    if group == 4:
        return leads & ~voids
    if group == 5:
        return leads
    return colons


@inlined
def natural_replies(mode, lead, follow, own, card, colon, wins):
    """Natural cards worth playing on a lead (the duty to follow, C8): those that win, those that lose.

    lead, follow, own : uint64  before the lead
    card, colon : uint64 the lead: one of them is 0
    wins : uint64        what beats it
    -> uint64, uint64, bool: whether the follower follows suit
    """
    following = U0
    if card != U0 and not has(mode, NO_FOLLOWING):
        following = follow & suit_of(ctz(card))
    follows = following != U0
    pool = select(follows, following, follow)
    if has(mode, EVERY_RUN):
        pool = run_lowest(pool, lead, BORDERS[own])
        return pool & wins, pool & ~wins, follows
    borders = BORDERS[own ^ colon]
    return class_lowest(pool & wins, borders), class_lowest(pool & ~wins, borders), follows


@inlined
def all_replies(mode, lead, follow, own, other, card, colon, trumps):
    """Everything worth playing on a lead, in four groups, in the order in which they are tried.

    Options: a colon out of range is thrown only when there is nothing else; a led colon must be beaten.

    -> uint64 natural winners, uint64 the colon in range (C1), uint64 natural losers, uint64 other colons (C7, C8, C10),
       uint64 the bar that the colon in range sets (C3)
    """
    natural = card != U0
    wins = beaters(card, trumps) if natural else trumps | RANGES[ctz(colon) & U(3)]
    winners, losers, follows = natural_replies(mode, lead, follow, own, card, colon, wins)
    in_range = select(natural, COLON_OF_BIT[in_lane(ctz(card))], U0) & other
    thrown = select(follows, U0, other ^ in_range)
    if has(mode, ONLY_IF_FORCED) and natural and winners | losers | in_range != U0:
        thrown = U0
    if has(mode, MUST_BEAT) and not natural and winners != U0:
        losers, thrown = U0, U0
    bar = select(natural, suit_of(ctz(card)), U0)
    if has(mode, BAR_NEEDS_SUIT) and not follows:
        bar = U0
    return winners, in_range, losers, thrown, bar


@inlined
def needless_bar(mode, lead, own, bar):
    """Whether a bar takes nothing from the leader: he holds none of the suit, or nothing else."""
    nothing_barred = (lead & bar == U0) & ((own == U0) | (not has(mode, COLONS_BARRED)))
    return nothing_barred | ((lead & ~bar == U0) & (own == U0))


@inlined
def possible_leads(mode, lead, follow, own, other, bar):
    """Leads that need a look: the lowest card of each run, and colons (C3, C4, C5). -> uint64 cards, uint64 colons"""
    leads = run_lowest(lead, follow, BORDERS[other])
    if bar == U0:
        return leads, own
    outside = leads & ~bar
    colons = select(colons_may_be_led(mode, outside), own, U0)
    return select(bar_is_lifted(mode, outside, own), leads, outside), colons


@inlined
def stored(scratch, mode, first, second, n):
    """What the transposition table knows; it stands behind the one of positions without colons.

    -> uint64 slot, uint64 lower bound, uint64 upper bound, uint64 best lead as a bit
    """
    slot = (((first ^ (second * _HASH)) * GOLD) >> (U(64) - entry_bits(mode))) << U1
    data = load64(scratch + _ENTRIES_AT, slot + U1)
    if load64(scratch + _ENTRIES_AT, slot) == first and data & _SECOND == second:
        return slot, (data >> _LOW_AT) & _NIBBLE, (data >> _HIGH_AT) & _NIBBLE, U1 << ((data >> _BEST_AT) & _C63)
    return slot, U0, U(n), U0


@inlined
def store(scratch, slot, first, second, low, high, best):
    """Write an entry of the transposition table. best : uint64 bit number, 63 for none"""
    store64(scratch + _ENTRIES_AT, slot, first)
    store64(scratch + _ENTRIES_AT, slot + U1, second | (low << _LOW_AT) | (high << _HIGH_AT) | (best << _BEST_AT))


@kernel
def colon_reaches(tables, scratch, trumps, mode, n, lead, follow, own, other, bar, need):
    """Whether the leader takes at least `need` of n tricks.

    tables, scratch : uint64  addresses
    trumps : uint64      SUIT, or 0 for no trump
    mode : uint64        see `simcore.solver.mode`
    n, need : int64      cards a hand, colons included
    lead, follow : uint64  natural cards, trumps in lane 0
    own, other : uint64  colons of the leader, of the follower
    bar : uint64         the suit the leader may not lead, 0 for none
    -> bool
    """
    if need <= 0:
        return True
    if need > n:
        return False
    if bar != U0 and needless_bar(mode, lead, own, bar):
        bar = U0
    known = settled(tables, scratch, trumps, mode, n, lead, follow, own, other, bar, need)
    if known >= 0:
        return known == 1
    first, second = colon_keys(trumps, n, lead, follow, own, other, bar)
    slot, low, high, hint = stored(scratch, mode, first, second, n)
    if I(low) >= need:
        return True
    if I(high) < need:
        return False
    leads, colon_leads = possible_leads(mode, lead, follow, own, other, bar)
    tops, highest, voids = leads & ~downward(follow), highest_each(leads), empty_suits(follow)
    for group in range(_LEAD_GROUPS):
        untried = lead_group(group, leads, hint, tops, highest, voids, colon_leads)
        leads &= ~untried
        while untried != U0:
            chosen = lowest(untried)
            untried ^= chosen
            card = select(group < _LEAD_GROUPS - 1, chosen, U0)
            colon = chosen ^ card
            winners, in_range, losers, thrown, next_bar = all_replies(mode, lead, follow, own, other, card, colon, trumps)
            holds = True
            while holds and winners | in_range | losers | thrown != U0:
                reply, answer = U0, U0
                if winners != U0:
                    reply = lowest(winners)
                    winners ^= reply
                    next_ = (follow ^ reply, lead ^ card, other, own ^ colon)
                    holds = not colon_reaches(tables, scratch, trumps, mode, n - 1, *next_, U0, n - need)
                    continue
                if in_range != U0:
                    answer, in_range = in_range, U0
                elif losers != U0:
                    reply = lowest(losers)
                    losers ^= reply
                else:
                    answer, next_bar = lowest(thrown), U0
                    thrown ^= answer
                after = next_bar if answer != U0 else U0
                next_ = (lead ^ card, follow ^ reply, own ^ colon, other ^ answer)
                holds = colon_reaches(tables, scratch, trumps, mode, n - 1, *next_, after, need - 1)
            if holds:
                best = select(card != U0, ctz(card), _C63)
                store(scratch, slot, first, second, max(low, U(need)), high, best)
                return True
    store(scratch, slot, first, second, low, min(high, U(need - 1)), _C63)
    return False


@kernel
def tricks(tables, scratch, trumps, mode, n, lead, follow, own, other, bar, guess):
    """Tricks the leader takes of n, by zero-window steps from a guess; arguments as of `colon_reaches`. -> int64"""
    low, high = I(0), n
    step = min(max(guess, low), high - 1)
    while low < high:
        if colon_reaches(tables, scratch, trumps, mode, n, lead, follow, own, other, bar, step + 1):
            low = step + 1
            step = low
        else:
            high = step
            step = max(high - 1, low)
    return low
