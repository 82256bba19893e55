"""The course of a round and of a match of a shedding game (Pit); `simcore.course` does the same for the other games.

Rule (rules.md, section 5): the cards are dealt (with one deal a match: only in the first round), the Pit's top card is
turned, the auction in steps finds the declarer, who leads; the round is settled. Until declarer has got rid of his cards, or,
as an option, until somebody stands alone at the top with enough points; at most so many rounds.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, U, ctz, popcount
from simcore.cards import high_card_points, length
from simcore.codes import N_SUITS, NO_BID, NO_CARD, DealColumn, SeatColumn
from simcore.phases.auction.steps import run_steps
from simcore.phases.deal import deal_hands_of_sizes, deal_rest, take_given
from simcore.phases.match import CAPPED, FINISHED, GOES_ON, leader_of
from simcore.phases.play.many_hands import play_many_hands
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.phases.shedding import QUOTA, declarer_tenths, is_made, leader_at_cap, other_tenths, settle_round
from simcore.rng import below, deal_key, derive, match_key
from simcore.seats import next_seat

DEALER, PASSED_OUT, DECLARER = int(DealColumn.DEALER), int(DealColumn.PASSED_OUT), int(DealColumn.DECLARER)
CALLS, MADE, TRICKS = int(DealColumn.CALLS), int(DealColumn.MADE), int(DealColumn.TRICKS)
UPCARD, BID, ALONE, SEATS = (int(c) for c in list(DealColumn)[15:])
TAKEN, HCP, LENGTHS = int(SeatColumn.TRICKS), int(SeatColumn.HCP), int(SeatColumn.LENGTHS)
QUOTA_AFTER, SEAT_ROWS = int(SeatColumn.QUOTA), int(SeatColumn.END)


@inlined
def deal_round(rules, key, match, deal, dealer, given, table):
    """The hands of a round, and the Pit as far as it will be used.

    rules : SheddingRules, key : uint64 key of the deal
    match : uint64, deal : int64   numbers of the match and of the round
    dealer : int64       seat
    given : Given        the user's own deals by match number, each a single round, or none
    table : Table        quotas; hands and stock are updated: with one deal a match, only in round 0
    """
    if rules.model != QUOTA and deal > 0:
        return
    rest, n_rest, draw = deal_hands_of_sizes(rules.deal, key, dealer, table.quotas, table.hands)
    needed = I(n_rest) if rules.model != QUOTA else I(rules.deal.upcard)
    in_order = False
    if given.hands.shape[0] > 0:
        rest, in_order = take_given(rules, given, match, table)
    if not in_order:
        deal_rest(key, rest, I(n_rest), draw, I(0), needed, table.stock)


@inlined
def write_round(rules, dealer, table, columns, row):
    """Columns about the hands as the auction begins. columns : DealColumns, modified"""
    small = columns.small
    small[DEALER, row] = dealer
    small[UPCARD, row] = ctz(table.stock[0]) if rules.deal.upcard else NO_CARD
    for seat in range(rules.deal.players):
        hand = table.hands[seat]
        block = SEATS + seat * SEAT_ROWS
        small[block + HCP, row] = high_card_points(hand)
        for suit in range(N_SUITS):
            small[block + LENGTHS + suit, row] = length(hand, suit)


@inlined
def write_thrown_in(rules, table, columns, row):
    """Columns of a round in which nobody bid: no points, the quotas as they were."""
    small = columns.small
    small[PASSED_OUT, row] = 1
    for column in (DECLARER, BID, ALONE, MADE, TRICKS):
        small[column, row] = NO_BID
    for seat in range(rules.deal.players):
        columns.points[seat, row] = 0
        block = SEATS + seat * SEAT_ROWS
        small[block + TAKEN, row] = NO_BID
        small[block + QUOTA_AFTER, row] = table.quotas[seat]


@inlined
def write_settled(rules, stepped, table, columns, row):
    """Columns of a round that was played, the points, and the totals; the quotas are those after it."""
    small, declarer = columns.small, stepped.declarer
    tricks = table.taken[declarer]
    small[PASSED_OUT, row] = 0
    small[DECLARER, row] = declarer
    small[BID, row] = stepped.bid
    small[ALONE, row] = stepped.alone
    small[MADE, row] = 1 if is_made(stepped.bid, tricks) else 0
    small[TRICKS, row] = tricks
    for seat in range(rules.deal.players):
        tenths = other_tenths(rules.stakes, table.taken[seat])
        if seat == declarer:
            tenths = declarer_tenths(rules.stakes, stepped.bid, stepped.alone, tricks)
        columns.points[seat, row] = tenths
        table.totals[seat] += tenths
        block = SEATS + seat * SEAT_ROWS
        small[block + TAKEN, row] = table.taken[seat]
        small[block + QUOTA_AFTER, row] = table.quotas[seat]


@inlined
def play_round(rules, bots, key, match, deal, dealer, forced, at, given, table, record, slot, columns, row):
    """Play one round through all its phases.

    rules : SheddingRules, bots : Bots, key : uint64 key of the deal
    match : uint64, deal : int64   numbers of the match and of the round
    dealer : int64       seat
    forced : int64       1 where nobody bid in the round before
    at : int64           next card of the Pit, with one deal a match
    given : Given        the user's own deals, or none
    table : Table        scratch; quotas and totals of the match, and with one deal the cards, are updated
    record : Record      decisions, written to row `slot`
    columns : DealColumns  results, written to row `row` (but for match and deal)
    -> (bool, int64, int64)   whether declarer got rid of his cards, 1 where nobody bid, next card of the Pit
    """
    deal_round(rules, key, match, deal, dealer, given, table)
    record.drawn[slot] = at
    kept = row if columns.hands.shape[1] > 1 else 0
    for seat in range(rules.deal.players):
        record.dealt[slot, seat] = table.hands[seat]
        columns.hands[seat, kept] = table.hands[seat]
        columns.thrown[seat, kept] = U0
    write_round(rules, dealer, table, columns, row)
    strain = trump_strain(rules.play, 0, table.stock[0] if rules.deal.upcard else U0)
    stepped = run_steps(rules, bots, key, dealer, strain, forced, table, record.calls, slot)
    columns.small[CALLS, row] = stepped.n_calls
    if stepped.bid == 0:
        write_thrown_in(rules, table, columns, row)
        return False, 1, at
    declarer = stepped.declarer
    n_tricks = I(popcount(table.hands[declarer]))
    play_many_hands(
        rules, bots, key, declarer, strain, declarer, stepped.bid, stepped.alone, n_tricks, table, record.tricks, slot
    )
    n_stock = I(rules.deal.n_deck) - rules.deal.players * rules.deal.cards
    is_shed, at = settle_round(rules, stepped, n_tricks, table, record.dealt, slot, at, n_stock)
    write_settled(rules, stepped, table, columns, row)
    return is_shed, 0, at


@inlined
def status_after(rules, is_shed, n_rounds, totals):
    """Whether a match goes on after a round.

    is_shed : bool       whether declarer got rid of his cards
    n_rounds : int64     rounds so far
    -> int64             GOES_ON, FINISHED or CAPPED
    """
    if is_shed or n_rounds >= rules.match.deals:
        return FINISHED
    leader = leader_of(totals, rules.deal.players) if rules.stakes.target > 0 else -1
    if leader >= 0 and totals[leader] >= rules.stakes.target:
        return FINISHED
    return CAPPED if n_rounds == rules.match.max_deals else GOES_ON


@inlined
def play_shedding_match(rules, bots, seed, match, given, table, record, deals, first_row, matches, match_row):
    """Play one match, a row a round from `first_row` on.

    -> int64             rows written, or -1 where the columns have no room for the whole match
    """
    key = match_key(seed, match)
    players = rules.deal.players
    dealer = I(below(derive(key, U0), U0, U(players)))
    if given.dealers.shape[0] > 0 and given.dealers[match] >= 0:
        dealer = given.dealers[match]
    for seat in range(players):
        table.totals[seat] = 0
        table.quotas[seat] = rules.deal.cards
        table.gone[seat] = U0
    n_rows, forced = 0, 0
    at = rules.deal.upcard
    status, winner = GOES_ON, NO_BID
    while status == GOES_ON:
        row = first_row + n_rows
        if row >= deals.match.shape[0]:
            return -1
        deals.match[row] = match
        deals.deal[row] = n_rows
        slot = row if record.dealt.shape[0] > 1 else 0
        is_shed, forced, at = play_round(
            rules, bots, deal_key(key, U(n_rows)), match, n_rows, dealer, forced, at, given, table, record, slot, deals, row
        )
        if is_shed:
            winner = I(deals.small[DECLARER, row])
        n_rows += 1
        dealer = next_seat(dealer, players)
        status = status_after(rules, is_shed, n_rows, table.totals)
    if winner < 0:
        by_cards = rules.stakes.target == 0
        winner = leader_at_cap(table.quotas, table.totals, players) if by_cards else leader_of(table.totals, players)
    matches.match[match_row] = match
    matches.deals[match_row] = n_rows
    for seat in range(players):
        matches.totals[seat, match_row] = table.totals[seat]
    matches.winner[match_row] = winner
    matches.finished[match_row] = status == FINISHED
    return n_rows


@kernel
def play_shedding_matches(rules, bots, seed, first_match, n_matches, given, table, record, deals, matches):
    """Play matches `first_match` .. until all are played or the columns are full.

    rules : SheddingRules, bots : Bots, seed : uint64, first_match : uint64, n_matches : int64
    given : Given        the user's own deals by match number, or none
    table : Table, record : Record   scratch
    deals : DealColumns, matches : MatchColumns   output
    -> (int64, int64)    rows written, matches played; whole matches only
    """
    row = 0
    for i in range(n_matches):
        n_rows = play_shedding_match(rules, bots, seed, first_match + U(i), given, table, record, deals, row, matches, i)
        if n_rows < 0:
            return row, i
        row += n_rows
    return row, n_matches
