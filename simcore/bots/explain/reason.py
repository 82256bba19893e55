"""What an explanation is, and words for cards and suits in it. Plain Python."""

from __future__ import annotations

from typing import Any, NamedTuple

from simcore.cards import BORDER_CARD, NATURALS
from simcore.codes import HUNDREDTHS, N_SUITS
from simcore.notation import STRAINS, card_text

ALL_NATURALS = int(NATURALS)
SUIT_MASKS = tuple(0x1FFF << 16 * suit for suit in range(N_SUITS))
"""Cards of each suit in the kernels' form."""


class Reason(NamedTuple):
    """One decision explained."""

    choice: int
    """What the policy decides: cards thrown, a call's code, or a card played; as the kernels write it."""
    policy: str
    rule: str
    """The rule that fired, as a sentence."""
    numbers: dict[str, Any]
    """What was weighed."""


def cards_text(mask: int) -> str:
    """Cards of a mask in the kernels' form, highest first within each suit, spades first; ``-`` for none."""
    texts = [card_text(int(BORDER_CARD[bit])) for bit in range(63, -1, -1) if mask >> bit & 1 and BORDER_CARD[bit] >= 0]
    return " ".join(texts) or "-"


def lowest(mask: int) -> int:
    """Lowest set bit."""
    return mask & -mask


def highest(mask: int) -> int:
    """Highest set bit; 0 for none."""
    return 1 << mask.bit_length() - 1 if mask else 0


def length(mask: int, suit: int) -> int:
    """Natural cards of a suit."""
    return (mask & SUIT_MASKS[suit]).bit_count()


def suit_name(suit: int) -> str:
    """Letter of a suit."""
    return STRAINS[suit]


def rank(card: int) -> int:
    """Rank of a card (one bit), 0..12; colons 13..15."""
    return (card.bit_length() - 1) % 16


def lowest_ranked(mask: int) -> int:
    """A card of the lowest rank, the lower suit on ties, colons above aces; 0 for none."""
    cards = [1 << bit for bit in range(64) if mask >> bit & 1]
    return min(cards, key=lambda card: (rank(card), card), default=0)


def highest_ranked(mask: int) -> int:
    """A card of the highest rank, the lower suit on ties; 0 for none."""
    cards = [1 << bit for bit in range(64) if mask >> bit & 1]
    return max(cards, key=lambda card: (rank(card), -card), default=0)


def tricks_number(hundredths: int) -> float:
    """Hundredths of a trick as a number of tricks."""
    return hundredths / HUNDREDTHS
