"""Fitted models of tricks for games of steps (Pit): the files in configs/models/steps, and the tables the kernels read.

A model holds weights of what a seat sees and distributions of its tricks as declarer, for each number of cards it has to get
rid of; and how likely another player is to declare after a call, with what becomes of his cards. It is made by `simcore fit`
(`analysis.fitting_steps`) for the rules that decide these: all but what a trick scores and how a match is won, where getting
rid of one's cards wins it; where points do, all.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore import codes
from simcore.bots.steps.expected import (
    BUCKETS,
    LEVELS,
    MOST_TRICKS,
    N_CELLS,
    N_OUTCOMES,
    N_STEP_FEATURES,
    QUOTA_CLASSES,
    STEP_FEATURES,
    Stepping,
)
from simcore.model_files import digest_of, read_file
from simcore.phases.play.worth import SURE
from simcore.phases.shedding import (
    PERSISTENT,
    QUOTA,
    declarer_tenths,
    existing_steps,
    is_made,
    is_out,
    other_tenths,
    penalty,
    quota_afresh,
    quota_when_made,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simcore.config import Variant

STEP_FORMAT = "simcore-step-model/1"
STEP_FOLDER = "steps"
"""Where such models are among those shipped."""
_PARTS = ("players", "deck", "deal", "exchange", "auction", "play", "shedding")
N_ROWS = codes.HUNDREDTHS * MOST_TRICKS // codes.GRID_STEP + 1
"""Means on the grid."""
_SHAPES = {
    "weights": (QUOTA_CLASSES, N_STEP_FEATURES),
    "tricks": (QUOTA_CLASSES, N_ROWS, MOST_TRICKS + 1),
    "others": (N_CELLS, BUCKETS, N_OUTCOMES),
    "rest": (LEVELS, QUOTA_CLASSES, BUCKETS),
    "strengths": (codes.MAX_QUOTAS + 2,),
}


@dataclass(frozen=True, slots=True)
class StepModel:
    """A model of tricks for a game of steps.

    Attributes
    ----------
    rules : dict
        The sections of the variant that it was fitted for.
    weights : ndarray
        int64[quota class, feature], in ten-thousandths of a trick.
    tricks : ndarray
        int64[quota class, mean on the grid, tricks]: probabilities in `PROB_UNIT`s.
    others : ndarray
        int64[cell, bucket, outcome]: chance that another player declares with that outcome, in `PROB_UNIT`s.
    rest : ndarray
        int64[level, quota class, bucket]: the own points less the others' where these declare, in tenths times the others.
    strengths : ndarray
        int64[cards to get rid of]: how strong a player stands; his chance to win is his among all.
    provenance : dict
        How it was made: variant, bots, seeds, deals, versions.
    calibration : dict
        How it does on fresh deals.
    """

    rules: dict[str, Any]
    weights: np.ndarray
    tricks: np.ndarray
    others: np.ndarray
    rest: np.ndarray
    strengths: np.ndarray
    provenance: dict[str, Any]
    calibration: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Digest of all that decisions depend on."""
        return digest_of(self.rules, (getattr(self, name) for name in _SHAPES))

    def as_json(self) -> dict[str, Any]:
        """Form in a file; rows of nothing but zeros are left out, and zeros at the end of a row."""
        return {
            "format": STEP_FORMAT,
            "digest": self.digest,
            "provenance": self.provenance,
            "rules": self.rules,
            "calibration": self.calibration,
            "features": list(STEP_FEATURES),
            "units": {"weights": codes.TRICK_UNIT, "tricks": codes.PROB_UNIT, "others": codes.PROB_UNIT, "rest": codes.TENTHS},
            **{name: _rows(getattr(self, name)) for name in _SHAPES},
        }


def _rows(numbers: np.ndarray) -> dict[str, list[int]] | list[int]:
    """Rows by their place, without zeros at the end; of one row its numbers."""
    if numbers.ndim == 1:
        return numbers.tolist()  # type: ignore[no-any-return]
    found = {}
    for place in np.ndindex(*numbers.shape[:-1]):
        row = numbers[place].tolist()
        while row and row[-1] == 0:
            row.pop()
        if row:
            found["/".join(map(str, place))] = row
    return found


