"""What a deal scores: by contract, by tricks above six, by calls, or by tricks in a shedding game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, Tag

from simcore.codes import BOOK, N_LEVELS, N_RANKS
from simcore.config.fields import MAP, SHAPE, WORD, CrossProblem, Entries, Points, Settings, Whole, Words
from simcore.config.models.cards import MOST_CARDS

MAX_OVERTRICKS = N_RANKS - BOOK
"""Overtricks of a contract of level 0 that takes every trick."""

LevelRow = Annotated[tuple[Points | None, ...], Entries(N_LEVELS, N_LEVELS, "one a level, 0 to 7")]
LevelPoints = Annotated[tuple[Points, ...], Entries(N_LEVELS, N_LEVELS, "one a level, 0 to 7")]
ShortRow = Annotated[tuple[Points, ...], Entries(1, N_RANKS, "one for 1, 2, ... tricks short")]
Factor = Annotated[int, Whole(1, 50)]


class Award(Settings):
    """Points of a made contract by strain and level; null: there is no such bid."""

    C: LevelRow = Field(default=(None, 150, 250, 250, 250, 750, 1500, 2200), description="Clubs: points by level 0 to 7.")
    D: LevelRow = Field(default=(None, 150, 250, 250, 250, 750, 1500, 2200), description="Diamonds: points by level 0 to 7.")
    H: LevelRow = Field(default=(None, 150, 250, 250, 750, 750, 1500, 2200), description="Hearts: points by level 0 to 7.")
    S: LevelRow = Field(default=(None, 150, 250, 250, 750, 750, 1500, 2200), description="Spades: points by level 0 to 7.")
    NT: LevelRow = Field(default=(150, 250, 250, 750, 750, 1500, 2200, 2500), description="No trump: points by level 0 to 7.")

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse suit bids of level 0."""
        for strain in ("C", "D", "H", "S"):
            value = getattr(self, strain)[0]
            if value is not None:
                yield ((f"{strain}.0",), f"{value} for 0{strain}, but suit bids begin at level 1; allowed: null")


class Multiplier(Settings):
    """What doubling multiplies when the contract is made."""

    applies_to: Literal["total", "award", "none"] = Field(
        default="total",
        description="total: everything the deal scores; award: award, exact and overtricks, not the bonus for doubling; none.",
    )
    doubled: Factor = Field(default=2, description="Factor of a doubled contract.")
    redoubled: Factor = Field(default=4, description="Factor of a redoubled contract.")


class Undertricks(Settings):
    """Points of the opponent for a failed contract: totals by tricks short, the last value holds for all beyond."""

    undoubled: ShortRow = Field(default=(100, 200, 300, 400, 700, 1000), description="Undoubled: points by tricks short.")
    doubled: ShortRow = Field(default=(200, 500, 800, 1100, 2000, 3000), description="Doubled: points by tricks short.")
    redoubled: ShortRow = Field(default=(300, 700, 1100, 1500, 2700, 4000), description="Redoubled: points by tricks short.")


class ContractTable(Settings):
    """Points by contract, tricks and doubling."""

    kind: Literal["contract_table"] = Field(default="contract_table", description="Kind of the scoring.")
    award: Award = Field(default=Award(), description="Points of a made contract, by strain and level.")
    exact: LevelPoints = Field(
        default=(250, 250, 250, 250, 250, 250, 100, 0), description="Points for taking exactly the tricks bid, by level 0 to 7."
    )
    overtricks_exactly: dict[Annotated[int, Whole(1, MAX_OVERTRICKS, digits_only=True)], Points] = Field(
        default={3: 350}, description="Points for exactly so many overtricks; {} for none."
    )
    doubled_made: Points = Field(default=400, description="Points for making a doubled contract.")
    redoubled_made: Points = Field(default=1000, description="Points for making a redoubled contract.")
    multiplier: Multiplier = Field(default=Multiplier(), description="What doubling multiplies.")
    undertricks: Undertricks = Field(default=Undertricks(), description="Points of the opponent for a failed contract.")


