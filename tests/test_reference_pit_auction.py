"""The reference on the auction of Pit, row by row, and the calls of the random bot that are not of a bridge auction."""

from __future__ import annotations

import pytest
from reference import random_bot, steps, streams
from reference.cards import parse_hand
from reference.games import game
from reference_cases import RANDOM_BOT

# --- Auction ---------------------------------------------------------------------------------------------------------


def legal(cards, said="", seat=0, changes=None, forced=False):
    """Legal calls of a player with so many cards; `said` are calls such as "1:3a 2:P"."""
    words = [word.split(":") for word in said.split()]
    calls = [(int(who), {"P": "Pass"}.get(call, call.replace("a", " alone"))) for who, call in words]
    return steps.legal_step_calls(game("pit", changes), cards, calls, seat, forced)


def bids(*arguments, **options):
    """Legal bids without "alone"."""
    return [call for call in legal(*arguments, **options) if call != "Pass" and "alone" not in call]


def test_each_bids_the_next_number_or_passes():
    assert legal(7) == ["Pass", "3", "3 alone"]
    assert legal(7, "1:3") == ["Pass", "4", "4 alone"]
    assert legal(7, "1:3 2:4") == ["Pass", "5", "5 alone"]
    assert bids(7, changes={"auction.jump_bids": True}) == ["3", "4", "5"]
    assert bids(7, "1:4", changes={"auction.jump_bids": True}) == ["5"]
    assert legal(7, changes={"auction.alone": False}) == ["Pass", "3"]


def test_a_bid_may_not_exceed_the_quota():
    assert bids(3) == ["3"]
    assert bids(3, "1:3") == []
    assert bids(4, changes={"auction.jump_bids": True}) == ["3", "4"]


def test_short_hands():
    assert bids(2) == ["2"]
    assert bids(2, "1:P 2:P") == ["2"]
    assert bids(2, "1:3") == bids(1, "1:2") == bids(2, "1:1") == []  # only while no bid stands
    assert bids(7, "1:2") == ["3"]  # the lowest regular bid outbids it
    assert bids(7, "1:2", changes={"auction.jump_bids": True}) == ["3", "4", "5"]
    for short_hand in ("no_bid", "auto_out"):
        assert bids(2, changes={"auction.short_hand": short_hand}) == []
    assert legal(0) == ["Pass"]


def test_alone_sticks():
    assert legal(7, "0:3a 1:4") == ["Pass", "5 alone"]
    assert legal(7, "0:3 1:4") == ["Pass", "5"]
    assert legal(7, "1:3a", seat=2) == ["Pass", "4", "4 alone"]
    assert legal(7, "0:P 1:3", changes={"auction.pass_is_final": False}) == ["Pass", "4", "4 alone"]  # his first bid


def test_forced_first_speaker():
    assert legal(7, forced=True) == ["3", "3 alone"]
    assert legal(2, forced=True) == ["2", "2 alone"]
    assert legal(2, forced=True, changes={"auction.short_hand": "no_bid"}) == ["Pass"]
    assert legal(7, "1:P", forced=True) == ["Pass", "3", "3 alone"]  # only the first speaker


@pytest.mark.parametrize(
    ("call", "cards", "said", "changes", "rule"),
    [
        ("6", 7, "", {}, "no_such_bid"),
        ("3 Alone", 7, "", {}, "no_such_bid"),
        ("53", 7, "", {}, "no_such_bid"),
        ("4", 7, "", {}, "no_jump_bids"),
        ("3", 7, "1:3", {}, "bid_too_low"),
        ("4", 3, "1:3", {}, "bid_beyond_quota"),
        ("3", 2, "", {}, "bid_beyond_quota"),
        ("1", 2, "", {}, "short_hand"),
        ("2", 2, "", {"auction.short_hand": "no_bid"}, "short_hand"),
        ("2", 7, "", {}, "no_such_bid"),
        ("3 alone", 7, "", {"auction.alone": False}, "alone"),
        ("5", 7, "0:3a 1:4", {}, "alone"),
        ("5 alone", 7, "0:3 1:4", {}, "alone"),
    ],
)
def test_faults_of_calls(call, cards, said, changes, rule):
    calls = [(int(word[0]), word[2:].replace("a", " alone")) for word in said.split()]
    assert steps.step_fault(game("pit", changes), cards, calls, 0, call) == rule


