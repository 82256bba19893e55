"""The schema of a bot: one model per policy of a stage, with its parameters and their defaults.

The order of a model's fields is the order of the numbers that the kernels receive (:func:`policy_params`). A new policy is
a class here, its name in the union of its stage, its code in ``simcore.codes`` and its kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self, get_args

from pydantic import Field, model_validator

from simcore.codes import MOST_EXACT, N_LEVELS, N_RANKS
from simcore.config.exchange_models import (
    WHOLE,
    ExpectedExchange,
    KeepBestExchange,
    KeepHighExchange,
    ModelDigest,
    ModelName,
    Percent,
    Policy,
    RandomExchange,
)
from simcore.config.fields import CrossProblem, Decimals, Document, Entries, Hundredths, Name, Settings, Whole
from simcore.config.models.cards import MOST_CARDS
from simcore.plugins import REGISTRY

MOST_SAMPLES = 1000
_MOST_POINTS = 37
"""High-card points of the best thirteen cards."""
Weights = Annotated[tuple[Annotated[int, Whole(0, 1_000_000)], ...], Entries(N_LEVELS, N_LEVELS, "one a level, 0 to 7")]


# --- bidding --------------------------------------------------------------------------------------------------------


class RandomBidding(Policy):
    """Bids at random with a sane distribution of levels, so that auctions do not always end in 7NT."""

    policy: Literal["random"] = Field(default="random", description="Bids at random, levels by weight.")
    level_weights: Weights = Field(
        default=(4, 16, 24, 24, 16, 9, 5, 2), description="Weight of a bid of level 0 to 7 (whole numbers, no unit)."
    )
    double_percent: Percent = Field(default=10, description="Chance to double or redouble where it is legal, in percent.")
    pass_percent: Percent = Field(default=20, description="Chance to pass, in percent.")
    call_spread: Annotated[int, Whole(0, MOST_CARDS)] = Field(
        default=5, description="Games of calls: it calls at random from the lowest call to so many above it."
    )
    step_pass_percent: Percent = Field(default=60, description="Steps, as in Pit: chance to pass where it may, in percent.")
    alone_percent: Percent = Field(
        default=10, description="Steps, as in Pit: chance that its first bid is made alone, in percent."
    )

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Return what is wrong with weights and chances taken together."""
        if not any(self.level_weights):
            yield (("level_weights",), "all weights are 0; at least one must be positive")
        total = self.double_percent + self.pass_percent
        if total > WHOLE:
            yield (("double_percent", "pass_percent"), f"double_percent + pass_percent is {total}; allowed: at most 100")


