"""The reference on Pit, row by row: the auction by steps, rounds, settlements of the three models, matches."""

from __future__ import annotations

import copy

import pytest
from reference import check, match, shedding
from reference.cards import parse_hand
from reference.deal import hand_size
from reference.games import game
from reference_cases import (
    PASSING_BOT,
    assert_accepted,
    bot_with,
    broken_rules,
    deals_of,
    play_script,
    random_match,
)

VARIANTS = [
    {"shedding.model": "persistent"},
    {"shedding.model": "persistent", "play.trump": "H", "auction.short_hand": "auto_out"},
    {"shedding.model": "capture"},
    {"shedding.model": "capture", "auction.short_hand": "no_bid", "shedding.alone_failed": "shortfall"},
    {"shedding.unit": "card", "auction.alone": False},
    {"match.victory": {"points": 25}, "scoring.declarer_per_trick": 0.5},
    {"auction.pass_is_final": False, "auction.jump_bids": True, "play.trump": "none"},
    {"auction.short_hand": "auto_out", "play.must_follow": False, "shedding.alone_failed": "shortfall"},
    {"play.must_ruff": True, "play.must_overruff": True, "deal.cards": 5, "auction.bids": [2, 4]},
]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("changes", VARIANTS)
def test_random_matches_pass(changes, players):
    rules = game("pit", {**changes, "players": players, "match.max_deals": 40})
    assert_accepted(rules, range(2), bot=bot_with(step_pass_percent=50, alone_percent=30))
    assert_accepted(rules, range(9, 11), unit="deal")


def test_seven_cards_or_six():
    assert [hand_size(game("pit", {"players": players})) for players in (3, 4, 5, 6)] == [7, 7, 6, 6]
    assert hand_size(game("pit", {"deal.cards": {4: 5}})) == 5


# --- Rounds ----------------------------------------------------------------------------------------------------------


def round_of(hands, script, changes=None, dealer=2, upcard="D2", stock=""):
    """Play a round of three players."""
    rules = game("pit", {"players": 3, "match.max_deals": 9, **(changes or {})})
    return play_script(rules, hands, script, dealer, stock, upcard)


def test_declarer_leads_trump_beats_the_led_suit_and_others_score_a_trick():
    hands = ["AKQ...", "J2..4.", "T..3.A"]
    table, result, _ = round_of(hands, "3 Pass Pass SA SJ ST SK S2 D3 CA SQ D4")
    assert table.winners == [0, 2, 1]
    assert table.seats[3:] == [0, 1, 2, 0, 1, 2, 2, 0, 1]
    assert result["tricks"] == [1, 1, 1]
    assert (result["contract"], result["declarer"], result["made"]) == ("3", 0, False)
    assert result["points"] == [0, 1, 1]
    assert table.settled == ([3 + 2, 3, 3], [0, 1, 1])


def test_players_out_of_cards_are_skipped_and_the_next_one_with_cards_leads():
    hands = ["KQJ2...", "A...", "T3..."]
    table, result, _ = round_of(hands, "3 Pass Pass SK SA ST S3 SQ SJ S2")
    assert table.seats == [0, 1, 2, 0, 1, 2, 2, 0, 0, 0]  # seat 1 wins, has no cards left, seat 2 leads; at last 0 alone
    assert table.winners == [1, 0, 0, 0]
    assert result["tricks"] == [3, 1, 0]
    assert table.settled == ([1, 1, 2], [0, 1, 0])


def test_the_round_ends_when_declarers_hand_is_empty():
    table, result, _ = round_of(["AK...", "2.432..", ".QJT987.."], "2 Pass Pass SA S2 H7 SK H2 H8")
    assert result["contract"] == "2"  # a short hand bids all of its cards
    assert result["tricks"] == [2, 0, 0]
    assert table.settled == ([0, 4, 6], [0, 0, 0])


def test_thrown_in():
    table, result, left = round_of(["AKQ...", "J2..4.", "T..3.A"], "Pass Pass Pass")
    assert result == {"contract": None, "declarer": None, "tricks": None, "made": None, "points": [0, 0, 0]}
    assert table.settled == ([3, 3, 3], [0, 0, 0])
    assert left["hands"] is None  # the next round is dealt anew
    _, _, left = round_of(["AKQ...", "J2..4.", "T..3.A"], "Pass Pass Pass", {"shedding.model": "persistent"})
    assert [len(hand) for hand in left["hands"]] == [3, 3, 3]


# --- Settlement ------------------------------------------------------------------------------------------------------


