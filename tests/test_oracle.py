"""Bots that see all cards: they play what the solver says, their auction is solved, and simple runs know nothing of them."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import HEURISTIC, RANDOM, Json, card, variant_with
from reference import auction, check_transcript
from reference.bridgette import variant as reference_variant
from reference.cards import parse_hand
from test_cli import Cli, cli  # noqa: F401

import simcore
from simcore import slow_course
from simcore.batch import Chunk, Setup, new_deal_columns, new_match_columns, play_chunk, prepare
from simcore.codes import N_STRAINS
from simcore.columns import STRAIN_NAMES
from simcore.config import Variant, load_bot, load_variant
from simcore.errors import InputError
from simcore.referee import violations_of
from simcore.solver.api import kernel_hands
from simcore.solver.contracts import contract_tricks
from simcore.solver.deals import solve_points, solve_tricks
from simcore.table import new_record
from simcore.transcript import MATCH_FORMAT, play_transcripts

ORACLE: Json = load_bot("oracle").model_dump(mode="json", exclude={"reads"})
FOR_TRICKS: Json = {**ORACLE, "name": "for_tricks", "play": {"policy": "perfect", "aim": "tricks"}}
PERFECT_PLAY: Json = {**HEURISTIC, "name": "heuristic_perfect", "play": {"policy": "perfect"}}
for _bot in (FOR_TRICKS, PERFECT_PLAY):
    _bot.pop("reads", None)
    _bot.pop("sees_all", None)


def setup_with(
    bots: tuple[Json, ...], groups: tuple[str, ...] = (), seed: int = 5, unit: str = "deal", variant: Variant | None = None
) -> Setup:
    return prepare(variant or variant_with(), [load_bot(bot) for bot in bots], seed, unit, groups)


def hands_of(chunk: Chunk) -> np.ndarray:
    return kernel_hands(np.stack([chunk.deals["hand_0"], chunk.deals["hand_1"]], 1))


def contracts_of(setup: Setup, chunk: Chunk) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Strains, declarers, points by tricks, and deals that were played."""
    played = np.flatnonzero(~chunk.deals["passed_out"])
    strain, declarer, level, doubling = (
        chunk.deals[name][played].astype(np.int64) for name in ("strain", "declarer", "level", "doubling")
    )
    return strain, declarer, setup.rules.score.tenths[level, strain, doubling // 2], played


# --- play is what the solver says ------------------------------------------------------------------------------------


def assert_perfect(variant: Variant, count: int) -> None:
    """Both aims, all contracts and those that were bid, on full deals."""
    setup = setup_with((FOR_TRICKS,), ("hands", "trick_table", "perfect_table"), variant=variant)
    chunk = play_chunk(setup, 0, count)
    values = solve_tricks(hands_of(chunk), setup.rules.play)
    total = setup.rules.deal.final_cards
    for place, strain in enumerate(STRAIN_NAMES):
        for seat, expected in enumerate((values[:, place, 1], total - values[:, place, 0])):
            assert np.array_equal(chunk.deals[f"tricks_{strain}_{seat}"], expected)
            assert np.array_equal(chunk.deals[f"perfect_tricks_{strain}_{seat}"], expected)
    strain, declarer, payoffs, played = contracts_of(setup, chunk)
    expected = np.where(declarer == 0, values[played, strain, 1], total - values[played, strain, 0])
    assert np.array_equal(chunk.deals["tricks"][played], expected)

    setup = setup_with((ORACLE,), ("hands",), variant=variant)
    chunk = play_chunk(setup, 0, count)
    strain, declarer, payoffs, played = contracts_of(setup, chunk)
    best = solve_points(hands_of(chunk)[played], setup.rules.play, strain, declarer, 1 - declarer, payoffs)
    assert np.array_equal(payoffs[np.arange(len(played)), chunk.deals["tricks"][played]], best)


def test_play_reaches_the_value_of_the_deal() -> None:
    assert_perfect(variant_with(), 25)


@pytest.mark.long
@pytest.mark.parametrize("name", ["draw_bridge_published", "draw_and_discard_bridge_published"])
def test_play_reaches_the_value_in_other_games(name: str) -> None:
    assert_perfect(load_variant(name), 200)


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        {"colons.off_range_when_void": "only_if_forced", "colons.must_beat_led_colon": True},
        {"colons.bar_lifted": "no_other_suit", "colons.bar_allows_colon_lead": False, "colons.bar_when_void": False},
        {"deal.cards": 9},
        {"deck.colons": []},
    ],
    ids=str,
)
def test_play_reaches_the_value_under_options(changes: Json) -> None:
    assert_perfect(variant_with(changes), 60)


