"""Building blocks of the schema: the base of all models and the kinds of numbers, lists and names they hold.

Numbers are read from the text that was written, exactly: whole numbers as int, points in tenths and bot parameters in
hundredths, without a detour over binary fractions.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from simcore.config.tree import Plain

OWN_ERROR = "simcore"
"""Type of the validation errors raised here; their text follows the value in a message."""
CROSS_ERROR = "simcore_cross"
"""Type of the errors about values that do not go together."""

_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9_]+(?:\.[0-9]*)?")
_OTHER_BASE = re.compile(r"[-+]?0[xXoObB][0-9a-fA-F_]+")
_NAME = re.compile(r"\w[\w.+-]*")
_LARGEST_EXPONENT = 30
_LONGEST_NAME = 60
_GROUPED_FROM = 1000

CrossProblem: TypeAlias = tuple[tuple[str, ...], str]
"""Paths of the values that do not go together, the likeliest culprit first, and the sentence that says why."""


def own_error(text: str) -> PydanticCustomError:
    """Return a validation error whose text is ours; braces in it are no placeholders."""
    return PydanticCustomError(OWN_ERROR, "{text}", {"text": text})


def exact_number(value: object, expected: str) -> Decimal:
    """Read a number exactly from what was written.

    Parameters
    ----------
    value
        Unquoted text of a file, or a number of a Python source.
    expected
        What the field holds, for messages: ``"a whole number; allowed: 1 to 6"``.
    """
    if isinstance(value, Plain):
        if _LEADING_ZERO.fullmatch(value):
            raise own_error("begins with a zero; write numbers without leading zeros")
        if _OTHER_BASE.fullmatch(value):
            raise own_error("is not a decimal number; write numbers in decimal digits")
        if not _NUMBER.fullmatch(value):
            raise own_error(f"is not {expected}")
        number = Decimal(value.replace("_", ""))
    elif isinstance(value, str):
        raise own_error(f"is quoted text, not {expected}; write the number without quotes")
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise own_error(f"is not {expected}")
    else:
        number = Decimal(repr(value))
        if not number.is_finite():
            raise own_error(f"is not {expected}")
    if number and abs(number.adjusted()) > _LARGEST_EXPONENT:
        raise own_error(f"is out of range; {expected.partition('; ')[2]}")
    return number


class Whole:
    """Marks a field that holds a whole number from `low` to `high`; `1_000_000` and `1e6` are whole numbers too.

    Parameters
    ----------
    low, high
        The bounds, both allowed.
    digits_only
        Refuse other spellings, for keys of a map, where `3` and `3.0` would be the same key.
    """

    def __init__(self, low: int, high: int, digits_only: bool = False) -> None:
        self.low, self.high, self.digits_only = low, high, digits_only
        self.expected = f"a whole number; allowed: {low} to {high}"

    def read(self, value: object) -> int:
        """Return the number or raise the error that a message is made of."""
        number = exact_number(value, self.expected)
        if number != number.to_integral_value() or (self.digits_only and not str(value).isdecimal()):
            raise own_error(f"is not {self.expected}")
        if not self.low <= number <= self.high:
            raise own_error(f"is out of range; allowed: {self.low} to {self.high}")
        return int(number)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Tell pydantic how the field is read."""
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Tell pydantic how the field looks in the JSON Schema."""
        number: JsonSchemaValue = {"type": "integer", "minimum": self.low, "maximum": self.high}
        if self.high < _GROUPED_FROM:
            return number
        # Editors read 1_000_000 as text; it is a number here.
        return {"anyOf": [number, {"type": "string", "pattern": "^[0-9]+(_[0-9]+)+$"}]}


class WholeOrWord(Whole):
    """Marks a field that holds a whole number from `low` to `high`, or one word instead."""

    def __init__(self, low: int, high: int, word: str) -> None:
        super().__init__(low, high)
        self.word = word
        self.expected += f", or {word}"

    def read(self, value: object) -> Any:
        """Return the number or the word, or raise the error that a message is made of."""
        return self.word if value == self.word else super().read(value)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Tell pydantic how the field looks in the JSON Schema."""
        return {"anyOf": [super().__get_pydantic_json_schema__(schema, handler), {"const": self.word}]}


class Words:
    """Marks a field that holds one of some words, or else a map: the branch of the words, with a message that names both.

    Parameters
    ----------
    words
        The words.
    other
        How the map looks, for messages.
    """

    def __init__(self, *words: str, other: str) -> None:
        self.words, self.other = words, other

    def read(self, value: object) -> str:
        """Return the word or raise the error that a message is made of."""
        if isinstance(value, str) and value in self.words:
            return str(value)
        close = nearest(value, self.words) if isinstance(value, str) else None
        hint = f"; did you mean '{close}'?" if close else ""
        raise own_error(f"is not allowed; allowed: {', '.join(self.words)}, or a map {self.other}{hint}")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Tell pydantic how the field is read."""
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Tell pydantic how the field looks in the JSON Schema."""
        return {"type": "string", "enum": list(self.words)}


