"""Fits the model that bots bid by in games of steps (Pit): tricks as declarer, and what the others do after a call.

Matches are played; before each round each seat in its turn makes every call there is, the others bid and all play as their
bots do (`simcore.step_tables`). First the others bid by the policy `points`, then, as what they do counts, by the model so
far. The calibration is on fresh matches with the same bidders. The method: docs/bidding.md.
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
from analysis.distributions import smoothed, whole_parts
from analysis.fitting import Fitting, provenance_of, solved
from simcore import batch
from simcore.bots.steps.expected import (
    BUCKETS,
    CASE_WORDS,
    COMPANY,
    LEVELS,
    MOST_TRICKS,
    N_CELLS,
    N_OUTCOMES,
    N_STEP_FEATURES,
    QUOTA_CLASSES,
    STATUSES,
)
from simcore.codes import GRID_STEP, HUNDREDTHS, MAX_QUOTAS, MAX_SEATS, PROB_UNIT, TRICK_UNIT
from simcore.config import load_bot
from simcore.phases.play.worth import STRENGTHS
from simcore.raw_columns import new_deal_columns
from simcore.step_model import N_ROWS, StepModel, rules_of_steps
from simcore.step_tables import StepCases, StepScratch, collect_steps
from simcore.table import new_record, new_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
DEALS = 200_000
ROUNDS = 1
"""The others bid by `points`. More rounds, in which they bid by the model so far, gain less against them (docs/bidding.md)."""
ROUNDS_OF_A_MATCH = 10
"""Of so many deals that are asked for, one match is played."""
LONG, FALL, LEAST = 7, 150, 50
"""From so many cards on each further one takes so much of the strength, down to so much. Not a fit, in which cards beyond three
make no difference, but a choice: without it failing costs nothing, and matches of such bots among themselves do not end."""
_CALLS = 4
"""Most calls of a seat that are tried: a pass and three bids."""
_WIDTH = 0.06
"""Standard deviation of the kernel over the means, in tricks."""
_LIKE = 40.0
"""Cases that a wider class of cells counts in a narrower one."""
_BLOCK, _ROWS = 20, 50_000
"""Matches of a thread, and rows in floating point, at a time."""


def parts_of(fitting: Fitting) -> dict[str, tuple[int, int]]:
    """First match and number of matches of each part; disjoint.

    Parameters
    ----------
    fitting : Fitting

    Returns
    -------
    dict
    """
    n = max(fitting.deals // ROUNDS_OF_A_MATCH, 1)
    return {"fit": (0, n), "calibration": (n, max(n // 2, 500))}


def _room(rows: int) -> StepCases:
    shape = (rows, _CALLS)
    return StepCases(
        features=np.zeros((rows, N_STEP_FEATURES), np.int16),
        match=np.zeros(rows, np.int64),
        quota=np.zeros(rows, np.int8),
        call=np.full(shape, -1, np.int8),
        level=np.zeros(shape, np.int8),
        tricks=np.full(shape, -1, np.int8),
        margin=np.zeros(shape, np.int32),
        cells=np.full((*shape, MAX_SEATS), -1, np.int16),
        outcomes=np.full((*shape, MAX_SEATS), -1, np.int8),
    )


def collect(fitting: Fitting, part: str, model: StepModel | None) -> StepCases:
    """What seats saw, and what came of every call.

    Parameters
    ----------
    fitting : Fitting
    part : str
    model : StepModel or None
        What the others bid by; None: by the policy `points`.

    Returns
    -------
    StepCases
    """
    bot = fitting.bot
    if model is not None:
        bot = bot.model_copy(update={"bidding": load_bot("expected").bidding})
    setup = batch.prepare(fitting.variant, [bot], fitting.seed, "match", model=model)
    players = fitting.variant.players
    first, n_matches = parts_of(fitting)[part]

    def fill(start: int) -> StepCases:
        n = min(_BLOCK, n_matches - start)
        room = _room(n * players * batch.longest_match(setup.rules))
        scratch = StepScratch(
            *(np.zeros(MAX_SEATS, np.uint64), np.zeros(MAX_SEATS, np.uint64), np.zeros(MAX_SEATS, np.int64)),
            np.zeros((1, MAX_SEATS), np.uint64), np.zeros(N_STEP_FEATURES), np.zeros(CASE_WORDS, np.int64),
        )  # fmt: skip
        rows = collect_steps(
            setup.rules, setup.bot_table, np.uint64(fitting.seed), np.uint64(first + start), n, setup.given, new_table(),
            new_record(1), new_deal_columns(players, 1), scratch, room,
        )  # fmt: skip
        return StepCases(*(column[:rows].copy() for column in room))

    starts = list(range(0, n_matches, _BLOCK))
    blocks = [fill(starts[0])]  # alone, so that kernels compile once
    with ThreadPoolExecutor(fitting.workers or os.cpu_count() or 1) as pool:
        blocks += pool.map(fill, starts[1:])
    return StepCases(*(np.concatenate(columns) for columns in zip(*blocks, strict=True)))


def strengths() -> Ints:
    """How strong a player stands by his cards to get rid of: as for roll-outs, and falling where hands grow long.

    Returns
    -------
    ndarray of int64, one number a quota
    """
    found = STRENGTHS[: MAX_QUOTAS + 2].astype(np.int64)
    more = np.maximum(np.arange(len(found)) - LONG, 0)
    return np.where(more > 0, np.maximum(STRENGTHS[LONG] - FALL * more, LEAST), found)


# --- the fit ----------------------------------------------------------------------------------------------------------


def _classes(cases: StepCases) -> Ints:
    return np.minimum(cases.quota.astype(np.int64), QUOTA_CLASSES) - 1


def _declared(cases: StepCases) -> tuple[Ints, Ints]:
    """Row and tricks of every case in which the seat declared."""
    rows, calls = np.nonzero(cases.tricks >= 0)
    return rows, np.minimum(cases.tricks[rows, calls].astype(np.int64), MOST_TRICKS)


def _weights(cases: StepCases) -> Ints:
    """Least squares, a row a class of quotas."""
    classes = _classes(cases)
    rows, tricks = _declared(cases)
    found = np.zeros((QUOTA_CLASSES, N_STEP_FEATURES))
    for number in range(QUOTA_CLASSES):
        mine = np.flatnonzero(classes[rows] == number)
        if not len(mine):
            continue
        squares: Any = 0.0
        products: Any = 0.0
        for first in range(0, len(mine), _ROWS):
            some = mine[first : first + _ROWS]
            block = cases.features[rows[some]].astype(np.float64)
            squares = squares + block.T @ block
            products = products + block.T @ tricks[some].astype(np.float64)
        found[number] = solved(squares, products)
    weights: Ints = np.rint(found * TRICK_UNIT).astype(np.int64)
    return weights


def means_of(cases: StepCases, weights: Ints) -> Ints:
    """Predicted tricks, rounded as the kernels do.

    Parameters
    ----------
    cases : StepCases
    weights : ndarray
        (quota class, feature)

    Returns
    -------
    ndarray of int64
        Hundredths of a trick, a row a seat.
    """
    unit, classes = TRICK_UNIT // HUNDREDTHS, _classes(cases)
    total = np.zeros(len(classes), np.int64)
    for first in range(0, len(classes), _ROWS):
        some = slice(first, first + _ROWS)
        products = cases.features[some].astype(np.int64) * weights[classes[some]]
        total[some] = products.sum(axis=1)
    most = HUNDREDTHS * np.minimum(cases.quota.astype(np.int64), MOST_TRICKS)
    return np.clip((total + unit // 2) // unit, 0, most)


def _distributions(cases: StepCases, means: Ints) -> Ints:
    found = np.zeros((QUOTA_CLASSES, N_ROWS, MOST_TRICKS + 1), np.int64)
    rows, tricks = _declared(cases)
    classes = _classes(cases)[rows]
    n_results = MOST_TRICKS + 1
    for number in range(QUOTA_CLASSES):
        mine = classes == number
        n_tricks = number + 1 if number + 1 < QUOTA_CLASSES else MOST_TRICKS
        n_means = HUNDREDTHS * n_tricks + 1
        at = means[rows[mine]] * n_results + tricks[mine]
        counts = np.bincount(at, minlength=n_means * n_results).reshape(n_means, n_results).astype(np.float64)
        if mine.any():
            made = smoothed(counts, _WIDTH)
            found[number, : len(made)] = made
        else:  # no such hand was ever met
            found[number, :, 0] = PROB_UNIT
    return found


def _buckets(means: Ints) -> Ints:
    return np.minimum(means // HUNDREDTHS, BUCKETS - 1)


def _others(cases: StepCases, means: Ints) -> Ints:
    """Outcomes of other players by cell and bucket; few cases lean on those of all buckets, and these on any company."""
    tried = (cases.call[:, :, None] >= 0) & (cases.cells >= 0)
    rows = np.nonzero(tried)[0]
    cells, outcomes = cases.cells[tried].astype(np.int64), cases.outcomes[tried].astype(np.int64)
    n_results = N_OUTCOMES + 1  # last: does not declare
    at = (cells * BUCKETS + _buckets(means)[rows]) * n_results + np.where(outcomes < 0, N_OUTCOMES, outcomes)
    counts = np.bincount(at, minlength=N_CELLS * BUCKETS * n_results)
    counts = counts.reshape(LEVELS * STATUSES * QUOTA_CLASSES, COMPANY, BUCKETS, n_results).astype(np.float64)
    shares = np.zeros(n_results)
    shares[N_OUTCOMES] = 1.0
    wide = counts.sum(axis=(1, 2), keepdims=True) + _LIKE / 4 * shares
    narrow = counts.sum(axis=2, keepdims=True) + _LIKE * wide / wide.sum(axis=-1, keepdims=True)
    found = counts + _LIKE * narrow / narrow.sum(axis=-1, keepdims=True)
    found = found.reshape(N_CELLS * BUCKETS, n_results)
    parts = whole_parts(found / found.sum(axis=1, keepdims=True))
    return parts[:, :N_OUTCOMES].reshape(N_CELLS, BUCKETS, N_OUTCOMES)


def _rest(cases: StepCases, means: Ints) -> Ints:
    """Mean margin of points where others declare, or nobody, by level, quota class and bucket."""
    rows, calls = np.nonzero((cases.call >= 0) & (cases.tricks < 0))
    shape = (LEVELS, QUOTA_CLASSES, BUCKETS)
    at = np.ravel_multi_index((cases.level[rows, calls], _classes(cases)[rows], _buckets(means)[rows]), shape)
    sums = np.bincount(at, cases.margin[rows, calls], minlength=int(np.prod(shape)))
    counts = np.bincount(at, minlength=int(np.prod(shape)))
    return np.rint(sums / np.maximum(counts, 1)).astype(np.int64).reshape(shape)


def fit_step_model(fitting: Fitting, progress: Callable[[str], None] = lambda text: None) -> StepModel:
    """Fit a model for a game of steps and calibrate it on fresh matches.

    Parameters
    ----------
    fitting : Fitting
        A match for every ten of its deals for the fit; half as many, at least 500, for the calibration.
    progress : callable
        Is told what goes on.

    Returns
    -------
    StepModel
        The same for the same `fitting` on the same machine.
    """
    model, bidder = None, None
    n_matches = parts_of(fitting)["fit"][1]
    for number in range(ROUNDS):
        others = "points" if model is None else "the model so far"
        progress(f"round {number + 1} of {ROUNDS}: {n_matches:,} matches, every call of every seat, the others by {others}")
        bidder = model
        cases = collect(fitting, "fit", bidder)
        weights = _weights(cases)
        means = means_of(cases, weights)
        model = StepModel(
            rules=rules_of_steps(fitting.variant),
            weights=weights,
            tricks=_distributions(cases, means),
            others=_others(cases, means),
            rest=_rest(cases, means),
            strengths=strengths(),
            provenance=provenance_of(fitting, parts_of(fitting)) | {"deals_are": "matches"},
        )
    assert model is not None
    progress("calibrates on fresh matches")
    return replace(model, calibration=calibrate_steps(model, collect(fitting, "calibration", bidder), cases))


def calibrate_steps(model: StepModel, fresh: StepCases, base: StepCases) -> dict[str, Any]:
    """Reliability, log loss and explained variance of a model on matches that it was not fitted to.

    Every seat that declares after a call tried: its own view predicts the chance to take each number of tricks up to its
    cards, which is whether a bid of so many is made.

    Parameters
    ----------
    model : StepModel
    fresh : StepCases
        Of fresh matches.
    base : StepCases
        Of the matches of the fit, for the base rate of each number of tricks and cards.

    Returns
    -------
    dict
        As `analysis.calibration.calibrate`; ``sets`` by number of cards.
    """
    means, classes = means_of(fresh, model.weights), _classes(fresh)
    rows, tricks = _declared(fresh)
    clusters = np.unique(fresh.match[rows], return_inverse=True)[1]
    n_clusters = int(clusters.max()) + 1
    chances = model.tricks[classes[rows], (means[rows] + GRID_STEP // 2) // GRID_STEP]
    beyond = chances[:, ::-1].cumsum(axis=1)[:, ::-1] / PROB_UNIT
    base_rows, base_tricks = _declared(base)
    base_classes = _classes(base)[base_rows]
    sums, losses, by_match = np.zeros((N_BINS, 3)), np.zeros(3), np.zeros((N_BINS, 2, n_clusters))
    sets: dict[str, Any] = {}
    for number in range(QUOTA_CLASSES):
        mine = classes[rows] == number
        rates = base_tricks[base_classes == number]
        if not mine.any() or not len(rates):
            continue
        for bid in range(1, min(number + 1, QUOTA_CLASSES - 1) + 1):
            chance, made = beyond[mine, bid], tricks[mine] >= bid
            _add_bins(chance, made, clusters[mine], sums, by_match)
            rate = np.full(len(made), float((rates >= bid).mean()))
            losses += (len(made), log_loss(chance, made), log_loss(rate, made))
        taken, predicted = tricks[mine].astype(np.float64), means[rows[mine]] / HUNDREDTHS
        rest = taken - predicted
        more = " or more" if number + 1 == QUOTA_CLASSES else ""
        sets[f"{number + 1}{more} cards"] = {
            "n": int(mine.sum()),
            "r2": round(1 - float(rest.var() / max(taken.var(), 1e-12)), DIGITS),
            "sd": round(float(rest.std()), DIGITS),
            "bias": round(float(rest.mean()), DIGITS),
        }
    squares = [
        float(((by_match[i, 1] - by_match[i, 0] * (sums[i, 2] / max(sums[i, 0], 1))) ** 2).sum()) for i in range(N_BINS)
    ]
    return {
        "n_deals": n_clusters,
        "method": "fresh matches: every number of tricks of every seat that declares after a call tried; intervals clustered"
        " by match",
        "reliability": [bin_row(i, sums[i], squares[i]) for i in range(N_BINS)],
        "log_loss": {"n": int(losses[0]), "model": round(losses[1] / losses[0], DIGITS),
                     "base_rate": round(losses[2] / losses[0], DIGITS)},
        "sets": sets,
    }  # fmt: skip


def _add_bins(chance: Floats, made: npt.NDArray[np.bool_], clusters: Ints, sums: Floats, by_match: Floats) -> None:
    """Add cases to the bins of predicted chances. sums and by_match are modified"""
    n_clusters = by_match.shape[2]
    into = np.minimum((chance * N_BINS).astype(np.int64), N_BINS - 1)
    for which, values in enumerate((None, chance, made)):
        sums[:, which] += np.bincount(into, values, N_BINS)
    for which, weights in enumerate((None, made)):
        cells = np.bincount(into * n_clusters + clusters, weights, N_BINS * n_clusters)
        by_match[:, which] += cells.reshape(N_BINS, n_clusters)
