"""Commented files to start from: the shipped ones under a name of the user's own, or a few lines that build on one."""

from __future__ import annotations

import os
import re
from pathlib import Path

from simcore.config.dump import written_text
from simcore.config.fields import is_name
from simcore.config.load import load_variant
from simcore.config.shipped_files import locate, looks_like_path, shipped
from simcore.errors import InputError

KINDS = ("variant", "bot", "run", "sweep", "tuning")
"""Kinds of files there is a start for."""
_FIRST = {"variant": "bridgette", "bot": "heuristic", "run": "bridgette", "sweep": "bridgette_doubling", "tuning": "bridgette"}
_NAMED = ("variant", "bot")
"""Kinds that have a name, may build on another file, and so may be short."""
_EXPLAINED = ("variant", "bot", "tuning")
"""Kinds whose shipped files begin with what their comments mean; those of the others speak of one file only."""
_SUFFIXES = (".yaml", ".yml")
_USES = {
    "variant": (("simcore run {file}", "plays it"), ("simcore score {file} --table", "its scoring sheet")),
    "bot": (("simcore deal bridgette --bots {file} --explain", "what it does, and why"),),
    "run": (("simcore run {file} --dry-run", "what it would take"), ("simcore run {file}", "plays it")),
    "sweep": (("simcore sweep {file} --dry-run", "what it would take"), ("simcore sweep {file}", "plays it")),
    "tuning": (("simcore tune {file} --dry-run", "what it would do"), ("simcore tune {file}", "does it")),
}


def starting_path(kind: str, file: str | None) -> Path:
    """Return the file that a start is written to.

    Parameters
    ----------
    kind
        One of `KINDS`.
    file
        As the user names it, with or without ``.yaml``; None: ``my_KIND.yaml``.

    Raises
    ------
    InputError
        It does not end in ``.yaml``, its folder is missing, or its name is none that a variant or bot can have.
    """
    path = Path(f"my_{kind}" if file is None else file)
    if path.suffix not in _SUFFIXES:
        path = Path(f"{path}.yaml")
    if kind in _NAMED and not is_name(path.stem):
        raise InputError(f"{path}: a {kind} is called like its file; allowed: letters, digits, '_', '-', '+', '.', at most 60")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")
    if path.exists() or path.is_symlink():
        raise InputError(f"{path} is there already and stays as it is; name another file")
    return path


def starting_text(kind: str, path: Path, source: str | None = None, short: bool = False) -> tuple[str, str]:
    """Return the text of a file to start from.

    Parameters
    ----------
    kind
        One of `KINDS`.
    path
        The file it is written to.
    source
        The shipped file to start from; of a run also a variant, shipped or a file. None: the usual one.
    short
        Only what is needed to build on the source, in place of every key.

    Returns
    -------
    tuple
        The text, and the name of what it starts from.
    """
    if short and kind not in _NAMED:
        raise InputError(f"--short: only a {' or a '.join(_NAMED)} can build on another file")
    name = source if source is not None else _FIRST[kind]
    if kind == "run" and (looks_like_path(name) or name not in shipped("runs")):
        return _head(kind, path, f"plays {name}") + _run_of(name, path), name
    text = locate(name, (kind,)).read_text(encoding="utf-8")
    if short:
        return _head(kind, path, f"builds on {name}") + _building_on(kind, name, path), name
    if kind in _NAMED:
        text = _with_value(text, "name", written_text(path.stem))
    return _head(kind, path, f"a copy of {name}") + (text if kind in _EXPLAINED else _body(text)), name


def _head(kind: str, path: Path, what: str) -> str:
    """Comments on what the file is and how it is used."""
    lines = [("simcore check {file}", "says everything that is wrong with it"), *_USES[kind]]
    commands = [(command.format(file=path), meaning) for command, meaning in lines]
    width = max(len(command) for command, _ in commands) + 3
    uses = "".join(f"#   {command:{width}}{meaning}\n" for command, meaning in commands)
    return f"# {path.stem}: {what}, to be changed.\n#\n{uses}\n"


def _body(text: str) -> str:
    """A shipped file without the comment at its head, which speaks of the shipped name."""
    _, gap, rest = text.partition("\n\n")
    return rest if gap else text


def _building_on(kind: str, name: str, path: Path) -> str:
    return (
        f"extends: {name}\n"
        f"name: {written_text(path.stem)}\n"
        "description: null                # free text for people; null: none\n\n"
        "# Below this line only what differs. Maps merge key by key, lists are replaced whole. Every key with its comment:\n"
        f"#   simcore init {kind} every_key --from {name}\n"
    )


def _run_of(variant: str, path: Path) -> str:
    """The shipped run with another variant, and one bot for all its seats."""
    load_variant(variant)
    text = _body(shipped("runs")[_FIRST["run"]].read_text(encoding="utf-8"))
    shown = os.path.relpath(variant, path.parent) if looks_like_path(variant) else variant
    if looks_like_path(variant) and not looks_like_path(shown):
        shown = f"./{shown}"
    return _with_value(_with_value(text, "variant", written_text(shown)), "bots", "[heuristic]")


def _with_value(text: str, key: str, value: str) -> str:
    """The text with another value of a key at its left margin; the comment beside it stays in its column."""

    def line(found: re.Match[str]) -> str:
        written = f"{key}: {value}"
        return f"{written:{found.start(2) - found.start()}}{found[2]}" if found[2] else written

    return re.sub(rf"^({key}: *[^#\n]*?) *(#.*)?$", line, text, count=1, flags=re.MULTILINE)
