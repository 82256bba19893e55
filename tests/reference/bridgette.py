"""Bridgette's rules with every key, written a second time, and a way to write variants of them."""

from __future__ import annotations

import copy

MINOR = [None, 150, 250, 250, 250, 750, 1500, 2200]
MAJOR = [None, 150, 250, 250, 750, 750, 1500, 2200]

BRIDGETTE = {
    "name": "bridgette",
    "description": None,
    "players": 2,
    "deck": {"colons": ["grand", "royal", "little"]},
    "deal": {"cards": 13, "upcard": True},
    "exchange": {
        "kind": "upcard",
        "non_dealer_draw": 2,
        "dealer_draw": {"spot": 4, "face": 8, "ace": 12},
        "upcard": "aside",
    },
    "auction": {
        "kind": "bridge",
        "opener": "dealer",
        "lowest_bid": "0NT",
        "min_suit_length": 2,
        "min_jump_length": 4,
        "jump": "level",
        "nt_needs_every_suit": True,
        "doubles": True,
        "passed_out": "count_zero",
    },
    "play": {
        "trump": "contract",
        "must_follow": True,
        "must_ruff": False,
        "must_overruff": False,
        "must_underruff": False,
        "must_head": False,
    },
    "colons": {
        "off_range_when_void": "discard",
        "bar_allows_colon_lead": True,
        "bar_lifted": "no_other_card",
        "bar_when_void": True,
        "must_beat_led_colon": False,
    },
    "scoring": {
        "kind": "contract_table",
        "award": {"C": MINOR, "D": MINOR, "H": MAJOR, "S": MAJOR, "NT": [150, 250, 250, 750, 750, 1500, 2200, 2500]},
        "exact": [250, 250, 250, 250, 250, 250, 100, 0],
        "overtricks_exactly": {3: 350},
        "doubled_made": 400,
        "redoubled_made": 1000,
        "multiplier": {"applies_to": "total", "doubled": 2, "redoubled": 4},
        "undertricks": {
            "undoubled": [100, 200, 300, 400, 700, 1000],
            "doubled": [200, 500, 800, 1100, 2000, 3000],
            "redoubled": [300, 700, 1100, 1500, 2700, 4000],
        },
    },
    "shedding": None,
    "match": {"deals": 6, "target": None, "tie": "extra_deal_then_draw", "victory": None, "max_deals": None},
}


def variant(changes=None):
    """Bridgette with some values changed, given by their paths.

    Examples
    --------
    >>> variant({"auction.jump": "ladder"})["auction"]["jump"]
    'ladder'
    """
    return changed(BRIDGETTE, changes)


def changed(rules, changes=None):
    """A copy of some rules with some values changed, given by their paths."""
    rules = copy.deepcopy(rules)
    for path, value in (changes or {}).items():
        *parents, last = path.split(".")
        place = rules
        for key in parents:
            place = place[key]
        place[last] = copy.deepcopy(value)
    return rules
