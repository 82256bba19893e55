"""The duties of one who plays to a trick: to follow suit, to head it, to ruff, to overruff, to underruff.

Natural cards only; what colons add is in ``play``. A trick is the list of its cards so far, the led card first. The
duties are keys of ``play``: ``must_follow``, ``must_head``, ``must_ruff``, ``must_overruff``, ``must_underruff``; one
that is absent is no duty.
"""

from __future__ import annotations

from .cards import cards_of_suit, rank_value, suit_of


def has_duty(rules, name):
    """Whether the variant knows a duty."""
    return bool(rules["play"].get(name, False))


def higher_than_all(cards, others):
    """The cards that rank above all others (of their suit); all cards, where there are no others."""
    return [card for card in cards if all(rank_value(card) > rank_value(other) for other in others)]


def is_ruffed(trick, trump):
    """Whether a trump lies in a trick that was led with another suit."""
    return suit_of(trick[0]) != trump and any(suit_of(card) == trump for card in trick)


def cards_that_follow(rules, hand, trick, trump):
    """The cards with which a hand may follow suit, [] if it holds none of the led suit.

    With ``must_head`` one who can head the trick must: play above every card of the led suit in it. The duty lapses
    once the trick is ruffed.
    """
    suit = suit_of(trick[0])
    following = cards_of_suit(hand, suit)
    if not has_duty(rules, "must_head") or is_ruffed(trick, trump):
        return following
    return higher_than_all(following, cards_of_suit(trick, suit)) or following


def ruffs_due(rules, hand, trick, trump):
    """The trumps of which one who cannot follow suit must play one; [] if he may play any card.

    One who holds a trump above every trump in the trick (any trump, if none is there) must play such a trump; where
    there is no duty to overruff, he must play some trump. One who holds only lower trumps is free, unless he must
    underruff. Without ``must_ruff`` there is no duty to overruff or to underruff.
    """
    if trump is None or not has_duty(rules, "must_ruff"):
        return []
    trumps = cards_of_suit(hand, trump)
    beating = higher_than_all(trumps, cards_of_suit(trick, trump))
    if beating:
        return beating if has_duty(rules, "must_overruff") else trumps
    return trumps if has_duty(rules, "must_underruff") else []


def legal_cards(rules, hand, trick, trump):
    """The cards of a hand that may be played to a trick; any card may be led."""
    if not trick or not has_duty(rules, "must_follow"):
        return list(hand)
    return cards_that_follow(rules, hand, trick, trump) or ruffs_due(rules, hand, trick, trump) or list(hand)


def broken_duty(rules, hand, trick, trump, card):
    """The duty that a card of the hand breaks, or None.

    A card that is no trump where a ruff is due breaks ``must_ruff``, even if an overruff is due (``must_underruff``,
    if only an underruff is); a trump that is too low breaks ``must_overruff``.
    """
    if card in legal_cards(rules, hand, trick, trump):
        return None
    if cards_of_suit(hand, suit_of(trick[0])):
        return "must_head" if suit_of(card) == suit_of(trick[0]) else "follow_suit"
    if suit_of(card) == trump:
        return "must_overruff"
    can_beat = higher_than_all(cards_of_suit(hand, trump), cards_of_suit(trick, trump))
    return "must_ruff" if can_beat else "must_underruff"


def card_faults(rules, hand, trick, trump):
    """The duties that cards of the hand break, by card; a card that may be played is not in it."""
    legal = legal_cards(rules, hand, trick, trump)
    return {card: broken_duty(rules, hand, trick, trump, card) for card in hand if card not in legal}


def winning_place(trick, trump):
    """The place in a trick of the card that wins it: the highest trump, else the highest of the led suit."""
    suit = trump if trump and cards_of_suit(trick, trump) else suit_of(trick[0])
    best = max(cards_of_suit(trick, suit), key=rank_value)
    return trick.index(best)
