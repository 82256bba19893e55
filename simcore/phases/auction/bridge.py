"""The bridge auction of two players, with the holding rules of Bridgette.

Rule (rules.md, section 1): dealer first, alternating. A bid must be above the last one. Double the opponent's
undoubled last bid, redouble one's own doubled bid; a new bid wipes both out. A suit bid needs `min_suit_length`
natural cards of the suit, a jump `min_jump_length`; no trump needs a natural card in every suit at any level and
knows no length rule. Doubles need nothing. The auction ends when a pass follows a bid, double or redouble; an opening
pass does not end it; pass-pass: passed out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, popcount, select
from simcore.bots.bidding.perfect import solve_auction
from simcore.bots.bidding.plan import BIDS_OF_STRAIN
from simcore.bots.bidding.switch import bids_to_look_at, choose_call_in_parts, plan_auction, solves
from simcore.bots.view import AuctionView
from simcore.cards import suit_lengths, suits_of_length
from simcore.codes import (
    BID_OFFSET,
    CALL_DOUBLE,
    CALL_REDOUBLE,
    N_BIDS,
    N_SUITS,
    NO_BID,
    NO_SEAT,
    BiddingPolicy,
    Role,
    Strain,
)
from simcore.phases.play.two_hand_rules import change_places
from simcore.rng import bidding_key
from simcore.table import Contracted

DEALER, PERFECT = int(Role.DEALER), int(BiddingPolicy.PERFECT)
NOTRUMP = int(Strain.NOTRUMP)
NOBODY, NOTHING = NO_SEAT, NO_BID
DOUBLE, REDOUBLE = U(CALL_DOUBLE), U(CALL_REDOUBLE)
_BIDS_NT = BIDS_OF_STRAIN[NOTRUMP]
BIDS_OF_SUITS = np.array(
    [sum(int(BIDS_OF_STRAIN[suit]) for suit in range(N_SUITS) if suits >> suit & 1) for suits in range(1 << N_SUITS)], np.uint64
)
"""Bids in some suits, by the suits, a bit each."""
ALL_SUITS = U((1 << N_SUITS) - 1)


class OpenHands(NamedTuple):
    """Both hands as the auction begins and what they may bid, for policies that see all cards."""

    opener: np.uint64
    """The seat that calls first."""
    hand: np.uint64
    may_bid: np.uint64
    """`holding` of his hand for a bid."""
    may_jump: np.uint64
    other: np.uint64
    """The other hand, and the same of it."""
    other_bid: np.uint64
    other_jump: np.uint64


@inlined
def holding(auction, hand, min_length):
    """Bids of all levels that a hand's lengths allow with this minimum in a suit, as a mask.

    auction : AuctionRules, hand : uint64, min_length : uint64 -> uint64
    """
    lengths = suit_lengths(hand)
    nt_allowed = (suits_of_length(lengths, U1) == ALL_SUITS) | (auction.nt_needs_every_suit == 0)
    return BIDS_OF_SUITS[suits_of_length(lengths, min_length)] | select(nt_allowed, _BIDS_NT, U0)


@inlined
def legal_bids_above(auction, may_bid, may_jump, low):
    """Bids that may be made above the last one; a jump needs the length of any bid and that of a jump.

    auction : AuctionRules
    may_bid, may_jump : uint64   `holding` for a bid and for a jump
    low : uint64                 the last bid and all below it, a bit each
    -> uint64
    """
    legal = auction.bids & may_bid & ~low
    if may_bid & ~may_jump != U0:  # else no length forbids a jump, and the next call need not wait for the table
        legal &= auction.free[popcount(low)] | may_jump
    return legal


@inlined
def legal_bids(auction, may_bid, may_jump, last_bid):
    """`legal_bids_above` a bid by its index. last_bid : int64, -1 before the first -> uint64"""
    return legal_bids_above(auction, may_bid, may_jump, (U1 << U(last_bid + 1)) - U1)


@inlined
def legal_double(auction, seat, last_bid, bidder, doubling):
    """CALL_DOUBLE where a double is legal, CALL_REDOUBLE where a redouble is, else 0."""
    # by selects, as all of an auction's loop: nobody can predict the calls
    own = I(bidder) == I(seat)  # of one type: an unsigned and a signed number are compared as floating-point numbers
    due = select(doubling == 0, select(own, U0, DOUBLE), select(own, REDOUBLE, U0))
    return I(select((auction.doubles != 0) & (last_bid >= 0) & (doubling <= 1), due, U0))


@inlined
def _opening_view(rules, key, dealer, seat, deals_left, table):
    """A seat's view before the first call, the legal calls still empty. -> AuctionView"""
    upcard = table.stock[0] if rules.deal.upcard else U0  # Numba allows no branches among so many arguments
    is_dealer = 1 if seat == dealer else 0
    aside = upcard if rules.exchange.takes_upcard == 0 else U0
    return AuctionView(
        hand=table.hands[seat],
        thrown=table.thrown[seat],
        upcard=upcard,
        is_dealer=is_dealer,
        own_drawn=table.drawn[seat],
        opponent_drawn=table.drawn[U1 - seat],
        legal=U0,
        may_double=0,
        last_bid=NOTHING,
        doubling=0,
        own_bids=U0,
        opponent_bids=U0,
        own_calls=0,
        own_score=table.totals[seat],
        opponent_score=table.totals[U1 - seat],
        deals_left=deals_left,
        key=bidding_key(key, seat),
        unseen=rules.deal.deck & ~(table.hands[seat] | table.gone[seat] | aside),
    )