WORD, MAP = "(word)", "(map)"
"""Tags of the two branches of a field that holds a word or number, or a map; no key of a file looks like them."""


def _shape(value: object) -> str:
    return MAP if isinstance(value, Mapping | BaseModel) else WORD


SHAPE = Discriminator(_shape)
"""Marks a field with these two branches, so that a fault is looked for in the one that was meant."""


class Decimals:
    """Marks a field that holds a number with at most `places` decimals; whole values become int, others float.

    Parameters
    ----------
    places
        Decimals that are kept, 1 for points, 2 for bot parameters.
    low, high
        The bounds, both allowed.
    """

    def __init__(self, places: int, low: int, high: int) -> None:
        self.places, self.low, self.high = places, low, high
        self.expected = f"a number; allowed: {low} to {high}, at most {places} decimal{'s' if places > 1 else ''}"

    def read(self, value: object) -> int | float:
        """Return the number or raise the error that a message is made of."""
        number = exact_number(value, self.expected)
        if not self.low <= number <= self.high:
            raise own_error(f"is out of range; allowed: {self.low} to {self.high}")
        scaled = number.scaleb(self.places)
        if scaled != scaled.to_integral_value():
            raise own_error(f"has too many decimals; allowed: at most {self.places}")
        return int(number) if number == number.to_integral_value() else float(number)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Tell pydantic how the field is read."""
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Tell pydantic how the field looks in the JSON Schema."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


class Entries:
    """Marks a list with `low` to `high` entries; `what` says what an entry stands for."""

    def __init__(self, low: int, high: int, what: str) -> None:
        self.low, self.high, self.what = low, high, what

    def check(self, value: object) -> object:
        """Return the list, or raise the error that a message is made of."""
        count = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
        if not isinstance(value, tuple | list):
            raise own_error(f"is not a list; allowed: a list of {count} entries, {self.what}")
        if not self.low <= len(value) <= self.high:
            raise own_error(f"has {len(value)} entries; allowed: {count}, {self.what}")
        return tuple(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Tell pydantic how the field is read."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Tell pydantic how the field looks in the JSON Schema."""
        return {**handler(schema), "minItems": self.low, "maxItems": self.high}


def is_name(text: str) -> bool:
    """Tell whether a variant or a bot can have this name."""
    return bool(_NAME.fullmatch(text)) and len(text) <= _LONGEST_NAME


class NameText:
    """Marks a name: it appears in files, tables and on the command line, so it holds no spaces or commas."""

    def read(self, value: object) -> str:
        """Return the name or raise the error that a message is made of."""
        if not isinstance(value, str) or not is_name(value):
            raise own_error(f"is not a name; allowed: letters, digits, '_', '-', '+' and '.', at most {_LONGEST_NAME}")
        return str(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Tell pydantic how the field is read."""
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Tell pydantic how the field looks in the JSON Schema."""
        return {"type": "string", "pattern": f"^{_NAME.pattern}$", "maxLength": _LONGEST_NAME}


Name: TypeAlias = Annotated[str, NameText()]
"""A name of a variant or bot."""
Points: TypeAlias = Annotated[int | float, Decimals(1, -1_000_000, 1_000_000)]
"""Points, exact tenths."""
Hundredths: TypeAlias = Annotated[int | float, Decimals(2, -1000, 1000)]
"""A bot parameter, exact hundredths; handed to kernels times 100."""


def tenths(points: int | float) -> int:
    """Return points as the whole number of tenths that the engine computes with."""
    return round(points * 10)


def nearest(text: object, names: Iterable[str]) -> str | None:
    """Return the name that is most like a text, None if none is like it."""
    by_fold = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(str(text).casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[close[0]] if close else None


class Settings(BaseModel):
    """Base of all models: frozen, nothing unknown, nothing converted silently.

    Attributes
    ----------
    alternatives
        Groups of keys of which one given replaces the others, when files and overrides are merged.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    alternatives: ClassVar[tuple[tuple[str, ...], ...]] = ()

    @classmethod
    def outlived(cls, given: Collection[str], before: Mapping[str, object]) -> Iterable[str]:
        """Return the keys whose earlier values cannot stand beside what is given now, when files and overrides are merged.

        Parameters
        ----------
        given
            Keys that are given now.
        before
            The simple values that were there.
        """
        return ()

    def cross_problems(self) -> Iterable[CrossProblem]:
        """Return what is wrong about values that are each right by themselves; paths begin at this model."""
        return ()

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        problems = [(list(paths), text) for paths, text in self.cross_problems()]
        if problems:
            raise PydanticCustomError(CROSS_ERROR, "{text}", {"text": problems[0][1], "problems": problems})
        return self


class Document(Settings):
    """Base of what a file holds as a whole: a variant, a bot, a run."""

    def digest(self) -> str:
        """Return the SHA-256 of the resolved content without its name and description.

        Two files that mean the same have the same digest, however they were written.
        """
        content = self.model_dump(mode="json", exclude={"name", "description"})
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
        return hashlib.sha256(text.encode("ascii")).hexdigest()