def _array(rows: Any, shape: tuple[int, ...]) -> np.ndarray:
    found = np.zeros(shape, np.int64)
    if len(shape) == 1:
        rows = {"": rows}
    for place, row in rows.items():
        at = tuple(int(part) for part in place.split("/") if part)
        if len(at) != len(shape) - 1 or min(at, default=0) < 0 or not all(type(number) is int for number in row):
            raise ValueError("numbers of another shape")
        found[at][: len(row)] = row
    return found


def rules_of_steps(variant: Variant) -> dict[str, Any]:
    """The sections of a variant that decide what a bid comes to.

    Parameters
    ----------
    variant : Variant
        With an auction in steps.

    Returns
    -------
    dict
        As JSON has them.
    """
    document = json.loads(json.dumps(variant.model_dump(mode="json")))
    found: dict[str, Any] = {part: document[part] for part in _PARTS}
    by_points = document["match"]["victory"] != "shed"
    found["victory"] = "points" if by_points else "shed"
    if by_points:
        found["scoring"] = document["scoring"]
    return found


def read_step_model(path: Path) -> StepModel:
    """Read a model from a file.

    Parameters
    ----------
    path : Path
        As `simcore.trick_model.write_model` wrote it.

    Returns
    -------
    StepModel

    Raises
    ------
    InputError
        There is no such file, or it holds something else.
    """
    return read_file(path, STEP_FORMAT, STEP_FEATURES, _built)


def _built(document: dict[str, Any]) -> StepModel:
    numbers = {name: _array(document[name], shape) for name, shape in _SHAPES.items()}
    return StepModel(document["rules"], **numbers, provenance=document["provenance"], calibration=document["calibration"])


# --- what the kernels read --------------------------------------------------------------------------------------------


def _quota_after(rules: Any, players: int, quota: int, bid: int, alone: int, tricks: int) -> int:
    """Declarer's cards after a round of as many tricks as he had cards; -1 where he has won the match."""
    made = bool(is_made(bid, tricks))
    cost = 0 if made else int(penalty(rules.stakes, bid, alone, tricks, quota))
    if rules.model in (QUOTA, PERSISTENT):
        after = int(quota_when_made(rules.stakes, quota, tricks, tricks * players)) if made else quota + cost
        if made and after == 0 and rules.stakes.target > 0:
            after = int(quota_afresh(rules.deal.cards, 0))
    else:  # what he won goes to his hand
        after = 0 if made else max(tricks * players + cost, codes.CARDS_DRAWN_ANEW)
    return -1 if is_out(rules, made, after) else after


def _margin(rules: Any, players: int, quota: int, bid: int, alone: int, tricks: int) -> int:
    """Declarer's points, in tenths, times the others, less theirs."""
    own = int(declarer_tenths(rules.stakes, bid, alone, tricks))
    return (players - 1) * own - int(other_tenths(rules.stakes, quota - tricks))


def build_stepping(models: Sequence[StepModel], variant: Variant, rules: Any) -> Stepping:
    """What the kernels read: models, and what a round is worth to declarer.

    Parameters
    ----------
    models : sequence of StepModel
        Those that seats use.
    variant : Variant
    rules : SheddingRules
        Its numbers.

    Returns
    -------
    Stepping
    """
    bids = existing_steps(variant)
    shape = (2, bids[-1] + 1, codes.MAX_QUOTAS + 1, MOST_TRICKS + 1)
    after, points = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for alone in range(2):
        for bid in bids:
            for quota in range(1, codes.MAX_QUOTAS + 1):
                for tricks in range(min(quota, MOST_TRICKS) + 1):
                    round_ = (rules, variant.players, quota, bid, alone, tricks)
                    after[alone, bid, quota, tricks] = _quota_after(*round_)
                    points[alone, bid, quota, tricks] = _margin(*round_)
    return Stepping(
        **{name: np.ascontiguousarray([getattr(model, name) for model in models], np.int64) for name in _SHAPES},
        after=after,
        points=points,
        bids=np.uint64(rules.steps.bids),
        sure=SURE,
    )
