"""Judges transcripts by the rules: takes the decisions from their events and works out everything else itself.

A violation is a dict: ``event``, ``rule``, ``message``; see ``review``.
"""

from __future__ import annotations

from . import streams
from .cards import deck, hand_text, in_draw_order, parse_hand
from .course import play_course
from .deal import deal_cards, hand_size, hand_sizes, turns_a_card
from .match import after_deal, match_line, new_match
from .review import CannotGoOn, Review, is_list_of, is_same, is_seat, is_text
from .shedding import MOST_QUOTAS
from .transcript import deal_event
from .variant import check_rules

HEAD = ["format", "variant", "rules", "seed", "match", "deal", "dealer", "bots", "events", "result"]


def check_transcript(transcript, forced=False):
    """All violations of one deal's transcript; an empty list if everything is right.

    The cards, the dealer and the number of the deal are taken as given; see `check_deal_from_seed` and `check_match`.
    A round of Pit does not say whether the one before was thrown in, so that the first speaker may not pass: `forced`
    says it; `check_match` knows it from the lines.
    """
    return review(transcript, forced).violations


def legal_sets(transcript, forced=False):
    """What could be chosen at each decision of a legal transcript, in order.

    Returns
    -------
    list of dict
        ``event``, ``act``, ``seat``, ``legal`` (cards in draw order; calls as `legal_calls` lists them), ``choose``
        (how many of them: 1, but for the discards of an exchange).
    """
    return review(transcript, forced).choices


def review(transcript, forced=False):
    """Read a whole transcript. What a legal round of Pit leaves for the next one is kept in ``left``."""
    rules = transcript["rules"]
    check_rules(rules)
    found = Review(rules, transcript.get("events"))
    found.left = None
    try:
        check_head(found, transcript)
        cards = read_deal(found, rules, transcript["deal"])
        expected, left = play_course(found, transcript["dealer"], cards, forced)
        if found.place + 1 < len(found.events):
            found.place += 1
            found.fault("extra_event", "the deal is over, but events follow")
        check_result(found, transcript["result"], expected)
        found.left = left
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


def read_deal(found, rules, deal):
    """Every card of the deck is in one place, and as many in each as the variant says."""
    event = found.read("deal")
    try:
        hands = [parse_hand(text) for text in event["hands"]]
    except ValueError as error:
        found.fault("format", str(error))
    upcard, stock = event["upcard"], event["stock"]
    if not are_sizes_right(rules, deal, [len(hand) for hand in hands]):
        given = ", ".join(hand_text(hand) for hand in hands)
        found.fault("deal_size", f"{rules['players']} hands of {hand_size(rules)} cards are dealt, not {given}")
    if (upcard is not None) != turns_a_card(rules):
        found.fault("upcard", f"a card is {'' if turns_a_card(rules) else 'not '}turned, but the upcard is {upcard!r}")
    cards = [card for hand in hands for card in hand] + stock + ([upcard] if upcard else [])
    if not are_cards_right(rules, deal, cards):
        found.fault("card_conservation", "hands, upcard and stock together are not the deck, every card once")
    return {"hands": hands, "upcard": upcard, "stock": list(stock)}


def are_sizes_right(rules, deal, sizes):
    """Whether the hands have the size they are dealt in; later rounds of Pit have any, see `check_match`.

    In such a round quotas are never 0 and together at most 51; hands that last may be empty in `capture` alone.
    """
    if rules["auction"]["kind"] != "steps" or deal == 0:
        return sizes == hand_sizes(rules)
    if len(sizes) != rules["players"] or sum(sizes) > MOST_QUOTAS + (not turns_a_card(rules)):
        return False
    if rules["shedding"]["model"] == "quota" and sum(sizes) > MOST_QUOTAS:
        return False
    return any(sizes) if rules["shedding"]["model"] == "capture" else all(sizes)


def are_cards_right(rules, deal, cards):
    """Whether the cards are the deck; in later rounds of `persistent` some are out of play."""
    if rules["auction"]["kind"] == "steps" and rules["shedding"]["model"] == "persistent" and deal > 0:
        return len(set(cards)) == len(cards) and set(cards) <= set(deck(rules))
    return in_draw_order(cards) == deck(rules)


