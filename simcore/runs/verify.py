"""Checks a run directory against its manifest: files there, whole, unchanged; chunks without gaps or overlaps."""

from __future__ import annotations

from simcore.places import Place
from simcore.runs.manifest import FINISHED, Manifest, read_manifest
from simcore.runs.options import worker_count
from simcore.runs.resume import all_faults
from simcore.runs.store import JOURNAL, LOG, MANIFEST, folder_of


def check_run(path: Place) -> list[str]:
    """Everything that is wrong with a run directory.

    Parameters
    ----------
    path : Path or Url
        The run directory.

    Returns
    -------
    list of str
        One sentence a fault; empty where there is none.
    """
    manifest = read_manifest(path)
    folder = folder_of(path)
    problems = _chunk_problems(manifest)
    for found in all_faults(folder, manifest.chunks, worker_count(None)):
        problems += found
    listed = {MANIFEST, LOG, JOURNAL, *(file.name for chunk in manifest.chunks for file in chunk.files)}
    problems += [f"{name}: not part of the run" for name in folder.names() if name not in listed]
    return problems


def _chunk_problems(manifest: Manifest) -> list[str]:
    problems = []
    first, end = manifest.extent
    expected = first
    for chunk in sorted(manifest.chunks, key=lambda chunk: chunk.first_match):
        if chunk.first_match != expected:
            kind = "gap" if chunk.first_match > expected else "overlap"
            problems.append(f"chunk {chunk.index} begins at match {chunk.first_match}, not {expected}: {kind}")
        expected = chunk.end
    if manifest.state == FINISHED and end is not None and expected != end and not manifest.stopped:
        problems.append(f"holds matches up to {expected}, not {end}")
    if manifest.state != FINISHED:
        problems.append(f"the run is not finished: {manifest.state} after {manifest.deals} deals; --resume goes on with it")
    return problems
