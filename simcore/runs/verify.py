"""Checks a run directory against its manifest: files there, whole, unchanged; chunks without gaps or overlaps."""

from __future__ import annotations

import hashlib
from pathlib import Path

from simcore.runs.manifest import FINISHED, Manifest, read_manifest
from simcore.runs.store import LOG, MANIFEST, Folder


def check_run(path: Path) -> list[str]:
    """Everything that is wrong with a run directory.

    Parameters
    ----------
    path : Path
        The run directory.

    Returns
    -------
    list of str
        One sentence a fault; empty where there is none.
    """
    manifest = read_manifest(path)
    folder = Folder(path)
    problems = _chunk_problems(manifest)
    listed = {MANIFEST, LOG}
    for chunk in manifest.chunks:
        for file in chunk.files:
            listed.add(file.name)
            try:
                data = folder.get(file.name)
            except OSError:
                problems.append(f"{file.name}: missing or unreadable")
                continue
            if hashlib.sha256(data).hexdigest() != file.sha256:
                problems.append(f"{file.name}: content differs from what was written (checksum)")
    problems += [f"{name}: not part of the run" for name in folder.names() if name not in listed]
    return problems


def _chunk_problems(manifest: Manifest) -> list[str]:
    problems = []
    expected = 0
    for chunk in sorted(manifest.chunks, key=lambda chunk: chunk.first_match):
        if chunk.first_match != expected:
            kind = "gap" if chunk.first_match > expected else "overlap"
            problems.append(f"chunk {chunk.index} begins at match {chunk.first_match}, not {expected}: {kind}")
        expected = chunk.first_match + chunk.matches
    wanted = manifest.config.get("matches")
    if manifest.state == FINISHED and wanted is not None and expected != wanted:
        problems.append(f"holds matches up to {expected}, not {wanted}")
    if manifest.state != FINISHED:
        problems.append(f"the run is not finished: {manifest.state} after {manifest.deals} deals")
    return problems
