"""The reference on Draw Bridge and Draw and Discard Bridge, row by row, and on contracts with other trumps."""

from __future__ import annotations

import pytest
from reference import auction, draw_tricks, look_and_choose, random_bot, scoring, streams
from reference.cards import DRAW_ORDER, deck, is_colon, parse_hand
from reference.games import game
from reference_cases import deals_of, play_script, random_deals, random_match

# --- Phase 1 ---------------------------------------------------------------------------------------------------------

TWO_CARDS = {"deal.cards": 2, "match.target": 1}
PASSES = " Pass Pass"


def phase_one(hands, script, stock, changes=None):
    """Play the first phase and pass the hands out; dealer is seat 0."""
    table, result, _ = play_script(game("draw_bridge", {**TWO_CARDS, **(changes or {})}), hands, script + PASSES, 0, stock)
    assert result["contract"] is None
    return table


def test_the_non_dealer_leads_and_winner_then_loser_draw():
    table = phase_one(["A2...", "K3..."], "SK SA S2 S3", "D2 D3 D4 D5")
    assert table.seats == [1, 0, 0, 1, 0, 1]
    assert table.winners == [0, 1]
    assert table.draws == [(0, "D2"), (1, "D3"), (1, "D4"), (0, "D5")]


def test_drawn_cards_may_be_played_at_once_or_wait():
    hands, stock = ["A2...", "K3..."], "D2 D3 D4 D5"
    assert phase_one(hands, "SK SA D2 D3", stock).winners == [0, 1]
    assert phase_one(hands, "SK SA S2 S3", stock, {"exchange.drawn": "aside"}).winners == [0, 1]
    with pytest.raises(AssertionError):
        phase_one(hands, "SK SA D2 D3", stock, {"exchange.drawn": "aside"})


def test_following_suit_is_an_option():
    options = game("draw_bridge")["exchange"]
    hand = parse_hand("A.2..")
    assert draw_tricks.reply_fault(options, hand, "SK", "H2") is None
    assert draw_tricks.reply_fault({**options, "must_follow": True}, hand, "SK", "H2") == "follow_suit"
    assert draw_tricks.reply_fault({**options, "must_follow": True}, hand, "DK", "H2") is None


@pytest.mark.parametrize(
    ("led", "reply", "by_suit", "by_rank"),
    [("SK", "SA", True, True), ("SK", "HA", False, True), ("SK", "HK", False, False), ("SA", "S2", False, False)],
)
def test_who_wins_in_phase_one(led, reply, by_suit, by_rank):
    assert draw_tricks.reply_wins({"winner": "led_suit"}, led, reply) is by_suit
    assert draw_tricks.reply_wins({"winner": "any_suit_rank"}, led, reply) is by_rank


@pytest.mark.parametrize("drawn", ["hand", "aside"])
def test_thirteen_tricks_and_then_hands_of_thirteen(drawn):
    for line in random_deals("draw_bridge", {"exchange.drawn": drawn}):
        events = line["events"]
        first_call = next(number for number, event in enumerate(events) if event["act"] == "call")
        acts = [event["act"] for event in events[1:first_call]]
        assert acts == ["play", "play", "trick", "draw", "draw"] * 13
        assert events[first_call]["seat"] == line["dealer"]
        drawn_cards = [event["card"] for event in events[:first_call] if event["act"] == "draw"]
        assert drawn_cards == events[0]["stock"]
        if drawn == "aside" and line["result"]["contract"]:
            played = {event["card"] for event in events[first_call:] if event["act"] == "play"}
            assert played == set(events[0]["stock"])


def test_cards_of_phase_one_are_drawn_from_the_exchange_key():
    line = random_deals("draw_bridge")[0]
    key = streams.deal_key(line["seed"], line["match"], line["deal"])
    seat = 1 - line["dealer"]
    hand = parse_hand(line["events"][0]["hands"][seat])
    card = hand[streams.word(streams.seat_key(key, streams.EXCHANGE, seat), 0, 0) * 13 >> 64]
    assert line["events"][1] == {"act": "play", "seat": seat, "card": card}


# --- Draw and Discard ------------------------------------------------------------------------------------------------


def test_turns_alternate_and_each_keeps_thirteen_of_twenty_six():
    for line in random_deals("draw_and_discard_bridge"):
        deal, turns = line["events"][0], line["events"][1:27]
        assert deal["hands"] == ["...", "..."]
        assert sorted(deal["stock"]) == sorted(deck(line["rules"]))
        assert [event["seat"] for event in turns] == [1 - line["dealer"], line["dealer"]] * 13
        for number, event in enumerate(turns):
            assert event["seen"] == deal["stock"][2 * number : 2 * number + 2]
            assert event["kept"] in event["seen"]


def test_what_is_seen():
    sees = game("draw_and_discard_bridge")
    blind = game("draw_and_discard_bridge", {"exchange.second_seen_when_keeping": False})
    assert look_and_choose.cards_seen(sees, "SA", "S2", "SA") == ["SA", "S2"]
    assert look_and_choose.cards_seen(blind, "SA", "S2", "SA") == ["SA"]
    assert look_and_choose.cards_seen(blind, "SA", "S2", "S2") == ["SA", "S2"]


