"""Scoring by a table of contracts: award, exact bonus, overtrick bonus, doubled bonus, multiplier; undertrick table.

Rule (rules.md, section 1, Scoring). Made (tricks >= level + 6): the award once, a bonus for exactly the tricks bid, a bonus for
certain numbers of overtricks, a bonus for a doubled or redoubled contract, the multiplier. Failed: the opponent scores by
the undertrick table, whose columns are totals and are never multiplied again. Points are whole tenths here.
"""

from __future__ import annotations

from typing import Any

from simcore.codes import TENTHS
from simcore.notation import STRAINS, Contract

UNDERTRICK_COLUMNS = ("undoubled", "doubled", "redoubled")


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
    column = getattr(scoring.undertricks, UNDERTRICK_COLUMNS[contract.doubling])
    short = contract.need - tricks
    return in_tenths(column[min(short, len(column)) - 1])


def contract_table_tenths(scoring: Any, contract: Contract, tricks: int) -> int:
    """Points of a result in tenths, declarer's view: negative points go to the opponent."""
    if tricks >= contract.need:
        return made_tenths(scoring, contract, tricks)
    return -failed_tenths(scoring, contract, tricks)
