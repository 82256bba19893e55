"""The duties of a trick, and what colons do in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from simcore.config.fields import CrossProblem, Settings

DUTIES = ("must_ruff", "must_overruff", "must_underruff", "must_head")
"""Duties that only mean something where one must follow suit."""


class Play(Settings):
    """The duties of the players in a trick."""

    trump: Literal["contract", "C", "D", "H", "S", "none", "turned_card"] = Field(
        default="contract",
        description="Where trumps come from. contract: the strain of the contract; a suit: always that suit; none: no trumps;"
        " turned_card: the suit of the card turned after the deal.",
    )
    must_follow: bool = Field(default=True, description="Whether one who can follow suit must; false: play any card.")
    must_ruff: bool = Field(default=False, description="Whether one who cannot follow suit must play a trump.")
    must_overruff: bool = Field(
        default=False, description="Whether such a trump must beat the trumps in the trick, where the player has one that does."
    )
    must_underruff: bool = Field(
        default=False, description="Whether one who must overruff and cannot must play a lower trump all the same."
    )
    must_head: bool = Field(
        default=False, description="Whether one who follows suit must beat the led suit's highest card, if able and unruffed."
    )

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse duties of those who cannot follow, or who follow, where nobody must follow."""
        duties = [duty for duty in DUTIES if getattr(self, duty)]
        if duties and not self.must_follow:
            yield (
                (*duties, "must_follow"),
                f"{' and '.join(duties)} {'mean' if duties[1:] else 'means'} nothing under must_follow: false, where any card"
                f" may be played; say {', '.join(f'{duty}: false' for duty in duties)}",
            )


class Colons(Settings):
    """What the colons may do in the play."""

    off_range_when_void: Literal["discard", "only_if_forced"] = Field(
        default="discard",
        description="A colon out of range, held by one who cannot follow. discard: may be thrown; only_if_forced: only when"
        " nothing else in the hand may be played.",
    )
    bar_allows_colon_lead: bool = Field(default=True, description="Whether a barred leader may lead a colon.")
    bar_lifted: Literal["no_other_card", "no_other_suit"] = Field(
        default="no_other_card", description="When the bar is lifted: no other card that may be led, or no other suit."
    )
    bar_when_void: bool = Field(
        default=True, description="Whether the bar also holds when the colon's player was void in the led suit."
    )
    must_beat_led_colon: bool = Field(
        default=False, description="Whether one who holds a card that beats a led colon must play such a card."
    )
