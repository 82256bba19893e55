"""The documents as a site: built without a warning, every page reached, nothing loaded from elsewhere; how files are read."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import simcore
from simcore.cli import _COMMANDS
from simcore.config import Variant

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make site` builds it; a warning would end that."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == ""
    return folder


def test_every_document_is_a_page_that_the_menu_shows(site: Path) -> None:
    menu = set(re.findall(r'href="([^"#]+\.html)"', (site / "index.html").read_text(encoding="utf-8")))
    for path in DOCS.rglob("*.md"):
        if "_site" not in path.parts:
            page = path.relative_to(DOCS).as_posix().removesuffix(".md") + ".html"
            page = re.sub(r"README\.html$", "index.html", page)
            assert (site / page).is_file(), page
            assert page in menu, page


def test_the_reference_holds_every_command_key_and_function(site: Path) -> None:
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    for name in _COMMANDS:
        assert f'id="simcore-{name}"' in commands
    variants = (site / "reference" / "variant.html").read_text(encoding="utf-8")
    for key in Variant.model_fields:
        assert f"<code>{key}</code>" in variants
    functions = (site / "reference" / "python-simcore.html").read_text(encoding="utf-8")
    for name in simcore.__all__:
        if name != "__version__":
            assert re.search(rf'<h2 id="simcore[\w.]*\.{name}"', functions), name
    assert (site / "reference" / "variant.schema.json").is_file()


def test_the_site_needs_no_network(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|img|iframe)[^>]* src="([^"]+)"', page.read_text(encoding="utf-8"))
        loaded += re.findall(
            r'<link[^>]* rel="(?:stylesheet|preconnect|preload)"[^>]* href="([^"]+)"', page.read_text(encoding="utf-8")
        )
        assert not [address for address in loaded if "//" in address], page


def test_files_are_read_as_the_how_to_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program that is there counts the same, and the interval by hand is that of `rates` up to its form."""
    monkeypatch.chdir(tmp_path)
    made = simcore.run("bridgette", bots="random", deals=3000, out="runs/a")
    text = (DOCS / "howto" / "read-the-files.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "read-the-files.md", "exec"), names)
    polars, deals = names["rates"], made.deals().dropna(subset=["made"])
    assert polars["n"].sum() == len(deals)
    of_one = deals[(deals["level"] == 4) & (deals["strain"] == "S")]["made"]
    row = polars.filter((polars["level"] == 4) & (polars["strain"] == "S"))
    assert (row["n"][0], row["rate"][0]) == (len(of_one), pytest.approx(of_one.astype(float).mean()))
    assert names["rate"] == pytest.approx(of_one.astype(float).mean())
    assert 0 < names["half_width"] < 0.2
