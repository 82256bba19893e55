"""Attempts to deal what is known of a deal: draw the unknown cards, let the bots exchange, count the deal if all agrees.

An attempt is a deal like any other: it has the number of a match of single deals, and its keys (docs/random-streams.md,
section 6). The deals that count are therefore those of the game itself, under the condition that what is known holds. Known
cards are put where they are instead of being waited for; what that does to the odds of an upcard is in the weights of `Known`.
Seat 0 is declarer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, popcount
from simcore.cards import COLONS, length
from simcore.codes import CHOICES, N_SUITS, ExchangeKind, Purpose
from simcore.phases.auction.bridge import run_auction
from simcore.phases.deal import deal_hands, deal_stock
from simcore.phases.exchange.draw_tricks import exchange_by_tricks, stock_for_draws
from simcore.phases.exchange.look_and_choose import exchange_by_choice
from simcore.phases.exchange.upcard import dealer_draw, throw_cards
from simcore.rng import below, deal_key, derive, match_key, word
from simcore.sampling.layouts import draw_hand, draw_hands, draw_two_hands, groups_of

LAYOUT, TURNS = int(Purpose.LAYOUT), int(Purpose.TURNS)
EXCHANGE_NONE, EXCHANGE_UPCARD = int(ExchangeKind.NONE), int(ExchangeKind.UPCARD)
TWO = 2


class Known(NamedTuple):
    """What is known of a deal, in the kernels' layout of cards; arrays by seat, seat 0 is declarer."""

    held: np.ndarray
    """uint64[seat]: cards of the hand as the auction begins."""
    may: np.ndarray
    """uint64[seat]: cards that it may hold then."""
    least: np.ndarray
    """int64[seat, 5]: fewest cards it holds in each suit, and colons."""
    most: np.ndarray
    """int64[seat, 5]: most."""
    thrown: np.ndarray
    """uint64[seat]: the cards it threw, all of them; zero where they are not known."""
    settled: np.ndarray
    """int64[seat]: 1 where hand and thrown cards are taken as they are, whatever the exchange policy would have done."""
    gone: np.uint64
    """Cards that are in no hand as the auction begins."""
    upcard: np.uint64
    """The card turned, where it is known."""
    upcards: np.ndarray
    """uint64[i]: cards that may have been turned; none where no card is."""
    weights: np.ndarray
    """uint64[i]: how often each of them agrees with what is known, summed up."""
    direct: int
    """1 where the hands are drawn as they are when the auction begins, without the exchange that led to them."""


class Heard(NamedTuple):
    """Calls with which the auction began."""

    calls: np.ndarray
    """uint8[i]: codes as in `Record`."""


class Sampled(NamedTuple):
    """Deals that agree with what is known, a row each, as the auction begins."""

    attempt: np.ndarray
    """uint64[row]"""
    dealer: np.ndarray
    """int64[row]"""
    upcard: np.ndarray
    """uint64[row]: the card turned, zero for none."""
    hands: np.ndarray
    """uint64[row, seat]"""
    thrown: np.ndarray
    """uint64[row, seat]"""
    gone: np.ndarray
    """uint64[row, seat]: cards that this seat knows to be out of play."""
    drawn: np.ndarray
    """int64[row, seat]"""


@inlined
def fits(known, seat, hand):
    """Whether a hand agrees with what is known of it. -> bool"""
    agrees = (hand & known.held[seat] == known.held[seat]) & (hand & ~known.may[seat] == U0)
    for suit in range(N_SUITS):
        n = I(length(hand, suit))
        agrees &= (n >= known.least[seat, suit]) & (n <= known.most[seat, suit])
    n = I(popcount(hand & COLONS))
    return agrees & (n >= known.least[seat, N_SUITS]) & (n <= known.most[seat, N_SUITS])


@inlined
def all_fit(rules, known, table):
    """Whether every hand, and what it threw, agrees with what is known. -> bool"""
    agrees = True
    for seat in range(rules.deal.players):
        agrees &= fits(known, seat, table.hands[seat])
        agrees &= (known.thrown[seat] == U0) | (table.thrown[seat] == known.thrown[seat])
    return agrees


@inlined
def turn_card(known, stream):
    """The card turned, one bit: draw 0, by weight. Assumes that there is one. -> uint64"""
    ticket = below(stream, U0, known.weights[known.weights.shape[0] - 1])
    place = 0
    while known.weights[place] <= ticket:
        place += 1
    return known.upcards[place]


@inlined
def clear(rules, table):
    """Nothing thrown, nothing gone."""
    for seat in range(rules.deal.players):
        table.thrown[seat] = U0
        table.gone[seat] = U0
        table.drawn[seat] = 0


