"""Outside referees: a small sample of OpenSpiel's Oh Hell, replayed; contract bridge scored by OpenSpiel and endplay.

``make referee`` plays 10,000 games; the whole sheet of OpenSpiel's bridge: ``python -m pytest -m long
tests/test_outside_referee.py``.
"""

from __future__ import annotations

import json

import outside_referee
import pytest

import simcore
from simcore.config import Variant, load_variant
from simcore.notation import Contract
from simcore.phases.scoring.contracts import result_tenths

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'bridgette-lab[referee]'")
pytest.importorskip("endplay", reason="endplay is not installed: pip install 'bridgette-lab[referee]'")

PRESETS = ("draw_bridge_published", "draw_and_discard_bridge_published")
"""Variants whose failed contracts cost what they do in contract bridge, not vulnerable."""


@pytest.mark.parametrize(("players", "cards"), [(3, 2), (3, 17), (4, 10), (5, 1), (6, 8)])
def test_games_of_openspiel(players: int, cards: int) -> None:
    """Same actions at every step, same winners, same returns."""
    found = outside_referee.referee(players, cards, 20)
    assert found.faults == []
    assert found.steps == 20 * players * (1 + cards)


def test_other_rules_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the duty of the last caller, and without points for missed calls, games differ."""
    games = [("auction.total_may_equal_tricks=true", "OpenSpiel allows"), ("scoring.failed=zero", "points")]
    for change, word in games:
        changes = ["players=3", "deal.cards=2", "match.deals=1", outside_referee.DUTY_OF_THE_LAST, change]
        variant = load_variant("oh_hell_openspiel", changes)
        monkeypatch.setattr(outside_referee, "variant_of", lambda players, cards, variant=variant: variant)
        outside_referee.rules_of.cache_clear()
        faults = outside_referee.referee(3, 2, 20).faults
        outside_referee.rules_of.cache_clear()
        assert faults
        assert all(word in fault for fault in faults)


def test_a_wrong_winner_is_noticed() -> None:
    import random

    game = outside_referee.play(4, 3, random.Random(1))
    line = json.loads(json.dumps(game.transcript))
    trick = next(event for event in line["events"] if event["act"] == "trick")
    trick["winner"] = (trick["winner"] + 1) % 4
    assert simcore.replay([json.dumps(game.transcript)]).violations == []
    assert [v["rule"] for v in simcore.replay([json.dumps(line)]).violations] == ["trick_winner"]


# --- contract bridge --------------------------------------------------------------------------------------------------


def points_of(variant: Variant, cell: outside_referee.Cell) -> float:
    """Declarer's points, minus his opponent's."""
    level, strain, doubling, tricks = cell
    contract = Contract(level, outside_referee.STRAINS.index(strain), {1: 0, 2: 1, 4: 2}[doubling])
    return result_tenths(variant.scoring, contract, tricks) / 10


@pytest.mark.parametrize("preset", PRESETS)
def test_undertricks_are_those_of_contract_bridge(preset: str) -> None:
    """Every contract, doubling and number of tricks that fails: what endplay says, not vulnerable."""
    variant, sheet = load_variant(preset), outside_referee.endplay_sheet(vulnerable=False)
    failed = [cell for cell in sheet if cell[3] < cell[0] + 6]
    assert len(failed) == 3 * 5 * sum(range(7, 14))
    assert {cell: points_of(variant, cell) for cell in failed} == {cell: sheet[cell] for cell in failed}


@pytest.mark.parametrize("preset", [*PRESETS, "draw_bridge", "draw_and_discard_bridge"])
def test_tricks_score_as_in_contract_bridge(preset: str) -> None:
    """Undoubled, and doubled with just the tricks bid: what endplay says, less the bonuses, which these games do not have."""
    variant, sheet = load_variant(preset), outside_referee.endplay_sheet(vulnerable=False)
    compared = 0
    for (level, strain, doubling, tricks), score in sheet.items():
        over = tricks - level - 6
        if over < 0 or (doubling > 1 and over > 0):
            continue
        bid_worth = doubling * ((20 if strain in "CD" else 30) * level + (10 if strain == "NT" else 0))
        bonus = (300 if bid_worth >= 100 else 50) + {6: 500, 7: 1000}.get(level, 0) + {1: 0, 2: 50, 4: 100}[doubling]
        assert points_of(variant, (level, strain, doubling, tricks)) == score - bonus, (level, strain, doubling, tricks)
        compared += 1
    assert compared == 5 * (sum(range(1, 8)) + 2 * 7)


def test_openspiel_scores_bridge_as_endplay_does() -> None:
    """Cells that come up in a few deals; all of them below."""
    found = outside_referee.openspiel_sheet(vulnerable=False, deals=2)
    sheet = outside_referee.endplay_sheet(vulnerable=False)
    assert len(found) >= 105
    assert found == {cell: sheet[cell] for cell in found}


@pytest.mark.long
@pytest.mark.parametrize("vulnerable", [False, True])
def test_every_cell_of_bridge(vulnerable: bool) -> None:
    """All 1470 cells, with deals in which any number of tricks is taken in any strain."""
    sheet = outside_referee.endplay_sheet(vulnerable)
    assert outside_referee.openspiel_sheet(vulnerable, deals=280) == sheet
    assert len(sheet) == 7 * 5 * 3 * 14
