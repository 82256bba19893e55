"""What of a variant this reference can play; anything else is refused rather than played wrongly."""

from __future__ import annotations

from .cards import COLON_OF_NAME, deck

ALLOWED = {
    ("players",): [2],
    ("exchange", "kind"): ["none", "upcard"],
    ("auction", "kind"): ["bridge"],
    ("auction", "opener"): ["dealer", "non_dealer"],
    ("auction", "lowest_bid"): ["0NT", "1C"],
    ("auction", "jump"): ["level", "ladder", "none"],
    ("auction", "passed_out"): ["count_zero", "redeal"],
    ("colons", "off_range_when_void"): ["discard", "only_if_forced"],
    ("colons", "bar_lifted"): ["no_other_card", "no_other_suit"],
    ("scoring", "kind"): ["contract_table"],
    ("scoring", "multiplier", "applies_to"): ["total", "award", "none"],
    ("match", "tie"): ["extra_deal_then_draw", "until_broken", "draw"],
}
PLAY_KEYS = {"must_follow", "trump"}


def value_at(rules, path):
    """The value at a path of keys."""
    for key in path:
        rules = rules[key]
    return rules


def check_rules(rules):
    """ValueError for a variant that is not a form of Bridgette."""
    for path, allowed in ALLOWED.items():
        if value_at(rules, path) not in allowed:
            raise ValueError(f"{'.'.join(path)}: {value_at(rules, path)!r} is none of {allowed}")
    if not set(rules["deck"]["colons"]) <= set(COLON_OF_NAME):
        raise ValueError(f"deck.colons: {rules['deck']['colons']} are not all colons")
    duties = [key for key, value in rules["play"].items() if key not in PLAY_KEYS and value]
    if duties or rules["play"].get("trump", "contract") != "contract":
        raise ValueError(f"play: only must_follow and trump: contract are known here, not {rules['play']}")
    cap = rules["match"].get("max_deals")
    if cap is not None and rules["match"]["deals"] > cap:
        raise ValueError("match.deals is above match.max_deals")
    check_card_numbers(rules)


def check_card_numbers(rules):
    """ValueError if the deck does not suffice for the deal and the exchange."""
    upcard, exchange = rules["deal"]["upcard"], rules["exchange"]
    stock = len(deck(rules)) - rules["players"] * rules["deal"]["cards"] - upcard
    needed = 0
    if exchange["kind"] == "upcard":
        if not upcard:
            raise ValueError("exchange.kind upcard needs deal.upcard: the dealer's number follows from it")
        if exchange["upcard"] not in ["aside", "dealer_takes_it"]:
            raise ValueError(f"exchange.upcard: {exchange['upcard']!r} is not known")
        needed = exchange["non_dealer_draw"] + max(exchange["dealer_draw"].values())
    if stock < needed:
        raise ValueError(f"the stock has {stock} cards, the exchange may need {needed}")
