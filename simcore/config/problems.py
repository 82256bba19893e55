"""What is wrong in a configuration, in our words: place, key path, value, what is allowed, the nearest name.

The schema library finds the faults; its own phrases never reach a user.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from simcore.config.families import filled
from simcore.config.faults import Problem, Where
from simcore.config.fields import CROSS_ERROR, MAP, OWN_ERROR, WORD, Settings, nearest
from simcore.config.sections import SELECTORS, item_model, model_at, paths_of, section
from simcore.config.tree import (
    DEFAULT_ORIGIN,
    SET_ORIGIN,
    Branch,
    Leaf,
    Node,
    Path_,
    Plain,
    Row,
    child_of,
    find,
    nearest_where,
    path_key,
    path_text,
    plain,
    value_text,
)

_KEY_MARK = "[key]"
"""End of the library's location of a fault in a key."""
_YAML_1_1_BOOLEANS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
Loc = tuple[str | int, ...]


def validate(model: type[Settings], tree: Node) -> tuple[Any, list[Problem]]:
    """Validate a tree, in which defaults are filled in first.

    Returns
    -------
    tuple
        The model and an empty list, or None and everything that is wrong, in the order of the lines.
    """
    if not isinstance(tree, Branch):
        where = tree.where
        message = f"{value_text(tree)} is not a map of keys; allowed: {', '.join(model.model_fields)}"
        return None, [Problem(where.file, where.line, "", value_text(tree), message)]
    tree = filled(model, tree)
    assert isinstance(tree, Branch)
    problems: list[Problem] = []
    faulty: list[Path_] = []
    remaining: Node | None = tree
    while isinstance(remaining, Branch):
        try:
            valid = model.model_validate(plain(remaining))
        except ValidationError as error:
            # What does not go together is only looked at when every value is right by itself: again without the wrong ones.
            found, wrong = _explain_all(model, tree, error, faulty)
            if not wrong:
                break
            problems += found
            faulty += wrong
            rest = _without(tree, faulty)
            remaining = None if rest is None else filled(model, rest, meant=tree)
        else:
            if not problems:
                return valid, []
            break
    return None, sorted(_once(problems), key=lambda problem: (problem.file, problem.line))


def _explain_all(
    model: type[Settings], tree: Branch, error: ValidationError, faulty: Sequence[Path_]
) -> tuple[list[Problem], list[Path_]]:
    """Return the problems and the paths of all values that take part in them, without those that are known to be at fault."""
    problems: list[Problem] = []
    wrong: list[Path_] = []
    for entry in error.errors(include_url=False):
        path = _tree_path(model, tree, entry["loc"])
        if entry["type"] == CROSS_ERROR:
            for dotted_paths, text in entry["ctx"]["problems"]:
                paths = [(*path, *_keys(dotted)) for dotted in dotted_paths]
                if not any(_overlap(one, other) for one in paths for other in faulty):
                    problems.append(_cross_problem(tree, paths, text))
                # A section whose kind does not fit goes as a whole: its keys mean nothing under another kind.
                whole = [one[:-1] if one[-1] in SELECTORS else one for one in paths]
                wrong += [one for one in whole if one not in faulty]
        elif path not in faulty:
            problems.append(_explain(model, tree, path, entry))
            wrong.append(path)
    return problems, wrong


def _keys(dotted: str) -> Path_:
    return tuple(path_key(key) for key in dotted.split("."))


def _overlap(one: Path_, other: Path_) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _cross_problem(tree: Branch, paths: Sequence[Path_], text: str) -> Problem:
    """Blame the first of the values that somebody wrote; where all are defaults, the section."""
    nodes = [(path, find(tree, path)) for path in paths]
    written = [(path, node.where.file) for path, node in nodes if node is not None and node.where.file != DEFAULT_ORIGIN]
    # Of several that were written, the command line rather than a file, and the file itself rather than one it builds on.
    for source in (SET_ORIGIN, tree.where.file):
        written = [entry for entry in written if entry[1] == source] or written
    path = written[0][0] if written else paths[0]
    for name in (path_text(path), str(path[-1])):  # the line names it already
        text = text.removeprefix(f"{name}: ")
    return _problem(tree, path, text, find(tree, path))


