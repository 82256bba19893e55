"""The reference's matches and its own checks: random games pass them, changed transcripts do not."""

from __future__ import annotations

import copy
import json

import pytest
from reference import cards, check, match
from reference.bridgette import variant
from reference.cards import parse_hand
from reference.game import play_match

RANDOM = {"policy": "random"}
RANDOM_BOT = {"name": "random", "exchange": RANDOM, "bidding": RANDOM, "play": RANDOM}
PASSING_BOT = {**RANDOM_BOT, "bidding": {"policy": "random", "double_percent": 0, "pass_percent": 100}}


def random_match(changes=None, number=0, unit="match", bot=RANDOM_BOT):
    """One match of random bots under changed rules, as it reads after being written as JSON."""
    return json.loads(json.dumps(play_match(variant(changes), [bot, bot], 7, number, unit)))


OPTIONS = [
    {},
    {"exchange.upcard": "dealer_takes_it", "auction.passed_out": "redeal", "match.max_deals": 9},
    {"exchange": {"kind": "none"}, "deal.upcard": False, "deck.colons": []},
    {"exchange": {"kind": "none"}, "deck.colons": ["little"], "play.must_follow": False},
    {"auction.opener": "non_dealer", "auction.lowest_bid": "1C", "auction.jump": "ladder", "auction.doubles": False},
    {"auction.min_suit_length": 0, "auction.min_jump_length": 0, "auction.nt_needs_every_suit": False},
    {"colons.off_range_when_void": "only_if_forced", "colons.bar_when_void": False, "match.tie": "until_broken"},
    {"colons.bar_allows_colon_lead": False, "colons.must_beat_led_colon": True, "match.tie": "draw"},
    {"colons.bar_lifted": "no_other_suit", "auction.jump": "none", "scoring.multiplier.applies_to": "award"},
    {"deal.cards": 20, "exchange.dealer_draw": {"spot": 0, "face": 7, "ace": 12}, "exchange.non_dealer_draw": 0},
]


@pytest.mark.parametrize("unit", ["match", "deal"])
@pytest.mark.parametrize("changes", OPTIONS)
def test_random_games_pass(changes, unit):
    for number in range(4):
        lines = random_match(changes, number, unit)
        assert check.check_match(lines, unit) == []
        for line in lines[:-1] if unit == "match" else lines:
            assert check.check_transcript(line) == []
            assert check.check_deal_from_seed(line) == []


def test_legal_sets_hold_what_was_chosen():
    line = random_match()[0]
    sets = check.legal_sets(line)
    assert [choice["act"] for choice in sets[:3]] == ["exchange", "exchange", "call"]
    for choice in sets:
        event = line["events"][choice["event"]]
        chosen = event["discarded"] if choice["act"] == "exchange" else [event.get("card", event.get("call"))]
        assert set(chosen) <= set(choice["legal"])
        assert len(chosen) == choice["choose"]


# --- Matches ---------------------------------------------------------------------------------------------------------

PASSED_OUT = {"contract": None, "points": [0, 0]}
LEVEL = {"contract": "1C", "points": [0, 0]}
WON = {"contract": "1C", "points": [0, 100]}


def state_after(results, changes=None, unit="match"):
    """State of a match after some results, each played while the match was on."""
    rules = variant(changes)
    state = match.new_match(rules, 0)
    for result in results:
        assert not state["over"]
        state = match.after_deal(rules, unit, state, result)
    return state


def ending(results, changes=None, unit="match"):
    """Whether a match is over, whether it came to its end, and who won."""
    state = state_after(results, changes, unit)
    return state["over"], state["finished"], match.winners(state)


def test_ties():
    assert ending([WON] * 5) == (False, False, [1])
    assert ending([WON] * 6) == (True, True, [1])
    assert ending([LEVEL] * 6)[0] is False
    assert ending([LEVEL] * 6 + [WON]) == (True, True, [1])
    assert ending([LEVEL] * 7) == (True, True, [0, 1])
    assert ending([LEVEL] * 6, {"match.tie": "draw"}) == (True, True, [0, 1])
    until = {"match.tie": "until_broken"}
    assert ending([LEVEL] * 105, until)[0] is False
    assert ending([LEVEL] * 50 + [WON], until) == (True, True, [1])
    assert ending([LEVEL] * 106, until) == (True, True, [0, 1])


def test_redeals():
    redeal = {"auction.passed_out": "redeal"}
    assert state_after([PASSED_OUT])["dealer"] == 1
    assert state_after([PASSED_OUT] * 20, redeal)["dealer"] == 0
    after = state_after([PASSED_OUT] * 21, redeal)
    assert (after["dealer"], after["counted"], after["dealt"], after["redeals"]) == (1, 1, 21, 0)
    assert state_after([PASSED_OUT, WON, PASSED_OUT], redeal)["counted"] == 1
    assert ending([PASSED_OUT, WON], redeal, unit="deal") == (True, True, [1])
    assert ending([PASSED_OUT], unit="deal") == (True, True, [0, 1])


