"""The equilibrated bidder: margins that are nearly best responses to themselves, and how nearly.

In each round the best response to the mean of the last margins is sought over common deals, each bid twice, with the responder
in either seat, so that cards and dealer cancel; a part of a step is taken towards it, and beliefs follow. With whole or half
steps populations run in circles. What a fresh best response gains on other deals is the exploitability that is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.estimates import t_quantile
from analysis.tuning.bidders import Bidder, Margins, seated
from simcore import auctions
from simcore.batch import Setup
from simcore.codes import TENTHS
from simcore.trick_model import TrickModel
from simcore.trick_tables import Deals

Floats = npt.NDArray[np.float64]
AVERAGED = 3
"""Last margins whose mean the others respond to."""
_DAMPING = 0.3
_SPREAD = (0.10, 0.10, 0.10, 0.03, 0.10, 0.10, 0.25)
"""First steps of a search, by margin, as the table's size has it."""
_MOST = (0.6, 0.6, 0.6, 0.2, 1.5, 1.5, 1.0)
_LEAST = (-0.6, -0.6, -0.6, -0.2, -0.5, -0.5, 0.0)
TRIES = 70
"""Evaluations of a search for a best response."""


@dataclass(frozen=True)
class Equilibrium:
    """Margins of a population, and what could still be gained against it.

    Attributes
    ----------
    margins : Margins
    gains : list of float
        What the best response of each round gained, points a deal, on the deals where it was found.
    exploitability : float
        What the last one gains on other deals.
    half : float
        Half the width of its 95 % interval, deals as independent cases.
    points : float
        Mean size of a deal, the scale of the gains.
    """

    margins: Margins
    gains: list[float]
    exploitability: float
    half: float
    points: float

    def as_json(self) -> dict[str, Any]:
        """Form in files."""
        return {"margins": self.margins._asdict(), "gains": self.gains, "exploitability": self.exploitability,
                "half": self.half, "points": self.points}  # fmt: skip

    @classmethod
    def from_json(cls, entry: dict[str, Any]) -> Equilibrium:
        """The same read back."""
        return cls(Margins(**entry["margins"]), entry["gains"], entry["exploitability"], entry["half"], entry["points"])


def paired_gains(setup: Setup, deals: Deals, one: Bidder, other: Bidder, workers: int | None = None) -> Floats:
    """What one bidder gains against another by deal, each deal bid twice with the seats changed.

    Parameters
    ----------
    setup : Setup
    deals : Deals
    one, other : Bidder
    workers : int or None

    Returns
    -------
    ndarray
        Points a deal, by deal.
    """
    total = np.zeros(len(deals.keys))
    for seat, pair in enumerate(((one, other), (other, one))):
        outcomes = auctions.hold(seated(setup, pair), deals, workers)
        points = outcomes.tenths / TENTHS
        total += np.where(outcomes.declarer == seat, points, -points)
    return total / 2


def equilibrate(
    setup: Setup,
    bidder: Bidder,
    deals: tuple[Deals, Deals],
    refit: Callable[[Bidder], TrickModel],
    rounds: int,
    workers: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> tuple[Equilibrium, TrickModel]:
    """Damped, averaged best responses of margins.

    Parameters
    ----------
    setup : Setup
        Under the table in force.
    bidder : Bidder
        Where it begins.
    deals : tuple of Deals
        To respond over, and others to judge responses by.
    refit : callable
        The model of a bidder after one round of beliefs.
    rounds : int
    workers : int or None
    tell : callable

    Returns
    -------
    tuple of Equilibrium and TrickModel
    """
    last = [np.array(bidder.margins)]
    gains, best = [], last[0]
    for number in range(rounds):
        at = np.mean(last[-AVERAGED:], axis=0)
        population = replace(bidder, margins=Margins(*at.tolist()))
        best, gain = _best_response(setup, population, best, deals[0], workers)
        tell(f"equilibrated bidder, round {number + 1} of {rounds}: a best response gains {gain:.1f} points a deal")
        gains.append(gain)
        if number < rounds - 1:  # the last round only attacks
            last.append(np.round(at + _DAMPING * (best - at), 6))
            at = np.mean(last[-AVERAGED:], axis=0)
            bidder = replace(population, margins=Margins(*at.tolist()))
            bidder = replace(bidder, model=refit(bidder))
    fresh = paired_gains(setup, deals[1], replace(population, margins=Margins(*best.tolist())), population, workers)
    outcomes = auctions.hold(seated(setup, [population]), deals[1], workers)
    half = t_quantile(len(fresh) - 1) * float(fresh.std(ddof=1)) / np.sqrt(len(fresh))
    size = float(np.abs(outcomes.tenths).mean() / TENTHS)
    return Equilibrium(population.margins, gains, float(fresh.mean()), float(half), size), population.model


def _best_response(
    setup: Setup, population: Bidder, other: Floats, deals: Deals, workers: int | None
) -> tuple[Floats, float]:
    """The margins that gain most against a population, and their gain.

    Found by a simplex search from its own margins, or from other ones where these gain already.
    """
    from scipy.optimize import minimize

    scale, own = np.array(_SPREAD), np.array(population.margins)
    low, high = np.array(_LEAST), np.array(_MOST)

    def lost(margins: Floats) -> float:
        mine = replace(population, margins=Margins(*margins.tolist()))
        return -float(paired_gains(setup, deals, mine, population, workers).mean())

    start = other if lost(other) < 0 else own

    def loss(steps: Floats) -> float:
        return lost(np.clip(start + steps * scale, low, high))

    corners = np.concatenate([np.zeros((1, len(start))), np.eye(len(start))])
    corners[1:][start + scale > high] *= -1
    options = {"initial_simplex": corners, "maxfev": TRIES, "xatol": 0.01, "fatol": 0.01, "adaptive": True}
    found = minimize(loss, np.zeros(len(start)), method="Nelder-Mead", options=options)
    best = np.round(np.clip(start + found.x * scale, low, high), 6)
    return (best, -float(found.fun)) if found.fun < 0 else (own, 0.0)
