"""Parity in Pit: the kernels and the plain-Python reference play the same rounds, event by event, under every rule.

Random bots are played by both. Transcripts of other bots are judged by the reference and by the referee. The columns are worked
out again from the transcripts.
"""

from __future__ import annotations

import json

import pytest
import reference
from helpers import Json
from pit import BOLD, HEURISTIC, MODELS, NOVICE, RANDOM, SHY, SINGLE, pit_setup, pit_with, rounds_of, some_rules
from reference.games import game

from simcore.batch import Setup, play_chunk
from simcore.columns import CARD_NAMES, deal_columns, match_columns
from simcore.referee import violations_of
from simcore.replay import replay_lines
from simcore.transcript import play_transcripts
from simcore.transcript_events import MATCH_FORMAT

POINTS_OF_RANK = {"A": 4, "K": 3, "Q": 2, "J": 1}


def assert_same(setup: Setup, first: int, count: int) -> int:
    """Both engines write the same lines, and the referee accepts them. Returns the number of rounds."""
    mine = list(play_transcripts(setup, first, count))
    rules = setup.variant.model_dump(mode="json")
    bots = [bot.model_dump(mode="json") for bot in setup.bots]
    theirs = [
        line for m in range(first, first + count) for line in reference.play_match(rules, bots, setup.seed, m, setup.unit)
    ]
    for one, other in zip(mine, theirs, strict=False):
        assert one == other
    assert len(mine) == len(theirs)
    assert replay_lines([json.dumps(line) for line in mine]).violations == []
    return sum(line["format"] != MATCH_FORMAT for line in mine)


@pytest.mark.nojit
@pytest.mark.portable
def test_a_few_rounds() -> None:
    assert assert_same(pit_setup({"match.max_deals": 4}, seed=11), 0, 2) >= 4


@pytest.mark.portable
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_model_and_number_of_players(players: int, model: str) -> None:
    changes = {"players": players, "shedding.model": model}
    n_rounds = assert_same(pit_setup(changes, (RANDOM,), seed=1), 0, 8)
    n_rounds += assert_same(pit_setup(changes, (BOLD,), seed=2), 0, 8)
    n_rounds += assert_same(pit_setup(changes, (SHY,), seed=3), 0, 4)
    assert n_rounds >= 40


@pytest.mark.portable
@pytest.mark.parametrize("name", SINGLE)
def test_every_option(name: str) -> None:
    assert assert_same(pit_setup(SINGLE[name], (RANDOM, BOLD, RANDOM, SHY), seed=20), 1000, 8) >= 8


@pytest.mark.parametrize("name", ["default", "capture", "persistent", "points"])
def test_unit_deal(name: str) -> None:
    setup = pit_setup(SINGLE[name], (RANDOM,), seed=2, unit="deal")
    assert assert_same(setup, 0, 60) == 60
    assert play_chunk(setup, 0, 3).matches == {}


@pytest.mark.parametrize("block", range(6))
def test_options_combined(block: int) -> None:
    for number in range(30 * block, 30 * (block + 1)):
        changes, bots = some_rules(number)
        assert_same(pit_setup(changes, bots, seed=number), 3 * number, 1)


def test_the_reference_reads_the_same_rules() -> None:
    for name, changes in SINGLE.items():
        assert json.loads(json.dumps(pit_with(changes).model_dump(mode="json"))) == game("pit", changes), name


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("bots", [(HEURISTIC,), (NOVICE, HEURISTIC, BOLD, NOVICE)], ids=["heuristic", "mixed"])
def test_other_bots_keep_every_rule(name: str, bots: tuple[Json, ...]) -> None:
    lines = list(play_transcripts(pit_setup(SINGLE[name], bots, seed=31), 7, 4))
    assert replay_lines([json.dumps(line) for line in lines]).violations == []
    matches: dict[int, list[Json]] = {}
    for line in lines:
        matches.setdefault(line["match"], []).append(line)
        if line["format"] != MATCH_FORMAT:
            assert reference.check_transcript(line) == []
            assert list(violations_of(line)) == []
    for of_match in matches.values():
        assert reference.check_match(of_match) == []


# --- columns ---------------------------------------------------------------------------------------------------------


def row_of(line: Json) -> Json:
    """The columns of a round, worked out from its transcript; None where a column is null."""
    result, deal = line["result"], line["events"][0]
    settled = line["events"][-1]
    row: Json = {key: line[key] for key in ("match", "deal", "dealer")}
    row |= {"passed_out": result["contract"] is None, "upcard": deal["upcard"]}
    row["calls"] = sum(event["act"] == "call" for event in line["events"])
    for seat, hand in enumerate(deal["hands"]):
        suits = dict(zip("SHDC", hand.split("."), strict=True))
        row[f"points_{seat}"] = round(10 * result["points"][seat])
        row[f"tricks_{seat}"] = result["tricks"][seat] if result["tricks"] else None
        row[f"quota_{seat}"] = settled["quota"][seat]
        row[f"hcp_{seat}"] = sum(POINTS_OF_RANK.get(letter, 0) for letter in hand)
        row |= {f"len_{suit}_{seat}": len(cards) for suit, cards in suits.items()}
    if result["contract"] is None:
        return row | dict.fromkeys(("declarer", "bid", "alone", "made", "tricks"))
    bid, *alone = result["contract"].split()
    row |= {"declarer": result["declarer"], "bid": int(bid), "alone": bool(alone), "made": result["made"]}
    return row | {"tricks": result["tricks"][result["declarer"]]}


@pytest.mark.parametrize("name", ["default", "capture", "persistent", "points", "scoring", "hearts", "capped"])
def test_columns_say_what_was_played(name: str) -> None:
    setup = pit_setup(SINGLE[name], (HEURISTIC, BOLD, RANDOM, NOVICE), seed=5)
    chunk = play_chunk(setup, 3, 6)
    lines = list(play_transcripts(setup, 3, 6))
    rounds = [line for line in lines if line["format"] != MATCH_FORMAT]
    columns = deal_columns(setup.variant)
    assert {column.name for column in columns} == set(chunk.deals)
    for column in columns:
        for raw, line in zip(chunk.deals[column.name], rounds, strict=True):
            value = row_of(line)[column.name]
            found = raw if column.names is None else CARD_NAMES[raw]
            assert (found < 0 if value is None else found == value), (column.name, line["match"], line["deal"])
    ends = [line for line in lines if line["format"] == MATCH_FORMAT]
    assert {column.name for column in match_columns(setup.variant)} == set(chunk.matches)
    for number, line in enumerate(ends):
        got = {key: values[number] for key, values in chunk.matches.items()}
        of_match = [one for one in rounds if one["match"] == line["match"]]
        assert got["deals"] == len(of_match)
        assert [got[f"total_{seat}"] for seat in range(4)] == [round(10 * total) for total in line["totals"]]
        assert got["winner"] == (-1 if line["winner"] is None else line["winner"])
        assert bool(got["finished"]) or len(of_match) == setup.variant.match.max_deals


def test_chunks_do_not_matter() -> None:
    setup = pit_setup({"shedding.model": "capture", "players": 5}, (HEURISTIC,), seed=9)
    whole = play_chunk(setup, 0, 30).deals
    parts = [play_chunk(setup, first, 10).deals for first in (0, 10, 20)]
    for name, values in whole.items():
        assert [v for part in parts for v in part[name].tolist()] == values.tolist()
    assert len(rounds_of(setup, 0, 30)) == len(whole["match"])
