"""The auction: which calls are legal, what doubles do, when it ends; against tables from the rules and the reference."""

from __future__ import annotations

import random

import numpy as np
import pytest
from helpers import BOLD, Json, U, deals_of, mask, setup_of, variant_with
from options import SINGLE
from reference import auction as reference_auction
from reference import cards as reference_cards
from reference.bridgette import variant as reference_variant

from simcore.bots.bidding.plan import BIDS_OF_STRAIN
from simcore.codes import CALL_DOUBLE, CALL_REDOUBLE
from simcore.notation import bid_text, parse_bid, parse_hand
from simcore.phases.auction.bridge import holding, legal_bids, legal_double
from simcore.phases.auction.bridge_tables import existing_bids, free_bids
from simcore.rules import AuctionRules, build_rules

nojit = pytest.mark.nojit


def auction_rules(changes: Json | None = None) -> AuctionRules:
    return build_rules(variant_with(changes)).auction


def bids(held: list[str], last: str | None, rules: AuctionRules) -> list[str]:
    """Legal bids of a hand after a bid, rising."""
    cards = mask(held)
    may_bid = U(holding(rules, cards, rules.min_suit_length))
    may_jump = U(holding(rules, cards, rules.min_jump_length))
    legal = int(legal_bids(rules, may_bid, may_jump, np.int64(parse_bid(last) if last else -1)))
    return [bid_text(bid) for bid in range(40) if legal >> bid & 1]


def cards_of(text: str) -> list[str]:
    return reference_cards.parse_hand(text)


@nojit
def test_suit_bids_need_two_cards_and_jumps_four() -> None:
    rules = auction_rules()
    held = cards_of("AKQJ.32.A9876.54")
    opening = "0NT 1C 1D 1H 1S 1NT 2D 2S 2NT 3D 3S 3NT 4D 4S 4NT 5D 5S 5NT 6D 6S 6NT 7D 7S 7NT"
    assert bids(held, None, rules) == opening.split()
    assert bids(held, "1H", rules)[:8] == ["1S", "1NT", "2C", "2D", "2H", "2S", "2NT", "3D"]
    assert bids(held, "7S", rules) == ["7NT"]
    assert bids(held, "7NT", rules) == []


@nojit
def test_colons_make_no_length() -> None:
    rules = auction_rules()
    held = cards_of("AK.32.A.KQJT9/GRL")
    assert "1D" not in bids(held, None, rules)
    assert "2S" not in bids(held, None, rules)
    assert "7NT" in bids(held, None, rules)


@nojit
def test_no_trump_needs_every_suit_at_any_level() -> None:
    held = cards_of("AKQJT.AKQJ.AKQ.")
    assert not [bid for bid in bids(held, None, auction_rules()) if bid.endswith("NT")]
    free = bids(held, None, auction_rules({"auction.nt_needs_every_suit": False}))
    assert [bid for bid in free if bid.endswith("NT")] == [f"{level}NT" for level in range(8)]


@nojit
@pytest.mark.parametrize(
    ("jump", "opening", "over_1H"),
    [
        ("level", ["0NT", "1C", "1D", "1H", "1S"], ["1S", "1NT", "2C", "2D", "2H"]),
        ("ladder", ["0NT", "1NT", "2NT", "3NT", "4NT"], ["1S", "1NT", "2NT", "3NT", "4NT"]),
        ("none", ["0NT", "1C", "1D", "1H", "1S"], ["1S", "1NT", "2C", "2D", "2H"]),
    ],
)
def test_three_senses_of_a_jump(jump: str, opening: list[str], over_1H: list[str]) -> None:
    """A hand with three cards in every suit may bid, but not jump."""
    held = cards_of("432.432.432.432/G")
    rules = auction_rules({"auction.jump": jump})
    assert bids(held, None, rules)[:5] == opening
    assert bids(held, "1H", rules)[:5] == over_1H


@nojit
def test_jumps_skip_bids_that_do_not_exist() -> None:
    """2C has no award: after 1C the lowest club bid is 3C, which is then no jump."""
    award = {**reference_variant()["scoring"]["award"], "C": [None, 150, None, 250, 250, 750, 1500, 2200]}
    bids_that_exist = existing_bids(variant_with({"scoring.award": award}))
    after_1c = free_bids(bids_that_exist, "level")[parse_bid("1C") + 1]
    assert after_1c >> parse_bid("3C") & 1
    assert not after_1c >> parse_bid("4C") & 1


