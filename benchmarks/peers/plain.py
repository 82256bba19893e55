"""What one would write oneself: plain Python, vectorised NumPy, a straightforward Numba loop, for dealing and random play.

The play is that of `calibrator.c`: two hands of 13 from 52 cards, a random trump suit or none, 13 tricks of random legal cards,
the winner leads. Each function returns the mean tricks of the hand that leads first, which `works.py` checks.
"""

from __future__ import annotations

import random

import numba
import numpy as np

# --- plain Python -----------------------------------------------------------------------------------------------------


def python_deals(n_deals: int, rng: random.Random) -> list[list[int]]:
    """Four hands, again and again; the last deal is returned."""
    pack = list(range(52))
    hands: list[list[int]] = []
    for _ in range(n_deals):
        rng.shuffle(pack)
        hands = [pack[:13], pack[13:26], pack[26:39], pack[39:]]
    return hands


def python_play(n_deals: int, rng: random.Random) -> float:
    """Two hands, thirteen tricks; cards are 13 x suit + rank."""
    pack, choice, total = range(52), rng.choice, 0
    for _ in range(n_deals):
        cards = rng.sample(pack, 26)
        leader, follower, first_leads = cards[:13], cards[13:], True
        trumps = choice((0, 1, 2, 3, 4))
        for _ in range(13):
            led = choice(leader)
            leader.remove(led)
            suit = led // 13
            reply = choice([card for card in follower if card // 13 == suit] or follower)
            follower.remove(reply)
            if (reply > led) if reply // 13 == suit else (reply // 13 == trumps):
                leader, follower, first_leads = follower, leader, not first_leads
            total += first_leads
    return total / n_deals


# --- NumPy ------------------------------------------------------------------------------------------------------------

_BATCH = 20_000


def numpy_deals(n_deals: int, rng: np.random.Generator) -> np.ndarray:
    """Packs in random order, a row each, a batch at a time; the last batch is returned."""
    packs = np.empty((0, 52), np.uint8)
    for begin in range(0, n_deals, _BATCH):
        rows = min(_BATCH, n_deals - begin)
        packs = rng.permuted(np.broadcast_to(np.arange(52, dtype=np.uint8), (rows, 52)), axis=1)
    return packs


def numpy_play(n_deals: int, rng: np.random.Generator) -> float:
    """All deals of a batch play their tricks at once."""
    return sum(_numpy_batch(min(_BATCH, n_deals - begin), rng) for begin in range(0, n_deals, _BATCH)) / n_deals


def _numpy_batch(rows: int, rng: np.random.Generator) -> int:
    every, packs = np.arange(rows), numpy_deals(rows, rng)
    cards = np.stack([packs[:, :13], packs[:, 13:26]])
    suits, held = cards // 13, np.ones((2, rows, 13), bool)
    trumps, on_lead, total = rng.integers(0, 5, rows), np.zeros(rows, np.int64), 0
    for _ in range(13):
        led = _one_of(held[on_lead, every], rng)
        held[on_lead, every, led] = False
        card, suit = cards[on_lead, every, led], suits[on_lead, every, led]
        other = 1 - on_lead
        same = held[other, every] & (suits[other, every] == suit[:, None])
        reply = _one_of(np.where(same.any(axis=1)[:, None], same, held[other, every]), rng)
        held[other, every, reply] = False
        answer, its_suit = cards[other, every, reply], suits[other, every, reply]
        wins = np.where(its_suit == suit, answer > card, its_suit == trumps)
        on_lead = np.where(wins, other, on_lead)
        total += int((on_lead == 0).sum())
    return total


def _one_of(cards: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random card of each row: that with the highest random number."""
    return (rng.random(cards.shape, np.float32) * cards).argmax(axis=1)


# --- Numba ------------------------------------------------------------------------------------------------------------


@numba.njit
def numba_deals(n_deals, seed):
    """Shuffle an array of 52 cards; -> a number that depends on all of them."""
    np.random.seed(seed)
    pack = np.arange(52)
    total = 0
    for _ in range(n_deals):
        np.random.shuffle(pack)
        total += pack[0]
    return total


@numba.njit
def _random_card(cards):
    """A random set bit."""
    count, rest = 0, cards
    while rest:
        rest &= rest - 1
        count += 1
    for _ in range(np.random.randint(count)):
        cards &= cards - 1
    return cards & -cards


@numba.njit
def _suit(card):
    """The thirteen bits of a card's suit."""
    suit = 0x1FFF
    while not card & suit:
        suit <<= 13
    return suit


@numba.njit
def numba_play(n_deals, seed):
    """Hands as bits of an int64, one deal after the other; -> mean tricks of the hand that leads first."""
    np.random.seed(seed)
    pack = np.arange(52)
    total = 0
    for _ in range(n_deals):
        np.random.shuffle(pack)
        leader, follower = 0, 0
        for place in range(13):
            leader |= 1 << pack[place]
            follower |= 1 << pack[13 + place]
        trumps = 0x1FFF << (13 * np.random.randint(5)) & 0xFFFFFFFFFFFFF
        first_leads = True
        for _ in range(13):
            led = _random_card(leader)
            leader ^= led
            suit = _suit(led)
            same = follower & suit
            reply = _random_card(same if same else follower)
            follower ^= reply
            if (reply > led) if reply & suit else (reply & trumps != 0):
                leader, follower = follower, leader
                first_leads = not first_leads
            if first_leads:
                total += 1
    return total / n_deals