def played(contract, won, quota=(7, 7, 7), cards_a_trick=3):
    """A round in which declarer 0 won so many tricks, the others the rest in turn; its cards are of no matter."""
    seats = range(len(quota))
    winners = [0] * won + [1 + number % (len(quota) - 1) for number in range(quota[0] - won)]
    names = iter(f"{suit}{rank}" for suit in "CDHS" for rank in "23456789TJQKA")
    tricks = [{"winner": who, "cards": {seat: next(names) for seat in list(seats)[:cards_a_trick]}} for who in winners]
    hands = [["SA"] * count for count in quota]
    return {"hands": hands, "stock": [], "upcard": "SA", "contract": contract, "declarer": 0, "tricks": tricks}


@pytest.mark.parametrize(
    ("contract", "won", "quota", "changes", "after"),
    [
        ("3", 3, (7, 7, 7), {}, 4),
        ("3", 5, (7, 7, 7), {}, 2),
        ("3", 7, (7, 7, 7), {}, 0),
        ("2", 2, (2, 7, 7), {}, 0),
        ("3", 1, (7, 7, 7), {}, 9),
        ("5", 0, (7, 7, 7), {}, 12),
        ("3 alone", 4, (7, 7, 7), {}, 3),
        ("3 alone", 2, (7, 7, 7), {}, 12),  # all tricks of the round not won
        ("3 alone", 2, (7, 7, 7), {"shedding.alone_failed": "shortfall"}, 8),
        ("3 alone", 0, (7, 21, 20), {}, 10),  # together within 51
        ("5", 0, (7, 22, 22), {}, 7),
        ("3", 3, (7, 7, 7), {"shedding.unit": "card"}, 0),
        ("3", 1, (7, 7, 7), {"shedding.unit": "card"}, 9),
        ("3 alone", 2, (7, 7, 7), {"shedding.unit": "card"}, 12),
        ("3", 7, (7, 7, 7), {"match.victory": {"points": 9}}, 7),  # starts again
        ("3", 3, (3, 22, 24), {"match.victory": {"points": 9}}, 5),  # or what 51 leaves
        ("3", 5, (7, 7, 7), {"match.victory": {"points": 9}, "auction.short_hand": "auto_out"}, 2),
    ],
)
def test_quotas(contract, won, quota, changes, after):
    rules = game("pit", {"players": 3, **changes})
    left = shedding.settle(rules, played(contract, won, quota))
    assert left["quota"] == [after, *quota[1:]]
    assert left["draws"] == []


def test_fewer_cards_in_the_tricks_shed_less_under_unit_card():
    rules = game("pit", {"players": 3, "shedding.unit": "card"})
    assert shedding.settle(rules, played("3", 3, cards_a_trick=1))["quota"][0] == 4


@pytest.mark.parametrize(
    ("contract", "won", "changes", "points"),
    [
        ("3", 4, {}, [0, 2, 1]),
        ("3", 2, {}, [0, 3, 2]),
        ("3 alone", 4, {}, [8, 2, 1]),
        ("3 alone", 2, {}, [0, 3, 2]),
        ("3", 4, {"scoring.declarer_per_trick": 1.5, "scoring.per_trick": 2}, [6, 4, 2]),
        ("3", 2, {"scoring.declarer_per_trick": 1.5}, [3, 3, 2]),  # made or not
        ("3 alone", 4, {"scoring.declarer_per_trick": 1.5}, [8, 2, 1]),  # never on a contract played alone
        ("3 alone", 2, {"scoring.declarer_per_trick": 1.5}, [0, 3, 2]),
    ],
)
def test_points_of_a_round(contract, won, changes, points):
    rules = game("pit", {"players": 3, **changes})
    assert shedding.round_tenths(rules, played(contract, won)) == [10 * amount for amount in points]


@pytest.mark.parametrize(
    ("short_hand", "left", "out"),
    [("bid_all", 0, 0), ("bid_all", 1, None), ("auto_out", 2, 0), ("auto_out", 3, None), ("no_bid", 1, None)],
)
def test_who_is_out(short_hand, left, out):
    rules = game("pit", {"auction.short_hand": short_hand})
    assert shedding.sheds_out(rules, {"made": True, "declarer": 0}, [left, 7, 7, 7]) == out
    assert shedding.sheds_out(rules, {"made": False, "declarer": 0}, [left, 7, 7, 7]) is None
    points = game("pit", {"auction.short_hand": short_hand, "match.victory": {"points": 9}})
    assert shedding.sheds_out(points, {"made": True, "declarer": 0}, [left, 7, 7, 7]) is None


# --- Hands that last -------------------------------------------------------------------------------------------------

HANDS = ["AKQ..2.", "J2..4.5", "T..3.A8"]


