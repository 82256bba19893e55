"""Transcripts of shedding games (Pit); see `simcore.transcript`, which hands them on to this module.

A round's hands were recorded; where there is one deal a match, the order of the Pit is that of the first deal, and the
penalties drawn from it are worked out again by the functions that the kernels settle a round by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simcore import codes
from simcore._jit import kernel
from simcore.batch import Chunk, Setup, play_chunk
from simcore.bits import I, U
from simcore.cards import BORDER_CARD, trump_cards
from simcore.notation import card_text, points_number, step_text
from simcore.phases.auction.steps import Stepped
from simcore.phases.deal import deal_hands_of_sizes, deal_rest, take_given
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.phases.shedding import settle_round
from simcore.rng import deal_key, match_key
from simcore.rules_shedding import SheddingRules
from simcore.table import Table, new_table
from simcore.transcript_events import FORMAT, MATCH_FORMAT, DealEvents, Event, bit_of

_CHUNK = 64


@kernel
def _whole_pit(rules, seed, match, deal, dealer, given, table):  # type: ignore[no-untyped-def]
    """The rest of the pack of a deal, in table.stock; table.quotas are the sizes of the hands. -> int64, number of cards"""
    key = deal_key(match_key(seed, match), deal)
    rest, n_rest, draw = deal_hands_of_sizes(rules.deal, key, dealer, table.quotas, table.hands)
    if given.hands.shape[0] > 0:
        rest, in_order = take_given(rules, given, match, table)
        if in_order:
            return I(n_rest)
    deal_rest(key, rest, I(n_rest), draw, 0, I(n_rest), table.stock)
    return I(n_rest)


def recorded_step(code: int) -> str:
    """Text of a recorded call of an auction in steps."""
    if code == codes.CALL_PASS:
        return "Pass"
    bid = code - codes.BID_OFFSET
    return step_text(bid % codes.STEP_ALONE, bid >= codes.STEP_ALONE)


@dataclass(slots=True)
class RoundPlayed:
    """What the settlement of a round asks for; hands are in the kernels' form.

    Attributes
    ----------
    dealt, held : list of int
        Hands as the round began, and what was not played, by seat.
    won, won_with : list of int
        Cards of the tricks a seat won, and those with which it won them.
    tricks : list of int
        Tricks by seat.
    """

    dealt: list[int]
    held: list[int]
    won: list[int] = field(default_factory=list)
    won_with: list[int] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.won, self.won_with, self.tricks = ([0] * len(self.dealt) for _ in range(3))

    def add_trick(self, winner: int, cards: int) -> None:
        """Count a trick. cards : all its cards together"""
        self.tricks[winner] += 1
        self.won[winner] |= cards
        self.won_with[winner] |= cards & self.dealt[winner]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a round leaves: quotas, whether declarer got rid of his cards, and who draws what, in order."""

    quotas: list[int]
    is_out: bool
    draws: list[tuple[int, int]]
    hands: list[int]


def settle(rules: SheddingRules, stepped: Stepped, played: RoundPlayed, quotas: Sequence[int], pit: Sequence[int]) -> Settled:
    """Settle a round as the kernels do.

    Parameters
    ----------
    rules : SheddingRules
    stepped : Stepped
        The contract.
    played : RoundPlayed
    quotas : sequence of int
        By seat, before the round.
    pit : sequence of int
        Cards of the Pit that may be drawn, in order, in the kernels' form.
    """
    table: Table = new_table()
    dealt = np.zeros((1, codes.MAX_SEATS), np.uint64)
    for seat in range(len(played.dealt)):
        dealt[0, seat], table.hands[seat] = played.dealt[seat], played.held[seat]
        table.won[seat], table.won_with[seat] = played.won[seat], played.won_with[seat]
        table.taken[seat], table.quotas[seat] = played.tricks[seat], quotas[seat]
    for place, card in enumerate(pit):
        table.stock[place] = card
    is_out, n_drawn = settle_round(rules, stepped, I(sum(played.tricks)), table, dealt, I(0), I(0), I(len(pit)))
    hands = [int(hand) for hand in table.hands[: len(played.dealt)]]
    draws = [(next(seat for seat, hand in enumerate(hands) if hand & card), card) for card in pit[: int(n_drawn)]]
    return Settled([int(quota) for quota in table.quotas[: len(hands)]], bool(is_out), draws, hands)


