"""Reports and charts without a browser: files, messages, differences, classes, and what the page must never do."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import simcore
from analysis import charts, frames
from analysis.estimates import rate
from analysis.report import write_report
from analysis.report.beside import INDEPENDENT, PAIRED, are_common, independent, paired
from analysis.report.classes import class_frame
from analysis.report.parts import interval, percent
from analysis.report.provenance import what_differs
from analysis.report.view import open_views
from simcore.cli import invoke
from simcore.errors import InputError

SETS = ["scoring.exact=[0, 0, 0, 0, 0, 0, 0, 0]"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs on the same deals under two tables, one of other deals, and another game."""
    folder = tmp_path_factory.mktemp("runs")
    simcore.run("bridgette", deals=1500, seed=5, out=folder / "a")
    simcore.run("bridgette", deals=1200, seed=5, overrides=SETS, out=folder / "b")
    simcore.run("bridgette", deals=1200, seed=6, out=folder / "c")
    simcore.run("pit", deals=200, out=folder / "pit")
    return folder


def test_known_difference_of_rates() -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10."""
    for first, other, low, high in (
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((0, 20), (10, 10), 0.6791, 1.0),
    ):
        found = independent(rate(*first), rate(*other))
        assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
        assert found.method == INDEPENDENT
        turned = independent(rate(*other), rate(*first))
        assert (turned.low, turned.high) == (pytest.approx(-high, abs=5e-5), pytest.approx(-low, abs=5e-5))
    assert independent(rate(0, 0), rate(1, 2)).estimate is None


def test_paired_differences_are_those_of_the_rows(folder: Path) -> None:
    first, other, apart = open_views([folder / name for name in "abc"])
    assert are_common(first, other)
    assert not are_common(first, apart)
    found, common, unmatched = paired(first, other, ["dealer", "non_dealer", "seat 0", "made", "contested"])
    rows = [simcore.api.open_run(folder / name).deals() for name in "ab"]
    both = rows[0].merge(rows[1], on=["match", "deal"], suffixes=("", "_b"))
    assert (common, unmatched) == (len(both), len(rows[0]) + len(rows[1]) - 2 * len(both))
    assert unmatched > 0
    points = both["points_0_b"] - both["points_0"]
    assert found["seat 0"].estimate == pytest.approx(points.mean())
    dealer = both["dealer"] == 0
    of_dealer = points.where(dealer, both["points_1_b"] - both["points_1"])
    assert found["dealer"].estimate == pytest.approx(of_dealer.mean())
    assert found["dealer"].estimate + found["non_dealer"].estimate == pytest.approx(
        (both[["points_0_b", "points_1_b"]].sum(axis=1) - both[["points_0", "points_1"]].sum(axis=1)).mean()
    )
    assert found["made"].estimate == 0  # the bots do not read the table
    assert found["dealer"].method == PAIRED
    by_match = pd.DataFrame({"match": both["match"], "d": of_dealer}).groupby("match")["d"].agg(["sum", "count"])
    residuals = by_match["sum"] - found["dealer"].estimate * by_match["count"]
    error = math.sqrt(float((residuals**2).sum())) / len(both)
    assert (found["dealer"].high - found["dealer"].low) / 2 == pytest.approx(1.96 * error, rel=0.03)


def test_what_differs(folder: Path) -> None:
    rows = what_differs(open_views([folder / "a", folder / "b"]))
    assert [row[0] for row in rows] == ["variant.scoring.exact", "deals"]


def test_classes_of_points() -> None:
    few = class_frame({"x": {0: 5, 10: 3, 30: 2}})
    assert few["label"].tolist() == ["0", "10", "30"]
    assert few["estimate"].tolist() == [0.5, 0.3, 0.2]
    many = class_frame({"x": dict.fromkeys(range(-300, 3000, 10), 1), "y": {0: 4}})
    for group, n in (("x", 330), ("y", 4)):
        rows = many[many["group"] == group]
        assert rows["count"].sum() == n
        assert rows["estimate"].sum() == pytest.approx(1)
    labels = many[many["group"] == "x"].sort_values("order")["label"].tolist()
    assert len(labels) <= 20
    assert "0" in labels
    assert labels[0].startswith("-300 to ")
    assert labels[-1].endswith(" to 2,990")
    assert many[(many["group"] == "y") & (many["label"] == "0")]["count"].item() == 4


def test_numbers_as_text() -> None:
    assert [percent(x) for x in (0.5, 0.00035, 0.0, 1.0, None, 1e-9)] == [
        "50.0 %",
        "0.035 %",
        "0.0 %",
        "100.0 %",
        "-",
        "0.0000 %",
    ]
    assert interval(0.1, 0.25, True) == "10.0 .. 25.0 %"
    assert interval(None, 0.25, True) == "-"


def test_page_needs_no_network(folder: Path) -> None:
    """No address is loaded, the policy forbids it, and nothing but aggregated numbers is embedded."""
    found = write_report([folder / "a"], folder / "a_page.html")
    text = found.out.read_text(encoding="utf-8")
    libraries = max(re.findall(r"<script>(.*?)</script>", text, re.DOTALL), key=len)
    own = text.replace(libraries, "")
    assert "default-src 'none'" in own
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", own)
    assert "http" not in re.sub(r"Content-Security-Policy|http-equiv", "", own)
    assert len(own) < 250_000
    assert len(libraries) < 1_500_000
    assert found.size == found.out.stat().st_size
    for said in ("simcore.run", "seed", "heuristic (sees what a player sees), in every seat", "manifest.json --out NEW"):
        assert said in text


def test_command(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert invoke(["report", "pit", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert Path(document["out"]) == folder.resolve() / "pit.html"
    assert document["runs"] == ["pit"]
    assert document["bytes"] == (folder / "pit.html").stat().st_size
    assert "Make rate by bid" in document["charts"]
    assert "Break-even and realised make rates" in [row["title"] for row in document["missing"]]
    for words, message in (
        (["report", "pit"], "--overwrite replaces it"),
        (["report", "pit", "--out", "."], "is a directory"),
        (["report", "pit", "--out", "nowhere/x.html"], "not a directory"),
        (["report", "a", "pit"], "make a report of each"),
        (["report", "a", "a"], "given twice"),
        (["report", *["a"] * 7], "at most 6"),
        (["report", "nothing"], "no such run directory"),
        (["report", "a", "--ladder", "nothing"], "--ladder: nothing cannot be read"),
        (["report", "a", "--out", "x.html", "--ladder", "a/manifest.json"], "is not what `simcore ladder --json` prints"),
    ):
        assert invoke(words) == 2, words
        heard = capsys.readouterr()
        assert message in heard.err
        assert heard.out == ""
        assert len(heard.err.splitlines()) <= 3
    assert not (folder / "x.html").exists()


def test_missing_libraries_are_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "vl_convert" else find(name))
    with pytest.raises(InputError, match=r"need vl-convert; install them with: pip install 'bridgette-lab\[report\]'"):
        write_report([folder / "a"], folder / "never.html")


def test_help_loads_no_chart_library() -> None:
    """The command line starts without Altair."""
    import subprocess

    code = (
        "import sys, simcore.cli; sys.exit(any(name in sys.modules for name in ('altair', 'pandas', 'vl_convert', 'jinja2')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_charts_as_files(folder: Path, tmp_path: Path, ending: str) -> None:
    chart = charts.make_rate_heatmap(frames.rates(folder / "a", by=["level", "strain"]))
    path = tmp_path / f"chart.{ending}"
    charts.save_chart(chart, path, theme="dark")
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG") if ending == "png" else b"n = 0" in content
    assert chart.to_dict().get("config", {}).get("background") is None  # themes are put on copies


def test_chart_files_are_refused_by_name(tmp_path: Path) -> None:
    chart: Any = charts.histogram(class_frame({"x": {0: 5, 10: 3}}), "points")
    with pytest.raises(InputError, match=r"no ending that says what it is; allowed: \.png, \.svg"):
        charts.save_chart(chart, tmp_path / "chart.gif")
    with pytest.raises(InputError, match="theme: 'page' is not allowed in a file; allowed: light, dark"):
        charts.save_chart(chart, tmp_path / "chart.svg", theme="page")


def test_colours_can_be_told_apart() -> None:
    """Contrast of every category to the page at least 2, of text at least 4.5 (WCAG), in both themes."""
    from analysis.charts.theme import CATEGORIES, THEMES

    for name in ("light", "dark"):
        theme = THEMES[name]
        for colour in CATEGORIES:
            assert contrast(theme[colour], theme["paper"]) >= 2.0, (name, colour)
        for colour in ("ink", "muted"):
            assert contrast(theme[colour], theme["paper"]) >= 4.5, (name, colour)


def test_style_sheet_has_the_colours_of_the_themes() -> None:
    from analysis.charts.theme import THEMES
    from analysis.report import page

    text = (Path(page.__file__).parent / "templates" / "page.css").read_text(encoding="utf-8").lower()
    light, dark = text.split("prefers-color-scheme: dark")
    for name, part in (("light", light), ("dark", dark)):
        for colour, value in THEMES[name].items():
            assert f"--{colour}: {value.lower()};" in part, (name, colour)


def contrast(first: str, other: str) -> float:
    """Contrast of two colours by WCAG 2."""
    light, dark = sorted((luminance(first), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
