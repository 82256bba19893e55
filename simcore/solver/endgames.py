"""Builds the endgame tables: every position without colons up to a number of cards, from the smaller ones up.

Also the pieces of a trick that the builder and the searches share: which leads and replies need a look.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, lowest, pdep, select, store8
from simcore.solver.layout import class_lowest, higher, run_lowest, suit_of
from simcore.solver.tables import CHOOSE, free_value, place_in_table


@inlined
def beaters(card, trumps):
    """Cards that beat a natural card led: higher ones of its suit, and trumps outside it."""
    suit = suit_of(ctz(card))
    return (suit & higher(card)) | (trumps & ~suit)


@inlined
def free_replies(lead, follow, card, dominance):
    """Replies to a natural card that need a look, no colons anywhere.

    With dominance: the lowest winner and the lowest loser when following suit, the lowest card of each suit when void. Without:
    the lowest card of each run.

    lead, follow, card : uint64
    dominance : bool
    -> uint64
    """
    suit = suit_of(ctz(card))
    following = follow & suit
    if dominance:
        above = following & higher(card)
        below = following & (card - U1)
        return select(following != U0, lowest(above) | lowest(below), class_lowest(follow, U0))
    return run_lowest(select(following != U0, following, follow), lead, U0)


@inlined
def next_pattern(pattern):
    """The next larger number with as many bits set. Assumes pattern != 0."""
    filled = pattern | (pattern - U1)
    return (filled + U1) | (((~filled & (filled + U1)) - U1) >> (ctz(pattern) + U1))


@kernel
def _value_above_table(tables, trumps, n, lead, follow, dominance):
    """Tricks the leader takes of n, from the table of n - 1. -> int64"""
    best = I(-1)
    leads = run_lowest(lead, follow, U0)
    while leads != U0:
        card = lowest(leads)
        leads ^= card
        wins = beaters(card, trumps)
        worst = I(99)
        replies = free_replies(lead, follow, card, dominance)
        while replies != U0 and worst > best:
            reply = lowest(replies)
            replies ^= reply
            moves = reply & wins != U0
            value = I(0) if moves else I(1)
            if n > 1 and moves:
                value = n - 1 - free_value(tables, trumps, n - 1, follow ^ reply, lead ^ card)
            elif n > 1:
                value = 1 + free_value(tables, trumps, n - 1, lead ^ card, follow ^ reply)
            worst = min(worst, value)
        best = max(best, worst)
        if best == n:
            break
    return best


@kernel
def fill_free_rows(tables, at, rows, first, end, trumps, n, dominance):
    """Fill rows first .. end - 1 of the endgame table of n cards a hand.

    tables : uint64      address of the block; the table of n - 1 is complete
    at : uint64          place of the table in the block
    rows : uint64[:]     the cards of each row, packed low
    first, end, n : int64
    trumps : uint64
    dominance : bool
    """
    number = U(n)
    total = number << U1
    for row in range(first, end):
        both = rows[row]
        pattern = (U1 << number) - U1
        for _ in range(CHOOSE[total, number]):
            lead = pdep(pattern, both)
            value = _value_above_table(tables, trumps, n, lead, both ^ lead, dominance)
            store8(tables + at, place_in_table(tables, trumps, total, number, lead, both), U(value))
            pattern = next_pattern(pattern)
