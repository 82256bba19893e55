"""Exchange policy `expected` in Draw and Discard: keeps what is worth more in the hand than the unknown next card on average.

A model says for each turn what a hand of so many cards is worth as it will be when it is complete, in points of the deal: a
weight for each feature of the suits, and for the lengths of the two longest ones. To keep the card is worth what the hand with
it is worth; to throw it, the mean over all cards that were not seen: those held, looked at or thrown by this seat are gone.
Sums of whole numbers, so nothing is rounded; no draws. The method with its figures: docs/bidding.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, ctz, popcount
from simcore.bots.bidding.hand_features import SUIT, SuitFeatures, suit_features
from simcore.bots.exchange.expected import cards_of, dot
from simcore.cards import LANE
from simcore.codes import CHOICES, N_SUITS, KeepParam

MODEL = int(KeepParam.MODEL)
N_TURNS = CHOICES >> 1
LONGEST, SECOND = 10, 7
"""Lengths of the longest and of the second longest suit that are told apart: 0 .. 9 and 0 .. 6, the last with all beyond."""
LONGEST_AT = SUIT
SECOND_AT = LONGEST_AT + LONGEST
N_CHOICE_FEATURES = SECOND_AT + SECOND
CHOICE_FEATURES = (
    *SuitFeatures._fields,
    *(f"longest_{length}" for length in range(LONGEST)),
    *(f"second_{length}" for length in range(SECOND)),
)
"""Names of all features, in the order of the weights: those of suits are summed over the four."""


class Choosing(NamedTuple):
    """What the choices read."""

    weights: np.ndarray
    """int64[model, turn, feature]: of hands after that turn, in `WORTH_UNIT`s of a tenth of a point."""


@inlined
def longest_suits(n0, n1, n2, n3):
    """Lengths of the two longest suits, as they are told apart. n0, n1, n2, n3 : int64 -> (int64, int64)"""
    high, low = max(n0, n1), min(n0, n1)
    other_high, other_low = max(n2, n3), min(n2, n3)
    longest = max(high, other_high)
    second = max(min(high, other_high), max(low, other_low))
    return min(longest, LONGEST - 1), min(second, SECOND - 1)


@inlined
def with_one_more(lengths, suit, weights):
    """What the lengths of the longest suits are worth with another card of a suit. lengths : four int64 -> int64"""
    longest, second = longest_suits(
        lengths[0] + I(suit == 0), lengths[1] + I(suit == 1), lengths[2] + I(suit == 2), lengths[3] + I(suit == 3)
    )
    return weights[LONGEST_AT + longest] + weights[SECOND_AT + second]


@kernel
def suit_worth(own, unseen, weights):
    """What the cards of a suit add. own, unseen : uint64 thirteen bits, weights : int64[feature] -> int64"""
    return dot(weights, 0, suit_features(own, unseen), SUIT)


@kernel
def write_choice_features(hand, unseen, row):
    """Write all features of a hand. hand, unseen : uint64, row : float64[feature] modified"""
    for i in range(N_CHOICE_FEATURES):
        row[i] = 0.0
    for suit in range(N_SUITS):
        found = suit_features(cards_of(hand, suit), cards_of(unseen, suit))
        for i in range(SUIT):
            row[i] += found[i]
    longest, second = longest_suits(
        I(popcount(cards_of(hand, 0))), I(popcount(cards_of(hand, 1))),
        I(popcount(cards_of(hand, 2))), I(popcount(cards_of(hand, 3))),
    )  # fmt: skip
    row[LONGEST_AT + longest] = 1.0
    row[SECOND_AT + second] = 1.0


@kernel
def worths(hand, first, unseen, weights):
    """What the hand is worth with the card looked at, and with the next one.

    hand, first, unseen : uint64 as of ChooseView; weights : int64[feature] of this turn
    -> (int64, int64, int64)   with the card; the sum over all cards unseen, of the hand with each; how many these are
    """
    own = (cards_of(hand, 0), cards_of(hand, 1), cards_of(hand, 2), cards_of(hand, 3))
    left = (cards_of(unseen, 0), cards_of(unseen, 1), cards_of(unseen, 2), cards_of(unseen, 3))
    lengths = (I(popcount(own[0])), I(popcount(own[1])), I(popcount(own[2])), I(popcount(own[3])))
    parts = (
        suit_worth(own[0], left[0], weights), suit_worth(own[1], left[1], weights),
        suit_worth(own[2], left[2], weights), suit_worth(own[3], left[3], weights),
    )  # fmt: skip
    all_parts = parts[0] + parts[1] + parts[2] + parts[3]
    looked_at = I(ctz(first)) // LANE
    kept, taken = I(0), I(0)
    for suit in range(N_SUITS):
        others = all_parts - parts[suit] + with_one_more(lengths, suit, weights)
        if suit == looked_at:
            kept = others + suit_worth(own[suit] | cards_of(first, suit), left[suit], weights)
        taken += I(popcount(left[suit])) * others
        rest = left[suit]
        while rest != U0:
            fewer = rest & (rest - U1)
            card = rest ^ fewer
            taken += suit_worth(own[suit] | card, left[suit] ^ card, weights)
            rest = fewer
    return kept, taken, I(popcount(unseen))


@kernel
def keeps_first(view, params, seat, choosing):
    """1 to keep the card looked at, 0 to throw it.

    view : ChooseView
    params : int64[:, :] rows of `KeepParam`; seat : uint64 the own row
    choosing : Choosing
    -> int64
    """
    kept, taken, n = worths(view.hand, view.first, view.unseen, choosing.weights[params[seat, MODEL], view.turn])
    return I(kept * n >= taken)