class StrainPoints(Settings):
    """Points of a trick above six, by the strain of the contract."""

    C: Points = Field(default=20, description="Clubs: points a trick.")
    D: Points = Field(default=20, description="Diamonds: points a trick.")
    H: Points = Field(default=30, description="Hearts: points a trick.")
    S: Points = Field(default=30, description="Spades: points a trick.")
    NT: Points = Field(default=30, description="No trump: points a trick, beyond the first.")


class Factors(Settings):
    """What doubling multiplies the points of the tricks with."""

    doubled: Factor = Field(default=2, description="Factor of a doubled contract.")
    redoubled: Factor = Field(default=4, description="Factor of a redoubled contract.")


class TrickValue(Settings):
    """Points for every trick won above six, if the contract is made."""

    kind: Literal["trick_value"] = Field(default="trick_value", description="Kind of the scoring.")
    trick_value: StrainPoints = Field(default=StrainPoints(), description="Points of a trick above six, by strain.")
    nt_first: Points = Field(default=40, description="Points of the first trick above six in no trump.")
    overtricks: Literal["trick_value", "none"] = Field(
        default="trick_value", description="trick_value: tricks above those bid count as well; none: they do not."
    )
    multiplier: Factors = Field(default=Factors(), description="What doubling multiplies the points with.")
    undertricks: Annotated[
        Annotated[Literal["none"], Words("none", other="{undoubled: [...], doubled: [...], redoubled: [...]}"), Tag(WORD)]
        | Annotated[Undertricks, Tag(MAP)],
        SHAPE,
    ] = Field(default="none", description="A failed contract. none: nobody scores; tables: points of the opponent.")


class MadePoints(Settings):
    """Points of a call that was made: a base and so much a trick."""

    base: Points = Field(default=10, description="Points for making the call.")
    per_trick: Points = Field(default=1, description="Points for each trick taken.")


class FailedPoints(Settings):
    """Points of a call that was not made."""

    per_trick: Points = Field(default=1, description="Points for each trick taken all the same.")


class CallsScoring(Settings):
    """Points of each player by his call and his tricks."""

    kind: Literal["calls"] = Field(default="calls", description="Kind of the scoring.")
    success: Literal["at_least", "at_most_one_over", "exact"] = Field(
        default="at_least",
        description="When a call below bonus_from is made. at_least: the tricks called or more; at_most_one_over: those or one"
        " more; exact: those only.",
    )
    made: Annotated[
        Annotated[Literal["call"], Words("call", other="{base: N, per_trick: N}"), Tag(WORD)] | Annotated[MadePoints, Tag(MAP)],
        SHAPE,
    ] = Field(
        default="call", description="Points of a call that was made. call: the number called; or a base and so much a trick."
    )
    failed: Annotated[
        Annotated[Literal["minus_call", "zero"], Words("minus_call", "zero", other="{per_trick: N}"), Tag(WORD)]
        | Annotated[FailedPoints, Tag(MAP)],
        SHAPE,
    ] = Field(
        default="minus_call",
        description="A call that was not made. minus_call: minus the number called; zero: nothing; or so much a trick.",
    )
    overtrick_points: Points = Field(default=0, description="Points of each trick above the call, not on bonus calls.")
    bonus_from: Annotated[int, Whole(0, MOST_CARDS)] | None = Field(
        default=8, description="Calls from this one on are bonus calls; null: there are none."
    )
    bonus_points: Points = Field(default=13, description="Points of a bonus call that was made.")
    bonus_overtricks: Annotated[int, Whole(0, MOST_CARDS)] = Field(
        default=1, description="Tricks above a bonus call that still make it."
    )


class SheddingScoring(Settings):
    """Points for tricks in a shedding game."""

    kind: Literal["shedding"] = Field(default="shedding", description="Kind of the scoring.")
    per_trick: Points = Field(default=1, description="Points of each trick of a player who is not declarer.")
    declarer_per_trick: Points = Field(default=0, description="Points of each trick of declarer, not when alone.")
    alone_per_trick: Points = Field(default=2, description="Points of each trick of a contract made alone.")
