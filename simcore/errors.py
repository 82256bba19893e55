"""The errors of the project: what a user did wrong, and what a check found wrong.

``str(error)`` is the whole message, one to three lines: where, which value, what is allowed. Messages quote files and command
lines, so what a terminal would obey (escape sequences, marks that turn the direction of text) is written out, and lines end.
"""

from __future__ import annotations

LONGEST_LINE = 1200
_HEAD, _TAIL = 800, 300


def printable(text: str) -> str:
    """Text whose every line a terminal can show: other characters as escapes, the middle of very long lines left out."""
    if text.isprintable() and len(text) <= LONGEST_LINE:
        return text
    return "\n".join(_short(line if line.isprintable() else _escaped(line)) for line in text.split("\n"))


def one_line(text: str, limit: int = 60) -> str:
    """What somebody wrote, for a message: printable, without line breaks, cut where it is long."""
    text = text if text.isprintable() else _escaped(text)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _escaped(text: str) -> str:
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def _short(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:_HEAD]} ... {line[-_TAIL:]}"


class SimcoreError(Exception):
    """Base of all errors that are explained to the user instead of shown as a traceback."""

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))


class InputError(SimcoreError):
    """Wrong usage or wrong input (exit code 2)."""
