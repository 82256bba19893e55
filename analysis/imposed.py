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
import pyarrow as pa

from analysis.auctions import possible_groups
from analysis.estimates import ClusterSums, clustered_rate, rate
from analysis.load import RunData, open_run
from analysis.rates import GroupRate, RatesReport
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


def joint_tricks(data: RunData) -> dict[str, Joint]:
    """For each strain, how often the dealer takes i tricks and the non-dealer j, each as declarer, on the same deal."""
    joint = {strain: np.zeros((_N_RESULTS, _N_RESULTS), np.int64) for strain in STRAIN_NAMES}
    columns = ["dealer", *(f"tricks_{strain}_{seat}" for strain in STRAIN_NAMES for seat in range(data.players))]
    for piece in data.pieces("deals", columns):
        dealer = _numbers(piece["dealer"])
        for strain in STRAIN_NAMES:
            first, second = (_numbers(piece[f"tricks_{strain}_{seat}"]) for seat in range(data.players))
            by_dealer = np.where(dealer == 0, first, second) * _N_RESULTS + np.where(dealer == 0, second, first)
            joint[strain] += np.bincount(by_dealer, minlength=_N_RESULTS**2).reshape(_N_RESULTS, _N_RESULTS)
    return joint


def _numbers(column: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    numbers: npt.NDArray[np.int64] = column.to_numpy().astype(np.int64)
    return numbers


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


def imposed_rates(run: RunResult | Path | str, by_role: bool = False) -> RatesReport:
    """How often each contract of the variant makes when it is imposed.

    Parameters
    ----------
    run : RunResult, Path or str
        A run with ``contracts: all``, or its directory.
    by_role : bool
        Dealer and non-dealer as declarer apart.

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
    joint = joint_tricks(data)
    rows = []
    for level, strain in dict.fromkeys(possible_groups(data.rules, ("level", "strain"))):
        need = BOOK + level
        for role in ROLE_NAMES if by_role else (None,):
            found = _both_sides(joint[strain], need) if role is None else _one_side(joint[strain], role, need)
            key = (level, strain) if role is None else (level, strain, role)
            rows.append(GroupRate(key, found.made, found.rate))
    rows.sort(key=lambda row: (row.key[0], STRAIN_NAMES.index(row.key[1]), row.key[2:]))
    return RatesReport(_header(data), GROUPS[: 3 if by_role else 2], rows, None, None, None)


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


