"""``simcore schema``: JSON Schema of the files people write, for editors."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import Annotated

import typer

from simcore.errors import InputError

KINDS = ("variant", "bot", "run", "sweep", "tuning")

EXAMPLES = """Examples:
  simcore schema variant > variant.schema.json
"""


def command(
    kind: Annotated[
        str, typer.Argument(metavar="variant|bot|run|sweep|tuning", help="Which kind of file.", show_default=False)
    ],
) -> None:
    """Print the JSON Schema of a kind of file."""
    if kind not in KINDS:
        near = get_close_matches(kind, KINDS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InputError(f"schema: {kind!r} is not a kind of file; allowed: {', '.join(KINDS)}{hint}")
    from simcore.config import json_schema

    typer.echo(json.dumps(json_schema(kind), indent=2, ensure_ascii=False))
