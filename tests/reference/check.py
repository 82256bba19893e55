"""Judges a transcript by the rules: takes the decisions from its events and works out everything else itself.

Every violation is a dict: ``event`` (number of the event; None where the head or the result of the transcript is
meant), ``rule`` (a short name), ``message``. After a violation that leaves nothing to go on from (a card nobody holds,
an event of the wrong kind, an illegal call), the rest of the deal is not judged.
"""

from __future__ import annotations

from . import auction, colons, exchange, play, streams
from .cards import deck, hand_text, in_draw_order, is_card, parse_hand
from .deal import deal_cards, next_seat
from .match import after_deal, match_line, new_match
from .transcript import deal_event, deal_result
from .variant import check_rules

HEAD = ["format", "variant", "rules", "seed", "match", "deal", "dealer", "bots", "events", "result"]
FIELDS = {
    "deal": ["act", "hands", "stock", "upcard"],
    "exchange": ["act", "seat", "drew", "discarded"],
    "call": ["act", "seat", "call"],
    "play": ["act", "seat", "card"],
    "trick": ["act", "winner"],
}


def is_seat(value):
    """Whether a value can be the number of a seat."""
    return type(value) is int and value >= 0


def is_text(value):
    """Whether a value is text."""
    return isinstance(value, str)


def is_list_of(is_one, value):
    """Whether a value is a list whose items all are of one kind."""
    return isinstance(value, list) and all(is_one(item) for item in value)


KIND_OF_FIELD = {
    "act": is_text,
    "hands": lambda value: is_list_of(is_text, value),
    "stock": lambda value: is_list_of(is_card, value),
    "upcard": lambda value: value is None or is_card(value),
    "seat": is_seat,
    "drew": lambda value: is_list_of(is_card, value),
    "discarded": lambda value: is_list_of(is_card, value),
    "call": is_text,
    "card": is_card,
    "winner": is_seat,
}


class CannotGoOn(Exception):
    """A violation after which the rest of the deal cannot be judged."""


class Review:
    """A transcript being read: the place in its events, what was wrong so far, and the choices each player had."""

    def __init__(self, events):
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


def check_transcript(transcript):
    """All violations of one deal's transcript; an empty list if everything is right.

    The cards, the dealer and the number of the deal are taken as given; see `check_deal_from_seed` and `check_match`.
    """
    return review(transcript).violations


def legal_sets(transcript):
    """What could be chosen at each decision of a legal transcript, in order.

    Returns
    -------
    list of dict
        ``event``, ``act``, ``seat``, ``legal`` (cards in draw order; calls as `legal_calls` lists them), ``choose``
        (how many of them: 1, but for the discards of an exchange).
    """
    return review(transcript).choices


def review(transcript):
    """Read a whole transcript."""
    check_rules(transcript["rules"])
    found = Review(transcript.get("events"))
    try:
        check_head(found, transcript)
        expected = read_events(found, transcript["rules"], transcript["dealer"])
        if found.place + 1 < len(found.events):
            found.place += 1
            found.fault("extra_event", "the deal is over, but events follow")
        check_result(found, transcript["result"], expected)
    except CannotGoOn:
        pass
    return found


def check_head(found, transcript):
    """The fields around the events."""
    rules = transcript["rules"]
    if sorted(transcript) != sorted(HEAD):
        found.fault("format", f"the fields are {HEAD}, not {list(transcript)}", about_event=False)
    problems = []
    if not isinstance(transcript["events"], list) or not isinstance(transcript["result"], dict):
        problems.append("events are a list and the result is an object")
    if transcript["format"] != "simcore-transcript/1":
        problems.append(f"format is simcore-transcript/1, not {transcript['format']!r}")
    if transcript["variant"] != rules["name"]:
        problems.append(f"variant is {transcript['variant']!r}, the rules are those of {rules['name']!r}")
    if not is_list_of(is_text, transcript["bots"]) or len(transcript["bots"]) != rules["players"]:
        problems.append(f"bots are {rules['players']} names, not {transcript['bots']!r}")
    for field in ("seed", "match", "deal"):
        if type(transcript[field]) is not int or transcript[field] < 0:
            problems.append(f"{field} is a whole number, not {transcript[field]!r}")
    if not is_seat(transcript["dealer"]) or transcript["dealer"] >= rules["players"]:
        problems.append(f"dealer is a seat, not {transcript['dealer']!r}")
    for problem in problems:
        found.fault("format", problem, about_event=False)


