"""Bidding policy `expected` in an auction of calls: the call with the best expected score under the scoring table in force.

A fitted model (`simcore.call_model`; configs/models/calls) predicts the tricks that the seat will take with each call, since
players play to their calls: from its own hand, its place in the order of calls and what was called before. A row of the table
of expected scores, made once a run from the model's distributions of tricks and the scoring table, says what a call is worth
at a mean. Of equals it makes the lowest. Whole numbers throughout, no draws. The method with its figures: docs/bidding.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import I
from simcore.bots.bidding.hand_features import (
    COMMON,
    FEATURES,
    N_FEATURES,
    PRODUCTS,
    PRODUCTS_AT,
    SIDE_AT,
    SUIT,
    TRUMP_AT,
    common_features,
    features_of_suit,
    plain_products,
    trump_products,
    write_features,
)
from simcore.codes import GRID_STEP, HUNDREDTHS, MAX_SEATS, N_SUITS, TRICK_UNIT, ExpectedParam

MODEL = int(ExpectedParam.MODEL)
PLACES = ("second", "third", "fourth", "fifth", "sixth")
"""Whether the seat calls second, and so on."""
CALL_FEATURES = (*FEATURES, *PLACES, "called", "called_before_last")
"""Names of all features, in the order of the weights; last: tricks called before, and the same where nobody is to follow."""
PLACES_AT, CALLED, CALLED_LAST = N_FEATURES, N_FEATURES + MAX_SEATS - 1, N_FEATURES + MAX_SEATS
N_CALL_FEATURES = len(CALL_FEATURES)
_UNIT = TRICK_UNIT // HUNDREDTHS


class Called(NamedTuple):
    """Models of tricks in games of calls under one scoring table, as the kernels read them."""

    weights: np.ndarray
    """int64[model, call, feature], in `TRICK_UNIT`s."""
    same: np.ndarray
    """int64[model, call]: the lowest call with the same weights."""
    scores: np.ndarray
    """int64[model, call, mean on the grid]: expected points of the call."""


class HandView(NamedTuple):
    """What the features of a hand look at."""

    hand: np.uint64
    unseen: np.uint64
    upcard: np.uint64


@inlined
def called_before(view):
    """Tricks that the others have called. view : CallView -> int64"""
    total = I(0)
    for seat in range(view.players):
        total += max(view.calls[seat], 0)
    return total


@inlined
def dot(weights, at, features, n):
    """Sum of weights from a place on, times features. -> int64"""
    total = I(0)
    for i in range(n):
        total += weights[at + i] * features[i]
    return total


@inlined
def total_of_hand(hand, strain, weights):
    """Sum of the weights of a hand's features (`simcore.bots.bidding.hand_features`) times these.

    hand : HandView
    strain : int64       strain of the trumps
    weights : int64[feature]   in the order of `write_features`; more may follow
    -> int64
    """
    total = dot(weights, 0, common_features(hand), COMMON)
    voids, singletons, doubletons, masters, without, longest = I(0), I(0), I(0), I(0), I(0), I(0)
    for suit in range(N_SUITS):
        found = features_of_suit(hand.hand, hand.unseen, suit)
        voids += found.void
        singletons += found.singleton
        doubletons += found.doubleton
        masters += found.masters
        without += found.no_master
        longest = max(longest, found.length)
        total += dot(weights, TRUMP_AT if suit == strain else SIDE_AT, found, SUIT)
    if strain < N_SUITS:
        trumps = features_of_suit(hand.hand, hand.unseen, strain)
        total += dot(weights, PRODUCTS_AT, trump_products(trumps, voids, singletons, doubletons, masters), PRODUCTS)
    else:
        total += dot(weights, PRODUCTS_AT, plain_products(masters, without, longest), PRODUCTS)
    return total


@inlined
def mean_of_call(view, hand, strain, called, weights):
    """Tricks that the seat will take with a call, in hundredths.

    view : CallView, hand : HandView
    strain : int64       strain of the trumps
    called : int64       tricks called before
    weights : int64[feature]   of the call
    -> int64
    """
    total = total_of_hand(hand, strain, weights)
    if view.position > 0:
        total += weights[PLACES_AT + view.position - 1]
    total += weights[CALLED] * called
    if view.position == view.players - 1:
        total += weights[CALLED_LAST] * called
    return min(max((total + _UNIT // 2) // _UNIT, 0), HUNDREDTHS * view.n_tricks)


@kernel
def write_call_features(view, row):
    """Write what the model looks at, in the order of its weights. view : CallView, row : float64[feature] modified"""
    write_features(HandView(view.hand, view.unseen, view.turned), view.strain, row)
    for i in range(PLACES_AT, N_CALL_FEATURES):
        row[i] = 0.0
    if view.position > 0:
        row[PLACES_AT + view.position - 1] = 1.0
    row[CALLED] = called_before(view)
    if view.position == view.players - 1:
        row[CALLED_LAST] = row[CALLED]


@kernel
def choose_call(view, params, seat, expected):
    """The call with the best expected score.

    view : CallView
    params : int64[:, :] rows of `ExpectedParam`, seat : uint64 the own row
    expected : Called
    -> int64
    """
    model = params[seat, MODEL]
    hand = HandView(view.hand, view.unseen, view.turned)
    called = called_before(view)
    best, best_score, mean, computed = view.lowest, I(0), I(0), I(-1)
    is_first = True
    for call in range(view.lowest, view.highest + 1):
        same = expected.same[model, call]
        if same != computed:
            mean = mean_of_call(view, hand, view.strain, called, expected.weights[model, same])
            computed = same
        if call == view.forbidden:
            continue
        score = expected.scores[model, call, (mean + GRID_STEP // 2) // GRID_STEP]
        if is_first or score > best_score:
            best, best_score, is_first = call, score, False
    return best
