"""Tricks of natural cards for any number of players: Call Bridge, and Pit, whose hands are of different sizes."""

from __future__ import annotations

from .cards import in_draw_order
from .deal import seats_from
from .duties import card_faults, winning_place


def seats_with_cards(hands, first):
    """The seats that still hold cards, in turn order, beginning with a seat or the next one that does."""
    return [seat for seat in seats_from(len(hands), first) if hands[seat]]


def play_tricks(table, hands, leader, trump, until_empty):
    """Play tricks until one hand is empty; players out of cards are skipped.

    The winner leads next; if he has no cards left, the next one with cards leads.

    Parameters
    ----------
    table : the players
        See ``course``.
    hands : list of list of str
        They are left unchanged.
    leader : int
    trump : str or None
    until_empty : int
        The seat whose empty hand ends the play: declarer in Pit; anybody where all hands are of one size.

    Returns
    -------
    list of dict
        A dict for each trick: ``cards`` (by seat) and ``winner``.
    """
    left = [list(hand) for hand in hands]
    tricks = []
    while left[until_empty]:
        tricks.append(play_trick(table, left, leader, trump, len(tricks)))
        leader = tricks[-1]["winner"]
    return tricks


def play_trick(table, left, leader, trump, number):
    """Play one trick; its cards leave the hands."""
    seats = seats_with_cards(left, leader)
    trick = []
    for seat in seats:
        hand = in_draw_order(left[seat])
        card = table.card(seat, hand, card_faults(table.rules, hand, trick, trump), number)
        left[seat].remove(card)
        trick.append(card)
    winner = seats[winning_place(trick, trump)]
    table.trick(winner, trick)
    return {"cards": dict(zip(seats, trick, strict=True)), "winner": winner}


def tricks_by_seat(players, tricks):
    """How many tricks each seat has won."""
    return [sum(trick["winner"] == seat for trick in tricks) for seat in range(players)]
