"""The schema of a variant: the rules of one game, put together from a deal, an exchange, an auction, play, scoring and a match.

The defaults of the fields are Bridgette's; ``simcore.config.families`` has those of the other games and says which game's are
meant. The shipped ``configs/variants/*.yaml`` state every key with its meaning, source and how sure the source is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from simcore.config import sizes
from simcore.config.fields import CrossProblem, Document, Name, Whole
from simcore.config.fit import problems_of
from simcore.config.models.auction import BridgeAuction, CallsAuction, StepsAuction
from simcore.config.models.cards import MOST_PLAYERS, Deal, Deck
from simcore.config.models.exchange import DrawTricks, LookAndChoose, NoExchange, UpcardExchange
from simcore.config.models.match import Match, Shedding
from simcore.config.models.play import Colons, Play
from simcore.config.models.scoring import CallsScoring, ContractTable, SheddingScoring, TrickValue


class Variant(Document):
    """The rules of one game."""

    name: Name = Field(description="Name of the variant.")
    description: str | None = Field(default=None, max_length=2000, description="Free text for people; no rule depends on it.")
    players: Annotated[int, Whole(2, MOST_PLAYERS)] = Field(default=2, description="Number of players.")
    deck: Deck = Field(default=Deck(), description="The cards in play.")
    deal: Deal = Field(default=Deal(), description="How the cards are dealt.")
    exchange: Annotated[NoExchange | UpcardExchange | DrawTricks | LookAndChoose, Field(discriminator="kind")] = Field(
        default=UpcardExchange(), description="How hands are improved, or come about, before the auction."
    )
    auction: Annotated[BridgeAuction | CallsAuction | StepsAuction, Field(discriminator="kind")] = Field(
        default=BridgeAuction(), description="How the contract, the calls or the declarer are found."
    )
    play: Play = Field(default=Play(), description="The duties of the players in a trick.")
    colons: Colons = Field(default=Colons(), description="What the colons may do in the play.")
    scoring: Annotated[ContractTable | TrickValue | CallsScoring | SheddingScoring, Field(discriminator="kind")] = Field(
        default=ContractTable(), description="What a deal scores."
    )
    shedding: Shedding | None = Field(
        default=None, description="What a round does to the cards to get rid of; only with auction.kind: steps, else null."
    )
    match: Match = Field(default=Match(deals=6, tie="extra_deal_then_draw"), description="How long a match is and who wins it.")

    @property
    def cards_dealt(self) -> int:
        """Cards dealt to each player, in games of shedding at first."""
        return sizes.cards_of(self)

    @property
    def final_cards(self) -> int:
        """Cards of a hand as the auction begins."""
        return sizes.final_cards(self)

    @property
    def turns_card(self) -> bool:
        """Whether a card is turned."""
        return sizes.turns_card(self)

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Return what phases ask of each other."""
        return problems_of(self)
