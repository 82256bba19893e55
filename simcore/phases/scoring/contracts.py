"""Points of contracts, whatever the kind of their scoring: one result, the sheet of all results, the kernels' table.

Plain Python, built once a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from simcore.codes import N_DOUBLINGS, N_LEVELS, N_RANKS, N_STRAINS, Strain
from simcore.errors import InputError
from simcore.notation import Contract, contract_text, points_number
from simcore.phases.scoring.contract_table import contract_exists, contract_table_tenths
from simcore.phases.scoring.trick_value import trick_value_tenths

if TYPE_CHECKING:
    from simcore.config import Variant

N_TRICKS = N_RANKS
"""Tricks of the longest deal with a contract, thirteen cards a hand."""


def bid_exists(scoring: Any, level: int, strain: int) -> bool:
    """Whether a scoring knows a bid: no suit bids of level 0, and none without an award."""
    if level == 0 and strain != Strain.NOTRUMP:
        return False
    return scoring.kind != "contract_table" or contract_exists(scoring, level, strain)


def result_tenths(scoring: Any, contract: Contract, tricks: int) -> int:
    """Points of a result in tenths, declarer's view: negative points go to the opponent."""
    if scoring.kind == "contract_table":
        return contract_table_tenths(scoring, contract, tricks)
    return trick_value_tenths(scoring, contract, tricks)


def score_cells(scoring: Any) -> np.ndarray:
    """Points of every result, in tenths, declarer's view.

    Returns
    -------
    ndarray of int32, shape (levels 8, strains 5, doublings 3, tricks 14)
        Zero for contracts that do not exist.
    """
    cells = np.zeros((N_LEVELS, N_STRAINS, N_DOUBLINGS, N_TRICKS + 1), np.int32)
    for level in range(N_LEVELS):
        for strain in range(N_STRAINS):
            if not bid_exists(scoring, level, strain):
                continue
            for doubling in range(N_DOUBLINGS):
                contract = Contract(level, strain, doubling)
                for tricks in range(N_TRICKS + 1):
                    cells[level, strain, doubling, tricks] = result_tenths(scoring, contract, tricks)
    return cells


def score_contract(variant: Variant, contract: Contract, tricks: int) -> dict[str, Any]:
    """The points of one result, in the form of ``simcore score --json``.

    Parameters
    ----------
    variant : Variant
        Whose scoring.
    contract : Contract
        A contract that exists in the variant.
    tricks : int
        Declarer's tricks, 0 to the cards of a hand.

    Returns
    -------
    dict
        variant, contract, tricks, made, overtricks, undertricks, points of declarer and opponent.

    Raises
    ------
    InputError
        For impossible tricks and for a bid that the variant does not have.
    """
    scoring, auction = variant.scoring, cast("Any", variant.auction)
    if not 0 <= tricks <= variant.final_cards:
        raise InputError(f"tricks {tricks}: a deal has {variant.final_cards} tricks, allowed are 0..{variant.final_cards}")
    from simcore.phases.auction.bridge_tables import existing_bids

    if not existing_bids(variant) >> (N_STRAINS * contract.level + contract.strain) & 1:
        raise InputError(f"contract {contract_text(contract)}: {variant.name} has no such bid")
    if contract.doubling and not auction.doubles:
        raise InputError(f"contract {contract_text(contract)}: {variant.name} has no doubles (auction.doubles: false)")
    made = tricks >= contract.need
    tenths = result_tenths(scoring, contract, tricks)
    return {
        "variant": variant.name,
        "contract": contract_text(contract),
        "tricks": tricks,
        "made": made,
        "overtricks": max(0, tricks - contract.need),
        "undertricks": max(0, contract.need - tricks),
        "points": {"declarer": points_number(max(0, tenths)), "opponent": points_number(max(0, -tenths))},
    }


def score_sheet(variant: Variant) -> list[dict[str, Any]]:
    """Every result of every contract of a variant, as `score_contract` gives them, in bidding order."""
    from simcore.phases.auction.bridge_tables import existing_bids

    auction: Any = variant.auction
    bids = existing_bids(variant)
    doublings = range(N_DOUBLINGS) if auction.doubles else range(1)
    return [
        score_contract(variant, Contract(level, strain, doubling), tricks)
        for level in range(N_LEVELS)
        for strain in range(N_STRAINS)
        if bids >> (N_STRAINS * level + strain) & 1
        for doubling in doublings
        for tricks in range(variant.final_cards + 1)
    ]


