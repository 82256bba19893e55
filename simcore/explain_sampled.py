"""Explanations of play by sampled roll-outs among many hands: what each card came to, as the kernels found it.

The match is played once more by the kernels, which keep what every decision weighed (`simcore.table.Rollouts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore.batch import Setup, longest_match, run_kernel
from simcore.bot_table import rollouts_of
from simcore.bots.explain.reason import cards_text
from simcore.codes import MAX_TRICKS, TENTHS, SamplingParam
from simcore.phases.play.worth import PERCENT, SURE
from simcore.raw_columns import new_deal_columns, new_match_columns
from simcore.rules_shedding import SheddingRules
from simcore.table import new_record, new_table

SAMPLED = "sampling"
_USUAL = "plays as careful does: it has no choice, or more cards than it samples with"
_SAMPLED = "draws the hidden cards, plays each card out in every layout, and takes what is best on average"
_DIGITS = 3


def _scale(setup: Setup) -> tuple[str, float]:
    """What the sums of decisions are called, and what one layout counts."""
    rules = setup.rules
    if isinstance(rules, SheddingRules) and rules.stakes.target == 0:
        return "chance_to_win", 1.0 / SURE
    return "points_more_than_the_others", 1.0 / (TENTHS * PERCENT * (setup.variant.players - 1))


def sampled_reasons(setup: Setup, match: int) -> Iterator[dict[str, Any]]:
    """Reasons of all cards that bots play by sampled roll-outs, in their order.

    Parameters
    ----------
    setup : Setup
    match : int

    Yields
    ------
    dict
        ``rule``, and ``numbers`` where cards were weighed: what each legal card came to on average, of neighbours the lowest.
    """
    players, rows = setup.variant.players, longest_match(setup.rules)
    scratch = rollouts_of(setup, rows * MAX_TRICKS)
    if scratch is None:
        return
    columns = new_deal_columns(players, rows), new_match_columns(players, 1)
    run_kernel(setup, match, 1, new_table(setup.has_compiled_bots, rollouts=scratch), new_record(1), *columns)
    name, unit = _scale(setup)
    for cards, sums, seat in zip(scratch.weighed, scratch.found, scratch.seats[: scratch.n_decisions[0]], strict=False):
        layouts = int(setup.bot_table.play_params[seat, SamplingParam.ROLLOUTS])
        weighed = zip(cards.tolist(), sums.tolist(), strict=True)
        found = {cards_text(card): round(total * unit / layouts, _DIGITS) for card, total in weighed if card}
        yield {"rule": _SAMPLED, "numbers": {"layouts": layouts, name: found}} if found else {"rule": _USUAL, "numbers": {}}


def is_sampled(setup: Setup, event: dict[str, Any]) -> bool:
    """Whether an event is a card that was played by sampled roll-outs.

    Parameters
    ----------
    setup : Setup
    event : dict

    Returns
    -------
    bool
    """
    return event["act"] == "play" and setup.bots[event["seat"]].play.policy == SAMPLED and rollouts_of(setup) is not None