def _once(problems: Iterable[Problem]) -> list[Problem]:
    """Leave out repetitions: one bot that sits in every seat has its faults once."""
    by_text = {(p.file, p.line, re.sub(r"^bots\[\d+\]", "bots", p.path), p.message): p for p in reversed(list(problems))}
    return list(reversed(by_text.values()))


def _tree_path(model: type[Settings] | None, tree: Node | None, loc: Loc) -> Path_:
    """Turn the library's location, which holds kinds and marks of keys, into keys of the tree."""
    path: list[str | int] = []
    rest = list(loc)
    while rest:
        key = rest.pop(0)
        if key == _KEY_MARK:
            break
        path.append(key)
        if rest and rest[0] in (WORD, MAP):
            rest.pop(0)
        found = section(model, str(key)) if model is not None else None
        items = item_model(model, str(key)) if model is not None else None
        tree = child_of(tree, key)
        if items is not None and rest:
            model = items
            key = rest.pop(0)
            path.append(key)
            tree = child_of(tree, key)
        elif found is not None and len(found.models) > 1 and rest:
            model = found.models.get(str(rest.pop(0)))
        else:
            model = found.model_for(tree) if found is not None else None
    return tuple(path)


def shown_path(tree: Node, path: Path_, where: Where) -> str:
    """Write a path as seen from the file that a place names: inside a file that a run points to, from that file's root."""
    start = 0
    node: Node | None = tree
    for position, key in enumerate(path):
        node = child_of(node, key)
        if isinstance(node, Branch) and node.mounted and where.file not in (SET_ORIGIN, tree.where.file):
            start = position + 1
    return path_text(path[start:])


def _problem(tree: Node, path: Path_, message: str, node: Node | None = None) -> Problem:
    where = nearest_where(tree, path)
    return Problem(where.file, where.line, shown_path(tree, path, where), value_text(node), message)


def _explain(model: type[Settings], tree: Branch, path: Path_, entry: ErrorDetails) -> Problem:
    """Say in our words what is wrong at a path, or in its last key."""
    kind, ctx = entry["type"], entry.get("ctx", {})
    in_key = entry["loc"][-1:] == (_KEY_MARK,)
    node = find(tree, path)
    shown = value_text(node)
    owner = model_at(model, tree, path[:-1])
    if kind == OWN_ERROR:
        text = f"the key {path[-1]} {ctx['text']}" if in_key else f"{shown} {ctx['text']}"
    elif kind == "missing":
        text = _missing_text(owner, str(path[-1]))
    elif kind == "extra_forbidden":
        text = _unknown_text(model, tree, owner, path)
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        return _kind_problem(model, tree, path)
    elif kind == "literal_error":
        text = _choice_text(node, shown, re.findall(r"'([^']*)'", ctx["expected"]))
    else:
        text = f"{shown} {_TYPE_TEXTS.get(kind, 'is not allowed here')}{_section_hint(model, tree, path, kind)}"
        text += _boolean_hint(node) if kind == "bool_type" else ""
    return _problem(tree, path, text, node)


_TYPE_TEXTS = {
    "bool_type": "is not allowed; allowed: true, false",
    "string_type": "is not text; put it in quotes",
    "string_too_long": "is too long",
    "tuple_type": "is not a list; write [a, b] or lines that begin with '- '",
    "list_type": "is not a list; write [a, b] or lines that begin with '- '",
    "dict_type": "is not a map; write {key: value}",
    "model_type": "is not a map of keys",
    "model_attributes_type": "is not a map of keys",
}


