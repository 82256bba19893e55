"""The reference on Call Bridge and its relatives, row by row: duties, calls, points, matches with a target."""

from __future__ import annotations

import pytest
from reference import call_scoring, duties, match, play
from reference.calls import forbidden_number, legal_numbers, number_fault
from reference.cards import parse_hand
from reference.games import game
from reference_cases import assert_accepted, broken_rules, deals_of, play_script, random_match

# --- Duties ----------------------------------------------------------------------------------------------------------

CALL_BRIDGE = {"must_follow": True, "must_ruff": True, "must_overruff": True}


def legal(hand, trick, trump="S", **options):
    """Legal cards of a hand given as text."""
    rules = {"play": {**CALL_BRIDGE, **options}}
    return set(duties.legal_cards(rules, parse_hand(hand), trick.split(), trump))


def fault(hand, trick, card, trump="S", **options):
    """The duty a card breaks."""
    return duties.broken_duty({"play": {**CALL_BRIDGE, **options}}, parse_hand(hand), trick.split(), trump, card)


def test_any_card_may_be_led():
    assert legal("A.A.A.A", "") == {"SA", "HA", "DA", "CA"}


def test_follow_suit_with_any_card_of_it():
    assert legal("A2.K3.4.", "HQ") == {"HK", "H3"}
    assert fault("A2.K3.4.", "HQ", "S2") == "follow_suit"
    assert legal("A2.K3.4.", "HQ", must_follow=False) == {"SA", "S2", "HK", "H3", "D4"}


def test_a_void_hand_without_trumps_plays_anything():
    assert legal("..K4.2", "HQ") == {"DK", "D4", "C2"}
    assert legal("..K4.2", "HQ S2 H3", must_underruff=True) == {"DK", "D4", "C2"}


def test_a_void_hand_must_ruff():
    assert legal("A2..K4.", "HQ") == {"SA", "S2"}
    assert fault("A2..K4.", "HQ", "DK") == "must_ruff"
    assert legal("A2..K4.", "HQ", must_ruff=False, must_overruff=True, must_underruff=True) == {"SA", "S2", "DK", "D4"}
    assert legal("A2..K4.", "HQ", trump=None) == {"SA", "S2", "DK", "D4"}


def test_overruff():
    assert legal("AJ2..K4.", "HQ ST H3") == {"SA", "SJ"}
    assert legal("AJ2..K4.", "HQ ST SQ") == {"SA"}
    assert fault("AJ2..K4.", "HQ ST H3", "S2") == "must_overruff"
    assert fault("AJ2..K4.", "HQ ST H3", "DK") == "must_ruff"
    assert legal("AJ2..K4.", "HQ ST H3", must_overruff=False) == {"SA", "SJ", "S2"}
    assert fault("AJ2..K4.", "HQ ST H3", "DK", must_overruff=False) == "must_ruff"


def test_already_ruffed_by_a_higher_trump():
    assert legal("92..K4.", "HQ ST") == {"S9", "S2", "DK", "D4"}
    assert legal("92..K4.", "HQ ST", must_overruff=False) == {"S9", "S2", "DK", "D4"}
    assert legal("92..K4.", "HQ ST", must_underruff=True) == {"S9", "S2"}
    assert fault("92..K4.", "HQ ST", "DK", must_underruff=True) == "must_underruff"
    assert legal("92..K4.", "HQ ST", must_overruff=False, must_underruff=True) == {"S9", "S2"}


def test_one_who_can_follow_never_ruffs_and_need_not_head():
    assert legal("A.2.4.", "HQ ST") == {"H2"}
    assert legal(".A2.4.", "HQ HK") == {"HA", "H2"}


