"""The rules of a shedding game (Pit) as the kernels read them; see `simcore.rules`, which does the same for the other games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simcore import codes
from simcore.phases.scoring.contract_table import in_tenths
from simcore.rules import BEYOND_REACH, DealRules, ExchangeRules, MatchRules, PlayRules, deal_rules, mask_of, play_rules

if TYPE_CHECKING:
    from simcore.config import Variant


class SteppingRules(NamedTuple):
    """An auction in steps."""

    bids: np.uint64
    """Bids that exist, bit b for b tricks."""
    lowest: int
    highest: int
    jump_bids: np.uint64
    """This and the next: all ones where it holds, zero where not."""
    pass_is_final: np.uint64
    short_hand: int
    """A `ShortHand`."""
    alone: int


class Stakes(NamedTuple):
    """What a round of a shedding game is about."""

    per_trick: int
    """This and the next: points of a trick, in tenths."""
    declarer_per_trick: int
    alone_per_trick: int
    by_card: int
    """Whether a made contract gets rid of all cards of the tricks won, not of one a trick."""
    all_not_won: int
    """Whether a failed contract alone costs all tricks not won."""
    target: int
    """Points, in tenths, that win the match; 0 where getting rid of one's cards does."""


class SheddingRules(NamedTuple):
    """All rules of a shedding game."""

    deal: DealRules
    exchange: ExchangeRules
    """There is none; the trick loop asks."""
    steps: SteppingRules
    play: PlayRules
    model: int
    """A `SheddingModel`."""
    stakes: Stakes
    call_score: None
    """Nobody calls; the trick loop asks."""
    match: MatchRules
    """Only the deals of a match: 1 under ``unit: deal``, else beyond reach; and the cap on rounds."""


def _stepping_rules(variant: Variant) -> SteppingRules:
    auction: Any = variant.auction
    bids = [int(bid) for bid in auction.bids]
    return SteppingRules(
        bids=np.uint64(sum(1 << bid for bid in bids)),
        lowest=bids[0],
        highest=bids[-1],
        jump_bids=mask_of(auction.jump_bids),
        pass_is_final=mask_of(auction.pass_is_final),
        short_hand=int(codes.ShortHand[auction.short_hand.upper()]),
        alone=int(auction.alone),
    )


def _stakes(variant: Variant) -> Stakes:
    scoring: Any = variant.scoring
    shedding: Any = variant.shedding
    victory: Any = variant.match.victory
    return Stakes(
        per_trick=in_tenths(scoring.per_trick),
        declarer_per_trick=in_tenths(scoring.declarer_per_trick),
        alone_per_trick=in_tenths(scoring.alone_per_trick),
        by_card=int(shedding.unit == "card"),
        all_not_won=int(shedding.alone_failed == "all_not_won"),
        target=0 if victory == "shed" else in_tenths(victory.points),
    )


def build_shedding_rules(variant: Variant, unit: str = "match") -> SheddingRules:
    """Rules of a shedding game for the kernels.

    Parameters
    ----------
    variant : Variant
        A checked variant with an auction in steps.
    unit : {"match", "deal"}
        Whole matches, or single rounds from fresh quotas.

    Returns
    -------
    SheddingRules
        Plain numbers, every field cast.
    """
    assert variant.shedding is not None
    return SheddingRules(
        deal=deal_rules(variant),
        exchange=ExchangeRules(int(codes.ExchangeKind.NONE), 0, 0, 0, 0, 0),
        steps=_stepping_rules(variant),
        play=play_rules(variant),
        model=int(codes.SheddingModel[variant.shedding.model.upper()]),
        stakes=_stakes(variant),
        call_score=None,
        match=MatchRules(
            deals=1 if unit == "deal" else BEYOND_REACH,
            target=BEYOND_REACH,
            tie=int(codes.Tie.DRAW),
            max_deals=int(variant.match.max_deals or 0),
            redeal=0,
        ),
    )
