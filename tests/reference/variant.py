"""What of a variant this reference can play; anything else is refused rather than played wrongly."""

from __future__ import annotations

from .cards import COLON_OF_NAME, SUITS, deck
from .deal import hand_size, turns_a_card
from .shedding import MOST_QUOTAS

TRUMPS = [*SUITS, "none", "turned_card"]
PLAYERS = {"bridge": [2], "calls": [2, 3, 4, 5, 6], "steps": [3, 4, 5, 6]}
SCORINGS = {"bridge": ["contract_table", "trick_value"], "calls": ["calls"], "steps": ["shedding"]}
DUTIES = ["must_ruff", "must_overruff", "must_underruff", "must_head"]

ALLOWED = {
    ("exchange", "kind"): ["none", "upcard", "draw_tricks", "look_and_choose"],
    ("exchange", "upcard"): ["aside", "dealer_takes_it"],
    ("exchange", "winner"): ["led_suit", "any_suit_rank"],
    ("exchange", "drawn"): ["hand", "aside"],
    ("auction", "kind"): ["bridge", "calls", "steps"],
    ("auction", "opener"): ["dealer", "non_dealer"],
    ("auction", "lowest_bid"): ["0NT", "1C"],
    ("auction", "jump"): ["level", "ladder", "none"],
    ("auction", "passed_out"): ["count_zero", "redeal"],
    ("auction", "short_hand"): ["bid_all", "no_bid", "auto_out"],
    ("auction", "nobody_bids"): ["throw_in"],
    ("auction", "forced_bidder"): ["next_dealer_left"],
    ("play", "trump"): ["contract", *TRUMPS],
    ("colons", "off_range_when_void"): ["discard", "only_if_forced"],
    ("colons", "bar_lifted"): ["no_other_card", "no_other_suit"],
    ("scoring", "overtricks"): ["trick_value", "none"],
    ("scoring", "success"): ["at_least", "at_most_one_over", "exact"],
    ("scoring", "multiplier", "applies_to"): ["total", "award", "none"],
    ("shedding", "model"): ["quota", "persistent", "capture"],
    ("shedding", "unit"): ["trick", "card"],
    ("shedding", "alone_failed"): ["all_not_won", "shortfall"],
    ("match", "tie"): ["extra_deal_then_draw", "until_broken", "draw", "extra_deal", None],
}


def value_at(rules, path):
    """The value at a path of keys; None where a key is missing or not in use."""
    for key in path:
        rules = rules.get(key) if isinstance(rules, dict) else None
    return rules


def refuse_if(refused, message):
    """ValueError for something that must not be."""
    if refused:
        raise ValueError(message)


def check_rules(rules):
    """ValueError for a variant that is not one of the games, or puts together what does not fit."""
    for path, allowed in ALLOWED.items():
        value = value_at(rules, path)
        refuse_if(value is not None and value not in allowed, f"{'.'.join(path)}: {value!r} is none of {allowed}")
    check_kinds(rules)
    check_colons(rules)
    check_play(rules)
    check_match_rules(rules)
    if rules["auction"]["kind"] == "steps":
        check_shedding(rules)
    check_card_numbers(rules)


def check_kinds(rules):
    """Which deal goes with which players, exchange and scoring."""
    kind, exchange = rules["auction"]["kind"], rules["exchange"]["kind"]
    players, scoring = rules["players"], rules["scoring"]["kind"]
    refuse_if(players not in PLAYERS[kind], f"players: {players}, with auction.kind {kind} {PLAYERS[kind]}")
    refuse_if(scoring not in SCORINGS[kind], f"scoring.kind: {scoring}, with auction.kind {kind} {SCORINGS[kind]}")
    refuse_if(exchange != "none" and (players != 2 or kind == "steps"), "an exchange is for two players, not for Pit")
    if kind == "calls":
        options = rules["auction"]
        refuse_if(options["max"] != "cards" and options["max"] < options["min"], "auction.max is below auction.min")


def check_colons(rules):
    """Colons are for two players, and stay out of the natural tricks of `draw_tricks`."""
    colons = rules["deck"]["colons"]
    refuse_if(not set(colons) <= set(COLON_OF_NAME), f"deck.colons: {colons} are not all colons")
    if colons:
        kind, exchange = rules["auction"]["kind"], rules["exchange"]["kind"]
        refuse_if(rules["players"] != 2 or kind == "steps", "deck.colons: only in games for two")
        refuse_if(exchange == "draw_tricks", "deck.colons: not with exchange.kind draw_tricks")


def check_play(rules):
    """Where trumps come from, and which duties go together."""
    play, exchange = rules["play"], rules["exchange"]["kind"]
    trump = play.get("trump", "contract")
    refuse_if(trump == "contract" and rules["auction"]["kind"] != "bridge", "play.trump: there is no contract's strain")
    no_card_to_turn = exchange in ("draw_tricks", "look_and_choose")
    refuse_if(trump == "turned_card" and no_card_to_turn, f"play.trump: {exchange} leaves no card to turn")
    duties = [duty for duty in DUTIES if play.get(duty)]
    refuse_if(duties and not play["must_follow"], f"play: {duties} without must_follow")


def check_match_rules(rules):
    """Deals, a target or a victory; which ties go with them; the cap."""
    match, steps = rules["match"], rules["auction"]["kind"] == "steps"
    given = [key for key in ("deals", "target", "victory") if match.get(key) is not None]
    refuse_if(len(given) != 1 or (given == ["victory"]) != steps, f"match: {given}")
    if match.get("tie") in ("extra_deal_then_draw", "until_broken"):
        refuse_if(given != ["deals"], f"match.tie: {match['tie']} only with deals")
    cap = match.get("max_deals")
    refuse_if(given == ["deals"] and cap is not None and match["deals"] > cap, "match.deals is above match.max_deals")


def check_shedding(rules):
    """What the models of Pit do not know."""
    model, unit = rules["shedding"]["model"], rules["shedding"]["unit"]
    victory, bids = rules["match"]["victory"], rules["auction"]["bids"]
    refuse_if(model == "persistent" and unit == "card", "shedding.unit: card is not for persistent")
    refuse_if(victory != "shed" and model != "quota", "match.victory: points only with shedding.model quota")
    too_many = model == "quota" and rules["players"] * hand_size(rules) > MOST_QUOTAS
    refuse_if(too_many, f"deal.cards: quotas never sum above {MOST_QUOTAS}")
    refuse_if(not bids or bids != sorted(set(bids)) or bids[0] < 1, f"auction.bids: {bids} do not rise from 1 or more")


def check_card_numbers(rules):
    """ValueError if the deck does not suffice for the deal and the exchange."""
    exchange, size, turned = rules["exchange"], hand_size(rules), turns_a_card(rules)
    stock = len(deck(rules)) - rules["players"] * size - turned
    needed = 0
    if exchange["kind"] == "upcard":
        refuse_if(not turned, "exchange.kind upcard needs deal.upcard: the dealer's number follows from it")
        needed = exchange["non_dealer_draw"] + max(exchange["dealer_draw"].values())
    elif exchange["kind"] == "draw_tricks":
        needed = rules["players"] * size
    elif exchange["kind"] == "look_and_choose":
        refuse_if(size != 0 or turned, "exchange.kind look_and_choose: nothing is dealt and no card is turned")
        needed = 52
    refuse_if(exchange["kind"] != "look_and_choose" and size < 1, "deal.cards: at least one card each")
    refuse_if(stock < needed, f"the stock has {stock} cards, the exchange may need {needed}")
