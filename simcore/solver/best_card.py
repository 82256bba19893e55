"""A best card, chosen the same way every time: of the cards that keep the value, the lowest rank, of equals the lowest suit.

Colons come last. A card need not be valued to be chosen: it is enough that it keeps the value of the position, which is one
question to the search. Play for tricks first, then its twin for points.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, ctz, lowest, popcount
from simcore.cards import NATURALS, lowest_rank, trump_cards
from simcore.codes import N_SUITS
from simcore.phases.play.two_hand_rules import bar_after, change_places, legal_leads, legal_replies, winning_replies
from simcore.solver.colons import colon_reaches
from simcore.solver.layout import SUIT, colon_set, trumps_first, with_borders
from simcore.solver.points import best_points, set_reached, tricks_worth
from simcore.solver.position import after_reply, search_between_tricks
from simcore.solver.position_points import points_after_reply


@inlined
def searched(strain, lead, follow, bar):
    """A position between two tricks as the searches take it. -> trumps, both hands, both sets of colons, the bar"""
    trumps = SUIT if strain < N_SUITS else U0
    one, two = trumps_first(with_borders(lead), strain), trumps_first(with_borders(follow), strain)
    return trumps, one, two, colon_set(lead), colon_set(follow), trumps_first(with_borders(bar & NATURALS), strain)


@kernel
def reply_leaves(tables, scratch, mode, play, strain, lead, follow, led, reply, need):
    """Whether the leader takes at least `need` tricks, this one and the rest; arguments as of `after_reply`. -> bool"""
    n = I(popcount(lead))
    led_bit = ctz(led)
    moves = reply & winning_replies(led_bit, trump_cards(strain)) != U0
    if n == 0:
        return need <= (0 if moves else 1)
    bar = bar_after(play, follow, led_bit, reply)
    one, two = change_places(moves, lead, follow ^ reply)
    trumps, first, second, own, other, barred = searched(strain, one, two, bar)
    if moves:
        return not colon_reaches(tables, scratch, trumps, mode, n, first, second, own, other, barred, n - need + 1)
    return colon_reaches(tables, scratch, trumps, mode, n, first, second, own, other, barred, need - 1)


@kernel
def lead_keeps(tables, scratch, mode, play, strain, lead, follow, led, need):
    """Whether the leader takes at least `need` tricks with a lead, whatever the reply. -> bool"""
    legal = legal_replies(play, follow, ctz(led), trump_cards(strain))
    keeps = True
    while keeps and legal != U0:
        reply = lowest(legal)
        legal ^= reply
        keeps = reply_leaves(tables, scratch, mode, play, strain, lead, follow, led, reply, need)
    return keeps


@kernel
def best_lead(tables, scratch, mode, play, strain, lead, follow, bar, guess):
    """A best lead in play for tricks.

    lead, follow : uint64  hands of the leader and of the follower
    bar : uint64         the barred suit, and the colons barred with it; 0 without a bar
    guess : int64        of the leader's tricks
    -> (uint64, int64)   the card, and the leader's tricks
    """
    value = search_between_tricks(tables, scratch, mode, strain, lead, follow, bar, guess)
    rest = legal_leads(play, lead, bar)
    card = lowest_rank(rest)
    rest ^= card
    while rest != U0 and not lead_keeps(tables, scratch, mode, play, strain, lead ^ card, follow, card, value):
        card = lowest_rank(rest)
        rest ^= card
    return card, value


@kernel
def best_reply(tables, scratch, mode, play, strain, lead, follow, led, guess):
    """A best reply in play for tricks.

    lead : uint64        the leader's hand without the card he led
    guess : int64        of the follower's tricks, this one and the rest
    -> (uint64, int64)   the card, and the follower's tricks
    """
    n = I(popcount(follow))
    rest = legal_replies(play, follow, ctz(led), trump_cards(strain))
    card = lowest_rank(rest)
    rest ^= card
    left = after_reply(tables, scratch, mode, play, strain, lead, follow, led, card, n - guess)
    while rest != U0 and left > 0:
        reply = lowest_rank(rest)
        rest ^= reply
        if not reply_leaves(tables, scratch, mode, play, strain, lead, follow, led, reply, left):
            card = reply
            left = after_reply(tables, scratch, mode, play, strain, lead, follow, led, card, left - 1)
    return card, n - left


@kernel
def reply_is_worth(tables, scratch, mode, play, strain, lead, follow, led, reply, declares, payoff, taken, least):
    """Whether declarer gets at least so many points after a reply; arguments as of `points_after_reply`. -> bool"""
    n = I(popcount(lead))
    led_bit = ctz(led)
    moves = reply & winning_replies(led_bit, trump_cards(strain)) != U0
    now = taken + (I(1) if moves != declares else I(0))
    if n == 0:
        return payoff[now] >= least
    bar = bar_after(play, follow, led_bit, reply)
    one, two = change_places(moves, lead, follow ^ reply)
    trumps, first, second, own, other, barred = searched(strain, one, two, bar)
    wanted = tricks_worth(payoff, now, n, least)
    return set_reached(tables, scratch, trumps, mode, n, first, second, own, other, barred, moves != declares, wanted)


@kernel
def lead_is_worth(tables, scratch, mode, play, strain, lead, follow, led, declares, payoff, taken, value):
    """Whether a lead keeps the points of the position: the leader's opponent has no reply that changes them. -> bool"""
    legal = legal_replies(play, follow, ctz(led), trump_cards(strain))
    least = value if declares else value + 1
    keeps = True
    while keeps and legal != U0:
        reply = lowest(legal)
        legal ^= reply
        fixed = (play, strain, lead, follow, led, reply, declares, payoff, taken, least)
        keeps = reply_is_worth(tables, scratch, mode, *fixed) == declares
    return keeps