def test_head():
    assert legal(".AJ2.4.", "HQ", must_head=True) == {"HA"}
    assert legal(".AKJ2.4.", "HT DA H9", must_head=True) == {"HA", "HK", "HJ"}
    assert legal(".J2.4.", "HQ", must_head=True) == {"HJ", "H2"}
    assert fault(".AJ2.4.", "HQ", "H2", must_head=True) == "must_head"
    assert fault(".AJ2.4.", "HQ", "D4", must_head=True) == "follow_suit"
    assert legal(".AJ2.4.", "HQ S2", must_head=True) == {"HA", "HJ", "H2"}  # ruffed: the duty has lapsed
    assert legal(".AJ2.4.", "HQ S2", trump=None, must_head=True) == {"HA"}  # a discard


def test_trump_led():
    assert legal("A92.K..", "ST") == {"SA", "S9", "S2"}
    assert legal("A92.K..", "ST", must_head=True) == {"SA"}
    assert legal("A92.K..", "ST SK S3", must_head=True) == {"SA"}
    assert legal("92.K..", "ST", must_head=True) == {"S9", "S2"}
    assert legal(".K.2.", "ST", must_underruff=True) == {"HK", "D2"}


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        ("HQ H2 HK H3", "S", 2),
        ("HQ S2 HK S3", "S", 3),
        ("HQ DA CA SA", None, 0),
        ("HQ DA DK H2", "D", 1),
        ("S2 HA S9 ST", "S", 3),
        ("D7", "S", 0),
    ],
)
def test_who_wins(trick, trump, place):
    assert duties.winning_place(trick.split(), trump) == place


# --- Duties and colons (two players) ---------------------------------------------------------------------------------

ALL_DUTIES = {f"play.{duty}": True for duty in ("must_ruff", "must_overruff", "must_underruff", "must_head")}


def replies(hand, led, trump, changes=None):
    rules = game("bridgette", {**ALL_DUTIES, **(changes or {})})
    return set(play.legal_replies(rules, parse_hand(hand), led, trump))


def reply_fault(hand, led, trump, card, changes=None):
    return play.reply_fault(game("bridgette", {**ALL_DUTIES, **(changes or {})}), parse_hand(hand), led, trump, card)


def test_where_colons_and_duties_meet():
    assert replies("A2..K4./GL", "HQ", "S") == {"SA", "S2"}  # out of range: only when no ruff is due
    assert replies("A2..K4./GR", "HQ", "S") == {"SA", "S2", "RC"}  # in range: always (C1)
    assert replies("..K4./GL", "HQ", "S") == {"DK", "D4", "GC", "LC"}
    assert replies("A2..K4./GL", "HQ", None) == {"SA", "S2", "DK", "D4", "GC", "LC"}
    assert replies("..K4./G", "HQ", "S", {"colons.off_range_when_void": "only_if_forced"}) == {"DK", "D4"}
    assert reply_fault("A2..K4./GL", "HQ", "S", "GC") == "must_ruff"
    assert reply_fault("A2..K4./GL", "HQ", "S", "DK") == "must_ruff"
    forced = {"colons.off_range_when_void": "only_if_forced"}
    assert reply_fault("A2..K4./GL", "HQ", "S", "GC", forced) == "must_ruff"
    assert reply_fault("..K4./GL", "HQ", "S", "GC", forced) == "colon_only_if_forced"


def test_heading_and_colons():
    assert replies("2.AJ2../RL", "HQ", "S") == {"HA", "RC"}
    assert replies("2.J2../R", "HQ", "S") == {"HJ", "H2", "RC"}
    assert replies("2.AJ2../L", "GC", "S") == {"S2", "HA", "HJ", "H2", "LC"}  # C8: no duty on a led colon
    assert reply_fault("2.AJ2../RL", "HQ", "S", "HJ") == "must_head"
    assert reply_fault("2.AJ2../RL", "HQ", "S", "LC") == "colon_out_of_range"


def test_where_trumps_come_from():
    def trump(source, contract, upcard=None):
        return play.trump_of_play({"play": {"trump": source}}, contract, upcard)

    assert [trump("contract", contract) for contract in ("4S", "3NTX")] == ["S", None]
    assert [trump("H", contract) for contract in ("4S", "3NT", None)] == ["H"] * 3
    assert trump("none", "4S") is None
    assert trump("turned_card", "4S", "D2") == "D"
    assert trump("turned_card", "4S", "GC") is None  # a turned colon means no trump
    assert play.trump_of_play({"play": {}}, "4S", None) == "S"


