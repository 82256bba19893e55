"""Make rates of every contract, bid or not, from the trick table of a run with ``contracts: all``.

Each deal was played in every strain from both sides, for tricks alone; so a contract's rate here is what it makes
when it is imposed on these players' cards, not what it makes when they choose to bid it. The two sides of a deal are
one cluster.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.auctions import possible_groups
from analysis.columns import deal_row_columns
from analysis.estimates import ClusterSums, clustered_rate, rate
from analysis.load import RunData, open_run
from analysis.query import Rows, group_counts
from analysis.rates import GroupRate, RatesReport
from analysis.where import read_condition
from simcore.codes import BOOK, N_RANKS
from simcore.columns import ROLE_NAMES, STRAIN_NAMES
from simcore.errors import InputError
from simcore.runs import RunResult

ROLE = "declarer_role"
GROUPS = ("level", "strain", ROLE)
"""What imposed rates can be grouped by."""
_N_RESULTS = N_RANKS + 1
Joint = npt.NDArray[np.int64]


def has_trick_table(run: RunResult | Path | str) -> bool:
    """Whether every contract was played in a run."""
    return open_run(run).manifest.config.get("contracts") == "all"


def joint_tricks(data: RunData, where: str | None = None) -> dict[str, Joint]:
    """For each strain, how often the dealer takes i tricks and the non-dealer j, each as declarer, on the same deal."""
    columns = deal_row_columns(data)
    rows = Rows.of_deals(data, None if where is None else read_condition(where, columns))
    pairs = {strain: [f"tricks_{strain}_{role}" for role in ROLE_NAMES] for strain in STRAIN_NAMES}
    joint = {strain: np.zeros((_N_RESULTS, _N_RESULTS), np.int64) for strain in STRAIN_NAMES}
    for strain, counts in group_counts(rows, pairs).items():
        for place, n in counts.items():
            joint[strain][place] += n
    return joint


def _one_side(joint: Joint, role: str, need: int) -> GroupRate:
    tricks = joint.sum(axis=1 - ROLE_NAMES.index(role))
    made = int(tricks[need:].sum())
    return GroupRate((), made, rate(made, int(tricks.sum())))


def _both_sides(joint: Joint, need: int) -> GroupRate:
    both = int(joint[need:, need:].sum())
    one = int(joint[need:, :].sum()) + int(joint[:, need:].sum()) - 2 * both
    deals = int(joint.sum())
    made = one + 2 * both
    sums = ClusterSums(n=2 * deals, y=made, nn=4 * deals, ny=2 * made, yy=one + 4 * both, squares=made)
    return GroupRate((), made, clustered_rate(sums))


def imposed_rates(run: RunResult | Path | str, by_role: bool = False, where: str | None = None) -> RatesReport:
    """How often each contract of the variant makes when it is imposed.

    Parameters
    ----------
    run : RunResult, Path or str
        A run with ``contracts: all``, or its directory.
    by_role : bool
        Dealer and non-dealer as declarer apart.
    where : str or None
        Only deals that meet this condition, such as ``hcp_dealer >= 15``.

    Returns
    -------
    RatesReport
        A row a level and strain (and role), in bidding order; `total` counts all of them together.

    Raises
    ------
    InputError
        For a run without a trick table.
    """
    data = open_run(run)
    if data.manifest.config.get("contracts") != "all":
        raise InputError(f"{data.out} has no trick table; run it again with --contracts all")
    joint = joint_tricks(data, where)
    rows = []
    for level, strain in dict.fromkeys(possible_groups(data.rules, ("level", "strain"))):
        need = BOOK + level
        for role in ROLE_NAMES if by_role else (None,):
            found = _both_sides(joint[strain], need) if role is None else _one_side(joint[strain], role, need)
            key = (level, strain) if role is None else (level, strain, role)
            rows.append(GroupRate(key, found.made, found.rate))
    rows.sort(key=lambda row: (row.key[0], STRAIN_NAMES.index(row.key[1]), row.key[2:]))
    return RatesReport(_header(data), GROUPS[: 3 if by_role else 2], rows, None, None, None, where)


def _header(data: RunData) -> dict[str, Any]:
    return {**data.header(), "contracts": "all"}


def mean_tricks(run: RunResult | Path | str) -> dict[str, float]:
    """Mean tricks of declarer in each strain, over all deals and both sides."""
    places = np.arange(_N_RESULTS)
    means = {}
    for strain, joint in joint_tricks(open_run(run)).items():
        tricks = joint.sum(axis=0) + joint.sum(axis=1)
        means[strain] = float((tricks * places).sum() / tricks.sum())
    return means


