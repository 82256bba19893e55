"""The course of a deal in every game: exchange, auction, play, settlement.

The course knows the rules and asks a table for the decisions. A table has ``rules`` and these methods:

``exchange(seat, drew, held)``, ``choose(seat, own_turn, first, second)``, ``bridge_call(seat, hand, calls)``,
``number_call(seat, cards, calls)``, ``step_call(seat, cards, calls, forced)``, ``card(seat, hand, faults, number,
phase, barred)`` return what a player decides; ``trick(winner, cards)``, ``draw(seat, card)``, ``settle(quota,
points)`` are told
what follows from it.

There are two tables: in ``game`` random bots decide, and the events are written down; in ``check`` the events of a
transcript are the decisions, and what is told is compared with it.
"""

from __future__ import annotations

from . import auction, calls, draw_tricks, exchange, look_and_choose, play, shedding, steps, table_play
from .deal import next_seat, turn_order
from .points import number
from .transcript import call_result, contract_result, round_result


def play_course(table, dealer, cards, forced=False):
    """Play a deal from its cards on.

    Parameters
    ----------
    table : the players
    dealer : int
    cards : dict
        ``hands``, ``upcard``, ``stock``; the course changes them.
    forced : bool
        Whether the first speaker may not pass (Pit).

    Returns
    -------
    tuple
        The result of the deal and, for Pit, what it leaves for the next round (else None).
    """
    kind = table.rules["auction"]["kind"]
    if kind == "steps":
        return play_steps_deal(table, dealer, cards, forced)
    make_hands(table, dealer, cards)
    if kind == "calls":
        return play_calls_deal(table, dealer, cards), None
    return play_bridge_deal(table, dealer, cards), None


def make_hands(table, dealer, cards):
    """What happens before the auction; the hands in `cards` become those of the auction."""
    kind = table.rules["exchange"]["kind"]
    if kind == "upcard":
        exchange.exchange_cards(table, dealer, cards)
    elif kind == "draw_tricks":
        draw_tricks.play_first_phase(table, dealer, cards)
    elif kind == "look_and_choose":
        look_and_choose.make_hands(table, dealer, cards)


def play_bridge_deal(table, dealer, cards):
    """A bridge auction and the contract it leads to; declarer's opponent leads."""
    rules, hands = table.rules, cards["hands"]
    contract, declarer = auction.hold_auction(table, dealer, hands)
    tricks = None
    if contract is not None:
        trump = play.trump_of_play(rules, contract, cards["upcard"])
        tricks = play.play_two_hands(table, hands, next_seat(rules, declarer), trump)
    return contract_result(rules, contract, declarer, tricks)


def play_calls_deal(table, dealer, cards):
    """A call each and the play; the player after the dealer leads."""
    rules, hands = table.rules, cards["hands"]
    called = calls.hold_calls(table, dealer, hands)
    trump = play.trump_of_play(rules, None, cards["upcard"])
    leader = turn_order(rules, dealer)[0]
    if rules["players"] == 2:
        tricks = play.play_two_hands(table, hands, leader, trump)
    else:
        tricks = table_play.play_tricks(table, hands, leader, trump, until_empty=leader)
        tricks = table_play.tricks_by_seat(rules["players"], tricks)
    return call_result(rules, called, tricks)


def play_steps_deal(table, dealer, cards, forced):
    """An auction by steps, a round that ends when declarer's hand is empty, the settlement."""
    rules = table.rules
    contract, declarer = steps.hold_steps(table, dealer, cards["hands"], forced)
    tricks = []
    if contract is not None:
        trump = play.trump_of_play(rules, contract, cards["upcard"])
        tricks = table_play.play_tricks(table, cards["hands"], declarer, trump, until_empty=declarer)
    played = {**cards, "contract": contract, "declarer": declarer, "tricks": tricks}
    after = shedding.settle(rules, played)
    points = [number(amount) for amount in shedding.round_tenths(rules, played)]
    for seat, card in after["draws"]:
        table.draw(seat, card)
    table.settle(after["quota"], points)
    return round_result(played, points), after
