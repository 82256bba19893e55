"""How hands are improved, or come about, before the auction."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from simcore.config.fields import Settings, Whole

DrawCount = Annotated[int, Whole(0, 29)]


class NoExchange(Settings):
    """The hands stay as they were dealt."""

    kind: Literal["none"] = Field(default="none", description="Kind of the exchange.")


class DealerDraw(Settings):
    """Cards the dealer draws, by the class of the upcard."""

    spot: DrawCount = Field(default=4, description="Cards drawn when the upcard is 2 to 10 or the Little Colon.")
    face: DrawCount = Field(default=8, description="Cards drawn when the upcard is J, Q, K or the Royal Colon.")
    ace: DrawCount = Field(default=12, description="Cards drawn when the upcard is an ace or the Grand Colon.")


class UpcardExchange(Settings):
    """The non-dealer, then the dealer draw from the stock and throw down to a full hand; the upcard decides how many."""

    kind: Literal["upcard"] = Field(default="upcard", description="Kind of the exchange.")
    non_dealer_draw: DrawCount = Field(default=2, description="Cards the non-dealer draws from the stock.")
    dealer_draw: DealerDraw = Field(default=DealerDraw(), description="Cards the dealer draws, by the upcard.")
    upcard: Literal["aside", "dealer_takes_it"] = Field(
        default="aside",
        description="aside: the upcard is out of play; dealer_takes_it: besides his stock cards, and he throws one more.",
    )


class DrawTricks(Settings):
    """A first phase of tricks without trumps; the winner and the loser of each draw a card, which makes the second hands."""

    kind: Literal["draw_tricks"] = Field(default="draw_tricks", description="Kind of the exchange.")
    must_follow: bool = Field(default=False, description="Whether one who can follow suit must, in the first phase.")
    winner: Literal["led_suit", "any_suit_rank"] = Field(
        default="led_suit",
        description="Who wins. led_suit: the highest card of the led suit; any_suit_rank: the highest rank of any suit, the"
        " leader if they are level.",
    )
    top_card_visible: bool = Field(default=False, description="Whether both see the card that the winner will draw.")
    drawn: Literal["hand", "aside"] = Field(
        default="hand",
        description="hand: drawn cards may be played at once; aside: they wait, the first phase is played from the dealt hand.",
    )


class LookAndChoose(Settings):
    """By turns: look at the top card and keep it, or throw it and keep the next one whatever it is."""

    kind: Literal["look_and_choose"] = Field(default="look_and_choose", description="Kind of the exchange.")
    second_seen_when_keeping: bool = Field(
        default=True, description="Whether one who keeps the first card sees the second before it is thrown."
    )
    discards_face_up: bool = Field(default=False, description="Whether both see the cards that are thrown.")
