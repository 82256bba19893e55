"""Replay: the referee accepts what the engine plays and names the rule that a changed transcript breaks.

Every illegal card and call of many deals is tried; the reference, which shares nothing with the referee, must name the
same rule at the same event.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
import reference
from helpers import BOLD, HEURISTIC, RANDOM, SHY, Json, deals_of, lines_of, setup_of
from reference import cards as reference_cards

from simcore.errors import InputError
from simcore.referee import violations_of
from simcore.replay import replay_lines

Change = Callable[[Json], Any]
SAME_RULE = {"nothing_to_double": {"X": "double", "XX": "redouble"}, "no_doubles": {"X": "double", "XX": "redouble"}}
"""Where the reference says more exactly why a double is refused."""
EVERY_CALL = ["Pass", "X", "XX", *[f"{level}{strain}" for level in range(8) for strain in ("C", "D", "H", "S", "NT")]]


def broken(line: Json) -> tuple[int | None, str] | None:
    """Event and rule of the first violation, by the referee."""
    found = list(violations_of(line))
    assert len(found) <= 1
    return (found[0]["event"], found[0]["rule"]) if found else None


def broken_by_reference(line: Json) -> tuple[int | None, str] | None:
    """Event and rule of the first violation, by the reference, in the referee's words."""
    found = reference.check_transcript(line)
    if not found:
        return None
    event, rule = found[0]["event"], found[0]["rule"]
    if rule in SAME_RULE:
        rule = SAME_RULE[rule][line["events"][event]["call"]]
    return event, rule


def with_event(line: Json, number: int, **fields: Any) -> Json:
    """The transcript with some fields of one event changed."""
    events = list(line["events"])
    events[number] = {**events[number], **fields}
    return {**line, "events": events}


# --- every illegal choice --------------------------------------------------------------------------------------------


def held_at(line: Json, number: int) -> list[str]:
    """The cards of the seat that plays at an event, before it plays."""
    seat = line["events"][number]["seat"]
    held = list(reference_cards.parse_hand(line["events"][0]["hands"][seat]))
    for event in line["events"][1:number]:
        if event.get("seat") != seat:
            continue
        if event["act"] == "exchange":
            held = [card for card in held + event["drew"] if card not in event["discarded"]]
        elif event["act"] == "play":
            held.remove(event["card"])
    return held


def other_choices(line: Json) -> list[tuple[int, Json, bool]]:
    """Every other card or call at every decision: number of the event, what is put there, whether it is legal."""
    others = []
    for choice in reference.legal_sets(line):
        number, act = choice["event"], choice["act"]
        if act == "exchange":
            continue
        key = "card" if act == "play" else "call"
        all_choices = held_at(line, number) if act == "play" else EVERY_CALL
        chosen = line["events"][number][key]
        others += [(number, {key: one}, one in choice["legal"]) for one in all_choices if one != chosen]
    return others


ILLEGAL_UNDER = {
    "default": ({}, {"follow_suit", "barred_suit", "colon_out_of_range", "bid_too_low", "suit_length", "jump_length",
                     "nt_needs_every_suit", "no_such_bid", "double", "redouble"}),
    "no colon lead": ({"colons.bar_allows_colon_lead": False}, {"colon_lead_when_barred"}),
    "no other suit": ({"colons.bar_lifted": "no_other_suit"}, {"barred_suit"}),
    "only if forced": ({"colons.off_range_when_void": "only_if_forced"}, {"colon_only_if_forced"}),
    "must beat": ({"colons.must_beat_led_colon": True}, {"must_beat_led_colon"}),
    "no duty": ({"play.must_follow": False, "colons.off_range_when_void": "only_if_forced"}, {"colon_only_if_forced"}),
    "no doubles": ({"auction.doubles": False}, {"double", "redouble"}),
    "1C": ({"auction.lowest_bid": "1C", "auction.jump": "ladder"}, {"no_such_bid", "jump_length"}),
}  # fmt: skip