@nojit
@pytest.mark.parametrize("name", SINGLE)
def test_legal_bids_against_the_reference(name: str) -> None:
    """Random hands (short and long suits) after every last bid."""
    theirs, rules = reference_variant(SINGLE[name]), auction_rules(SINGLE[name])
    chosen = random.Random(name)
    every = [None, *[bid_text(bid) for bid in range(40)]]
    for _ in range(4):
        deck = reference_cards.deck(theirs)
        held = sorted(chosen.sample(deck, 30), key=lambda card: chosen.random() * (1 + (card[0] == "H")))[:13]
        for last in every:
            calls = [] if last is None else [last]
            assert bids(held, last, rules) == reference_auction.legal_bids(theirs, held, calls), (held, last)


@nojit
def test_doubles() -> None:
    rules = auction_rules()
    for seat in (0, 1):
        assert legal_double(rules, seat, -1, -1, 0) == 0  # nothing to double
        assert legal_double(rules, seat, 7, 1 - seat, 0) == CALL_DOUBLE
        assert legal_double(rules, seat, 7, seat, 0) == 0  # one's own bid
        assert legal_double(rules, seat, 7, 1 - seat, 1) == 0  # doubled already
        assert legal_double(rules, seat, 7, seat, 1) == CALL_REDOUBLE
        assert legal_double(rules, seat, 7, seat, 2) == 0
        assert legal_double(rules, seat, 7, 1 - seat, 2) == 0
    none = auction_rules({"auction.doubles": False})
    assert legal_double(none, 0, 7, 1, 0) == legal_double(none, 0, 7, 0, 1) == 0


@nojit
def test_bids_by_strain() -> None:
    for strain, letter in enumerate(("C", "D", "H", "S", "NT")):
        assert [bid_text(b) for b in range(40) if int(BIDS_OF_STRAIN[strain]) >> b & 1] == [f"{n}{letter}" for n in range(8)]


# --- whole auctions, as the kernels ran them -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def auctions() -> list[Json]:
    """Many auctions with many doubles."""
    return deals_of(setup_of({}, (BOLD,), seed=9), 0, 250)


def calls_of(line: Json) -> list[str]:
    return [event["call"] for event in line["events"] if event["act"] == "call"]


def test_a_double_ends_with_a_new_bid(auctions: list[Json]) -> None:
    """`1S X 2S Pass` is undoubled, so is `1S X XX 2S Pass`; `1S X Pass` is doubled, `1S X XX Pass` redoubled."""
    seen: set[tuple[str, ...]] = set()
    for line in auctions:
        calls = calls_of(line)
        kinds = ["bid" if call[0].isdigit() else call for call in calls]
        for length in (3, 4, 5):
            seen.add(tuple(kinds[-length:]))
        if "bid" not in kinds:
            continue
        last = max(i for i, kind in enumerate(kinds) if kind == "bid")
        assert line["result"]["contract"] == calls[last] + (kinds[-2] if kinds[-2] in ("X", "XX") else "")
    for ending in (("X", "bid", "Pass"), ("X", "XX", "bid", "Pass"), ("bid", "X", "Pass"), ("bid", "X", "XX", "Pass")):
        assert ending in seen


def test_ends_with_the_first_pass_after_a_call(auctions: list[Json]) -> None:
    openings = set()
    for line in auctions:
        calls = calls_of(line)
        assert calls[-1] == "Pass"
        assert "Pass" not in calls[1:-1]
        openings.add(calls[0] == "Pass")
        if calls == ["Pass", "Pass"]:
            assert line["result"] == {"contract": None, "declarer": None, "tricks": None, "made": None, "points": [0, 0]}
    assert openings == {True, False}


@pytest.mark.parametrize("opener", ["dealer", "non_dealer"])
def test_who_calls_first_and_who_declares(opener: str) -> None:
    for line in deals_of(setup_of({"auction.opener": opener}, (BOLD,)), 0, 20):
        calls = [event for event in line["events"] if event["act"] == "call"]
        first = line["dealer"] if opener == "dealer" else 1 - line["dealer"]
        assert [event["seat"] for event in calls] == [(first + i) % 2 for i in range(len(calls))]
        bidders = [event["seat"] for event in calls if event["call"][0].isdigit()]
        assert line["result"]["declarer"] == (bidders[-1] if bidders else None)
        leads = [event["seat"] for event in line["events"] if event["act"] == "play"]
        if bidders:
            assert leads[0] == 1 - bidders[-1]


def test_helpers_read_hands_alike() -> None:
    text = "AKQJ.32.A9876.54"
    assert len(cards_of(text)) == parse_hand(text).bit_count() == 13
