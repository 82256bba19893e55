"""The referee: checks one transcript against the rules, event by event, and recomputes its result.

Legal cards, legal calls, winners and points come from the same functions that the kernels play by; the referee only
follows the events and says which rule an event breaks. The first violation ends the check of a transcript.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from simcore import codes, notation
from simcore.bits import U
from simcore.cards import NATURALS, bit_number, from_border, to_border, trump_cards
from simcore.config import Variant, load_variant
from simcore.errors import InputError
from simcore.notation import Contract, card_text, contract_text, parse_bid, parse_card, parse_hand, points_number
from simcore.phases.auction.bridge import holding, legal_bids, legal_double
from simcore.phases.exchange.upcard import dealer_draw
from simcore.phases.play import two_hands
from simcore.phases.scoring.contracts import result_tenths
from simcore.rules import Rules, build_rules
from simcore.transcript import CALL_TEXT, FORMAT

_CALL_CODES = {text: code for code, text in CALL_TEXT.items()}


class Violation(Exception):
    """A rule that a transcript breaks; raised inside the referee only."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


@lru_cache(maxsize=32)
def _rules_of(rules_json: str) -> tuple[Variant, Rules]:
    variant = load_variant(json.loads(rules_json))
    return variant, build_rules(variant)


def _mask(cards: list[str]) -> int:
    """Kernel mask of card texts; each card once."""
    mask = 0
    for text in cards:
        bit = 1 << bit_number(parse_card(text))
        if mask & bit:
            raise Violation("card_conservation", f"{text} appears twice")
        mask |= bit
    return mask


def _texts(mask: int) -> str:
    return " ".join(card_text(c) for c in notation.card_numbers(int(to_border(U(mask)))))


