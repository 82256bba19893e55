"""Bidding policy `points` in an auction of calls: expects tricks from honours, trumps and ruffs, and calls to suit the rules.

Tricks are the fair share of the hand, plus or minus what it holds more or less than an average hand does, in linear
weights (configs/bots/heuristic.yaml) fitted to simulated deals of three to six players and eight to seventeen cards: the same
for all of them, at an error at most a tenth larger than with weights of their own. Where more tricks than called do no harm it
calls less than it expects, and a bonus call only with tricks to spare. It draws nothing and does not read the scoring table.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, I, U, popcount, select
from simcore.bots.calls.averages import EXPECTED, MOST_TRUMPS_TO_RUFF
from simcore.bots.calls.high_cards import nearest_call
from simcore.cards import ACES, JACKS, KINGS, LANE1, NATURALS, QUEENS
from simcore.codes import HUNDREDTHS, PointsParam

CALL_TRUMP, CALL_TRUMP_ACE = int(PointsParam.CALL_TRUMP), int(PointsParam.CALL_TRUMP_ACE)
CALL_TRUMP_KING, CALL_TRUMP_QUEEN = int(PointsParam.CALL_TRUMP_KING), int(PointsParam.CALL_TRUMP_QUEEN)
CALL_TRUMP_JACK = int(PointsParam.CALL_TRUMP_JACK)
CALL_ACE, CALL_KING, CALL_QUEEN = int(PointsParam.CALL_ACE), int(PointsParam.CALL_KING), int(PointsParam.CALL_QUEEN)
CALL_RUFF = int(PointsParam.CALL_RUFF)
CALL_MARGIN, CALL_EXACT, CALL_BONUS = int(PointsParam.CALL_MARGIN), int(PointsParam.CALL_EXACT), int(PointsParam.CALL_BONUS)

_ONES = U(LANE1)
_CARRIES = U(LANE1 << 15)
_FULL = U(LANE1 * 0x7FFF)
_CARRY_TO_KING, _CARRY_TO_QUEEN, _CARRY_TO_ONE = U(4), U(5), U(15)
_OVER = 30


@inlined
def lanes_in_use(cards):
    """The top bit of each suit's lane that holds a card. -> uint64"""
    return (cards + _FULL) & _CARRIES


@inlined
def without_lowest(cards):
    """Some natural cards without the lowest of each suit. -> uint64"""
    return cards & ((cards | _CARRIES) - _ONES)


@inlined
def expected_tricks(view, params, seat):
    """Tricks the hand expects to take, in hundredths. -> int64"""
    hand = view.hand & NATURALS
    mine = hand & view.trumps
    side = hand ^ mine
    two = without_lowest(hand)
    one_lane, two_lane, three_lane = lanes_in_use(hand), lanes_in_use(two), lanes_in_use(without_lowest(two))
    side_lanes = _CARRIES & ~(view.trumps << _CARRY_TO_QUEEN) & ~(view.trumps << U(3))
    shortness = popcount(side_lanes & ~one_lane) + popcount(side_lanes & ~two_lane)  # a void counts twice
    ruffs = min(popcount(mine), U(MOST_TRUMPS_TO_RUFF)) * shortness
    has_trumps = select(view.trumps != U0, U1, U0)
    average = EXPECTED[has_trumps, U(view.n_tricks - 1)]
    more = (
        params[seat, CALL_TRUMP] * (HUNDREDTHS * I(popcount(mine)) - average[0])
        + params[seat, CALL_TRUMP_ACE] * (HUNDREDTHS * I(popcount(mine & ACES)) - average[1])
        + params[seat, CALL_TRUMP_KING] * (HUNDREDTHS * I(popcount(mine & KINGS)) - average[2])
        + params[seat, CALL_TRUMP_QUEEN] * (HUNDREDTHS * I(popcount(mine & QUEENS)) - average[3])
        + params[seat, CALL_TRUMP_JACK] * (HUNDREDTHS * I(popcount(mine & JACKS)) - average[4])
        + params[seat, CALL_ACE] * (HUNDREDTHS * I(popcount(side & ACES)) - average[5])
        + params[seat, CALL_KING] * (HUNDREDTHS * I(popcount(side & KINGS & (two_lane >> _CARRY_TO_KING))) - average[6])
        + params[seat, CALL_QUEEN] * (HUNDREDTHS * I(popcount(side & QUEENS & (three_lane >> _CARRY_TO_QUEEN))) - average[7])
        + params[seat, CALL_RUFF] * (HUNDREDTHS * I(ruffs) - average[8])
    )
    return I(U(HUNDREDTHS * view.n_tricks) // U(view.players)) + more // HUNDREDTHS


@inlined
def choose_call(view, params, seat):
    """A call. view : CallView, params : int64[:, :] rows of `PointsParam`, seat : uint64 -> int64"""
    tricks = expected_tricks(view, params, seat)
    exact = params[seat, CALL_EXACT] + _OVER * view.overtricks
    margin = exact if view.overtricks <= 1 else params[seat, CALL_MARGIN]
    call = max(tricks - margin, 0) // HUNDREDTHS
    if call >= view.bonus_from or tricks >= HUNDREDTHS * view.bonus_from + params[seat, CALL_BONUS]:
        bonus = max(tricks - params[seat, CALL_BONUS], 0) // HUNDREDTHS
        call = bonus if bonus >= view.bonus_from else view.bonus_from - 1
    return nearest_call(call, view)
