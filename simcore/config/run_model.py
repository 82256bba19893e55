"""The schema of a run: which variant, which bots, how much, from which seed, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from simcore.config.bot_models import Bot
from simcore.config.fields import CrossProblem, Document, Whole, own_error
from simcore.config.variant import Variant

Count = Annotated[int, Whole(1, 10**12)]


class Run(Document):
    """A batch of simulated matches. What is not available yet is refused, never ignored."""

    alternatives = (("matches", "deals"),)
    default_bots: ClassVar[str] = "heuristic"
    default_deals: ClassVar[int] = 1_000_000

    description: str | None = Field(default=None, max_length=2000, description="Free text for people.")
    variant: Variant = Field(description="The rules: a shipped name, a path, or the rules themselves.")
    bots: tuple[Bot, ...] = Field(
        description="The players: one for all seats or exactly one a seat; shipped names, paths, or bots themselves."
        f" Without the key: {default_bots}."
    )
    unit: Literal["match", "deal"] = Field(
        default="match", description="match: whole matches; deal: independent deals with a random dealer."
    )
    matches: Count | None = Field(default=None, description="Number of matches; instead of deals.")
    deals: Count | None = Field(
        default=None,
        description=f"Whole matches until at least so many deals are done. Without deals and matches: {default_deals}.",
    )
    seed: Annotated[int, Whole(0, 2**64 - 1)] = Field(default=1, description="Seed of all random numbers.")
    contracts: Literal["auction"] = Field(default="auction", description="auction: what the bots bid is played.")
    output: Literal["rows", "summary"] = Field(
        default="rows",
        description="rows: a row a deal and a row a match are kept; summary: only sums, enough for rates and scores.",
    )
    columns: tuple[str, ...] = Field(default=(), description="Column groups on request; none are available yet.")
    chunk: Annotated[int, Whole(1, 1_000_000)] = Field(default=4096, description="Matches in a chunk file.")
    until: None = Field(default=None, description="Stopping at a width of an interval; not available yet, so null.")

    @field_validator("columns", mode="after")
    @classmethod
    def _no_groups_yet(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if value:
            raise own_error("is not available yet; allowed: []")
        return value

    @field_validator("until", mode="before")
    @classmethod
    def _no_stopping_yet(cls, value: object) -> None:
        if value is not None:
            raise own_error("is not available yet; allowed: null")

    @model_validator(mode="after")
    def _fill_length(self) -> Self:
        if self.matches is None and self.deals is None:
            object.__setattr__(self, "deals", self.default_deals)
        return self

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Return what is wrong with the length and the number of bots."""
        if self.matches is not None and self.deals is not None:
            yield (("deals", "matches"), "both deals and matches are given; give one of them")
        if self.unit == "deal" and self.matches is not None:
            yield (("matches", "unit"), "unit: deal plays no matches; give deals instead of matches")
        if len(self.bots) != self.variant.players:
            yield (
                ("bots",),
                f"{len(self.bots)} bots for {self.variant.players} players; give one for all seats or exactly one a seat",
            )
