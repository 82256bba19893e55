"""Bidders of a panel: bots that bid by expected score, with margins by which calls must be better, and with less knowledge.

A margin is taken off what calls of a kind seem worth, in the tables of expected scores; the bots' code does not know of it.
Margins are shares of the table's size, so that auctions still depend on ratios alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.batch import Setup
from simcore.bots.bidding.expected import BID_KNOWN, DOUBLE_KNOWN, NOTHING_KNOWN, OPPONENT, OWN, PERCENT
from simcore.bots.bidding.hand_features import FEATURES
from simcore.codes import BOOK, N_LEVELS, N_STRAINS, PROB_UNIT, Doubling, ExpectedParam
from simcore.trick_model import TrickModel, build_expected

PLAIN, EQUILIBRATED, COARSE, OPEN = "plain", "equilibrated", "coarse", "open"
TOLD = {
    PLAIN: "bids by expected score",
    EQUILIBRATED: "the same with margins that are best responses to themselves",
    COARSE: "bids by expected score, knows honours and trump length alone",
    OPEN: "both know what every contract takes",
}
"""The bidders, and what each does."""
UNDOUBLED, DOUBLED, REDOUBLED = int(Doubling.UNDOUBLED), int(Doubling.DOUBLED), int(Doubling.REDOUBLED)


class Margins(NamedTuple):
    """By how much calls must be better, as shares of the table's size; zero for the plain bidder."""

    opening: float = 0.0
    """Bids of the first speaker before anybody has bid."""
    second: float = 0.0
    """Bids of the second speaker after a pass."""
    over: float = 0.0
    """Bids over a bid of the opponent."""
    level: float = 0.0
    """Every bid, for each level."""
    double: float = 0.0
    redouble: float = 0.0
    trust: float = 0.0
    """By so much of the whole, calls are worth what they bring unanswered, rather than after the best answer."""

    @property
    def key(self) -> str:
        """The same margins give the same text."""
        return json.dumps([round(value, 6) for value in self]) if any(self) else ""


NO_MARGINS = Margins()


def size_of(tenths: npt.NDArray[Any]) -> float:
    """Size of a table of points: the mean of contracts that are made exactly; it grows with all numbers.

    Parameters
    ----------
    tenths : ndarray
        Points by level, strain, doubling and tricks (`simcore.rules.ScoreRules`).

    Returns
    -------
    float
        Tenths of a point.
    """
    worth = [tenths[level, strain, UNDOUBLED, BOOK + level] for level in range(N_LEVELS) for strain in range(N_STRAINS)]
    return float(np.mean([value for value in worth if value > 0] or [1]))


def with_margins(scores: npt.NDArray[np.int64], margins: Margins, opener: int, size: float) -> npt.NDArray[np.int64]:
    """A model's table of expected scores with margins taken off.

    Parameters
    ----------
    scores : ndarray
        int64[state, role, who declares, strain, mean on the grid, doubling, level].
    margins : Margins
    opener : int
        Role of the seat that speaks first.
    size : float
        Of the table, tenths of a point.

    Returns
    -------
    ndarray
        A copy.
    """
    if not any(margins[:-1]):
        return scores
    found, unit = scores.copy(), size * PROB_UNIT

    def whole(share: float) -> int:
        return round(share * unit)

    bids = slice(UNDOUBLED, REDOUBLED)  # what a bid is worth, and what it is worth when it is doubled
    found[NOTHING_KNOWN, opener, OWN, :, :, bids] -= whole(margins.opening)
    found[NOTHING_KNOWN, 1 - opener, OWN, :, :, bids] -= whole(margins.second)
    found[BID_KNOWN, :, OWN, :, :, bids] -= whole(margins.over)
    for state in (NOTHING_KNOWN, BID_KNOWN):
        for level in range(N_LEVELS):
            found[state, :, OWN, :, :, bids, level] -= whole(level * margins.level)
    found[BID_KNOWN, :, OPPONENT, :, :, DOUBLED:] += whole(margins.double)  # declarer's points: the other's view
    found[DOUBLE_KNOWN, :, OWN, :, :, REDOUBLED] -= whole(margins.redouble)
    return found


@dataclass(frozen=True, slots=True)
class Bidder:
    """Who bids in a seat.

    Attributes
    ----------
    name : str
        Of `TOLD`.
    model : TrickModel
    margins : Margins
    """

    name: str
    model: TrickModel
    margins: Margins = NO_MARGINS


def seated(setup: Setup, bidders: Sequence[Bidder]) -> Setup:
    """A setup whose seats bid as bidders do.

    Parameters
    ----------
    setup : Setup
        Of bots that bid by expected score, under the table in force.
    bidders : sequence of Bidder
        One for both seats, or one a seat.

    Returns
    -------
    Setup
    """
    rules, table = setup.rules, setup.bot_table
    models = list({id(bidder.model): bidder.model for bidder in bidders}.values())
    built, size = build_expected(models, rules), size_of(rules.score.tenths)
    numbers = [next(place for place, model in enumerate(models) if model is bidder.model) for bidder in bidders]
    opener = int(rules.auction.opener)
    scores = [
        with_margins(built.scores[number], bidder.margins, opener, size)
        for number, bidder in zip(numbers, bidders, strict=True)
    ]
    params = table.bidding_params.copy()
    for seat in range(len(params)):
        number = seat % len(bidders)
        guard = int(params[seat, ExpectedParam.GUARD]) - round(PERCENT * bidders[number].margins.trust)
        params[seat, ExpectedParam.MODEL] = number
        params[seat, ExpectedParam.GUARD] = min(max(guard, 0), PERCENT)
    expected = built._replace(
        weights=built.weights[numbers], shifts=built.shifts[numbers], scores=np.ascontiguousarray(np.stack(scores))
    )
    return replace(setup, bot_table=table._replace(expected=expected, bidding_params=params))


_HONOURS = {"ace": 4, "king": 3, "queen": 2, "jack": 1}


def coarse_basis() -> npt.NDArray[np.float64]:
    """What the coarse bidder sees of a hand, as combinations of features.

    Returns
    -------
    ndarray, shape (features, 5)
        One, points of the turned card's classes, honours 4-3-2-1, trump length.
    """
    names = list(FEATURES)
    found = np.zeros((len(names), 5))
    for column, name in enumerate(("one", "face_turned", "ace_turned")):
        found[names.index(name), column] = 1
    for honour, points in _HONOURS.items():
        for where in ("trump", "side"):
            found[names.index(f"{where}_{honour}"), 3] = points
    found[names.index("trump_length"), 4] = 1
    return found
