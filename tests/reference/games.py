"""The rules of the other four games and of the variants shipped with them, every key, written a second time."""

from __future__ import annotations

from .bridgette import BRIDGETTE, changed

NO_DUTIES = {"must_ruff": False, "must_overruff": False, "must_underruff": False, "must_head": False}
NO_COLONS = {"deck": {"colons": []}, "colons": BRIDGETTE["colons"]}
NO_EXCHANGE = {"kind": "none"}

CALL_BRIDGE = {
    **NO_COLONS,
    "name": "call_bridge",
    "description": None,
    "players": 4,
    "deal": {"cards": 13, "upcard": False},
    "exchange": NO_EXCHANGE,
    "auction": {"kind": "calls", "min": 2, "max": 12, "total_may_equal_tricks": True},
    "play": {
        "trump": "S",
        "must_follow": True,
        "must_ruff": True,
        "must_overruff": True,
        "must_underruff": False,
        "must_head": False,
    },
    "scoring": {
        "kind": "calls",
        "success": "at_least",
        "made": "call",
        "failed": "minus_call",
        "overtrick_points": 0,
        "bonus_from": 8,
        "bonus_points": 13,
        "bonus_overtricks": 1,
    },
    "shedding": None,
    "match": {"deals": None, "target": 20, "tie": "extra_deal", "victory": None, "max_deals": 30},
}

CALL_BREAK = {
    "name": "call_break",
    "auction.min": 1,
    "auction.max": 13,
    "scoring.bonus_from": None,
    "scoring.overtrick_points": 0.1,
    "match.deals": 5,
    "match.target": None,
}

OH_HELL = {
    "name": "oh_hell",
    "deal.cards": 10,
    "play.trump": "turned_card",
    "play.must_ruff": False,
    "play.must_overruff": False,
    "auction.min": 0,
    "auction.max": "cards",
    "scoring.success": "exact",
    "scoring.made": {"base": 10, "per_trick": 1},
    "scoring.failed": "zero",
    "scoring.bonus_from": None,
    "match.deals": 10,
    "match.target": None,
}

DRAW_BRIDGE = {
    **NO_COLONS,
    "name": "draw_bridge",
    "description": None,
    "players": 2,
    "deal": {"cards": 13, "upcard": False},
    "exchange": {
        "kind": "draw_tricks",
        "must_follow": False,
        "winner": "led_suit",
        "top_card_visible": False,
        "drawn": "hand",
    },
    "auction": {
        "kind": "bridge",
        "opener": "dealer",
        "lowest_bid": "1C",
        "min_suit_length": 0,
        "min_jump_length": 0,
        "jump": "none",
        "nt_needs_every_suit": False,
        "doubles": True,
        "passed_out": "count_zero",
    },
    "play": {"trump": "contract", "must_follow": True, **NO_DUTIES},
    "scoring": {
        "kind": "trick_value",
        "trick_value": {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30},
        "nt_first": 40,
        "overtricks": "trick_value",
        "multiplier": {"doubled": 2, "redoubled": 4},
        "undertricks": "none",
    },
    "shedding": None,
    "match": {"deals": None, "target": 100, "tie": "draw", "victory": None, "max_deals": 60},
}

NOT_VULNERABLE_DOUBLED = [100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500]
NOT_VULNERABLE = {
    "undoubled": [50 * down for down in range(1, 14)],
    "doubled": NOT_VULNERABLE_DOUBLED,
    "redoubled": [2 * points for points in NOT_VULNERABLE_DOUBLED],
}

LOOK_AND_CHOOSE = {
    "name": "draw_and_discard_bridge",
    "deal.cards": 0,
    "exchange": {"kind": "look_and_choose", "second_seen_when_keeping": True, "discards_face_up": False},
}

PIT = {
    **NO_COLONS,
    "name": "pit",
    "description": None,
    "players": 4,
    "deal": {"cards": {"3": 7, "4": 7, "5": 6, "6": 6}, "upcard": False},
    "exchange": NO_EXCHANGE,
    "auction": {
        "kind": "steps",
        "bids": [3, 4, 5],
        "jump_bids": False,
        "pass_is_final": True,
        "short_hand": "bid_all",
        "alone": True,
        "nobody_bids": "throw_in",
        "forced_bidder": "next_dealer_left",
    },
    "play": {"trump": "turned_card", "must_follow": True, **NO_DUTIES},
    "scoring": {"kind": "shedding", "per_trick": 1, "declarer_per_trick": 0, "alone_per_trick": 2},
    "shedding": {"model": "quota", "unit": "trick", "alone_failed": "all_not_won"},
    "match": {"deals": None, "target": None, "tie": None, "victory": "shed", "max_deals": 100},
}

PUBLISHED_DRAW = {"exchange.must_follow": True, "scoring.undertricks": NOT_VULNERABLE}

GAMES = {
    "bridgette": (BRIDGETTE, {}),
    "call_bridge": (CALL_BRIDGE, {}),
    "call_bridge_pagat": (CALL_BRIDGE, {"scoring.success": "at_most_one_over"}),
    "call_break": (CALL_BRIDGE, CALL_BREAK),
    "oh_hell": (CALL_BRIDGE, OH_HELL),
    "oh_hell_openspiel": (
        CALL_BRIDGE,
        {**OH_HELL, "scoring.failed": {"per_trick": 1}, "auction.total_may_equal_tricks": False},
    ),
    "draw_bridge": (DRAW_BRIDGE, {}),
    "draw_bridge_published": (DRAW_BRIDGE, PUBLISHED_DRAW),
    "draw_and_discard_bridge": (DRAW_BRIDGE, LOOK_AND_CHOOSE),
    "draw_and_discard_bridge_published": (DRAW_BRIDGE, {**LOOK_AND_CHOOSE, "scoring.undertricks": NOT_VULNERABLE}),
    "pit": (PIT, {}),
}


def game(name, changes=None):
    """The rules of a game with some values changed, given by their paths.

    Examples
    --------
    >>> game("oh_hell", {"players": 3})["scoring"]["failed"]
    'zero'
    """
    rules, own = GAMES[name]
    return changed(rules, {**own, "name": name, **(changes or {})})
