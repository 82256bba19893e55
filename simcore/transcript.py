"""Transcripts: a played deal as a list of events, for people and for `simcore replay`.

The kernels record decisions only (what was thrown, called and played); everything else of a transcript follows from
the rules and is worked out here. The form is that of the public contract (docs/files.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simcore import codes, notation
from simcore._jit import kernel
from simcore.batch import Chunk, Setup, play_chunk
from simcore.bits import U0, I, U
from simcore.cards import BORDER_CARD, bit_number, to_border, trump_cards
from simcore.course import take_given
from simcore.notation import Contract, bid_text, card_text, contract_text, hand_text, points_number
from simcore.phases.deal import deal_hands, deal_stock
from simcore.phases.exchange.upcard import dealer_draw
from simcore.phases.play.two_hands import winning_replies
from simcore.rng import deal_key, match_key
from simcore.rules import Rules
from simcore.table import new_table

FORMAT = "simcore-transcript/1"
MATCH_FORMAT = "simcore-match/1"
CALL_TEXT = {codes.CALL_PASS: "Pass", codes.CALL_DOUBLE: "X", codes.CALL_REDOUBLE: "XX"}
_CHUNK = 256
_DRAW_ORDER = sorted(range(codes.N_CARDS + codes.N_COLONS), key=bit_number)

Event = dict[str, Any]


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
    deal_stock(rules.deal, key, rest, U0, 0, n_rest, table.stock)
    return n_rest


def cards_in_draw_order(mask: int) -> list[str]:
    """Cards of a hand (55-bit form) in the draw order of docs/random-streams.md."""
    return [card_text(card) for card in _DRAW_ORDER if mask >> card & 1]


def _bit(mask: np.uint64) -> int:
    return int(mask).bit_length() - 1


def _rest_of_pack(setup: Setup, match: int, deal: int, dealer: int) -> list[str]:
    table = new_table()
    n_rest = _whole_stock(setup.rules, U(setup.seed), U(match), U(deal), I(dealer), setup.given, table)
    return [card_text(int(BORDER_CARD[_bit(card)])) for card in table.stock[:n_rest]]


def _exchange_events(rules: Rules, rest: list[str], thrown: list[int], dealer: int) -> list[Event]:
    """The exchange by upcard: the non-dealer first (rules.md, section 1)."""
    upcard_mask = U(1) << U(bit_number(notation.parse_card(rest[0])))
    n_dealer = int(dealer_draw(rules.exchange, upcard_mask))
    n_other = rules.exchange.non_dealer_draw
    drew = {1 - dealer: rest[1 : 1 + n_other], dealer: rest[1 + n_other : 1 + n_other + n_dealer]}
    if rules.exchange.takes_upcard:
        drew[dealer] = [rest[0], *drew[dealer]]
    return [
        {"act": "exchange", "seat": seat, "drew": drew[seat], "discarded": cards_in_draw_order(thrown[seat])}
        for seat in (1 - dealer, dealer)
    ]


def call_text(code: int) -> str:
    """Text of a recorded call."""
    return CALL_TEXT[code] if code < codes.BID_OFFSET else bid_text(code - codes.BID_OFFSET)


def _call_events(rules: Rules, calls: list[int], dealer: int) -> list[Event]:
    seat = dealer if rules.auction.opener == codes.Role.DEALER else 1 - dealer
    return [{"act": "call", "seat": (seat + i) % 2, "call": call_text(code)} for i, code in enumerate(calls)]


def _hands_in_play(dealt: list[int], events: list[Event]) -> list[int]:
    """Hands as the play begins, in the kernels' form: as dealt, and changed by the exchange."""
    hands = list(dealt)
    for event in events:
        if event["act"] == "exchange":
            drew, thrown = (sum(1 << bit_number(notation.parse_card(c)) for c in event[k]) for k in ("drew", "discarded"))
            hands[event["seat"]] = (hands[event["seat"]] | drew) & ~thrown
    return hands


def _play_events(tricks: list[int], hands: list[int], declarer: int, strain: int) -> list[Event]:
    """The tricks of two hands, with their winners."""
    trumps = U(trump_cards(I(strain)))
    leader = 1 - declarer
    events: list[Event] = []
    for cards in tricks:
        led, reply = ((cards & hands[seat]).bit_length() - 1 for seat in (leader, 1 - leader))
        events.append({"act": "play", "seat": leader, "card": card_text(int(BORDER_CARD[led]))})
        events.append({"act": "play", "seat": 1 - leader, "card": card_text(int(BORDER_CARD[reply]))})
        if (U(1) << U(reply)) & U(winning_replies(U(led), trumps)):
            leader = 1 - leader
        events.append({"act": "trick", "winner": leader})
    return events