def _missing_text(owner: type[Settings] | None, key: str) -> str:
    field = owner.model_fields.get(key) if owner is not None else None
    if field is None or not field.description:
        return "is missing"
    meaning = re.split(r"[.:;]", field.description)[0]
    return f"is missing ({meaning[0].lower()}{meaning[1:]})"


def _unknown_text(model: type[Settings], tree: Branch, owner: type[Settings] | None, path: Path_) -> str:
    key = str(path[-1])
    names = list(owner.model_fields) if owner is not None else []
    text = f"unknown key; allowed: {', '.join(names)}"
    above = model_at(model, tree, path[:-2]) if len(path) > 1 else None
    found = section(above, str(path[-2])) if above is not None else None
    others = [kind for kind, entry in found.models.items() if key in entry.model_fields] if found is not None else []
    if found is not None and others:
        return f"{text}; it belongs to {found.selector}: {' or '.join(others)}"
    close = nearest(key, names)
    if close is not None:
        return f"{text}; did you mean '{close}'?"
    elsewhere = list(dict.fromkeys(paths_of(model, key)))
    return f"{text}; did you mean '{' or '.join(elsewhere[:2])}'?" if elsewhere else text


def _kind_problem(model: type[Settings], tree: Branch, path: Path_) -> Problem:
    owner = model_at(model, tree, path[:-1])
    found = section(owner, str(path[-1])) if owner is not None else None
    assert found is not None
    below = (*path, found.selector)
    node = find(tree, below)
    models = [kind for kind in found.models if kind != "plugin"]  # named on the command line, not in files
    if not isinstance(find(tree, path), Branch):
        shown = value_text(find(tree, path))
        kinds = ", ".join(f"{{{found.selector}: {kind}}}" for kind in models)
        return _problem(tree, path, f"{shown} is not a map of keys; allowed: for example {kinds}", find(tree, path))
    if node is None:
        return _problem(tree, below, f"is missing; allowed: {', '.join(models)}")
    return _problem(tree, below, _choice_text(node, value_text(node), models), node)


def _choice_text(node: Node | None, shown: str, allowed: Sequence[str]) -> str:
    text = f"{shown} is not allowed; allowed: {', '.join(allowed)}"
    close = nearest(node.value, allowed) if isinstance(node, Leaf) and isinstance(node.value, str) else None
    return f"{text}; did you mean '{close}'?" if close else text


def _boolean_hint(node: Node | None) -> str:
    if not isinstance(node, Leaf) or not isinstance(node.value, str):
        return ""
    if not isinstance(node.value, Plain) and node.value in ("true", "false"):
        return " (without quotes)"
    meant = _YAML_1_1_BOOLEANS.get(node.value.casefold()) or nearest(node.value, ("true", "false"))
    return f"; did you mean {meant}?" if meant else ""


def _section_hint(model: type[Settings], tree: Branch, path: Path_, kind: str) -> str:
    if not kind.startswith("model"):
        return ""
    owner = model_at(model, tree, path[:-1])
    found = section(owner, str(path[-1])) if owner is not None else None
    inner = found.model_for(None) if found is not None else None
    return f"; allowed: {', '.join(inner.model_fields)}" if inner is not None else ""


def _without(node: Node, paths: Sequence[Path_]) -> Node | None:
    """Return a copy of a tree without the values at some paths; a list that loses an item goes as a whole."""
    if () in paths:
        return None
    if isinstance(node, Leaf):
        return node
    if isinstance(node, Row):
        below = [_without(child, _below(paths, position)) for position, child in enumerate(node.items)]
        kept = [child for child in below if child is not None]
        return Row(kept, node.where) if len(kept) == len(below) else None
    entries = {key: _without(child, _below(paths, key)) for key, child in node.entries.items()}
    return Branch({key: child for key, child in entries.items() if child is not None}, node.where, node.mounted)


def _below(paths: Sequence[Path_], key: str | int) -> list[Path_]:
    return [path[1:] for path in paths if path and str(path[0]) == str(key)]
