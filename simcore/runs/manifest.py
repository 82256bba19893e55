"""The manifest of a run directory: what was run, with what, and which chunks are finished.

It holds the resolved configuration with variant and bots in full, so it can be fed back where a configuration is
expected; and everything a reader needs to know where the rows came from. It is replaced as a whole, atomically, now and
then while a run goes on and at its end. Between two such moments each finished chunk is a line at the end of the
journal, which a new manifest makes superfluous: whatever is killed when, what is finished is known.
"""

from __future__ import annotations

import json
import platform
import sys
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.places import Place, place
from simcore.runs.checked import Damaged, check_chunk, check_head, check_tables
from simcore.runs.store import JOURNAL, MANIFEST, AnyFolder, PartFile, folder_of

if TYPE_CHECKING:
    from simcore.config import Run
    from simcore.runs.shard import Shard

FORMAT = "simcore-run/1"
RUNNING, FINISHED, INTERRUPTED = "running", "finished", "interrupted"
_PACKAGES = ("numpy", "numba", "llvmlite", "pyarrow", "pandas", "pydantic")


@dataclass(frozen=True, slots=True)
class ChunkEntry:
    """A finished chunk: matches ``first_match .. first_match + matches - 1`` and its files.

    Attributes
    ----------
    index : int
        Number of the chunk; of the first one, where the entry covers several (sums of many chunks).
    until : tuple of tuple
        For a run that stops by itself: sums of the watched row (`simcore.runs.until`).
    """

    index: int
    first_match: int
    matches: int
    deals: int
    files: tuple[PartFile, ...]
    until: tuple[tuple[int, ...], ...] = ()

    @property
    def end(self) -> int:
        """The match after the last."""
        return self.first_match + self.matches

    def as_json(self) -> dict[str, Any]:
        """Form in the manifest."""
        document: dict[str, Any] = {
            "index": self.index,
            "first_match": self.first_match,
            "matches": self.matches,
            "deals": self.deals,
            "files": [file.as_json() for file in self.files],
        }
        if self.until:
            document["until"] = [list(sums) for sums in self.until]
        return document

    def as_line(self) -> str:
        """Form in the journal and, with a comma between, in the manifest: one line."""
        return json.dumps(self.as_json(), ensure_ascii=False)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> ChunkEntry:
        """Entry of its form in the manifest; raises `checked.Damaged` where it cannot be one."""
        check_chunk(document)
        return cls(
            index=document["index"],
            first_match=document["first_match"],
            matches=document["matches"],
            deals=document["deals"],
            files=tuple(PartFile(**{name: file[name] for name in PartFile.__slots__}) for file in document["files"]),
            until=tuple(tuple(sums) for sums in document.get("until", ())),
        )


@dataclass(slots=True)
class Manifest:
    """Content of ``manifest.json``; `chunks`, `state`, `seconds` and `ended` change while a run goes on."""

    config: dict[str, Any]
    rules_digest: str
    source_digest: str
    engine_digest: str
    versions: dict[str, str]
    platform: dict[str, Any]
    command: list[str]
    workers: int
    started: str
    state: str = RUNNING
    ended: str | None = None
    seconds: float = 0.0
    shard: dict[str, Any] | None = None
    until: dict[str, Any] | None = None
    """What a run that ends at a width of an interval has reached (`simcore.runs.until`)."""
    extent: tuple[int, int | None] = (0, None)
    """First match, and the match after the last; None where only a target in deals tells."""
    resumed: list[dict[str, Any]] = field(default_factory=list)
    """When, how and with what the run was taken up again."""
    chunks: list[ChunkEntry] = field(default_factory=list)

    @property
    def matches(self) -> int:
        """Finished matches."""
        return sum(chunk.matches for chunk in self.chunks)

    @property
    def stopped(self) -> bool:
        """Whether the run ended because an interval was narrow enough."""
        return self.until is not None and bool(self.until["reached"])

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
        """The JSON document, but for the list of chunks."""
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
            "shard": self.shard,
            "extent": list(self.extent),
            "until": self.until,
            "resumed": self.resumed,
            "rules_digest": self.rules_digest,
            "source_digest": self.source_digest,
            "engine_digest": self.engine_digest,
            "versions": self.versions,
            "platform": self.platform,
            "config": self.config,
        }

    def add(self, folder: AnyFolder, entry: ChunkEntry) -> None:
        """Note a finished chunk, at once and for good."""
        self.chunks.append(entry)
        folder.append(JOURNAL, entry.as_line() + "\n")

    def write(self, folder: AnyFolder) -> None:
        """Replace the manifest in a run directory; the journal has done its duty."""
        self.chunks.sort(key=lambda chunk: chunk.index)
        head = json.dumps(self.as_json(), indent=1, ensure_ascii=False).removesuffix("\n}")
        chunks = ",\n  ".join(chunk.as_line() for chunk in self.chunks)
        folder.put(MANIFEST, (head + ',\n "chunks": [\n  ' + chunks + "\n ]\n}\n").encode())
        folder.remove(JOURNAL)


