"""``simcore estimate``: how often an imposed contract or call makes, given what one player knows."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import (
    MOST_WORKERS,
    JsonOption,
    PluginOption,
    SeedOption,
    SetOption,
    VariantArgument,
    WorkersOption,
    bot_names,
    count,
    one_of,
    print_json,
    whole_number,
    width,
)

EXAMPLES = """Examples:
  simcore estimate bridgette --contract 4S --hand AKQ52.K83.A4.QT9 --declarer dealer
  simcore estimate bridgette --contract 4S --hand AKQ52.K83.A4.QT9 --upcard HA --opponent "...AK+" --play perfect --deals 1000
  simcore estimate bridgette --contract 3NT --hand "AKxxx.*.*.*/G*" --auction "1S Pass"
  simcore estimate draw_bridge --contract 4S --hand AKQ52.K83.A4.QT9 --thrown "S3 S4 H2 H4 H5"
  simcore estimate call_bridge --call 5 --hand AKQ52.K83.A4.QT9 --json

Part of a hand: AK.Q..+ is a hand with at least these cards; in AKxxx.*.Q*.*/G* x is one more card of a suit, * any number.
"""
COMPILE_SECONDS = 40
"""About how long the kernels take to compile, once per version and machine."""
_SOLVER_SECONDS = 10


def command(
    variant: VariantArgument,
    contract: Annotated[
        str | None, typer.Option(metavar="CONTRACT", help="In games of contracts: for example 4S, 3NTX.", show_default=False)
    ] = None,
    call: Annotated[str | None, typer.Option(metavar="N", help="In games of calls: the call.", show_default=False)] = None,
    hand: Annotated[
        str | None,
        typer.Option(metavar="HAND", help="Declarer's hand as the auction begins, or part of it.", show_default=False),
    ] = None,
    opponent: Annotated[
        str | None, typer.Option(metavar="HAND", help="His opponent's hand then, or part of it.", show_default=False)
    ] = None,
    declarer: Annotated[
        str | None,
        typer.Option(metavar="dealer|non_dealer", help="Declarer's role; without it both, shown apart.", show_default=False),
    ] = None,
    upcard: Annotated[str | None, typer.Option(metavar="CARD", help="The card turned.", show_default=False)] = None,
    thrown: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS",
            help="The cards declarer threw (S2 H3 ..). Unknown: any (the default; uniform over the unseen cards) or policy "
            "(those with which the bot would have kept this hand). Draw Bridge: cards that went in phase 1.",
            show_default=False,
        ),
    ] = None,
    auction: Annotated[
        str | None, typer.Option(metavar="CALLS", help="The auction so far, bid by the bots: 1S Pass 2S.", show_default=False)
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            "--where", metavar="EXPR", help="A condition on the sampled deals: hcp_declarer >= 12.", show_default=False
        ),
    ] = None,
    bots: Annotated[str, typer.Option("--bots", metavar="A[,B]", help="Bots: one for all, or declarer's first.")] = "heuristic",
    play: Annotated[str, typer.Option(metavar="bots|perfect", help="Who plays the cards.")] = "bots",
    until: Annotated[
        str | None,
        typer.Option(
            metavar="W",
            help="Stop at this half-width of the 95 % interval (0.005); looked at after 10000, 20000, 40000, ... deals.",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        str | None, typer.Option(metavar="N", help="Exactly so many deals; with --until at most.", show_default=False)
    ] = None,
    seed: SeedOption = None,
    set_: SetOption = None,
    plugin: PluginOption = None,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how often a contract makes when it is imposed, given what is known."""
    from simcore.api import MAX_SEED, load_plugins
    from simcore.runs.progress import announce_compile

    one_of("--play", play, ("bots", "perfect"))
    one_of("--declarer", declarer, ("dealer", "non_dealer"))
    number = count("--seed", seed, 0, MAX_SEED)
    half_width, most, threads = width("--until", until), count("--deals", deals), count("--workers", workers, 1, MOST_WORKERS)
    tricks = None if call is None else whole_number("--call", call, 0)
    load_plugins(plugin or ())
    from analysis.asking import estimate
    from analysis.estimate_tables import print_estimate
    from simcore._jit import mark_cache_warm

    part = f"warm-estimate-{variant.replace('/', '_')}"

    def before() -> None:
        announce_compile(part, COMPILE_SECONDS)
        if play == "perfect":
            announce_compile("warm-solver-tricks", _SOLVER_SECONDS)

    report = estimate(
        variant, contract, call=tricks, hand=hand, opponent=opponent, declarer=declarer, upcard=upcard, thrown=thrown,
        auction=auction, where=where, bots=bot_names(bots) or [], play=play, until=half_width, deals=most,
        seed=1 if number is None else number, workers=threads, overrides=set_ or (), before=before,
    )  # fmt: skip
    mark_cache_warm(part)
    if as_json:
        print_json(report.as_json())
    else:
        print_estimate(report)
