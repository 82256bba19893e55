"""How a file that extends another one, and ``--set path=value``, change what is there.

Maps with fixed keys merge key by key. Everything else is replaced whole: lists, maps keyed by numbers, and a section whose
kind changes. Of keys that exclude each other (a match of ``deals`` or to a ``target``) the one given replaces the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from simcore.config.faults import ConfigError, Where, fault
from simcore.config.fields import Settings, nearest
from simcore.config.reader import read_yaml
from simcore.config.sections import EXTENDS, default_node, is_keyed_by_number, section, walk
from simcore.config.tree import SET_ORIGIN, Branch, Leaf, Node, Path_, Row, child_of, find, path_key, path_text
from simcore.errors import one_line

_PATH = re.compile(r"[^.\[\]=\s]+(?:\.[^.\[\]=\s]+|\[[0-9]+\])*")


def merge(model: type[Settings], base: Branch, over: Branch) -> Branch:
    """Return `base` changed by `over`.

    Parameters
    ----------
    model
        The model that validates both, which says what is a section.
    base, over
        The two trees; neither is changed.
    """
    entries = dict(base.entries)
    for group in model.alternatives:
        given = [key for key in group if _is_given(over.entries.get(key))]
        for key in group:
            if given and key not in given:
                entries.pop(key, None)
    before = {key: child.value for key, child in entries.items() if isinstance(child, Leaf)}
    for key in model.outlived([key for key in over.entries if _is_given(over.entries[key])], before):
        entries.pop(key, None)
    for key, child in over.entries.items():
        entries[key] = _merge_entry(model, key, entries.get(key), child)
    return Branch(entries, over.where, base.mounted)


def _is_given(node: Node | None) -> bool:
    return node is not None and not (isinstance(node, Leaf) and node.value is None)


def _merge_entry(model: type[Settings], key: str, base: Node | None, over: Node) -> Node:
    found = section(model, key)
    if found is None or not isinstance(base, Branch) or not isinstance(over, Branch):
        return over
    kind = found.kind_of(over) if found.selector in over.entries else found.kind_of(base)
    if kind != found.kind_of(base) or kind not in found.models:
        return over
    return merge(found.models[kind], base, over)


@dataclass(frozen=True)
class Override:
    """One ``path=value`` of the command line."""

    path: Path_
    value: Node
    text: str


def parse_override(text: str) -> Override:
    """Read ``a.b=value``, ``a.b[2]=value`` or ``a.b.2=value``; the value follows the rules of YAML files."""
    path, sign, value = text.partition("=")
    path = path.strip()
    whole = Where(f"{SET_ORIGIN} {text}")
    if not sign:
        raise fault(whole, "a path, '=' and a value are expected, for example match.deals=8")
    steps = parse_path(path)
    if steps is None:
        raise fault(whole, f"'{one_line(path)}' is not a path; write keys joined by '.', for example scoring.award.NT[3]")
    if not value.strip():
        raise fault(whole, "no value after '='; write null if you mean none")
    node = read_yaml(value.strip(), f"{SET_ORIGIN} {path}", numbered=False)
    _rename(node, Where(SET_ORIGIN))
    return Override(steps, node, text)


def parse_path(text: str) -> Path_ | None:
    """Read ``a.b[2]`` or ``a.b.2``; None where it is no path."""
    if not _PATH.fullmatch(text):
        return None
    return tuple(path_key(key) for key in re.split(r"[.\[\]]", text) if key)


def _rename(node: Node, where: Where) -> None:
    node.where = where
    for child in node.entries.values() if isinstance(node, Branch) else node.items if isinstance(node, Row) else ():
        _rename(child, where)


def apply_override(model: type[Settings], tree: Branch, override: Override) -> Branch:
    """Return the tree changed by one override; refused if its path does not exist in the schema."""
    check_path(model, tree, override)
    steps = list(walk(model, tree, override.path))
    value = override.value
    for position in reversed(range(len(steps))):
        owner, key, _ = steps[position]
        current = _current(model, tree, override.path[:position])
        if isinstance(current, Row):
            items = list(current.items)
            item, below = items[int(key)], steps[position + 1][0] if position + 1 < len(steps) else None
            if below is not None and isinstance(item, Branch) and isinstance(value, Branch):
                value = merge(below, item, value)
            items[int(key)] = value
            value = Row(items, value.where)
        elif owner is None and isinstance(current, Branch):
            value = Branch({**current.entries, str(key): value}, value.where)
        else:
            value = Branch({str(key): value}, value.where)
    assert isinstance(value, Branch)
    changed = merge(model, tree, value)
    changed.where = tree.where
    return changed


def _current(model: type[Settings], tree: Branch, path: Path_) -> Node | None:
    """Return what holds at a path: what was written, else the default."""
    written = find(tree, path)
    if written is not None or not path:
        return written
    for position, (owner, key, node) in enumerate(walk(model, tree, path)):
        if child_of(node, key) is None and owner is not None:
            return find(default_node(owner, str(key)), path[position + 1 :])
    return None


def check_path(model: type[Settings], tree: Branch, override: Override) -> None:
    """Refuse an override whose path leads nowhere, with the nearest name."""
    for position, (owner, key, _) in enumerate(walk(model, tree, override.path)):
        above = override.path[:position]
        if owner is not None:
            if str(key) not in owner.model_fields:
                raise _no_such(override, above, str(key), list(owner.model_fields))
            continue
        current = _current(model, tree, above)
        if isinstance(current, Row):
            if not isinstance(key, int) or key >= len(current.items):
                allowed = f"0 to {len(current.items) - 1}" if current.items else "none, the list is empty"
                raise _fault(override, f"{path_text(above)} has no entry {key}; allowed: {allowed}")
        elif not _is_number_map(model, tree, above):
            raise _fault(override, f"{path_text(above)} is a single value; it has no '{key}'")


def _is_number_map(model: type[Settings], tree: Branch, path: Path_) -> bool:
    owner, key, _ = list(walk(model, tree, path))[-1]
    return owner is not None and is_keyed_by_number(owner, str(key))


def _no_such(override: Override, above: Path_, key: str, names: list[str]) -> ConfigError:
    if key == EXTENDS:
        return _fault(override, "extends belongs in a file; name the variant itself, or write a file")
    close = nearest(key, names)
    hint = f"; did you mean '{path_text((*above, close))}'?" if close else ""
    place = f" in {path_text(above)}" if above else ""
    return _fault(override, f"there is no key '{key}'{place}; allowed: {', '.join(names)}{hint}")


def _fault(override: Override, message: str) -> ConfigError:
    """A fault of an override: of the command line, or of a file that sets values by their paths (a sweep)."""
    where = override.value.where
    return fault(where, f"{override.text}: {message}") if where.line else fault(Where(f"{SET_ORIGIN} {override.text}"), message)
