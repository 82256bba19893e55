"""Explains the bidding policy `expected`: tricks expected, what the opponent's calls made of them, what each call is worth.

Plain Python, from the features of the hand on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.bits import I
from simcore.bots.bidding.expected import (
    BID_KNOWN,
    DOUBLE_KNOWN,
    GUARD,
    MODEL,
    MOST,
    NOTHING_KNOWN,
    OPPONENT,
    OWN,
    PERCENT,
    Expected,
)
from simcore.bots.bidding.hand_features import N_FEATURES, write_features
from simcore.bots.explain.reason import Reason, tricks_number
from simcore.bots.view import AuctionView
from simcore.codes import (
    BID_OFFSET,
    BOOK,
    CALL_DOUBLE,
    CALL_PASS,
    GRID_STEP,
    HUNDREDTHS,
    N_STRAINS,
    PROB_UNIT,
    TENTHS,
    TRICK_UNIT,
    Doubling,
    ExpectedParam,
    Heard,
    Relation,
    Strain,
    TrickSet,
)
from simcore.notation import STRAINS, bid_text

Means = list[list[int]]
"""Hundredths of a trick: by who declares, by strain."""
_SHOWN = 3
"""Bids whose worth is shown, the best first."""
_SETS = ((TrickSet.SUIT_OWN, TrickSet.NT_OWN), (TrickSet.SUIT_OPPONENT, TrickSet.NT_OPPONENT))


def _predicted(view: AuctionView, weights: np.ndarray) -> Means:
    """Means before anybody has called."""
    means: Means = [[], []]
    for strain in range(N_STRAINS):
        row = np.zeros(N_FEATURES)
        write_features(view, I(strain), row)
        for who in (OWN, OPPONENT):
            total = sum(int(w) * int(x) for w, x in zip(weights[_SETS[who][strain == Strain.NOTRUMP]], row, strict=True))
            unit = TRICK_UNIT // HUNDREDTHS
            means[who].append(min(max((total + unit // 2) // unit, 0), MOST))
    return means


def _needed(bid: int) -> int:
    return HUNDREDTHS * (BOOK + bid // N_STRAINS)


def _relation(strain: int, bid_strain: int) -> Relation:
    if strain == bid_strain:
        return Relation.SAME
    if strain == Strain.NOTRUMP:
        return Relation.NT_AFTER_SUIT
    return Relation.SUIT_AFTER_NT if bid_strain == Strain.NOTRUMP else Relation.OTHER_SUIT


def _shifted(means: Means, shifts: np.ndarray, bid_strain: int, beyond: int) -> Means:
    """Means after one thing heard; shifts : by who declares, relation."""
    moved: Means = [[], []]
    for who in (OWN, OPPONENT):
        for strain, mean in enumerate(means[who]):
            base, slope = (int(part) for part in shifts[who, _relation(strain, bid_strain)])
            moved[who].append(min(max(mean + (base * HUNDREDTHS + slope * beyond) // TRICK_UNIT, 0), MOST))
    return moved


def _believed(view: AuctionView, means: Means, tables: Expected, params: Sequence[int]) -> tuple[Means, list[str]]:
    """Means after all that was heard, and what that was."""
    heard: list[str] = []
    if not params[ExpectedParam.BELIEFS]:
        return means, heard
    role = 1 - int(view.is_dealer)
    shifts = tables.shifts[params[MODEL], role]
    own, his = int(view.own_bids), int(view.opponent_bids)
    if his:
        bid = his.bit_length() - 1
        strain = bid % N_STRAINS
        heard.append(bid_text(bid))
        kind = Heard.OVERCALL if own else Heard.BID
        means = _shifted(means, shifts[kind], strain, _needed(bid) - means[OPPONENT][strain])
    elif role != tables.opener:
        heard.append("Pass")
        means = _shifted(means, shifts[Heard.PASS], -1, 0)
    if view.doubling:
        bid = int(view.last_bid)
        strain, who = bid % N_STRAINS, OWN if own > his else OPPONENT
        heard.append("X" if view.doubling == Doubling.DOUBLED else "XX")
        means = _shifted(means, shifts[Heard.DOUBLE], strain, _needed(bid) - means[who][strain])
    return means, heard


def _worths(view: AuctionView, means: Means, scores: np.ndarray, guard: int) -> dict[int, int]:
    """Worth of each legal call, times `PERCENT`; equals stand as they are preferred. scores : by state, who declares."""
    known = BID_KNOWN if view.opponent_bids else NOTHING_KNOWN
    standing = DOUBLE_KNOWN if view.doubling else known

    def contract(who: int, bid: int, doubling: int, state: int = standing) -> int:
        strain = bid % N_STRAINS
        row = (means[who][strain] + GRID_STEP // 2) // GRID_STEP
        return int(scores[state, who, strain, row, doubling, bid // N_STRAINS])

    def guarded(plain: int, answered: int) -> int:
        return (PERCENT - guard) * plain + guard * min(plain, answered)

    last = int(view.last_bid)
    worths = {CALL_PASS: 0}
    if last >= 0:
        mine = int(view.own_bids) > int(view.opponent_bids)
        worths[CALL_PASS] = PERCENT * (1 if mine else -1) * contract(OWN if mine else OPPONENT, last, int(view.doubling))
    if view.may_double == CALL_DOUBLE:
        plain, answered = (-contract(OPPONENT, last, doubling) for doubling in (Doubling.DOUBLED, Doubling.REDOUBLED))
        worths[CALL_DOUBLE] = guarded(plain, answered)
    elif view.may_double:
        worths[int(view.may_double)] = PERCENT * contract(OWN, last, Doubling.REDOUBLED)
    own, his = int(view.own_bids), int(view.opponent_bids)
    has_run = own > his and (own >> his.bit_length()).bit_count() > 1
    for bid in range(int(view.legal).bit_length()):
        if int(view.legal) >> bid & 1 and not has_run:
            plain, answered = (contract(OWN, bid, doubling, known) for doubling in (Doubling.UNDOUBLED, Doubling.DOUBLED))
            worths[bid + BID_OFFSET] = guarded(plain, answered)
    return worths


def _named(means: Sequence[int]) -> dict[str, float]:
    return {name: tricks_number(mean) for name, mean in zip(STRAINS, means, strict=True)}


def _call_name(call: int) -> str:
    return bid_text(call - BID_OFFSET) if call >= BID_OFFSET else ("Pass", "X", "XX")[call]


def expected(view: AuctionView, params: Sequence[int], tables: Expected) -> Reason:
    """The call with the best expected score."""
    role = 1 - int(view.is_dealer)
    means = _predicted(view, tables.weights[params[MODEL], role])
    means, heard = _believed(view, means, tables, params)
    worths = _worths(view, means, tables.scores[params[MODEL], :, role], params[GUARD])
    best = max(worths, key=lambda call: worths[call])  # of equals the first
    points = {call: round(worth / (PERCENT * PROB_UNIT * TENTHS), 1) for call, worth in worths.items()}
    bids = sorted((call for call in worths if call >= BID_OFFSET), key=lambda call: (-worths[call], call))[:_SHOWN]
    shown = [call for call in worths if call < BID_OFFSET] + bids
    numbers: dict[str, Any] = {
        "tricks_as_declarer": _named(means[OWN]),
        "tricks_of_the_opponent_as_declarer": _named(means[OPPONENT]),
        "after": " ".join(heard) or None,
        "points_expected": {_call_name(call): points[call] for call in shown},
    }
    if best == CALL_PASS:
        rule = "passes: no call is worth more"
    elif best < BID_OFFSET:
        rule = f"{'doubles' if best == CALL_DOUBLE else 'redoubles'} {bid_text(int(view.last_bid))}: that is worth most"
    else:
        rule = f"bids what is worth most: {_call_name(best)}"
    return Reason(best, "expected", rule, numbers)
