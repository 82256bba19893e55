"""Regret: what bots lost by their play, card by card, against perfect play of the same contracts on the same deals.

Only the play is looked at: from the first card on, the contract is what the bots bid. A card loses what the position is worth
less after it. For tricks the values are those of perfect play for tricks, for points those of perfect play for the points of
the contract: two aims, and a card that is best for one may lose for the other.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.estimates import ClusterSums, Estimate, clustered_mean
from analysis.load import open_run
from simcore import batch
from simcore.config import Bot, Variant, load_bot
from simcore.errors import InputError
from simcore.given import given_of
from simcore.places import Place

DEALS = 1000
"""Deals of each bot, unless told otherwise."""
ROLES = ("declarer", "defender", "both")
AIMS = ("tricks", "points")
METHOD = {"match": "ratio of sums over matches, Student's t", "deal": "ratio of sums over deals, Student's t"}
_BLOCK = 100
_TENTHS = 10
_Key = tuple[str, str, str]
"""Bot, role, aim."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Regret:
    """What one bot lost in one role, a deal.

    Attributes
    ----------
    bot, role : str
        Role: declarer, defender, or both.
    tricks : Estimate
        Tricks lost, against perfect play for tricks.
    points : Estimate
        Points lost, against perfect play for points.
    """

    bot: str
    role: str
    tricks: Estimate
    points: Estimate

    def as_json(self) -> dict[str, Any]:
        """Form for ``--json``."""
        lost = {f"{aim}_lost": getattr(self, aim) for aim in AIMS}
        means = {name: {"mean": found.estimate, "low": found.low, "high": found.high} for name, found in lost.items()}
        return {"bot": self.bot, "role": self.role, "n": self.tricks.n, **means}


