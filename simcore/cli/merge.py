"""``simcore merge``: joins the shards of a run."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from simcore.cli.options import JsonOption, print_json

EXAMPLES = """Examples:
  simcore run bridgette --matches 1e6 --shard 1/2 --out a
  simcore run bridgette --matches 1e6 --shard 2/2 --out b
  simcore merge a b --out whole
"""


def command(
    parts: Annotated[
        list[str], typer.Argument(metavar="DIR", help="Finished run directories of all shards.", show_default=False)
    ],
    out: Annotated[str, typer.Option(metavar="DIR|URL", help="Directory of the joined run.", show_default=False)],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a run that is in the directory.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Join the shards of a run; overlaps, gaps and different runs are refused.

    The result holds the same files as one run over all matches.
    """
    from simcore.places import place
    from simcore.runs.merge import merge

    result = merge([place(part) for part in parts], place(out), overwrite, ("simcore", *sys.argv[1:]))
    if as_json:
        print_json(result.as_json())
    else:
        typer.echo(f"{result.n_deals:,} deals in {result.n_matches:,} matches from {len(parts)} parts, in {out}")
        typer.echo(f"next: simcore rates {out}; simcore scores {out}")