def test_persistent_failed():
    table, result, left = round_of(
        HANDS,
        "3 Pass Pass SA SJ ST SK S2 D3 CA D2 C5 SQ D4 C8",
        {"shedding.model": "persistent"},
        stock="H9 H8 H7",
        upcard="D9",
    )
    assert result["tricks"] == [2, 1, 1]
    assert table.draws == [(0, "H9")]
    assert table.settled[0] == [5, 4, 4]
    assert left["hands"][0] == parse_hand("AKQ.9.2.")  # everybody takes back what he played
    assert left["hands"][1] == parse_hand(HANDS[1])
    assert (left["stock"], left["upcard"]) == (["H8", "H7"], "D9")


def test_persistent_made_removes_the_cards_that_won():
    table, result, left = round_of(
        HANDS, "3 Pass Pass SA SJ ST SK S2 C8 SQ C5 CA D2 D4 D3", {"shedding.model": "persistent"}, upcard="H9"
    )
    assert result["tricks"] == [3, 1, 0]
    assert table.draws == []
    assert left["hands"] == [["D2"], parse_hand(HANDS[1]), parse_hand(HANDS[2])]


def test_persistent_penalties_are_drawn_while_the_pit_lasts():
    table, _, left = round_of(
        ["5432...", "9876...", "AKQJ..."],
        "3a Pass Pass S2 S6 SJ SQ S3 S7 SK S4 S8 SA S5 S9",
        {"shedding.model": "persistent"},
        stock="H9 H8 H7",
        upcard="D9",
    )
    assert table.draws == [(0, "H9"), (0, "H8"), (0, "H7")]  # four are due
    assert table.settled[0] == [7, 4, 4]
    assert left["stock"] == []


def test_capture_made_discards_and_wins():
    table, result, left = round_of(
        HANDS, "3 Pass Pass SA SJ ST SK S2 C8 SQ C5 CA D2 D4 D3", {"shedding.model": "capture"}, stock="H8 H7", upcard="H9"
    )
    assert result["made"] is True
    assert table.draws == []  # nobody draws after the winning contract, not even seat 2
    assert table.settled[0] == [0, 3, 0]
    assert left["hands"][1] == ["D2", "D3", "D4"]


def test_capture_failed_keeps_draws_and_refills():
    hands = ["5432...", "9876...", "AKQJ.2.."]
    table, _, left = round_of(
        hands,
        "3 Pass Pass S2 S6 SJ SQ S3 S7 SK S4 S8 SA S5 S9",
        {"shedding.model": "capture"},
        stock="H9 H8 H7 H6 H5 H4 H3",
        upcard="D9",
    )
    assert table.draws == [(0, "H9"), (0, "H8"), (0, "H7"), (1, "H6"), (1, "H5"), (1, "H4")]
    assert table.settled[0] == [3, 3, 13]
    assert left["hands"][2] == parse_hand("AKQJ98765432.2..")  # the cards he won, and the one he did not play
    assert left["stock"] == ["H3"]


def test_capture_an_empty_pit_leaves_players_without_cards():
    hands = ["5432...", "9876...", "AKQJ.2.."]
    script = "3a Pass Pass S2 S6 SJ SQ S3 S7 SK S4 S8 SA S5 S9"
    table, _, left = round_of(hands, script, {"shedding.model": "capture"}, stock="H9 H8 H7 H6 H5", upcard="D9")
    assert table.draws == [(0, "H9"), (0, "H8"), (0, "H7"), (0, "H6"), (1, "H5")]  # four not won; then what there is
    assert table.settled[0] == [4, 1, 13]
    table, _, _ = round_of(hands, script, {"shedding.model": "capture"}, stock="H9", upcard="D9")
    assert table.settled[0] == [1, 0, 13]


def test_capture_shortfall():
    hands = ["5432...", "9876...", "AKQJ.2.."]
    script = "3a Pass Pass S2 S6 SJ SQ S3 S7 SK S4 S8 SA S5 S9"
    changes = {"shedding.model": "capture", "shedding.alone_failed": "shortfall"}
    table, _, _ = round_of(hands, script, changes, stock="H9 H8 H7 H6 H5 H4 H3", upcard="D9")
    assert table.settled[0] == [3, 3, 13]


# --- Matches ---------------------------------------------------------------------------------------------------------


def state_after(rounds, changes=None):
    """State after rounds given as (made, quota, points); declarer is seat 0, None is thrown in."""
    rules = game("pit", {"players": 3, **(changes or {})})
    state = match.new_match(rules, 0)
    for made, quota, points in rounds:
        assert not state["over"]
        result = {"contract": None if made is None else "3", "declarer": 0, "made": made, "points": points}
        state = match.after_deal(rules, "match", state, result, {"quota": quota})
    return state, match.winners_of_match(rules, state)


