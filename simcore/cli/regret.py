"""``simcore regret``: what bots lost by their play against perfect play of the same contracts."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import (
    MOST_HELD,
    MOST_WORKERS,
    JsonOption,
    SeedOption,
    SetOption,
    WorkersOption,
    bot_names,
    count,
    print_json,
)
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore regret bridgette
  simcore regret bridgette --bots novice,heuristic --deals 5000 --json
  simcore regret runs/bridgette-heuristic-seed1
"""


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="RUN|VARIANT", help="A run directory, or a variant: shipped name or YAML file.", show_default=False
        ),
    ],
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            metavar="A,B,...",
            help="Of a variant: bots, each in both seats; without it: heuristic.",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(metavar="N", help="Deals of each bot, of a run its first; without it: 1,000.", show_default=False),
    ] = None,
    seed: SeedOption = None,
    set_: SetOption = None,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the tricks and points that bots lost by their play, a deal, as declarer and as defender.

    Perfect play sees both hands, so nobody at a table could have lost nothing; the contracts are those that the bots bid.
    """
    from simcore.api import MAX_SEED
    from simcore.config import load_variant
    from simcore.places import place
    from simcore.runs.progress import PERFECT_SECONDS, announce_compile

    names = bot_names(bots)
    n_deals = count("--deals", deals, 1, MOST_HELD)
    number = count("--seed", seed, 0, MAX_SEED)
    threads = count("--workers", workers, 1, MOST_WORKERS)
    is_run = (place(what) / "manifest.json").is_file()
    if is_run:
        given = {"--bots": bots, "--seed": seed, "--set": set_}
        for option in (option for option, value in given.items() if value is not None):
            raise InputError(f"{option} goes with a variant; {what} is a run, and its own bots and deals are looked at")
    rules = None if is_run else load_variant(what, set_ or ())
    from analysis.regret import DEALS, bots_regret, run_regret
    from analysis.regret_table import print_regret

    announce_compile("warm-regret", PERFECT_SECONDS)
    if rules is None:
        report = run_regret(what, deals=n_deals, workers=threads)
    else:
        seed_ = 1 if number is None else number
        report = bots_regret(rules, names or ["heuristic"], deals=n_deals or DEALS, seed=seed_, workers=threads)
    from simcore._jit import mark_cache_warm

    mark_cache_warm("warm-regret")
    if as_json:
        print_json(report.as_json())
    else:
        print_regret(report)
