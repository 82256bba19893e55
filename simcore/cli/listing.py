"""Lists what is shipped, one line each; used by ``simcore variants`` and ``simcore bots``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import typer

from simcore.cli.options import print_json


def list_shipped(kind: str, as_json: bool) -> None:
    """Print the shipped files of a kind, with the first sentence of each.

    Parameters
    ----------
    kind : str
        ``variants`` or ``bots``.
    as_json : bool
        As one JSON document.
    """
    from simcore.config import shipped

    found = {name: (_about(path), path) for name, path in shipped(kind).items()}
    seers = _seers(found) if kind == "bots" else set()
    if as_json:
        more = {name: {"sees_all": name in seers} if kind == "bots" else {} for name in found}
        rows = [{"name": name, "about": about, "file": str(path), **more[name]} for name, (about, path) in found.items()]
        print_json({kind: rows})
        return
    found = {name: (f"{about} (sees all cards)" if name in seers else about, path) for name, (about, path) in found.items()}
    width = max((len(name) for name in found), default=0) + 2
    for name, (about, _) in found.items():
        typer.echo(f"{name:{width}}{about}".rstrip())


def _seers(names: Iterable[str]) -> set[str]:
    """Bots that see all cards."""
    from simcore.config import load_bot

    return {name for name in names if load_bot(name).sees_all}


def _about(path: Path) -> str:
    """First sentence of the comment at the head of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head: list[str] = []
    for line in lines:
        if not line.startswith("#") or not line.strip("# "):
            if head:
                break
            continue
        head.append(line.strip("# "))
    sentence = " ".join(head)
    for end in (": ", ". "):
        sentence = sentence.split(end)[0]
    return sentence.rstrip(".")