def _pit_of_round(setup: Setup, chunk: Chunk, row: int) -> list[str]:
    """The turned card, where there is one, and the Pit as the round begins."""
    rules, deals, record = setup.rules, chunk.deals, chunk.record
    assert record is not None
    assert isinstance(rules, SheddingRules)
    players = setup.variant.players
    match, deal, dealer = (int(deals[name][row]) for name in ("match", "deal", "dealer"))
    table = new_table()
    if rules.model == codes.SheddingModel.QUOTA:
        table.quotas[:players] = [int(hand).bit_count() for hand in record.dealt[row, :players]]
        first = 0
    else:  # the cards are those of the first round
        table.quotas[:players] = rules.deal.cards
        deal, dealer = 0, (dealer - deal) % players
        first = int(record.drawn[row]) - rules.deal.upcard
    n_rest = int(_whole_pit(rules, U(setup.seed), U(match), U(deal), I(dealer), setup.given, table))
    cards = [card_text(int(BORDER_CARD[int(card).bit_length() - 1])) for card in table.stock[:n_rest]]
    return cards[: rules.deal.upcard] + cards[rules.deal.upcard + first :]


class RoundEvents(DealEvents):
    """The events of one round."""

    def step_calls(self, calls: list[int]) -> None:
        """The auction: seats without cards, and those whose pass is final, are skipped."""
        rules: Any = self.rules
        active = [seat for seat in self.seats_from(self.dealer + 1) if self.hands[seat]]
        place = -1
        for code in calls:
            place = (place + 1) % len(active)
            self.events.append({"act": "call", "seat": active[place], "call": recorded_step(code)})
            if code == codes.CALL_PASS and rules.steps.pass_is_final:
                del active[place]
                place -= 1

    def settlement(self, draws: Sequence[tuple[int, str]], quotas: list[int], points: list[int | float]) -> None:
        """Penalties drawn from the Pit, and the quotas and points of the round."""
        for seat, card in draws:
            self.events.append({"act": "draw", "seat": seat, "card": card})
        self.events.append({"act": "settle", "quota": quotas, "points": points})


def _draws(rules: SheddingRules, stepped: Stepped, of_round: RoundEvents, played: RoundPlayed) -> list[tuple[int, str]]:
    """Who draws what from the Pit after a round, where there is one deal a match."""
    if rules.model == codes.SheddingModel.QUOTA:
        return []
    played.held = list(of_round.hands)
    pit = [bit_of(card) for card in of_round.rest[rules.deal.upcard :]]
    settled = settle(rules, stepped, played, [hand.bit_count() for hand in played.dealt], pit)
    return [(seat, of_round.rest[rules.deal.upcard + i]) for i, (seat, _) in enumerate(settled.draws)]


