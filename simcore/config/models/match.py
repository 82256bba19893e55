"""How long a match is, who wins it, and what a shedding game gets rid of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field, Tag

from simcore.config.fields import MAP, SHAPE, WORD, CrossProblem, Decimals, Settings, Whole, Words

DEALS_ONLY = ("extra_deal_then_draw", "until_broken")
"""Ties that count extra deals beyond the number of deals of the match."""
AnyTie = Literal["extra_deal_then_draw", "until_broken", "draw", "extra_deal"]
MatchPoints = Annotated[int | float, Decimals(1, 1, 1_000_000)]


class VictoryPoints(Settings):
    """The first to stand alone at the top with so many points wins."""

    points: MatchPoints = Field(description="Points that win the match.")


class Match(Settings):
    """A match of a number of deals, to a target, or until somebody has won; what is not in use is null."""

    alternatives = (("deals", "target", "victory"),)

    deals: Annotated[int, Whole(1, 10_000)] | None = Field(
        default=None, description="Deals of a match; the highest total wins."
    )
    target: MatchPoints | None = Field(
        default=None, description="Points to reach; at the end of a deal the highest total at or above it wins."
    )
    tie: AnyTie | None = Field(
        default=None,
        description="Level at the top. draw: shared; extra_deal: more deals until one stands alone; with deals also"
        " extra_deal_then_draw: one more; until_broken: more deals, at most 100.",
    )
    victory: (
        Annotated[
            Annotated[Literal["shed"], Words("shed", other="{points: N}"), Tag(WORD)] | Annotated[VictoryPoints, Tag(MAP)],
            SHAPE,
        ]
        | None
    ) = Field(
        default=None,
        description="Who wins a shedding game. shed: who gets rid of all cards; {points: N}: who is alone at the top with N.",
    )
    max_deals: Annotated[int, Whole(1, 100_000)] | None = Field(
        default=None, description="Cap on the deals of a match, redealt ones included; null: none."
    )

    @classmethod
    def outlived(cls, given: Collection[str], before: Mapping[str, object]) -> Iterator[str]:
        """Return what a match of another length cannot keep: a tie that counts extra deals, the lack of a cap."""
        if not any(key in given for key in cls.alternatives[0]):
            return
        tie = before.get("tie")
        if tie is None or "victory" in given or ("target" in given and tie in DEALS_ONLY):
            yield "tie"
        if before.get("max_deals") is None and "deals" not in given:
            yield "max_deals"


class Shedding(Settings):
    """What a round of a shedding game does to the cards that everybody must get rid of."""

    model: Literal["quota", "persistent", "capture"] = Field(
        default="quota",
        description="quota: a fresh deal each round, of as many cards as a player must still get rid of; persistent: one deal,"
        " everybody takes back what he played; capture: one deal, the tricks won go to the hand.",
    )
    unit: Literal["trick", "card"] = Field(
        default="trick", description="What a made contract gets rid of for a trick won: one card, or every card of the trick."
    )
    alone_failed: Literal["all_not_won", "shortfall"] = Field(
        default="all_not_won",
        description="What a failed contract alone costs: all tricks of the round not won, or the tricks short of the bid.",
    )

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse counting cards where real cards are removed."""
        if self.unit == "card" and self.model == "persistent":
            yield (
                ("unit", "model"),
                "unit: card does not go with model: persistent, which removes the cards that won the tricks; say unit: trick",
            )
