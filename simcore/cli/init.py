"""``simcore init``: writes a commented file to start from."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

import typer

from simcore.cli.options import JsonOption, print_json
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore init variant
  simcore init variant my_oh_hell.yaml --from oh_hell
  simcore init variant my_game.yaml --short
  simcore init run my_run.yaml --from call_bridge
  simcore init bot timid.yaml --from heuristic --json
"""


def command(
    kind: Annotated[
        str, typer.Argument(metavar="variant|bot|run|sweep|tuning", help="Which kind of file.", show_default=False)
    ],
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="The file to write; without it: my_<kind>.yaml.", show_default=False),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="NAME", help="The shipped file to start from; of a run also a variant.", show_default=False
        ),
    ] = None,
    short: Annotated[
        bool, typer.Option("--short", help="Of a variant or bot: a few lines that build on the shipped file.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a commented file to start from.

    Every key stands in it with its value and what it means. A file that is there is never overwritten.
    """
    from simcore.config import starting

    if kind not in starting.KINDS:
        near = get_close_matches(kind, starting.KINDS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InputError(f"init: {kind!r} is not a kind of file; allowed: {', '.join(starting.KINDS)}{hint}")
    path = starting.starting_path(kind, file)
    text, name = starting.starting_text(kind, path, source, short)
    with path.open("x", encoding="utf-8") as written:
        written.write(text)
    if as_json:
        print_json({"kind": kind, "file": str(path), "from": name})
    else:
        typer.echo(f"{path}: a {kind} to start from, {'building on' if short else 'after'} {name}\nsimcore check {path}")
