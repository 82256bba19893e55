"""The documents say what the program says: columns, commands, files that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_readme_is_short_and_names_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    missing = [name for name in _COMMANDS if f"`{name}`" not in text and f"simcore {name}" not in text]
    assert not missing


COMMANDS = sorted({command for path in DOCUMENTS for command in commands_in(path)})


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command of the documents works, with the examples beside it; long runs are cut to 2000 deals."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "timid.yaml").write_text("extends: heuristic\nname: timid\nbidding: {margin: 0.50}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for part in command.split("|"):
        words = shlex.split(part, comments=True)[1:]
        if words[:1] == ["replay"] or words[0] in ("rates", "scores", "merge", "check") or "--resume" in words:
            words = prepared(words, capsys)
        if words[0] == "run" and "--dry-run" not in words:
            words = without(words, "--deals", "--matches", "--until", "--until-of")
            words += ["--deals", "200" if "python_bot" in part else "2000"]
        assert invoke(words) == 0, capsys.readouterr().err
    capsys.readouterr()


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


def prepared(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Make the run, shards or transcripts that a command needs."""
    if words[0] == "replay":
        assert invoke(["deal", "bridgette", "--count", "3", "--json"]) == 0
        Path("deals.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
        return ["replay", "deals.jsonl"]
    if words[0] == "check":
        return words
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
            assert invoke(["run", "bridgette", "--deals", "2000", "--out", run, *contracts]) == 0
    return words
