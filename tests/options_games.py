"""Every value of every option of Call Bridge, Draw Bridge, Draw and Discard and composed games, one change at a time.

A game is a shipped variant and changes by path. Games of steps (Pit) and Bridgette itself have lists of their own.
"""

from __future__ import annotations

import json
import random

from helpers import BOLD, PASSING, RANDOM, SHY, Json

from simcore.config import Variant, load_variant
from simcore.errors import InputError

WIDE: Json = {**RANDOM, "name": "wide", "bidding": {"policy": "random", "call_spread": 13}}
"""Calls anything; in bridge auctions the random bot."""
LOW: Json = {**RANDOM, "name": "low", "bidding": {"policy": "random", "call_spread": 1}}
"""Calls low, so that many calls are made and matches to a target end."""

GAMES = (
    "call_bridge", "call_bridge_pagat", "call_break", "oh_hell", "oh_hell_openspiel", "draw_bridge", "draw_bridge_published",
    "draw_and_discard_bridge", "draw_and_discard_bridge_published",
)  # fmt: skip
"""Shipped variants of these games."""

NO_DUTIES = {"play.must_ruff": False, "play.must_overruff": False}
BY_CARDS = {"auction.max": "cards", "auction.min": 0, "scoring.bonus_from": None}

CALLS: dict[str, Json] = {
    **{f"{n} players": {"players": n, "deal.cards": cards} for n, cards in ((2, 13), (3, 13), (4, 12))},
    **{f"{n} players": {"players": n, "deal.cards": cards, **BY_CARDS} for n, cards in ((5, 10), (6, 8))},
    "2 players, 26 cards": {"players": 2, "deal.cards": 26, "auction.max": 20},
    "1 card": {"deal.cards": 1, **BY_CARDS},
    "5 cards": {"deal.cards": 5, **BY_CARDS},
    "upcard": {"deal.cards": 12, "deal.upcard": True},
    "calls from 0": {"auction.min": 0},
    "calls from 1 to 13": {"auction.min": 1, "auction.max": 13},
    "calls up to the cards": {"auction.max": "cards"},
    "calls 3 to 4": {"auction.min": 3, "auction.max": 4},
    "total may not equal tricks": {"auction.total_may_equal_tricks": False},
    "total may not equal tricks, few calls": {
        "auction.total_may_equal_tricks": False, "auction.min": 3, "auction.max": 4, "deal.cards": 13,
    },
    "total may not equal tricks, cards": {"auction.total_may_equal_tricks": False, "deal.cards": 5, **BY_CARDS},
    "trump C": {"play.trump": "C"},
    "trump D": {"play.trump": "D"},
    "trump H": {"play.trump": "H"},
    "no trump": {"play.trump": "none"},
    "turned card": {"play.trump": "turned_card", "deal.cards": 12},
    "turned card and upcard": {"play.trump": "turned_card", "deal.cards": 12, "deal.upcard": True},
    "no duty to follow": {"play.must_follow": False, **NO_DUTIES},
    "no duty to ruff": NO_DUTIES,
    "overruff without ruff": {"play.must_ruff": False},
    "no duty to overruff": {"play.must_overruff": False},
    "underruff": {"play.must_underruff": True},
    "underruff without overruff": {"play.must_underruff": True, "play.must_overruff": False},
    "head": {"play.must_head": True},
    "head, no ruff": {"play.must_head": True, **NO_DUTIES},
    "all duties": {"play.must_head": True, "play.must_underruff": True},
    "at most one over": {"scoring.success": "at_most_one_over"},
    "exact": {"scoring.success": "exact"},
    "made: base and tricks": {"scoring.made": {"base": 10, "per_trick": 1.5}},
    "failed: zero": {"scoring.failed": "zero"},
    "failed: tricks": {"scoring.failed": {"per_trick": 0.7}},
    "overtrick points": {"scoring.overtrick_points": 0.1},
    "overtrick points and base": {"scoring.overtrick_points": 2.5, "scoring.made": {"base": 1, "per_trick": 3}},
    "no bonus calls": {"scoring.bonus_from": None},
    "bonus from 3": {"scoring.bonus_from": 3, "scoring.bonus_points": 20.5},
    "bonus from 2, exactly": {"scoring.bonus_from": 2, "scoring.bonus_overtricks": 0},
    "bonus from 4, three over": {"scoring.bonus_from": 4, "scoring.bonus_overtricks": 3},
    "5 deals": {"match.deals": 5},
    "2 deals, draw": {"match.deals": 2, "match.tie": "draw"},
    "1 deal, extra deal": {"match.deals": 1, "match.tie": "extra_deal"},
    "1 deal, then draw": {"match.deals": 1, "match.tie": "extra_deal_then_draw"},
    "1 deal, until broken": {"match.deals": 1, "match.tie": "until_broken"},
    "target 5": {"match.target": 5},
    "target 5, draw": {"match.target": 5, "match.tie": "draw"},
    "target 3.5": {"match.target": 3.5, "scoring.overtrick_points": 0.1},
    "cap of 3": {"match.max_deals": 3},
}  # fmt: skip
"""Changes of Call Bridge."""