def read_events(found, rules, dealer):
    """Read deal, exchange, auction and play; returns the result they lead to."""
    hands, upcard, stock = read_deal(found, rules)
    read_exchange(found, rules, dealer, hands, upcard, stock)
    contract, declarer = read_auction(found, rules, dealer, hands)
    tricks = None
    if contract is not None:
        tricks = read_tricks(found, rules, hands, contract, declarer)
    return deal_result(rules, contract, declarer, tricks)


def read_deal(found, rules):
    """Every card of the deck is in one place, and as many in each as the variant says."""
    event = found.read("deal")
    try:
        hands = [parse_hand(text) for text in event["hands"]]
    except ValueError as error:
        found.fault("format", str(error))
    upcard, stock = event["upcard"], event["stock"]
    if len(hands) != rules["players"] or any(len(hand) != rules["deal"]["cards"] for hand in hands):
        found.fault("deal_size", f"{rules['players']} hands of {rules['deal']['cards']} cards are dealt")
    if (upcard is not None) != rules["deal"]["upcard"]:
        found.fault("upcard", f"deal.upcard is {rules['deal']['upcard']}, but the upcard is {upcard!r}")
    cards = [card for hand in hands for card in hand] + stock + ([upcard] if upcard else [])
    if in_draw_order(cards) != deck(rules):
        found.fault("card_conservation", "hands, upcard and stock together are not the deck, every card once")
    return hands, upcard, stock


def read_exchange(found, rules, dealer, hands, upcard, stock):
    """Each takes what the rules give him and discards as many; `hands` become those of the auction."""
    for seat in exchange.exchange_order(rules, dealer):
        event = found.read_of_seat("exchange", seat)
        drew, stock = exchange.take_cards(rules, seat, dealer, upcard, stock)
        if sorted(event["drew"]) != sorted(drew):
            found.fault("exchange_draw", f"seat {seat} takes {drew}, not {event['drew']}")
        held = hands[seat] + drew
        found.note_choice("exchange", seat, in_draw_order(held), choose=len(drew))
        discarded = event["discarded"]
        if len(discarded) != len(drew):
            found.fault("exchange_count", f"seat {seat} discards {len(drew)} cards, not {len(discarded)}")
        if len(set(discarded)) != len(discarded) or not set(discarded) <= set(held):
            found.fault("card_not_held", f"seat {seat} cannot discard {discarded} from {hand_text(held)}")
        hands[seat] = [card for card in held if card not in discarded]


def read_auction(found, rules, dealer, hands):
    """Every call is legal; returns contract and declarer."""
    calls = []
    while not auction.auction_is_over(calls):
        seat = auction.seat_to_call(rules, dealer, calls)
        event = found.read_of_seat("call", seat)
        found.note_choice("call", seat, auction.legal_calls(rules, hands[seat], calls))
        rule = auction.call_fault(rules, hands[seat], calls, event["call"])
        if rule is not None:
            found.fault(rule, f"{event['call']!r} is not legal for {hand_text(hands[seat])} after {calls}")
        calls.append(event["call"])
    return auction.final_contract(rules, dealer, calls)


def read_tricks(found, rules, hands, contract, declarer):
    """Every card is held and legal, every trick goes to its winner; returns the tricks by seat."""
    hands = [list(hand) for hand in hands]
    trump = play.trump_suit(contract)
    tricks = [0] * rules["players"]
    leader = next_seat(rules, declarer)
    barred = None
    for _ in range(rules["deal"]["cards"]):
        follower = next_seat(rules, leader)
        led = read_lead(found, rules, leader, hands[leader], barred)
        reply = read_reply(found, rules, follower, hands[follower], led, trump)
        winner = follower if play.trick_is_won_by_reply(led, reply, trump) else leader
        barred = colons.suit_barred_by(rules, hands[follower], led, reply)
        hands[leader].remove(led)
        hands[follower].remove(reply)
        tricks[winner] += 1
        event = found.read("trick")
        if event["winner"] != winner:
            found.fault("trick_winner", f"seat {winner} wins {led} {reply}, not {event['winner']!r}", go_on=True)
        leader = winner
    return tricks


