"""Rules of a trick among any number of hands, for play and roll-outs: who follows, what wins, what a call allows."""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, U, popcount, select
from simcore.codes import MAX_TRICKS


@inlined
def seats_to_follow(call_score, table, players):
    """Seats that will play after the leader: in games of calls all, else those with cards. -> int64"""
    if call_score is not None:
        return players - 1
    seats = -1
    for seat in range(players):
        seats += 1 if table.hands[seat] != U0 else 0
    return seats


@inlined
def has_cards(call_score, hand):
    """Whether a seat plays to a trick: in games of calls all do. call_score : CallScoreRules or None, hand : uint64 -> bool"""
    if call_score is not None:
        return True
    return hand != U0


@inlined
def count_leads(call_score, hand, n_left):
    """Cards that a leader may play; in games of calls known before the cards are, since all hands are as large.

    call_score : CallScoreRules or None, hand : uint64, n_left : int64 tricks left -> uint64
    """
    if call_score is not None:
        return U(n_left)
    return popcount(hand)


@inlined
def overtricks_allowed(call_score, call):
    """Tricks beyond its call with which a seat still makes it. call_score : CallScoreRules or None, call : int64 -> int64"""
    if call_score is not None:
        return call_score.bonus_overtricks if call >= call_score.bonus_from else call_score.overtricks
    return MAX_TRICKS


@inlined
def cards_above(card, suit, trumps):
    """Cards that beat a natural card that wins the trick: higher ones of its suit, and the trumps on a card that is none.

    Without a table, since the next player may have to wait for it (duties). card, suit, trumps : uint64 -> uint64
    """
    up_to = card ^ (card - U1)  # the card and all below it, of lower suits too
    return select(card & trumps != U0, trumps & ~up_to, (suit | trumps) & ~(up_to & ~trumps))