@inlined
def attempt_plain(rules, known, stream, table):
    """Draw the hands as the auction begins. -> bool"""
    clear(rules, table)
    deck = rules.deal.deck & ~known.gone
    table.stock[0] = turn_card(known, stream) if known.upcards.shape[0] > 0 else U0
    unknown = deck & ~table.stock[0]
    for seat in range(rules.deal.players):
        table.hands[seat] = known.held[seat]
        unknown &= ~known.held[seat]
    if rules.deal.players == TWO:
        n_a = rules.deal.final_cards - I(popcount(known.held[0]))
        n_b = rules.deal.final_cards - I(popcount(known.held[1]))
        first, second = draw_two_hands(stream, U1, unknown, ~known.may[0], n_a, ~known.may[1], n_b)
        table.hands[0] |= first
        table.hands[1] |= second
    else:
        for seat in range(rules.deal.players):
            table.taken[seat] = rules.deal.final_cards - I(popcount(known.held[seat]))
        draw_hands(stream, U1, unknown, rules.deal.players, table.taken, table.hands)
    if rules.exchange.kind != EXCHANGE_NONE:  # all other cards were seen
        for seat in range(rules.deal.players):
            table.gone[seat] = rules.deal.deck & ~(table.hands[0] | table.hands[1] | table.stock[0])
            table.drawn[seat] = rules.deal.final_cards
    return all_fit(rules, known, table)


@inlined
def attempt_upcard(rules, bots, known, key, stream, dealer, table):
    """Draw all cards that each seat has seen, its hand and those it drew, and let it throw. -> bool

    rules : CommonRules, bots : Bots, known : Known; key : uint64 of the deal, stream : uint64 of the layout
    """
    exchange = rules.exchange
    upcard = turn_card(known, stream)
    table.stock[0] = upcard
    unknown = rules.deal.deck & ~upcard
    for seat in range(2):
        unknown &= ~(known.held[seat] | known.thrown[seat])
    draw = 1
    agrees = True
    for seat in range(2):
        is_dealer = 1 if seat == dealer else 0
        takes = is_dealer * exchange.takes_upcard
        n_throw = dealer_draw(exchange, upcard) + takes if is_dealer else exchange.non_dealer_draw
        seen = known.held[seat] | known.thrown[seat] | (upcard if takes else U0)
        size = rules.deal.cards + n_throw - I(popcount(seen))
        if agrees and size >= 0:
            drawn = draw_hand(stream, U(draw), unknown, U0, size)
            unknown ^= drawn
            draw += groups_of(size)
            seen |= drawn
            if known.settled[seat]:
                table.hands[seat] = known.held[seat]
                table.thrown[seat] = seen ^ known.held[seat]
                table.gone[seat] = table.thrown[seat]
                table.drawn[seat] = n_throw
            else:
                throw_cards(rules, bots, key, seat, seen, n_throw, is_dealer, table)
                agrees = fits(known, seat, table.hands[seat])
                agrees &= (known.thrown[seat] == U0) | (table.thrown[seat] == known.thrown[seat])
        else:
            agrees = False
    return agrees


@inlined
def lay_turns(known, key, seat, cards, offset, stock):
    """Lay one seat's 26 cards as its turns, in random order; where its hand is known, one of each pair is of the hand.

    key : uint64 of the deal; cards : uint64; offset : int64 place of its first turn among all turns
    stock : uint64[:]    output
    """
    own = derive(key, U(TURNS + seat))
    whole = I(popcount(known.held[seat])) == CHOICES >> 1
    first_pool = known.held[seat] if whole else cards
    second_pool = cards & ~known.held[seat] if whole else cards
    coins = word(own, U(CHOICES), U0) if whole else U0
    for turn in range(CHOICES >> 1):
        one = draw_hand(own, U(2 * turn), first_pool, U0, 1)
        first_pool &= ~one
        second_pool &= ~one
        two = draw_hand(own, U(2 * turn + 1), second_pool, U0, 1)
        first_pool &= ~two
        second_pool &= ~two
        place = 2 * (2 * turn + offset)
        swap = (coins >> U(turn)) & U1 != U0
        stock[place] = two if swap else one
        stock[place + 1] = one if swap else two


