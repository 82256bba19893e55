"""Scoring by the value of tricks: so much for each trick above six, in the strain of the contract. Plain Python.

Rule (rules.md, section 3): made: per trick won above six C D 20, H S 30, NT 40 the first and 30 each further; doubled and
redoubled by a multiplier. Options: overtricks do not score; undertricks score for the opponent by a table of totals
(its columns contain the doubling), else a failed contract scores nothing for anyone. Points are whole tenths here.
"""

from __future__ import annotations

from typing import Any

from simcore.codes import BOOK, Strain
from simcore.notation import STRAINS, Contract
from simcore.phases.scoring.contract_table import UNDERTRICK_COLUMNS, in_tenths


def tricks_worth(scoring: Any, strain: int, tricks: int) -> int:
    """Points, in tenths, of so many tricks above six, undoubled."""
    if tricks <= 0:
        return 0
    each = in_tenths(getattr(scoring.trick_value, STRAINS[strain]))
    first = in_tenths(scoring.nt_first) if strain == Strain.NOTRUMP else each
    return first + each * (tricks - 1)


def trick_value_tenths(scoring: Any, contract: Contract, tricks: int) -> int:
    """Points of a result in tenths, declarer's view: negative points go to the opponent."""
    if tricks >= contract.need:
        factor = (1, scoring.multiplier.doubled, scoring.multiplier.redoubled)[contract.doubling]
        scored = tricks - BOOK if scoring.overtricks == "trick_value" else contract.level
        return tricks_worth(scoring, contract.strain, scored) * int(factor)
    if scoring.undertricks == "none":
        return 0
    column = getattr(scoring.undertricks, UNDERTRICK_COLUMNS[contract.doubling])
    return -in_tenths(column[min(contract.need - tricks, len(column)) - 1])
