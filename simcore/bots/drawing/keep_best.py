"""Exchange policy `keep_best` in phase 1 of Draw Bridge: plays what the hand needs least, and wins only a card that it sees.

The tricks of phase 1 score nothing, and of two unseen cards one is as good as the other: so it plays the lowest card of the suit least worth
keeping, leading and following, and holds back aces, kings and its best suit. Where the card that the winner draws lies
open (option), it takes a trick for a good card with the cheapest card that wins, and ducks for a bad one. Draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U, lowest, select
from simcore.bots.exchange.keep_best import _worth
from simcore.bots.play.careful import first_of
from simcore.cards import ACES, KINGS, SUIT0, suit_mask

_LOW6 = U(63)
_NOT_HELD = U(2**64 - 1)


@inlined
def _worth_of(hand, legal, suit):
    return select(legal & suit_mask(suit) != U0, _worth(hand, suit), _NOT_HELD)


@inlined
def least_needed(hand, legal):
    """Of the cards that may be played, the one the hand needs least. -> uint64, one bit"""
    best = max(max(_worth(hand, 0), _worth(hand, 1)), max(_worth(hand, 2), _worth(hand, 3))) & _LOW6
    spare = first_of(legal & ~((SUIT0 << best) | ACES | KINGS), first_of(legal & ~(ACES | KINGS), legal))
    worst = (
        min(
            min(_worth_of(hand, spare, 0), _worth_of(hand, spare, 1)),
            min(_worth_of(hand, spare, 2), _worth_of(hand, spare, 3)),
        )
        & _LOW6
    )
    return lowest(spare & (SUIT0 << worst))


@inlined
def choose_card(view):
    """A card to play. view : DrawView -> uint64, one bit"""
    return least_needed(view.hand | view.waiting, view.legal)
