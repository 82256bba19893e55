"""The tricks of two players, with Bridgette's colons.

Rule (rules.md, section 1, Play, C1-C12): declarer's opponent leads; the winner leads next. A natural card led: follow
suit if able, else any card; the highest trump, else the highest of the led suit, wins. Colons have no suit; each of
their rules is one expression below, marked with its number.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, popcount, select, unlikely
from simcore.bots.play.switch import choose_follow, choose_lead
from simcore.bots.view import PlayView
from simcore.cards import BEATEN_BY, COLON_OF, COLONS, LANE, NATURALS, SUIT0, SUIT_OF, trump_cards
from simcore.codes import N_STRAINS, Trump
from simcore.phases.play.duties import ruff_due
from simcore.rng import play_key

CONTRACT, TURNED_CARD = int(Trump.CONTRACT), int(Trump.TURNED_CARD)
_NO_TRUMP = int(Trump.NONE)
_LANES = U(3 * LANE)


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
    """The suit of a card led, as a mask: nothing for a colon. Worked out sooner than a table would be read."""
    suit = SUIT0 << (led_bit & _LANES)
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
    following = hand & (suit | colon)
    if unlikely(play.held_back | play.must_beat | play.duties != U0):
        others = hand & ~(play.held_back & ~colon)
        hand = select((colon != U0) & (others != U0), others, hand)
        winners = winning_replies(led_bit, trumps)
        beating = hand & winners
        hand = select(((U1 << led_bit) & play.must_beat != U0) & (beating != U0), beating, hand)
        # duties of composed games; the colon of the range may be played all the same (C1)
        heads = following & suit & winners & play.must_head
        following = select(heads != U0, heads | (following & colon), following)
        due = ruff_due(play, hand, winners, trumps) & ~suit
        hand = select((suit != U0) & (due != U0), due | (hand & colon), hand)
    return select(following & suit != U0, following, hand)


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
def change_places(moves, a, b):
    """(b, a) where moves holds, (a, b) where not; without a branch, since nobody can predict who wins."""
    return select(moves, b, a), select(moves, a, b)


@kernel
def play_tricks(rules, bots, key, contracted, table, tricks, slot):
    """Play out a deal between two hands.

    rules : CommonRules, bots : Bots, key : uint64 key of the deal
    contracted : Contracted   a deal that was not passed out; of level -1 where there is no contract and every trick counts
    table : Table        hands as the play begins, gone, the upcard in stock[0], totals
    tricks : uint64[:, :]  output, row `slot`: the two cards of each trick
    -> int64             declarer's tricks
    """
    play = rules.play
    n_tricks = rules.deal.final_cards
    turned = table.stock[0] if rules.deal.upcard else U0
    strain = trump_strain(play, contracted.bid % N_STRAINS, turned)
    level = contracted.bid // N_STRAINS
    trumps = trump_cards(strain)
    # an upcard set aside is out of play; one that the dealer took may be in his hand
    aside = turned if rules.exchange.takes_upcard == 0 else U0
    # Everything of the leader and of the follower; a follower who wins changes places with the leader.
    # Seats are unsigned here: an index that may be negative costs three instructions more.
    declarer = U(contracted.declarer)
    leader = U1 - declarer
    lead_hand, follow_hand = table.hands[leader], table.hands[declarer]
    # Kept in variables that change places, not in arrays by seat: an address would have to wait for the winner.
    lead_unseen = rules.deal.deck & ~(lead_hand | table.gone[leader] | aside)  # as the play begins
    follow_unseen = rules.deal.deck & ~(follow_hand | table.gone[declarer] | aside)
    lead_void, follow_void = U0, U0  # suits in which this player has shown a void
    lead_note, follow_note = U0, U0
    lead_key, follow_key = play_key(key, leader), play_key(key, declarer)
    declarer_tricks = 0
    bar, played = U0, U0
    for trick in range(n_tricks):
        follower = U1 - leader
        declarer_leads = 1 if leader == declarer else 0
        other_tricks = trick - declarer_tricks
        legal = legal_leads(play, lead_hand, bar)
        # without a bar all cards are legal, and their number is known before the cards are
        n_legal = popcount(legal) if unlikely(bar != U0) else U(n_tricks - trick)
        led, lead_note = choose_lead(
            bots.play[leader],
            PlayView(
                hand=lead_hand,
                legal=legal,
                n_legal=n_legal,
                led=U0,
                winners=U0,
                barring=U0,
                bar=bar,
                unseen=lead_unseen & ~played,
                opponent_void=follow_void,
                trumps=trumps,
                strain=strain,
                level=level,
                doubling=contracted.doubling,
                is_declarer=declarer_leads,
                own_tricks=declarer_tricks * declarer_leads + other_tricks * (1 - declarer_leads),
                trick=trick,
                n_tricks=n_tricks,
                own_score=table.totals[leader],
                opponent_score=table.totals[follower],
                key=lead_key,
            ),
            bots.play_params,
            table.memory,
            leader,
            lead_note,
            bots.only_random,
        )
        played |= led
        led_bit = ctz(led)
        winners = winning_replies(led_bit, trumps)
        legal = legal_replies(play, follow_hand, led_bit, trumps)
        n_legal = popcount(legal)
        reply, follow_note = choose_follow(
            bots.play[follower],
            PlayView(
                hand=follow_hand,
                legal=legal,
                n_legal=n_legal,
                led=led,
                winners=winners,
                barring=colon_in_range(play, led_bit),
                bar=U0,
                unseen=follow_unseen & ~played,
                opponent_void=lead_void,
                trumps=trumps,
                strain=strain,
                level=level,
                doubling=contracted.doubling,
                is_declarer=1 - declarer_leads,
                own_tricks=declarer_tricks * (1 - declarer_leads) + other_tricks * declarer_leads,
                trick=trick,
                n_tricks=n_tricks,
                own_score=table.totals[follower],
                opponent_score=table.totals[leader],
                key=follow_key,
            ),
            bots.play_params,
            table.memory,
            follower,
            follow_note,
            bots.only_random,
        )
        bar = bar_after(play, follow_hand, led_bit, reply)
        follow_void |= void_shown(play, led_bit, reply)
        played |= reply
        lead_hand ^= led
        follow_hand ^= reply
        tricks[slot, trick] = led | reply
        moves = reply & winners != U0
        lead_hand, follow_hand = change_places(moves, lead_hand, follow_hand)
        lead_note, follow_note = change_places(moves, lead_note, follow_note)
        lead_key, follow_key = change_places(moves, lead_key, follow_key)
        lead_unseen, follow_unseen = change_places(moves, lead_unseen, follow_unseen)
        lead_void, follow_void = change_places(moves, lead_void, follow_void)
        leader = select(moves, follower, leader)
        declarer_tricks += 1 if leader == declarer else 0
    return declarer_tricks
