"""Kernels: deals of games of calls in which each seat in its turn makes each call there is, and the tricks it then takes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import kernel
from simcore.bits import U0, I, U
from simcore.bots.calls.expected import N_CALL_FEATURES, write_call_features
from simcore.bots.view import CallView
from simcore.cards import trump_cards
from simcore.codes import NO_BID
from simcore.course import exchange_cards, play_calls, prepare_deal
from simcore.phases.auction.calls import run_calls
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.rng import below, deal_key, derive, match_key
from simcore.seats import next_seat


class Cases(NamedTuple):
    """What seats looked at, and what they took with every call; a row a deal and place in the order of calls."""

    features: np.ndarray
    """int16[row, feature], as `simcore.bots.calls.expected.CALL_FEATURES`."""
    tricks: np.ndarray
    """int8[row, call - lowest call]"""


class CallScratch(NamedTuple):
    """Room for `collect_calls`."""

    hands: np.ndarray
    """uint64[seat]"""
    calls: np.ndarray
    """int64[seat]"""
    row: np.ndarray
    """float64[feature]"""


@kernel
def _look(rules, seat, dealer, strain, table, scratch):
    """Write what a seat looked at when it called. -> int64, its place in the order of calls"""
    players = rules.deal.players
    turned = table.stock[0] if rules.deal.upcard else U0
    aside = turned if rules.exchange.takes_upcard == 0 else U0
    place = (seat - dealer - 1 + players) % players
    for other in range(players):
        before = (other - dealer - 1 + players) % players < place
        scratch.calls[other] = table.calls[other] if before else NO_BID
    view = CallView(
        hand=scratch.hands[seat],
        trumps=trump_cards(strain),
        strain=strain,
        turned=turned,
        unseen=rules.deal.deck & ~(scratch.hands[seat] | table.gone[seat] | aside),
        lowest=0,
        highest=0,
        overtricks=0,
        bonus_from=0,
        bonus_overtricks=0,
        forbidden=NO_BID,
        position=place,
        players=players,
        seat=seat,
        calls=scratch.calls,
        n_tricks=rules.deal.final_cards,
        totals=table.totals,
        key=U0,
    )
    write_call_features(view, scratch.row)
    return place


@kernel
def collect_calls(rules, bots, seed, first_match, given, table, record, scratch, cases):
    """Let each seat in turn make each call, the others theirs, and play.

    rules : Rules, bots : Bots, seed : uint64, first_match : uint64, given : Given
    table : Table, record : Record, scratch : CallScratch
    cases : Cases        output: from row 0 on, as many deals as there is room for
    """
    players, lowest = rules.deal.players, rules.calls.lowest
    for i in range(cases.features.shape[0] // players):
        match = match_key(seed, first_match + U(i))
        key = deal_key(match, U0)
        dealer = I(below(derive(match, U0), U0, U(players)))
        prepare_deal(rules.choose, rules.common, key, first_match + U(i), dealer, given, table)
        for seat in range(players):
            table.thrown[seat] = U0
            table.gone[seat] = U0
            table.drawn[seat] = 0
            table.totals[seat] = 0
        exchange_cards(rules.draw, rules.choose, rules.common, bots, key, dealer, table, record, 0)
        strain = trump_strain(rules.play, 0, table.stock[0] if rules.deal.upcard else U0)
        for seat in range(players):
            scratch.hands[seat] = table.hands[seat]
        seat = dealer
        for _ in range(players):
            seat = next_seat(seat, players)
            row = I(0)
            for call in range(lowest, rules.calls.highest + 1):
                for other in range(players):
                    table.hands[other] = scratch.hands[other]
                run_calls(
                    rules.common, rules.calls, rules.call_score, bots, key, dealer, strain, table, record.calls, 0, (seat, call)
                )
                if call == lowest:
                    row = players * i + _look(rules, seat, dealer, strain, table, scratch)
                    for feature in range(N_CALL_FEATURES):
                        cases.features[row, feature] = I(scratch.row[feature])
                play_calls(rules.between_two, rules, bots, key, dealer, strain, table, record, 0)
                cases.tricks[row, call - lowest] = table.taken[seat]
