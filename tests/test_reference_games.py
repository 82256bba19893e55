"""The reference on all games: random matches pass its checks; changed transcripts are caught and the rule is named."""

from __future__ import annotations

import copy
import doctest

import pytest
from reference import call_scoring, check, games
from reference.games import GAMES, game
from reference.variant import check_rules
from reference_cases import (
    PASSING_BOT,
    add,
    assert_accepted,
    assert_caught,
    broken_rules,
    change,
    deals_of,
    drop,
    faults_of_swaps,
    first,
    random_deals,
    random_match,
)


@pytest.mark.parametrize("module", [call_scoring, games])
def test_examples_in_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


# --- Random matches --------------------------------------------------------------------------------------------------

ALL_DUTIES = {"play.must_ruff": True, "play.must_overruff": True, "play.must_underruff": True, "play.must_head": True}
TABLE = [
    ("call_bridge", {"players": 3, "auction.total_may_equal_tricks": False, **ALL_DUTIES}),
    ("call_bridge", {"players": 5, "deal.cards": 10, "play.trump": "none", "play.must_head": True}),
    ("call_bridge", {"players": 6, "deal.cards": 8, "auction.max": "cards", "play.must_overruff": False}),
    ("call_break", {"play.must_follow": False, "play.must_ruff": False, "play.must_overruff": False}),
    ("oh_hell", {"players": 5, "play.must_ruff": True, "play.must_underruff": True, "auction.total_may_equal_tricks": False}),
    ("oh_hell", {"players": 2, "deal.cards": 7, "match.deals": 3, **ALL_DUTIES}),
]
COLONS = {"deck.colons": ["grand", "royal", "little"]}
DRAWS = [
    ("draw_bridge", {"exchange.drawn": "aside", "exchange.winner": "any_suit_rank", "play.trump": "H"}),
    ("draw_bridge", {"exchange.must_follow": True, "match.tie": "extra_deal", "scoring.overtricks": "none"}),
    ("draw_bridge", {"deal.cards": 9, "deal.upcard": True, "auction.lowest_bid": "0NT", "match.target": 30}),
    ("draw_and_discard_bridge", {"exchange.second_seen_when_keeping": False, "auction.passed_out": "redeal"}),
    ("draw_and_discard_bridge", {**COLONS, **ALL_DUTIES, "play.trump": "S"}),
]
MIXED = [
    ("bridgette", {"play.trump": "turned_card", **ALL_DUTIES}),
    ("bridgette", {"play.trump": "none", "match.deals": None, "match.target": 1000, "match.tie": "draw"}),
    ("bridgette", {"scoring": game("draw_bridge_published")["scoring"], "auction.lowest_bid": "1C", **ALL_DUTIES}),
    ("bridgette", {"exchange": game("draw_bridge")["exchange"], "deck.colons": [], "deal.upcard": False}),
    ("call_bridge", {"players": 2, **COLONS, "deal.upcard": True, "exchange": game("bridgette")["exchange"], **ALL_DUTIES}),
    ("call_bridge", {"players": 2, "exchange": game("draw_bridge")["exchange"], "auction.max": "cards"}),
    ("oh_hell", {"players": 2, **COLONS, "deal.cards": 13, "match.deals": 2, "match.tie": "until_broken", **ALL_DUTIES}),
    ("call_bridge", {"players": 2, "deal.cards": 0, "exchange": game("draw_and_discard_bridge")["exchange"], **COLONS}),
]


@pytest.mark.parametrize("name", GAMES)
def test_random_matches_pass(name):
    assert_accepted(game(name), range(12))
    assert_accepted(game(name), range(20, 25), unit="deal")


@pytest.mark.parametrize(("name", "changes"), TABLE + DRAWS + MIXED)
def test_random_matches_of_other_variants_pass(name, changes):
    lines = assert_accepted(game(name, changes), range(6))
    assert any(line["result"]["tricks"] for of_match in lines for line in deals_of(of_match))


def test_matches_of_passes():
    lines = random_match(game("draw_bridge"), bot=PASSING_BOT)
    assert len(lines) == 60 + 1
    assert lines[-1]["winner"] is None
    lines = random_match(game("draw_and_discard_bridge", {"auction.passed_out": "redeal"}), bot=PASSING_BOT)
    assert len(lines) == 60 + 1
    assert len({line["dealer"] for line in lines[:21]}) == 1


def test_legal_sets_hold_what_was_chosen():
    for name in GAMES:
        line = random_match(game(name))[0]
        for choice in check.legal_sets(line):
            event = line["events"][choice["event"]]
            fields = {"exchange": "discarded", "choose": "kept", "call": "call", "play": "card"}
            chosen = event[fields[choice["act"]]]
            assert set(chosen if choice["act"] == "exchange" else [chosen]) <= set(choice["legal"])


