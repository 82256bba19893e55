"""The scoring table of contracts: every cell against values typed from the rules, and against the reference."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import Json, variant_with
from options import SINGLE
from reference.bridgette import variant as reference_variant
from reference.scoring import contract_points

from simcore.errors import InputError
from simcore.notation import STRAINS, parse_contract
from simcore.phases.scoring.contract_table import contract_exists
from simcore.phases.scoring.contracts import score_cells, score_contract, score_sheet
from simcore.rules import build_rules

pytestmark = pytest.mark.nojit

# Typed from the rules: what an undoubled contract scores when made exactly, and with 1 (or any other number of) overtricks.
UNDOUBLED = """
0NT  400  150
1C   400  150    1D   400  150    1H   400  150    1S   400  150    1NT  500  250
2C   500  250    2D   500  250    2H   500  250    2S   500  250    2NT  500  250
3C   500  250    3D   500  250    3H   500  250    3S   500  250    3NT 1000  750
4C   500  250    4D   500  250    4H  1000  750    4S  1000  750    4NT 1000  750
5C  1000  750    5D  1000  750    5H  1000  750    5S  1000  750    5NT 1750 1500
6C  1600 1500    6D  1600 1500    6H  1600 1500    6S  1600 1500    6NT 2300 2200
7C  2200    0    7D  2200    0    7H  2200    0    7S  2200    0    7NT 2500    0
"""
THREE_OVER = 350
MADE_BONUS = {"": 0, "X": 400, "XX": 1000}
FACTOR = {"": 1, "X": 2, "XX": 4}
DOWN = {
    "": [100, 200, 300, 400, 700, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000],
    "X": [200, 500, 800, 1100, 2000, 3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000],
    "XX": [300, 700, 1100, 1500, 2700, 4000, 4000, 4000, 4000, 4000, 4000, 4000, 4000],
}


def typed_rows() -> list[tuple[str, int, int]]:
    words = UNDOUBLED.split()
    return [(words[i], int(words[i + 1]), int(words[i + 2])) for i in range(0, len(words), 3)]


def points(changes: Json | None, contract: str, tricks: int) -> tuple[float, float]:
    result = score_contract(variant_with(changes), parse_contract(contract), tricks)
    return result["points"]["declarer"], result["points"]["opponent"]


def test_every_contract_is_typed() -> None:
    assert len(typed_rows()) == 36


@pytest.mark.parametrize(("bid", "exactly", "over"), typed_rows())
@pytest.mark.parametrize("double", ["", "X", "XX"])
def test_whole_grid(bid: str, exactly: int, over: int, double: str) -> None:
    need = 6 + int(bid[0])
    for tricks in range(14):
        if tricks < need:
            expected = (0, DOWN[double][need - tricks - 1])
        else:
            plain = exactly if tricks == need else over + (THREE_OVER if tricks == need + 3 else 0)
            expected = ((plain + MADE_BONUS[double]) * FACTOR[double], 0)
        assert points(None, bid + double, tricks) == expected


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
    ],
)
def test_worked_results(contract: str, tricks: int, declarer: int, opponent: int) -> None:
    assert points(None, contract, tricks) == (declarer, opponent)


@pytest.mark.parametrize(("applies_to", "x", "xx"), [("total", 1600, 5600), ("award", 1200, 2600), ("none", 800, 1400)])
def test_what_the_multiplier_takes(applies_to: str, x: int, xx: int) -> None:
    changes = {"scoring.multiplier.applies_to": applies_to}
    assert points(changes, "1CX", 7) == (x, 0)
    assert points(changes, "1CXX", 7) == (xx, 0)
    assert points(changes, "1C", 7) == (400, 0)
    assert points(changes, "1CXX", 6) == (0, 300)  # never multiplied again


@pytest.mark.parametrize("name", SINGLE)
def test_every_cell_of_every_table(name: str) -> None:
    """The kernels' table, the JSON form and the reference agree on every result of every contract."""
    variant = variant_with(SINGLE[name])
    theirs = reference_variant(SINGLE[name])
    cells = build_rules(variant).score.tenths
    assert cells.dtype == np.int32
    assert np.array_equal(cells, score_cells(variant.scoring))
    for level in range(8):
        for strain, letter in enumerate(STRAINS):
            for doubling, mark in enumerate(("", "X", "XX")):
                if not contract_exists(variant.scoring, level, strain):
                    assert not cells[level, strain, doubling].any()
                    continue
                for tricks in range(14):
                    expected = contract_points(theirs["scoring"], f"{level}{letter}{mark}", tricks)
                    cell = int(cells[level, strain, doubling, tricks])
                    assert max(cell, 0) == round(10 * expected["declarer"])
                    assert max(-cell, 0) == round(10 * expected["opponent"])


@pytest.mark.parametrize("name", ["default", "awards with gaps, in tenths", "no doubles", "lowest bid 1C"])
def test_score_sheet(name: str) -> None:
    sheet = score_sheet(variant_with(SINGLE[name]))
    rules = reference_variant(SINGLE[name])
    bids = [
        f"{level}{strain}" for level in range(8) for strain in STRAINS if rules["scoring"]["award"][strain][level] is not None
    ]
    if rules["auction"]["lowest_bid"] == "1C":
        bids.remove("0NT")
    marks = ["", "X", "XX"] if rules["auction"]["doubles"] else [""]
    assert [(row["contract"], row["tricks"]) for row in sheet] == [
        (bid + mark, tricks) for bid in bids for mark in marks for tricks in range(14)
    ]
    for row in sheet:
        assert row["points"] == contract_points(rules["scoring"], row["contract"], row["tricks"])
        need = int(row["contract"][0]) + 6
        assert row["made"] == (row["tricks"] >= need)
        assert row["overtricks"] - row["undertricks"] == row["tricks"] - need
        assert min(row["overtricks"], row["undertricks"]) == 0


def test_exact_tenths() -> None:
    """0.1 + 0.2 is 0.3 here, and whole points are whole numbers."""
    changes = {"scoring.award": SINGLE["awards with gaps, in tenths"]["scoring.award"], "scoring.exact": [0, 0.2] + [0] * 6}
    assert points(changes, "1C", 7) == (0.3, 0)
    assert points(changes, "1C", 9) == (0.1, 0)
    assert type(points(changes, "1D", 9)[0]) is int


@pytest.mark.parametrize(
    ("changes", "contract", "tricks", "said"),
    [
        ({}, "1C", 14, "allowed are 0..13"),
        ({}, "1C", -1, "allowed are 0..13"),
        ({}, "0C", 6, "has no such bid"),
        ({"auction.lowest_bid": "1C"}, "0NT", 6, "has no such bid"),
        ({"auction.doubles": False}, "1CX", 7, "no doubles"),
    ],
)
def test_results_that_cannot_be(changes: Json, contract: str, tricks: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        points(changes, contract, tricks)
