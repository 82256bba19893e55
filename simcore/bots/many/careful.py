"""Play policy `careful` among any number of hands, in games of calls: plays to its call, with what it has seen in mind.

While more tricks do it good, or no harm, it leads cards that nobody can beat in their suit, trumps first while it is long in
them, and else a low card of its shortest suit; it takes a trick with the cheapest card that does, where others are still to
play only with one that they can hardly beat. Among three players the last but one risks any card, and where a call must be met
exactly everybody does: a high card that is left over would hurt later. Once more tricks would hurt (exact games, bonus
calls) it ducks: it leads low and throws the highest card that loses. It draws nothing.

Gains in duels on mirrored deals, in points a deal, in call_bridge, the same with three players, and oh_hell: leading from
the shortest suit instead of the lowest card 0.00, 0.04, 0.18; risking cards as said 0, 0.11, 0.12. Throwing from the shortest
suit loses 0.03 to 0.15. Errors are below 0.02.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U, ctz, lowest, popcount, select
from simcore.bots.play.careful import first_of, highest, ripest_suit
from simcore.cards import LANE, LANE1, SUIT_OF, lowest_rank

_SHIFT16, _SHIFT32 = U(16), U(32)
_ONE_RANK = U(LANE1)
_DOWN1, _DOWN2, _DOWN4, _DOWN8 = (U(((1 << (LANE - n)) - 1) * LANE1) for n in (1, 2, 4, 8))
_S1, _S2, _S4, _S8 = U(1), U(2), U(4), U(8)
_ALL_RANKS = U((1 << LANE) - 1)
DRAW_FROM = U(4)
"""Trumps from which on it draws those of the others."""
FEW = 3
"""Players among whom a card that is the highest so far may well hold."""


@inlined
def not_above(cards):
    """These cards and all lower ones of their suits, and nothing of other suits. -> uint64"""
    below = cards | ((cards >> _S1) & _DOWN1)
    below |= (below >> _S2) & _DOWN2
    below |= (below >> _S4) & _DOWN4
    return below | ((below >> _S8) & _DOWN8)


@inlined
def highest_rank(cards):
    """A card of the highest rank, the highest suit on ties. Assumes at least one. -> uint64"""
    ranks = cards | (cards >> _SHIFT32)
    ranks = (ranks | (ranks >> _SHIFT16)) & _ALL_RANKS
    return highest(cards & (_ONE_RANK * highest(ranks)))


@inlined
def wants_trick(view):
    """Whether one more trick does it good, or no harm. -> bool"""
    taken, call = view.taken[view.seat], view.calls[view.seat]
    return (taken < call) | (call + view.overtricks - taken >= view.n_tricks - view.trick)


@inlined
def lead(view):
    """A card to lead. -> uint64, one bit"""
    hand, trumps = view.hand, view.trumps
    sure = hand & ~not_above(view.unseen)
    mine = hand & trumps
    side = hand & ~trumps
    others_trumps = view.unseen & trumps
    draws = (popcount(mine) >= DRAW_FROM) & (others_trumps != U0)
    ruffed = select(others_trumps != U0, view.shown, U0)
    winner = first_of(select(draws, sure & mine, U0), first_of(sure & side & ~ruffed, sure & mine))
    low = lowest_rank(select(side != U0, side & ripest_suit(side, side), hand))
    return select(wants_trick(view) & (winner != U0), highest(winner), low)


@inlined
def follow(view):
    """A card to follow with: what to win with, what to throw, or what to duck with. -> uint64, one bit

    Cards of the whole hand come first, since they do not wait for those who played before.
    """
    hand, legal, trumps = view.hand, view.legal, view.trumps
    suit = SUIT_OF[ctz(view.led)]
    side = first_of(hand & ~trumps, hand)
    least, most = lowest_rank(side), highest_rank(side)
    winners, losers = legal & view.winners, legal & ~view.winners
    unbeaten = suit & (U0 - (highest((view.unseen & suit) | U1) << U1))
    sure = select(view.to_play == 0, winners, winners & (unbeaten | trumps))
    gambles = (view.overtricks == 0) | ((view.to_play == 1) & (view.players <= FEW))
    win = select(gambles & (sure == U0) & (winners != U0), highest(winners), lowest(sure))
    throw = select(legal == hand, least, lowest(legal))
    forced = select(view.to_play == 0, highest(legal), lowest(legal))
    duck = select(losers == U0, forced, select(losers & most != U0, most, highest(losers)))
    return select(wants_trick(view), first_of(win, throw), duck)


@inlined
def choose_card(view):
    """A card to lead or to follow with. view : ManyView -> uint64, one bit"""
    if view.led == U0:
        return lead(view)
    return follow(view)
