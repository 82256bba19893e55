"""From rules and hands of the project to what the solver's kernels take. Plain Python."""

from __future__ import annotations

from simcore.cards import COLONS, NATURALS
from simcore.rules import PlayRules
from simcore.solver.free import FREE_BITS
from simcore.solver.mode import (
    BAR_NEEDS_SUIT,
    BOUNDS_AT,
    COLONS_BARRED,
    ENTRIES_AT,
    EVERY_RUN,
    MUST_BEAT,
    NO_FOLLOWING,
    ONLY_IF_FORCED,
    SETS_AT,
    SUIT_LIFTS,
)

COLON_BITS = 15
"""The transposition table of positions with colons has 2 ** COLON_BITS entries of two words: cached, and hard deals fit."""
PLAIN_BITS = 19
"""The same where no other table can be used."""


def mode_of(play: PlayRules, depth: int, bounds: int, dominance: bool = True, sets: int = 0) -> int:
    """The mode for the rules of a variant. Plain Python.

    Parameters
    ----------
    play : PlayRules
        Rules of the tricks.
    depth : int
        Cards a hand of the largest endgame table that may be used.
    bounds : int
        The same of the tables of bounds; 0 for none.
    dominance : bool
        False: no shortcut that is tested, not proved (docs/solver.md).
    sets : int
        Cards a hand of the largest table of sets of tricks; 0 for none.

    Returns
    -------
    int
        The word. Options under which a table or a shortcut would be wrong switch it off (docs/solver.md, "Options").
    """
    flags = {
        COLONS_BARRED: int(play.barred_colons) != 0,
        SUIT_LIFTS: int(play.lifts_without) == int(NATURALS),
        BAR_NEEDS_SUIT: int(play.bar_when_void) == 0,
        ONLY_IF_FORCED: int(play.held_back) & int(COLONS) != 0,
        MUST_BEAT: int(play.must_beat) != 0,
        NO_FOLLOWING: int(play.must_follow) == 0,
    }
    mode = sum(int(flag) for flag, on in flags.items() if on)
    if mode & int(ONLY_IF_FORCED | MUST_BEAT | NO_FOLLOWING):
        bounds, dominance = 0, False
    bits = COLON_BITS
    if flags[NO_FOLLOWING]:
        depth, sets, bits = 0, 0, PLAIN_BITS
    sizes = depth | bounds << BOUNDS_AT | bits << ENTRIES_AT | sets << SETS_AT
    return mode | sizes | (0 if dominance else int(EVERY_RUN))


def scratch_words(mode: int) -> int:
    """Words of scratch memory of one thread, for tricks: both transposition tables. Plain Python."""
    return (1 << FREE_BITS) + (2 << (mode >> ENTRIES_AT & 31))


def table_flags(mode: int) -> int:
    """The part of a mode that the tables of bounds depend on. Plain Python."""
    return mode & int(COLONS_BARRED | SUIT_LIFTS | EVERY_RUN)
