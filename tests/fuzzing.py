"""Damaged input for every reader: seeds made by the program or shipped with it, mutators, and what counts as an answer.

A reader may answer rightly or raise an `InputError` of a few printable lines; anything else (another exception, silence
for seconds, a crash) is a fault. Everything is drawn from a seed, so a case is found again by reader and number.
"""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from types import FrameType
from typing import Any

from simcore.errors import InputError

LONGEST_LINE = 1500
MOST_LINES = 3
SECONDS, WAITING = 20, 900
"""A reader that computes for so long, or waits for so long, hangs; others may have the processor, so the second is long."""

NASTY = (
    "", " ", "\n", "\t", "\x00", "\x1b[31m", "\u2028", "\ufeff", "\u0661", "\U0001f0a1", "é", "²", "½", "'", '"', "\\",
    "{", "}", "[", "]", "(", ")", ":", ": ", "- ", ",", "#", "&a ", "*a", "!!python/object/apply:os.system [id]",
    "!!binary x", "|", ">", "%", "? ", "<<: ", "---\n", "...\n", "null", "~", "true", "NO", "off", "nan", "inf", "-inf",
    "NaN", "Infinity", "-1", "-0", "0", "1e400", "1e-400", "1e5", "0x1f", "010", "1_000", "9"*25, "9"*5000,
    "18446744073709551616", "9223372036854775808", "0.1", ".", "..", "/", "../../etc/passwd", "/dev/zero", "/dev/stdin",
    "extends: bridgette\n", "extends: f.yaml\n", "name", "kind", "__class__", "{{7*7}}", "<script>", "%s%n", "{0}",
    "a"*3000, "["*200, "{a: "*60, "NT", "XX", "X", "4S", "Pass", "SA", "GC", "T", "10", "-", "|", ";", "--",
)  # fmt: skip
"""Pieces of text that something may stumble over."""
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 99, 2**31, 2**63, 2**64, -(2**63), 10**30, 0.5, -0.0, 1e308, "", " ", "x", "S1",
    "\x00", "é", "null", "SA", "4S", "Pass", "...", "AKQ2.K83.A4.QT9/G", "../../x", "/etc/passwd", [], [[]], {}, [None],
    ["SA"], {"a": 1}, [0]*60, "9"*400,
)  # fmt: skip
"""Values that a place in a JSON document may be given."""


class Hang(BaseException):
    """A reader was silent for too long."""


