"""Bots are blind in Pit: each of their calls and cards follows from what the seat could see, rebuilt here from the transcript.

What a seat sees is collected without looking at the other hands or at the order of the Pit: its hand, the turned card, the
cards played and removed, the quotas, the calls. The policies then have to choose what was recorded.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from helpers import HEURISTIC, Json, card, hand, suit, texts
from pit import BOLD, EXPECTED, MODELS, NOVICE, pit_setup, rounds_of

from simcore.batch import Setup
from simcore.bots.many.switch import choose_card
from simcore.bots.steps.switch import choose_step
from simcore.bots.view import ManyView, StepView
from simcore.cards import NATURALS
from simcore.codes import MAX_TRICKS, STEP_ALONE, TENTHS, SheddingModel
from simcore.phases.auction.steps import legal_steps, may_pass, may_say_alone
from simcore.phases.play.duties import legal_cards
from simcore.phases.play.many_hands import cards_above

U, I = np.uint64, np.int64


class Eye:
    """What one round shows to all, and each hand to its owner; fed event by event."""

    def __init__(self, setup: Setup, line: Json, totals: list[int], removed: int, forced: bool) -> None:
        self.setup, self.rules = setup, setup.rules
        deal = line["events"][0]
        self.hands = [int(hand(text)) for text in deal["hands"]]
        self.turned = int(card(deal["upcard"]))
        self.trumps = int(suit(deal["upcard"][0]))
        self.strain = "CDHS".index(deal["upcard"][0])
        self.quotas = np.array([one.bit_count() for one in self.hands], np.int64)
        self.totals, self.removed, self.forced = np.array(totals, np.int64), removed, forced
        self.players = len(self.hands)
        self.bid, self.alone, self.bidder, self.position = 0, False, -1, 0
        self.calls: list[tuple[int, str]] = []
        self.voids, self.taken = np.zeros(self.players, np.uint64), np.zeros(self.players, np.int64)
        self.gone, self.tricks, self.trick = self.turned | removed, 0, []  # type: ignore[var-annotated]

    def unseen(self, seat: int) -> Any:
        return U(int(NATURALS) & ~(self.hands[seat] | self.gone))

    def call(self, seat: int) -> str:
        """The call a seat has to make, by its policy."""
        own = [text for caller, text in self.calls if caller == seat]
        legal = U(int(legal_steps(self.rules.steps, self.quotas[seat], I(self.bid))))
        n_bids = sum(text != "Pass" for text in own)
        view = StepView(
            hand=U(self.hands[seat]),
            trumps=U(self.trumps),
            strain=self.strain,
            turned=U(self.turned),
            unseen=self.unseen(seat),
            legal=legal,
            may_pass=int(may_pass(legal, int(self.forced), self.position)),
            may_say_alone=int(may_say_alone(self.rules.steps, I(n_bids))),
            last_bid=self.bid,
            last_alone=int(self.alone),
            bidder=self.bidder,
            own_calls=len(own),
            position=self.position,
            players=self.players,
            seat=seat,
            quotas=self.quotas,
            totals=self.totals,
            key=U(0),
            target=int(self.rules.stakes.target),
            sheds=52 if self.rules.model == SheddingModel.CAPTURE else 1,
            passed=U(sum(1 << caller for caller, text in self.calls if text == "Pass")),
        )
        bots = self.setup.bot_table
        code = int(choose_step(bots.bidding[seat], view, bots.bidding_params, U(seat), None, bots.expected))
        if code == 0:
            return "Pass"
        alone = code >= STEP_ALONE or any(text.endswith("alone") for text in own)
        return f"{code % STEP_ALONE} alone" if alone else str(code)

    def add_call(self, seat: int, text: str) -> None:
        self.calls.append((seat, text))
        self.position += 1
        if text != "Pass":
            self.bid, self.alone, self.bidder = int(text.split()[0]), text.endswith("alone"), seat

    def best(self) -> tuple[int, int, int, int]:
        """Suit led, best card, its seat, and what beats it."""
        suit_led = best = winners = 0
        holder = -1
        for seat, played in self.trick:
            if not suit_led:
                suit_led = int(suit(next(iter(texts(played)))[0]))
            if not best or played & winners:
                best, holder = played, seat
                winners = int(cards_above(U(played), U(suit_led), U(self.trumps)))
        return suit_led, best, holder, winners

    def card(self, seat: int) -> int:
        """The card a seat has to play, by its policy."""
        suit_led, best, holder, winners = self.best()
        ruffed = bool(best & self.trumps) and not suit_led & self.trumps
        args = (U(self.hands[seat]), U(suit_led), U(winners), U(self.trumps), ruffed)
        legal = U(int(legal_cards(self.rules.play, *args)))
        before = sum(quota > self.tricks for quota in self.quotas)
        view = ManyView(
            hand=U(self.hands[seat]),
            legal=legal,
            n_legal=U(int(legal).bit_count()),
            led=U(self.trick[0][1] if self.trick else 0),
            best=U(best),
            winners=U(winners),
            best_seat=holder,
            to_play=int(before) - len(self.trick) - 1,
            unseen=self.unseen(seat),
            trumps=U(self.trumps),
            strain=self.strain,
            seat=seat,
            players=self.players,
            voids=self.voids,
            shown=U(int(np.bitwise_or.reduce(self.voids))),
            calls=np.full(self.players, -1, np.int64),
            overtricks=MAX_TRICKS,
            taken=self.taken,
            quotas=self.quotas,
            declarer=self.bidder,
            bid=self.bid,
            alone=int(self.alone),
            trick=self.tricks,
            n_tricks=int(self.quotas[self.bidder]),
            totals=self.totals,
            key=U(0),
        )
        bots = self.setup.bot_table
        return int(choose_card(bots.play[seat], view, bots.play_params, U(seat), U(0))[0])

    def add_card(self, seat: int, played: int) -> None:
        suit_led = self.best()[0]
        if suit_led and not played & suit_led:
            self.voids[seat] |= U(suit_led)
        self.trick.append((seat, played))
        self.hands[seat] &= ~played
        self.gone |= played

    def end_trick(self, winner: int) -> int:
        """Close a trick; -> the card that won it."""
        won_with = next(played for seat, played in self.trick if seat == winner)
        self.taken[winner] += 1
        self.tricks += 1
        self.trick = []
        return int(won_with)


def follow_round(eye: Eye, line: Json, deciders: set[str]) -> int:
    """Compare every decision of these bots with what they choose from their view; -> cards that leave the game if made."""
    won_with = 0
    for event in line["events"]:
        seat = event.get("seat")
        decides = seat is not None and line["bots"][seat] in deciders
        if event["act"] == "call":
            assert not decides or eye.call(seat) == event["call"]
            eye.add_call(seat, event["call"])
        elif event["act"] == "play":
            played = int(card(event["card"]))
            assert not decides or eye.card(seat) == played
            eye.add_card(seat, played)
        elif event["act"] == "trick":
            best = eye.end_trick(event["winner"])
            won_with |= best if event["winner"] == eye.bidder else 0
    return won_with if line["result"]["made"] else 0


@pytest.mark.parametrize(("model", "victory"), [*((model, "shed") for model in MODELS), ("quota", {"points": 25})])
@pytest.mark.parametrize("players", [3, 4, 6])
def test_decisions_follow_from_what_a_seat_sees(model: str, victory: Any, players: int) -> None:
    bots = (HEURISTIC, NOVICE, HEURISTIC, BOLD, HEURISTIC, NOVICE)[:players]
    setup = pit_setup({"players": players, "shedding.model": model, "match.victory": victory, "match.max_deals": 25}, bots)
    follow_matches(setup, model, 8)


def test_bids_by_expected_score_follow_from_what_a_seat_sees() -> None:
    """The own hand, the cards everybody has to get rid of, who has called what: nothing else."""
    follow_matches(pit_setup({}, (EXPECTED, HEURISTIC, EXPECTED, BOLD)), "quota", 25)


def follow_matches(setup: Setup, model: str, n_matches: int) -> None:
    """Compare the decisions of all rounds of some matches."""
    players = setup.variant.players
    lines = rounds_of(setup, 0, n_matches)
    totals, removed = [0] * players, 0
    for before, line in pairwise([{"deal": -1, "result": {"contract": "none"}}, *lines]):
        if line["deal"] == 0:
            totals, removed = [0] * players, 0
        forced = line["deal"] > 0 and before["result"]["contract"] is None
        eye = Eye(setup, line, totals, removed if model == "persistent" else 0, forced)
        removed |= follow_round(eye, line, {"heuristic", "novice", "expected"})
        totals = [total + round(TENTHS * points) for total, points in zip(totals, line["result"]["points"], strict=True)]
