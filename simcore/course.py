"""The course of a deal and of a match: the only file that knows the order of the phases.

The kind of each phase is looked at once a deal, never a card. Results go into columns, one row a deal and one a match.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, U, ctz, popcount
from simcore.bots.play.ahead import first_notes
from simcore.cards import COLONS, high_card_points, length
from simcore.codes import (
    BOOK,
    MAX_REDEALS,
    N_STRAINS,
    N_SUITS,
    NO_BID,
    NO_CARD,
    NO_SEAT,
    DealColumn,
    ExchangeKind,
    Purpose,
    SeatColumn,
)
from simcore.phases.auction.bridge import run_auction
from simcore.phases.auction.calls import run_calls
from simcore.phases.deal import deal_hands, deal_stock, take_given
from simcore.phases.exchange.draw_tricks import exchange_by_tricks, stock_for_draws
from simcore.phases.exchange.look_and_choose import STOCK_FOR_CHOICES, exchange_by_choice
from simcore.phases.exchange.upcard import exchange_by_upcard, stock_needed
from simcore.phases.match import FINISHED, GOES_ON, end_reached, leader_of, match_status
from simcore.phases.play.many_hands import play_many_hands
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.phases.play.two_hands import play_tricks
from simcore.rng import GROUP, below, deal_key, derive, match_key
from simcore.seats import next_seat
from simcore.table import Contracted

TRICK_TABLE = int(Purpose.TRICK_TABLE)
EXCHANGE_UPCARD = int(ExchangeKind.UPCARD)
EXCHANGE_DRAW = int(ExchangeKind.DRAW_TRICKS)
EXCHANGE_CHOOSE = int(ExchangeKind.LOOK_AND_CHOOSE)
NOBODY, NOTHING, NO_UPCARD = NO_SEAT, NO_BID, NO_CARD
DEALER, PASSED_OUT, DECLARER, DECLARER_ROLE = (int(c) for c in list(DealColumn)[:4])
STRAIN, LEVEL, DOUBLING, CALLS, CONTESTED, MADE = (int(c) for c in list(DealColumn)[4:10])
TRICKS, OVERTRICKS, UNDERTRICKS = (int(c) for c in list(DealColumn)[10:13])
HCP_DECLARER, LEN_TRUMP_DECLARER, UPCARD, BID, ALONE, SEATS = (int(c) for c in list(DealColumn)[13:])
TRICKS_TAKEN, HCP, DRAWN, COLONS_HELD, LENGTHS, CALL, CALL_MADE, QUOTA, SEAT_ROWS = (int(c) for c in SeatColumn)


class DealColumns(NamedTuple):
    """Results of deals, one row a deal. Codes and tenths, not names and points."""

    match: np.ndarray
    """int64[row]"""
    deal: np.ndarray
    """int32[row]"""
    points: np.ndarray
    """int32[seat, row], tenths"""
    small: np.ndarray
    """int8[column, row]: `DealColumn`, and from row SEATS on a block of `SeatColumn` for each seat."""
    trick_table: np.ndarray
    """int8[5 * declarer + strain, row]: declarer's tricks in every contract's strain; no rows where it is not asked for."""
    hands: np.ndarray
    """uint64[seat, row]: hands as the auction begins; with one row, each deal overwrites the last."""
    thrown: np.ndarray
    """uint64[seat, row]: cards thrown in the exchange, likewise."""
    describe: bool
    """Whether the columns that describe hands and results further are wanted: high cards, lengths, overtricks and so on."""


class MatchColumns(NamedTuple):
    """Results of matches, one row a match."""

    match: np.ndarray
    deals: np.ndarray
    totals: np.ndarray
    """int64[seat, row], tenths"""
    winner: np.ndarray
    finished: np.ndarray


@inlined
def players_of(rules):
    """Players of a game; where it is between two, known when its kernels are compiled: loops over seats are unrolled.

    rules : Rules -> int64
    """
    if rules.between_two is not None:
        return 2
    return rules.deal.players


@inlined
def seat_block(seat):
    """First row of a seat's block of small columns."""
    return SEATS + seat * SEAT_ROWS


