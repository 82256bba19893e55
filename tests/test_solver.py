"""Perfect play: the solver against a plain search of every card, and what must not change a value."""

from __future__ import annotations

import random
from functools import lru_cache

import numpy as np
import pytest
from helpers import Json, card, hand, mask, texts, variant_with
from reference.solve import best_result, most_tricks
from solver_cases import Ending, random_ending, rules_of

from simcore.rules import build_rules
from simcore.solver.deals import Search, card_points, card_tricks, new_scratch, prepare_search, solve_points, solve_tricks

OPTIONS: dict[str, Json] = {
    "default": {},
    "only if forced": {"colons.off_range_when_void": "only_if_forced"},
    "no colon when barred": {"colons.bar_allows_colon_lead": False},
    "lifted without another suit": {"colons.bar_lifted": "no_other_suit"},
    "both bar options": {"colons.bar_lifted": "no_other_suit", "colons.bar_allows_colon_lead": False},
    "no bar by a void": {"colons.bar_when_void": False},
    "led colon must be beaten": {"colons.must_beat_led_colon": True},
    "no duty to follow": {"play.must_follow": False},
    "everything": {
        "play.must_follow": False,
        "colons.off_range_when_void": "only_if_forced",
        "colons.bar_allows_colon_lead": False,
        "colons.bar_lifted": "no_other_suit",
        "colons.bar_when_void": False,
        "colons.must_beat_led_colon": True,
    },
}


@lru_cache(maxsize=16)
def search_for(option: str, depth: int = 4, bounds: int = 3, dominance: bool = True) -> Search:
    play = build_rules(variant_with(OPTIONS[option])).play
    return prepare_search(play, True, depth, bounds, dominance, sets=2)


def tricks_of(ending: Ending, search: Search) -> int:
    """Seat 0's tricks."""
    lead, follow = ending.masks
    mover = 1 - ending.leader if ending.led else ending.leader
    led = int(card(ending.led)) if ending.led else 0
    values = card_tricks(search, new_scratch(search), "CDHSN".index(ending.strain[0]), lead, follow, ending.bar, led)
    total = max(len(held) for held in ending.hands)
    return max(values.values()) if mover == 0 else total - max(values.values())


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("depth", [1, 4])
def test_against_trying_every_card(option: str, depth: int) -> None:
    """Endings up to four cards, with and without colons, bars and a card on the table."""
    rng = random.Random(f"{option} {depth}")
    rules = rules_of(OPTIONS[option])
    search = search_for(option, depth, min(depth, 2))
    for _ in range(60):
        ending = random_ending(rng, rng.choice([1, 2, 3, 3, 4]), rng.randrange(4))
        expected = most_tricks(rules, ending.hands, ending.leader, ending.trump, ending.barred, ending.led)
        assert tricks_of(ending, search) == expected, ending


def points_of(ending: Ending, search: Search, payoff: list[int], declarer: int, taken: int) -> int:
    """Declarer's points."""
    lead, follow = ending.masks
    led = int(card(ending.led)) if ending.led else 0
    scratch = new_scratch(search, points=True)
    contract = (ending.leader == declarer, np.array(payoff, np.int32), taken)
    values = card_points(search, scratch, "CDHSN".index(ending.strain[0]), lead, follow, *contract, ending.bar, led)
    mover = 1 - ending.leader if ending.led else ending.leader
    return max(values.values()) if mover == declarer else min(values.values())


@pytest.mark.parametrize("option", OPTIONS)
def test_points_against_trying_every_card(option: str) -> None:
    """Payoffs that do not grow with the tricks, from either side, with tricks taken before."""
    rng = random.Random(f"points {option}")
    rules = rules_of(OPTIONS[option])
    search = search_for(option, 4, 2)
    for _ in range(50):
        n = rng.choice([1, 2, 3, 3, 4])
        ending = random_ending(rng, n, rng.randrange(4))
        payoff = [rng.randrange(-3, 4) for _ in range(14)]
        declarer, taken = rng.randrange(2), rng.randrange(14 - n)
        further = payoff[taken : taken + n + 1]
        if declarer == 1:  # the reference counts the tricks of seat 0
            further = [-points for points in reversed(further)]
        expected = best_result(rules, ending.hands, ending.leader, ending.trump, further, ending.barred, ending.led)
        assert points_of(ending, search, payoff, declarer, taken) == (expected if declarer == 0 else -expected), ending


@pytest.mark.portable
def test_without_special_instructions() -> None:
    """The same in the pass without BMI2, and with bounds checks."""
    rng = random.Random(5)
    search = search_for("default", 3, 2)
    for _ in range(40):
        ending = random_ending(rng, 3, rng.randrange(4))
        expected = most_tricks(rules_of(), ending.hands, ending.leader, ending.trump, ending.barred, ending.led)
        assert tricks_of(ending, search) == expected, ending


# --- what must not change a value ------------------------------------------------------------------------------------


def random_deals(seed: int, count: int, colons: bool) -> np.ndarray:
    """Whole hands, with all three colons in the pack or none."""
    rng = random.Random(seed)
    deals = []
    for _ in range(count):
        ending = random_ending(rng, 13, 3 if colons else 0, situations=False)
        deals.append([mask(held) for held in ending.hands])
    return np.array(deals, np.uint64)


