"""The documents say what the program says: columns, options, points, commands, examples, files that exist."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from update_docs import examples_of, files_of, updated

import simcore
from simcore.cli import _COMMANDS, invoke
from simcore.columns import deal_columns, match_columns
from simcore.config import load_variant, shipped

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "benchmarks" / "README.md"])


def commands_in(path: Path) -> list[str]:
    """Lines of code blocks that begin with simcore."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip().startswith("simcore ")]


def test_every_column_is_documented() -> None:
    text = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    for name in shipped("variants"):
        variant = load_variant(name)
        for column in (*deal_columns(variant), *match_columns(variant)):
            first = re.sub(r"_\d$", "_0", column.name)  # columns of a seat are documented for seat 0
            meaning = re.sub(r"seat \d", "seat 0", column.meaning)
            assert re.search(rf"^\| `{first}` \| \S+ \|.*\| {re.escape(meaning)}", text, re.MULTILINE), (name, column.name)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors_of(path: Path) -> set[str]:
    """Headings as links write them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), target
            assert not anchor or anchor in anchors_of(path.parent / target if target else path), (target, anchor)


def test_readme_is_short_and_names_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    missing = [name for name in _COMMANDS if f"`{name}`" not in text and f"simcore {name}" not in text]
    assert not missing


# --- the rules --------------------------------------------------------------------------------------------------------

GAMES = ("bridgette", "call_bridge", "draw_bridge", "draw_and_discard_bridge", "pit")


def rows_of(path: Path, header: str) -> list[list[str]]:
    """Cells of all tables of a document whose first line begins with a header."""
    tables = re.findall(rf"^\| {re.escape(header)} \|.*\n\|.*\n((?:\|.*\n)+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for table in tables for row in table.splitlines()]


def leaves(value: dict[str, Any], path: str = "") -> dict[str, Any]:
    """Values by path; a map of numbers, and one that stands for a word, is a value."""
    found: dict[str, Any] = {}
    for key, child in value.items():
        if isinstance(child, dict) and key not in ("award", "cards", "overtricks_exactly", "made", "failed", "victory"):
            found |= leaves(child, f"{path}{key}.")
        else:
            found[path + key] = child
    return found


def test_every_page_is_in_the_list_of_pages() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = [page for part in ("*.md", "howto/*.md", "studies/*-*.md") for page in (ROOT / "docs").glob(part)]
    names = {page.relative_to(ROOT / "docs").as_posix() for page in pages} - {"index.md"}
    assert [name for name in sorted(names) if f"]({name}" not in index] == []


def test_every_game_has_a_page() -> None:
    index = (ROOT / "docs" / "rules" / "README.md").read_text(encoding="utf-8")
    assert {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")} == {"README", *GAMES}
    assert [name for name in shipped("variants") if f"`{name}`" not in index] == []


@pytest.mark.parametrize("game", GAMES)
def test_options_are_documented(game: str) -> None:
    """Every key that the shipped file states, with its default first; other keys of the table are the game's too."""
    path = ROOT / "docs" / "rules" / f"{game}.md"
    options = {row[0].strip("`"): row[1:] for row in rows_of(path, "key")}
    values = leaves(load_variant(game).model_dump(mode="json"))
    for key, (first, *_) in options.items():
        shown = re.match(r"`([^`]*)`", first)
        assert shown, key
        if "..." not in shown[1]:
            written = yaml.safe_load(shown[1])
            assert json_form(written) == values[key], key
    stated = leaves(yaml.safe_load((ROOT / "configs" / "variants" / f"{game}.yaml").read_text(encoding="utf-8")))
    assert {key for key in stated if key not in ("name", "description", "extends")} <= set(options)


def json_form(value: Any) -> Any:
    """A value as a dump in JSON has it: keys are text."""
    return {str(key): child for key, child in value.items()} if isinstance(value, dict) else value


def worked_results() -> list[tuple[str, str, int, list[str]]]:
    """Game, what was bid, tricks and further numbers of every worked result."""
    return [
        (game, row[0], int(row[1]), row[2:])
        for game in GAMES
        for header in ("contract | tricks", "call | tricks", "bid | tricks")
        for row in rows_of(ROOT / "docs" / "rules" / f"{game}.md", header)
    ]


@pytest.mark.parametrize(("game", "bid", "tricks", "numbers"), worked_results())
def test_worked_results(game: str, bid: str, tricks: int, numbers: list[str]) -> None:
    if game == "call_bridge":
        assert simcore.score(game, call=int(bid), tricks=tricks)["points"] == float(numbers[0])
    elif game == "pit":
        found = simcore.score(game, bid=int(bid[0]), alone="alone" in bid, tricks=tricks)
        assert (found["cards"], found["points"]) == (int(numbers[0]), float(numbers[1]))
    else:
        points = simcore.score(game, bid, tricks)["points"]
        assert points["declarer"] - points["opponent"] == float(numbers[0])