@inlined
def write_hands(rules, players, dealer, table, columns, row):
    """Columns about the hands as the auction begins. columns : DealColumns, modified"""
    small = columns.small
    small[DEALER, row] = dealer
    small[UPCARD, row] = ctz(table.stock[0]) if rules.deal.upcard else NO_UPCARD
    if not columns.describe:
        return
    for seat in range(players):
        hand = table.hands[seat]
        block = seat_block(seat)
        small[block + HCP, row] = high_card_points(hand)
        if rules.deal.deck & COLONS != U0:
            small[block + COLONS_HELD, row] = popcount(hand & COLONS)
        if rules.exchange.kind == EXCHANGE_UPCARD:
            small[block + DRAWN, row] = table.drawn[seat]
        for suit in range(N_SUITS):
            small[block + LENGTHS + suit, row] = length(hand, suit)


@inlined
def write_passed_out(players, columns, row):
    """Columns of a deal in which nobody bid: no points, and nothing of a contract."""
    small = columns.small
    small[PASSED_OUT, row] = 1
    for seat in range(players):
        columns.points[seat, row] = 0
        small[seat_block(seat) + TRICKS_TAKEN, row] = NOTHING
    for column in range(DECLARER, CALLS):
        small[column, row] = NOTHING
    for column in range(MADE, UPCARD):
        small[column, row] = NOTHING


@inlined
def write_result(rules, score, contracted, dealer, tricks, columns, row):
    """Columns of a deal that was played, and the points. -> int64, tenths, declarer's view"""
    small = columns.small
    declarer = contracted.declarer
    strain = contracted.bid % N_STRAINS
    level = contracted.bid // N_STRAINS
    over = tricks - BOOK - level
    # unsigned indices: one that may be negative costs three instructions more
    tenths = I(score.tenths[U(level), U(strain), U(contracted.doubling), U(tricks)])
    columns.points[U(declarer), row] = max(tenths, 0)
    columns.points[U(1 - declarer), row] = max(-tenths, 0)
    small[PASSED_OUT, row] = 0
    small[DECLARER, row] = declarer
    small[DECLARER_ROLE, row] = declarer ^ dealer
    small[STRAIN, row] = strain
    small[LEVEL, row] = level
    small[DOUBLING, row] = 1 << contracted.doubling
    small[MADE, row] = 1 if over >= 0 else 0
    small[TRICKS, row] = tricks
    if not columns.describe:
        return tenths
    block = U(seat_block(declarer))
    other_block = U(seat_block(1 - declarer))
    small[block + U(TRICKS_TAKEN), row] = tricks
    small[other_block + U(TRICKS_TAKEN), row] = rules.deal.final_cards - tricks
    small[OVERTRICKS, row] = max(over, 0)
    small[UNDERTRICKS, row] = max(-over, 0)
    small[HCP_DECLARER, row] = small[block + U(HCP), row]
    trump_length = small[block + U(LENGTHS) + U(strain), row] if strain < N_SUITS else NOTHING
    small[LEN_TRUMP_DECLARER, row] = trump_length
    return tenths


@inlined
def write_calls(players, score, n_calls, table, columns, row):
    """Columns of a deal in which each seat called, the points, and the totals. score : CallScoreRules, n_calls : int64"""
    small = columns.small
    small[PASSED_OUT, row] = 0
    small[CALLS, row] = n_calls
    for seat in range(players):
        call, taken = U(table.calls[seat]), U(table.taken[seat])
        tenths = I(score.tenths[call, taken])
        columns.points[seat, row] = tenths
        table.totals[seat] += tenths
        block = seat_block(seat)
        small[block + TRICKS_TAKEN, row] = taken
        small[block + CALL, row] = call
        small[block + CALL_MADE, row] = score.made[call, taken]


@inlined
def write_trick_table(rules, bots, key, table, record, slot, columns, row):
    """Play every strain from both sides, for tricks alone: no level, no doubling, no points.

    Each of the ten plays has random streams of its own (docs/random-streams.md, section 4).
    """
    for declarer in range(rules.deal.players):
        for strain in range(N_STRAINS):
            index = N_STRAINS * declarer + strain
            every_trick = Contracted(strain - N_STRAINS, 0, declarer, 0, 0)  # the strain without a level
            streams = derive(key, U(TRICK_TABLE + index))
            notes = first_notes(bots.only_random, streams)
            tricks = play_tricks(rules, bots, streams, notes, every_trick, table, record.tricks, slot)
            columns.trick_table[index, row] = tricks


