"""Reports in a browser: pictures drawn whole, texts apart, tooltips, no network, at two widths and in two schemes."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import simcore
from analysis.ladder import play_ladder
from analysis.report import write_report

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
PHONE, DESKTOP = 390, 1280
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
HOSTILE = "</script><script>window.hit=1</script><img src=x onerror='window.hit=2'>\"&{{7*7}}"

OVERFLOW = "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
LAYOUT = """() => [...document.querySelectorAll('.chart')].map(chart => {
  const svg = chart.querySelector('svg'), box = chart.getBoundingClientRect(), shown = [];
  for (const text of svg ? svg.querySelectorAll('text') : []) {
    const r = text.getBoundingClientRect();
    if (text.textContent.trim() && r.width > 0 && getComputedStyle(text).opacity !== '0') shown.push([text.textContent, r]);
  }
  const cut = shown.filter(([, r]) =>
    r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1);
  const over = [];
  for (let i = 0; i < shown.length; i++) for (let j = i + 1; j < shown.length; j++) {
    const [a, b] = [shown[i][1], shown[j][1]];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 3) over.push(shown[i][0] + ' | ' + shown[j][0]);
  }
  return {id: chart.id, title: svg?.getAttribute('aria-label'), box: box.width,
          width: svg ? svg.getBoundingClientRect().width : 0,
          marks: svg ? svg.querySelectorAll('.role-mark path, .role-mark text, .role-mark line').length : 0,
          cut: cut.map(([text]) => text), over};
})"""
MARK = """id => {
  const marks = [...document.querySelectorAll('#' + id + ' svg .role-mark path')].map(m => m.getBoundingClientRect());
  const seen = marks.filter(r => r.width > 0 && r.height > 0).sort((a, b) => b.width * b.height - a.width * a.height);
  const small = seen.filter(r => r.width < 60 && r.height < 60);
  const r = (small.length ? small : seen)[0];
  return [r.left + r.width / 2, r.top + r.height / 2];
}"""


def chromium() -> str:
    """The browser's path."""
    found = os.environ.get("SIMCORE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.fail("no Chromium: install it with `apt-get install chromium`, or set SIMCORE_CHROMIUM to its path")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of all kinds of games."""
    folder = tmp_path_factory.mktemp("report")
    run = {"seed": 3, "workers": 1}
    simcore.run("bridgette", deals=4000, contracts="all", out=folder / "bridgette", **run)
    simcore.run("bridgette", deals=4000, bots="novice", output="summary", out=folder / "a_run_with_a_rather_long_name", **run)
    simcore.run("call_bridge", deals=1500, out=folder / "calls", **run)
    simcore.run("pit", deals=1500, out=folder / "pit", **run)
    ladder = play_ladder("bridgette", ["heuristic", "novice"], deals=100, workers=1)
    (folder / "ladder.json").write_text(json.dumps(ladder.as_json()), encoding="utf-8")
    return folder


REPORTS = {
    "one": (["bridgette"], True),
    "two": (["bridgette", "a_run_with_a_rather_long_name"], False),
    "calls": (["calls"], False),
    "pit": (["pit"], False),
}


def opened(browser: Any, path: Path, width: int, scheme: str, heard: list[str]) -> Any:
    """A page of a report, drawn; what goes wrong is written into `heard`."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.on("console", lambda message: heard.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    page.on("request", lambda request: None if request.url.startswith("file:") else heard.append(f"request: {request.url}"))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn]", timeout=20_000)
    return page


def check_layout(page: Any, n_charts: int) -> None:
    """Pictures drawn whole, texts apart, and nothing wider than the screen."""
    wide, screen = page.evaluate(OVERFLOW)
    assert wide <= screen
    charts = page.evaluate(LAYOUT)
    assert len(charts) == n_charts
    for chart in charts:
        assert chart["marks"] > 0, chart
        assert chart["width"] > 0.9 * chart["box"], chart
        assert not chart["cut"], chart
        assert not chart["over"], chart


def hover(page: Any, chart: Any) -> None:
    """Point at a mark of a picture: its numbers are shown."""
    chart.scroll_into_view_if_needed()
    page.mouse.move(*page.evaluate(MARK, chart.get_attribute("id")))
    page.wait_for_function("document.querySelector('#vg-tooltip-element.visible')?.textContent.length > 5", timeout=10_000)
    page.mouse.move(1, 1)


@pytest.mark.parametrize("name", REPORTS)
def test_report_in_a_browser(name: str, browser: Any, folder: Path) -> None:
    runs, ladder = REPORTS[name]
    found = write_report(
        [folder / run for run in runs], folder / f"{name}.html", ladder=folder / "ladder.json" if ladder else None
    )
    heard: list[str] = []
    page = opened(browser, found.out, DESKTOP, "light", heard)
    check_layout(page, len(found.charts))
    for chart in page.query_selector_all(".chart"):
        hover(page, chart)
    page.set_viewport_size({"width": PHONE, "height": 800})
    page.wait_for_function(
        "[...document.querySelectorAll('.chart svg')].every(svg => svg.getBoundingClientRect().width <= innerWidth)"
    )
    page.wait_for_timeout(200)
    check_layout(page, len(found.charts))
    page.close()
    assert heard == []


def test_dark_and_printed(browser: Any, folder: Path) -> None:
    """Colours follow the page, and paper is white; a phone that opens the page at once gets the same layout."""
    found = write_report([folder / "pit"], folder / "dark.html")
    heard: list[str] = []
    page = opened(browser, found.out, PHONE, "dark", heard)
    check_layout(page, len(found.charts))
    text = "getComputedStyle(document.querySelector('.role-axis-label text')).fill"
    colours = f"() => [getComputedStyle(document.body).backgroundColor, {text}]"
    dark = page.evaluate(colours)
    page.emulate_media(media="print", color_scheme="dark")
    paper = page.evaluate(colours)
    page.emulate_media(media="screen", color_scheme="light")
    assert page.evaluate(colours) == paper
    assert paper[0] == "rgb(255, 255, 255)"
    assert dark[0] != paper[0]
    assert dark[1] != paper[1]
    page.close()
    assert heard == []


def test_hostile_names(browser: Any, folder: Path) -> None:
    """Names and descriptions that people gave stay text, in the page and in the pictures."""
    run = folder / "hostile <b onclick='x'> &amp;"
    shutil.copytree(folder / "calls", run)
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    config = manifest["config"]
    config["variant"]["description"] = config["description"] = HOSTILE
    config["bots"][0]["name"] = HOSTILE
    manifest["command"] = ["simcore", "run", HOSTILE]
    (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    ladder = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))
    ladder["ranking"][0]["bot"] = ladder["duels"][0]["challenger"] = ladder["variant"] = HOSTILE
    (folder / "hostile.json").write_text(json.dumps(ladder), encoding="utf-8")
    found = write_report([run], folder / "hostile.html", ladder=folder / "hostile.json")
    heard: list[str] = []
    page = opened(browser, found.out, DESKTOP, "light", heard)
    hover(page, page.query_selector_all(".chart")[-1])
    assert page.evaluate("window.hit") is None
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    for text in (HOSTILE, run.name):
        assert text in page.inner_text("body")
    drawn = "[...document.querySelectorAll('.chart svg text')].find(text => text.textContent.startsWith('</script'))"
    assert page.evaluate(f"{drawn} !== undefined")
    page.close()
    assert heard == []