@inlined
def _view_at_turn(view, legal, may_double, last_bid, doubling, own_bids, opponent_bids, own_calls):
    """The same seat's view when it must call. -> AuctionView"""
    return AuctionView(
        hand=view.hand,
        thrown=view.thrown,
        upcard=view.upcard,
        is_dealer=view.is_dealer,
        own_drawn=view.own_drawn,
        opponent_drawn=view.opponent_drawn,
        legal=legal,
        may_double=may_double,
        last_bid=last_bid,
        doubling=doubling,
        own_bids=own_bids,
        opponent_bids=opponent_bids,
        own_calls=own_calls,
        own_score=view.own_score,
        opponent_score=view.opponent_score,
        deals_left=view.deals_left,
        key=view.key,
        unseen=view.unseen,
    )


@inlined
def solve_open_hands(oracle, auction, hands):
    """Work out the best call in every state of an auction with open hands. hands : OpenHands"""
    for last in range(N_BIDS):
        oracle.legal[hands.opener, last] = legal_bids(auction, hands.may_bid, hands.may_jump, last - 1)
        oracle.legal[U1 - hands.opener, last] = legal_bids(auction, hands.other_bid, hands.other_jump, last - 1)
    one, two = change_places(hands.opener == U1, hands.hand, hands.other)
    solve_auction(oracle, auction.doubles, I(hands.opener), one, two)


@inlined
def plan_with_known_hands(known, auction, bots, first, second, hands):
    """Solve the auction where a seat knows the other hand from what it has seen: what it cannot have seen is the other hand.

    known : Oracle or None, auction : AuctionRules, bots : Bots
    first, second : AuctionView   of the opener and of the other seat
    hands : OpenHands
    """
    if known is not None:
        one, two = hands.opener, U1 - hands.opener
        params = bots.bidding_params
        if solves(bots.bidding[one], first, params, one) | solves(bots.bidding[two], second, params, two):
            solve_open_hands(known, auction, hands)


@inlined
def plan_with_all_cards(oracle, auction, bots, hands):
    """Solve the auction where a seat's policy sees all cards.

    oracle : Oracle or None, auction : AuctionRules, bots : Bots, hands : OpenHands
    """
    if oracle is not None:
        if (bots.bidding[0] == PERFECT) | (bots.bidding[1] == PERFECT):
            solve_open_hands(oracle, auction, hands)


