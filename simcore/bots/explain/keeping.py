"""Explains the exchange policy `expected`: the hands it weighed, and what the best contracts of both sides are worth with them.

Plain Python, from the features of the hand on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from simcore.bits import I, U
from simcore.bots.bidding.expected import N_GRID, OPPONENT, OWN, PERCENT
from simcore.bots.bidding.hand_features import N_FEATURES, write_features
from simcore.bots.exchange.expected import STEP, HandView, Keeping
from simcore.bots.explain.reason import SUIT_MASKS, Reason, cards_text
from simcore.bots.view import ExchangeView
from simcore.cards import COLONS
from simcore.codes import N_STRAINS, N_SUITS, PROB_UNIT, TENTHS, KeepParam, Strain, TrickSet
from simcore.notation import STRAINS

Worth = tuple[int, str, int, str]
"""Points of the own best contract and its strain, and of the opponent's; points as in the tables."""
_SHOWN = 3
"""Hands that are shown, the best first."""
_SETS = ((TrickSet.SUIT_OWN, TrickSet.NT_OWN), (TrickSet.SUIT_OPPONENT, TrickSet.NT_OPPONENT))


def _without_lowest(cards: int) -> list[int]:
    """All of some cards, all but the lowest, and so on."""
    found = [cards]
    while found[-1]:
        found.append(found[-1] & found[-1] - 1)
    return found


def _hands(hand: int, n_keep: int, keeps_colons: bool) -> Iterator[int]:
    """Hands that are weighed, in the order in which they are preferred among equals."""
    suits = [_without_lowest(hand & mask) for mask in SUIT_MASKS]
    colons = kept = hand & int(COLONS)
    while True:
        found = [one for one in map(sum, product(*suits)) if one.bit_count() + kept.bit_count() == n_keep]
        yield from (one | kept for one in found)
        if (found and keeps_colons) or not kept:
            return
        kept = kept - 1 & colons


def _points(row_points: np.ndarray, mean: int) -> int:
    """Points at a mean between two rows of a table. row_points : points by row"""
    mean = min(max(mean, 0), STEP * (N_GRID - 1))
    row, more = divmod(mean, STEP)
    return (int(row_points[row]) * (STEP - more) + int(row_points[min(row + 1, N_GRID - 1)]) * more) // STEP


def _worth(view: HandView, sets: np.ndarray, tables: np.ndarray, every_suit: bool) -> Worth:
    """What the best contracts are worth with a hand. sets : by `TrickSet`, feature; tables : by who declares, strain, row"""
    found: list[dict[str, int]] = [{}, {}]
    has_void = any(not int(view.hand) & mask for mask in SUIT_MASKS)
    for strain in range(N_STRAINS):
        row = np.zeros(N_FEATURES)
        write_features(view, I(strain), row)
        for who in (OWN, OPPONENT):
            if who == OWN and strain == Strain.NOTRUMP and has_void and every_suit:
                continue
            mean = int(sets[_SETS[who][strain == Strain.NOTRUMP]] @ row.astype(np.int64))
            found[who][STRAINS[strain]] = _points(tables[who, strain], mean)
    own, his = (max(worths, key=lambda strain: worths[strain]) for worths in found)
    return found[OWN][own], own, found[OPPONENT][his], his


def expected(view: ExchangeView, params: Sequence[int], tables: Keeping) -> Reason:
    """The hand with the best expected score."""
    model, role = params[KeepParam.MODEL], 1 - int(view.is_dealer)
    against, hand = params[KeepParam.AGAINST], int(view.hand)
    unseen = tables.deck & ~(view.hand | (view.upcard & tables.aside))
    worths: dict[int, Worth] = {}
    for kept in _hands(hand, hand.bit_count() - int(view.n_throw), bool(params[KeepParam.KEEP_COLONS])):
        seen = HandView(U(kept), U(unseen), view.upcard)
        worths[kept] = _worth(seen, tables.weights[model, role], tables.worth[model, role], bool(tables.nt_needs_every_suit))

    def value(kept: int) -> int:
        return PERCENT * worths[kept][0] - against * worths[kept][2]

    order = sorted(worths, key=value, reverse=True)  # of equals the first stays first
    best = order[0]
    own, strain, his, his_strain = worths[best]
    unit = PROB_UNIT * TENTHS
    numbers: dict[str, Any] = {
        "to_throw": int(view.n_throw),
        "hands_weighed": len(worths),
        "own_best_contract": {strain: round(own / unit, 1)},
        "best_contract_of_the_opponent": {his_strain: round(his / unit, 1)},
        "points_expected_if_it_throws": {
            cards_text(hand ^ kept): round(value(kept) / (PERCENT * unit), 1) for kept in order[:_SHOWN]
        },
    }
    n_suits = sum(1 for mask in SUIT_MASKS[:N_SUITS] if best & mask)
    rule = f"keeps the hand that is worth most, for {strain}, with {n_suits} suits"
    return Reason(hand ^ best, "expected", rule, numbers)
