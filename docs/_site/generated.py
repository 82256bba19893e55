"""Pages of the reference, generated: the help of every command, every key of the files people write, the Python functions.

Nothing of it is kept by hand; `hooks.py` puts the pages into the site when it is built.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

import simcore
from simcore.cli import _COMMANDS, invoke
from simcore.cli.schema import KINDS
from simcore.config import json_schema

_WIDTH = "80"
_TITLES = {"variant": "Variants", "bot": "Bots", "run": "Runs", "sweep": "Sweeps", "tuning": "Tunings"}
_MODULES = ("analysis", "analysis.frames", "simcore.plugins")
"""Modules whose public names stand on pages of their own, beside `simcore`."""


def pages() -> dict[str, str]:
    """Return the pages by their path within the documents."""
    found = {"reference/commands.md": commands_page()}
    for kind in KINDS:
        found[f"reference/{kind}.md"] = schema_page(kind, json_schema(kind))
    for name in ("simcore", *_MODULES):
        found[f"reference/python-{name.replace('.', '-')}.md"] = python_page(name)
    return found


def schemas() -> dict[str, str]:
    """Return the JSON Schemas by their path within the site."""
    return {f"reference/{kind}.schema.json": json.dumps(json_schema(kind), indent=2) + "\n" for kind in KINDS}


# --- commands ---------------------------------------------------------------------------------------------------------


def help_of(*words: str) -> str:
    """Return what ``--help`` of a command prints."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = _WIDTH
    try:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            invoke([*words, "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before
    return out.getvalue().rstrip()


def commands_page() -> str:
    """Return the page of the command line."""
    lines = ["# Commands", "", f"What `simcore COMMAND --help` prints, of version {simcore.__version__}.", ""]
    lines += ["```text", help_of(), "```", ""]
    for name in _COMMANDS:
        lines += [f"## simcore {name}", "", "```text", help_of(name), "```", ""]
    lines += ["`simcore --install-completion` makes the shell complete commands, options and shipped names.", ""]
    return "\n".join(lines)


# --- files people write -----------------------------------------------------------------------------------------------


def schema_page(kind: str, schema: Mapping[str, Any]) -> str:
    """Return the page of a kind of file: a table of keys for the file and one for each of its sections.

    Parameters
    ----------
    kind : str
        For the title.
    schema : mapping
        Its JSON Schema.
    """
    parts = schema.get("$defs", {})
    lines = [f"# {_TITLES.get(kind, kind)}: every key", "", _text(schema.get("description", "")), ""]
    lines += [f"From `simcore schema {kind}`, which editors can use too: [{kind}.schema.json]({kind}.schema.json).", ""]
    lines += [*_table(schema, parts), ""]
    for name in _reached(schema, parts):
        part = parts[name]
        lines += [f"## {name}", "", _text(part.get("description", "")), ""]
        lines += [*_table(part, parts), ""] if "properties" in part else [_allowed(part), ""]
    return "\n".join(lines)


def _reached(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> list[str]:
    """Names of the parts of a schema in the order in which a reader meets them."""
    found: dict[str, None] = {}

    def visit(node: Any) -> None:
        if isinstance(node, Mapping):
            if "$ref" in node:
                name = node["$ref"].rsplit("/", 1)[-1]
                if name not in found:
                    found[name] = None
                    visit(parts[name])
            for key, child in node.items():
                if key != "$defs":
                    visit(child)
        elif isinstance(node, list):
            for child in node:
                visit(child)

    visit(schema)
    return list(found)


def _table(part: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[str]:
    yield "| key | default | allowed | meaning |"
    yield "| --- | --- | --- | --- |"
    needed = part.get("required", ())
    for key, value in part["properties"].items():
        default = "" if "default" not in value or isinstance(value["default"], dict) else f"`{_written(value['default'])}`"
        default = "needed" if key in needed and not default else default
        yield f"| `{key}` | {_cell(default)} | {_cell(_allowed(value))} | {_cell(_meaning(value, parts))} |"


def _meaning(node: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """What a key means; of a section that says nothing itself, what the section is."""
    section = parts.get(node.get("$ref", "").rsplit("/", 1)[-1], {})
    return _text(node.get("description") or section.get("description", ""))


def _allowed(node: Mapping[str, Any]) -> str:
    """What may stand for a value, in words."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    if "const" in node:
        return f"`{_written(node['const'])}`"
    if "enum" in node:
        return ", ".join(f"`{_written(value)}`" for value in node["enum"])
    for several in ("anyOf", "oneOf"):
        if several in node:
            return "; ".join(dict.fromkeys(_allowed(child) for child in node[several]))
    kind = node.get("type")
    if kind == "array":
        return f"a list{_length(node)}" + (f" of: {_allowed(node['items'])}" if node.get("items") else "")
    if kind == "object":
        values = node.get("additionalProperties")
        return f"a map to: {_allowed(values)}" if isinstance(values, Mapping) else "a map"
    words = {
        "integer": "a whole number",
        "number": "a number",
        "boolean": "`true`, `false`",
        "string": "text",
        "null": "`null`",
    }
    return words.get(str(kind), "anything") + _range(node)


def _range(node: Mapping[str, Any]) -> str:
    low, high = node.get("minimum"), node.get("maximum")
    if low is None and high is None:
        return ""
    return (
        f", {low:,} to {high:,}"
        if low is not None and high is not None
        else f", {low} or more"
        if high is None
        else f", at most {high}"
    )


def _length(node: Mapping[str, Any]) -> str:
    low, high = node.get("minItems"), node.get("maxItems")
    if low is None and high is None:
        return ""
    return f" of {low}" if low == high else f" of {low or 0} to {high}" if high is not None else f" of {low} or more"


def _written(value: Any) -> str:
    """A value as a line of YAML."""
    return value if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    """Words of a docstring on one line, with names in single backquotes."""
    return " ".join(text.replace("``", "`").split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# --- Python -----------------------------------------------------------------------------------------------------------


def python_page(module: str) -> str:
    """Return the page of a module's public names, whose docstrings mkdocstrings fills in."""
    found = importlib.import_module(module)
    about = _text((found.__doc__ or "").split("\n\n")[0])
    lines = [f"# {module}", "", about, ""]
    own = [name for name, value in vars(found).items() if not name.startswith("_") and _home(value) == module]
    for name in sorted(getattr(found, "__all__", own), key=lambda name: (name[0].isupper(), name)):
        value = getattr(found, name)
        if hasattr(value, "__qualname__"):
            lines += [f"::: {value.__module__}.{value.__qualname__}", "    options:", f"      heading: {module}.{name}", ""]
    return "\n".join(lines)


def _home(value: Any) -> str | None:
    return getattr(value, "__module__", None) if hasattr(value, "__qualname__") else None