@pytest.mark.parametrize("name", ILLEGAL_UNDER)
def test_every_illegal_choice_is_named(name: str) -> None:
    """Illegal cards and calls: both judges name the same rule at the same event. Legal ones: nobody objects to that event."""
    changes, must_occur = ILLEGAL_UNDER[name]
    chosen = random.Random(name)
    lines = deals_of(setup_of(changes, (BOLD,), seed=8), 0, 12)
    others = [(line, *other) for line in lines for other in other_choices(line)]
    cards = [other for other in others if "card" in other[2] and not other[3]]
    calls = [other for other in others if "call" in other[2] and not other[3]]
    legal = [other for other in others if other[3]]
    colons_or_bars = [other for other in cards if other[2]["card"] in ("GC", "RC", "LC") or is_lead(other[0], other[1])]
    in_no_trump = [other for other in calls if other[2]["call"].endswith("NT")]
    some = [*chosen.sample(cards, 60), *chosen.sample(calls, 80), *chosen.sample(in_no_trump, 40), *chosen.sample(legal, 40)]
    some += chosen.sample(colons_or_bars, min(len(colons_or_bars), 80))
    rules = set()
    for line, number, fields, is_legal in some:
        changed = with_event(line, number, **fields)
        found = broken(changed)
        if is_legal:
            assert found is None or found[0] is None or found[0] > number, (changed["events"], number, fields)
            continue
        assert found == broken_by_reference(changed), (changed["events"], number, fields)
        assert found is not None
        assert found[0] == number
        rules.add(found[1])
    assert rules >= must_occur


def is_lead(line: Json, number: int) -> bool:
    """Whether a card is led: it is played after a trick or after the auction."""
    return line["events"][number - 1]["act"] != "play"


# --- other faults ----------------------------------------------------------------------------------------------------


def first(line: Json, act: str, nth: int = 0) -> Json:
    return [event for event in line["events"] if event["act"] == act][nth]


def put(act: str, key: str, value: Any, nth: int = 0) -> Change:
    """Change a field of an event, or of the result or the head."""

    def apply(line: Json) -> None:
        place = line if act == "head" else line["result"] if act == "result" else first(line, act, nth)
        place[key] = value(place[key]) if callable(value) else value

    return apply


def drop(act: str, nth: int) -> Change:
    """Leave out an event of a kind."""
    return lambda line: line["events"].pop([i for i, event in enumerate(line["events"]) if event["act"] == act][nth])


def card_of_the_opponent(line: Json) -> None:
    plays = [event for event in line["events"] if event["act"] == "play"]
    plays[0]["card"] = plays[1]["card"]


def card_twice(line: Json) -> None:
    plays = [event for event in line["events"] if event["act"] == "play"]
    again = next(event for event in plays[2:] if event["seat"] == plays[0]["seat"])
    again["card"] = plays[0]["card"]


def stock_card_twice(line: Json) -> None:
    stock = line["events"][0]["stock"]
    stock[-1] = stock[0]


def card_in_two_hands(line: Json) -> None:
    """The opponent gets a copy of one of the first seat's cards instead of one of his own."""
    hands = line["events"][0]["hands"]
    mine, theirs = (reference_cards.parse_hand(text) for text in hands)
    hands[1] = reference_cards.hand_text([mine[0], *theirs[1:]])


def move(key: str) -> Change:
    """Change the result by one trick or seat."""
    return {
        "tricks": put("result", "tricks", lambda tricks: [tricks[0] + 1, tricks[1] - 1]),
        "declarer": put("result", "declarer", lambda seat: 1 - seat),
        "made": put("result", "made", lambda made: not made),
    }[key]


