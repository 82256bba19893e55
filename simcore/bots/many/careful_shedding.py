"""Play policy `careful` in a contract among any number of hands (Pit): declarer draws trumps, nobody wastes a card.

It remembers every card it has seen. It draws nothing from the random stream.

What each rule gains, as the share of matches one challenger wins among three who do without it (25 % is nothing), in
thousands of matches of four players: declarer's trumps from the top as long as others may hold some 40 %, against drawing with
three trumps or more; a winner that others may beat only with the last card of the trick 25.4 %. Leaving
the tricks of the other players alone, so as to save one's cards for declarer, gains nothing, and costs points.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U, ctz, lowest, select
from simcore.bots.play.careful import first_of, highest, ripest_suit
from simcore.cards import LANE, LANE1, SUIT_OF, lowest_rank

_HALVES = tuple((U(shift), U(((1 << (LANE - shift)) - 1) * LANE1)) for shift in (1, 2, 4, 8))
"""Distances in ranks, and the bits of a suit that a card so much higher reaches."""


@inlined
def up_to(cards):
    """Some cards, and all cards below one of them in its suit. -> uint64"""
    for shift, reach in _HALVES:
        cards |= (cards >> shift) & reach
    return cards


@inlined
def lead(view):
    """A card to lead.

    Declarer: the highest trump as long as others may hold some, else the top of the side suit of which least is unseen.
    Others: a side card that only trumps can beat, of that suit; else the lowest. -> uint64, one bit
    """
    is_declarer = view.seat == view.declarer
    trumps = view.legal & view.trumps
    side = view.legal & ~view.trumps
    draws = is_declarer & (trumps != U0) & (view.unseen & view.trumps != U0)
    sure = side & ~up_to(view.unseen)
    if draws or side == U0:
        return highest(trumps) if is_declarer else lowest_rank(trumps)
    tops = select(sure != U0, sure, select(is_declarer, side, U0))
    return highest(tops & ripest_suit(tops, view.unseen)) if tops != U0 else lowest_rank(side)


@inlined
def follow(view):
    """A card to follow with.

    The cheapest that wins, where this seat plays last or ruffs. Before others: the lowest card of the suit led that none of
    theirs beats but a trump; else the lowest card. -> uint64, one bit
    """
    winners = view.legal & view.winners
    in_suit = winners & SUIT_OF[ctz(view.led)]
    waits = (view.to_play > 0) & (in_suit != U0)
    good = select(waits, in_suit & ~up_to(view.unseen), winners)
    cheap = lowest(first_of(good & ~view.trumps, good))
    return first_of(cheap, lowest_rank(first_of(view.legal & ~view.trumps, view.legal)))


@inlined
def choose_card(view):
    """A card. view : ManyView -> uint64, one bit"""
    return lead(view) if view.led == U0 else follow(view)
