"""The commands in games other than Bridgette: score, deal, deal --explain, --hands, and users' bots that do not know a game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import reference
from helpers import HEURISTIC, RANDOM, Json, bots_of, deals_of, lines_of
from options_games import CASES, GAMES, game

import simcore
from simcore import plugins
from simcore.batch import Setup, prepare
from simcore.config import load_bot
from simcore.errors import InputError
from simcore.explain import explain_transcripts, render_explained
from simcore.given import read_given
from simcore.phases.scoring.sheets import sheet_of
from simcore.referee import violations_of
from simcore.replay import replay_lines
from simcore.transcript import play_transcripts, render

MIXED: Json = {**HEURISTIC, "name": "mixed", "exchange": {"policy": "random"}}
TABLES = ("call_bridge", "oh_hell", "draw_bridge", "draw_and_discard_bridge")


# --- score -----------------------------------------------------------------------------------------------------------

CALL_VECTORS = [(5, 5, 5), (5, 9, 5), (5, 4, -5), (7, 13, 7), (8, 8, 13), (8, 9, 13), (8, 10, -8), (10, 12, -10), (12, 13, 13),
                (2, 1, -2)]  # fmt: skip
CONTRACT_VECTORS = [("1NT", 9, 100), ("2S", 8, 60), ("2S", 10, 120), ("3CX", 9, 120), ("7NTXX", 13, 880), ("4H", 9, 0)]


@pytest.mark.parametrize(("call", "tricks", "points"), CALL_VECTORS)
def test_points_of_calls(call: int, tricks: int, points: int) -> None:
    found = simcore.score("call_bridge", call=call, tricks=tricks)
    assert found == {"variant": "call_bridge", "call": call, "tricks": tricks, "made": points > 0, "points": points}


@pytest.mark.parametrize(("contract", "tricks", "points"), CONTRACT_VECTORS)
def test_points_of_contracts(contract: str, tricks: int, points: int) -> None:
    assert simcore.score("draw_bridge", contract, tricks)["points"] == {"declarer": points, "opponent": 0}
    failed = simcore.score("draw_bridge_published", "4H", 9)["points"]
    assert failed == {"declarer": 0, "opponent": 50}


def test_failed_bonus_calls_score_as_other_failed_calls() -> None:
    """rules.md limits `success` and overtrick points to calls below `bonus_from`, but not `failed`."""
    assert simcore.score("call_bridge", call=9, tricks=3, overrides=["scoring.failed=zero"])["points"] == 0
    given = simcore.score("call_bridge", call=9, tricks=3, overrides=['scoring.failed={"per_trick": 0.5}'])
    assert given["points"] == 1.5


WRONG = [
    ("call_bridge", {"contract": "4S", "tricks": 9}, "--contract: call_bridge has no result with a contract .*--call 5"),
    ("draw_bridge", {"call": 4, "tricks": 9}, "--call: draw_bridge has no result with a call .*--contract 4S --tricks"),
    ("bridgette", {"bid": 3, "tricks": 9}, "--bid: bridgette has no result with a bid"),
    ("bridgette", {"contract": "4S", "tricks": 9, "alone": True}, "--alone: bridgette has no result with alone"),
    ("call_bridge", {"call": 13, "tricks": 9}, r"call 13: call_bridge has the calls 2\.\.12"),
    ("oh_hell", {"call": 3, "tricks": 11}, r"tricks 11: a deal has 10 tricks, allowed are 0\.\.10"),
    ("call_bridge", {"call": 3}, "give both --call and --tricks"),
    ("call_bridge", {}, "give both --call and --tricks"),
    ("draw_bridge", {"contract": "0NT", "tricks": 9}, "contract 0NT: draw_bridge has no such bid"),
]


@pytest.mark.parametrize(("variant", "given", "message"), WRONG)
def test_wrong_forms_of_a_result(variant: str, given: Json, message: str) -> None:
    with pytest.raises(InputError, match=message):
        simcore.score(variant, **given)


@pytest.mark.parametrize("name", GAMES)
def test_sheets_hold_every_result(name: str) -> None:
    sheet = sheet_of(game(name))
    key = "call" if "call" in sheet[0] else "contract"
    assert len({(found[key], found["tricks"]) for found in sheet}) == len(sheet)
    assert {found["tricks"] for found in sheet} == set(range(game(name).final_cards + 1))


# --- deal ------------------------------------------------------------------------------------------------------------


def setup_for(name: str, bots: tuple[Json, ...] = (RANDOM,), unit: str = "match") -> Setup:
    base, changes = CASES.get(name, (name, {}))
    return prepare(game(base, changes), bots_of(*bots), 9, unit)


@pytest.mark.parametrize("name", [*TABLES, "Bridgette, calls", "5 players"])
def test_rendered_deals_show_everything(name: str) -> None:
    """Every card and call of the events, and a line a seat for its result."""
    setup = setup_for("call_bridge: 5 players" if name == "5 players" else name, unit="deal")
    for line in deals_of(setup, 0, 5):
        text = render(line)
        for event in line["events"]:
            words = [event[key] for key in ("card", "call", "kept") if key in event]
            assert all(word in text for word in words)
        assert text.count("trick ") >= len([event for event in line["events"] if event["act"] == "trick"]) - 13
        if "calls" in line["result"]:
            assert text.count(" calls ") == setup.variant.players


def test_hands_that_come_about_are_shown_when_the_auction_begins() -> None:
    for name in ("draw_bridge", "draw_and_discard_bridge"):
        text = render(deals_of(setup_for(name), 0, 1)[0])
        before = text[: text.index("auction")].splitlines()[-3:-1]
        assert all(len(line.split()[2].replace(".", "")) == 13 for line in before)


@pytest.mark.parametrize("name", TABLES)
def test_replay_of_whole_matches(name: str) -> None:
    lines = lines_of(setup_for(name), 0, 3)
    report = replay_lines(json.dumps(line) for line in lines)
    assert report.violations == []
    assert report.transcripts == sum("events" in line for line in lines)
    lines[-1]["totals"][0] += 1
    assert [found["rule"] for found in replay_lines(map(json.dumps, lines)).violations] == ["match_totals"]


# --- explain ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*TABLES, "draws, then calls", "choices, then calls", "Bridgette, calls"])
@pytest.mark.parametrize("bot", [RANDOM, MIXED], ids=["random", "mixed"])
def test_every_decision_has_an_explanation(name: str, bot: Json) -> None:
    """A policy, a rule and numbers; and the transcript is the one that is played without explanations."""
    setup = setup_for(name, (bot,))
    explained = list(explain_transcripts(setup, 2, 1))
    plain = list(play_transcripts(setup, 2, 1))
    assert len(explained) == len(plain)
    for line, other in zip(explained, plain):
        if "events" not in line:
            continue
        for event, due in zip(line["events"], other["events"]):
            if event["act"] in ("play", "call", "choose"):
                assert set(event["explain"]) == {"policy", "rule", "numbers"}
            assert {key: value for key, value in event.items() if key != "explain"} == due
        text = render_explained(line)
        assert all(event["explain"]["rule"] in text for event in line["events"] if "explain" in event)
        assert list(violations_of(line)) == []


def test_stages_with_explainers_are_explained_in_draw_bridge_too() -> None:
    line = next(iter(explain_transcripts(setup_for("draw_bridge", (MIXED,)), 0, 1)))
    policies = {event["explain"]["policy"] for event in line["events"] if "explain" in event}
    assert policies == {"random", "points", "careful"} or policies == {"random", "points"}
    calls = [event["explain"] for event in line["events"] if event["act"] == "call"]
    assert all("tricks" in why["numbers"] for why in calls)


# --- hands -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*TABLES, "call_break", "Bridgette, calls", "draw_bridge: 12 cards and an upcard"])
def test_transcripts_played_again(tmp_path: Path, name: str) -> None:
    """Deals of one seed, given back as hands: the cards are those, whatever the game deals, turns and leaves over."""
    setup = setup_for(name, unit="deal")
    first = list(play_transcripts(setup, 0, 20))
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in first), encoding="utf-8")
    given = read_given(file, setup.variant)
    again = Setup(setup.variant, setup.bots, setup.seed + 1, "deal", setup.rules, setup.bot_table, (), given)
    lines = list(play_transcripts(again, 0, 20))
    assert [line["events"][0] for line in lines] == [line["events"][0] for line in first]
    assert [line["dealer"] for line in lines] == [line["dealer"] for line in first]
    assert [fault for line in lines for fault in reference.check_transcript(line)] == []


def test_hands_without_a_stock(tmp_path: Path) -> None:
    """The rest of the pack is drawn; where the hands are the whole pack, or none is left to draw, that is all."""
    file = tmp_path / "deals.jsonl"
    for name in ("call_bridge", "oh_hell", "draw_bridge"):
        setup = setup_for(name, unit="deal")
        hands = [line["events"][0]["hands"] for line in play_transcripts(setup, 0, 5)]
        file.write_text("\n".join(json.dumps({"hands": one}) for one in hands), encoding="utf-8")
        given = read_given(file, setup.variant)
        own = Setup(setup.variant, setup.bots, 77, "deal", setup.rules, setup.bot_table, (), given)
        lines = list(play_transcripts(own, 0, 5))
        assert [line["events"][0]["hands"] for line in lines] == hands
        assert [fault for line in lines for fault in reference.check_transcript(line)] == []


WRONG_HANDS = [
    ("draw_and_discard_bridge", {"hands": ["...", "..."]}, "nobody is dealt a card in draw_and_discard_bridge; give the stock"),
    ("draw_and_discard_bridge", {"hands": ["AKQ2.K83.A4.QT95", "..."]}, "seat 0 holds 13 cards, not 0: .*empty hand"),
    ("call_bridge", {"hands": ["AKQ2.K83.A4.QT95", "..."]}, "2 hands for 4 players"),
    ("oh_hell", {"hands": ["AKQ2.K83.A4.QT95"] * 4}, "seat 0 holds 13 cards, not 10"),
    ("draw_bridge", {"hands": ["AKQ2.K83.A4.QT95/G", "JT98.QJT.KQJ.KJ"]}, "seat 0 holds 14 cards, not 13"),
]


@pytest.mark.parametrize(("name", "deal", "message"), WRONG_HANDS)
def test_wrong_hands(tmp_path: Path, name: str, deal: Json, message: str) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text(json.dumps(deal), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_given(file, game(name))


# --- users' bots -----------------------------------------------------------------------------------------------------


class Leader(plugins.PythonBot):
    """Plays the lowest legal card, and leaves the rest to the fallback."""

    name = "lowest_card"
    fallback = "random"

    def choose_card(self, view: object) -> int:
        """The lowest card."""
        legal = int(view.legal)  # type: ignore[attr-defined]
        return legal & -legal


class Thrower(Leader):
    """Throws the lowest cards as well."""

    name = "thrower"

    def choose_throw(self, view: object) -> int:
        """Nothing sensible; it is never asked."""
        return 0


@pytest.fixture
def users_bots() -> object:
    for bot in (Leader(), Thrower()):
        plugins.REGISTRY[bot.name] = plugins.Registered(bot, "here", "0" * 16)
    yield
    for name in ("lowest_card", "thrower"):
        del plugins.REGISTRY[name]


@pytest.mark.usefixtures("users_bots")
def test_users_bots_are_refused_where_they_do_not_know_the_game() -> None:
    bot = [load_bot(plugins.bot_settings("lowest_card"))]
    for name in ("call_bridge", "oh_hell", "pit"):
        with pytest.raises(InputError, match=f"lowest_card decides the play itself, which it cannot in {name} .*bridge"):
            prepare(game(name), bot, 1)
    with pytest.raises(InputError, match="thrower decides the exchange itself, which it cannot in draw_bridge .*draw_tricks"):
        prepare(game("draw_bridge"), [load_bot(plugins.bot_settings("thrower"))], 1)


@pytest.mark.usefixtures("users_bots")
def test_users_bots_play_after_any_exchange_that_others_decide() -> None:
    for name in ("draw_bridge", "draw_and_discard_bridge"):
        setup = prepare(game(name), [load_bot(plugins.bot_settings("lowest_card"))], 4, "deal")
        for line in deals_of(setup, 0, 6):
            assert reference.check_transcript(line) == []
            assert reference.check_deal_from_seed(line) == []
