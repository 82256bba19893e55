"""Taking up a run again: what must be the same, what is still whole, what has to be played once more.

Only how a run is played may change (workers, progress). Everything in its configuration, its shard, and the engine's
digest (`simcore._jit.ENGINE_DIGEST`: kernels, rules and Numba's version, not the command line or the file handling) must
be as it was, because a table made of two engines' rows would be nobody's. Another version of the Parquet library is
allowed: it may change bytes, never a value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.places import Place
from simcore.runs.manifest import ChunkEntry, Manifest
from simcore.runs.shard import Shard
from simcore.runs.store import AnyFolder

if TYPE_CHECKING:
    from simcore.config import Run

_SHOWN = 4
"""Differences that a message names."""
_LONGEST = 60
_FREE_TEXT = "description"


def check_same(out: Place, manifest: Manifest, run: Run, shard: Shard | None) -> None:
    """Refuse to resume a run with another configuration or another engine.

    Parameters
    ----------
    out : Path
        For the message.
    manifest : Manifest
        Of the run that is there.
    run : Run
        What is asked for.
    shard : Shard or None
        What is asked for; None takes the shard that is there.

    Raises
    ------
    InputError
        Key by key, what is different.
    """
    there = Shard(**manifest.shard) if manifest.shard else None
    found = differences(manifest.config, run.content())
    if shard is not None and shard != there:
        found.append(f"shard: {there or 'none'} there, {shard} now")
    if found:
        raise InputError(f"{out} holds another run, so it cannot be resumed: {listed(found)}")
    check_engine(out, manifest)


def check_engine(out: Place, manifest: Manifest) -> None:
    """Refuse to continue what another version of the engine began."""
    from simcore import _jit

    if manifest.engine_digest != _jit.ENGINE_DIGEST:
        version = manifest.versions
        raise InputError(
            f"{out} was begun by another version of the engine (simcore {version.get('simcore')}, "
            f"numba {version.get('numba')}, digest {manifest.engine_digest or 'unknown'}; this one is {_jit.ENGINE_DIGEST}), "
            "whose results may differ;\n"
            "go on with that version, or run all of it again with --overwrite"
        )


def differences(there: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Keys of two configurations that differ, as ``path: value there, value now``; free text does not count."""
    return [f"{path}: {one} there, {other} now" for path, one, other in differing(there, now)]


def differing(there: Mapping[str, Any], now: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Path and both values, as text, of each key of two configurations that differs; free text does not count."""
    one, other = dict(_leaves(there)), dict(_leaves(now))
    paths = dict.fromkeys([*one, *other])
    return [
        (path, _shown(one, path), _shown(other, path))
        for path in paths
        if one.get(path, _MISSING) != other.get(path, _MISSING)
    ]


_MISSING = object()


def _shown(values: Mapping[str, Any], path: str) -> str:
    value = values.get(path, _MISSING)
    text = "nothing" if value is _MISSING else "null" if value is None else str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, child in value.items():
            if key != _FREE_TEXT:
                yield from _leaves(child, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        for place, child in enumerate(value):
            yield from _leaves(child, f"{path}[{place}]")
    else:
        yield path, list(value) if isinstance(value, tuple) else value


def listed(found: Sequence[str]) -> str:
    """Some of many differences, in one line."""
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def faults(folder: AnyFolder, entry: ChunkEntry) -> list[str]:
    """What is wrong with the files of a chunk; empty where nothing is."""
    found = []
    for file in entry.files:
        try:
            data = folder.get(file.name)
        except OSError:
            found.append(f"{file.name}: missing or unreadable")
            continue
        if hashlib.sha256(data).hexdigest() != file.sha256:
            found.append(f"{file.name}: content differs from what was written (checksum)")
    return found


def all_faults(folder: AnyFolder, chunks: Sequence[ChunkEntry], workers: int) -> list[list[str]]:
    """Faults of each chunk, looked for on several threads (reading and hashing release the interpreter lock)."""
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda entry: faults(folder, entry), chunks))
