"""One form for all commands: what a metavar names is what the shell completes, and one line of help in the list.

A command declares its parameters; nothing here has to be told about a new one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_type_hints

from typer.core import TyperCommand

_WORDS = re.compile(r"\w+(?:\|\w+)+")
_RUN_FOLDER = "runs"


class Command(TyperCommand):
    """A command whose line in the list of commands is a whole clause, and whose help shows no Python types."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for param in self.params:
            if param.param_type_name == "argument":
                vars(param)["display_type_rich"] = _no_type

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first sentence; where it is too long for a line, without what stands behind a colon or comma."""
        sentence = " ".join((self.help or "").split("\n\n")[0].split()).split(". ")[0].rstrip(".")
        for mark in (": ", "; ", ", "):
            while len(sentence) > limit and mark in sentence:
                sentence = sentence[: sentence.rfind(mark)]
        return f"{sentence}." if len(sentence) <= limit else super().get_short_help_str(limit)


def _no_type(ctx: Any = None) -> None:
    """In place of the name of a Python type beside an argument, which says nothing about what to write."""


def with_completion(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give the parameters of a command what the shell offers for them.

    Parameters
    ----------
    function : callable
        The command; its annotations are replaced by their values.

    Returns
    -------
    callable
        The same function.
    """
    hints = get_type_hints(function, include_extras=True)
    for hint in hints.values():
        for info in getattr(hint, "__metadata__", ()):
            offered = _offer(getattr(info, "metavar", None) or "")
            if offered is not None and info.autocompletion is None:
                info.autocompletion = offered
    function.__annotations__ = hints
    return function


def _offer(metavar: str) -> Callable[[str], list[str]] | None:
    """What may stand where a metavar stands; None: files, as the shell does by itself."""
    offers: dict[str, Callable[[str], list[str]]] = {
        "CONFIG": lambda incomplete: _names(incomplete, "variants", "runs") + _runs(incomplete),
        "VARIANT": lambda incomplete: _names(incomplete, "variants"),
        "RUN|VARIANT": lambda incomplete: _runs(incomplete) + _names(incomplete, "variants"),
        "RUN": _runs,
        "RUN_A": _runs,
        "RUN_B": _runs,
        "SWEEP": lambda incomplete: _names(incomplete, "sweeps"),
        "TUNING": lambda incomplete: _names(incomplete, "tunings"),
        "BOT": lambda incomplete: _names(incomplete, "bots"),
        "A[,B]": _bots,
        "A,B,...": _bots,
    }
    if metavar in offers:
        return offers[metavar]
    if _WORDS.fullmatch(metavar):
        return lambda incomplete: _beginning(incomplete, metavar.split("|"))
    return None


def _names(text: str, *kinds: str) -> list[str]:
    """Shipped names."""
    from simcore.config.shipped_files import shipped

    return _beginning(text, [name for kind in kinds for name in shipped(kind)])


def _bots(incomplete: str) -> list[str]:
    """Shipped bots, after those that are written already."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in _names(last, "bots")]


def _runs(incomplete: str) -> list[str]:
    """Run directories in the folder that is being written, or in `runs`."""
    folder = Path(incomplete).parent if "/" in incomplete else Path(_RUN_FOLDER)
    found = sorted(folder.glob("*/manifest.json")) if folder.is_dir() else []
    return _beginning(incomplete, [str(path.parent) for path in found])


def _beginning(text: str, names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(text)]
