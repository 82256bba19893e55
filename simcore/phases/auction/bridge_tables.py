"""Which bids exist and which are no jumps, as tables for the bridge auction. Plain Python, built once a run.

Rule (rules.md, common part): a bid whose award is null does not exist. Rule (section 1): a jump is a bid above the
lowest legal existing bid in its strain (`level`), or any bid above the next rung (`ladder`); `none` knows no jumps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcore.codes import N_BIDS, N_LEVELS, N_STRAINS
from simcore.notation import parse_bid
from simcore.phases.scoring.contracts import bid_exists

if TYPE_CHECKING:
    from simcore.config import Variant


def existing_bids(variant: Variant) -> int:
    """Bids that exist in a variant, as a mask with bit 5 * level + strain."""
    auction: Any = variant.auction
    lowest = parse_bid(auction.lowest_bid)
    mask = 0
    for strain in range(N_STRAINS):
        for level in range(N_LEVELS):
            bid = N_STRAINS * level + strain
            if bid >= lowest and bid_exists(variant.scoring, level, strain):
                mask |= 1 << bid
    return mask


def free_bids(bids: int, jump: str) -> list[int]:
    """Bids that are no jump after each last bid.

    Parameters
    ----------
    bids : int
        Mask of the existing bids.
    jump : {"level", "ladder", "none"}
        What counts as a jump.

    Returns
    -------
    list of int
        41 masks: item 0 before any bid, item ``last + 1`` after the bid ``last``.
    """
    tables = []
    for last in range(-1, N_BIDS):
        above = [bid for bid in range(last + 1, N_BIDS) if bids >> bid & 1]
        if jump == "ladder":
            free = above[:1]
        elif jump == "level":
            by_strain = [[bid for bid in above if bid % N_STRAINS == strain] for strain in range(N_STRAINS)]
            free = [rungs[0] for rungs in by_strain if rungs]
        else:
            free = above
        tables.append(sum(1 << bid for bid in free))
    return tables
