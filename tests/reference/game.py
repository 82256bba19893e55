"""Plays whole matches with random bots, from rules and a seed, and writes them as transcripts."""

from __future__ import annotations

from . import look_and_choose, play, random_bot, streams
from .course import play_course
from .deal import deal_cards, next_seat
from .match import after_deal, match_line, new_match
from .transcript import deal_event, deal_transcript
from .variant import check_rules

PURPOSE_OF_PHASE = {"play": streams.PLAY, "exchange": streams.EXCHANGE}


class BotTable:
    """A table of random bots: asks them for their decisions and writes down the events of one deal."""

    def __init__(self, rules, bots, deal_key):
        self.rules = rules
        self.bots = bots
        self.key = deal_key
        self.events = []
        self.words = {"play": {}, "exchange": {}}

    def write(self, act, **fields):
        """Write an event."""
        self.events.append({"act": act, **fields})

    def exchange(self, seat, drew, held):
        """The cards that a seat throws after it drew some."""
        discarded = random_bot.choose_discards(self.key, seat, held, len(drew))
        self.write("exchange", seat=seat, drew=drew, discarded=discarded)
        return discarded

    def choose(self, seat, own_turn, first, second):
        """The card of two that a seat keeps."""
        kept = first if random_bot.keeps_first(self.key, seat, own_turn) else second
        seen = look_and_choose.cards_seen(self.rules, first, second, kept)
        self.write("choose", seat=seat, seen=seen, kept=kept)
        return kept

    def bridge_call(self, seat, hand, calls):
        """A call of a bridge auction."""
        own_calls = len(calls) // self.rules["players"]
        call = random_bot.choose_call(self.bots[seat], self.rules, self.key, seat, hand, calls, own_calls)
        self.write("call", seat=seat, call=call)
        return call

    def number_call(self, seat, cards, calls):
        """A number of tricks."""
        number = random_bot.choose_number(self.bots[seat], self.rules, self.key, seat, cards, calls)
        self.write("call", seat=seat, call=str(number))
        return number

    def step_call(self, seat, cards, calls, forced):
        """A call of an auction by steps."""
        call = random_bot.choose_step(self.bots[seat], self.rules, self.key, seat, cards, calls, forced)
        self.write("call", seat=seat, call=call)
        return call

    def card(self, seat, hand, faults, number, phase="play", barred=None):
        """A card of the hand that has no fault."""
        legal = [card for card in hand if faults.get(card) is None]
        words = self.words[phase]
        card = random_bot.choose_card(self.key, seat, number, legal, words, PURPOSE_OF_PHASE[phase])
        self.write("play", seat=seat, card=card)
        return card

    def trick(self, winner, cards):
        """A trick is over."""
        self.write("trick", winner=winner)

    def draw(self, seat, card):
        """A seat has drawn a card."""
        self.write("draw", seat=seat, card=card)

    def settle(self, quota, points):
        """A round has been settled."""
        self.write("settle", quota=quota, points=points)


def play_match(rules, bots, seed, match, unit="match"):
    """Play one match, or with unit "deal" one deal and its redeals.

    Parameters
    ----------
    rules : dict
        The variant, every key given.
    bots : list of dict
        One bot a seat; only the random one is known here.
    seed, match : int
        Where the random numbers come from.
    unit : {"match", "deal"}

    Returns
    -------
    list of dict
        A transcript for each deal and, for unit "match", the line of the match.
    """
    check_rules(rules)
    for bot in bots:
        random_bot.check_bot(bot)
    state = new_match(rules, streams.first_dealer(seed, match, rules["players"]))
    lines = []
    while not state["over"]:
        transcript, after = play_deal(rules, bots, seed, match, state)
        lines.append(transcript)
        state = after_deal(rules, unit, state, transcript["result"], after)
    if unit == "match":
        lines.append(match_line(rules, state, match))
    return lines


def play_deal(rules, bots, seed, match, state):
    """Play the next deal of a match; returns its transcript and what it leaves for the next one."""
    deal, dealer = state["dealt"], state["dealer"]
    key = streams.deal_key(seed, match, deal)
    cards = next_cards(rules, dealer, key, state["left"])
    table = BotTable(rules, bots, key)
    table.events.append(deal_event(cards))
    result, after = play_course(table, dealer, cards, state["forced"])
    return deal_transcript(rules, bots, (seed, match, deal), dealer, table.events, result), after


def next_cards(rules, dealer, key, left):
    """The cards of the next deal: drawn, or those that the deal before has left."""
    if left is None:
        return deal_cards(rules, dealer, key)
    if rules["shedding"]["model"] == "quota":
        return deal_cards(rules, dealer, key, left["quota"])
    return {"hands": left["hands"], "upcard": left["upcard"], "stock": left["stock"]}


def play_tricks(rules, key, hands, contract, declarer):
    """Play all tricks of a contract of two players; declarer's opponent leads first, then each trick's winner.

    Returns
    -------
    tuple
        Tricks by seat, and the events.
    """
    table = BotTable(rules, [], key)
    tricks = play.play_two_hands(table, hands, next_seat(rules, declarer), play.trump_of_play(rules, contract, None))
    return tricks, table.events
