"""Tables of bounds for positions with colons: two games in which colons have no ranges, one worse and one better for a side.

Ranges are about absolute ranks, so a position with live colons has no key of relative ranks and no complete table. But:

dud      a colon that may only be thrown, by one who is void, and bars nothing; when it is led, the follower chooses who wins
         (a trump wins). Whatever its owner does with it, a real colon can do too, with a result at least as good for him.
super    a colon that may be played on any natural lead and bars its suit; when it is led, its owner chooses who wins (a trump
         wins). Whatever a real colon can do, it can do too, with a result at least as good for its owner.

Leader with duds against follower with supers is a lower bound of the leader's tricks, the reverse an upper bound. Both games
know cards by relative rank only, so they have complete tables, built like the endgame tables; a byte holds both bounds.
A bar only takes leads away, so it only hurts: for a barred leader the upper bound holds, the lower one does not.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, lowest, pdep, store8
from simcore.solver.endgames import beaters, free_replies, next_pattern
from simcore.solver.layout import class_lowest, run_lowest, suit_of
from simcore.solver.mode import COLONS_BARRED, EVERY_RUN, SUIT_LIFTS, has
from simcore.solver.tables import CHOOSE, bound_byte, free_value, place_in_table


@inlined
def _known(tables, trumps, supers, n, lead, follow, own, other):
    """Value of a smaller relaxed position, from the tables. -> int64

    supers : int64       1: the leader's colons are supers, the follower's are duds; 0: the reverse
    """
    if n == 0:
        return I(0)
    if own + other == 0:
        return free_value(tables, trumps, n, lead, follow)
    bounds = I(bound_byte(tables, trumps, n, lead, follow, own, other))
    return bounds >> 4 if supers == 1 else bounds & 15


@kernel
def _natural_lead(tables, trumps, mode, supers, n, lead, follow, own, other, card, enough):
    """The leader's tricks after he leads a natural card; replies by the follower's dud or super with no bar. -> int64

    enough : int64       a value at most this need not be exact
    """
    wins = beaters(card, trumps)
    worst = I(99)
    replies = free_replies(lead, follow, card, not has(mode, EVERY_RUN))
    while replies != U0 and worst > enough:
        reply = lowest(replies)
        replies ^= reply
        if reply & wins != U0:
            value = n - 1 - _known(tables, trumps, 1 - supers, n - 1, follow ^ reply, lead ^ card, other, own)
        else:
            value = 1 + _known(tables, trumps, supers, n - 1, lead ^ card, follow ^ reply, own, other)
        worst = min(worst, value)
    if supers == 1 and other > 0 and follow & suit_of(ctz(card)) == U0:
        worst = min(worst, 1 + _known(tables, trumps, supers, n - 1, lead ^ card, follow, own, other - 1))
    return worst


@kernel
def _colon_lead(tables, trumps, mode, supers, n, lead, follow, own, other, enough):
    """The leader's tricks after he leads a dud or a super. -> int64"""
    worst = I(99)
    replies = run_lowest(follow, lead, U0) if has(mode, EVERY_RUN) else class_lowest(follow, U0)
    while replies != U0 and worst > enough:
        reply = lowest(replies)
        replies ^= reply
        value = n - 1 - _known(tables, trumps, 1 - supers, n - 1, follow ^ reply, lead, other, own - 1)
        if reply & trumps == U0:
            kept = 1 + _known(tables, trumps, supers, n - 1, lead, follow ^ reply, own - 1, other)
            value = max(value, kept) if supers == 1 else min(value, kept)
        worst = min(worst, value)
    if other > 0:
        worst = min(worst, 1 + _known(tables, trumps, supers, n - 1, lead, follow, own - 1, other - 1))
    return worst


@inlined
def colons_may_be_led(mode, others):
    """Whether a barred leader may lead a colon (rules.md C4, C5). others : uint64 his natural cards outside the barred suit"""
    return (others == U0) | (not has(mode, COLONS_BARRED))


@inlined
def bar_is_lifted(mode, others, own):
    """Whether a barred leader may lead the barred suit (rules.md C5). own : int64 or uint64, his colons, zero for none

    Not while he holds another suit; with colons beside the barred suit only where those may not be led either, or where another
    suit is what counts.
    """
    return (others == U0) & ((own == 0) | has(mode, COLONS_BARRED | SUIT_LIFTS))


@kernel
def relaxed_value(tables, trumps, mode, supers, n, lead, follow, own, other, bar):
    """Tricks the leader takes of n in a relaxed game, from the tables of n - 1.

    tables : uint64      address
    trumps, mode : uint64
    supers : int64       1: the leader's colons are supers, the follower's are duds; 0: the reverse
    n : int64            cards a hand, colons included
    lead, follow : uint64  natural cards
    own, other : int64   colons of the leader, of the follower
    bar : uint64         the suit the leader may not lead, 0 for none
    -> int64
    """
    if n == 0:
        return I(0)
    best = I(-1)
    leads = run_lowest(lead, follow, U0)
    others = leads & ~bar
    barred = bar != U0
    if not (barred and bar_is_lifted(mode, others, own)):
        leads = others
    while leads != U0 and best < n:
        card = lowest(leads)
        leads ^= card
        value = _natural_lead(tables, trumps, mode, supers, n, lead, follow, own, other, card, best)
        if supers == 0 and other > 0 and value > best:
            suit = suit_of(ctz(card))
            answered = relaxed_value(tables, trumps, mode, supers, n - 1, lead ^ card, follow, own, other - 1, suit)
            value = min(value, 1 + answered)
        best = max(best, value)
    if own > 0 and best < n and (not barred or colons_may_be_led(mode, others)):
        best = max(best, _colon_lead(tables, trumps, mode, supers, n, lead, follow, own, other, best))
    return best


@kernel
def fill_bound_rows(tables, at, rows, first, end, trumps, mode, n, own, other):
    """Fill rows first .. end - 1 of the table of bounds of n cards a hand.

    tables : uint64      address of the block; the tables of n - 1 are complete
    at : uint64          place of the table in the block
    rows : uint64[:]     the natural cards of each row, packed low
    first, end, n : int64
    trumps, mode : uint64
    own, other : int64   colons of the leader and of the follower, at least one
    """
    total = U(2 * n - own - other)
    naturals = U(n - own)
    for row in range(first, end):
        both = rows[row]
        pattern = (U1 << naturals) - U1
        for count in range(CHOOSE[total, naturals]):
            if count > 0:
                pattern = next_pattern(pattern)
            lead = pdep(pattern, both)
            low = relaxed_value(tables, trumps, mode, I(0), n, lead, both ^ lead, own, other, U0)
            high = relaxed_value(tables, trumps, mode, I(1), n, lead, both ^ lead, own, other, U0)
            place = place_in_table(tables, trumps, total, naturals, lead, both)
            store8(tables + at, place, U(low | high << 4))
