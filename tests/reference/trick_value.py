"""Draw Bridge's points: a contract made scores for every trick above six, by its strain."""

from __future__ import annotations

from .points import tenths


def made_tenths(scoring, level, strain, over, times):
    """Each trick won above six its value, the first in no trump `nt_first`; then the doubling.

    With ``overtricks: none`` only the tricks of the contract count. A contract of level 0 made exactly scores nothing.
    """
    paid = level + over if scoring["overtricks"] == "trick_value" else level
    values = [tenths(scoring["trick_value"][strain])] * paid
    if strain == "NT" and values:
        values[0] = tenths(scoring["nt_first"])
    return sum(values) * times
