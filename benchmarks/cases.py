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
    is_aim : bool
        Whether that is only wished for: a sensible bot matters more.
    """

    name: str
    variant: str
    bots: tuple[str, ...]
    unit: str
    bar: float | None
    is_aim: bool = False


CASES = (
    Case("heuristic", "bridgette", ("heuristic",), "match", 4.0),
    Case("random", "bridgette", ("random",), "match", 2.8),
    Case("heuristic against random", "bridgette", ("heuristic", "random"), "match", 4.0),
    Case("heuristic, single deals", "bridgette", ("heuristic",), "deal", None),
    Case("heuristic", "draw_and_discard_bridge_published", ("heuristic",), "deal", 3.0, is_aim=True),
    Case("random", "draw_and_discard_bridge", ("random",), "deal", 2.1),
    Case("heuristic", "draw_bridge_published", ("heuristic",), "deal", 4.5, is_aim=True),
    Case("random", "draw_bridge", ("random",), "deal", 3.15),
    Case("heuristic", "call_bridge", ("heuristic",), "deal", 5.0, is_aim=True),
    Case("random", "call_bridge", ("random",), "deal", 3.5),
    Case("heuristic", "pit", ("heuristic",), "deal", 4.0, is_aim=True),
    Case("random", "pit", ("random",), "deal", 2.8),
)
