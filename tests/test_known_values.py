"""Closed forms: what thousands of deals must show, worked out with `math.comb`; and counts that the rules fix.

Frequencies may lie 4.5 standard deviations from their expectation; all seeds are fixed.
"""

from __future__ import annotations

import math
from math import comb

import numpy as np
import pytest
from helpers import BOLD, PASSING, RANDOM, Json, setup_of, variant_with

from simcore.batch import Chunk, play_chunk
from simcore.codes import BOOK, MAX_CALLS
from simcore.phases.auction.bridge_tables import existing_bids

SIGMAS = 4.5
N_DEALS = 40_000
AS_DEALT = {"exchange": {"kind": "none"}}


def near(count: float, n: int, p: float) -> bool:
    """Whether a count of n independent deals fits a probability."""
    return abs(count - n * p) <= SIGMAS * math.sqrt(n * p * (1 - p)) + 1e-9


def deals(changes: Json | None = None, bot: Json = PASSING, seed: int = 3) -> Chunk:
    return play_chunk(setup_of(changes, (bot,), seed=seed, unit="deal"), 0, N_DEALS)


@pytest.fixture(scope="module")
def dealt() -> Chunk:
    """Hands as they were dealt from 55 cards."""
    return deals(AS_DEALT)


@pytest.fixture(scope="module")
def exchanged() -> Chunk:
    """Hands after an exchange of random discards."""
    return deals()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("letter", "CDHS")
def test_lengths_of_suits_are_hypergeometric(dealt: Chunk, letter: str, seat: int) -> None:
    counts = np.bincount(dealt.deals[f"len_{letter}_{seat}"], minlength=14)
    assert counts.sum() == N_DEALS
    for length, count in enumerate(counts):
        assert near(count, N_DEALS, comb(13, length) * comb(42, 13 - length) / comb(55, 13)), length


@pytest.mark.parametrize("seat", [0, 1])
def test_colons_are_hypergeometric(dealt: Chunk, seat: int) -> None:
    counts = np.bincount(dealt.deals[f"colons_{seat}"], minlength=4)
    for held, count in enumerate(counts):
        assert near(count, N_DEALS, comb(3, held) * comb(52, 13 - held) / comb(55, 13)), held


def test_all_colons_in_play() -> None:
    """Both hands together hold a third of the pack and no card twice."""
    chunk = deals({**AS_DEALT, "deck.colons": ["royal"], "deal.upcard": False})
    both = chunk.deals["colons_0"] + chunk.deals["colons_1"]
    assert both.max() == 1
    assert near(int(both.sum()), N_DEALS, 26 / 53)


@pytest.mark.parametrize(("changes", "n_cards"), [({}, 55), ({"deck.colons": []}, 52)])
def test_high_card_points(changes: Json, n_cards: int) -> None:
    """Mean 40 x 13 / n; the variance is that of a sample without replacement."""
    points = deals({**AS_DEALT, **changes}).deals["hcp_0"].astype(float)
    values = [4] * 4 + [3] * 4 + [2] * 4 + [1] * 4 + [0] * (n_cards - 16)
    mean = sum(values) / n_cards
    spread = sum((v - mean) ** 2 for v in values) / n_cards
    variance = 13 * spread * (n_cards - 13) / (n_cards - 1)
    assert abs(points.mean() - 13 * mean) < SIGMAS * math.sqrt(variance / N_DEALS)
    assert abs(points.var() / variance - 1) < SIGMAS * math.sqrt(2.2 / N_DEALS)


def test_upcards(exchanged: Chunk) -> None:
    upcard = exchanged.deals["upcard"].astype(int)
    for card, count in enumerate(np.bincount(upcard, minlength=55)):
        assert near(count, N_DEALS, 1 / 55), card


def test_cards_drawn_by_the_dealer(exchanged: Chunk) -> None:
    """4, 8 or 12 of 55 upcards: 36 spot cards and the Little, 12 faces and the Royal, 4 aces and the Grand."""
    table = exchanged.deals
    dealer = table["dealer"] == 1
    drawn = np.where(dealer, table["drawn_1"], table["drawn_0"])
    assert set(np.where(dealer, table["drawn_0"], table["drawn_1"])) == {2}
    for number, cards in ((4, 37), (8, 13), (12, 5)):
        assert near(int((drawn == number).sum()), N_DEALS, cards / 55)


def test_random_discards_change_no_distribution(exchanged: Chunk) -> None:
    """Thirteen random cards of a larger random hand are as good as thirteen dealt."""
    for seat in (0, 1):
        counts = np.bincount(exchanged.deals[f"len_S_{seat}"], minlength=14)
        for length, count in enumerate(counts):
            assert near(count, N_DEALS, comb(13, length) * comb(42, 13 - length) / comb(55, 13))


def test_random_bidder_passes_out_as_often_as_it_says() -> None:
    """With any hand able to bid 0NT, a hand passes with chance 20 %, two hands pass out 4 %; 70 % gives 49 %."""
    for percent in (20, 70):
        bot = {**RANDOM, "bidding": {"policy": "random", "pass_percent": percent, "double_percent": 0}}
        passed = deals({"auction.nt_needs_every_suit": False}, bot).deals["passed_out"]
        assert near(int(passed.sum()), N_DEALS, (percent / 100) ** 2)


def test_random_bidder_keeps_its_ceiling() -> None:
    weights = [0, 0, 3, 1, 0, 0, 0, 0]
    bot = {**RANDOM, "bidding": {"policy": "random", "level_weights": weights}}
    level = deals({}, bot).deals["level"]
    assert level.max() == 3
    assert level.min() in (-1, 0)


def test_thirty_six_bids() -> None:
    assert existing_bids(variant_with()).bit_count() == 36
    assert existing_bids(variant_with({"auction.lowest_bid": "1C"})).bit_count() == 35


def test_the_longest_auction_fits() -> None:
    """A pass, 36 bids each doubled and redoubled, a pass."""
    assert MAX_CALLS >= 1 + 3 * 36 + 1
    longest = max(deals({"auction.min_suit_length": 0, "auction.jump": "none"}, BOLD).deals["calls"])
    assert 12 < longest <= 110


def test_made_means_level_plus_six(exchanged: Chunk) -> None:
    table = deals(bot=RANDOM).deals
    played = ~table["passed_out"]
    made, tricks, level = (table[name][played].astype(int) for name in ("made", "tricks", "level"))
    assert ((tricks >= level + BOOK) == (made == 1)).all()
    assert set(tricks) == set(range(14)) or set(tricks) <= set(range(14))
    assert exchanged.deals["passed_out"].all()
