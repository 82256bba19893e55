"""Exact distributions of thirteen cards from a pack, by counting hands: lengths, shapes, high cards, colons."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

HAND = 13
N_SUITS = 4
MOST_POINTS = 37
HIGH_CARDS = ((4, 4), (3, 4), (2, 4), (1, 4))
"""High-card points, and how many cards have so many."""


def lengths(pack: int) -> list[float]:
    """Shares of 0 to 13 cards of a suit."""
    return [comb(HAND, k) * comb(pack - HAND, HAND - k) / comb(pack, HAND) for k in range(HAND + 1)]


def colons(pack: int) -> list[float]:
    """Shares of no colon, one and so on."""
    held = pack - N_SUITS * HAND
    return [comb(held, k) * comb(pack - held, HAND - k) / comb(pack, HAND) for k in range(held + 1)]


def shapes(pack: int) -> dict[tuple[int, ...], float]:
    """Shares of the lengths of the four suits, longest first; what is missing to thirteen are colons."""
    held = pack - N_SUITS * HAND
    found: dict[tuple[int, ...], float] = {}
    for rising in combinations_with_replacement(range(HAND + 1), N_SUITS):
        missing = HAND - sum(rising)
        if not 0 <= missing <= held:
            continue
        ways = 1
        for length in rising:
            ways *= comb(HAND, length)
        found[rising[::-1]] = _orders(rising) * ways * comb(held, missing) / comb(pack, HAND)
    return found


def _orders(lengths_of: tuple[int, ...]) -> int:
    """In how many orders lengths can stand."""
    found, left = 1, len(lengths_of)
    for length in set(lengths_of):
        found *= comb(left, lengths_of.count(length))
        left -= lengths_of.count(length)
    return found


def points(pack: int) -> list[float]:
    """Shares of 0 to 37 high-card points."""
    ways = {(0, 0): 1}
    for worth, cards in HIGH_CARDS:
        more: dict[tuple[int, int], int] = {}
        for (held, total), count in ways.items():
            for k in range(cards + 1):
                key = (held + k, total + k * worth)
                more[key] = more.get(key, 0) + count * comb(cards, k)
        ways = more
    low = pack - sum(cards for _, cards in HIGH_CARDS)
    found = [0.0] * (MOST_POINTS + 1)
    for (held, total), count in ways.items():
        if held <= HAND:
            found[total] += count * comb(low, HAND - held) / comb(pack, HAND)
    return found
