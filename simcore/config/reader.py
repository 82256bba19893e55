"""Strict reading of YAML and JSON text into nodes that know their lines.

YAML 1.2 core rules: only true and false are booleans, so NO, off and yes stay text. Refused with a sentence: a key given
twice, anchors, aliases, merge keys, tags, directives, more than one document, files that are too large, too deep or not UTF-8.
The parser's events are read one by one, so a hostile file cannot exhaust the stack.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import yaml

from simcore.config.faults import ConfigError, Problem, Where, fault
from simcore.config.tree import MAX_DEPTH, Branch, Leaf, Node, Plain, Row, from_python
from simcore.places import Place

MAX_YAML_BYTES = 1_000_000
"""Largest YAML file; real ones have some thousand bytes."""
MAX_JSON_BYTES = 256_000_000
"""Largest manifest: that of a run in as many files as there may be (`simcore.runs.limits`)."""

_NOWHERE = Where("")
_CHUNKS = "chunks"
"""The long list of a manifest."""
_NULLS = ("", "~", "null", "Null", "NULL")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}

_SYNTAX = (
    ("'\\t'", "a tab cannot be used here; indent with spaces"),
    ("mapping values are not allowed", "a ': ' does not belong here; check the indentation, or put the text in quotes"),
    ("expected <block end>", "the indentation does not fit the lines above"),
    ("could not find expected ':'", "a key without ': ' and value"),
    ("end of stream", "a quotation mark is not closed"),
    ("expected ',' or ']'", "a list in [ ] lacks a comma or is not closed"),
    ("expected ',' or '}'", "a map in { } lacks a comma or is not closed"),
    ("block sequence entries are not allowed", "a '- ' does not belong here; check the indentation"),
    ("that cannot start any token", "a text cannot begin like this; put it in quotes"),
    ("unknown escape character", "an unknown escape after \\; use single quotes for text with a backslash"),
    ("did not find expected alphabetic", "a text cannot begin with * or &; put it in quotes"),
    ("expected alphabetic or numeric character", "a text cannot begin with * or &; put it in quotes"),
    ("incompatible YAML document", "a directive (%) is not used here; take it out"),
)
"""Parts of the parser's messages, and what they mean for the one who wrote the file."""
_BEGUN_EARLIER = ("could not find expected ':'", "end of stream", "expected ',' or")


