"""Bidding policy `expected` in an auction in steps: the call whose worth is greatest under the rules of the variant.

A fitted model (`simcore.step_model`; configs/models/steps) predicts the tricks that the seat takes as declarer from its own
hand, the cards that everybody has to get rid of and the auction so far; and for each other player how likely he is to declare
after this call, and what becomes of his cards. Tables made once a run from the rules of the variant say what that is worth:
where getting rid of one's cards wins, the chance to win the match after the round; where points win, the own points less the
mean of the others'. Of equals it makes the first of pass, the bids upward, the same bids alone. Whole numbers, no draws.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, lowest, popcount
from simcore.bots.bidding.hand_features import FEATURES, N_FEATURES, write_features
from simcore.bots.calls.expected import HandView, dot, total_of_hand
from simcore.bots.steps.points import SHARES, chances
from simcore.codes import GRID_STEP, HUNDREDTHS, MAX_QUOTAS, MAX_SEATS, PROB_UNIT, STEP_ALONE, TRICK_UNIT, ExpectedParam

MODEL = int(ExpectedParam.MODEL)
PASS = 0


class StepContext(NamedTuple):
    """What the model looks at beside the hand."""

    trump_chances: int
    """Sum of the chances of the trumps in hundredths, as `points` counts them."""
    side_chances: int
    share: int
    """The others' share of the cards unseen, in 32nds."""
    quota: int
    """Cards to get rid of."""
    longer: int
    """Cards by which the hand is the longest."""
    most: int
    """Cards of the longest of the others."""
    hands: int
    """Hands with cards."""
    last: int
    """Whether all with cards have spoken before."""
    bid_stands: int
    standing_bid: int
    bidders_quota: int
    in_contention: int
    """Others who may yet declare."""


STEP_FEATURES = (*FEATURES, *StepContext._fields)
"""Names of all features, in the order of the weights."""
N_STEP_FEATURES = len(STEP_FEATURES)
N_CONTEXT = N_STEP_FEATURES - N_FEATURES
QUOTA_CLASSES, BUCKETS, LEVELS, STATUSES, COMPANY = 8, 4, 5, 2, 3
"""Quotas 1 to 7, and more; tricks expected 0 to 2, and more; no bid, one of a short hand, the first, second, a later bid;
may yet bid, has the standing bid; others who may yet declare: none, one, more."""
N_CELLS = LEVELS * STATUSES * QUOTA_CLASSES * COMPANY
MOST_TRICKS = 13
"""More tricks than these count as these."""
FARTHEST = 8
"""So many cards more or less to get rid of, and more count as these."""
OUT = 2 * FARTHEST + 1
"""The outcome of winning the match; the others are changes of the quota, from FARTHEST less on."""
N_OUTCOMES = OUT + 1
LEGAL, MAY_PASS, LEVEL, CELLS = 0, 1, 2, 3
"""Places of what `write_case` writes; of the last one a seat."""
CASE_WORDS = CELLS + MAX_SEATS
_UNIT = TRICK_UNIT // HUNDREDTHS
_SHORT_LEVEL, _FIRST_LEVEL = 1, 2


class Stepping(NamedTuple):
    """Models of tricks in an auction in steps under the rules of one variant, as the kernels read them."""

    weights: np.ndarray
    """int64[model, quota class, feature], in `TRICK_UNIT`s."""
    tricks: np.ndarray
    """int64[model, quota class, mean on the grid, tricks], in `PROB_UNIT`s."""
    others: np.ndarray
    """int64[model, cell, bucket, outcome]: chance that another player declares with that outcome, in `PROB_UNIT`s."""
    rest: np.ndarray
    """int64[model, level, quota class, bucket]: where points win, what a round is worth that others declare."""
    after: np.ndarray
    """int64[alone, bid, quota, tricks]: declarer's cards to get rid of after the round, -1 where he has won the match."""
    points: np.ndarray
    """int64[alone, bid, quota, tricks]: where points win, what the round is worth to declarer."""
    strengths: np.ndarray
    """int64[model, quota]: how strong a player stands with so many cards to get rid of."""
    bids: np.uint64
    """Bids that exist, bit b for b tricks."""
    sure: int
    """What a match is worth that is won."""


@inlined
def quota_class(quota):
    """Class of a number of cards to get rid of, some at least. -> int64"""
    return min(quota, QUOTA_CLASSES) - 1


