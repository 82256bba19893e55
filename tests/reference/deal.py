"""The deal: hands, upcard and stock, drawn from the deck as docs/random-streams.md (section 4) says."""

from __future__ import annotations

from . import streams
from .cards import deck


def next_seat(rules, seat):
    """Seats are numbered in turn order."""
    return (seat + 1) % rules["players"]


def seats_from(players, first):
    """All seats in turn order, beginning with one of them."""
    return [(first + step) % players for step in range(players)]


def turn_order(rules, dealer):
    """All seats, the one after the dealer first and the dealer last."""
    return seats_from(rules["players"], next_seat(rules, dealer))


def hand_size(rules):
    """The cards dealt to each player: a number, or a map by players, whose keys are text once it has been JSON."""
    cards = rules["deal"]["cards"]
    if isinstance(cards, dict):
        players = rules["players"]
        return cards[players] if players in cards else cards[str(players)]
    return cards


def hand_sizes(rules):
    """The sizes of all hands in the first deal."""
    return [hand_size(rules)] * rules["players"]


def turns_a_card(rules):
    """Whether the top card of the rest is turned: as the upcard, or to set the trumps."""
    return bool(rules["deal"].get("upcard")) or rules["play"].get("trump") == "turned_card"


def deal_cards(rules, dealer, deal_key, sizes=None):
    """Deal: the seat after the dealer first; then the top card of the rest is turned; what is left is the stock.

    Parameters
    ----------
    rules : dict
    dealer, deal_key : int
    sizes : list of int, optional
        The sizes of the hands by seat, where they are not those of the first deal (Pit).

    Returns
    -------
    dict
        ``hands`` (a list of cards by seat), ``upcard`` (a card or None), ``stock`` (cards, top first).
    """
    key = streams.cards_key(deal_key)
    sizes = sizes or hand_sizes(rules)
    rest = deck(rules)
    draw = 0
    hands = [[] for _ in range(rules["players"])]
    for seat in turn_order(rules, dealer):
        hands[seat], rest, draw = streams.draw_block(key, draw, rest, sizes[seat])
    stock, _, _ = streams.draw_block(key, draw, rest, len(rest))
    upcard = stock.pop(0) if turns_a_card(rules) else None
    return {"hands": hands, "upcard": upcard, "stock": stock}