def play_events(line: Json) -> list[tuple[Json, list[str], list[str], int]]:
    """Plays of a transcript: event, cards of both hands before it, cards of the trick so far, tricks of declarer."""
    hands = [parse_hand(text) for text in line["events"][0]["hands"]]
    found: list[Any] = []
    trick: list[str] = []
    taken = 0
    for event in line["events"][1:]:
        if event["act"] == "exchange":
            held = [*hands[event["seat"]], *event["drew"]]
            hands[event["seat"]] = [one for one in held if one not in event["discarded"]]
        elif event["act"] == "play":
            found.append((event, [list(hand) for hand in hands], list(trick), taken))
            hands[event["seat"]].remove(event["card"])
            trick.append(event["card"])
        elif event["act"] == "trick":
            taken += event["winner"] == line["result"]["declarer"]
            trick = []
    return found


def mask_of(cards: list[str]) -> int:
    from simcore.notation import parse_card

    return sum(1 << parse_card(one) for one in cards)


def test_of_the_best_cards_the_lowest_is_played() -> None:
    """Against the values of every card, in the last seven tricks of some deals."""
    lines = [line for line in play_transcripts(setup_with((ORACLE,)), 0, 4) if line["format"] != MATCH_FORMAT]
    seen = 0
    for line in lines:
        contract, declarer = line["result"]["contract"], line["result"]["declarer"]
        for event, hands, trick, taken in play_events(line):
            n = max(len(hand) for hand in hands)
            if n > 7 or not trick:  # whether a leader is barred cannot be told from the cards of this trick
                continue
            leader = 1 - event["seat"]
            solution = simcore.solve_position(
                "bridgette", [mask_of(hand) for hand in hands], leader=leader, led=trick[0], aim="points",
                contract=contract, declarer=declarer, taken=taken,
            )  # fmt: skip
            lowest = min(solution.best, key=lambda text: (int(np.log2(float(card(text)))) % 16, int(card(text))))
            assert event["card"] == lowest
            seen += 1
    assert seen > 20


def test_transcripts_keep_every_rule() -> None:
    for bots in ((ORACLE,), (FOR_TRICKS, RANDOM), (HEURISTIC, PERFECT_PLAY)):
        for line in play_transcripts(setup_with(bots, unit="match"), 0, 1):
            if line["format"] != MATCH_FORMAT:
                assert check_transcript(line) == []
                assert list(violations_of(line)) == []


# --- the auction is solved -------------------------------------------------------------------------------------------


