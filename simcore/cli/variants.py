"""``simcore variants``: the shipped variants."""

from __future__ import annotations

from simcore.cli.listing import list_shipped
from simcore.cli.options import JsonOption


def command(as_json: JsonOption = False) -> None:
    """List the shipped variants."""
    list_shipped("variants", as_json)
