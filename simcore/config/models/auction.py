"""How the contract, the calls or the declarer are found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator

from simcore.codes import N_RANKS
from simcore.config.fields import CrossProblem, Entries, Settings, Whole, WholeOrWord, own_error
from simcore.config.models.cards import MOST_CARDS

HandLength = Annotated[int, Whole(0, N_RANKS)]


class BridgeAuction(Settings):
    """Alternating bids of level and strain, doubles and redoubles."""

    kind: Literal["bridge"] = Field(default="bridge", description="Kind of the auction.")
    opener: Literal["dealer", "non_dealer"] = Field(default="dealer", description="Who calls first.")
    lowest_bid: Literal["0NT", "1C"] = Field(default="0NT", description="The lowest bid there is.")
    min_suit_length: HandLength = Field(default=2, description="Natural cards of the suit needed for a suit bid.")
    min_jump_length: HandLength = Field(default=4, description="Natural cards of the suit needed for a jump in it.")
    jump: Literal["level", "ladder", "none"] = Field(
        default="level",
        description="What a jump is. level: a level above the lowest legal bid in that strain; ladder: any bid above the next"
        " one of the order; none: no length rule for jumps.",
    )
    nt_needs_every_suit: bool = Field(default=True, description="Whether NT needs a natural card in every suit.")
    doubles: bool = Field(default=True, description="Whether there are doubles and redoubles.")
    passed_out: Literal["count_zero", "redeal"] = Field(
        default="count_zero",
        description="Both pass at once. count_zero: the deal counts, nobody scores; redeal: same dealer, a fresh deal.",
    )

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse jumps that are easier than other bids."""
        if self.jump != "none" and self.min_jump_length < self.min_suit_length:
            yield (
                ("min_jump_length", "min_suit_length"),
                f"min_jump_length ({self.min_jump_length}) is below min_suit_length ({self.min_suit_length}), but a jump in a"
                " suit is a suit bid too; raise it, or say jump: none",
            )


class CallsAuction(Settings):
    """Everybody calls once how many tricks he will take; no need to exceed what others called."""

    kind: Literal["calls"] = Field(default="calls", description="Kind of the auction.")
    min: Annotated[int, Whole(0, MOST_CARDS)] = Field(default=2, description="The lowest call.")
    max: Annotated[int | Literal["cards"], WholeOrWord(0, MOST_CARDS, "cards")] = Field(
        default=12, description="The highest call: a number, or cards for the number of cards of a hand."
    )
    total_may_equal_tricks: bool = Field(
        default=True, description="false: the last caller may not make the sum of the calls equal the number of tricks."
    )


class StepsAuction(Settings):
    """By turns the next number of tricks or a pass; the highest bidder is declarer."""

    kind: Literal["steps"] = Field(default="steps", description="Kind of the auction.")
    bids: Annotated[
        tuple[Annotated[int, Whole(1, MOST_CARDS)], ...], Entries(1, N_RANKS, "the bids, each above the one before it")
    ] = Field(default=(3, 4, 5), description="The bids there are, in tricks, lowest first.")
    jump_bids: bool = Field(default=False, description="Whether one may bid more than the next step.")
    pass_is_final: bool = Field(default=True, description="Whether one who has passed stays out of the auction.")
    short_hand: Literal["bid_all", "no_bid", "auto_out"] = Field(
        default="bid_all",
        description="A player with fewer cards than the lowest bid. bid_all: he may bid exactly his cards while no bid stands;"
        " no_bid: he cannot bid; auto_out: a made contract that leaves fewer cards than the lowest bid wins at once.",
    )
    alone: bool = Field(default=True, description="Whether the first bid of a player may carry 'alone'.")
    nobody_bids: Literal["throw_in"] = Field(default="throw_in", description="throw_in: the hands are thrown in.")
    forced_bidder: Literal["next_dealer_left"] = Field(
        default="next_dealer_left",
        description="Who may not pass after hands were thrown in. next_dealer_left: the first speaker of the next round.",
    )

    @field_validator("bids", mode="after")
    @classmethod
    def _rising(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if any(later <= earlier for earlier, later in pairwise(value)):
            raise own_error("does not rise; allowed: each bid once, the lowest first")
        return value
