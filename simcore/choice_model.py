"""Fitted worths of hands in the making, for keep-or-throw decisions: the files in configs/models/choosing, and their tables.

A model says for each turn of Draw and Discard what a hand of so many cards is worth in points of the deal, as its features
tell. It is made by `simcore fit VARIANT --choosing` (`analysis.fitting_choices`) for the rules that decide what a hand takes;
its points are those of the scoring table with which it was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from simcore import codes
from simcore.bots.choosing.expected import CHOICE_FEATURES, N_CHOICE_FEATURES, N_TURNS, Choosing
from simcore.model_files import digest_of, read_file

CHOICE_FORMAT = "simcore-choice-model/1"
CHOICE_FOLDER = "choosing"
"""Where such models are among those shipped."""
WORTH_UNIT = 1000
"""Weights are in so many parts of a tenth of a point."""
_MOST_WEIGHT = 10**12


@dataclass(frozen=True, slots=True)
class ChoiceModel:
    """What hands in the making are worth.

    Attributes
    ----------
    rules : dict
        The sections of the variant that it was fitted for.
    scoring : dict
        The sections that say what its points are.
    weights : ndarray
        int64[turn, feature], in thousandths of a tenth of a point.
    provenance : dict
        How it was made: variant, bots, seeds, deals, versions.
    calibration : dict
        How it does on fresh deals.
    """

    rules: dict[str, Any]
    scoring: dict[str, Any]
    weights: np.ndarray
    provenance: dict[str, Any]
    calibration: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Digest of all that decisions depend on."""
        return digest_of(self.rules, (self.weights,))

    def as_json(self) -> dict[str, Any]:
        """Form in a file."""
        return {
            "format": CHOICE_FORMAT,
            "digest": self.digest,
            "provenance": self.provenance,
            "rules": self.rules,
            "scoring": self.scoring,
            "calibration": self.calibration,
            "features": list(CHOICE_FEATURES),
            "units": {"weights": WORTH_UNIT * codes.TENTHS},
            "weights": self.weights.tolist(),
        }


def read_choice_model(path: Path) -> ChoiceModel:
    """Read a model from a file.

    Parameters
    ----------
    path : Path
        As `simcore.trick_model.write_model` wrote it.

    Returns
    -------
    ChoiceModel

    Raises
    ------
    InputError
        There is no such file, or it holds something else.
    """
    return read_file(path, CHOICE_FORMAT, CHOICE_FEATURES, _built)


def _built(document: dict[str, Any]) -> ChoiceModel:
    weights = np.array(document["weights"])
    if weights.shape != (N_TURNS, N_CHOICE_FEATURES) or weights.dtype != np.int64 or np.abs(weights).max() > _MOST_WEIGHT:
        raise ValueError(f"weights of shape {weights.shape}, not {(N_TURNS, N_CHOICE_FEATURES)} whole numbers")
    if not isinstance(document["scoring"], dict):
        raise TypeError("scoring is no map")
    return ChoiceModel(
        document["rules"], document["scoring"], weights, provenance=document["provenance"], calibration=document["calibration"]
    )


def scoring_of(variant: Any) -> dict[str, Any]:
    """The sections of a variant that say what the points of a model are.

    Parameters
    ----------
    variant : Variant

    Returns
    -------
    dict
        As JSON has them.
    """
    document: dict[str, Any] = variant.model_dump(mode="json")
    return {part: document[part] for part in ("auction", "scoring")}


def build_choosing(models: Sequence[ChoiceModel]) -> Choosing:
    """What the kernels read in choices.

    Parameters
    ----------
    models : sequence of ChoiceModel
        Those that seats use.

    Returns
    -------
    Choosing
    """
    return Choosing(weights=np.ascontiguousarray([model.weights for model in models], np.int64))