class Referee:
    """Follows the events of one two-player transcript.

    Attributes
    ----------
    at : int or None
        Number of the event being checked; None for the head and the result.
    """

    def __init__(self, transcript: dict[str, Any]) -> None:
        self.at: int | None = None
        if not isinstance(transcript, dict) or transcript.get("format") != FORMAT:
            raise Violation("format", f"not a transcript of format {FORMAT}")
        for key, kind in (("rules", dict), ("events", list), ("result", dict), ("bots", list)):
            if not isinstance(transcript.get(key), kind):
                raise Violation("format", f"{key} is missing or not of the right kind")
        try:
            self.variant, self.rules = _rules_of(json.dumps(transcript["rules"], sort_keys=True))
        except InputError as error:
            raise Violation("rules", str(error)) from None
        self._check_head(transcript)
        dealer = transcript.get("dealer")
        if type(dealer) is not int or not 0 <= dealer < self.variant.players:
            raise Violation("dealer", f"dealer {dealer!r} is not a seat of this variant")
        self.dealer = dealer
        self.transcript = transcript
        self._events: Iterator[tuple[int, Any]] = iter(enumerate(transcript["events"]))
        self.hands = [0, 0]
        self.tricks = [0, 0]
        self.contract: Contract | None = None
        self.declarer = codes.NO_SEAT

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
        raise Violation("missing_event", f"the transcript ends where the event {act} is due")

    def field(self, event: dict[str, Any], key: str, kind: type) -> Any:
        """A field of an event, of the right kind."""
        value: Any = event.get(key)
        if type(value) is not kind:
            raise Violation("format", f"{event['act']}: {key} is missing or not of the right kind")
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise Violation("format", f"{event['act']}: {key} must list texts")
        return value

    def turn(self, event: dict[str, Any], seat: int) -> None:
        """The event must be this seat's."""
        if self.field(event, "seat", int) != seat:
            raise Violation("turn", f"seat {event['seat']} acts, but it is the turn of seat {seat}")

    # ------------------------------------------------------------------------------------------------------- phases

    def check_deal(self) -> list[str]:
        """The deal event. Returns the rest of the pack in order, the upcard first."""
        event = self.next_event("deal")
        hands = self.field(event, "hands", list)
        stock: list[str] = self.field(event, "stock", list)
        upcard = event.get("upcard")
        deal = self.rules.deal
        if len(hands) != deal.players:
            raise Violation("deal_size", f"{len(hands)} hands for {deal.players} players")
        if (upcard is not None) != bool(deal.upcard) or not isinstance(upcard, str | None):
            raise Violation("upcard", f"upcard {upcard!r}: this variant {'turns' if deal.upcard else 'turns no'} card")
        self.hands = [int(from_border(U(parse_hand(hand)))) for hand in hands]
        for seat, hand in enumerate(self.hands):
            if hand.bit_count() != deal.cards:
                raise Violation("deal_size", f"seat {seat} was dealt {hand.bit_count()} cards, not {deal.cards}")
        rest = ([upcard] if upcard is not None else []) + stock
        together = _mask(rest)
        for hand in self.hands:
            if hand & together:
                raise Violation("card_conservation", f"{_texts(hand & together)} lies in two places")
            together |= hand
        if together != int(deal.deck):
            raise Violation("card_conservation", f"not the whole pack: {_texts(together ^ int(deal.deck))}")
        return rest

    def check_exchange(self, rest: list[str]) -> None:
        """Both exchange events, the non-dealer's first."""
        exchange = self.rules.exchange
        if exchange.kind == codes.ExchangeKind.NONE:
            return
        first = 1
        upcard = 1 << bit_number(parse_card(rest[0]))
        n_dealer = int(dealer_draw(exchange, U(upcard)))
        for seat, n_cards in ((1 - self.dealer, exchange.non_dealer_draw), (self.dealer, n_dealer)):
            event = self.next_event("exchange")
            self.turn(event, seat)
            due = _mask(rest[first : first + n_cards])
            first += n_cards
            if seat == self.dealer and exchange.takes_upcard:
                due |= upcard
            drew = _mask(self.field(event, "drew", list))
            if drew != due:
                raise Violation("exchange_draw", f"seat {seat} draws {_texts(drew)}, due were {_texts(due)}")
            hand = self.hands[seat] | drew
            thrown = _mask(self.field(event, "discarded", list))
            if thrown & ~hand:
                raise Violation("card_not_held", f"seat {seat} throws {_texts(thrown & ~hand)}, which it does not hold")
            if thrown.bit_count() != drew.bit_count():
                raise Violation(
                    "exchange_count", f"seat {seat} draws {drew.bit_count()} cards and throws {thrown.bit_count()}"
                )
            self.hands[seat] = hand & ~thrown

    def check_auction(self) -> None:
        """All calls, up to the pass that ends the auction."""
        opener_deals = self.rules.auction.opener == codes.Role.DEALER
        seat = self.dealer if opener_deals else 1 - self.dealer
        last_bid, doubling, n_calls = codes.NO_BID, 0, 0
        while True:
            event = self.next_event("call")
            self.turn(event, seat)
            text = self.field(event, "call", str)
            n_calls += 1
            if text in ("Pass", "P"):
                if last_bid >= 0 or n_calls == 2:
                    break
            elif text in _CALL_CODES:
                due = int(legal_double(self.rules.auction, seat, last_bid, self.declarer, doubling))
                if due != _CALL_CODES[text]:
                    raise Violation("double" if text == "X" else "redouble", f"seat {seat} may not call {text} here")
                doubling += 1
            else:
                last_bid = self._check_bid(seat, text, last_bid)
                self.declarer, doubling = seat, 0
            seat = 1 - seat
        if last_bid >= 0:
            level, strain = divmod(last_bid, codes.N_STRAINS)
            self.contract = Contract(level, strain, doubling)

    def _check_bid(self, seat: int, text: str, last_bid: int) -> int:
        auction, hand = self.rules.auction, U(self.hands[seat])
        try:
            bid = parse_bid(text)
        except InputError as error:
            raise Violation("no_such_bid", str(error)) from None
        may_bid = holding(auction, hand, auction.min_suit_length)
        may_jump = holding(auction, hand, auction.min_jump_length)
        if int(legal_bids(auction, may_bid, may_jump, np.int64(last_bid))) >> bid & 1:
            return bid
        if not int(auction.bids) >> bid & 1:
            raise Violation("no_such_bid", f"{self.variant.name} has no bid {text}")
        if bid <= last_bid:
            raise Violation("bid_too_low", f"{text} is not above {notation.bid_text(last_bid)}")
        if bid % codes.N_STRAINS == codes.Strain.NOTRUMP:
            raise Violation("nt_needs_every_suit", f"seat {seat} bids {text} without a natural card in every suit")
        if not int(may_bid) >> bid & 1:
            raise Violation("suit_length", f"seat {seat} bids {text} with too few cards of the suit")
        raise Violation("jump_length", f"seat {seat} jumps to {text} with too few cards of the suit")

    def check_play(self) -> None:
        """All tricks."""
        assert self.contract is not None
        play = self.rules.play
        trumps = int(trump_cards(np.int64(self.contract.strain)))
        leader, bar = 1 - self.declarer, 0
        for _ in range(self.rules.deal.cards):
            hand = self.hands[leader]
            legal = int(two_hands.legal_leads(play, U(hand), U(bar)))
            led = self._card_played(leader, hand)
            if not legal & led:
                natural = led & int(NATURALS)
                rule = "barred_suit" if natural else "colon_lead_when_barred"
                raise Violation(rule, f"seat {leader} may not lead {_texts(led)} here, but {_texts(legal)}")
            follower = 1 - leader
            hand = self.hands[follower]
            bit = U(led.bit_length() - 1)
            legal = int(two_hands.legal_replies(play, U(hand), bit, U(trumps)))
            reply = self._card_played(follower, hand)
            if not legal & reply:
                raise self._illegal_reply(follower, hand, led, reply, legal)
            bar = int(two_hands.bar_after(play, U(hand), bit, U(reply)))
            self.hands[leader] ^= led
            self.hands[follower] ^= reply
            winner = follower if reply & int(two_hands.winning_replies(bit, U(trumps))) else leader
            event = self.next_event("trick")
            if self.field(event, "winner", int) != winner:
                raise Violation("trick_winner", f"seat {winner} wins this trick, not seat {event['winner']}")
            self.tricks[winner] += 1
            leader = winner

    def _card_played(self, seat: int, hand: int) -> int:
        event = self.next_event("play")
        self.turn(event, seat)
        card = 1 << bit_number(parse_card(self.field(event, "card", str)))
        if not card & hand:
            raise Violation("card_not_held", f"seat {seat} plays {_texts(card)}, which it does not hold")
        return card

    def _illegal_reply(self, seat: int, hand: int, led: int, reply: int, legal: int) -> Violation:
        """Which duty a reply breaks."""
        bit = U(led.bit_length() - 1)
        must_follow = hand & int(two_hands.suit_to_follow(self.rules.play, bit))
        if reply & int(NATURALS):
            rule = "follow_suit" if must_follow else "must_beat_led_colon"
        elif led & ~int(NATURALS):
            rule = "must_beat_led_colon"
        else:
            rule = "colon_out_of_range" if must_follow else "colon_only_if_forced"
        return Violation(rule, f"seat {seat} may not play {_texts(reply)} on {_texts(led)}, but {_texts(legal)}")

    def check_result(self) -> None:
        """The result: contract, declarer, tricks, made and points."""
        for number, event in self._events:
            self.at = number
            raise Violation("extra_event", f"nothing may follow the end of the deal, found {event!r:.80}")
        self.at = None
        due: dict[str, Any] = {"contract": None, "declarer": None, "tricks": None, "made": None, "points": [0, 0]}
        if self.contract is not None:
            taken = self.tricks[self.declarer]
            tenths = result_tenths(self.variant.scoring, self.contract, taken)
            points = [points_number(max(0, -tenths))] * 2
            points[self.declarer] = points_number(max(0, tenths))
            due = {
                "contract": contract_text(self.contract),
                "declarer": self.declarer,
                "tricks": self.tricks,
                "made": taken >= self.contract.need,
                "points": points,
            }
        for key, value in due.items():
            found = self.transcript["result"].get(key)
            if found != value or isinstance(found, bool) != isinstance(value, bool):
                raise Violation(key, f"{key} is {found!r}, by the rules {value!r}")

    def check(self) -> None:
        """Check the whole transcript; raises `Violation` at the first rule broken."""
        try:
            rest = self.check_deal()
            self.check_exchange(rest)
            self.check_auction()
            if self.contract is not None:
                self.check_play()
            self.check_result()
        except InputError as error:
            raise Violation("format", str(error)) from None


def violations_of(transcript: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The first violation of a transcript, if there is one, as ``event``, ``rule`` and ``message``."""
    referee = None
    try:
        referee = Referee(transcript)
        referee.check()
    except Violation as violation:
        yield {"event": referee.at if referee else None, "rule": violation.rule, "message": str(violation)}