def read_lead(found, rules, seat, hand, barred):
    """Read the first card of a trick."""
    card = read_held_card(found, seat, hand)
    found.note_choice("play", seat, play.legal_leads(rules, hand, barred))
    rule = play.lead_fault(rules, hand, barred, card)
    if rule is not None:
        found.fault(rule, f"seat {seat} may not lead {card} from {hand_text(hand)}: {barred} is barred", go_on=True)
    return card


def read_reply(found, rules, seat, hand, led, trump):
    """Read the second card of a trick."""
    card = read_held_card(found, seat, hand)
    found.note_choice("play", seat, play.legal_replies(rules, hand, led, trump))
    rule = play.reply_fault(rules, hand, led, trump, card)
    if rule is not None:
        found.fault(rule, f"seat {seat} may not play {card} on {led} from {hand_text(hand)}", go_on=True)
    return card


def read_held_card(found, seat, hand):
    """Read a card that must be in the hand."""
    card = found.read_of_seat("play", seat)["card"]
    if card not in hand:
        found.fault("card_not_held", f"seat {seat} does not hold {card!r} in {hand_text(hand)}")
    return card


def check_result(found, result, expected):
    """Contract, declarer, tricks, made and points follow from the events."""
    if sorted(result) != sorted(expected):
        found.fault("format", f"the result has the fields {list(expected)}, not {list(result)}", about_event=False)
    for name, value in expected.items():
        if result[name] != value or isinstance(result[name], bool) != isinstance(value, bool):
            found.fault(name, f"{name} is {value!r}, not {result[name]!r}", about_event=False, go_on=True)


def check_deal_from_seed(transcript):
    """Violations of the dealer and the cards as seed, match and deal determine them.

    Where passed-out deals are dealt again, the dealer of a later deal depends on the deals before it: see
    `check_match`.
    """
    rules, deal, dealer = transcript["rules"], transcript["deal"], transcript["dealer"]
    seed, match = transcript["seed"], transcript["match"]
    violations = []
    first = streams.first_dealer(seed, match, rules["players"])
    if rules["auction"]["passed_out"] == "count_zero" or deal == 0:
        expected = (first + deal) % rules["players"]
        if dealer != expected:
            violations.append({"event": None, "rule": "dealer", "message": f"dealer is {expected}, not {dealer!r}"})
    expected = deal_event(deal_cards(rules, dealer, streams.deal_key(seed, match, deal)))
    if transcript["events"][0] != expected:
        message = f"the cards of seed {seed}, match {match}, deal {deal} are {expected}"
        violations.append({"event": 0, "rule": "deal_from_seed", "message": message})
    return violations


def check_match(lines, unit="match"):
    """Violations of a whole match: numbers of deals, dealers, when it ends, totals and winner.

    The deals are judged one by one with `check_transcript`; here their results are taken as given.

    Parameters
    ----------
    lines : list of dict
        The transcripts of one match in order and, for unit "match", its line.
    unit : {"match", "deal"}
    """
    deals = [line for line in lines if line["format"] == "simcore-transcript/1"]
    rest = lines[len(deals) :]
    rules, match = deals[0]["rules"], deals[0]["match"]
    state = new_match(rules, streams.first_dealer(deals[0]["seed"], match, rules["players"]))
    problems = []
    for transcript in deals:
        if state["over"]:
            problems.append(("extra_deal", f"the match is over before deal {transcript['deal']}"))
            break
        if transcript["deal"] != state["dealt"]:
            problems.append(("deal_number", f"deal {state['dealt']} is due, not {transcript['deal']}"))
        if transcript["dealer"] != state["dealer"]:
            problems.append(("dealer", f"in deal {state['dealt']} the dealer is {state['dealer']}"))
        state = after_deal(rules, unit, state, transcript["result"])
    if not state["over"]:
        problems.append(("missing_deal", f"the match is not over after {len(deals)} deals"))
    expected = [match_line(state, match)] if unit == "match" else []
    if rest != expected:
        problems.append(("match_line", f"after the deals come {expected}, not {rest}"))
    return [{"event": None, "rule": rule, "message": message} for rule, message in problems]
