"""One position in play for points: what each legal card is worth to declarer. The twin of `simcore.solver.position`."""

from __future__ import annotations

from simcore._jit import kernel
from simcore.bits import U0, I, ctz, lowest, popcount
from simcore.cards import NATURALS, trump_cards
from simcore.codes import N_SUITS
from simcore.phases.play.two_hand_rules import bar_after, change_places, legal_leads, legal_replies, winning_replies
from simcore.solver.layout import SUIT, colon_set, trumps_first, with_borders
from simcore.solver.points import best_points


@kernel
def points_after_reply(tables, scratch, mode, play, strain, lead, follow, led, reply, declares, payoff, taken, guess):
    """Declarer's points when a trick has been played and the rest is perfect.

    lead : uint64        the leader's hand without the card he led
    follow : uint64      the follower's hand before the reply
    led, reply : uint64  the two cards
    declares : bool      whether the leader is declarer
    payoff : int32[:]    points by declarer's tricks
    taken : int64        tricks he had before
    guess : int64
    -> int64
    """
    n = I(popcount(lead))
    led_bit = ctz(led)
    moves = reply & winning_replies(led_bit, trump_cards(strain)) != U0
    bar = bar_after(play, follow, led_bit, reply)
    one, two = change_places(moves, lead, follow ^ reply)
    now = taken + (I(1) if moves != declares else I(0))
    if n == 0:
        return I(payoff[now])
    trumps = SUIT if strain < N_SUITS else U0
    barred = trumps_first(with_borders(bar & NATURALS), strain)
    hands = (trumps_first(with_borders(one), strain), trumps_first(with_borders(two), strain), colon_set(one), colon_set(two))
    return best_points(tables, scratch, trumps, mode, n, *hands, barred, moves != declares, payoff, now, guess)


@kernel
def reply_points(tables, scratch, mode, play, strain, lead, follow, led, declares, payoff, taken, out):
    """Declarer's points for each legal reply; arguments as of `points_after_reply`.

    out : int32[64]      output by bit number, untouched where a card is not legal
    -> int64             points when the reply is best for the follower
    """
    legal = legal_replies(play, follow, ctz(led), trump_cards(strain))
    value, best, first = I(payoff[taken]), I(0), True
    while legal != U0:
        reply = lowest(legal)
        legal ^= reply
        fixed = (play, strain, lead, follow, led, reply, declares, payoff, taken, value)
        value = points_after_reply(tables, scratch, mode, *fixed)
        out[ctz(reply)] = value
        if first:
            best = value
        best = min(best, value) if declares else max(best, value)
        first = False
    return best


@kernel
def lead_points(tables, scratch, mode, play, strain, lead, follow, bar, declares, payoff, taken, replies, out):
    """Declarer's points for each legal lead.

    bar : uint64         the barred suit, and the colons barred with it; 0 without a bar
    replies : int32[64]  scratch
    out : int32[64]      output by bit number, untouched where a card is not legal
    """
    legal = legal_leads(play, lead, bar)
    while legal != U0:
        card = lowest(legal)
        legal ^= card
        fixed = (play, strain, lead ^ card, follow, card, declares, payoff, taken, replies)
        out[ctz(card)] = reply_points(tables, scratch, mode, *fixed)
