"""One position, in the middle of a trick or between two: what each legal card is worth.

Here every legal card is played by the rule functions of the game itself; the search begins one trick later.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, ctz, lowest, popcount
from simcore.cards import NATURALS, trump_cards
from simcore.codes import N_SUITS
from simcore.phases.play.two_hand_rules import bar_after, change_places, legal_leads, legal_replies, winning_replies
from simcore.solver.colons import tricks
from simcore.solver.layout import SUIT, colon_set, trumps_first, with_borders


@inlined
def search_between_tricks(tables, scratch, mode, strain, lead, follow, bar, guess):
    """Tricks the leader takes, from hands in the kernels' layout. bar : uint64 the barred suit and perhaps colons. -> int64"""
    n = I(popcount(lead))
    trumps = SUIT if strain < N_SUITS else U0
    one, two = trumps_first(with_borders(lead), strain), trumps_first(with_borders(follow), strain)
    barred = trumps_first(with_borders(bar & NATURALS), strain)
    return tricks(tables, scratch, trumps, mode, n, one, two, colon_set(lead), colon_set(follow), barred, guess)


@kernel
def after_reply(tables, scratch, mode, play, strain, lead, follow, led, reply, guess):
    """Tricks the leader takes of this trick and the rest.

    play : PlayRules
    lead : uint64        the leader's hand without the card he led
    follow : uint64      the follower's hand before the reply
    led, reply : uint64  the two cards
    guess : int64
    -> int64
    """
    n = I(popcount(lead))
    led_bit = ctz(led)
    moves = reply & winning_replies(led_bit, trump_cards(strain)) != U0
    bar = bar_after(play, follow, led_bit, reply)
    one, two = change_places(moves, lead, follow ^ reply)
    if n == 0:
        return I(0) if moves else I(1)
    if moves:
        return n - search_between_tricks(tables, scratch, mode, strain, one, two, bar, n - guess)
    return 1 + search_between_tricks(tables, scratch, mode, strain, one, two, bar, guess - 1)


@kernel
def reply_values(tables, scratch, mode, play, strain, lead, follow, led, out):
    """The follower's tricks for each of his legal replies.

    lead : uint64        the leader's hand without the card he led
    out : int8[64]       output by bit number, -1 where a card is not legal
    -> int64             the leader's tricks when the reply is best
    """
    n = I(popcount(follow))
    best, worst = I(n // 2), I(99)
    legal = legal_replies(play, follow, ctz(led), trump_cards(strain))
    while legal != U0:
        reply = lowest(legal)
        legal ^= reply
        best = after_reply(tables, scratch, mode, play, strain, lead, follow, led, reply, best)
        out[ctz(reply)] = n - best
        worst = min(worst, best)
    return worst


@kernel
def lead_values(tables, scratch, mode, play, strain, lead, follow, bar, replies, out):
    """The leader's tricks for each of his legal leads.

    bar : uint64         the barred suit, and the colons barred with it; 0 without a bar
    replies : int8[64]   scratch
    out : int8[64]       output by bit number, -1 where a card is not legal
    """
    legal = legal_leads(play, lead, bar)
    while legal != U0:
        card = lowest(legal)
        legal ^= card
        out[ctz(card)] = reply_values(tables, scratch, mode, play, strain, lead ^ card, follow, card, replies)
