"""Parity: the kernels and the plain-Python reference play the same matches, event by event, under every rule.

Random bots are played by both. Transcripts of other bots are judged by the reference and by the referee. The columns of
a chunk are worked out again from the transcripts.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
import reference
from helpers import BOLD, HEURISTIC, PASSING, RANDOM, SHY, Json, bots_of, deals_of, lines_of, setup_of, variant_with
from options import BOTS_FOR, CHOICES, SINGLE
from reference import cards as reference_cards
from reference.bridgette import BRIDGETTE

from simcore.batch import Setup, longest_match, play_chunk, prepare
from simcore.columns import CARD_NAMES, deal_columns, match_columns
from simcore.referee import violations_of
from simcore.transcript import MATCH_FORMAT

DEALS = 110
"""Deals a rule, at least."""
ODD = {"policy": "random", "level_weights": [0, 0, 3, 1, 0, 0, 0, 700_000], "double_percent": 100, "pass_percent": 0}
BOTS = [RANDOM, BOLD, SHY, PASSING, {**RANDOM, "name": "odd", "bidding": ODD}]


def assert_same(setup: Setup, first: int, count: int) -> int:
    """Both engines write the same lines, and the referee accepts them. Returns the number of deals."""
    mine = lines_of(setup, first, count)
    rules = setup.variant.model_dump(mode="json")
    bots = [bot.model_dump(mode="json") for bot in setup.bots]
    theirs = [
        line for m in range(first, first + count) for line in reference.play_match(rules, bots, setup.seed, m, setup.unit)
    ]
    for one, other in zip(mine, theirs):
        assert one == other
    assert len(mine) == len(theirs)
    deals = [line for line in mine if line["format"] != MATCH_FORMAT]
    assert [found for line in deals for found in violations_of(line)] == []
    return len(deals)


def deals_a_match(setup: Setup) -> int:
    return min(longest_match(setup.rules), int(setup.rules.match.deals))


@pytest.mark.nojit
@pytest.mark.portable
def test_default_rules_a_few() -> None:
    assert assert_same(setup_of(seed=11), 0, 4) >= 24


@pytest.mark.portable
def test_default_rules() -> None:
    assert assert_same(setup_of(seed=1), 0, 350) >= 2100


@pytest.mark.portable
@pytest.mark.parametrize("name", SINGLE)
def test_every_option(name: str) -> None:
    setup = setup_of(SINGLE[name], BOTS_FOR.get(name, (RANDOM,)), seed=20)
    assert assert_same(setup, 1000, -(-DEALS // deals_a_match(setup))) >= DEALS


@pytest.mark.portable
@pytest.mark.parametrize("changes", [{}, {"auction.passed_out": "redeal"}, SINGLE["no exchange"]])
def test_unit_deal(changes: Json) -> None:
    setup = setup_of(changes, (SHY,), seed=2, unit="deal")
    assert assert_same(setup, 0, DEALS) >= DEALS
    assert play_chunk(setup, 0, 3).matches == {}


@pytest.mark.parametrize("passed_out", ["count_zero", "redeal"])
@pytest.mark.parametrize("unit", ["match", "deal"])
def test_nobody_ever_bids(passed_out: str, unit: str) -> None:
    """Redealt deals run into the limit of twenty in a row."""
    setup = setup_of({"auction.passed_out": passed_out}, (PASSING,), unit=unit)
    deals = assert_same(setup, 0, 2)
    counted = 14 if unit == "match" else 2
    assert deals == counted * (21 if passed_out == "redeal" else 1)


def test_matches_that_stay_level() -> None:
    """Nobody ever bids: `until_broken` ends after 100 extra deals, a cap ends it before."""
    setup = setup_of({"match.tie": "until_broken", "match.deals": 2}, (PASSING,))
    assert assert_same(setup, 5, 1) == 102
    capped = setup_of({"match.tie": "until_broken", "match.deals": 2, "match.max_deals": 50}, (PASSING,))
    assert assert_same(capped, 5, 1) == 50
    assert not play_chunk(capped, 5, 1).matches["finished"][0]


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**63, 2**64 - 1])
def test_any_seed(seed: int) -> None:
    assert_same(setup_of(seed=seed), 2**40, 2)


def some_rules(number: int) -> tuple[Json, tuple[Json, ...]]:
    """A random combination of options that fit together, and bots."""
    chosen = random.Random(number)
    changes = {path: chosen.choice(values) for path, values in CHOICES.items() if chosen.random() < 0.4}
    changes["deal.upcard"] = True
    if chosen.random() < 0.15:
        changes = {path: value for path, value in changes.items() if not path.startswith("exchange")}
        changes.update({"exchange": {"kind": "none"}, "deal.upcard": chosen.random() < 0.5})
    if changes.get("auction.jump") != "none" and changes.get("auction.min_suit_length", 2) > changes.get(
        "auction.min_jump_length", 4
    ):
        changes["auction.min_jump_length"] = 6
    return changes, tuple(chosen.choice(BOTS) for _ in range(2))


@pytest.mark.portable
@pytest.mark.parametrize("block", range(6))
def test_options_combined(block: int) -> None:
    for number in range(50 * block, 50 * (block + 1)):
        changes, bots = some_rules(number)
        assert_same(setup_of(changes, bots, seed=number), 3 * number, 1)


def test_the_reference_reads_the_same_rules() -> None:
    """What the schema fills in is what the reference was written with."""

    def same(ours: Any, theirs: Any, path: str) -> None:
        if isinstance(theirs, dict):
            assert set(map(str, theirs)) <= set(ours), path
            for key, value in theirs.items():
                same(ours[str(key)], value, f"{path}.{key}")
            return
        assert ours == theirs, path

    for name, changes in SINGLE.items():
        same(variant_with(changes).model_dump(mode="json"), reference.bridgette.variant(changes), name)
    same(variant_with().model_dump(mode="json"), BRIDGETTE, "default")


# --- bots that the reference does not play ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("bots", [(HEURISTIC,), (HEURISTIC, BOLD)], ids=["heuristic", "mixed"])
def test_other_bots_keep_every_rule(name: str, bots: tuple[Json, ...]) -> None:
    setup = setup_of(SINGLE[name], bots, seed=31)
    lines = lines_of(setup, 7, -(-42 // deals_a_match(setup)))
    matches: dict[int, list[Json]] = {}
    for line in lines:
        matches.setdefault(line["match"], []).append(line)
        if line["format"] == MATCH_FORMAT:
            continue
        assert reference.check_transcript(line) == []
        if SINGLE[name].get("auction.passed_out") != "redeal":
            assert reference.check_deal_from_seed(line) == []
        assert list(violations_of(line)) == []
    for of_match in matches.values():
        assert reference.check_match(of_match) == []


# --- columns ---------------------------------------------------------------------------------------------------------

POINTS_OF_RANK = {"A": 4, "K": 3, "Q": 2, "J": 1}


def hands_at_auction(line: Json) -> tuple[list[list[str]], list[int]]:
    """Hands as the auction begins, and how many cards each seat drew."""
    hands = [reference_cards.parse_hand(text) for text in line["events"][0]["hands"]]
    drawn = [0, 0]
    for event in line["events"]:
        if event["act"] == "exchange":
            held = hands[event["seat"]] + event["drew"]
            hands[event["seat"]] = [card for card in held if card not in event["discarded"]]
            drawn[event["seat"]] = len(event["drew"])
    return hands, drawn


def row_of(line: Json) -> Json:
    """The columns of a deal, worked out from its transcript; None where a column is null."""
    hands, drawn = hands_at_auction(line)
    calls = [(event["seat"], event["call"]) for event in line["events"] if event["act"] == "call"]
    result = line["result"]
    contract = result["contract"]
    row: Json = {key: line[key] for key in ("match", "deal", "dealer")}
    row |= {"passed_out": contract is None, "calls": len(calls)}
    row["contested"] = len({seat for seat, call in calls if call not in ("Pass", "X", "XX")}) == 2
    row["upcard"] = line["events"][0]["upcard"]
    for seat, cards in enumerate(hands):
        suits = Counter(card[0] for card in cards if card[1] != "C" or card[0] in "CDHS")
        row[f"points_{seat}"] = round(10 * result["points"][seat])
        row[f"tricks_{seat}"] = None if contract is None else result["tricks"][seat]
        row[f"hcp_{seat}"] = sum(POINTS_OF_RANK.get(card[1], 0) for card in cards)
        row |= {f"len_{letter}_{seat}": suits[letter] for letter in "CDHS"}
        row[f"colons_{seat}"] = sum(card in ("GC", "RC", "LC") for card in cards)
        row[f"drawn_{seat}"] = drawn[seat]
    if contract is None:
        names = "declarer declarer_role strain level doubling made tricks overtricks undertricks hcp_declarer"
        return row | dict.fromkeys([*names.split(), "len_trump_declarer"])
    declarer, level = result["declarer"], int(contract[0])
    bid = contract.rstrip("X")
    taken = result["tricks"][declarer]
    row |= {"declarer": declarer, "level": level, "strain": bid[1:], "tricks": taken, "made": result["made"]}
    row["declarer_role"] = "dealer" if declarer == line["dealer"] else "non_dealer"
    row["doubling"] = 2 ** (len(contract) - len(bid))
    row["overtricks"] = max(0, taken - level - 6)
    row["undertricks"] = max(0, level + 6 - taken)
    row["hcp_declarer"] = row[f"hcp_{declarer}"]
    row["len_trump_declarer"] = None if bid[1:] == "NT" else row[f"len_{bid[1:]}_{declarer}"]
    return row


@pytest.mark.parametrize(
    ("name", "bots"),
    [(name, (HEURISTIC,)) for name in SINGLE] + [("default", (RANDOM,)), ("default", (SHY, BOLD)), ("redeal", (SHY,))],
)
def test_columns_say_what_was_played(name: str, bots: tuple[Json, ...]) -> None:
    setup = setup_of(SINGLE[name], bots, seed=5)
    count = -(-42 // deals_a_match(setup))
    chunk = play_chunk(setup, 3, count)
    lines = lines_of(setup, 3, count)
    deals = [line for line in lines if line["format"] != MATCH_FORMAT]
    expected = [row_of(line) for line in deals]
    columns = deal_columns(setup.variant)
    assert {column.name for column in columns} == set(chunk.deals)
    assert chunk.n_deals == len(deals)
    for column in columns:
        raw = chunk.deals[column.name]
        for number, row in enumerate(expected):
            value = row[column.name]
            if value is None:
                assert raw[number] < 0, column.name
                continue
            found = raw[number] if column.names is None else column.names[raw[number]]
            assert found == value, (column.name, number)
    ends = [line for line in lines if line["format"] == MATCH_FORMAT]
    assert {column.name for column in match_columns(setup.variant)} == set(chunk.matches)
    for number, line in enumerate(ends):
        got = {key: values[number] for key, values in chunk.matches.items()}
        assert got["match"] == line["match"]
        assert got["deals"] == sum(deal["match"] == line["match"] for deal in deals)
        assert [got["total_0"], got["total_1"]] == [round(10 * total) for total in line["totals"]]
        assert got["winner"] == (-1 if line["winner"] is None else line["winner"])


def test_types_of_columns() -> None:
    setup = setup_of()
    chunk = play_chunk(setup, 0, 3)
    for column in deal_columns(setup.variant):
        assert chunk.deals[column.name].dtype in (np.dtype(column.type), np.dtype("int8")), column.name
    assert CARD_NAMES[52:] == ("GC", "RC", "LC")


def test_two_different_bots_sit_where_they_are_named() -> None:
    lines = deals_of(prepare(variant_with(), bots_of(PASSING, RANDOM), 3, "match"), 0, 5)
    for line in lines:
        assert line["bots"] == ["passing", "random"]
        assert line["result"]["declarer"] in (1, None)