FAULTS: dict[str, tuple[Change, str]] = {
    "a card of the opponent's": (card_of_the_opponent, "card_not_held"),
    "a card twice": (card_twice, "card_not_held"),
    "wrong winner": (put("trick", "winner", lambda seat: 1 - seat, 4), "trick_winner"),
    "wrong winner of the last trick": (put("trick", "winner", lambda seat: 1 - seat, 12), "trick_winner"),
    "wrong points": (put("result", "points", lambda points: [points[0] + 50, points[1]]), "points"),
    "points of the other": (put("result", "points", lambda points: points[::-1]), "points"),
    "wrong declarer": (move("declarer"), "declarer"),
    "wrong tricks": (move("tricks"), "tricks"),
    "made or not": (move("made"), "made"),
    "made as a number": (put("result", "made", int), "made"),
    "another contract": (put("result", "contract", "7NTXX"), "contract"),
    "no contract": (put("result", "contract", None), "contract"),
    "play out of turn": (put("play", "seat", lambda seat: 1 - seat), "turn"),
    "call out of turn": (put("call", "seat", lambda seat: 1 - seat), "turn"),
    "exchange out of turn": (put("exchange", "seat", lambda seat: 1 - seat), "turn"),
    "wrong dealer": (put("head", "dealer", lambda seat: 1 - seat), "turn"),
    "a trick too many": (lambda line: line["events"].append({"act": "trick", "winner": 0}), "extra_event"),
    "a card too many": (lambda line: line["events"].append({"act": "play", "seat": 0, "card": "SA"}), "extra_event"),
    "last trick without winner": (lambda line: line["events"].pop(), "missing_event"),
    "no play": (lambda line: line.update(events=line["events"][:5]), "missing_event"),
    "no deal": (lambda line: line["events"].pop(0), "event_order"),
    "one exchange": (lambda line: line["events"].pop(2), "event_order"),
    "auction without its last pass": (drop("call", -1), "event_order"),
    "a trick without winner": (drop("trick", 3), "event_order"),
    "drew another card": (lambda line: first(line, "exchange")["drew"].__setitem__(
        0, line["events"][0]["stock"][-1]), "exchange_draw"),
    "drew too few": (lambda line: first(line, "exchange", 1)["drew"].pop(), "exchange_draw"),
    "threw too few": (lambda line: first(line, "exchange", 1)["discarded"].pop(), "exchange_count"),
    "threw what it does not hold": (
        lambda line: first(line, "exchange")["discarded"].__setitem__(0, line["events"][0]["stock"][-1]),
        "card_not_held",
    ),
    "stock too short": (lambda line: line["events"][0]["stock"].pop(), "card_conservation"),
    "a card twice in the stock": (stock_card_twice, "card_conservation"),
    "a card in two hands": (card_in_two_hands, "card_conservation"),
    "no upcard": (put("deal", "upcard", None), "upcard"),
    "a hand of no cards": (put("deal", "hands", lambda hands: ["...", hands[1]]), "deal_size"),
    "three hands": (put("deal", "hands", lambda hands: [*hands, "..."]), "deal_size"),
    "no such bid": (put("call", "call", "8C"), "no_such_bid"),
    "a double before any bid": (put("call", "call", "X"), "double"),
}  # fmt: skip


@pytest.fixture(scope="module")
def played() -> list[Json]:
    """Deals that were not passed out, of random and of heuristic bots."""
    lines = deals_of(setup_of({}, (RANDOM,)), 0, 2) + deals_of(setup_of({}, (HEURISTIC,)), 0, 1)
    return [line for line in lines if line["result"]["contract"] is not None]


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_is_named(played: list[Json], name: str) -> None:
    change, rule = FAULTS[name]
    for line in played:
        assert broken(line) is None
        changed = copy.deepcopy(line)
        change(changed)
        found, theirs = broken(changed), broken_by_reference(changed)
        assert found is not None
        assert theirs is not None
        assert found[1] == rule
        assert theirs[1] == rule
        assert found[0] == (None if rule == "missing_event" else theirs[0])


def test_passed_out_deals_are_judged_too() -> None:
    lines = [line for line in deals_of(setup_of({}, (SHY,)), 0, 10) if line["result"]["contract"] is None]
    assert len(lines) > 5
    for line in lines:
        assert broken(line) is None
        paid = copy.deepcopy(line)
        paid["result"]["points"] = [0, 100]
        assert broken(paid) == broken_by_reference(paid) == (None, "points")
        going_on = copy.deepcopy(line)
        going_on["events"].append({"act": "play", "seat": 0, "card": "SA"})
        assert broken(going_on) == broken_by_reference(going_on) == (len(line["events"]), "extra_event")