# --- What is refused -------------------------------------------------------------------------------------------------

REFUSED = [
    ("bridgette", {"players": 3}),
    ("bridgette", {"scoring": game("call_bridge")["scoring"]}),
    ("bridgette", {"play.must_follow": False, "play.must_head": True}),
    ("bridgette", {"exchange": game("draw_bridge")["exchange"], "deal.upcard": False}),
    ("bridgette", {"match.max_deals": 5}),
    ("bridgette", {"match.deals": None, "match.target": 1000}),
    ("call_bridge", {"players": 7, "deal.cards": 7}),
    ("call_bridge", {"play.trump": "contract"}),
    ("call_bridge", {"play.trump": "turned_card"}),
    ("call_bridge", {"play.must_follow": False}),
    ("call_bridge", {"exchange": game("draw_bridge")["exchange"]}),
    ("call_bridge", {"deck.colons": ["grand"]}),
    ("call_bridge", {"auction.min": 13}),
    ("draw_bridge", {"deal.upcard": True}),
    ("draw_bridge", {"play.trump": "turned_card", "deal.cards": 10}),
    ("draw_and_discard_bridge", {"play.trump": "turned_card", **COLONS}),
    ("draw_and_discard_bridge", {"deal.cards": 13}),
    ("pit", {"players": 2, "deal.cards": 7}),
    ("pit", {"players": 6, "deal.cards": 9}),
    ("pit", {"deck.colons": ["little"]}),
    ("pit", {"play.trump": "contract"}),
    ("pit", {"shedding.model": "persistent", "shedding.unit": "card"}),
    ("pit", {"shedding.model": "capture", "match.victory": {"points": 20}}),
    ("pit", {"match.victory": None, "match.target": 20}),
    ("pit", {"auction.bids": [3, 3, 4]}),
]


@pytest.mark.parametrize(("name", "changes"), REFUSED)
def test_what_does_not_fit_together_is_refused(name, changes):
    check_rules(game(name))
    with pytest.raises(ValueError):
        check_rules(game(name, changes))


# --- Changed transcripts ---------------------------------------------------------------------------------------------


def other_seat(seat):
    return seat + 1 if seat == 0 else seat - 1


def turned(values):
    return values[1:] + values[:1]


def raised(values):
    return [values[0] + 1, *values[1:]]


COMMON = [
    ("card_conservation", change("deal", "stock", lambda stock: [*stock, "SA"])),
    ("deal_size", change("deal", "hands", lambda hands: hands[:-1])),
    ("format", change("deal", "stock", ["S10"])),
    ("format", change("deal", "hands", lambda hands: ["AA...", *hands[1:]])),
    ("turn", change("call", "seat", other_seat)),
    ("turn", change("play", "seat", other_seat)),
    ("trick_winner", change("trick", "winner", other_seat)),
    ("tricks", change("result", "tricks", raised)),
    ("points", change("result", "points", raised)),
    ("event_order", drop("deal")),
    ("event_order", drop("trick")),
    ("turn", drop("call")),
    ("extra_event", add({"act": "trick", "winner": 0})),
]
CONTRACT = [
    ("no_such_bid", change("call", "call", "0NT")),
    ("no_such_bid", change("call", "call", "8C")),
    ("nothing_to_double", change("call", "call", "X")),
    ("contract", change("result", "contract", "7NTXX")),
    ("declarer", change("result", "declarer", other_seat)),
    ("made", change("result", "made", int)),
]
CALLS = [
    ("call_range", change("call", "call", "1")),
    ("call_range", change("call", "call", "13")),
    ("call_range", change("call", "call", "05")),
    ("call_range", change("call", "call", "Pass")),
    ("calls", change("result", "calls", raised)),
    ("made", change("result", "made", lambda made: [not made[0], *made[1:]])),
    ("made", change("result", "made", lambda made: [int(one) for one in made])),
    ("contract", lambda line: line["result"].update(contract="4S") is None),
]
DRAWING = [
    ("draw_card", change("draw", "card", "DUMMY")),
    ("turn", change("draw", "seat", other_seat)),
    ("turn", drop("draw")),
]
CHOOSING = [
    ("turn", change("choose", "seat", other_seat)),
    ("kept_card", change("choose", "kept", "DUMMY")),
    ("seen_cards", change("choose", "seen", lambda seen: seen[:1])),
    ("seen_cards", change("choose", "seen", lambda seen: seen[::-1])),
    ("turn", drop("choose")),
]
SETTLING = [
    ("no_such_bid", change("call", "call", "8C")),
    ("bid_beyond_quota", change("call", "call", "52")),
    ("settle_points", change("settle", "points", raised)),
    ("quota", change("settle", "quota", raised)),
    ("quota", change("settle", "quota", lambda quota: quota[:-1])),
    ("missing_event", drop("settle")),
    ("upcard", change("deal", "upcard", None)),
    ("contract", change("result", "contract", "6")),
    ("declarer", change("result", "declarer", other_seat)),
    ("made", change("result", "made", lambda made: not made)),
    ("made", change("result", "made", int)),
]


