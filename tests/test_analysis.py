"""Estimates against small examples worked by hand, and reports against the same numbers from pandas."""

from __future__ import annotations

import io
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

import simcore
from analysis import make_rates, score_summary
from analysis.auctions import possible_groups
from analysis.estimates import ClusterSums, clustered_mean, clustered_rate, rate, t_quantile, wilson_interval
from analysis.load import open_run
from analysis.tables import print_rates, print_scores
from simcore.errors import InputError


def sums(pairs: list[tuple[int, float]]) -> ClusterSums:
    """Sums over clusters given as (n, y); rows within a cluster are ones and zeros."""
    n, y = np.array(pairs, float).T
    return ClusterSums(int(n.sum()), y.sum(), n @ n, n @ y, y @ y, y.sum())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """Whole matches."""
    out = tmp_path_factory.mktemp("analysis") / "matches"
    return simcore.run("bridgette", bots="random", deals=12_000, seed=7, out=out, overrides=["chunk=500"])


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> simcore.api.RunResult:
    """Independent deals."""
    out = tmp_path_factory.mktemp("analysis") / "deals"
    return simcore.run("bridgette", bots="random", deals=4000, unit="deal", out=out, overrides=["chunk=900"])


def test_wilson_interval_of_published_examples() -> None:
    # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29.
    for successes, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = rate(successes, n)
        assert found.low == pytest.approx(low, abs=5e-5)
        assert found.high == pytest.approx(high, abs=5e-5)


def test_t_quantiles() -> None:
    for freedom, value in (
        (1, 12.7062),
        (2, 4.30265),
        (3, 3.18245),
        (4, 2.77645),
        (9, 2.26216),
        (30, 2.04227),
        (10**6, 1.95997),
    ):
        assert t_quantile(freedom) == pytest.approx(value, rel=0.002)


def test_clustered_rate_by_hand() -> None:
    # Matches with (contracts, made): rate 2/6; residuals 1/3, 2/3, -1; as good as 36/14 equal matches, rounded down 2,
    # so var = 2/1 * 14/9 / 36 = 7/81.
    found = sums([(2, 1), (1, 1), (3, 0)])
    assert found.clusters == 2
    assert found.variance == pytest.approx(7 / 81)
    estimate = clustered_rate(found)
    equivalent = (1 / 3) * (2 / 3) / (7 / 81)
    assert estimate.n == 6
    assert estimate.estimate == pytest.approx(1 / 3)
    assert (estimate.low, estimate.high) == pytest.approx(wilson_interval(1 / 3, equivalent, t_quantile(1)))


def test_clusters_of_one_row_are_independent_rows() -> None:
    found = clustered_rate(sums([(1, 1)] * 300 + [(1, 0)] * 700))
    plain = rate(300, 1000)
    assert found.low == pytest.approx(plain.low, abs=1e-4)
    assert found.high == pytest.approx(plain.high, abs=1e-4)


def test_repeated_rows_count_once() -> None:
    # Six copies of each row are no more evidence than one.
    six = clustered_rate(sums([(6, 6)] * 30 + [(6, 0)] * 70))
    once = clustered_rate(sums([(1, 1)] * 30 + [(1, 0)] * 70))
    assert (six.low, six.high) == pytest.approx((once.low, once.high))
    assert six.n == 600


@pytest.mark.parametrize("pairs", [[(3, 0)], [(1, 1)], [(2, 2)] * 5, [(4, 0)] * 9, [(2, 1)] * 4, [(1, 0), (1, 1)]])
def test_intervals_stay_within_bounds(pairs: list[tuple[int, float]]) -> None:
    found = clustered_rate(sums(pairs))
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.high - found.low > 0.05


def test_no_rows_no_estimate() -> None:
    for found in (rate(0, 0), clustered_rate(ClusterSums()), clustered_mean(ClusterSums())):
        assert (found.n, found.estimate, found.low, found.high) == (0, None, None, None)


def test_clustered_mean_by_hand() -> None:
    # Matches [1, 3], [5], [0, 0, 3]: mean 2, residuals 0, 3, -3; as good as 2 equal matches: var = 2/1 * 18 / 36 = 1.
    values = np.array([1.0, 3, 5, 0, 0, 3])
    squares = float(values @ values)
    n, y = np.array([(2, 4.0), (1, 5.0), (3, 3.0)]).T
    found = ClusterSums(6, 12.0, n @ n, n @ y, y @ y, squares)
    estimate = clustered_mean(found)
    assert estimate.estimate == 2
    assert found.sd == pytest.approx(values.std(ddof=1))
    assert estimate.high == pytest.approx(2 + t_quantile(1))
    independent = clustered_mean(ClusterSums(6, 12.0, 6.0, 12.0, squares, squares))
    assert independent.high - 2 == pytest.approx(t_quantile(5) * values.std(ddof=1) / math.sqrt(6))
    assert clustered_mean(ClusterSums(2, 4.0, 4.0, 8.0, 16.0, 10.0)).low is None


