"""The referee of Pit: every corruption of a transcript is caught, and named by the rule it breaks."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from helpers import Json
from pit import BOLD, RANDOM, SHY, pit_setup, rounds_of

from simcore.referee import violations_of
from simcore.replay import replay_lines
from simcore.transcript import play_transcripts

Break = Callable[[Json], Any]


def events(line: Json, act: str) -> list[Json]:
    return [event for event in line["events"] if event["act"] == act]


def first(model: str, wanted: Callable[[Json], bool], changes: Json | None = None) -> Json:
    """The first round that is as wanted."""
    setup = pit_setup({"shedding.model": model, **(changes or {})}, (RANDOM, BOLD, RANDOM, SHY), seed=3)
    return next(copy.deepcopy(line) for line in rounds_of(setup, 0, 60) if wanted(line))


def is_played(line: Json) -> bool:
    return line["result"]["contract"] is not None


def is_first(line: Json) -> bool:
    return is_played(line) and line["deal"] == 0


def is_alone(line: Json) -> bool:
    return is_played(line) and line["result"]["contract"].endswith("alone")


def has_draws(line: Json) -> bool:
    return len(events(line, "draw")) > 1


def set_call(number: int, text: str) -> Break:
    def change(line: Json) -> None:
        events(line, "call")[number]["call"] = text

    return change


def bump(act: str, key: str, by: int = 1) -> Break:
    def change(line: Json) -> None:
        value = events(line, act)[0][key]
        events(line, act)[0][key] = [value[0] + by, *value[1:]] if isinstance(value, list) else (value + by) % 4

    return change


def result(key: str, value: Any) -> Break:
    return lambda line: line["result"].__setitem__(key, value)


def drop(act: str) -> Break:
    return lambda line: line["events"].remove(events(line, act)[-1])


def swap_draws(line: Json) -> None:
    one, other = events(line, "draw")[:2]
    one["card"], other["card"] = other["card"], one["card"]


def another_hand(line: Json) -> None:
    """A card of seat 0 goes back to the Pit."""
    deal = line["events"][0]
    hand = deal["hands"][0].split(".")
    suit = next(number for number, cards in enumerate(hand) if cards)
    deal["stock"].append("SHDC"[suit] + hand[suit][0])
    hand[suit] = hand[suit][1:]
    deal["hands"][0] = ".".join(hand)


def play_again(line: Json) -> None:
    plays = events(line, "play")
    plays[-1]["card"] = plays[0]["card"]


CORRUPT: list[tuple[str, str, Callable[[Json], bool], Break, str]] = [
    ("a call too low", "quota", lambda line: "4" in [e["call"] for e in events(line, "call")], lambda line: next(
        e for e in events(line, "call") if e["call"] == "4").__setitem__("call", "3"), "bid_too_low"),
    ("a jump", "quota", lambda line: is_first(line) and events(line, "call")[0]["call"] == "3", set_call(0, "5"), "jump_bid"),
    ("no such bid", "quota", lambda line: is_first(line) and events(line, "call")[0]["call"] == "3", set_call(0, "6"),
     "no_such_bid"),
    ("beyond the hand", "quota", lambda line: is_first(line) and events(line, "call")[0]["call"] == "3", set_call(0, "9"),
     "bid_beyond_quota"),
    ("a word", "quota", is_first, set_call(0, "Double"), "no_such_bid"),
    ("a short hand", "quota", lambda line: is_played(line) and line["result"]["contract"] == "2"
     and events(line, "call")[0]["call"] == "2", set_call(0, "1"), "short_hand"),
    ("turn of the auction", "quota", is_first, bump("call", "seat"), "turn"),
    ("turn of the play", "quota", is_first, bump("play", "seat"), "turn"),
    ("a card not held", "quota", is_first, play_again, "card_not_held"),
    ("no card at all", "quota", is_first, lambda line: events(line, "play")[0].__setitem__("card", "S1"), "format"),
    ("the winner", "quota", is_first, bump("trick", "winner"), "trick_winner"),
    ("a trick too few", "quota", is_first, drop("trick"), "event_order"),
    ("no settlement", "quota", is_first, drop("settle"), "missing_event"),
    ("something more", "quota", is_first, lambda line: line["events"].append({"act": "settle"}), "extra_event"),
    ("a quota", "quota", is_first, bump("settle", "quota"), "quota"),
    ("a quota of a captured hand", "capture", has_draws, bump("settle", "quota", -1), "quota"),
    ("points of the settlement", "quota", is_first, bump("settle", "points"), "settled_points"),
    ("the contract", "quota", is_alone, lambda line: line["result"].__setitem__("contract", line["result"]["contract"][0]),
     "contract"),
    ("the declarer", "quota", lambda line: is_first(line) and line["result"]["declarer"] > 0, result("declarer", 0),
     "declarer"),
    ("the tricks", "quota", is_first, result("tricks", [1, 2, 3, 1, 0]), "tricks"),
    ("made", "quota", is_first, lambda line: line["result"].__setitem__("made", not line["result"]["made"]), "made"),
    ("the points", "quota", is_first, result("points", [9, 0, 0, 0]), "points"),
    ("a hand too small", "quota", is_first, another_hand, "deal_size"),
    ("a card twice", "quota", is_first, lambda line: line["events"][0]["stock"].append(line["events"][0]["upcard"]),
     "card_conservation"),
    ("no turned card", "quota", is_first, lambda line: line["events"][0].__setitem__("upcard", None), "upcard"),
    ("draws in another order", "capture", has_draws, swap_draws, "draw_card"),
    ("a draw too few", "capture", has_draws, drop("draw"), "event_order"),
    ("a draw of another seat", "persistent", has_draws, bump("draw", "seat"), "turn"),
    ("a captured pack with a card missing", "capture", lambda line: has_draws(line) and line["deal"] > 0,
     lambda line: line["events"][0]["stock"].pop(), "card_conservation"),
]


@pytest.mark.parametrize(("name", "model", "wanted", "change", "rule"), CORRUPT, ids=[row[0] for row in CORRUPT])
def test_corruption(name: str, model: str, wanted: Callable[[Json], bool], change: Break, rule: str) -> None:
    line = first(model, wanted)
    assert list(violations_of(line)) == []
    change(line)
    assert [found["rule"] for found in violations_of(line)] == [rule]


def test_follow_suit() -> None:
    """Two cards of a follower change places in time, the first of which followed suit."""
    setup = pit_setup({}, (RANDOM,), seed=3)
    broken = set()
    for line in rounds_of(setup, 0, 40):
        plays = events(line, "play")
        for early, card in enumerate(plays):
            late = next((p for p in plays[early + 1 :] if p["seat"] == card["seat"] and p["card"][0] != card["card"][0]), None)
            if late is None:
                continue
            changed = copy.deepcopy(line)
            events(changed, "play")[early]["card"] = late["card"]
            broken |= {found["rule"] for found in violations_of(changed)}
    assert "follow_suit" in broken
    assert broken <= {"follow_suit", "card_not_held", "trick_winner", "turn"}


def bids_of_first_speaker(line: Json) -> list[Json]:
    calls = events(line, "call")
    return [call for call in calls if call["seat"] == calls[0]["seat"] and call["call"] != "Pass"]


def test_no_bid_alone_where_the_variant_knows_none() -> None:
    line = first("quota", lambda line: is_first(line) and bool(bids_of_first_speaker(line)), {"auction.alone": False})
    bids_of_first_speaker(line)[0]["call"] += " alone"
    assert [found["rule"] for found in violations_of(line)] == ["no_alone"]


def test_alone_goes_with_every_later_bid() -> None:
    line = first("quota", lambda line: is_first(line) and len(bids_of_first_speaker(line)) > 1 and not any(
        call["call"].endswith("alone") for call in bids_of_first_speaker(line)))
    bids_of_first_speaker(line)[1]["call"] += " alone"
    assert [found["rule"] for found in violations_of(line)] == ["alone_sticks"]


# --- from round to round ----------------------------------------------------------------------------------------------


def match_lines(model: str, bots: tuple[Json, ...] = (RANDOM, BOLD, RANDOM, SHY)) -> list[Json]:
    """A match with at least six rounds, among them one thrown in."""
    setup = pit_setup({"shedding.model": model}, bots, seed=3)
    for match in range(200):
        lines = list(play_transcripts(setup, match, 1))
        thrown = [line for line in lines[:-2] if line["result"]["contract"] is None]
        if len(lines) > 6 and thrown:
            return lines
    raise AssertionError("no such match")


def rules_broken(lines: list[Json]) -> list[str]:
    return [found["rule"] for found in replay_lines([json.dumps(line) for line in lines]).violations]


@pytest.mark.parametrize("model", ["quota", "persistent", "capture"])
def test_rounds_follow_one_another(model: str) -> None:
    lines = match_lines(model)
    assert rules_broken(lines) == []
    other = rounds_of(pit_setup({"shedding.model": model}, (BOLD,), seed=99), 0, 3)
    mixed = copy.deepcopy(lines)
    mixed[3] = {**copy.deepcopy(other[-1]), **{key: lines[3][key] for key in ("match", "deal", "dealer")}}
    assert rules_broken(mixed)
    late = copy.deepcopy(lines)
    late[2]["dealer"] = (late[2]["dealer"] + 1) % 4
    assert rules_broken(late)


def test_the_duty_to_bid_after_hands_were_thrown_in() -> None:
    lines = match_lines("quota", (SHY,))
    for number, line in enumerate(lines[:-2]):
        following = lines[number + 1]
        if line["result"]["contract"] is None and events(following, "call")[0]["call"] == "3":
            thrown = copy.deepcopy(lines[: number + 2])
            thrown[-1]["events"] = [thrown[-1]["events"][0]]
            for i in range(4):
                seat = (following["dealer"] + 1 + i) % 4
                thrown[-1]["events"].append({"act": "call", "seat": seat, "call": "Pass"})
            quota = lines[number]["events"][-1]["quota"]
            thrown[-1]["events"].append({"act": "settle", "quota": quota, "points": [0] * 4})
            empty = dict.fromkeys(("contract", "declarer", "tricks", "made"))
            thrown[-1]["result"] = {**empty, "points": [0] * 4}
            assert rules_broken(thrown) == ["may_not_pass"]
            return
    raise AssertionError("no round to change")


@pytest.mark.parametrize(("key", "value"), [("winner", 3), ("winners", [0, 1]), ("totals", [1, 2, 3, 4])])
def test_the_match_line(key: str, value: Any) -> None:
    lines = match_lines("quota")
    if lines[-1][key] == value:
        value = 2
    lines[-1][key] = value
    assert rules_broken(lines) == ["match_totals"]


def test_a_match_that_is_not_over() -> None:
    lines = match_lines("quota")
    assert rules_broken([*lines[:-2], {**lines[-1], "totals": [0] * 4}])
    again = [*lines[:-1], {**copy.deepcopy(lines[-2]), "deal": len(lines) - 1}]
    assert "match_over" in rules_broken(again)
