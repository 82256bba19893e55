"""Parity beyond Bridgette: the kernels and the plain-Python reference play the same deals of Call Bridge, Draw Bridge, Draw and
Discard and composed games, event by event, under every rule; the referee accepts them.
"""

from __future__ import annotations

import pytest
import reference
from helpers import PASSING, RANDOM, Json, bots_of, deals_of, lines_of
from options_games import CASES, GAMES, LOW, WIDE, bots_for, game, is_about_matches, some_game
from test_parity import assert_same

from simcore.batch import Setup, play_chunk, prepare
from simcore.columns import deal_columns
from simcore.config import Variant
from simcore.transcript import MATCH_FORMAT

DEALS = 110
"""Deals an option, at least."""


def setup_for(variant: Variant, bots: tuple[Json, ...] = (RANDOM,), seed: int = 7, unit: str = "match") -> Setup:
    return prepare(variant, bots_of(*bots), seed, unit)


@pytest.mark.parametrize("name", GAMES)
def test_shipped_games(name: str) -> None:
    """A thousand deals in whole matches, and as many on their own, of each shipped game."""
    variant = game(name)
    deals, match = 0, 0
    while deals < 1000:
        deals += assert_same(setup_for(variant, (RANDOM, WIDE)[match % 2 :][:1], seed=match), match, 10)
        match += 10
    assert_same(setup_for(variant, (LOW,), seed=5, unit="deal"), 0, 1000)


@pytest.mark.nojit
@pytest.mark.parametrize("name", ["call_bridge", "oh_hell", "draw_bridge", "draw_and_discard_bridge"])
def test_shipped_games_a_few(name: str) -> None:
    assert assert_same(setup_for(game(name), unit="deal"), 3, 4) >= 4


@pytest.mark.parametrize("name", CASES)
def test_every_option(name: str) -> None:
    base, changes = CASES[name]
    bots = bots_for(name)
    variant = game(base, changes)
    if not is_about_matches(changes):
        assert assert_same(setup_for(variant, bots, seed=20, unit="deal"), 500, DEALS) >= DEALS
        return
    deals, match = 0, 0
    while deals < DEALS:
        deals += assert_same(setup_for(variant, bots, seed=21), match, 5)
        match += 5


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("trump", ["S", "none", "turned_card"])
def test_any_number_of_players(players: int, trump: str) -> None:
    """Different bots in the seats."""
    changes = {"players": players, "deal.cards": 7, "auction.max": "cards", "play.trump": trump, "auction.min": 0}
    bots = (RANDOM, WIDE, LOW, WIDE, RANDOM, LOW)[:players]
    setup = setup_for(game("call_bridge", {**changes, "scoring.bonus_from": 5, "match.deals": 6}), bots, seed=players)
    assert assert_same(setup, 0, 20) >= 120


@pytest.mark.parametrize("block", range(6))
def test_options_combined(block: int) -> None:
    for number in range(50 * block, 50 * (block + 1)):
        variant, bots = some_game(number)
        assert_same(setup_for(variant, bots, seed=number), 3 * number, 1)


def test_nobody_ever_bids() -> None:
    """Matches to a target that nobody reaches end at their cap."""
    setup = setup_for(game("draw_bridge"), (PASSING,))
    assert assert_same(setup, 0, 2) == 2 * 60
    assert not play_chunk(setup, 0, 1).matches["finished"][0]


# --- columns ---------------------------------------------------------------------------------------------------------


def row_of(line: Json) -> Json:
    """Some columns of a deal, worked out from its transcript; None where a column is null."""
    result = line["result"]
    players = len(result["points"])
    row: Json = {key: line[key] for key in ("match", "deal", "dealer")}
    row["passed_out"] = result["tricks"] is None
    for seat in range(players):
        row[f"points_{seat}"] = round(10 * result["points"][seat])
        row[f"tricks_{seat}"] = None if result["tricks"] is None else result["tricks"][seat]
        if "calls" in result:
            row |= {f"call_{seat}": result["calls"][seat], f"made_{seat}": result["made"][seat]}
    if "calls" not in result:
        row["calls"] = sum(event["act"] == "call" for event in line["events"])
        row["made"] = result["made"]
    if line["events"][0]["upcard"]:
        row["upcard"] = line["events"][0]["upcard"]
    return row


@pytest.mark.parametrize("name", [*GAMES, "Bridgette, calls", "three players, no trump, exact", "call_bridge: turned card"])
def test_columns_say_what_was_played(name: str) -> None:
    base, changes = CASES.get(name, (name, {}))
    setup = setup_for(game(base, changes), (WIDE,), seed=5)
    chunk = play_chunk(setup, 3, 5)
    lines = lines_of(setup, 3, 5)
    deals = [line for line in lines if line["format"] != MATCH_FORMAT]
    assert {column.name for column in deal_columns(setup.variant)} == set(chunk.deals)
    assert chunk.n_deals == len(deals)
    by_name = {column.name: column for column in deal_columns(setup.variant)}
    for number, line in enumerate(deals):
        for key, value in row_of(line).items():
            raw = chunk.deals[key][number]
            if value is None:
                assert raw < 0, key
            else:
                names = by_name[key].names
                assert (raw if names is None else names[raw]) == value, (key, number)
    for number, line in enumerate(line for line in lines if line["format"] == MATCH_FORMAT):
        got = {key: values[number] for key, values in chunk.matches.items()}
        players = setup.variant.players
        assert [got[f"total_{seat}"] for seat in range(players)] == [round(10 * total) for total in line["totals"]]
        assert got["winner"] == (-1 if line["winner"] is None else line["winner"])


def test_streams_of_the_deal() -> None:
    """The cards of each game are those of its seed, also for games without hands and for cards left over."""
    for name in ("draw_and_discard_bridge", "oh_hell", "draw_bridge", "call_bridge"):
        for line in deals_of(setup_for(game(name), unit="deal"), 10, 20):
            assert reference.check_deal_from_seed(line) == []