def test_coverage_where_rows_of_a_match_are_alike() -> None:
    # Matches of 0 to 6 contracts, made with a chance of the match's own (beta 2, 3): an interval for independent rows
    # covers far too seldom. 1500 replications: 95 % +- 1.2 %.
    generator = np.random.default_rng(20)
    covered = naive = 0
    for _ in range(1500):
        n = generator.integers(0, 7, 120)
        y = generator.binomial(n, generator.beta(2, 3, 120))
        found = clustered_rate(sums([(a, b) for a, b in zip(n, y, strict=True) if a]))
        covered += found.low <= 0.4 <= found.high
        plain = rate(int(y.sum()), int(n.sum()))
        naive += plain.low <= 0.4 <= plain.high
    assert 0.935 <= covered / 1500 <= 0.965
    assert naive / 1500 < 0.9


def test_rates_agree_with_pandas(made: simcore.api.RunResult) -> None:
    deals = made.deals()
    played = deals[~deals["passed_out"]]
    report = make_rates(made)
    found = {row.key: (row.rate.n, row.made) for row in report.rows if row.rate.n}
    groups = played.groupby(["level", "strain", "doubling"], observed=True)["made"]
    assert found == {key: (len(group), group.sum()) for key, group in groups}
    assert report.total.rate.n == len(played) == sum(n for n, _ in found.values())
    assert report.total.made == played["made"].sum()
    assert report.passed_out.estimate == pytest.approx(deals["passed_out"].mean())
    assert report.contested.estimate == pytest.approx(deals["contested"].mean())
    per_match = played.groupby("match")["made"].agg(["size", "sum"]).to_numpy(float)
    residuals = per_match[:, 1] - report.total.rate.estimate * per_match[:, 0]
    matches = int(len(played) ** 2 / (per_match[:, 0] ** 2).sum())
    variance = matches / (matches - 1) * (residuals**2).sum() / len(played) ** 2
    share = report.total.rate.estimate
    equivalent = len(played) / max(1, variance / (share * (1 - share) / len(played)))
    expected = wilson_interval(share, equivalent, t_quantile(matches - 1))
    assert (report.total.rate.low, report.total.rate.high) == pytest.approx(expected)


def test_contracts_that_nobody_bid_are_shown(made: simcore.api.RunResult) -> None:
    rows = make_rates(made).as_json()["rows"]
    assert len(rows) == 36 * 3
    contracts = [(row["level"], row["strain"], row["doubling"]) for row in rows]
    assert contracts[:4] == [(0, "NT", 1), (0, "NT", 2), (0, "NT", 4), (1, "C", 1)]
    assert contracts[-1] == (7, "NT", 4)
    never = [row for row in rows if row["n"] == 0]
    assert never
    assert all(row["rate"] is None and row["low"] is None and row["made"] == 0 for row in never)


def test_possible_contracts_follow_the_rules() -> None:
    rules = simcore.load_variant("bridgette").model_dump(mode="json")
    rules["auction"] |= {"lowest_bid": "1C", "doubles": False}
    contracts = set(possible_groups(rules, ("level", "strain", "doubling")))
    assert len(contracts) == 35
    assert (0, "NT", 1) not in contracts
    assert set(possible_groups(rules, ("doubling",))) == {(1,)}


def test_grouping_by_other_columns(made: simcore.api.RunResult) -> None:
    deals = made.deals()
    played = deals[~deals["passed_out"]]
    by_role = make_rates(made, ["declarer_role"])
    assert [row.key for row in by_role.rows] == [("dealer",), ("non_dealer",)]
    trumps = make_rates(made, ["len_trump_declarer"])
    assert trumps.rows[-1].key == (None,)
    assert trumps.rows[-1].rate.n == (played["strain"] == "NT").sum()
    cards = make_rates(made, ["upcard"])
    assert [row.key[0] for row in cards.rows][:3] == ["C2", "C3", "C4"]
    assert sum(row.rate.n for row in cards.rows) == len(played)
    assert make_rates(made, []).rows[0].rate == make_rates(made).total.rate


