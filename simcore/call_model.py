"""Fitted models of tricks for games of calls: the files in configs/models/calls, and the tables the kernels read.

A model holds, for each call, a weight for each feature of the caller's view and the distribution of tricks at each predicted
mean. It is made by `simcore fit` (`analysis.fitting_calls`) for the rules that decide what a caller takes: cards, auction,
play, and when a call is made, since players play to that. What a call scores is not among them: any points may be put over
it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore import codes
from simcore.bots.calls.expected import CALL_FEATURES, Called
from simcore.model_files import digest_of, read_file
from simcore.phases.scoring.calls import highest_call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simcore.config import Variant

CALL_FORMAT = "simcore-call-model/1"
CALL_FOLDER = "calls"
"""Where such models are among those shipped."""
_PARTS = ("players", "deck", "deal", "exchange", "auction", "play", "colons")
_DIMENSIONS = 3
_SUCCESS = ("success", "bonus_from", "bonus_overtricks")
"""What of the scoring decides which tricks a caller wants."""


@dataclass(frozen=True, slots=True)
class CallModel:
    """A model of tricks for a game of calls.

    Attributes
    ----------
    rules : dict
        The sections of the variant that it was fitted for.
    lowest : int
        The lowest call.
    weights : ndarray
        int64[call - lowest, feature], in ten-thousandths of a trick.
    tricks : ndarray
        int64[call - lowest, mean on the grid, tricks]: probabilities in `PROB_UNIT`s.
    provenance : dict
        How it was made: variant, bots, seeds, deals, versions.
    calibration : dict
        How it does on fresh deals.
    """

    rules: dict[str, Any]
    lowest: int
    weights: np.ndarray
    tricks: np.ndarray
    provenance: dict[str, Any]
    calibration: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Digest of all that decisions depend on."""
        return digest_of([self.rules, self.lowest], (self.weights, self.tricks))

    def as_json(self) -> dict[str, Any]:
        """Form in a file; of calls with the same numbers the first alone has them."""
        rows: dict[str, Any] = {}
        for place, (weights, tricks) in enumerate(zip(self.weights, self.tricks, strict=True)):
            same = next(
                i for i in range(place + 1) if (self.weights[i] == weights).all() and (self.tricks[i] == tricks).all()
            )
            call = str(self.lowest + place)
            rows[call] = (
                {"as": self.lowest + same}
                if same < place
                else {"weights": weights.tolist(), "tricks": tricks.tolist()}
            )
        return {
            "format": CALL_FORMAT,
            "digest": self.digest,
            "provenance": self.provenance,
            "rules": self.rules,
            "calibration": self.calibration,
            "features": list(CALL_FEATURES),
            "units": {"weights": codes.TRICK_UNIT, "tricks": codes.PROB_UNIT},
            "calls": rows,
        }


def rules_of_calls(variant: Variant) -> dict[str, Any]:
    """The sections of a variant that decide what a caller takes.

    Parameters
    ----------
    variant : Variant
        With an auction of calls.

    Returns
    -------
    dict
        As JSON has them.
    """
    document = json.loads(json.dumps(variant.model_dump(mode="json")))
    found: dict[str, Any] = {part: document[part] for part in _PARTS}
    found["scoring"] = {key: document["scoring"][key] for key in _SUCCESS}
    if found["scoring"]["bonus_from"] is None:
        found["scoring"]["bonus_overtricks"] = None  # without bonus calls it says nothing
    return found


def read_call_model(path: Path) -> CallModel:
    """Read a model from a file.

    Parameters
    ----------
    path : Path
        As `simcore.trick_model.write_model` wrote it.

    Returns
    -------
    CallModel

    Raises
    ------
    InputError
        There is no such file, or it holds something else.
    """
    return read_file(path, CALL_FORMAT, CALL_FEATURES, _built)


def _built(document: dict[str, Any]) -> CallModel:
    rows = {int(call): row for call, row in document["calls"].items()}
    full = [rows[row["as"]] if "as" in row else row for row in rows.values()]
    weights, tricks = (np.array([row[part] for row in full], np.int64) for part in ("weights", "tricks"))
    in_order = list(rows) == list(range(min(rows), max(rows) + 1))
    if not in_order or weights.shape[1:] != (len(CALL_FEATURES),) or tricks.ndim != _DIMENSIONS:
        raise ValueError("numbers of another shape")
    return CallModel(document["rules"], min(rows), weights, tricks, document["provenance"], document["calibration"])


def build_called(models: Sequence[CallModel], rules: Any) -> Called:
    """What the kernels read: models, and the expected score of every call at every mean.

    Parameters
    ----------
    models : sequence of CallModel
        Those that seats use.
    rules : Rules
        With the scoring table.

    Returns
    -------
    Called
        Scores are in tenths of a point times `PROB_UNIT`: exact.
    """
    first, last = int(rules.calls.lowest), int(rules.calls.highest)
    tenths = rules.call_score.tenths.astype(np.int64)  # call, tricks
    n_grid, n_results = models[0].tricks.shape[1:]
    weights = np.zeros((len(models), last + 1, len(CALL_FEATURES)), np.int64)
    same = np.zeros((len(models), last + 1), np.int64)
    scores = np.zeros((len(models), last + 1, n_grid), np.int64)
    for number, model in enumerate(models):
        for call in range(first, last + 1):
            row = model.weights[call - model.lowest]
            weights[number, call] = row
            same[number, call] = next(c for c in range(first, call + 1) if (weights[number, c] == row).all())
            scores[number, call] = model.tricks[call - model.lowest] @ tenths[call, :n_results]
    return Called(weights=weights, same=same, scores=scores)


def calls_of(variant: Variant) -> range:
    """The calls of a variant.

    Parameters
    ----------
    variant : Variant
        With an auction of calls.

    Returns
    -------
    range
    """
    return range(int(variant.auction.min), highest_call(variant) + 1)  # type: ignore[union-attr]