class Auction:
    """The auction of two known hands as a game, solved in plain Python over the reference's legal calls."""

    def __init__(self, hands: list[list[str]], tricks: np.ndarray, tenths: np.ndarray) -> None:
        self.rules = reference_variant({})
        self.hands, self.tricks, self.tenths = hands, tricks, tenths
        self.value = lru_cache(maxsize=None)(self._value)

    def worth(self, bid: str, doubling: int, bidder: int) -> int:
        """Tenths of seat 0 less those of seat 1 when the contract is played."""
        level, strain = int(bid[0]), STRAIN_NAMES.index(bid[1:])
        tenths = int(self.tenths[level, strain, doubling, self.tricks[N_STRAINS * bidder + strain]])
        return tenths if bidder == 0 else -tenths

    def after(self, calls: tuple[str, ...], opener: int) -> int:
        """Value after some calls, the rest perfect."""
        if auction.is_bid(auction.last_bid(calls) or ""):
            last = max(place for place, call in enumerate(calls) if auction.is_bid(call))
            bidder = (opener + last) % 2
            if calls[-1] == "Pass":
                return self.worth(calls[last], len(calls) - last - 2, bidder)
            return self.value(calls[last:], bidder)
        return 0 if len(calls) == 2 else self.value(calls, opener)

    def _value(self, calls: tuple[str, ...], first: int) -> int:
        """Value of a state: the calls from the last bid on (or passes), made by `first` and then in turn."""
        seat = (first + len(calls)) % 2
        values = [
            self.after((*calls, call), first) for call in auction.legal_calls(self.rules, self.hands[seat], list(calls))
        ]
        return max(values) if seat == 0 else min(values)


def test_every_call_keeps_the_value_of_the_auction() -> None:
    setup = setup_with((ORACLE,), ("hands",))
    chunk = play_chunk(setup, 0, 12)
    table = contract_tricks(hands_of(chunk), setup.rules.play, True)
    calls_seen = 0
    for row, line in enumerate(play_transcripts(setup, 0, 12)):
        hands = play_events(line)[0][1]
        game = Auction(hands, table[:, row], setup.rules.score.tenths)
        opener = auction.opener_seat(game.rules, line["dealer"])
        calls: tuple[str, ...] = ()
        value = game.value((), opener)
        for event in (event for event in line["events"] if event["act"] == "call"):
            calls = (*calls, event["call"])
            assert game.after(calls, opener) == value, calls
            calls_seen += 1
    assert calls_seen > 30


def test_a_hopeless_double_is_not_redoubled() -> None:
    """A redouble of a perfect bidder is never worse for him than the contract without it."""
    setup = setup_with((ORACLE, HEURISTIC), ("hands",), seed=2)
    chunk = play_chunk(setup, 0, 60)
    strain, declarer, _, played = contracts_of(setup, chunk)
    redoubled = (chunk.deals["doubling"][played] == 4) & (declarer == 0)
    table = contract_tricks(hands_of(chunk), setup.rules.play, True)
    for row, place in zip(played[redoubled], strain[redoubled], strict=True):
        assert table[place, row] >= chunk.deals["level"][row] + 6


# --- the same whatever plays it --------------------------------------------------------------------------------------


def same(one: Chunk, other: Chunk, rows: slice = slice(None)) -> None:
    for name, column in other.deals.items():
        assert np.array_equal(one.deals[name][rows], column), name


def test_chunks_and_threads_change_nothing() -> None:
    setup = setup_with((ORACLE, FOR_TRICKS), ("trick_table", "perfect_table"))
    whole = play_chunk(setup, 0, 12)
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda first: play_chunk(setup, first, 4), (8, 4, 0)))
    for first, part in zip((8, 4, 0), parts, strict=True):
        same(whole, part, slice(first, first + 4))


def test_files_are_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    files = []
    for workers in (1, 2):
        out = tmp_path / str(workers)
        simcore.run(
            "bridgette", bots="oracle", deals=8, unit="deal", contracts="all", play="perfect", out=out, workers=workers,
            overrides=["chunk=3"],
        )  # fmt: skip
        files.append({path.name: path.read_bytes() for path in sorted(out.glob("deals/*.parquet"))})
    assert files[0] == files[1]
    assert len(files[0]) == 3


def test_the_slow_course_plays_the_same() -> None:
    """As beside a user's bot in Python: one seat perfect, the other not."""
    for bots in ((ORACLE, HEURISTIC), (RANDOM, PERFECT_PLAY)):
        setup = setup_with(bots, ("hands",))
        deals, matches, record = new_deal_columns(2, 6, ("hands",)), new_match_columns(2, 5), new_record(1)
        assert slow_course.play_matches(setup, (None, None), 0, 5, record, deals, matches) == (5, 5)
        fast = play_chunk(setup, 0, 5)
        assert np.array_equal(deals.points[:, :5].T, np.stack([fast.deals["points_0"], fast.deals["points_1"]], 1))
        assert np.array_equal(kernel_hands(np.stack([fast.deals["hand_0"], fast.deals["hand_1"]])), deals.hands[:, :5])


