"""When a match ends, and who won it.

Rule (rules.md, common part, sections 1 to 3): a match is a number of deals, or lasts until somebody has reached a target; the
highest total wins. Level at the top: one extra deal, then a draw (`extra_deal_then_draw`); or extra deals until it is broken,
at most 100, then shared (`until_broken`); or extra deals until one stands alone, even if below the target (`extra_deal`); or a
draw at once. Redealt deals do not count toward the number of deals, nor toward the 100, but
toward the cap `max_deals`. At the cap the match ends as it stands.
"""

from __future__ import annotations

from simcore._jit import kernel
from simcore.codes import MAX_EXTRA_DEALS, Tie

DRAW = int(Tie.DRAW)
EXTRA_DEAL_THEN_DRAW = int(Tie.EXTRA_DEAL_THEN_DRAW)
UNTIL_BROKEN = int(Tie.UNTIL_BROKEN)
_BEYOND = 1 << 39
GOES_ON, FINISHED, CAPPED = 0, 1, 2
NOBODY = -1


@kernel
def end_reached(match, counted, totals, players):
    """Whether the match has reached its number of deals or its target; once it has, only a tie keeps it going.

    match : MatchRules, counted : int64 deals so far that count (redealt ones do not), totals : int64[:], players : int64
    -> bool
    """
    reached = counted >= match.deals
    if match.target < _BEYOND:
        for seat in range(players):
            reached = reached or totals[seat] >= match.target
    return reached


@kernel
def match_status(match, reached, counted, dealt, is_level):
    """Whether a match goes on after a deal.

    match : MatchRules
    reached : bool       whether `end_reached` held after this deal or an earlier one
    counted : int64      deals so far that count (redealt ones do not)
    dealt : int64        all deals so far
    is_level : bool      whether the highest total is shared
    -> int64             GOES_ON, FINISHED or CAPPED
    """
    if reached:
        extra = counted - match.deals
        if not is_level or match.tie == DRAW:
            return FINISHED
        if match.tie == EXTRA_DEAL_THEN_DRAW and extra >= 1:
            return FINISHED
        if match.tie == UNTIL_BROKEN and extra >= MAX_EXTRA_DEALS:
            return FINISHED
    if match.max_deals > 0 and dealt >= match.max_deals:
        return CAPPED
    return GOES_ON


@kernel
def leader_of(totals, players):
    """The seat that stands alone at the top, or -1 where the highest total is shared. totals : int64[:]"""
    best = 0
    shared = False
    for seat in range(1, players):
        if totals[seat] > totals[best]:
            best = seat
            shared = False
        elif totals[seat] == totals[best]:
            shared = True
    return NOBODY if shared else best