def test_cap():
    cap = {"auction.passed_out": "redeal", "match.max_deals": 8}
    assert ending([PASSED_OUT] * 3 + [WON] * 5, cap) == (True, False, [1])
    assert ending([PASSED_OUT] * 2 + [WON] * 6, cap) == (True, True, [1])
    assert ending([PASSED_OUT] * 2 + [LEVEL] * 6, cap) == (True, False, [0, 1])


def test_a_match_of_passes():
    assert len(random_match(bot=PASSING_BOT)) == 7 + 1
    lines = random_match({"auction.passed_out": "redeal"}, bot=PASSING_BOT)
    assert len(lines) == 7 * 21 + 1
    assert [line["dealer"] for line in lines[:22]] == [lines[0]["dealer"]] * 21 + [1 - lines[0]["dealer"]]
    assert lines[-1] == {"format": "simcore-match/1", "match": 0, "totals": [0, 0], "winner": None, "winners": [0, 1]}
    assert len(random_match({"auction.passed_out": "redeal"}, unit="deal", bot=PASSING_BOT)) == 21


# --- Small deals played by hand --------------------------------------------------------------------------------------


def scripted(hands, strain, plays, changes=None):
    """A transcript in which dealer and declarer 0 plays 1 in a strain, with small hands and no exchange.

    `plays` are tricks as "LEAD REPLY winner"; the points are those of a contract that fails with three cards a hand.
    """
    small = {"exchange": {"kind": "none"}, "deal": {"cards": len(parse_hand(hands[0])), "upcard": False}}
    free = {"auction.min_suit_length": 0, "auction.nt_needs_every_suit": False}
    rules = variant({**small, **free, **(changes or {})})
    held = [card for hand in hands for card in parse_hand(hand)]
    stock = [card for card in cards.DRAW_ORDER if card not in held]
    events = [{"act": "deal", "hands": list(hands), "stock": stock, "upcard": None}]
    events += [{"act": "call", "seat": 0, "call": "1" + strain}, {"act": "call", "seat": 1, "call": "Pass"}]
    tricks = [0, 0]
    leader = 1
    for lead, reply, winner in (trick.split() for trick in plays):
        events.append({"act": "play", "seat": leader, "card": lead})
        events.append({"act": "play", "seat": 1 - leader, "card": reply})
        leader = int(winner)
        events.append({"act": "trick", "winner": leader})
        tricks[leader] += 1
    table = rules["scoring"]["undertricks"]["undoubled"]
    points = [0, table[min(7 - tricks[0], len(table)) - 1]]
    result = {"contract": "1" + strain, "declarer": 0, "tricks": tricks, "made": False, "points": points}
    head = {"format": "simcore-transcript/1", "variant": "bridgette", "rules": rules, "seed": 1, "match": 0, "deal": 0}
    return {**head, "dealer": 0, "bots": ["a", "b"], "events": events, "result": result}


def broken_rules(transcript):
    """Names of the rules a transcript violates, in order."""
    return [violation["rule"] for violation in check.check_transcript(transcript)]


@pytest.mark.parametrize(
    ("hands", "strain", "plays", "violated"),
    [
        # C3: the bar holds for one lead, and only one
        (["..54./G", "A2.3.."], "NT", ["SA GC 1", "S2 D4 1", "H3 D5 1"], ["barred_suit"]),
        (["..54./G", "A2.3.."], "NT", ["SA GC 1", "H3 D4 1", "S2 D5 1"], []),
        # C4, C12: the barred leader leads a colon; after it the lead is free
        (["..54./G", "A2.../R"], "NT", ["SA GC 1", "RC D4 1", "S2 D5 1"], []),
        (["..54./G", "A2.../R"], "NT", ["SA GC 1", "S2 D4 1", "RC D5 1"], ["barred_suit"]),
        # C5: nothing but the barred suit
        (["..54./G", "A32..."], "NT", ["SA GC 1", "S2 D4 1", "S3 D5 1"], []),
        # C6, C7: a colon out of range
        (["3.2../R", "A2.3.."], "NT", ["SA RC 1", "S2 S3 0", "H2 H3 1"], ["colon_out_of_range"]),
        ([".42../R", "A2.3.."], "NT", ["SA RC 1", "S2 H2 1", "H3 H4 0"], []),
        # C9, C11: a trump beats a led colon, but not in no trump
        ([".42.3.", ".3../GR"], "D", ["GC D3 0", "H4 H3 0", "H2 RC 0"], []),
        ([".42.3.", ".3../GR"], "NT", ["GC D3 0", "H4 H3 0", "H2 RC 0"], ["trick_winner", "turn"]),
        # C10: a colon on a led colon bars nothing
        (["42.../G", "3.3../R"], "NT", ["RC GC 1", "S3 S4 0", "S2 H3 0"], []),
        # follow suit; a trump wins
        (["3.2.4.", "A2.3.."], "H", ["SA D4 1", "H3 H2 1", "S2 S3 0"], ["follow_suit"]),
        ([".2.43.", "A2.3.."], "H", ["SA H2 0", "D3 S2 0", "D4 H3 1"], []),
    ],
)
def test_scripted_deals(hands, strain, plays, violated):
    assert broken_rules(scripted(hands, strain, plays)) == violated


