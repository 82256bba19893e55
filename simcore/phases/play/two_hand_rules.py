"""What may be played between two hands and who wins, with Bridgette's colons; knows no bots.

Rule (rules.md, section 1, Play, C1-C12): declarer's opponent leads; the winner leads next. A natural card led: follow
suit if able, else any card; the highest trump, else the highest of the led suit, wins. Colons have no suit; each of
their rules is one expression below, marked with its number.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, U1, I, ctz, select, unlikely
from simcore.cards import BEATEN_BY, COLON_OF, COLONS, LANE, NATURALS, SUIT_OF, suit_at
from simcore.codes import Trump
from simcore.phases.play.duties import ruff_due

CONTRACT, TURNED_CARD = int(Trump.CONTRACT), int(Trump.TURNED_CARD)
_NO_TRUMP = int(Trump.NONE)


@inlined
def trump_strain(play, strain, turned):
    """The strain of the trumps: the contract's, a fixed one, or that of the turned card (a turned colon: no trump).

    play : PlayRules, strain : int64 of the contract, turned : uint64 one bit, or 0 without a turned card -> int64
    """
    if play.trump == CONTRACT:
        return strain
    if play.trump == TURNED_CARD:
        return I(ctz(turned)) // LANE if turned & NATURALS != U0 else _NO_TRUMP
    return play.trump


@inlined
def suit_led(play, led_bit):
    """The suit of a card led, as a mask: nothing for a colon."""
    suit = suit_at(led_bit)
    return suit if play.colons is None else select((COLONS >> led_bit) & U1 != U0, U0, suit)


@inlined
def colon_in_range(play, led_bit):
    """The colon in whose range a card led is, as a mask: nothing for a colon."""
    return U0 if play.colons is None else COLON_OF[led_bit]


@inlined
def legal_leads(play, hand, bar):
    """Cards a leader may play.

    C3: not the barred suit. C4: other suits, or a colon where the option allows it. C5: the bar is lifted for a leader who
    holds nothing else (which cards count as something else is an option).

    play : PlayRules
    hand : uint64
    bar : uint64         what `bar_after` gave for the last trick: the barred suit and the colons barred with it, or 0
    -> uint64
    """
    if unlikely(bar != U0):
        free = hand & ~bar
        return select(free & play.lifts_without != U0, free, hand)
    return hand


@inlined
def winning_replies(led_bit, trumps):
    """Cards that beat the card led.

    Natural card led: the higher cards of its suit and, outside it, the trumps. C9: colon led: the trumps and the natural cards
    in its range. A colon is never among them (C2, C7, C10).

    led_bit : uint64     bit number of the card led
    trumps : uint64      mask of the trump suit, 0 for no trump (C11)
    -> uint64
    """
    return BEATEN_BY[led_bit] | (trumps & ~SUIT_OF[led_bit])


@inlined
def suit_to_follow(play, led_bit):
    """The suit that must be followed, as a mask: none when a colon was led (C8) or where nobody must follow."""
    return suit_led(play, led_bit) & play.must_follow


@inlined
def legal_replies(play, hand, led_bit, trumps):
    """Cards a follower may play on a card led.

    C1: the colon whose range holds the led card may be played even by one who could follow suit. C6: another colon may not
    be, by one who can follow. C7: a void follower may throw it (option: only when nothing else may be played). C8: on a
    colon led any card may be played (option: one who can beat it must).

    play : PlayRules
    hand, trumps : uint64
    led_bit : uint64     bit number of the card led
    -> uint64
    """
    suit = suit_to_follow(play, led_bit)
    colon = colon_in_range(play, led_bit)
    in_suit = hand & play.must_follow & suit_led(play, led_bit)  # in this order: what is known before the card led comes first
    following = in_suit | (hand & colon)
    if unlikely(play.held_back | play.must_beat | play.duties != U0):
        others = hand & ~(play.held_back & ~colon)
        hand = select((colon != U0) & (others != U0), others, hand)
        winners = winning_replies(led_bit, trumps)
        beating = hand & winners
        hand = select(((U1 << led_bit) & play.must_beat != U0) & (beating != U0), beating, hand)
        # duties of composed games; the colon of the range may be played all the same (C1)
        heads = in_suit & winners & play.must_head
        following = select(heads != U0, heads | (following & colon), following)
        due = ruff_due(play, hand, winners, trumps) & ~suit
        hand = select((suit != U0) & (due != U0), due | (hand & colon), hand)
    return select(in_suit != U0, following, hand)


@inlined
def bar_after(play, hand, led_bit, reply):
    """The bar on the leader after his lead was answered (C3): the suit led, when the reply was the colon of its range.

    hand : uint64        the follower's, before the reply: an option lifts the bar when he counted as void
    -> uint64            mask of what the leader may not lead next, 0 without a bar
    """
    if play.colons is None:
        return U0
    if unlikely(reply == colon_in_range(play, led_bit)):
        counts = (play.bar_when_void != 0) | (hand & suit_to_follow(play, led_bit) != U0)
        return select(counts, suit_led(play, led_bit) | play.barred_colons, U0)
    return U0


@inlined
def void_shown(play, led_bit, reply):
    """The suit in which a reply shows a void, as a mask: another suit, or a colon out of range (C7).

    The colon in range shows nothing (C1), nor does any reply to a colon or where nobody has to follow.
    """
    suit = suit_to_follow(play, led_bit)
    return select(reply & (suit | colon_in_range(play, led_bit)) == U0, suit, U0)


@inlined
def lacks_after_reply(play, led_bit, reply, winners):
    """Cards that a reply shows its player not to hold: the suit in which he is void, and what he would have had to play.

    Options of C7 and C8: who throws a colon out of range holds nothing else; who does not beat a led colon cannot.

    winners : uint64     cards that would have won
    -> uint64
    """
    lacks = void_shown(play, led_bit, reply)
    if play.colons is not None:
        colon = colon_in_range(play, led_bit)
        last = play.held_back & ~colon
        lacks |= select((colon != U0) & (reply & last != U0), ~last, U0)
        lacks |= select(((U1 << led_bit) & play.must_beat != U0) & (reply & winners == U0), winners, U0)
    return lacks


@inlined
def lacks_after_lead(play, led, bar):
    """Cards that a lead shows its player not to hold: who leads what the bar forbids has nothing that would keep it (C5)."""
    if play.colons is None:
        return U0
    return select(led & bar != U0, play.lifts_without & ~bar, U0)


@inlined
def change_places(moves, a, b):
    """(b, a) where moves holds, (a, b) where not; without a branch, since nobody can predict who wins."""
    return select(moves, b, a), select(moves, a, b)