def test_a_turned_card_stands_in_the_upcard_and_not_in_the_stock():
    line = random_match(game("oh_hell"))[0]
    deal = line["events"][0]
    assert deal["upcard"] is not None
    assert len(deal["stock"]) == 11


# --- Calls -----------------------------------------------------------------------------------------------------------


def test_range_of_calls():
    assert legal_numbers(game("call_bridge"), 13, []) == list(range(2, 13))
    assert legal_numbers(game("oh_hell"), 10, [3, 0, 9]) == list(range(11))  # nobody need go above
    assert number_fault(game("call_bridge"), 13, [], "12") is None
    assert [number_fault(game("call_bridge"), 13, [], text) for text in ("1", "13", "02", "X")] == ["call_range"] * 4


def test_forbidden_total():
    rules = game("oh_hell", {"auction.total_may_equal_tricks": False})
    assert forbidden_number(rules, 10, [3, 2]) is None  # not yet the last caller
    assert legal_numbers(rules, 10, [3, 2, 1]) == [0, 1, 2, 3, 5, 6, 7, 8, 9, 10]
    assert number_fault(rules, 10, [3, 2, 1], "4") == "forbidden_total"
    assert legal_numbers(rules, 10, [9, 9, 9]) == list(range(11))
    only = game("oh_hell", {"auction.total_may_equal_tricks": False, "auction.min": 1, "auction.max": 1})
    assert legal_numbers(only, 4, [1, 1, 1]) == [1]  # no other call is left


def test_calls_and_leads_begin_after_the_dealer():
    hands = ["A.K..", "K.A..", "Q.Q..", "J.J.."]
    rules = game("call_bridge", {"auction.min": 0})
    table, result, _ = play_script(rules, hands, "1 2 3 4 HQ HJ HK HA SK SQ SJ SA", dealer=1)
    assert table.seats[:4] == [2, 3, 0, 1]
    assert table.seats[4:] == [2, 3, 0, 1, 1, 2, 3, 0]
    assert table.winners == [1, 0]
    assert result["calls"] == [3, 4, 1, 2]
    assert result["tricks"] == [1, 1, 0, 0]
    assert result["points"] == [-3, -4, -1, -2]
    assert (result["contract"], result["declarer"], result["made"]) == (None, None, [False] * 4)


def test_two_players_call_too():
    rules = game("call_bridge", {"players": 2, "auction.min": 0, "deck.colons": ["grand", "royal", "little"]})
    _, result, _ = play_script(rules, ["A2.../G", "K.A2.."], "1 1 SK SA S2 H2 GC HA", dealer=0)
    assert result["tricks"] == [2, 1]
    assert result["points"] == [1, 1]


# --- Points ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "tricks", "points"),
    [
        (5, 5, 5),
        (5, 9, 5),
        (5, 4, -5),
        (7, 13, 7),
        (8, 8, 13),
        (8, 9, 13),
        (8, 10, -8),
        (10, 12, -10),
        (12, 13, 13),
        (2, 1, -2),
    ],
)
def test_vectors(call, tricks, points):
    assert call_scoring.call_points(game("call_bridge")["scoring"], call, tricks) == points


