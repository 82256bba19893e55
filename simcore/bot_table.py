"""The bots at the table as the kernels read them: codes of policies and rows of parameters by seat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simcore import codes
from simcore._jit import callback
from simcore.errors import InputError
from simcore.plugins import REGISTRY, STAGES, CompiledBot, PythonBot
from simcore.table import Rollouts, new_rollouts

if TYPE_CHECKING:
    from simcore.config import Bot, Variant
    from simcore.trick_model import AnyModel


class Bots(NamedTuple):
    """Policies and parameters by seat, as the kernels read them."""

    exchange: np.ndarray
    """int64[seat]: `ExchangePolicy`."""
    bidding: np.ndarray
    play: np.ndarray
    exchange_params: np.ndarray
    """int64[seat, i]: parameters of the policy."""
    bidding_params: np.ndarray
    play_params: np.ndarray
    only_random: int | None
    """Not None where every policy of every seat is `random`: kernels for such runs hold nothing else, and are faster."""
    expected: Any = None
    """`Expected` (auctions of bids) or `Called` (of calls): models of tricks and tables of expected scores for the policy
    `expected`; None where no seat uses it."""
    keeping: Any = None
    """`Keeping` (exchanges by upcard): the same for the exchange policy `expected`; None where no seat uses it."""
    choosing: Any = None
    """`Choosing` (keep or throw): worths of hands in the making for the same policy; None where no seat uses it."""


def _stage_code(bot: Bot, stage: str, enum: Any, variant: Variant) -> int:
    from simcore.config import keeps_by_model

    policy = getattr(bot, stage).policy
    if stage == "exchange" and policy == "expected" and not keeps_by_model(bot, variant):
        policy = "keep_best"  # where there is no model for it
    return int(enum.COMPILED if policy == "plugin" else enum[policy.upper()])


def _stage_params(bot: Bot, stage: str, variant: Variant) -> list[int]:
    """A row of parameters: those of the policy, or the address of a user's compiled function."""
    from simcore.config import policy_params

    model = getattr(bot, stage)
    row = [0] * codes.MAX_PARAMS
    if model.policy == "plugin":
        plugin = REGISTRY[model.bot].bot
        function = plugin.function(stage) if isinstance(plugin, CompiledBot) else None
        if function is not None:
            row[codes.PARAM_ADDRESS] = callback(function, codes.VIEW_WORDS, codes.MEMORY_WORDS)
        return row
    params = policy_params(model)
    row[: len(params)] = params
    if model.policy == "random" and stage == "bidding":
        row[: codes.N_LEVELS] = accumulate(params[: codes.N_LEVELS])
    if model.policy == "sampling" and variant.exchange.kind == "none":
        row[codes.SamplingParam.DISCARDS] = 0  # nobody chose his cards
    return row


def _tables(bots: Sequence[Bot], variant: Variant, stage: str, params: np.ndarray, at: int, model: AnyModel | None) -> Any:
    """The different models that seats use in a stage; notes in `params`, at a place, which one a seat uses."""
    from simcore.config import models_of

    seats = [seat for seat, bot in enumerate(bots) if stage in models_of(bot, variant)]
    if not seats:
        return []
    from simcore.used_models import models_for

    models = {seat: model or models_for(bots[seat], variant)[stage] for seat in seats}
    digests = list(dict.fromkeys(found.digest for found in models.values()))
    for seat, found in models.items():
        params[seat, at] = digests.index(found.digest)
    return [next(found for found in models.values() if found.digest == digest) for digest in digests]


def _expected(bots: Sequence[Bot], variant: Variant, rules: Any, params: np.ndarray, model: AnyModel | None) -> Any:
    """Tables for the seats that bid by expected score, or None."""
    models = _tables(bots, variant, "bidding", params, codes.ExpectedParam.MODEL, model)
    if not models:
        return None
    from simcore.call_model import build_called
    from simcore.step_model import StepModel, build_stepping
    from simcore.trick_model import build_expected

    if variant.auction.kind == "steps":
        return build_stepping([used for used in models if isinstance(used, StepModel)], variant, rules)
    build: Any = build_called if variant.auction.kind == "calls" else build_expected
    return build(models, rules)


def _keeping(bots: Sequence[Bot], variant: Variant, rules: Any, params: np.ndarray, model: AnyModel | None) -> Any:
    """Tables for the seats that keep what has the best expected score, or None."""
    if variant.exchange.kind != "upcard":
        return None
    models = _tables(bots, variant, "exchange", params, codes.KeepParam.MODEL, model)
    if not models:
        return None
    from simcore.keep_model import build_keeping

    return build_keeping(models, variant, rules)


def _choosing(bots: Sequence[Bot], variant: Variant, params: np.ndarray) -> Any:
    """Worths of hands for the seats that keep or throw by expected score, or None."""
    if variant.exchange.kind != "look_and_choose":
        return None
    models = _tables(bots, variant, "exchange", params, codes.KeepParam.MODEL, None)
    if not models:
        return None
    from simcore.choice_model import build_choosing

    return build_choosing(models)


def _for_steps(bots: Sequence[Bot], variant: Variant, model: AnyModel | None) -> list[Bot]:
    """Bots for an auction in steps: who may bids as `points` does where no model fits the rules."""
    from simcore.config import PointsBidding
    from simcore.used_models import lacks_model

    return [
        bot.model_copy(update={"bidding": PointsBidding()}) if model is None and lacks_model(bot, variant) else bot
        for bot in bots
    ]


