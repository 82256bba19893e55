"""Fitted models of tricks: the files in configs/models, whether one fits a variant, and the tables the kernels read.

A model holds, by role of the seat, kind of strain and who declares (`simcore.codes.TrickSet`), a weight for each feature of
a hand, the distribution of tricks at each predicted mean, and the shifts of the means after the opponent's calls. It is
made by `simcore fit` (`analysis.fitting`) for the rules that decide what a hand takes: cards, exchange, play. Scoring is not
among them: any table may be put over it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore import codes
from simcore.bots.bidding.expected import N_GRID, OPPONENT, OWN, STATES, Expected
from simcore.bots.bidding.hand_features import FEATURES
from simcore.call_model import CALL_FOLDER, CallModel, read_call_model, rules_of_calls
from simcore.choice_model import CHOICE_FOLDER, ChoiceModel, read_choice_model, scoring_of
from simcore.errors import InputError
from simcore.model_files import digest_of, read_file
from simcore.step_model import STEP_FOLDER, StepModel, read_step_model, rules_of_steps

if TYPE_CHECKING:
    from simcore.config import Variant

FORMAT = "simcore-trick-model/1"
AUTO = "auto"
CHOICES = "choices"
"""The name, among the kinds of auctions, of models for keep-or-throw decisions."""
KEEP_BEST = "keep_best"
"""Exchange policy of the hands that most models are made from."""
ROLES = tuple(role.name.lower() for role in codes.Role)
SETS = tuple(kind.name.lower() for kind in codes.TrickSet)
HEARD = tuple(heard.name.lower() for heard in codes.Heard)
N_RESULTS = codes.N_RANKS + 1
_PARTS = ("players", "deck", "deal", "exchange", "play", "colons")
"""Sections of a variant that decide what a hand takes."""
_SHAPES = {
    "weights": (len(ROLES), len(SETS), len(FEATURES)),
    "tricks": (len(STATES), len(ROLES), len(SETS), N_GRID, N_RESULTS),
    "shifts": (len(ROLES), len(HEARD), 2, len(codes.Relation), 2),
}


@dataclass(frozen=True, slots=True)
class TrickModel:
    """A model of tricks.

    Attributes
    ----------
    rules : dict
        The sections of the variant that it was fitted for.
    weights : ndarray
        int64[role, set, feature], in ten-thousandths of a trick.
    tricks : ndarray
        int64[state, role, set, mean on the grid, tricks]: probabilities in `PROB_UNIT`s.
    shifts : ndarray
        int64[role, heard, who declares, relation, 2], in ten-thousandths (`simcore.bots.bidding.expected.Expected`).
    provenance : dict
        How it was made: variant, bots, seeds, deals, versions.
    calibration : dict
        How it does on fresh deals.
    """

    rules: dict[str, Any]
    weights: np.ndarray
    tricks: np.ndarray
    shifts: np.ndarray
    provenance: dict[str, Any]
    calibration: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Digest of all that decisions depend on."""
        return digest_of(self.rules, (self.weights, self.tricks, self.shifts))

    def as_json(self) -> dict[str, Any]:
        """Form in a file."""
        return {
            "format": FORMAT,
            "digest": self.digest,
            "provenance": self.provenance,
            "rules": self.rules,
            "calibration": self.calibration,
            "features": list(FEATURES),
            "units": {"weights": codes.TRICK_UNIT, "shifts": codes.TRICK_UNIT, "tricks": codes.PROB_UNIT},
            "weights": _by_name(self.weights, ROLES, SETS),
            "shifts": _by_name(self.shifts, ROLES, HEARD),
            "tricks": {state: _by_name(self.tricks[i], ROLES, SETS) for i, state in enumerate(STATES)},
        }


AnyModel = TrickModel | CallModel | StepModel | ChoiceModel
"""What `simcore fit` makes."""


def _by_name(numbers: np.ndarray, first: Sequence[str], second: Sequence[str]) -> dict[str, Any]:
    return {a: {b: numbers[i, j].tolist() for j, b in enumerate(second)} for i, a in enumerate(first)}


def _lines(value: Any, indent: int) -> Iterator[str]:
    """A document as text: one line for a list of numbers."""
    margin, last = " " * indent, None
    nested = isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], list | dict))
    if not nested or not value:
        yield json.dumps(value, ensure_ascii=False)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    entries = list(value.items()) if isinstance(value, dict) else [(None, child) for child in value]
    yield opening
    for place, (key, child) in enumerate(entries):
        last = place == len(entries) - 1
        lines = list(_lines(child, indent + 1))
        lines[0] = f"{margin} {json.dumps(key)}: {lines[0]}" if key is not None else f"{margin} {lines[0]}"
        lines[-1] += "" if last else ","
        yield from lines
    yield margin + closing


