"""A transcript being read: its events are the decisions of the players, everything else is worked out and compared.

Every violation is a dict: ``event`` (number of the event; None where the head or the result of the transcript is
meant), ``rule`` (a short name), ``message``. After a violation that leaves nothing to go on from (a card nobody holds,
an event of the wrong kind, an illegal call), the rest of the deal is not judged.
"""

from __future__ import annotations

from . import auction, look_and_choose, steps
from .calls import legal_numbers, number_fault
from .cards import hand_text, in_draw_order, is_card

FIELDS = {
    "deal": ["act", "hands", "stock", "upcard"],
    "exchange": ["act", "seat", "drew", "discarded"],
    "choose": ["act", "seat", "seen", "kept"],
    "call": ["act", "seat", "call"],
    "play": ["act", "seat", "card"],
    "trick": ["act", "winner"],
    "draw": ["act", "seat", "card"],
    "settle": ["act", "quota", "points"],
}


def is_seat(value):
    """Whether a value can be the number of a seat."""
    return type(value) is int and value >= 0


def is_number(value):
    """Whether a value is a number of points."""
    return type(value) in (int, float)


def is_text(value):
    """Whether a value is text."""
    return isinstance(value, str)


def is_list_of(is_one, value):
    """Whether a value is a list whose items all are of one kind."""
    return isinstance(value, list) and all(is_one(item) for item in value)


def is_same(said, value):
    """Whether two values are equal, where 1 is not true."""
    if isinstance(said, list) and isinstance(value, list):
        return len(said) == len(value) and all(is_same(*pair) for pair in zip(said, value, strict=True))
    return said == value and isinstance(said, bool) == isinstance(value, bool)


KIND_OF_FIELD = {
    "act": is_text,
    "hands": lambda value: is_list_of(is_text, value),
    "stock": lambda value: is_list_of(is_card, value),
    "upcard": lambda value: value is None or is_card(value),
    "seat": is_seat,
    "drew": lambda value: is_list_of(is_card, value),
    "discarded": lambda value: is_list_of(is_card, value),
    "seen": lambda value: is_list_of(is_card, value),
    "kept": is_card,
    "call": is_text,
    "card": is_card,
    "winner": is_seat,
    "quota": lambda value: is_list_of(is_seat, value),
    "points": lambda value: is_list_of(is_number, value),
}


class CannotGoOn(Exception):
    """A violation after which the rest of the deal cannot be judged."""