@inlined
def level_of(bids, bid):
    """Level of a standing bid, 0 for none. bids : uint64 -> int64"""
    if bid == 0:
        return I(0)
    at = U1 << U(bid)
    if bids & at == U0:
        return I(_SHORT_LEVEL)
    return min(_FIRST_LEVEL + I(popcount(bids & (at - U1))), LEVELS - 1)


@inlined
def may_declare(view, bids, seat, bid):
    """Whether another player may yet outbid a standing bid, 0 for none. -> bool"""
    if view.quotas[seat] == 0 or (view.passed >> U(seat)) & U1 != U0:
        return False
    higher = bids & ~((U1 << U(bid + 1)) - U1)
    return bid == 0 or (higher != U0 and I(ctz(lowest(higher))) <= view.quotas[seat])


@inlined
def cell_after(view, bids, call, seat):
    """Cell of another player after a call of the seat in turn.

    view : StepView, bids : uint64
    call : int64         tricks bid, 0 for a pass
    seat : int64         the other
    -> int64             -1 where he cannot become declarer
    """
    bid = call if call > 0 else view.last_bid
    stands = call == 0 and view.bidder == seat
    if not stands and not may_declare(view, bids, seat, bid):
        return I(-1)
    company = 0
    for other in range(view.players):
        if other != seat and other != view.seat:
            company += 1 if (call == 0 and view.bidder == other) or may_declare(view, bids, other, bid) else 0
    cell = level_of(bids, bid) * STATUSES + (1 if stands else 0)
    return (cell * QUOTA_CLASSES + quota_class(view.quotas[seat])) * COMPANY + min(company, COMPANY - 1)