@contextmanager
def limited() -> Iterator[None]:
    """Raise `Hang` where the body takes too long."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Hang

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, SECONDS), (signal.SIGALRM, signal.ITIMER_REAL, WAITING))
    before = [signal.signal(number, ring) for number, _, _ in timers]
    for _, timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def damaged_text(text: str, draw: Random) -> str:
    """Some places of a text cut, doubled, replaced, exchanged, or filled with something nasty; now and then none."""
    for _ in range(0 if draw.random() < 0.08 else draw.choice((1, 1, 1, 2, 3, 6))):
        place = draw.randrange(len(text) + 1)
        span = draw.choice((1, 1, 3, 12, 60))
        match draw.randrange(8):
            case 0:
                text = text[:place] + text[place + span :]
            case 1:
                text = text[:place] + draw.choice(NASTY) + text[place:]
            case 2:
                text = text[:place] + text[max(0, place - span) : place] + text[place:]
            case 3:
                text = text[:place]
            case 4:
                other = draw.randrange(len(text) + 1)
                text = text[:place] + text[other : other + span] + text[place + span :]
            case 5:
                text = text[:place] + chr(draw.choice((draw.randrange(128), draw.randrange(0xD800)))) + text[place + 1 :]
            case _:
                words = re.findall(r"\w+|\s+|.", text, re.DOTALL) or [""]
                at = draw.randrange(len(words))
                words[at] = draw.choice((*NASTY, draw.choice(words), draw.choice(words), str(draw.randrange(-3, 70))))
                text = "".join(words)
    return text


def damaged_bytes(data: bytes, draw: Random) -> bytes:
    """Bits flipped, bytes cut, put in, or replaced."""
    found = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 5))):
        place = draw.randrange(len(found) + 1)
        match draw.randrange(5):
            case 0 | 1 if place < len(found):
                found[place] ^= 1 << draw.randrange(8)
            case 2:
                del found[place:]
            case 3:
                del found[place : place + draw.choice((1, 4, 100))]
            case _:
                noise = bytes(draw.randrange(256) for _ in range(8))
                found[place:place] = draw.choice((b"\x00", b"\xff\xfe", b"\xed\xa0\x80", noise))
    return bytes(found)


def damaged_json(document: Any, draw: Random) -> str:
    """A JSON document with some values replaced, left out, exchanged or wrapped; now and then damaged as text."""
    if draw.random() < 0.02:
        return draw.choice(("[" * 100_000, '{"a":' * 5000, "NaN", "9" * 5000, "[1e999]", "[]", "{}", "null", '"x"', ""))
    document = json.loads(json.dumps(document))
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        if not isinstance(document, dict | list) or not document:
            break
        holder, key = _place(document, draw)
        match draw.randrange(8):
            case 0:
                del holder[key]
            case 1:
                other, its = _place(document, draw)
                holder[key] = json.loads(json.dumps(other[its]))
            case 2:
                holder[key] = [holder[key]]
            case 3 if isinstance(holder[key], str):
                holder[key] = damaged_text(holder[key], draw)
            case 4 if isinstance(holder, list):
                holder.insert(key, holder[key])
            case 5 if isinstance(holder[key], int) and not isinstance(holder[key], bool):
                holder[key] += draw.choice((-1, 1, 1, 100, 2**32))
            case 6 if isinstance(holder, dict):
                holder[draw.choice(("x", "", "format", "name", key + "_"))] = draw.choice(VALUES)
            case _:
                holder[key] = draw.choice(VALUES)
    text = json.dumps(document)
    if draw.random() < 0.15:
        return damaged_text(text, draw)
    return text


def _place(document: Any, draw: Random) -> tuple[Any, Any]:
    """A place of a document that has a value, found by going down: shallow ones are likelier."""
    while True:
        key = draw.choice(list(document)) if isinstance(document, dict) else draw.randrange(len(document))
        child = document[key]
        if not isinstance(child, dict | list) or not child or draw.random() < 0.3:
            return document, key
        document = child


@dataclass(frozen=True)
class Reader:
    """A reader, and what it is given.

    Attributes
    ----------
    name : str
        For messages and the command line.
    make : callable
        Makes a damaged input.
    read : callable
        Reads it; returns or raises `InputError`.
    share : float
        Of the number of inputs; readers that take long get fewer.
    fewest : int
        Inputs that must be taken, and refused, so that something is tested; 0 where damage is passed over.
    """

    name: str
    make: Callable[[Random], Any]
    read: Callable[[Any], object]
    share: float = 1.0
    fewest: int = 1

    def try_one(self, number: int) -> str:
        """Read damaged input number so and so; -> ``"taken"`` or ``"refused"``."""
        draw = Random(f"{self.name} {number}")
        given = self.make(draw)
        try:
            with limited():
                self.read(given)
        except InputError as error:
            check_message(str(error))
            return "refused"
        except (Exception, Hang) as error:
            raise AssertionError(f"{type(error).__name__}: {error}; input {given[:200]!r}") from error
        return "taken"


def check_message(text: str) -> None:
    """A message is one to three lines that a terminal can show."""
    lines = text.split("\n")
    wrong = [] if len(lines) <= MOST_LINES else [f"{len(lines)} lines"]
    wrong += ["an empty line"] * any(not line.strip() for line in lines)
    wrong += ["characters that cannot be printed"] * any(not line.isprintable() for line in lines)
    wrong += ["a long line"] * any(len(line) > LONGEST_LINE for line in lines)
    if wrong:
        raise AssertionError(f"a message with {', '.join(wrong)}: {text[:300]!r}")