class Review:
    """A transcript being read: the place in its events, what was wrong so far, and the choices each player had."""

    def __init__(self, rules, events):
        self.rules = rules
        self.events = events
        self.place = -1  # number of the event read last
        self.violations = []
        self.choices = []

    def fault(self, rule, message, *, about_event=True, go_on=False):
        """Note a violation by the event read last, and stop unless the rest still makes sense."""
        event = self.place if about_event else None
        self.violations.append({"event": event, "rule": rule, "message": message})
        if not go_on:
            raise CannotGoOn

    def read(self, act):
        """Read the next event, which must be of this kind."""
        self.place += 1
        if self.place >= len(self.events):
            self.fault("missing_event", f"the events end where a {act!r} event is due")
        event = self.events[self.place]
        if not isinstance(event, dict) or event.get("act") != act:
            self.fault("event_order", f"a {act!r} event is due here, not {event!r}")
        if sorted(event) != sorted(FIELDS[act]):
            self.fault("format", f"a {act!r} event has the fields {FIELDS[act]}, not {list(event)}")
        for field, value in event.items():
            if not KIND_OF_FIELD[field](value):
                self.fault("format", f"{field} of a {act!r} event cannot be {value!r}")
        return event

    def read_of_seat(self, act, seat):
        """Read the next event, which must be of this kind and of this seat."""
        event = self.read(act)
        if event["seat"] != seat:
            self.fault("turn", f"it is seat {seat}'s turn, not {event['seat']!r}'s")
        return event

    def note_choice(self, act, seat, legal, choose=1):
        """Note what the seat could choose from at the event read last."""
        self.choices.append({"event": self.place, "act": act, "seat": seat, "legal": legal, "choose": choose})

    # What a table is asked and told: see ``course``.

    def exchange(self, seat, drew, held):
        """Read an exchange; returns the cards thrown."""
        event = self.read_of_seat("exchange", seat)
        if sorted(event["drew"]) != sorted(drew):
            self.fault("exchange_draw", f"seat {seat} takes {drew}, not {event['drew']}")
        self.note_choice("exchange", seat, in_draw_order(held), choose=len(drew))
        discarded = event["discarded"]
        if len(discarded) != len(drew):
            self.fault("exchange_count", f"seat {seat} discards {len(drew)} cards, not {len(discarded)}")
        if len(set(discarded)) != len(discarded) or not set(discarded) <= set(held):
            self.fault("card_not_held", f"seat {seat} cannot discard {discarded} from {hand_text(held)}")
        return discarded

    def choose(self, seat, own_turn, first, second):
        """Read which of two cards is kept, and whether no more and no less was seen than the rules allow."""
        event = self.read_of_seat("choose", seat)
        kept = event["kept"]
        self.note_choice("choose", seat, [first, second])
        if kept not in (first, second):
            self.fault("kept_card", f"seat {seat} keeps {first} or {second}, not {kept}")
        seen = look_and_choose.cards_seen(self.rules, first, second, kept)
        if event["seen"] != seen:
            self.fault("seen_cards", f"seat {seat}, who keeps {kept}, sees {seen}, not {event['seen']}", go_on=True)
        return kept

    def read_call(self, seat, legal, rule_broken_by, situation):
        """Read a call; `rule_broken_by` gives the rule that forbids it."""
        call = self.read_of_seat("call", seat)["call"]
        self.note_choice("call", seat, legal)
        rule = rule_broken_by(call)
        if rule is not None:
            self.fault(rule, f"{call!r} is not legal for {situation}")
        return call

    def bridge_call(self, seat, hand, calls):
        """Read a call of a bridge auction."""
        legal = auction.legal_calls(self.rules, hand, calls)
        situation = f"{hand_text(hand)} after {calls}"
        return self.read_call(seat, legal, lambda call: auction.call_fault(self.rules, hand, calls, call), situation)

    def number_call(self, seat, cards, calls):
        """Read a number of tricks."""
        legal = [str(number) for number in legal_numbers(self.rules, cards, calls)]
        situation = f"seat {seat} with {cards} cards after {calls}"
        return int(self.read_call(seat, legal, lambda call: number_fault(self.rules, cards, calls, call), situation))

    def step_call(self, seat, cards, calls, forced):
        """Read a call of an auction by steps."""
        legal = steps.legal_step_calls(self.rules, cards, calls, seat, forced)
        situation = f"seat {seat} with {cards} cards after {calls}"

        def rule_broken_by(call):
            return steps.step_fault(self.rules, cards, calls, seat, call, forced)

        return self.read_call(seat, legal, rule_broken_by, situation)

    def card(self, seat, hand, faults, number, phase="play", barred=None):
        """Read a card that must be in the hand and should have no fault."""
        card = self.read_of_seat("play", seat)["card"]
        if card not in hand:
            self.fault("card_not_held", f"seat {seat} does not hold {card!r} in {hand_text(hand)}")
        self.note_choice("play", seat, [one for one in hand if faults.get(one) is None])
        if faults.get(card) is not None:
            legal = self.choices[-1]["legal"]
            message = f"trick {number}: seat {seat} may not play {card} from {hand_text(hand)}, but {legal}"
            if barred:
                message += f": {barred} is barred"
            self.fault(faults[card], message, go_on=True)
        return card

    def trick(self, winner, cards):
        """Read who won a trick."""
        said = self.read("trick")["winner"]
        if said != winner:
            self.fault("trick_winner", f"seat {winner} wins {' '.join(cards)}, not {said!r}", go_on=True)

    def draw(self, seat, card):
        """Read a card that a seat draws from the top of the stock."""
        said = self.read_of_seat("draw", seat)["card"]
        if said != card:
            self.fault("draw_card", f"seat {seat} draws {card}, the top card, not {said}", go_on=True)

    def settle(self, quota, points):
        """Read what a round leaves."""
        event = self.read("settle")
        for name, value in (("quota", quota), ("points", points)):
            if not is_same(event[name], value):
                self.fault(name, f"{name} after the round: {value}, not {event[name]}", go_on=True)
