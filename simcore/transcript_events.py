"""Events of a deal in the order in which they happen, worked out from what the kernels recorded.

The kernels keep decisions only: what was thrown, kept, called and played. Who drew what, whose card is whose and who wins a
trick follow from the rules, by the same functions that the kernels play by. The form is that of the public contract
(docs/files.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simcore import codes
from simcore.bits import U
from simcore.cards import BORDER_CARD, bit_number, to_border
from simcore.codes import BID_OFFSET
from simcore.notation import bid_text, card_text, hand_text, parse_card
from simcore.phases.exchange.draw_tricks import winning_draw_replies
from simcore.phases.exchange.upcard import dealer_draw
from simcore.phases.play.two_hand_rules import winning_replies
from simcore.rules import Rules

FORMAT = "simcore-transcript/1"
MATCH_FORMAT = "simcore-match/1"
CALL_TEXT = {codes.CALL_PASS: "Pass", codes.CALL_DOUBLE: "X", codes.CALL_REDOUBLE: "XX"}
_DRAW_ORDER = sorted(range(codes.N_CARDS + codes.N_COLONS), key=bit_number)

Event = dict[str, Any]


def cards_in_draw_order(mask: int) -> list[str]:
    """Cards of a hand (55-bit form) in the draw order of docs/random-streams.md."""
    return [card_text(card) for card in _DRAW_ORDER if mask >> card & 1]


def text_of(card: int) -> str:
    """Text of a card given as one bit in the kernels' form."""
    return card_text(int(BORDER_CARD[card.bit_length() - 1]))


def bit_of(text: str) -> int:
    """One bit in the kernels' form of a card given as text."""
    return 1 << bit_number(parse_card(text))


def call_text(code: int) -> str:
    """Text of a recorded call of a bridge auction."""
    return CALL_TEXT[code] if code < BID_OFFSET else bid_text(code - BID_OFFSET)


class DealEvents:
    """The events of one deal so far.

    Attributes
    ----------
    hands : list of int
        Cards of each seat now, in the kernels' form.
    rest : list of str
        The rest of the pack in order, the turned card first where there is one.
    """

    def __init__(self, rules: Rules, dealer: int, dealt: Iterable[int], rest: list[str]) -> None:
        self.rules, self.dealer, self.rest = rules, dealer, rest
        self.hands = [int(hand) for hand in dealt]
        self.players = len(self.hands)
        self.events: list[Event] = []
        self._write_deal()

    def _write_deal(self) -> None:
        turned = bool(self.rules.deal.upcard)
        self.events.append(
            {
                "act": "deal",
                "hands": [hand_text(int(to_border(U(hand)))) for hand in self.hands],
                "stock": self.rest[1:] if turned else list(self.rest),
                "upcard": self.rest[0] if turned else None,
            }
        )

    @property
    def turned(self) -> int:
        """The turned card as one bit, 0 where none is."""
        return bit_of(self.rest[0]) if self.rules.deal.upcard else 0

    def seats_from(self, first: int) -> list[int]:
        """All seats in turn order, beginning with one of them."""
        return [(first + i) % self.players for i in range(self.players)]

    # ------------------------------------------------------------------------------------------------------ exchange

    def exchange(self, thrown: list[int]) -> None:
        """The exchange by upcard: the non-dealer first (rules.md, section 1). `thrown` is in the kernels' form."""
        rules = self.rules.exchange
        n_dealer, n_other = int(dealer_draw(rules, U(self.turned))), rules.non_dealer_draw
        other = 1 - self.dealer
        drew = {other: self.rest[1 : 1 + n_other], self.dealer: self.rest[1 + n_other : 1 + n_other + n_dealer]}
        if rules.takes_upcard:
            drew[self.dealer] = [self.rest[0], *drew[self.dealer]]
        for seat in (other, self.dealer):
            discarded = cards_in_draw_order(int(to_border(U(thrown[seat]))))
            self.events.append({"act": "exchange", "seat": seat, "drew": drew[seat], "discarded": discarded})
            for card in drew[seat]:
                self.hands[seat] |= bit_of(card)
            self.hands[seat] &= ~thrown[seat]

    def draw_tricks(self, tricks: list[int]) -> None:
        """Phase 1 of Draw Bridge (rules.md, section 3): the winner of a trick draws first. Cards laid aside are held too."""
        assert self.rules.draw is not None
        leader = 1 - self.dealer
        stock = self.rest[self.rules.deal.upcard :]
        for number, cards in enumerate(tricks):
            led, reply = cards & self.hands[leader], cards & self.hands[1 - leader]
            self._play(leader, led)
            self._play(1 - leader, reply)
            if reply & int(winning_draw_replies(self.rules.draw, U(led.bit_length() - 1))):
                leader = 1 - leader
            self.events.append({"act": "trick", "winner": leader})
            for seat, card in zip((leader, 1 - leader), stock[2 * number : 2 * number + 2], strict=True):
                self.events.append({"act": "draw", "seat": seat, "card": card})
                self.hands[seat] |= bit_of(card)

    def choices(self, kept_first: int) -> None:
        """The turns of Draw and Discard (rules.md, section 4). `kept_first`: bit t: turn t kept the first card."""
        assert self.rules.choose is not None
        seat = 1 - self.dealer
        for turn in range(codes.CHOICES):
            first, second = self.rest[2 * turn : 2 * turn + 2]
            keeps = bool(kept_first >> turn & 1)
            seen = [first] if keeps and not self.rules.choose.second_seen else [first, second]
            kept = first if keeps else second
            self.events.append({"act": "choose", "seat": seat, "seen": seen, "kept": kept})
            self.hands[seat] |= bit_of(kept)
            seat = 1 - seat

    # ------------------------------------------------------------------------------------------------ calls and play

    def bridge_calls(self, calls: list[int]) -> None:
        """Calls of a bridge auction."""
        assert self.rules.auction is not None
        opener = self.dealer if self.rules.auction.opener == codes.Role.DEALER else 1 - self.dealer
        for i, code in enumerate(calls):
            self.events.append({"act": "call", "seat": (opener + i) % 2, "call": call_text(code)})

    def number_calls(self, calls: list[int]) -> None:
        """One call each, from the seat after the dealer (rules.md, section 2)."""
        for seat, code in zip(self.seats_from(self.dealer + 1), calls, strict=True):
            self.events.append({"act": "call", "seat": seat, "call": str(code - BID_OFFSET)})

    def tricks(self, tricks: list[int], leader: int, trumps: int) -> None:
        """The tricks of any number of hands; seats out of cards are skipped (rules.md, sections 1, 2 and 5)."""
        for cards in tricks:
            seats = [seat for seat in self.seats_from(leader) if cards & self.hands[seat]]
            leader = seats[0]  # the winner of the last trick, or the next one with cards
            winners = 0
            for seat in seats:
                card = cards & self.hands[seat]
                self._play(seat, card)
                if seat == seats[0] or card & winners:
                    leader = seat
                    winners = int(winning_replies(U(card.bit_length() - 1), U(trumps)))
            self.events.append({"act": "trick", "winner": leader})

    def _play(self, seat: int, card: int) -> None:
        self.events.append({"act": "play", "seat": seat, "card": text_of(card)})
        self.hands[seat] ^= card
