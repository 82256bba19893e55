"""How a search is to be done, in one word that the recursion carries: depth of the tables, options of the rules, switches.

Bits 0-3: cards a hand of the largest endgame table. Bits 4-7: the same of the tables of bounds for positions with colons.
Bits 16-20: size of the transposition table of positions with colons, as a power of two. Bits 21-23: cards a hand of the
largest table of sets of tricks. Between them the flags below. A scratch memory belongs to one mode: keys of positions do
not say under which rules.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, I, U

COLONS_BARRED = U(1 << 8)
"""A barred leader with a card of another suit may lead no colon (bar_allows_colon_lead: false)."""
SUIT_LIFTS = U(1 << 9)
"""The bar is lifted for a leader without another suit, colons or not (bar_lifted: no_other_suit)."""
BAR_NEEDS_SUIT = U(1 << 10)
"""No bar by one who was void (bar_when_void: false)."""
ONLY_IF_FORCED = U(1 << 11)
"""A void follower throws a colon out of range only when he has nothing else (off_range_when_void)."""
MUST_BEAT = U(1 << 12)
"""A led colon must be beaten by one who can (must_beat_led_colon)."""
NO_FOLLOWING = U(1 << 13)
"""Nobody must follow suit (must_follow: false)."""
EVERY_RUN = U(1 << 14)
"""Look at every run of a hand as a reply, not only at the lowest card of each suit and range."""
BOUNDS_AT, ENTRIES_AT, SETS_AT = 4, 16, 21
"""First bits of the numbers in the word."""
_C7, _NIBBLE, _C31 = U(7), U(15), U(31)
_BOUNDS_AT, _ENTRIES_AT, _SETS_AT = U(BOUNDS_AT), U(ENTRIES_AT), U(SETS_AT)


@inlined
def table_depth(mode):
    """Cards a hand up to which every position without colons is in the tables. -> int64"""
    return I(mode & _NIBBLE)


@inlined
def bound_depth(mode):
    """Cards a hand up to which positions with colons have bounds in the tables. -> int64"""
    return I((mode >> _BOUNDS_AT) & _NIBBLE)


@inlined
def entry_bits(mode):
    """The transposition table of positions with colons has 2 ** entry_bits entries. -> uint64"""
    return (mode >> _ENTRIES_AT) & _C31


@inlined
def set_depth(mode):
    """Cards a hand up to which the sets of tricks declarer can reach are in the tables. -> int64"""
    return I((mode >> _SETS_AT) & _C7)


@inlined
def has(mode, flag):
    """Whether a flag of the mode is set."""
    return mode & flag != U0
