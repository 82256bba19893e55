"""Asks for known holes of the dependencies, with pip-audit in a virtual environment of its own.

    python tests/audit.py            every package that is installed beside this one
    python tests/audit.py --core     only what `pip install bridgette-lab` brings; continuous integration asks this
    python tests/audit.py --strict   also fails where nobody could be asked

Exit code 1 where a hole is known. Where packages cannot be installed or the service (the JSON pages of PyPI) cannot be
reached, that is said, by package; it is no failure unless `--strict` asks for certainty.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

OURS = "bridgette-lab"
SECONDS = 240


def main(arguments: Sequence[str]) -> int:
    """Ask, print, and say by the exit code."""
    strict = "--strict" in arguments
    freeze = [sys.executable, "-m", "pip", "freeze", "--exclude-editable"]
    listed = subprocess.run(freeze, capture_output=True, text=True, check=True)
    wanted = sorted(line for line in listed.stdout.splitlines() if "==" in line)
    if "--core" in arguments:
        needed = core(OURS)
        wanted = [line for line in wanted if plain(line.split("==")[0]) in needed]
    with tempfile.TemporaryDirectory() as folder:
        found, why = asked(Path(folder), wanted)
    if found is None:
        print(f"not asked: {why}")
        return 1 if strict else 0
    skipped = [f"{entry['name']} ({entry['skip_reason']})" for entry in found if "skip_reason" in entry]
    holes = [(entry, hole) for entry in found for hole in entry.get("vulns", [])]
    for entry, hole in holes:
        fixed = ", ".join(hole["fix_versions"]) or "none yet"
        print(f"{entry['name']} {entry['version']}: {hole['id']} ({', '.join(hole['aliases'])}); mended in {fixed}")
    counts = f"{len(wanted) - len(skipped)} asked about, {len(skipped)} not known to the service"
    print(f"{len(wanted)} packages: {counts}, {len(holes)} known holes")
    if skipped:
        print("not asked about: " + "; ".join(skipped[:5]) + (f"; and {len(skipped) - 5} more" if len(skipped) > 5 else ""))
    return 1 if holes or (strict and skipped) else 0


def core(package: str) -> set[str]:
    """What a package needs without extras, and what that needs, by name."""
    found: set[str] = set()
    waiting = [package]
    while waiting:
        try:
            needed = requires(waiting.pop()) or []
        except PackageNotFoundError:  # needed on other systems only
            continue
        names = {plain(re.split(r"[^\w.-]", text.strip())[0]) for text in needed if "extra ==" not in text}
        waiting += names - found
        found |= names
    return found


def plain(name: str) -> str:
    """A name of a package as registries compare them."""
    return re.sub(r"[-_.]+", "-", name).lower()


def asked(folder: Path, wanted: list[str]) -> tuple[list[dict[str, Any]] | None, str]:
    """What the service says about each package; None and the reason where it could not be asked."""
    requirements = folder / "requirements.txt"
    requirements.write_text("\n".join(wanted) + "\n", encoding="utf-8")
    try:
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        quiet = {"capture_output": True, "text": True, "timeout": SECONDS}
        made = subprocess.run([python, "-m", "pip", "install", "--quiet", "pip-audit"], **quiet)
        if made.returncode:
            return None, f"pip-audit cannot be installed ({last_line(made.stderr)})"
        options = ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off", "--timeout", "15"]
        done = subprocess.run([python, "-m", "pip_audit", "-r", requirements, *options], **quiet)
        return json.loads(done.stdout)["dependencies"], ""
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        return None, f"{type(error).__name__}: {str(error)[:200]}"


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1][:200]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
