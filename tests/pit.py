"""Short ways to Pit in tests: variants, setups, transcripts, and the options with their values."""

from __future__ import annotations

import random
from typing import Any

from helpers import HEURISTIC, RANDOM, Json, bots_of
from reference.games import game

from simcore.batch import Setup, prepare
from simcore.config import Variant, load_bot, load_variant
from simcore.transcript import play_transcripts
from simcore.transcript_events import MATCH_FORMAT

BOLD: Json = {**RANDOM, "name": "bold", "bidding": {"policy": "random", "step_pass_percent": 20, "alone_percent": 50}}
SHY: Json = {**RANDOM, "name": "shy", "bidding": {"policy": "random", "step_pass_percent": 93}}
NOVICE: Json = load_bot("novice").model_dump(mode="json")
EXPECTED: Json = load_bot("expected").model_dump(mode="json")
__all__ = ["BOLD", "EXPECTED", "HEURISTIC", "NOVICE", "RANDOM", "SHY"]

MODELS = ("quota", "persistent", "capture")
SINGLE: dict[str, Json] = {
    "default": {},
    "persistent": {"shedding.model": "persistent"},
    "capture": {"shedding.model": "capture"},
    "by card": {"shedding.unit": "card"},
    "capture by card": {"shedding.model": "capture", "shedding.unit": "card"},
    "shortfall": {"shedding.alone_failed": "shortfall"},
    "capture shortfall": {"shedding.model": "capture", "shedding.alone_failed": "shortfall"},
    "jump bids": {"auction.jump_bids": True},
    "back in": {"auction.pass_is_final": False},
    "no bid": {"auction.short_hand": "no_bid"},
    "auto out": {"auction.short_hand": "auto_out"},
    "persistent auto out": {"auction.short_hand": "auto_out", "shedding.model": "persistent"},
    "never alone": {"auction.alone": False},
    "other bids": {"auction.bids": [2, 4, 6, 7]},
    "high bids": {"auction.bids": [6, 7]},
    "any card": {"play.must_follow": False},
    "must ruff": {"play.must_ruff": True, "play.must_underruff": True},
    "must head": {"play.must_head": True, "play.must_ruff": True, "play.must_overruff": True},
    "hearts": {"play.trump": "H"},
    "hearts and a card": {"play.trump": "H", "deal.upcard": True},
    "no trumps": {"play.trump": "none", "shedding.model": "capture"},
    "points": {"match.victory": {"points": 20}},
    "points by card": {"match.victory": {"points": 30}, "shedding.unit": "card"},
    "points auto out": {"match.victory": {"points": 20}, "auction.short_hand": "auto_out"},
    "scoring": {"scoring.per_trick": 0.5, "scoring.declarer_per_trick": 1.5, "scoring.alone_per_trick": 10},
    "few cards": {"deal.cards": 2},
    "capped": {"match.max_deals": 6},
}
"""Each option by itself, and some that touch each other."""

_BY_PATH: dict[str, list[Any]] = {}
for _changes in SINGLE.values():
    for _path, _value in _changes.items():
        _BY_PATH.setdefault(_path, []).append(_value)


def pit_with(changes: Json | None = None) -> Variant:
    """Pit with some values changed, given by their paths; starts from the copy of the rules in the reference."""
    return load_variant(game("pit", changes))


def pit_setup(changes: Json | None = None, bots: tuple[Json, ...] = (RANDOM,), seed: int = 7, unit: str = "match") -> Setup:
    """A setup of Pit, ready to play."""
    return prepare(pit_with(changes), bots_of(*bots), seed, unit)


def rounds_of(setup: Setup, first: int, count: int) -> list[Json]:
    """Transcripts of some matches, without the match lines."""
    return [line for line in play_transcripts(setup, first, count) if line["format"] != MATCH_FORMAT]


def some_rules(number: int) -> tuple[Json, tuple[Json, ...]]:
    """A random combination of options that fit together, and bots."""
    chosen = random.Random(number)
    changes = {path: chosen.choice(values) for path, values in _BY_PATH.items() if chosen.random() < 0.3}
    changes["players"] = chosen.choice((3, 4, 5, 6))
    if changes.get("play.must_follow") is False:
        changes = {path: value for path, value in changes.items() if path == "play.must_follow" or "must" not in path}
    if not changes.get("play.must_ruff"):
        for path in ("play.must_overruff", "play.must_underruff"):
            changes.pop(path, None)
    if changes.get("shedding.model") == "persistent":
        changes.pop("shedding.unit", None)
    if isinstance(changes.get("match.victory"), dict):
        changes.pop("shedding.model", None)
    if changes.get("deal.cards") == 2 and changes.get("auction.short_hand", "bid_all") != "bid_all":
        changes.pop("deal.cards")
    return changes, tuple(chosen.choice((RANDOM, BOLD, SHY)) for _ in range(changes["players"]))