def read_file(path: Place, problems: list[Problem] | None = None) -> Node:
    """Read a YAML or JSON (``.json``) file.

    Parameters
    ----------
    path
        The file; messages name it as it is given here.
    problems
        Takes the faults that do not stand in the way of reading on, so that a check can list them all; without it they are
        raised.

    Raises
    ------
    ConfigError
        If the file cannot be read or is not strict YAML or JSON.
    """
    is_json = path.suffix.lower() == ".json"
    limit = MAX_JSON_BYTES if is_json else MAX_YAML_BYTES
    whole = Where(str(path))
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError:
        raise fault(whole, "there is no such file") from None
    except IsADirectoryError:
        raise fault(whole, "this is a directory; a file is expected") from None
    except (OSError, ValueError) as error:
        raise fault(whole, f"cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(data) > limit:
        raise fault(whole, f"the file is larger than {limit // 1_000_000} MB; no configuration is that large")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise fault(Where(str(path), line), "the file is not UTF-8 text; save it as UTF-8") from None
    return read_json(text, str(path)) if is_json else read_yaml(text, str(path), problems=problems)


def read_yaml(text: str, source: str, numbered: bool = True, problems: list[Problem] | None = None) -> Node:
    """Read YAML text.

    Parameters
    ----------
    text
        One YAML document.
    source
        Name of the source in messages.
    numbered
        Whether places have lines; a value of the command line has none.
    problems
        As for :func:`read_file`.
    """
    builder = _Builder(source, numbered)
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            builder.take(event)
    except ConfigError as error:
        raise ConfigError([*builder.problems, *error.problems]) from None
    except yaml.MarkedYAMLError as error:
        raise _syntax_fault(error, source, numbered, builder.problems) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1 if numbered else 0
        raise fault(Where(source, line), f"the character U+{int(error.character):04X} is not allowed in YAML") from None
    if problems is not None:
        problems += builder.problems
    elif builder.problems:
        raise ConfigError(builder.problems)
    root = builder.root
    if root is None or (numbered and isinstance(root, Leaf) and root.value is None):
        raise fault(Where(source), "the file is empty" if numbered else "the value is empty; write null")
    return root


def read_json(text: str, source: str) -> Node:
    """Read JSON text, for example a manifest; places have no lines."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise fault(Where(source), "the key is given twice", key)
            found[key] = value
        return found

    def refuse(token: str) -> None:
        raise fault(Where(source), f"{token} is not a JSON number")

    try:
        text = text if len(text) <= MAX_YAML_BYTES else _config_alone(text)
        value = json.loads(text, object_pairs_hook=unique, parse_int=Plain, parse_float=Plain, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise fault(Where(source, error.lineno), f"this is not JSON; check the text around column {error.colno}") from None
    except RecursionError:
        raise fault(Where(source), f"nested more than {MAX_DEPTH} levels deep") from None
    return from_python(value, Where(source))


def _config_alone(text: str) -> str:
    """Of a long manifest its configuration, without the list of chunks; reading all that with care takes minutes."""
    value = json.loads(text)
    is_manifest = isinstance(value, dict) and isinstance(value.get("config"), dict) and _CHUNKS in value
    return json.dumps({"config": value["config"]}) if is_manifest else text


def _syntax_fault(error: yaml.MarkedYAMLError, source: str, numbered: bool, earlier: list[Problem]) -> ConfigError:
    """Return the error of a syntax fault; what is left open is named by the line where it begins."""
    parts = f"{error.context or ''} {error.problem or ''}"
    sentences = [text for part, text in _SYNTAX if part in parts]
    sentence = sentences[0] if sentences else f"this is not YAML: {(error.problem or 'syntax error').strip()}"
    mark = error.problem_mark or error.context_mark
    if error.context_mark is not None and any(part in parts for part in _BEGUN_EARLIER):
        mark = error.context_mark
    line = mark.line + 1 if mark is not None and numbered else 0
    return ConfigError([*earlier, Problem(source, line, "", "", sentence)])


@dataclass(slots=True)
class _Open:
    """A map or list whose end has not been read.

    Attributes
    ----------
    node
        What has been read of it.
    key
        The key of the map that waits for its value, and its place.
    dropped
        Whether the value of that key is left out, because the key is at fault.
    first_lines
        The line of every key.
    """

    node: Branch | Row
    key: str | None = None
    key_where: Where = _NOWHERE
    dropped: bool = False
    first_lines: dict[str, int] = field(default_factory=dict)


class _Builder:
    """Builds nodes from the parser's events, with a list of open maps and lists instead of recursion."""

    def __init__(self, source: str, numbered: bool) -> None:
        self.source, self.numbered = source, numbered
        self.root: Node | None = None
        self.open: list[_Open] = []
        self.documents = 0
        self.problems: list[Problem] = []

    def take(self, event: yaml.Event) -> None:
        """Take the next event of the parser."""
        where = Where(self.source, event.start_mark.line + 1 if self.numbered and event.start_mark else 0)
        if isinstance(event, yaml.DocumentStartEvent):
            self._start_document(event, where)
        elif isinstance(event, yaml.AliasEvent):
            raise fault(where, f"*{event.anchor}: aliases are not used here; write the value again, or use extends")
        elif isinstance(event, yaml.NodeEvent):
            self._refuse_decorations(event, where)
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event, where)
            else:
                self._start(Branch({}, where) if isinstance(event, yaml.MappingStartEvent) else Row([], where))
        elif isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()
            if self.open:
                self.open[-1].key = None

    def _start_document(self, event: yaml.DocumentStartEvent, where: Where) -> None:
        self.documents += 1
        if self.documents > 1:
            raise fault(where, "a second document begins here (---); a file holds one")
        if event.version or event.tags:
            raise fault(where, "a directive (%) is not used here; take it out")

    def _refuse_decorations(self, event: yaml.NodeEvent, where: Where) -> None:
        if event.anchor is not None:
            self._note(where, f"&{event.anchor}: anchors are not used here; use extends to share values")
        tag = getattr(event, "tag", None)
        if tag is not None:
            tag = tag.replace("tag:yaml.org,2002:", "!!")
            self._note(where, f"{tag}: tags are not used here; write the plain value")

    def _start(self, node: Branch | Row) -> None:
        top = self.open[-1] if self.open else None
        if top is not None and isinstance(top.node, Branch) and top.key is None:
            raise fault(node.where, "a key must be text, not a map or list")
        if len(self.open) >= MAX_DEPTH:
            raise fault(node.where, f"nested more than {MAX_DEPTH} levels deep")
        self._place(node)
        self.open.append(_Open(node))

    def _scalar(self, event: yaml.ScalarEvent, where: Where) -> None:
        top = self.open[-1] if self.open else None
        if top is not None and isinstance(top.node, Branch) and top.key is None:
            self._key(top, event, where)
            return
        unquoted = event.style is None
        if unquoted and event.value in _NULLS:
            self._place(Leaf(None, where))
        elif unquoted and event.value in _BOOLEANS:
            self._place(Leaf(_BOOLEANS[event.value], where))
        else:
            self._place(Leaf(Plain(event.value) if unquoted else event.value, where))

    def _key(self, top: _Open, event: yaml.ScalarEvent, where: Where) -> None:
        key = event.value
        top.key, top.key_where, top.dropped = key, where, False
        if key == "<<" and event.style is None:
            self._note(where, "merge keys are not used here; use extends to share values")
            top.dropped = True
        elif key in top.first_lines:
            first = f" (first in line {top.first_lines[key]})" if self.numbered else ""
            self._note(where, f"the key is given twice{first}")
            top.dropped = True
        else:
            top.first_lines[key] = where.line

    def _note(self, where: Where, message: str) -> None:
        """Note a fault that does not stand in the way of reading on."""
        path = ".".join(entry.key for entry in self.open if entry.key is not None)
        self.problems.append(Problem(where.file, where.line, path, "", message))

    def _place(self, node: Node) -> None:
        """Put a node into the open map or list; in a map its place is the line of its key."""
        if not self.open:
            self.root = node
            return
        top = self.open[-1]
        if isinstance(top.node, Row):
            top.node.items.append(node)
            return
        assert top.key is not None
        node.where = top.key_where
        if not top.dropped:
            top.node.entries[top.key] = node
        if isinstance(node, Leaf):
            top.key = None
