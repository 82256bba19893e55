"""The rules of a variant as the kernels read them: NamedTuples of plain numbers and arrays, built here and nowhere else.

`simcore.config` holds names, defaults and messages; this module turns a checked `Variant` into numbers, casting every
field, so that each kernel is compiled for one signature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simcore import codes
from simcore.bits import ALL_ONES
from simcore.bots.bidding.seen import MOST_UNSEEN
from simcore.cards import COLONS, NATURALS
from simcore.notation import COLON_NAMES
from simcore.phases.auction.bridge_tables import existing_bids, free_bids
from simcore.phases.scoring.calls import call_cells, highest_call
from simcore.phases.scoring.contract_table import in_tenths
from simcore.phases.scoring.contracts import score_cells

if TYPE_CHECKING:
    from simcore.config import Variant


class DealRules(NamedTuple):
    """The pack and what is dealt of it."""

    players: int
    cards: int
    """Cards dealt to each player."""
    final_cards: int
    """Cards of a hand as the auction begins, and tricks of the deal."""
    upcard: int
    """1 where a card is turned, for an exchange, for trumps, or for all to see."""
    deck: np.uint64
    n_deck: np.uint64


class ExchangeRules(NamedTuple):
    """The exchange before the auction."""

    kind: int
    non_dealer_draw: int
    dealer_draw_spot: int
    dealer_draw_face: int
    dealer_draw_ace: int
    takes_upcard: int


class DrawRules(NamedTuple):
    """Phase 1 of Draw Bridge; each a mask, all ones or zero."""

    must_follow: np.uint64
    any_suit: np.uint64
    """Whether the highest rank wins, whatever its suit."""
    visible: np.uint64
    """Whether the card the winner will draw lies open."""
    aside: np.uint64
    """Whether drawn cards wait for phase 2."""


class ChooseRules(NamedTuple):
    """The turns of Draw and Discard; each a mask, all ones or zero."""

    second_seen: np.uint64
    face_up: np.uint64


class AuctionRules(NamedTuple):
    """A bridge auction."""

    opener: int
    """Role of the seat that speaks first."""
    bids: np.uint64
    """Bids that exist, bit 5 * level + strain."""
    free: np.ndarray
    """uint64[41]: bids that are no jump, by last bid + 1."""
    min_suit_length: np.uint64
    min_jump_length: np.uint64
    nt_needs_every_suit: int
    doubles: int


class CallRules(NamedTuple):
    """An auction of calls."""

    lowest: int
    highest: int
    total_may_equal: int


class PlayRules(NamedTuple):
    """The tricks, colons included (rules.md C1-C12)."""

    trump: int
    """A `Trump`."""
    must_ruff: np.uint64
    """This and the next: all ones where there is the duty, zero where not."""
    any_ruff: np.uint64
    """Whether any trump fulfils the duty to ruff (no duty to overruff)."""
    must_underruff: np.uint64
    must_head: np.uint64
    duties: np.uint64
    """Whether there is any of these duties."""
    must_follow: np.uint64
    """All ones where one must follow suit, zero where not."""
    held_back: np.uint64
    """C7: colons that a void follower may throw out of range only when nothing else may be played (option)."""
    barred_colons: np.uint64
    """C4: colons a barred leader may not lead."""
    lifts_without: np.uint64
    """C5: the bar is lifted for a leader who holds none of these outside the bar."""
    bar_when_void: int
    must_beat: np.uint64
    """Colons that must be beaten when led, by one who can (option)."""
    colons: int | None
    """None where the deck has no colons: what concerns them drops out of the kernels."""


class ScoreRules(NamedTuple):
    """Points of every result."""

    tenths: np.ndarray
    """int32[level, strain, doubling, tricks]: points in tenths, negative: to declarer's opponent."""


class CallScoreRules(NamedTuple):
    """Points of every result of a call."""

    tenths: np.ndarray
    """int32[call, tricks]"""
    made: np.ndarray
    """int8[call, tricks]: 1 where the call is made."""
    overtricks: int
    """Tricks beyond the call with which it is still made, of calls below `bonus_from`; `MAX_TRICKS` where more never hurt."""
    bonus_from: int
    """The lowest bonus call; beyond all calls where there are none."""
    bonus_overtricks: int
    """Tricks beyond a bonus call with which it is still made."""


