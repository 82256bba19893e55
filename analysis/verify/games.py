"""Plays every shipped variant with the shipped bots and looks at each transcript once: what several checks ask of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.verify import plain
from analysis.verify.effort import Effort
from simcore.api import deal, replay
from simcore.batch import prepare
from simcore.config import load_bot, load_variant, shipped, unsolved
from simcore.errors import InputError

_AT_ONCE = 20
"""Matches that are played at once, at most."""
TENTHS = 10


@dataclass(slots=True)
class Seen:
    """What the transcripts of one variant and bot showed.

    Attributes
    ----------
    variant, bot : str
    deals, tricks : int
    replayed : int
        Transcripts that the referee read.
    violations, tricks_wrong, points_wrong : list of str
        By the referee; by the plain rules.
    choices : dict
        By kind and number of legal choices: how often each was taken, in draw order.
    openings : Counter
        The first call of each auction.
    """

    variant: str
    bot: str
    deals: int = 0
    tricks: int = 0
    replayed: int = 0
    violations: list[str] = field(default_factory=list)
    tricks_wrong: list[str] = field(default_factory=list)
    points_wrong: list[str] = field(default_factory=list)
    choices: dict[str, dict[int, np.ndarray]] = field(default_factory=dict)
    openings: Counter[str] = field(default_factory=Counter)

    def count(self, kind: str, n_legal: int, place: int) -> None:
        """A choice among so many."""
        by_number = self.choices.setdefault(kind, {})
        by_number.setdefault(n_legal, np.zeros(n_legal, np.int64))[place] += 1


def tables() -> Iterator[tuple[str, str]]:
    """Shipped variants with the shipped bots that can play them; bots that see all cards where perfect play is known."""
    for name in shipped("variants"):
        variant = load_variant(name)
        for bot in map(load_bot, shipped("bots")):
            if bot.sees_all and unsolved(variant) is not None:
                continue
            try:
                prepare(variant, [bot], 1, "deal")
            except InputError:  # without a model of tricks for these rules
                continue
            yield name, bot.name


def all_seen(seed: int, effort: Effort) -> list[Seen]:
    """Play all tables, once for all checks."""
    return effort.shared("games", lambda: [seen(*table, seed, effort) for table in _chosen(effort)])


def _chosen(effort: Effort) -> list[tuple[str, str]]:
    """All tables; the short form has fewer bots."""
    return [table for table in tables() if not effort.bots or table[1] in effort.bots]


def seen(variant: str, bot: str, seed: int, effort: Effort) -> Seen:
    """Play whole matches of a table until there are enough deals."""
    found = Seen(variant, bot)
    wanted = effort.transcripts if bot == "random" else effort.others
    wanted = wanted if not load_bot(bot).sees_all else min(wanted, effort.oracle)
    first, at_once = 0, min(_AT_ONCE, -(-wanted // 10))
    while found.deals < wanted:
        lines = list(deal(variant, first, count=at_once, seed=seed, bots=bot))
        first += at_once
        report = replay([json.dumps(line) for line in lines])
        found.replayed += report.transcripts
        found.violations += [
            f"transcript {v['transcript']}, event {v['event']}: {v['rule']}: {v['message']}" for v in report.violations
        ]
        for line in lines:
            if line["format"] == "simcore-transcript/1":
                _look(found, line)
    return found


def _look(found: Seen, line: Mapping[str, Any]) -> None:
    """Take up one transcript."""
    found.deals += 1
    followed = plain.follow(line)
    where = f"match {line['match']}, deal {line['deal']}"
    found.tricks += followed.tricks
    found.tricks_wrong += [f"{where}: {fault}" for fault in followed.faults]
    due = [round(TENTHS * points) for points in plain.points_of(line)]
    paid = [round(TENTHS * points) for points in line["result"]["points"]]
    if due != paid:
        found.points_wrong.append(f"{where}: {line['result']} but the points are {[tenth / TENTHS for tenth in due]}")
    if found.bot != "random":
        return
    for choice in followed.decisions:
        if choice.chosen in choice.legal:
            found.count(choice.kind, len(choice.legal), choice.legal.index(choice.chosen))
    _count_others(found, line)


def _count_others(found: Seen, line: Mapping[str, Any]) -> None:
    """Choices that are not of cards to play."""
    calls = [event for event in line["events"] if event["act"] == "call"]
    found.openings[calls[0]["call"]] += 1
    for event in line["events"]:
        if event["act"] == "choose":
            found.count("keep", 2, event["seen"].index(event["kept"]))
        elif event["act"] == "exchange":
            hand = plain.in_draw_order(before_throw(line, event))
            for card in event["discarded"]:
                found.count(f"throw {len(event['discarded'])}", len(hand), hand.index(card))


def before_throw(line: Mapping[str, Any], event: Mapping[str, Any]) -> list[str]:
    """Cards of a seat as it chooses what to throw."""
    return plain.hand_of(line["events"][0]["hands"][event["seat"]]) + list(event["drew"])
