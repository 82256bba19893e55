"""What the phases of a game ask of each other: the compositions that cannot be played, each with the reason.

A file may put together any deal, exchange, auction, play, scoring and match. Every function here looks at one thing that may
not fit, and yields the paths of the values that take part in it, the likeliest culprit first, with a sentence that names the
values, says why they do not go together and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simcore.codes import BOOK, N_RANKS
from simcore.config.fields import CrossProblem
from simcore.config.models.auction import CallsAuction, StepsAuction
from simcore.config.models.cards import MOST_PLAYERS
from simcore.config.models.exchange import UpcardExchange
from simcore.config.models.match import DEALS_ONLY, Match
from simcore.config.models.scoring import ContractTable
from simcore.config.sizes import cards_of, final_cards, pack_size, turns_card

if TYPE_CHECKING:
    from simcore.config.variant import Variant

_PAIR = 2
_LEAST_CONTRACT_CARDS = 7
_FEWEST_SHEDDERS = 3
_MOST_QUOTAS = 51
_DRAW_TRICKS_HANDS = 4
_SCORINGS = {"bridge": ("contract_table", "trick_value"), "calls": ("calls",), "steps": ("shedding",)}
_ENDS = {"bridge": ("deals", "target"), "calls": ("deals", "target"), "steps": ("victory",)}


def problems_of(variant: Variant) -> Iterator[CrossProblem]:
    """Yield what does not go together in a variant.

    Each group of checks rests on the ones before it: numbers of cards mean nothing for phases that cannot follow each other.
    """
    for group in (_PLAYER_CHECKS, _HAND_CHECKS, _PHASE_CHECKS, _CARD_CHECKS):
        found = [problem for check in group for problem in check(variant)]
        yield from found
        if found:
            return


# --- players ----------------------------------------------------------------------------------------------------------


def _auction_players(variant: Variant) -> Iterator[CrossProblem]:
    kind, players = variant.auction.kind, variant.players
    if kind == "bridge" and players != _PAIR:
        yield (
            ("players", "auction.kind"),
            f"{players} players cannot hold a bridge auction; it takes exactly {_PAIR}; auction.kind: calls takes more",
        )
    if kind == "steps" and players < _FEWEST_SHEDDERS:
        yield (
            ("players", "auction.kind"),
            f"{players} players cannot play with auction.kind: steps; it takes {_FEWEST_SHEDDERS} to {MOST_PLAYERS}",
        )


def _hand_given(variant: Variant) -> Iterator[CrossProblem]:
    cards = variant.deal.cards
    if not isinstance(cards, int) and variant.players not in cards:
        yield (
            ("deal.cards", "players"),
            f"the map has no entry for {variant.players} players; its players are {', '.join(map(str, sorted(cards)))}",
        )


# --- phases -----------------------------------------------------------------------------------------------------------


def _exchange(variant: Variant) -> Iterator[CrossProblem]:
    kind, auction, players = variant.exchange.kind, variant.auction.kind, variant.players
    if kind == "none":
        return
    if auction == "steps":
        yield (
            ("exchange.kind", "auction.kind"),
            f"exchange.kind: {kind} does not go with auction.kind: steps, which plays hands as they are dealt; allowed: none",
        )
    elif players != _PAIR:
        yield (
            ("exchange.kind", "players"),
            f"exchange.kind: {kind} is laid down for {_PAIR} players, and there are {players}; allowed: none",
        )


def _chosen_hands(variant: Variant) -> Iterator[CrossProblem]:
    chosen = variant.exchange.kind == "look_and_choose"
    cards = cards_of(variant)
    if chosen and cards:
        yield (
            ("deal.cards", "exchange.kind"),
            f"deal.cards: {cards} does not go with exchange.kind: look_and_choose, under which nothing is dealt; allowed: 0",
        )
    if not chosen and not cards:
        yield (
            ("deal.cards", "exchange.kind"),
            f"deal.cards: 0 leaves everybody without a hand under exchange.kind: {variant.exchange.kind}; allowed: 1 or more",
        )


def _turned_card(variant: Variant) -> Iterator[CrossProblem]:
    kind = variant.exchange.kind
    if kind in ("draw_tricks", "look_and_choose") and variant.play.trump == "turned_card":
        yield (
            ("play.trump", "exchange.kind"),
            f"play.trump: turned_card does not go with exchange.kind: {kind}, which leaves no card to turn",
        )
    if kind == "look_and_choose" and variant.deal.upcard:
        yield (
            ("deal.upcard", "exchange.kind"),
            "deal.upcard: true does not go with exchange.kind: look_and_choose, which uses the whole pack; say false",
        )
    if kind == "upcard" and not turns_card(variant):
        yield (
            ("deal.upcard", "exchange.kind"),
            "the exchange of kind upcard needs a turned card; say deal.upcard: true, or exchange.kind: none",
        )


def _colons(variant: Variant) -> Iterator[CrossProblem]:
    if not variant.deck.colons:
        return
    end = "say deck.colons: []"
    if variant.auction.kind == "steps":
        yield (("deck.colons", "auction.kind"), f"the colons have no rules under auction.kind: steps; {end}")
    elif variant.players != _PAIR:
        yield (
            ("deck.colons", "players"),
            f"the colons have rules for {_PAIR} players only, and there are {variant.players}; {end}",
        )
    elif variant.exchange.kind == "draw_tricks":
        yield (
            ("deck.colons", "exchange.kind"),
            f"the colons have no rules in the first tricks of exchange.kind: draw_tricks; {end}",
        )


def _trump(variant: Variant) -> Iterator[CrossProblem]:
    if variant.play.trump == "contract" and variant.auction.kind != "bridge":
        yield (
            ("play.trump", "auction.kind"),
            f"play.trump: contract does not go with auction.kind: {variant.auction.kind}, which names no strain; allowed with"
            " it: C, D, H, S, none, turned_card",
        )


def _scoring(variant: Variant) -> Iterator[CrossProblem]:
    auction, kind = variant.auction.kind, variant.scoring.kind
    if kind not in _SCORINGS[auction]:
        yield (
            ("scoring.kind", "auction.kind"),
            f"scoring.kind: {kind} does not go with auction.kind: {auction}; allowed with it: {', '.join(_SCORINGS[auction])}",
        )


def _shedding(variant: Variant) -> Iterator[CrossProblem]:
    auction = variant.auction.kind
    if variant.shedding is not None and auction != "steps":
        yield (
            ("shedding", "auction.kind"),
            f"the section shedding does not go with auction.kind: {auction}; only auction.kind: steps has"
            " quotas; leave the section out",
        )
    if variant.shedding is None and auction == "steps":
        yield (
            ("shedding", "auction.kind"),
            "null does not go with auction.kind: steps, which is a shedding game; allowed: a map",
        )


def _match(variant: Variant) -> Iterator[CrossProblem]:
    auction, match = variant.auction.kind, variant.match
    allowed = f"allowed with it: match.{' or match.'.join(_ENDS[auction])}"
    ends = [end for end in match.alternatives[0] if getattr(match, end) is not None]
    if not ends:
        paths = tuple(f"match.{end}" for end in _ENDS[auction])
        yield ((*paths, "auction.kind"), f"nothing says when a match under auction.kind: {auction} is over; {allowed}")
    elif len(ends) > 1:
        paths = tuple(f"match.{end}" for end in ends)
        yield (paths[1:], f"{' and '.join(paths)} are given, but a match has one end; give one of them")
    elif ends[0] not in _ENDS[auction]:
        yield (
            (f"match.{ends[0]}", "auction.kind"),
            f"a match with match.{ends[0]} does not go with auction.kind: {auction}; {allowed}",
        )
    else:
        yield from _tie(match)
        yield from _cap(match, ends[0])
        yield from _points_of_quotas(variant)


def _points_of_quotas(variant: Variant) -> Iterator[CrossProblem]:
    """Return where points win though hands run out: only quotas can start again."""
    victory, shedding = variant.match.victory, variant.shedding
    if victory is not None and victory != "shed" and shedding is not None and shedding.model != "quota":
        yield (
            ("match.victory", "shedding.model"),
            f"match.victory: points do not go with shedding.model: {shedding.model}, in which hands run out; say model: quota",
        )


def _tie(match: Match) -> Iterator[CrossProblem]:
    if match.victory is not None:
        if match.tie is not None:
            yield (
                ("match.tie", "match.victory"),
                f"match.tie: {match.tie} does not go with match.victory, which has an order of its own; allowed: null",
            )
    elif match.tie is None:
        ties = [*(DEALS_ONLY if match.deals is not None else ()), "draw", "extra_deal"]
        yield (("match.tie",), f"match.tie: null leaves open who wins when the match ends level; allowed: {', '.join(ties)}")
    elif match.target is not None and match.tie in DEALS_ONLY:
        yield (
            ("match.tie", "match.target"),
            f"match.tie: {match.tie} counts deals beyond match.deals, but this match goes to a target; allowed: draw,"
            " extra_deal",
        )


def _cap(match: Match, end: str) -> Iterator[CrossProblem]:
    if match.max_deals is None:
        if end != "deals":
            yield (
                ("match.max_deals", f"match.{end}"),
                f"a match with match.{end} may never end without a cap; give match.max_deals",
            )
        elif match.tie == "extra_deal":
            yield (("match.max_deals", "match.tie"), "match.tie: extra_deal may never end without a cap; give match.max_deals")
    elif match.deals is not None and match.deals > match.max_deals:
        yield (("match.deals", "match.max_deals"), f"deals ({match.deals}) is above max_deals ({match.max_deals})")


def _bids_exist(variant: Variant) -> Iterator[CrossProblem]:
    if not isinstance(variant.scoring, ContractTable) or variant.auction.kind != "bridge":
        return
    award = variant.scoring.award
    bids = [cell for row in (award.C, award.D, award.H, award.S, award.NT) for cell in row[1:]]
    lowest_is_bid = variant.auction.lowest_bid == "0NT" and award.NT[0] is not None
    if not lowest_is_bid and all(cell is None for cell in bids):
        yield (("scoring.award", "auction.lowest_bid"), "there is no bid: a bid exists where its award is not null")


# --- numbers of cards -------------------------------------------------------------------------------------------------


def _pack(variant: Variant) -> Iterator[CrossProblem]:
    players, cards, pack = variant.players, cards_of(variant), pack_size(variant)
    turned = int(turns_card(variant))
    needed = players * cards + turned
    paths: tuple[str, ...] = ("deal.cards", "players", "deck.colons", *(("play.trump", "deal.upcard") if turned else ()))
    exchange = variant.exchange
    if needed > pack:
        card = " and a card to turn" if turned else ""
        most = (pack - turned) // players
        yield (
            paths,
            f"{players} hands of {cards} cards{card} are more than the {pack} cards of the pack; allowed: at most {most}"
            " a hand",
        )
    elif isinstance(exchange, UpcardExchange):
        draws = exchange.dealer_draw.model_dump()
        largest = max(draws, key=lambda key: draws[key])
        needed += exchange.non_dealer_draw + draws[largest]
        paths = (f"exchange.dealer_draw.{largest}", "exchange.non_dealer_draw", *paths)
        if needed > pack:
            yield (paths, f"the deal and the exchange may need {needed} cards, but the deck has {pack}")
    elif exchange.kind == "draw_tricks" and _DRAW_TRICKS_HANDS * cards + turned > pack:
        card = ", and a card is turned" if turned else ""
        yield (
            (*paths, "exchange.kind"),
            f"exchange.kind: draw_tricks needs {_DRAW_TRICKS_HANDS} x {cards} cards{card}, but the pack has {pack}; allowed:"
            f" at most {(pack - turned) // _DRAW_TRICKS_HANDS} a hand",
        )


def _contract_hands(variant: Variant) -> Iterator[CrossProblem]:
    cards = final_cards(variant)
    if variant.auction.kind == "bridge" and not _LEAST_CONTRACT_CARDS <= cards <= N_RANKS:
        yield (
            ("deal.cards", "auction.kind"),
            f"{cards} cards a hand do not fit a bridge auction, where a contract promises {BOOK} + level tricks; allowed:"
            f" {_LEAST_CONTRACT_CARDS} to {N_RANKS}",
        )


def _calls(variant: Variant) -> Iterator[CrossProblem]:
    auction, cards = variant.auction, final_cards(variant)
    if not isinstance(auction, CallsAuction):
        return
    most = cards if auction.max == "cards" else auction.max
    if most > cards:
        yield (
            ("auction.max", "deal.cards"),
            f"auction.max: {most} is above the {cards} tricks of a deal; allowed: at most {cards}, or cards",
        )
    if auction.min > most:
        what = "the cards of a hand" if auction.max == "cards" else "auction.max"
        yield (("auction.min", "auction.max"), f"auction.min: {auction.min} is above {what} ({most}), so there is no call")
    elif auction.min == most and not auction.total_may_equal_tricks:
        yield (
            ("auction.total_may_equal_tricks", "auction.min", "auction.max"),
            f"auction.total_may_equal_tricks: false can take the only call ({most}) from the last caller; allowed: true, or a"
            " min below max",
        )


def _quotas(variant: Variant) -> Iterator[CrossProblem]:
    auction, cards = variant.auction, cards_of(variant)
    if not isinstance(auction, StepsAuction):
        return
    if variant.players * cards > _MOST_QUOTAS:
        yield (
            ("deal.cards", "players"),
            f"{variant.players} hands of {cards} cards leave no card for the Pit; allowed: at most"
            f" {_MOST_QUOTAS // variant.players} a hand",
        )
    if auction.short_hand == "no_bid" and auction.bids[0] > cards:
        yield (
            ("auction.bids", "auction.short_hand", "deal.cards"),
            f"the lowest bid ({auction.bids[0]}) is above the {cards} cards of a hand, so nobody could ever bid; allowed: at"
            f" most {cards}",
        )


_PLAYER_CHECKS = (_auction_players,)
_HAND_CHECKS = (_hand_given,)
_PHASE_CHECKS = (_exchange, _chosen_hands, _turned_card, _colons, _trump, _scoring, _shedding, _match, _bids_exist)
_CARD_CHECKS = (_pack, _contract_hands, _calls, _quotas)
