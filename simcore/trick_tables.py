"""Kernels: deals with the tricks of every strain and declarer, and auctions held over such deals without playing again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, U
from simcore.bots.bidding.expected import mean_of, plan_auction
from simcore.bots.bidding.hand_features import write_features
from simcore.bots.bidding.perfect import BITS_A_VALUE, solve_valued, value_contracts
from simcore.bots.view import AuctionView
from simcore.codes import BID_OFFSET, CALL_PASS, N_BIDS, N_STRAINS, NO_BID, Role
from simcore.course import exchange_cards, prepare_deal, write_trick_table
from simcore.phases.auction.bridge import holding, legal_bids, run_auction
from simcore.rng import below, deal_key, derive, match_key

DEALER = int(Role.DEALER)


class Deals(NamedTuple):
    """Deals of two players as the auction begins, and what each contract takes; one row a deal."""

    keys: np.ndarray
    """uint64[row]: key of the deal's random streams."""
    dealer: np.ndarray
    """int8[row]: seat."""
    hands: np.ndarray
    """uint64[seat, row], as the next two: cards held, thrown, and known to be out of play."""
    thrown: np.ndarray
    gone: np.ndarray
    drawn: np.ndarray
    """int8[seat, row]: cards drawn in the exchange."""
    upcard: np.ndarray
    """uint64[row]: the card turned; zero for none."""
    trick_table: np.ndarray
    """int8[5 * declarer + strain, row]: declarer's tricks."""


class Outcomes(NamedTuple):
    """How auctions over deals ended; one row a deal."""

    bid: np.ndarray
    """int8[row]: index of the last bid, -1 passed out."""
    doubling: np.ndarray
    declarer: np.ndarray
    """int8[row]: seat, -1 passed out."""
    n_calls: np.ndarray
    contested: np.ndarray
    tricks: np.ndarray
    """int8[row]: declarer's, -1 passed out."""
    tenths: np.ndarray
    """int32[row]: points, declarer's view, as `ScoreRules.tenths`."""
    calls: np.ndarray
    """uint8[row, i]: the calls; with one row, each auction overwrites the last."""


@kernel
def collect_deals(rules, bots, seed, first_match, given, table, record, deals):
    """Deal, exchange and play every strain from both sides, as `contracts: all` does.

    rules : Rules, bots : Bots, seed, first_match : uint64, given : Given
    table : Table, record : Record   scratch
    deals : Deals        filled; its rows say how many
    """
    for row in range(deals.keys.shape[0]):
        match = first_match + U(row)
        key = match_key(seed, match)
        dealer = I(below(derive(key, U0), U0, U(rules.deal.players)))
        key = deal_key(key, U0)
        prepare_deal(rules.choose, rules.common, key, match, dealer, given, table)
        for seat in range(rules.deal.players):
            table.thrown[seat] = U0
            table.gone[seat] = U0
            table.drawn[seat] = 0
            table.totals[seat] = 0
        exchange_cards(rules.draw, rules.choose, rules.common, bots, key, dealer, table, record, 0)
        deals.keys[row] = key
        deals.dealer[row] = dealer
        deals.upcard[row] = table.stock[0] if rules.deal.upcard else U0
        for seat in range(rules.deal.players):
            deals.hands[seat, row] = table.hands[seat]
            deals.thrown[seat, row] = table.thrown[seat]
            deals.gone[seat, row] = table.gone[seat]
            deals.drawn[seat, row] = table.drawn[seat]
        write_trick_table(rules.common, bots, key, table, record, 0, deals, row)


@kernel
def hold_auctions(rules, bots, first, last, deals, table, outcomes):
    """Let the seats bid over deals, and look up what the contracts take and score.

    rules : Rules, bots : Bots
    first, last : int64  rows, the last one excluded
    deals : Deals
    table : Table        scratch
    outcomes : Outcomes  rows first .. last - 1 filled
    """
    for row in range(first, last):
        for seat in range(rules.deal.players):
            table.hands[seat] = deals.hands[seat, row]
            table.thrown[seat] = deals.thrown[seat, row]
            table.gone[seat] = deals.gone[seat, row]
            table.drawn[seat] = deals.drawn[seat, row]
            table.totals[seat] = 0
        table.stock[0] = deals.upcard[row]
        slot = row if outcomes.calls.shape[0] > 1 else 0
        contracted = run_auction(
            rules.common, rules.auction, rules.most_seen, bots, deals.keys[row], I(deals.dealer[row]), 1, table,
            outcomes.calls, slot
        )
        outcomes.bid[row] = contracted.bid
        outcomes.doubling[row] = contracted.doubling
        outcomes.declarer[row] = contracted.declarer
        outcomes.n_calls[row] = contracted.n_calls
        outcomes.contested[row] = contracted.contested
        outcomes.tricks[row] = NO_BID
        outcomes.tenths[row] = 0
        if contracted.bid >= 0:
            strain, level = contracted.bid % N_STRAINS, contracted.bid // N_STRAINS
            tricks = deals.trick_table[N_STRAINS * contracted.declarer + strain, row]
            outcomes.tricks[row] = tricks
            outcomes.tenths[row] = rules.score.tenths[level, strain, contracted.doubling, tricks]


