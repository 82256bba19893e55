"""What a hand of so many cards holds on average of the things that `points` counts, as tables. Plain Python, built once.

A hand that holds just that takes its fair share of the tricks, whatever the number of players and of cards.
"""

from __future__ import annotations

from math import comb

import numpy as np

from simcore.codes import HUNDREDTHS, N_CARDS, N_RANKS, N_SUITS

MOST_TRUMPS_TO_RUFF = 3
_HANDS = N_CARDS // 2 + 2


def _guarded(cards: int, others: int) -> float:
    """Chance that a hand holds a given card with so many others of its suit at least."""
    alone = sum(comb(N_RANKS - 1, n) * comb(N_CARDS - N_RANKS, cards - 1 - n) for n in range(min(others, cards)))
    return cards / N_CARDS - alone / comb(N_CARDS, cards)


def _ruffs(cards: int) -> float:
    """Mean number of ruffs of a hand in one side suit: trumps, three at most, times 2 for a void and 1 for a singleton."""
    total = 0
    for trumps in range(1, min(cards, N_RANKS) + 1):
        for short, each in ((0, 2), (1, N_RANKS)):
            if trumps + short <= cards:
                ways = comb(N_RANKS, trumps) * each * comb(N_CARDS - 2 * N_RANKS, cards - trumps - short)
                total += min(trumps, MOST_TRUMPS_TO_RUFF) * ways
    return total / comb(N_CARDS, cards)


def _means(cards: int, has_trumps: bool) -> list[float]:
    sides = N_SUITS - has_trumps
    trumps = [cards / N_SUITS, *[cards / N_CARDS] * 4] if has_trumps else [0.0] * 5
    beside = [sides * cards / N_CARDS, sides * _guarded(cards, 1), sides * _guarded(cards, 2)]
    return [*trumps, *beside, sides * _ruffs(cards) if has_trumps else 0.0]


EXPECTED = np.array(
    [[[round(HUNDREDTHS * mean) for mean in _means(cards, bool(t))] for cards in range(1, _HANDS)] for t in range(2)], np.int64
)
"""int64[whether there are trumps, cards - 1, what is counted], in hundredths."""
