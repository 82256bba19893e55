"""Tables for play for points: which sets of final tricks declarer can make sure of, for every small position without colons.

A payoff need not grow with the tricks, so a number does not say enough: here a position has one bit for each set of numbers of
tricks (a set is a mask, bit t for t tricks), telling whether declarer can make the number of tricks he takes lie in it. In a
trick that declarer wins, a set w becomes w >> 1; otherwise it stays, without its highest member. Whose turn it is chooses by OR
or AND, for all sets at once. The lowest winner or loser is not always best here (one may want to lose): only equivalent cards
are left out.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import ALL_ONES, U0, U1, U, ctz, lowest, pdep, select, store64
from simcore.solver.endgames import beaters, next_pattern
from simcore.solver.layout import run_lowest, suit_of
from simcore.solver.tables import CHOOSE, SET_DEPTH, place_in_table, set_word

_EVEN_BITS, _C3 = U(0x5555555555555555), U(3)
_ALL_TRICKS = U(2)
"""With no trick left: the set {0} holds the number of tricks, the empty set does not."""


@inlined
def _after_trick(tables, trumps, n, lead, follow, declares, won, part):
    """The word of this position that one line of play leads to, from the table of n - 1.

    lead, follow : uint64  hands after the trick
    declares : bool      whether the next leader is declarer
    won : bool           whether declarer took the trick
    -> uint64
    """
    smaller = _ALL_TRICKS if n == 1 else set_word(tables, trumps, n - 1, lead, follow, declares, U0)
    if won:
        return pdep(smaller >> (part << U(5)), _EVEN_BITS) * _C3
    if n == SET_DEPTH:
        return smaller
    return smaller | (smaller << (U1 << U(n)))


@kernel
def set_value(tables, trumps, n, lead, follow, declares, part):
    """The word of a position, from the table of n - 1; arguments as of `set_word`. -> uint64"""
    everything = ALL_ONES if n >= SET_DEPTH - 1 else (U1 << (U(2) << U(n))) - U1
    result = U0 if declares else everything
    leads = run_lowest(lead, follow, U0)
    while leads != U0:
        card = lowest(leads)
        leads ^= card
        wins = beaters(card, trumps)
        following = follow & suit_of(ctz(card))
        replies = run_lowest(select(following != U0, following, follow), lead, U0)
        after = everything if declares else U0
        while replies != U0:
            reply = lowest(replies)
            replies ^= reply
            moves = reply & wins != U0
            one, two = lead ^ card, follow ^ reply
            if moves:
                one, two = two, one
            word = _after_trick(tables, trumps, n, one, two, moves != declares, moves != declares, part)
            after = after & word if declares else after | word
        result = result | after if declares else result & after
    return result


@kernel
def fill_set_rows(tables, at, rows, first, end, trumps, n, declares):
    """Fill rows first .. end - 1 of the table of sets of n cards a hand.

    tables : uint64      address of the block; the tables of n - 1 are complete
    at : uint64          place of the table in the block
    rows : uint64[:]     the cards of each row, packed low
    first, end, n : int64
    trumps : uint64
    declares : bool      whether the leader is declarer
    """
    number = U(n)
    total = number << U1
    words = U(2) if n == SET_DEPTH else U1
    for row in range(first, end):
        both = rows[row]
        pattern = (U1 << number) - U1
        for _ in range(CHOOSE[total, number]):
            lead = pdep(pattern, both)
            place = place_in_table(tables, trumps, total, number, lead, both) * words
            store64(tables + at, place, set_value(tables, trumps, n, lead, both ^ lead, declares, U0))
            if n == SET_DEPTH:
                store64(tables + at, place + U1, set_value(tables, trumps, n, lead, both ^ lead, declares, U1))
            pattern = next_pattern(pattern)
