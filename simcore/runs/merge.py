"""Joins the shards of a run: every file is checked on the way, and the result is what one run would have written."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simcore.config import Run, load_run
from simcore.errors import InputError
from simcore.places import Place
from simcore.runs import manifest as manifests
from simcore.runs import store
from simcore.runs.manifest import ChunkEntry, Manifest, read_manifest
from simcore.runs.outputs import writer_of
from simcore.runs.plan import extent_of
from simcore.runs.result import RunResult
from simcore.runs.resume import check_engine, differences, listed


@dataclass(frozen=True, slots=True)
class _Part:
    """A directory to be joined."""

    path: Place
    manifest: Manifest

    def __str__(self) -> str:
        shard = self.manifest.shard
        return f"{self.path} (shard {shard['index']}/{shard['of']})" if shard else str(self.path)


def merge(sources: Sequence[Place], out: Place, overwrite: bool = False, command: Sequence[str] = ()) -> RunResult:
    """Join the shards of a run into one run directory.

    Parameters
    ----------
    sources : sequence of Path or Url
        Finished run directories that together hold every match of the run once.
    out : Path or Url
        Where the joined run goes.
    overwrite : bool
        Whether a run in `out` may be replaced.
    command : sequence of str
        For the manifest.

    Returns
    -------
    RunResult
        The joined run: the same files as those of one run over all matches.

    Raises
    ------
    InputError
        The parts overlap, leave gaps, are unfinished or damaged, or belong to different runs.
    """
    parts = [_Part(path, read_manifest(path)) for path in sources]
    if any(part.path.resolve() == out.resolve() for part in parts):
        raise InputError(f"{out} is one of the parts; give another --out")
    run = _one_run(parts)
    parts.sort(key=lambda part: part.manifest.extent[0])
    _check_cover(run, parts)
    store.check_target(out, overwrite, manifests.find_manifest(out))
    writer = writer_of(run)
    with store.held(out) as folder:
        store.check_target(out, overwrite, manifests.find_manifest(out))
        store.clear(folder, writer.tables)
        extent = extent_of(run)
        joined = manifests.new_manifest(run, 1, command, (extent.first, extent.end))
        joined.write(folder)
        for part in parts:
            for entry in part.manifest.chunks:
                _copy(part, entry, folder)
                joined.add(folder, entry)
        joined.chunks = writer.joined(folder, joined.chunks)
        joined.seconds = sum(part.manifest.seconds for part in parts)
        joined.state, joined.ended = manifests.FINISHED, manifests.now()
        listed_files = [file.name for chunk in joined.chunks for file in chunk.files]
        folder.sync(listed_files)
        joined.write(folder)
        store.sweep(folder, set(listed_files))
        names = ", ".join(str(part) for part in parts)
        folder.append(store.LOG, f"{joined.ended} joined: {names}; {joined.matches} matches, {joined.deals} deals\n")
    return RunResult.of(out, joined)


def _one_run(parts: Sequence[_Part]) -> Run:
    """The run that all parts belong to."""
    first = parts[0]
    for part in parts:
        check_engine(part.path, part.manifest)
        found = differences(first.manifest.config, part.manifest.config)
        if found:
            there = [text.replace(" there,", f" in {first.path},").replace(" now", f" in {part.path}") for text in found]
            raise InputError(f"{part.path} belongs to another run than {first.path}: {listed(there)}")
        if part.manifest.state != manifests.FINISHED:
            state = part.manifest.state
            raise InputError(f"{part} is not finished ({state}); simcore run --resume {part.path} goes on with it")
    config: dict[str, Any] = first.manifest.config
    return load_run(config, label=str(first.path))


def _check_cover(run: Run, parts: Sequence[_Part]) -> None:
    """Refuse overlaps, gaps, and what is missing at the end."""
    expected, before = 0, "the run"
    for part in parts:
        first, _ = part.manifest.extent
        if first < expected:
            raise InputError(f"{part} and {before} overlap: both hold match {first}")
        if first > expected:
            raise InputError(f"matches {expected} to {first - 1} are missing before {part}: give the shard that holds them too")
        for entry in sorted(part.manifest.chunks, key=lambda entry: entry.first_match):
            if entry.first_match != expected:
                raise InputError(f"{part} is damaged: matches from {expected} on are missing; simcore check says more")
            expected = entry.end
        before = str(part)
    end = extent_of(run).end
    if end is not None and expected < end:
        raise InputError(f"matches {expected} to {end - 1} are missing: give the shards that hold them too")


def _copy(part: _Part, entry: ChunkEntry, folder: store.AnyFolder) -> None:
    source = store.folder_of(part.path)
    for file in entry.files:
        try:
            data = source.get(file.name)
        except OSError:
            data = b""
        if hashlib.sha256(data).hexdigest() != file.sha256:
            raise InputError(
                f"{part.path / file.name} is damaged or missing (checksum); simcore run --resume {part.path} plays it again"
            )
        folder.put(file.name, data, flush=False)
