"""The transcript of a deal: its first event, its result, and the object that holds everything."""

from __future__ import annotations

from . import scoring
from .cards import hand_text
from .deal import next_seat


def deal_event(cards):
    """The event that shows the cards as dealt."""
    return {
        "act": "deal",
        "hands": [hand_text(hand) for hand in cards["hands"]],
        "stock": list(cards["stock"]),
        "upcard": cards["upcard"],
    }


def deal_result(rules, contract, declarer, tricks):
    """The result of a deal; a passed-out one has no contract and no points."""
    points = [0] * rules["players"]
    if contract is None:
        return {"contract": None, "declarer": None, "tricks": None, "made": None, "points": points}
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
