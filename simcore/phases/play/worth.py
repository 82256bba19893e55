"""What the end of a roll-out is worth to a seat: points against the others', or chances to win where cards are shed.

Where getting rid of one's cards wins, points decide nothing, and what a round does to the quotas is turned into chances to
win the match. They are shares of strengths by quota, a fit to the quotas after each round and the winners of 20 000 matches
of heuristic bots (conditional logit, Pit with four players): with one or two cards one can hardly bid, which is a strength of
0.07 and 0.19 of that of three cards and more; from three on the quota makes no difference. (0.07 and 0.18 with three players,
0.17 and 0.34 with six.)
"""

from __future__ import annotations

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import I, popcount
from simcore.codes import CARDS_DRAWN_ANEW, N_CARDS, SheddingModel
from simcore.phases.shedding import (
    declarer_tenths,
    is_made,
    is_out,
    other_tenths,
    penalty,
    quota_afresh,
    quota_when_failed,
    quota_when_made,
)

QUOTA, PERSISTENT = int(SheddingModel.QUOTA), int(SheddingModel.PERSISTENT)
PERCENT = 100
SURE = 1_000_000
"""A match that is won."""
STRENGTHS = np.array([1000, 69, 196, 790] + [1000] * (2 * N_CARDS), np.int64)
"""int64[quota]: how strong a player stands with so many cards to get rid of."""


@inlined
def worth_of_calls(call_score, view, rollouts, others):
    """Tenths of the seat's own call less so many percent of the mean of the others', times 100 (players - 1). -> int64"""
    own, rest = I(0), I(0)
    for seat in range(view.players):
        tenths = I(call_score.tenths[view.calls[seat], rollouts.taken[seat]])
        if seat == view.seat:
            own = tenths
        else:
            rest += tenths
    return PERCENT * (view.players - 1) * own - others * rest


@inlined
def _settle_declarer(rules, view, made, cost, rollouts):
    """Declarer's quota after the round. -> int64"""
    declarer = view.declarer
    quota, tricks = view.quotas[declarer], rollouts.taken[declarer]
    if rules.model == QUOTA:
        total = I(0)
        for seat in range(view.players):
            total += view.quotas[seat]
        if not made:
            return quota_when_failed(quota, cost, total)
        after = quota_when_made(rules.stakes, quota, tricks, rollouts.taken_cards[declarer])
        return quota_afresh(rules.deal.cards, total - quota) if after == 0 and rules.stakes.target > 0 else after
    if rules.model == PERSISTENT:
        return quota - tricks if made else quota + cost
    return I(0) if made else I(popcount(rollouts.hands[declarer])) + rollouts.taken_cards[declarer] + cost


@inlined
def settle(rules, view, rollouts):
    """Quotas after the round, in rollouts.results. -> bool, whether declarer has won the match by it"""
    made = is_made(view.bid, rollouts.taken[view.declarer])
    cost = I(0) if made else penalty(rules.stakes, view.bid, view.alone, rollouts.taken[view.declarer], view.n_tricks)
    for seat in range(view.players):
        rollouts.results[seat] = view.quotas[seat]
        if rules.model != QUOTA and rules.model != PERSISTENT:
            left = I(popcount(rollouts.hands[seat])) + rollouts.taken_cards[seat]
            rollouts.results[seat] = left if left > 0 else I(CARDS_DRAWN_ANEW)
    rollouts.results[view.declarer] = _settle_declarer(rules, view, made, cost, rollouts)
    return is_out(rules, made, rollouts.results[view.declarer])


@inlined
def chance_to_win(view, rollouts, out):
    """Chance of the seat to win the match, in millionths, with the quotas of rollouts.results. -> int64"""
    if out:
        return I(SURE) if view.seat == view.declarer else I(0)
    total = I(0)
    for seat in range(view.players):
        total += STRENGTHS[rollouts.results[seat]]
    return SURE * STRENGTHS[rollouts.results[view.seat]] // total


@inlined
def worth_of_contract(rules, view, rollouts, others):
    """Chance to win the match; where points win it, tenths as in `worth_of_calls`. rules : SheddingRules -> int64"""
    if rules.stakes.target == 0:
        return chance_to_win(view, rollouts, settle(rules, view, rollouts))
    own, rest = I(0), I(0)
    for seat in range(view.players):
        tenths = other_tenths(rules.stakes, rollouts.taken[seat])
        if seat == view.declarer:
            tenths = declarer_tenths(rules.stakes, view.bid, view.alone, rollouts.taken[seat])
        if seat == view.seat:
            own = tenths
        else:
            rest += tenths
    return PERCENT * (view.players - 1) * own - others * rest


@inlined
def worth_of(call_score, stakes, rules, view, rollouts, others):
    """What the end of a deal is worth.

    call_score : CallScoreRules or None, stakes : Stakes or None   those of the rules
    rules : Rules or SheddingRules, view : ManyView of the seat, rollouts : Rollouts with the tricks taken
    others : int64       how much the others' scores count, in percent
    -> int64
    """
    worth = I(0)
    if call_score is not None:
        worth = worth_of_calls(call_score, view, rollouts, others)
    if stakes is not None:
        worth = worth_of_contract(rules, view, rollouts, others)
    return worth


@kernel
def prepare_worths(rules, view, rollouts, others):
    """Note what the deal is worth with each number of declarer's tricks, where these alone decide it.

    That is so where getting rid of one's cards wins, and each trick is one card. rules : SheddingRules; same_to and worths of
    the roll-outs are modified, and taken.
    """
    simple = rules.stakes.target == 0 and rules.stakes.by_card == 0 and (rules.model == QUOTA or rules.model == PERSISTENT)
    for tricks in range(view.n_tricks, -1, -1):
        rollouts.same_to[tricks] = tricks if simple else -1
        if simple:
            rollouts.taken[view.declarer] = tricks
            rollouts.worths[tricks] = worth_of_contract(rules, view, rollouts, others)
            if tricks < view.n_tricks and rollouts.worths[tricks] == rollouts.worths[tricks + 1]:
                rollouts.same_to[tricks] = rollouts.same_to[tricks + 1]


@inlined
def settled_worth(stakes, rules, view, rollouts, others):
    """What the deal is worth if no card can change it. Arguments as of `worth_of`; prepares -> (bool, int64)"""
    settled, worth = False, I(0)
    if stakes is not None:
        prepare_worths(rules, view, rollouts, others)
        taken = view.taken[view.declarer]
        if rollouts.same_to[taken] >= taken + view.n_tricks - view.trick:
            settled, worth = True, rollouts.worths[taken]
    return settled, worth
