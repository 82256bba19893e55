"""``simcore show``: a configuration with everything that was left out filled in."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import ConfigArgument, JsonOption, SetOption, print_json

EXAMPLES = """Examples:
  simcore show bridgette
  simcore show my_variant.yaml --origin
"""


def command(
    config: ConfigArgument,
    origin: Annotated[bool, typer.Option("--origin", help="Say after each value where it comes from.")] = False,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the resolved configuration as YAML."""
    from simcore.config import load_any, to_yaml

    found = load_any(config, set_ or ())
    if as_json:
        print_json(found.model.model_dump(mode="json"))
    else:
        typer.echo(to_yaml(found.model, found.origins if origin else None), nl=False)
