"""Cells of a scoring table: how they are named, read and changed.

A cell is named by its path in the section `scoring`: ``award.C[1]``, ``exact[6]``, ``doubled_made``; the path of a list or map
means all numbers in it. ``award=150`` means all awards that are 150 in today's table.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from simcore.config import Variant, load_variant
from simcore.errors import InputError

Path_: TypeAlias = tuple[str | int, ...]
Values: TypeAlias = dict[Path_, float]
_BY_VALUE = re.compile(r"award=([0-9]+(?:\.[0-9])?)")
_PART = re.compile(r"(\w+)((?:\[[0-9]+\])*)")
FINEST = 0.1
"""Points are exact tenths."""


def path_text(path: Path_) -> str:
    """A path as people write it."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def scoring_of(variant: Variant) -> dict[str, Any]:
    """The section `scoring` as JSON has it."""
    found: dict[str, Any] = variant.model_dump(mode="json")["scoring"]
    return found


def _leaves(value: Any, path: Path_) -> Values:
    """Numbers below a place."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return {}
    if isinstance(value, int | float):
        return {path: value}
    entries = value.items() if isinstance(value, Mapping) else enumerate(value)
    found: Values = {}
    for key, child in entries:
        found |= _leaves(child, (*path, key))
    return found


def cells(variant: Variant, selector: str) -> Values:
    """The cells that a text names, with their values.

    Parameters
    ----------
    variant : Variant
    selector : str

    Returns
    -------
    dict
        Path -> value.

    Raises
    ------
    InputError
        It names none.
    """
    scoring = scoring_of(variant)
    by_value = _BY_VALUE.fullmatch(selector.replace(" ", ""))
    if by_value:
        awards = _leaves(scoring.get("award", {}), ("award",))
        found = {path: value for path, value in awards.items() if value == float(by_value[1])}
        if not found:
            there = ", ".join(f"{value:g}" for value in sorted(set(awards.values()))) or "none"
            raise InputError(f"{selector}: {variant.name} has no such award; there are {there}")
        return found
    found = _leaves(_at(variant, scoring, selector), _parsed(selector))
    if not found:
        raise InputError(f"{selector}: there is no number in scoring.{selector} of {variant.name}")
    return found


def _parsed(selector: str) -> Path_:
    path: list[str | int] = []
    for text in selector.removeprefix("scoring.").split("."):
        match = _PART.fullmatch(text)
        if not match:
            raise InputError(f"{selector!r} names no cell; write for example award.C[1], exact or award=150")
        path += [match[1], *(int(number) for number in re.findall(r"[0-9]+", match[2]))]
    return tuple(path)


def _at(variant: Variant, scoring: dict[str, Any], selector: str) -> Any:
    value: Any = scoring
    for part in _parsed(selector):
        if isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        elif isinstance(value, dict) and str(part) in value:
            value = value[str(part)]
        else:
            from simcore.config.fields import nearest

            near = nearest(str(part), [str(key) for key in value]) if isinstance(value, dict) else None
            hint = f"; did you mean {near}?" if near else ""
            there = ", ".join(map(str, value)) if isinstance(value, dict) else "numbers only"
            raise InputError(f"{selector}: scoring of {variant.name} has no {part} there; there are {there}{hint}")
    return value


def with_cells(variant: Variant, values: Values) -> Variant:
    """A variant with other numbers in its scoring table.

    Parameters
    ----------
    variant : Variant
    values : dict
        Path -> value.

    Returns
    -------
    Variant
        Checked as a file is.
    """
    document = variant.model_dump(mode="json")
    scoring = copy.deepcopy(document["scoring"])
    for path, value in values.items():
        place = scoring
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = int(value) if float(value).is_integer() else value
    return load_variant({**document, "scoring": scoring}, label=variant.name)


def rounded(value: float, step: float) -> float:
    """A value on the grid of a step, exactly a tenth.

    Parameters
    ----------
    value, step : float

    Returns
    -------
    float
    """
    return round(round(value / step) * step, 1)


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that move together, by a common factor.

    Attributes
    ----------
    name : str
    today : dict
        Path -> today's value.
    low, high : float
        Bounds of the factor.
    step : float
        Shipped values are multiples of it.
    """

    name: str
    today: Mapping[Path_, float]
    low: float = 0.2
    high: float = 5.0
    step: float = 10.0

    def values(self, factor: float, step: float = FINEST) -> Values:
        """The cells' values under a factor, on the grid of a step."""
        return {path: rounded(value * factor, step) for path, value in self.today.items()}

    @property
    def shown(self) -> float:
        """Today's value of the first cell that is not zero, as a name for the factor one."""
        return next((value for value in self.today.values() if value), 0.0)


def table_of(groups: Sequence[Group], factors: Sequence[float], shipped: bool = False) -> Values:
    """The cells of all groups under factors.

    Parameters
    ----------
    groups : sequence of Group
    factors : sequence of float
    shipped : bool
        On the grid of each group's step, not only tenths.

    Returns
    -------
    dict
    """
    found: Values = {}
    for group, factor in zip(groups, factors, strict=True):
        found |= group.values(float(factor), group.step if shipped else FINEST)
    return found


def default_groups(variant: Variant) -> list[Group]:
    """The parts of a scoring table that people think of: tiers of awards, each bonus, each column of undertricks.

    Parameters
    ----------
    variant : Variant

    Returns
    -------
    list of Group
        Those with a number above zero.
    """
    if variant.scoring.kind == "contract_table":
        awards = sorted(set(_leaves(scoring_of(variant)["award"], ()).values()))
        names = {f"award={value:g}": f"award_{value:g}" for value in awards}
        names |= {name: name for name in ("exact", "overtricks_exactly", "doubled_made", "redoubled_made")}
    else:
        names = {"trick_value": "trick_value", "nt_first": "nt_first"}
    columns = scoring_of(variant).get("undertricks")
    if isinstance(columns, dict):
        names |= {f"undertricks.{column}": f"undertricks_{column}" for column in columns}
    found = []
    for selector, name in names.items():
        try:
            group = Group(name, cells(variant, selector))
        except InputError:  # an empty map
            continue
        if group.shown:
            found.append(group)
    return found