def new_manifest(
    run: Run, workers: int, command: Sequence[str], extent: tuple[int, int | None], shard: Shard | None = None
) -> Manifest:
    """Manifest of a run that begins now.

    Parameters
    ----------
    run : Run
        The resolved run.
    workers : int
        Threads that play.
    command : sequence of str
        How it was started.
    extent : tuple
        First match, and the match after the last, if known.
    shard : Shard or None
        The part of the run that is played.

    Returns
    -------
    Manifest
        In state ``running``, without chunks.
    """
    from simcore import _jit

    return Manifest(
        config=run.content(),
        rules_digest=run.variant.digest(),
        source_digest=_jit.SOURCE_DIGEST,
        engine_digest=_jit.ENGINE_DIGEST,
        versions=versions(),
        platform={"system": platform.platform(), "machine": platform.machine(), "python": sys.version.split()[0]},
        command=list(command),
        workers=workers,
        started=now(),
        extent=extent,
        shard=None if shard is None else shard.as_json(),
    )


@lru_cache
def versions() -> dict[str, str]:
    """Versions of the package and of what its results and files depend on; not to be changed."""
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


def find_manifest(path: Place) -> dict[str, Any] | None:
    """The manifest's JSON document of a directory, or None where there is no run of ours."""
    try:
        document = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None
    return document


def read_manifest(path: Place | str) -> Manifest:
    """Read the manifest of a run directory.

    Parameters
    ----------
    path : Path, Url or str
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
    path = place(path)
    if not path.exists():
        raise InputError(f"{path}: no such run directory")
    if not path.is_dir():
        raise InputError(f"{path} is a file; a run directory is expected (what `simcore run` prints as its output)")
    if not (path / MANIFEST).exists():
        raise InputError(f"{path} is not a run directory: it has no {MANIFEST}")
    document = find_manifest(path)
    if document is None:
        raise InputError(f"{path / MANIFEST} is damaged or of another format or version; {FORMAT} is expected")
    try:
        manifest = _from_json(document)
    except Damaged as error:
        raise InputError(f"{path / MANIFEST} is damaged: {error}") from error
    _add_journal(manifest, folder_of(path))
    return manifest


def _rules(document: dict[str, Any]) -> dict[str, Any]:
    """The rules of a manifest by their schema, complete, so that readers may rely on every key."""
    from simcore.config import load_variant

    try:
        return load_variant(document["config"]["variant"], label="rules").model_dump(mode="json")
    except InputError as error:
        version = document["versions"].get("simcore", "unknown")
        said = str(error).splitlines()[0]
        raise Damaged(f"version {version} of simcore wrote it, and this one does not know its rules ({said})") from error


def _from_json(document: dict[str, Any]) -> Manifest:
    check_head(document)
    document["config"]["variant"] = _rules(document)
    names = ("config", "rules_digest", "source_digest", "versions", "platform", "command", "workers", "started")
    known: dict[str, Any] = {name: document[name] for name in names}
    absent: dict[str, Any] = {"resumed": [], "engine_digest": "", "shard": None, "until": None}
    known |= {name: document.get(name, value) for name, value in absent.items()}
    chunks = [ChunkEntry.from_json(chunk) for chunk in document["chunks"]]
    for chunk in chunks:
        check_tables(document["config"], (file.table for file in chunk.files))
    return Manifest(
        **known,
        extent=tuple(document.get("extent", (0, document["config"].get("matches")))),
        state=document["state"],
        ended=document["ended"],
        seconds=document["seconds"],
        chunks=chunks,
    )


def _add_journal(manifest: Manifest, folder: AnyFolder) -> None:
    """Add the chunks that were finished after the manifest was written; a line that is torn or known is passed over."""
    try:
        lines = folder.get(JOURNAL).decode(errors="replace").splitlines()
    except OSError:
        return
    later: dict[int, ChunkEntry] = {}
    for line in lines:
        try:
            entry = ChunkEntry.from_json(json.loads(line))
            check_tables(manifest.config, (file.table for file in entry.files))
        except (ValueError, RecursionError):
            continue
        later.setdefault(entry.index, entry)
    known = sorted((chunk.first_match, chunk.end) for chunk in manifest.chunks)
    for entry in sorted(later.values(), key=lambda chunk: chunk.index):
        place = bisect(known, (entry.first_match, entry.end))
        clear_before = place == 0 or known[place - 1][1] <= entry.first_match
        if clear_before and (place == len(known) or entry.end <= known[place][0]):
            manifest.chunks.append(entry)
    manifest.chunks.sort(key=lambda chunk: chunk.index)