@pytest.mark.parametrize("colons", [False, True])
def test_renaming_suits_changes_nothing(colons: bool) -> None:
    deals = random_deals(1, 4, colons)
    play = build_rules(variant_with()).play
    values = solve_tricks(deals, play)
    order = [2, 0, 3, 1]
    renamed = deals & np.uint64(0xE000)
    for suit, name in enumerate(order):
        renamed |= ((deals >> np.uint64(16 * suit)) & np.uint64(0x1FFF)) << np.uint64(16 * name)
    assert np.array_equal(solve_tricks(renamed, play)[:, [*order, 4]], values)


@pytest.mark.parametrize("colons", [False, True])
def test_tables_bounds_and_threads_change_nothing(colons: bool) -> None:
    deals = random_deals(2, 3, colons)
    play = build_rules(variant_with()).play
    values = solve_tricks(deals, play, workers=1)
    for depth, bounds, dominance in ((5, 5, True), (7, 3, True), (7, 0, True), (6, 6, False)):
        search = prepare_search(play, colons, depth, bounds, dominance)
        assert np.array_equal(solve_tricks(deals, play, search=search), values), (depth, bounds, dominance)
    many = np.tile(deals, (60, 1))
    assert np.array_equal(solve_tricks(many, play, workers=2), np.tile(values, (60, 1, 1)))


def test_seats_are_alike() -> None:
    deals = random_deals(3, 4, True)
    play = build_rules(variant_with()).play
    assert np.array_equal(13 - solve_tricks(deals[:, ::-1], play)[:, :, ::-1], solve_tricks(deals, play))


@pytest.mark.parametrize("colons", [False, True])
def test_points_that_grow_with_the_tricks_are_tricks(colons: bool) -> None:
    deals = random_deals(4, 6, colons)
    play = build_rules(variant_with()).play
    values = solve_tricks(deals, play)
    rng = np.random.default_rng(1)
    payoffs = np.sort(rng.integers(-2000, 2000, (6, 14)), 1)
    for strain in (1, 4):
        declarers = rng.integers(0, 2, 6)
        leaders = rng.integers(0, 2, 6)
        found = solve_points(deals, play, np.full(6, strain), declarers, leaders, payoffs)
        first = values[np.arange(6), strain, leaders]
        assert np.array_equal(found, payoffs[np.arange(6), np.where(declarers == 0, first, 13 - first)])


# --- endings a person can read ---------------------------------------------------------------------------------------

ENDINGS = [
    # seat 0, seat 1, strain, leader, barred, tricks of seat 0
    ("AQ...", "K2...", "NT", 0, None, 1),  # the king is worth a trick behind no ace: 2 under the ace, then the king
    ("AQ...", "K2...", "NT", 1, None, 2),  # whoever leads from the king loses it
    ("2..A.A", ".KQ.3.", "S", 1, None, 3),  # a trump for a heart, and both aces
    ("AK..2.", "2..3./G", "NT", 0, None, 2),  # the king first; the ace bars spades when there is nothing else to bar
    (".2..2", ".../GR", "NT", 0, None, 2),  # nothing in the range of these colons: they only lose
    (".../GR", ".A.K.", "NT", 0, None, 0),  # led, each of them loses to its range
    (".../GR", ".K.2.", "NT", 0, None, 1),  # the follower throws the two on the Grand and keeps the king for the Royal
    ("A..A.", "3..2.", "NT", 0, "S", 2),
    ("A2..2.", "3..43.", "NT", 0, "S", 1),  # barred from the ace, a diamond loses; the ace comes later
]


@pytest.mark.parametrize(("first", "second", "strain", "leader", "barred", "tricks"), ENDINGS)
def test_readable_endings(first: str, second: str, strain: str, leader: int, barred: str | None, tricks: int) -> None:
    ending = Ending([sorted(texts(hand(held))) for held in (first, second)], strain, leader, barred)
    assert tricks_of(ending, search_for("default")) == tricks
    assert most_tricks(rules_of(), ending.hands, leader, ending.trump, barred) == tricks


# --- the compiled twin of the reference ------------------------------------------------------------------------------


def test_brute_force_of_the_long_verification() -> None:
    """`benchmarks.brute_force`, which the solver is compared with in the long run, is right itself."""
    from benchmarks import brute_force
    from simcore.notation import mask_of, parse_card

    changes = {"play.must_follow": 5, "colons.off_range_when_void": 0, "colons.bar_allows_colon_lead": 1}
    changes |= {"colons.bar_lifted": 2, "colons.bar_when_void": 3, "colons.must_beat_led_colon": 4}
    rng = random.Random(6)
    keys, values = np.full((1 << 12, 3), -1), np.zeros((1 << 12, 2), np.int64)
    for option, changed in OPTIONS.items():
        options = tuple(int(place in {changes[path] for path in changed}) for place in range(6))
        keys[:] = -1
        for _ in range(15):
            ending = random_ending(rng, rng.choice([2, 3, 4]), rng.randrange(4))
            if ending.led:
                continue
            hands = [mask_of([parse_card(text) for text in ending.hands[seat]]) for seat in (ending.leader, 1 - ending.leader)]
            trump, barred = ("CDHS".index(suit) if suit else -1 for suit in (ending.trump, ending.barred))
            expected = most_tricks(rules_of(changed), ending.hands, ending.leader, ending.trump, ending.barred)
            n = len(ending.hands[0])
            expected = expected if ending.leader == 0 else n - expected
            fixed = (trump, barred, options)
            assert brute_force.best(*hands, *fixed, True, 0, np.arange(14)) == expected, (option, ending)
            assert brute_force.tricks_with_table(*hands, n, *fixed, keys, values) == expected, (option, ending)