class PointsBidding(Policy):
    """Estimates the tricks of each strain from honours and length, and bids what it expects to make."""

    policy: Literal["points"] = Field(default="points", description="Bids what it expects to make from honours and length.")
    ace: Hundredths = Field(default=0.69, description="Value of an ace, in tricks.")
    king: Hundredths = Field(default=0.45, description="Value of a king, in tricks.")
    queen: Hundredths = Field(default=0.47, description="Value of a queen, in tricks.")
    jack: Hundredths = Field(default=0.31, description="Value of a jack, in tricks.")
    colon: Hundredths = Field(default=-0.15, description="Value of a colon, in tricks.")
    nt_base: Hundredths = Field(default=4.90, description="Tricks in no trump of a hand without honours.")
    suit_base: Hundredths = Field(default=0.65, description="Tricks in a suit of a hand without honours and trumps.")
    length: Hundredths = Field(default=0.99, description="Value of each trump, in tricks.")
    void: Hundredths = Field(default=0.90, description="Value of a void when there are trumps, in tricks.")
    singleton: Hundredths = Field(default=0.20, description="Value of a singleton when there are trumps, in tricks.")
    margin: Hundredths = Field(default=0.10, description="Tricks it wants beyond those it promises.")
    compete: Hundredths = Field(default=1.02, description="Tricks it bids more when the opponent has bid.")
    double_margin: Hundredths = Field(
        default=5.75, description="Tricks, as if declarer in his strain, beyond those that defeat the opponent, for a double."
    )
    redouble_margin: Hundredths = Field(default=-0.10, description="Tricks expected beyond the contract for a redouble.")
    call_trump: Hundredths = Field(default=0.65, description="Games of calls: value of each trump, in tricks.")
    call_trump_ace: Hundredths = Field(default=0.90, description="Games of calls: more for the ace of trumps.")
    call_trump_king: Hundredths = Field(default=0.70, description="Games of calls: more for the king of trumps.")
    call_trump_queen: Hundredths = Field(default=0.42, description="Games of calls: more for the queen of trumps.")
    call_trump_jack: Hundredths = Field(default=0.23, description="Games of calls: more for the jack of trumps.")
    call_ace: Hundredths = Field(default=0.92, description="Games of calls: value of an ace beside the trumps.")
    call_king: Hundredths = Field(default=0.60, description="Games of calls: value of a king with another card of its suit.")
    call_queen: Hundredths = Field(default=0.25, description="Games of calls: value of a queen with two others of its suit.")
    call_ruff: Hundredths = Field(
        default=0.10, description="Games of calls: value of each trump, up to three, with a singleton; twice with a void."
    )
    call_margin: Hundredths = Field(
        default=0.25, description="Games of calls: tricks it wants beyond its call, where more than called do no harm."
    )
    call_exact: Hundredths = Field(
        default=-0.40,
        description="Games of calls: the same where a call must be met exactly; 0.30 more where one over is allowed.",
    )
    call_bonus: Hundredths = Field(default=0.30, description="Games of calls: tricks it wants beyond a bonus call.")
    step_base: Hundredths = Field(default=-1.10, description="Steps, as in Pit: tricks of a hand without cards.")
    step_trump: Hundredths = Field(default=1.28, description="Steps: value of a trump that nobody beats, in tricks.")
    step_low_trump: Hundredths = Field(default=0.62, description="Steps: value of a trump that others beat, in tricks.")
    step_side: Hundredths = Field(default=0.51, description="Steps: value of a side card that only trumps beat, in tricks.")
    step_card: Hundredths = Field(default=0.37, description="Steps: value of each card, in tricks.")
    step_held: Hundredths = Field(default=-2.03, description="Steps: tricks more if the others held all cards unseen.")
    step_longer: Hundredths = Field(default=0.51, description="Steps: value of each card by which the hand is the longest.")
    step_margin: Hundredths = Field(default=2.40, description="Steps: tricks it bids beyond those expected.")
    step_caution: Hundredths = Field(default=0.32, description="Steps: tricks it bids less for each of its cards.")
    step_out: Hundredths = Field(default=5.00, description="Steps: tricks it bids more where making the bid wins the match.")
    step_stop: Hundredths = Field(
        default=1.20, description="Steps: tricks it bids more against a bid that could end the match."
    )
    step_block: Hundredths = Field(default=0.60, description="Steps: the same before a player who could make such a bid.")
    step_raise: Hundredths = Field(default=-0.60, description="Steps: tricks it bids more where somebody has bid.")
    step_alone: Hundredths = Field(
        default=-4.00, description="Steps, where points win: tricks expected beyond the bid for a bid alone."
    )
    seen_ace: Hundredths = Field(
        default=0.85, description="Most cards seen: value of the highest card left of a suit, in tricks."
    )
    seen_king: Hundredths = Field(default=0.60, description="Most cards seen: value of the second highest card left.")
    seen_queen: Hundredths = Field(default=0.38, description="Most cards seen: value of the third highest card left.")
    seen_jack: Hundredths = Field(default=0.24, description="Most cards seen: value of the fourth highest card left.")
    seen_ten: Hundredths = Field(default=0.12, description="Most cards seen: value of the fifth highest card left.")
    seen_length: Hundredths = Field(default=0.54, description="Most cards seen: value of each trump, in tricks.")
    seen_against: Hundredths = Field(
        default=0.47, description="Most cards seen: cost of each trump that the opponent must hold."
    )
    seen_void: Hundredths = Field(default=0.80, description="Most cards seen: value of a void when there are trumps.")
    seen_singleton: Hundredths = Field(default=0.20, description="Most cards seen: value of a singleton when there are trumps.")
    seen_suit_base: Hundredths = Field(
        default=2.60, description="Most cards seen: tricks in a suit of a hand without all this."
    )
    seen_nt_base: Hundredths = Field(default=1.05, description="Most cards seen: tricks in no trump of a hand without honours.")
    seen_nt_factor: Hundredths = Field(
        default=1.45, description="Most cards seen: honours count so many times as much in no trump."
    )
    seen_margin: Hundredths = Field(default=0.70, description="Most cards seen: tricks it wants beyond those it promises.")
    seen_compete: Hundredths = Field(
        default=0.90, description="Most cards seen: tricks it bids more when the opponent has bid."
    )
    seen_double: Hundredths = Field(default=2.30, description="Most cards seen: as double_margin.")


