"""The manifest of a run directory: what was run, with what, and which chunks are finished.

It holds the resolved configuration with variant and bots in full, so it can be fed back where a configuration is
expected; and everything a reader needs to know where the rows came from. It is replaced as a whole, atomically.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.runs.store import MANIFEST, Folder, PartFile

if TYPE_CHECKING:
    from simcore.config import Run

FORMAT = "simcore-run/1"
RUNNING, FINISHED, INTERRUPTED = "running", "finished", "interrupted"
_PACKAGES = ("numpy", "numba", "llvmlite", "pyarrow", "pandas", "pydantic")


@dataclass(frozen=True, slots=True)
class ChunkEntry:
    """One finished chunk: matches ``first_match .. first_match + matches - 1`` and its files."""

    index: int
    first_match: int
    matches: int
    deals: int
    files: tuple[PartFile, ...]

    def as_json(self) -> dict[str, Any]:
        """Form in the manifest."""
        return {
            "index": self.index,
            "first_match": self.first_match,
            "matches": self.matches,
            "deals": self.deals,
            "files": [file.as_json() for file in self.files],
        }


@dataclass(slots=True)
class Manifest:
    """Content of ``manifest.json``; `chunks`, `state`, `seconds` and `ended` change while a run goes on."""

    config: dict[str, Any]
    rules_digest: str
    source_digest: str
    versions: dict[str, str]
    platform: dict[str, Any]
    command: list[str]
    workers: int
    started: str
    state: str = RUNNING
    ended: str | None = None
    seconds: float = 0.0
    chunks: list[ChunkEntry] = field(default_factory=list)

    @property
    def matches(self) -> int:
        """Finished matches."""
        return sum(chunk.matches for chunk in self.chunks)

    @property
    def deals(self) -> int:
        """Finished deals."""
        return sum(chunk.deals for chunk in self.chunks)

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that have files."""
        return tuple(dict.fromkeys(file.table for chunk in self.chunks for file in chunk.files))

    def files(self, table: str) -> list[str]:
        """Names of the finished part files of a table, in match order."""
        chunks = sorted(self.chunks, key=lambda chunk: chunk.index)
        return [file.name for chunk in chunks for file in chunk.files if file.table == table]

    def as_json(self) -> dict[str, Any]:
        """The JSON document."""
        return {
            "format": FORMAT,
            "state": self.state,
            "variant": self.config["variant"]["name"],
            "bots": [bot["name"] for bot in self.config["bots"]],
            "seed": self.config["seed"],
            "matches": self.matches,
            "deals": self.deals,
            "started": self.started,
            "ended": self.ended,
            "seconds": round(self.seconds, 3),
            "workers": self.workers,
            "command": self.command,
            "rules_digest": self.rules_digest,
            "source_digest": self.source_digest,
            "versions": self.versions,
            "platform": self.platform,
            "config": self.config,
            "chunks": [chunk.as_json() for chunk in self.chunks],
        }

    def write(self, folder: Folder) -> None:
        """Replace the manifest in a run directory."""
        text = json.dumps(self.as_json(), indent=1, ensure_ascii=False)
        folder.put(MANIFEST, (text + "\n").encode())


def new_manifest(run: Run, workers: int, command: Sequence[str], source_digest: str) -> Manifest:
    """Manifest of a run that begins now.

    Parameters
    ----------
    run : Run
        The resolved run.
    workers : int
        Threads that play.
    command : sequence of str
        How it was started.
    source_digest : str
        Digest of the package's sources.

    Returns
    -------
    Manifest
        In state ``running``, without chunks.
    """
    return Manifest(
        config=run.model_dump(mode="json"),
        rules_digest=run.variant.digest(),
        source_digest=source_digest,
        versions=versions(),
        platform={"system": platform.platform(), "machine": platform.machine(), "python": sys.version.split()[0]},
        command=list(command),
        workers=workers,
        started=now(),
    )


def versions() -> dict[str, str]:
    """Versions of the package and of what its results and files depend on."""
    from simcore import __version__

    found = {"simcore": __version__}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "missing"
    return found


def now() -> str:
    """The time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def find_manifest(path: Path) -> dict[str, Any] | None:
    """The manifest's JSON document of a directory, or None where there is no run of ours."""
    try:
        document = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None
    return document


def read_manifest(path: Path | str) -> Manifest:
    """Read the manifest of a run directory.

    Parameters
    ----------
    path : Path or str
        The run directory.

    Returns
    -------
    Manifest
        Its content.

    Raises
    ------
    InputError
        There is no run directory, or its manifest is damaged.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: no such run directory")
    if not path.is_dir():
        raise InputError(f"{path} is a file; a run directory is expected (what `simcore run` prints as its output)")
    if not (path / MANIFEST).exists():
        raise InputError(f"{path} is not a run directory: it has no {MANIFEST}")
    document = find_manifest(path)
    if document is None:
        raise InputError(f"{path / MANIFEST} is damaged or of another format; {FORMAT} is expected")
    try:
        return _from_json(document)
    except (KeyError, TypeError) as error:
        raise InputError(f"{path / MANIFEST} is damaged: {error} is missing or wrong") from error


def _from_json(document: dict[str, Any]) -> Manifest:
    chunks = [
        ChunkEntry(
            index=chunk["index"],
            first_match=chunk["first_match"],
            matches=chunk["matches"],
            deals=chunk["deals"],
            files=tuple(PartFile(**file) for file in chunk["files"]),
        )
        for chunk in document["chunks"]
    ]
    names = ("config", "rules_digest", "source_digest", "versions", "platform", "command", "workers", "started")
    return Manifest(
        **{name: document[name] for name in names},
        state=document["state"],
        ended=document["ended"],
        seconds=document["seconds"],
        chunks=chunks,
    )
