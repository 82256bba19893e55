"""Random endings for tests of the solver: as texts for the reference, as masks for the kernels."""

from __future__ import annotations

import random
from dataclasses import dataclass

from helpers import Json, mask, suit
from reference.bridgette import variant as reference_variant
from reference.cards import deck as reference_deck
from reference.cards import is_colon

STRAINS = ["C", "D", "H", "S", "NT"]


@dataclass(frozen=True)
class Ending:
    """A position with equal hands, or with a card on the table."""

    hands: list[list[str]]
    strain: str
    leader: int
    barred: str | None = None
    led: str | None = None

    @property
    def trump(self) -> str | None:
        return None if self.strain == "NT" else self.strain

    @property
    def masks(self) -> tuple[int, int]:
        """Leader's and follower's hand for the kernels."""
        return int(mask(self.hands[self.leader])), int(mask(self.hands[1 - self.leader]))

    @property
    def bar(self) -> int:
        return int(suit(self.barred))


def thinned(rng: random.Random, cards: list[str], least: int) -> list[str]:
    """Half of the time all cards, else about three of four ranks a suit, so that ranges run out."""
    if rng.random() < 0.5:
        return cards
    kept = [card for card in cards if is_colon(card) or rng.random() < 0.6]
    return kept if len(kept) >= least else cards


def random_ending(rng: random.Random, n: int, colons: int = 0, situations: bool = True) -> Ending:
    """An ending of n cards a hand with this many colons in play, perhaps with a bar or a led card."""
    naturals = [card for card in reference_deck(reference_variant({})) if not is_colon(card)]
    drawn = rng.sample(["GC", "RC", "LC"], min(colons, 2 * n))
    cards = drawn + rng.sample(thinned(rng, naturals, 2 * n), 2 * n - len(drawn))
    rng.shuffle(cards)
    hands, leader = [cards[:n], cards[n:]], rng.randrange(2)
    barred = rng.choice("CDHS") if situations and colons < 3 and rng.random() < 0.3 else None
    led = None
    if barred is None and situations and rng.random() < 0.3:
        led = rng.choice(hands[leader])
        hands[leader] = [card for card in hands[leader] if card != led]
    return Ending(hands, rng.choice(STRAINS), leader, barred, led)


def rules_of(changes: Json | None = None) -> Json:
    """The reference's rules with some changes."""
    return reference_variant(changes or {})