class HighCardsBidding(Policy):
    """Bids its longest suit as high as its high-card points go."""

    policy: Literal["high_cards"] = Field(default="high_cards", description="Bids its longest suit by high-card points alone.")
    opening: Annotated[int, Whole(0, _MOST_POINTS)] = Field(default=12, description="High-card points for level 1.")
    per_level: Annotated[int, Whole(1, _MOST_POINTS)] = Field(
        default=3, description="High-card points more for each further level."
    )
    double_from: Annotated[int, Whole(0, _MOST_POINTS)] = Field(default=20, description="High-card points for a double.")
    call_percent: Percent = Field(
        default=90, description="Games of calls: how much of its share of the high-card points it calls, in percent."
    )
    step_points: Annotated[int, Whole(0, _MOST_POINTS)] = Field(
        default=1, description="Steps, as in Pit: high-card points for each trick that it bids."
    )


class PerfectBidding(Policy):
    """Solves the auction, knowing both hands and what every contract makes with them."""

    reads_table: ClassVar[bool] = True
    sees_all: ClassVar[bool] = True
    policy: Literal["perfect"] = Field(
        default="perfect", description="Sees both hands: calls what the best answer of the opponent leaves worth most."
    )


class ExpectedBidding(Policy):
    """Makes the call with the best expected score, by a fitted model of tricks."""

    not_numbers: ClassVar[tuple[str, ...]] = ("policy", "model", "digest", "without_model")
    reads_table: ClassVar[bool] = True

    policy: Literal["expected"] = Field(default="expected", description="Makes the call with the best expected score.")
    guard: Percent = Field(
        default=100, description="How much of a call's worth is that after the opponent's best answer to it, in percent."
    )
    beliefs: bool = Field(default=True, description="Whether it learns from what the opponent calls.")
    solves_known: bool = Field(
        default=False,
        description="Whether it solves the auction where it knows the other hand from what it has seen, as in Draw Bridge.",
    )
    model: ModelName = "auto"
    digest: ModelDigest = None
    without_model: Literal["refuse", "points"] = Field(
        default="refuse", description="In steps (Pit), with rules that no shipped model fits: refuse, or bid as points does."
    )


# --- play -----------------------------------------------------------------------------------------------------------


class RandomPlay(Policy):
    """Plays any legal card."""

    policy: Literal["random"] = Field(default="random", description="Plays any legal card.")


class CarefulPlay(Policy):
    """Draws trumps, leads the top of its ripest suit, wins as cheaply as it can, bars where it cannot win."""

    policy: Literal["careful"] = Field(default="careful", description="Draws trumps, leads from the top, wins cheaply.")


class EagerPlay(Policy):
    """Leads high, wins high, uses colons as soon as it may."""

    policy: Literal["eager"] = Field(default="eager", description="Leads high, wins high, uses colons as soon as it may.")


class PerfectPlay(Policy):
    """Sees both hands and plays a card that keeps what perfect play makes of them."""

    sees_all: ClassVar[bool] = True
    policy: Literal["perfect"] = Field(default="perfect", description="Sees both hands and plays a best card.")
    aim: Literal["points", "tricks"] = Field(
        default="points", description="What it plays for: points of the contract, or tricks; the two differ often."
    )

    def needs_table(self) -> bool:
        """Play for points reads the table of points."""
        return self.aim == "points"


class SamplingPlay(Policy):
    """Draws the hidden cards again and again, as they may be for all it has seen, and plays what is best on average."""

    reads_table: ClassVar[bool] = True  # with aim tricks only in games of calls
    policy: Literal["sampling"] = Field(
        default="sampling", description="Draws hidden cards as they may be, and plays the card that fares best on average."
    )
    samples: Annotated[int, Whole(1, MOST_SAMPLES)] = Field(default=20, description="Two hands: layouts for each decision.")
    aim: Literal["points", "score", "tricks"] = Field(
        default="tricks",
        description="Two hands: what is best in a layout. points: points, both sides playing for points; score: points,"
        " both sides playing for tricks; tricks: tricks.",
    )
    solve_from: Annotated[int, Whole(0, N_RANKS)] = Field(
        default=11, description="Two hands: most own cards with which it samples; with more it plays as careful does."
    )
    discards: Annotated[int, Whole(0, N_RANKS)] = Field(
        default=4,
        description="Two hands, where cards are exchanged: so many more are drawn for a layout, and the lowest thrown, since"
        " the opponent kept his best; 0: all hands that he may hold are equally likely.",
    )
    rollouts: Annotated[int, Whole(1, MOST_SAMPLES)] = Field(
        default=100, description="More hands: layouts of the hidden cards for each decision, to play each card out in."
    )
    roll_from: Annotated[int, Whole(0, MOST_CARDS)] = Field(
        default=MOST_CARDS, description="More hands: most cards in the own hand with which it samples; before, as careful."
    )
    others: Percent = Field(default=100, description="More hands: percent of the others' mean score that counts against it.")
    exact_from: Annotated[int, Whole(0, MOST_EXACT)] = Field(default=0, description="Calls: most own cards to solve with.")


