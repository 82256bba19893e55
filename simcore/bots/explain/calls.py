"""Explains the bidding policy `expected` in an auction of calls: tricks expected with each call, and what each call is worth.

Plain Python, from the features of the hand on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.bits import I
from simcore.bots.calls.expected import MODEL, N_CALL_FEATURES, Called, write_call_features
from simcore.bots.explain.reason import Reason, tricks_number
from simcore.bots.view import CallView
from simcore.codes import GRID_STEP, HUNDREDTHS, PROB_UNIT, TENTHS, TRICK_UNIT

_DIGITS = 2
_UNIT = TRICK_UNIT // HUNDREDTHS


def _means(view: CallView, weights: np.ndarray) -> dict[int, int]:
    """Tricks that the seat will take with each legal call, in hundredths. weights : by call, feature"""
    row = np.zeros(N_CALL_FEATURES)
    write_call_features(view, row)
    features = row.astype(np.int64)
    means = {}
    for call in range(int(view.lowest), int(view.highest) + 1):
        total = int(weights[call] @ features)
        means[call] = min(max((total + _UNIT // 2) // _UNIT, 0), HUNDREDTHS * int(view.n_tricks))
    means.pop(int(view.forbidden), None)
    return means


def expected(view: CallView, params: Sequence[int], tables: Called) -> Reason:
    """The call with the best expected score; of equals the lowest."""
    model = params[MODEL]
    means = _means(view, tables.weights[model])
    worths = {call: int(tables.scores[model, I(call), (mean + GRID_STEP // 2) // GRID_STEP]) for call, mean in means.items()}
    best = max(worths, key=lambda call: worths[call])  # of equals the first
    numbers: dict[str, Any] = {
        "tricks_expected_with_each_call": {str(call): tricks_number(mean) for call, mean in means.items()},
        "points_expected": {str(call): round(worth / (PROB_UNIT * TENTHS), _DIGITS) for call, worth in worths.items()},
    }
    if view.forbidden >= 0:
        numbers["may_not_call"] = str(int(view.forbidden))
    return Reason(best, "expected", f"calls what is worth most: {best}", numbers)
