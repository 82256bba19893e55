"""Make rates of every contract, bid or not, from the trick tables of a run with ``contracts: all``.

Each deal was played in every strain from both sides, for tricks alone; so a contract's rate here is what it makes
when it is imposed on these players' cards, not what it makes when they choose to bid it. The two sides of a deal are
one cluster. The players are the bots, or perfect play of both sides for tricks, or both, on the same deals.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.auctions import possible_groups
from analysis.columns import deal_row_columns
from analysis.estimates import ClusterSums, clustered_mean, clustered_rate, rate
from analysis.load import RunData, open_run
from analysis.query import Rows, group_counts
from analysis.rates import GroupRate, RatesReport
from analysis.where import read_condition
from simcore.codes import BOOK, N_RANKS
from simcore.columns import ROLE_NAMES, STRAIN_NAMES
from simcore.errors import InputError
from simcore.places import Place
from simcore.runs import RunResult

ROLE = "declarer_role"
GROUPS = ("level", "strain", ROLE)
"""What imposed rates can be grouped by."""
PLAYERS = {"bots": ("bots",), "perfect": ("perfect",), "both": ("bots", "perfect")}
"""By the key `play` of a run: whose trick tables it holds."""
DIFFERENCE = "mean of paired differences on common deals, the sides of a deal together, Student's t"
_STEMS = {"bots": "tricks", "perfect": "perfect_tricks"}
_N_RESULTS = N_RANKS + 1
Joint = npt.NDArray[np.int64]
"""How often: for each player of the table, an axis of the dealer's tricks and one of the non-dealer's, each as declarer."""


def has_trick_table(run: RunResult | Place | str) -> bool:
    """Whether every contract was played in a run."""
    return open_run(run).manifest.config.get("contracts") == "all"


def players_of(data: RunData) -> tuple[str, ...]:
    """Whose trick tables a run holds: bots, perfect."""
    return PLAYERS[data.manifest.config.get("play", "bots")]


def joint_tricks(data: RunData, where: str | None = None) -> dict[str, Joint]:
    """For each strain, how often the dealer takes i tricks and the non-dealer j, each as declarer, on the same deal.

    Where a run holds two trick tables: i and j of the bots, and then of perfect play.
    """
    columns = deal_row_columns(data)
    rows = Rows.of_deals(data, None if where is None else read_condition(where, columns))
    stems = [_STEMS[player] for player in players_of(data)]
    asked = {strain: [f"{stem}_{strain}_{role}" for stem in stems for role in ROLE_NAMES] for strain in STRAIN_NAMES}
    joint = {strain: np.zeros((_N_RESULTS,) * (2 * len(stems)), np.int64) for strain in STRAIN_NAMES}
    for strain, counts in group_counts(rows, asked).items():
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


def _difference(joint: Joint, role: str | None, need: int) -> ClusterSums:
    """Sums over deals of what perfect play makes and the bots do not, less the reverse, over the sides that are looked at."""
    sides = range(2) if role is None else (ROLE_NAMES.index(role),)
    sums = ClusterSums()
    parts = (slice(0, need), slice(need, None))
    for made in product(range(2), repeat=4):
        deals = int(joint[tuple(parts[each] for each in made)].sum())
        each = [made[2 + side] - made[side] for side in sides]
        n, y = len(each), sum(each)
        squares = sum(value * value for value in each)
        sums += ClusterSums(n * deals, y * deals, n * n * deals, n * y * deals, y * y * deals, squares * deals)
    return sums


def _row(key: tuple[Any, ...], joint: Joint, role: str | None, need: int) -> GroupRate:
    """Rate of a contract; where there are two trick tables, of both players, and their difference."""

    def of_one(table: Joint) -> GroupRate:
        return _both_sides(table, need) if role is None else _one_side(table, role, need)

    if joint.ndim == 2:
        found = of_one(joint)
        return GroupRate(key, found.made, found.rate)
    bots, perfect = of_one(joint.sum(axis=(2, 3))), of_one(joint.sum(axis=(0, 1)))
    return GroupRate(key, bots.made, bots.rate, perfect, clustered_mean(_difference(joint, role, need), DIFFERENCE))


def imposed_rates(run: RunResult | Place | str, by_role: bool = False, where: str | None = None) -> RatesReport:
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
            key = (level, strain) if role is None else (level, strain, role)
            rows.append(_row(key, joint[strain], role, need))
    rows.sort(key=lambda row: (row.key[0], STRAIN_NAMES.index(row.key[1]), row.key[2:]))
    return RatesReport(_header(data), GROUPS[: 3 if by_role else 2], rows, None, None, None, where)


def _header(data: RunData) -> dict[str, Any]:
    play = data.manifest.config.get("play", "bots")
    aim = {} if play == "bots" else {"perfect_aim": "tricks"}
    return {**data.header(), "contracts": "all", "play": play, **aim}


def mean_tricks(run: RunResult | Place | str) -> dict[str, float]:
    """Mean tricks of declarer in each strain, over all deals and both sides; the bots', where a run holds their table."""
    places = np.arange(_N_RESULTS)
    means = {}
    for strain, found in joint_tricks(open_run(run)).items():
        joint = found.sum(axis=(2, 3)) if found.ndim > 2 else found
        tricks = joint.sum(axis=0) + joint.sum(axis=1)
        means[strain] = float((tricks * places).sum() / tricks.sum())
    return means