def test_shed():
    state, best = state_after([(False, [9, 7, 7], [0, 3, 3]), (True, [0, 7, 7], [0, 1, 1])])
    assert (state["over"], state["finished"], best) == (True, True, [0])
    assert state_after([(True, [2, 7, 7], [0, 0, 0])])[0]["over"] is False


def test_thrown_in_rounds_count_and_force_the_next_first_speaker():
    state, _ = state_after([(None, [7, 7, 7], [0, 0, 0])])
    assert (state["forced"], state["counted"], state["dealer"]) == (True, 1, 1)
    assert state_after([(None, [7, 7, 7], [0, 0, 0]), (True, [4, 7, 7], [0, 0, 0])])[0]["forced"] is False


@pytest.mark.parametrize(
    ("quota", "points", "best"),
    [([5, 4, 7], [9, 0, 0], [1]), ([5, 5, 7], [0, 1, 9], [1]), ([5, 5, 7], [1, 1, 9], [0, 1])],
)
def test_at_the_cap_fewest_cards_then_most_points(quota, points, best):
    state, winners = state_after([(False, quota, points)], {"match.max_deals": 1})
    assert (state["over"], state["finished"], winners) == (True, False, best)


def test_victory_by_points_needs_one_alone_at_the_top():
    points = {"match.victory": {"points": 5}, "match.max_deals": 4}
    level = [(True, [7, 7, 7], [5, 5, 0])]
    assert state_after(level, points)[0]["over"] is False
    state, best = state_after([*level, (True, [7, 7, 7], [0, 1, 0])], points)
    assert (state["over"], state["finished"], best) == (True, True, [1])
    state, best = state_after(level + [(None, [7, 7, 7], [0, 0, 0])] * 3, points)
    assert (state["over"], state["finished"], best) == (True, False, [0, 1])


def test_a_match_of_passes_is_forced_every_other_round():
    lines = random_match(game("pit"), bot=PASSING_BOT)
    thrown = [line["result"]["contract"] is None for line in deals_of(lines)[:6]]
    assert thrown == [True, False, True, False, True, False]


def test_a_pass_of_the_forced_speaker_is_found_by_the_match():
    lines = random_match(game("pit"), 3, bot=bot_with(step_pass_percent=85))
    number = next(n for n, line in enumerate(lines[:-2]) if line["result"]["contract"] is None) + 1
    forced = lines[number]
    first_call = forced["events"][1]
    assert first_call["call"] != "Pass"
    changed = copy.deepcopy(forced)
    first_call = changed["events"][1]
    first_call["call"] = "Pass"
    assert "may_not_pass" in [fault["rule"] for fault in check.check_transcript(changed, forced=True)]
    found = check.check_match([*lines[:number], changed, *lines[number + 1 :]])
    assert "may_not_pass" in [fault["rule"] for fault in found]


def test_the_next_round_follows_from_the_last():
    quota = random_match(game("pit", {"match.max_deals": 12}), 1)
    quota[4]["events"][-1]["quota"][0] += 1
    assert [fault["rule"] for fault in check.check_match(quota)] == ["deal_size"]
    for model in ("persistent", "capture"):
        lines = random_match(game("pit", {"shedding.model": model, "match.max_deals": 12}), 1)
        stock = lines[1]["events"][0]["stock"]
        stock[:2] = stock[1::-1]
        assert "hands_that_last" in [fault["rule"] for fault in check.check_match(lines)]


def test_cards_of_later_rounds():
    quota = deals_of(random_match(game("pit"), 1))[5]
    assert check.check_deal_from_seed(quota) == []
    assert [fault["rule"] for fault in check.check_deal_from_seed({**quota, "seed": 8})][-1] == "deal_from_seed"
    persistent = deals_of(random_match(game("pit", {"shedding.model": "persistent"}), 1))
    assert {line["events"][0]["upcard"] for line in persistent} == {persistent[0]["events"][0]["upcard"]}
    assert persistent[1]["events"][0]["hands"] != persistent[5]["events"][0]["hands"]


def test_corrupted_draws_and_quotas_are_named():
    line = next(
        line
        for line in deals_of(random_match(game("pit", {"shedding.model": "capture"}), 2))
        if any(event["act"] == "draw" for event in line["events"])
    )
    number = next(n for n, event in enumerate(line["events"]) if event["act"] == "draw")
    changed = copy.deepcopy(line)
    changed["events"][number]["card"] = line["events"][0]["stock"][-1]
    assert broken_rules(changed) == ["draw_card"]
    changed = copy.deepcopy(line)
    changed["events"].pop(number)
    assert set(broken_rules(changed)) & {"draw_card", "turn", "event_order"}
