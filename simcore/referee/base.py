"""What the referee needs for every game: the head of a transcript, reading events, the deal event, comparing the result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from simcore import notation
from simcore.bits import U
from simcore.cards import bit_number, from_border, to_border
from simcore.config import Variant, load_variant
from simcore.errors import InputError
from simcore.notation import card_text, parse_card, parse_hand
from simcore.rules import Rules, build_rules
from simcore.rules_shedding import build_shedding_rules
from simcore.transcript_events import FORMAT


class Violation(Exception):
    """A rule that a transcript breaks; raised inside the referee only."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


@lru_cache(maxsize=32)
def _rules_of(rules_json: str) -> tuple[Variant, Any]:
    """The variant, and `Rules` or, for a shedding game, `SheddingRules`."""
    variant = load_variant(json.loads(rules_json))
    return variant, (build_shedding_rules if variant.auction.kind == "steps" else build_rules)(variant)


def mask_of(cards: list[str]) -> int:
    """Kernel mask of card texts; each card once."""
    mask = 0
    for text in cards:
        bit = bit_of(text)
        if mask & bit:
            raise Violation("card_conservation", f"{text} appears twice")
        mask |= bit
    return mask


def bit_of(text: str) -> int:
    """Kernel bit of a card text."""
    return 1 << bit_number(parse_card(text))


def texts(mask: int) -> str:
    """Cards of a kernel mask as text."""
    return " ".join(card_text(c) for c in notation.card_numbers(int(to_border(U(mask))))) or "none"


def is_same(found: object, due: object) -> bool:
    """Whether two values are equal, where 1 is not true."""
    if isinstance(found, list) and isinstance(due, list):
        return len(found) == len(due) and all(is_same(*pair) for pair in zip(found, due, strict=True))
    return found == due and isinstance(found, bool) == isinstance(due, bool)


