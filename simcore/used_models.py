"""Which models of tricks a bot uses in a variant, and bots that say so by digests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simcore.choice_model import scoring_of
from simcore.trick_model import (
    AUTO,
    KEEP_BEST,
    AnyModel,
    choice_model_of,
    differences,
    fitting_choice_model,
    fitting_model,
    model_of,
    shipped_models,
)

if TYPE_CHECKING:
    from simcore.config import Bot, Variant


def models_for(bot: Bot, variant: Variant) -> dict[str, AnyModel]:
    """The models that a bot uses in a variant, by stage; none for stages in which it needs none.

    Parameters
    ----------
    bot : Bot
    variant : Variant

    Returns
    -------
    dict of str to TrickModel, CallModel or StepModel
        With `auto` it bids by the model made from hands that were kept as it keeps them, where there is one, and keeps by
        the one that it bids by, where that is named, else by the one made from hands that `keep_best` kept.
    """
    from simcore.config.solved import keeps_by_model, models_of

    kept = bot.exchange.policy if keeps_by_model(bot, variant) else KEEP_BEST
    found: dict[str, AnyModel] = {}
    for stage, settings in models_of(bot, variant).items():
        if stage == "bidding" and lacks_model(bot, variant):
            continue
        if stage == "exchange" and variant.exchange.kind == "look_and_choose":
            found[stage] = choice_model_of(settings, variant)
            continue
        named = getattr(bot.bidding, "model", AUTO)
        if stage == "exchange" and settings.model == AUTO and named != AUTO:
            settings = settings.model_copy(update={"model": named})
        found[stage] = model_of(settings, variant, stage, kept if stage == "bidding" else KEEP_BEST)
    return found


def with_digests(bots: Sequence[Bot], variant: Variant) -> tuple[Bot, ...]:
    """Bots that say by a digest which models they use.

    Parameters
    ----------
    bots : sequence of Bot
    variant : Variant

    Returns
    -------
    tuple of Bot
    """
    found: dict[int, Bot] = {}
    for bot in bots:
        if id(bot) not in found:
            stages = {
                stage: getattr(bot, stage).model_copy(update={"digest": model.digest})
                for stage, model in models_for(bot, variant).items()
            }
            found[id(bot)] = bot.model_copy(update=stages) if stages else bot
    return tuple(found[id(bot)] for bot in bots)


def lacks_choice_model(bot: Bot, variant: Variant) -> bool:
    """Whether a bot that keeps by expected score keeps as `keep_best` does where cards are kept or thrown one by one.

    Parameters
    ----------
    bot : Bot
    variant : Variant

    Returns
    -------
    bool
        True for ``model: auto`` where no shipped model is for these rules and these points; one that it names is used, or
        refused.
    """
    if getattr(bot.exchange, "model", AUTO) != AUTO:
        return False
    model = fitting_choice_model(variant)[1]
    return bool(differences(model, variant)) or model.scoring != scoring_of(variant)


def lacks_model(bot: Bot, variant: Variant) -> bool:
    """Whether a bot bids as `points` does, since it bids by expected score, and no model fits an auction in steps.

    Parameters
    ----------
    bot : Bot
    variant : Variant

    Returns
    -------
    bool
        False where it must not: for a model that it names, and where `without_model` says ``refuse``.
    """
    bidding: Any = bot.bidding
    if variant.auction.kind != "steps" or bidding.policy != "expected" or bidding.without_model == "refuse":
        return False
    shipped = shipped_models("steps")
    return bool(bidding.model == AUTO and (not shipped or differences(fitting_model(variant, "bidding.model")[1], variant)))
