"""Perfect play of two natural hands: does the leader take at least so many tricks? Zero-window search above the tables.

A position is known by who owns each card in order, the suits' lengths, the number of cards and whether lane 0 is trumps: 43
bits, exact, so entries of the transposition table never need clearing, whatever deal or strain they come from.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, clz, ctz, load64, lowest, pext, popcount, select, store64
from simcore.cards import LANE
from simcore.codes import N_SUITS
from simcore.rng import GOLD
from simcore.solver.endgames import beaters, free_replies
from simcore.solver.layout import SUIT, downward, empty_suits, highest_each, lengths_key, run_lowest
from simcore.solver.mode import EVERY_RUN, has, table_depth
from simcore.solver.tables import free_value, sure_trumps

FREE_BITS = 14
"""The transposition table has 2 ** FREE_BITS words."""
_KEY = U((1 << 43) - 1)
_HASH_SHIFT = U(64 - FREE_BITS)
_LOW_AT, _HIGH_AT, _BEST_AT, _NIBBLE, _C63 = U(43), U(47), U(51), U(15), U(63)


@inlined
def masters(cards, others):
    """How many of a suit's cards (lane 0) lie above all of the others'. -> int64"""
    return I(select(others != U0, popcount(cards >> (_C63 - (clz(others) & _C63))), popcount(cards)))


@inlined
def cashable(tables, trumps, lead, follow):
    """Lower bound on the leader's tricks: what he can cash from the top, no colons. -> int64

    No trump: the masters of each suit, all its cards where they outlast the follower's. Trumps: sure trumps; once the leader
    can draw them all (or the follower has none), suits as in no trump; else of each side suit no more than the follower has to
    follow to.
    """
    sure = I(0)
    drawn = trumps == U0
    for suit in range(N_SUITS):
        own = (lead >> U(LANE * suit)) & SUIT
        his = (follow >> U(LANE * suit)) & SUIT
        held, length = I(popcount(own)), I(popcount(his))
        top = masters(own, his)
        runs_out = top >= length
        if suit == 0 and trumps != U0:
            drawn = runs_out
            sure += held if runs_out else I(sure_trumps(tables, lead, follow) & _NIBBLE)
        elif drawn:
            sure += held if runs_out else top
        else:
            sure += min(top, length)
    return sure


@inlined
def at_most(tables, trumps, n, lead, follow):
    """Upper bound on the leader's tricks, no colons. -> int64

    Trumps: the follower's sure trumps are lost. No trump: the follower keeps his masters; before he gets in, the leader takes
    tricks only in suits where the follower has no master, and if he never gets in, all of them are there.
    """
    if trumps != U0:
        return n - I(sure_trumps(tables, lead, follow) >> U(4))
    tops = follow & ~downward(lead)
    outside = lead & empty_suits(tops)
    return max(n - I(popcount(tops)), I(popcount(outside)))


@inlined
def free_key(trumps, n, lead, both):
    """The key of a position: 43 bits."""
    return pext(lead, both) | (lengths_key(both) << U(26)) | (U(n) << U(38)) | ((trumps & U1) << U(42))


@inlined
def next_lead_group(group, leads, hint, tops, highest):
    """Leads in the order in which they are tried: the stored best one, masters, the highest run of each suit, the rest."""
    if group == 0:
        return hint & leads
    if group == 1:
        return tops & leads
    if group == 2:
        return highest & leads
    return leads


@kernel
def free_reaches(tables, scratch, trumps, n, lead, follow, need, mode):
    """Whether the leader takes at least `need` of n tricks, no colons and no bar.

    tables : uint64      address of the endgame tables
    scratch : uint64     address of the transposition table
    trumps : uint64      SUIT, or 0 for no trump
    n, need : int64
    lead, follow : uint64  both hands, n cards each, trumps in lane 0
    mode : uint64        see `simcore.solver.mode`
    -> bool
    """
    if need <= 0:
        return True
    depth = table_depth(mode)
    if n <= depth:
        return free_value(tables, trumps, n, lead, follow) >= need
    if at_most(tables, trumps, n, lead, follow) < need:
        return False
    if cashable(tables, trumps, lead, follow) >= need:
        return True
    key = free_key(trumps, n, lead, lead | follow)
    slot = (key * GOLD) >> _HASH_SHIFT
    entry = load64(scratch, slot)
    low, high = U0, U(n)
    hint = U0
    if entry & _KEY == key:
        low, high = (entry >> _LOW_AT) & _NIBBLE, (entry >> _HIGH_AT) & _NIBBLE
        if I(low) >= need:
            return True
        if I(high) < need:
            return False
        hint = U1 << ((entry >> _BEST_AT) & _C63)
    leads = run_lowest(lead, follow, U0)
    tops = leads & ~downward(follow)
    highest = highest_each(leads)
    for group in range(4):
        untried = next_lead_group(group, leads, hint, tops, highest)
        leads ^= untried
        while untried != U0:
            card = lowest(untried)
            untried ^= card
            wins = beaters(card, trumps)
            replies = free_replies(lead, follow, card, not has(mode, EVERY_RUN))
            holds = True
            while holds and replies != U0:
                winning = replies & wins
                reply = lowest(select(winning != U0, winning, replies))
                replies ^= reply
                moves = winning != U0
                next_lead = select(moves, follow ^ reply, lead ^ card)
                next_follow = select(moves, lead ^ card, follow ^ reply)
                next_need = n - need if moves else need - 1
                if next_need <= 0:
                    holds = not moves
                elif n - 1 <= depth:
                    holds = (free_value(tables, trumps, n - 1, next_lead, next_follow) >= next_need) != moves
                else:
                    holds = free_reaches(tables, scratch, trumps, n - 1, next_lead, next_follow, next_need, mode) != moves
            if holds:
                low = max(low, U(need))
                store64(scratch, slot, key | (low << _LOW_AT) | (high << _HIGH_AT) | (ctz(card) << _BEST_AT))
                return True
    high = min(high, U(need - 1))
    store64(scratch, slot, key | (low << _LOW_AT) | (high << _HIGH_AT) | (_C63 << _BEST_AT))
    return False


@kernel
def free_tricks(tables, scratch, trumps, n, lead, follow, guess, mode):
    """Tricks the leader takes of n, no colons and no bar, by zero-window steps from a guess. -> int64"""
    if n <= table_depth(mode):
        return free_value(tables, trumps, n, lead, follow)
    low = min(cashable(tables, trumps, lead, follow), n)
    high = at_most(tables, trumps, n, lead, follow)
    step = min(max(guess, low), high - 1)
    while low < high:
        if free_reaches(tables, scratch, trumps, n, lead, follow, step + 1, mode):
            low = step + 1
            step = low
        else:
            high = step
            step = max(high - 1, low)
    return low