def test_explanations_say_who_sees_both_hands() -> None:
    lines = list(simcore.deal("bridgette", 2, bots=["oracle", "heuristic"], unit="deal", explain=True))
    events = [event for event in lines[0]["events"] if event["act"] in ("call", "play")]
    for event in events:
        assert ("sees both hands" in event["explain"]["rule"]) == (event["seat"] == 0)


# --- simple runs know nothing of it ----------------------------------------------------------------------------------

PROBE = """
import sys, simcore
simcore.run("bridgette", bots="heuristic", deals=20, out="run")
loaded = [name for name in sys.modules if name.startswith("simcore.solver.") and name != "simcore.solver.api"]
assert loaded == [], loaded
from simcore.batch import prepare
from simcore.solving import oracle_memory
from simcore.table import new_table
from simcore.config import load_bot, load_variant
setup = prepare(load_variant("bridgette"), [load_bot("heuristic")], 1)
assert oracle_memory(setup) is None and new_table().oracle is None
from simcore.bots.bidding import perfect as bidding
from simcore.bots.play import perfect as play
compiled = [kernel for kernel in (play.choose_card, bidding.solve_auction, bidding.choose_call) if kernel.signatures]
assert compiled == [], compiled
"""


def test_a_simple_run_loads_and_compiles_nothing_of_it(tmp_path: Path) -> None:
    found = subprocess.run([sys.executable, "-c", PROBE], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


# --- messages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("call_bridge", "--bots", "oracle"), "call_bridge has 4 players; allowed: 2"),
        (("pit", "--bots", "oracle"), "pit has 4 players; allowed: 2"),
        (("bridgette", "--play", "perfect"), "with contracts: auction: bots (bots that play perfectly: bots: [oracle])"),
        (("bridgette", "--play", "best"), "--play: 'best' is not allowed; allowed: bots, perfect, both"),
        (("bridgette", "--bots", "oracle", "--set", "play.must_head=true"), "play.must_head"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_not_solved_is_refused(cli: Cli, arguments: tuple[str, ...], reason: str) -> None:  # noqa: F811
    found = cli("run", *arguments, "--deals", 10)
    assert found.code == 2
    assert reason in found.err
    assert len(found.err.strip().splitlines()) <= 3


def test_other_ways_in_are_refused_too() -> None:
    with pytest.raises(InputError, match="oracle plays perfectly, which is solved for contracts between two hands; oh_hell"):
        prepare(load_variant("oh_hell"), [load_bot("oracle")], 1)
    calls = {"auction": {"kind": "calls"}, "scoring": {"kind": "calls"}, "play": {"trump": "S"}, "match": {"deals": 1}}
    variant = load_variant({"name": "calls", "players": 2, **calls})
    with pytest.raises(InputError, match="no contracts"):
        prepare(variant, [load_bot("oracle")], 1)


def test_bots_says_who_sees_all(cli: Cli) -> None:  # noqa: F811
    shown = cli("bots").out.splitlines()
    assert [line.split()[0] for line in shown if "(sees all cards)" in line] == ["oracle"]
    rows = json.loads(cli("bots", "--json").out)["bots"]
    assert {row["name"]: row["sees_all"] for row in rows}["oracle"] is True
    assert sum(row["sees_all"] for row in rows) == 1


def test_what_it_reads_follows_from_its_aim() -> None:
    assert load_bot("oracle").sees_all
    assert load_bot("oracle").reads.table
    only_play = load_bot({**FOR_TRICKS, "bidding": {"policy": "random"}})
    assert only_play.sees_all
    assert not only_play.reads.table
    assert load_bot({**only_play.model_dump(mode="json")}) == only_play
