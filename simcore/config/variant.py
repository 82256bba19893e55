"""The schema of a variant: the rules of one game. The defaults are Bridgette's and live nowhere else.

The shipped ``configs/variants/bridgette.yaml`` states every key with its meaning, source and how sure the source is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, field_validator

from simcore.codes import BOOK, N_CARDS, N_LEVELS, N_RANKS
from simcore.config.fields import CrossProblem, Document, Entries, Name, Points, Settings, Whole, own_error

_BRIDGE_PLAYERS = 2
MAX_OVERTRICKS = N_RANKS - BOOK
"""Overtricks of a contract of level 0 that takes every trick."""

ColonName = Literal["grand", "royal", "little"]
COLON_NAMES: tuple[ColonName, ...] = ("grand", "royal", "little")
"""The three extra cards in the order of their codes."""
LevelRow = Annotated[tuple[Points | None, ...], Entries(N_LEVELS, N_LEVELS, "one a level, 0 to 7")]
LevelPoints = Annotated[tuple[Points, ...], Entries(N_LEVELS, N_LEVELS, "one a level, 0 to 7")]
ShortRow = Annotated[tuple[Points, ...], Entries(1, N_RANKS, "one for 1, 2, ... tricks short")]
DrawCount = Annotated[int, Whole(0, 29)]
HandLength = Annotated[int, Whole(0, N_RANKS)]
Factor = Annotated[int, Whole(1, 50)]


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

    cards: Annotated[int, Whole(1, 27)] = Field(default=13, description="Cards dealt to each player.")
    upcard: bool = Field(default=True, description="Whether the top card of the rest is turned, for all to see.")


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


class Play(Settings):
    """The duties of the players in a trick."""

    trump: Literal["contract"] = Field(default="contract", description="Where trumps come from.")
    must_follow: bool = Field(default=True, description="Whether one who can follow suit must; false: play any card.")


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


class MatchOfDeals(Settings):
    """A match over a fixed number of deals; the highest total wins."""

    alternatives = (("deals", "target"),)

    deals: Annotated[int, Whole(1, 10_000)] = Field(default=6, description="Deals of a match.")
    tie: Literal["extra_deal_then_draw", "until_broken", "draw"] = Field(
        default="extra_deal_then_draw",
        description="Level after the last deal. extra_deal_then_draw: one more; until_broken: more deals, at most 100; draw.",
    )
    max_deals: Annotated[int, Whole(1, 100_000)] | None = Field(
        default=None, description="Cap on the deals of a match, redealt ones included; null: none."
    )

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Refuse a cap below the length of the match."""
        if self.max_deals is not None and self.deals > self.max_deals:
            yield (("deals", "max_deals"), f"deals ({self.deals}) is above max_deals ({self.max_deals})")


class Variant(Document):
    """The rules of one game."""

    name: Name = Field(description="Name of the variant.")
    description: str | None = Field(default=None, max_length=2000, description="Free text for people; no rule depends on it.")
    players: Annotated[int, Whole(2, 6)] = Field(default=2, description="Number of players.")
    deck: Deck = Field(default=Deck(), description="The cards in play.")
    deal: Deal = Field(default=Deal(), description="How the cards are dealt.")
    exchange: Annotated[NoExchange | UpcardExchange, Field(discriminator="kind")] = Field(
        default=UpcardExchange(), description="How hands are improved before the auction."
    )
    auction: BridgeAuction = Field(default=BridgeAuction(), description="How the contract is found.")
    play: Play = Field(default=Play(), description="The duties of the players in a trick.")
    colons: Colons = Field(default=Colons(), description="What the colons may do in the play.")
    scoring: ContractTable = Field(default=ContractTable(), description="Points by contract, tricks and doubling.")
    match: MatchOfDeals = Field(default=MatchOfDeals(), description="How long a match is and who wins it.")

    def cross_problems(self) -> Iterator[CrossProblem]:
        """Return what phases ask of each other."""
        if self.players != _BRIDGE_PLAYERS:
            yield (("players",), f"{self.players} players cannot hold a bridge auction; it takes exactly {_BRIDGE_PLAYERS}")
        if self.deal.cards != N_RANKS:
            yield (
                ("deal.cards",),
                f"{self.deal.cards} cards a hand do not fit a contract, which promises {BOOK} + level tricks of"
                f" {N_RANKS}; allowed: {N_RANKS}",
            )
        yield from self._bid_problems()
        yield from self._card_problems()

    def _bid_problems(self) -> Iterator[CrossProblem]:
        award = self.scoring.award
        bids = [cell for row in (award.C, award.D, award.H, award.S, award.NT) for cell in row[1:]]
        lowest_is_bid = self.auction.lowest_bid == "0NT" and award.NT[0] is not None
        if not lowest_is_bid and all(cell is None for cell in bids):
            yield (("scoring.award", "auction.lowest_bid"), "there is no bid: a bid exists where its award is not null")

    def _card_problems(self) -> Iterator[CrossProblem]:
        deck = N_CARDS + len(self.deck.colons)
        needed = self.players * self.deal.cards + int(self.deal.upcard)
        paths: tuple[str, ...] = ("deal.cards", "players", "deck.colons")
        exchange = self.exchange
        if isinstance(exchange, UpcardExchange):
            if not self.deal.upcard:
                yield (
                    ("deal.upcard", "exchange.kind"),
                    "the exchange of kind upcard needs a turned card; say deal.upcard: true, or exchange.kind: none",
                )
            draws = exchange.dealer_draw.model_dump()
            largest = max(draws, key=lambda key: draws[key])
            needed += exchange.non_dealer_draw + draws[largest]
            paths = (f"exchange.dealer_draw.{largest}", "exchange.non_dealer_draw", *paths)
        if needed > deck:
            yield (paths, f"the deal and the exchange may need {needed} cards, but the deck has {deck}")