@inlined
def deal_first_hands(choose, deal, key, dealer, hands):
    """`deal_hands`, and nothing of it where the players make their hands by choosing. choose : ChooseRules or None -> uint64"""
    if choose is not None:
        for seat in range(deal.players):
            hands[seat] = U0
        return deal.deck
    return deal_hands(deal, key, dealer, hands)


@inlined
def prepare_deal(choose, rules, key, match, dealer, given, table):
    """Deal the cards, as far as the variant will use them. choose : ChooseRules or None, rules : CommonRules"""
    in_order = False
    if given.hands.shape[0] > 0:
        rest, in_order = take_given(rules, given, match, table)
    else:
        rest = deal_first_hands(choose, rules.deal, key, dealer, table.hands)
    if in_order:
        return
    if rules.exchange.kind == EXCHANGE_UPCARD:
        # the upcard, known with the first group, says how far the stock will be used
        rest, n_done = deal_stock(rules.deal, key, rest, I(0), I(GROUP), table.stock)
        deal_stock(rules.deal, key, rest, n_done, stock_needed(rules.exchange, table.stock[0]), table.stock)
        return
    n_needed = rules.deal.upcard
    if rules.exchange.kind == EXCHANGE_DRAW:
        n_needed = stock_for_draws(rules.deal)
    elif rules.exchange.kind == EXCHANGE_CHOOSE:
        n_needed = STOCK_FOR_CHOICES
    deal_stock(rules.deal, key, rest, I(0), n_needed, table.stock)


@inlined
def exchange_cards(draw, choose, rules, bots, key, dealer, table, record, slot):
    """Let the seats improve their hands. draw : DrawRules or None, choose : ChooseRules or None; table : Table, modified"""
    if rules.exchange.kind == EXCHANGE_UPCARD:
        exchange_by_upcard(rules, bots, key, dealer, table)
    if draw is not None:
        exchange_by_tricks(rules, draw, bots, key, dealer, table, record.phase1, slot)
    if choose is not None:
        exchange_by_choice(rules, choose, bots, key, dealer, table, record.choices, slot)


@inlined
def play_calls(between_two, rules, bots, key, dealer, strain, table, record, slot):
    """Play a deal in which each seat called; the seat after the dealer leads. Fills table.taken.

    between_two : int64 or None   not None where the tricks are those of two hands, with colons
    """
    if between_two is not None:
        every_trick = Contracted(strain - N_STRAINS, 0, dealer, 0, 0)
        notes = first_notes(bots.only_random, key)
        table.taken[dealer] = play_tricks(rules.common, bots, key, notes, every_trick, table, record.tricks, slot)
        table.taken[1 - dealer] = rules.deal.final_cards - table.taken[dealer]
    else:
        leader = next_seat(dealer, rules.deal.players)
        n_tricks = rules.deal.final_cards
        play_many_hands(rules, bots, key, leader, strain, NOBODY, 0, 0, n_tricks, table, record.tricks, slot)


@inlined
def call_and_play(auction, calls, rules, bots, key, dealer, deals_left, table, record, slot, columns, row):
    """Auction, play and score. auction : AuctionRules or None, calls : CallRules or None; others as in `play_deal`

    -> bool              whether the deal was played, not passed out
    """
    if auction is not None:
        notes = first_notes(bots.only_random, key)
        contracted = run_auction(
            rules.common, auction, rules.most_seen, bots, key, dealer, deals_left, table, record.calls, slot
        )
        columns.small[CALLS, row] = contracted.n_calls
        columns.small[CONTESTED, row] = contracted.contested
        if contracted.bid < 0:
            write_passed_out(players_of(rules), columns, row)
            return False
        tricks = play_tricks(rules.common, bots, key, notes, contracted, table, record.tricks, slot)
        tenths = write_result(rules.common, rules.score, contracted, dealer, tricks, columns, row)
        table.totals[contracted.declarer] += max(tenths, 0)
        table.totals[1 - contracted.declarer] += max(-tenths, 0)
    if calls is not None:
        turned = table.stock[0] if rules.deal.upcard else U0
        strain = trump_strain(rules.play, 0, turned)
        n_calls = run_calls(rules.common, calls, rules.call_score, bots, key, dealer, strain, table, record.calls, slot)
        play_calls(rules.between_two, rules, bots, key, dealer, strain, table, record, slot)
        write_calls(players_of(rules), rules.call_score, n_calls, table, columns, row)
    return True


