"""The sampler of hidden cards: every layout that agrees with what is known, and each equally often.

Chi-square over all layouts of small endings, enumerated in plain Python; the false alarm of each test is one in 100,000, and
seeds are fixed, so it happened or not when the test was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from helpers import mask, suit, texts
from scipy.stats import chi2

from simcore.codes import MAX_SEATS
from simcore.rng import derive
from simcore.sampling.known import layouts
from simcore.sampling.layouts import draw_hand, draw_hands, draw_two_hands, groups_of

U = np.uint64
FALSE_ALARM = 1e-5
Cards = frozenset[str]


def key_of(number: int) -> np.uint64:
    return U(derive(U(2024), U(number)))


def cards_of(text: str) -> list[str]:
    return text.split()


def is_uniform(counts: Counter, every: list) -> None:
    """All of these and no others came up, each as often as chance allows."""
    assert set(counts) <= set(every)
    expected = sum(counts.values()) / len(every)
    assert expected > 20
    statistic = sum((counts[layout] - expected) ** 2 / expected for layout in every)
    assert statistic < chi2.isf(FALSE_ALARM, len(every) - 1), statistic


def sets_of(cards: list[str], size: int, excluded: set[str]) -> Iterator[Cards]:
    return (frozenset(chosen) for chosen in combinations(cards, size) if not excluded & set(chosen))


@pytest.mark.parametrize(
    ("unknown", "void", "excluded", "size"),
    [
        ("SA SK S2 HQ H3 DT D4 C5 CA", None, "", 4),
        ("SA SK S2 HQ H3 DT D4 C5 CA", "S", "", 3),
        ("SA SK S2 HQ H3 DT D4 C5 GC RC", "H", "SK GC", 3),
        ("SA SK S2 HQ H3 DT D4 C5 GC RC LC", None, "S2", 7),
    ],
)
def test_one_hand(unknown: str, void: str | None, excluded: str, size: int) -> None:
    """The opponent's hand, a void he has shown, cards he cannot have; the rest is the stock."""
    cards, barred = cards_of(unknown), set(cards_of(excluded))
    barred |= {card for card in cards if void and card[0] == void and card[1] != "C"}
    every = list(sets_of(cards, size, barred))
    pool, without = mask(unknown), U(mask(excluded) | suit(void))
    drawn: Counter = Counter(
        frozenset(texts(draw_hand(key_of(n), U(0), pool, without, size))) for n in range(60 * len(every))
    )
    is_uniform(drawn, every)


TWO = [
    ("SA SK HQ H3 DT C5", ("", ""), (2, 3)),
    ("SA SK HQ H3 DT C5 GC", ("SA SK", ""), (2, 3)),
    ("SA SK HQ H3 DT C5 GC", ("SA SK", "HQ H3"), (2, 2)),
    ("SA SK HQ H3 DT C5 GC", ("SA SK DT", "SA HQ H3"), (3, 3)),
    ("SA SK HQ H3 DT C5", ("SA", "DT"), (3, 3)),  # no stock
    ("SA SK HQ H3 DT C5 RC LC", ("", "SA SK HQ H3 DT"), (4, 3)),  # the second hand has no choice
    ("SA SK HQ H3 DT C5 RC LC", ("SA SK HQ H3 DT C5", ""), (1, 5)),
    ("SA SK HQ H3", ("", ""), (0, 2)),
]


@pytest.mark.parametrize(("unknown", "excluded", "sizes"), TWO)
def test_two_hands_with_voids(unknown: str, excluded: tuple[str, str], sizes: tuple[int, int]) -> None:
    cards = cards_of(unknown)
    barred = [set(cards_of(text)) for text in excluded]
    every = [
        (first, second)
        for first in sets_of(cards, sizes[0], barred[0])
        for second in sets_of([card for card in cards if card not in first], sizes[1], barred[1])
    ]
    pool, masks = mask(unknown), [mask(text) for text in excluded]
    assert layouts(int(pool), (~int(masks[0]) & 2**64 - 1, ~int(masks[1]) & 2**64 - 1), sizes) == len(every)
    drawn: Counter = Counter()
    for n in range(60 * len(every)):
        first, second = draw_two_hands(key_of(n), U(0), pool, masks[0], sizes[0], masks[1], sizes[1])
        drawn[frozenset(texts(first)), frozenset(texts(second))] += 1
    is_uniform(drawn, every)


def test_three_hands_with_known_cards() -> None:
    """A hand of which a card is known holds it, and the unknown ones are uniform over the hands and the stock."""
    cards = cards_of("SA SK HQ H3 DT C5 C4")
    every = [
        (first, second, third)
        for first in sets_of(cards, 1, set())
        for second in sets_of([card for card in cards if card not in first], 2, set())
        for third in sets_of([card for card in cards if card not in first | second], 2, set())
    ]
    pool, sizes = mask("SA SK HQ H3 DT C5 C4"), np.array([1, 2, 2, 0, 0, 0], np.int64)
    drawn: Counter = Counter()
    for n in range(30 * len(every)):
        hands = np.zeros(MAX_SEATS, np.uint64)
        hands[1] = mask("D2")
        stock = draw_hands(key_of(n), U(0), pool, 3, sizes, hands)
        assert texts(hands[1]) >= {"D2"}
        assert int(stock).bit_count() == 2
        drawn[frozenset(texts(hands[0])), frozenset(texts(hands[1])) - {"D2"}, frozenset(texts(hands[2]))] += 1
    is_uniform(drawn, every)


def test_a_hand_of_thirteen() -> None:
    """Any size, each card as often as any other; draws of a hand are its own."""
    pool = mask("GC RC LC") | suit("S") | suit("H") | suit("D")
    counts: Counter = Counter()
    n_draws = 5000
    for n in range(n_draws):
        hand = draw_hand(key_of(n), U(5), pool, U(0), 13)
        assert int(hand).bit_count() == 13
        assert int(hand) & ~int(pool) == 0
        counts.update(texts(hand))
    share = 13 / 42
    statistic = sum((counts[card] - n_draws * share) ** 2 for card in texts(pool)) / (n_draws * share * (1 - share))
    assert statistic * 41 / 42 < chi2.isf(FALSE_ALARM, 41)
    assert [groups_of(size) for size in (0, 1, 6, 7, 13)] == [0, 1, 1, 2, 3]
