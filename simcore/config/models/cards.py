"""The pack and the deal."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Tag, field_validator

from simcore.codes import MAX_SEATS
from simcore.config.fields import MAP, SHAPE, WORD, Entries, Settings, Whole, own_error

ColonName = Literal["grand", "royal", "little"]
COLON_NAMES: tuple[ColonName, ...] = ("grand", "royal", "little")
"""The three extra cards in the order of their codes."""
MOST_CARDS = 27
"""Cards of the largest hand: two hands of the pack with its three colons."""
MOST_PLAYERS = MAX_SEATS
_Players = Annotated[int, Whole(2, MOST_PLAYERS, digits_only=True)]
CardsByPlayers = dict[_Players, Annotated[int, Whole(1, MOST_CARDS)]]
HandSize = Annotated[
    Annotated[int, Whole(0, MOST_CARDS), Tag(WORD)] | Annotated[CardsByPlayers, Tag(MAP)],
    SHAPE,
]


class Deck(Settings):
    """The cards in play."""

    colons: Annotated[tuple[ColonName, ...], Entries(0, 3, "each colon at most once")] = Field(
        default=COLON_NAMES,
        description="Extra cards beside the 52: grand (range: aces), royal (J Q K), little (2 to 10); [] for none.",
    )

    @field_validator("colons", mode="after")
    @classmethod
    def _in_order(cls, value: tuple[ColonName, ...]) -> tuple[ColonName, ...]:
        if len(set(value)) < len(value):
            raise own_error(f"names a colon twice; allowed: each of {', '.join(COLON_NAMES)} at most once")
        return tuple(sorted(value, key=COLON_NAMES.index))


class Deal(Settings):
    """How the cards are dealt."""

    cards: HandSize = Field(
        default=13, description="Cards dealt to each player: a number, or a map of players to cards, as {3: 7, 5: 6}."
    )
    upcard: bool = Field(default=True, description="Whether the top card of the rest is turned, for all to see.")
