"""``simcore doctor``: what this machine offers, and a self-test of a few seconds."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from simcore.cli.options import JsonOption, print_json

_MATCHES = 35
"""Matches of the self-test: about two hundred deals."""
_TABLE_DEALS = 5000


def command(as_json: JsonOption = False) -> int:
    """Print versions and what the machine offers, and run a self-test.

    Exit code 1 where the self-test fails.
    """
    from simcore.runs.progress import announce_compile

    found = _facts()
    announce_compile()
    found["self_test"] = tests = _self_test()
    ok = all(test["ok"] for test in tests)
    found["ok"] = ok
    if as_json:
        print_json(found)
    else:
        _print(found)
    return 0 if ok else 1


def _facts() -> dict[str, Any]:
    from simcore import _jit
    from simcore.runs.manifest import versions
    from simcore.runs.options import worker_count

    features = _cpu_features()
    return {
        "versions": {"python": sys.version.split()[0], **versions()},
        "source_digest": _jit.SOURCE_DIGEST,
        "cpu": {
            "bmi2": features.get("bmi2"),
            "avx2": features.get("avx2"),
            "portable": bool(os.environ.get("SIMCORE_PORTABLE")),
        },
        "threads": worker_count(None),
        "cache": {
            "folder": str(_jit.CACHE_DIR),
            "writable": os.access(_jit.CACHE_DIR, os.W_OK),
            "warm": _jit.cache_is_warm(),
        },
        "jit": not _jit.JIT_DISABLED,
    }


def _cpu_features() -> dict[str, bool]:
    from llvmlite import binding

    try:
        return dict(binding.get_host_cpu_features())
    except RuntimeError:  # the processor does not say
        return {}


def _self_test() -> list[dict[str, Any]]:
    return [_replay_test(), _threads_test()]


def _replay_test() -> dict[str, Any]:
    """Deals of the random bot are legal in the eyes of the checker of transcripts."""
    import json

    from simcore import api

    lines = [json.dumps(line) for line in api.deal("bridgette", count=_MATCHES, bots="random")]
    report = api.replay(lines)
    return {
        "test": f"{report.transcripts} deals of random bots replay without a violation",
        "ok": not report.violations and report.transcripts > 0,
    }


def _threads_test() -> dict[str, Any]:
    """One and two threads store the same table."""
    import tempfile
    from pathlib import Path

    from simcore import api
    from simcore.runs import read_table

    with tempfile.TemporaryDirectory(prefix="simcore-doctor-") as folder:
        one, two = (
            read_table(
                api.run(
                    "bridgette",
                    out=Path(folder) / str(workers),
                    bots="random",
                    deals=_TABLE_DEALS,
                    workers=workers,
                    overrides=[f"chunk={500 // workers}"],
                ).out,
                "deals",
            )
            for workers in (1, 2)
        )
        same = bool(one.combine_chunks().equals(two.combine_chunks()))
    return {"test": f"{one.num_rows} deals are the same with 1 and 2 threads", "ok": same}


def _print(found: dict[str, Any]) -> None:
    typer.echo("versions   " + ", ".join(f"{name} {version}" for name, version in found["versions"].items()))
    features = ", ".join(f"{name} {_yes(value)}" for name, value in found["cpu"].items())
    typer.echo(f"processor  {features}")
    typer.echo(f"threads    {found['threads']}")
    cache = found["cache"]
    typer.echo(f"cache      {cache['folder']}, writable {_yes(cache['writable'])}, warm {_yes(cache['warm'])}")
    typer.echo(f"kernels    source digest {found['source_digest']}, compiled {_yes(found['jit'])}")
    for test in found["self_test"]:
        typer.echo(f"{'ok' if test['ok'] else 'FAILED':10} {test['test']}")


def _yes(value: bool | None) -> str:
    return "unknown" if value is None else "yes" if value else "no"
