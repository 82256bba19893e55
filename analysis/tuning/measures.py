"""Measures of a scoring table, as functions of sums over deals: rates, shares of tiers, points, the dealer's edge, spread.

Deals are summed in blocks. A measure of all blocks but one, for each block, gives its standard error (delete-a-group
jackknife), also for differences of two tables over the same deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from analysis.estimates import t_quantile
from simcore.codes import N_BIDS, N_LEVELS, N_STRAINS, TENTHS
from simcore.config import Variant
from simcore.phases.auction.bridge_tables import existing_bids

if TYPE_CHECKING:
    from simcore.trick_tables import Outcomes

Floats = npt.NDArray[np.float64]
BLOCKS = 50
"""Groups of deals, each left out once."""
BLOCK_METHOD = f"95 %, delete-a-group jackknife over {BLOCKS} blocks of deals, t with {BLOCKS - 1} degrees of freedom"
NOT_SHARES = ("calls", "points", "edge", "sd", "edge_in_sd")
"""Measures that may leave 0 .. 1."""
COUNT = "never_bid"
"""It is a count of what did not occur, and has no interval."""
_SAME_TIER = 1.25
"""Awards less than so many times another belong to the same tier."""
_PLAIN = (
    *("n", "passed_out", "made", "doubled", "redoubled", "doubled_made", "contested", "contested_made"),
    *("calls", "size", "net", "net_squared", "zero", "level_7", "matches", "open", "top_size"),
)
_OPEN, _TOP = 0.90, 0.99
"""A match is open before its last deal where the lead is not above this quantile of a deal's points; the largest deals."""


@dataclass(frozen=True, slots=True)
class Tiers:
    """Contracts by how much they bring.

    Attributes
    ----------
    names : tuple of str
        Rising.
    of_bid : ndarray
        int64[bid]: tier; -1 for bids that do not exist.
    match_deals : int
        Deals of a match; 0 where matches have no fixed number of them.
    """

    names: tuple[str, ...]
    of_bid: npt.NDArray[np.int64]
    match_deals: int = 0


