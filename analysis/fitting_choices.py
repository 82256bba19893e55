"""Fits what hands in the making are worth in Draw and Discard, for keep-or-throw decisions by expected score.

The bots make their hands, bid by expected score and play; what each seat scores in the deal, less what the other does, is
regressed on the features of its hand after each of its turns. The first deals are kept as `keep_best` keeps; those of each
further round by the model of the rounds before, and each fit takes the deals of all rounds so far. All from simulated deals of
disjoint match numbers of one seed. The method: docs/bidding.md.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.fitting import Fitting, Floats, solved
from simcore import batch
from simcore.bots.choosing.expected import N_CHOICE_FEATURES, N_TURNS
from simcore.choice_deals import ChoiceHands, collect_choices, write_choice_rows
from simcore.choice_model import WORTH_UNIT, ChoiceModel, build_choosing, scoring_of
from simcore.codes import ExchangePolicy, KeepParam
from simcore.config import Bot, load_bot
from simcore.errors import InputError
from simcore.table import new_table
from simcore.trick_model import rules_for_model

DEALS = 400_000
"""Of each round."""
ROUNDS = 2
_BLOCK = 8192
"""Deals that one thread takes at a time."""
_PLAYERS = 2


def choosing_bot(play: str) -> Bot:
    """The bot that makes the deals: it keeps as `keep_best` does, until a model is put in its place, and bids by expectation.

    Parameters
    ----------
    play : str
        Name of the play policy.

    Returns
    -------
    Bot
    """
    return load_bot("expected", [f"play.policy={play}", f"name=expected_{play}"])


def fit_choice_model(fitting: Fitting, progress: Callable[[str], None] = lambda text: None) -> ChoiceModel:
    """Fit the worths of hands, and see how they do on fresh deals.

    Parameters
    ----------
    fitting : Fitting
        Its deals are those of each round.
    progress : callable
        Is told what goes on.

    Returns
    -------
    ChoiceModel
        The same for the same `fitting`.
    """
    variant = fitting.variant
    if variant.exchange.kind != "look_and_choose" or variant.auction.kind != "bridge":
        raise InputError(
            f"--choosing: {variant.name} has exchange.kind {variant.exchange.kind} and auction.kind {variant.auction.kind};"
            " allowed: look_and_choose and bridge"
        )
    model, parts = None, {}
    all_squares, all_products = np.zeros(()), np.zeros(())
    for number in range(ROUNDS + 1):
        is_fresh = number == ROUNDS
        part = "calibration" if is_fresh else f"round_{number + 1}"
        parts[part] = {"first": number * fitting.deals, "n": fitting.deals // (1 + is_fresh)}
        progress(f"plays {parts[part]['n']:,} deals: {part.replace('_', ' ')}")
        sums = _sums(fitting, model, parts[part]["first"], parts[part]["n"])
        if not is_fresh:
            all_squares, all_products = all_squares + sums[0], all_products + sums[1]
            weights = np.array([solved(squares, products) for squares, products in zip(all_squares, all_products, strict=True)])
            model = _model(fitting, np.rint(weights * WORTH_UNIT).astype(np.int64))
    assert model is not None
    return replace(model, provenance=_provenance(fitting, parts), calibration=_judged(model, sums))


def _model(fitting: Fitting, weights: np.ndarray) -> ChoiceModel:
    return ChoiceModel(rules_for_model(fitting.variant), scoring_of(fitting.variant), weights, {})


def _setup(fitting: Fitting, model: ChoiceModel | None) -> batch.Setup:
    """Bots that keep by a model, or as keep_best does."""
    setup = batch.prepare(fitting.variant, [fitting.bot], fitting.seed, "deal")
    if model is None:
        return setup
    params = setup.bot_table.exchange_params.copy()
    params[:, KeepParam.MODEL] = 0
    policies = np.full_like(setup.bot_table.exchange, ExchangePolicy.EXPECTED)
    bots = setup.bot_table._replace(exchange=policies, exchange_params=params, choosing=build_choosing([model]))
    return replace(setup, bot_table=bots)


def _sums(fitting: Fitting, model: ChoiceModel | None, first: int, n_deals: int) -> tuple[Floats, Floats, float]:
    """By turn, sums of products of features with each other and with the tenths scored; and of their squares.

    All are sums of whole numbers far below 2^53, so they are exact in any order.
    """
    setup = _setup(fitting, model)
    blocks = [(start, min(_BLOCK, first + n_deals - start)) for start in range(first, first + n_deals, _BLOCK)]
    squares, products = np.zeros((N_TURNS, N_CHOICE_FEATURES, N_CHOICE_FEATURES)), np.zeros((N_TURNS, N_CHOICE_FEATURES))
    total_squares = 0.0
    with ThreadPoolExecutor(fitting.workers or os.cpu_count() or 1) as pool:
        done = [_of_block(setup, *blocks[0])]  # alone, so that kernels compile once
        for part in [*done, *pool.map(lambda block: _of_block(setup, *block), blocks[1:])]:
            squares += part[0]
            products += part[1]
            total_squares += part[2]
    return squares, products, total_squares


def _of_block(setup: batch.Setup, first: int, n_deals: int) -> tuple[Floats, Floats, float]:
    """The sums of consecutive deals."""
    chunk = batch.play_chunk(setup, first, n_deals, with_record=True)
    assert chunk.record is not None
    shape = (N_TURNS, _PLAYERS, n_deals)
    hands = ChoiceHands(np.zeros(shape, np.uint64), np.zeros(shape, np.uint64))
    numbers = (np.uint64(setup.seed), np.uint64(first))
    collect_choices(setup.rules, *numbers, chunk.record.choices[:n_deals], setup.given, new_table(), hands)
    scored = chunk.deals["points_0"].astype(np.float64) - chunk.deals["points_1"].astype(np.float64)
    tenths = np.concatenate([scored, -scored])
    squares, products = np.zeros((N_TURNS, N_CHOICE_FEATURES, N_CHOICE_FEATURES)), np.zeros((N_TURNS, N_CHOICE_FEATURES))
    rows = np.zeros((_PLAYERS * n_deals, N_CHOICE_FEATURES))
    for turn in range(N_TURNS):
        write_choice_rows(hands.held[turn].ravel(), hands.unseen[turn].ravel(), rows)
        squares[turn] = rows.T @ rows
        products[turn] = rows.T @ tenths
    return squares, products, float(tenths @ tenths)


def _judged(model: ChoiceModel, sums: tuple[Floats, Floats, float]) -> dict[str, Any]:
    """Share of the variance of a deal's score that the worths explain, by turn, on fresh deals."""
    squares, products, total_squares = sums
    explained = []
    for turn in range(N_TURNS):
        weights = model.weights[turn].astype(np.float64) / WORTH_UNIT
        left = total_squares - 2.0 * weights @ products[turn] + weights @ squares[turn] @ weights
        explained.append(round(1.0 - float(left) / total_squares, 5))
    return {"method": "fresh deals kept by the model; own points less the opponent's, whose mean is 0", "r2": explained}


def _provenance(fitting: Fitting, parts: dict[str, dict[str, int]]) -> dict[str, Any]:
    from simcore import __version__
    from simcore.used_models import models_for

    bidding = models_for(fitting.bot, fitting.variant)["bidding"]
    return {
        "variant": fitting.variant.name,
        "variant_digest": fitting.variant.digest(),
        "exchange": {"policy": "expected"},
        "bidding": {"policy": "expected", "digest": bidding.digest},
        "play": fitting.bot.play.model_dump(mode="json"),
        "seed": fitting.seed,
        "deals": parts,
        "made_by": f"simcore fit {fitting.variant.name} --choosing --play {fitting.bot.play.policy}"
        f" --deals {fitting.deals} --seed {fitting.seed}",
        "versions": {"simcore": __version__, "numpy": np.__version__, "python": platform.python_version()},
    }