@pytest.mark.parametrize(
    ("by", "said"), [(["levl"], "did you mean 'level'"), (["points_0"], "allowed"), (["level", "level"], "twice")]
)
def test_wrong_groupings_are_explained(made: simcore.api.RunResult, by: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        make_rates(made, by)


def test_independent_deals_have_plain_wilson_intervals(single: simcore.api.RunResult) -> None:
    report = make_rates(single)
    assert report.total.rate.method == "Wilson"
    assert report.total.rate == rate(report.total.made, report.total.rate.n)
    assert "matches" not in report.as_json()
    scores = score_summary(single)
    assert scores.totals == {}
    assert scores.as_json()["drawn"] is None
    assert scores.deals["seat 0"].mean.method == "mean, Student's t"


def test_scores_agree_with_pandas(made: simcore.api.RunResult) -> None:
    deals, matches = made.deals(), made.matches()
    report = score_summary(made)
    dealer = np.where(deals["dealer"] == 0, deals["points_0"], deals["points_1"])
    expected = {"seat 0": deals["points_0"].to_numpy(), "seat 1": deals["points_1"].to_numpy(), "dealer": dealer}
    played = deals[~deals["passed_out"]]
    expected["declarer"] = np.where(played["declarer"] == 0, played["points_0"], played["points_1"])
    expected["opponent"] = np.where(played["declarer"] == 0, played["points_1"], played["points_0"])
    for who, points in expected.items():
        found = report.deals[who]
        assert found.mean.n == len(points)
        assert found.mean.estimate == pytest.approx(points.mean())
        assert found.sd == pytest.approx(points.std(ddof=1))
        assert list(found.quantiles.values()) == np.quantile(points, list(found.quantiles), method="inverted_cdf").tolist()
    margin = (matches["total_0"] - matches["total_1"]).abs()
    assert report.totals["margin"].mean.estimate == pytest.approx(margin.mean())
    assert report.totals["seat 1"].quantiles[0.5] == np.quantile(matches["total_1"], 0.5, method="inverted_cdf")
    first = deals[deals["deal"] == 0].set_index("match")["dealer"]
    for win in report.wins:
        among = matches if win.first_dealer is None else matches[(first == win.first_dealer).to_numpy()]
        assert (win.rate.n, win.won) == (len(among), int((among["winner"] == win.seat).sum()))
    assert report.drawn.estimate == pytest.approx(matches["winner"].isna().mean())


def test_reports_as_json_and_as_text(made: simcore.api.RunResult) -> None:
    for report in (make_rates(made), score_summary(made)):
        document = json.loads(json.dumps(report.as_json(), allow_nan=False))
        assert document["variant"] == "bridgette"
        assert document["bots"] == ["random", "random"]
        assert document["method"]
    text = io.StringIO()
    print_rates(make_rates(made), text)
    print_scores(score_summary(made), text)
    printed = text.getvalue()
    assert printed.isascii()
    for word in ("bridgette", "random", "seed 7", "passed out", "contested", "n = 0: ", "Wilson", "drawn", "margin"):
        assert word in printed
    lines = printed.splitlines()
    assert [line.split("|")[1].strip() for line in lines if line.startswith("| 1")][:3] == ["1C", "1CX", "1CXX"]


def test_unfinished_runs(made: simcore.api.RunResult, tmp_path: Path) -> None:
    document = json.loads((made.out / "manifest.json").read_text())
    document["state"] = "interrupted"
    document["chunks"] = document["chunks"][:1]
    for name in ("deals", "matches"):
        (tmp_path / "part" / name).mkdir(parents=True)
        part = f"{name}/part-000000.parquet"
        (tmp_path / "part" / part).write_bytes((made.out / part).read_bytes())
        (tmp_path / "part" / name / "part-000001.parquet").write_bytes(b"not listed, not read")
    (tmp_path / "part" / "manifest.json").write_text(json.dumps(document))
    report = make_rates(tmp_path / "part")
    assert report.header["deals"] == document["chunks"][0]["deals"]
    text = io.StringIO()
    print_rates(report, text)
    assert "not finished" in text.getvalue()
    (tmp_path / "part" / "matches" / "part-000000.parquet").unlink()
    with pytest.raises(InputError, match=r"matches/part-000000\.parquet"):
        score_summary(tmp_path / "part")
    document["chunks"] = []
    (tmp_path / "part" / "manifest.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match="nothing to analyse"):
        open_run(tmp_path / "part")


def test_tables_on_a_terminal(made: simcore.api.RunResult, monkeypatch: pytest.MonkeyPatch) -> None:
    """Suits and bars where a terminal takes them; on one that does not, and in files, letters."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    report = make_rates(made, ["strain", "level"])
    text = io.StringIO()
    print_rates(report, text)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.getvalue().splitlines()]
    assert all(len(line) <= 100 for line in lines)
    shown = [line.replace("|", " ").split() for line in lines if "♣" in line or "♠" in line]
    assert shown[0][:2] == ["♣", "1"]
    assert {line[0] for line in shown if line[0] in "♣♦♥♠"} == {"♣", "♠"}
    rates = {row.key: row.rate.estimate for row in report.rows}
    for suit, level, *_, bar in shown[:4]:
        rate_shown = rates["CDHS"["♣♦♥♠".index(suit)], int(level)]
        assert abs(len(bar) - 20 * rate_shown) <= 1
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print_rates(report, ascii_only)
    ascii_only.seek(0)
    assert "| C" in ascii_only.read()
    monkeypatch.setenv("COLUMNS", "60")
    narrow = io.StringIO()
    print_rates(report, narrow)
    assert "█" not in narrow.getvalue()
