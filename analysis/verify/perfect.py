"""Exact check of the solver: random endings, searched once more in plain Python by trying every card."""

from __future__ import annotations

import random

from analysis.verify import plain
from analysis.verify.effort import Effort
from analysis.verify.findings import Outcome, exact
from simcore.api import solve

STRAINS = ("C", "D", "H", "S", "NT")
VARIANTS = {"draw_bridge": [], "bridgette": list(plain.COLON_RANKS)}


def check_solver(seed: int, effort: Effort) -> Outcome:
    """Tricks of perfect play, in all strains and with both leaders, with and without colons."""
    found = Outcome("solver", "perfect play against a search that tries every card")
    for variant, colons in VARIANTS.items():
        for cards in range(2, effort.cards + 1):
            endings = max(1, effort.endings // 2 ** (cards - 2))  # a card more takes many times as long
            hands = [_ending(random.Random(f"{seed} {variant} {cards} {i}"), cards, colons) for i in range(endings)]
            solved = solve(variant, [(plain.text_of(one), plain.text_of(other)) for one, other in hands])
            wrong = []
            for number, pair in enumerate(hands):
                held = (frozenset(pair[0]), frozenset(pair[1]))
                for place, strain in enumerate(STRAINS):
                    for leader in range(2):
                        due = plain.best_tricks(held, leader, strain if strain != "NT" else None)
                        given = int(solved[number, place, leader])
                        if given != due:
                            texts = " ".join(map(plain.text_of, pair))
                            wrong.append(f"{texts}, {strain}, seat {leader} leads: {given} tricks, by search {due}")
            found.findings.append(exact(f"{variant}, {cards} cards", 10 * endings, wrong))
    return found


def _ending(chosen: random.Random, cards: int, colons: list[str]) -> tuple[list[str], list[str]]:
    """Two hands, from all cards or from two suits only, where more depends on the order of play."""
    pack = [card for card in plain.DRAW_ORDER if not plain.is_colon(card)]
    if chosen.random() < 0.5:
        suits = chosen.sample(plain.SUITS, 2)
        pack = [card for card in pack if card[0] in suits]
    both = chosen.sample([*pack, *(colons * (1 + cards // 2))], 2 * cards)
    while len(set(both)) < len(both):
        both = chosen.sample([*pack, *(colons * (1 + cards // 2))], 2 * cards)
    return both[:cards], both[cards:]
