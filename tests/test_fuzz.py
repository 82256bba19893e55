"""Damaged input for every reader: a right answer or a message of a few lines, never a traceback, a hang or a crash.

`SIMCORE_FUZZ=5000` says how many inputs a reader gets (`make fuzz`); without it some hundred. Inputs are drawn from their
number, so that a failure names what to look at again: `SIMCORE_FUZZ_ONE=manifest:123`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fuzz_readers import config_readers, stored_readers, text_readers, where_reader
from fuzzing import Reader

import simcore

COUNT = int(os.environ.get("SIMCORE_FUZZ", "300"))
ONE = os.environ.get("SIMCORE_FUZZ_ONE", "")


def run_readers(readers: list[Reader]) -> None:
    failures: list[str] = []
    for reader in readers:
        name, _, number = ONE.partition(":")
        if name and name != reader.name:
            continue
        outcomes = {"taken": 0, "refused": 0}
        for case in [int(number)] if number else range(max(20, int(COUNT * reader.share))):
            try:
                outcomes[reader.try_one(case)] += 1
            except AssertionError as error:
                failures.append(f"{reader.name}:{case}: {str(error)[:600]}")
        assert number or min(outcomes["refused"], outcomes["taken"]) >= reader.fewest, f"{reader.name}: {outcomes}"
    if failures:
        pytest.fail(f"{len(failures)} failures\n" + "\n".join(failures[:30]), pytrace=False)


def test_configurations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_readers(config_readers(tmp_path))


def test_texts_and_transcripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_readers(text_readers(tmp_path))


def test_conditions(tmp_path: Path) -> None:
    made = simcore.run("bridgette", bots="random", seed=5, matches=60, out=tmp_path / "run", overrides=["chunk=20"])
    run_readers([where_reader(made.out)])


def test_what_runs_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_readers(stored_readers(tmp_path))