CONTRACTS: dict[str, Json] = {
    "non-dealer opens": {"auction.opener": "non_dealer"},
    "lowest bid 0NT": {"auction.lowest_bid": "0NT"},
    "suit length 2": {"auction.min_suit_length": 2},
    "jumps by level": {"auction.jump": "level", "auction.min_jump_length": 5},
    "jumps by the ladder": {"auction.jump": "ladder", "auction.min_jump_length": 4},
    "NT needs every suit": {"auction.nt_needs_every_suit": True},
    "no doubles": {"auction.doubles": False},
    "redeal": {"auction.passed_out": "redeal"},
    "trump S": {"play.trump": "S"},
    "no trump": {"play.trump": "none"},
    "no duty to follow": {"play.must_follow": False},
    "ruff": {"play.must_ruff": True},
    "ruff and overruff": {"play.must_ruff": True, "play.must_overruff": True},
    "underruff": {"play.must_ruff": True, "play.must_underruff": True},
    "head": {"play.must_head": True},
    "all duties": {"play.must_head": True, "play.must_ruff": True, "play.must_overruff": True, "play.must_underruff": True},
    "trick values": {"scoring.trick_value": {"C": 1, "D": 2.5, "H": 3, "S": 4.1, "NT": 5}, "scoring.nt_first": 7.7},
    "no overtricks": {"scoring.overtricks": "none"},
    "factors 3 and 7": {"scoring.multiplier": {"doubled": 3, "redoubled": 7}},
    "undertricks": {"scoring.undertricks": {"undoubled": [50, 100.5], "doubled": [100], "redoubled": [200, 600, 1000]}},
    "contract table": {"scoring": {"kind": "contract_table"}},
    "3 deals": {"match.deals": 3},
    "2 deals, extra deal": {"match.deals": 2, "match.tie": "extra_deal", "match.max_deals": 9},
    "2 deals, until broken": {"match.deals": 2, "match.tie": "until_broken"},
    "2 deals, one more": {"match.deals": 2, "match.tie": "extra_deal_then_draw"},
    "target 30, extra deal": {"match.target": 30, "match.tie": "extra_deal"},
    "target 700, cap": {"match.target": 700, "match.max_deals": 5},
    "cap and redeals": {"match.max_deals": 4, "auction.passed_out": "redeal"},
}
"""Changes of games with a bridge auction."""

