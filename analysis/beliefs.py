"""Beliefs: by how much the tricks of each strain differ from what was predicted, after what the opponent has called.

Fitted in self-play over a trick table: bots bid, at every call the tricks not predicted are regressed on how much more the
opponent promised than one gives him, the bots take half a step to the new shifts and bid again. Undamped they would run
in circles.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from simcore import auctions, batch
from simcore.codes import (
    BID_OFFSET,
    BOOK,
    CALL_DOUBLE,
    CALL_REDOUBLE,
    HUNDREDTHS,
    N_RANKS,
    N_STRAINS,
    TRICK_UNIT,
    Heard,
    Relation,
    Role,
    Strain,
)
from simcore.config import Variant, load_bot
from simcore.trick_model import TrickModel
from simcore.trick_tables import Deals

Ints = npt.NDArray[np.int64]
ROUNDS = 8
_AVERAGED = 3
"""Rounds at the end whose shifts are averaged."""
_CAUTION = 200.0
"""Cases without any difference that are added to the cases of a cell: few cases shift little."""
SHAPE = (len(Role), len(Heard), 2, len(Relation), 2)


def fit_shifts(variant: Variant, model: TrickModel, deals: Deals, workers: int | None = None) -> Ints:
    """Shifts of the means after the opponent's calls, from self-play.

    Parameters
    ----------
    variant : Variant
        Under its scoring table the bots bid.
    model : TrickModel
        With weights and distributions; its shifts are not looked at.
    deals : Deals
        To bid over; not those that the model was fitted to.
    workers : int or None

    Returns
    -------
    ndarray of int64, shape (role, heard, who declares, relation, 2)
        In ten-thousandths of a trick.
    """
    model = replace(model, shifts=np.zeros(SHAPE, np.int64))
    setup = setup_with(variant, model)
    means = auctions.predicted_means(setup, deals, workers).astype(np.int64)
    tricks = auctions.tricks_by_role(deals).astype(np.int64) * HUNDREDTHS
    shifts = np.zeros(SHAPE)
    last: list[npt.NDArray[np.float64]] = []
    for _ in range(ROUNDS):
        setup = setup_with(variant, replace(model, shifts=np.rint(shifts * TRICK_UNIT).astype(np.int64)))
        outcomes = auctions.hold(setup, deals, workers, with_calls=True)
        found = _Regression(means, tricks, deals, int(setup.rules.auction.opener)).fit(outcomes.calls, outcomes.n_calls)
        shifts = (shifts + found) / 2
        last = [*last, shifts][-_AVERAGED:]
    return np.rint(np.mean(last, axis=0) * TRICK_UNIT).astype(np.int64)


def setup_with(variant: Variant, model: TrickModel, bot: str = "expected", overrides: tuple[str, ...] = ()) -> batch.Setup:
    """A setup of bots that bid by a model that is in no file.

    Parameters
    ----------
    variant : Variant
    model : TrickModel
    bot : str
        Name of a bot with the bidding policy `expected`.
    overrides : tuple of str
        Changes of the bot as ``path=value``.

    Returns
    -------
    Setup
        Of single deals.
    """
    bots = [load_bot(bot, list(overrides))] * variant.players
    return batch.prepare(variant, bots, 1, "deal", model=model)


class _Regression:
    """Regresses what was not predicted on what was promised, over all calls of many auctions."""

    def __init__(self, means: Ints, tricks: Ints, deals: Deals, opener: int) -> None:
        self.means, self.tricks, self.opener = means, tricks, opener
        self.rows = np.arange(len(deals.dealer))
        self.shifts = np.zeros(SHAPE)

    def fit(self, calls: npt.NDArray[np.uint8], n_calls: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        """Shifts for auctions, calls by row; those after doubles on top of the others."""
        for after_double in (False, True):
            sums = np.zeros((*SHAPE[:-1], 5))
            last = np.full((2, len(self.rows)), -1, np.int64)  # last bid of the seat that spoke first, and of the other
            for i in range(int(n_calls.max())):
                if i > 0:
                    going = self.rows[n_calls > i]
                    doubled = np.isin(calls[going, i - 1], (CALL_DOUBLE, CALL_REDOUBLE))
                    at = going[doubled == after_double]
                    self._add(sums, i, at, last[i % 2, at], last[1 - i % 2, at], after_double)
                bids = calls[:, i].astype(np.int64) - BID_OFFSET
                is_bid = (n_calls > i) & (bids >= 0)
                last[i % 2, is_bid] = bids[is_bid]
            heard = [Heard.DOUBLE] if after_double else [Heard.BID, Heard.OVERCALL, Heard.PASS]
            for kind in heard:
                self.shifts[:, kind] = _solved(sums[:, kind])
        return self.shifts

    def _add(self, sums: npt.NDArray[np.float64], i: int, at: Ints, own: Ints, his: Ints, after_double: bool) -> None:
        """Add the cases of call number i of auctions `at`, after the last bids of the seat itself and of its opponent."""
        role = self.opener if i % 2 == 0 else 1 - self.opener
        heard = np.where(his < 0, Heard.PASS, np.where(own < 0, Heard.BID, Heard.OVERCALL))
        means = self.means[role][:, :, at].astype(np.float64)
        bid_strain = np.where(his < 0, -1, his % N_STRAINS)
        beyond = np.zeros(len(at))
        cases = np.arange(len(at))
        has_bid = his >= 0
        beyond[has_bid] = needed(his[has_bid]) - means[1, bid_strain[has_bid], cases[has_bid]]
        if after_double:
            is_second = role != self.opener
            shifted = has_bid | is_second
            means = self._shifted(means, role, heard, bid_strain, beyond, shifted)
            bid = np.maximum(own, his)
            who = np.where(own > his, 0, 1)
            bid_strain = bid % N_STRAINS
            beyond = needed(bid) - means[who, bid_strain, cases]
            heard = np.full(len(at), Heard.DOUBLE)
        elif role == self.opener:
            keep = has_bid  # the seat that spoke first has heard nothing yet
            at, means, heard, bid_strain, beyond = at[keep], means[:, :, keep], heard[keep], bid_strain[keep], beyond[keep]
        for who in range(2):
            declarer = role if who == 0 else 1 - role
            for strain in range(N_STRAINS):
                rest = self.tricks[declarer, strain, at] - means[who, strain]
                _sum_up(sums[role, :, who], heard, relations(strain, bid_strain), beyond / HUNDREDTHS, rest / HUNDREDTHS)

    def _shifted(
        self,
        means: npt.NDArray[np.float64],
        role: int,
        heard: Ints,
        bid_strain: Ints,
        beyond: npt.NDArray[np.float64],
        shifted: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.float64]:
        """Means after the shifts for bids and passes."""
        moved = means.copy()
        for who in range(2):
            for strain in range(N_STRAINS):
                shift = self.shifts[role, heard, who, relations(strain, bid_strain)]
                moved[who, strain] += np.where(shifted, shift[:, 0] * HUNDREDTHS + shift[:, 1] * beyond, 0.0)
        return np.clip(moved, 0, HUNDREDTHS * N_RANKS)


def needed(bid: Ints) -> Ints:
    """Hundredths of a trick that bids promise.

    Parameters
    ----------
    bid : ndarray

    Returns
    -------
    ndarray
    """
    return HUNDREDTHS * (BOOK + bid // N_STRAINS)


def relations(strain: int, bid_strain: Ints) -> Ints:
    """How a strain stands to those of bids, -1 for none (`simcore.codes.Relation`).

    Parameters
    ----------
    strain : int
    bid_strain : ndarray

    Returns
    -------
    ndarray
    """
    if strain == Strain.NOTRUMP:
        return np.where(bid_strain == strain, int(Relation.SAME), int(Relation.NT_AFTER_SUIT))
    other = np.where(bid_strain == Strain.NOTRUMP, int(Relation.SUIT_AFTER_NT), int(Relation.OTHER_SUIT))
    return np.where(bid_strain == strain, int(Relation.SAME), other)


def _sum_up(
    sums: npt.NDArray[np.float64], heard: Ints, relation: Ints, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
) -> None:
    """Add n, sums of x, xx, y, xy to sums[heard, relation]."""
    cell = heard * len(Relation) + relation
    size = len(Heard) * len(Relation)
    for place, values in enumerate((np.ones(len(x)), x, x * x, y, x * y)):
        sums[:, :, place] += np.bincount(cell, values, size).reshape(len(Heard), len(Relation))


def _solved(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Intercept and slope of each cell; sums : (role, who, relation, 5)."""
    n, x, xx, y, xy = (sums[..., place] for place in range(5))
    n, xx = n + _CAUTION, xx + _CAUTION
    determinant = n * xx - x * x
    return np.stack([(xx * y - x * xy) / determinant, (n * xy - x * y) / determinant], axis=-1)

