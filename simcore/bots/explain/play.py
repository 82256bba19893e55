"""Explains the play policies. Plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simcore.bots.explain.reason import (
    ALL_NATURALS,
    SUIT_MASKS,
    Reason,
    cards_text,
    highest,
    highest_ranked,
    length,
    lowest,
    lowest_ranked,
    suit_name,
)
from simcore.bots.play import careful as kernel
from simcore.bots.view import PlayView
from simcore.cards import COLONS
from simcore.codes import N_SUITS


def careful(view: PlayView, params: Sequence[int]) -> Reason:
    """`careful`, leading or following."""
    return _careful_follow(view) if view.led else _careful_lead(view)


def _careful_lead(view: PlayView) -> Reason:
    legal, all_trumps = int(view.legal), int(view.trumps)
    trumps, side = legal & all_trumps, legal & ~all_trumps & ALL_NATURALS
    unseen = int(view.unseen) & ~int(view.opponent_void)
    out = unseen & all_trumps
    held = [suit for suit in range(N_SUITS) if side & SUIT_MASKS[suit]]
    numbers: dict[str, Any] = {
        "trumps_to_lead": trumps.bit_count(),
        "trumps_that_may_be_out": out.bit_count(),
        "unseen": {suit_name(suit): length(unseen, suit) for suit in held},
    }
    if out and view.is_declarer and trumps.bit_count() >= int(kernel.DRAW_FROM):
        return Reason(highest(trumps), "careful", "draws trumps with the highest", numbers)
    if held:
        suit = min(held, key=lambda suit: length(unseen, suit))
        rule = f"leads the top of {suit_name(suit)}, the side suit of which least is unseen"
        return Reason(highest(side & SUIT_MASKS[suit]), "careful", rule, numbers)
    if trumps:
        return Reason(highest(trumps), "careful", "leads a trump: it may lead no side suit", numbers)
    return Reason(highest(legal), "careful", "leads a colon: it may lead nothing else", numbers)


def _careful_follow(view: PlayView) -> Reason:
    legal, trumps = int(view.legal), int(view.trumps)
    winners, bar = legal & int(view.winners), legal & int(view.barring)
    numbers: dict[str, Any] = {"winners": cards_text(winners), "bars": cards_text(bar)}
    plain = winners & ~trumps
    if plain:
        return Reason(lowest(plain), "careful", "wins as cheaply as it can", numbers)
    if winners:
        return Reason(lowest(winners), "careful", "wins with its lowest trump", numbers)
    if bar:
        return Reason(bar, "careful", "cannot win: bars the suit with the colon and saves a card", numbers)
    hand = int(view.hand)
    least = lowest_ranked(hand & ~trumps or hand)
    if least & legal:
        return Reason(least, "careful", "cannot win: throws what is worth least in the hand", numbers)
    return Reason(lowest(legal & ALL_NATURALS or legal), "careful", "cannot win: plays its lowest card of the suit", numbers)


def eager(view: PlayView, params: Sequence[int]) -> Reason:
    """`eager`, leading or following."""
    legal = int(view.legal)
    if not view.led:
        card = highest_ranked(legal & ALL_NATURALS)
        rule = "leads its highest card" if card else "leads a colon: it may lead nothing else"
        return Reason(card or lowest(legal), "eager", rule, {"may_lead": legal.bit_count()})
    winners, bar = legal & int(view.winners), legal & int(view.barring)
    numbers: dict[str, Any] = {"winners": cards_text(winners), "bars": cards_text(bar)}
    if bar:
        return Reason(bar, "eager", "plays the colon, since it may", numbers)
    if winners:
        return Reason(highest_ranked(winners), "eager", "wins with its highest card", numbers)
    colons = legal & int(COLONS)
    if colons:
        return Reason(lowest(colons), "eager", "cannot win: throws a colon", numbers)
    return Reason(lowest_ranked(legal), "eager", "cannot win: plays its lowest card", numbers)
