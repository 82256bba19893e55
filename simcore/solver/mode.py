"""How a search is to be done, in one word that the recursion carries: depth of the tables, options of the rules, switches.

Bits 0-3: cards a hand of the largest endgame table. Bits 4-7: the same of the tables of bounds for positions with colons.
Then the flags below. A scratch memory belongs to one mode: keys of positions do not say under which rules.
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
_NIBBLE, _C4 = U(15), U(4)


@inlined
def table_depth(mode):
    """Cards a hand up to which every position without colons is in the tables. -> int64"""
    return I(mode & _NIBBLE)


@inlined
def bound_depth(mode):
    """Cards a hand up to which positions with colons have bounds in the tables. -> int64"""
    return I((mode >> _C4) & _NIBBLE)


@inlined
def has(mode, flag):
    """Whether a flag of the mode is set."""
    return mode & flag != U0
