"""Numbers of cards that follow from a variant: what is dealt, what is turned, what is in hand as the auction begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcore.codes import N_CARDS

if TYPE_CHECKING:
    from simcore.config.variant import Variant

_LOOKS = 26
"""Turns of `look_and_choose`: each uses two cards of the 52 (rules.md, section 4)."""
_PAIR = 2


def pack_size(variant: Variant) -> int:
    """Return the number of cards of the pack, colons included."""
    return N_CARDS + len(variant.deck.colons)


def cards_of(variant: Variant) -> int:
    """Return the cards dealt to each player: in a shedding game the first quota, 0 where the hands are chosen.

    A map of players to cards without an entry for the players of the variant gives 0; loading refuses it.
    """
    cards = variant.deal.cards
    return cards if isinstance(cards, int) else cards.get(variant.players, 0)


def turns_card(variant: Variant) -> bool:
    """Tell whether a card is turned after the deal: as the upcard, or because it sets trumps."""
    return variant.deal.upcard or variant.play.trump == "turned_card"


def final_cards(variant: Variant) -> int:
    """Return the cards of a hand as the auction begins; it is the number of tricks, but in shedding games."""
    return _LOOKS // _PAIR if variant.exchange.kind == "look_and_choose" else cards_of(variant)
