"""``simcore sensitivity``: what a step in each part of a scoring table does to each measure."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import (
    MOST_HELD,
    MOST_WORKERS,
    JsonOption,
    SeedOption,
    SetOption,
    VariantArgument,
    WorkersOption,
    count,
    one_of,
    print_json,
)
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore sensitivity bridgette
  simcore sensitivity bridgette --set deck.colons=[] --play perfect
  simcore sensitivity draw_bridge_published --deals 100_000 --json
  simcore sensitivity bridgette --cells award=750 --factors 0.67,0.8,1.33
  simcore sensitivity bridgette --cells undertricks --factors 0.5,2 --bidder open
"""
BIDDERS = ("plain", "coarse", "open")
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
    factors: Annotated[
        str | None,
        typer.Option(
            metavar="F,...",
            help="All measures with the cells at so many times today's values, in place of slopes; all --cells move together.",
            show_default=False,
        ),
    ] = None,
    bidder: Annotated[
        str | None,
        typer.Option(
            "--bidder",
            metavar="NAME",
            help="plain, coarse (honours and trump length alone) or open (both know every contract's tricks) (plain).",
            show_default=False,
        ),
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

    n_deals = count("--deals", deals, _LEAST, MOST_HELD)
    number = count("--seed", seed, 0, MAX_SEED)
    threads = count("--workers", workers, 1, MOST_WORKERS)
    policy = one_of("--play", play, PLAYS) or "careful"
    who = one_of("--bidder", bidder, BIDDERS) or "plain"
    wanted = _factors(factors, cells)
    rules = load_variant(variant, set_ or ())
    from analysis.tuning.cells import Group, default_groups
    from analysis.tuning.cells import cells as cells_of
    from analysis.tuning.evaluator import Evaluator
    from analysis.tuning.profile import print_profile, profile
    from analysis.tuning.sensitivity import print_sensitivity, sensitivities
    from analysis.tuning.world import BELIEF_DEALS, MODEL_DEALS, World, check_world

    n_deals = n_deals or 60_000
    few = min(max(2 * n_deals, _LEAST_MODEL), MODEL_DEALS)
    seed_number = 1 if number is None else number
    world = World(rules, policy, bot, seed_number, few, min(n_deals, BELIEF_DEALS), n_deals, workers=threads)
    check_world(world)
    groups = [Group(text, cells_of(rules, text)) for text in cells] if cells else default_groups(rules)
    announce_compile()
    if wanted:
        shown = profile(Evaluator(world, tell=note), groups, wanted, who)
        if as_json:
            print_json(shown.as_json())
        else:
            print_profile(shown)
        return
    found = sensitivities(Evaluator(world, tell=note), groups, who, progress=lambda done, of: note(f"part {done + 1} of {of}"))
    if as_json:
        print_json(found.as_json())
    else:
        print_sensitivity(found)


def _factors(text: str | None, cells: list[str] | None) -> list[float]:
    """The factors of `--factors`."""
    if text is None:
        return []
    if not cells:
        raise InputError("--factors goes with --cells, which say what moves")
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--factors: {text!r} is not a list of numbers, as 0.5,1,2") from None
    if not all(0 <= value <= 100 for value in found):
        raise InputError(f"--factors: {text} is out of range; allowed: 0 .. 100")
    return found
