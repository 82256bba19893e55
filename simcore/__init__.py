"""Fast simulation of card games with bidding: rules, bots and runs as YAML, kernels underneath, tables out.

The public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcore.api import deal, load_bot, load_variant, open_run, replay, run, score

__version__ = "0.1.0"

__all__ = ["__version__", "deal", "load_bot", "load_variant", "open_run", "replay", "run", "score"]


def __getattr__(name: str) -> Any:
    """Load the public functions; they replace a module of the same name that was imported with them."""
    if name not in __all__:
        raise AttributeError(f"module 'simcore' has no attribute {name!r}")
    from simcore import api

    for public in __all__[1:]:
        globals()[public] = getattr(api, public)
    return globals()[name]


def __dir__() -> list[str]:
    """Public names."""
    return sorted(__all__)
