"""What the play of a deal lost against perfect play of the same contract, card by card.

Before each card the position has a value, and after it; a card that is not among the best loses the difference, and nobody
wins anything by a card. So the losses of declarer and of his opponent are never negative, and the result is the value of the
deal less what declarer lost, plus what his opponent lost. For tricks and for points, each with its own values.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, ctz, popcount
from simcore.cards import trump_cards
from simcore.phases.play.two_hand_rules import bar_after, change_places, winning_replies
from simcore.solver.best_card import best_point_reply, best_reply, searched
from simcore.solver.entries import guess_of
from simcore.solver.mode import EVERY_RUN
from simcore.solver.points import best_points
from simcore.solver.position import after_reply, search_between_tricks
from simcore.solver.position_points import points_after_reply


@inlined
def add_loss(lost, row, seat, declares, fall):
    """Add what a card cost the seat that played it. declares : bool whether it is declarer's; fall : int64 of his value"""
    lost[row, seat] += fall if declares else -fall


@kernel
def lose_tricks(tables, scratch, mode, play, strain, declarer, lead, follow, cards, row, lost):
    """Tricks lost by either seat in one deal.

    tables, scratch, mode : uint64; play : PlayRules
    strain, declarer : int64
    lead, follow : uint64  hands as the play begins, of declarer's opponent and of declarer
    cards : uint64[:, :]  row `row`: the two cards of each trick
    lost : int32[:, 2]   row `row`, by seat: output, zero before
    -> int64             declarer's tricks in perfect play
    """
    n = I(popcount(lead))
    leader, taken, bar = 1 - declarer, I(0), U0
    rest = search_between_tricks(tables, scratch, mode, strain, lead, follow, bar, guess_of(strain, lead, follow))
    perfect = n - rest
    value = perfect
    for trick in range(n):
        left = n - trick
        led, reply = cards[row, trick] & lead, cards[row, trick] & follow
        declares = leader == declarer
        expected = value - taken  # declarer's, of this trick and the rest
        guess = left - expected if declares else expected
        _, most = best_reply(tables, scratch, mode, play, strain, lead ^ led, follow, led, guess)
        now = taken + (left - most if declares else most)
        add_loss(lost, row, leader, declares, value - now)
        value = now
        guess = now - taken if declares else left - (now - taken)
        kept = after_reply(tables, scratch, mode, play, strain, lead ^ led, follow, led, reply, guess)
        now = taken + (kept if declares else left - kept)
        add_loss(lost, row, 1 - leader, not declares, value - now)
        value = now
        led_bit = ctz(led)
        moves = reply & winning_replies(led_bit, trump_cards(strain)) != U0
        bar = bar_after(play, follow, led_bit, reply)
        lead, follow = change_places(moves, lead ^ led, follow ^ reply)
        leader = 1 - leader if moves else leader
        taken += 1 if leader == declarer else 0
    return perfect


@kernel
def lose_points(tables, scratch, mode, play, strain, declarer, lead, follow, cards, row, payoff, guess, lost):
    """Points lost by either seat in one deal, in tenths; arguments as of `lose_tricks`.

    mode : uint64        with EVERY_RUN
    payoff : int32[:]    points by declarer's tricks
    guess : int64        of declarer's points
    -> int64             declarer's points in perfect play
    """
    n = I(popcount(lead))
    leader, taken, bar = 1 - declarer, I(0), U0
    trumps, one, two, own, other, barred = searched(strain, lead, follow, bar)
    # a constant in place of `declares` would be a type of its own, of which the recursion cannot be cached
    declares = leader == declarer
    perfect = best_points(tables, scratch, trumps, mode, n, one, two, own, other, barred, declares, payoff, taken, guess)
    value = perfect
    for trick in range(n):
        led, reply = cards[row, trick] & lead, cards[row, trick] & follow
        declares = leader == declarer
        before = (play, strain, lead ^ led, follow, led)
        _, now = best_point_reply(tables, scratch, mode, *before, declares, payoff, taken, value)
        add_loss(lost, row, leader, declares, value - now)
        value = now
        now = points_after_reply(tables, scratch, mode, *before, reply, declares, payoff, taken, value)
        add_loss(lost, row, 1 - leader, not declares, value - now)
        value = now
        led_bit = ctz(led)
        moves = reply & winning_replies(led_bit, trump_cards(strain)) != U0
        lead, follow = change_places(moves, lead ^ led, follow ^ reply)
        leader = 1 - leader if moves else leader
        taken += 1 if leader == declarer else 0
    return perfect


@kernel
def lose_in_deals(
    tables, scratch, point_scratch, mode, play, hands, cards, first, end, strains, declarers, payoffs, tricks, points, perfect
):
    """Losses of both kinds in many deals.

    tables, scratch, point_scratch : uint64  addresses
    mode : uint64        of a search made for points
    play : PlayRules
    hands : uint64[:, 2] in the kernels' layout, as the play begins
    cards : uint64[:, :] the two cards of each trick
    first, end : int64   rows to look at
    strains, declarers : int64[:]
    payoffs : int32[:, 14]  by declarer's tricks
    tricks, points : int32[:, 2]  output, zero before: lost, by seat; points in tenths
    perfect : int32[:, 2]  output: declarer's tricks and points in perfect play
    """
    for row in range(first, end):
        declarer = declarers[row]
        lead, follow = hands[row, 1 - declarer], hands[row, declarer]
        contract = (play, strains[row], declarer, lead, follow, cards, row)
        best = lose_tricks(tables, scratch, mode, *contract, tricks)
        perfect[row, 0] = best
        payoff = payoffs[row]
        perfect[row, 1] = lose_points(
            tables, point_scratch, mode | EVERY_RUN, *contract, payoff, I(payoff[best]), points
        )
