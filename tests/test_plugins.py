"""Users' bots: Python classes and compiled functions play by the rules, see views only, and fail loudly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import reference
from helpers import Json, setup_of

from simcore import plugins
from simcore.batch import play_chunk, prepare
from simcore.bots.view import PlayView
from simcore.config import load_bot, load_variant
from simcore.errors import InputError
from simcore.transcript import play_transcripts

EXAMPLES = Path(__file__).parent.parent / "examples" / "plugins"
PLUGIN = """
import numpy as np
from simcore.bots.view import PlayView, AuctionView
from simcore.plugins import PASS, CompiledBot, PythonBot, cards_of, mask_of

class Lowest(PythonBot):
    name = "lowest"
    fallback = "random"
    def choose_card(self, view):
        return view.legal & (~view.legal + np.uint64(1))

class Silent(PythonBot):
    name = "silent"
    def choose_call(self, view):
        return PASS

class Cheat(PythonBot):
    name = "cheat"
    def choose_card(self, view):
        return mask_of(["SA", "SK"])

def lowest(view, memory):
    memory[0] += np.uint64(1)
    cards = view[1]
    return cards & (~cards + np.uint64(1))

def nothing(view, memory):
    return np.uint64(0)

BOTS = [Lowest(), Silent(), Cheat(), CompiledBot("lowest_compiled", choose_card=lowest, fallback="random"),
        CompiledBot("nothing", choose_card=nothing)]
"""


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "REGISTRY", plugins.REGISTRY)
    plugins.REGISTRY.clear()


@pytest.fixture
def loaded(tmp_path: Path) -> list[str]:
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN, encoding="utf-8")
    return plugins.load_plugin(str(file))


def play(bots: list[str], count: int = 25) -> list[Json]:
    setup = prepare(load_variant("bridgette"), [load_bot(bot) for bot in bots], 11, "deal")
    return list(play_transcripts(setup, 0, count))


@pytest.mark.parametrize("name", ["lowest", "lowest_compiled", "silent"])
def test_they_play_by_the_rules(loaded: list[str], name: str) -> None:
    lines = play([name, "heuristic"])
    assert [problem for line in lines for problem in reference.check_transcript(line)] == []
    assert {line["bots"][0] for line in lines} == {name}


def test_python_and_compiled_play_the_same(loaded: list[str]) -> None:
    """The same idea in both forms gives the same events."""
    first, second = play(["lowest", "random"]), play(["lowest_compiled", "random"])
    assert [line["events"] for line in first] == [line["events"] for line in second]
    assert PlayView._fields[1] == "legal"


def test_overridden_stages_only(loaded: list[str]) -> None:
    assert all(line["result"]["declarer"] != 0 for line in play(["silent", "heuristic"]))
    setup = prepare(load_variant("bridgette"), [load_bot("silent")], 1)
    assert setup.bots[0].bidding.policy == "plugin"
    assert setup.bots[0].play.policy == "careful"


def test_the_slow_course_is_the_course() -> None:
    """With bots of the kernels in both seats, the course in Python gives their decisions, columns and totals."""
    from simcore import slow_course
    from simcore.raw_columns import new_deal_columns, new_match_columns
    from simcore.table import new_record

    for changes in ({}, {"auction.passed_out": "redeal", "exchange.upcard": "dealer_takes_it"}, {"exchange": {"kind": "none"}}):
        setup = setup_of(changes)
        chunk = play_chunk(setup, 0, 8, with_record=True)
        deals, matches, record = new_deal_columns(2, 400), new_match_columns(2, 8), new_record(400)
        n_rows, n_played = slow_course.play_matches(setup, (None, None), 0, 8, record, deals, matches)
        assert (n_rows, n_played) == (chunk.n_deals, 8)
        assert chunk.record is not None
        assert np.array_equal(record.dealt[:n_rows], chunk.record.dealt[:n_rows])
        assert np.array_equal(record.thrown[:n_rows], chunk.record.thrown[:n_rows])
        for seat in range(2):
            assert np.array_equal(deals.points[seat, :n_rows], chunk.deals[f"points_{seat}"])
            assert np.array_equal(matches.totals[seat], chunk.matches[f"total_{seat}"])
        for row in range(n_rows):
            n_calls = chunk.deals["calls"][row]
            assert np.array_equal(record.calls[row, :n_calls], chunk.record.calls[row, :n_calls])
            if not chunk.deals["passed_out"][row]:
                assert np.array_equal(record.tricks[row, :13], chunk.record.tricks[row, :13])


@pytest.mark.parametrize(("name", "message"), [("cheat", "no legal card"), ("nothing", "illegal card")])
def test_illegal_choices_are_refused(loaded: list[str], name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        play([name, "heuristic"])


def test_same_bytes_with_compiled_bots(loaded: list[str]) -> None:
    setup = prepare(load_variant("bridgette"), [load_bot("lowest_compiled"), load_bot("heuristic")], 5)
    whole = play_chunk(setup, 0, 40).deals
    parts = [play_chunk(setup, first, 10).deals for first in range(0, 40, 10)]
    for name, column in whole.items():
        assert np.array_equal(column, np.concatenate([part[name] for part in parts])), name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "lists no bots"),
        ("BOTS = []", "lists no bots"),
        ("BOTS = [1]", "lists no bots"),
        ("from simcore.plugins import CompiledBot\nBOTS = [CompiledBot('heuristic')]", "a name that no shipped bot has"),
    ],
)
def test_wrong_plugins(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        plugins.load_plugin(str(file))


def test_missing_plugins(tmp_path: Path) -> None:
    for name in (str(tmp_path / "none.py"), "no_such_module_anywhere"):
        with pytest.raises(InputError, match="--plugin"):
            plugins.load_plugin(name)


def test_a_python_bot_plays_no_trick_table(loaded: list[str]) -> None:
    variant, bots = load_variant("bridgette"), [load_bot("lowest"), load_bot("random")]
    with pytest.raises(InputError, match="bot lowest is in Python; allowed: contracts: auction"):
        prepare(variant, bots, 1, "deal", ("trick_table",))


def test_a_plugin_must_be_loaded(loaded: list[str]) -> None:
    """Settings of a plugin's bot, as a manifest keeps them, work only with the same plugin."""
    settings = load_bot("lowest").model_dump(mode="json")
    assert load_bot(settings).name == "lowest"
    changed = {**settings, "play": {**settings["play"], "digest": "0" * 16}}
    with pytest.raises(InputError, match="has changed"):
        load_bot(changed)
    plugins.REGISTRY.clear()
    with pytest.raises(InputError, match="not loaded; add --plugin"):
        load_bot(settings)


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples(example: Path) -> None:
    (name,) = plugins.load_plugin(str(example))
    lines = play([name, "heuristic"], 10)
    assert [problem for line in lines for problem in reference.check_transcript(line)] == []