class Referee:
    """Follows the events of one transcript.

    Attributes
    ----------
    at : int or None
        Number of the event being checked; None for the head and the result.
    hands : list of int
        Cards of each seat now, as kernel masks.
    turned : int
        The turned card as one bit; 0 where none is.
    tricks : list of int
        Tricks that each seat has won.
    """

    def __init__(self, transcript: dict[str, Any]) -> None:
        self.at: int | None = None
        if not isinstance(transcript, dict) or transcript.get("format") != FORMAT:
            raise Violation("format", f"not a transcript of format {FORMAT}")
        for key, kind in (("rules", dict), ("events", list), ("result", dict), ("bots", list)):
            if not isinstance(transcript.get(key), kind):
                raise Violation("format", f"{key} is missing or not of the right kind")
        try:
            self.variant, rules = _rules_of(json.dumps(transcript["rules"], sort_keys=True))
        except InputError as error:
            raise Violation("rules", str(error)) from None
        self.rules: Rules = rules
        self._check_head(transcript)
        dealer = transcript.get("dealer")
        if type(dealer) is not int or not 0 <= dealer < self.variant.players:
            raise Violation("dealer", f"dealer {dealer!r} is not a seat of this variant")
        self.dealer = dealer
        self.players = int(self.variant.players)
        self.transcript = transcript
        self._events: Iterator[tuple[int, Any]] = iter(enumerate(transcript["events"]))
        self.hands = [0] * self.players
        self.tricks = [0] * self.players
        self.turned = 0

    def _check_head(self, transcript: dict[str, Any]) -> None:
        """Variant, numbers and bots of the head."""
        if transcript.get("variant") != self.variant.name:
            raise Violation("variant", f"variant is {transcript.get('variant')!r}, the rules are those of {self.variant.name}")
        for key in ("seed", "match", "deal"):
            if type(transcript.get(key)) is not int or not 0 <= transcript[key] < 2**64:
                raise Violation("format", f"{key} {transcript.get(key)!r} is not a whole number from 0 to 2^64 - 1")
        bots = transcript["bots"]
        if len(bots) != self.variant.players or not all(isinstance(bot, str) for bot in bots):
            raise Violation("format", f"bots {bots!r} are not the names of {self.variant.players} bots")

    def next_seat(self, seat: int) -> int:
        """The seat after a seat in turn order."""
        return (seat + 1) % self.players

    def seats_from(self, first: int) -> list[int]:
        """All seats in turn order, beginning with one of them."""
        return [(first + i) % self.players for i in range(self.players)]

    # ------------------------------------------------------------------------------------------------ reading events

    def next_event(self, act: str) -> dict[str, Any]:
        """The next event, which must be of this act."""
        for number, event in self._events:
            self.at = number
            if not isinstance(event, dict) or event.get("act") != act:
                found = event.get("act") if isinstance(event, dict) else event
                raise Violation("event_order", f"expected the event {act}, found {found!r}")
            return event
        self.at = None
        raise Violation("missing_event", f"expected the event {act}, but the transcript ends")

    def field(self, event: dict[str, Any], key: str, kind: type) -> Any:
        """A field of an event, of the right kind; a list lists texts."""
        value: Any = event.get(key)
        if type(value) is not kind:
            raise Violation("format", f"{event['act']}: {key} is missing or not of the right kind")
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise Violation("format", f"{event['act']}: {key} must list texts")
        return value

    def event_of(self, act: str, seat: int) -> dict[str, Any]:
        """The next event, which must be of this act and of this seat."""
        event = self.next_event(act)
        if self.field(event, "seat", int) != seat:
            raise Violation("turn", f"seat {event['seat']} acts, but it is the turn of seat {seat}")
        return event

    def card_of(self, act: str, seat: int) -> int:
        """The card of the next event, which must be of this act and of this seat, as one bit."""
        return bit_of(self.field(self.event_of(act, seat), "card", str))

    def card_played(self, seat: int, hand: int) -> int:
        """The card of the next event, played by this seat from these cards, as one bit."""
        card = self.card_of("play", seat)
        if not card & hand:
            raise Violation("card_not_held", f"seat {seat} plays {texts(card)}, which it does not hold")
        return card

    def trick_won_by(self, winner: int) -> None:
        """The next event must say that this seat wins the trick."""
        event = self.next_event("trick")
        if self.field(event, "winner", int) != winner:
            raise Violation("trick_winner", f"seat {winner} wins this trick, not seat {event['winner']}")
        self.tricks[winner] += 1

    # -------------------------------------------------------------------------------------------- deal and result

    def check_deal(self, any_size: bool = False, whole_pack: bool = True) -> list[str]:
        """The deal event.

        Parameters
        ----------
        any_size : bool
            Hands need not have the cards that the variant deals (a later round of a shedding game).
        whole_pack : bool
            All cards must be there; false where some may be out of play.

        Returns
        -------
        list of str
            The rest of the pack in order, the turned card first.
        """
        event = self.next_event("deal")
        hands = self.field(event, "hands", list)
        stock: list[str] = self.field(event, "stock", list)
        upcard = event.get("upcard")
        deal = self.rules.deal
        if len(hands) != self.players:
            raise Violation("deal_size", f"{len(hands)} hands for {self.players} players")
        if (upcard is not None) != bool(deal.upcard) or not isinstance(upcard, str | None):
            raise Violation("upcard", f"upcard {upcard!r}: this variant {'turns a' if deal.upcard else 'turns no'} card")
        self.hands = [int(from_border(U(parse_hand(hand)))) for hand in hands]
        for seat, hand in enumerate(self.hands):
            if hand.bit_count() != deal.cards and not any_size:
                raise Violation("deal_size", f"seat {seat} was dealt {hand.bit_count()} cards, not {deal.cards}")
        rest = ([upcard] if upcard is not None else []) + stock
        together = mask_of(rest)
        for hand in self.hands:
            if hand & together:
                raise Violation("card_conservation", f"{texts(hand & together)} lies in two places")
            together |= hand
        if together != int(deal.deck) and (whole_pack or together & ~int(deal.deck)):
            raise Violation("card_conservation", f"not the whole pack: {texts(together ^ int(deal.deck))}")
        self.turned = bit_of(upcard) if upcard is not None else 0
        return rest

    def check_end(self) -> None:
        """No event may follow."""
        for number, event in self._events:
            self.at = number
            raise Violation("extra_event", f"nothing may follow the end of the deal, found {event!r:.80}")
        self.at = None

    def check_result(self, due: dict[str, Any]) -> None:
        """No event may follow, and the result must be this one."""
        self.check_end()
        for key, value in due.items():
            found = self.transcript["result"].get(key)
            if not is_same(found, value):
                raise Violation(key, f"{key} is {found!r}, by the rules {value!r}")
