"""The tricks of any number of players, each playing for himself, with natural cards.

Rule (rules.md, sections 2 and 5): a player leads any card, the others follow in turn under the duties of
`simcore.phases.play.duties`; the highest trump, else the highest of the led suit, wins; the winner leads next. Players out of
cards are skipped; if the winner has none left, the next one with cards leads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, popcount, select
from simcore.bots.play.ahead import notes_ahead
from simcore.bots.view import ManyView
from simcore.cards import suit_at, trump_cards
from simcore.codes import MAX_SEATS
from simcore.phases.play.duties import legal_cards
from simcore.phases.play.many_rules import cards_above, count_leads, has_cards, overtricks_allowed, seats_to_follow
from simcore.phases.play.sampled import choose_card, forget, note_card, note_trick
from simcore.rng import play_key

NOBODY = -1


class Contest(NamedTuple):
    """What stays the same while a deal is played."""

    trumps: np.uint64
    strain: int
    declarer: int
    """Seat, bid and "alone" of the contract in games of steps; -1, 0, 0 in games of calls."""
    bid: int
    alone: int
    n_tricks: int
    key: np.uint64
    """Key of the deal."""


class OnTable(NamedTuple):
    """A trick as a player finds it; for the leader nothing but the seats to follow."""

    suit: np.uint64
    """The suit led, as a mask."""
    led: np.uint64
    best: np.uint64
    """The card that wins so far."""
    winners: np.uint64
    """Cards that would beat it."""
    best_seat: int
    ruffed: bool
    """Whether a trump wins, and another suit was led."""
    to_play: int
    """Seats that will play after this one."""


@inlined
def seat_with_cards(call_score, table, seat, last_seat):
    """A seat, or the next one that holds cards. Assumes that one does. seat, last_seat : uint64 -> uint64"""
    while not has_cards(call_score, table.hands[seat]):
        seat = select(seat == last_seat, U0, seat + U1)
    return seat


@inlined
def play_card(rules, bots, contest, table, seat, legal, n_legal, trick, shown, gone, on_table):
    """Let a seat play a card: it leaves the hand.

    contest : Contest, table : Table modified, seat : uint64, trick : int64, on_table : OnTable
    legal, n_legal : uint64   cards that it may play, and their number
    shown : uint64       suits in which somebody has shown a void
    gone : uint64        cards that everybody has seen
    -> uint64            the card
    """
    hand, trumps, suit, winners = table.hands[seat], contest.trumps, on_table.suit, on_table.winners
    view = ManyView(
        hand=hand,
        legal=legal,
        n_legal=n_legal,
        led=on_table.led,
        best=on_table.best,
        winners=winners,
        best_seat=on_table.best_seat,
        to_play=on_table.to_play,
        unseen=rules.deal.deck & ~(hand | gone | table.gone[seat]),
        trumps=trumps,
        strain=contest.strain,
        seat=I(seat),
        players=rules.deal.players,
        voids=table.voids,
        shown=shown,
        calls=table.calls,
        overtricks=overtricks_allowed(rules.call_score, table.calls[seat]),
        taken=table.taken,
        quotas=table.quotas,
        declarer=contest.declarer,
        bid=contest.bid,
        alone=contest.alone,
        trick=trick,
        n_tricks=contest.n_tricks,
        totals=table.totals,
        key=play_key(contest.key, seat),
    )
    card, note = choose_card(
        bots.play[seat], view, bots.play_params, seat, table.notes[seat], bots.only_random, rules, table.rollouts
    )
    note_card(table.rollouts, rules.play, seat, card, suit, winners, trumps, on_table.ruffed)
    table.notes[seat] = note
    table.hands[seat] = hand ^ card
    return card


@inlined
def note_void(only_random, table, seat, void):
    """Note a suit in which a seat shows a void; random bots do not look. only_random : int64 or None, void : uint64"""
    if only_random is None:
        table.voids[seat] |= void


@inlined
def keep_trick(call_score, table, best_seat, best, cards):
    """Note the cards of a trick, which games of calls do not need."""
    if call_score is None:
        table.won[best_seat] |= cards
        table.won_with[best_seat] |= best


@kernel
def play_many_hands(rules, bots, key, leader, strain, declarer, bid, alone, n_tricks, table, tricks, slot):
    """Play out a deal among any number of hands.

    rules : Rules or SheddingRules, bots : Bots, key : uint64 key of the deal
    leader : int64       seat that leads to the first trick
    strain : int64       strain of the trumps
    declarer, bid, alone : int64   the contract in games of steps; -1, 0, 0 in games of calls
    n_tricks : int64     tricks to play; the hands must last so long
    table : Table        hands (used up), calls, quotas, totals as the play begins; taken, won, won_with, voids are updated
    tricks : uint64[:, :]  output, row `slot`: the cards of each trick together
    """
    play, players = rules.play, rules.deal.players
    contest = Contest(trump_cards(strain), strain, declarer, bid, alone, n_tricks, key)
    trumps = contest.trumps
    aside = table.stock[0] if rules.deal.upcard and rules.exchange.takes_upcard == 0 else U0
    gone, shown = aside, U0
    for seat in range(MAX_SEATS):  # of all seats there may be: their number is known when this is compiled
        table.taken[seat] = 0
        table.won[seat] = U0
        table.won_with[seat] = U0
        table.voids[seat] = U0
        table.notes[seat] = U0
    forget(table.rollouts)
    # unsigned seats, and who is winning by selects: nobody can predict it (ARCHITECTURE.md, Kernels)
    last_seat = U(players - 1)
    best_seat = U(leader)
    for trick in range(n_tricks):
        best_seat = seat_with_cards(rules.call_score, table, best_seat, last_seat)
        to_play = seats_to_follow(rules.call_score, table, players)
        notes_ahead(bots.only_random, key, trick, players, table.notes)
        hand = table.hands[best_seat]
        n_legal = count_leads(rules.call_score, hand, n_tricks - trick)
        nothing = OnTable(U0, U0, U0, U0, NOBODY, False, to_play)
        led = play_card(rules, bots, contest, table, best_seat, hand, n_legal, trick, shown, gone, nothing)
        suit, best, cards, seat = suit_at(ctz(led)), led, led, best_seat
        winners = cards_above(led, suit, trumps)
        gone |= led
        for _ in range(players - 1):
            seat = select(seat == last_seat, U0, seat + U1)
            hand = table.hands[seat]
            if has_cards(rules.call_score, hand):
                to_play -= 1
                ruffed = (best & trumps != U0) & (suit & trumps == U0)
                legal = legal_cards(play, hand, suit, winners, trumps, ruffed)
                on_table = OnTable(suit, led, best, winners, I(best_seat), ruffed, to_play)
                card = play_card(
                    rules, bots, contest, table, seat, legal, popcount(legal), trick, shown, gone, on_table
                )
                cards |= card
                gone |= card
                void = select(card & suit == U0, suit & play.must_follow, U0)
                note_void(bots.only_random, table, seat, void)
                shown |= void
                takes = card & winners != U0
                best = select(takes, card, best)
                best_seat = select(takes, seat, best_seat)
                winners = select(takes, cards_above(card, suit, trumps), winners)
        tricks[slot, trick] = cards
        table.taken[best_seat] += 1
        note_trick(table.rollouts, best_seat, cards)
        keep_trick(rules.call_score, table, best_seat, best, cards)