def write_model(model: AnyModel, path: Path) -> None:
    """Write a model to a file.

    Parameters
    ----------
    model : TrickModel, CallModel or StepModel
    path : Path
        JSON; the same model gives the same bytes.
    """
    path.write_text("\n".join(_lines(model.as_json(), 0)) + "\n", encoding="utf-8")


def read_model(path: Path) -> TrickModel:
    """Read a model from a file.

    Parameters
    ----------
    path : Path
        As `write_model` wrote it.

    Returns
    -------
    TrickModel

    Raises
    ------
    InputError
        There is no such file, or it holds something else.
    """
    return read_file(path, FORMAT, FEATURES, _built)


def _built(document: dict[str, Any]) -> TrickModel:
    numbers = {name: _array(_values(document[name]), shape) for name, shape in _SHAPES.items()}
    return TrickModel(document["rules"], **numbers, provenance=document["provenance"], calibration=document["calibration"])


def _values(document: Any) -> Any:
    """Lists in place of the maps of a document."""
    return [_values(child) for child in document.values()] if isinstance(document, dict) else document


def _array(values: Any, shape: tuple[int, ...]) -> np.ndarray:
    numbers = np.array(values, np.int64)
    if numbers.shape != shape:
        raise ValueError(f"numbers of shape {numbers.shape}, not {shape}")
    return numbers


def rules_for_model(variant: Variant) -> dict[str, Any]:
    """The sections of a variant that decide what a hand takes.

    Parameters
    ----------
    variant : Variant

    Returns
    -------
    dict
        As JSON has them.
    """
    document = variant.model_dump(mode="json")
    return {part: json.loads(json.dumps(document[part])) for part in _PARTS}


_RULES: dict[type, Callable[[Variant], dict[str, Any]]] = {
    TrickModel: rules_for_model, CallModel: rules_of_calls, StepModel: rules_of_steps, ChoiceModel: rules_for_model,
}  # fmt: skip
_FOLDERS = {"bridge": "", "calls": CALL_FOLDER, "steps": STEP_FOLDER, CHOICES: CHOICE_FOLDER}
_READERS: dict[str, Callable[[Path], AnyModel]] = {
    "bridge": read_model, "calls": read_call_model, "steps": read_step_model, CHOICES: read_choice_model,
}  # fmt: skip


def differences(model: AnyModel, variant: Variant) -> list[str]:
    """What is different in a variant from the rules that a model was fitted for.

    Parameters
    ----------
    model : TrickModel, CallModel or StepModel
    variant : Variant

    Returns
    -------
    list of str
        A sentence a key; none where the model fits.
    """
    rules = _RULES[type(model)](variant)
    there, here = _leaves(model.rules), _leaves(rules)
    return [
        f"{key} is {json.dumps(there.get(key))} there and {json.dumps(here.get(key))} here"
        for key in dict.fromkeys([*there, *here])
        if there.get(key) != here.get(key)
    ]


