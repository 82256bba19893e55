"""``simcore thresholds``: from which beliefs on a double or redouble pays, for every contract of a scoring table."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, SetOption, VariantArgument, print_json, whole_number

EXAMPLES = """Examples:
  simcore thresholds bridgette
  simcore thresholds bridgette --set scoring.multiplier.applies_to=none --short 2
  simcore thresholds draw_bridge_published --json
"""
_MOST_SHORT = 13


def command(
    variant: VariantArgument,
    short: Annotated[str, typer.Option(metavar="N", help="Tricks that a failing contract is short, 1 .. 13.")] = "1",
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the break-evens of doubling and redoubling."""
    number = whole_number("--short", short, 1, _MOST_SHORT)
    from simcore.config import load_variant

    rules = load_variant(variant, set_ or ())
    from analysis.thresholds import as_document, print_thresholds

    if as_json:
        print_json(as_document(rules, number))
    else:
        print_thresholds(rules, number)
