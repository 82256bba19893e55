"""Exchange policy `keep_best` in phase 1 of Draw Bridge: plays what the hand needs least, and fights for cards that it sees.

The tricks of phase 1 score nothing, and of two unseen cards one is as good as the other: so it plays the lowest card of the
suit least worth keeping, leading and following, and holds back aces, kings and its best suit. Where the card that the winner
draws lies open (option), it follows to win a card that it would hold back, with a card that it would not, and ducks otherwise.
Duels on mirrored deals under draw_bridge_published: +24 +- 1 points a deal over the lowest card of all suits. Draws nothing.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import ALL_ONES, U0, U, lowest, select
from simcore.bots.exchange.keep_best import worth
from simcore.bots.play.careful import first_of
from simcore.cards import ACES, KINGS, SUIT0, suit_mask

_LOW6 = U(63)


@inlined
def worth_keeping(hand):
    """Cards that a hand holds back: its best suit, aces and kings. -> uint64, all cards of this kind"""
    best = max(max(worth(hand, 0), worth(hand, 1)), max(worth(hand, 2), worth(hand, 3)))
    return (SUIT0 << (best & _LOW6)) | ACES | KINGS


@inlined
def _worth_of(hand, cards, suit):
    """`worth` of a suit, more than that of any suit where none of these cards is of it. -> uint64"""
    return select(cards & suit_mask(suit) != U0, worth(hand, suit), ALL_ONES)


@inlined
def least_needed(hand, cards):
    """Of some cards, the lowest of the suit least worth keeping in a hand. Assumes at least one. -> uint64, one bit"""
    worst = min(
        min(_worth_of(hand, cards, 0), _worth_of(hand, cards, 1)), min(_worth_of(hand, cards, 2), _worth_of(hand, cards, 3))
    )
    return lowest(cards & (SUIT0 << (worst & _LOW6)))


@inlined
def _spared(cards, kept):
    """Of some cards, those not held back; else those that are no aces and kings; else all. -> uint64"""
    return first_of(cards & ~kept, first_of(cards & ~(ACES | KINGS), cards))


@inlined
def choose_card(view):
    """A card to lead or to follow with. view : DrawView -> uint64, one bit

    What a free choice would be does not wait for the card led; who must follow plays the lowest card of that suit alone.
    """
    hand, legal = view.hand | view.waiting, view.legal
    kept = worth_keeping(hand)
    if view.visible != U0:
        wins = lowest(legal & view.winners & ~kept)
        if (view.visible & kept != U0) & (wins != U0):
            return wins
        return least_needed(hand, _spared(first_of(legal & ~view.winners, legal), kept))
    free = least_needed(hand, _spared(view.hand, kept))
    return select(legal == view.hand, free, lowest(_spared(legal, kept)))