class MatchRules(NamedTuple):
    """When a match ends."""

    deals: int
    """Deals of a match; beyond reach in matches to a target."""
    target: int
    """Points, in tenths, that end a match; beyond reach in matches of a number of deals."""
    tie: int
    max_deals: int
    """Cap on all deals of a match, redealt ones included; 0 for none."""
    redeal: int
    """1 where passed-out deals are dealt again."""


class CommonRules(NamedTuple):
    """What the stages of every game read: of one type for all variants, so that their kernels are compiled once for all."""

    deal: DealRules
    exchange: ExchangeRules
    play: PlayRules


class Rules(NamedTuple):
    """All rules of a variant."""

    common: CommonRules
    deal: DealRules
    exchange: ExchangeRules
    draw: Any
    """DrawRules, as the next ones of their kind; None where the variant has another kind: its kernels are not even compiled."""
    choose: Any
    """ChooseRules or None."""
    auction: Any
    """AuctionRules of a bridge auction, or None."""
    calls: Any
    """CallRules or None."""
    play: PlayRules
    between_two: int | None
    """Not None where the tricks are those of two hands (contracts, and calls with colons)."""
    most_seen: int | None
    """Not None where a player may have seen most cards as the auction begins (`simcore.bots.bidding.seen`)."""
    score: Any
    """ScoreRules of contracts, or None."""
    call_score: Any
    """CallScoreRules or None."""
    stakes: None
    """Nobody sheds cards; roll-outs ask."""
    match: MatchRules


BEYOND_REACH = 2**40
"""A number of deals or tenths that no match gets to."""


def mask_of(holds: bool) -> np.uint64:
    """All ones where something holds, else zero."""
    return ALL_ONES if holds else np.uint64(0)


def deal_rules(variant: Variant) -> DealRules:
    """The pack and what is dealt of it."""
    deck = int(NATURALS)
    for index, name in enumerate(COLON_NAMES):
        if name in variant.deck.colons:
            deck |= 1 << (codes.N_RANKS + index)
    return DealRules(
        players=int(variant.players),
        cards=int(variant.cards_dealt),
        final_cards=int(variant.final_cards),
        upcard=int(variant.turns_card),
        deck=np.uint64(deck),
        n_deck=np.uint64(deck.bit_count()),
    )


def _exchange_rules(variant: Variant) -> ExchangeRules:
    exchange = variant.exchange
    kind = int(codes.ExchangeKind[exchange.kind.upper()])
    if exchange.kind != "upcard":
        return ExchangeRules(kind, 0, 0, 0, 0, 0)
    draw = exchange.dealer_draw
    return ExchangeRules(
        kind=kind,
        non_dealer_draw=int(exchange.non_dealer_draw),
        dealer_draw_spot=int(draw.spot),
        dealer_draw_face=int(draw.face),
        dealer_draw_ace=int(draw.ace),
        takes_upcard=int(exchange.upcard == "dealer_takes_it"),
    )


def _draw_rules(variant: Variant) -> DrawRules | None:
    exchange = variant.exchange
    if exchange.kind != "draw_tricks":
        return None
    return DrawRules(
        must_follow=mask_of(exchange.must_follow),
        any_suit=mask_of(exchange.winner == "any_suit_rank"),
        visible=mask_of(exchange.top_card_visible),
        aside=mask_of(exchange.drawn == "aside"),
    )


def _choose_rules(variant: Variant) -> ChooseRules | None:
    exchange = variant.exchange
    if exchange.kind != "look_and_choose":
        return None
    return ChooseRules(second_seen=mask_of(exchange.second_seen_when_keeping), face_up=mask_of(exchange.discards_face_up))


def _auction_rules(variant: Variant) -> AuctionRules | None:
    auction = variant.auction
    if auction.kind != "bridge":
        return None
    bids = existing_bids(variant)
    return AuctionRules(
        opener=int(codes.Role[auction.opener.upper()]),
        bids=np.uint64(bids),
        free=np.array(free_bids(bids, auction.jump), np.uint64),
        min_suit_length=np.uint64(auction.min_suit_length),
        min_jump_length=np.uint64(auction.min_jump_length),
        nt_needs_every_suit=int(auction.nt_needs_every_suit),
        doubles=int(auction.doubles),
    )


def _call_rules(variant: Variant) -> CallRules | None:
    auction = variant.auction
    if auction.kind != "calls":
        return None
    return CallRules(int(auction.min), highest_call(variant), int(auction.total_may_equal_tricks))


def _trump(name: str) -> int:
    return int(codes.Trump.NONE if name == "none" else codes.Trump[_SUIT_NAMES.get(name, name.upper())])


_SUIT_NAMES = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES"}