@pytest.mark.parametrize(
    ("name", "changes", "call", "tricks", "made", "points"),
    [
        ("call_bridge_pagat", {}, 5, 6, True, 5),
        ("call_bridge_pagat", {}, 5, 7, False, -5),
        ("call_bridge_pagat", {}, 8, 9, True, 13),
        ("call_bridge", {"scoring.success": "exact"}, 5, 6, False, -5),
        ("call_bridge", {"scoring.success": "exact"}, 8, 9, True, 13),  # bonus calls follow bonus_overtricks
        ("call_bridge", {"scoring.bonus_overtricks": 0}, 8, 9, False, -8),
        ("call_bridge", {"scoring.bonus_from": 5}, 5, 7, False, -5),
        ("call_bridge", {"scoring.overtrick_points": 0.1}, 8, 9, True, 13),  # none on a bonus call
        ("call_bridge", {"scoring.failed": "zero"}, 8, 10, False, 0),
        ("call_break", {}, 5, 8, True, 5.3),
        ("call_break", {}, 5, 5, True, 5),
        ("call_break", {}, 13, 13, True, 13),
        ("call_break", {}, 1, 0, False, -1),
        ("oh_hell", {}, 0, 0, True, 10),
        ("oh_hell", {}, 4, 4, True, 14),
        ("oh_hell", {}, 4, 5, False, 0),
        ("oh_hell_openspiel", {}, 4, 5, False, 5),
        ("oh_hell", {"scoring.success": "at_least", "scoring.overtrick_points": 0.5}, 4, 7, True, 18.5),
    ],
)
def test_options_of_the_points(name, changes, call, tricks, made, points):
    table = game(name, changes)["scoring"]
    assert call_scoring.is_call_made(table, call, tricks) is made
    found = call_scoring.call_points(table, call, tricks)
    assert found == points
    assert isinstance(found, int) == (points == int(points))


# --- Matches with a target -------------------------------------------------------------------------------------------


def state_after(name, points, changes=None):
    """The state of a match after deals with these points, each played while the match was on."""
    rules = game(name, {"players": 2, "deal.cards": 13, "play.trump": "S", **(changes or {})})
    state = match.new_match(rules, 0)
    for of_deal in points:
        assert not state["over"]
        state = match.after_deal(rules, "match", state, {"contract": None, "points": of_deal})
    return state["over"], state["finished"], match.winners_of_match(rules, state)


def test_target():
    assert state_after("call_bridge", [[12, 5], [7, 13]]) == (False, False, [0])
    assert state_after("call_bridge", [[12, 5], [8, 13]]) == (True, True, [0])
    assert state_after("call_bridge", [[12, 13], [8, 9]]) == (True, True, [1])  # several: the highest
    assert state_after("call_bridge", [[12, 12], [8, 8]]) == (False, False, [0, 1])
    assert state_after("call_bridge", [[12, 12], [8, 8], [-5, -5]])[0] is False
    below = [[12, 12], [8, 8], [-5, -5], [-2, -3]]
    assert state_after("call_bridge", below) == (True, True, [0])  # alone at the top, even below the target
    assert state_after("call_bridge", [[12, 12], [8, 8]], {"match.tie": "draw"}) == (True, True, [0, 1])
    assert state_after("call_bridge", [[12, 12], [8, 8]], {"match.tie": None}) == (True, True, [0, 1])


def test_cap_and_extra_deals():
    assert state_after("call_bridge", [[1, 1]] * 30) == (True, False, [0, 1])
    assert state_after("call_bridge", [[1, 0]] * 5, {"match.max_deals": 5}) == (True, False, [0])
    assert state_after("call_bridge", [[20, 1]], {"match.max_deals": 1}) == (True, True, [0])
    deals = {"match.deals": 2, "match.target": None}
    assert state_after("call_bridge", [[1, 1], [1, 1]], deals)[0] is False
    assert state_after("call_bridge", [[1, 1], [1, 1], [1, 1], [0, 1]], deals) == (True, True, [1])
    assert state_after("call_bridge", [[1, 1]] * 30, deals) == (True, False, [0, 1])


def test_points_of_a_match_stay_exact_tenths():
    for lines in assert_accepted(game("call_break"), range(30, 33)):
        totals = [sum(round(10 * line["result"]["points"][seat]) for line in deals_of(lines)) for seat in range(4)]
        assert [round(10 * total) for total in lines[-1]["totals"]] == totals


def test_a_result_of_calls_is_judged():
    line = random_match(game("call_break"))[0]
    assert broken_rules(line) == []
    assert set(line["result"]) == {"contract", "declarer", "tricks", "made", "calls", "points"}
    assert broken_rules({**line, "result": {**line["result"], "contract": "3NT"}}) == ["contract"]
