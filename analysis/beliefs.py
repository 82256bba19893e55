"""Beliefs: by how much the tricks of each strain differ from what was predicted, after what the opponent has called.

Fitted in self-play over a trick table: bots bid, at every call the tricks not predicted are regressed on how much more the
opponent promised than one gives him, the bots take half a step to the new shifts and bid again; with
whole steps they would run in circles. Then the tricks are counted at the shifted means: after a bid they scatter less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.distributions import Counts
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
from simcore.trick_model import TrickModel, set_of
from simcore.trick_tables import Deals, Outcomes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ROUNDS = 8
_AVERAGED = 3
"""Rounds at the end whose shifts are averaged."""
_CAUTION = 200.0
"""Cases without any difference that are added to the cases of a cell: few cases shift little."""
_ENOUGH = 400.0
"""Cases, weighted by the kernel, that are enough for a distribution."""
_OF_DEALS, _LEAST = 120_000, 1 / 8
"""Both are for so many deals or more. Of fewer they are a share in proportion, down to the least one: were they the same, few
deals would smooth more, and bidders would be others by the number of deals their beliefs were fitted to."""
SHAPE = (len(Role), len(Heard), 2, len(Relation), 2)


def fit_beliefs(
    variant: Variant,
    model: TrickModel,
    deals: Deals,
    workers: int | None = None,
    seat: Callable[[TrickModel], batch.Setup] | None = None,
) -> TrickModel:
    """Fit what the opponent's calls tell, in self-play.

    Parameters
    ----------
    variant : Variant
        Under its scoring table the bots bid.
    model : TrickModel
        With weights and with the distributions before anybody has called.
    deals : Deals
        To bid over; not those that the model was fitted to.
    workers : int or None
    seat : callable or None
        Makes a setup of the bots that bid by a model; None: the bot `expected` in both seats.

    Returns
    -------
    TrickModel
        With shifts of the means and with the distributions after bids and doubles.
    """
    seat = seat or partial(setup_with, variant)
    setup = seat(model)
    means = auctions.predicted_means(setup, deals, workers).astype(np.int64)
    tricks = auctions.tricks_by_role(deals).astype(np.int64)
    shifts, last = np.zeros(SHAPE), [np.zeros(SHAPE)]
    for number in range(ROUNDS + 1):
        setup = seat(model)
        outcomes = auctions.hold(setup, deals, workers, with_calls=True)
        heard = Hearing(means, tricks, outcomes, int(setup.rules.auction.opener))
        shifts = (shifts + heard.fit()) / 2
        last = [*last, shifts][-_AVERAGED:]
        whole = np.rint((np.mean(last, axis=0) if number >= ROUNDS - 1 else shifts) * TRICK_UNIT).astype(np.int64)
        if number < ROUNDS:  # the last round fits the distributions to the final shifts alone
            model = replace(model, shifts=whole)
        known = heard.distributions(model.shifts / TRICK_UNIT, model.tricks[0])
        model = replace(model, tricks=np.stack([model.tricks[0], *known]))
    return model


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


class _Turn(NamedTuple):
    """Turns of a role, after doubles or not: what the seat had heard."""

    role: int
    at: Ints
    """Rows of the deals."""
    heard: Ints
    """`Heard` of bids and passes; the next two, of them too."""
    bid_strain: Ints
    """Strain of his last bid, -1 for none."""
    has_heard: npt.NDArray[np.bool_]
    """False before the first call."""
    his: Ints
    """The opponent's last bid, -1 for none."""
    last: Ints
    """The last bid of all, -1 for none."""
    is_own: npt.NDArray[np.bool_]
    """Whether it is one's own."""
    after_double: bool


