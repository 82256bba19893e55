"""Where the shipped configurations are: in the package of an installed wheel, beside the package in a checkout."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from simcore.config.fields import nearest
from simcore.errors import InputError, one_line

_PACKAGE = Path(__file__).resolve().parents[1]
_SUFFIXES = (".yaml", ".yml", ".json")
_KINDS = ("tunings", "variants", "bots", "runs", "sweeps")
_FOLDERS = {"tunings": "tuning"}
"""Folders that are not called like the kind."""


def configs_folder() -> Path:
    """Return the folder of the shipped configurations."""
    inside, beside = _PACKAGE / "configs", _PACKAGE.parent / "configs"
    return inside if inside.is_dir() else beside


def shipped(kind: str) -> dict[str, Path]:
    """Return the shipped files of a kind (``variants``, ``bots``, ``runs``, ``sweeps``, ``tunings``) by name, sorted."""
    if kind not in _KINDS:
        raise InputError(f"'{kind}' is not a kind of shipped files; allowed: {', '.join(_KINDS)}")
    return {path.stem: path for path in sorted((configs_folder() / _FOLDERS.get(kind, kind)).glob("*.yaml"))}


def looks_like_path(text: str) -> bool:
    """Tell whether a text names a file and not something shipped."""
    return "/" in text or "\\" in text or text.endswith(_SUFFIXES) or text in (".", "..")


def locate(name: str, kinds: Sequence[str]) -> Path:
    """Return the file of a shipped name.

    Parameters
    ----------
    name
        The name.
    kinds
        ``variant``, ``bot``, ``run``, ``sweep``, ``tuning``: where to look, in this order.
    """
    names: dict[str, Path] = {}
    for kind in kinds:
        names = {**shipped(f"{kind}s"), **names}
    if name in names:
        return shown_path(names[name])
    close = nearest(name, names)
    hint = f"; did you mean '{close}'?" if close else ""
    for kind in _KINDS:
        if name in shipped(kind):
            hint = f"; '{name}' is a {kind.removesuffix('s')}"
    if os.path.exists(name):  # Path.exists raises on names that are too long
        hint = f"; for the file or folder of that name write ./{name}"
    for suffix in _SUFFIXES:
        if os.path.isfile(name + suffix):
            hint = f"; for the file write {name + suffix}"
    allowed = ", ".join([*sorted(names), "or a path ending in .yaml"])
    raise InputError(f"there is no shipped {' or '.join(kinds)} '{one_line(name)}'; allowed: {allowed}{hint}")


def shown_path(path: Path) -> Path:
    """Return a path as messages name it: relative if it lies in the working directory."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