def with_last_card(rule, apply):
    """Where a card must be wrong, take the last one of the stock (or of the first hand, where there is none)."""

    def applied(line):
        if not apply(line):
            return False
        for event in line["events"]:
            for field in ("card", "kept"):
                if event.get(field) == "DUMMY":
                    event[field] = line["events"][0]["stock"][-1]
        return True

    return rule, applied


CHANGES = {
    "call_bridge": COMMON + CALLS,
    "draw_bridge": COMMON + CONTRACT + [with_last_card(*pair) for pair in DRAWING],
    "draw_and_discard_bridge": [pair for pair in COMMON if pair[0] != "deal_size"]
    + CONTRACT
    + [with_last_card(*pair) for pair in CHOOSING],
    "pit": COMMON + SETTLING,
}
EVERY_CHANGE = [(name, number) for name, changes in CHANGES.items() for number in range(len(changes))]


@pytest.fixture(scope="module")
def played():
    return {name: random_deals(name, matches=3)[:25] for name in CHANGES}


@pytest.mark.parametrize(("name", "number"), EVERY_CHANGE)
def test_changed_transcripts_are_refused(played, name, number):
    rule, apply = CHANGES[name][number]
    assert assert_caught(played[name], rule.removeprefix("settle_"), apply) > 3


def test_twenty_kinds_of_change_a_game():
    assert all(len(changes) >= 20 for changes in CHANGES.values())


DUTIES = {"must_ruff", "must_overruff", "must_underruff", "must_head"}


@pytest.mark.parametrize(
    ("name", "changes", "rules"),
    [
        ("call_bridge", {}, {"follow_suit", "must_ruff", "must_overruff"}),
        ("call_bridge", ALL_DUTIES, {"follow_suit", "must_ruff", "must_overruff", "must_underruff", "must_head"}),
        ("call_bridge", {"play.must_overruff": False}, {"follow_suit", "must_ruff"}),
        ("oh_hell", {"play.must_head": True}, {"follow_suit", "must_head"}),
        ("draw_bridge", {}, {"follow_suit"}),
        ("draw_bridge", ALL_DUTIES, {"follow_suit", "must_ruff", "must_head"}),
        ("draw_and_discard_bridge", {}, {"follow_suit"}),
        ("draw_and_discard_bridge", {**COLONS, **ALL_DUTIES}, {"follow_suit", "must_ruff", "must_head", "colon_out_of_range"}),
        ("pit", {}, {"follow_suit"}),
        ("pit", ALL_DUTIES, {"follow_suit", "must_ruff", "must_overruff", "must_underruff", "must_head"}),
    ],
)
def test_every_broken_duty_is_named(name, changes, rules):
    found = set()
    for number, line in enumerate(random_deals(name, changes, matches=8)):
        found.update(faults_of_swaps(line))
        if number > 10 and rules <= found:
            break
    assert rules <= found
    assert found & DUTIES <= rules


WRONG_VALUES = [None, -1, 99, "", "X", [], [[]], {}, True, 0.5]


@pytest.mark.parametrize("name", CHANGES)
def test_senseless_values_are_violations_and_no_crashes(played, name):
    line = next(line for line in played[name] if line["result"]["tricks"])
    for act in ("deal", "choose", "call", "play", "trick", "draw", "settle"):
        event = first(line, act)
        if event is None:
            continue
        number = line["events"].index(event)
        for field in event:
            for value in WRONG_VALUES:
                if value != event[field] or isinstance(value, bool):  # None for no upcard is right
                    changed = copy.deepcopy(line)
                    changed["events"][number][field] = value
                    assert broken_rules(changed), (act, field, value)


def test_matches_are_checked():
    lines = random_match(game("call_bridge"), 1)
    assert [violation["rule"] for violation in check.check_match(lines[:3] + lines[4:])][0] == "deal_number"
    assert [violation["rule"] for violation in check.check_match(lines[:-1])] == ["match_line"]
    other = {**lines[0], "seed": 8}
    assert "deal_from_seed" in [violation["rule"] for violation in check.check_deal_from_seed(other)]
