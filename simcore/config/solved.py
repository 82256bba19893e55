"""Which games the solver of two hands knows, for bots that see all cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcore.config.sizes import final_cards, pack_size, turns_card

if TYPE_CHECKING:
    from simcore.config.bot_models import Bot
    from simcore.config.variant import Variant

_PAIR = 2
_DUTIES = ("must_ruff", "must_overruff", "must_underruff", "must_head")


def knows_other_hand(variant: Variant) -> bool:
    """Tell whether each of two players has seen so much as the auction begins that he knows the other hand.

    So it is where all cards are drawn by tricks: half of the pack was played, and lies open to both.
    """
    aside = 1 if turns_card(variant) and getattr(variant.exchange, "upcard", None) != "dealer_takes_it" else 0
    draws = variant.players == _PAIR and variant.exchange.kind == "draw_tricks"
    return draws and pack_size(variant) - aside == 2 * _PAIR * final_cards(variant)


def needs_model(bot: Bot, variant: Variant) -> bool:
    """Tell whether a bot needs a model of tricks in a game: it bids by expected score, and does not solve all its auctions."""
    solves = bot.bidding.policy == "expected" and bot.bidding.solves_known and knows_other_hand(variant)
    return bot.bidding.policy == "expected" and not solves


def keeps_by_model(bot: Bot, variant: Variant) -> bool:
    """Tell whether a bot needs a model in a game to choose what it keeps; where not, it keeps as keep_best does."""
    if bot.exchange.policy != "expected" or variant.auction.kind != "bridge":
        return False
    if variant.exchange.kind == "look_and_choose":
        from simcore.used_models import lacks_choice_model

        return not lacks_choice_model(bot, variant)
    return variant.exchange.kind == "upcard"


def models_of(bot: Bot, variant: Variant) -> dict[str, Any]:
    """The settings of the stages in which a bot needs a model in a game, by stage."""
    needs = {"exchange": keeps_by_model(bot, variant), "bidding": needs_model(bot, variant)}
    return {stage: getattr(bot, stage) for stage, is_needed in needs.items() if is_needed}


def unsampled(variant: Variant) -> str | None:
    """Why nobody can play a game by sampling (the play policy `sampling`); None where one can.

    Parameters
    ----------
    variant : Variant
        The rules.

    Returns
    -------
    str or None
        As for `unsolved`.
    """
    many_hands = variant.auction.kind == "steps" or (variant.auction.kind == "calls" and not variant.deck.colons)
    return None if many_hands else unsolved(variant)


def unsolved(variant: Variant) -> str | None:
    """Why perfect play of a game's contracts is not solved; None where it is.

    Parameters
    ----------
    variant : Variant
        The rules.

    Returns
    -------
    str or None
        The reason with what is allowed, to stand at the end of a sentence.
    """
    if variant.players != _PAIR:
        return f"{variant.name} has {variant.players} players; allowed: 2"
    if variant.auction.kind != "bridge":
        return f"{variant.name} has no contracts (auction.kind {variant.auction.kind}); allowed: bridge"
    if variant.play.trump != "contract":
        return f"{variant.name} has play.trump {variant.play.trump}; allowed: contract"
    duties = [duty for duty in _DUTIES if getattr(variant.play, duty, False)]
    if duties:
        return f"{variant.name} has a duty to ruff or to head a trick (play.{duties[0]}); allowed: none"
    return None
