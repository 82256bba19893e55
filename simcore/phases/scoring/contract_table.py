"""Scoring by a table of contracts: award, exact bonus, overtrick bonus, doubled bonus, multiplier; undertrick table.

Rule (rules.md, section 1, Scoring). Made (tricks >= level + 6): the award once, a bonus for exactly the tricks bid, a bonus for
certain numbers of overtricks, a bonus for a doubled or redoubled contract, the multiplier. Failed: the opponent scores by
the undertrick table, whose columns are totals and are never multiplied again. Points are whole tenths here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.codes import N_DOUBLINGS, N_LEVELS, N_RANKS, N_STRAINS, TENTHS
from simcore.errors import InputError
from simcore.notation import STRAINS, Contract, contract_text, points_number

if TYPE_CHECKING:
    from simcore.config import Variant

N_TRICKS = N_RANKS
"""Tricks of a deal of thirteen cards a hand."""
_UNDERTRICK_COLUMNS = ("undoubled", "doubled", "redoubled")


def in_tenths(points: float) -> int:
    """Points of a configuration as whole tenths (the schema lets nothing finer through)."""
    return round(points * TENTHS)


def contract_exists(scoring: Any, level: int, strain: int) -> bool:
    """Whether the table has an award for a bid."""
    return getattr(scoring.award, STRAINS[strain])[level] is not None


def made_tenths(scoring: Any, contract: Contract, tricks: int) -> int:
    """Declarer's points, in tenths, for a contract made with this many tricks."""
    award = in_tenths(getattr(scoring.award, STRAINS[contract.strain])[contract.level])
    overtricks = tricks - contract.need
    bonus = in_tenths(scoring.exact[contract.level]) if overtricks == 0 else 0
    bonus += in_tenths(scoring.overtricks_exactly.get(overtricks, 0))
    doubled = (0, in_tenths(scoring.doubled_made), in_tenths(scoring.redoubled_made))[contract.doubling]
    factor = (1, scoring.multiplier.doubled, scoring.multiplier.redoubled)[contract.doubling]
    applies_to = scoring.multiplier.applies_to
    if applies_to == "total":
        return (award + bonus + doubled) * factor
    if applies_to == "award":
        return (award + bonus) * factor + doubled
    return award + bonus + doubled


def failed_tenths(scoring: Any, contract: Contract, tricks: int) -> int:
    """The opponent's points, in tenths, for a contract that failed with this many tricks."""
    column = getattr(scoring.undertricks, _UNDERTRICK_COLUMNS[contract.doubling])
    short = contract.need - tricks
    return in_tenths(column[min(short, len(column)) - 1])


def result_tenths(scoring: Any, contract: Contract, tricks: int) -> int:
    """Points of a result in tenths, declarer's view: negative points go to the opponent."""
    if tricks >= contract.need:
        return made_tenths(scoring, contract, tricks)
    return -failed_tenths(scoring, contract, tricks)


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
            if not contract_exists(scoring, level, strain):
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
        Whose scoring table.
    contract : Contract
        A contract that exists in the variant.
    tricks : int
        Declarer's tricks, 0 to 13.

    Returns
    -------
    dict
        variant, contract, tricks, made, overtricks, undertricks, points of declarer and opponent.

    Raises
    ------
    InputError
        For tricks outside 0..13 and for a bid without an award.
    """
    scoring = variant.scoring
    if not 0 <= tricks <= N_TRICKS:
        raise InputError(f"tricks {tricks}: a deal has {N_TRICKS} tricks, allowed are 0..{N_TRICKS}")
    from simcore.phases.auction.bridge_tables import existing_bids

    if not existing_bids(variant) >> (N_STRAINS * contract.level + contract.strain) & 1:
        raise InputError(f"contract {contract_text(contract)}: {variant.name} has no such bid")
    if contract.doubling and not variant.auction.doubles:
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

    bids = existing_bids(variant)
    doublings = range(N_DOUBLINGS) if variant.auction.doubles else range(1)
    return [
        score_contract(variant, Contract(level, strain, doubling), tricks)
        for level in range(N_LEVELS)
        for strain in range(N_STRAINS)
        if bids >> (N_STRAINS * level + strain) & 1
        for doubling in doublings
        for tricks in range(N_TRICKS + 1)
    ]


