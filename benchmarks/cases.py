"""The benchmark cases, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """One case: whole deals of a variant between bots, columns filled, one processor.

    Attributes
    ----------
    name, variant, bots, unit
        What is played.
    bar : float or None
        Most that it may cost, as a multiple of the C calibrator's time per deal on the same machine.
    """

    name: str
    variant: str
    bots: tuple[str, ...]
    unit: str
    bar: float | None


CASES = (
    Case("heuristic", "bridgette", ("heuristic",), "match", 4.0),
    Case("random", "bridgette", ("random",), "match", 2.8),
    Case("heuristic against random", "bridgette", ("heuristic", "random"), "match", 4.0),
    Case("heuristic, single deals", "bridgette", ("heuristic",), "deal", None),
)