def auction_of(script, hands=("5432...", "9876...", ".5432.."), dealer=2, changes=None):
    """The seats that spoke in an auction of three."""
    rules = game("pit", {"players": 3, **(changes or {})})
    active = steps.seats_with_cards([parse_hand(hand) for hand in hands], (dealer + 1) % 3)
    calls, seats = [], []
    for word in script.split():
        assert not steps.is_over(rules, active, calls)
        seats.append(steps.next_speaker(rules, active, calls))
        calls.append((seats[-1], {"P": "Pass"}.get(word, word)))
    assert steps.is_over(rules, active, calls)
    return seats


def test_a_pass_is_final():
    assert auction_of("P P P") == [0, 1, 2]
    assert auction_of("3 P 4 P") == [0, 1, 2, 0]
    assert auction_of("3 4 5") == [0, 1, 2]  # 5 is bid
    assert auction_of("P P 3") == [0, 1, 2]  # all others have passed
    assert auction_of("3 4 P P") == [0, 1, 2, 0]


def test_one_may_come_back_in():
    free = {"auction.pass_is_final": False}
    assert auction_of("P 3 4 P P", changes=free) == [0, 1, 2, 0, 1]
    assert auction_of("P 3 P 4 P P", changes=free) == [0, 1, 2, 0, 1, 2]
    assert auction_of("P P P", changes=free) == [0, 1, 2]
    assert auction_of("P P 3 P P", changes=free) == [0, 1, 2, 0, 1]


def test_players_without_cards_take_no_part():
    assert auction_of("P 3", hands=("...", "876...", ".32..")) == [1, 2]
    assert auction_of("3", hands=("...", "876...", "...")) == [1]


# --- The random bot --------------------------------------------------------------------------------------------------

BOT = {**RANDOM_BOT, "bidding": {"policy": "random", "step_pass_percent": 40, "alone_percent": 15}}


@pytest.mark.parametrize(
    ("cards", "calls", "forced", "answers", "call"),
    [
        (7, [], False, {(1, 100): 39}, "Pass"),
        (7, [], False, {(1, 100): 40, (2, 1): 0, (0, 100): 15}, "3"),
        (7, [], False, {(1, 100): 40, (2, 1): 0, (0, 100): 14}, "3 alone"),
        (7, [], True, {(2, 1): 0, (0, 100): 99}, "3"),
        (3, [(1, "3")], False, {}, "Pass"),
        (7, [(0, "3 alone"), (1, "4")], False, {(3, 100): 99, (4, 1): 0}, "5 alone"),
        (7, [(0, "Pass"), (1, "3")], False, {(3, 100): 99, (4, 1): 0, (0, 100): 0}, "4 alone"),
    ],
)
def test_calls_of_the_random_bot(monkeypatch, cards, calls, forced, answers, call):
    monkeypatch.setattr(streams, "below", lambda key, draw, n: answers[draw, n])
    assert random_bot.choose_step(BOT, game("pit"), 0, 0, cards, calls, forced) == call


def test_numbers_of_the_random_bot(monkeypatch):
    bot = {**RANDOM_BOT, "bidding": {"policy": "random", "call_spread": 3}}
    monkeypatch.setattr(streams, "below", lambda key, draw, n: {(0, 4): 3, (0, 1): 0}[draw, n])
    assert random_bot.choose_number(bot, game("call_bridge"), 0, 0, 13, []) == 5
    only = game("call_bridge", {"auction.total_may_equal_tricks": False, "auction.min": 1, "auction.max": 2})
    none_low = {**bot, "bidding": {"policy": "random", "call_spread": 0}}
    assert random_bot.choose_number(none_low, only, 0, 0, 4, [1, 1, 1]) == 2