DRAWS: dict[str, Json] = {
    "7 cards": {"deal.cards": 7},
    "10 cards": {"deal.cards": 10},
    "12 cards and an upcard": {"deal.cards": 12, "deal.upcard": True},
    "follow suit in phase 1": {"exchange.must_follow": True},
    "any suit's rank wins": {"exchange.winner": "any_suit_rank"},
    "any suit's rank wins, follow suit": {"exchange.winner": "any_suit_rank", "exchange.must_follow": True},
    "top card visible": {"exchange.top_card_visible": True},
    "drawn cards wait": {"exchange.drawn": "aside"},
    "drawn cards wait, visible": {"exchange.drawn": "aside", "exchange.top_card_visible": True, "exchange.must_follow": True},
}
CHOICES_OF_CARDS: dict[str, Json] = {
    "second not seen": {"exchange.second_seen_when_keeping": False},
    "discards face up": {"exchange.discards_face_up": True},
    "second not seen, face up": {"exchange.discards_face_up": True, "exchange.second_seen_when_keeping": False},
    "colons": {"deck.colons": ["grand", "royal", "little"]},
    "one colon": {"deck.colons": ["royal"]},
}

TWO_CALL = {
    "auction": {"kind": "calls", "min": 0, "max": "cards"},
    "scoring": {"kind": "calls", "bonus_from": None},
    "play.trump": "H",
}
"""Two players call after an exchange."""
UPCARD = {"exchange": {"kind": "upcard"}, "deal.upcard": True}
ALL_COLONS = {"deck.colons": ["grand", "royal", "little"]}

COMPOSED: dict[str, tuple[str, Json]] = {
    "Bridgette, calls": ("bridgette", {**TWO_CALL, "match": {"deals": 4}}),
    "Bridgette, calls, turned card": ("bridgette", {**TWO_CALL, "play.trump": "turned_card", "match": {"deals": 4}}),
    "Bridgette, calls, no colons": ("bridgette", {**TWO_CALL, "deck.colons": [], "match": {"deals": 4}}),
    "Bridgette, calls, dealer takes the upcard": (
        "bridgette", {**TWO_CALL, "exchange.upcard": "dealer_takes_it", "deck.colons": [], "match": {"deals": 4}},
    ),
    "Bridgette, calls, no exchange, duties": (
        "bridgette",
        {**TWO_CALL, "exchange": {"kind": "none"}, "match": {"deals": 3}, "play.must_ruff": True, "play.must_overruff": True},
    ),
    "draws, then calls": ("draw_bridge", {**TWO_CALL, "match": {"deals": 3}}),
    "draws and duties, then calls": (
        "draw_bridge", {**TWO_CALL, "match": {"deals": 3}, "play.must_ruff": True, "play.must_overruff": True,
                        "play.must_head": True, "exchange.drawn": "aside"},
    ),
    "choices, then calls": ("draw_and_discard_bridge", {**TWO_CALL, "match": {"deals": 3}}),
    "choices with colons, then calls": ("draw_and_discard_bridge", {**TWO_CALL, **ALL_COLONS, "match": {"deals": 3}}),
    "Bridgette, trick values": ("bridgette", {"scoring": {"kind": "trick_value"}, "auction.lowest_bid": "1C"}),
    "Bridgette to a target": ("bridgette", {"match": {"target": 1500, "tie": "extra_deal", "max_deals": 20}}),
    "Bridgette, turned card sets trumps": ("bridgette", {"play.trump": "turned_card"}),
    "Bridgette, turned card, dealer takes it": (
        "bridgette", {"play.trump": "turned_card", "exchange.upcard": "dealer_takes_it"},
    ),
    "Bridgette, trump D": ("bridgette", {"play.trump": "D"}),
    "Bridgette, no trump": ("bridgette", {"play.trump": "none"}),
    "Bridgette, 7 cards": ("bridgette", {"deal.cards": 7}),
    "Bridgette, 10 cards": ("bridgette", {"deal.cards": 10}),
    "Bridgette, head": ("bridgette", {"play.must_head": True}),
    "Bridgette, ruff": ("bridgette", {"play.must_ruff": True}),
    "Bridgette, ruff, only if forced": (
        "bridgette", {"play.must_ruff": True, "colons.off_range_when_void": "only_if_forced"},
    ),
    "Bridgette, all duties": (
        "bridgette", {"play.must_head": True, "play.must_ruff": True, "play.must_overruff": True, "play.must_underruff": True,
                      "colons.must_beat_led_colon": True},
    ),
    "choices with colons and duties": (
        "draw_and_discard_bridge", {**ALL_COLONS, "play.must_head": True, "play.must_ruff": True, "play.trump": "S"},
    ),
    "draws, contract table": ("draw_bridge", {"scoring": {"kind": "contract_table"}, "match": {"deals": 2}}),
    "three players, no trump, exact": (
        "call_bridge", {"players": 3, "play.trump": "none", "scoring.success": "exact", **NO_DUTIES},
    ),
    "six players, turned card, head": (
        "call_bridge", {"players": 6, "deal.cards": 8, **BY_CARDS, "play.trump": "turned_card", "play.must_head": True},
    ),
}  # fmt: skip

