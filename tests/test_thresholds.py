"""Break-evens of doubling: the published figures, and what they say about games simulated by hand."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from analysis.thresholds import Threshold, alarms, break_even, thresholds
from simcore.cli import invoke
from simcore.config import load_variant

SHOWN = ("1C", "2D", "4S", "6H", "7C")
NONE = "scoring.multiplier.applies_to=none"
MILD = ("scoring.doubled_made=100", "scoring.redoubled_made=200")


def of(*overrides: str, short: int = 1) -> dict[str, Threshold]:
    return {row.contract: row for row in thresholds(load_variant("bridgette", overrides), short)}


def rounded(value: Fraction | None) -> float:
    assert value is not None
    return round(float(value), 3)


def test_the_table_as_it_is() -> None:
    """Redouble, double, and double where the redouble is certain: (p made) (2 + 4) against the undertricks."""
    found = of()
    assert len(found) == 36
    assert [rounded(found[name].redouble) for name in SHOWN] == [0.024, 0.023, 0.019, 0.015, 0.013]
    assert [rounded(found[name].double) for name in SHOWN] == [0.077, 0.071, 0.053, 0.040, 0.032]
    assert [rounded(found[name].double_if_redoubled) for name in SHOWN] == [0.037, 0.035, 0.028, 0.022, 0.019]
    assert found["4S"].double == Fraction(100, 100 + 1800)


def test_multiplier_on_the_award() -> None:
    found = of("scoring.multiplier.applies_to=award")
    assert [rounded(found[name].redouble) for name in SHOWN] == [0.067, 0.059, 0.037, 0.026, 0.020]
    assert [rounded(found[name].double) for name in SHOWN] == [0.111, 0.100, 0.067, 0.048, 0.037]
    assert rounded(found["1C"].double_if_redoubled) == 0.083
    assert rounded(found["7C"].double_if_redoubled) == 0.026


def test_no_multiplier() -> None:
    for row in of(NONE).values():
        assert (row.redouble, row.double, row.double_if_redoubled) == (Fraction(1, 7), Fraction(1, 5), Fraction(1, 6))
    assert of(NONE, short=2)["4S"].double == Fraction(3, 7)
    for row in of(NONE, *MILD).values():
        assert (row.redouble, row.double, row.alarm) == (Fraction(1, 2), Fraction(1, 2), False)
    for row in of(NONE, *MILD, "scoring.undertricks.redoubled=[400, 1000, 1600, 2200, 4000, 6000]").values():
        assert (row.redouble, row.double) == (Fraction(2, 3), Fraction(1, 2))


def test_alarms() -> None:
    variant = load_variant("bridgette")
    assert [text.partition(":")[0] for text in alarms(variant, thresholds(variant))] == [
        "everything that may be doubled will be redoubled (all contracts)",
        "doubling gains only below a belief of 0.2 (all contracts)",
    ]
    sound = load_variant("bridgette", [NONE, *MILD])
    assert list(alarms(sound, thresholds(sound))) == []
    free = load_variant("draw_bridge")
    assert next(alarms(free, thresholds(free))) == "a failed contract costs nothing (all contracts): overbidding is free"


@pytest.mark.parametrize(
    ("points", "belief"),
    [((0, 0, 0, 0), None), ((5, 5, 1, 2), 1), ((1, 2, 5, 5), 0), ((5, 4, 5, 4), None), ((5, 4, 4, 5), 1), ((4, 5, 5, 4), 0)],
)
def test_borders(points: tuple[int, int, int, int], belief: int | None) -> None:
    """Nothing changes; the opponent always gains; declarer always gains; both stakes fall."""
    assert break_even(*points) == belief


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["thresholds", "bridgette", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    row = next(row for row in document["rows"] if row["contract"] == "4S")
    assert row["double_exact"] == "1/19"
    assert row["alarm"] is True
    assert invoke(["thresholds", "draw_bridge"]) == 0  # no penalties: a double costs nothing, a redouble always gains
    assert invoke(["thresholds", "pit"]) == 2
    assert "auction.kind bridge" in capsys.readouterr().err
