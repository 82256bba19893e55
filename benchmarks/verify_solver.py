"""Verifies the solver against plain searches that know nothing of its tables, bounds and shortcuts; a long run.

    python -m benchmarks.verify_solver               everything: about ten minutes on two processors
    python -m benchmarks.verify_solver --scale 0.01  a small sample

Sections: endings (up to 5 cards, every line of play), middle (6 to 9 cards, alpha-beta with an ordinary transposition table),
points (payoffs by final tricks, up to 5 cards), renaming (13 cards, suits exchanged), payoffs (monotone payoffs are tricks,
13 cards). Half of the endings come from thinned packs, so that the colons' ranges run out; half are under options of the rules;
a quarter have a bar, a quarter a card on the table; the depth of the tables varies. Exit code 1 on any difference.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from benchmarks import brute_force
from benchmarks.brute_force import NO_SUIT, OPTION_NAMES
from simcore.cards import bit_number, from_border
from simcore.config import load_variant
from simcore.rules import build_rules
from simcore.solver.deals import (
    SETS,
    Scratch,
    Search,
    card_points,
    card_tricks,
    new_scratch,
    prepare_search,
    solve_points,
    solve_tricks,
)

CHANGES: tuple[tuple[str, str, Any], ...] = (
    ("colons", "off_range_when_void", "only_if_forced"),
    ("colons", "bar_allows_colon_lead", False),
    ("colons", "bar_lifted", "no_other_suit"),
    ("colons", "bar_when_void", False),
    ("colons", "must_beat_led_colon", True),
    ("play", "must_follow", False),
)
"""The options of the rules in the order of `brute_force.OPTION_NAMES`: section, key, value."""
PIECES = 64
"""Parts of a section, each with its own random numbers."""
DEPTHS = ((1, 0), (1, 1), (2, 2), (3, 1), (4, 3), (5, 5))
"""Cards a hand of the endgame tables and of the tables of bounds, for endings."""
MIDDLE_DEPTHS = ((3, 0), (4, 4), (5, 2), (6, 6), (7, 7))
WHOLE_DEPTHS = (8, 7)
IDENTITY = np.arange(14)


@dataclass(frozen=True)
class Ending:
    """A position, cards as numbers; `led` is no longer in the leader's hand."""

    lead: int
    follow: int
    n: int
    strain: int
    barred: int
    led: int | None
    options: tuple[int, ...]
    colons: int

    @property
    def trump(self) -> int:
        return self.strain if self.strain < 4 else NO_SUIT


def some_options(rng: random.Random) -> list[tuple[int, ...]]:
    """Sets of options for one piece: half of them none, else one option alone, or each with even chance."""
    search_for.cache_clear()
    sets = [(0,) * len(OPTION_NAMES)] * 4
    for one in rng.sample(range(len(OPTION_NAMES)), 2):
        sets.append(tuple(int(place == one) for place in range(len(OPTION_NAMES))))
    return [*sets, *(tuple(rng.randrange(2) for _ in OPTION_NAMES) for _ in range(2))]


def random_ending(rng: random.Random, n: int, options: tuple[int, ...], situations: bool = True) -> Ending:
    """An ending of n cards a hand with 0 to 3 colons."""
    pack = list(range(52))
    if rng.random() < 0.5:
        share = rng.choice([0.4, 0.6, 0.8])
        thinned = [card for card in pack if rng.random() < share]
        pack = thinned if len(thinned) >= 2 * n else pack
    colons = rng.sample([52, 53, 54], min(rng.randrange(4), 2 * n))
    cards = colons + rng.sample(pack, 2 * n - len(colons))
    rng.shuffle(cards)
    lead, follow = (sum(1 << card for card in cards[part * n : part * n + n]) for part in range(2))
    barred, led = NO_SUIT, None
    kind = rng.randrange(4) if situations else 3
    if kind == 0 and len(colons) < 3:
        barred = rng.randrange(4)
    elif kind == 1:
        led = rng.choice(cards[:n])
        lead ^= 1 << led
    return Ending(lead, follow, n, rng.randrange(5), barred, led, options, len(colons))


