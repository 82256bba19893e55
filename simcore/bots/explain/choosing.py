"""Explains keep-or-throw decisions of Draw and Discard: what the card is worth, and what the next one is. Plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simcore.bits import U
from simcore.bots.choosing.expected import N_CHOICE_FEATURES, Choosing, write_choice_features
from simcore.bots.choosing.keep_best import AVERAGE, LENGTH_WORTH, RANK_WORTH
from simcore.bots.choosing.keep_high import LOWEST_KEPT
from simcore.bots.explain.reason import Reason, length, rank, suit_name, tricks_number
from simcore.bots.view import ChooseView
from simcore.choice_model import WORTH_UNIT
from simcore.codes import N_SUITS, TENTHS, KeepParam

_POINT = WORTH_UNIT * TENTHS


def _rule(keeps: bool, why: str) -> str:
    return f"{'keeps' if keeps else 'throws'} it: {why}"


def keep_best(view: ChooseView, params: Sequence[int], tables: Choosing | None) -> Reason:
    """Rank and length against the average."""
    del params, tables
    first = int(view.first)
    suit, turn = (first.bit_length() - 1) // 16, int(view.turn)
    held = length(int(view.hand), suit)
    of_rank = int(RANK_WORTH[rank(first)]) - AVERAGE
    keeps = N_SUITS * of_rank + LENGTH_WORTH * (N_SUITS * held - turn) >= 0
    numbers: dict[str, Any] = {
        "rank_beyond_the_average": tricks_number(of_rank),
        f"cards_held_in_{suit_name(suit)}": held,
        "length_beyond_the_average": tricks_number(LENGTH_WORTH * (N_SUITS * held - turn) // N_SUITS),
    }
    than = "at least what" if keeps else "less than"
    return Reason(int(keeps), "keep_best", _rule(keeps, f"worth {than} the next card is on average"), numbers)


def keep_high(view: ChooseView, params: Sequence[int], tables: Choosing | None) -> Reason:
    """A nine or higher."""
    del params, tables
    keeps = rank(int(view.first)) >= int(LOWEST_KEPT)
    return Reason(int(keeps), "keep_high", _rule(keeps, "a nine or higher" if keeps else "below a nine"), {})


def random(view: ChooseView, params: Sequence[int], tables: Choosing | None) -> Reason:
    """A bit of the seat's stream."""
    from simcore.bots.choosing.random import keeps_first

    del params, tables
    keeps = bool(keeps_first(view))
    return Reason(int(keeps), "random", _rule(keeps, "as a fair bit fell"), {"turn": int(view.turn)})


def _worth(hand: int, unseen: int, weights: np.ndarray) -> int:
    row = np.zeros(N_CHOICE_FEATURES)
    write_choice_features(U(hand), U(unseen), row)
    return int(weights @ row.astype(np.int64))


def expected(view: ChooseView, params: Sequence[int], tables: Choosing | None) -> Reason:
    """The hand with the card against the mean of the hands with each card unseen."""
    assert tables is not None
    weights = tables.weights[params[KeepParam.MODEL], int(view.turn)]
    hand, unseen = int(view.hand), int(view.unseen)
    kept = _worth(hand | int(view.first), unseen, weights)
    cards = [1 << bit for bit in range(64) if unseen >> bit & 1]
    others = {card: _worth(hand | card, unseen ^ card, weights) for card in cards}
    total = sum(others.values())
    keeps = kept * len(cards) >= total
    mean = total / max(len(cards), 1)
    numbers: dict[str, Any] = {
        "points_expected_with_it": round(kept / _POINT, 1),
        "points_expected_with_the_next_card": round(mean / _POINT, 1),
        "gain_of_keeping": round((kept - mean) / _POINT, 1),
        "cards_unseen": len(cards),
        "better_cards_unseen": sum(worth > kept for worth in others.values()),
    }
    why = "the hand is worth as much with it as with the next card" if keeps else "the next card is worth more on average"
    return Reason(int(keeps), "expected", _rule(keeps, why), numbers)


EXPLAINERS: dict[str, Callable[..., Reason]] = {
    "keep_best": keep_best,
    "keep_high": keep_high,
    "random": random,
    "expected": expected,
}
"""By policy; of a view, the parameters and the model's tables."""