WRONG_VALUES = [None, -1, 99, "", "S1", [], [[]], {}, True, 0.5]


def test_senseless_values_are_violations_and_no_crashes(played: list[Json]) -> None:
    line = played[0]
    for act in ("deal", "exchange", "call", "play", "trick"):
        number = line["events"].index(first(line, act))
        for key in line["events"][number]:
            for value in WRONG_VALUES:
                assert broken(with_event(line, number, **{key: value})) is not None, (act, key, value)
        for value in WRONG_VALUES:
            assert broken({**line, "events": [*line["events"][:number], value, *line["events"][number + 1 :]]}) is not None
    for part in ("format", "rules", "events", "result", "dealer"):
        for value in WRONG_VALUES:
            assert broken({**line, part: value}) is not None, (part, value)
        assert broken({key: value for key, value in line.items() if key != part}) is not None


def test_rules_of_the_transcript_are_those_it_is_judged_by(played: list[Json]) -> None:
    """A changed bonus in the rules makes the points wrong; rules that cannot be are refused with their message."""
    changed = 0
    for line in played:
        other = copy.deepcopy(line)
        other["rules"]["scoring"]["exact"] = [1] * 8
        need = int(line["result"]["contract"][0]) + 6
        exactly = line["result"]["tricks"][line["result"]["declarer"]] == need
        assert broken(other) == broken_by_reference(other) == ((None, "points") if exactly else None)
        changed += exactly
    assert changed > 0
    found = list(violations_of({**played[0], "rules": {**played[0]["rules"], "players": 5}}))
    assert found[0]["rule"] == "rules"
    assert "players" in found[0]["message"]


def test_forms_of_cards_that_are_read_but_never_written(played: list[Json]) -> None:
    """`10` for T, and letters in either case, as everywhere where people write cards."""
    for line in played[:5]:
        changed = copy.deepcopy(line)
        deal = changed["events"][0]
        deal["stock"] = [card.replace("T", "10").lower() for card in deal["stock"]]
        deal["hands"] = [text.replace("T", "10") for text in deal["hands"]]
        assert broken(changed) is None


# --- files of transcripts --------------------------------------------------------------------------------------------


def report_of(lines: list[Json]) -> Any:
    return replay_lines(json.dumps(line) for line in lines)


def test_a_whole_file() -> None:
    lines = lines_of(setup_of({}, (HEURISTIC, RANDOM)), 0, 20)
    deals = sum("events" in line for line in lines)
    report = report_of(lines)
    assert report.as_dict() == {"transcripts": deals, "ok": deals, "violations": []}
    assert replay_lines(["", "  \n", json.dumps(lines[0])]).transcripts == 1
    assert replay_lines([]).as_dict() == {"transcripts": 0, "ok": 0, "violations": []}


def test_transcripts_are_numbered_from_0_and_match_lines_do_not_count() -> None:
    lines = lines_of(setup_of(), 0, 2)
    lines[9]["result"]["points"] = [1, 1]
    skipped = sum("events" not in line for line in lines[:9])
    report = report_of(lines)
    assert [(v["transcript"], v["event"], v["rule"]) for v in report.violations] == [(9 - skipped, None, "points")]
    assert report.ok == report.transcripts - 1


@pytest.mark.parametrize(
    ("key", "value"), [("totals", [1, 2]), ("winner", "x"), ("winners", [0, 1, 2]), ("totals", None), ("winners", [])]
)
def test_match_lines_are_checked(key: str, value: Any) -> None:
    lines = lines_of(setup_of(), 3, 1)
    lines[-1][key] = value
    assert [violation["rule"] for violation in report_of(lines).violations] == ["match_totals"]
    assert report_of(lines[1:]).violations == []  # a part of a match says nothing about totals


@pytest.mark.parametrize(
    ("text", "said"), [("{", "line 2: not JSON"), ("[1]", "line 2: .* not a JSON object"), ("3", "line 2")]
)
def test_lines_that_are_no_transcripts(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        replay_lines(["{}", text])
