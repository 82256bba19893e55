"""Whole deals, played under two tables by the same bots from the same cards: whether what auctions promise holds in play.

Bots that play for points play otherwise under another table, which trick tables cannot know. Bots that bid by expected score
bid by beliefs fitted under the table in force; all others as they always do.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.tuning.measures import BLOCK_METHOD, Floats, Sums, Tiers, interval, measures, sum_up
from simcore import batch
from simcore.codes import N_STRAINS, NO_BID
from simcore.config import Bot, Variant
from simcore.trick_model import TrickModel
from simcore.trick_tables import Outcomes

FIRST = 2**40
"""First match number: far from those of all other parts."""
_CHUNK = 5000
_NAMES = ("dealer", "declarer", "level", "strain", "doubling", "calls", "contested", "tricks", "points_0", "points_1")


@dataclass(frozen=True)
class PlayedDeals:
    """What a bot made of both tables.

    Attributes
    ----------
    bot : Bot
        In both seats.
    before, after : Sums
        Of the same deals.
    objective : tuple of ndarray
        The objective of the targets alone, by row of `measures`, before and after.
    """

    bot: Bot
    before: Sums
    after: Sums
    objective: tuple[Floats, Floats]

    @property
    def aim(self) -> str:
        """What the bot plays for."""
        return str(getattr(self.bot.play, "aim", "tricks"))

    def as_json(self) -> dict[str, Any]:
        """The bot, and every measure before and after with the paired difference."""
        found = (measures(self.before), measures(self.after))
        before, after = self.objective
        return {
            "bot": self.bot.name,
            "bidding": self.bot.bidding.policy,
            "play": self.bot.play.policy,
            "aim": self.aim,
            "n": self.before.n_deals,
            "method": f"{BLOCK_METHOD}; differences paired by deal",
            "objective": {"before": interval(before), "after": interval(after), "gain": interval(before - after)},
            "measures": {name: {"before": interval(found[0][name], name), "after": interval(found[1][name], name),
                                "difference": interval(found[1][name] - found[0][name])} for name in found[0]},
        }  # fmt: skip


def play_deals(
    variant: Variant,
    bot: Bot,
    tiers: Tiers,
    seed: int,
    n_deals: int,
    model: TrickModel | None = None,
    workers: int | None = None,
) -> Sums:
    """Let a bot play deals against itself, and sum up what came of them.

    Parameters
    ----------
    variant : Variant
    bot : Bot
    tiers : Tiers
    seed : int
    n_deals : int
    model : TrickModel or None
        What it uses where it bids by expected score.
    workers : int or None

    Returns
    -------
    Sums
    """
    setup = batch.prepare(variant, [bot], seed, "deal", model=model)
    starts = list(range(0, n_deals, _CHUNK))

    def play(start: int) -> dict[str, Any]:
        chunk = batch.play_chunk(setup, FIRST + start, min(_CHUNK, n_deals - start), names=_NAMES)
        return {name: np.array(chunk.deals[name]) for name in _NAMES}

    parts = [play(starts[0])]  # alone, so that kernels compile once
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        parts += pool.map(play, starts[1:])
    rows = {name: np.concatenate([part[name] for part in parts]) for name in _NAMES}
    return sum_up(tiers, rows["dealer"], _outcomes(rows))


def _outcomes(rows: dict[str, Any]) -> Outcomes:
    """Rows of deals as auctions over trick tables have them."""
    played = rows["declarer"] >= 0
    bid = N_STRAINS * rows["level"].astype(np.int64) + rows["strain"]
    points = np.where(rows["declarer"] == 0, 1, -1) * (rows["points_0"].astype(np.int64) - rows["points_1"])
    return Outcomes(
        bid=np.where(played, bid, NO_BID).astype(np.int8),
        doubling=np.where(played, rows["doubling"] >> 1, 0).astype(np.int8),  # 1, 2 or 4
        declarer=rows["declarer"],
        n_calls=rows["calls"],
        contested=rows["contested"].astype(np.int8),
        tricks=np.where(played, rows["tricks"], NO_BID).astype(np.int8),
        tenths=np.where(played, points, 0),
        calls=np.zeros((1, 1), np.uint8),
    )

