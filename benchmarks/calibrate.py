"""Builds and runs the C calibrator: the yardstick that makes figures of different machines and minutes comparable."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE / "build"


def build() -> Path | None:
    """The calibrator, compiled; None where there is no C compiler or the processor lacks BMI2."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    BUILD.mkdir(exist_ok=True)
    program = BUILD / "calibrator"
    source = HERE / "calibrator.c"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        command = [compiler, "-O3", "-march=native", "-o", str(program), str(source)]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
    return program


def nanoseconds(program: Path) -> float:
    """Nanoseconds per deal of one run of the calibrator, the best of its batches."""
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def pair_nanoseconds(program: Path) -> float:
    """Nanoseconds per deal of two copies at once, taken together: what a second thread can gain here and now."""
    running = [subprocess.Popen([str(program)], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    each = [float(process.communicate()[0].split()[0]) for process in running]
    return 1 / sum(1 / one for one in each)
