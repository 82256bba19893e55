"""Explanations of calls in games of calls, and of choices in Draw and Discard: views made again from a transcript's events.

Who follows the events knows at each of them what the seat had seen. From that comes the view, from the view, in plain Python,
what the policy weighed (`simcore.bots.explain`). It must lead to what the kernels decided.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simcore.batch import Setup
from simcore.bits import U0, U
from simcore.bots.explain import calls, choosing
from simcore.bots.explain.reason import Reason
from simcore.bots.view import CallView, ChooseView
from simcore.cards import bit_number, trump_cards
from simcore.codes import CHOICES, NO_BID, ExchangePolicy
from simcore.notation import parse_card, parse_hand
from simcore.phases.auction.calls import forbidden_call
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.rng import exchange_key
from simcore.transcript_events import Event

CALLS: dict[str, Callable[..., Reason]] = {"expected": calls.expected}
"""Explainers of calls by policy, of a view, the parameters and the tables."""
I = np.int64


def _bit(card: str) -> int:
    return 1 << bit_number(parse_card(card))


def _mask(hand: str) -> int:
    cards = parse_hand(hand)
    return sum(1 << bit_number(card) for card in range(cards.bit_length()) if cards >> card & 1)


class Follower:
    """What each seat knows of a deal, event by event, while choices are made and until all have called.

    Parameters
    ----------
    setup : Setup
    deal : dict
        The event of that name.
    dealer : int
    key : int
        Of the deal's random streams.
    """

    def __init__(self, setup: Setup, deal: Event, dealer: int, key: int) -> None:
        self.setup, self.dealer, self.players = setup, dealer, setup.variant.players
        self.key = U(key)
        self.hands = [_mask(hand) for hand in deal["hands"]]
        self.gone = [0] * self.players
        self.thrown = [0] * self.players
        """Cards thrown openly."""
        self.stock: list[str] = deal["stock"]
        self.turned = U(_bit(deal["upcard"])) if deal["upcard"] else U0
        self.has_calls = setup.variant.auction.kind == "calls"
        self.calls: list[int] = []
        self.turns = 0
        self.is_face_up = bool(getattr(setup.variant.exchange, "discards_face_up", False))

    def follow(self, event: Event) -> None:
        """Go on to after an event."""
        act, seat = event["act"], event.get("seat", 0)
        if not (self.has_calls or act == "choose") or len(self.calls) == self.players:
            return
        if act == "exchange":
            for card in (*event["drew"], *event["discarded"]):
                self.hands[seat] ^= _bit(card)
            self.gone[seat] = sum(map(_bit, event["discarded"]))
        elif act == "choose":
            self._follow_choice(event, seat)
        elif act == "play":
            self.hands[seat] ^= _bit(event["card"])
            self.gone = [gone | _bit(event["card"]) for gone in self.gone]
        elif act == "draw":
            self.hands[seat] ^= _bit(event["card"])
        elif act == "call":
            self.calls.append(int(event["call"]))

    def _follow_choice(self, event: Event, seat: int) -> None:
        self.hands[seat] |= _bit(event["kept"])
        for card in event["seen"]:
            self.gone[seat] |= _bit(card) & ~self.hands[seat]
        if self.is_face_up:
            (thrown,) = {*self.stock[2 * self.turns : 2 * self.turns + 2]} - {event["kept"]}
            self.thrown[seat] |= _bit(thrown)
            self.gone = [gone | _bit(thrown) for gone in self.gone]
        self.turns += 1

    def call_view(self, seat: int) -> CallView:
        """What a seat sees that must call."""
        rules, score = self.setup.rules, self.setup.rules.call_score
        strain = int(trump_strain(rules.play, I(0), self.turned))
        aside = self.turned if rules.exchange.takes_upcard == 0 else U0
        known = [self.calls[place] if place < len(self.calls) else NO_BID for place in range(self.players)]
        n_tricks, position = rules.deal.final_cards, len(self.calls)
        forbidden = forbidden_call(rules.calls, I(position), I(self.players), I(n_tricks), I(sum(self.calls)))
        return CallView(
            hand=U(self.hands[seat]),
            trumps=U(trump_cards(I(strain))),
            strain=strain,
            turned=self.turned,
            unseen=rules.deal.deck & ~(U(self.hands[seat] | self.gone[seat]) | aside),
            lowest=int(rules.calls.lowest),
            highest=int(rules.calls.highest),
            overtricks=int(score.overtricks),
            bonus_from=int(score.bonus_from),
            bonus_overtricks=int(score.bonus_overtricks),
            forbidden=int(forbidden),
            position=position,
            players=self.players,
            seat=seat,
            calls=np.array([known[(other - self.dealer - 1) % self.players] for other in range(self.players)], np.int64),
            n_tricks=int(n_tricks),
            totals=np.zeros(self.players, np.int64),
            key=U0,
        )

    def choose_view(self, seat: int, first: str) -> ChooseView:
        """What a seat sees that looks at a card and must keep or throw it."""
        return ChooseView(
            hand=U(self.hands[seat]),
            first=U(_bit(first)),
            unseen=self.setup.rules.deal.deck & ~U(self.hands[seat] | self.gone[seat] | _bit(first)),
            opponent_thrown=U(self.thrown[1 - seat]),
            turn=self.turns // 2,
            n_turns=CHOICES // 2,
            is_dealer=int(seat == self.dealer),
            key=U(exchange_key(self.key, I(seat))),
        )

    def reason(self, event: Event) -> Reason | None:
        """Why a decision was made, where its policy says so."""
        seat, bots = event["seat"], self.setup.bot_table
        if event["act"] == "call" and self.has_calls:
            explain = CALLS.get(self.setup.bots[seat].bidding.policy)
            if explain is not None:
                return explain(self.call_view(seat), bots.bidding_params[seat].tolist(), bots.expected)
        if event["act"] == "choose":
            policy = ExchangePolicy(int(bots.exchange[seat])).name.lower()
            params = bots.exchange_params[seat].tolist()
            return choosing.EXPLAINERS[policy](self.choose_view(seat, event["seen"][0]), params, bots.choosing)
        return None


def decided(event: Event) -> int:
    """What was decided at an event, as `Reason.choice` has it."""
    if event["act"] == "choose":
        return int(event["kept"] == event["seen"][0])
    return int(event["call"])
