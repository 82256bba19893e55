"""``simcore score``: the points of one result, or the whole sheet of a variant."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from simcore.cli.options import JsonOption, SetOption, VariantArgument, print_json, whole_number
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore score bridgette --contract 4SX --tricks 11
  simcore score call_bridge --call 8 --tricks 9
  simcore score pit --bid 3 --alone --tricks 4
  simcore score draw_bridge --table
"""


def command(
    variant: VariantArgument,
    contract: Annotated[
        str | None,
        typer.Option(metavar="CONTRACT", help="In games of contracts: for example 4S, 3NTX, 4SXX.", show_default=False),
    ] = None,
    call: Annotated[str | None, typer.Option(metavar="N", help="In games of calls: the call.", show_default=False)] = None,
    bid: Annotated[str | None, typer.Option(metavar="N", help="In Pit: the bid.", show_default=False)] = None,
    alone: Annotated[bool, typer.Option("--alone", help="In Pit: the bid said alone.")] = False,
    tricks: Annotated[str | None, typer.Option(metavar="N", help="Tricks taken by this player.", show_default=False)] = None,
    table: Annotated[bool, typer.Option("--table", help="Every result of every contract, call or bid.")] = False,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the points of one result."""
    if table and (alone or any(value is not None for value in (contract, call, bid, tricks))):
        raise InputError("--table prints the whole sheet; --contract, --call, --bid, --alone and --tricks do not go with it")
    from simcore import api

    if table:
        from simcore.phases.scoring.sheets import sheet_of

        sheet = sheet_of(api.load_variant(variant, set_ or ()))
        if as_json:
            print_json({"variant": sheet[0]["variant"], "results": sheet})
        else:
            _print_sheet(sheet)
        return
    found = api.score(
        variant,
        contract,
        _number("--tricks", tricks),
        set_ or (),
        call=_number("--call", call),
        bid=_number("--bid", bid),
        alone=alone,
    )
    if as_json:
        print_json(found)
    else:
        typer.echo(_sentence(found))


def _number(option: str, text: str | None) -> int | None:
    return None if text is None else whole_number(option, text, 0)


def _head(found: dict[str, Any]) -> str:
    """What was bid."""
    return f"call {found['call']}" if "call" in found else str(found["contract"])


def _sentence(found: dict[str, Any]) -> str:
    start = f"{found['variant']}: {_head(found)}, {found['tricks']} tricks: "
    points = found["points"]
    if isinstance(points, dict):
        return f"{start}{_outcome(found)}; declarer {points['declarer']}, opponent {points['opponent']}"
    made = "made" if found["made"] else "failed"
    cards = f"cards to shed {_change(found)}, " if "cards" in found else ""
    return f"{start}{made}; {cards}points {points}"


def _change(found: dict[str, Any]) -> str:
    """What a round of Pit does to declarer's cards, where that follows from the tricks."""
    return "by the tricks' cards" if found["cards"] is None else f"{found['cards']:+d}"


def _outcome(found: dict[str, Any]) -> str:
    if not found["made"]:
        return f"{found['undertricks']} short"
    if not found["overtricks"]:
        return "made exactly"
    return f"made with {found['overtricks']} more"


def _cell(found: dict[str, Any]) -> str:
    """Declarer's points, the opponent's as negative numbers; the points of a call; cards and points of a bid."""
    points = found["points"]
    if isinstance(points, dict):
        value = points["declarer"] if found["made"] else -points["opponent"]
        return f"{value:g}"
    if "cards" not in found:
        return f"{points:g}"
    return f"{'' if found['cards'] is None else _change(found)}/{points:g}"


def _title(found: dict[str, Any]) -> str:
    if "cards" in found:
        return "declarer's cards to shed / points, by tricks"
    return "points by tricks" if "call" in found else "declarer's points by tricks; negative: the opponent's points"


def _print_sheet(sheet: list[dict[str, Any]]) -> None:
    """One line a contract, call or bid, one column a number of tricks."""
    cells: dict[str, dict[int, str]] = {}
    for found in sheet:
        cells.setdefault(_head(found), {})[found["tricks"]] = _cell(found)
    width = max(len(cell) for row in cells.values() for cell in row.values()) + 1
    first = max(6, *(len(head) for head in cells))
    number = 1 + max(found["tricks"] for found in sheet)
    typer.echo(f"{sheet[0]['variant']}: {_title(sheet[0])}")
    typer.echo(f"{'tricks':{first}}" + "".join(f"{tricks:>{width}}" for tricks in range(number)))
    for head, row in cells.items():
        typer.echo(f"{head:{first}}" + "".join(f"{row.get(tricks, ''):>{width}}" for tricks in range(number)))