@cache
def search_for(
    options: tuple[int, ...], depth: int, bounds: int, dominance: bool, sets: int = 0
) -> tuple[Search, Scratch]:
    """Tables and scratch memory, kept, so that positions of other deals are in the transposition table too."""
    changes: dict[str, Any] = {"extends": "bridgette", "name": "options", "colons": {}, "play": {}}
    for on, (section, key, value) in zip(options, CHANGES, strict=True):
        if on:
            changes[section][key] = value
    play = build_rules(load_variant(changes)).play
    search = prepare_search(play, True, depth, bounds, dominance, sets)
    return search, new_scratch(search, points=sets > 0)


def kernel_hand(cards: int) -> int:
    """A hand in the kernels' layout."""
    return int(from_border(np.uint64(cards)))


def position_of(ending: Ending) -> tuple[int, int, int, int]:
    """Leader's hand, follower's, bar and led card for the solver."""
    bar = 0x1FFF << 16 * ending.barred if ending.barred != NO_SUIT else 0
    led = 1 << bit_number(ending.led) if ending.led is not None else 0
    return kernel_hand(ending.lead), kernel_hand(ending.follow), bar, led


def solved(ending: Ending, search: Search, scratch: Scratch) -> int:
    """The leader's tricks by the solver."""
    best = max(card_tricks(search, scratch, ending.strain, *position_of(ending)).values())
    return ending.n - best if ending.led is not None else best


def tried(ending: Ending, leader_wants_more: bool = True, taken: int = 0, payoff: np.ndarray = IDENTITY) -> int:
    """The leader's tricks, or a payoff, by trying every card."""
    fixed = (ending.options, leader_wants_more, taken, payoff)
    if ending.led is not None:
        return int(brute_force.after_lead(ending.lead, ending.follow, ending.led, ending.trump, *fixed))
    return int(brute_force.best(ending.lead, ending.follow, ending.trump, ending.barred, *fixed))


def check_endings(rng: random.Random, count: int) -> Iterator[tuple[Any, int, int]]:
    options = some_options(rng)
    for _ in range(count):
        ending = random_ending(rng, rng.choice([1, 2, 3, 3, 4, 4, 4, 5, 5, 5]), rng.choice(options))
        search, scratch = search_for(ending.options, *rng.choice(DEPTHS), rng.random() < 0.9)
        yield ending, solved(ending, search, scratch), tried(ending)


def check_middle(rng: random.Random, count: int) -> Iterator[tuple[Any, int, int]]:
    keys, values = np.zeros((1 << 15, 3), np.int64), np.zeros((1 << 15, 2), np.int64)
    sets = some_options(rng)
    for _ in range(count):
        options = rng.choice(sets)
        ending = random_ending(rng, rng.choice([6, 7, 8, 9]), options, situations=rng.random() < 0.3)
        search, scratch = search_for(ending.options, *rng.choice(MIDDLE_DEPTHS), True)
        keys[:] = -1
        fixed = (ending.n, ending.trump)
        if ending.led is None:
            table = (options, keys, values)
            expected = brute_force.tricks_with_table(ending.lead, ending.follow, *fixed, ending.barred, *table)
        else:
            expected = 0
            while expected < ending.n and brute_force.lead_reaches(
                ending.lead, ending.follow, ending.n, ending.led, ending.trump, options, expected + 1, keys, values
            ):
                expected += 1
        yield ending, solved(ending, search, scratch), int(expected)


def check_points(rng: random.Random, count: int) -> Iterator[tuple[Any, int, int]]:
    options = some_options(rng)
    for _ in range(count):
        n = rng.choice([1, 2, *[3] * 3, *[4] * 10, *[5] * 10, 6])
        ending = random_ending(rng, n, rng.choice(options))
        search, scratch = search_for(ending.options, *rng.choice(DEPTHS), True, rng.choice((1, 2, 3, 5)))
        payoff = np.array([rng.randrange(-4, 5) for _ in range(14)], np.int32)
        declares, taken = rng.random() < 0.5, rng.randrange(14 - n)
        lead, follow, bar, led = position_of(ending)
        values = card_points(search, scratch, ending.strain, lead, follow, declares, payoff, taken, bar, led).values()
        found = max(values) if declares != (led != 0) else min(values)
        yield ending, found, tried(ending, declares, taken, payoff.astype(np.int64))


@dataclass(frozen=True)
class Whole:
    """A deal of 13 cards a hand: what went wrong can be dealt again."""

    hands: tuple[int, int]
    colons: int


