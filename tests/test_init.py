"""Files to start from, shell completion, and the package as it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

import simcore
from simcore.cli import _COMMANDS, app, form, invoke
from simcore.config import load_bot, load_run, load_variant, shipped
from simcore.config.starting import KINDS, starting_text

ROOT = Path(__file__).parent.parent


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- simcore init -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_start_is_valid_with_as_many_comments_as_values(
    folder: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["init", kind, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["kind"], document["file"]) == (kind, f"my_{kind}.yaml")
    assert invoke(["check", document["file"]]) == 0
    lines = Path(document["file"]).read_text(encoding="utf-8").splitlines()
    values = [line for line in lines if line.strip() and not line.strip().startswith(("#", "-"))]
    assert sum("#" in line for line in lines) >= len(values)
    assert any(f"my_{kind}.yaml" in line for line in lines[:6])


@pytest.mark.parametrize("kind", ["variant", "bot"])
def test_starts_play_what_they_come_from(folder: Path, kind: str) -> None:
    """Whole or short: the same rules or bot under another name."""
    load = load_variant if kind == "variant" else load_bot
    for name in shipped(f"{kind}s"):
        for short in (False, True):
            path = Path("mine.yaml")
            path.write_text(starting_text(kind, path, name, short)[0], encoding="utf-8")
            assert load(path).model_dump(exclude={"description"}) == {
                **load(name).model_dump(exclude={"description"}),
                "name": "mine",
            }


def test_runs_start_from_variants_and_files(folder: Path) -> None:
    (folder / "sub").mkdir()
    assert invoke(["init", "variant", "on", "--from", "oh_hell"]) == 0  # a word that YAML 1.1 reads as a boolean
    assert load_variant("on.yaml").name == "on"
    assert invoke(["init", "run", "sub/one", "--from", "on.yaml"]) == 0
    assert yaml.safe_load(Path("sub/one.yaml").read_text())["variant"] == "../on.yaml"
    assert load_run("sub/one.yaml").variant == load_variant("on.yaml")
    assert invoke(["init", "run", "two.yaml", "--from", "pit"]) == 0
    assert load_run("two.yaml").variant == load_variant("pit")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("init", "variant|bot|run"),
        ("init vriant", "did you mean 'variant'"),
        ("init variant there.yaml", "stays as it is"),
        ("init variant there", "stays as it is"),
        ("init variant missing/x.yaml", "no folder missing"),
        ("init variant --from bridgete", "did you mean 'bridgette'"),
        ("init run --from bridgete", "did you mean 'bridgette'"),
        ("init bot --from call_bridge", "'call_bridge' is a variant"),
        ("init sweep --short", "--short"),
        ("init variant a,b", "is called like its file"),
    ],
)
def test_what_cannot_be_started_is_explained(folder: Path, line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "there.yaml").write_text("name: there\n")
    assert invoke(line.split()) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert len(shown.err.splitlines()) <= 3
    assert [path.name for path in folder.iterdir()] == ["there.yaml"]
    assert (folder / "there.yaml").read_text() == "name: there\n"


# --- completion and help ----------------------------------------------------------------------------------------------


def completed(line: str) -> list[str]:
    """What bash is offered for a command line."""
    words = line.split(" ")
    settings = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "_SIMCORE_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [sys.executable, "-m", "simcore"], env={**os.environ, **settings}, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_shells_complete_commands_names_and_words(folder: Path) -> None:
    assert {"run", "rates", "replay"} <= set(completed("simcore r"))
    assert completed("simcore run bridgette --bots novice,heur") == ["novice,heuristic"]
    (folder / "runs" / "mine").mkdir(parents=True)
    (folder / "runs" / "mine" / "manifest.json").write_text("{}")
    (folder / "runs" / "other").mkdir()
    assert completed("simcore rates ") == ["runs/mine"]


def test_what_a_metavar_names_is_offered() -> None:
    """Without a process for each: the function that a metavar stands for."""
    offer = form._offer
    for metavar, written, expected in (
        ("VARIANT", "call_bridge", ["call_bridge", "call_bridge_pagat"]),
        ("A,B,...", "random,nov", ["random,novice"]),
        ("auction|all", "au", ["auction"]),
        ("TUNING", "", list(shipped("tunings"))),
    ):
        offered = offer(metavar)
        assert offered is not None
        assert offered(written) == expected
    assert offer("N") is None


def test_the_script_for_bash(capsys: pytest.CaptureFixture[str]) -> None:
    settings = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "simcore", "--show-completion", "bash"], env=settings, capture_output=True, text=True, check=True
    )
    assert "complete -o default -F _simcore_completion simcore" in done.stdout


def test_help_reads_as_one_voice(capsys: pytest.CaptureFixture[str]) -> None:
    """Every command is a whole clause in the list, every argument and option says something, no Python types are shown."""
    assert invoke(["--help"]) == 0
    listed = capsys.readouterr().out
    assert "..." not in listed.split("Commands:")[1]
    for name, module in _COMMANDS.items():
        assert invoke([name, "--help"]) == 0
        shown = capsys.readouterr().out
        assert not [word for word in ("<str>", "<path>", "list[", "{DIR...}") if word in shown], name
        if name not in ("variants", "bots", "doctor"):
            assert "Examples:" in shown, name
            assert f"simcore {name} " in module.EXAMPLES, name
    assert app.info.name == "simcore"


# --- the package ------------------------------------------------------------------------------------------------------


def test_the_citation_names_this_version() -> None:
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == simcore.__version__


def built(folder: Path) -> Path:
    """A wheel made from a source distribution; -> the folder it is installed in."""
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)], check=True, capture_output=True
    )
    (wheel,) = folder.glob("*.whl")
    target = folder / "installed"
    with zipfile.ZipFile(wheel) as archive:  # all that installing does to pure Python, without its dependencies
        archive.extractall(target)
    return target


def run_installed(target: Path, *arguments: str, **settings: str) -> str:
    """Run the installed program in an empty folder; -> what it prints."""
    away = target.parent / "away"
    shutil.rmtree(away, ignore_errors=True)
    away.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "simcore", *arguments],
        cwd=away,
        env={**os.environ, "PYTHONPATH": str(target), **settings},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_wheel_runs_outside_the_checkout(tmp_path: Path) -> None:
    """In plain Python, because a new place means new kernels; the long test compiles them."""
    target = built(tmp_path)
    assert (target / "analysis" / "py.typed").exists()
    document = json.loads(
        run_installed(target, "run", "bridgette", "--bots", "random", "--matches", "1", "--json", NUMBA_DISABLE_JIT="1")
    )
    assert document["matches"] == 1
    shown = json.loads(run_installed(target, "variants", "--json"))
    assert all(str(target) in entry["file"] for entry in shown["variants"])


@pytest.mark.long
def test_an_installed_wheel_runs_with_kernels_of_its_own(tmp_path: Path) -> None:
    target = built(tmp_path)
    assert json.loads(run_installed(target, "run", "bridgette", "--deals", "100_000", "--json"))["deals"] >= 100_000
