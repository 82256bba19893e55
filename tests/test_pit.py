"""The rules of Pit, one by one: bids, settlement, who wins; and the numbers that a match of bots must have."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pit import BOLD, HEURISTIC, NOVICE, RANDOM, SHY, pit_setup, pit_with, rounds_of

from simcore.batch import Setup, play_chunk
from simcore.errors import InputError
from simcore.phases import shedding
from simcore.phases.auction import steps
from simcore.phases.auction.steps import Stepped
from simcore.phases.scoring.sheets import score_result, sheet_of
from simcore.rules_shedding import SheddingRules, build_shedding_rules
from simcore.transcript_shedding import RoundPlayed, settle, winners_of

I, U = np.int64, np.uint64


def rules_with(changes: dict[str, Any] | None = None) -> SheddingRules:
    return build_shedding_rules(pit_with(changes))


def bids(changes: dict[str, Any], quota: int, last: int = 0) -> list[int]:
    legal = int(steps.legal_steps(rules_with(changes).steps, I(quota), I(last)))
    return [bid for bid in range(64) if legal >> bid & 1]


# --- bids -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "quota", "last", "expected"),
    [
        ({}, 7, 0, [3]),
        ({}, 7, 3, [4]),
        ({}, 7, 5, []),
        ({}, 4, 4, []),
        ({}, 3, 3, []),
        ({}, 2, 0, [2]),
        ({}, 1, 0, [1]),
        ({}, 2, 1, []),
        ({}, 0, 0, []),
        ({}, 7, 2, [3]),
        ({"auction.jump_bids": True}, 7, 0, [3, 4, 5]),
        ({"auction.jump_bids": True}, 4, 0, [3, 4]),
        ({"auction.jump_bids": True}, 7, 3, [4, 5]),
        ({"auction.jump_bids": True}, 2, 0, [2]),
        ({"auction.short_hand": "no_bid"}, 2, 0, []),
        ({"auction.short_hand": "auto_out"}, 2, 0, []),
        ({"auction.bids": [2, 4, 7]}, 6, 2, [4]),
        ({"auction.bids": [2, 4, 7]}, 6, 4, []),
    ],
)
def test_legal_bids(changes: dict[str, Any], quota: int, last: int, expected: list[int]) -> None:
    assert bids(changes, quota, last) == expected


def test_a_forced_first_speaker_must_bid_if_he_can() -> None:
    assert steps.may_pass(U(8), 1, 0) == 0
    assert steps.may_pass(U(8), 1, 1) == 1
    assert steps.may_pass(U(8), 0, 0) == 1
    assert steps.may_pass(U(0), 1, 0) == 1


def test_the_auction_ends() -> None:
    rules = rules_with().steps
    assert steps.auction_ends(rules, I(5), I(0), I(4))
    assert steps.auction_ends(rules, I(3), I(3), I(4))
    assert not steps.auction_ends(rules, I(3), I(2), I(4))
    assert not steps.auction_ends(rules, I(0), I(3), I(4))
    assert steps.auction_ends(rules, I(0), I(4), I(4))


def test_only_the_first_bid_may_be_alone() -> None:
    assert steps.may_say_alone(rules_with().steps, I(0)) == 1
    assert steps.may_say_alone(rules_with().steps, I(1)) == 0
    assert steps.may_say_alone(rules_with({"auction.alone": False}).steps, I(0)) == 0


# --- settlement -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "bid", "alone", "tricks", "penalty", "points"),
    [
        ({}, 4, 0, 3, 1, 0),
        ({}, 5, 0, 0, 5, 0),
        ({}, 4, 1, 3, 4, 0),
        ({"shedding.alone_failed": "shortfall"}, 4, 1, 3, 1, 0),
        ({"scoring.declarer_per_trick": 1.5}, 4, 0, 3, 1, 45),
        ({"scoring.declarer_per_trick": 1.5}, 4, 1, 3, 4, 0),
    ],
)
def test_a_failed_contract(changes: dict[str, Any], bid: int, alone: int, tricks: int, penalty: int, points: int) -> None:
    stakes = rules_with(changes).stakes
    assert shedding.penalty(stakes, bid, alone, tricks, 7) == penalty
    assert shedding.declarer_tenths(stakes, bid, alone, tricks) == points


def test_a_made_contract() -> None:
    stakes = rules_with().stakes
    assert shedding.quota_when_made(stakes, 7, 4, 16) == 3
    assert shedding.quota_when_made(rules_with({"shedding.unit": "card"}).stakes, 7, 4, 16) == 0
    assert shedding.quota_when_made(rules_with({"shedding.unit": "card"}).stakes, 20, 4, 16) == 4
    assert shedding.declarer_tenths(stakes, 3, 0, 4) == 0
    assert shedding.declarer_tenths(stakes, 3, 1, 4) == 80
    assert shedding.declarer_tenths(rules_with({"scoring.declarer_per_trick": 1}).stakes, 3, 1, 4) == 80
    assert shedding.other_tenths(stakes, 4) == 40


def test_quotas_stay_within_51() -> None:
    assert shedding.quota_when_failed(10, 5, 40) == 15
    assert shedding.quota_when_failed(10, 5, 48) == 13
    assert shedding.quota_when_failed(10, 5, 51) == 10
    assert shedding.quota_afresh(7, 40) == 7
    assert shedding.quota_afresh(7, 48) == 3


def test_who_is_out() -> None:
    assert shedding.is_out(rules_with(), True, 0)
    assert not shedding.is_out(rules_with(), True, 1)
    assert not shedding.is_out(rules_with(), False, 0)
    auto_out = rules_with({"auction.short_hand": "auto_out"})
    assert shedding.is_out(auto_out, True, 2)
    assert not shedding.is_out(auto_out, True, 3)
    assert not shedding.is_out(rules_with({"match.victory": {"points": 20}}), True, 0)


def hand(*cards: int) -> int:
    return sum(1 << card for card in cards)


def played(dealt: list[int], held: list[int], tricks: list[tuple[int, int]]) -> RoundPlayed:
    of_round = RoundPlayed(dealt, held)
    for winner, cards in tricks:
        of_round.add_trick(winner, cards)
    return of_round


def test_persistent_hands_come_back() -> None:
    """Declarer (seat 0) wins one of two tricks with his card 1: made at 1, short by one at 2."""
    rules = rules_with({"players": 3, "shedding.model": "persistent"})
    dealt = [hand(0, 1), hand(2, 3), hand(4, 5, 6)]
    of_round = played(dealt, [0, 0, hand(6)], [(0, hand(1, 2, 4)), (2, hand(0, 3, 5))])
    made = settle(rules, Stepped(1, 0, 0, 3), of_round, [2, 2, 3], [hand(10), hand(11)])
    assert made.hands == [hand(0), hand(2, 3), hand(4, 5, 6)]
    assert (made.quotas, made.draws, made.is_out) == ([1, 2, 3], [], False)
    failed = settle(rules, Stepped(2, 0, 0, 3), of_round, [2, 2, 3], [hand(10), hand(11)])
    assert failed.hands == [hand(0, 1, 10), hand(2, 3), hand(4, 5, 6)]
    assert (failed.quotas, failed.draws) == ([3, 2, 3], [(0, hand(10))])
    assert settle(rules, Stepped(2, 0, 0, 3), of_round, [2, 2, 3], []).quotas == [2, 2, 3]


def test_capture_takes_the_tricks_won() -> None:
    """Seat 1 is left without cards and draws three, after declarer's penalty, or as many as there are."""
    rules = rules_with({"players": 3, "shedding.model": "capture"})
    dealt = [hand(0, 1), hand(2, 3), hand(4, 5, 6)]
    of_round = played(dealt, [0, 0, hand(6)], [(0, hand(1, 2, 4)), (2, hand(0, 3, 5))])
    pit = [hand(10), hand(11), hand(12), hand(13), hand(14)]
    failed = settle(rules, Stepped(2, 0, 0, 3), of_round, [2, 2, 3], pit)
    assert failed.hands == [hand(1, 2, 4, 10), hand(11, 12, 13), hand(0, 3, 5, 6)]
    assert failed.draws == [(0, hand(10)), (1, hand(11)), (1, hand(12)), (1, hand(13))]
    short = settle(rules, Stepped(2, 0, 0, 3), of_round, [2, 2, 3], pit[:2])
    assert short.quotas == [4, 1, 4]
    made = settle(rules, Stepped(1, 0, 0, 3), of_round, [2, 2, 3], pit)
    assert (made.hands[0], made.quotas, made.draws, made.is_out) == (0, [0, 0, 4], [], True)


