"""Fast simulation of card games with bidding: rules, bots and runs as YAML, kernels underneath, tables out.

The public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcore.api import deal, load_bot, load_variant, merge, open_run, replay, run, score, solve, solve_position

__version__ = "0.1.0"

__all__ = ["__version__", "deal", "load_bot", "load_variant", "merge", "open_run", "replay", "run", "score"]
__all__ += ["solve", "solve_position"]


class _Package(ModuleType):
    """The package: importing the module `simcore.replay` does not put it in the place of the function `replay`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Load the public functions."""
    if name not in __all__:
        raise AttributeError(f"module 'simcore' has no attribute {name!r}")
    from simcore import api

    for public in __all__:
        if public != "__version__":
            globals()[public] = getattr(api, public)
    return globals()[name]


def __dir__() -> list[str]:
    """Public names."""
    return sorted(__all__)
