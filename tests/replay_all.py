"""Replays deals of every shipped variant with every shipped bot, of every single value of every option, and of every composed
game: no violation by the referee, and, for a part of the deals, none by the reference.

``python tests/replay_all.py --deals 2000`` (``make replay-all``) prints a line a table; the exit code is 1 where a violation
was found.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import options_games
import pit
import reference
from helpers import HEURISTIC, RANDOM, Json, bots_of, can_play, variant_with
from options import BOTS_FOR, SINGLE

from simcore.batch import Setup, prepare
from simcore.config import Variant, load_bot, load_variant, shipped, unsolved
from simcore.referee import violations_of
from simcore.transcript import MATCH_FORMAT, play_transcripts

SEED = 23
MATCHES_AT_ONCE = 20
ONE_IN = 10
"""One match in so many is judged by the reference as well."""
COMPOSED = sorted((Path(__file__).parent / "composed").glob("*.yaml"))


class Table(NamedTuple):
    """A variant and the bots that play it."""

    name: str
    variant: Variant
    bots: tuple[Any, ...]


class Found(NamedTuple):
    """What a table's replay found."""

    deals: int
    by_reference: int
    violations: list[str]


def shipped_tables() -> Iterator[Table]:
    """Every shipped variant with every shipped bot in all seats."""
    for name in shipped("variants"):
        variant = load_variant(name)
        for bot in map(load_bot, shipped("bots")):
            if can_play(variant, bot) and (not bot.sees_all or unsolved(variant) is None):
                yield Table(f"{name}, {bot.name}", variant, (bot,))


def option_tables() -> Iterator[Table]:
    """Every single value of every option, with random and with heuristic bots."""
    for name, changes in SINGLE.items():
        yield Table(f"bridgette: {name}, random", variant_with(changes), tuple(bots_of(*BOTS_FOR.get(name, (RANDOM,))[:1])))
        yield Table(f"bridgette: {name}, heuristic", variant_with(changes), tuple(bots_of(HEURISTIC)))
    for name, (base, changes) in options_games.CASES.items():
        variant = options_games.game(base, changes)
        yield Table(f"{name}, random", variant, tuple(bots_of(*options_games.bots_for(name)[:1])))
        yield Table(f"{name}, heuristic", variant, tuple(bots_of(HEURISTIC)))
    for name, changes in pit.SINGLE.items():
        variant = pit.pit_with(changes)
        yield Table(f"pit: {name}, random", variant, tuple(bots_of(RANDOM)))
        yield Table(f"pit: {name}, heuristic", variant, tuple(bots_of(HEURISTIC)))


def composed_tables() -> Iterator[Table]:
    """Games that a user might put together, with random and with heuristic bots."""
    for path in COMPOSED:
        variant = load_variant(path)
        yield Table(f"composed: {path.stem}, random", variant, tuple(bots_of(RANDOM)))
        yield Table(f"composed: {path.stem}, heuristic", variant, tuple(bots_of(HEURISTIC)))


def judged_by_reference(lines: list[Json]) -> list[str]:
    """Violations of a whole match, by the reference."""
    deals = [line for line in lines if line["format"] != MATCH_FORMAT]
    found = [f"deal {line['deal']}: {fault}" for line in deals for fault in reference.check_transcript(line)]
    return found + [f"match: {fault}" for fault in reference.check_match(lines)]


def matches_of(setup: Setup, first: int) -> Iterator[list[Json]]:
    """The lines of some matches, match by match."""
    lines: list[Json] = []
    for line in play_transcripts(setup, first, MATCHES_AT_ONCE):
        lines.append(line)
        if line["format"] == MATCH_FORMAT:
            yield lines
            lines = []


def replay(table: Table, deals: int) -> Found:
    """Play and judge whole matches of a table until there are so many deals."""
    setup = prepare(table.variant, table.bots, SEED, "match")
    violations: list[str] = []
    n_deals = by_reference = first = 0
    while n_deals < deals:
        for number, lines in enumerate(matches_of(setup, first), start=first):
            if n_deals >= deals:
                break
            of_match = [line for line in lines if line["format"] != MATCH_FORMAT]
            n_deals += len(of_match)
            violations += [f"match {number}, deal {line['deal']}: {v}" for line in of_match for v in violations_of(line)]
            if number % ONE_IN == 0:
                by_reference += len(of_match)
                violations += [f"match {number}, by the reference: {fault}" for fault in judged_by_reference(lines)]
        first += MATCHES_AT_ONCE
    return Found(n_deals, by_reference, violations)


def main() -> int:
    """Replay all tables and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2000, help="deals a table, at least")
    parser.add_argument("--only", default="", help="only tables whose names contain this")
    options = parser.parse_args()
    tables = [table for table in (*shipped_tables(), *option_tables(), *composed_tables()) if options.only in table.name]
    total = by_reference = bad = 0
    for table in tables:
        began = time.perf_counter()
        found = replay(table, options.deals)
        total, by_reference, bad = total + found.deals, by_reference + found.by_reference, bad + len(found.violations)
        print(
            f"{table.name}: {found.deals} deals, {found.by_reference} by the reference, {len(found.violations)} violations,"
            f" {time.perf_counter() - began:.1f} s",
            flush=True,
        )
        for violation in found.violations[:3]:
            print(f"  {violation}")
    print(f"{len(tables)} tables, {total} deals, {by_reference} by the reference too, {bad} violations")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