def test_the_order_at_the_cap() -> None:
    assert winners_of([3, 2, 2], [9, 1, 2]) == [2]
    assert winners_of([3, 2, 2], [9, 2, 2]) == [1, 2]
    assert winners_of(None, [5, 9, 9]) == [1, 2]
    quotas, totals = np.array([3, 2, 2]), np.array([9, 1, 2])
    assert shedding.leader_at_cap(quotas, totals, 3) == 2
    assert shedding.leader_at_cap(quotas, np.array([9, 2, 2]), 3) == -1
    assert shedding.leader_at_cap(np.array([1, 2, 2]), np.array([0, 2, 2]), 3) == 0


# --- score ------------------------------------------------------------------------------------------------------------


def score(bid: int, tricks: int, alone: bool = False) -> dict[str, Any]:
    return score_result(pit_with(), contract=None, call=None, bid=bid, alone=alone, tricks=tricks)


def test_score_of_a_bid() -> None:
    assert score(4, 5)["cards"] == -5
    found = score(4, 3, alone=True)
    assert (found["contract"], found["made"], found["points"], found["cards"]) == ("4 alone", False, 0, 4)
    assert score(4, 5, alone=True)["points"] == 10
    assert len(sheet_of(pit_with())) == 2 * 5 * 8
    for bid, tricks in ((6, 6), (3, 8)):
        with pytest.raises(InputError):
            score(bid, tricks)


