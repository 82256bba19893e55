"""Keep or throw by expected score: against plain Python, blind to what is unseen, refused where it cannot be, explained."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import RANDOM, Json, U, bots_of

from simcore import explain
from simcore.batch import play_chunk, prepare
from simcore.bots.choosing.expected import CHOICE_FEATURES, N_TURNS, Choosing
from simcore.bots.choosing.switch import keeps_first
from simcore.bots.explain.choosing import EXPLAINERS
from simcore.bots.view import ChooseView
from simcore.choice_model import CHOICE_FOLDER, read_choice_model
from simcore.cli import invoke
from simcore.codes import ExchangePolicy
from simcore.config import load_bot, load_variant
from simcore.config.shipped_files import configs_folder
from simcore.errors import InputError
from simcore.trick_model import CHOICES, choice_model_of, shipped_models

GAMES = ("draw_and_discard_bridge", "draw_and_discard_bridge_published")


SHIPPED = "draw_and_discard_bridge_published"
"""The model of both."""
KEEPER: Json = {**RANDOM, "name": "keeper", "exchange": {"policy": "expected", "model": SHIPPED}}
"""Its bidding and play need no model."""


def model() -> Any:
    return read_choice_model(shipped_models(CHOICES)[SHIPPED])


def suit_features(own: set[int], unseen: set[int]) -> list[int]:
    """What the model looks at in a suit, in plain Python; ranks from 0 (a two) to 12."""
    n = len(own)
    above = [sum(other > card for other in unseen) for card in own]
    by_above = [above.count(k) for k in range(5)]
    covered = [sum(card > other for card in own) for other in unseen]
    return [
        n, n == 0, n == 1, n == 2, max(n - 4, 0), max(n - 6, 0), *(rank in own for rank in (12, 11, 10, 9, 8)),
        *by_above, len(unseen), *(len(unseen) == k for k in range(3)), by_above[0] * n, by_above[0] == 0,
        covered.count(0), covered.count(1),
    ]  # fmt: skip


def worth(hand: set[int], unseen: set[int], weights: list[int]) -> int:
    """What a hand of cards 16 * suit + rank is worth."""
    suits = [({c % 16 for c in hand if c // 16 == s}, {c % 16 for c in unseen if c // 16 == s}) for s in range(4)]
    sums = np.sum([suit_features(*suit) for suit in suits], axis=0)
    longest, second = sorted((len(own) for own, _ in suits), reverse=True)[:2]
    of = dict(zip(CHOICE_FEATURES, weights, strict=True))
    by_suits = sum(int(a) * b for a, b in zip(sums, weights, strict=False))
    return by_suits + of[f"longest_{min(longest, 9)}"] + of[f"second_{min(second, 6)}"]


def position(chosen: random.Random) -> ChooseView:
    turn = chosen.randrange(N_TURNS)
    deck = [16 * suit + rank for suit in range(4) for rank in range(13)]
    chosen.shuffle(deck)
    hand, gone, first = deck[:turn], deck[turn : 2 * turn - chosen.randrange(turn + 1)], deck[2 * turn]
    unseen = set(deck) - {*hand, *gone, first}
    return ChooseView(bits(hand), bits([first]), bits(unseen), U(0), turn, N_TURNS, 0, U(1))


def bits(cards: Any) -> Any:
    return U(sum(1 << card for card in cards))


def cards(mask: Any) -> set[int]:
    return {bit for bit in range(64) if int(mask) >> bit & 1}


def test_it_decides_as_plain_python_does() -> None:
    """Hundreds of positions: keep if the hand with the card is worth at least the mean of the hands with each card unseen."""
    chosen, weights = random.Random(4), model().weights
    tables, params = Choosing(np.ascontiguousarray([weights])), np.zeros((1, 64), np.int64)
    found = []
    for _ in range(300):
        view = position(chosen)
        hand, unseen, row = cards(view.hand), cards(view.unseen), weights[view.turn].tolist()
        kept = worth(hand | cards(view.first), unseen, row)
        taken = sum(worth(hand | {card}, unseen - {card}, row) for card in unseen)
        keeps = int(keeps_first(ExchangePolicy.EXPECTED, view, params, U(0), tables))
        assert keeps == (kept * len(unseen) >= taken)
        assert keeps == EXPLAINERS["expected"](view, params[0].tolist(), tables).choice
        found.append(keeps)
    assert 60 < sum(found) < 240


def test_it_keeps_what_anybody_would() -> None:
    tables, params = Choosing(np.ascontiguousarray([model().weights])), np.zeros((1, 64), np.int64)

    def keeps(first: int, hand: list[int], turn: int) -> bool:
        unseen = {16 * suit + rank for suit in range(4) for rank in range(13)} - {first, *hand}
        view = ChooseView(bits(hand), bits([first]), bits(unseen), U(0), turn, N_TURNS, 0, U(1))
        return bool(keeps_first(ExchangePolicy.EXPECTED, view, params, U(0), tables))

    hearts = [32, 33, 34, 35, 42, 43]
    assert keeps(44, [], 0)
    assert keeps(44, hearts, 6)
    assert not keeps(16, [], 0)
    assert not keeps(18, hearts, 6)


def test_chunks_of_any_size_hold_the_same() -> None:
    setup = prepare(load_variant(GAMES[1]), bots_of(KEEPER, KEEPER), 5, "deal")
    assert setup.bot_table.choosing is not None
    assert setup.bot_table.keeping is None
    assert set(setup.bot_table.exchange) == {ExchangePolicy.EXPECTED}
    whole, parts = play_chunk(setup, 0, 60).deals, [play_chunk(setup, first, n).deals for first, n in ((0, 7), (7, 53))]
    for name, column in whole.items():
        assert np.array_equal(column, np.concatenate([part[name] for part in parts])), name


def test_which_model_it_uses() -> None:
    """The one it names, whatever the scoring table, or that of the rules and the points; else it keeps as keep_best does."""
    settings = load_bot("expected", ["exchange.policy=expected"]).exchange
    for game in (*map(load_variant, GAMES), load_variant(GAMES[0], ["scoring.nt_first=50"])):
        assert choice_model_of(settings, game).digest == model().digest
    unnamed = bots_of({**RANDOM, "exchange": {"policy": "expected"}})
    assert GAMES[1] == SHIPPED
    bots = prepare(load_variant(SHIPPED), unnamed, 1).bot_table
    assert bots.choosing is not None
    assert set(bots.exchange) == {ExchangePolicy.EXPECTED}
    others = ["exchange.discards_face_up=true"], ["scoring.undertricks.undoubled=[40]"]
    for game in (load_variant(GAMES[0]), *(load_variant(SHIPPED, changes) for changes in others)):
        bots = prepare(game, unnamed, 1).bot_table
        assert bots.choosing is None
        assert set(bots.exchange) == {ExchangePolicy.KEEP_BEST}
    assert prepare(load_variant(GAMES[1]), bots_of(RANDOM), 1).bot_table.choosing is None


def test_what_is_refused(tmp_path: Path) -> None:
    """Models that are not there, that are for other rules, of another kind, or changed."""
    variant = load_variant(GAMES[1])

    def refused(name: str, text: str, game: Any = variant) -> None:
        settings = load_bot("expected", ["exchange.policy=expected", f"exchange.model={name}"]).exchange
        with pytest.raises(InputError, match=text):
            choice_model_of(settings, game)

    refused("draw_and_discard_bridg", "exchange.model: there is no shipped model .*did you mean draw_and_discard_bridge")
    refused("none/such.json", "there is no file none/such.json")
    refused(SHIPPED, "was fitted for other rules.*discards_face_up is false there and true here\nmake one: simcore fit",
            load_variant(GAMES[1], ["exchange.discards_face_up=true"]))  # fmt: skip
    refused(str(shipped_models()["bridgette"]), "is a model of another kind")
    document = json.loads(shipped_models(CHOICES)[SHIPPED].read_text())
    document["weights"][3][2] += 1
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(document))
    refused(str(changed), "was changed")
    document["weights"] = document["weights"][1:]
    changed.write_text(json.dumps(document))
    refused(str(changed), "is no model of tricks: ValueError weights of shape")


def test_fits_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    for line, said in (
        ("fit bridgette --choosing", "--choosing: bridgette has exchange.kind upcard"),
        (f"fit {GAMES[0]} --choosing --exchange expected", "--exchange expected: with --choosing"),
    ):
        assert invoke(line.split()) == 2
        out, err = capsys.readouterr()
        assert said in err
        assert not out


def test_choices_are_explained() -> None:
    """The explanations raise where they do not lead to what was chosen; all policies have reasons with numbers."""
    variant = load_variant(GAMES[1])
    for policy in ("expected", "keep_best", "keep_high", "random"):
        named = {"model": SHIPPED} if policy == "expected" else {}
        bot = {**RANDOM, "name": policy, "exchange": {"policy": policy, **named}}
        setup = prepare(variant, bots_of(bot), 3, "deal")
        events = [e for line in explain.explain_transcripts(setup, 0, 3) for e in line["events"] if e["act"] == "choose"]
        assert len(events) == 3 * 26
        for event in events:
            why, keeps = event["explain"], event["kept"] == event["seen"][0]
            assert why["policy"] == policy
            assert why["rule"].startswith("keeps it" if keeps else "throws it")
            assert {"holds", "looks_at"} <= set(why["numbers"])
            if policy == "expected":
                assert (why["numbers"]["gain_of_keeping"] >= 0) == keeps or why["numbers"]["gain_of_keeping"] == 0
    open_game = load_variant(GAMES[1], ["exchange.discards_face_up=true", "exchange.second_seen_when_keeping=false"])
    keep_best = bots_of({**RANDOM, "exchange": {"policy": "keep_best"}})
    assert list(explain.explain_transcripts(prepare(open_game, keep_best, 3, "deal"), 0, 2))


@pytest.mark.long
def test_the_shipped_model_made_again(tmp_path: Path) -> None:
    """The command in the file gives the same bytes, but for versions (pytest -m long tests/test_choosing.py)."""
    shipped = configs_folder() / "models" / CHOICE_FOLDER / f"{SHIPPED}.json"
    made_by = json.loads(shipped.read_text())["provenance"]["made_by"]
    assert invoke([*made_by.split()[1:], "--out", str(tmp_path / "again.json")]) == 0
    found = [json.loads(path.read_text()) for path in (shipped, tmp_path / "again.json")]
    for document in found:
        document["provenance"].pop("versions")
    assert found[0] == found[1]
