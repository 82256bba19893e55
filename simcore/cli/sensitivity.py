"""``simcore sensitivity``: what a step in each part of a scoring table does to each measure."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, SeedOption, SetOption, VariantArgument, WorkersOption, count, one_of, print_json

EXAMPLES = """Examples:
  simcore sensitivity bridgette
  simcore sensitivity bridgette --set deck.colons=[] --play perfect
  simcore sensitivity draw_bridge_published --deals 100_000 --json
"""
PLAYS = ("perfect", "careful", "eager", "random")
_LEAST, _LEAST_MODEL = 2000, 10_000


def command(
    variant: VariantArgument,
    deals: Annotated[
        str | None,
        typer.Option(metavar="N", help="Deals that are bid over under each table; without it: 60,000.", show_default=False),
    ] = None,
    play: Annotated[
        str | None,
        typer.Option(
            "--play",
            metavar="POLICY",
            help="What finds the tricks: perfect, careful, eager or random; without it: careful.",
            show_default=False,
        ),
    ] = None,
    bot: Annotated[str, typer.Option(metavar="BOT", help="The bot that bids, by expected score.")] = "expected",
    cells: Annotated[
        list[str] | None,
        typer.Option("--cells", metavar="CELLS", help="Only these cells, as in tuning files; repeatable.", show_default=False),
    ] = None,
    seed: SeedOption = None,
    set_: SetOption = None,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure a scoring table, and what each part of it does."""
    from simcore.api import MAX_SEED
    from simcore.config import load_variant
    from simcore.runs.progress import announce_compile, note

    n_deals = count("--deals", deals, _LEAST)
    number = count("--seed", seed, 0, MAX_SEED)
    threads = count("--workers", workers)
    policy = one_of("--play", play, PLAYS) or "careful"
    rules = load_variant(variant, set_ or ())
    from analysis.tuning.cells import Group, default_groups
    from analysis.tuning.cells import cells as cells_of
    from analysis.tuning.evaluator import BELIEF_DEALS, MODEL_DEALS, Evaluator, World, check_world
    from analysis.tuning.sensitivity import print_sensitivity, sensitivities

    n_deals = n_deals or 60_000
    few = min(max(2 * n_deals, _LEAST_MODEL), MODEL_DEALS)
    seed_number = 1 if number is None else number
    world = World(rules, policy, bot, seed_number, few, min(n_deals, BELIEF_DEALS), n_deals, workers=threads)
    check_world(world)
    groups = [Group(text, cells_of(rules, text)) for text in cells] if cells else default_groups(rules)
    announce_compile()
    found = sensitivities(Evaluator(world, tell=note), groups, progress=lambda done, of: note(f"part {done + 1} of {of}"))
    if as_json:
        print_json(found.as_json())
    else:
        print_sensitivity(found)