@inlined
def attempt_choice(choose, rules, bots, known, key, stream, dealer, table, choices):
    """Draw the 26 cards of each seat's turns, and let it keep or throw. choices : uint64[:], scratch -> bool"""
    unknown = rules.deal.deck
    for seat in range(2):
        unknown &= ~(known.held[seat] | known.thrown[seat])
    seen = known.held[0] | known.thrown[0]
    seen |= draw_hand(stream, U1, unknown, U0, CHOICES - I(popcount(seen)))
    lay_turns(known, key, 0, seen, 1 if dealer == 0 else 0, table.stock)
    lay_turns(known, key, 1, rules.deal.deck & ~seen, 0 if dealer == 0 else 1, table.stock)
    clear(rules, table)
    exchange_by_choice(rules, choose, bots, key, dealer, table, choices, 0)
    if known.settled[0]:
        table.hands[0] = known.held[0]
        table.thrown[0] = seen & ~known.held[0]
        table.gone[0] = table.thrown[0]
    return all_fit(rules, known, table)


@inlined
def attempt_tricks(draw, rules, bots, known, key, stream, dealer, table, phase1):
    """Deal at random and play phase 1. phase1 : uint64[:, :], scratch -> bool"""
    clear(rules, table)
    rest = deal_hands(rules.deal, stream, dealer, table.hands)
    deal_stock(rules.deal, stream, rest, I(0), stock_for_draws(rules.deal), table.stock)
    exchange_by_tricks(rules, draw, bots, key, dealer, table, phase1, 0)
    return all_fit(rules, known, table) & ((known.upcard == U0) | (table.stock[0] == known.upcard))


@inlined
def attempt_deal(draw, choose, rules, bots, known, key, dealer, table, record):
    """One attempt. draw : DrawRules or None, choose : ChooseRules or None, rules : CommonRules -> bool: whether it counts"""
    stream = derive(key, U(LAYOUT))
    if rules.exchange.kind == EXCHANGE_NONE or known.direct != 0:
        return attempt_plain(rules, known, stream, table)
    if rules.exchange.kind == EXCHANGE_UPCARD:
        return attempt_upcard(rules, bots, known, key, stream, dealer, table)
    if choose is not None:
        return attempt_choice(choose, rules, bots, known, key, stream, dealer, table, record.choices)
    if draw is not None:
        return attempt_tricks(draw, rules, bots, known, key, stream, dealer, table, record.phase1)
    return False


@inlined
def heard_so(auction, heard, rules, bots, key, dealer, table, record):
    """Whether the bots begin the auction with these calls. auction : AuctionRules or None, heard : Heard or None -> bool"""
    if heard is not None:
        if auction is not None:
            outcome = run_auction(rules.common, auction, rules.most_seen, bots, key, dealer, 1, table, record.calls, 0)
            if outcome.n_calls < heard.calls.shape[0]:
                return False
            for i in range(heard.calls.shape[0]):
                if record.calls[0, i] != heard.calls[i]:
                    return False
    return True


@kernel
def sample_deals(rules, bots, seed, first, count, dealer, known, heard, table, record, sampled):
    """Make attempts, and keep those that count.

    rules : Rules, bots : Bots, seed : uint64
    first : uint64, count : int64   numbers of the attempts
    dealer : int64       seat, or -1 where each attempt draws it
    known : Known, heard : Heard or None
    table : Table, record : Record   scratch
    sampled : Sampled    output, with room for `count` rows
    -> int64             rows written
    """
    players = rules.deal.players
    row = 0
    for i in range(players):
        table.totals[i] = 0
    for i in range(count):
        match = match_key(seed, first + U(i))
        key = deal_key(match, U0)
        deals = dealer if dealer >= 0 else I(below(derive(match, U0), U0, U(players)))
        if not attempt_deal(rules.draw, rules.choose, rules.common, bots, known, key, deals, table, record):
            continue
        if not heard_so(rules.auction, heard, rules, bots, key, deals, table, record):
            continue
        sampled.attempt[row] = first + U(i)
        sampled.dealer[row] = deals
        sampled.upcard[row] = table.stock[0] if rules.deal.upcard else U0
        for seat in range(players):
            sampled.hands[row, seat] = table.hands[seat]
            sampled.thrown[row, seat] = table.thrown[seat]
            sampled.gone[row, seat] = table.gone[seat]
            sampled.drawn[row, seat] = table.drawn[seat]
        row += 1
    return row


def new_sampled(rows: int, players: int) -> Sampled:
    """Room for deals. Plain Python."""
    cards: Any = lambda: np.zeros((rows, players), np.uint64)  # noqa: E731
    return Sampled(
        attempt=np.zeros(rows, np.uint64),
        dealer=np.zeros(rows, np.int64),
        upcard=np.zeros(rows, np.uint64),
        hands=cards(),
        thrown=cards(),
        gone=cards(),
        drawn=np.zeros((rows, players), np.int64),
    )
