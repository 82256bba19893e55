"""Cards and hands as text: ``"SA"`` is the ace of spades, ``"GC"`` the Grand Colon, ``"AK.T9..2/GL"`` a hand."""

from __future__ import annotations

SUITS = ["C", "D", "H", "S"]
STRAINS = ["C", "D", "H", "S", "NT"]
RANKS = "23456789TJQKA"
COLONS = ["GC", "RC", "LC"]
COLON_OF_NAME = {"grand": "GC", "royal": "RC", "little": "LC"}

# The ranks on which a colon may be played (C1) and which beat it when it is led (C9).
COLON_RANGE = {"GC": "A", "RC": "JQK", "LC": "23456789T"}

CLUBS = ["C" + rank for rank in RANKS]
OTHER_SUITS = [suit + rank for suit in "DHS" for rank in RANKS]
DRAW_ORDER = CLUBS + COLONS + OTHER_SUITS

PLACE_IN_DRAW_ORDER = {card: place for place, card in enumerate(DRAW_ORDER)}


def is_colon(card):
    """Colons have no suit and no rank."""
    return card in COLON_RANGE


def is_card(text):
    """Whether the text is a card of the full 55-card deck."""
    return isinstance(text, str) and text in PLACE_IN_DRAW_ORDER


def suit_of(card):
    """Suit letter of a natural card; None for a colon."""
    return None if is_colon(card) else card[0]


def rank_of(card):
    """Rank letter of a natural card; None for a colon."""
    return None if is_colon(card) else card[1]


def rank_value(card):
    """Height of a natural card's rank: 0 for a two, 12 for an ace."""
    return RANKS.index(rank_of(card))


def in_range(colon, card):
    """Whether a natural card lies in the range of a colon."""
    return not is_colon(card) and rank_of(card) in COLON_RANGE[colon]


def naturals(cards):
    """The cards that are not colons."""
    return [card for card in cards if not is_colon(card)]


def colons_of(cards):
    """The cards that are colons."""
    return [card for card in cards if is_colon(card)]


def cards_of_suit(cards, suit):
    """The natural cards of one suit; colons never count toward its length."""
    return [card for card in cards if suit_of(card) == suit]


def in_draw_order(cards):
    """The cards sorted: clubs, colons, diamonds, hearts, spades, low ranks first."""
    return sorted(cards, key=PLACE_IN_DRAW_ORDER.get)


def deck(rules):
    """All cards of a variant, in draw order."""
    wanted = [COLON_OF_NAME[name] for name in rules["deck"]["colons"]]
    return [card for card in DRAW_ORDER if not is_colon(card) or card in wanted]


def hand_text(cards):
    """A hand as text: spades.hearts.diamonds.clubs, ranks from the top, colons after a slash.

    Examples
    --------
    >>> hand_text(["SA", "C5", "ST", "D2", "LC", "GC"])
    'AT..2.5/GL'
    >>> hand_text([])
    '...'
    """
    parts = []
    for suit in reversed(SUITS):
        ranks = [rank_of(card) for card in cards_of_suit(cards, suit)]
        parts.append("".join(sorted(ranks, key=RANKS.index, reverse=True)))
    letters = "".join(colon[0] for colon in COLONS if colon in cards)
    return ".".join(parts) + ("/" + letters if letters else "")


def parse_hand(text):
    """The cards of a hand given as text, in draw order; ValueError if it is not written as `hand_text` writes it.

    Examples
    --------
    >>> parse_hand("AT..2.5/GL")
    ['C5', 'GC', 'LC', 'D2', 'ST', 'SA']
    """
    natural_part, _, colon_part = text.partition("/")
    suits = natural_part.split(".")
    if len(suits) != len(SUITS):
        raise ValueError(f"{text!r}: a hand has four suits, S.H.D.C")
    cards = [suit + rank for suit, ranks in zip(reversed(SUITS), suits, strict=True) for rank in ranks]
    cards += [letter + "C" for letter in colon_part]
    every_card_once = all(is_card(card) for card in cards) and len(set(cards)) == len(cards)
    if not every_card_once or hand_text(cards) != text:
        raise ValueError(f"{text!r} is not a hand in the form S.H.D.C, ranks from the top, colons G R L after a slash")
    return in_draw_order(cards)
