"""What the benchmarks rest on beside measuring: equal work, ratios within a round, what is missing, what is a regression."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from benchmarks import publish
from benchmarks.peers import contest, others, plain
from benchmarks.peers.contest import Entry, Line, MissingError, Work
from benchmarks.peers.run import figure, recorded, row, table

FIRST_LEADER = 6.53
"""Mean tricks of the hand that leads first, random play with a random trump suit or none, as `calibrator.c` prints it."""


def entry(who: str) -> Entry:
    return Entry(who, "", lambda: ("1.0", lambda units: sum(range(10_000 * units))), 1)


def line(who: str, *speeds: float) -> Line:
    return Line(entry(who), "1.0", speeds=list(speeds))


def test_random_play_is_the_same_game_in_every_form() -> None:
    """Standard deviation of a deal's tricks about 2: four standard errors."""
    assert plain.python_play(4000, random.Random(3)) == pytest.approx(FIRST_LEADER, abs=4 * 2 / 4000**0.5)
    assert plain.numpy_play(40_000, np.random.default_rng(3)) == pytest.approx(FIRST_LEADER, abs=4 * 2 / 40_000**0.5)
    with pytest.raises(SystemExit, match="random play"):
        others._checked(5.0, 10_000)


def test_deals_hold_every_card_once() -> None:
    hands = plain.python_deals(3, random.Random(1))
    assert sorted(card for hand in hands for card in hand) == list(range(52))
    packs = plain.numpy_deals(30, np.random.default_rng(1))
    assert packs.shape == (30, 52)
    assert (np.sort(packs, axis=1) == np.arange(52)).all()


def test_ratios_are_those_within_a_round() -> None:
    assert contest.ratios(line("a", 10, 20, 60), line("b", 1, 2, 3)) == (10, 10, 20)
    assert contest.ratios(line("a", 10), line("b")) is None


def test_what_is_missing_is_named() -> None:
    def make() -> tuple[str, contest.Play]:
        raise MissingError("x is not installed: pip install x")

    work = Work("Work", "units", "something", (entry("ours"), Entry("x", "", make, 1)))
    ((_, lines),) = contest.contest([work], 2, 0.001, lambda name: None)
    assert len(lines[0].speeds) == 2
    assert (lines[1].speeds, lines[1].missing) == ([], "x is not installed: pip install x")
    assert "| missing |" in row(lines[0], lines[1])
    assert "pip install x" in table([(work, lines)], 2, 0.001)
    assert recorded([(work, lines)]) == {}
    with pytest.raises(MissingError, match="peers"):
        others.installed("no_such_package_as_this")


def test_figures_have_three_digits() -> None:
    assert [figure(value) for value in (12_345_678, 6900, 7.2)] == ["12.3 M", "6.9 k", "7.2"]


def test_only_what_is_much_worse_is_a_regression() -> None:
    kept = {"cost": {"a": 2.0, "gone": 1.0}, "lead": {"b": 30.0}}
    assert publish.regressions({"cost": {"a": 2.9, "new": 9.0}, "lead": {"b": 21.0}}, kept) == []
    worse = publish.regressions({"cost": {"a": 3.1}, "lead": {"b": 19.0}}, kept)
    assert [sentence.split(":")[0] for sentence in worse] == ["a", "b"]


def test_blocks_and_ratios_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "README", tmp_path / "README.md")
    monkeypatch.setattr(publish, "RECORDED", tmp_path / "recorded.json")
    assert publish.last_recorded() == {}
    publish.README.write_text("# T\n<!-- one begins -->\nold\n<!-- one ends -->\nrest\n")
    publish.put("one", "new")
    assert publish.README.read_text() == "# T\n<!-- one begins -->\nnew\n<!-- one ends -->\nrest\n"
    publish.record({"cost": {"a": 1.5}, "lead": {}})
    assert publish.last_recorded() == json.loads(publish.RECORDED.read_text()) == {"cost": {"a": 1.5}, "lead": {}}


def test_the_page_has_the_blocks_that_are_written() -> None:
    text = (Path(publish.__file__).parent / "README.md").read_text(encoding="utf-8")
    for block in ("table", "peers", "pairs", "scaling"):
        assert f"<!-- {block} begins -->" in text
        assert f"<!-- {block} ends -->" in text
