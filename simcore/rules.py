"""The rules of a variant as the kernels read them: NamedTuples of plain numbers and arrays, built here and nowhere else.

`simcore.config` holds names, defaults and messages; this module turns a checked `Variant` into numbers, casting every
field, so that each kernel is compiled for one signature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simcore import codes
from simcore.bits import ALL_ONES
from simcore.cards import COLONS, NATURALS
from simcore.notation import COLON_NAMES
from simcore.phases.auction.bridge_tables import existing_bids, free_bids
from simcore.phases.scoring.contract_table import score_cells

if TYPE_CHECKING:
    from simcore.config import Variant


class DealRules(NamedTuple):
    """The pack and what is dealt of it."""

    players: int
    cards: int
    """Cards of a hand."""
    upcard: int
    """1 where a card is turned."""
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


class AuctionRules(NamedTuple):
    """The auction."""

    kind: int
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


class PlayRules(NamedTuple):
    """The thirteen tricks, colons included (rules.md C1-C12)."""

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


class ScoreRules(NamedTuple):
    """Points of every result."""

    tenths: np.ndarray
    """int32[level, strain, doubling, tricks]: points in tenths, negative: to declarer's opponent."""


class MatchRules(NamedTuple):
    """When a match ends."""

    deals: int
    tie: int
    max_deals: int
    """Cap on all deals of a match, redealt ones included; 0 for none."""
    redeal: int
    """1 where passed-out deals are dealt again."""


class Rules(NamedTuple):
    """All rules of a variant."""

    deal: DealRules
    exchange: ExchangeRules
    auction: AuctionRules
    play: PlayRules
    score: ScoreRules
    match: MatchRules


def _deal_rules(variant: Variant) -> DealRules:
    deck = int(NATURALS)
    for index, name in enumerate(COLON_NAMES):
        if name in variant.deck.colons:
            deck |= 1 << (codes.N_RANKS + index)
    return DealRules(
        players=int(variant.players),
        cards=int(variant.deal.cards),
        upcard=int(variant.deal.upcard),
        deck=np.uint64(deck),
        n_deck=np.uint64(deck.bit_count()),
    )


def _exchange_rules(variant: Variant) -> ExchangeRules:
    exchange = variant.exchange
    if exchange.kind == "none":
        return ExchangeRules(int(codes.ExchangeKind.NONE), 0, 0, 0, 0, 0)
    draw = exchange.dealer_draw
    return ExchangeRules(
        kind=int(codes.ExchangeKind.UPCARD),
        non_dealer_draw=int(exchange.non_dealer_draw),
        dealer_draw_spot=int(draw.spot),
        dealer_draw_face=int(draw.face),
        dealer_draw_ace=int(draw.ace),
        takes_upcard=int(exchange.upcard == "dealer_takes_it"),
    )


def _auction_rules(variant: Variant) -> AuctionRules:
    auction = variant.auction
    bids = existing_bids(variant)
    return AuctionRules(
        kind=int(codes.AuctionKind.BRIDGE),
        opener=int(codes.Role[auction.opener.upper()]),
        bids=np.uint64(bids),
        free=np.array(free_bids(bids, auction.jump), np.uint64),
        min_suit_length=np.uint64(auction.min_suit_length),
        min_jump_length=np.uint64(auction.min_jump_length),
        nt_needs_every_suit=int(auction.nt_needs_every_suit),
        doubles=int(auction.doubles),
    )


def _play_rules(variant: Variant) -> PlayRules:
    colons = variant.colons
    return PlayRules(
        must_follow=ALL_ONES if variant.play.must_follow else np.uint64(0),
        held_back=np.uint64(0) if colons.off_range_when_void == "discard" else COLONS,
        barred_colons=np.uint64(0 if colons.bar_allows_colon_lead else int(COLONS)),
        lifts_without=NATURALS if colons.bar_lifted == "no_other_suit" else NATURALS | COLONS,
        bar_when_void=int(colons.bar_when_void),
        must_beat=COLONS if colons.must_beat_led_colon else np.uint64(0),
    )


def _match_rules(variant: Variant, unit: str) -> MatchRules:
    redeal = int(variant.auction.passed_out == "redeal")
    match = variant.match
    single = unit == "deal"
    return MatchRules(
        deals=1 if single else int(match.deals),
        tie=int(codes.Tie.DRAW if single else codes.Tie[match.tie.upper()]),
        max_deals=int(match.max_deals or 0),
        redeal=redeal,
    )


def build_rules(variant: Variant, unit: str = "match") -> Rules:
    """Rules of a variant for the kernels.

    Parameters
    ----------
    variant : Variant
        A checked variant.
    unit : {"match", "deal"}
        Whole matches, or single deals (a match of one deal without a tie rule).

    Returns
    -------
    Rules
        Plain numbers and arrays, every field cast.
    """
    return Rules(
        deal=_deal_rules(variant),
        exchange=_exchange_rules(variant),
        auction=_auction_rules(variant),
        play=_play_rules(variant),
        score=ScoreRules(tenths=np.ascontiguousarray(score_cells(variant.scoring), np.int32)),
        match=_match_rules(variant, unit),
    )


