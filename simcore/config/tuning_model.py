"""The schema of a tuning: which cells of a scoring table may move, what is aimed at, how it is searched and judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from simcore.config.fields import CrossProblem, Decimals, Document, Entries, Name, Settings, Whole
from simcore.config.variant import Variant

Number = Annotated[int | float, Decimals(6, -1_000_000, 1_000_000)]
Positive = Annotated[int | float, Decimals(6, 0, 1_000_000)]
Band = Annotated[tuple[Number, ...], Entries(2, 2, "the lowest and the highest value that are as good as any between")]
Deals = Annotated[int, Whole(1000, 10_000_000)]
BLOCKS = 50
"""Groups of deals of the intervals; a part must have some deals in each."""
_WHEN_USED = ConfigDict(defer_build=True)
"""Other commands load this module too; what checks tunings is built when there is one."""


class FreeCells(Settings):
    """Cells that move together, by a common factor."""

    model_config = _WHEN_USED

    name: Name = Field(description="Name in reports.")
    cells: Annotated[tuple[str, ...], Entries(1, 100, "paths below scoring, or award=150")] = Field(
        description="Paths below scoring (exact, award.C[1], undertricks.doubled); award=150: all awards that are 150 today."
    )
    low: Positive = Field(default=0.5, description="Least factor on today's values.")
    high: Positive = Field(default=2, description="Largest factor on today's values.")
    step: Annotated[int | float, Decimals(1, 0, 10_000)] = Field(
        default=10, description="Values that are written are multiples of it; above 0."
    )

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse bounds that leave today's table out."""
        if not 0 < self.low <= 1 <= self.high or self.low == self.high:
            yield (("low", "high"), "today's values (factor 1) must lie between low and high, with low above 0 and below high")
        if not self.step:
            yield (("step",), "0 is no step; allowed: above 0")


class Target(Settings):
    """A measure and the band in which it should be."""

    model_config = _WHEN_USED

    measure: str = Field(
        max_length=200, description="Name of a measure, as simcore sensitivity lists them; a + b: the sum of two or more."
    )
    band: Band = Field(description="From and to; inside there is nothing to gain.")
    unit: Positive = Field(description="Acceptance unit: by how much it may miss the band before it counts as one; above 0.")
    scale: Literal["plain", "log"] = Field(default="plain", description="log: misses are differences of logarithms.")
    weight: Positive = Field(default=1, description="Factor on the residual.")

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse bands that are none."""
        if len(self.band) == 2 and self.band[0] > self.band[1]:
            yield (("band",), "the first value must not be above the second")
        if self.scale == "log" and self.band and self.band[0] <= 0:
            yield (("band", "scale"), "scale: log needs values above 0")
        if not self.unit:
            yield (("unit",), "0 is no unit; allowed: above 0")


class Order(Settings):
    """Redoubles must not begin at lower beliefs than those at which doubles end (simcore thresholds)."""

    model_config = _WHEN_USED

    weight: Positive = Field(default=0, description="Factor on the residuals, one a tier; 0: not aimed at.")
    unit: Positive = Field(default=0.05, description="Acceptance unit of a difference of beliefs; above 0.")


class Monotone(Settings):
    """Every tier's award must be well above that of the tier before, and penalties above those of the doubling before."""

    model_config = _WHEN_USED

    weight: Positive = Field(default=8, description="Factor on the residuals; 0: not asked for.")
    gap: Positive = Field(default=0.25, description="Least difference of the logarithms of neighbouring awards and penalties.")


class Distance(Settings):
    """Free cells stay near today's values unless something is gained."""

    model_config = _WHEN_USED

    weight: Positive = Field(default=0.5, description="Factor on the residuals, one for each group of free cells.")
    factor: Annotated[int | float, Decimals(6, 1, 100)] = Field(
        default=1.5, description="A group that is so many times today's values counts as one unit; above 1."
    )


class Panel(Settings):
    """Whose auctions the results are averaged over."""

    model_config = _WHEN_USED

    bidders: Annotated[tuple[Literal["plain", "equilibrated"], ...], Entries(1, 2, "bidders of equal weight")] = Field(
        default=("plain", "equilibrated"),
        description="plain: bids by expected score; equilibrated: the same with margins that are best responses to themselves.",
    )
    beside: Annotated[tuple[Literal["coarse", "open"], ...], Entries(0, 2, "bidders that are not tuned on")] = Field(
        default=("coarse", "open"),
        description="Reported, not tuned on. coarse: knows honours and trump length alone; open: both know all tricks.",
    )
    rounds: Annotated[int, Whole(1, 50)] = Field(default=8, description="Rounds of damped, averaged best responses.")
    deals: Deals = Field(default=4096, description="Deals over which best responses are sought; four times as many judge them.")
    outer: Annotated[int, Whole(1, 10)] = Field(
        default=2, description="How often the equilibrated bidder is found anew, at what was found, and searched again."
    )

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse bidders named twice."""
        if len(set(self.bidders)) < len(self.bidders) or len(set(self.beside)) < len(self.beside):
            yield (("bidders", "beside"), "a bidder is named twice")


class Played(Settings):
    """Whole deals that bots play under today's table and under the one that was found."""

    model_config = _WHEN_USED

    bots: Annotated[tuple[str, ...], Entries(0, 5, "names or paths of bots")] = Field(
        default=("expected",),
        description="Each plays against itself; those that bid by expected score adapt to each table. [] for none.",
    )
    deals: Deals = Field(default=100_000, description="Deals that each bot plays under each table.")


