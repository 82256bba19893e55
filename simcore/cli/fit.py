"""``simcore fit``: fits the models that bots with the policies `expected` use, and reports how they do on fresh deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
  simcore fit bridgette --play careful
  simcore fit my_variant.yaml --play careful --out my_model.json
  simcore fit bridgette --play eager --deals 1e6 --seed 7 --json
  simcore fit bridgette --play careful --exchange expected
  simcore fit draw_and_discard_bridge_published --choosing --out choices.json
  simcore fit call_bridge --play careful --out call_bridge.json
  simcore fit pit --play careful --out pit.json
"""
_LEAST_DEALS = 1000


def command(
    variant: VariantArgument,
    play: Annotated[
        str, typer.Option("--play", metavar="POLICY", help="Play policy of both sides: careful, eager or random.")
    ] = "careful",
    exchange: Annotated[
        str,
        typer.Option(
            "--exchange", metavar="POLICY", help="Exchange policy of both sides: keep_best, keep_high, expected or random."
        ),
    ] = "keep_best",
    choosing: Annotated[
        bool, typer.Option("--choosing", help="Fit what hands in the making are worth, for keep-or-throw decisions.")
    ] = False,
    deals: Annotated[
        str | None,
        typer.Option(metavar="N", help="Deals of the fit; else 400,000, of calls 100,000, steps 200,000.", show_default=False),
    ] = None,
    seed: SeedOption = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the model goes, as JSON; without it only the report.", show_default=False),
    ] = None,
    set_: SetOption = None,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fit a model of tricks from the own hand, for bidding by expected score; or of hands in the making, for keeping by it."""
    from simcore.api import MAX_SEED
    from simcore.config import load_variant
    from simcore.runs.progress import announce_compile, note

    policy = one_of("--play", play, ("careful", "eager", "random"))
    keeping = one_of("--exchange", exchange, ("keep_best", "keep_high", "expected", "random"))
    n_deals = count("--deals", deals, _LEAST_DEALS, MOST_HELD)
    number = count("--seed", seed, 0, MAX_SEED)
    threads = count("--workers", workers, 1, MOST_WORKERS)
    rules = load_variant(variant, set_ or ())
    if choosing and keeping != "keep_best":
        raise InputError(f"--exchange {keeping}: with --choosing the rounds of the fit say how cards are kept; leave it out")
    from analysis import fitting_calls, fitting_choices, fitting_steps
    from analysis.fit_report import as_document, print_fit
    from analysis.fitting import DEALS, SEED, Fitting, bot_of, fit_model
    from simcore.trick_model import write_model

    fits: dict[str, tuple[int, Any]] = {
        "bridge": (DEALS, fit_model),
        "calls": (fitting_calls.DEALS, fitting_calls.fit_call_model),
        "steps": (fitting_steps.DEALS, fitting_steps.fit_step_model),
    }
    usual, fit = (fitting_choices.DEALS, fitting_choices.fit_choice_model) if choosing else fits[rules.auction.kind]

    if out is not None and not out.absolute().parent.is_dir():
        raise InputError(f"--out: there is no folder {out.parent}")
    announce_compile()
    made_by = policy or "careful"
    bot = fitting_choices.choosing_bot(made_by) if choosing else bot_of(made_by, keeping or "keep_best")
    fitting = Fitting(rules, bot, n_deals or usual, SEED if number is None else number, threads)
    model = fit(fitting, note)
    if out is not None:
        write_model(model, out)
        note(f"model: {out}")
    if as_json:
        print_json(as_document(model, out))
    else:
        print_fit(model)
