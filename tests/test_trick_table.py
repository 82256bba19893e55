"""contracts: all: the trick table against the reference engine, and the imposed rates made of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers import RANDOM, setup_of
from reference import streams
from reference.bridgette import variant as reference_variant
from reference.cards import parse_hand
from reference.game import play_tricks

import simcore
from analysis.imposed import has_trick_table, imposed_rates, mean_tricks
from simcore.batch import Setup, play_chunk
from simcore.columns import STRAIN_NAMES
from simcore.errors import InputError
from simcore.transcript import play_transcripts


def with_table(setup: Setup) -> Setup:
    return Setup(setup.variant, setup.bots, setup.seed, setup.unit, setup.rules, setup.bot_table, ("trick_table",))


def test_against_the_reference() -> None:
    """Each of the ten plays of a deal, with the streams of docs/random-streams.md, section 4."""
    rules = reference_variant({})
    setup = with_table(setup_of({}, (RANDOM,), seed=5, unit="deal"))
    chunk = play_chunk(setup, 0, 40)
    for row, line in enumerate(play_transcripts(setup, 0, 40)):
        hands = [parse_hand(text) for text in line["events"][0]["hands"]]
        for event in line["events"][1:3]:
            held = hands[event["seat"]] + event["drew"]
            hands[event["seat"]] = [card for card in held if card not in event["discarded"]]
        deal_key = streams.derive(streams.match_key(5, row), 1)
        for declarer in range(2):
            for place, strain in enumerate(STRAIN_NAMES):
                key = streams.derive(deal_key, 64 + 5 * declarer + place)
                tricks, _ = play_tricks(rules, key, hands, f"1{strain}", declarer)
                assert chunk.deals[f"tricks_{strain}_{declarer}"][row] == tricks[declarer]


def test_nothing_else_changes() -> None:
    setup = setup_of({}, seed=9)
    plain, full = play_chunk(setup, 0, 30), play_chunk(with_table(setup), 0, 30)
    assert set(full.deals) - set(plain.deals) == {f"tricks_{strain}_{seat}" for strain in STRAIN_NAMES for seat in range(2)}
    for name, column in plain.deals.items():
        assert np.array_equal(column, full.deals[name]), name


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> simcore.runs.RunResult:
    out = tmp_path_factory.mktemp("all") / "run"
    return simcore.run("bridgette", bots="random", deals=3000, unit="deal", contracts="all", out=out, overrides=["chunk=700"])


def test_imposed_rates_count_the_table(run: simcore.runs.RunResult) -> None:
    deals = run.deals()
    assert has_trick_table(run)
    report = imposed_rates(run)
    assert len(report.rows) == 36
    for row in report.rows:
        level, strain = row.key
        made = sum(int((deals[f"tricks_{strain}_{seat}"] >= 6 + level).sum()) for seat in range(2))
        assert (row.made, row.rate.n) == (made, 6000)
        assert row.rate.low <= made / 6000 <= row.rate.high
    by_role = imposed_rates(run, by_role=True)
    assert len(by_role.rows) == 72
    assert sum(row.made for row in by_role.rows) == sum(row.made for row in report.rows)
    as_dealer = next(row for row in by_role.rows if row.key == (2, "H", "dealer"))
    tricks = deals["tricks_H_0"].where(deals["dealer"] == 0, deals["tricks_H_1"])
    assert as_dealer.made == int((tricks >= 8).sum())
    means = mean_tricks(run)
    assert means["NT"] == pytest.approx((deals["tricks_NT_0"].mean() + deals["tricks_NT_1"].mean()) / 2)
    assert report.as_json()["rows"][0]["level"] == 0


def test_two_sides_of_a_deal_are_one_cluster() -> None:
    """Sides that always agree say as much as one; sides that always differ say it exactly."""
    from analysis.imposed import _both_sides

    alike = np.zeros((14, 14), np.int64)
    alike[10, 10], alike[3, 3] = 400, 400
    unlike = np.zeros((14, 14), np.int64)
    unlike[10, 3], unlike[3, 10] = 400, 400
    wide, narrow = _both_sides(alike, 8).rate, _both_sides(unlike, 8).rate
    assert wide.estimate == narrow.estimate == 0.5
    assert wide.high is not None
    assert narrow.high is not None
    assert wide.high - 0.5 == pytest.approx(1.96 * 0.5 / 800**0.5, rel=0.02)
    assert narrow.high - 0.5 <= wide.high - 0.5


def test_other_runs_have_none(tmp_path: Path) -> None:
    run = simcore.run("bridgette", bots="random", deals=60, out=tmp_path / "run")
    assert not has_trick_table(run)
    with pytest.raises(InputError, match="no trick table; run it again with --contracts all"):
        imposed_rates(run)
