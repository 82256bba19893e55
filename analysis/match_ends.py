"""Who would have won matches under another scoring table, where that follows from the deals that were played.

A match of so many deals ends after them whatever they score, but for the extra deals of a match that is level: of a match that
another table leaves level, the extra deal may not have been played, and then nobody knows its winner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.codes import MAX_EXTRA_DEALS

NOBODY, UNKNOWN = -1, -2
"""Winners of a match that is shared, and of one that an extra deal would decide which was not played."""
PAIR = 2
Ints = npt.NDArray[np.int64]


def why_no_totals(rules: dict[str, Any], unit: str) -> str | None:
    """Why match totals under another table are not known; None where they are.

    Parameters
    ----------
    rules : dict
        The resolved variant.
    unit : str
        Of the run.

    Returns
    -------
    str or None
        A sentence.
    """
    if unit != "match":
        return "single deals (unit: deal) have no match"
    target = rules["match"].get("target")
    if target is not None:
        return (
            f"a match lasts until somebody has {target:g} points (match.target), so under another table other deals would "
            "have been played"
        )
    return None


@dataclass(frozen=True, slots=True)
class Ends:
    """How matches of a number of deals end.

    Attributes
    ----------
    deals : int
        Deals of a match.
    most : int
        Extra deals that a level match may have; none where it is shared at once.
    redeal : bool
        Whether passed-out deals are dealt again, and do not count.
    cap : int or None
        Most deals of all kinds.
    """

    deals: int
    most: int
    redeal: bool
    cap: int | None

    @classmethod
    def of(cls, rules: dict[str, Any]) -> Ends:
        """Of a resolved variant with ``match.deals``."""
        match = rules["match"]
        extra = {"draw": 0, "extra_deal_then_draw": 1, "until_broken": MAX_EXTRA_DEALS, None: 0}
        most = extra.get(match["tie"], int(match["max_deals"] or 0))
        redeal = rules["auction"].get("passed_out") == "redeal"
        return cls(int(match["deals"]), most, redeal, match["max_deals"])

    def counted(self, dealer: npt.NDArray[Any], starts: Ints) -> npt.NDArray[np.bool_]:
        """Which deals count: all but those that the same dealer dealt again."""
        found = np.ones(len(dealer), bool)
        if self.redeal:
            found[:-1] = dealer[1:] != dealer[:-1]
            found[starts[1:] - 1] = True
        return found

    def winners(self, points: Any, totals: npt.NDArray[Any], lengths: Ints, dealt: Ints) -> Ints:
        """The winners of matches.

        Parameters
        ----------
        points : ndarray, shape (deals, seats)
            Points of the deals that count, match after match; or what gives them for an array of rows.
        totals : ndarray, shape (matches, seats)
            Their sums.
        lengths : ndarray of int
            How many of them each match has.
        dealt : ndarray of int
            All deals of each match.

        Returns
        -------
        ndarray of int
            A seat, `NOBODY` or `UNKNOWN`.
        """
        starts = np.cumsum(lengths) - lengths
        extra = np.maximum(lengths - self.deals, 0)
        totals = totals.astype(np.int64)
        for k in range(int(extra.max(initial=0))):
            longer = np.flatnonzero(extra > k)
            totals[longer] -= points[starts[longer] + self.deals + k]
        winner = leaders(totals)
        waiting = np.flatnonzero(winner == NOBODY) if self.most else np.zeros(0, np.intp)
        for k in range(self.most):
            there = extra[waiting] > k
            capped = np.zeros(len(waiting), bool) if self.cap is None else dealt[waiting] >= self.cap
            winner[waiting[~there & ~capped]] = UNKNOWN
            waiting = waiting[there]
            if not len(waiting):
                break
            totals[waiting] += points[starts[waiting] + self.deals + k]
            winner[waiting] = leaders(totals[waiting])
            waiting = waiting[winner[waiting] == NOBODY]
        return winner


def leaders(totals: Ints) -> Ints:
    """The seat that stands alone at the top of each match, or `NOBODY`."""
    if totals.shape[1] == PAIR:
        return np.where(totals[:, 0] == totals[:, 1], NOBODY, (totals[:, 1] > totals[:, 0]).astype(np.int64))
    best = totals.argmax(axis=1)
    alone = (totals == totals.max(axis=1, keepdims=True)).sum(axis=1) == 1
    found: Ints = np.where(alone, best, NOBODY)
    return found
