"""Kernels: matches of games of steps (Pit) in which each seat that speaks makes each call there is, and what came of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore._jit import inlined, kernel
from simcore.bits import U0, I, U, ctz, lowest, popcount
from simcore.bots.steps.expected import CELLS, FARTHEST, LEGAL, LEVEL, MAY_PASS, N_STEP_FEATURES, OUT
from simcore.codes import NO_BID
from simcore.course_shedding import deal_round, play_round, status_after
from simcore.phases.auction.steps import Imposed, run_steps
from simcore.phases.match import GOES_ON
from simcore.phases.play.many_hands import play_many_hands
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.phases.shedding import declarer_tenths, other_tenths, settle_round
from simcore.rng import below, deal_key, derive, match_key
from simcore.seats import next_seat


class StepCases(NamedTuple):
    """What seats looked at, and what came of each first call; a row a seat that might have bid, in a round."""

    features: np.ndarray
    """int16[row, feature], as `simcore.bots.steps.expected.STEP_FEATURES`."""
    match: np.ndarray
    """int64[row]"""
    quota: np.ndarray
    """int8[row]: its cards to get rid of."""
    call: np.ndarray
    """int8[row, i]: tricks it bid, 0 for a pass, -1 where there is no such call; and so for what follows."""
    level: np.ndarray
    """int8[row, i]"""
    tricks: np.ndarray
    """int8[row, i]: its tricks, -1 where it did not declare."""
    margin: np.ndarray
    """int32[row, i]: its points, in tenths, times the others, less theirs."""
    cells: np.ndarray
    """int16[row, i, seat]: cells of the others, -1 for none."""
    outcomes: np.ndarray
    """int8[row, i, seat]: what became of them as declarer, -1 where they were not."""


class StepScratch(NamedTuple):
    """Room for `collect_steps`."""

    hands: np.ndarray
    """uint64[seat]: hands as the round began; and likewise the next two."""
    gone: np.ndarray
    quotas: np.ndarray
    dealt: np.ndarray
    """uint64[1, seat]"""
    features: np.ndarray
    """float64[feature]"""
    case: np.ndarray
    """int64[i]"""


@inlined
def _keep(players, table, scratch):
    """Note hands and quotas as a round begins. scratch : StepScratch, modified"""
    for seat in range(players):
        scratch.hands[seat] = table.hands[seat]
        scratch.dealt[0, seat] = table.hands[seat]
        scratch.gone[seat] = table.gone[seat]
        scratch.quotas[seat] = table.quotas[seat]


@inlined
def _put_back(players, table, scratch):
    """Hands and quotas as the round began. table : Table, modified"""
    for seat in range(players):
        table.hands[seat] = scratch.hands[seat]
        table.gone[seat] = scratch.gone[seat]
        table.quotas[seat] = scratch.quotas[seat]


@inlined
def _write_outcome(rules, stepped, is_out, me, row, i, table, scratch, cases):
    """Write what a round came to. stepped : Stepped, me : int64 seat, i : int64 number of the call, cases modified"""
    players, margin = rules.deal.players, I(0)
    for seat in range(players):
        cases.cells[row, i, seat] = scratch.case[CELLS + seat]
        cases.outcomes[row, i, seat] = -1
    cases.level[row, i] = scratch.case[LEVEL]
    cases.tricks[row, i] = -1
    if stepped.bid > 0:
        declarer = stepped.declarer
        for seat in range(players):
            tenths = other_tenths(rules.stakes, table.taken[seat])
            if seat == declarer:
                tenths = declarer_tenths(rules.stakes, stepped.bid, stepped.alone, table.taken[seat])
            margin += (players - 1) * tenths if seat == me else -tenths
        change = table.quotas[declarer] - scratch.quotas[declarer]
        if declarer == me:
            cases.tricks[row, i] = table.taken[me]
        else:
            cases.outcomes[row, i, declarer] = OUT if is_out else min(max(change, -FARTHEST), FARTHEST) + FARTHEST
    cases.margin[row, i] = margin


@kernel
def _impose(rules, bots, key, dealer, strain, forced, at, me, call, table, record, scratch):
    """Play a round in which a seat makes a call. -> (Stepped, bool), whether declarer has won the match"""
    players = rules.deal.players
    _put_back(players, table, scratch)
    scratch.case[LEGAL] = NO_BID
    imposed = Imposed(me, call, scratch.features, scratch.case)
    stepped = run_steps(rules, bots, key, dealer, strain, forced, table, record.calls, 0, imposed)
    is_out = False
    if stepped.bid > 0 and scratch.case[LEGAL] > 0:
        declarer = stepped.declarer
        n_tricks = I(popcount(table.hands[declarer]))
        play_many_hands(
            rules, bots, key, declarer, strain, declarer, stepped.bid, stepped.alone, n_tricks, table, record.tricks, 0
        )
        n_stock = I(rules.deal.n_deck) - rules.deal.players * rules.deal.cards
        is_out, _at = settle_round(rules, stepped, n_tricks, table, scratch.dealt, 0, at, n_stock)
    return stepped, is_out


@kernel
def _try_calls(rules, bots, key, match, dealer, forced, at, row, table, record, scratch, cases):
    """Let each seat in turn make each call. -> int64, rows written"""
    players, n = rules.deal.players, I(0)
    strain = trump_strain(rules.play, 0, table.stock[0] if rules.deal.upcard else U0)
    for me in range(players):
        if table.hands[me] == U0:
            continue
        stepped, is_out = _impose(rules, bots, key, dealer, strain, forced, at, I(me), I(0), table, record, scratch)
        if scratch.case[LEGAL] <= 0:
            _put_back(players, table, scratch)
            continue
        if row + n >= cases.match.shape[0]:
            return I(-1)
        at_row = row + n
        for i in range(N_STEP_FEATURES):
            cases.features[at_row, i] = I(scratch.features[i])
        cases.match[at_row] = I(match)
        cases.quota[at_row] = scratch.quotas[me]
        for i in range(cases.call.shape[1]):
            cases.call[at_row, i] = -1
        i = I(0)
        if scratch.case[MAY_PASS] != 0:
            cases.call[at_row, i] = 0
            _write_outcome(rules, stepped, is_out, me, at_row, i, table, scratch, cases)
            i += 1
        legal = U(scratch.case[LEGAL])
        while legal != U0 and i < cases.call.shape[1]:
            bid = I(ctz(lowest(legal)))
            legal ^= lowest(legal)
            stepped, is_out = _impose(rules, bots, key, dealer, strain, forced, at, I(me), bid, table, record, scratch)
            cases.call[at_row, i] = bid
            _write_outcome(rules, stepped, is_out, me, at_row, i, table, scratch, cases)
            i += 1
        _put_back(players, table, scratch)
        n += 1
    return n


@kernel
def collect_steps(rules, bots, seed, first_match, n_matches, given, table, record, deals, scratch, cases):
    """Play matches; before each round, let each seat in its turn make each call, the others theirs, and play.

    rules : SheddingRules, bots : Bots, seed : uint64, first_match : uint64, n_matches : int64, given : Given
    table : Table, record : Record, deals : DealColumns, scratch : StepScratch   scratch
    cases : StepCases    output, from row 0 on
    -> int64             rows written, or -1 where there is no room
    """
    row, players = I(0), rules.deal.players
    for number in range(n_matches):
        match = first_match + U(number)
        key = match_key(seed, match)
        dealer = I(below(derive(key, U0), U0, U(players)))
        for seat in range(players):
            table.totals[seat] = 0
            table.quotas[seat] = rules.deal.cards
            table.gone[seat] = U0
        n_rounds, forced, at, status = 0, 0, rules.deal.upcard, GOES_ON
        while status == GOES_ON:
            round_key = deal_key(key, U(n_rounds))
            deal_round(rules, round_key, match, n_rounds, dealer, given, table)
            _keep(players, table, scratch)
            n = _try_calls(rules, bots, round_key, match, dealer, forced, at, row, table, record, scratch, cases)
            if n < 0:
                return I(-1)
            row += n
            is_shed, forced, at = play_round(
                rules, bots, round_key, match, n_rounds, dealer, forced, at, given, table, record, 0, deals, 0
            )
            n_rounds += 1
            dealer = next_seat(dealer, players)
            status = status_after(rules, is_shed, n_rounds, table.totals)
    return row