def tiers_of(variant: Variant) -> Tiers:
    """Tiers of a variant's contracts: by their awards, awards next to each other together; without awards by level.

    Parameters
    ----------
    variant : Variant

    Returns
    -------
    Tiers
    """
    bids = existing_bids(variant)
    award: Any = getattr(variant.scoring, "award", None)
    worth: dict[int, float] = {}
    for bid in range(N_BIDS):
        if bids >> bid & 1:
            strain = ("C", "D", "H", "S", "NT")[bid % N_STRAINS]
            worth[bid] = bid // N_STRAINS if award is None else getattr(award, strain)[bid // N_STRAINS]
    borders: list[float] = []
    for value in sorted(set(worth.values())):
        if award is None or not borders or value >= _SAME_TIER * borders[-1]:
            borders.append(value)
    of_bid = np.full(N_BIDS, -1, np.int64)
    for bid, value in worth.items():
        of_bid[bid] = sum(border <= value for border in borders) - 1
    prefix = "" if award is not None else "level"
    match_deals = getattr(variant.match, "deals", None) or 0
    return Tiers(tuple(f"{prefix}{border:g}" for border in borders), of_bid, int(match_deals))


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over blocks of deals.

    Attributes
    ----------
    tiers : Tiers
    values : ndarray
        int64[block, column]: `_PLAIN`, then contracts and contracts made by tier, contracts made by bid, contracts by bid.
    """

    tiers: Tiers
    values: npt.NDArray[np.int64]

    @property
    def n_deals(self) -> int:
        """Deals of all blocks."""
        return int(self.values[:, 0].sum())

    def left_out(self) -> Floats:
        """Totals of all deals (row 0), and without each block."""
        total = self.values.sum(axis=0)
        return np.concatenate([total[None], total[None] - self.values]).astype(np.float64)

    def bids(self, made: bool = False) -> dict[int, int]:
        """Contracts, or contracts made, by bid."""
        counts = self.values[:, -2 * N_BIDS : -N_BIDS if made else None][:, -N_BIDS:].sum(axis=0)
        return {bid: int(counts[bid]) for bid in range(N_BIDS) if self.tiers.of_bid[bid] >= 0}


def sum_up(tiers: Tiers, dealer: npt.NDArray[np.int8], outcomes: Outcomes) -> Sums:
    """Sum up auctions over deals in blocks of consecutive deals.

    Parameters
    ----------
    tiers : Tiers
    dealer : ndarray
        Seat of the dealer, by deal.
    outcomes : Outcomes

    Returns
    -------
    Sums
    """
    n = len(dealer)
    block = np.arange(n) * BLOCKS // n
    size = np.abs(outcomes.tenths.astype(np.int64))
    bid = outcomes.bid.astype(np.int64)
    played = bid >= 0
    made = played & (outcomes.tricks >= 6 + bid // N_STRAINS)
    tenths = outcomes.tenths.astype(np.int64)
    net = np.where(outcomes.declarer == dealer, tenths, -tenths)
    doubled, contested = outcomes.doubling > 0, outcomes.contested > 0
    columns: dict[str, Any] = {
        "n": np.ones(n), "passed_out": ~played, "made": made, "doubled": doubled, "redoubled": outcomes.doubling == 2,
        "doubled_made": doubled & made, "contested": contested, "contested_made": contested & made, "calls": outcomes.n_calls,
        "size": size, "net": net, "net_squared": net.astype(np.float64) ** 2, "zero": net == 0,
        "level_7": bid // N_STRAINS == N_LEVELS - 1,
        **_matches(net, size, tiers.match_deals), "top_size": np.where(size >= np.quantile(size, _TOP), size, 0),
    }  # fmt: skip
    parts = [np.bincount(block, columns[name], BLOCKS)[:, None] for name in _PLAIN]
    tier = tiers.of_bid[bid[played]]
    for rows, place, width in ((played, tier, len(tiers.names)), (made, tiers.of_bid[bid[made]], len(tiers.names)),
                              (made, bid[made], N_BIDS), (played, bid[played], N_BIDS)):  # fmt: skip
        parts.append(np.bincount(block[rows] * width + place, minlength=BLOCKS * width).reshape(BLOCKS, width))
    return Sums(tiers, np.rint(np.concatenate(parts, axis=1)).astype(np.int64))


def _matches(net: npt.NDArray[np.int64], size: npt.NDArray[np.int64], n_deals: int) -> dict[str, Any]:
    """Matches of consecutive deals, the dealer changing, noted at their last deal, and which of them were open before it."""
    last, still = np.zeros(len(net)), np.zeros(len(net))
    whole = len(net) // n_deals if n_deals > 1 else 0
    if whole:
        signs = np.where(np.arange(n_deals) % 2 == 0, 1, -1)
        lead = np.abs((net[: whole * n_deals].reshape(whole, n_deals) * signs)[:, :-1].sum(axis=1))
        at = np.arange(1, whole + 1) * n_deals - 1
        last[at], still[at] = 1, lead <= np.quantile(size, _OPEN)
    return {"matches": last, "open": still}


def measures(sums: Sums) -> dict[str, Floats]:
    """All measures.

    Parameters
    ----------
    sums : Sums

    Returns
    -------
    dict of str to ndarray
        Row 0: of all deals; the others: without each block. NaN where there is no case.
    """
    rows = sums.left_out()
    of = {name: rows[:, place] for place, name in enumerate(_PLAIN)}
    first, k = len(_PLAIN), len(sums.tiers.names)
    contracts, n = of["n"] - of["passed_out"], of["n"]
    with np.errstate(divide="ignore", invalid="ignore"):
        found = {"make": of["made"] / contracts}
        for tier, name in enumerate(sums.tiers.names):
            found[f"make_{name}"] = rows[:, first + k + tier] / rows[:, first + tier]
        for tier, name in enumerate(sums.tiers.names):
            found[f"share_{name}"] = rows[:, first + tier] / contracts
        mean = of["net"] / n
        sd = np.sqrt(np.maximum(of["net_squared"] / n - mean**2, 0.0))
        found |= {
            "doubled": of["doubled"] / n,
            "redoubled": of["redoubled"] / n,
            "redoubled_of_doubled": of["redoubled"] / of["doubled"],
            "make_doubled": of["doubled_made"] / of["doubled"],
            "make_contested": of["contested_made"] / of["contested"],
            "contested": of["contested"] / n,
            "passed_out": of["passed_out"] / n,
            "level_7": of["level_7"] / contracts,
            "zero": of["zero"] / n,
            "calls": of["calls"] / n,
            "points": of["size"] / n / TENTHS,
            "edge": mean / TENTHS,
            "sd": sd / TENTHS,
            "edge_in_sd": mean / sd,
            "top_share": of["top_size"] / of["size"],
            "never_bid": (rows[:, -N_BIDS:][:, sums.tiers.of_bid >= 0] == 0).sum(axis=1).astype(np.float64),
        }
        if sums.tiers.match_deals > 1:
            found["tension"] = of["open"] / of["matches"]
    return found


def measure_names(tiers: Tiers) -> tuple[str, ...]:
    """Names of all measures, in order.

    Parameters
    ----------
    tiers : Tiers

    Returns
    -------
    tuple of str
    """
    width = len(_PLAIN) + 2 * len(tiers.names) + 2 * N_BIDS
    return tuple(measures(Sums(tiers, np.ones((2, width), np.int64))))


def method_of(sums: Sums) -> str:
    """How the intervals of sums are made, in words.

    Parameters
    ----------
    sums : Sums

    Returns
    -------
    str
    """
    n = len(sums.values)
    if n == BLOCKS:
        return f"{BLOCK_METHOD}; the fit of the beliefs is not in them"
    parts = f"{n} parts, each with beliefs fitted on deals of its own"
    return f"95 %, delete-a-group jackknife over {parts}, t with {n - 1} degrees of freedom"


def standard_error(rows: Floats) -> float:
    """Standard error of a measure by the delete-a-group jackknife.

    Parameters
    ----------
    rows : ndarray
        Of all deals, then without each block.

    Returns
    -------
    float
    """
    rest = rows[1:]
    return float(np.sqrt((len(rest) - 1) / len(rest) * ((rest - rest.mean()) ** 2).sum()))


def interval(rows: Floats, name: str = "") -> dict[str, float | None]:
    """A measure, or a difference of measures, with its interval.

    Parameters
    ----------
    rows : ndarray
        As for `standard_error`.
    name : str
        Of a measure, so that a share stays within 0 and 1; empty for differences.

    Returns
    -------
    dict
        value, low, high; None where there is no case, or nothing that varies.
    """
    value = float(rows[0])
    if not np.isfinite(rows).all():
        return {"value": value if np.isfinite(value) else None, "low": None, "high": None}
    half = t_quantile(len(rows) - 2) * standard_error(rows)
    if half == 0.0 or name == COUNT:
        return {"value": value, "low": None, "high": None}
    low, high = value - half, value + half
    if name and name not in NOT_SHARES:
        low, high = max(low, 0.0), min(high, 1.0)
    return {"value": value, "low": low, "high": high}


def alarms(found: Mapping[str, float | None], tiers: Sequence[str], n_contracts: int) -> list[str]:
    """What is degenerate about auctions, in words.

    Parameters
    ----------
    found : mapping
        Measures by name; those that are missing or None are not judged.
    tiers : sequence of str
        Names of tiers.
    n_contracts : int
        Contracts that the measures are of.

    Returns
    -------
    list of str
    """

    def value(name: str) -> float:
        number = found.get(name)
        return float("nan") if number is None else float(number)

    texts = []
    if value("level_7") > 0.5:
        texts.append(f"overbidding is free: {value('level_7'):.1%} of the contracts are of level 7")
    elif value("zero") > 0.9 and not value("passed_out") > 0.5:
        texts.append(f"overbidding is free: nobody scores in {value('zero'):.1%} of the deals")
    if value("redoubled_of_doubled") > 0.9 and value("doubled") > 0.001:
        texts.append(f"nearly every double is redoubled: {value('redoubled_of_doubled'):.1%} of them")
    if value("passed_out") > 0.5:
        texts.append(f"most deals are passed out: {value('passed_out'):.1%}")
    if value("make") < 0.35:
        texts.append(f"few contracts are made: {value('make'):.1%}")
    if n_contracts >= 10_000:
        never = [name for name in tiers if value(f"share_{name}") == 0]
        if never:
            texts.append(f"never used: contracts of tier {', '.join(never)}")
    return texts
