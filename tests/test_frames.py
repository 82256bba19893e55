"""The functions of `analysis.frames` against the same numbers from pandas, by hand, or by other functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import simcore
from analysis import frames, make_rates, score_summary
from analysis.estimates import ClusterSums, clustered_mean, clustered_rate
from analysis.frames.basics import ESTIMATE
from analysis.frames.luck import _parts
from simcore.errors import InputError

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    out = tmp_path_factory.mktemp("frames") / "run"
    return simcore.run("bridgette", bots="heuristic", deals=9000, seed=6, out=out, overrides=["chunk=400"])


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """The same run as sums."""
    out = tmp_path_factory.mktemp("frames") / "sums"
    return simcore.run("bridgette", bots="heuristic", deals=9000, seed=6, output="summary", out=out)


@pytest.fixture(scope="module")
def deals(made: simcore.api.RunResult) -> pd.DataFrame:
    return made.deals()


def cluster_sums(frame: pd.DataFrame, values: pd.Series) -> ClusterSums:
    """Sums over matches, from pandas."""
    both = pd.DataFrame({"match": frame["match"], "y": values.astype(float)})
    n, y = both.groupby("match")["y"].agg(["size", "sum"]).to_numpy(float).T
    return ClusterSums(int(n.sum()), float(y.sum()), n @ n, n @ y, y @ y, float((values.astype(float) ** 2).sum()))


def assert_row(row: Any, expected: Any) -> None:
    """A row of a frame holds an estimate."""
    assert row["n"] == expected.n
    assert row["method"] == expected.method
    assert (row["estimate"], row["low"], row["high"]) == pytest.approx((expected.estimate, expected.low, expected.high))


EVERY: dict[str, Callable[[Any], pd.DataFrame]] = {
    "rates": lambda run: frames.rates(run, ["upcard_class"]),
    "shares": lambda run: frames.shares(run, ["dealer"]),
    "contracts": frames.contracts,
    "tricks": frames.tricks,
    "points": lambda run: frames.points(run, ["contested"]),
    "point_distribution": lambda run: frames.point_distribution(run, ["upcard_class"], "hcp_0 > 3"),
    "totals": frames.totals,
    "total_distribution": frames.total_distribution,
    "wins": frames.wins,
    "seat_effects": lambda run: frames.seat_effects(run, ["upcard"]),
    "calibration": frames.calibration,
    "break_even": frames.break_even,
}


@pytest.mark.parametrize("name", EVERY)
def test_every_frame_has_the_same_form(made: simcore.api.RunResult, name: str) -> None:
    frame = EVERY[name](made)
    assert tuple(frame.columns[-5:]) == ESTIMATE
    assert len(frame)
    assert frame["n"].dtype == "int64"
    assert not frame.iloc[:, :-5].duplicated().any()
    known = frame.dropna(subset=["low", "high"])
    if name != "break_even":
        assert (known["low"] <= known["estimate"]).all()
        assert (known["estimate"] <= known["high"]).all()
    assert len(known)


def test_rates_are_those_of_the_report(made: simcore.api.RunResult) -> None:
    frame, report = frames.rates(made), make_rates(made)
    assert list(zip(frame["level"], frame["strain"], frame["doubling"], strict=True)) == [row.key for row in report.rows]
    assert frame["made"].tolist() == [row.made for row in report.rows]
    assert frame["low"].fillna(-1).tolist() == [-1 if row.rate.low is None else row.rate.low for row in report.rows]


def test_contracts(made: simcore.api.RunResult, deals: pd.DataFrame) -> None:
    frame = frames.contracts(made, ["level", "strain"])
    assert frame["count"].sum() == len(deals)
    assert frame["estimate"].sum() == pytest.approx(1)
    row = frame[(frame["level"] == 4) & (frame["strain"] == "S")].iloc[0]
    reached = ((deals["level"] == 4) & (deals["strain"] == "S")).fillna(False)
    assert_row(row, clustered_rate(cluster_sums(deals, reached)))
    assert frames.contracts(made, ["passed_out"])["estimate"].tolist()[-1] == pytest.approx(deals["passed_out"].mean())


def test_tricks(made: simcore.api.RunResult, deals: pd.DataFrame) -> None:
    frame = frames.tricks(made, ["strain"], "level = 4")
    some = deals[((deals["level"] == 4) & (deals["strain"] == "H")).fillna(False)]
    row = frame[(frame["strain"] == "H") & (frame["tricks"] == 10)].iloc[0]
    assert_row(row, clustered_rate(cluster_sums(some, some["tricks"] == 10)))
    assert frame.groupby("strain")["estimate"].sum().to_numpy() == pytest.approx(1)


def test_points(made: simcore.api.RunResult, deals: pd.DataFrame) -> None:
    frame = frames.points(made, ["upcard_class"], "upcard like 'H%'")
    some = deals[deals["upcard"].astype(str).isin(["HJ", "HQ", "HK"])]
    own = some["points_0"].where(some["dealer"] == 0, some["points_1"])
    row = frame[(frame["upcard_class"] == "face") & (frame["who"] == "dealer")].iloc[0]
    assert_row(row, clustered_mean(cluster_sums(some, own)))
    assert row["sd"] == pytest.approx(own.std(ddof=1))
    assert row["q75"] == np.quantile(own, 0.75, method="inverted_cdf")
    whole = frames.point_distribution(made)
    zeros = whole[(whole["who"] == "seat 1") & (whole["points"] == 0)].iloc[0]
    assert_row(zeros, clustered_rate(cluster_sums(deals, deals["points_1"] == 0)))
    declarer = whole[whole["who"] == "declarer"]
    assert declarer["count"].sum() == (~deals["passed_out"]).sum()


def test_seat_effects(made: simcore.api.RunResult, deals: pd.DataFrame) -> None:
    frame = frames.seat_effects(made).set_index("effect")
    margin = (deals["points_0"] - deals["points_1"]) * (1 - 2 * deals["dealer"])
    assert_row(frame.loc["points_dealer_less_others"], clustered_mean(cluster_sums(deals, margin)))
    played = deals[~deals["passed_out"]]
    assert_row(frame.loc["dealer_declares"], clustered_rate(cluster_sums(played, played["declarer"] == played["dealer"])))
    role = frames.rates(made, ["declarer_role"]).set_index("declarer_role")
    for who, effect in (("dealer", "made_by_dealer"), ("non_dealer", "made_by_others")):
        assert frame.loc[effect, list(ESTIMATE)].tolist() == role.loc[who, list(ESTIMATE)].tolist()


def test_calibration(made: simcore.api.RunResult, deals: pd.DataFrame) -> None:
    frame = frames.calibration(made, ["strain"], "hcp_declarer", "level = 3")
    some = deals[((deals["level"] == 3) & (deals["strain"] == "NT")).fillna(False)]
    found = frame[frame["strain"] == "NT"].set_index("hcp_declarer")
    for strength, group in some.groupby("hcp_declarer"):
        assert found.loc[strength, "n"] == len(group)
        assert found.loc[strength, "mean_tricks"] == pytest.approx(group["tricks"].mean())
        assert found.loc[strength, "mean_needed"] == 9
        assert_row(found.loc[strength], clustered_rate(cluster_sums(group, group["made"])))
    assert frames.calibration(made, strength=None).columns[0] == "level"


def test_summaries(made: simcore.api.RunResult, sums: simcore.api.RunResult) -> None:
    for function in (frames.rates, frames.shares, frames.points, frames.totals, frames.total_distribution, frames.wins):
        pd.testing.assert_frame_equal(function(made), function(sums))  # type: ignore[operator]
    for function in (frames.contracts, frames.tricks, frames.point_distribution):
        rows, other = function(made), function(sums)  # type: ignore[operator]
        pd.testing.assert_frame_equal(rows.iloc[:, :-4], other.iloc[:, :-4])
        assert rows["n"].tolist() == other["n"].tolist()
        assert other["low"].isna().all()
        assert other["method"].str.startswith("no interval").all()
    for refused in (frames.seat_effects, frames.calibration, lambda run: frames.shares(run, ["dealer"])):
        with pytest.raises(InputError, match="run with output: rows"):
            refused(sums)  # type: ignore[operator]
    assert frames.load(sums, "cells")["n"].sum() == frames.describe(made)["deals"]
    assert list(frames.columns_of(sums)["name"])[:2] == ["declarer_role", "upcard_class"]


def test_load(made: simcore.api.RunResult, deals: pd.DataFrame) -> None:
    frame = frames.load(made, "deals", ["match", "deal", "hcp_dealer", "upcard"], "hcp_dealer > 20")
    hcp = deals["hcp_0"].where(deals["dealer"] == 0, deals["hcp_1"])
    some = deals[hcp > 20]
    assert frame[["match", "deal"]].to_numpy().tolist() == some[["match", "deal"]].to_numpy().tolist()
    assert frame["hcp_dealer"].tolist() == hcp[hcp > 20].tolist()
    assert len(frames.load(made, "matches")) == made.n_matches
    with pytest.raises(InputError, match="no table 'cells'; it has: deals, matches"):
        frames.load(made, "cells")
    with pytest.raises(InputError, match="no column 'hpc'"):
        frames.load(made, "deals", ["hpc"])


def test_break_even_by_hand() -> None:
    def shares(variant: str) -> dict[tuple[Any, ...], Any]:
        frame = frames.break_even(variant)
        keys = zip(frame["level"], frame["strain"], frame["doubling"], frame["against"], strict=True)
        return dict(zip(keys, zip(frame["estimate"], frame["pays"], strict=True), strict=True))

    found = shares("bridgette")

    def share(*key: Any) -> float:
        return float(found[key][0])

    # 4S: 750 + 250 made, 100 lost one down; 4SX: (750 + 250 + 400) x 2, 200 lost
    assert share(4, "S", 1, "pass") == pytest.approx(100 / 1100)
    assert share(4, "S", 2, "pass") == pytest.approx(200 / 3000)
    assert share(4, "S", 2, "undoubled") == pytest.approx(100 / (100 + 1800))
    # 4S rather than 3S: of deals in which 3S makes; 3S with one over 250, exactly 500
    assert share(4, "S", 1, "one lower") == pytest.approx((500 + 100) / (500 + 100 + 1000 - 250))
    assert (1, "S", 1, "one lower") not in found
    assert (1, "NT", 1, "one lower") in found
    # 3C and 4C have the same award: the raise gains nothing but the exact bonus
    assert share(3, "C", 1, "one lower") == pytest.approx(600 / (600 + 500 - 250))
    assert shares("draw_bridge")[4, "S", 1, "pass"][1] == "always"
    with pytest.raises(InputError, match="no contracts"):
        frames.break_even("call_bridge")


def test_luck_and_skill() -> None:
    frame = frames.luck_and_skill("bridgette", ["heuristic", "random"], deals=1500, seed=3).set_index("what")
    assert frame["estimate"].sum() == pytest.approx(1)
    assert (frame["low"] <= frame["estimate"]).all()
    assert (frame["estimate"] <= frame["high"]).all()
    ladder = frames.luck_and_skill("bridgette", ["random", "heuristic"], deals=1500, seed=3).set_index("what")
    assert ladder.loc["skill", "variance"] == pytest.approx(frame.loc["skill", "variance"])
    for bots in (["heuristic", "heuristic"], ["heuristic"]):
        with pytest.raises(InputError, match="two different bots"):
            frames.luck_and_skill("bridgette", bots)
    with pytest.raises(InputError, match="games of two"):
        frames.luck_and_skill("call_bridge", ["heuristic", "novice"])


def test_shares_of_variance_of_known_parts() -> None:
    """Deals with variance 9, an advantage of 2, noise of variance 4 in each play: 9, 4 and 4 of 17."""
    generator = np.random.default_rng(8)
    deal = generator.normal(0, 3, 400_000)
    first, second = (deal + sign * 2 + generator.normal(0, 2, len(deal)) for sign in (1, -1))
    assert _parts(first, second) == pytest.approx([9 / 17, 4 / 17, 4 / 17], abs=0.005)


def test_examples_of_the_document_run(made: simcore.api.RunResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "howto" / "analyse.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a").symlink_to(made.out)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "analyse.md", "exec"), names)
    assert len(names["both"]) > 30
    for name in frames.__all__:
        assert f"`{name}(" in text


def test_scores_and_frames_name_the_same(made: simcore.api.RunResult) -> None:
    assert frames.points(made)["who"].tolist() == list(score_summary(made).deals)
