"""Perfect play by trying every card, compiled but otherwise as plain as can be: what the solver is verified against.

Written from rules.md, section 1 (C1-C12 and their options); shares no code with the package, and is itself compared with
tests/reference. Cards are numbers, 13 * suit + rank and 52, 53, 54 for the Grand, Royal and Little Colon; hands are masks of
them. `options` is a tuple of whole numbers, see OPTION_NAMES.
"""

from __future__ import annotations

import numpy as np
from numba import njit

OPTION_NAMES = (
    "only_if_forced",  # off_range_when_void: only_if_forced
    "colon_lead_barred",  # bar_allows_colon_lead: false
    "suit_lifts",  # bar_lifted: no_other_suit
    "bar_needs_suit",  # bar_when_void: false
    "must_beat",  # must_beat_led_colon: true
    "no_following",  # must_follow: false
)
NO_SUIT = -1
_LOG = np.zeros(59, np.int64)
for _card in range(55):
    _LOG[2**_card % 59] = _card  # two generates all numbers below 59
ALL_COLONS = 7 << 52


@njit
def first_card(hand):
    """Lowest card number of a hand."""
    return _LOG[(hand & -hand) % 59]


@njit
def suit_cards(hand, suit):
    """The cards of one suit."""
    return hand & (0x1FFF << (13 * suit))


@njit
def in_range(colon, card):
    """Whether a natural card lies in a colon's range."""
    rank = card % 13
    if colon == 52:
        return rank == 12
    if colon == 53:
        return 9 <= rank <= 11
    return rank <= 8


@njit
def beats(led, reply, trump):
    """Whether the reply wins."""
    if reply >= 52:
        return False
    if led >= 52:
        return reply // 13 == trump or in_range(led, reply)
    if reply // 13 == led // 13:
        return reply > led
    return reply // 13 == trump


@njit
def leads(hand, barred, options):
    """Cards that may be led."""
    if barred == NO_SUIT:
        return hand
    colons = hand & ALL_COLONS
    inside = suit_cards(hand, barred)
    others = hand & ~colons & ~inside
    if others != 0:
        return others if options[1] else others | colons
    if inside != 0 and colons != 0:
        return hand if options[1] or options[2] else colons
    return hand


@njit
def replies(hand, led, trump, options):
    """Cards that may be played on a lead."""
    allowed = 0
    if led >= 52:
        if options[4]:
            rest = hand
            while rest != 0:
                card = first_card(rest)
                rest &= rest - 1
                if beats(led, card, trump):
                    allowed |= 1 << card
        return allowed if allowed != 0 else hand
    following = 0 if options[5] else suit_cards(hand, led // 13)
    fitting = 0
    for colon in range(52, 55):
        if hand >> colon & 1 and in_range(colon, led):
            fitting = 1 << colon
    if following != 0:
        return following | fitting
    free = (hand & ~ALL_COLONS) | fitting
    if options[0] and free != 0:
        return free
    return hand


@njit
def next_bar(hand, led, reply, options):
    """The suit that the leader may not lead next."""
    if led >= 52 or reply < 52 or not in_range(reply, led):
        return NO_SUIT
    void = options[5] or suit_cards(hand, led // 13) == 0
    if void and options[3]:
        return NO_SUIT
    return led // 13


@njit
def best(lead, follow, trump, barred, options, leader_wants_more, taken, payoff):
    """Payoff by the tricks of the side that wants much of it; that side has taken some. All lines of play."""
    if lead == 0:
        return payoff[taken]
    result = -(1 << 40) if leader_wants_more else 1 << 40
    rest = leads(lead, barred, options)
    while rest != 0:
        led = first_card(rest)
        rest &= rest - 1
        value = after_lead(lead & ~(1 << led), follow, led, trump, options, leader_wants_more, taken, payoff)
        result = max(result, value) if leader_wants_more else min(result, value)
    return result


@njit
def after_lead(lead, follow, led, trump, options, leader_wants_more, taken, payoff):
    """The same with a card on the table."""
    result = 1 << 40 if leader_wants_more else -(1 << 40)
    rest = replies(follow, led, trump, options)
    while rest != 0:
        reply = first_card(rest)
        rest &= rest - 1
        left = follow & ~(1 << reply)
        if beats(led, reply, trump):
            won = 0 if leader_wants_more else 1
            value = best(left, lead, trump, NO_SUIT, options, not leader_wants_more, taken + won, payoff)
        else:
            won = 1 if leader_wants_more else 0
            bar = next_bar(follow, led, reply, options)
            value = best(lead, left, trump, bar, options, leader_wants_more, taken + won, payoff)
        result = min(result, value) if leader_wants_more else max(result, value)
    return result


# ------------------------------------------------------------- the same with cut-offs and a table of positions met before


@njit
def reaches(lead, follow, n, trump, barred, options, need, keys, values):
    """Whether the leader takes `need` of n tricks. keys : int64[size, 3], values : int64[size, 2], both by position."""
    if need <= 0:
        return True
    if need > n:
        return False
    state = barred + 1 + 8 * (trump + 1)
    mixed = (lead * 0x9E3779B97F4A7C1 + follow * 0x2545F4914F6CDD1D + state * 0x5851F42D4C957F2D) & 0x7FFFFFFFFFFFFFFF
    slot = (mixed ^ (mixed >> 29)) % len(keys)
    low, high = 0, n
    if keys[slot, 0] == lead and keys[slot, 1] == follow and keys[slot, 2] == state:
        low, high = values[slot, 0], values[slot, 1]
        if low >= need:
            return True
        if high < need:
            return False
    reached = False
    rest = leads(lead, barred, options)
    while rest != 0 and not reached:
        led = first_card(rest)
        rest &= rest - 1
        reached = lead_reaches(lead & ~(1 << led), follow, n, led, trump, options, need, keys, values)
    if reached:
        low = need
    else:
        high = need - 1
    keys[slot, 0], keys[slot, 1], keys[slot, 2] = lead, follow, state
    values[slot, 0], values[slot, 1] = low, high
    return reached


@njit
def lead_reaches(lead, follow, n, led, trump, options, need, keys, values):
    """The same after a lead."""
    rest = replies(follow, led, trump, options)
    while rest != 0:
        reply = first_card(rest)
        rest &= rest - 1
        left = follow & ~(1 << reply)
        if beats(led, reply, trump):
            if reaches(left, lead, n - 1, trump, NO_SUIT, options, n - need, keys, values):
                return False
        elif not reaches(lead, left, n - 1, trump, next_bar(follow, led, reply, options), options, need - 1, keys, values):
            return False
    return True


@njit
def tricks_with_table(lead, follow, n, trump, barred, options, keys, values):
    """Tricks the leader takes of n."""
    low = 0
    while low < n and reaches(lead, follow, n, trump, barred, options, low + 1, keys, values):
        low += 1
    return low
