"""``simcore score``: the points of one result, or the whole sheet of a variant."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from simcore.cli.options import JsonOption, SetOption, print_json, whole_number
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore score bridgette --contract 4SX --tricks 11
  simcore score bridgette --table
"""


def command(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="A variant: shipped name or file.", show_default=False)],
    contract: Annotated[str | None, typer.Option(help="For example 4S, 3NTX, 4SXX.", show_default=False)] = None,
    tricks: Annotated[str | None, typer.Option(metavar="N", help="Declarer's tricks.", show_default=False)] = None,
    table: Annotated[bool, typer.Option("--table", help="Every result of every contract.")] = False,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the points of one result."""
    if table and (contract is not None or tricks is not None):
        raise InputError("--table prints the whole sheet; --contract and --tricks do not go with it")
    from simcore import api

    if table:
        from simcore.phases.scoring.contracts import score_sheet

        sheet = score_sheet(api.load_variant(variant, set_ or ()))
        if as_json:
            print_json({"variant": sheet[0]["variant"], "results": sheet})
        else:
            _print_sheet(sheet)
        return
    if contract is None or tricks is None:
        raise InputError("give both --contract and --tricks (as in --contract 4SX --tricks 11), or --table")
    found = api.score(variant, contract, whole_number("--tricks", tricks, 0), set_ or ())
    if as_json:
        print_json(found)
    else:
        typer.echo(_sentence(found))


def _sentence(found: dict[str, Any]) -> str:
    points = found["points"]
    return (
        f"{found['variant']}: {found['contract']}, {found['tricks']} tricks: {_outcome(found)}; "
        f"declarer {points['declarer']}, opponent {points['opponent']}"
    )


def _outcome(found: dict[str, Any]) -> str:
    if not found["made"]:
        return f"{found['undertricks']} short"
    if not found["overtricks"]:
        return "made exactly"
    return f"made with {found['overtricks']} more"


def _print_sheet(sheet: list[dict[str, Any]]) -> None:
    """One line a contract, one column a number of tricks: declarer's points, the opponent's as negative numbers."""
    cells: dict[str, list[str]] = {}
    for found in sheet:
        points = found["points"]
        value = points["declarer"] if found["made"] else -points["opponent"]
        cells.setdefault(found["contract"], []).append(f"{value:g}")
    width = max(len(cell) for row in cells.values() for cell in row) + 1
    number = len(next(iter(cells.values())))
    typer.echo(f"{sheet[0]['variant']}: declarer's points by tricks; negative: the opponent's points")
    typer.echo("tricks" + "".join(f"{tricks:>{width}}" for tricks in range(number)))
    for contract, row in cells.items():
        typer.echo(f"{contract:6}" + "".join(f"{cell:>{width}}" for cell in row))
