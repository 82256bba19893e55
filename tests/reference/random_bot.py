"""The random bot, written from docs/random-streams.md (section 5): which draw answers which decision."""

from __future__ import annotations

from . import streams
from .auction import PASS, legal_bids, legal_doubles, level_of
from .cards import in_draw_order

BIDDING_DEFAULTS = {"level_weights": [4, 16, 24, 24, 16, 9, 5, 2], "double_percent": 10, "pass_percent": 20}


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


def choose_card(deal_key, seat, trick, legal, words):
    """One of the legal cards (given in draw order); `words` keeps what is left of each seat's word of six tricks."""
    if trick % 6 == 0:
        words[seat] = streams.word(streams.seat_key(deal_key, streams.PLAY, seat), trick // 6, 0)
    number, words[seat] = divmod(words[seat] * len(legal), 2**64)
    return legal[number]