@dataclass(frozen=True, slots=True)
class RegretReport:
    """Regret of the bots of a run, or of several bots each against itself.

    Attributes
    ----------
    variant : str
    bots : tuple of tuple of str
        Who sat at the tables, by seat; a table a tuple.
    sees_all : tuple of str
        Bots that see all cards.
    seed : int
    unit : {"match", "deal"}
    deals : int
        Deals of each table, passed-out ones included.
    rows : list of Regret
        By bot, then role; a role that a bot never had has n = 0.
    """

    variant: str
    bots: tuple[tuple[str, ...], ...]
    sees_all: tuple[str, ...]
    seed: int
    unit: str
    deals: int
    rows: list[Regret]

    @property
    def method(self) -> str:
        """How the intervals were made."""
        return METHOD[self.unit]

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore regret --json``."""
        return {
            "variant": self.variant,
            "tables": [list(names) for names in self.bots],
            "sees_all": list(self.sees_all),
            "seed": self.seed,
            "unit": self.unit,
            "deals": self.deals,
            "aims": {f"{aim}_lost": f"perfect play for {aim}" for aim in AIMS},
            "rows": [row.as_json() for row in self.rows],
            "method": self.method,
        }


def _block_sums(setup: batch.Setup, first: int, n_matches: int) -> tuple[int, dict[_Key, ClusterSums]]:
    """Number of deals of some matches, and sums of what each bot lost."""
    from simcore.solver.regret import chunk_losses

    chunk = batch.play_chunk(setup, first, n_matches, with_record=True)
    losses = chunk_losses(setup, chunk)
    rows = np.arange(len(losses.match))
    sums: dict[_Key, ClusterSums] = {}
    for name in dict.fromkeys(bot.name for bot in setup.bots):
        sits = np.array([bot.name == name for bot in setup.bots])
        seats = {"declarer": losses.declarer, "defender": 1 - losses.declarer}
        kept = {role: np.flatnonzero(sits[seat]) for role, seat in seats.items()}
        for aim, scale in zip(AIMS, (1, _TENTHS), strict=True):
            lost = getattr(losses, aim)
            found = {role: (losses.match[kept[role]], lost[rows, seats[role]][kept[role]] / scale) for role in seats}
            matches, values = (np.concatenate(parts) for parts in zip(*found.values(), strict=True))
            order = np.argsort(matches, kind="stable")
            found["both"] = (matches[order], values[order])
            for role, (match, value) in found.items():
                sums[name, role, aim] = _value_sums(value.astype(np.float64), match)
    return chunk.n_deals, sums


def _value_sums(values: npt.NDArray[np.float64], match: npt.NDArray[np.int64]) -> ClusterSums:
    """Sums of a column of numbers in match order, matches being the clusters."""
    count = len(values)
    if not count:
        return ClusterSums()
    starts = np.flatnonzero(np.r_[True, match[1:] != match[:-1]])
    n = np.diff(np.r_[starts, count]).astype(np.float64)
    y = np.add.reduceat(values, starts)
    return ClusterSums(count, float(y.sum()), float(n @ n), float(n @ y), float(y @ y), float(values @ values))


def _play(setup: batch.Setup, n_matches: int, workers: int | None) -> tuple[int, dict[_Key, ClusterSums]]:
    """The same of many matches, on threads; the order of the sums does not depend on them."""
    starts = range(0, n_matches, _BLOCK)
    sizes = [min(_BLOCK, n_matches - start) for start in starts]
    deals = 0
    total: dict[_Key, ClusterSums] = {}
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for count, sums in pool.map(lambda start, size: _block_sums(setup, start, size), starts, sizes):
            deals += count
            for key, found in sums.items():
                total[key] = total.get(key, ClusterSums()) + found
    return deals, total


def _rows(sums: dict[_Key, ClusterSums], unit: str) -> list[Regret]:
    names = dict.fromkeys(name for name, _, _ in sums)
    return [
        Regret(name, role, *(clustered_mean(sums[name, role, aim], METHOD[unit]) for aim in AIMS))
        for name in names
        for role in ROLES
    ]


def _seers(bots: Sequence[Bot]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(bot.name for bot in bots if bot.sees_all))


def _groups() -> tuple[str, ...]:
    from simcore.solver.regret import GROUPS

    return GROUPS


def bots_regret(
    variant: Variant, bots: Sequence[str], *, deals: int = DEALS, seed: int = 1, workers: int | None = None
) -> RegretReport:
    """Regret of bots, each in both seats, all on the same independent deals.

    Parameters
    ----------
    variant : Variant
        Contracts between two players.
    bots : sequence of str
        Shipped names or paths.
    deals : int
        Deals of each bot.
    seed : int
    workers : int or None
        Threads; None: one a processor. Results do not depend on it.

    Returns
    -------
    RegretReport
        Each deal is one cluster.
    """
    _refuse(variant)
    found = [load_bot(name) for name in bots]
    for place, bot in enumerate(found):
        if any(bot.name == other.name for other in found[:place]):
            raise InputError(f"--bots: {bot.name!r} stands there twice; every bot needs a name of its own")
    rows: list[Regret] = []
    for bot in found:
        setup = batch.prepare(variant, [bot], seed, "deal", _groups())
        _, sums = _play(setup, deals, workers)
        rows += _rows(sums, "deal")
    tables = tuple((bot.name,) * variant.players for bot in found)
    return RegretReport(variant.name, tables, _seers(found), seed, "deal", deals, rows)


def run_regret(run: Place | str, *, deals: int | None = None, workers: int | None = None) -> RegretReport:
    """Regret of the bots of a run, on its first deals; they are played once more.

    Parameters
    ----------
    run : Path or str
        The run directory.
    deals : int or None
        Whole matches until at least so many deals; None: `DEALS`. At most what the run holds.
    workers : int or None
        Threads; None: one a processor. Results do not depend on it.

    Returns
    -------
    RegretReport
        Deals of one match are one cluster.
    """
    from simcore.api import resolve_run

    data = open_run(run)
    if data.manifest.shard is not None:
        raise InputError(f"{data.out} is a shard of a run; join the shards first (simcore merge)")
    found = resolve_run(data.out / "manifest.json")
    _refuse(found.variant)
    setup = batch.prepare(found.variant, found.bots, found.seed, found.unit, _groups(), given_of(found))
    stored = data.manifest.matches
    wanted = -(-min(deals or DEALS, data.manifest.deals) * stored // data.manifest.deals)
    n_deals, sums = _play(setup, min(stored, wanted), workers)
    names = tuple(bot.name for bot in found.bots)
    return RegretReport(
        found.variant.name, (names,), _seers(found.bots), found.seed, found.unit, n_deals, _rows(sums, found.unit)
    )


def _refuse(variant: Variant) -> None:
    from simcore.config import unsolved

    why = unsolved(variant)
    if why is not None:
        raise InputError(f"regret is what perfect play would have done, which is solved for contracts between two hands; {why}")
