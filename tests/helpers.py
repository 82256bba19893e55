"""Short ways to write cards, hands, rules, bots and transcripts in tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from reference.bridgette import variant as reference_variant

from simcore.batch import Setup, prepare
from simcore.cards import BORDER_CARD, bit_number, from_border
from simcore.config import Bot, Variant, load_bot, load_variant
from simcore.errors import InputError
from simcore.notation import card_text, parse_card, parse_hand
from simcore.rules import PlayRules, build_rules
from simcore.transcript import MATCH_FORMAT, play_transcripts

Json = dict[str, Any]

U = np.uint64
RANDOM: Json = {
    "name": "random",
    "exchange": {"policy": "random"},
    "bidding": {"policy": "random"},
    "play": {"policy": "random"},
}
BOLD: Json = {**RANDOM, "name": "bold", "bidding": {"policy": "random", "double_percent": 60, "pass_percent": 5}}
"""Doubles and bids on whenever it may."""
SHY: Json = {**RANDOM, "name": "shy", "bidding": {"policy": "random", "double_percent": 5, "pass_percent": 70}}
"""Passes out about half of all deals."""
PASSING: Json = {**RANDOM, "name": "passing", "bidding": {"policy": "random", "double_percent": 0, "pass_percent": 100}}
HEURISTIC: Json = load_bot("heuristic").model_dump(mode="json")
EXPECTED: Json = load_bot("expected").model_dump(mode="json")
EXPERT: Json = load_bot("expert").model_dump(mode="json")


def can_play(variant: Variant, bot: Bot) -> bool:
    """Whether a bot plays a variant: one that bids by a model of tricks does so where there is a model for the rules."""
    try:
        prepare(variant, [bot], 1, "deal")
    except InputError:
        return False
    return True


def card(text: str) -> np.uint64:
    """The kernels' bit of a card such as ``"SA"`` or ``"GC"``."""
    return U(1 << bit_number(parse_card(text)))


def bit_of(text: str) -> np.uint64:
    """Bit number of a card."""
    return U(bit_number(parse_card(text)))


def mask(cards: str | list[str]) -> np.uint64:
    """The kernels' mask of a list of cards such as ``"SA H3 GC"``."""
    words = cards.split() if isinstance(cards, str) else cards
    return U(sum(1 << bit_number(parse_card(word)) for word in words))


def hand(text: str) -> np.uint64:
    """The kernels' mask of a hand such as ``"AK.T9..2/GL"``."""
    return U(from_border(U(parse_hand(text))))


def texts(cards: int | np.uint64) -> set[str]:
    """The cards of a kernels' mask as texts."""
    return {card_text(int(BORDER_CARD[bit])) for bit in range(64) if int(cards) >> bit & 1}


def suit(letter: str | None) -> np.uint64:
    """Mask of a suit, nothing for None."""
    return U(0x1FFF << 16 * "CDHS".index(letter)) if letter else U(0)


def variant_with(changes: Json | None = None) -> Variant:
    """Bridgette with some values changed, given by their paths (``{"auction.jump": "ladder"}``).

    Starts from the copy of the rules in the reference, so no default of the schema is taken on trust.
    """
    return load_variant(reference_variant(changes))


def play_rules(**options: Any) -> PlayRules:
    """Rules of the play with some options of the colons, or ``must_follow``, changed."""
    section = {key: "play" if key == "must_follow" else "colons" for key in options}
    return build_rules(variant_with({f"{section[key]}.{key}": value for key, value in options.items()})).play


def bots_of(*given: Json) -> list[Bot]:
    """Bots from their mappings."""
    return [load_bot(bot) for bot in given]


def setup_of(changes: Json | None = None, bots: tuple[Json, ...] = (RANDOM,), seed: int = 7, unit: str = "match") -> Setup:
    """A setup, ready to play."""
    return prepare(variant_with(changes), bots_of(*bots), seed, unit)


def lines_of(setup: Setup, first: int, count: int) -> list[Json]:
    """Transcripts and match lines of some matches."""
    return list(play_transcripts(setup, first, count))


def deals_of(setup: Setup, first: int, count: int) -> list[Json]:
    """Transcripts of some matches, without the match lines."""
    return [line for line in play_transcripts(setup, first, count) if line["format"] != MATCH_FORMAT]
