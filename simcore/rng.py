"""Random streams: every draw is a pure function of a key and the draw's number. Layout: docs/random-streams.md.

Nothing is carried along and nothing can overrun; a draw is exactly uniform (words that would favour an outcome are
rejected and replaced by the next attempt of the same draw).
"""

from __future__ import annotations

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, U, mulhi, nth_bit, pdep, select, unlikely
from simcore.codes import Purpose

GOLD = U(0x9E3779B97F4A7C15)
_M1 = U(0xBF58476D1CE4E5B9)
_M2 = U(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = U(27), U(30), U(31), U(32)

GROUP = 6
"""Cards drawn with one word."""
MAX_POOL = 64

_EXCHANGE = int(Purpose.EXCHANGE)
_BIDDING = int(Purpose.BIDDING)
_PLAY = int(Purpose.PLAY)
_PURPOSES_PER_SEAT = 4


def _group_tables() -> tuple[np.ndarray, np.ndarray]:
    """The tables below: P = n (n-1) ... (n-r+1), and 2^64 mod P."""
    products, bounds = (np.zeros((GROUP + 1, MAX_POOL + 1), np.uint64) for _ in range(2))
    for n in range(1, MAX_POOL + 1):
        product = 1
        for r in range(1, min(n, GROUP) + 1):
            product *= n - r + 1
            products[r, n] = product
            bounds[r, n] = 2**64 % product
    return products, bounds


GROUP_PRODUCT, GROUP_BOUND = _group_tables()
"""By cards of the group and cards in the pool: number of ordered choices P, and the bound 2^64 mod P below which the
last remainder of a word, which is word * P mod 2^64, rejects it."""


@inlined
def mix64(z):
    """Finaliser of SplitMix64, a bijection of the 64-bit words."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@inlined
def derive(key, k):
    """Key number k under a key. key, k : uint64 -> uint64"""
    return mix64(key + GOLD * (k + U1))


@kernel
def match_key(seed, match):
    """Key of a match; seed, match : uint64 -> uint64"""
    return derive(derive(seed, U0), match)


@kernel
def deal_key(match_key, deal):
    """Key of a deal of a match; deal : uint64 -> uint64"""
    return derive(match_key, U1 + deal)


@inlined
def exchange_key(deal_key, seat):
    """Key of a seat's exchange decisions; seat : int64 -> uint64"""
    return derive(deal_key, U(_EXCHANGE + _PURPOSES_PER_SEAT * seat))


@inlined
def bidding_key(deal_key, seat):
    """Key of a seat's bidding decisions; seat : int64 or uint64 -> uint64"""
    return derive(deal_key, U(_BIDDING) + U(_PURPOSES_PER_SEAT) * U(seat))


@inlined
def play_key(deal_key, seat):
    """Key of a seat's play decisions; seat : int64 or uint64 -> uint64"""
    return derive(deal_key, U(_PLAY) + U(_PURPOSES_PER_SEAT) * U(seat))


@inlined
def word(key, draw, attempt):
    """Word of a draw; attempt 0 unless it was rejected. All uint64."""
    return derive(key, draw + (attempt << _S32))


@kernel
def _below_again(key, draw, n, high, low):
    """Finish `below` exactly after a first word whose low product is small."""
    bound = (U0 - n) % n
    attempt = U0
    while low < bound:
        attempt += U1
        x = word(key, draw, attempt)
        high = mulhi(x, n)
        low = x * n
    return high


@inlined
def below(key, draw, n):
    """Uniform on 0 .. n-1, exactly.

    key, draw, n : uint64, n >= 1
    -> uint64
    """
    x = word(key, draw, U0)
    high = mulhi(x, n)
    low = x * n
    if unlikely(low < n):  # only then can the word be one of those rejected
        return _below_again(key, draw, n, high, low)
    return high


@kernel
def _draw_group(key, draw, attempt, pool, n, r):
    """One group of r cards by its definition, from the given attempt on. -> the pool without them"""
    while True:
        x = word(key, draw, attempt)
        accepted = x * GROUP_PRODUCT[r, n] >= GROUP_BOUND[r, n]
        rest = pool
        left = n
        for _ in range(r):
            rest ^= nth_bit(rest, mulhi(x, left))
            x *= left
            left -= U1
        if accepted:
            return rest
        attempt += U1


@inlined
def _draw_exactly(key, draw, pool, n, r):
    """`_draw_group` for a number of cards that is written in the code, so that the loop is unrolled."""
    x = word(key, draw, U0)
    rejected = x * GROUP_PRODUCT[r, n] < GROUP_BOUND[r, n]
    rest = pool
    left = n
    for _ in range(r):
        rest ^= nth_bit(rest, mulhi(x, left))
        x *= left
        left -= U1
    if unlikely(rejected):
        return _draw_group(key, draw, U1, pool, n, r)
    return rest


@inlined
def draw_cards(key, draw, pool, n_pool, n_cards):
    """Draw a block of cards from a pool, as a set.

    key, draw : uint64   draws `draw`, `draw + 1`, ... one for each six cards
    pool : uint64        n_pool cards
    n_pool : uint64
    n_cards : int64      at most n_pool
    -> uint64            the pool without the cards drawn

    Cards are drawn by their place in the pool, which does not wait for the pool itself: so the processor can work on several
    blocks at once.
    """
    places = (U1 << n_pool) - U1
    while n_cards >= GROUP:
        places = _draw_exactly(key, draw, places, n_pool, GROUP)
        n_pool -= U(GROUP)
        n_cards -= GROUP
        draw += U1
    if n_cards == 1:
        places ^= nth_bit(places, below(key, draw, n_pool))  # a group of one, without the general loop
    elif n_cards == 2:
        places = _draw_exactly(key, draw, places, n_pool, 2)
    elif n_cards == 4:
        places = _draw_exactly(key, draw, places, n_pool, 4)
    elif n_cards > 0:
        places = _draw_group(key, draw, U0, places, n_pool, n_cards)
    return pdep(places, pool)


@inlined
def draw_group_in_order(key, draw, attempt, pool, n_pool, r, take, order, at):
    """Draw the first `take` cards of one group of r cards, in order.

    key, draw, attempt : uint64   the first attempt is 0
    pool, n_pool : uint64         cards not drawn yet, and how many
    r, take : int64      cards of the group, cards wanted
    order : uint64[:]    output: the cards, one bit each, from index `at` (uint64) on
    -> uint64            the pool without those taken (not without the rest of the group)

    A group is drawn by places in the pool, which do not wait for the pool itself: so the processor can work on several groups
    at once.
    """
    while True:
        x = word(key, draw, attempt)
        accepted = x * GROUP_PRODUCT[r, n_pool] >= GROUP_BOUND[r, n_pool]
        places = (U1 << n_pool) - U1
        left = n_pool
        for i in range(take):
            place = nth_bit(places, mulhi(x, left))
            places ^= place
            order[at + U(i)] = pdep(place, pool)
            x *= left
            left -= U1
        if accepted:
            return pdep(places, pool)
        attempt += U1


@inlined
def draw_pairs_in_order(key, draw, pool, n_pool, r, order, at):
    """`draw_group_in_order` for a whole group of r cards, an even number written in the code: unrolled, two cards a turn."""
    x = word(key, draw, U0)
    rest = pool
    left = n_pool
    for i in range(0, r, 2):
        first = mulhi(x, left)
        x *= left
        left -= U1
        second = mulhi(x, left)
        x *= left
        left -= U1
        # the second counts the cards without the first; with it, those from the first on have a number higher by one
        second = select(second >= first, second + U1, second)
        one, two = nth_bit(rest, first), nth_bit(rest, second)
        order[at + U(i)], order[at + U(i + 1)] = one, two
        rest ^= one | two
    if unlikely(x < GROUP_BOUND[r, n_pool]):
        return draw_group_in_order(key, draw, U1, pool, n_pool, r, r, order, at)
    return rest


@inlined
def draw_first_of_group(key, draw, pool, n_pool, r, order, at):
    """`draw_group_in_order` for the first card of a group of r, without the loop: the usual end of what is needed."""
    x = word(key, draw, U0)
    if unlikely(x * GROUP_PRODUCT[r, n_pool] < GROUP_BOUND[r, n_pool]):
        return draw_group_in_order(key, draw, U1, pool, n_pool, r, 1, order, at)
    card = nth_bit(pool, mulhi(x, n_pool))
    order[at] = card
    return pool ^ card