def whole_deals(rng: random.Random, count: int) -> tuple[list[Whole], np.ndarray]:
    endings = [random_ending(rng, 13, (0,) * len(OPTION_NAMES), situations=False) for _ in range(count)]
    hands = [(kernel_hand(ending.lead), kernel_hand(ending.follow)) for ending in endings]
    return [Whole(pair, ending.colons) for pair, ending in zip(hands, endings)], np.array(hands, np.uint64)


@cache
def default_search() -> Search:
    return prepare_search(build_rules(load_variant("bridgette")).play, True, *WHOLE_DEPTHS, sets=SETS)


def check_renaming(rng: random.Random, count: int) -> Iterator[tuple[Any, int, int]]:
    """All ten values as one number, of a deal and of the deal with its suits renamed."""
    search = default_search()
    deals, hands = whole_deals(rng, count)
    order = rng.sample(range(4), 4)
    renamed = hands & np.uint64(0xE000)
    for suit, name in enumerate(order):
        renamed |= ((hands >> np.uint64(16 * suit)) & np.uint64(0x1FFF)) << np.uint64(16 * name)
    one = solve_tricks(hands, search.play, search=search, workers=1)
    two = solve_tricks(renamed, search.play, search=search, workers=1)[:, [*order, 4]]
    weights = 14 ** np.arange(10)
    for deal, first, second in zip(deals, one.reshape(count, 10), two.reshape(count, 10)):
        yield deal, int(first @ weights), int(second @ weights)


def check_payoffs(rng: random.Random, count: int) -> Iterator[tuple[Any, int, int]]:
    """Points by a payoff that grows with the tricks, against the payoff of the tricks."""
    search = default_search()
    deals, hands = whole_deals(rng, count)
    tricks = solve_tricks(hands, search.play, search=search, workers=1)
    random_numbers = np.random.default_rng(rng.randrange(2**32))
    payoffs = np.sort(random_numbers.integers(-40, 40, (count, 14)), 1).astype(np.int32)
    strains, declarers, leaders = (random_numbers.integers(0, top, count) for top in (5, 2, 2))
    points = solve_points(hands, search.play, strains, declarers, leaders, payoffs, search=search, workers=1)
    for row, deal in enumerate(deals):
        first = int(tricks[row, strains[row], leaders[row]])
        yield deal, int(points[row]), int(payoffs[row, first if declarers[row] == 0 else 13 - first])


SECTIONS: dict[str, tuple[int, Callable[[random.Random, int], Iterator[tuple[Any, int, int]]]]] = {
    "endings": (200_000, check_endings),
    "middle": (3_000, check_middle),
    "points": (20_000, check_points),
    "renaming": (3_000, check_renaming),
    "payoffs": (3_000, check_payoffs),
}


def run_piece(section: str, seed: int, piece: int, count: int) -> tuple[int, dict[int, int], list[str]]:
    """One part of a section; -> positions, how many by colons, differences."""
    n_done, by_colons, wrong = 0, dict.fromkeys(range(4), 0), []
    for case, found, expected in SECTIONS[section][1](random.Random(f"{section} {seed} {piece}"), count):
        n_done += 1
        by_colons[case.colons] += 1
        if found != expected:
            wrong.append(f"{case}: solver {found}, expected {expected}")
    return n_done, by_colons, wrong


def main() -> int:
    """Run the sections; -> exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full counts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=list(SECTIONS), help="one section")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    failed = False
    with ProcessPoolExecutor(given.workers) as pool:
        for section in [given.only] if given.only else SECTIONS:
            begin = time.perf_counter()
            count = math.ceil(SECTIONS[section][0] * given.scale / PIECES)
            pieces = [pool.submit(run_piece, section, given.seed, piece, count) for piece in range(PIECES)]
            results = [piece.result() for piece in pieces]
            colons = {c: sum(result[1][c] for result in results) for c in range(4)}
            wrong = [line for result in results for line in result[2]]
            total = sum(result[0] for result in results)
            print(
                f"{section}: {total:,} positions (colons {', '.join(f'{c}: {k:,}' for c, k in colons.items())}), "
                f"{len(wrong)} differences, {time.perf_counter() - begin:.0f} s",
                flush=True,
            )
            for line in wrong[:5]:
                print(f"  {line}")
            failed |= bool(wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
