"""What a manifest and its journal must look like before anything believes them: kinds of values, and names of part files.

A manifest is read by programs that trust it, and may come from elsewhere. So a name in it that is not that of a part file
of a run is refused: no file outside the run directory is read or written because a manifest says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from simcore.runs.store import TABLES, is_part

STATES = ("running", "finished", "interrupted")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LARGEST = 2**63
_OPTIONAL = ("engine_digest", "extent", "shard", "until", "resumed")
"""Keys that manifests of the first versions do not have."""
_WORDS: dict[type, str] = {
    str: "text", int: "a whole number", list: "a list", dict: "a map", float: "a number", bool: "true or false"
}  # fmt: skip
_HEAD: dict[str, tuple[type | None, ...]] = {
    "config": (dict,), "rules_digest": (str,), "source_digest": (str,), "engine_digest": (str,), "versions": (dict,),
    "platform": (dict,), "command": (list,), "workers": (int,), "started": (str,), "state": (str,), "ended": (str, None),
    "seconds": (float, int),
    "shard": (dict, None), "until": (dict, None), "extent": (list,), "resumed": (list,), "chunks": (list,),
}  # fmt: skip


class Damaged(ValueError):
    """A value of a manifest that cannot be; the message names it."""


def check_head(document: Mapping[str, Any]) -> None:
    """Check a manifest but for its chunks.

    Parameters
    ----------
    document : mapping
        What was read.

    Raises
    ------
    Damaged
        Something is missing or wrong.
    """
    for key, kinds in _HEAD.items():
        if key not in document and key in _OPTIONAL:
            continue
        _want(document, key, kinds)
    if document["state"] not in STATES:
        raise Damaged(f"state is {document['state']!r:.40}, not one of {', '.join(STATES)}")
    _check_texts("command", document["command"])
    for key in ("versions", "platform"):
        _check_texts(key, document[key].values())
    for entry in document.get("resumed", ()):
        if not isinstance(entry, dict):
            raise Damaged("resumed is not a list of maps")
    if document["seconds"] < 0:
        raise Damaged("seconds is below 0")
    _check_extent(document.get("extent", [0, None]))
    if document.get("shard") is not None:
        index, of = (_count(document["shard"], key, 1) for key in ("index", "of"))
        if index > of:
            raise Damaged("shard is none")
    if document.get("until") is not None:
        _check_until(document["until"])
    _check_config(document["config"])


def check_chunk(document: Any) -> None:
    """Check the entry of a finished chunk.

    Parameters
    ----------
    document : Any
        What was read.

    Raises
    ------
    Damaged
        Something is missing or wrong.
    """
    if not isinstance(document, dict):
        raise Damaged("an entry of chunks is no map")
    for key, low in (("index", 0), ("first_match", 0), ("matches", 1), ("deals", 0)):
        _count(document, key, low)
    _want(document, "files", (list,))
    for file in document["files"]:
        if not isinstance(file, dict):
            raise Damaged("an entry of files is no map")
        for key in ("rows", "bytes"):
            _count(file, key, 0)
        for key in ("table", "name", "sha256"):
            _want(file, key, (str,))
        if file["table"] not in TABLES or not is_part(file["name"]) or not file["name"].startswith(file["table"] + "/"):
            raise Damaged(f"{file['name']!r:.60} is not the name of a part file of {file['table']!r:.20}")
        if not _SHA256.fullmatch(file["sha256"]):
            raise Damaged(f"sha256 of {file['name']} is none")
    sums = document.get("until", [])
    if not isinstance(sums, list) or not all(isinstance(row, list) and all(type(item) is int for item in row) for row in sums):
        raise Damaged("until of a chunk is not a list of lists of whole numbers")


def check_tables(config: Mapping[str, Any], tables: Iterable[str]) -> None:
    """Refuse a chunk that has not one file of each table of its run; `config` is the run's."""
    listed = sorted(tables)
    summed = config.get("output") == "summary"
    wanted = ["cells"] if summed else ["deals"]
    if config["unit"] == "match":
        wanted += ["pairs", "results", "sums", "totals"] if summed else ["matches"]
    if listed != wanted:
        raise Damaged(f"a chunk has files of {', '.join(listed) or 'no table'}, not of {', '.join(wanted)}")


def _want(document: Mapping[str, Any], key: str, kinds: tuple[type | None, ...]) -> Any:
    if key not in document:
        raise Damaged(f"{key} is missing")
    value = document[key]
    if not (value is None and None in kinds) and type(value) not in kinds:
        wanted = " or ".join("null" if kind is None else _WORDS[kind] for kind in kinds)
        raise Damaged(f"{key} is {value!r:.40}, not {wanted}")
    return value


def _count(document: Mapping[str, Any], key: str, low: int) -> int:
    value: int = _want(document, key, (int,))
    if not low <= value < _LARGEST:
        raise Damaged(f"{key} is {value!r:.40}; allowed: {low} and above")
    return value


def _check_texts(key: str, values: Any) -> None:
    if not all(isinstance(value, str) for value in values):
        raise Damaged(f"{key} holds something else than texts")


def _check_extent(extent: list[Any]) -> None:
    numbers = [value for value in extent if value is not None]
    fits = len(extent) == 2 and extent[0] is not None and all(type(value) is int and 0 <= value < _LARGEST for value in numbers)
    if not fits or numbers != sorted(numbers):
        raise Damaged(f"extent is {extent!r:.40}, not the first match and the match after the last")


def _check_until(until: dict[str, Any]) -> None:
    for key, kinds in (("reached", (bool,)), ("matches", (int,)), ("n", (int,))):
        _want(until, key, kinds)
    for key in ("half_width", "needed_matches"):
        _want(until, key, (float, int, None))


def _check_config(config: dict[str, Any]) -> None:
    """What readers of a run take from its configuration; the rules are checked by their schema (`manifest.read_manifest`)."""
    for key, kinds in (("variant", (dict,)), ("bots", (list,)), ("seed", (int,)), ("unit", (str,))):
        _want(config, key, kinds)
    for key, allowed in (("unit", ("match", "deal")), ("output", ("rows", "summary")), ("contracts", ("auction", "all")),
                         ("play", ("bots", "perfect", "both"))):  # fmt: skip
        if config.get(key, allowed[0]) not in allowed:
            raise Damaged(f"config.{key} is {config[key]!r:.40}, not one of {', '.join(allowed)}")
    _check_texts("config.columns", _want({"columns": [], **config}, "columns", (list,)))
    for bot in config["bots"]:
        if not isinstance(bot, dict):
            raise Damaged("an entry of config.bots is no map")
        _want(bot, "name", (str,))
        for stage in ("exchange", "bidding", "play"):
            if isinstance(bot.get(stage, {}), dict):
                continue
            raise Damaged(f"{stage} of bot {bot['name']!r:.40} is no map")
