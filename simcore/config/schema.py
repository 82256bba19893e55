"""JSON Schema of the files people write, for editors: completion, descriptions, bounds."""

from __future__ import annotations

from typing import Any

from simcore.config.load import MODELS
from simcore.config.sections import EXTENDS
from simcore.errors import InputError

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of file.

    Parameters
    ----------
    kind
        ``variant``, ``bot``, ``run``, ``sweep`` or ``tuning``.
    """
    if kind not in MODELS:
        raise InputError(f"there is no schema '{kind}'; allowed: {', '.join(MODELS)}")
    schema: dict[str, Any] = _any_kind(MODELS[kind].model_json_schema())
    definitions = schema.setdefault("$defs", {})
    if kind == "run":
        schema["required"] = ["variant"]
    if kind == "tuning":
        schema["required"] = ["variant", "free", "targets"]
    if kind == "sweep":
        _describe_axes(schema["properties"])
    else:
        _allow_extends(schema, kind)
    if kind == "tuning":
        _allow_extends(definitions["Variant"], "variant")
        _allow_references(schema["properties"], ("variant",))
    if kind == "run":
        for inner, title in (("variant", "Variant"), ("bot", "Bot")):
            _allow_extends(definitions[title], inner)
        _allow_references(schema["properties"])
    return {"$schema": _DIALECT, "title": f"simcore {kind}", **{key: schema[key] for key in schema if key != "title"}}


def _any_kind(schema: Any) -> Any:
    """Let a section without its kind be of any kind that its keys fit; which one is meant depends on the rest of the file."""
    if isinstance(schema, list):
        return [_any_kind(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        "anyOf" if key == "oneOf" else key: _any_kind(value)
        for key, value in schema.items()
        if not (key == "discriminator" and isinstance(value, dict))
    }


def _allow_extends(schema: dict[str, Any], kind: str) -> None:
    """Let a file extend another one; it states only what differs, so nothing but its name is required then."""
    required = schema.pop("required", [])
    schema["properties"][EXTENDS] = {
        "type": "string",
        "description": f"A shipped {kind} or a path relative to this file, which then states only what differs.",
    }
    if required:
        own = ["name"] if "name" in required else []
        schema["anyOf"] = [{"required": required}, {"required": [*own, EXTENDS]}]


def _describe_axes(properties: dict[str, Any]) -> None:
    """What a sweep varies: a name, path or map of a run, and lists or ranges by path."""
    numbers = {"from": "The first value.", "to": "The last value.", "step": "From one value to the next; 1 without it."}
    span = {
        "type": "object",
        "properties": {key: {"type": "number", "description": text} for key, text in numbers.items()},
        "required": ["from", "to"],
        "additionalProperties": False,
    }
    axis = {"anyOf": [{"type": "array", "minItems": 1}, span]}
    for key in ("grid", "zip"):
        properties[key] = {"type": "object", "additionalProperties": axis, "description": properties[key]["description"]}
    properties["base"] = {"type": ["string", "object"], "description": properties["base"]["description"]}


def _allow_references(properties: dict[str, Any], keys: tuple[str, ...] = ("variant", "bots")) -> None:
    """Let a run name its variant and bots, and a tuning its variant, instead of writing them out."""
    reference = {"type": "string", "description": "A shipped name or a path relative to this file."}
    for key, definition in (("variant", "Variant"), ("bots", "Bot")):
        if key not in keys:
            continue
        one = {"anyOf": [reference, {"$ref": f"#/$defs/{definition}"}]}
        description = properties[key].get("description", "")
        many = {"type": "array", "items": one, "minItems": 1}
        properties[key] = {"anyOf": [*one["anyOf"], *([many] if key == "bots" else [])], "description": description}
