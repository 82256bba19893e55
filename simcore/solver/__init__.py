"""Perfect play of two known hands: exact tricks and points (docs/solver.md). Plain Python.

``solve`` and ``solve_position`` take what users have: variants, texts, masks of the border. ``solve_tricks``, ``solve_points``,
``card_tricks`` and ``card_points`` take what kernels have: rules of the play, hands in their layout. Loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcore.solver.api import Solution, solve, solve_position
    from simcore.solver.deals import card_points, card_tricks, new_scratch, prepare_search, solve_points, solve_tricks

__all__ = [
    "Solution",
    "card_points",
    "card_tricks",
    "new_scratch",
    "prepare_search",
    "solve",
    "solve_points",
    "solve_position",
    "solve_tricks",
]
_OF_USERS = ("Solution", "solve", "solve_position")


def __getattr__(name: str) -> Any:
    """Load a public function."""
    if name not in __all__:
        raise AttributeError(f"module 'simcore.solver' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("simcore.solver.api" if name in _OF_USERS else "simcore.solver.deals"), name)
