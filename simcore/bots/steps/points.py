"""Bidding policy `points` in an auction in steps: expected tricks from the chances of its cards, and what is at stake.

A card's chance is that nobody holds a higher one of its suit: each card unseen is in another hand with the probability that the
others' cards have among all cards unseen. Tricks expected as declarer are linear in these chances, in the number of
cards, in the others' share of the unseen and in the cards by which the hand is the longest; the weights are a fit to 60 000
rounds of three to six players (R^2 0.74). Whether that is enough for a bid depends on what is at stake:

Where getting rid of one's cards wins, a failed contract costs little, and who declares leads, sheds and keeps the others from
shedding; so it bids beyond its tricks, most of all where the bid would end the match, or keep another player from ending it,
and less with many cards. It never plays alone there, since points decide nothing. Duels among copies of itself
lead on to more and more caution, until matches of six players end at their cap; the values shipped stop before that.

Where points win, it bids alone, which scores most, and on little: a contract that fails costs no points, and makes the hand
longer.

Values from duels in whole matches (configs/bots/heuristic.yaml). It reads neither points nor the match score. It draws nothing.
"""

from __future__ import annotations

import numpy as np

from simcore._jit import inlined
from simcore.bits import U0, U1, I, U, ctz, lowest, popcount
from simcore.cards import BEATEN_BY
from simcore.codes import HUNDREDTHS, N_RANKS, STEP_ALONE, PointsParam

PASS = 0
BASE, TRUMP, LOW_TRUMP = int(PointsParam.STEP_BASE), int(PointsParam.STEP_TRUMP), int(PointsParam.STEP_LOW_TRUMP)
SIDE, CARD = int(PointsParam.STEP_SIDE), int(PointsParam.STEP_CARD)
HELD, LONGER = int(PointsParam.STEP_HELD), int(PointsParam.STEP_LONGER)
MARGIN, CAUTION = int(PointsParam.STEP_MARGIN), int(PointsParam.STEP_CAUTION)
OUT, STOP, BLOCK = int(PointsParam.STEP_OUT), int(PointsParam.STEP_STOP), int(PointsParam.STEP_BLOCK)
RAISE, ALONE_MARGIN = int(PointsParam.STEP_RAISE), int(PointsParam.STEP_ALONE)
SHARES = 32
"""Steps in which the share of the unseen cards that others hold is counted."""


def _chances() -> np.ndarray:
    """The table below. Plain Python."""
    held = np.arange(SHARES) / SHARES
    return np.round(HUNDREDTHS * (1 - held[:, None]) ** np.arange(N_RANKS)[None, :]).astype(np.int64)


CHANCES = _chances()
"""int64[share in 32nds, higher cards unseen]: chance in percent that others hold none of these."""


@inlined
def chances(hand, unseen, share):
    """Sum of the chances of some cards, in hundredths. hand, unseen : uint64, share : int64 in 32nds -> int64"""
    total = 0
    while hand != U0:
        card = lowest(hand)
        hand ^= card
        total += CHANCES[U(share), popcount(BEATEN_BY[ctz(card)] & unseen)]
    return total


@inlined
def expected_tricks(view, params, seat):
    """Hundredths of tricks as declarer: at least the cards by which the hand is the longest, at most its cards.

    view : StepView, params : int64[:, :] rows of `PointsParam`, seat : uint64 -> int64
    """
    quota = view.quotas[view.seat]
    total, most = 0, 0
    for other in range(view.players):
        if other != view.seat:
            total += view.quotas[other]
            most = max(most, view.quotas[other])
    share = min(SHARES * total // I(max(popcount(view.unseen), U1)), SHARES - 1)
    in_trumps = chances(view.hand & view.trumps, view.unseen, share)
    in_sides = chances(view.hand & ~view.trumps, view.unseen, share)
    low_trumps = HUNDREDTHS * I(popcount(view.hand & view.trumps)) - in_trumps
    by_cards = params[seat, TRUMP] * in_trumps + params[seat, LOW_TRUMP] * low_trumps + params[seat, SIDE] * in_sides
    longer = max(quota - most, 0)
    tricks = params[seat, BASE] + by_cards // HUNDREDTHS + params[seat, CARD] * quota
    tricks += params[seat, HELD] * share // SHARES + params[seat, LONGER] * longer
    return min(max(tricks, HUNDREDTHS * longer), HUNDREDTHS * quota)


@inlined
def is_near_behind(view, bid):
    """Whether one of those who will speak in this turn would end the match with a bid of so many tricks. -> bool"""
    near = False
    seat = view.seat
    for _ in range(view.players - 1 - view.position):
        seat = seat + 1 if seat + 1 < view.players else 0
        near = near or 0 < view.quotas[seat] <= bid * view.sheds
    return near


@inlined
def at_stake(view, params, seat, bid):
    """Hundredths of tricks that a bid is worth beyond those expected, where getting rid of one's cards wins. -> int64"""
    quota = view.quotas[view.seat]
    more = params[seat, MARGIN] - params[seat, CAUTION] * quota
    if quota <= bid * view.sheds:  # made, it wins
        more += params[seat, OUT]
    if view.bidder >= 0:
        more += params[seat, RAISE]
        if view.quotas[view.bidder] <= (view.last_bid + 1) * view.sheds:
            more += params[seat, STOP]
    elif is_near_behind(view, bid):
        more += params[seat, BLOCK]
    return more


@inlined
def choose_step(view, params, seat):
    """The lowest bid, if the hand is worth it. view : StepView, params : int64[:, :] rows of `PointsParam` -> int64"""
    if view.legal == U0:
        return PASS
    bid = I(ctz(view.legal))
    tricks = expected_tricks(view, params, seat)
    if view.target > 0:
        makes = tricks >= HUNDREDTHS * bid + params[seat, ALONE_MARGIN]
        if makes and view.may_say_alone != 0:
            return bid + STEP_ALONE
        return bid if makes or view.may_pass == 0 else PASS
    good = tricks + at_stake(view, params, seat, bid) >= HUNDREDTHS * bid
    return bid if good or view.may_pass == 0 else PASS
