"""The play of the cards by two players: what may be led, what may be played on it, and which of the two cards wins."""

from __future__ import annotations

from .cards import colons_of, in_draw_order, is_colon, naturals, rank_value, suit_of
from .colons import barred_leads, beats_led_colon, counts_as_void, may_be_played_on, suit_barred_by
from .deal import next_seat
from .duties import broken_duty, cards_that_follow, ruffs_due


def trump_suit(contract):
    """Trump suit of a contract; None in no trump."""
    strain = contract[1:].rstrip("X")
    return None if strain == "NT" else strain


def trump_of_play(rules, contract, upcard):
    """The trump suit of the play, or None: ``play.trump`` says where it comes from.

    Trumps that do not come from the contract leave its strain to the bidding order, the holding rules and the scoring.
    A turned colon means no trump.
    """
    source = rules["play"].get("trump", "contract")
    if source == "contract":
        return trump_suit(contract)
    if source == "turned_card":
        return suit_of(upcard)
    return None if source == "none" else source


def legal_leads(rules, hand, barred_suit=None):
    """The cards that may be led, in draw order: any card, unless a colon has barred a suit (C3).

    Parameters
    ----------
    rules : dict
        The variant.
    hand : list of str
        The leader's cards.
    barred_suit : str, optional
        The suit barred by the trick before.
    """
    if barred_suit is None:
        return in_draw_order(hand)
    return in_draw_order(barred_leads(rules, hand, barred_suit))


def legal_replies(rules, hand, led, trump):
    """The cards that may be played on a led card, in draw order.

    Parameters
    ----------
    rules : dict
        The variant.
    hand : list of str
        The follower's cards.
    led : str
        The led card.
    trump : str or None
        The trump suit; it matters only where a led colon must be beaten or there is a duty to ruff.
    """
    if is_colon(led):
        return in_draw_order(replies_to_colon(rules, hand, led, trump))
    return in_draw_order(replies_to_natural(rules, hand, led, trump))


def replies_to_colon(rules, hand, led, trump):
    """C8: any card; or, as an option, one that beats the colon if there is one."""
    if rules["colons"]["must_beat_led_colon"]:
        beating = [card for card in hand if beats_led_colon(card, led, trump)]
        if beating:
            return beating
    return hand


def replies_to_natural(rules, hand, led, trump):
    """Follow suit if able, else any card, by the duties of the variant; colons by C1, C6 and C7.

    A colon in range may always be played (C1), whatever duty there is; one out of range only where no ruff is due.
    """
    colons_in_range = [colon for colon in colons_of(hand) if may_be_played_on(colon, led)]
    if not counts_as_void(rules, hand, led):
        return cards_that_follow(rules, hand, [led], trump) + colons_in_range  # C6: others stay in the hand
    ruffs = ruffs_due(rules, hand, [led], trump)
    if ruffs:
        return ruffs + colons_in_range
    freely = naturals(hand) + colons_in_range
    if len(freely) == len(hand):
        return hand
    if rules["colons"]["off_range_when_void"] == "only_if_forced" and freely:
        return freely
    return hand  # C7


def trick_is_won_by_reply(led, reply, trump):
    """Whether the second card wins: highest trump, else highest of the led suit; colons by C2, C7, C9 to C11."""
    if is_colon(led):
        return beats_led_colon(reply, led, trump)
    if is_colon(reply):
        return False  # C2 in range, C7 out of range
    if suit_of(reply) == suit_of(led):
        return rank_value(reply) > rank_value(led)
    return suit_of(reply) == trump


def lead_fault(rules, hand, barred_suit, card):
    """The rule that forbids a lead, or None."""
    if card in legal_leads(rules, hand, barred_suit):
        return None
    return "colon_lead_when_barred" if is_colon(card) else "barred_suit"


def reply_fault(rules, hand, led, trump, card):
    """The rule that forbids a reply, or None."""
    if card in legal_replies(rules, hand, led, trump):
        return None
    if is_colon(led):
        return "must_beat_led_colon"
    if not is_colon(card):
        return broken_duty(rules, hand, [led], trump, card)
    if not counts_as_void(rules, hand, led):
        return "colon_out_of_range"
    return "must_ruff" if ruffs_due(rules, hand, [led], trump) else "colon_only_if_forced"


def play_two_hands(table, hands, leader, trump):
    """Play all tricks of two hands of one size; the winner of a trick leads next.

    Returns
    -------
    list of int
        Tricks by seat.
    """
    rules = table.rules
    left = [list(hand) for hand in hands]
    tricks = [0, 0]
    barred = None
    for number in range(len(hands[leader])):
        follower = next_seat(rules, leader)
        held = in_draw_order(left[leader])
        legal = legal_leads(rules, held, barred)
        faults = {card: lead_fault(rules, held, barred, card) for card in held if card not in legal}
        led = table.card(leader, held, faults, number, barred=barred)
        held = in_draw_order(left[follower])
        legal = legal_replies(rules, held, led, trump)
        faults = {card: reply_fault(rules, held, led, trump, card) for card in held if card not in legal}
        reply = table.card(follower, held, faults, number)
        winner = follower if trick_is_won_by_reply(led, reply, trump) else leader
        barred = suit_barred_by(rules, left[follower], led, reply)
        left[leader].remove(led)
        left[follower].remove(reply)
        tricks[winner] += 1
        table.trick(winner, [led, reply])
        leader = winner
    return tricks
