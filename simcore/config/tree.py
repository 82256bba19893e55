"""Configuration data before it is validated: values, maps and lists that know where they were written.

Every value keeps its file and line, so that a message can name them and ``simcore show --origin`` can list them. An unquoted
scalar stays the text that was written (:class:`Plain`) until a field of the schema asks for a number, so a hand ``97``, a bid
``1C`` or a name ``2024`` is never turned into something else.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from simcore.config.faults import Where, fault

DEFAULT_ORIGIN = "default"
"""Origin of a value that nobody wrote."""
SET_ORIGIN = "--set"
"""Origin of a value given on the command line."""
MAX_DEPTH = 16
"""Deepest nesting of maps and lists; real files use five levels."""
_MOST_DIGITS = 9
"""Of a place in a list."""
Path_: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the root of a configuration to a value."""
ScalarValue: TypeAlias = bool | str | int | float | None


class Plain(str):
    """An unquoted scalar as it was written; fields that hold numbers read their number from it."""

    __slots__ = ()


@dataclass(slots=True)
class Leaf:
    """One value: null, true or false, text, or a number of a Python source."""

    value: ScalarValue
    where: Where


@dataclass(slots=True)
class Row:
    """A list."""

    items: list[Node]
    where: Where


@dataclass(slots=True)
class Branch:
    """A map. `mounted`: its content was read from the file that a name or path pointed to."""

    entries: dict[str, Node]
    where: Where
    mounted: bool = False


Node: TypeAlias = Leaf | Row | Branch


def plain(node: Node) -> Any:
    """Turn a node into dicts, tuples and scalars, the input of the schema."""
    if isinstance(node, Branch):
        return {Plain(key): plain(child) for key, child in node.entries.items()}
    if isinstance(node, Row):
        return tuple(plain(child) for child in node.items)
    return node.value


def from_python(value: Any, where: Where, depth: int = 0) -> Node:
    """Turn dicts, lists and scalars of Python (or parsed JSON) into a node.

    Parameters
    ----------
    value
        Maps with text or whole-number keys, lists, tuples, text, numbers, booleans, None.
    where
        The place that messages will name.
    depth
        Levels above this value.
    """
    if depth > MAX_DEPTH:
        raise fault(where, f"nested more than {MAX_DEPTH} levels deep")
    if isinstance(value, Mapping):
        entries: dict[str, Node] = {}
        for key, child in value.items():
            if not isinstance(key, str | int) or isinstance(key, bool):
                raise fault(where, f"a key must be text, not {key!r}")
            if str(key) in entries:
                raise fault(where, "the key is given twice", str(key))
            entries[str(key)] = from_python(child, where, depth + 1)
        return Branch(entries, where)
    if value is None or isinstance(value, str | bool | float):
        return Leaf(value, where)
    if isinstance(value, numbers.Integral):
        return Leaf(int(value), where)
    if isinstance(value, Decimal):
        return Leaf(Plain(str(value)), where)
    if isinstance(value, Sequence):
        return Row([from_python(child, where, depth + 1) for child in value], where)
    raise fault(where, f"a value of type {type(value).__name__} cannot be part of a configuration")


def path_key(text: str) -> str | int:
    """A key of a map, or a place in a list; what has more digits than any list has places stays text."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else text


def child_of(node: Node | None, key: str | int) -> Node | None:
    """Return the entry of a map or the item of a list, None if there is none."""
    if isinstance(node, Branch):
        return node.entries.get(str(key))
    if isinstance(node, Row):
        try:
            position = int(key)
        except ValueError:
            return None
        return node.items[position] if 0 <= position < len(node.items) else None
    return None


def find(node: Node | None, path: Path_) -> Node | None:
    """Return the node at a path, None if nobody wrote one."""
    for key in path:
        node = child_of(node, key)
    return node


def nearest_where(root: Node, path: Path_) -> Where:
    """Return the place of the value at a path, or of the nearest map around it that was written."""
    node, where = root, root.where
    for key in path:
        below = child_of(node, key)
        if below is None:
            break
        node = below
        where = where if below.where.file == DEFAULT_ORIGIN else below.where
    return where


def leaves(node: Node, path: Path_ = ()) -> Iterator[tuple[Path_, Where]]:
    """Yield the path and the place of every value; a list of values counts as one value."""
    if isinstance(node, Branch):
        for key, child in node.entries.items():
            yield from leaves(child, (*path, key))
    elif isinstance(node, Row) and any(isinstance(child, Branch) for child in node.items):
        for position, child in enumerate(node.items):
            yield from leaves(child, (*path, position))
    else:
        yield path, node.where


def path_text(path: Path_) -> str:
    """Write a path as messages and ``--set`` write it: ``scoring.award.NT[3]``."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def value_text(node: Node | None, limit: int = 60) -> str:
    """Write a value for a message: text in quotes, numbers as written, long values cut."""
    if node is None:
        return ""
    if isinstance(node, Branch):
        return "a map"
    if isinstance(node, Row):
        text = "[" + ", ".join(_bare_text(child) for child in node.items) + "]"
        return text if len(text) <= limit else text[: limit - 4] + "...]"
    bare = _bare_text(node)
    bare = bare if len(bare) <= limit else bare[: limit - 3] + "..."
    return f"'{bare}'" if isinstance(node.value, str) and not looks_like_number(node.value) else bare


def looks_like_number(text: str) -> bool:
    """Tell whether unquoted text begins like a number, so that a message shows it without quotes."""
    return isinstance(text, Plain) and text.lstrip("+-.")[:1].isdigit() and not text[-1:].isalpha()


def _bare_text(node: Node) -> str:
    if isinstance(node, Branch):
        return "{...}"
    if isinstance(node, Row):
        return "[" + ", ".join(_bare_text(child) for child in node.items) + "]"
    if node.value is None:
        return "null"
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    return str(node.value).replace("\n", "\\n")
