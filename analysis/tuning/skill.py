"""Skill and luck under a table: what a better bidder gains from a worse one, and how much of a deal's points is the deal's."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.estimates import t_quantile
from analysis.tuning.bidders import Bidder, seated
from simcore import auctions
from simcore.batch import Setup
from simcore.codes import TENTHS
from simcore.trick_tables import Deals


def skill_and_luck(setup: Setup, deals: Deals, better: Bidder, worse: Bidder, workers: int | None = None) -> dict[str, Any]:
    """Each deal bid twice by two bidders with the seats changed.

    Parameters
    ----------
    setup : Setup
        Under the table in force.
    deals : Deals
    better, worse : Bidder
    workers : int or None

    Returns
    -------
    dict
        gain: points a deal, with its interval, deals as independent cases; sd of a deal; skill: the gain in sd; luck: the part
        of the variance that both plays of a deal have in common; n.
    """
    nets = []  # what seat 0 scores more than seat 1
    for pair in ((better, worse), (worse, better)):
        outcomes = auctions.hold(seated(setup, pair), deals, workers)
        nets.append(np.where(outcomes.declarer == 0, 1, -1) * outcomes.tenths / TENTHS)
    gains = (nets[0] - nets[1]) / 2
    n, gain = len(gains), float(gains.mean())
    half = t_quantile(n - 1) * float(gains.std(ddof=1)) / np.sqrt(n)
    variance = float(np.mean([net.var() for net in nets]))
    common = float(np.cov(nets[0], nets[1], ddof=0)[0, 1])
    sd = float(np.sqrt(variance))
    return {
        "better": better.name, "worse": worse.name, "n": n, "sd": sd,
        "gain": {"value": gain, "low": gain - half, "high": gain + half},
        "skill": gain / sd if sd else None, "luck": common / variance if variance else None,
    }  # fmt: skip