def test_colons_in_the_pack_leave_three_cards_over():
    colons = {"deck.colons": ["grand", "royal", "little"]}
    deals = random_deals("draw_and_discard_bridge", colons)
    assert all(len(line["events"][0]["stock"]) == 55 for line in deals)
    assert any(is_colon(event["kept"]) for line in deals for event in line["events"] if event["act"] == "choose")
    for line in deals:
        kept = [event["kept"] for event in line["events"] if event["act"] == "choose"]
        assert len(kept) == 26


def test_scripted_choices():
    script = "first second " * 13 + "Pass Pass"
    table, result, _ = play_script(game("draw_and_discard_bridge"), ["...", "..."], script, 1, " ".join(DRAW_ORDER))
    assert result["contract"] is None
    assert table.seats[:4] == [0, 1, 0, 1]


def test_keeping_is_one_bit_a_turn(monkeypatch):
    monkeypatch.setattr(streams, "word", lambda key, draw, attempt: 0b0110)
    assert [random_bot.keeps_first(5, 0, turn) for turn in range(5)] == [False, True, True, False, False]


# --- Auction and points ----------------------------------------------------------------------------------------------


def test_thirty_five_bids_and_nothing_to_hold():
    rules = game("draw_bridge")
    calls = auction.legal_calls(rules, parse_hand("AKQJT98765432..."), [])
    assert len(calls) == 1 + 35
    assert (calls[1], calls[-1]) == ("1C", "7NT")
    assert auction.legal_calls(rules, [], ["7S"]) == ["Pass", "7NT", "X"]


@pytest.mark.parametrize(
    ("contract", "tricks", "points"),
    [("1NT", 9, 100), ("2S", 8, 60), ("2S", 10, 120), ("3CX", 9, 120), ("7NTXX", 13, 880), ("4H", 9, 0), ("1D", 7, 20)],
)
def test_vectors(contract, tricks, points):
    table = game("draw_bridge")["scoring"]
    assert scoring.contract_points(table, contract, tricks) == {"declarer": points, "opponent": 0}


@pytest.mark.parametrize(
    ("contract", "tricks", "declarer", "opponent"),
    [
        ("4H", 9, 0, 50),
        ("4H", 0, 0, 500),
        ("7NT", 0, 0, 650),
        ("4HX", 9, 0, 100),
        ("4HX", 6, 0, 800),
        ("7SX", 0, 0, 3500),
        ("7SXX", 0, 0, 7000),
        ("4HXX", 8, 0, 600),
        ("4HXX", 10, 480, 0),
    ],
)
def test_published_undertricks(contract, tricks, declarer, opponent):
    for name in ("draw_bridge_published", "draw_and_discard_bridge_published"):
        table = game(name)["scoring"]
        assert scoring.contract_points(table, contract, tricks) == {"declarer": declarer, "opponent": opponent}


def test_options_of_the_points():
    table = game("draw_bridge", {"scoring.overtricks": "none", "scoring.nt_first": 41.5})["scoring"]
    assert scoring.contract_points(table, "2S", 10)["declarer"] == 60
    assert scoring.contract_points(table, "1NTX", 9)["declarer"] == 83
    assert scoring.contract_points(table, "2NT", 9)["declarer"] == 71.5
    assert scoring.contract_points(table, "0NT", 9)["declarer"] == 0
    table = game("draw_bridge")["scoring"]
    assert [scoring.contract_points(table, "0NT", tricks)["declarer"] for tricks in (6, 7, 8)] == [0, 40, 70]


# --- Trumps that do not come from the contract -----------------------------------------------------------------------


def test_fixed_trumps_leave_the_strain_to_the_scoring():
    rules = game("bridgette", {"exchange": {"kind": "none"}, "play.trump": "H", "scoring": game("draw_bridge")["scoring"]})
    rules["auction"].update(min_suit_length=0, nt_needs_every_suit=False)
    hands = ["AKQJT98.5..", "65432.32..2"]
    script = "1NT Pass S2 S8 S9 S3 ST S4 SJ S5 SQ S6 SK C2 SA H2 H3 H5"
    table, result, _ = play_script(rules, hands, script, dealer=0)
    assert table.winners == [0, 0, 0, 0, 0, 0, 1, 0]  # a heart ruffs in a contract of no trump
    assert result["tricks"] == [7, 1]
    assert result["points"] == [40, 0]


def test_a_turned_card_sets_the_trumps():
    rules = game("bridgette", {"play.trump": "turned_card", "match.deals": 2})
    ruffs = 0
    for number in range(12):
        for line in deals_of(random_match(rules, number)):
            upcard = line["events"][0]["upcard"]
            tricks = [event for event in line["events"] if event["act"] in ("play", "trick")]
            for lead, reply, end in zip(tricks[::3], tricks[1::3], tricks[2::3], strict=True):
                cards = [upcard, lead["card"], reply["card"]]
                if not any(is_colon(card) for card in cards) and reply["card"][0] == upcard[0] != lead["card"][0]:
                    assert end["winner"] == reply["seat"]
                    ruffs += 1
    assert ruffs > 5