@inlined
def play_deal(rules, bots, key, match, dealer, deals_left, given, table, record, slot, columns, row):
    """Play one deal through all its phases.

    rules : Rules, bots : Bots
    key : uint64         key of the deal
    match : uint64       number of the match
    dealer : int64       seat
    deals_left : int64   deals left in the match, this one included
    given : Given        the user's own deals, or none
    table : Table        scratch, and the totals of the match (updated)
    record : Record      decisions, written to row `slot`
    columns : DealColumns  results, written to row `row` (but for match and deal)
    -> bool              whether the deal was played, not passed out
    """
    players = players_of(rules)
    prepare_deal(rules.choose, rules.common, key, match, dealer, given, table)
    for seat in range(players):
        record.dealt[slot, seat] = table.hands[seat]
        table.thrown[seat] = U0
        table.gone[seat] = U0
        table.drawn[seat] = 0
    exchange_cards(rules.draw, rules.choose, rules.common, bots, key, dealer, table, record, slot)
    kept = row if columns.hands.shape[1] > 1 else 0
    for seat in range(players):
        record.thrown[slot, seat] = table.thrown[seat]
        columns.hands[seat, kept] = table.hands[seat]
        columns.thrown[seat, kept] = table.thrown[seat]
    write_hands(rules.common, players, dealer, table, columns, row)
    if columns.trick_table.shape[1] > 0:
        write_trick_table(rules.common, bots, key, table, record, slot, columns, row)
    return call_and_play(
        rules.auction, rules.calls, rules, bots, key, dealer, deals_left, table, record, slot, columns, row
    )


@inlined
def play_match(rules, bots, seed, match, given, table, record, deals, first_row, matches, match_row):
    """Play one match, a row a deal from `first_row` on.

    -> int64             rows written, or -1 where the columns have no room for the whole match
    """
    key = match_key(seed, match)
    players = players_of(rules)
    dealer = I(below(derive(key, U0), U0, U(players)))
    if given.dealers.shape[0] > 0 and given.dealers[match] >= 0:
        dealer = given.dealers[match]
    for seat in range(players):
        table.totals[seat] = 0
    n_rows, counted, redealt = 0, 0, 0
    reached = False
    status = GOES_ON
    while status == GOES_ON:
        row = first_row + n_rows
        if row >= deals.match.shape[0]:
            return -1
        deals.match[row] = match
        deals.deal[row] = n_rows
        slot = row if record.dealt.shape[0] > 1 else 0
        deals_left = max(rules.match.deals - counted, 1)
        played = play_deal(
            rules, bots, deal_key(key, U(n_rows)), match, dealer, deals_left, given, table, record, slot, deals, row
        )
        n_rows += 1
        if played or rules.match.redeal == 0 or redealt == MAX_REDEALS:
            counted += 1
            redealt = 0
            dealer = next_seat(dealer, players)
        else:
            redealt += 1
        reached = reached or end_reached(rules.match, counted, table.totals, players)
        if reached or n_rows == rules.match.max_deals:
            status = match_status(rules.match, reached, counted, n_rows, leader_of(table.totals, players) < 0)
    matches.match[match_row] = match
    matches.deals[match_row] = n_rows
    for seat in range(players):
        matches.totals[seat, match_row] = table.totals[seat]
    matches.winner[match_row] = leader_of(table.totals, players)
    matches.finished[match_row] = status == FINISHED
    return n_rows


@kernel
def play_matches(rules, bots, seed, first_match, n_matches, given, table, record, deals, matches):
    """Play matches `first_match` .. until all are played or the columns are full.

    rules : Rules, bots : Bots, seed : uint64, first_match : uint64, n_matches : int64
    given : Given        the user's own deals by match number, or none
    table : Table, record : Record   scratch
    deals : DealColumns, matches : MatchColumns   output
    -> (int64, int64)    rows written, matches played; whole matches only
    """
    row = I(0)  # not a literal, for which play_match would be compiled once more
    for i in range(n_matches):
        n_rows = play_match(rules, bots, seed, first_match + U(i), given, table, record, deals, row, matches, i)
        if n_rows < 0:
            return row, i
        row += n_rows
    return row, n_matches