def check_result(found, result, expected):
    """Contract, declarer, tricks, made and points follow from the events."""
    if sorted(result) != sorted(expected):
        found.fault("format", f"the result has the fields {list(expected)}, not {list(result)}", about_event=False)
    for name, value in expected.items():
        if not is_same(result[name], value):
            found.fault(name, f"{name} is {value!r}, not {result[name]!r}", about_event=False, go_on=True)


def check_deal_from_seed(transcript):
    """Violations of the dealer and the cards as seed, match and deal determine them.

    Where passed-out deals are dealt again, the dealer of a later deal depends on the deals before it; so do the sizes of
    the hands in later rounds of Pit, and with hands that last their cards: see `check_match`.
    """
    rules, deal, dealer = transcript["rules"], transcript["deal"], transcript["dealer"]
    seed, match = transcript["seed"], transcript["match"]
    violations = []
    first = streams.first_dealer(seed, match, rules["players"])
    if rules["auction"].get("passed_out") != "redeal" or deal == 0:
        expected = (first + deal) % rules["players"]
        if dealer != expected:
            violations.append({"event": None, "rule": "dealer", "message": f"dealer is {expected}, not {dealer!r}"})
    sizes = None
    if rules["auction"]["kind"] == "steps" and deal > 0:
        if rules["shedding"]["model"] != "quota":
            return violations
        sizes = [len(parse_hand(text)) for text in transcript["events"][0]["hands"]]
        if not are_sizes_right(rules, deal, sizes):
            return [*violations, {"event": 0, "rule": "deal_size", "message": f"the hands have {sizes} cards"}]
    expected = deal_event(deal_cards(rules, dealer, streams.deal_key(seed, match, deal), sizes))
    if transcript["events"][0] != expected:
        message = f"the cards of seed {seed}, match {match}, deal {deal} are {expected}"
        violations.append({"event": 0, "rule": "deal_from_seed", "message": message})
    return violations


def check_match(lines, unit="match"):
    """Violations of a whole match: numbers of deals, dealers, when it ends, totals and winner.

    The deals are judged one by one with `check_transcript`; here their results are taken as given. Of Pit it is also
    judged here what one round says about the next: the sizes of the hands, or all cards where hands last, and whether
    the first speaker may pass.

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
        left = None
        if rules["auction"]["kind"] == "steps":
            problems += problems_between_rounds(rules, state, transcript)
            left = left_by_round(transcript)
        state = after_deal(rules, unit, state, transcript["result"], left)
    if not state["over"]:
        problems.append(("missing_deal", f"the match is not over after {len(deals)} deals"))
    expected = [match_line(rules, state, match)] if unit == "match" else []
    if rest != expected:
        problems.append(("match_line", f"after the deals come {expected}, not {rest}"))
    return [{"event": None, "rule": rule, "message": message} for rule, message in problems]


def left_by_round(transcript):
    """What a round of Pit leaves; the quotas are those it states."""
    left = review(transcript).left or {"hands": None, "stock": None, "upcard": None}
    return {**left, "quota": transcript["events"][-1]["quota"]}


def problems_between_rounds(rules, state, transcript):
    """What the round before determines of a round of Pit."""
    problems = []
    if state["forced"]:
        found = [fault for fault in check_transcript(transcript, forced=True) if fault["rule"] == "may_not_pass"]
        problems += [(fault["rule"], f"deal {transcript['deal']}: {fault['message']}") for fault in found]
    left, event = state["left"], transcript["events"][0]
    if left is None:
        return problems
    sizes = [len(parse_hand(text)) for text in event["hands"]]
    if sizes != left["quota"]:
        problems.append(("deal_size", f"deal {transcript['deal']}: the hands have {left['quota']} cards, not {sizes}"))
    elif left["hands"] is not None and event != deal_event(left):
        problems.append(("hands_that_last", f"deal {transcript['deal']} begins with {deal_event(left)}"))
    return problems
