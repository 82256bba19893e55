"""What people write about a deal they do not know: part of a hand, a list of cards, the calls so far. Plain Python.

A hand is written as everywhere, S.H.D.C and colons after a slash. Part of a hand is known in two ways. A plus behind the
cards: at least these (``AK.Q..+``). Or suit by suit: ``x`` is one more card of this suit, any of them; ``*`` is any number
of them; a suit without ``*`` has exactly the cards written, so ``AKxxx.*.Q*./G*`` holds five spades with ace and king, the
queen of diamonds, no club, and the Grand Colon, perhaps others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simcore.codes import (
    BID_OFFSET,
    CALL_DOUBLE,
    CALL_PASS,
    CALL_REDOUBLE,
    N_CARDS,
    N_COLONS,
    N_RANKS,
    N_SUITS,
)
from simcore.errors import InputError
from simcore.notation import bid_text, card_text, parse_bid, parse_card, parse_hand

if TYPE_CHECKING:
    from simcore.config import Variant

PARTS = N_SUITS + 1
"""Parts of a hand: four suits, clubs first, and the colons."""
_PART_MASKS = [((1 << N_RANKS) - 1) << N_RANKS * suit for suit in range(N_SUITS)] + [((1 << N_COLONS) - 1) << N_CARDS]
_EVERY_CARD = (1 << (N_CARDS + N_COLONS)) - 1
_PASSES = ("P", "PASS")
_DOUBLES = {"X": CALL_DOUBLE, "XX": CALL_REDOUBLE}


@dataclass(frozen=True)
class Pattern:
    """What is known of a hand; masks of the border.

    Attributes
    ----------
    held
        Cards it holds.
    may
        Cards it may hold, these included.
    least, most
        Fewest and most cards of each part, clubs first, colons last.
    text
        As it was written.
    """

    held: int = 0
    may: int = _EVERY_CARD
    least: tuple[int, ...] = (0,) * PARTS
    most: tuple[int, ...] = (N_CARDS,) * PARTS
    text: str = ""

    @property
    def n_held(self) -> int:
        """How many cards are named."""
        return self.held.bit_count()


def _part(text: str, letters: str, place: int, in_pack: int) -> tuple[str, int, int, int]:
    """One part of a pattern: its named cards as letters, cards it may hold, fewest and most of them."""
    named = "".join(letter for letter in letters if letter not in "X*")
    least = len(named) + letters.count("X")
    size = (_PART_MASKS[place] & in_pack).bit_count()
    if least > size:
        raise InputError(f"hand {text!r}: {least} cards in {letters.lower()!r}, of which the pack has {size}")
    return named, 0 if set(letters) <= set(named) else _PART_MASKS[place], least, size if "*" in letters else least


def parse_pattern(text: str, in_pack: int = _EVERY_CARD) -> Pattern:
    """Read a hand or what is known of it.

    Parameters
    ----------
    text : str
        For example ``"AKQ2.K83.A4.QT95"``, ``"AK.Q..+"`` or ``"AKxxx.*.Q*./G*"``.
    in_pack : int
        Mask of the cards in the pack.

    Returns
    -------
    Pattern
        A complete hand has `held` equal to `may`.
    """
    word = text.strip().upper().replace("10", "T")
    if word.endswith("+"):
        held = parse_hand(word[:-1])
        counts = tuple((held & mask).bit_count() for mask in _PART_MASKS)
        return Pattern(held, _EVERY_CARD, counts, (N_CARDS,) * PARTS, text)
    if "X" not in word and "*" not in word:
        held = parse_hand(word)
        counts = tuple((held & mask).bit_count() for mask in _PART_MASKS)
        return Pattern(held, held, counts, counts, text)
    natural, _, colons = word.partition("/")
    suits = natural.split(".")
    if len(suits) != N_SUITS:
        raise InputError(
            f"hand {text!r} is not part of a hand: four suits S.H.D.C with dots between them, x for one more card of a suit, "
            "* for any number, as in AKxxx.*.Q*.*"
        )
    parts = [_part(text, letters, place, in_pack) for place, letters in enumerate([*reversed(suits), colons])]
    names = [part[0] for part in parts]
    held = parse_hand(".".join(reversed(names[:N_SUITS])) + (f"/{names[N_SUITS]}" if names[N_SUITS] else ""))
    may = held
    for part in parts:
        may |= part[1]
    return Pattern(held, may, tuple(part[2] for part in parts), tuple(part[3] for part in parts), text)


def parse_cards(what: str, text: str) -> int:
    """Mask of some cards: a hand (``2.3..``), or cards with spaces or commas between (``S2 H3``); `what` is for the message."""
    if "." in text:
        return parse_hand(text)
    mask = 0
    for word in re.split(r"[\s,]+", text.strip()):
        if word:
            card = parse_card(word)
            if mask >> card & 1:
                raise InputError(f"{what}: {card_text(card)} appears twice")
            mask |= 1 << card
    return mask


def parse_auction(text: str, variant: Variant) -> list[int]:
    """Codes of the calls with which an auction began, checked as far as that does not need the hands.

    Parameters
    ----------
    text : str
        For example ``"1S Pass 2H X"``; spaces, commas or hyphens between.
    variant : Variant
        A variant with a bridge auction.
    """
    from simcore.phases.auction.bridge_tables import existing_bids

    exists = existing_bids(variant)
    doubles = bool(getattr(variant.auction, "doubles", False))
    calls: list[int] = []
    last, doubling, bidder = -1, 0, -1
    for place, word in enumerate(part for part in re.split(r"[\s,-]+", text.strip().upper()) if part):
        if calls and calls[-1] == CALL_PASS and (last >= 0 or place > 1):
            raise InputError(f"auction {text!r}: it has ended before {word!r}, with a pass after a bid or two passes")
        seat = place % 2
        if word in _PASSES:
            calls.append(CALL_PASS)
        elif word in _DOUBLES:
            if not doubles or last < 0 or doubling != _DOUBLES[word] - 1 or (bidder == seat) != bool(doubling):
                raise InputError(f"auction {text!r}: {word} is not possible as call {place + 1}")
            doubling += 1
            calls.append(_DOUBLES[word])
        else:
            bid = parse_bid(word)
            if not exists >> bid & 1:
                raise InputError(f"auction {text!r}: {variant.name} has no bid {bid_text(bid)}")
            if bid <= last:
                raise InputError(f"auction {text!r}: {bid_text(bid)} is not above {bid_text(last)}")
            last, doubling, bidder = bid, 0, seat
            calls.append(bid + BID_OFFSET)
    if not calls:
        raise InputError("auction: no calls; write them with spaces between, as in 1S Pass 2H")
    return calls