class Hearing:
    """What was heard before every call of many auctions, and what the deals took then.

    Parameters
    ----------
    means : ndarray
        Predicted tricks before anybody has called, hundredths (role, who declares, strain, row).
    tricks : ndarray
        Tricks (role of declarer, strain, row).
    outcomes : Outcomes
        With calls.
    opener : int
        Role of the seat that speaks first.
    """

    def __init__(self, means: Ints, tricks: Ints, outcomes: Outcomes, opener: int) -> None:
        self.means, self.tricks, self.opener = means, tricks, opener
        self.share = min(1.0, max(_LEAST, means.shape[-1] / _OF_DEALS))
        self.turns = list(_joined(self._turns(outcomes)))

    def _turns(self, outcomes: Outcomes) -> Iterator[_Turn]:
        """Those of each call number."""
        calls, n_calls = outcomes.calls, outcomes.n_calls
        rows = np.arange(len(n_calls))
        last = np.full((2, len(rows)), -1, np.int64)  # last bid of the seat that spoke first, and of the other
        for i in range(int(n_calls.max())):
            if i > 0:
                going = rows[n_calls > i]
                doubled = np.isin(calls[going, i - 1], (CALL_DOUBLE, CALL_REDOUBLE))
                role = self.opener if i % 2 == 0 else 1 - self.opener
                for after_double in (False, True):
                    at = going[doubled == after_double]
                    own, his = last[i % 2, at], last[1 - i % 2, at]
                    heard = np.where(his < 0, Heard.PASS, np.where(own < 0, Heard.BID, Heard.OVERCALL))
                    strain = np.where(his < 0, -1, his % N_STRAINS)
                    has_heard = (his >= 0) | (role != self.opener)
                    yield _Turn(role, at, heard, strain, has_heard, his, np.maximum(own, his), own > his, after_double)
            bids = calls[:, i].astype(np.int64) - BID_OFFSET
            is_bid = (n_calls > i) & (bids >= 0)
            last[i % 2, is_bid] = bids[is_bid]

    def fit(self) -> Floats:
        """Shifts by regression of what was not predicted on what was promised; those after doubles on top of the others.

        Returns
        -------
        ndarray, shape `SHAPE`
            In tricks.
        """
        shifts = np.zeros(SHAPE)
        for after_double in (False, True):
            sums = np.zeros((*SHAPE[:-1], 5))
            for turn in self.turns:
                if turn.after_double == after_double:
                    self._add(sums, turn, shifts)
            for kind in [Heard.DOUBLE] if after_double else [Heard.BID, Heard.OVERCALL, Heard.PASS]:
                shifts[:, kind] = _solved(sums[:, kind], _CAUTION * self.share)
        return shifts

    def _add(self, sums: Floats, turn: _Turn, shifts: Floats) -> None:
        """Add the cases of some turns."""
        means = self.means[turn.role][:, :, turn.at].astype(np.float64)
        heard, bid_strain, at = turn.heard, turn.bid_strain, turn.at
        if turn.after_double:
            means = self._after_bids(means, turn, shifts)
            beyond, bid_strain = self._promised_by_double(means, turn)
            heard = np.full(len(at), int(Heard.DOUBLE))
        else:
            beyond = _promised(means, turn)
            keep = turn.has_heard
            means, heard, bid_strain, at, beyond = means[:, :, keep], heard[keep], bid_strain[keep], at[keep], beyond[keep]
        beyond = beyond / HUNDREDTHS
        for strain in range(N_STRAINS):
            cell = heard * len(Relation) + relations(strain, bid_strain)
            for who in range(2):
                declarer = turn.role if who == 0 else 1 - turn.role
                rest = self.tricks[declarer, strain].take(at) - means[who, strain] / HUNDREDTHS
                _sum_up(sums[turn.role, :, who], cell, beyond, rest)

    def _promised_by_double(self, means: Floats, turn: _Turn) -> tuple[Floats, Ints]:
        """Tricks, hundredths, that the doubled bid promises beyond its declarer's mean, and its strain."""
        strain = turn.last % N_STRAINS
        return needed(turn.last) - means[np.where(turn.is_own, 0, 1), strain, np.arange(len(strain))], strain

    def _after_bids(self, means: Floats, turn: _Turn, shifts: Floats) -> Floats:
        """Means after the shifts for bids and passes."""
        beyond = _promised(means, turn)
        return _moved(means, shifts[turn.role], turn.heard, turn.bid_strain, beyond, turn.has_heard)

    def _after_all(self, turn: _Turn, shifts: Floats) -> Floats:
        """Means after everything heard."""
        means = self._after_bids(self.means[turn.role][:, :, turn.at].astype(np.float64), turn, shifts)
        if not turn.after_double:
            return means
        beyond, strain = self._promised_by_double(means, turn)
        heard = np.full(len(strain), int(Heard.DOUBLE))
        return _moved(means, shifts[turn.role], heard, strain, beyond, np.ones(len(strain), np.bool_))

    def distributions(self, shifts: Floats, otherwise: Ints) -> tuple[Ints, Ints]:
        """Distributions of tricks at the means after bids, and after doubles of the contract on the table.

        Parameters
        ----------
        shifts : ndarray
            In tricks.
        otherwise : ndarray
            Distributions before anybody has called, where there are too few cases.

        Returns
        -------
        tuple of ndarray
            Each (role, set, mean on the grid, tricks), in `PROB_UNIT`s.
        """
        after_bid, after_double = Counts(), Counts()
        for turn in self.turns:
            means = np.rint(self._after_all(turn, shifts)).astype(np.int64)
            for who in range(2):
                declarer = turn.role if who == 0 else 1 - turn.role
                for strain in range(N_STRAINS):
                    on_table = (turn.last % N_STRAINS == strain) & (turn.is_own == (who == 0))
                    # of the opponent's contracts only the one on the table is ever judged
                    has_bid = (turn.bid_strain >= 0) & (on_table if who == 1 else True)
                    chosen = on_table if turn.after_double else has_bid
                    counts = after_double if turn.after_double else after_bid
                    taken = self.tricks[declarer, strain, turn.at[chosen]]
                    counts.add(turn.role, set_of(strain, who), means[who, strain, chosen], taken)
        enough = _ENOUGH * self.share
        bids = after_bid.distributions(otherwise, enough)
        return bids, after_double.distributions(bids, enough)


