"""The schema of a run: which variant, which bots, how much, from which seed, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from simcore.codes import N_STRAINS
from simcore.config.bot_models import Bot
from simcore.config.fields import CrossProblem, Decimals, Document, Settings, Whole, own_error
from simcore.config.solved import models_of, unsampled, unsolved
from simcore.config.tree import Plain
from simcore.config.variant import Variant
from simcore.errors import InputError
from simcore.notation import parse_call, parse_contract, parse_step

MOST = 10**12
"""Matches or deals of the longest run."""
Count = Annotated[int, Whole(1, MOST)]
HOW = ("engine", "scheduler")
"""Keys that say how a run is played and change nothing of what it holds."""
_GROUPS = ("hands", "exchange")
_TRICK_TABLES = {"bots": ("trick_table",), "perfect": ("perfect_table",), "both": ("trick_table", "perfect_table")}
_WORDS = {
    "bridge": "a contract; write a level, a strain and perhaps X or XX, as in 4SX",
    "calls": "a call; write a number of tricks, as in 5",
    "steps": "a bid; write a number of tricks and perhaps alone, as in 3 alone",
}
"""By kind of the auction, what `until.of` must be."""


def _plain_text(value: object) -> object:
    """A call may be written as a number."""
    return str(value) if isinstance(value, Plain | int) and not isinstance(value, bool) else value


class Until(Settings):
    """When a run ends by itself: at the width of an interval, never at what the interval says."""

    half_width: Annotated[int | float, Decimals(6, 0, 1)] = Field(
        description="Half the width of the 95 % interval at which the run ends; above 0."
    )
    of: Annotated[str, BeforeValidator(_plain_text)] | None = Field(
        default=None,
        description="The contract (4S, 4SX), call (5) or bid (3, 3 alone) whose make rate is meant; null: of all together.",
    )

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse a width that is never reached."""
        if not self.half_width:
            yield (("half_width",), "0 is never reached; allowed: above 0, at most 6 decimals")


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
    contracts: Literal["auction", "all"] = Field(
        default="auction",
        description="auction: what the bots bid is played; all: every strain from both sides as well, kept as the trick table.",
    )
    play: Literal["bots", "perfect", "both"] = Field(
        default="bots",
        description="Of contracts: all, who plays every strain, for tricks: the bots, perfect play of both hands, or both.",
    )
    hands: str | None = Field(
        default=None,
        max_length=4096,
        description="File of deals to play in place of random ones (JSON Lines or PBN); null: none.",
    )
    hands_digest: str | None = Field(
        default=None,
        pattern="[0-9a-f]{64}",
        description="SHA-256 of that file, so that a run goes on with the same deals only.",
    )
    output: Literal["rows", "summary"] = Field(
        default="rows",
        description="rows: a row a deal and a row a match are kept; summary: only sums, enough for rates and scores.",
    )
    columns: tuple[str, ...] = Field(
        default=(),
        description="Column groups on request: hands (as the auction begins), exchange (cards thrown); as masks and as text.",
    )
    chunk: Annotated[int, Whole(1, 1_000_000)] | None = Field(
        default=None, description="Matches in a chunk file; null: 4096, under unit: deal 24576 deals."
    )
    engine: Literal["threads", "dask"] = Field(
        default="threads",
        description="Who plays: threads of this process, or the workers of a Dask cluster. Changes no result.",
    )
    scheduler: str | None = Field(
        default=None,
        max_length=500,
        description="Address of the cluster's scheduler, or its JSON file; null: what Dask's own configuration says.",
    )
    until: Until | None = Field(
        default=None,
        description="Ending at a width of an interval, looked at after 10 000 x 2^k matches; null: only the length counts.",
    )

    @field_validator("columns", mode="after")
    @classmethod
    def _known_groups(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(name not in _GROUPS for name in value) or len(set(value)) < len(value):
            raise own_error(f"is not allowed; allowed: each of {', '.join(_GROUPS)} once")
        return value

    @model_validator(mode="after")
    def _fill_length(self) -> Self:
        if self.matches is None and self.deals is None:
            object.__setattr__(self, "deals", self.default_deals if self.until is None else MOST)
        if self.chunk is None:
            object.__setattr__(self, "chunk", 4096 if self.unit == "match" else 24_576)
        return self

    @model_validator(mode="after")
    def _fill_models(self) -> Self:
        """Note which models of tricks the bots use, so that a run goes on with the same only."""
        used = [model for bot in self.bots for model in models_of(bot, self.variant).values()]
        if any(model.digest is None for model in used):
            from simcore.used_models import with_digests

            object.__setattr__(self, "bots", with_digests(self.bots, self.variant))
        return self

    def content(self) -> dict[str, Any]:
        """What the run is, as a manifest keeps it: everything but who plays it."""
        return self.model_dump(mode="json", exclude=set(HOW))

    @property
    def groups(self) -> tuple[str, ...]:
        """Column groups to keep: those on request, and the trick tables where every contract is played."""
        if self.contracts != "all":
            return self.columns
        return (*self.columns, *_TRICK_TABLES[self.play])

    @property
    def chunk_matches(self) -> int:
        """Matches in a chunk file."""
        assert self.chunk is not None
        return self.chunk

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Return what is wrong with the length and the number of bots."""
        if self.matches is not None and self.deals is not None:
            yield (("deals", "matches"), "both deals and matches are given; give one of them")
        if self.unit == "deal" and self.matches is not None:
            yield (("matches", "unit"), "unit: deal plays no matches; give deals instead of matches")
        if self.hands is not None and self.unit != "deal":
            yield (("hands", "unit"), "deals from a file belong to no match; allowed with hands: unit: deal")
        if self.columns and self.output == "summary":
            yield (("columns", "output"), "output: summary keeps no rows, so it has no column groups; allowed: []")
        if self.contracts == "all" and self.output == "summary":
            yield (("contracts", "output"), "contracts: all keeps a trick table, which needs rows; allowed: output: rows")
        if "exchange" in self.columns and self.variant.exchange.kind not in ("upcard", "look_and_choose"):
            yield (
                ("columns", "variant.exchange.kind"),
                f"{self.variant.name} throws no cards before the auction; allowed: [], [hands]",
            )
        if self.scheduler is not None and self.engine != "dask":
            yield (("scheduler", "engine"), "a scheduler belongs to a cluster; allowed with scheduler: engine: dask")
        yield from self._until_problems()
        yield from self._perfect_problems()
        yield from self._sampling_problems()
        yield from self._model_problems()
        if self.variant.auction.kind != "bridge":
            none = f"{self.variant.name} has no contracts, because its auction is of kind {self.variant.auction.kind}"
            if self.contracts == "all":
                yield (("contracts", "variant.auction.kind"), f"{none}; allowed: contracts: auction")
            if self.output == "summary":
                yield (("output", "variant.auction.kind"), f"{none}, and summary keeps sums of contracts; allowed: rows")
        if len(self.bots) != self.variant.players:
            yield (
                ("bots",),
                f"{len(self.bots)} bots for {self.variant.players} players; give one for all seats or exactly one a seat",
            )

    def _perfect_problems(self) -> Iterator[CrossProblem]:
        """Where perfect play is asked for and is not solved, or has nothing to play."""
        if self.play != "bots" and self.contracts != "all":
            yield (
                ("play", "contracts"),
                f"play: {self.play} is about the trick table of contracts: all; allowed with contracts: auction: bots"
                " (bots that play perfectly: bots: [oracle])",
            )
        seers = [place for place, bot in enumerate(self.bots) if bot.sees_all]
        why = unsolved(self.variant) if seers or self.play != "bots" else None
        if why is not None and seers:
            name = self.bots[seers[0]].name
            yield (
                (f"bots.{seers[0]}", "bots"),
                f"{name} plays perfectly, which is solved for contracts between two hands; {why}",
            )
        if why is not None and self.play != "bots":
            yield (("play",), f"perfect play is solved for contracts between two hands; {why}")

    def _sampling_problems(self) -> Iterator[CrossProblem]:
        """Where a bot plays by sampling in a game that it cannot sample."""
        why = unsampled(self.variant)
        for seat, bot in enumerate(self.bots):
            if why is not None and bot.play.policy == "sampling":
                yield ((f"bots[{seat}].play.policy",), f"{bot.name} plays by sampling, which it cannot here; {why}")
                return

    def _model_problems(self) -> Iterator[CrossProblem]:
        """What is wrong with the models of bots that bid, or keep cards, by expected score."""
        for seat, bot in enumerate(self.bots):
            if models_of(bot, self.variant):
                from simcore.used_models import models_for

                try:
                    models_for(bot, self.variant)
                except InputError as error:
                    stage = "exchange" if str(error).startswith("exchange.") else "bidding"
                    yield ((f"bots[{seat}].{stage}.model",), str(error))
                    return

    def _until_problems(self) -> Iterator[CrossProblem]:
        """What is wrong with the contract, call or bid whose interval ends the run."""
        of = None if self.until is None else self.until.of
        if of is None:
            return
        from simcore.phases.auction.bridge_tables import existing_bids
        from simcore.phases.scoring.calls import highest_call

        auction = self.variant.auction
        try:
            if auction.kind == "calls":
                exists = int(auction.min) <= parse_call(of) <= highest_call(self.variant)
            elif auction.kind == "steps":
                bid, alone = parse_step(of)
                exists = bid in auction.bids and (auction.alone or not alone)
            else:
                contract = parse_contract(of)
                exists = bool(existing_bids(self.variant) >> (N_STRAINS * contract.level + contract.strain) & 1)
        except InputError:
            yield (("until.of",), f"'{of}' is not {_WORDS[auction.kind]}")
            return
        if not exists:
            yield (("until.of",), f"{self.variant.name} has no such bid as {of}")
