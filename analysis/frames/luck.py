"""Luck and skill: how much of what happens on a deal is due to the cards, and how much to who plays them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from analysis.estimates import CONFIDENCE, Estimate
from analysis.frames.basics import estimate_frame
from simcore.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from simcore.config import Variant

METHOD = "mirrored deals, percentile bootstrap over deals"
_TWO = 2
_RESAMPLES = 999
_BLOCK = 5_000
_AT_ONCE = 20
_TENTHS = 10
Numbers = npt.NDArray[np.float64]


def luck_and_skill(
    variant: str | Path | Variant, bots: tuple[str, str] | list[str], deals: int = 20_000, seed: int = 1
) -> pd.DataFrame:
    """Shares of the variance of a deal's result that are due to the deal, to the difference of two bots, and to the rest.

    Every deal is played twice, the bots' seats changed. The result of a deal is what one seat scores more than the other.
    Its variance over deals and over who sits where is the sum of three: what both plays of a deal have in common (their
    covariance: the cards, the dealer's place), the square of the mean advantage of the better bot, and the rest (what the
    one makes of these cards and the other does not, and chance in play).

    Parameters
    ----------
    variant : str, Path or Variant
        A game of two.
    bots : pair of str
        Two different bots.
    deals : int
        Mirrored deals.
    seed : int

    Returns
    -------
    pandas.DataFrame
        what (deal, skill, rest), variance (in points squared), estimate (the share) .. method.
    """
    from analysis.ladder import seatings
    from simcore.config import load_bot, load_variant

    rules = load_variant(variant) if isinstance(variant, str | Path) else variant
    if rules.players != _TWO:
        raise InputError(f"luck_and_skill: for games of two; {rules.name} has {rules.players} players")
    players = [load_bot(name) for name in bots]
    if len(players) != _TWO or players[0].name == players[1].name:
        raise InputError("luck_and_skill: give two different bots")
    if deals < _TWO:
        raise InputError("luck_and_skill: give 2 deals or more")
    first, second = (_differences(rules, seats, seed, deals) for seats in seatings(_TWO, *players))
    from scipy.stats import bootstrap

    found = bootstrap(
        (first, second),
        _parts,
        paired=True,
        vectorized=True,
        n_resamples=_RESAMPLES,
        batch=_AT_ONCE,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    shares = _parts(first, second)
    low, high = found.confidence_interval.low, found.confidence_interval.high
    total = _variances(first, second).sum(axis=0)
    rows = [
        ((what, float(shares[i] * total)), Estimate(deals, float(shares[i]), float(low[i]), float(high[i]), METHOD))
        for i, what in enumerate(("deal", "skill", "rest"))
    ]
    return estimate_frame(["what", "variance"], rows)


def _differences(variant: Variant, seats: Any, seed: int, deals: int) -> Numbers:
    """Points of seat 0 less those of seat 1, by deal."""
    from simcore import batch

    setup = batch.prepare(variant, seats, seed, "deal")
    found = np.zeros(deals)
    for first in range(0, deals, _BLOCK):
        chunk = batch.play_chunk(setup, first, min(_BLOCK, deals - first)).deals
        difference = chunk["points_0"].astype(np.float64) - chunk["points_1"]
        np.add.at(found, chunk["match"], difference / _TENTHS)  # a unit may hold deals that were dealt again
    return found


def _variances(first: Numbers, second: Numbers, axis: int = -1) -> Numbers:
    """Variances of deal, skill and rest; the first bot sits in seat 0 and then in seat 1."""
    means = first.mean(axis=axis, keepdims=True), second.mean(axis=axis, keepdims=True)
    common = ((first - means[0]) * (second - means[1])).mean(axis=axis)
    single = (first.var(axis=axis) + second.var(axis=axis)) / 2
    skill = ((means[0] - means[1]).squeeze(axis) / 2) ** 2
    return np.stack([common, skill, single - common])


def _parts(first: Numbers, second: Numbers, axis: int = -1) -> Numbers:
    parts = _variances(first, second, axis)
    total = parts.sum(axis=0)
    shares: Numbers = np.divide(parts, total, out=np.full_like(parts, np.nan), where=total > 0)
    return shares
