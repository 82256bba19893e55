"""Play policy `careful` in a contract among any number of hands (Pit): declarer for tricks, the others against declarer.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U, ctz, lowest, popcount
from simcore.bots.play.careful import first_of, highest, lowest_rank, ripest_suit
from simcore.bots.play.eager import highest_rank
from simcore.cards import LANE1, SUIT_OF

_STEPS = tuple((U(shift), U(((1 << (16 - shift)) - 1) * LANE1)) for shift in (1, 2, 4, 8))


@inlined
def beaten_by(cards):
    """All cards of which a higher one of the same suit is among some cards, and these cards. -> uint64"""
    for shift, keep in _STEPS:
        cards |= (cards >> shift) & keep
    return cards


@inlined
def choose_card(view, params, seat):
    least = lowest_rank(first_of(view.legal & ~view.trumps, view.legal))
    masters = view.legal & ~beaten_by(view.unseen)
    mine = view.seat == view.declarer
    if view.led == U0:
        trumps = view.legal & view.trumps
        side = view.legal & ~view.trumps
        top_side = masters & ~view.trumps
        unseen_trumps = view.unseen & view.trumps
        if mine:
            if params[seat, 0] == 1:
                return highest_rank(view.legal)
            if trumps != U0 and unseen_trumps != U0 and (masters & trumps != U0 or popcount(trumps) >= U(params[seat, 1])):
                return highest(trumps)
            if top_side != U0:
                return highest(top_side & ripest_suit(top_side, view.unseen))
            if params[seat, 2] == 1 and side != U0:
                return highest(side & ripest_suit(side, view.unseen))
            if params[seat, 2] == 2 and side != U0:
                return lowest_rank(side)
            if params[seat, 2] == 3 and side != U0:
                return highest_rank(side)
            return highest(first_of(side, trumps)) if params[seat, 2] == 4 else lowest(first_of(trumps, side))
        if params[seat, 3] == 1:
            return highest_rank(view.legal)
        if top_side != U0:
            return highest(top_side & ripest_suit(top_side, view.unseen))
        if params[seat, 3] == 2 and masters != U0:
            return highest(masters)
        if params[seat, 3] == 3 and side != U0:
            return highest(side & ripest_suit(side, view.unseen))
        return least
    winners = view.legal & view.winners
    cheap = lowest(first_of(winners & ~view.trumps, winners))
    if not mine and view.best_seat != view.declarer and params[seat, 4] > 0:
        if view.declarer_waits == 0 or (params[seat, 4] == 2 and view.best & ~beaten_by(view.unseen) != U0):
            return least
    if winners == U0:
        return least
    if view.to_play == 0:
        return cheap
    suit = SUIT_OF[ctz(view.led)]
    in_suit = winners & suit
    if not mine and params[seat, 5] == 1:
        if view.declarer_waits == 0:
            return cheap
    if params[seat, 6] == 1:
        return highest(in_suit) if in_suit != U0 else cheap
    if params[seat, 6] == 2:  # a winner that holds, else cheap
        safe = winners & masters
        return lowest(first_of(safe & suit, first_of(safe, cheap)))
    if params[seat, 6] == 3:
        sure = in_suit & masters
        return lowest(sure) if sure != U0 else cheap
    if params[seat, 6] == 4:
        sure = in_suit & masters
        return lowest(sure) if sure != U0 else (least if in_suit != U0 else cheap)
    return cheap
