"""The random bot, written from docs/random-streams.md (section 5): which draw answers which decision."""

from __future__ import annotations

from . import steps, streams
from .auction import PASS, legal_bids, legal_doubles, level_of
from .calls import legal_numbers
from .cards import in_draw_order

BIDDING_DEFAULTS = {
    "level_weights": [4, 16, 24, 24, 16, 9, 5, 2],
    "double_percent": 10,
    "pass_percent": 20,
    "call_spread": 5,
    "step_pass_percent": 60,
    "alone_percent": 10,
}
"""Parameters that a bot does not state, as in configs/bots/random.yaml."""


def check_bot(bot):
    """ValueError for a bot that is not random in every stage."""
    for stage in ("exchange", "bidding", "play"):
        if bot[stage]["policy"] != "random":
            raise ValueError(f"the reference plays only the random bot, not {stage} {bot[stage]['policy']!r}")


def choose_discards(deal_key, seat, hand, count):
    """A block of cards from the hand, at draw 0 of the seat's exchange key; listed in draw order."""
    key = streams.seat_key(deal_key, streams.EXCHANGE, seat)
    discards, _, _ = streams.draw_block(key, 0, hand, count)
    return in_draw_order(discards)


def keeps_first(deal_key, seat, own_turn):
    """Whether the seat keeps the first of its two cards: a bit of one word for all its turns."""
    key = streams.seat_key(deal_key, streams.EXCHANGE, seat)
    return streams.word(key, 0, 0) >> own_turn & 1 == 1


def ceiling(key, level_weights):
    """The highest level at which the seat bids in this deal (draw 0 of its bidding key)."""
    r = streams.below(key, 0, sum(level_weights))
    level = 0
    while r >= sum(level_weights[: level + 1]):
        level += 1
    return level


def choose_call(bot, rules, deal_key, seat, hand, calls, own_calls):
    """The call of a seat that has already made `own_calls` calls."""
    parameters = {**BIDDING_DEFAULTS, **bot["bidding"]}
    key = streams.seat_key(deal_key, streams.BIDDING, seat)
    highest = ceiling(key, parameters["level_weights"])
    die = streams.below(key, 1 + 2 * own_calls, 100)
    bids = [bid for bid in legal_bids(rules, hand, calls) if level_of(bid) <= highest]
    doubles = legal_doubles(rules, calls)
    if doubles and die < parameters["double_percent"]:
        return doubles[0]
    if bids and die < 100 - parameters["pass_percent"]:
        return bids[streams.below(key, 2 + 2 * own_calls, len(bids))]
    return PASS


def choose_number(bot, rules, deal_key, seat, cards, calls):
    """A call of Call Bridge: one of the legal ones up to `call_spread` above the lowest."""
    spread = {**BIDDING_DEFAULTS, **bot["bidding"]}["call_spread"]
    legal = legal_numbers(rules, cards, calls)
    low = [number for number in legal if number <= rules["auction"]["min"] + spread] or legal
    key = streams.seat_key(deal_key, streams.BIDDING, seat)
    return low[streams.below(key, 0, len(low))]


def choose_step(bot, rules, deal_key, seat, cards, calls, forced):
    """A call of Pit."""
    parameters = {**BIDDING_DEFAULTS, **bot["bidding"]}
    key = streams.seat_key(deal_key, streams.BIDDING, seat)
    own_calls = sum(caller == seat for caller, _ in calls)
    numbers = steps.numbers_open(rules, cards, calls)
    if not numbers:
        return PASS
    may_pass = steps.may_pass(rules, cards, calls, seat, forced)
    if may_pass and streams.below(key, 1 + 2 * own_calls, 100) < parameters["step_pass_percent"]:
        return PASS
    number = numbers[streams.below(key, 2 + 2 * own_calls, len(numbers))]
    ways = steps.ways_to_bid(rules, calls, seat)
    way = ways[0]
    if len(ways) > 1 and streams.below(key, 0, 100) < parameters["alone_percent"]:
        way = steps.ALONE
    return f"{number}{way}"


def choose_card(deal_key, seat, trick, legal, words, purpose=streams.PLAY):
    """One of the legal cards (given in draw order); `words` keeps what is left of each seat's word of six tricks."""
    if trick % 6 == 0:
        words[seat] = streams.word(streams.seat_key(deal_key, purpose, seat), trick // 6, 0)
    number, words[seat] = divmod(words[seat] * len(legal), 2**64)
    return legal[number]