@kernel
def run_auction(rules, auction, most_seen, bots, key, dealer, deals_left, table, calls, slot):
    """Let two seats bid.

    rules : CommonRules, auction : AuctionRules, bots : Bots, key : uint64 key of the deal, dealer : int64 seat
    most_seen : int64 or None   `Rules.most_seen`
    deals_left : int64   deals left in the match, for the view
    table : Table        hands as the auction begins, thrown, drawn, the upcard in stock[0], totals
    calls : uint8[:, :]  output, row `slot`: the calls in order
    -> Contracted
    """
    # unsigned, as in the trick loop: an index that may be negative costs three instructions more
    seat = U(dealer) if auction.opener == DEALER else U1 - U(dealer)
    mine = _opening_view(rules, key, dealer, seat, deals_left, table)
    theirs = _opening_view(rules, key, dealer, U1 - seat, deals_left, table)
    policies, params, only_random, expected = bots.bidding, bots.bidding_params, bots.only_random, bots.expected
    my_plan = plan_auction(policies[seat], mine, params, seat, only_random, most_seen, expected)
    their_plan = plan_auction(policies[U1 - seat], theirs, params, U1 - seat, only_random, most_seen, expected)
    my_bid = holding(auction, mine.hand, auction.min_suit_length)
    my_jump = holding(auction, mine.hand, auction.min_jump_length)
    their_bid = holding(auction, theirs.hand, auction.min_suit_length)
    their_jump = holding(auction, theirs.hand, auction.min_jump_length)
    open_hands = OpenHands(seat, mine.hand, my_bid, my_jump, theirs.hand, their_bid, their_jump)
    plan_with_all_cards(table.oracle, auction, bots, open_hands)
    plan_with_known_hands(table.known, auction, bots, mine, theirs, open_hands)
    my_bid &= bids_to_look_at(only_random, my_plan)
    their_bid &= bids_to_look_at(only_random, their_plan)
    my_bids, their_bids = U0, U0
    n_calls = 0
    # a pass after a bid ends the auction: so what a seat may double follows from the call before it alone
    doubling, due, doubles = U0, U0, select(auction.doubles != 0, DOUBLE | REDOUBLE, U0)
    low = U0  # the last bid and all below it: how many these are follows, but the next call need not wait for it
    while True:
        last_bid = I(popcount(low)) - 1
        view = _view_at_turn(
            mine,
            legal_bids_above(auction, my_bid, my_jump, low),
            I(due),
            last_bid,
            I(doubling),
            my_bids,
            their_bids,
            n_calls >> 1,
        )
        other, choice, bid = choose_call_in_parts(
            policies[seat], view, my_plan, params, table.memory, seat, only_random, most_seen, table.oracle, expected,
            table.known,
        )
        is_bid = choice != U0
        calls[slot, n_calls] = select(is_bid, ctz(bid) + U(BID_OFFSET), other)
        n_calls += 1
        # one branch for all that is no pass: each that nobody can predict costs as much as a call
        if (choice | other == U0) & ((low != U0) | (n_calls == 2)):
            break
        my_bids |= select(is_bid, bid, U0)
        low = select(is_bid, bid ^ (bid - U1), low)
        doubling = other
        due = select(is_bid, DOUBLE, (other << U1) & REDOUBLE) & doubles
        seat = U1 - seat
        mine, theirs = theirs, mine
        my_plan, their_plan = their_plan, my_plan
        my_bid, their_bid = their_bid, my_bid
        my_jump, their_jump = their_jump, my_jump
        my_bids, their_bids = their_bids, my_bids
    contested = 1 if my_bids != U0 and their_bids != U0 else 0
    # who passed at the end did so after a bid or a redouble of the other, or after a double of his own bid by the other
    bidder = I((U1 - seat) ^ (doubling & U1)) if low != U0 else NOBODY
    return Contracted(I(popcount(low)) - 1, I(doubling), bidder, n_calls, contested)
