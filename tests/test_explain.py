"""Explanations: of every decision of every shipped bot the rule leads to the very choice that the kernels made."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from helpers import BOLD, HEURISTIC, RANDOM, Json, lines_of, setup_of
from options import SINGLE
from test_cli import Cli, cli  # noqa: F401

import simcore
from simcore import explain
from simcore.bots.explain.reason import Reason
from simcore.codes import BiddingPolicy, ExchangePolicy, PlayPolicy
from simcore.config import load_bot, shipped
from simcore.errors import SimcoreError
from simcore.referee import violations_of
from simcore.replay import replay_lines

NOVICE: Json = load_bot("novice").model_dump(mode="json")
SPENDING: Json = {**HEURISTIC, "name": "spending", "exchange": {"policy": "keep_best", "keep_colons": False}}
DOUBLING: Json = {
    **HEURISTIC,
    "name": "doubling",
    "bidding": {"policy": "points", "double_margin": -2, "redouble_margin": -1, "margin": -1.5},
}
SHY: Json = {**HEURISTIC, "name": "shy", "bidding": {"policy": "points", "margin": 1.5, "compete": -0.5}}
WILD: Json = {**NOVICE, "name": "wild", "bidding": {"policy": "high_cards", "opening": 9, "per_level": 1, "double_from": 12}}
TABLES = [(HEURISTIC,), (NOVICE,), (RANDOM,), (HEURISTIC, NOVICE), (BOLD, HEURISTIC), (SPENDING, DOUBLING), (SHY, WILD)]


def explained(setup: object, first: int, count: int) -> list[Json]:
    return [line for line in explain.explain_transcripts(setup, first, count) if "events" in line]  # type: ignore[arg-type]


def decisions(lines: list[Json]) -> list[Json]:
    return [event for line in lines for event in line["events"] if event["act"] in ("exchange", "call", "play")]


@pytest.mark.parametrize("bots", TABLES, ids=lambda bots: " ".join(bot["name"] for bot in bots))
def test_the_explained_choice_is_the_recorded_one(bots: tuple[Json, ...]) -> None:
    """`explain_transcripts` raises where it is not; thousands of decisions of each kind."""
    found = decisions(explained(setup_of({}, bots, seed=31), 0, 8))
    assert len(found) > 1000
    assert all({"policy", "rule", "numbers"} == set(event["explain"]) for event in found)


OTHER_RULES = (
    "no exchange", "dealer takes the upcard", "redeal", "both bar options", "a led colon must be beaten",
    "no duty to follow, all colon options", "jump by the ladder", "no colons",
)  # fmt: skip


@pytest.mark.parametrize("name", OTHER_RULES)
def test_under_other_rules(name: str) -> None:
    for bots in ((HEURISTIC, NOVICE), (DOUBLING, WILD)):
        assert decisions(explained(setup_of(SINGLE[name], bots, seed=4), 3, 2))


def test_every_rule_of_the_shipped_bots_fires() -> None:
    """Each explanation that can be given is given somewhere: none is dead text."""
    rules = Counter(
        event["explain"]["rule"].split(":")[0].split(" of ")[0]
        for bots in TABLES
        for event in decisions(explained(setup_of({}, bots, seed=77), 0, 4))
    )
    for begins in (
        "bids the highest", "competes", "doubles", "redoubles", "passes", "draws trumps", "leads the top", "leads a trump",
        "leads a colon", "wins as cheaply", "wins with its lowest trump", "cannot win", "leads its highest", "plays the colon",
        "bids its longest suit", "throws the lowest cards", "draws one", "wins with its highest",
    ):  # fmt: skip
        assert any(rule.startswith(begins) for rule in rules), begins


def test_every_policy_has_an_explainer() -> None:
    for enum, known in ((ExchangePolicy, explain.EXCHANGE), (BiddingPolicy, explain.BIDDING), (PlayPolicy, explain.PLAY)):
        # perfect sees more than a view: explained from the events (tests/test_oracle.py); sampling: tests/test_expert.py
        assert {policy.name.lower() for policy in enum} - {"compiled", "perfect", "sampling"} == {*known, "random"}


def test_explanations_change_nothing_else() -> None:
    """Without their explanations the transcripts are those of `play_transcripts`, and replay accepts them."""
    setup = setup_of({}, (HEURISTIC, RANDOM), seed=12)
    lines = list(explain.explain_transcripts(setup, 5, 3))
    assert replay_lines(json.dumps(line) for line in lines).violations == []
    for line in lines:
        for event in line.get("events", ()):
            event.pop("explain", None)
    assert lines == lines_of(setup, 5, 3)
    assert [found for line in lines if "events" in line for found in violations_of(line)] == []


def test_a_wrong_explanation_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(view: object, params: object) -> Reason:
        reason = right(view, params)  # type: ignore[arg-type]
        return reason._replace(choice=0 if reason.choice else 5 + 8)

    right = explain.BIDDING["points"]
    monkeypatch.setitem(explain.BIDDING, "points", wrong)
    with pytest.raises(SimcoreError, match="explanation of points leads to"):
        explained(setup_of({}, (HEURISTIC,), seed=1), 0, 1)


def test_command(cli: Cli) -> None:  # noqa: F811
    for bot in shipped("bots"):
        shown = cli("deal", "bridgette", "--match", "3", "--unit", "deal", "--bots", bot, "--explain")
        assert shown.code == 0
        assert "throws" in shown.out
    assert "keep_high: throws the lowest" in cli("deal", "bridgette", "--bots", "novice", "--explain").out
    result = cli("deal", "bridgette", "--match", "3", "--explain", "--json")
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert lines == list(simcore.deal("bridgette", 3, explain=True))
    assert all("explain" in event for event in decisions([line for line in lines if "events" in line]))