@kernel
def best_point_lead(tables, scratch, mode, play, strain, lead, follow, bar, declares, payoff, taken, guess):
    """A best lead in play for points.

    mode : uint64        with EVERY_RUN
    lead, follow, bar    as of `best_lead`
    declares : bool      whether the leader is declarer
    payoff : int32[:]    points by declarer's tricks
    taken : int64        tricks he has already
    guess : int64        of his points
    -> (uint64, int64)   the card, and declarer's points
    """
    n = I(popcount(lead))
    trumps, first, second, own, other, barred = searched(strain, lead, follow, bar)
    position = (n, first, second, own, other, barred, declares)
    value = best_points(tables, scratch, trumps, mode, *position, payoff, taken, guess)
    rest = legal_leads(play, lead, bar)
    card = lowest_rank(rest)
    rest ^= card
    while rest != U0:
        fixed = (play, strain, lead ^ card, follow, card, declares, payoff, taken, value)
        if lead_is_worth(tables, scratch, mode, *fixed):
            break
        card = lowest_rank(rest)
        rest ^= card
    return card, value


@kernel
def best_point_reply(tables, scratch, mode, play, strain, lead, follow, led, declares, payoff, taken, guess):
    """A best reply in play for points; arguments as of `best_point_lead` and `best_reply`.

    -> (uint64, int64)   the card, and declarer's points
    """
    rest = legal_replies(play, follow, ctz(led), trump_cards(strain))
    card = lowest_rank(rest)
    rest ^= card
    before = (play, strain, lead, follow, led)
    value = points_after_reply(tables, scratch, mode, *before, card, declares, payoff, taken, guess)
    while rest != U0:
        reply = lowest_rank(rest)
        rest ^= reply
        least = value if declares else value + 1
        if reply_is_worth(tables, scratch, mode, *before, reply, declares, payoff, taken, least) != declares:
            card = reply
            value = points_after_reply(tables, scratch, mode, *before, card, declares, payoff, taken, least - 1)
    return card, value
