"""What the tests of the reference share: random matches, a table that plays from a script, changes of transcripts."""

from __future__ import annotations

import copy
import json

from reference import check
from reference.cards import parse_hand
from reference.course import play_course
from reference.game import play_match
from reference.games import game

RANDOM = {"policy": "random"}
RANDOM_BOT = {"name": "random", "exchange": RANDOM, "bidding": RANDOM, "play": RANDOM}


def bot_with(**bidding):
    """A random bot with some parameters of its bidding."""
    return {**RANDOM_BOT, "bidding": {**RANDOM, **bidding}}


PASSING_BOT = bot_with(double_percent=0, pass_percent=100, step_pass_percent=100)


def random_match(rules, number=0, unit="match", bot=RANDOM_BOT, seed=7):
    """One match of random bots, as it reads after being written as JSON."""
    return json.loads(json.dumps(play_match(rules, [bot] * rules["players"], seed, number, unit)))


def deals_of(lines):
    """The transcripts among the lines of a match."""
    return [line for line in lines if line["format"] == "simcore-transcript/1"]


def random_deals(name, changes=None, matches=3):
    """The deals of some random matches of a game."""
    rules = game(name, changes)
    return [line for number in range(matches) for line in deals_of(random_match(rules, number))]


def broken_rules(transcript):
    """Names of the rules a transcript violates, in order."""
    return [violation["rule"] for violation in check.check_transcript(transcript)]


def assert_accepted(rules, numbers, unit="match", bot=RANDOM_BOT):
    """Random matches pass every check; returns their lines."""
    found = []
    for number in numbers:
        lines = random_match(rules, number, unit, bot)
        assert check.check_match(lines, unit) == []
        for line in deals_of(lines):
            assert check.check_transcript(line) == []
            assert check.check_deal_from_seed(line) == []
        found.append(lines)
    return found


class ScriptTable:
    """Players who call and play from a script of words (``"3a"`` is 3 alone); notes what they are told."""

    def __init__(self, rules, script):
        self.rules = rules
        self.script = script.split()
        self.seats = []
        self.draws = []
        self.settled = None
        self.winners = []

    def next_word(self, seat):
        self.seats.append(seat)
        return self.script.pop(0)

    def choose(self, seat, own_turn, first, second):
        return {"first": first, "second": second}[self.next_word(seat)]

    def bridge_call(self, seat, hand, calls):
        return self.next_word(seat)

    def number_call(self, seat, cards, calls):
        return int(self.next_word(seat))

    def step_call(self, seat, cards, calls, forced):
        return self.next_word(seat).replace("a", " alone").replace("P alone", "Pa")

    def card(self, seat, hand, faults, number, phase="play", barred=None):
        card = self.next_word(seat)
        assert card in hand
        assert faults.get(card) is None, (card, faults)
        return card

    def trick(self, winner, cards):
        self.winners.append(winner)

    def draw(self, seat, card):
        self.draws.append((seat, card))

    def settle(self, quota, points):
        self.settled = (quota, points)


def play_script(rules, hands, script, dealer=0, stock="", upcard=None):
    """Play hands given as text from a script; returns the table, the result and what a round of Pit leaves."""
    table = ScriptTable(rules, script)
    cards = {"hands": [parse_hand(text) for text in hands], "stock": stock.split(), "upcard": upcard}
    result, left = play_course(table, dealer, cards)
    assert table.script == []
    return table, result, left


def first(line, act):
    """The first event of a kind."""
    return next((event for event in line["events"] if event["act"] == act), None)


def change(act, field, value):
    """A change of the first event of a kind (or of the result), left out where there is none."""

    def apply(line):
        place = line["result"] if act == "result" else first(line, act)
        if place is None or place[field] is None:
            return False
        place[field] = value(place[field]) if callable(value) else value
        return True

    return apply


def drop(act, which=0):
    """Leave out an event of a kind."""

    def apply(line):
        numbers = [number for number, event in enumerate(line["events"]) if event["act"] == act]
        if not numbers:
            return False
        line["events"].pop(numbers[which])
        return True

    return apply


def add(event):
    """Add an event at the end."""

    def apply(line):
        line["events"].append(event)
        return True

    return apply


def assert_caught(deals, rule, apply):
    """Every deal to which the change can be applied is refused, and the rule is named; returns how many there were."""
    applied = 0
    for line in deals:
        changed = copy.deepcopy(line)
        if apply(changed):
            applied += 1
            assert rule in broken_rules(changed), (rule, broken_rules(changed))
    return applied


def swap_cards(line, number, later):
    """A transcript in which two cards change places."""
    changed = {**line, "events": list(line["events"])}
    for here, there in ((number, later), (later, number)):
        changed["events"][here] = {**line["events"][here], "card": line["events"][there]["card"]}
    return changed


def faults_of_swaps(line):
    """Play cards held back for later against the rules, one of each suit; yields the rule that is named first."""
    events = line["events"]
    auction_ends = max(number for number, event in enumerate(events) if event["act"] == "call")
    for choice in check.legal_sets(line):
        number = choice["event"]
        if choice["act"] != "play" or number < auction_ends:
            continue
        held_back = {}
        for later in range(number + 1, len(events)):
            event = events[later]
            if event["act"] == "play" and event["seat"] == choice["seat"] and event["card"] not in choice["legal"]:
                held_back[event["card"][0]] = later
        for later in held_back.values():
            violation = check.check_transcript(swap_cards(line, number, later))[0]
            assert violation["event"] == number
            yield violation["rule"]