def _leaves(value: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, child in value.items():
        found |= _leaves(child, f"{path}{key}.") if isinstance(child, dict) else {path + key: child}
    return found


def shipped_models(auction: str = "bridge") -> dict[str, Path]:
    """The shipped models by name, for an auction of bids (bridge), of calls or in steps, or for choices."""
    from simcore.config.shipped_files import configs_folder

    folder = configs_folder() / "models"
    return {path.stem: path for path in sorted((folder / _FOLDERS[auction]).glob("*.json"))}




def model_of(settings: Any, variant: Variant, stage: str = "bidding", exchange: str = KEEP_BEST) -> AnyModel:
    """The model that a bot uses in a variant.

    Parameters
    ----------
    settings : ExpectedBidding or ExpectedExchange
        The bot's settings of a stage.
    variant : Variant
    stage : str
        Which stage, for messages.
    exchange : str
        Policy by which the cards were kept: of models that fit alike, one made from such hands is taken.

    Returns
    -------
    TrickModel, CallModel or StepModel

    Raises
    ------
    InputError
        There is none, or it was fitted for other rules.
    """
    key = f"{stage}.model"
    kind = variant.auction.kind
    name, model = fitting_model(variant, key, exchange) if settings.model == AUTO else _named(settings.model, kind, key)
    return _checked(settings, variant, key, name, model, _advice(variant, key))


def _checked(settings: Any, variant: Variant, key: str, name: str, model: AnyModel, advice: str) -> AnyModel:
    """The model, unless it is for other rules or was changed."""
    wrong = differences(model, variant)
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise InputError(f"{key} {name} was fitted for other rules than those of {variant.name}: {wrong[0]}{more}\n{advice}")
    if settings.digest is not None and settings.digest != model.digest:
        raise InputError(f"{key} {name} has changed since: its digest is {model.digest}, not {settings.digest}")
    return model


def _advice(variant: Variant, key: str) -> str:
    advice = f"make one: simcore fit {variant.name} --play careful --out FILE.json, and name it as {key}"
    return advice + "\nor let it bid as points does: bidding.without_model: points" * (variant.auction.kind == "steps")


def _named(name: str, kind: str, key: str) -> tuple[str, AnyModel]:
    from simcore.config.fields import nearest

    shipped = shipped_models(kind)
    if name in shipped:
        return name, _READERS[kind](shipped[name])
    if name.endswith(".json") or "/" in name:
        if not Path(name).is_file():
            raise InputError(f"{key}: there is no file {name}; `simcore fit VARIANT --out FILE` makes one")
        return name, _READERS[kind](Path(name))
    near = nearest(name, shipped)
    hint = f"; did you mean {near}?" if near else ""
    raise InputError(f"{key}: there is no shipped model {name!r}; allowed: auto, {', '.join(shipped)}, or a path{hint}")


def fitting_model(variant: Variant, key: str, exchange: str = KEEP_BEST) -> tuple[str, AnyModel]:
    """The shipped model for a variant's rules, the variant's own first, and of these the one from hands kept like this.

    Where none fits, it is the one that is most like them.
    """
    kind = variant.auction.kind
    models = {name: _READERS[kind](path) for name, path in shipped_models(kind).items()}
    if not models:
        raise InputError(f"{key}: no model of tricks is shipped\n{_advice(variant, key)}")
    own = {name: model for name, model in models.items() if model.provenance["variant"] == variant.name}

    def unlike(name: str) -> tuple[int, bool, bool]:
        kept_by = models[name].provenance["exchange"]["policy"]
        return len(differences(models[name], variant)), name not in own, kept_by != exchange

    name = min({**own, **models}, key=unlike)
    return name, models[name]


def choice_model_of(settings: Any, variant: Variant) -> AnyModel:
    """The model by which a bot keeps or throws in a variant with choices.

    Parameters
    ----------
    settings : ExpectedExchange
    variant : Variant

    Returns
    -------
    ChoiceModel

    Raises
    ------
    InputError
        There is none of that name, or it was fitted for other rules.
    """
    key = "exchange.model"
    name, model = fitting_choice_model(variant) if settings.model == AUTO else _named(settings.model, CHOICES, key)
    advice = f"make one: simcore fit {variant.name} --choosing --out FILE.json, and name it as {key}"
    return _checked(settings, variant, key, name, model, advice)


def fitting_choice_model(variant: Variant) -> tuple[str, ChoiceModel]:
    """The shipped model of choices for a variant's rules; of these the one of its scoring table, or that of its name.

    Where none fits, it is the one that is most like them. At least one is shipped.
    """
    models = {name: read_choice_model(path) for name, path in shipped_models(CHOICES).items()}
    scoring = scoring_of(variant)

    def unlike(name: str) -> tuple[int, bool, bool]:
        model = models[name]
        return len(differences(model, variant)), model.scoring != scoring, model.provenance["variant"] != variant.name

    name = min(models, key=unlike)
    return name, models[name]


def build_expected(models: Sequence[TrickModel], rules: Any) -> Expected:
    """What the kernels read: models, and the expected score of every contract at every mean.

    Parameters
    ----------
    models : sequence of TrickModel
        Those that seats use.
    rules : Rules
        With the scoring table.

    Returns
    -------
    Expected
        Scores are in tenths of a point times `PROB_UNIT`: exact.
    """
    tenths = rules.score.tenths.astype(np.float64).transpose(1, 3, 2, 0)  # strain, tricks, doubling, level
    shape = (len(models), len(STATES), len(ROLES), 2, codes.N_STRAINS, N_GRID, codes.N_DOUBLINGS, codes.N_LEVELS)
    scores = np.zeros(shape, np.int64)
    for number, model in enumerate(models):
        for who in (OWN, OPPONENT):
            for strain in range(codes.N_STRAINS):
                chances = model.tricks[:, :, set_of(strain, who)].astype(np.float64)
                means = chances @ tenths[strain].reshape(N_RESULTS, -1)  # whole numbers far below 2^53: exact in any order
                scores[number, :, :, who, strain] = means.reshape(*chances.shape[:-1], codes.N_DOUBLINGS, codes.N_LEVELS)
    return Expected(
        weights=np.ascontiguousarray([model.weights for model in models], np.int64),
        shifts=np.ascontiguousarray([model.shifts for model in models], np.int64),
        opener=int(rules.auction.opener),
        scores=scores,
    )


def set_of(strain: int, who: int) -> int:
    """The `TrickSet` of a strain and of who declares."""
    names = (codes.TrickSet.SUIT_OWN, codes.TrickSet.SUIT_OPPONENT)
    no_trump = (codes.TrickSet.NT_OWN, codes.TrickSet.NT_OPPONENT)
    return int((no_trump if strain == codes.Strain.NOTRUMP else names)[who])