CASES: dict[str, tuple[str, Json]] = {
    **{f"call_bridge: {name}": ("call_bridge", changes) for name, changes in CALLS.items()},
    **{f"draw_bridge: {name}": ("draw_bridge", changes) for name, changes in {**DRAWS, **CONTRACTS}.items()},
    **{
        f"draw_and_discard_bridge: {name}": ("draw_and_discard_bridge", changes)
        for name, changes in {**CHOICES_OF_CARDS, **CONTRACTS}.items()
    },
    **COMPOSED,
}
"""Every option value: a shipped variant and changes, by a name for people."""

MATCH_OPTIONS = ("match", "auction.passed_out")


def is_about_matches(changes: Json) -> bool:
    """Whether a change shows in whole matches only."""
    return any(path.startswith(MATCH_OPTIONS) for path in changes)


def game(name: str, changes: Json | None = None) -> Variant:
    """A shipped variant with some values changed by their paths."""
    return load_variant(name, [f"{path}={json.dumps(value)}" for path, value in (changes or {}).items()])


def bots_for(name: str) -> tuple[Json, ...]:
    """Random bots that meet an option often."""
    if "redeal" in name or "until broken" in name or "one more" in name or "extra deal" in name:
        return (SHY,)
    if "doubles" in name or "factors" in name:
        return (BOLD,)
    return (WIDE,) if name.startswith("call_bridge") and "target" not in name else (RANDOM,)


# --- combinations ----------------------------------------------------------------------------------------------------

