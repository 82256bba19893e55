"""The exchange: the non-dealer, then the dealer, takes cards from the stock and discards down to the hand's size."""

from __future__ import annotations

from .cards import in_range
from .deal import turn_order


def class_of_upcard(upcard):
    """Spot (2-10 or the Little Colon), face (J Q K or the Royal) or ace (an ace or the Grand)."""
    for name, colon in [("spot", "LC"), ("face", "RC"), ("ace", "GC")]:
        if upcard == colon or in_range(colon, upcard):
            return name
    raise ValueError(f"{upcard!r} is not a card")


def exchange_order(rules, dealer):
    """The seats that exchange, in order; nobody in a variant without such an exchange."""
    if rules["exchange"]["kind"] != "upcard":
        return []
    return turn_order(rules, dealer)


def exchange_cards(table, dealer, cards):
    """Each takes what the rules give him and discards as many; the hands in `cards` become those of the auction."""
    stock = cards["stock"]
    for seat in exchange_order(table.rules, dealer):
        drew, stock = take_cards(table.rules, seat, dealer, cards["upcard"], stock)
        held = cards["hands"][seat] + drew
        discarded = table.exchange(seat, drew, held)
        cards["hands"][seat] = [card for card in held if card not in discarded]


def number_from_stock(rules, seat, dealer, upcard):
    """How many stock cards a seat takes: the dealer's number follows from the upcard."""
    exchange = rules["exchange"]
    if seat == dealer:
        return exchange["dealer_draw"][class_of_upcard(upcard)]
    return exchange["non_dealer_draw"]


def take_cards(rules, seat, dealer, upcard, stock):
    """The cards a seat takes.

    Returns
    -------
    tuple
        The cards taken (the upcard first, where the dealer takes it besides his stock cards), and the stock left.
    """
    count = number_from_stock(rules, seat, dealer, upcard)
    taken = stock[:count]
    if seat == dealer and rules["exchange"]["upcard"] == "dealer_takes_it":
        taken = [upcard] + taken
    return taken, stock[count:]
