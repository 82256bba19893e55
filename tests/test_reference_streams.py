"""The reference's random numbers: published words, and exactness over every word of a small size."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from reference import cards, random_bot, streams
from reference.bridgette import BRIDGETTE
from reference.deal import deal_cards


def test_words_are_those_of_splitmix64():
    first_outputs_for_seed_zero = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [streams.derive(0, k) for k in range(3)] == first_outputs_for_seed_zero
    assert streams.mix64(0) == 0


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 100, 255])
def test_below_is_exact_over_all_words_of_eight_bits(n):
    drawn = Counter(streams.below_from_word(x, n, bits=8) for x in range(256))
    rejected = drawn.pop(None, 0)
    assert drawn == dict.fromkeys(range(n), 256 // n)
    assert rejected == 256 % n


def test_group_is_exact_over_all_words_of_ten_bits():
    pool = ["C2", "C3", "C4", "C5", "C6"]
    groups = [streams.group_from_word(x, pool, 3, bits=10) for x in range(1024)]
    drawn = Counter(tuple(group[0]) for group in groups if group is not None)
    assert drawn == dict.fromkeys(itertools.permutations(pool, 3), 1024 // 60)
    assert all(sorted(taken + rest) == pool for taken, rest in filter(None, groups))


def test_block_of_thirteen_uses_three_draws():
    hand, rest, next_draw = streams.draw_block(5, 3, cards.DRAW_ORDER, 13)
    assert next_draw == 6
    assert len(hand) == 13
    assert rest == [card for card in cards.DRAW_ORDER if card not in hand]
    first, pool = streams.draw_group(5, 3, cards.DRAW_ORDER, 6)
    assert hand[:6] == first
    assert hand[6:12] == streams.draw_group(5, 4, pool, 6)[0]


def test_first_dealer_and_keys():
    seed_key = streams.derive(9, 0)
    assert seed_key != 9
    assert streams.match_key(9, 4) == streams.derive(seed_key, 4)
    assert streams.deal_key(9, 4, 2) == streams.derive(streams.match_key(9, 4), 3)
    assert streams.seat_key(11, streams.PLAY, 1) == streams.derive(11, 7)
    dealers = Counter(streams.first_dealer(1, match, 2) for match in range(1000))
    assert 400 < dealers[0] < 600


def test_a_rejected_word_is_replaced_by_the_next_attempt():
    n = 2**63 + 1  # nearly half of all words are rejected
    rejected = [d for d in range(20) if streams.below_from_word(streams.word(3, d, 0), n) is None]
    assert rejected
    for draw in rejected:
        attempts = (streams.below_from_word(streams.derive(3, draw + attempt * 2**32), n) for attempt in range(99))
        assert streams.below(3, draw, n) == next(number for number in attempts if number is not None)


# --- What is drawn with which number ---------------------------------------------------------------------------------


def test_the_non_dealer_is_dealt_first_and_the_upcard_is_turned_before_the_stock():
    key = streams.cards_key(77)
    first, rest, _ = streams.draw_block(key, 0, cards.DRAW_ORDER, 13)
    second, rest, _ = streams.draw_block(key, 3, rest, 13)
    others, _, _ = streams.draw_block(key, 6, rest, 29)
    for dealer in (0, 1):
        dealt = deal_cards(BRIDGETTE, dealer, 77)
        assert dealt["hands"][1 - dealer] == first
        assert dealt["hands"][dealer] == second
        assert [dealt["upcard"], *dealt["stock"]] == others


def scripted_draws(monkeypatch, answers):
    """Replace `below` by one that gives chosen answers to (draw, n), and no others."""
    monkeypatch.setattr(streams, "below", lambda key, draw, n: answers[draw, n])


CALLING_BOT = {"bidding": {"level_weights": [1, 2, 3], "double_percent": 10, "pass_percent": 20}}
HAND = cards.parse_hand("AKQJ.T98.76.5432")


@pytest.mark.parametrize(("r", "level"), [(0, 0), (1, 1), (2, 1), (3, 2), (5, 2)])
def test_ceiling(monkeypatch, r, level):
    scripted_draws(monkeypatch, {(0, 6): r})
    assert random_bot.ceiling(0, [1, 2, 3]) == level


@pytest.mark.parametrize(
    ("calls", "own_calls", "answers", "call"),
    [
        ("", 0, {(0, 6): 0, (1, 100): 79, (2, 1): 0}, "0NT"),  # only 0NT is below the ceiling
        ("", 0, {(0, 6): 2, (1, 100): 0, (2, 6): 4}, "1S"),
        ("", 0, {(0, 6): 2, (1, 100): 80}, "Pass"),
        ("1D", 0, {(0, 6): 2, (1, 100): 9}, "X"),
        ("1D", 0, {(0, 6): 2, (1, 100): 10, (2, 3): 0}, "1H"),
        ("1D X", 1, {(0, 6): 2, (3, 100): 9}, "XX"),
        ("1D X", 1, {(0, 6): 2, (3, 100): 10, (4, 3): 1}, "1S"),
        ("1NT", 0, {(0, 6): 2, (1, 100): 50}, "Pass"),  # nothing is left below the ceiling
    ],
)
def test_calls_of_the_random_bot(monkeypatch, calls, own_calls, answers, call):
    scripted_draws(monkeypatch, answers)
    assert random_bot.choose_call(CALLING_BOT, BRIDGETTE, 0, 0, HAND, calls.split(), own_calls) == call


def test_cards_of_the_random_bot():
    legal = ["C2", "GC", "D2"]
    fresh = streams.word(streams.seat_key(5, streams.PLAY, 1), 2, 0)
    words = {}
    assert random_bot.choose_card(5, 1, 12, legal, words) == legal[fresh * 3 >> 64]
    assert words == {1: fresh * 3 % 2**64}
    assert random_bot.choose_card(5, 1, 13, legal[:2], words) == legal[(fresh * 3 % 2**64) * 2 >> 64]
