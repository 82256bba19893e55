"""A place, a fault of a configuration and the error that carries faults to the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from simcore.errors import InputError, one_line, printable

_SHOWN_AT_ONCE = 3
_LONGEST_PLACE = 400


class Where(NamedTuple):
    """A place: a file (or another source such as ``--set``) and a line, 0 where there are no lines."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        """Write the place as messages begin: ``file:line``."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Problem:
    """One fault of a configuration; ``str()`` is the line that a user reads.

    Attributes
    ----------
    file
        The file, or another source such as ``--set``.
    line
        Line in the file, 0 where there is none.
    path
        Keys to the value, joined by dots; empty for the file as a whole.
    value
        The value as it was written, empty where it is missing.
    message
        What is wrong and what is allowed.
    """

    file: str
    line: int
    path: str
    value: str
    message: str

    def __str__(self) -> str:
        """Write the fault in one line: place, key path, what is wrong."""
        place = one_line(str(Where(self.file, self.line)), _LONGEST_PLACE)
        return ": ".join(part for part in (place, one_line(self.path, _LONGEST_PLACE), printable(self.message)) if part)


class ConfigError(InputError):
    """What is wrong with a configuration: at most three lines of text, and all faults as `problems`."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in problems[:_SHOWN_AT_ONCE]]
        more = len(problems) - len(lines)
        if more:
            files = [problem.file for problem in problems if problem.line]
            lines[-1] += f" (and {more} more{': simcore check ' + files[0] if files else ''})"
        super().__init__("\n".join(lines))


def fault(where: Where, message: str, path: str = "", value: str = "") -> ConfigError:
    """Return the error of one fault, to be raised by the caller."""
    return ConfigError([Problem(where.file, where.line, path, value, message)])


def raise_problems(problems: Sequence[Problem]) -> None:
    """Raise all problems as one error; return if there are none."""
    if problems:
        raise ConfigError(problems)
