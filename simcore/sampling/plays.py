"""Sampled deals played out by bots: every strain by declarer for tricks alone, or one imposed call. Seat 0 is declarer."""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U
from simcore.bots.play.ahead import first_notes
from simcore.codes import N_STRAINS, Purpose
from simcore.course import play_calls
from simcore.phases.auction.calls import run_calls
from simcore.phases.play.two_hand_rules import trump_strain
from simcore.phases.play.two_hands import play_tricks
from simcore.rng import deal_key, derive, match_key
from simcore.table import Contracted

TRICK_TABLE = int(Purpose.TRICK_TABLE)
DECLARER = 0
IMPOSSIBLE = -1


@inlined
def lay_out(players, sampled, row, table):
    """Put a sampled deal on the table. players : int64, sampled : Sampled; table : Table, modified"""
    table.stock[0] = sampled.upcard[row]
    for seat in range(players):
        table.hands[seat] = sampled.hands[row, seat]
        table.thrown[seat] = sampled.thrown[row, seat]
        table.gone[seat] = sampled.gone[row, seat]
        table.drawn[seat] = sampled.drawn[row, seat]
        table.totals[seat] = 0


@kernel
def play_strains(rules, bots, seed, sampled, first, end, table, record, tricks):
    """Play rows first .. end - 1 in every strain, as ``contracts: all`` does (docs/random-streams.md, section 4).

    rules : CommonRules, bots : Bots, seed : uint64, sampled : Sampled, first, end : int64
    table : Table, record : Record   scratch
    tricks : int8[strain, row]   output: declarer's tricks
    """
    for row in range(first, end):
        key = deal_key(match_key(seed, sampled.attempt[row]), U0)
        lay_out(rules.deal.players, sampled, row, table)
        for strain in range(N_STRAINS):
            every_trick = Contracted(strain - N_STRAINS, 0, DECLARER, 0, 0)
            streams = derive(key, U(TRICK_TABLE + strain))
            notes = first_notes(bots.only_random, streams)
            tricks[strain, row] = play_tricks(rules, bots, streams, notes, every_trick, table, record.tricks, 0)


@kernel
def play_call(rules, bots, seed, sampled, first, end, call, table, record, tricks):
    """Let seat 0 make a call, whatever its bot would, the others theirs, and play.

    rules : Rules, call : int64; others as in `play_strains`
    tricks : int8[row]   output: tricks of seat 0, or IMPOSSIBLE where it may not make this call
    """
    players = rules.deal.players
    for row in range(first, end):
        key = deal_key(match_key(seed, sampled.attempt[row]), U0)
        lay_out(players, sampled, row, table)
        turned = table.stock[0] if rules.deal.upcard else U0
        strain = trump_strain(rules.play, 0, turned)
        dealer = sampled.dealer[row]
        run_calls(
            rules.common, rules.calls, rules.call_score, bots, key, dealer, strain, table, record.calls, 0, (DECLARER, call)
        )
        total = 0
        for seat in range(players):
            total += table.calls[seat]
        if rules.calls.total_may_equal == 0 and dealer == DECLARER and total == rules.deal.final_cards:
            tricks[row] = IMPOSSIBLE
            continue
        play_calls(rules.between_two, rules, bots, key, dealer, strain, table, record, 0)
        tricks[row] = table.taken[DECLARER]
