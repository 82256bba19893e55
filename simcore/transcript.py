"""Transcripts: a played deal as a list of events, for people and for `simcore replay`.

Plays matches as a run would, with a record of every decision, and makes a transcript of each deal
(`simcore.transcript_events`). The form is that of the public contract (docs/files.md). Games of steps (Pit) have a module
of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simcore import codes
from simcore._jit import kernel
from simcore.batch import Chunk, Setup, play_chunk
from simcore.bits import I, U
from simcore.cards import BORDER_CARD, trump_cards
from simcore.notation import Contract, card_text, contract_text, points_number
from simcore.phases.deal import deal_hands, deal_stock, take_given
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.rng import deal_key, match_key
from simcore.table import new_table
from simcore.transcript_events import (
    CALL_TEXT,
    FORMAT,
    MATCH_FORMAT,
    DealEvents,
    Event,
    call_text,
    cards_in_draw_order,
)
from simcore.transcript_text import render

_CHUNK = 256


@kernel
def _whole_stock(rules, seed, match, deal, dealer, given, table):  # type: ignore[no-untyped-def]
    """The rest of the pack of a deal, to its last card, in table.stock. -> int64, number of cards"""
    n_rest = I(rules.deal.n_deck) - rules.deal.players * rules.deal.cards
    key = deal_key(match_key(seed, match), deal)
    if given.hands.shape[0] > 0:
        rest, in_order = take_given(rules, given, match, table)
        if in_order:
            return n_rest
    else:
        rest = deal_hands(rules.deal, key, dealer, table.hands)
    deal_stock(rules.deal, key, rest, 0, n_rest, table.stock)
    return n_rest


def _bit(mask: np.uint64) -> int:
    return int(mask).bit_length() - 1


def _rest_of_pack(setup: Setup, match: int, deal: int, dealer: int) -> list[str]:
    table = new_table()
    n_rest = _whole_stock(setup.rules.common, U(setup.seed), U(match), U(deal), I(dealer), setup.given, table)
    return [card_text(int(BORDER_CARD[_bit(card)])) for card in table.stock[:n_rest]]


def _result(chunk: Chunk, row: int, players: int) -> dict[str, Any]:
    deals = chunk.deals
    points = [points_number(int(deals[f"points_{seat}"][row])) for seat in range(players)]
    if deals["passed_out"][row]:
        return {"contract": None, "declarer": None, "tricks": None, "made": None, "points": points}
    tricks = [int(deals[f"tricks_{seat}"][row]) for seat in range(players)]
    if "call_0" in deals:
        return {
            "contract": None,
            "declarer": None,
            "tricks": tricks,
            "made": [bool(deals[f"made_{seat}"][row]) for seat in range(players)],
            "calls": [int(deals[f"call_{seat}"][row]) for seat in range(players)],
            "points": points,
        }
    doubling = {1: 0, 2: 1, 4: 2}[int(deals["doubling"][row])]
    contract = Contract(int(deals["level"][row]), int(deals["strain"][row]), doubling)
    return {
        "contract": contract_text(contract),
        "declarer": int(deals["declarer"][row]),
        "tricks": tricks,
        "made": bool(deals["made"][row]),
        "points": points,
    }


def _events(setup: Setup, chunk: Chunk, row: int) -> list[Event]:
    """All events of a deal."""
    deals, record, rules = chunk.deals, chunk.record, setup.rules
    assert record is not None
    players = setup.variant.players
    match, deal, dealer = (int(deals[name][row]) for name in ("match", "deal", "dealer"))
    rest = _rest_of_pack(setup, match, deal, dealer)
    of_deal = DealEvents(rules, dealer, record.dealt[row, :players], rest)
    if rules.exchange.kind == codes.ExchangeKind.UPCARD:
        of_deal.exchange(record.thrown[row, :players].tolist())
    elif rules.exchange.kind == codes.ExchangeKind.DRAW_TRICKS:
        of_deal.draw_tricks(record.phase1[row, : rules.deal.cards].tolist())
    elif rules.exchange.kind == codes.ExchangeKind.LOOK_AND_CHOOSE:
        of_deal.choices(int(record.choices[row]))
    if rules.auction is not None:
        of_deal.bridge_calls(record.calls[row, : deals["calls"][row]].tolist())
        leader, strain = 1 - int(deals["declarer"][row]), int(deals["strain"][row])
    else:
        of_deal.number_calls(record.calls[row, :players].tolist())
        leader, strain = (dealer + 1) % players, 0
    if not deals["passed_out"][row]:
        trumps = int(trump_cards(I(trump_strain(rules.play, I(strain), U(of_deal.turned)))))
        of_deal.tricks(record.tricks[row, : rules.deal.final_cards].tolist(), leader, trumps)
    return of_deal.events


def _deal_transcript(setup: Setup, rules_json: dict[str, Any], chunk: Chunk, row: int) -> dict[str, Any]:
    deals = chunk.deals
    return {
        "format": FORMAT,
        "variant": setup.variant.name,
        "rules": rules_json,
        "seed": setup.seed,
        "match": int(deals["match"][row]),
        "deal": int(deals["deal"][row]),
        "dealer": int(deals["dealer"][row]),
        "bots": [bot.name for bot in setup.bots],
        "events": _events(setup, chunk, row),
        "result": _result(chunk, row, setup.variant.players),
    }


def _match_line(chunk: Chunk, i: int, players: int) -> dict[str, Any]:
    matches = chunk.matches
    tenths = [int(matches[f"total_{seat}"][i]) for seat in range(players)]
    winners = [seat for seat in range(players) if tenths[seat] == max(tenths)]
    return {
        "format": MATCH_FORMAT,
        "match": int(matches["match"][i]),
        "totals": [points_number(total) for total in tenths],
        "winner": winners[0] if len(winners) == 1 else None,
        "winners": winners,
    }


def play_transcripts(setup: Setup, first_match: int, count: int) -> Iterator[dict[str, Any]]:
    """Play matches exactly as a run would and yield their transcripts.

    Parameters
    ----------
    setup : Setup
    first_match, count : int
        Matches ``first_match`` to ``first_match + count - 1``.

    Yields
    ------
    dict
        One transcript a deal; under ``unit: match`` a match line after the last deal of each match.
    """
    if setup.variant.auction.kind == "steps":
        from simcore import transcript_shedding

        yield from transcript_shedding.play_transcripts(setup, first_match, count)
        return
    rules_json = setup.variant.model_dump(mode="json")
    players = setup.variant.players
    for first in range(first_match, first_match + count, _CHUNK):
        n_matches = min(_CHUNK, first_match + count - first)
        chunk = play_chunk(setup, first, n_matches, with_record=True)
        match_of_row = chunk.deals["match"]
        for row in range(chunk.n_deals):
            yield _deal_transcript(setup, rules_json, chunk, row)
            last = row + 1 == chunk.n_deals or match_of_row[row + 1] != match_of_row[row]
            if last and chunk.matches:
                yield _match_line(chunk, int(match_of_row[row]) - first, players)


__all__ = [
    "CALL_TEXT",
    "FORMAT",
    "MATCH_FORMAT",
    "call_text",
    "cards_in_draw_order",
    "play_transcripts",
    "render",
]
