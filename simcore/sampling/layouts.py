"""Uniform layouts of unknown cards over hidden hands and the stock: the one sampler of the package.

What is known is hard: cards that lie somewhere (they are not among the unknown ones), how many more cards a hand holds, and
cards that a hand cannot hold (a void it has shown, cards it would have had to play). Every layout that agrees with it is
equally likely, exactly; what no hand holds is the stock, or out of play. Nothing is said about the order of the stock.

One hand: a set of the cards that it may hold. Two hands: the one with less choice first; how many ways that leaves for the
other decides whether the draw is taken or repeated, so the layouts, not the first hands, are equally likely. Any number of
hands of which nothing is excluded: one after another. Draws are numbered from `draw` on; a group of six cards uses one
(docs/random-streams.md, section 6).
"""

from __future__ import annotations

from math import comb

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, popcount, unlikely
from simcore.rng import GROUP, MAX_POOL, below, draw_cards


def _binomials() -> np.ndarray:
    """The table below. Plain Python."""
    return np.array([[comb(n, k) for k in range(MAX_POOL + 1)] for n in range(MAX_POOL + 1)], np.uint64)


WAYS = _binomials()
"""By cards of a pool and cards of a hand: hands that may be drawn from it."""


@inlined
def groups_of(size):
    """Draws that a block of cards uses. size : int64 -> int64"""
    return (size + GROUP - 1) // GROUP


@inlined
def draw_hand(key, draw, unknown, excluded, size):
    """One hidden hand: each set of cards that it may hold, equally likely.

    key, draw : uint64   draws `draw` .. `draw + groups_of(size) - 1`
    unknown : uint64     cards that nobody is known to hold
    excluded : uint64    cards that this hand cannot hold
    size : int64         cards of the hand among the unknown ones; at most as many as it may hold
    -> uint64            the cards drawn; the others are the stock
    """
    pool = unknown & ~excluded
    return pool ^ draw_cards(key, draw, pool, popcount(pool), size)


@kernel
def _draw_narrow_first(key, draw, unknown, excluded, size, other_excluded, other_size):
    """Both hands, this one first. -> (uint64, uint64): this hand, the other"""
    may, other_may = unknown & ~excluded, unknown & ~other_excluded
    alone = I(popcount(may & ~other_may))
    # the most cards that may be left for the other hand
    most_left = I(popcount(other_may)) - max(size - alone, 0)
    most = WAYS[most_left, other_size]
    step = U(groups_of(size) + groups_of(other_size) + 1)
    while True:
        first = draw_hand(key, draw + U1, unknown, excluded, size)
        ways = WAYS[I(popcount(other_may & ~first)), other_size]
        if unlikely(ways != most):
            if below(key, draw, most) >= ways:
                draw += step
                continue
        return first, draw_hand(key, draw + U(1 + groups_of(size)), unknown & ~first, other_excluded, other_size)


@inlined
def draw_two_hands(key, draw, unknown, excluded_a, size_a, excluded_b, size_b):
    """Two hidden hands: each pair of sets that they may hold, equally likely.

    key, draw : uint64   draws from `draw` on, as many as it takes
    unknown, excluded_a, excluded_b : uint64, size_a, size_b : int64   as for `draw_hand`; there must be such a pair
    -> (uint64, uint64)  the cards drawn for each; the others are the stock
    """
    spare_a = I(popcount(unknown & ~excluded_a)) - size_a
    spare_b = I(popcount(unknown & ~excluded_b)) - size_b
    if spare_a <= spare_b:
        return _draw_narrow_first(key, draw, unknown, excluded_a, size_a, excluded_b, size_b)
    hand_b, hand_a = _draw_narrow_first(key, draw, unknown, excluded_b, size_b, excluded_a, size_a)
    return hand_a, hand_b


@kernel
def draw_hands(key, draw, unknown, n_seats, sizes, hands):
    """Any number of hidden hands of which nothing is excluded.

    key, draw, unknown : uint64   as for `draw_hand`
    n_seats : int64, sizes : int64[:]   unknown cards of each hand, by seat
    hands : uint64[:]    the cards known of each hand; those drawn are added
    -> uint64            the stock
    """
    rest = unknown
    for seat in range(n_seats):
        drawn = draw_hand(key, draw, rest, U0, sizes[seat])
        hands[seat] |= drawn
        rest ^= drawn
        draw += U(groups_of(sizes[seat]))
    return rest
