"""Column groups on request: hands as the auction begins and cards thrown, as masks and as text, against transcripts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import simcore
from simcore.hands import hand_texts
from simcore.notation import hand_text, parse_card, parse_hand
from simcore.runs import read_table


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """A run with both groups."""
    out = tmp_path_factory.mktemp("columns") / "run"
    return simcore.run("bridgette", bots="random", matches=60, out=out, overrides=["chunk=25", "columns=[hands, exchange]"])


def test_hands_and_thrown_cards_are_those_of_the_transcripts(run: simcore.api.RunResult) -> None:
    deals = pd.read_parquet(run.out / "deals")
    lines = [line for line in simcore.deal("bridgette", 0, count=60, bots="random") if "events" in line]
    assert len(lines) == len(deals)
    for row, line in zip(deals.to_dict("records"), lines, strict=True):
        begin = next(event for event in line["events"] if event["act"] == "deal")
        for seat in (0, 1):
            hand = set(cards(parse_hand(begin["hands"][seat])))
            thrown: set[int] = set()
            for event in line["events"]:
                if event["act"] == "exchange" and event["seat"] == seat:
                    drew, discarded = (
                        {parse_card(card) for card in (event[key].split() if isinstance(event[key], str) else event[key])}
                        for key in ("drew", "discarded")
                    )
                    hand = (hand | drew) - discarded
                    thrown |= discarded
            for stem, expected in (("hand", hand), ("thrown", thrown)):
                mask = sum(1 << card for card in expected)
                assert row[f"{stem}_{seat}"] == mask
                assert row[f"{stem}_text_{seat}"] == hand_text(mask)


def cards(mask: int) -> list[int]:
    """Card numbers of a mask."""
    return [card for card in range(55) if mask >> card & 1]


def test_types_and_the_other_columns(run: simcore.api.RunResult, tmp_path: Path) -> None:
    schema = pq.read_schema(run.out / "deals" / "part-000000.parquet")
    assert str(schema.field("hand_0").type) == "uint64"
    assert str(schema.field("hand_text_1").type) == "string"
    assert b"seat 1" in schema.field("thrown_1").metadata[b"meaning"]
    assert run.deals()["hand_0"].dtype == np.uint64
    plain = simcore.run("bridgette", bots="random", matches=60, out=tmp_path / "plain", overrides=["chunk=25"])
    names = plain.deals().columns
    pd.testing.assert_frame_equal(run.deals()[list(names)], plain.deals())
    assert set(run.deals().columns) - set(names) == {
        f"{stem}_{seat}" for stem in ("hand", "hand_text", "thrown", "thrown_text") for seat in (0, 1)
    }
    one = simcore.run("bridgette", bots="random", matches=60, out=tmp_path / "one", overrides=["columns=[hands]"])
    assert read_table(one.out, "deals")["hand_1"].equals(read_table(run.out, "deals")["hand_1"])
    assert "thrown_0" not in one.deals().columns


@pytest.mark.nojit
def test_texts_of_any_cards() -> None:
    generator = np.random.default_rng(4)
    masks = generator.integers(0, 2**55, 300, dtype=np.uint64) & generator.integers(0, 2**55, 300, dtype=np.uint64)
    masks = np.r_[masks, np.array([0, 2**55 - 1, 2**52, 2**54, 1], np.uint64)]
    text, ends = hand_texts(masks)
    found = [bytes(text[one:other]).decode() for one, other in zip(ends, ends[1:], strict=False)]
    assert found == [hand_text(int(mask)) for mask in masks]
    assert hand_texts(np.zeros(0, np.uint64))[1].tolist() == [0]
