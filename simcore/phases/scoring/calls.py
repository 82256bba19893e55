"""Scoring of calls: points by what a seat called and took. Plain Python, tables built once a run.

Rule (rules.md, section 2 and its "Details of options"). A call below `bonus_from` is made by at least its tricks
(`at_least`), by its tricks or one more (`at_most_one_over`), or by exactly its tricks (`exact`): the call's points, or base +
so much a trick; overtrick points for each trick beyond. A call from `bonus_from` on is made by its tricks and at most
`bonus_overtricks` more, for `bonus_points`. Failed, a bonus call too: minus the call's points, nothing, or so much a trick
taken. Tenths here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.errors import InputError
from simcore.notation import points_number
from simcore.phases.scoring.contract_table import in_tenths

if TYPE_CHECKING:
    from simcore.config import Variant


def highest_call(variant: Variant) -> int:
    """The highest call of a variant: a number, or the cards of a hand."""
    auction: Any = variant.auction
    highest = auction.max
    return int(variant.final_cards if highest == "cards" else highest)


def lowest_call(variant: Variant) -> int:
    """The lowest call of a variant."""
    auction: Any = variant.auction
    return int(auction.min)


def is_bonus_call(scoring: Any, call: int) -> bool:
    """Whether a call is a bonus call."""
    return scoring.bonus_from is not None and call >= scoring.bonus_from


def call_is_made(scoring: Any, call: int, tricks: int) -> bool:
    """Whether a call is made by this many tricks."""
    over = tricks - call
    if is_bonus_call(scoring, call):
        return 0 <= over <= int(scoring.bonus_overtricks)
    if scoring.success == "exact":
        return over == 0
    return 0 <= over <= 1 if scoring.success == "at_most_one_over" else over >= 0


def call_tenths(scoring: Any, call: int, tricks: int) -> int:
    """Points, in tenths, for a call and the tricks taken."""
    worth = in_tenths(call)
    if call_is_made(scoring, call, tricks):
        if is_bonus_call(scoring, call):
            return in_tenths(scoring.bonus_points)
        if scoring.made != "call":
            worth = in_tenths(scoring.made.base) + in_tenths(scoring.made.per_trick) * tricks
        return worth + in_tenths(scoring.overtrick_points) * (tricks - call)
    if scoring.failed == "minus_call":
        return -worth
    return 0 if scoring.failed == "zero" else in_tenths(scoring.failed.per_trick) * tricks


def call_cells(variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """Points in tenths, and whether made, of every call and number of tricks; both of shape (calls from 0, tricks from 0)."""
    shape = (highest_call(variant) + 1, variant.final_cards + 1)
    tenths, made = np.zeros(shape, np.int32), np.zeros(shape, np.int8)
    for call in range(lowest_call(variant), shape[0]):
        for tricks in range(shape[1]):
            tenths[call, tricks] = call_tenths(variant.scoring, call, tricks)
            made[call, tricks] = call_is_made(variant.scoring, call, tricks)
    return tenths, made


def score_call(variant: Variant, call: int, tricks: int) -> dict[str, Any]:
    """The points of one result, in the form of ``simcore score --json``.

    Parameters
    ----------
    variant : Variant
        Whose scoring.
    call : int
        A call of the variant.
    tricks : int
        Tricks taken, 0 to the cards of a hand.

    Returns
    -------
    dict
        variant, call, tricks, made, points.

    Raises
    ------
    InputError
        For a call or a number of tricks that the variant does not have.
    """
    lowest, highest = lowest_call(variant), highest_call(variant)
    if not lowest <= call <= highest:
        raise InputError(f"call {call}: {variant.name} has the calls {lowest}..{highest}")
    if not 0 <= tricks <= variant.final_cards:
        raise InputError(f"tricks {tricks}: a deal has {variant.final_cards} tricks, allowed are 0..{variant.final_cards}")
    return {
        "variant": variant.name,
        "call": call,
        "tricks": tricks,
        "made": call_is_made(variant.scoring, call, tricks),
        "points": points_number(call_tenths(variant.scoring, call, tricks)),
    }


def call_sheet(variant: Variant) -> list[dict[str, Any]]:
    """Every result of every call of a variant, as `score_call` gives them."""
    calls = range(lowest_call(variant), highest_call(variant) + 1)
    return [score_call(variant, call, tricks) for call in calls for tricks in range(variant.final_cards + 1)]