def test_violations_name_their_event():
    transcript = scripted(["..54./G", "A2.3.."], "NT", ["SA GC 1", "S2 D4 1", "H3 D5 1"])
    (violation,) = check.check_transcript(transcript)
    assert violation["event"] == 6
    assert "S2" in violation["message"]
    assert "S is barred" in violation["message"]


# --- Changed transcripts ---------------------------------------------------------------------------------------------


def first(line, act):
    """The first event of a kind."""
    return next(event for event in line["events"] if event["act"] == act)


def change(path, value):
    """A change of the first event of a kind, or of the result: ("call", "seat"), ("result", "points")."""

    def apply(line):
        place = line["result"] if path[0] == "result" else first(line, path[0])
        place[path[1]] = value(place[path[1]]) if callable(value) else value

    return apply


def drop(index):
    """Leave an event out."""
    return lambda line: line["events"].pop(index)


CHANGES = {
    "card_conservation": change(("deal", "stock"), lambda stock: stock[:-1]),
    "deal_size": change(("deal", "hands"), lambda hands: ["...", hands[1]]),
    "upcard": change(("deal", "upcard"), None),
    "exchange_draw": change(("exchange", "drew"), lambda drew: drew[:-1]),
    "exchange_count": change(("exchange", "discarded"), lambda discarded: discarded[:-1]),
    "card_not_held": change(("exchange", "discarded"), lambda discarded: [discarded[0]] * 2),
    "turn": change(("call", "seat"), lambda seat: 1 - seat),
    "no_such_bid": change(("call", "call"), "8C"),
    "nothing_to_double": change(("call", "call"), "X"),
    "trick_winner": change(("trick", "winner"), lambda seat: 1 - seat),
    "contract": change(("result", "contract"), "7NTXX"),
    "declarer": change(("result", "declarer"), lambda seat: 1 - seat),
    "tricks": change(("result", "tricks"), [13, 1]),
    "made": change(("result", "made"), 1),
    "points": change(("result", "points"), lambda points: points[::-1]),
    "event_order": drop(0),
    "missing_event": drop(-1),
    "extra_event": lambda line: line["events"].append({"act": "trick", "winner": 0}),
    "format": change(("deal", "stock"), ["S10"]),
}


@pytest.mark.parametrize("rule", CHANGES)
def test_changed_transcripts_are_refused(rule):
    for line in random_match()[:-1]:
        changed = copy.deepcopy(line)
        CHANGES[rule](changed)
        assert rule in broken_rules(changed)


WRONG_VALUES = [None, -1, 99, "", "X", [], [[]], {}, True, 0.5]


def test_senseless_values_are_violations_and_no_crashes():
    line = random_match()[0]
    events = [first(line, act) for act in ("deal", "exchange", "call", "play", "trick")]
    for event in events:
        number = line["events"].index(event)
        for field in event:
            for value in WRONG_VALUES:
                changed = copy.deepcopy(line)
                changed["events"][number][field] = value
                assert broken_rules(changed), (event["act"], field, value)
    for part in ("events", "result", "seed", "dealer", "bots", "format", "variant"):
        for value in WRONG_VALUES:
            if (part, value) != ("seed", 99):  # a seed as good as any
                assert broken_rules({**line, part: value}), (part, value)


def test_deal_from_seed_and_match_are_checked():
    lines = random_match()
    other = {**lines[0], "seed": 8}
    assert "deal_from_seed" in [violation["rule"] for violation in check.check_deal_from_seed(other)]
    turned = {**lines[0], "dealer": 1 - lines[0]["dealer"]}
    assert "dealer" in [violation["rule"] for violation in check.check_deal_from_seed(turned)]
    assert [violation["rule"] for violation in check.check_match(lines[:3] + lines[4:])][0] == "deal_number"
    assert [violation["rule"] for violation in check.check_match(lines[:-1])] == ["match_line"]
    assert "missing_deal" in [violation["rule"] for violation in check.check_match(lines[:4])]
