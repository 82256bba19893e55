"""Writing a resolved configuration as YAML that can be loaded again, with the origin of every value if wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from simcore.config.fields import Settings
from simcore.config.tree import DEFAULT_ORIGIN, Path_

_UNQUOTED = re.compile(r"[A-Za-z_][A-Za-z0-9_./+-]*|[0-9][0-9.]*[A-Za-z][A-Za-z0-9]*")
_NEEDS_QUOTES = re.compile(r"(?i:true|false|null|yes|no|on|off|y|n|[-+.0-9]*e[-+]?[0-9]+|0[xob][0-9a-f_]+)|[-+.0-9_]+")
_LONGEST_LINE = 110
_ORIGIN_COLUMN = 48


def to_yaml(model: Settings, origin: Mapping[Path_, str] | None = None) -> str:
    """Write a model as YAML with every key.

    Parameters
    ----------
    model
        A variant, bot or run.
    origin
        Path -> origin (`Loaded.origins`); each value then gets a comment with its origin, ``default`` where there is none.

    Returns
    -------
    str
        YAML text; loading it gives an equal model.
    """
    return "\n".join(_map_lines(_content(model), (), "", origin)) + "\n"


def _content(model: Settings) -> dict[str, Any]:
    return {key: value for key, value in model.model_dump().items() if key != "description" or value is not None}


def _map_lines(content: Mapping[Any, Any], path: Path_, indent: str, origin: Mapping[Path_, str] | None) -> Iterator[str]:
    for key, value in content.items():
        here = (*path, str(key))
        head = f"{indent}{_scalar(str(key)) if not isinstance(key, int) else key}:"
        if isinstance(value, Mapping) and value:
            yield head
            yield from _map_lines(value, here, indent + "  ", origin)
        elif isinstance(value, tuple | list) and any(isinstance(item, Mapping) for item in value):
            yield head
            for position, item in enumerate(value):
                lines = list(_map_lines(item, (*here, position), indent + "    ", origin))
                yield f"{indent}  - {lines[0].lstrip()}"
                yield from lines[1:]
        else:
            yield _with_origin(f"{head} {_flow(value)}", here, origin)


def _with_origin(line: str, path: Path_, origin: Mapping[Path_, str] | None) -> str:
    if origin is None:
        return line
    found = next((origin[path[:length]] for length in range(len(path), 0, -1) if path[:length] in origin), DEFAULT_ORIGIN)
    return f"{line:<{_ORIGIN_COLUMN}} # {found}"


def _flow(value: Any) -> str:
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return "{}" if isinstance(value, Mapping) else _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    if _UNQUOTED.fullmatch(value) and not _NEEDS_QUOTES.fullmatch(value):
        return value
    return _quoted(value)


def written_text(text: str) -> str:
    """Write text as a YAML value: plain where that is read back as the same text, else in quotes."""
    return _scalar(text)


def _quoted(text: str) -> str:
    """Write text in double quotes with the escapes that YAML and JSON share."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(escapes.get(char, char if char.isprintable() else _escape(char)) for char in text) + '"'


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