def _joined(turns: Iterator[_Turn]) -> Iterator[_Turn]:
    """Turns of the same role, after doubles or not, as one."""
    alike: dict[tuple[int, bool], list[_Turn]] = {}
    for turn in turns:
        alike.setdefault((turn.role, turn.after_double), []).append(turn)
    for (role, after_double), each in alike.items():
        parts: Any = (np.concatenate(rows) for rows in zip(*(turn[1:-1] for turn in each), strict=True))
        yield _Turn(*(role, *parts, after_double))


def _promised(means: Floats, turn: _Turn) -> Floats:
    """Tricks, hundredths, that the opponent's last bid promises beyond his mean; 0 without a bid."""
    beyond = np.zeros(len(turn.at))
    has_bid = turn.his >= 0
    cases = np.arange(len(turn.at))[has_bid]
    beyond[has_bid] = needed(turn.his[has_bid]) - means[1, turn.bid_strain[has_bid], cases]
    return beyond


def _moved(
    means: Floats, shifts: Floats, heard: Ints, bid_strain: Ints, beyond: Floats, applies: npt.NDArray[np.bool_]
) -> Floats:
    """Means after one thing heard; shifts : heard, who declares, relation, 2."""
    moved, known = means.copy(), np.where(applies, heard, len(Heard))
    nothing = np.zeros((1, *shifts.shape[1:]))
    starts, slopes = np.concatenate([shifts, nothing]).reshape(-1, 2).T.copy()
    for strain in range(N_STRAINS):
        relation = relations(strain, bid_strain)
        for who in range(2):
            cell = (2 * known + who) * len(Relation) + relation
            moved[who, strain] += starts.take(cell) * HUNDREDTHS + slopes.take(cell) * beyond
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
    found: Ints = _RELATIONS[strain].take(bid_strain, mode="wrap")
    return found


def _relation(strain: int, bid_strain: int) -> Relation:
    if bid_strain == strain:
        return Relation.SAME
    if strain == Strain.NOTRUMP:
        return Relation.NT_AFTER_SUIT
    return Relation.SUIT_AFTER_NT if bid_strain == Strain.NOTRUMP else Relation.OTHER_SUIT


_RELATIONS = np.array([[_relation(strain, bid) for bid in (*range(N_STRAINS), -1)] for strain in range(N_STRAINS)], np.int64)
"""By strain and strain of the bid; the last column: no bid."""


def _sum_up(sums: Floats, cell: Ints, x: Floats, y: Floats) -> None:
    """Add n, sums of x, xx, y, xy to the cells (heard, relation)."""
    size = len(Heard) * len(Relation)
    for place, values in enumerate((None, x, x * x, y, x * y)):
        sums[:, :, place] += np.bincount(cell, values, size).reshape(len(Heard), len(Relation))


def _solved(sums: Floats, caution: float) -> Floats:
    """Intercept and slope of each cell, with cases of no difference added; sums : (role, who, relation, 5)."""
    n, x, xx, y, xy = (sums[..., place] for place in range(5))
    n, xx = n + caution, xx + caution
    determinant = n * xx - x * x
    return np.stack([(xx * y - x * xy) / determinant, (n * xy - x * y) / determinant], axis=-1)
