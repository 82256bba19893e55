"""`simcore.solve`, `simcore.solve_position` and the command: values, messages, what is printed."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from reference.cards import hand_text
from reference.solve import most_tricks
from solver_cases import random_ending, rules_of

import simcore
from simcore.cli import invoke
from simcore.errors import InputError

WHOLE = ["AKQ2.K83.A4.QT95", "JT98.AQ2.KQ3.KJ/G"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = invoke(["solve", "bridgette", *words])
    return code, *capsys.readouterr()


def test_many_deals_and_single_positions_agree() -> None:
    table = simcore.solve("bridgette", [WHOLE, WHOLE[::-1]])
    assert table.shape == (2, 5, 2)
    assert table.dtype == np.int8
    for place, strain in enumerate(("C", "D", "H", "S", "NT")):
        for leader in range(2):
            assert simcore.solve_position("bridgette", WHOLE, strain=strain, leader=leader).value == table[0, place, leader]
    assert np.array_equal(13 - table[1, :, ::-1], table[0])


def test_cards_against_the_reference() -> None:
    rng = random.Random(8)
    for _ in range(15):
        ending = random_ending(rng, 3, 2)
        hands = [hand_text(held) for held in ending.hands]
        found = simcore.solve_position(
            "bridgette", hands, strain=ending.strain, leader=ending.leader, led=ending.led, barred=ending.barred
        )
        value = most_tricks(rules_of(), ending.hands, ending.leader, ending.trump, ending.barred, ending.led)
        assert found.value == value
        assert found.best == [card for card, tricks in found.cards.items() if tricks == value]
        assert found.to_move == (1 - ending.leader if ending.led else ending.leader)


def test_a_led_card_may_be_in_the_hand_or_not() -> None:
    one = simcore.solve_position("bridgette", ["AK...", "QJ..."], strain="NT", leader=0, led="SK")
    two = simcore.solve_position("bridgette", ["A...", "QJ..."], strain="NT", leader=0, led="SK")
    assert one == two
    assert one.value == 2


def test_points_of_whole_deals_and_positions_agree() -> None:
    table = simcore.solve("bridgette", [WHOLE], aim="points", contract="1S")
    for declarer in range(2):
        found = simcore.solve_position(
            "bridgette", WHOLE, leader=1 - declarer, aim="points", contract="1S", declarer=declarer
        )
        assert found.value == table[0, declarer]


def test_exactly_the_tricks_bid() -> None:
    """Nine tricks taken, two to come that declarer could both win: 4S pays most for exactly ten, so he loses one."""
    hands = ["A2...", "3..2."]
    asked = {"aim": "points", "contract": "4S", "declarer": 0, "taken": 9, "leader": 0}
    found = simcore.solve_position("bridgette", hands, **asked)
    assert found.value == 1000
    tricks = simcore.solve_position("bridgette", hands, strain="S", leader=0)
    assert tricks.value == 2


def test_other_rules() -> None:
    hands = [".2..", "2..."]
    assert simcore.solve_position("bridgette", hands, strain="S", leader=0).value == 0
    assert simcore.solve_position("bridgette", hands, strain="C", leader=0).value == 1
    with pytest.raises(InputError, match="GC"):
        simcore.solve("bridgette", [WHOLE], overrides=["deck.colons=[]"])


def test_table_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--hands", *WHOLE, "--json")
    table = simcore.solve("bridgette", [WHOLE])[0].tolist()
    assert code == 0
    assert json.loads(out) == {
        "tricks": {strain: dict(zip("01", table[place])) for place, strain in enumerate(("C", "D", "H", "S", "NT"))}
    }


@pytest.mark.parametrize(
    ("words", "document"),
    [
        ("--strain S", {"tricks": {"S": {"0": 2, "1": 2}}}),
        ("--leader 1 --led SQ", {"tricks": {strain: {"1": 2} for strain in ("C", "D", "H", "S", "NT")}}),
        (
            "--strain S --leader 0",
            {"tricks": {"S": {"0": 2}}, "to_move": 0, "best": ["SA", "SK"], "cards": {"SA": 2, "SK": 2}},
        ),
    ],
)
def test_parts_as_json(capsys: pytest.CaptureFixture[str], words: str, document: dict) -> None:
    code, out, _ = run(capsys, "--hands", "AK...", "QJ...", *words.split(), "--json")
    assert code == 0
    assert json.loads(out) == document


def test_points_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--hands", *WHOLE, "--aim", "points", "--contract", "1S", "--json")
    table = simcore.solve("bridgette", [WHOLE], aim="points", contract="1S")[0]
    assert code == 0
    assert json.loads(out) == {"contract": "1S", "points": {"0": {"1": table[0]}, "1": {"0": table[1]}}}


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--hands", "AK...", "QJ...")
    assert code == 0
    assert out.splitlines()[0] == "tricks of seat 0, perfect play for tricks"
    assert out.splitlines()[2].split() == ["seat", "0", *["2"] * 5]
    code, out, _ = run(capsys, "--hands", "A2...", "3..2.", "--strain", "NT", "--leader", "0")
    assert code == 0
    assert out.splitlines() == ["tricks of seat 0: 2, perfect play for tricks; seat 0 to move", "SA  2  best", "S2  0"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--hands AK... QJ..", "is not a hand"),
        ("--hands AK... Q...", "2 and 1 cards"),
        ("--hands AK... AQ...", "both hands hold SA"),
        ("--hands AK... QJ... --strain X", "allowed: C, D, H, S, NT"),
        ("--hands AK... QJ... --led SQ", "needs --leader"),
        ("--hands AK... QJ... --barred S", "needs --leader"),
        ("--hands AK... QJ... --leader 2", "allowed: 0 .. 1"),
        ("--hands AK... QJ... --leader 0 --led SQ", "in the hand of seat 1"),
        ("--hands AK... QJ... --leader 0 --led SA --barred S", "do not go together"),
        ("--hands AK... QJ... --leader 0 --barred X", "is not a suit"),
        ("--hands AK... QJ... --aim points", "needs a contract"),
        ("--hands AK... QJ... --contract 4S", "aim points"),
        ("--hands AK... QJ... --aim points --contract 4S", "11 tricks were played"),
        ("--hands AK... QJ... --aim points --contract 4S --taken 12", "allowed: 0 .. 11"),
        ("--hands AK... QJ... --aim points --contract 0S --taken 8", "no such bid"),
        ("--hands AK... QJ... --aim trick", "allowed: tricks, points"),
        ("--hands AK... QJ... --declarer 0", "--aim points"),
        ("--hands AK... QJ... --set deck.colons=1", "deck.colons"),
    ],
)
def test_broken_command_lines(capsys: pytest.CaptureFixture[str], words: str, message: str) -> None:
    code, out, err = run(capsys, *words.split())
    assert code == 2
    assert out == ""
    assert message in err
    assert len(err.splitlines()) <= 3
