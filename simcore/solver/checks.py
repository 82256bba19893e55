"""What a user may ask the solver: hands, cards and rules read and checked, with messages. Plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.codes import N_CARDS, N_COLONS, N_RANKS, N_SUITS
from simcore.errors import InputError
from simcore.notation import COLON_NAMES, COLONS, STRAINS, SUITS, card_numbers, card_text, hand_text, parse_card, parse_hand

if TYPE_CHECKING:
    from simcore.config import Variant

SEATS = 2
_DUTIES = ("must_ruff", "must_overruff", "must_underruff", "must_head")


def check_variant(variant: Variant) -> None:
    """Refuse games that the solver does not know."""
    if variant.players != SEATS:
        raise InputError(f"{variant.name}: perfect play is solved for two hands, and the game has {variant.players} players")
    duties = [duty for duty in _DUTIES if getattr(variant.play, duty, False)]
    if duties:
        raise InputError(f"{variant.name}: perfect play knows no duty to ruff or to head a trick; play.{duties[0]} is on")


def hand_of(hand: str | int, seat: int) -> int:
    """A hand as a mask of the border, from a text or a mask."""
    if isinstance(hand, str):
        return parse_hand(hand)
    mask = int(hand)
    if not 0 <= mask < 1 << (N_CARDS + N_COLONS):
        raise InputError(f"hand of seat {seat}: {mask} is not a mask of cards; use bits 0 .. {N_CARDS + N_COLONS - 1}")
    return mask


def check_hands(variant: Variant, hands: Sequence[int], held: Sequence[int] | None = None) -> None:
    """Refuse two hands that cannot be.

    Parameters
    ----------
    variant : Variant
        The rules.
    hands : sequence of int
        Masks of both hands.
    held : sequence of int or None
        How many cards each holds, where one of them has just led; None: as the masks say.
    """
    counts = [mask.bit_count() for mask in hands] if held is None else held
    both = hands[0] & hands[1]
    if both:
        raise InputError(f"both hands hold {card_text(card_numbers(both)[0])}")
    missing = [index for index in range(N_COLONS) if COLON_NAMES[index] not in variant.deck.colons]
    for mask in hands:
        for index in missing:
            if mask >> (N_CARDS + index) & 1:
                raise InputError(f"hand {hand_text(mask)!r} holds {COLONS[index]}, which is not in the pack of {variant.name}")
    if counts[0] != counts[1] or not 1 <= counts[0] <= N_RANKS:
        raise InputError(
            f"the hands have {counts[0]} and {counts[1]} cards; both need as many, 1 to {N_RANKS}, a card that was led included"
        )


def hands_array(variant: Variant, hands: Any) -> np.ndarray:
    """Masks of the border of many deals, from an array or from pairs of texts, checked. -> uint64[deals, 2]"""
    if not isinstance(hands, np.ndarray):
        pairs = [(hand_of(pair[0], 0), hand_of(pair[1], 1)) for pair in hands]
        hands = np.array(pairs, np.uint64).reshape(len(pairs), SEATS)
    if hands.ndim != SEATS or hands.shape[1] != SEATS or hands.dtype != np.uint64:
        raise InputError(f"hands: an array of {hands.dtype}, shape {hands.shape}; allowed: uint64 masks of shape (deals, 2)")
    pack = (1 << N_CARDS) - 1
    for index, name in enumerate(COLON_NAMES):
        pack |= (name in variant.deck.colons) << (N_CARDS + index)
    counts = np.bitwise_count(hands)
    wrong = (hands[:, 0] & hands[:, 1] != 0) | (counts[:, 0] != counts[:, 1]) | (counts[:, 0] == 0) | (counts[:, 0] > N_RANKS)
    wrong |= ((hands & ~np.uint64(pack)) != 0).any(1)
    if wrong.any():
        row = int(wrong.argmax())
        masks = [hand_of(int(mask), seat) for seat, mask in enumerate(hands[row])]
        try:
            check_hands(variant, masks)
        except InputError as error:
            raise InputError(f"deal {row}: {error}" if len(hands) > 1 else str(error)) from None
    return np.ascontiguousarray(hands)


def strain_of(text: str) -> int:
    """Code of a strain."""
    word = text.strip().upper()
    word = "NT" if word == "N" else word
    if word not in STRAINS:
        raise InputError(f"strain {text!r} is not a strain; allowed: {', '.join(STRAINS)}")
    return STRAINS.index(word)


def suit_of_text(text: str) -> int:
    """Code of a suit."""
    word = text.strip().upper()
    if word not in SUITS:
        raise InputError(f"barred suit {text!r} is not a suit; allowed: {', '.join(SUITS)}")
    return SUITS.index(word)


def take_led(hands: Sequence[int], leader: int, led: str | None) -> tuple[list[int], int]:
    """Hands without the card on the table, and its mask (0 for none); it may be given in the leader's hand or not."""
    if led is None:
        return list(hands), 0
    card = 1 << parse_card(led)
    if hands[1 - leader] & card:
        raise InputError(f"led card {card_text(parse_card(led))} is in the hand of seat {1 - leader}, but seat {leader} led it")
    left = list(hands)
    left[leader] &= ~card
    return left, card


def seat_of(what: str, seat: int) -> int:
    """A seat, checked."""
    if seat not in range(SEATS):
        raise InputError(f"{what}: {seat} is no seat; allowed: 0, 1")
    return seat


def suit_mask(suit: int) -> int:
    """The kernels' mask of a suit; 0 <= suit < 4."""
    assert suit < N_SUITS
    return ((1 << N_RANKS) - 1) << 16 * suit
