"""The ladder: bots against each other on mirrored deals, with paired intervals.

A mirrored deal is played once for every seat of the challenger: the same cards, the same dealer, the seats changed. The
luck of the cards and of the dealer cancels in the difference of the two bots, which is therefore one observation. In games
of shedding whole matches are mirrored, and what counts is who wins: points decide nothing there. All
pairs meet the same deals; so the mean of a bot over all its opponents has an honest interval too, from the covariances
of its pairs.

A ladder that stops at a given width looks at it only after 10 000 x 2^k mirrored deals. Looking at the width (and not at
the difference) spoils no interval.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.estimates import Estimate, t_quantile
from simcore import batch
from simcore.config import Bot, Variant, load_bot, load_variant, shipped
from simcore.errors import InputError

FIRST_LOOK = 10_000
"""Mirrored deals after which a ladder that stops at a width looks for the first time; then after twice as many, and so on."""
DEALS = 20_000
"""Mirrored deals of a ladder of fixed length."""
MOST_DEALS = FIRST_LOOK << 10
"""Mirrored deals after which a ladder stops at the latest, unless told otherwise."""
METHOD = "mean of paired differences on mirrored deals, Student's t"
METHOD_OF_MATCHES = "mean of paired differences on mirrored matches, Student's t"
_BLOCK, _FIRST_BLOCK, _BLOCK_SECONDS = 5_000, 4, 1.0
"""Mirrored deals played at once: at most, the first time, and what a block may take, so that an interrupt is soon heard."""
_TWO_PLAYERS = 2
_TENTHS = 10
_MATCH = 60
"""A match in whole numbers, so that it can be shared by two to six players."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Duel:
    """One bot against another.

    Attributes
    ----------
    challenger, opponent : str
        Names; in a game of more than two players the opponent sits in all other seats.
    difference : Estimate
        Points per deal (games of shedding: matches won) of the challenger, less those of an opponent.
    standard_error : float
    """

    challenger: str
    opponent: str
    difference: Estimate
    standard_error: float

    def as_json(self) -> dict[str, Any]:
        """Form for ``--json``."""
        return {
            "challenger": self.challenger,
            "opponent": self.opponent,
            **self.difference.as_json("difference"),
            "standard_error": self.standard_error,
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot's place: its mean difference over all opponents."""

    bot: str
    difference: Estimate


@dataclass(frozen=True, slots=True)
class LadderReport:
    """Outcome of a ladder.

    Attributes
    ----------
    variant : str
    seed : int
    deals : int
        Mirrored deals (games of shedding: matches) of each pair.
    duels : list of Duel
        Every pair once; in games of more than two players twice, since a among many b is not the reverse of b among many a.
    ranking : list of Standing
        The best first.
    width : float or None
        Half-width that was asked for.
    unit : {"deal", "match"}
        What was mirrored.
    sees_all : tuple of str
        Bots that see all cards.
    """

    variant: str
    seed: int
    deals: int
    duels: list[Duel]
    ranking: list[Standing]
    width: float | None = None
    unit: str = "deal"
    sees_all: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """How the intervals were made."""
        return METHOD if self.unit == "deal" else METHOD_OF_MATCHES

    @property
    def widest(self) -> float:
        """Largest half-width of the duels' intervals."""
        return max(_half_width(duel.difference) for duel in self.duels)

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore ladder --json``."""
        ranking = [
            {"rank": place, "bot": standing.bot, **standing.difference.as_json("difference")}
            for place, standing in enumerate(self.ranking, start=1)
        ]
        return {
            "variant": self.variant,
            "seed": self.seed,
            "unit": self.unit,
            "deals": self.deals,
            "sees_all": list(self.sees_all),
            "width": self.width,
            "reached": self.width is None or self.widest <= self.width,
            "duels": [duel.as_json() for duel in self.duels],
            "ranking": ranking,
            "method": self.method,
        }


def _half_width(found: Estimate) -> float:
    assert found.low is not None
    assert found.high is not None
    return (found.high - found.low) / 2


def seatings(players: int, challenger: Bot, opponent: Bot) -> list[list[Bot]]:
    """Bots by seat, for each seat of the challenger; its opponent sits in all the others."""
    return [[challenger if seat == place else opponent for seat in range(players)] for place in range(players)]


def pairs_of(players: int, bots: Sequence[Bot]) -> list[tuple[Bot, Bot]]:
    """Pairs that a ladder plays: with two players each once, since turning a pair round only changes the sign."""
    return list(combinations(bots, 2) if players == _TWO_PLAYERS else permutations(bots, 2))


def ladder_bots(variant: Variant, names: Sequence[str] | None) -> list[Bot]:
    """Bots of a ladder.

    Parameters
    ----------
    variant : Variant
    names : sequence of str or None
        Shipped names or paths; None: all shipped bots that can play the variant and see what a player sees.

    Returns
    -------
    list of Bot
        At least two, of different names.
    """
    found = [load_bot(name) for name in (shipped("bots") if names is None else names)]
    if names is None:
        found = [bot for bot in found if not bot.sees_all and _fits(variant, bot)]
    if len(found) < _TWO_PLAYERS:
        raise InputError("--bots: a ladder needs two bots at least, as in --bots novice,heuristic")
    for place, bot in enumerate(found):
        if any(bot.name == other.name for other in found[:place]):
            raise InputError(f"--bots: {bot.name!r} stands there twice; every bot of a ladder needs a name of its own")
    return found


def _fits(variant: Variant, bot: Bot) -> bool:
    """Whether a bot can play a variant."""
    try:
        batch.prepare(variant, [bot], 0, "deal")
    except InputError:
        return False
    return True


class _Sums:
    """Sums over mirrored deals of the pairs' differences and of their products, in whole tenths: exact in any order."""

    def __init__(self, n_pairs: int) -> None:
        self.n = 0
        self.method = METHOD
        self.sums = np.zeros(n_pairs, np.int64)
        self.products = np.zeros((n_pairs, n_pairs), np.int64)

    def add(self, differences: npt.NDArray[np.int64]) -> None:
        """Add mirrored deals, a row each, a column a pair."""
        self.n += len(differences)
        self.sums += differences.sum(axis=0)
        self.products += differences.T @ differences

    def estimate(self, weights: Numbers, scale: float) -> tuple[Estimate, float]:
        """Weighted sum of the pairs' means and its standard error; `scale` turns whole numbers into points."""
        mean = float(weights @ self.sums) / self.n * scale
        squares = float(weights @ self.products @ weights) * scale**2
        error = math.sqrt(max(0.0, squares - self.n * mean**2) / (self.n - 1) / self.n)
        half = t_quantile(self.n - 1) * error
        return Estimate(self.n, mean, mean - half, mean + half, self.method), error


class _Table:
    """Plays the mirrored deals of all pairs."""

    def __init__(self, variant: Variant, bots: Sequence[Bot], seed: int) -> None:
        self.block = _BLOCK
        self.players = variant.players
        self.unit = "match" if variant.auction.kind == "steps" else "deal"
        self.pairs = pairs_of(self.players, bots)
        self.setups = [
            [batch.prepare(variant, seats, seed, self.unit) for seats in seatings(self.players, *pair)] for pair in self.pairs
        ]

    @property
    def scale(self) -> float:
        """Points per deal (or matches) and opponent in a whole number of `differences`."""
        return 1 / ((_TENTHS if self.unit == "deal" else _MATCH) * self.players * (self.players - 1))

    def differences(self, first: int, n_deals: int) -> npt.NDArray[np.int64]:
        """The challenger's tenths (or shares of the match) less each opponent's, over all seats of the challenger.

        A row a deal or match, a column a pair.
        """
        found = np.zeros((n_deals, len(self.pairs)), np.int64)
        for pair, setups in enumerate(self.setups):
            for place, setup in enumerate(setups):
                chunk = batch.play_chunk(setup, first, n_deals)
                if self.unit == "match":
                    winner = chunk.matches["winner"].astype(np.int64)
                    shares = np.where(winner < 0, _MATCH // self.players, np.where(winner == place, _MATCH, 0))
                    found[:, pair] += self.players * shares - _MATCH
                    continue
                deals = chunk.deals
                points = [deals[f"points_{seat}"].astype(np.int64) for seat in range(self.players)]
                margin = self.players * points[place] - np.sum(points, axis=0)
                np.add.at(found[:, pair], deals["match"] - first, margin)  # a unit may hold deals that were dealt again
        return found


def _looks(deals: int | None, width: float | None) -> Iterator[int]:
    """Numbers of mirrored deals at which a ladder may end; the last one ends it."""
    if width is None:
        yield DEALS if deals is None else deals
        return
    most = MOST_DEALS if deals is None else deals
    look = FIRST_LOOK
    while look < most:
        yield look
        look *= 2
    yield most


def play_ladder(
    variant: str | Path | Variant,
    bots: Sequence[str] | None = None,
    *,
    deals: int | None = None,
    width: float | None = None,
    seed: int = 1,
    overrides: Sequence[str] = (),
    workers: int | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> LadderReport:
    """Let bots play against each other, every pair on the same mirrored deals.

    Parameters
    ----------
    variant : str, Path or Variant
        Whose game.
    bots : sequence of str or None
        Shipped names or paths; None: all shipped bots that can play the variant.
    deals : int or None
        Mirrored deals of each pair; with `width` the most there may be. None: 20 000, with `width` 10 240 000.
    width : float or None
        Stop as soon as the 95 % interval of every pair has at most this half-width, in points per deal.
    seed : int
    overrides : sequence of str
        Changes of the rules as ``path=value``.
    workers : int or None
        Threads; None: one a processor. Results do not depend on it.
    progress : callable
        Told how many mirrored deals have been played, and of how many at the next look.

    Returns
    -------
    LadderReport
    """
    rules = variant if isinstance(variant, Variant) else load_variant(variant, overrides)
    players = ladder_bots(rules, bots)
    table = _Table(rules, players, seed)
    sums = _Sums(len(table.pairs))
    sums.method = METHOD if table.unit == "deal" else METHOD_OF_MATCHES
    threads = workers or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        for look in _looks(deals, width):
            _play_until(look, table, sums, pool, 2 * threads, progress)
            report = _report(rules, seed, players, table, sums, width)
            if width is not None and report.widest <= width:
                break
    return report


def _play_until(
    look: int, table: _Table, sums: _Sums, pool: ThreadPoolExecutor, ahead: int, progress: Callable[[int, int], None]
) -> None:
    """Play on until so many mirrored deals have been added, in blocks that are short in time."""
    if sums.n == 0:
        sums.add(table.differences(0, min(1, look)))  # loads the kernels
        begun, few = time.perf_counter(), min(_FIRST_BLOCK, look - 1)
        sums.add(table.differences(1, few))
        table.block = max(1, min(_BLOCK, int(_BLOCK_SECONDS * few / (time.perf_counter() - begun))))
    waiting: deque[Future[npt.NDArray[np.int64]]] = deque()
    start = sums.n
    try:
        while start < look or waiting:
            while start < look and len(waiting) < ahead:
                size = min(table.block, look - start)
                waiting.append(pool.submit(table.differences, start, size))
                start += size
            sums.add(waiting.popleft().result())
            progress(sums.n, look)
    except BaseException:
        for block in waiting:
            block.cancel()
        raise


def _report(variant: Variant, seed: int, bots: Sequence[Bot], table: _Table, sums: _Sums, width: float | None) -> LadderReport:
    duels = []
    for place, (challenger, opponent) in enumerate(table.pairs):
        found, error = sums.estimate(np.eye(len(table.pairs))[place], table.scale)
        duels.append(Duel(challenger.name, opponent.name, found, error))
    ranking = []
    for bot in bots:
        signs = np.array([float(pair[0] is bot) - float(pair[1] is bot) for pair in table.pairs])
        found, _ = sums.estimate(signs / np.abs(signs).sum(), table.scale)
        ranking.append(Standing(bot.name, found))
    ranking.sort(key=lambda standing: -(standing.difference.estimate or 0.0))
    seers = tuple(bot.name for bot in bots if bot.sees_all)
    return LadderReport(variant.name, seed, sums.n, duels, ranking, width, table.unit, seers)
