"""Text of cards, hands, bids, contracts and calls, and back. Plain Python, for everything people read or write.

At this border a card is a number, 13 * suit + rank for natural cards (suits C D H S = 0..3, ranks 2..A = 0..12) and
52, 53, 54 for the Grand, Royal and Little Colon; a hand is a mask with one bit a card. Kernels use another layout
(`simcore.cards`). Errors are `InputError` with what was read and what is allowed.
"""

from __future__ import annotations

from typing import NamedTuple

from simcore.codes import BOOK, N_CARDS, N_COLONS, N_LEVELS, N_RANKS, N_STRAINS, N_SUITS, Doubling
from simcore.errors import InputError

SUITS = ("C", "D", "H", "S")
STRAINS = ("C", "D", "H", "S", "NT")
RANKS = "23456789TJQKA"
COLONS = ("GC", "RC", "LC")
COLON_NAMES = ("grand", "royal", "little")
DOUBLING_TEXT = ("", "X", "XX")


class Contract(NamedTuple):
    """A contract: ``level`` 0..7, ``strain`` 0..4 in bidding order, ``doubling`` 0..2."""

    level: int
    strain: int
    doubling: int

    @property
    def need(self) -> int:
        """Tricks declarer has to take."""
        return BOOK + self.level


def card_text(card: int) -> str:
    """Text of a card number, for example ``"SA"``, ``"GC"``."""
    if card >= N_CARDS:
        return COLONS[card - N_CARDS]
    suit, rank = divmod(card, N_RANKS)
    return SUITS[suit] + RANKS[rank]


def parse_card(text: str) -> int:
    """Card number of a text such as ``"SA"``, ``"D10"`` or ``"GC"``; letters in either case."""
    word = text.strip().upper()
    if word in COLONS:
        return N_CARDS + COLONS.index(word)
    suit, rank = word[:1], word[1:].replace("10", "T")
    if suit in SUITS and len(rank) == 1 and rank in RANKS:
        return N_RANKS * SUITS.index(suit) + RANKS.index(rank)
    raise InputError(
        f"card {text!r} is not a card: a suit letter C D H S and a rank A K Q J T 9..2 (SA, HT), or a colon GC RC LC"
    )


def card_numbers(mask: int) -> list[int]:
    """Card numbers of a hand, rising."""
    return [card for card in range(N_CARDS + N_COLONS) if mask >> card & 1]


def mask_of(cards: list[int]) -> int:
    """Hand of a list of card numbers."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def hand_text(mask: int) -> str:
    """A hand in the order S.H.D.C, for example ``"AKQ2.K83.A4.QT9/G"``; colons after a slash."""
    suits = []
    for suit in reversed(range(N_SUITS)):
        held = mask >> (N_RANKS * suit)
        suits.append("".join(RANKS[rank] for rank in reversed(range(N_RANKS)) if held >> rank & 1))
    colons = "".join(COLONS[c][0] for c in range(N_COLONS) if mask >> (N_CARDS + c) & 1)
    return ".".join(suits) + (f"/{colons}" if colons else "")


def parse_hand(text: str) -> int:
    """Hand of a text in the order S.H.D.C; see `hand_text`."""
    natural, slash, colons = text.strip().upper().partition("/")
    suits = natural.split(".")
    if len(suits) != N_SUITS or (slash and not colons):
        raise InputError(
            f"hand {text!r} is not a hand: four suits S.H.D.C with dots between them, then perhaps a slash and colons, "
            "as in AKQ2.K83.A4.QT9/G"
        )
    mask = 0
    for letters, suit in zip(suits, reversed(range(N_SUITS)), strict=True):
        for letter in letters.replace("10", "T"):
            mask = _add_card(mask, text, SUITS[suit] + letter)
    for letter in colons:
        mask = _add_card(mask, text, letter + "C" if letter in "GRL" else letter + "?")
    return mask


def _add_card(mask: int, text: str, word: str) -> int:
    try:
        card = parse_card(word)
    except InputError:
        raise InputError(
            f"hand {text!r}: {word!r} is not a card; ranks are A K Q J T 9..2, colons after the slash G R L"
        ) from None
    if mask >> card & 1:
        raise InputError(f"hand {text!r} holds {word} twice")
    return mask | 1 << card


def bid_text(bid: int) -> str:
    """Text of a bid number 5 * level + strain, for example ``"3NT"``."""
    level, strain = divmod(bid, N_STRAINS)
    return f"{level}{STRAINS[strain]}"


def parse_bid(text: str) -> int:
    """Bid number of a text such as ``"3NT"`` or ``"4s"``."""
    word = text.strip().upper()
    level, strain = word[:1], word[1:]
    strain = "NT" if strain == "N" else strain
    if level.isdecimal() and int(level) < N_LEVELS and strain in STRAINS:
        return N_STRAINS * int(level) + STRAINS.index(strain)
    raise InputError(f"bid {text!r} is not a bid: a level 0..7 and a strain C D H S NT, as in 4S")


def contract_text(contract: Contract) -> str:
    """Text of a contract, for example ``"4SX"``."""
    return f"{contract.level}{STRAINS[contract.strain]}{DOUBLING_TEXT[contract.doubling]}"


def parse_contract(text: str) -> Contract:
    """Contract of a text such as ``"4S"``, ``"4SX"``, ``"3NTXX"``."""
    word = text.strip().upper()
    bid = word.rstrip("X")
    doubling = len(word) - len(bid)
    try:
        level, strain = divmod(parse_bid(bid), N_STRAINS)
        return Contract(level, strain, int(Doubling(doubling)))
    except (InputError, ValueError):
        raise InputError(
            f"contract {text!r} is not a contract: a level 0..7, a strain C D H S NT and perhaps X or XX, as in 4SX"
        ) from None


def points_number(tenths: int) -> int | float:
    """Points of a whole number of tenths as a JSON number: 5 for 50, 5.1 for 51."""
    whole, rest = divmod(tenths, 10)
    return whole if rest == 0 else tenths / 10


def step_text(bid: int, alone: bool) -> str:
    """Text of a bid in steps, for example ``"3"`` or ``"3 alone"``."""
    return f"{bid} alone" if alone else str(bid)


def parse_step(text: str) -> tuple[int, bool]:
    """Tricks of a bid in steps, and whether it is played alone, of a text such as ``"3"`` or ``"3 alone"``."""
    number, *rest = text.strip().lower().split() or [""]
    if number.isdecimal() and len(number) < _LONG and rest in ([], ["alone"]):
        return int(number), bool(rest)
    raise InputError(f"bid {text!r} is not a bid: a number of tricks and perhaps alone, as in 3 or 3 alone")


def parse_call(text: str) -> int:
    """Tricks of a call such as ``"5"``."""
    word = text.strip()
    if word.isdecimal() and len(word) < _LONG:
        return int(word)
    raise InputError(f"call {text!r} is not a call: a number of tricks, as in 5")


_LONG = 4
"""Digits that no number of tricks has."""
