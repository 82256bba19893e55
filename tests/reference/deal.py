"""The deal: hands, upcard and stock, drawn from the deck as docs/random-streams.md (section 4) says."""

from __future__ import annotations

from . import streams
from .cards import deck


def next_seat(rules, seat):
    """Seats are numbered in turn order."""
    return (seat + 1) % rules["players"]


def turn_order(rules, dealer):
    """All seats, the one after the dealer first and the dealer last."""
    players = rules["players"]
    return [(dealer + step) % players for step in range(1, players + 1)]


def deal_cards(rules, dealer, deal_key):
    """Deal: the opponent of the dealer first; then the top card of the rest is turned; what is left is the stock.

    Returns
    -------
    dict
        ``hands`` (a list of cards by seat), ``upcard`` (a card or None), ``stock`` (cards, top first).
    """
    key = streams.cards_key(deal_key)
    rest = deck(rules)
    draw = 0
    hands = [[] for _ in range(rules["players"])]
    for seat in turn_order(rules, dealer):
        hands[seat], rest, draw = streams.draw_block(key, draw, rest, rules["deal"]["cards"])
    stock, _, _ = streams.draw_block(key, draw, rest, len(rest))
    upcard = stock.pop(0) if rules["deal"]["upcard"] else None
    return {"hands": hands, "upcard": upcard, "stock": stock}
