"""Options that several commands share, and how counts on the command line are read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from simcore.errors import InputError

MOST_WORKERS = 4096
"""Threads; no machine has so many processors."""
MOST_PLAYED = 10**9
"""Deals that a command plays without storing anything: hours at the speed of the fastest bots."""
MOST_HELD = 10**7
"""Deals that a command holds in memory, a few hundred bytes each."""
_COUNT = re.compile(r"[0-9]+(_[0-9]+)*")
_POWER = re.compile(r"([0-9]+)(?:\.([0-9]+))?[eE]\+?([0-9]{1,2})")

ConfigArgument = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG",
        help="A run or variant: shipped name (bridgette), YAML file, manifest or run directory.",
        show_default=False,
    ),
]
VariantArgument = Annotated[
    str, typer.Argument(metavar="VARIANT", help="A variant: shipped name or YAML file.", show_default=False)
]
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run directory.", show_default=False)]
SeedOption = Annotated[
    str | None,
    typer.Option("--seed", metavar="N", help="Seed of all random numbers, 0 .. 2^64 - 1.", show_default=False),
]
BotsOption = Annotated[
    str | None,
    typer.Option("--bots", metavar="A[,B]", help="Bots: one for all seats, or one a seat.", show_default=False),
]
UnitOption = Annotated[
    str | None,
    typer.Option("--unit", metavar="match|deal", help="Whole matches, or independent deals.", show_default=False),
]
OutputOption = Annotated[
    str | None,
    typer.Option(
        "--output",
        metavar="rows|summary",
        help="A row a deal, or only sums: small files at any number of deals, enough for rates and scores.",
        show_default=False,
    ),
]
HandsOption = Annotated[
    str | None,
    typer.Option(
        "--hands",
        metavar="FILE",
        help="Deals to play in place of random ones: JSON Lines as in transcripts, or PBN Deal tags.",
        show_default=False,
    ),
]
PluginOption = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin",
        metavar="MODULE",
        help="A module or .py file with bots of your own for --bots; its code is run. Repeatable.",
        show_default=False,
    ),
]
WorkersOption = Annotated[
    str | None,
    typer.Option("--workers", metavar="N", help="Threads; without it: one a processor. Changes no result.", show_default=False),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Change one value, as scoring.doubled_made=0; repeatable.",
        show_default=False,
    ),
]
WhereOption = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help="Only rows that meet it, as \"hcp_declarer >= 15 and strain in ('H', 'S')\".",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, nothing else.")]


def count(option: str, text: str | None, low: int = 1, high: int | None = None) -> int | None:
    """Read a whole number as `whole_number` does, or None where the option was not given."""
    return None if text is None else whole_number(option, text, low, high)


def whole_number(option: str, text: str, low: int = 1, high: int | None = None) -> int:
    """Read a whole number from the command line.

    Parameters
    ----------
    option : str
        For the message.
    text : str
        ``1000000``, ``1_000_000`` and ``1e6`` mean the same.
    low, high : int
        What is allowed.

    Returns
    -------
    int
        The number.

    Raises
    ------
    InputError
        It is no such number.
    """
    number = _whole(text.strip())
    if number is None:
        raise InputError(f"{option}: {text!r} is not a whole number; write 1000000, 1_000_000 or 1e6")
    if number < low or (high is not None and number > high):
        limits = f"{low} or more" if high is None else f"{low} .. {high}"
        raise InputError(f"{option}: {number} is out of range; allowed: {limits}")
    return number


def _whole(text: str) -> int | None:
    sign = -1 if text.startswith("-") else 1
    text = text.removeprefix("-")
    if _COUNT.fullmatch(text):
        return sign * int(text)
    found = _POWER.fullmatch(text)
    if found is None:
        return None
    whole, fraction, power = found[1], (found[2] or "").rstrip("0"), int(found[3])
    return None if len(fraction) > power else sign * int(whole + fraction) * 10 ** (power - len(fraction))


def positive_number(option: str, text: str) -> float:
    """Read a number above 0 from the command line; `option` is for the message."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (0 < number < math.inf):
        raise InputError(f"{option}: {text!r} is not a number above 0")
    return number


def bot_names(text: str | None) -> list[str] | None:
    """Names of ``--bots a,b``."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise InputError(f"--bots: {text!r} has an empty name; write one name for all seats, or a,b with one a seat")
    return names


def column_names(option: str, text: str | None) -> list[str] | None:
    """Names of columns with commas between, None where the option was not given; `option` is for the message."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise InputError(f"{option}: {text!r} has an empty name; write columns with commas between, as in level,strain")
    return names


def one_of(option: str, text: str | None, allowed: Sequence[str]) -> str | None:
    """Value of an option that takes one of a few words; None where it was not given."""
    if text is not None and text not in allowed:
        raise InputError(f"{option}: {text!r} is not allowed; allowed: {', '.join(allowed)}")
    return text


def unit_name(text: str | None) -> str | None:
    """Value of ``--unit``."""
    return one_of("--unit", text, ("match", "deal"))


def width(option: str, text: str | None) -> float | None:
    """Read the half-width of an interval of a rate."""
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 1e-6 <= number < 1:
        raise InputError(f"{option}: {text!r} is no half-width of a rate; write a number such as 0.005")
    return round(number, 6)


def output_name(text: str | None) -> str | None:
    """Value of ``--output``."""
    return one_of("--output", text, ("rows", "summary"))


def print_json(document: Any) -> None:
    """Print one JSON document."""
    typer.echo(json.dumps(document, ensure_ascii=False))
