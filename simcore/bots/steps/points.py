"""Bidding policy `points` in an auction in steps."""

from __future__ import annotations

import numpy as np

from simcore._jit import inlined
from simcore.bits import U0, U1, I, U, ctz, lowest, popcount
from simcore.cards import BEATEN_BY, suit_mask
from simcore.codes import HUNDREDTHS, STEP_ALONE

PASS = 0
LEVELS = 32


def _chances() -> np.ndarray:
    held = np.arange(LEVELS) / LEVELS
    return np.round(HUNDREDTHS * (1 - held[:, None]) ** np.arange(14)[None, :]).astype(np.int64)


CHANCES = _chances()


@inlined
def features(view):
    """-> others' cards in 32nds of the unseen, chances of trumps, of side cards, trumps, quota, largest other quota"""
    total, most = 0, 0
    for other in range(view.players):
        if other != view.seat:
            total += view.quotas[other]
            most = max(most, view.quotas[other])
    held = min(LEVELS * total // I(max(popcount(view.unseen), U1)), LEVELS - 1)
    hand = view.hand
    in_trumps, in_sides = 0, 0
    while hand != U0:
        card = lowest(hand)
        hand ^= card
        chance = CHANCES[U(held), popcount(BEATEN_BY[ctz(card)] & view.unseen)]
        if card & view.trumps != U0:
            in_trumps += chance
        else:
            in_sides += chance
    return held, in_trumps, in_sides, I(popcount(view.hand & view.trumps)), view.quotas[view.seat], most


@inlined
def expected_tricks(view, params, seat):
    held, in_trumps, in_sides, n_trumps, quota, most = features(view)
    small = HUNDREDTHS * n_trumps - in_trumps
    tricks = params[seat, 14] + (params[seat, 15] * in_trumps + params[seat, 16] * in_sides + params[seat, 17] * small) // HUNDREDTHS
    tricks += params[seat, 22] * held // LEVELS + params[seat, 23] * quota
    tricks += params[seat, 20] * voids(view)
    tricks += params[seat, 25] * max(quota - most, 0)
    return min(max(tricks, HUNDREDTHS * (quota - most)), HUNDREDTHS * quota)


@inlined
def voids(view):
    n = 0
    for suit in range(4):
        mask = suit_mask(suit)
        n += 1 if view.hand & mask == U0 and mask != view.trumps else 0
    return n


@inlined
def near_behind(view, bid):
    near = 0
    seat = view.seat
    for _ in range(view.players - 1 - view.position):
        seat = seat + 1 if seat + 1 < view.players else 0
        near += 1 if view.quotas[seat] <= bid else 0
    return near


@inlined
def choose_step(view, params, seat):
    if view.legal == U0:
        return PASS
    bid = I(ctz(view.legal))
    if view.may_pass == 0:
        return bid
    want = expected_tricks(view, params, seat) + params[seat, 18]
    if bid == view.quotas[view.seat]:
        want += params[seat, 24]
    if view.bidder >= 0:
        want += params[seat, 26]
        if view.quotas[view.bidder] <= view.last_bid + 1:
            want += params[seat, 19]
    elif near_behind(view, bid) > 0:
        want += params[seat, 27]
    return bid if want >= HUNDREDTHS * bid else PASS
