"""The reference engine against the rules, row by row; it shares no code with the engine it is compared with later."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path

import pytest
from reference import auction, bridgette, cards, colons, play, scoring
from reference.bridgette import BRIDGETTE, variant
from reference.cards import parse_hand
from reference.exchange import class_of_upcard
from reference.game import play_match

RANDOM = {"policy": "random"}
RANDOM_BOT = {"name": "random", "exchange": RANDOM, "bidding": RANDOM, "play": RANDOM}


# --- The package -----------------------------------------------------------------------------------------------------


def test_imports_only_itself_and_the_standard_library():
    allowed = {"__future__", "copy"}
    for path in Path(bridgette.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert {name.name for name in node.names} <= allowed, path
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert node.module in allowed, path


@pytest.mark.parametrize("module", [bridgette, cards, scoring])
def test_examples_in_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


# --- Cards and exchange ----------------------------------------------------------------------------------------------


def test_hand_notation():
    text = "AKQ2.K83.A4.QT9/GL"
    assert cards.hand_text(parse_hand(text)) == text
    assert parse_hand("...") == []
    assert cards.hand_text(parse_hand(".../GRL")) == ".../GRL"


@pytest.mark.parametrize("wrong", ["", "AK", "KA...", "AA...", "....", "A.../X", "A.../LG", "A.../", "1...", "10..."])
def test_wrong_hands(wrong):
    with pytest.raises(ValueError, match="hand"):
        parse_hand(wrong)


def test_upcard_gives_the_dealers_number():
    assert [class_of_upcard(card) for card in ["S2", "HT", "LC"]] == ["spot"] * 3
    assert [class_of_upcard(card) for card in ["DJ", "CQ", "SK", "RC"]] == ["face"] * 4
    assert [class_of_upcard(card) for card in ["CA", "GC"]] == ["ace"] * 2


@pytest.mark.parametrize("upcard", ["aside", "dealer_takes_it"])
def test_exchange(upcard):
    for line in play_match(variant({"exchange.upcard": upcard}), [RANDOM_BOT, RANDOM_BOT], 7, 0)[:-1]:
        deal, non_dealers, dealers = line["events"][:3]
        number = {"spot": 4, "face": 8, "ace": 12}[class_of_upcard(deal["upcard"])]
        assert [non_dealers["seat"], dealers["seat"]] == [1 - line["dealer"], line["dealer"]]
        assert non_dealers["drew"] == deal["stock"][:2]
        taken_besides = [deal["upcard"]] if upcard == "dealer_takes_it" else []
        assert dealers["drew"] == taken_besides + deal["stock"][2 : 2 + number]
        assert len(dealers["discarded"]) == len(dealers["drew"])


# --- Auction ---------------------------------------------------------------------------------------------------------


def legal(hand, calls, changes=None):
    """The legal calls of a hand given as text."""
    return auction.legal_calls(variant(changes), parse_hand(hand), calls.split())


def test_thirty_six_bids():
    bids = auction.existing_bids(BRIDGETTE)
    assert len(bids) == 36
    assert bids[:7] == ["0NT", "1C", "1D", "1H", "1S", "1NT", "2C"]
    assert bids[-1] == "7NT"
    assert auction.existing_bids(variant({"auction.lowest_bid": "1C"}))[0] == "1C"


def test_suit_bids_need_two_natural_cards_and_jumps_four():
    calls = legal("AK.QJT.9876.5432", "")
    assert {"1S", "1H", "1D", "7D", "1C", "7C"} <= set(calls)
    assert not {"2S", "2H", "7H"} & set(calls)
    assert "1S" not in legal("A.QJT98.9876.432/G", "")  # a colon adds no length
    assert "1S" in legal("A.QJT98.9876.432/G", "", {"auction.min_suit_length": 1})
    assert "2S" in legal("AK.QJT.9876.5432", "", {"auction.min_jump_length": 2})


@pytest.mark.parametrize(
    ("jump", "opening", "over_1H"),
    [
        (
            "level",
            {"1C": False, "1S": False, "2C": True},
            {"1S": False, "2C": False, "2H": False, "2S": True, "3C": True},
        ),
        ("ladder", {"1C": True, "1S": True}, {"1S": False, "2C": True, "2H": True}),
        ("none", {"1C": False, "7S": False}, {"7C": False}),
    ],
)
def test_jumps(jump, opening, over_1H):
    rules = variant({"auction.jump": jump})
    existing = auction.existing_bids(rules)
    assert {bid: auction.is_jump(rules, [], bid, existing) for bid in opening} == opening
    assert {bid: auction.is_jump(rules, ["1H"], bid, existing) for bid in over_1H} == over_1H


def test_a_bid_without_award_does_not_exist():
    rules = variant({"scoring.award.C": [None, None, 250, 250, 250, 750, 1500, 2200]})
    existing = auction.existing_bids(rules)
    assert "1C" not in existing
    assert not auction.is_jump(rules, [], "2C", existing)  # it is the lowest existing bid in clubs
    ladder = variant({"auction.jump": "ladder", "scoring.award.NT": [None] * 8})
    assert not auction.is_jump(ladder, ["1S"], "2C", auction.existing_bids(ladder))  # 1NT is no rung


def test_no_trump_needs_every_suit_and_knows_no_jumps():
    assert {"0NT", "1NT", "7NT"} <= set(legal("AKQJT98765.4.3.2", ""))
    assert not [call for call in legal("AKQJT98765.43..2/G", "") if "NT" in call]
    assert "7NT" in legal("AKQJT98765432...", "", {"auction.nt_needs_every_suit": False})


def test_doubles():
    hand = "AKQJ.T98.76.5432"
    assert not {"X", "XX"} & set(legal(hand, ""))
    assert not {"X", "XX"} & set(legal(hand, "Pass"))
    assert legal(hand, "1S")[-1] == "X"
    assert legal(hand, "1S X")[-1] == "XX"
    assert not {"X", "XX"} & set(legal(hand, "1S X XX"))
    assert legal(hand, "1S X 2S")[-1] == "X"
    assert legal(hand, "Pass 1S")[-1] == "X"
    assert not {"X", "XX"} & set(legal(hand, "1S", {"auction.doubles": False}))
    assert legal(hand, "7NT X XX") == ["Pass"]


def test_bids_must_be_higher():
    assert legal("AKQJ.T98.76.5432", "7C X") == ["Pass", "7D", "7H", "7S", "7NT", "XX"]
    assert "2C" in legal("AKQJ.T98.76.5432", "1NT")
    assert "1S" not in legal("AKQJ.T98.76.5432", "1S")


@pytest.mark.parametrize(
    ("calls", "over", "contract", "declarer"),
    [
        ("1S X 2S Pass", True, "2S", 0),
        ("1S X Pass", True, "1SX", 0),
        ("1S X XX Pass", True, "1SXX", 0),
        ("Pass 1S X XX 2C X Pass", True, "2CX", 0),
        ("Pass 1S Pass", True, "1S", 1),
        ("Pass", False, None, None),
        ("Pass Pass", True, None, None),
        ("1S X XX", False, "1SXX", 0),
    ],
)
def test_end_of_the_auction(calls, over, contract, declarer):
    assert auction.auction_is_over(calls.split()) == over
    assert auction.final_contract(BRIDGETTE, 0, calls.split()) == (contract, declarer)


def test_opener():
    rules = variant({"auction.opener": "non_dealer"})
    assert [auction.seat_to_call(BRIDGETTE, 1, calls) for calls in ([], ["1S"])] == [1, 0]
    assert [auction.seat_to_call(rules, 1, calls) for calls in ([], ["1S"])] == [0, 1]
    assert auction.final_contract(rules, 1, ["Pass", "1S", "Pass"]) == ("1S", 1)


# --- Colons ----------------------------------------------------------------------------------------------------------


def replies(hand, led, trump=None, changes=None):
    """Legal replies of a hand given as text."""
    return set(play.legal_replies(variant(changes), parse_hand(hand), led, trump))


def barred_by(hand, led, reply, changes=None):
    """The suit barred by a trick."""
    return colons.suit_barred_by(variant(changes), parse_hand(hand), led, reply)


def test_c1_c6_one_who_can_follow_may_play_the_colon_of_the_range_and_no_other():
    hand = "32.A..4/GRL"
    assert replies(hand, "SA") == {"S3", "S2", "GC"}
    assert replies(hand, "SK") == replies(hand, "SQ") == replies(hand, "SJ") == {"S3", "S2", "RC"}
    assert replies(hand, "ST") == {"S3", "S2", "LC"}
    assert replies(hand, "SA", trump="S") == {"S3", "S2", "GC"}


def test_c1_a_void_follower_may_play_it_too():
    options = {"colons.off_range_when_void": "only_if_forced"}
    assert replies(".A..4/GL", "SA", changes=options) == {"HA", "C4", "GC"}


def test_c2_the_colon_loses():
    assert not play.trick_is_won_by_reply("SA", "GC", None)
    assert not play.trick_is_won_by_reply("S2", "LC", "H")


def test_c3_bars_the_suit_just_led():
    assert barred_by("32.../G", "SA", "GC") == "S"
    assert barred_by("32.../R", "SJ", "RC") == "S"
    assert barred_by("32.../G", "SA", "S3") is None
    assert barred_by(".A../G", "SA", "GC") == "S"
    assert barred_by(".A../G", "SA", "GC", {"colons.bar_when_void": False}) is None
    assert barred_by("3.../G", "SA", "GC", {"colons.bar_when_void": False}) == "S"


OTHER_AND_COLON, OTHER, COLON, BARRED = "K.2../R", "K.2..", "K.../R", "K..."
COLONS_ONLY = ".../RL"


@pytest.mark.parametrize(
    ("lifted", "colon_allowed", "hand", "leads"),
    [
        ("no_other_card", True, OTHER_AND_COLON, {"H2", "RC"}),
        ("no_other_card", False, OTHER_AND_COLON, {"H2"}),
        ("no_other_suit", True, OTHER_AND_COLON, {"H2", "RC"}),
        ("no_other_suit", False, OTHER_AND_COLON, {"H2"}),
        ("no_other_card", True, COLON, {"RC"}),
        ("no_other_card", False, COLON, {"SK", "RC"}),
        ("no_other_suit", True, COLON, {"SK", "RC"}),
        ("no_other_suit", False, COLON, {"SK", "RC"}),
    ]
    + [
        (lifted, allowed, hand, leads)
        for lifted in ("no_other_card", "no_other_suit")
        for allowed in (True, False)
        for hand, leads in [(OTHER, {"H2"}), (BARRED, {"SK"}), (COLONS_ONLY, {"RC", "LC"})]
    ],
)
def test_c4_c5_what_a_barred_leader_may_lead(lifted, colon_allowed, hand, leads):
    rules = variant({"colons.bar_lifted": lifted, "colons.bar_allows_colon_lead": colon_allowed})
    assert set(play.legal_leads(rules, parse_hand(hand), "S")) == leads
    assert set(play.legal_leads(rules, parse_hand(hand))) == set(parse_hand(hand))


def test_c7_a_void_follower_may_throw_a_colon_out_of_range():
    assert replies(".A..4/RL", "SA") == {"HA", "C4", "RC", "LC"}
    forced = {"colons.off_range_when_void": "only_if_forced"}
    assert replies(".A..4/RL", "SA", changes=forced) == {"HA", "C4"}
    assert replies(".../RL", "SA", changes=forced) == {"RC", "LC"}
    assert replies(".../GRL", "SA", changes=forced) == {"GC"}
    assert barred_by(".A../R", "SA", "RC") is None
    assert not play.trick_is_won_by_reply("SA", "RC", None)


def test_c8_anything_may_be_played_on_a_led_colon():
    assert replies("A.K..2/R", "GC") == {"SA", "HK", "C2", "RC"}
    beat = {"colons.must_beat_led_colon": True}
    assert replies("A.K..2/R", "GC", changes=beat) == {"SA"}
    assert replies("A.K..2/R", "GC", trump="C", changes=beat) == {"SA", "C2"}
    assert replies("Q.K..2/R", "GC", trump="D", changes=beat) == {"SQ", "HK", "C2", "RC"}


@pytest.mark.parametrize(
    ("colon", "reply", "trump", "follower_wins"),
    [
        ("GC", "SA", "H", True),  # C9 in range
        ("GC", "SK", "H", False),
        ("RC", "DJ", "H", True),
        ("RC", "DT", "H", False),
        ("LC", "CT", "H", True),
        ("LC", "CJ", "H", False),
        ("GC", "H2", "H", True),  # C9 a trump
        ("GC", "RC", "H", False),  # C10
        ("GC", "H2", None, False),  # C11
        ("GC", "HA", None, True),
        ("LC", "GC", None, False),
    ],
)
def test_c9_c10_c11_who_wins_a_led_colon(colon, reply, trump, follower_wins):
    assert play.trick_is_won_by_reply(colon, reply, trump) == follower_wins


def test_c10_c12_no_bar_after_a_led_colon():
    assert barred_by(".../R", "GC", "RC") is None
    assert barred_by("A...", "GC", "SA") is None


def test_natural_tricks():
    assert play.trick_is_won_by_reply("ST", "SJ", None)
    assert not play.trick_is_won_by_reply("SJ", "ST", "S")
    assert not play.trick_is_won_by_reply("S2", "HA", None)
    assert play.trick_is_won_by_reply("SA", "H2", "H")
    assert not play.trick_is_won_by_reply("H2", "SA", "H")


def test_where_nobody_must_follow_everyone_counts_as_void():
    free = {"play.must_follow": False}
    assert replies("3.A../RL", "SA", changes=free) == {"S3", "HA", "RC", "LC"}
    assert replies("3.A../RL", "SA", changes={**free, "colons.off_range_when_void": "only_if_forced"}) == {"S3", "HA"}
    assert barred_by("3.../G", "SA", "GC", {**free, "colons.bar_when_void": False}) is None


# --- Scoring ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "tricks", "declarer", "opponent"),
    [
        ("0NT", 6, 400, 0),
        ("0NT", 7, 150, 0),
        ("0NT", 9, 500, 0),
        ("2D", 11, 600, 0),
        ("4S", 10, 1000, 0),
        ("4S", 11, 750, 0),
        ("5NT", 11, 1750, 0),
        ("6H", 12, 1600, 0),
        ("6H", 13, 1500, 0),
        ("7C", 13, 2200, 0),
        ("7NT", 13, 2500, 0),
        ("1CX", 7, 1600, 0),
        ("1CXX", 7, 5600, 0),
        ("3NTX", 7, 0, 500),
        ("7NT", 4, 0, 1000),
        ("1C", 6, 0, 100),
        ("7SXX", 7, 0, 4000),
    ],
)
def test_worked_results(contract, tricks, declarer, opponent):
    points = scoring.contract_points(BRIDGETTE["scoring"], contract, tricks)
    assert points == {"declarer": declarer, "opponent": opponent}


@pytest.mark.parametrize(
    ("applies_to", "doubled", "redoubled"), [("total", 1600, 5600), ("award", 1200, 2600), ("none", 800, 1400)]
)
def test_what_the_multiplier_takes(applies_to, doubled, redoubled):
    table = variant({"scoring.multiplier.applies_to": applies_to})["scoring"]
    assert scoring.contract_points(table, "1CX", 7)["declarer"] == doubled
    assert scoring.contract_points(table, "1CXX", 7)["declarer"] == redoubled


def test_points_are_whole_tenths():
    table = variant({"scoring.award.C": [None, 0.1, 0.2], "scoring.exact": [0, 0.2, 0]})["scoring"]
    assert scoring.contract_points(table, "1C", 7)["declarer"] == 0.3
    assert type(scoring.contract_points(BRIDGETTE["scoring"], "1C", 7)["declarer"]) is int