def test_oh_hell_from_scratch(tmp_path: Path) -> None:
    """Both ways of the how-to lead to the shipped game."""
    files = files_of((ROOT / "docs" / "howto" / "write-a-game.md").read_text(encoding="utf-8"))
    for name in ("my_oh_hell", "from_scratch"):
        (tmp_path / f"{name}.yaml").write_text(files[f"{name}.yaml"], encoding="utf-8")
        assert load_variant(tmp_path / f"{name}.yaml") == load_variant("oh_hell", [f"name={name}"])


# --- commands and what they print -------------------------------------------------------------------------------------

WITH_EXAMPLES = [path for path in DOCUMENTS if examples_of(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=name_of)
def test_examples_are_what_the_program_prints(path: Path) -> None:
    """`make docs` writes them."""
    text = path.read_text(encoding="utf-8")
    assert updated(text) == text


def commands_to_run() -> list[tuple[Path, str]]:
    """Commands of the documents, each once; those whose output is shown are run by the test above."""
    found: dict[str, Path] = {}
    for path in DOCUMENTS:
        shown = examples_of(path.read_text(encoding="utf-8"))
        for command in commands_in(path):
            if command not in shown and not re.search(r"://|big\.yaml", command):  # tests/test_cluster.py runs those
                found.setdefault(command, path)
    return sorted((path, command) for command, path in found.items())


AT_FULL_LENGTH = os.environ.get("SIMCORE_DOCS") == "full"
"""Whether commands run as they stand (`make docs-full`); else long ones are cut short."""


@pytest.mark.parametrize(("path", "command"), commands_to_run(), ids=lambda part: part if isinstance(part, str) else part.stem)
def test_commands_run(
    path: Path, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command works, with the files that its document shows and the examples beside it; long runs are cut short."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for name, content in files_of(path.read_text(encoding="utf-8")).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for part in command.split("|"):
        words = shlex.split(part, comments=True)[1:]
        if words[0] == "report" and words[1].startswith("tunings/"):
            words = ["report", "--help"]  # tests/test_tuning.py makes a tuning and its page
        whole = AT_FULL_LENGTH and "--resume" not in words
        words = words if whole else quick(words)
        reads_runs = "--help" not in words and words[0] in _READERS
        if reads_runs or words[:1] == ["replay"] or "--resume" in words:
            words = prepared(words, path, capsys)
        if words[0] == "run" and "--dry-run" not in words and not whole:
            words = cut_short(words)
        assert invoke(words) == 0, capsys.readouterr().err
    capsys.readouterr()


_READERS = ("rates", "scores", "compare", "rescore", "merge", "regret", "report")


def quick(words: list[str]) -> list[str]:
    """A tuning is only planned (tests/test_tuning.py tunes), of fits, sensitivities and sweeps there are few deals."""
    if words[0] == "tune":
        return [*(word for word in words if word not in ("--resume", "--dry-run")), "--dry-run"]
    if words[0] == "sensitivity":
        cells = [] if "--cells" in words else ["--cells", "exact"]  # and a bidder for whom no model must be fitted
        return [*without(words, "--deals", "--bidder"), "--deals", "2000", "--bidder", "open", *cells]
    if words[0] == "ladder":  # with bots that solve
        return [*without(words, "--deals", "--width"), "--deals", "20"]
    if words[0] == "fit":
        return [*without(words, "--deals"), "--deals", "3000"]
    return [*words, "--set", "deals=2000"] if words[0] == "sweep" else words


def cut_short(words: list[str]) -> list[str]:
    """A run of 2000 deals, of a Python bot or of bots that solve 200."""
    kept = without(words, "--deals", "--matches", "--until", "--until-of")
    words_in = set(re.split(r"\W+", " ".join(words))) | set(words)
    return [*kept, "--deals", "200" if {"python_bot", "oracle", "expert", "--play"} & words_in else "2000"]


def without(words: list[str], *options: str) -> list[str]:
    """The command without some options and their values."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in options:
            skip = True
        else:
            kept.append(word)
    return kept


def prepared(words: list[str], path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Make the run, shards or transcripts that a command needs."""
    if words[0] == "replay":
        assert invoke(["deal", "bridgette", "--count", "3", "--json"]) == 0
        Path("deals.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
        return ["replay", "deals.jsonl"]
    contracts = ["--contracts", "all"] if "--imposed" in words else []
    if words[0] == "merge":
        shards = [word for word in words[1:] if not word.startswith("--") and word != words[words.index("--out") + 1]]
        for place, shard in enumerate(shards, start=1):
            part = f"{place}/{len(shards)}"
            assert invoke(["run", "bridgette", "--matches", "9000", "--shard", part, "--out", shard]) == 0
        return words
    runs = [word for word in words if word.startswith("runs/")]
    for run in runs or ["runs/x"]:
        if not Path(run).exists():
            assert invoke([*making(run, path), "--out", run, *contracts]) == 0
    return words


def making(run: str, path: Path) -> list[str]:
    """The command of a document that makes a run directory, cut short; else a run of Bridgette."""
    for command in commands_in(path):
        words = shlex.split(command, comments=True)[1:]
        if words[0] == "run" and words[-1] == run and "--resume" not in words:
            return cut_short(words[:-2])
    return ["run", "bridgette", "--deals", "2000"]