# --- users' bots ----------------------------------------------------------------------------------------------------


class PluginPolicy(Policy):
    """Decides by a bot of a plugin, which the command line must name as well: files cannot name code."""

    policy: Literal["plugin"] = Field(default="plugin", description="Decides by a bot of a plugin (--plugin).")
    bot: Name = Field(description="Name of the bot in the plugin.")
    digest: str = Field(pattern="[0-9a-f]{16}", description="Digest of the plugin's source.")

    def cross_problems(self) -> Iterator[CrossProblem]:
        """The plugin must be loaded, and be the same."""
        loaded = REGISTRY.get(self.bot)
        if loaded is None:
            yield (("bot",), f"bot {self.bot} comes from a plugin that is not loaded; add --plugin")
        elif loaded.digest != self.digest:
            yield (("digest",), f"the plugin of bot {self.bot} has changed since (now {loaded.digest})")


# --- the whole bot --------------------------------------------------------------------------------------------------

ExchangePolicy = RandomExchange | KeepBestExchange | KeepHighExchange | ExpectedExchange | PluginPolicy
BiddingPolicy = RandomBidding | PointsBidding | HighCardsBidding | PerfectBidding | ExpectedBidding | PluginPolicy
PlayPolicy = RandomPlay | CarefulPlay | EagerPlay | PerfectPlay | SamplingPlay | PluginPolicy


class Reads(Settings):
    """What a bot looks at beside the cards; it follows from the policies."""

    table: bool = Field(default=False, description="Whether its decisions depend on the scoring table.")
    match_score: bool = Field(default=False, description="Whether its decisions depend on the running score of the match.")


class Bot(Document):
    """A player: a policy for every stage of a deal."""

    name: Name = Field(description="Name of the bot.")
    description: str | None = Field(default=None, max_length=2000, description="Free text for people.")
    exchange: Annotated[ExchangePolicy, Field(discriminator="policy")] = Field(description="What it keeps in the exchange.")
    bidding: Annotated[BiddingPolicy, Field(discriminator="policy")] = Field(description="How it bids.")
    play: Annotated[PlayPolicy, Field(discriminator="policy")] = Field(description="How it plays its cards.")
    sees_all: bool = Field(default=False, description="Whether it sees all hands; it follows from the policies.")
    reads: Reads = Field(default=Reads(), description="What its decisions depend on; it follows from the policies.")

    def _derived_reads(self) -> Reads:
        stages: tuple[Policy, ...] = (self.exchange, self.bidding, self.play)
        return Reads(
            table=any(stage.needs_table() for stage in stages), match_score=any(stage.reads_match_score for stage in stages)
        )

    def _derived_sees_all(self) -> bool:
        return any(stage.sees_all for stage in (self.exchange, self.bidding, self.play))

    @model_validator(mode="after")
    def _fill_reads(self) -> Self:
        if "reads" not in self.model_fields_set:
            object.__setattr__(self, "reads", self._derived_reads())
        if "sees_all" not in self.model_fields_set:
            object.__setattr__(self, "sees_all", self._derived_sees_all())
        return self

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse what contradicts the policies."""
        if self.sees_all and not self._derived_sees_all():
            yield (("sees_all",), "true is only for perfect-play oracles, and none of these policies is one; allowed: false")
        elif self._derived_sees_all() and not self.sees_all and "sees_all" in self.model_fields_set:
            seer = "play" if self.play.sees_all else "bidding"
            yield (("sees_all", f"{seer}.policy"), f"{seer}.policy: perfect sees all hands; allowed: true (or leave it out)")
        derived = self._derived_reads()
        for key in Reads.model_fields:
            if "reads" in self.model_fields_set and getattr(self.reads, key) != getattr(derived, key):
                right = "true" if getattr(derived, key) else "false"
                yield ((f"reads.{key}",), f"this follows from the policies; allowed: {right} (or leave it out)")


def policy_params(model: Policy) -> tuple[int, ...]:
    """Return the parameters of a policy as whole numbers in field order, as kernels take them.

    Fields of type Hundredths are times 100, true is 1 and false 0, a choice is its position among the allowed ones, lists are
    expanded in order, whole numbers stay as they are.
    """
    numbers: list[int] = []
    for key, field in type(model).model_fields.items():
        value = getattr(model, key)
        if key in model.not_numbers:
            continue
        if isinstance(value, str):
            numbers.append(get_args(field.annotation).index(value))
            continue
        decimals = next((mark for mark in field.metadata if isinstance(mark, Decimals)), None)
        scale = 10**decimals.places if decimals else 1
        numbers.extend(round(entry * scale) for entry in (value if isinstance(value, tuple) else (value,)))
    return tuple(numbers)