@inlined
def context_of(view, bids):
    """What the model looks at beside the hand. view : StepView, bids : uint64 -> StepContext"""
    total, most, hands, company = I(0), I(0), I(0), I(0)
    for other in range(view.players):
        hands += 1 if view.quotas[other] > 0 else 0
        if other != view.seat:
            total += view.quotas[other]
            most = max(most, view.quotas[other])
            company += 1 if other == view.bidder or may_declare(view, bids, other, view.last_bid) else 0
    share = min(SHARES * total // I(max(popcount(view.unseen), U1)), SHARES - 1)
    quota = view.quotas[view.seat]
    return StepContext(
        trump_chances=I(chances(view.hand & view.trumps, view.unseen, share)),
        side_chances=I(chances(view.hand & ~view.trumps, view.unseen, share)),
        share=I(share),
        quota=I(quota),
        longer=I(max(quota - most, 0)),
        most=I(most),
        hands=I(hands),
        last=I(view.position >= hands - 1),
        bid_stands=I(view.last_bid > 0),
        standing_bid=I(view.last_bid),
        bidders_quota=I(view.quotas[max(view.bidder, 0)]) if view.bidder >= 0 else I(0),
        in_contention=I(company),
    )


@kernel
def write_step_features(view, bids, row):
    """Write what the model looks at, in the order of its weights. view : StepView, row : float64[feature] modified"""
    write_features(HandView(view.hand, view.unseen, view.turned), view.strain, row)
    context = context_of(view, bids)
    for i in range(N_CONTEXT):
        row[N_FEATURES + i] = context[i]


@inlined
def mean_tricks(view, bids, weights):
    """Tricks as declarer, in hundredths. view : StepView, bids : uint64, weights : int64[feature] -> int64"""
    total = total_of_hand(HandView(view.hand, view.unseen, view.turned), view.strain, weights)
    total += dot(weights, N_FEATURES, context_of(view, bids), N_CONTEXT)
    most = HUNDREDTHS * min(view.quotas[view.seat], MOST_TRICKS)
    return min(max((total + _UNIT // 2) // _UNIT, 0), most)


@kernel
def write_case(view, bids, call, row, case):
    """Write what the seat sees and what its call leaves to the others. call : int64 imposed, row and case are modified"""
    write_step_features(view, bids, row)
    case[LEGAL] = I(view.legal)
    case[MAY_PASS] = view.may_pass
    case[LEVEL] = level_of(bids, call if call > 0 else view.last_bid)
    for other in range(view.players):
        case[CELLS + other] = cell_after(view, bids, call, other) if other != view.seat else -1


# --- what a call is worth ---------------------------------------------------------------------------------------------


@inlined
def _share_of_match(strengths, sure, view, seat, after):
    """Chance of the seat in turn to win the match where a seat is left with so many cards. -> int64"""
    if after < 0:
        return sure if seat == view.seat else I(0)
    total = I(0)
    for other in range(view.players):
        total += strengths[after if other == seat else view.quotas[other]]
    return sure * strengths[after if seat == view.seat else view.quotas[view.seat]] // total


@inlined
def _own_worth(expected, model, view, bid, alone, mean):
    """What it is worth to declare, times `PROB_UNIT`. -> int64"""
    quota = view.quotas[view.seat]
    at, total = (mean + GRID_STEP // 2) // GRID_STEP, I(0)
    most = I(0)
    for other in range(view.players):
        most += view.quotas[other] if other != view.seat else 0
    most = max(quota, MAX_QUOTAS - most)  # penalties are cut there
    for number in range(MOST_TRICKS + 1):
        chance = expected.tricks[model, quota_class(quota), at, number]
        if chance > 0:
            tricks = min(number, quota)  # long hands of several lengths are one class
            if view.target > 0:
                worth = expected.points[alone, bid, quota, tricks]
            else:
                after = min(expected.after[alone, bid, quota, tricks], most)
                worth = _share_of_match(expected.strengths[model], expected.sure, view, view.seat, after)
            total += chance * worth
    return total


@inlined
def _others(expected, model, view, call, bucket):
    """How likely others are to declare after a call, and what that is worth. -> (int64, int64), times `PROB_UNIT`"""
    weight, worth = I(0), I(0)
    for other in range(view.players):
        cell = cell_after(view, expected.bids, call, other) if other != view.seat else I(-1)
        if cell >= 0:
            for outcome in range(N_OUTCOMES):
                chance = expected.others[model, cell, bucket, outcome]
                if chance > 0:
                    weight += chance
                    if view.target == 0:
                        after = max(view.quotas[other] + outcome - FARTHEST, 1) if outcome < OUT else I(-1)
                        worth += chance * _share_of_match(expected.strengths[model], expected.sure, view, other, after)
    return weight, worth


@inlined
def worth_of_pass(expected, model, view, bucket):
    """What a pass is worth, times `PROB_UNIT` squared. -> int64"""
    weight, worth = _others(expected, model, view, I(PASS), bucket)
    if view.target > 0:
        rest = expected.rest[model, level_of(expected.bids, view.last_bid), quota_class(view.quotas[view.seat]), bucket]
        return PROB_UNIT * PROB_UNIT * rest
    nothing = I(0) if view.last_bid > 0 else max(PROB_UNIT - weight, 0)
    worth += nothing * _share_of_match(expected.strengths[model], expected.sure, view, view.seat, view.quotas[view.seat])
    return worth * PROB_UNIT // max(weight + nothing, 1) * PROB_UNIT


@inlined
def worth_of_bid(expected, model, view, bid, alone, mean, bucket):
    """What a bid is worth, times `PROB_UNIT` squared. alone : int64 1 or 0 -> int64"""
    weight, worth = _others(expected, model, view, bid, bucket)
    own = _own_worth(expected, model, view, bid, alone, mean)
    stands = max(PROB_UNIT - weight, 0)
    if view.target > 0:
        rest = expected.rest[model, level_of(expected.bids, bid), quota_class(view.quotas[view.seat]), bucket]
        return stands * own + (PROB_UNIT - stands) * PROB_UNIT * rest
    return (stands * own + worth * PROB_UNIT) // (stands + weight) * PROB_UNIT


@kernel
def choose_step(view, params, seat, expected):
    """The call that is worth most.

    view : StepView
    params : int64[:, :] rows of `ExpectedParam`, seat : uint64 the own row
    expected : Stepping
    -> int64
    """
    if view.legal == U0:
        return I(PASS)
    model, quota = params[seat, MODEL], view.quotas[view.seat]
    mean = mean_tricks(view, expected.bids, expected.weights[model, quota_class(quota)])
    bucket = min(mean // HUNDREDTHS, BUCKETS - 1)
    best, best_worth, is_first = I(PASS), I(0), True
    if view.may_pass != 0:
        best_worth, is_first = worth_of_pass(expected, model, view, bucket), False
    for alone in range(1 + view.may_say_alone):
        left = view.legal
        while left != U0:
            bid = I(ctz(lowest(left)))
            left ^= lowest(left)
            worth = worth_of_bid(expected, model, view, bid, I(alone), mean, bucket)
            if is_first or worth > best_worth:
                best, best_worth, is_first = bid + STEP_ALONE * alone, worth, False
    return best
