"""The schema of a sweep: which run is varied, which of its values, and what the points are compared by."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from simcore.config.fields import Document
from simcore.config.tree import Plain

AXIS = "Values by path, as `--set` writes it: a list, or a range {from: 0, to: 400, step: 100}, its end included."


def _plain(value: Any) -> Any:
    """Values as Python's: unquoted numbers are numbers."""
    if isinstance(value, dict):
        return {str(key): _plain(child) for key, child in value.items()}
    if isinstance(value, tuple | list):
        return tuple(_plain(child) for child in value)
    if not isinstance(value, Plain):
        return value
    text = value.replace("_", "")
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return str(value)


class Sweep(Document):
    """One run at many points: every combination of the values of a grid."""

    description: str | None = Field(default=None, max_length=2000, description="Free text for people.")
    base: Any = Field(description="The run that is varied: a run or a variant by shipped name or path, or a run as a map.")
    common_deals: bool = Field(
        default=True,
        description="true: the same seed at every point, so that points are compared deal by deal; false: a seed for each.",
    )
    reference: int | str | None = Field(
        default=None, description="The point that the others are compared with: its number or name; null: the first."
    )
    measure: str = Field(
        default="make_rate",
        description="What the best point is best in: make_rate, passed_out, contested, points_dealer, points_seat_0, "
        "wins_seat_0 and so on.",
    )
    grid: dict[str, Any] = Field(default={}, description=f"{AXIS} Every combination is a point.")
    zip: dict[str, Any] = Field(default={}, description=f"{AXIS} Lists of equal length, that move together.")

    @field_validator("reference", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        return int(value) if isinstance(value, Plain) and value.isdecimal() else value

    @field_validator("base", "grid", "zip", mode="after")
    @classmethod
    def _numbers(cls, value: Any) -> Any:
        return _plain(value)