def _round(setup: Setup, chunk: Chunk, row: int, points: list[int | float]) -> list[Event]:
    """All events of a round."""
    rules, deals, record = setup.rules, chunk.deals, chunk.record
    assert record is not None
    assert isinstance(rules, SheddingRules)
    players = setup.variant.players
    dealt = [int(hand) for hand in record.dealt[row, :players]]
    of_round = RoundEvents(rules, int(deals["dealer"][row]), dealt, _pit_of_round(setup, chunk, row))  # type: ignore[arg-type]
    of_round.step_calls(record.calls[row, : deals["calls"][row]].tolist())
    draws: list[tuple[int, str]] = []
    if not deals["passed_out"][row]:
        declarer, bid, alone = (int(deals[name][row]) for name in ("declarer", "bid", "alone"))
        played = RoundPlayed(dealt, dealt)
        tricks = record.tricks[row, : dealt[declarer].bit_count()].tolist()
        trumps = int(trump_cards(I(trump_strain(rules.play, I(0), U(of_round.turned)))))
        of_round.tricks(tricks, declarer, trumps)
        winners = [event["winner"] for event in of_round.events if event["act"] == "trick"]
        for winner, cards in zip(winners, tricks, strict=True):
            played.add_trick(winner, cards)
        draws = _draws(rules, Stepped(bid, alone, declarer, 0), of_round, played)
    of_round.settlement(draws, [int(deals[f"quota_{seat}"][row]) for seat in range(players)], points)
    return of_round.events


def _transcript(setup: Setup, rules_json: dict[str, Any], chunk: Chunk, row: int) -> dict[str, Any]:
    deals, seats = chunk.deals, range(setup.variant.players)
    points = [points_number(int(deals[f"points_{seat}"][row])) for seat in seats]
    result: dict[str, Any] = {"contract": None, "declarer": None, "tricks": None, "made": None, "points": points}
    if not deals["passed_out"][row]:
        result["contract"] = step_text(int(deals["bid"][row]), bool(deals["alone"][row]))
        result["declarer"] = int(deals["declarer"][row])
        result["tricks"] = [int(deals[f"tricks_{seat}"][row]) for seat in seats]
        result["made"] = bool(deals["made"][row])
    return {
        "format": FORMAT,
        "variant": setup.variant.name,
        "rules": rules_json,
        "seed": setup.seed,
        "match": int(deals["match"][row]),
        "deal": int(deals["deal"][row]),
        "dealer": int(deals["dealer"][row]),
        "bots": [bot.name for bot in setup.bots],
        "events": _round(setup, chunk, row, points),
        "result": result,
    }


def winners_of(quotas: Sequence[int] | None, totals: Sequence[int]) -> list[int]:
    """Seats that stand first at the cap: fewest cards, then most points. quotas : None where points alone decide"""
    order = [(-quota, total) for quota, total in zip(quotas or [0] * len(totals), totals, strict=True)]
    return [seat for seat, rank in enumerate(order) if rank == max(order)]


def _match_line(setup: Setup, chunk: Chunk, i: int, last_row: int) -> dict[str, Any]:
    matches, seats = chunk.matches, range(setup.variant.players)
    tenths = [int(matches[f"total_{seat}"][i]) for seat in seats]
    winner = int(matches["winner"][i])
    sheds = setup.variant.match.victory == "shed"
    quotas = [int(chunk.deals[f"quota_{seat}"][last_row]) for seat in seats] if sheds else None
    return {
        "format": MATCH_FORMAT,
        "match": int(matches["match"][i]),
        "totals": [points_number(total) for total in tenths],
        "winner": winner if winner >= 0 else None,
        "winners": [winner] if winner >= 0 else winners_of(quotas, tenths),
    }


def play_transcripts(setup: Setup, first_match: int, count: int) -> Iterator[dict[str, Any]]:
    """Play matches as a run would and yield their transcripts, as `simcore.transcript.play_transcripts` does."""
    rules_json = setup.variant.model_dump(mode="json")
    for first in range(first_match, first_match + count, _CHUNK):
        n_matches = min(_CHUNK, first_match + count - first)
        chunk = play_chunk(setup, first, n_matches, with_record=True)
        match_of_row = chunk.deals["match"]
        for row in range(chunk.n_deals):
            yield _transcript(setup, rules_json, chunk, row)
            last = row + 1 == chunk.n_deals or match_of_row[row + 1] != match_of_row[row]
            if last and chunk.matches:
                yield _match_line(setup, chunk, int(match_of_row[row]) - first, row)
