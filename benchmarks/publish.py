"""What all benchmarks share: the machine in words, blocks of benchmarks/README.md, and the ratios of the last recorded run."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numba
import numpy as np

from simcore import __version__

README = Path(__file__).parent / "README.md"
RECORDED = Path(__file__).parent / "recorded.json"
WORST = 1.5
"""A ratio is reported as a regression only where it is so many times worse than the recorded one: machines differ."""


def processor() -> str:
    """Model of the processor, and the versions that matter."""
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.processor(),
    )
    return f"{model}, Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}"


def commit() -> str:
    """Short name of the commit."""
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def machine() -> str:
    """What was measured, and where."""
    return f"simcore {__version__} at {commit()}; {processor()}"


def put(block: str, text: str, page: Path | None = None) -> None:
    """Write a text into its block of a page; without one of the README."""
    page = README if page is None else page
    begin, end = f"<!-- {block} begins -->", f"<!-- {block} ends -->"
    head, rest = page.read_text(encoding="utf-8").split(begin)
    page.write_text(f"{head}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def record(ratios: Mapping[str, Mapping[str, float]]) -> None:
    """Keep ratios for later comparisons: `cost` (less is better) and `lead` (more is better)."""
    RECORDED.write_text(json.dumps(ratios, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def regressions(ratios: Mapping[str, Mapping[str, float]], kept: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Ratios that are worse than the recorded ones by more than `WORST`; what only one side has is left out.

    Parameters
    ----------
    ratios, kept : mapping
        ``cost`` (less is better) and ``lead`` (more is better), each ratio by its name.

    Returns
    -------
    list of str
        A sentence each.
    """
    found = []
    for name, now in ratios.get("cost", {}).items():
        before = kept.get("cost", {}).get(name)
        if before and now > WORST * before:
            found.append(f"{name}: costs {now:.2f} of the yardstick, recorded {before:.2f}")
    for name, now in ratios.get("lead", {}).items():
        before = kept.get("lead", {}).get(name)
        if before and now < before / WORST:
            found.append(f"{name}: {now:.2f} times as fast, recorded {before:.2f}")
    return found


def last_recorded() -> dict[str, dict[str, float]]:
    """The ratios of the last recorded run; none where there is no file."""
    return json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
