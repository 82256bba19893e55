"""Bidding by expected score: features, tables of expected scores, beliefs, models and their fit, auctions over trick tables."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import EXPECTED, HEURISTIC, U, deals_of, mask, setup_of
from reference import cards as reference_cards
from test_cli import Cli, cli  # noqa: F401

from analysis import beliefs, distributions
from analysis.calibration import worst_gap
from analysis.fitting import Fitting, bot_of, fit_model
from simcore import auctions
from simcore.batch import play_chunk, prepare
from simcore.bits import I
from simcore.bots.bidding.hand_features import FEATURES, N_FEATURES, write_features
from simcore.bots.view import AuctionView
from simcore.codes import GRID_STEP, PROB_UNIT, TENTHS
from simcore.config import Bot, load_bot, load_run, load_variant
from simcore.errors import InputError
from simcore.notation import Contract
from simcore.phases.scoring.contracts import score_contract
from simcore.referee import violations_of
from simcore.trick_model import build_expected, model_of, read_model, set_of, shipped_models, write_model
from simcore.trick_tables import Outcomes
from simcore.used_models import models_for

RANKS = "23456789TJQKA"
MODELS = sorted(shipped_models())
BRIDGETTE = load_variant("bridgette")


def bot_with(**bidding: Any) -> Bot:
    """The shipped bot with other settings of its bidding."""
    return load_bot("expected", [f"bidding.{key}={json.dumps(value)}" for key, value in bidding.items()])


# --- what it looks at ------------------------------------------------------------------------------------------------


def suit_numbers(own: list[str], unseen: list[str]) -> dict[str, int]:
    """Features of a suit, from ranks."""
    own_ranks, his = [RANKS.index(rank) for rank in own], [RANKS.index(rank) for rank in unseen]
    above = [sum(other > rank for other in his) for rank in own_ranks]
    below = [sum(rank > other for rank in own_ranks) for other in his]
    n, masters = len(own), above.count(0)
    return {
        "length": n, "void": n == 0, "singleton": n == 1, "doubleton": n == 2, "over_four": max(n - 4, 0),
        "over_six": max(n - 6, 0), "ace": "A" in own, "king": "K" in own, "queen": "Q" in own, "jack": "J" in own,
        "ten": "T" in own, "masters": masters, "above_1": above.count(1), "above_2": above.count(2), "above_3": above.count(3),
        "above_4": above.count(4), "unseen": len(his), "unseen_0": len(his) == 0, "unseen_1": len(his) == 1,
        "unseen_2": len(his) == 2,
        "masters_length": masters * n, "no_master": masters == 0, "below_0": below.count(0), "below_1": below.count(1),
    }  # fmt: skip


def numbers_of(hand: list[str], unseen: list[str], upcard: str, strain: int) -> dict[str, int]:
    """All features by name, worked out from lists of cards."""
    suits = {s: suit_numbers([c[1] for c in hand if c[0] == s], [c[1] for c in unseen if c[0] == s]) for s in "CDHS"}
    trump = "CDHS"[strain] if strain < 4 else None
    found: dict[str, int] = dict.fromkeys(FEATURES, 0)
    turned = upcard if upcard in ("GC", "RC", "LC") else upcard[1]
    found |= {
        "one": 1, "face_turned": turned in ("J", "Q", "K", "RC"), "ace_turned": turned in ("A", "GC"), "grand": "GC" in hand,
        "royal": "RC" in hand, "little": "LC" in hand, "colons_unseen": sum(c in unseen for c in ("GC", "RC", "LC")),
    }  # fmt: skip
    for letter, numbers in suits.items():
        for name, value in numbers.items():
            found[f"{'trump' if letter == trump else 'side'}_{name}"] += value
    side = [numbers for letter, numbers in suits.items() if letter != trump]
    if trump:
        own = suits[trump]
        found["length_voids"] = own["length"] * sum(s["void"] for s in side)
        found["length_singletons"] = own["length"] * sum(s["singleton"] for s in side)
        found["length_doubletons"] = own["length"] * sum(s["doubleton"] for s in side)
        found["length_masters"] = own["length"] * sum(s["masters"] for s in side)
        found["length_unseen"] = own["length"] * own["unseen"]
        found["masters_masters"] = own["masters"] * sum(s["masters"] for s in side)
    else:
        masters = sum(s["masters"] for s in side)
        found["length_voids"] = masters * sum(s["no_master"] for s in side)
        found["length_singletons"] = masters * max(s["length"] for s in side)
    return found


def test_features_are_what_they_say() -> None:
    chosen = random.Random(5)
    pack = [c for c in reference_cards.DRAW_ORDER if len(c) == 2]
    for _ in range(40):
        cards = chosen.sample(pack, 55)
        hand, gone, upcard = cards[:13], cards[13 : chosen.choice((15, 25, 41))], cards[54]
        unseen = [c for c in pack if c not in hand and c not in gone and c != upcard]
        kinds = AuctionView.__annotations__
        zeros: dict[str, Any] = {name: U(0) if "uint64" in str(kind) else 0 for name, kind in kinds.items()}
        view = AuctionView(**{**zeros, "hand": mask(hand), "unseen": mask(unseen), "upcard": mask([upcard])})
        for strain in range(5):
            row = np.zeros(N_FEATURES)
            write_features(view, I(strain), row)
            assert dict(zip(FEATURES, row.astype(int).tolist(), strict=True)) == numbers_of(hand, unseen, upcard, strain)


def test_scores_are_expectations_under_the_table() -> None:
    """Against the points of single results."""
    model = model_of(bot_with().bidding, BRIDGETTE)
    setup = setup_of({}, (EXPECTED,))
    scores = build_expected([model], setup.rules).scores
    chosen = random.Random(3)
    for _ in range(60):
        state, role, who, doubling = (chosen.randrange(n) for n in (3, 2, 2, 3))
        level, strain = chosen.choice([(0, 4), (1, 0), (2, 3), (4, 2), (5, 1), (6, 4), (7, 3)])
        row = chosen.randrange(1300 // GRID_STEP + 1)
        chances = model.tricks[state, role, set_of(strain, who), row]
        points = [score_contract(BRIDGETTE, Contract(level, strain, doubling), t)["points"] for t in range(14)]
        due = sum(int(p) * (each["declarer"] - each["opponent"]) for p, each in zip(chances, points, strict=True))
        assert scores[0, state, role, who, strain, row, doubling, level] == due * TENTHS


# --- how it bids -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dealt() -> Any:
    """Deals with their trick table, of seed 41."""
    return auctions.collect(prepare(BRIDGETTE, [load_bot("heuristic")], 41, "deal"), 4000)


def test_auctions_over_a_trick_table_are_those_of_a_run(dealt: Any) -> None:
    setup = prepare(BRIDGETTE, [load_bot("expected"), load_bot("heuristic")], 41, "deal", ("trick_table",))
    outcomes = auctions.hold(setup, dealt, workers=2, with_calls=True)
    chunk = play_chunk(setup, 0, 1500, with_record=True)
    assert chunk.record is not None
    found = chunk.deals
    bid = np.where(found["passed_out"], -1, 5 * found["level"].astype(int) + found["strain"])
    assert (outcomes.bid[:1500] == bid).all()
    assert (outcomes.calls[:1500] == chunk.record.calls[:1500])[np.arange(128) < outcomes.n_calls[:1500, None]].all()
    assert (outcomes.tricks[:1500] == found["tricks"]).all()  # careful play knows no level
    declarer = np.where(outcomes.declarer[:1500] == 0, found["points_0"], found["points_1"])
    assert (np.maximum(outcomes.tenths[:1500], 0) == np.where(bid < 0, 0, declarer)).all()
    for seat in (0, 1):
        for strain, name in enumerate(("C", "D", "H", "S", "NT")):
            assert (dealt.trick_table[5 * seat + strain, :1500] == found[f"tricks_{name}_{seat}"]).all()


@pytest.mark.parametrize("factor", [2.0, 1.7])
def test_auctions_know_no_scale(dealt: Any, factor: float) -> None:
    """A table whose numbers are all larger by one factor gives the same auctions."""
    setup = setup_of({}, (EXPECTED,), seed=41, unit="deal")
    tenths = setup.rules.score.tenths * 10  # so that 1.7 of each is a whole number
    held = []
    for by in (1.0, factor):
        score = setup.rules.score._replace(tenths=np.rint(tenths * by).astype(np.int32))
        rules = setup.rules._replace(score=score)
        table = setup.bot_table._replace(expected=build_expected([model_of(bot_with().bidding, BRIDGETTE)], rules))
        held.append(auctions.hold(replace(setup, rules=rules, bot_table=table), dealt))
    assert (held[0].bid == held[1].bid).all()
    assert (held[0].doubling == held[1].doubling).all()
    assert len(np.unique(held[0].bid)) > 15


def test_beliefs_and_guards_keep_it_sane(dealt: Any) -> None:
    """Without beliefs every double is redoubled; with them few are, and those that are make more often."""
    held = {
        name: auctions.hold(prepare(BRIDGETTE, [bot], 1, "deal"), dealt)
        for name, bot in {"shipped": bot_with(), "deaf": bot_with(beliefs=False), "trusting": bot_with(guard=0)}.items()
    }
    redoubled = {name: float((found.doubling == 2).mean()) for name, found in held.items()}
    doubled = {name: float((found.doubling == 1).mean()) for name, found in held.items()}
    assert redoubled["deaf"] > 0.3
    assert redoubled["deaf"] > 0.85 * (redoubled["deaf"] + doubled["deaf"])
    assert redoubled["shipped"] < 0.09
    assert doubled["shipped"] < 0.15
    assert doubled["trusting"] > 2 * doubled["shipped"]
    shipped = held["shipped"]
    assert (shipped.bid >= 0).mean() > 0.99
    assert 0.35 < (shipped.tenths > 0).mean() < 0.65
    made = [float((shipped.tenths[shipped.doubling == doubling] > 0).mean()) for doubling in (1, 2)]
    assert made[0] < made[1]


def test_it_runs_from_doubles_once(dealt: Any) -> None:
    """Running on from strain to strain, as if each double were the first, would end at level 7."""
    outcomes = auctions.hold(prepare(BRIDGETTE, [bot_with()], 1, "deal"), dealt, with_calls=True)
    ran = 0
    for calls, n in zip(outcomes.calls, outcomes.n_calls, strict=True):
        kinds = "".join("b" if call >= 8 else "pxr"[call] for call in calls[:n])
        ran += "bxb" in kinds
        assert "bxbxb" not in kinds
    assert ran > 50


def test_decisions_depend_on_the_table() -> None:
    """With games worth nothing nobody jumps to game; the bot says that it reads the table."""
    assert load_bot("expected").reads.table
    dear = setup_of({"scoring.undertricks.undoubled": [900, 1200, 1500]}, (EXPECTED,), seed=5, unit="deal")
    usual = setup_of({}, (EXPECTED,), seed=5, unit="deal")
    rates = [play_chunk(setup, 0, 1500).deals["made"] == 1 for setup in (dear, usual)]
    assert rates[0].mean() > rates[1].mean() + 0.08


def test_transcripts_are_legal() -> None:
    for changes in ({}, {"auction.jump": "ladder", "auction.lowest_bid": "1C"}, {"auction.doubles": False}):
        for line in deals_of(setup_of(changes, (EXPECTED, HEURISTIC), seed=8), 0, 3):
            assert list(violations_of(line)) == []


# --- models ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_shipped_models_are_sound(name: str) -> None:
    model = read_model(shipped_models()[name])
    variant, kept_by = model.provenance["variant"], model.provenance["exchange"]["policy"]
    assert name == (variant if kept_by == "keep_best" else f"{variant}_{kept_by}")
    assert model.provenance["variant_digest"] == load_variant(variant).digest()
    assert (model.tricks.sum(axis=-1) == PROB_UNIT).all()
    reliability = model.calibration["reliability"]
    assert all(row["n"] >= 10_000 for row in reliability)
    assert worst_gap(model.calibration) < 0.02
    assert model.calibration["log_loss"]["model"] < 0.8 * model.calibration["log_loss"]["base_rate"]
    firsts = sorted((part["first"], part["n"]) for part in model.provenance["deals"].values())
    assert all(first + n <= second for (first, n), (second, _) in zip(firsts, firsts[1:]))
    bot = load_bot("expected", [f"exchange.policy={kept_by}"])
    assert models_for(bot, load_variant(variant))["bidding"].digest == model.digest


def test_there_is_a_model_for_every_contract_game() -> None:
    assert {"bridgette", "draw_bridge_published", "draw_and_discard_bridge_published"} <= set(MODELS)


def test_wrong_models_are_refused(tmp_path: Path) -> None:
    other = load_variant("bridgette", ["exchange.dealer_draw.ace=11"])
    with pytest.raises(InputError, match=r"dealer_draw\.ace is 12 there and 11 here\nmake one: simcore fit"):
        model_of(bot_with().bidding, other)
    with pytest.raises(InputError, match="did you mean bridgette"):
        model_of(bot_with(model="bridgete").bidding, BRIDGETTE)
    with pytest.raises(InputError, match=r"there is no file .*missing\.json"):
        model_of(bot_with(model=str(tmp_path / "missing.json")).bidding, BRIDGETTE)
    text = shipped_models()["bridgette"].read_text(encoding="utf-8")
    (tmp_path / "changed.json").write_text(text.replace('"one"', '"two"'))
    with pytest.raises(InputError, match="another version"):
        model_of(bot_with(model=str(tmp_path / "changed.json")).bidding, BRIDGETTE)
    document = json.loads(text)
    document["weights"]["dealer"]["suit_own"][0] += 1
    (tmp_path / "edited.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match="was changed: its digest"):
        model_of(bot_with(model=str(tmp_path / "edited.json")).bidding, BRIDGETTE)
    with pytest.raises(InputError, match="has changed since"):
        model_of(bot_with(digest="0" * 16).bidding, BRIDGETTE)


def test_models_survive_their_file(tmp_path: Path) -> None:
    shipped = shipped_models()["bridgette"]
    write_model(read_model(shipped), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == shipped.read_bytes()


def test_runs_note_the_model() -> None:
    """So that a run goes on with the same model only."""
    run = load_run({"variant": "bridgette", "bots": "expected", "deals": 10})
    assert run.bots[0].bidding.digest == model_of(bot_with().bidding, BRIDGETTE).digest  # type: ignore[union-attr]


# --- the fit ---------------------------------------------------------------------------------------------------------


def test_a_fit_is_the_same_again_and_calibrated(tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    """With any number of threads, in Python and as a command."""
    variant = BRIDGETTE
    model = fit_model(Fitting(variant, bot_of("careful"), 8000, 3, workers=2))
    write_model(model, tmp_path / "one.json")
    options = ("--deals", "8000", "--seed", "3", "--workers", "1", "--out", str(tmp_path / "two.json"), "--json")
    result = cli("fit", variant.name, "--play", "careful", *options)
    assert result.code == 0
    assert (tmp_path / "two.json").read_bytes() == (tmp_path / "one.json").read_bytes()
    document = json.loads(result.out)
    assert document["digest"] == model.digest
    assert document["calibration"]["reliability"] == model.calibration["reliability"]
    assert worst_gap(model.calibration) < 0.03
    shipped = read_model(shipped_models()[variant.name])
    assert np.abs(model.calibration["log_loss"]["model"] - shipped.calibration["log_loss"]["model"]) < 0.005


def test_fit_refuses_what_it_cannot_do(cli: Cli) -> None:  # noqa: F811
    for words, said in (
        (("fit", "bridgette", "--play", "perfect"), "allowed: careful, eager, random"),
        (("fit", "bridgette", "--exchange", "best"), "allowed: keep_best, keep_high, expected, random"),
        (("fit", "bridgette", "--deals", "5"), "allowed: 1000 .. "),
        (("fit", "bridgete"), "did you mean 'bridgette'"),
        (("fit", "bridgette", "--out", "nowhere/at/all.json"), "no folder nowhere/at"),
    ):
        result = cli(*words)
        assert result.code == 2, words
        assert said in result.err, words


@pytest.mark.long
@pytest.mark.parametrize("name", ["bridgette", "bridgette_expected"])
def test_the_shipped_model_is_made_again(name: str, tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    made = read_model(shipped_models()[name]).provenance
    words = made["made_by"].split()[1:]
    assert cli(*words, "--out", str(tmp_path / "again.json")).code == 0
    assert (tmp_path / "again.json").read_bytes() == shipped_models()[name].read_bytes()


def test_few_deals_smooth_as_many_do() -> None:
    """Otherwise a bidder would be another by the number of deals its beliefs were fitted to."""
    drawn = np.random.default_rng(1)
    counts = drawn.poisson(0.5, (distributions.N_MEANS, distributions.N_RESULTS)).astype(float)
    few, many = (distributions.smoothed(k * counts, enough=k * 50.0) for k in (1, 8))
    assert (few == many).all()
    assert (few != distributions.smoothed(counts)).any()  # 400 cases for a row are the same only with as many deals
    sums = drawn.uniform(1, 2, (2, 2, 4, 5)) * [50, 10, 60, 20, 30]
    assert np.allclose(beliefs._solved(sums, 25.0), beliefs._solved(8 * sums, 200.0))
    silent = Outcomes(*(np.zeros(1, np.int8) for _ in Outcomes._fields))
    means = np.zeros((2, 2, 5, 1), np.int64)
    shares = {n: beliefs.Hearing(means.repeat(n, axis=-1), means[0], silent, 0).share for n in (2000, 15_000, 60_000, 400_000)}
    assert shares == {2000: 1 / 8, 15_000: 1 / 8, 60_000: 1 / 2, 400_000: 1}
