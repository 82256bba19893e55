"""The transcript of a deal: its first event, its result, and the object that holds everything."""

from __future__ import annotations

from . import call_scoring, scoring
from .cards import hand_text
from .deal import next_seat
from .shedding import is_round_made
from .table_play import tricks_by_seat


def deal_event(cards):
    """The event that shows the cards as dealt."""
    return {
        "act": "deal",
        "hands": [hand_text(hand) for hand in cards["hands"]],
        "stock": list(cards["stock"]),
        "upcard": cards["upcard"],
    }


def empty_result(points):
    """The result of a deal that was passed out or thrown in."""
    return {"contract": None, "declarer": None, "tricks": None, "made": None, "points": points}


def contract_result(rules, contract, declarer, tricks):
    """The result after a bridge auction; a passed-out deal has no contract and no points."""
    points = [0] * rules["players"]
    if contract is None:
        return empty_result(points)
    score = scoring.contract_points(rules["scoring"], contract, tricks[declarer])
    points[declarer] = score["declarer"]
    points[next_seat(rules, declarer)] = score["opponent"]
    return {
        "contract": contract,
        "declarer": declarer,
        "tricks": tricks,
        "made": scoring.is_made(contract, tricks[declarer]),
        "points": points,
    }


def call_result(rules, calls, tricks):
    """The result of a deal in which each plays for his own call."""
    table = rules["scoring"]
    pairs = list(zip(calls, tricks, strict=True))
    return {
        "contract": None,
        "declarer": None,
        "tricks": tricks,
        "made": [call_scoring.is_call_made(table, call, won) for call, won in pairs],
        "calls": calls,
        "points": [call_scoring.call_points(table, call, won) for call, won in pairs],
    }


def round_result(played, points):
    """The result of a round of Pit."""
    if played["contract"] is None:
        return empty_result(points)
    return {
        "contract": played["contract"],
        "declarer": played["declarer"],
        "tricks": tricks_by_seat(len(played["hands"]), played["tricks"]),
        "made": is_round_made(played),
        "points": points,
    }


def deal_transcript(rules, bots, address, dealer, events, result):
    """The whole transcript; `address` is (seed, match, deal)."""
    seed, match, deal = address
    return {
        "format": "simcore-transcript/1",
        "variant": rules["name"],
        "rules": rules,
        "seed": seed,
        "match": match,
        "deal": deal,
        "dealer": dealer,
        "bots": [bot["name"] for bot in bots],
        "events": events,
        "result": result,
    }