@kernel
def hold_open_auctions(rules, oracle, first, last, deals, outcomes):
    """Auctions in which both seats know what every contract takes, solved backwards (`simcore.bots.bidding.perfect`).

    rules : Rules; oracle : Oracle   its tables of the auction are scratch
    first, last : int64  rows, the last one excluded
    deals : Deals; outcomes : Outcomes   rows first .. last - 1 filled, but for the calls
    """
    auction = rules.auction
    for row in range(first, last):
        tricks = U0
        for place in range(2 * N_STRAINS):
            tricks |= U(deals.trick_table[place, row]) << U(BITS_A_VALUE * place)
        value_contracts(oracle, tricks)
        for seat in range(2):
            may_bid = holding(auction, deals.hands[seat, row], auction.min_suit_length)
            may_jump = holding(auction, deals.hands[seat, row], auction.min_jump_length)
            for bid in range(N_BIDS + 1):
                oracle.legal[seat, bid] = legal_bids(auction, may_bid, may_jump, bid - 1)
        dealer = I(deals.dealer[row])
        opener = dealer if auction.opener == DEALER else 1 - dealer
        solve_valued(oracle, auction.doubles, opener)
        seat, bid, doubling, declarer, n_calls, bidders = opener, I(NO_BID), I(0), I(-1), I(0), I(0)
        while True:
            code = oracle.calls[seat, bid + 1, doubling]
            n_calls += 1
            if code >= BID_OFFSET:
                bid, doubling, declarer = code - BID_OFFSET, I(0), seat
                bidders |= I(1) << seat
            elif code != CALL_PASS:
                doubling += 1
            elif bid >= 0 or n_calls == 2:
                break
            seat = 1 - seat
        outcomes.bid[row] = bid
        outcomes.doubling[row] = doubling
        outcomes.declarer[row] = declarer
        outcomes.n_calls[row] = n_calls
        outcomes.contested[row] = 1 if bidders == 3 else 0
        outcomes.tricks[row] = NO_BID
        outcomes.tenths[row] = 0
        if bid >= 0:
            strain, level = bid % N_STRAINS, bid // N_STRAINS
            taken = deals.trick_table[N_STRAINS * declarer + strain, row]
            outcomes.tricks[row] = taken
            outcomes.tenths[row] = rules.score.tenths[level, strain, doubling, taken]


@inlined
def _bare_view(deck, aside, deals, role, seat, row):
    """What a seat sees as the auction begins, but for what is not of this deal. -> AuctionView"""
    out = deals.hands[seat, row] | deals.gone[seat, row] | (deals.upcard[row] & aside)
    return AuctionView(
        hand=deals.hands[seat, row],
        thrown=deals.thrown[seat, row],
        upcard=deals.upcard[row],
        is_dealer=1 - role,
        own_drawn=I(deals.drawn[seat, row]),
        opponent_drawn=I(deals.drawn[1 - seat, row]),
        legal=U0,
        may_double=0,
        last_bid=NO_BID,
        doubling=0,
        own_bids=U0,
        opponent_bids=U0,
        own_calls=0,
        own_score=0,
        opponent_score=0,
        deals_left=1,
        key=U0,
        unseen=deck & ~out,
    )


@kernel
def write_deal_features(deck, aside, deals, role, strain, first, last, features):
    """Features of one role's hands in one strain (`simcore.bots.bidding.hand_features`).

    deck : uint64        all cards in play; aside : uint64   all ones where the upcard is out of play, else zero
    deals : Deals; role, strain : int64; first, last : int64   rows, the last one excluded
    features : float64[row - first, feature]   filled
    """
    for row in range(first, last):
        dealer = I(deals.dealer[row])
        seat = dealer if role == 0 else 1 - dealer
        view = _bare_view(deck, aside, deals, role, seat, row)
        write_features(view, strain, features[row - first])


@kernel
def write_means(rules, bots, aside, deals, first, last, means):
    """Tricks predicted by the models of the seats' bots, which bid by expected score.

    rules : Rules, bots : Bots
    aside : uint64       all ones where the upcard is out of play, else zero
    deals : Deals; first, last : int64   rows, the last one excluded
    means : int16[role, who declares, strain, row]   hundredths of a trick; rows first .. last - 1 filled
    """
    for row in range(first, last):
        for role in range(2):
            dealer = I(deals.dealer[row])
            seat = dealer if role == 0 else 1 - dealer
            view = _bare_view(rules.deal.deck, aside, deals, role, seat, row)
            plan = plan_auction(view, bots.expected, bots.bidding_params, seat)
            for strain in range(N_STRAINS):
                means[role, 0, strain, row] = mean_of(plan.wants, strain)
                means[role, 1, strain, row] = mean_of(plan.tricks, strain)