class DealCounts(Settings):
    """How many deals each part has; the parts are disjoint."""

    model_config = _WHEN_USED

    model: Deals = Field(default=60_000, description="Deals that the model of tricks is fitted to.")
    beliefs: Deals = Field(default=10_000, description="Deals over which bidders fit their beliefs under every candidate.")
    search: Deals = Field(default=20_000, description="Deals of each search.")
    final: Deals = Field(default=200_000, description="Fresh deals that judge the result.")
    parts: Annotated[int, Whole(2, 50)] = Field(
        default=20, description="Parts of the fresh deals, each with beliefs of its own, so that intervals hold their scatter."
    )


class Search(Settings):
    """How what is aimed at is searched for."""

    model_config = _WHEN_USED

    method: Literal["gauss_newton", "cma", "random"] = Field(
        default="gauss_newton",
        description="gauss_newton: on the residuals; cma: CMA-ES, for objectives that are not smooth; random: a baseline.",
    )
    generations: Annotated[int, Whole(1, 1000)] = Field(default=15, description="Of cma; random tries as many tables.")
    population: Annotated[int, Whole(4, 200)] = Field(default=12, description="Tables of a generation.")
    sigma: Positive = Field(default=0.15, description="First spread of cma and that of random, as logarithms.")
    searches: Annotated[int, Whole(1, 20)] = Field(default=3, description="Searches on different deals; their spread is told.")
    steps: Annotated[int, Whole(0, 50)] = Field(default=6, description="Most steps of a search.")
    difference: Annotated[int | float, Decimals(6, 0, 1)] = Field(
        default=0.12, description="Finite differences, as logarithms of the factors; above 0."
    )
    cap: Positive = Field(default=0.4, description="Largest step of a group, as logarithm of its factor.")
    damping: Annotated[tuple[Positive, ...], Entries(1, 10, "each is tried at every step")] = Field(
        default=(0.3, 3, 30, 300), description="Levenberg's damping; the best of these is taken at every step."
    )
    least_gain: Annotated[int | float, Decimals(6, 0, 1)] = Field(
        default=0.01, description="A search ends when a step gains less than this share of the objective."
    )
    belief_rounds: Annotated[int, Whole(1, 20)] = Field(
        default=2, description="Damped rounds of self-play in which beliefs follow a candidate, always from the same start."
    )


class Tuning(Document):
    """A search for a scoring table."""

    model_config = _WHEN_USED

    description: str | None = Field(default=None, max_length=2000, description="Free text for people.")
    variant: Variant = Field(description="The rules with today's table: a shipped name, a path, or the rules themselves.")
    bot: str = Field(default="expected", max_length=200, description="The bot that bids, by expected score: name or path.")
    play: Literal["perfect", "careful", "eager", "random"] = Field(
        default="careful", description="What finds the tricks of every contract: perfect play, or a play policy of both sides."
    )
    seed: Annotated[int, Whole(0, 2**64 - 1)] = Field(default=1, description="Seed of all random numbers.")
    fit_seed: Annotated[int, Whole(0, 2**64 - 1)] | None = Field(
        default=None, description="Seed of the deals that bidders are fitted to under today's table; null: that of all others."
    )
    panel: Panel = Field(default=Panel.model_construct(), description="Whose auctions the results are averaged over.")
    played: Played = Field(default=Played.model_construct(), description="Deals that are played to judge the result.")
    deals: DealCounts = Field(default=DealCounts.model_construct(), description="How many deals each part has.")
    free: Annotated[tuple[FreeCells, ...], Entries(1, 40, "groups of cells")] = Field(description="What may move.")
    targets: Annotated[tuple[Target, ...], Entries(0, 100, "measures with bands")] = Field(
        description="What is aimed at; [] where a plugin's objective says all."
    )
    order: Order = Field(default=Order.model_construct(), description="The order of doubles and redoubles.")
    monotone: Monotone = Field(default=Monotone.model_construct(), description="Awards must rise.")
    distance: Distance = Field(default=Distance.model_construct(), description="How dear it is to leave today's table.")
    search: Search = Field(default=Search.model_construct(), description="How it is searched.")

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse names given twice and games without contracts."""
        names = [group.name for group in self.free]
        for place, name in enumerate(names):
            if name in names[:place]:
                yield ((f"free[{place}].name",), f"{name} is the name of another group too")
        if self.variant.auction.kind != "bridge":
            yield (("variant",), f"{self.variant.name} has no contracts; a tuning needs auction.kind bridge")
