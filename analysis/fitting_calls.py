"""Fits the model of tricks that bots call by in games of calls: weights of a view's features and distributions, for every call.

Each seat in its turn makes every call there is, the others call and all play as their bots do (`simcore.call_tables`). First
the others call by the policy `points`, then, as what was called before counts, by the model so far. The calibration is on
fresh deals, the others calling by the model itself. The method: docs/bidding.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.calibration import DIGITS, N_BINS, bin_row, log_loss
from analysis.distributions import smoothed
from analysis.fitting import Fitting, provenance_of, solved
from simcore import batch
from simcore.bot_table import rollouts_of
from simcore.bots.calls.expected import N_CALL_FEATURES
from simcore.call_model import CallModel, calls_of, rules_of_calls
from simcore.call_tables import CallScratch, Cases, collect_calls
from simcore.codes import GRID_STEP, HUNDREDTHS, MAX_SEATS, PROB_UNIT, TRICK_UNIT
from simcore.config import load_bot
from simcore.table import new_record, new_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
DEALS = 100_000
ROUNDS = 3
_WIDTH = 0.04
"""Standard deviation of the kernel over the means, in tricks: narrow, since near no tricks at all chances change quickly."""
_BLOCK, _ROWS = 1000, 50_000
"""Deals of a thread, and rows in floating point, at a time."""


def parts_of(fitting: Fitting) -> dict[str, tuple[int, int]]:
    """First deal and number of deals of each part; disjoint.

    Parameters
    ----------
    fitting : Fitting

    Returns
    -------
    dict
    """
    return {"fit": (0, fitting.deals), "calibration": (fitting.deals, max(fitting.deals // 2, 5_000))}


def collect(fitting: Fitting, part: str, model: CallModel | None) -> Cases:
    """What seats saw, and took with every call.

    Parameters
    ----------
    fitting : Fitting
    part : str
    model : CallModel or None
        What the others call by; None: by the policy `points`.

    Returns
    -------
    Cases
    """
    bot = fitting.bot
    if model is not None:
        bot = bot.model_copy(update={"bidding": load_bot("expected").bidding})
    setup = batch.prepare(fitting.variant, [bot], fitting.seed, "deal", model=model)
    players, n_calls = fitting.variant.players, len(calls_of(fitting.variant))
    first, n_deals = parts_of(fitting)[part]
    cases = Cases(
        features=np.zeros((n_deals * players, N_CALL_FEATURES), np.int16),
        tricks=np.zeros((n_deals * players, n_calls), np.int8),
    )

    def fill(start: int) -> None:
        rows = slice(players * start, players * min(start + _BLOCK, n_deals))
        scratch = CallScratch(np.zeros(MAX_SEATS, np.uint64), np.zeros(MAX_SEATS, np.int64), np.zeros(N_CALL_FEATURES))
        table = new_table(rollouts=rollouts_of(setup))
        collect_calls(
            setup.rules, setup.bot_table, np.uint64(fitting.seed), np.uint64(first + start), setup.given, table, new_record(1),
            scratch, Cases(cases.features[rows], cases.tricks[rows]),
        )  # fmt: skip

    starts = list(range(0, n_deals, _BLOCK))
    fill(starts[0])  # alone, so that kernels compile once
    with ThreadPoolExecutor(fitting.workers or os.cpu_count() or 1) as pool:
        for done in [pool.submit(fill, start) for start in starts[1:]]:
            done.result()
    return cases


def _weights(cases: Cases) -> Ints:
    """Least squares, a row a call; calls with the same tricks in every case have the same weights."""
    squares: Any = 0.0
    products: Any = 0.0
    for first in range(0, len(cases.features), _ROWS):
        rows = cases.features[first : first + _ROWS].astype(np.float64)
        squares = squares + rows.T @ rows
        products = products + rows.T @ cases.tricks[first : first + _ROWS].astype(np.float64)
    found: Ints = np.rint(np.array([solved(squares, column) for column in products.T]) * TRICK_UNIT).astype(np.int64)
    for call in range(len(found)):
        same = next(c for c in range(call + 1) if np.array_equal(cases.tricks[:, c], cases.tricks[:, call]))
        found[call] = found[same]
    return found


def means_of(cases: Cases, weights: Ints, n_tricks: int) -> npt.NDArray[np.int16]:
    """Predicted tricks, rounded as the kernels do.

    Parameters
    ----------
    cases : Cases
    weights : ndarray
        (call, feature)
    n_tricks : int
        Tricks of a deal.

    Returns
    -------
    ndarray of int16, shape (call, row)
        Hundredths of a trick.
    """
    unit = TRICK_UNIT // HUNDREDTHS
    found = np.zeros((len(weights), len(cases.features)), np.int16)
    for first in range(0, len(cases.features), _ROWS):
        rows = cases.features[first : first + _ROWS].astype(np.float64)
        total = np.rint(weights.astype(np.float64) @ rows.T).astype(np.int64)
        found[:, first : first + _ROWS] = np.clip((total + unit // 2) // unit, 0, HUNDREDTHS * n_tricks)
    return found


def _distributions(cases: Cases, means: npt.NDArray[np.int16], n_tricks: int) -> Ints:
    found: list[Ints] = []
    n_means, n_results = HUNDREDTHS * n_tricks + 1, n_tricks + 1
    for call, mean in enumerate(means):
        same = next(c for c in range(call + 1) if np.array_equal(cases.tricks[:, c], cases.tricks[:, call]))
        if same < call:
            found.append(found[same])
            continue
        at = mean.astype(np.int64) * n_results + cases.tricks[:, call]
        counts = np.bincount(at, minlength=n_means * n_results).reshape(n_means, n_results)
        found.append(smoothed(counts.astype(np.float64), _WIDTH))
    return np.array(found)


def fit_call_model(fitting: Fitting, progress: Callable[[str], None] = lambda text: None) -> CallModel:
    """Fit a model of tricks for a game of calls and calibrate it on fresh deals.

    Parameters
    ----------
    fitting : Fitting
        Its deals are of the fit; half as many, at least 5 000, of the calibration.
    progress : callable
        Is told what goes on.

    Returns
    -------
    CallModel
        The same for the same `fitting` on the same machine.
    """
    variant, model = fitting.variant, None
    n_tricks = int(variant.final_cards)
    for number in range(ROUNDS):
        others = "points" if model is None else "the model so far"
        progress(f"round {number + 1} of {ROUNDS}: {fitting.deals:,} deals, every call of every seat, the others by {others}")
        cases = collect(fitting, "fit", model)
        weights = _weights(cases)
        model = CallModel(
            rules=rules_of_calls(variant),
            lowest=calls_of(variant).start,
            weights=weights,
            tricks=_distributions(cases, means_of(cases, weights, n_tricks), n_tricks),
            provenance=provenance_of(fitting, parts_of(fitting)),
        )
    assert model is not None
    base = cases.tricks
    progress("calibrates on fresh deals")
    fresh = collect(fitting, "calibration", model)
    return replace(model, calibration=calibrate_calls(fitting, model, fresh, base))


def calibrate_calls(fitting: Fitting, model: CallModel, fresh: Cases, base: npt.NDArray[np.int8]) -> dict[str, Any]:
    """Reliability, log loss and explained variance of a model on deals that it was not fitted to.

    Every seat makes every call there is in its turn, and its own view predicts the chance that the call is made.

    Parameters
    ----------
    fitting : Fitting
    model : CallModel
    fresh : Cases
        Of fresh deals.
    base : ndarray
        Tricks of the deals of the fit, for the base rate of each call.

    Returns
    -------
    dict
        As `analysis.calibration.calibrate`; ``sets`` by call.
    """
    variant, players = fitting.variant, fitting.variant.players
    score: Any = batch.prepare(variant, [fitting.bot], fitting.seed, "deal").rules.call_score
    n_rows = len(fresh.features)
    n_deals = n_rows // players
    deal = np.arange(n_rows) // players
    sums, losses = np.zeros((N_BINS, 3)), np.zeros(3)
    by_deal = np.zeros((N_BINS, 2, n_deals))
    means = means_of(fresh, model.weights, int(variant.final_cards))
    sets: dict[str, Any] = {}
    for place, call in enumerate(calls_of(variant)):
        makes = score.made[call] == 1
        rows = model.tricks[place][(means[place] + GRID_STEP // 2) // GRID_STEP]
        chance, made = rows[:, makes].sum(axis=1) / PROB_UNIT, makes[fresh.tricks[:, place]]
        into = np.minimum((chance * N_BINS).astype(np.int64), N_BINS - 1)
        for which, values in enumerate((None, chance, made)):
            sums[:, which] += np.bincount(into, values, N_BINS)
        for which, weights in enumerate((None, made)):
            cells = np.bincount(into * n_deals + deal, weights, N_BINS * n_deals)
            by_deal[:, which] += cells.reshape(N_BINS, n_deals)
        rate = float(makes[base[:, place]].mean())
        losses += (n_rows, log_loss(chance, made), log_loss(np.full(n_rows, rate), made))
        taken, predicted = fresh.tricks[:, place].astype(np.float64), means[place] / HUNDREDTHS
        rest = taken - predicted
        sets[f"call {call}"] = {
            "n": n_rows,
            "r2": round(1 - float(rest.var() / max(taken.var(), 1e-12)), DIGITS),
            "sd": round(float(rest.std()), DIGITS),
            "bias": round(float(rest.mean()), DIGITS),
        }
    squares = [
        float(((by_deal[i, 1] - by_deal[i, 0] * (sums[i, 2] / max(sums[i, 0], 1))) ** 2).sum()) for i in range(N_BINS)
    ]
    return {
        "n_deals": n_deals,
        "method": "every call of every seat on fresh deals; intervals clustered by deal",
        "reliability": [bin_row(i, sums[i], squares[i]) for i in range(N_BINS)],
        "log_loss": {"n": int(losses[0]), "model": round(losses[1] / losses[0], DIGITS),
                     "base_rate": round(losses[2] / losses[0], DIGITS)},
        "sets": sets,
    }  # fmt: skip
