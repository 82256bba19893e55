"""Calibration of a model of tricks on fresh deals: what was predicted against what happened, contract by contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.codes import BOOK, GRID_STEP, HUNDREDTHS, N_LEVELS, N_STRAINS, PROB_UNIT
from simcore.config import Variant
from simcore.phases.auction.bridge_tables import existing_bids
from simcore.trick_model import ROLES, SETS, TrickModel, set_of

Floats = npt.NDArray[np.float64]
N_BINS = 10
_LEAST = 1e-5
"""Probabilities are kept this far from 0 and 1 where logarithms are taken."""
DIGITS = 5


def calibrate(
    variant: Variant,
    model: TrickModel,
    means: npt.NDArray[np.int16],
    tricks: npt.NDArray[np.int8],
    base: npt.NDArray[np.int8],
) -> dict[str, Any]:
    """Reliability, log loss and explained variance of a model on deals that it was not fitted to.

    Every contract that may be bid is imposed on every deal, on either role, and the declarer's own view predicts the chance
    that it is made.

    Parameters
    ----------
    variant : Variant
    model : TrickModel
    means : ndarray
        Predicted means of the fresh deals, hundredths (role, who declares, strain, row).
    tricks : ndarray
        Their tricks (role of declarer, strain, row).
    base : ndarray
        Tricks of the deals of the fit, for the base rate of each contract.

    Returns
    -------
    dict
        ``reliability`` (rows), ``log_loss``, ``sets`` (R2 and sd by role and kind of strain), ``n_deals``.
    """
    n_deals = means.shape[-1]
    sums = np.zeros((N_BINS, 3))  # cases, predicted, made
    squares = np.zeros(N_BINS)
    losses = np.zeros(3)  # cases, model, base rate
    by_deal = np.zeros((N_BINS, 2, n_deals), np.float32)
    bids = existing_bids(variant)
    for role in range(len(ROLES)):
        for strain in range(N_STRAINS):
            rows = model.tricks[0, role, set_of(strain, 0)][(means[role, 0, strain] + GRID_STEP // 2) // GRID_STEP]
            beyond = rows[:, ::-1].cumsum(axis=1)[:, ::-1] / PROB_UNIT
            for level in range(N_LEVELS):
                if not bids >> (N_STRAINS * level + strain) & 1:
                    continue
                chance, made = beyond[:, BOOK + level], tricks[role, strain] >= BOOK + level
                _add_bins(sums, by_deal, chance, made)
                rate = float((base[role, strain] >= BOOK + level).mean())
                losses += (n_deals, log_loss(chance, made), log_loss(np.full(n_deals, rate), made))
    for place in range(N_BINS):
        rest = by_deal[place, 1] - by_deal[place, 0] * (sums[place, 2] / max(sums[place, 0], 1))
        squares[place] = float((rest.astype(np.float64) ** 2).sum())
    return {
        "n_deals": n_deals,
        "method": "contracts imposed on fresh deals; intervals clustered by deal",
        "reliability": [bin_row(place, sums[place], squares[place]) for place in range(N_BINS)],
        "log_loss": {"n": int(losses[0]), "model": round(losses[1] / losses[0], DIGITS),
                     "base_rate": round(losses[2] / losses[0], DIGITS)},
        "sets": _sets(means, tricks),
    }  # fmt: skip


def _add_bins(sums: Floats, by_deal: npt.NDArray[np.float32], chance: Floats, made: npt.NDArray[np.bool_]) -> None:
    """Add the cases of one contract, a case a deal; a chance on a border belongs to the bin above."""
    place = np.minimum((chance * N_BINS).astype(np.int64), N_BINS - 1)
    for which, values in enumerate((None, chance, made)):
        sums[:, which] += np.bincount(place, values, N_BINS)
    rows = np.arange(len(chance))
    by_deal[place, 0, rows] += 1
    by_deal[place, 1, rows] += made


def log_loss(chance: Floats, made: npt.NDArray[np.bool_]) -> float:
    """Sum of the log losses of predicted chances.

    Parameters
    ----------
    chance : ndarray
    made : ndarray

    Returns
    -------
    float
    """
    chance = np.clip(chance, _LEAST, 1 - _LEAST)
    return float(-np.where(made, np.log(chance), np.log1p(-chance)).sum())


def bin_row(place: int, sums: Floats, squares: float) -> dict[str, Any]:
    """A bin of the reliability table.

    Parameters
    ----------
    place : int
        Number of the bin.
    sums : ndarray
        Cases, sum of the predicted chances, cases made.
    squares : float
        Sum over deals of the squared deviations of cases made, for the interval.

    Returns
    -------
    dict
    """
    n, predicted, made = sums
    low, high = place / N_BINS, (place + 1) / N_BINS
    if not n:
        return {"from": low, "to": high, "n": 0, "predicted": None, "made": None, "low": None, "high": None}
    half = 1.959963984540054 * squares**0.5 / n
    rate = made / n
    return {
        "from": low,
        "to": high,
        "n": int(n),
        "predicted": round(predicted / n, DIGITS),
        "made": round(rate, DIGITS),
        "low": round(max(rate - half, 0.0), DIGITS),
        "high": round(min(rate + half, 1.0), DIGITS),
    }


def _sets(means: npt.NDArray[np.int16], tricks: npt.NDArray[np.int8]) -> dict[str, Any]:
    """Explained variance and residual standard deviation, by role and `TrickSet`."""
    from analysis.fitting import cases

    found: dict[str, Any] = {}
    for role, role_name in enumerate(ROLES):
        for kind, name in enumerate(SETS):
            predicted, taken = cases(means, tricks, role, kind)
            rest = taken - predicted / HUNDREDTHS
            found[f"{role_name}.{name}"] = {
                "n": len(taken),
                "r2": round(1 - float(rest.var() / max(taken.var(), 1e-12)), DIGITS),
                "sd": round(float(rest.std()), DIGITS),
                "bias": round(float(rest.mean()), DIGITS),
            }
    return found


def worst_gap(report: dict[str, Any], least_cases: int = 10_000) -> float:
    """Largest difference of predicted and realised make rate over bins with enough cases.

    Parameters
    ----------
    report : dict
        Of `calibrate`.
    least_cases : int

    Returns
    -------
    float
    """
    return float(max(abs(row["made"] - row["predicted"]) for row in report["reliability"] if row["n"] >= least_cases))