def build_bots(bots: Sequence[Bot], variant: Variant, rules: Any, model: AnyModel | None = None) -> Bots:
    """Codes and parameters of the bots of all seats, every field cast.

    Parameters
    ----------
    bots : sequence of Bot
        One a seat.
    variant : Variant
        The game, for bots with a model of it.
    rules : Rules or SheddingRules
        Its numbers, for bots that read the scoring table.
    model : TrickModel, CallModel or None
        What such bots use in place of the model in their file.

    Returns
    -------
    Bots
    """

    def rows(stage: str) -> np.ndarray:
        return np.array([_stage_params(bot, stage, variant) for bot in bots], np.int64)

    def policies(stage: str, enum: Any) -> np.ndarray:
        return np.array([_stage_code(bot, stage, enum, variant) for bot in bots], np.int64)

    if variant.auction.kind == "steps":
        bots = _for_steps(bots, variant, model)
    exchange_params, bidding_params = rows("exchange"), rows("bidding")
    return Bots(
        exchange=policies("exchange", codes.ExchangePolicy),
        bidding=policies("bidding", codes.BiddingPolicy),
        play=policies("play", codes.PlayPolicy),
        exchange_params=exchange_params,
        bidding_params=bidding_params,
        play_params=rows("play"),
        only_random=1 if all(getattr(bot, stage).policy == "random" for bot in bots for stage in STAGES) else None,
        expected=_expected(bots, variant, rules, bidding_params, model),
        keeping=_keeping(bots, variant, rules, exchange_params, model),
        choosing=_choosing(bots, variant, exchange_params),
    )


def rollouts_of(setup: Any, decisions: int = 0) -> Rollouts | None:
    """Scratch for bots that play by sampled roll-outs (by sampling, where the tricks are not those of two hands), or None."""
    many = getattr(setup.rules, "between_two", None) is None  # not a contract, and no colons
    samples = any(bot.play.policy == "sampling" for bot in setup.bots)
    in_calls = getattr(setup.rules, "call_score", None) is not None
    exact = in_calls and any(getattr(bot.play, "exact_from", 0) > 0 for bot in setup.bots)
    return new_rollouts(decisions, exact) if many and samples else None


def python_bots(bots: Sequence[Bot]) -> tuple[PythonBot | None, ...]:
    """By seat, the bot in Python that decides something, or None."""

    def python_bot(bot: Bot) -> PythonBot | None:
        names = {model.bot for model in (bot.exchange, bot.bidding, bot.play) if model.policy == "plugin"}
        plugins = [REGISTRY[name].bot for name in names]
        return next((plugin for plugin in plugins if isinstance(plugin, PythonBot)), None)

    return tuple(python_bot(bot) for bot in bots)


def refuse_unknown_stages(variant: Variant, bots: Sequence[Bot]) -> None:
    """Users' bots know the views of bridge auctions, of the play after one, and of the exchange by upcard."""
    strange = {}
    if variant.exchange.kind not in ("none", "upcard"):
        strange["exchange"] = f"exchange.kind {variant.exchange.kind}"
    if variant.auction.kind != "bridge":
        strange |= dict.fromkeys(("bidding", "play"), f"auction.kind {variant.auction.kind}")
    for bot in bots:
        for stage, what in strange.items():
            if getattr(bot, stage).policy == "plugin":
                raise InputError(
                    f"bots: {bot.name} decides the {stage} itself, which it cannot in {variant.name} ({what}); users' bots are"
                    " for exchange.kind none or upcard and auction.kind bridge"
                )


def solves_known(bot: Bot) -> bool:
    """Whether a bot solves the auctions in which it knows the other hand."""
    return bool(getattr(bot.bidding, "solves_known", False))


def ask_the_solver(bots: Sequence[Bot]) -> bool:
    """Whether a bot works with the solver of two hands, whose kernels are compiled for such runs alone."""
    return any(bot.sees_all or bot.play.policy == "sampling" or solves_known(bot) for bot in bots)


def refuse_unsampled(variant: Variant, bots: Sequence[Bot]) -> None:
    """Play by sampling is there for some games only."""
    from simcore.config import unsampled, unsolved

    name = next((bot.name for bot in bots if bot.play.policy == "sampling"), None)
    why = unsampled(variant) if name is not None else None
    if why is not None:
        raise InputError(f"bots: {name} plays by sampling (play.policy sampling), which it cannot here; {why}")
    name = next((bot.name for bot in bots if solves_known(bot)), None)
    why = unsolved(variant) if name is not None and variant.auction.kind == "bridge" else None
    if why is not None:
        raise InputError(f"bots: {name} solves auctions (bidding.solves_known true), which it cannot here; {why}")


def refuse_unsolved(variant: Variant, bots: Sequence[Bot], table: bool = False) -> None:
    """Bots that see all cards play perfectly, which is solved in some games only; so is the perfect-play trick table."""
    from simcore.config import unsolved

    seers = [bot.name for bot in bots if bot.sees_all]
    why = unsolved(variant) if seers or table else None
    if why is not None:
        what = f"bots: {seers[0]} plays perfectly, which" if seers else "play: perfect play"
        raise InputError(f"{what} is solved for contracts between two hands; {why}")
