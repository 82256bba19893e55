"""Conditions on the columns of a run, as `--where` takes them: read here, checked, and written anew as SQL.

The language is that of SQL's conditions, without anything that reaches outside the row: columns, numbers, texts in single
quotes, ``true false``; ``= <> < <= > >=``, ``[not] in (...)``, ``[not] between .. and ..``, ``[not] like``, ``is [not] null``;
``and or not``; ``+ - * / %``; the functions of `FUNCTIONS`. What a user wrote is never handed to the database: it gets SQL
that is put together from the parsed condition, so nothing else than this can be said in it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from analysis.columns import NUMBER, TEXT, TRUTH, RowColumn
from simcore.errors import InputError

FUNCTIONS = {
    "abs": (1, 1),
    "floor": (1, 1),
    "ceil": (1, 1),
    "round": (1, 1),
    "least": (2, 9),
    "greatest": (2, 9),
    "coalesce": (2, 9),
}
"""Functions of numbers, with the fewest and the most arguments."""
MOST_CHARACTERS = 2000
MOST_TOKENS = 300
MOST_NESTED = 30
_KEYWORDS = ("and", "or", "not", "in", "between", "is", "null", "true", "false", "like")
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_.]))"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<text>'(?:[^']|'')*')|(?P<sign><=|>=|<>|!=|==|[=<>+\-*/%(),])"
)
_COMPARE = {"=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_OPTION = "--where"
_WINDOW = 100
"""Characters of a long condition that a message shows around the place."""
_SHOWN = 12
_KIND_WORDS = {NUMBER: "a number", TEXT: "a text", TRUTH: "a condition (true or false)"}


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that was read.

    Attributes
    ----------
    text : str
        As it was written.
    sql : str
        The same for the database, over columns in double quotes.
    columns : tuple of str
        Columns that it names, each once.
    """

    text: str
    sql: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    place: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of the condition: SQL, kind of its values, where it began; of a column its description, of a text its value."""

    sql: str
    kind: str
    place: int
    column: RowColumn | None = None
    text: str | None = None


def read_condition(
    text: str, columns: Mapping[str, RowColumn], known_elsewhere: Callable[[], Collection[str]] = tuple
) -> Condition:
    """Read a condition.

    Parameters
    ----------
    text : str
        As a user wrote it.
    columns : mapping of str to RowColumn
        The columns it may name.
    known_elsewhere : callable
        Gives the columns that rows would have and this run, which keeps sums, does not; for messages.

    Returns
    -------
    Condition
        Checked: every column exists, numbers are compared with numbers and texts with texts that the column can have.

    Raises
    ------
    InputError
        With the condition and a mark under the place that is wrong.
    """
    return _Reader(text, columns, known_elsewhere).read()


class _Reader:
    """Recursive descent over tokens; each method reads one level of precedence."""

    def __init__(self, text: str, columns: Mapping[str, RowColumn], known_elsewhere: Callable[[], Collection[str]]) -> None:
        self.text, self.columns, self.known_elsewhere = text, columns, known_elsewhere
        self.lowered = {name.lower(): name for name in columns}
        self.used: dict[str, None] = {}
        self.next = self.depth = 0
        self.tokens: list[_Token] = []

    def fail(self, place: int, message: str) -> InputError:
        """An error that shows the condition and marks a place in it."""
        text = "".join(letter if letter.isprintable() else "?" for letter in self.text)
        first = max(0, min(place - _WINDOW // 2, len(text) - _WINDOW))
        shown = text[first : first + _WINDOW]
        return InputError(f"{_OPTION}: {message}\n  {shown}\n  {' ' * (place - first)}^")

    def read(self) -> Condition:
        if len(self.text) > MOST_CHARACTERS:
            raise InputError(f"{_OPTION}: the condition has {len(self.text)} characters; allowed: {MOST_CHARACTERS}")
        self.tokens = self.split()
        if self.peek().kind == "end":
            raise InputError(f"{_OPTION}: the condition is empty; write for example \"level >= 4 and strain = 'S'\"")
        found = self.either()
        left = self.peek()
        if left.kind != "end":
            raise self.fail(left.place, f"{left.text!r} is not expected here; after a condition: and, or, or the end")
        self.want(found, TRUTH, "the whole must be a condition, such as level >= 4")
        return Condition(self.text, found.sql, tuple(self.used))

    def split(self) -> list[_Token]:
        tokens, place = [], 0
        while place < len(self.text):
            found = _TOKEN.match(self.text, place)
            if found is None:
                raise self.fail(place, self.unknown_character(place))
            kind = str(found.lastgroup)
            if kind == "text" and not found[0].isprintable():
                raise self.fail(place, "a text with characters that cannot be printed")
            if kind != "space":
                tokens.append(_Token(kind, found[0], place))
            place = found.end()
        if len(tokens) > MOST_TOKENS:
            raise self.fail(tokens[MOST_TOKENS].place, f"the condition is too long; allowed: {MOST_TOKENS} words and signs")
        return [*tokens, _Token("end", "the end", len(self.text))]

    def unknown_character(self, place: int) -> str:
        letter = self.text[place]
        if letter == "'":
            return "this text has no closing quote"
        if letter == '"':
            return "texts are written in single quotes, as in strain = 'S'"
        if letter.isascii() and letter.isdigit():
            return "this is no number"
        return f"{letter!r} has no meaning here" if letter.isprintable() else "a character that cannot be printed"

    def peek(self) -> _Token:
        return self.tokens[self.next]

    def take(self) -> _Token:
        token = self.tokens[self.next]
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def accept(self, *words: str) -> bool:
        """Take the next token if it is one of some keywords or signs."""
        token = self.peek()
        found = token.kind in ("word", "sign") and token.text.lower() in words
        if found:
            self.take()
        return found

    def demand(self, sign: str, why: str) -> None:
        token = self.peek()
        if not self.accept(sign):
            raise self.fail(token.place, f"{sign!r} is missing before {token.text!r} ({why})")

    def want(self, part: _Part, kind: str, why: str) -> None:
        if part.kind != kind:
            raise self.fail(part.place, f"this is {_KIND_WORDS[part.kind]}; {why}")

    # --- conditions ---

    def either(self) -> _Part:
        return self.joined("or", self.both)

    def both(self) -> _Part:
        return self.joined("and", self.negated)

    def joined(self, word: str, read: Callable[[], _Part]) -> _Part:
        parts = [read()]
        while self.accept(word):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        for part in parts:
            self.want(part, TRUTH, f"{word!r} joins conditions, such as level >= 4")
        return _Part(f"({f' {word.upper()} '.join(part.sql for part in parts)})", TRUTH, parts[0].place)

    def negated(self) -> _Part:
        place = self.peek().place
        if not self.accept("not"):
            return self.compared()
        self.deeper(place)
        part = self.negated()
        self.depth -= 1
        self.want(part, TRUTH, "'not' stands before a condition")
        return _Part(f"(NOT {part.sql})", TRUTH, place)

    def compared(self) -> _Part:
        left = self.total()
        token = self.peek()
        if token.kind == "sign" and token.text in _COMPARE:
            self.take()
            right = self.total()
            self.match_kinds(left, right, token)
            after = self.peek()
            if after.kind == "sign" and after.text in _COMPARE:
                raise self.fail(after.place, "comparisons cannot be chained; write a < b and b < c, or between")
            return _Part(f"({left.sql} {_COMPARE[token.text]} {right.sql})", TRUTH, left.place)
        if self.accept("is"):
            negated = self.accept("not")
            self.demand("null", "after is")
            return _Part(f"({left.sql} IS {'NOT ' if negated else ''}NULL)", TRUTH, left.place)
        negated = token.text.lower() == "not" and self.accept("not")
        found = self.ranged(left, "NOT " if negated else "")
        if found is None and negated:
            after = self.peek()
            raise self.fail(after.place, f"{after.text!r} is not expected after not; here: in, between, like")
        return left if found is None else found

    def ranged(self, left: _Part, negation: str) -> _Part | None:
        """The rest of ``in``, ``between`` and ``like``."""
        token = self.peek()
        if self.accept("in"):
            self.demand("(", "in (a, b, c)")
            parts = [self.total()]
            while self.accept(","):
                parts.append(self.total())
            self.demand(")", "the list of in is still open")
            for part in parts:
                self.match_kinds(left, part, token)
            return _Part(f"({left.sql} {negation}IN ({', '.join(part.sql for part in parts)}))", TRUTH, left.place)
        if self.accept("between"):
            low = self.total()
            self.demand("and", "between a and b")
            high = self.total()
            for part in (left, low, high):
                self.want(part, NUMBER, "'between' is for numbers")
            return _Part(f"({left.sql} {negation}BETWEEN {low.sql} AND {high.sql})", TRUTH, left.place)
        if self.accept("like"):
            pattern = self.take()
            self.want(left, TEXT, "'like' is for texts")
            if pattern.kind != "text":
                raise self.fail(
                    pattern.place, "after like stands a text: % is any characters, _ is one, as in upcard like '%A'"
                )
            return _Part(f"({left.sql} {negation}LIKE {pattern.text})", TRUTH, left.place)
        return None

    def match_kinds(self, left: _Part, right: _Part, token: _Token) -> None:
        """Both sides of a comparison must be of one kind, and texts those that the column can have."""
        if left.kind != right.kind:
            words = (_KIND_WORDS[left.kind], _KIND_WORDS[right.kind])
            raise self.fail(right.place, f"{words[0]} cannot be compared with {words[1]}")
        if left.kind != NUMBER and token.text in ("<", "<=", ">", ">="):
            raise self.fail(token.place, f"{token.text!r} is for numbers; {_KIND_WORDS[left.kind]} can be = or <>")
        for column, other in ((left.column, right), (right.column, left)):
            if column is not None and column.values and other.text is not None and other.text not in column.values:
                near = get_close_matches(other.text.upper(), column.values, 1)
                shown = ", ".join(column.values[:_SHOWN]) + (", ..." if len(column.values) > _SHOWN else "")
                meant = f"; did you mean {near[0]!r}?" if near else f"; it has: {shown}"
                raise self.fail(other.place, f"{column.name} is never {other.text!r}{meant}")

    # --- numbers ---

    def total(self) -> _Part:
        return self.chain(self.product, ("+", "-"))

    def product(self) -> _Part:
        return self.chain(self.signed, ("*", "/", "%"))

    def chain(self, read: Callable[[], _Part], signs: Sequence[str]) -> _Part:
        left = read()
        while self.peek().kind == "sign" and self.peek().text in signs:
            sign = self.take()
            right = read()
            for part in (left, right):
                self.want(part, NUMBER, f"{sign.text!r} is for numbers")
            divisor = f"NULLIF({right.sql}, 0)" if sign.text in "/%" else right.sql
            left = _Part(f"({left.sql} {sign.text} {divisor})", NUMBER, left.place)
        return left

    def signed(self) -> _Part:
        place = self.peek().place
        if self.accept("-"):
            self.deeper(place)
            part = self.signed()
            self.depth -= 1
            self.want(part, NUMBER, "'-' is for numbers")
            return _Part(f"(-{part.sql})", NUMBER, place)
        return self.single()

    def single(self) -> _Part:
        token = self.take()
        if token.kind == "number":
            return self.number(token)
        if token.kind == "text":
            return _Part(token.text, TEXT, token.place, text=token.text[1:-1].replace("''", "'"))
        if token.text == "(":
            self.deeper(token.place)
            part = self.either()
            self.demand(")", "a bracket is still open")
            self.depth -= 1
            return _Part(part.sql, part.kind, token.place, part.column, part.text)
        if token.kind == "word":
            return self.word(token)
        raise self.fail(token.place, f"{token.text!r} is not expected here; here: a column, a number, a text in quotes, or (")

    def number(self, token: _Token) -> _Part:
        value = float(token.text.replace("_", ""))
        if not math.isfinite(value):
            raise self.fail(token.place, f"{token.text} is too large a number")
        return _Part(f"{value!r}::DOUBLE", NUMBER, token.place)

    def word(self, token: _Token) -> _Part:
        lowered = token.text.lower()
        if lowered in ("true", "false"):
            return _Part(lowered.upper(), TRUTH, token.place)
        if lowered == "null":
            raise self.fail(token.place, "nothing is equal to null; write is null, or is not null")
        if lowered in _KEYWORDS:
            raise self.fail(
                token.place, f"{token.text!r} is not expected here; here: a column, a number, a text in quotes, or ("
            )
        if self.peek().text == "(":
            return self.call(token)
        name = token.text if token.text in self.columns else self.lowered.get(lowered)
        if name is None:
            raise self.fail(token.place, self.unknown_column(token.text))
        self.used.setdefault(name)
        column = self.columns[name]
        sql = f'CAST("{name}" AS DOUBLE)' if column.kind == NUMBER else f'"{name}"'
        return _Part(sql, column.kind, token.place, column)

    def call(self, token: _Token) -> _Part:
        name = token.text.lower()
        if name not in FUNCTIONS:
            near = get_close_matches(name, FUNCTIONS, 1)
            meant = f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(FUNCTIONS)}"
            raise self.fail(token.place, f"no function {token.text!r}{meant}")
        self.deeper(token.place)
        self.take()
        parts = [self.total()]
        while self.accept(","):
            parts.append(self.total())
        self.demand(")", f"the arguments of {name} are still open")
        self.depth -= 1
        fewest, most = FUNCTIONS[name]
        if not fewest <= len(parts) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise self.fail(token.place, f"{name} takes {wanted} numbers, not {len(parts)}")
        for part in parts:
            self.want(part, NUMBER, f"{name} is for numbers")
        return _Part(f"{name.upper()}({', '.join(part.sql for part in parts)})", NUMBER, token.place)

    def unknown_column(self, name: str) -> str:
        for column in self.columns.values():
            if column.values and name in column.values:
                return f"no column {name!r}; texts are written in quotes: {column.name} = '{name}'"
        if name.lower() in self.known_elsewhere():
            return f"{name!r} is not kept by output: summary; there are: {', '.join(self.columns)}"
        near = get_close_matches(name.lower(), self.lowered, 1)
        if near:
            return f"no column {name!r}; did you mean {self.lowered[near[0]]!r}?"
        return (
            f"no column {name!r}; there are: {', '.join(list(self.columns)[:_SHOWN])}{', ...' * (len(self.columns) > _SHOWN)}"
        )

    def deeper(self, place: int) -> None:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise self.fail(place, f"too deeply nested; allowed: {MOST_NESTED} levels")
