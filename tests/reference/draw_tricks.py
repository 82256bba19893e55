"""Draw Bridge's first phase: tricks without trumps, after each of which both players draw a card from the stock.

The non-dealer leads to the first trick, the winner of a trick to the next; he draws the top card of the stock, the
loser the next one. These tricks score nothing. With ``drawn: aside`` the drawn cards wait, and the phase is played from
the cards that were dealt. Whether the winner's card is seen beforehand (``top_card_visible``) changes no event.

There are as many tricks as a hand has cards: thirteen, after which the stock is gone. (The rules name thirteen only;
with smaller hands some of the stock is left over.)
"""

from __future__ import annotations

from .cards import cards_of_suit, in_draw_order, rank_value, suit_of
from .deal import hand_size, next_seat


def play_first_phase(table, dealer, cards):
    """Play and draw; the hands in `cards` become those of the auction."""
    rules = table.rules
    hands = [list(hand) for hand in cards["hands"]]
    aside = [[], []]
    drawn_to = aside if rules["exchange"]["drawn"] == "aside" else hands
    leader = next_seat(rules, dealer)
    for number in range(hand_size(rules)):
        winner = play_first_phase_trick(table, hands, leader, number)
        for seat in (winner, next_seat(rules, winner)):
            card = cards["stock"].pop(0)
            table.draw(seat, card)
            drawn_to[seat].append(card)
        leader = winner
    cards["hands"] = drawn_to


def play_first_phase_trick(table, hands, leader, number):
    """Play one trick; returns its winner."""
    options = table.rules["exchange"]
    follower = next_seat(table.rules, leader)
    led = table.card(leader, in_draw_order(hands[leader]), {}, number, phase="exchange")
    hands[leader].remove(led)
    held = in_draw_order(hands[follower])
    faults = {card: reply_fault(options, held, led, card) for card in held}
    reply = table.card(follower, held, faults, number, phase="exchange")
    hands[follower].remove(reply)
    winner = follower if reply_wins(options, led, reply) else leader
    table.trick(winner, [led, reply])
    return winner


def reply_fault(options, hand, led, card):
    """Whoever must follow suit does so if he can (``exchange.must_follow``)."""
    if options["must_follow"] and cards_of_suit(hand, suit_of(led)) and suit_of(card) != suit_of(led):
        return "follow_suit"
    return None


def reply_wins(options, led, reply):
    """Whether the second card wins: by rank in the led suit, or by rank alone, where a tie goes to the leader."""
    if options["winner"] == "led_suit" and suit_of(reply) != suit_of(led):
        return False
    return rank_value(reply) > rank_value(led)