# --- matches ----------------------------------------------------------------------------------------------------------


def test_nobody_ever_bids() -> None:
    """The first speaker is forced in every second round: thrown in, forced, thrown in ..."""
    passing = {**RANDOM, "name": "passing", "bidding": {"policy": "random", "step_pass_percent": 100}}
    for before, line in pairwise(rounds_of(pit_setup({"match.max_deals": 9}, (passing,)), 0, 1)):
        first_call = line["events"][1]["call"]
        assert (first_call == "Pass") == (before["result"]["contract"] is not None)


@pytest.mark.parametrize("model", ["quota", "persistent"])
def test_quotas_are_the_hands_of_the_next_round(model: str) -> None:
    for before, line in pairwise(rounds_of(pit_setup({"shedding.model": model}, (BOLD,)), 0, 20)):
        if line["deal"]:
            assert [len(cards.replace(".", "")) for cards in line["events"][0]["hands"]] == before["events"][-1]["quota"]


def test_points_are_those_of_the_tricks() -> None:
    for line in rounds_of(pit_setup({}, (RANDOM, BOLD, SHY, NOVICE)), 0, 20):
        result = line["result"]
        if result["contract"] is None:
            continue
        alone = result["contract"].endswith("alone")
        for seat, (tricks, points) in enumerate(zip(result["tricks"], result["points"], strict=True)):
            due = tricks if seat != result["declarer"] else 2 * tricks * (alone and result["made"])
            assert points == due


def wins(setup: Setup, seat: int, matches: int = 1500) -> float:
    found = play_chunk(setup, 0, matches).matches["winner"]
    return float((found == seat).mean())


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_better_bots_win(players: int) -> None:
    """One challenger among others wins far more than his share: heuristic over novice over random."""
    for better, worse in ((HEURISTIC, NOVICE), (NOVICE, RANDOM)):
        bots = (better, *[worse] * (players - 1))
        assert wins(pit_setup({"players": players}, bots), 0) > 1.25 / players
        bots = (worse, *[better] * (players - 1))
        assert wins(pit_setup({"players": players}, bots), 0) < 0.75 / players


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_matches_of_heuristic_bots_end_before_the_cap(players: int) -> None:
    found = play_chunk(pit_setup({"players": players}, (HEURISTIC,)), 0, 500).matches
    assert found["finished"].mean() > 0.93
    assert 3 < found["deals"].mean() < 40
