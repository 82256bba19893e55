"""``simcore deal``: plays single matches and prints them card by card."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import (
    BotsOption,
    ConfigArgument,
    HandsOption,
    PluginOption,
    SeedOption,
    SetOption,
    UnitOption,
    bot_names,
    count,
    print_json,
    unit_name,
    whole_number,
)

EXAMPLES = """Examples:
  simcore deal bridgette --match 12 --seed 7
  simcore deal bridgette --match 12 --explain
  simcore deal bridgette --count 100 --json | simcore replay -
  simcore deal bridgette --hands my_deals.pbn --count 10
"""


def command(
    config: ConfigArgument,
    match: Annotated[str, typer.Option(metavar="M", help="The first match (with --unit deal: the first deal).")] = "0",
    number: Annotated[str, typer.Option("--count", metavar="N", help="How many matches.")] = "1",
    seed: SeedOption = None,
    bots: BotsOption = None,
    unit: UnitOption = None,
    hands: HandsOption = None,
    plugin: PluginOption = None,
    set_: SetOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say of each decision which rule fired, and on what numbers.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One transcript (JSON object) a line.")] = False,
) -> None:
    """Play matches exactly as run would, and print them card by card."""
    from simcore.api import MAX_SEED, deal
    from simcore.runs.progress import announce_compile

    first = whole_number("--match", match, 0, 10**12)
    matches = whole_number("--count", number)
    lines = deal(
        config,
        first,
        count=matches,
        seed=count("--seed", seed, 0, MAX_SEED),
        bots=bot_names(bots),
        unit=unit_name(unit),
        hands=hands,
        plugins=plugin or (),
        overrides=set_ or (),
        explain=explain,
    )
    announce_compile()
    if as_json:
        for line in lines:
            print_json(line)
        return
    if explain:
        from simcore.explain import render_explained as render
    else:
        from simcore.transcript import render

    for line in lines:
        typer.echo(render(line))