def _result(chunk: Chunk, row: int, players: int) -> dict[str, Any]:
    deals = chunk.deals
    points = [points_number(int(deals[f"points_{seat}"][row])) for seat in range(players)]
    if deals["passed_out"][row]:
        return {"contract": None, "declarer": None, "tricks": None, "made": None, "points": points}
    doubling = {1: 0, 2: 1, 4: 2}[int(deals["doubling"][row])]
    contract = Contract(int(deals["level"][row]), int(deals["strain"][row]), doubling)
    return {
        "contract": contract_text(contract),
        "declarer": int(deals["declarer"][row]),
        "tricks": [int(deals[f"tricks_{seat}"][row]) for seat in range(players)],
        "made": bool(deals["made"][row]),
        "points": points,
    }


def _deal_transcript(setup: Setup, rules_json: dict[str, Any], chunk: Chunk, row: int) -> dict[str, Any]:
    deals, record = chunk.deals, chunk.record
    assert record is not None
    players = setup.variant.players
    match, deal, dealer = (int(deals[name][row]) for name in ("match", "deal", "dealer"))
    rest = _rest_of_pack(setup, match, deal, dealer)
    has_upcard = bool(setup.rules.deal.upcard)
    hands = [hand_text(int(to_border(record.dealt[row, seat]))) for seat in range(players)]
    events: list[Event] = [
        {
            "act": "deal",
            "hands": hands,
            "stock": rest[1:] if has_upcard else rest,
            "upcard": rest[0] if has_upcard else None,
        }
    ]
    if setup.rules.exchange.kind == codes.ExchangeKind.UPCARD:
        thrown = [int(to_border(record.thrown[row, seat])) for seat in range(players)]
        events += _exchange_events(setup.rules, rest, thrown, dealer)
    events += _call_events(setup.rules, record.calls[row, : deals["calls"][row]].tolist(), dealer)
    if not deals["passed_out"][row]:
        tricks = record.tricks[row, : setup.rules.deal.cards].tolist()
        held = _hands_in_play(record.dealt[row, :players].tolist(), events)
        events += _play_events(tricks, held, int(deals["declarer"][row]), int(deals["strain"][row]))
    return {
        "format": FORMAT,
        "variant": setup.variant.name,
        "rules": rules_json,
        "seed": setup.seed,
        "match": match,
        "deal": deal,
        "dealer": dealer,
        "bots": [bot.name for bot in setup.bots],
        "events": events,
        "result": _result(chunk, row, players),
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


def render(line: dict[str, Any]) -> str:
    """A transcript or a match line as text, card by card."""
    if line["format"] == MATCH_FORMAT:
        winner = "shared" if line["winner"] is None else f"seat {line['winner']} wins"
        return f"match {line['match']} ends {' : '.join(str(t) for t in line['totals'])}, {winner}\n"
    out = [f"{line['variant']}, seed {line['seed']}, match {line['match']}, deal {line['deal']}, dealer seat {line['dealer']}"]
    trick: list[str] = []
    calls: list[str] = []
    n_tricks = 0
    for event in line["events"]:
        act = event["act"]
        if act != "call" and calls:
            out.append("  auction   " + "  ".join(calls))
            calls = []
        if act == "deal":
            out += [f"  seat {seat}    {hand}" for seat, hand in enumerate(event["hands"])]
            if event["upcard"]:
                out.append(f"  upcard    {event['upcard']}")
        elif act == "exchange":
            out.append(f"  exchange  seat {event['seat']} draws {' '.join(event['drew'])}")
            out.append(f"            and throws {' '.join(event['discarded'])}")
        elif act == "call":
            calls.append(f"{event['seat']}:{event['call']}")
        elif act == "play":
            trick.append(f"{event['seat']}:{event['card']}")
        else:
            n_tricks += 1
            out.append(f"  trick {n_tricks:>2}  {'  '.join(trick)}   seat {event['winner']}")
            trick = []
    if calls:
        out.append("  auction   " + "  ".join(calls))
    return "\n".join([*out, _render_result(line["result"]), ""])


def _render_result(result: dict[str, Any]) -> str:
    points = " : ".join(str(p) for p in result["points"])
    if result["contract"] is None:
        return f"  result    passed out, points {points}"
    outcome = "made" if result["made"] else "failed"
    taken = result["tricks"][result["declarer"]]
    return f"  result    {result['contract']} by seat {result['declarer']}, {taken} tricks, {outcome}, points {points}"


