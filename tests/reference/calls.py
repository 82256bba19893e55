"""Call Bridge's auction: each player once says how many tricks he will take, the one after the dealer first.

Nobody need go above an earlier call. ``max: cards`` is the number of cards each holds as the calls begin. Where the
calls may not add up to the number of tricks (``total_may_equal_tricks: false``), the last caller may not make them; if
the range leaves him no other call (which the rules do not speak of), he may make this one.
"""

from __future__ import annotations

from .deal import turn_order


def call_range(rules, cards):
    """The numbers that may be called, in rising order, by players with so many cards."""
    options = rules["auction"]
    highest = cards if options["max"] == "cards" else options["max"]
    return list(range(options["min"], highest + 1))


def forbidden_number(rules, cards, calls):
    """The number that the last caller may not call, or None."""
    is_last = len(calls) == rules["players"] - 1
    if not is_last or rules["auction"].get("total_may_equal_tricks", True):
        return None
    missing = cards - sum(calls)
    return None if call_range(rules, cards) == [missing] else missing


def legal_numbers(rules, cards, calls):
    """The numbers the next caller may call, in rising order.

    Parameters
    ----------
    rules : dict
    cards : int
        Cards in each hand, which is the number of tricks.
    calls : list of int
        The calls so far.
    """
    return [number for number in call_range(rules, cards) if number != forbidden_number(rules, cards, calls)]


def number_fault(rules, cards, calls, text):
    """The rule that forbids a call, given as text, or None."""
    if text not in [str(number) for number in call_range(rules, cards)]:
        return "call_range"
    return "forbidden_total" if int(text) == forbidden_number(rules, cards, calls) else None


def hold_calls(table, dealer, hands):
    """One call each; returns the calls by seat."""
    order = turn_order(table.rules, dealer)
    calls = []
    for seat in order:
        calls.append(table.number_call(seat, len(hands[seat]), calls))
    by_seat = dict(zip(order, calls, strict=True))
    return [by_seat[seat] for seat in sorted(by_seat)]
