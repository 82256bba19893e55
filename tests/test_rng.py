"""Random streams: known words, exact choices (the rejected words too), blocks as laid down, no bias by card or place."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from helpers import BOLD, HEURISTIC, PASSING, RANDOM, U, mask, setup_of, texts, variant_with
from reference import cards as reference_cards
from reference import streams

from simcore.batch import play_chunk
from simcore.codes import MAX_SEATS, Purpose
from simcore.errors import InputError
from simcore.phases.deal import deal_hands, deal_stock
from simcore.rng import (
    GOLD,
    GROUP,
    below,
    bidding_key,
    deal_key,
    derive,
    draw_cards,
    exchange_key,
    match_key,
    mix64,
    play_key,
    word,
)
from simcore.rules import build_rules

WORD = 2**64
KEYS = [0, 1, 2**63, WORD - 1, 0x0123456789ABCDEF]
SPLITMIX64_OF_SEED_0 = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]
"""First outputs of the published generator (Steele, Lea, Flood 2014; the reference C code by Vigna)."""
ADJACENT = 4.5
"""Standard deviations that a fixed-seed statistic may lie away from what it should be."""


def invert_xorshift(y: int, shift: int) -> int:
    x = y
    for _ in range(64 // shift + 1):
        x = y ^ (x >> shift)
    return x


def unmix(y: int) -> int:
    """Inverse of `mix64`."""
    y = invert_xorshift(y, 31) * pow(0x94D049BB133111EB, -1, WORD) % WORD
    y = invert_xorshift(y, 27) * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD
    return invert_xorshift(y, 30)


def key_with_word(wanted: int, draw: int) -> int:
    """A key whose first word at a draw is the wanted one."""
    key = (unmix(wanted) - int(GOLD) * (draw + 1)) % WORD
    assert streams.word(key, draw, 0) == wanted
    return key


# --- words and keys --------------------------------------------------------------------------------------------------


@pytest.mark.nojit
def test_known_words() -> None:
    assert [derive(U(0), U(k)) for k in range(5)] == SPLITMIX64_OF_SEED_0
    assert mix64(U(0)) == 0


@pytest.mark.nojit
@pytest.mark.parametrize("key", KEYS)
def test_keys_are_those_of_the_layout(key: int) -> None:
    for k in KEYS:
        assert mix64(U(key ^ k)) == streams.mix64(key ^ k)
        assert derive(U(key), U(k)) == streams.derive(key, k)
        assert match_key(U(key), U(k)) == streams.match_key(key, k)
        assert deal_key(U(match_key(U(key), U(k))), U(9)) == streams.deal_key(key, k, 9)
    for seat in range(MAX_SEATS):
        for function, purpose in ((exchange_key, 1), (bidding_key, 2), (play_key, 3)):
            assert function(U(key), seat) == streams.derive(key, purpose + 4 * seat)
    for draw, attempt in ((0, 0), (5, 0), (5, 1), (2**32 - 1, 2**31)):
        assert word(U(key), U(draw), U(attempt)) == streams.word(key, draw, attempt)
    assert Purpose.CARDS == streams.CARDS


def test_purposes_never_meet() -> None:
    numbers = [int(Purpose.CARDS)] + [p + 4 * s for s in range(MAX_SEATS) for p in range(1, 4)]
    assert len(set(numbers)) == len(numbers)


# --- choices ---------------------------------------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 13, 52, 55, 100, 2**32 + 1, 2**63 + 1, 3 * 2**62, WORD - 1])
def test_below_is_that_of_the_layout(n: int) -> None:
    """For the largest n up to half of all words are rejected."""
    for draw in range(200):
        key = streams.derive(n, draw)
        found = below(U(key), U(draw), U(n))
        assert found == streams.below(key, draw, n)
        assert found < n


@pytest.mark.nojit
@pytest.mark.parametrize("n", [3, 5, 6, 7, 13, 52, 55, 100])
@pytest.mark.parametrize("draw", [0, 12])
def test_below_at_the_words_that_decide(n: int, draw: int) -> None:
    """The first words of each outcome, where the rejected ones are: each is replaced by the next attempt of the same draw."""
    rejected = 0
    for outcome in {0, 1, n // 2, n - 1}:
        first = -(-outcome * WORD // n)
        for x in (first, first + 1, (first - 1) % WORD):
            key = key_with_word(x, draw)
            found = below(U(key), U(draw), U(n))
            assert found == streams.below(key, draw, n)
            if streams.below_from_word(x, n) is None:
                rejected += 1
                assert found == streams.below_from_word(streams.word(key, draw, 1), n)
            else:
                assert found == x * n // WORD
    assert rejected > 0


@pytest.mark.parametrize("n", [2, 3, 6, 7, 13])
def test_below_is_even(n: int) -> None:
    counts = np.bincount([below(U(99), U(draw), U(n)) for draw in range(20_000)], minlength=n)
    assert abs(normal_of_chi2(float(((counts - 20_000 / n) ** 2 / (20_000 / n)).sum()), n - 1)) < ADJACENT


# --- blocks of cards -------------------------------------------------------------------------------------------------


@pytest.mark.nojit
def test_blocks_are_those_of_the_layout() -> None:
    chosen = random.Random(1)
    deck = reference_cards.DRAW_ORDER
    for number in range(150):
        pool = chosen.sample(deck, chosen.randrange(1, 56))
        size = chosen.randrange(0, len(pool) + 1)
        draw = chosen.randrange(4)
        rest = draw_cards(U(number), U(draw), mask(pool), U(len(pool)), size)
        taken, _, _ = streams.draw_block(number, draw, pool, size)
        assert texts(rest) == set(pool) - set(taken)


def deciding_words(pool: int, size: int) -> list[int]:
    """Words at the border between one outcome and the next, some rejected, some not."""
    choices = math.perm(pool, size)
    words = [0]
    for outcome in (1, choices // 3, choices - 1):
        first = -(-outcome * WORD // choices)
        words += [first, first + 1, first - 1]
    return words


@pytest.mark.nojit
@pytest.mark.parametrize("pool", [7, 29, 42, 52, 55])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
def test_rejected_words_of_a_group(pool: int, size: int) -> None:
    deck = reference_cards.DRAW_ORDER[:pool]
    rejected = 0
    for x in deciding_words(pool, size):
        key = key_with_word(x, 3)
        rejected += streams.group_from_word(x, deck, size) is None
        taken, _ = streams.draw_group(key, 3, deck, size)
        rest = draw_cards(U(key), U(3), mask(deck), U(pool), size)
        assert texts(rest) == set(deck) - set(taken)
    assert rejected > 0


@pytest.mark.nojit
@pytest.mark.parametrize("changes", [{}, {"deck.colons": []}, {"deck.colons": ["royal"]}, {"deal.upcard": True}])
def test_the_stock_in_order_and_in_parts(changes: dict[str, object]) -> None:
    """Drawn at once or in two steps, the rest of the pack is the same; so is each card of the layout."""
    rules = build_rules(variant_with(changes)).deal
    full = int(rules.n_deck) - 26
    for number in range(12):
        key = U(streams.derive(number, 5))
        hands = np.zeros(MAX_SEATS, np.uint64)
        rest = U(deal_hands(rules, key, number % 2, hands))
        whole, parts = np.zeros(64, np.uint64), np.zeros(64, np.uint64)
        deal_stock(rules, key, rest, 0, full, whole)
        pool = [card for card in reference_cards.DRAW_ORDER if card in texts(rest)]
        cards, _, _ = streams.draw_block(streams.derive(int(key), 0), 6, pool, full)
        assert [next(iter(texts(one))) for one in whole[:full]] == cards
        left, done = deal_stock(rules, key, rest, 0, GROUP, parts)
        deal_stock(rules, key, U(left), done, number + 8, parts)
        assert (parts[: number + 8] == whole[: number + 8]).all()


@pytest.mark.nojit
@pytest.mark.parametrize("x", deciding_words(29, 6))
def test_rejected_words_in_the_stock(x: int) -> None:
    """The first group of the stock (draw 6 of the cards' key) with a word at the border."""
    rules = build_rules(variant_with()).deal
    key = U((unmix(key_with_word(x, 6)) - int(GOLD)) % WORD)
    rest = mask(reference_cards.DRAW_ORDER[26:])
    stock = np.zeros(64, np.uint64)
    for needed in (3, 6, 12):
        deal_stock(rules, key, rest, 0, needed, stock)
        cards, _, _ = streams.draw_block(streams.derive(int(key), 0), 6, reference_cards.DRAW_ORDER[26:], 29)
        assert [next(iter(texts(one))) for one in stock[:needed]] == cards[:needed]


# --- no bias ---------------------------------------------------------------------------------------------------------


def normal_of_chi2(value: float, freedom: int) -> float:
    """A chi-square as a normal deviate (Wilson and Hilferty)."""
    scale = 2 / (9 * freedom)
    return ((value / freedom) ** (1 / 3) - (1 - scale)) / math.sqrt(scale)


@pytest.mark.parametrize("changes", [{"deck.colons": []}, {}], ids=["52 cards", "55 cards"])
def test_every_card_comes_to_every_place(changes: dict[str, object]) -> None:
    """Card x place over 20 000 deals: a hand, or one place of the stock. Each place's chi-square within 4.5 sigma.

    Of n cards a place takes k: counts have variance N p (1 - p) with p = k / n and sum to N k, so their squared
    deviations, divided by the variance and times (n - 1) / n, are a chi-square with n - 1 degrees of freedom.
    """
    n_deals = 20_000
    rules = build_rules(variant_with(changes)).deal
    n = int(rules.n_deck)
    places = np.zeros((n_deals, 2 + n - 26), np.uint64)
    hands, stock = np.zeros(MAX_SEATS, np.uint64), np.zeros(64, np.uint64)
    for number in range(n_deals):
        key = U(deal_key(U(match_key(U(4), U(number))), U(0)))
        rest = U(deal_hands(rules, key, number & 1, hands))
        deal_stock(rules, key, rest, 0, n - 26, stock)
        places[number, :2] = hands[:2]
        places[number, 2:] = stock[: n - 26]
    deviates = []
    for place in range(places.shape[1]):
        counts = np.array([np.count_nonzero(places[:, place] & U(1 << bit)) for bit in range(64) if int(rules.deck) >> bit & 1])
        p = (13 if place < 2 else 1) / n
        assert counts.sum() == round(n_deals * p * n)
        chi2 = ((counts - n_deals * p) ** 2).sum() / (n_deals * p * (1 - p)) * (n - 1) / n
        deviates.append(normal_of_chi2(float(chi2), n - 1))
    assert max(map(abs, deviates)) < ADJACENT
    assert abs(sum(deviates)) / math.sqrt(len(deviates)) < ADJACENT


def test_first_dealer_is_fair() -> None:
    chunk = play_chunk(setup_of({"match.deals": 1}, (PASSING,), unit="deal"), 0, 20_000)
    assert abs(int(chunk.deals["dealer"].sum()) - 10_000) < ADJACENT * math.sqrt(5000)


# --- seeds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63, WORD - 1])
def test_seeds_of_64_bits(seed: int) -> None:
    chunk = play_chunk(setup_of(seed=seed), 0, 20)
    assert chunk.n_deals >= 120


def test_neighbouring_and_extreme_seeds_give_different_deals() -> None:
    seeds = [0, 1, 2, 2**32, 2**63 - 1, 2**63, WORD - 2, WORD - 1]
    tables = [play_chunk(setup_of(seed=seed), 0, 20) for seed in seeds]
    hands = {table.deals["hcp_0"].tobytes() + table.deals["len_S_0"].tobytes() for table in tables}
    assert len(hands) == len(seeds)


@pytest.mark.parametrize("seed", [-1, WORD, 10**30])
def test_seeds_beyond_are_refused(seed: int) -> None:
    with pytest.raises(InputError, match="0 .. 18446744073709551615"):
        setup_of(seed=seed)


def test_no_deal_twice() -> None:
    """Hands of all deals of many matches and of two seeds: all different."""
    seen: set[bytes] = set()
    n_deals = 0
    for seed in (1, 2):
        chunk = play_chunk(setup_of(seed=seed), 0, 2000, with_record=True)
        assert chunk.record is not None
        dealt = chunk.record.dealt[: chunk.n_deals, :2]
        seen |= {row.tobytes() for row in dealt}
        n_deals += chunk.n_deals
    assert len(seen) == n_deals > 24_000


@pytest.mark.parametrize("bots", [(HEURISTIC,), (BOLD,), (RANDOM, HEURISTIC)], ids=["heuristic", "bold", "mixed"])
def test_other_bots_meet_the_same_deals(bots: tuple[dict[str, object], ...]) -> None:
    """A bot's draws never move the cards nor the dealers; another scoring table does not either."""
    changes = {"match.tie": "draw"}
    one = play_chunk(setup_of(changes), 0, 200, with_record=True)
    other = play_chunk(setup_of({**changes, "scoring.doubled_made": 7}, bots), 0, 200, with_record=True)
    assert one.record is not None
    assert other.record is not None
    assert (one.record.dealt[: one.n_deals] == other.record.dealt[: other.n_deals]).all()
    for name in ("match", "deal", "dealer", "upcard"):
        assert (one.deals[name] == other.deals[name]).all()
