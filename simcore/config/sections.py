"""What the schema allows at a path: the keys of a section, its kinds, the nearest valid name.

A section is a map with fixed keys, that is a model; where several kinds are possible, the key `kind` (of a bot: `policy`)
chooses.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Any, TypeAlias

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from simcore.config.faults import Where
from simcore.config.fields import Settings
from simcore.config.tree import DEFAULT_ORIGIN, Leaf, Node, Path_, child_of, from_python, path_text

SELECTORS = ("kind", "policy")
"""Keys that choose the model of a section."""
_DEEPEST_HINT = 3
EXTENDS = "extends"
"""Key of a file that builds on another one; it is resolved before the schema sees anything."""


@dataclass(frozen=True)
class Section:
    """A field that holds a map with fixed keys.

    Attributes
    ----------
    models
        The models by kind; one model under the empty name where there is no choice.
    selector
        The key that chooses, empty where there is no choice.
    default
        The kind where none is given, empty where one must be given.
    """

    models: dict[str, type[Settings]]
    selector: str = ""
    default: str = ""

    def kind_of(self, node: Node | None) -> str:
        """Return the kind that a node chooses; the default where it does not say."""
        chosen = child_of(node, self.selector) if self.selector else None
        if chosen is None:
            return self.default
        return chosen.value if isinstance(chosen, Leaf) and isinstance(chosen.value, str) else ""

    def model_for(self, node: Node | None) -> type[Settings] | None:
        """Return the model that validates a node, None if it chooses no known kind."""
        return self.models.get(self.kind_of(node))


def section(model: type[BaseModel], key: str) -> Section | None:
    """Return the section under a key of a model, None if the key holds something else or does not exist."""
    field = model.model_fields.get(key)
    models = [arg for arg in _arguments(field.annotation) if _is_model(arg)] if field is not None else []
    if field is None or not models or _is_list(field):
        return None
    for selector in SELECTORS:
        if selector in models[0].model_fields:
            by_kind = {typing.get_args(entry.model_fields[selector].annotation)[0]: entry for entry in models}
            default = field.default
            return Section(by_kind, selector, getattr(default, selector) if default is not PydanticUndefined else "")
    return Section({"": models[0]})


def item_model(model: type[BaseModel], key: str) -> type[Settings] | None:
    """Return the model of the items of a list of maps, None for other fields."""
    field = model.model_fields.get(key)
    if field is None or not _is_list(field):
        return None
    return next((arg for arg in typing.get_args(field.annotation) if _is_model(arg)), None)


def _arguments(annotation: Any) -> tuple[Any, ...]:
    """Return the types that a field may hold, without marks and unions around them."""
    if typing.get_origin(annotation) is typing.Annotated:
        return _arguments(typing.get_args(annotation)[0])
    if typing.get_origin(annotation) in (typing.Union, UnionType):
        return tuple(inner for arg in typing.get_args(annotation) for inner in _arguments(arg))
    return (annotation,)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Settings)


def _is_list(field: FieldInfo) -> bool:
    return typing.get_origin(field.annotation) is tuple


def is_keyed_by_number(model: type[BaseModel], key: str) -> bool:
    """Tell whether a field is a map whose keys are not fixed."""
    field = model.model_fields.get(key)
    return field is not None and any(typing.get_origin(arg) is dict for arg in _arguments(field.annotation))


def default_node(model: type[BaseModel], key: str) -> Node | None:
    """Return the default of a field as a node, None if the field must be given."""
    field = model.model_fields.get(key)
    if field is None or field.default is PydanticUndefined:
        return None
    value = field.default
    return from_python(value.model_dump() if isinstance(value, BaseModel) else value, Where(DEFAULT_ORIGIN))


Step: TypeAlias = tuple[type[Settings] | None, str | int, Node | None]
"""A step of a path: the model that its key is looked up in, the key, the node that holds it."""


def walk(model: type[Settings] | None, node: Node | None, path: Path_) -> Iterator[Step]:
    """Yield the steps of a path; the model is None inside lists and maps keyed by numbers."""
    items: type[Settings] | None = None
    for key in path:
        yield model, key, node
        below = child_of(node, key)
        if items is not None:
            model, items = items, None
        elif model is not None:
            items = item_model(model, str(key))
            found = section(model, str(key))
            model = found.model_for(below) if found else None
        node = below


def model_at(model: type[Settings], node: Node, path: Path_) -> type[Settings] | None:
    """Return the model of the section at a path, None if there is no section."""
    return list(walk(model, node, (*path, "")))[-1][0]


def paths_of(model: type[BaseModel], key: str, above: Path_ = ()) -> Iterator[str]:
    """Yield the paths under which a key exists anywhere below a model, for hints."""
    for name in model.model_fields:
        found = section(model, name)
        if name == key and above:
            yield path_text((*above, name))
        if found is not None and len(above) < _DEEPEST_HINT:
            for below in found.models.values():
                yield from paths_of(below, key, (*above, name))
