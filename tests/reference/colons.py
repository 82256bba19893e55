"""What is special about the three colons: when they may be played, what they lose to, and the bar they set."""

from __future__ import annotations

from .cards import cards_of_suit, colons_of, in_range, is_colon, naturals, suit_of


def may_be_played_on(colon, led):
    """C1: on a natural card that lies in its range a colon may always be played."""
    return in_range(colon, led)


def beats_led_colon(card, led_colon, trump):
    """C9, C10, C11: a led colon loses to a trump and to a natural card in its range, never to another colon."""
    if is_colon(card):
        return False
    return suit_of(card) == trump or in_range(led_colon, card)


def counts_as_void(rules, hand, led):
    """Whether the follower need not follow suit; where nobody must, everybody counts as void."""
    return not rules["play"]["must_follow"] or not cards_of_suit(hand, suit_of(led))


def suit_barred_by(rules, follower_hand, led, reply):
    """C3: the suit that the winner may not lead on the very next trick, or None.

    Parameters
    ----------
    rules : dict
        The variant.
    follower_hand : list of str
        The follower's cards before he replied.
    led, reply : str
        The two cards of the trick.
    """
    if is_colon(led) or not is_colon(reply):
        return None  # C10, C12: nothing is barred by a trick led with a colon
    if not in_range(reply, led):
        return None  # C7: a colon thrown as a discard bars nothing
    if counts_as_void(rules, follower_hand, led) and not rules["colons"]["bar_when_void"]:
        return None
    return suit_of(led)


def barred_leads(rules, hand, barred_suit):
    """C4, C5: what a leader may lead who may not lead one suit."""
    options = rules["colons"]
    barred = cards_of_suit(hand, barred_suit)
    others = [card for card in naturals(hand) if suit_of(card) != barred_suit]
    colons = colons_of(hand)
    if others:
        return others + colons if options["bar_allows_colon_lead"] else others
    if not barred or not colons:
        return list(hand)  # C5, the barred suit and nothing else; or colons and nothing else
    if options["bar_lifted"] == "no_other_card" and options["bar_allows_colon_lead"]:
        return colons
    return list(hand)
