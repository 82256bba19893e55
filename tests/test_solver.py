"""Perfect play: the solver against a plain search of every card, and what must not change a value."""

from __future__ import annotations

import random
from functools import lru_cache

import numpy as np
import pytest
from helpers import Json, card, variant_with
from reference.solve import best_result, most_tricks
from solver_cases import Ending, random_ending, rules_of

from simcore.rules import build_rules
from simcore.solver.deals import (
    Search,
    card_points,
    card_tricks,
    new_scratch,
    prepare_search,
)

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
    return prepare_search(play, True, depth, bounds, dominance, points=True)


def tricks_of(ending: Ending, search: Search) -> int:
    """Seat 0's tricks."""
    lead, follow = ending.masks
    mover = 1 - ending.leader if ending.led else ending.leader
    led = int(card(ending.led)) if ending.led else 0
    values = card_tricks(search, new_scratch(), "CDHSN".index(ending.strain[0]), lead, follow, ending.bar, led)
    total = max(len(held) for held in ending.hands)
    return max(values.values()) if mover == 0 else total - max(values.values())


@pytest.mark.portable
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
    scratch = new_scratch(points=True)
    contract = (ending.leader == declarer, np.array(payoff, np.int32), taken)
    values = card_points(search, scratch, "CDHSN".index(ending.strain[0]), lead, follow, *contract, ending.bar, led)
    mover = 1 - ending.leader if ending.led else ending.leader
    return max(values.values()) if mover == declarer else min(values.values())


@pytest.mark.portable
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
