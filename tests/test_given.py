"""--hands: the user's own deals are played as given, and a wrong file is refused with file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import reference
from helpers import HEURISTIC, setup_of

import simcore
from simcore.api import resolve_run
from simcore.batch import Setup
from simcore.config import load_variant
from simcore.errors import InputError
from simcore.given import given_of, read_given
from simcore.transcript import play_transcripts

BRIDGETTE = load_variant("bridgette")
HANDS = ["AKQ2.K83.A4.QT95", "JT98.QJT.KQJ.KJ8"]


def lines_with(setup: Setup, path: Path, count: int) -> list[dict[str, Any]]:
    given = read_given(path, setup.variant)
    own = Setup(setup.variant, setup.bots, 99, setup.unit, setup.rules, setup.bot_table, (), given)
    return list(play_transcripts(own, 0, count))


@pytest.mark.parametrize("bots", [(HEURISTIC,), ({**HEURISTIC, "name": "mixed"},)], ids=["heuristic", "renamed"])
def test_transcripts_played_again(tmp_path: Path, bots: tuple[Any, ...]) -> None:
    """Deals of one seed, given back as hands under another: bots that draw nothing do the same."""
    setup = setup_of({}, bots, seed=4, unit="deal")
    first = list(play_transcripts(setup, 0, 40))
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in first), encoding="utf-8")
    again = lines_with(setup, file, 40)
    assert [line["events"] for line in first] == [line["events"] for line in again]
    assert [line["result"] for line in first] == [line["result"] for line in again]


def test_pbn(tmp_path: Path) -> None:
    """Two hands of a Deal tag; the rest of the pack is drawn from the deal's stream."""
    file = tmp_path / "deals.pbn"
    text = f'[Event "x"]\n[Deal "N:{HANDS[0]} - {HANDS[1]} -"]\n\n[Deal "E:- {HANDS[1]} - {HANDS[0]}"]\n'
    file.write_text(text, encoding="utf-8")
    setup = setup_of({}, (HEURISTIC,), unit="deal")
    lines = lines_with(setup, file, 2)
    assert [line["events"][0]["hands"] for line in lines] == [HANDS, HANDS[::-1]]
    assert [problem for line in lines for problem in reference.check_transcript(line)] == []
    assert lines[0]["events"][0]["stock"] != lines[1]["events"][0]["stock"]


def test_dealer_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text("".join(json.dumps({"hands": HANDS, "dealer": i % 2}) + "\n" for i in range(6)), encoding="utf-8")
    lines = lines_with(setup_of({}, (HEURISTIC,), unit="deal"), file, 6)
    assert [line["dealer"] for line in lines] == [0, 1] * 3


def test_a_run_of_hands(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text("".join(json.dumps({"hands": HANDS}) + "\n" for _ in range(30)), encoding="utf-8")
    run = simcore.run("bridgette", hands=file, out=tmp_path / "run")
    deals = run.deals()
    assert len(deals) == 30
    assert set(deals["deal"]) == {0}
    assert len(set(zip(deals["upcard"], deals["points_0"]))) > 1  # the rest of the pack differs
    resolved = resolve_run("bridgette", hands=file)
    file.write_text(json.dumps({"hands": HANDS[::-1]}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="has changed since the run was begun"):
        given_of(resolved)


WRONG = {
    "no deals": ("", "no deals found"),
    "not json": ("hello", "deals.txt:1: neither JSON nor a PBN Deal tag"),
    "no hands": ('{"hand": 1}', "deals.txt:1: a deal is an object with hands"),
    "one hand": (json.dumps({"hands": HANDS[:1]}), "deals.txt:1: 1 hands for 2 players"),
    "short": (json.dumps({"hands": ["AKQ2.K83.A4.QT9", HANDS[1]]}), "deals.txt:1: seat 0 holds 12 cards, not 13"),
    "twice": (json.dumps({"hands": [HANDS[0], HANDS[0]]}), "deals.txt:1: .* lies in two hands"),
    "bad card": (json.dumps({"hands": ["AKQ2.K83.A4.QT9X", HANDS[1]]}), "deals.txt:1: hand .*'CX' is not a card"),
    "numbers": (json.dumps({"hands": [1, 2]}), "deals.txt:1: hands must be a list of texts"),
    "dealer": (json.dumps({"hands": HANDS, "dealer": 2}), r"deals.txt:1: dealer 2 is not a seat; allowed: 0 .. 1"),
    "upcard only": (json.dumps({"hands": HANDS, "upcard": "C2"}), "deals.txt:1: give both upcard and stock"),
    "part of a stock": (
        json.dumps({"hands": HANDS, "upcard": "C2", "stock": ["C3"]}),
        "deals.txt:1: with a stock the whole pack must be there",
    ),
    "dealt again": (json.dumps({"hands": HANDS, "upcard": "SA", "stock": ["C3"]}), "deals.txt:1: SA appears twice"),
    "second line": (json.dumps({"hands": HANDS}) + "\n{", "deals.txt:2: neither JSON"),
    "pbn with four": (f'[Deal "N:{HANDS[0]} {HANDS[1]} {HANDS[0]} {HANDS[1]}"]', "deals.txt:1: .* write - for hands"),
    "pbn form": ('[Deal "X"]', "deals.txt:1: Deal tag 'X' is not of the form"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files(tmp_path: Path, name: str) -> None:
    text, message = WRONG[name]
    file = tmp_path / "deals.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_given(file, BRIDGETTE)


def test_what_cannot_be_given(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_given(tmp_path / "none", BRIDGETTE)
    with pytest.raises(InputError, match="cannot be dealt again"):
        read_given(tmp_path / "none", load_variant("bridgette", ["auction.passed_out=redeal"]))
    with pytest.raises(InputError, match="deals from a file belong to no match"):
        resolve_run("bridgette", overrides=["hands=x"])