PLAY_CHOICES: Json = {
    "play.must_follow": [True, True, True, False],
    "play.must_ruff": [True, False],
    "play.must_overruff": [True, False],
    "play.must_underruff": [True, False],
    "play.must_head": [True, False],
}
CALL_CHOICES: Json = {
    **PLAY_CHOICES,
    "players": [2, 3, 4, 5, 6],
    "deal.cards": [1, 3, 6, 8, 10, 13],
    "deal.upcard": [True, False],
    "auction.min": [0, 1, 2, 3],
    "auction.max": ["cards", "cards", 5, 8, 12],
    "auction.total_may_equal_tricks": [True, False],
    "play.trump": ["C", "D", "H", "S", "none", "turned_card"],
    "scoring.success": ["at_least", "at_most_one_over", "exact"],
    "scoring.made": ["call", {"base": 10, "per_trick": 1}, {"base": 0.5, "per_trick": 2.2}],
    "scoring.failed": ["minus_call", "zero", {"per_trick": 1}],
    "scoring.overtrick_points": [0, 0.1, 1],
    "scoring.bonus_from": [None, 2, 5, 8],
    "scoring.bonus_points": [13, 20.5],
    "scoring.bonus_overtricks": [0, 1, 2],
    "match.target": [3, 10.5],
    "match.tie": ["draw", "extra_deal"],
    "match.max_deals": [4, 8],
}
CONTRACT_CHOICES: Json = {
    **PLAY_CHOICES,
    "auction.opener": ["dealer", "non_dealer"],
    "auction.lowest_bid": ["0NT", "1C"],
    "auction.min_suit_length": [0, 1, 3],
    "auction.min_jump_length": [3, 5],
    "auction.jump": ["level", "ladder", "none"],
    "auction.nt_needs_every_suit": [True, False],
    "auction.doubles": [True, False],
    "auction.passed_out": ["count_zero", "redeal"],
    "play.trump": ["contract", "contract", "C", "S", "none", "turned_card"],
    "scoring.overtricks": ["trick_value", "none"],
    "scoring.nt_first": [40, 0.1],
    "scoring.undertricks": ["none", {"undoubled": [1, 2], "doubled": [3], "redoubled": [4, 4, 5.5]}],
    "match.target": [50, 200],
    "match.tie": ["draw", "extra_deal"],
    "match.max_deals": [3, 6],
}
DRAW_CHOICES: Json = {
    "deal.cards": [7, 9, 12, 13],
    "deal.upcard": [True, False],
    "exchange.must_follow": [True, False],
    "exchange.winner": ["led_suit", "any_suit_rank"],
    "exchange.top_card_visible": [True, False],
    "exchange.drawn": ["hand", "aside"],
}
CHOOSE_CHOICES: Json = {
    "exchange.second_seen_when_keeping": [True, False],
    "exchange.discards_face_up": [True, False],
    "deck.colons": [[], ["grand"], ["grand", "royal", "little"]],
    "colons.bar_lifted": ["no_other_card", "no_other_suit"],
    "colons.must_beat_led_colon": [True, False],
    "colons.off_range_when_void": ["discard", "only_if_forced"],
}
_OF_THE_DEAL = ("players", "deal.cards", "deal.upcard")
TWO_CALL_CHOICES = {path: values for path, values in CALL_CHOICES.items() if path not in _OF_THE_DEAL}
COLON_CHOICES = {**CHOOSE_CHOICES, "exchange.upcard": ["aside", "dealer_takes_it"], "exchange.non_dealer_draw": [0, 2, 5]}
COMBINED: tuple[tuple[str, Json, Json], ...] = (
    ("call_bridge", {}, CALL_CHOICES),
    ("call_bridge", {}, CALL_CHOICES),
    ("draw_bridge", {}, {**CONTRACT_CHOICES, **DRAW_CHOICES}),
    ("draw_and_discard_bridge", {}, {**CONTRACT_CHOICES, **CHOOSE_CHOICES}),
    ("draw_bridge", {**TWO_CALL, "match": {"deals": 2}}, {**TWO_CALL_CHOICES, **DRAW_CHOICES}),
    ("draw_and_discard_bridge", {**TWO_CALL, "match": {"deals": 2}}, {**TWO_CALL_CHOICES, **CHOOSE_CHOICES}),
    ("bridgette", {**TWO_CALL, "match": {"deals": 2}}, {**TWO_CALL_CHOICES, **COLON_CHOICES}),
    ("bridgette", {"scoring": {"kind": "trick_value"}}, {**CONTRACT_CHOICES, **COLON_CHOICES}),
)
"""A shipped variant, changes it always has, and values to combine at random."""


def some_game(number: int) -> tuple[Variant, tuple[Json, ...]]:
    """A random combination of options that go together, and bots."""
    chosen = random.Random(number)
    name, fixed, choices = COMBINED[number % len(COMBINED)]
    while True:
        changes = dict(fixed)
        for path, values in choices.items():
            if chosen.random() < 0.35 and not (path.startswith("match") and "match" in changes):
                changes[path] = chosen.choice(values)
        try:
            variant = game(name, changes)
        except InputError:
            continue
        return variant, (chosen.choice([RANDOM, WIDE, LOW, SHY, BOLD, PASSING]),)