def play_rules(variant: Variant) -> PlayRules:
    """The duties in a trick."""
    colons, play = variant.colons, variant.play
    return PlayRules(
        trump=_trump(play.trump),
        must_ruff=mask_of(play.must_ruff),
        any_ruff=mask_of(not play.must_overruff),
        must_underruff=mask_of(play.must_ruff and play.must_underruff),
        must_head=mask_of(play.must_head),
        duties=mask_of(play.must_ruff or play.must_head),
        must_follow=mask_of(play.must_follow),
        held_back=np.uint64(0) if colons.off_range_when_void == "discard" else COLONS,
        barred_colons=np.uint64(0 if colons.bar_allows_colon_lead else int(COLONS)),
        lifts_without=NATURALS if colons.bar_lifted == "no_other_suit" else NATURALS | COLONS,
        bar_when_void=int(colons.bar_when_void),
        must_beat=COLONS if colons.must_beat_led_colon else np.uint64(0),
        colons=1 if variant.deck.colons else None,
    )


def _score_rules(variant: Variant) -> ScoreRules | None:
    if variant.auction.kind != "bridge":
        return None
    return ScoreRules(tenths=np.ascontiguousarray(score_cells(variant.scoring), np.int32))


def _call_score_rules(variant: Variant) -> CallScoreRules | None:
    if variant.auction.kind != "calls":
        return None
    tenths, made = call_cells(variant)
    scoring: Any = variant.scoring
    return CallScoreRules(
        tenths=np.ascontiguousarray(tenths, np.int32),
        made=np.ascontiguousarray(made, np.int8),
        overtricks={"exact": 0, "at_most_one_over": 1}.get(scoring.success, codes.MAX_TRICKS),
        bonus_from=codes.MAX_TRICKS + 1 if scoring.bonus_from is None else int(scoring.bonus_from),
        bonus_overtricks=int(scoring.bonus_overtricks),
    )


def _may_have_seen_most(variant: Variant) -> bool:
    """Whether so many cards may be seen before the auction that policies ask for it (`simcore.bots.bidding.seen`)."""
    exchange, cards = variant.exchange, int(variant.final_cards)
    if exchange.kind != "upcard":
        return exchange.kind in ("draw_tricks", "look_and_choose")
    draw = exchange.dealer_draw
    most_drawn = max(exchange.non_dealer_draw, draw.spot, draw.face, draw.ace) + 1
    deck = codes.N_CARDS + len(variant.deck.colons)
    return deck - 1 - cards - int(most_drawn) <= MOST_UNSEEN * cards


def _match_rules(variant: Variant, unit: str) -> MatchRules:
    match = variant.match
    redeal = int(variant.auction.kind == "bridge" and variant.auction.passed_out == "redeal")
    if unit == "deal":
        return MatchRules(1, BEYOND_REACH, int(codes.Tie.DRAW), int(match.max_deals or 0), redeal)
    return MatchRules(
        deals=int(match.deals or BEYOND_REACH),
        target=in_tenths(match.target) if match.target is not None else BEYOND_REACH,
        tie=int(codes.Tie[(match.tie or "draw").upper()]),
        max_deals=int(match.max_deals or 0),
        redeal=redeal,
    )


def build_common_rules(variant: Variant) -> CommonRules:
    """The rules that all stages read."""
    return CommonRules(deal=deal_rules(variant), exchange=_exchange_rules(variant), play=play_rules(variant))


def build_rules(variant: Variant, unit: str = "match") -> Rules:
    """Rules of a variant for the kernels.

    Parameters
    ----------
    variant : Variant
        A checked variant, of any auction but one of steps (`simcore.rules_shedding`).
    unit : {"match", "deal"}
        Whole matches, or single deals (a match of one deal without a tie rule).

    Returns
    -------
    Rules
        Plain numbers and arrays, every field cast.
    """
    two = variant.auction.kind == "bridge" or (variant.auction.kind == "calls" and bool(variant.deck.colons))
    common = build_common_rules(variant)
    return Rules(
        common=common,
        deal=common.deal,
        exchange=common.exchange,
        draw=_draw_rules(variant),
        choose=_choose_rules(variant),
        auction=_auction_rules(variant),
        calls=_call_rules(variant),
        play=common.play,
        between_two=1 if two else None,
        most_seen=1 if _may_have_seen_most(variant) else None,
        score=_score_rules(variant),
        call_score=_call_score_rules(variant),
        stakes=None,
        match=_match_rules(variant, unit),
    )
