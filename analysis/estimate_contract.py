"""How often an imposed contract makes, given what is known: sampled deals, played by bots or perfectly.

Deals are counted at fixed numbers only (10,000, 20,000, 40,000 ..; for perfect play from 1,000 on), and the count ends where
the 95 % interval of every make rate asked for is narrow enough. The best contract is chosen by mean points on these deals;
since the best of many looks better than it is, what is reported of it comes from fresh deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis.estimate_report import DOUBLINGS, Best, EstimateReport, RoleEstimate, exactly, mean_of
from analysis.estimate_where import Where, keep_of, shown_where
from analysis.estimates import rate
from simcore.batch import Setup, prepare
from simcore.codes import N_LEVELS, N_RANKS, N_STRAINS, N_SUITS, Role
from simcore.columns import ROLE_NAMES
from simcore.config import Variant, load_bot, load_variant
from simcore.errors import InputError
from simcore.notation import Contract, bid_text, contract_text, parse_contract
from simcore.phases.auction.bridge_tables import existing_bids
from simcore.phases.scoring.contracts import score_contract
from simcore.sampling.known import Deal, Question, known_of
from simcore.sampling.sampler import Collector, Keep, Sampler

HALF_WIDTH = 0.005
MOST_DEALS = 10_000_000
"""Deals that count, at most."""
FIRST_LOOK, FIRST_LOOK_PERFECT = 10_000, 1_000
MOST_FRESH, MOST_FRESH_PERFECT = 100_000, 2_000
"""Fresh deals on which the best contract is measured, at most."""
FRESH = 2
"""Streams: the role (0, 1) for the estimate, 2 + role for the best contract."""
PLAYS = ("bots", "perfect")


@dataclass(frozen=True)
class Plan:
    """When to stop.

    Attributes
    ----------
    until
        Half-width of the interval of a make rate.
    deals
        Exactly so many deals; with `until` at most so many.
    workers
        Threads.
    """

    until: float | None
    deals: int | None
    workers: int | None

    def looks(self, first: int) -> list[int]:
        """Numbers of deals at which the interval is looked at; the last one is the end."""
        most = min(self.deals or MOST_DEALS, MOST_DEALS)
        if self.until is None:
            return [most]
        sizes = []
        while first < most:
            sizes.append(first)
            first *= 2
        return [*sizes, most]


def make_plan(until: float | None, deals: int | None, workers: int | None) -> Plan:
    """A plan, checked; without anything given the default half-width."""
    if deals is not None and not 1 <= deals <= MOST_DEALS:
        raise InputError(f"deals {deals}: allowed are 1 .. {MOST_DEALS:,}")
    if until is not None and not 1e-6 <= until < 1:
        raise InputError(f"until {until}: no half-width of a rate; write a number such as {HALF_WIDTH}")
    if until is None and deals is None:
        until = HALF_WIDTH
    return Plan(until, deals, workers)


def make_setup(variant: Variant, bots: str | Sequence[Any], seed: int) -> Setup:
    """Rules and bots, declarer's bot first."""
    names = [bots] if isinstance(bots, str) else list(bots)
    return prepare(variant, [load_bot(name) for name in names], seed, "deal")


class _Asked:
    """A contract, and how sampled deals become tricks and points."""

    def __init__(self, setup: Setup, contract: Contract, play: str, plan: Plan, keep: Keep | None) -> None:
        self.setup, self.contract, self.play, self.plan, self.keep = setup, contract, play, plan, keep
        self.cells: np.ndarray = setup.rules.score.tenths
        self.perfect = play == "perfect"

    def tricks(self, collected: Collector, size: int, done: np.ndarray) -> np.ndarray:
        """Declarer's tricks in every strain, of the first `size` deals. done : those known already -> int8[strain, deal]"""
        batch = collected.batch(size, done.shape[1])
        if not self.perfect:
            assert batch.tricks is not None
            return np.concatenate([done, batch.tricks], axis=1)
        from simcore.solver.deals import solve_tricks

        solved = solve_tricks(batch.sampled.hands, self.setup.rules.play, workers=self.plan.workers)
        return np.concatenate([done, solved[:, :, 1].T], axis=1)

    def points(self, contract: Contract, tricks: np.ndarray) -> np.ndarray:
        """Declarer's points of each deal, in tenths."""
        found: np.ndarray = self.cells[contract.level, contract.strain, contract.doubling, tricks[contract.strain]]
        return found

    def sampler(self, deal: Deal, role: int) -> Sampler:
        return Sampler(self.setup, deal, role, self.keep, play=not self.perfect)

    def collector(self, deal: Deal, role: int, stream: int) -> Collector:
        return Collector(self.sampler(deal, role), stream, self.plan.workers, with_cards=self.perfect)


class _Side:
    """Declarer in one role, as the deals become more."""

    def __init__(self, asked: _Asked, deal: Deal, role: int) -> None:
        self.asked, self.deal, self.role = asked, deal, role
        self.collected = asked.collector(deal, role, role)
        self.tricks = np.zeros((N_STRAINS, 0), np.int8)
        self.is_exact = asked.perfect and all(deal.complete)

    def reach(self, size: int) -> bool:
        """Play up to a number of deals; -> False where there are no more."""
        if self.is_exact:
            size = 1
        enough = self.collected.reach(size)
        self.tricks = self.asked.tricks(self.collected, min(size, self.collected.n), self.tricks)
        return enough

    def half_width(self) -> float:
        made = int((self.tricks[self.asked.contract.strain] >= self.asked.contract.need).sum())
        found = rate(made, self.tricks.shape[1])
        return 0.0 if self.is_exact or found.low is None or found.high is None else (found.high - found.low) / 2

    def best(self) -> Best:
        """The contract with most points on these deals, measured on fresh ones."""
        asked = self.asked
        bids = allowed_bids(asked.setup.variant, self.deal)
        contracts = [Contract(bid // N_STRAINS, bid % N_STRAINS, 0) for bid in bids]
        counts = [np.bincount(self.tricks[strain], minlength=N_RANKS + 1)[: N_RANKS + 1] for strain in range(N_STRAINS)]
        means = [float(asked.cells[c.level, c.strain, 0] @ counts[c.strain]) for c in contracts]
        chosen = contracts[int(np.argmax(means))]
        fresh = self.tricks
        if not self.is_exact:
            size = min(self.tricks.shape[1], MOST_FRESH_PERFECT if asked.perfect else MOST_FRESH)
            collected = asked.collector(self.deal, self.role, FRESH + self.role)
            try:
                collected.reach(size)
            finally:
                collected.close()
            fresh = asked.tricks(collected, min(size, collected.n), np.zeros((N_STRAINS, 0), np.int8))
        points = asked.points(chosen, fresh)
        more = points - asked.points(asked.contract, fresh)
        made = rate(int((fresh[chosen.strain] >= chosen.need).sum()), fresh.shape[1])
        found = (made, mean_of(points), mean_of(more))
        return Best(contract_text(chosen), *(exactly(number) if self.is_exact else number for number in found))

    def result(self, best: bool) -> RoleEstimate:
        contract = self.asked.contract
        mine = self.tricks[contract.strain]
        n = len(mine)
        made = rate(int((mine >= contract.need).sum()), n)
        doubles = getattr(self.asked.setup.variant.auction, "doubles", True)
        points = {
            name: mean_of(self.asked.points(contract._replace(doubling=doubling), self.tricks))
            for doubling, name in enumerate(DOUBLINGS)
            if doubles or not doubling
        }
        attempts = self.collected.batch(n, n).attempts if not self.is_exact else 1
        return RoleEstimate(
            ROLE_NAMES[self.role],
            exactly(made) if self.is_exact else made,
            tuple(int(count) for count in np.bincount(mine, minlength=self.asked.setup.variant.final_cards + 1)),
            {name: exactly(found) if self.is_exact else found for name, found in points.items()},
            self.best() if best else None,
            attempts,
            rate(n, attempts),
            self.deal.notes,
        )


def allowed_bids(variant: Variant, deal: Deal) -> list[int]:
    """Bids that exist and that declarer's hand, where all of it is known, may make at some time."""
    auction: Any = variant.auction
    bids = [bid for bid in range(N_STRAINS * N_LEVELS) if existing_bids(variant) >> bid & 1]
    if not deal.complete[0]:
        return bids
    lengths = deal.known.least[0][:N_SUITS]
    nt_allowed = not auction.nt_needs_every_suit or min(lengths) > 0
    return [
        bid
        for bid in bids
        if (lengths[bid % N_STRAINS] >= auction.min_suit_length if bid % N_STRAINS < N_SUITS else nt_allowed)
    ]


def estimate_contract(
    variant: Variant,
    contract: str,
    question: Question,
    *,
    declarer: str | None,
    bots: str | Sequence[Any],
    play: str,
    where: Where | None,
    plan: Plan,
    seed: int,
    best: bool = True,
    before: Callable[[], None] | None = None,
) -> EstimateReport:
    """`analysis.estimate` for a game of contracts.

    Parameters
    ----------
    variant : Variant
        With a bridge auction.
    contract : str
        For example ``"4S"``.
    question : Question
        What is known.
    declarer : {"dealer", "non_dealer"} or None
        Declarer's role; None: each.
    bots, play, where
        As for `analysis.estimate`.
    plan : Plan
        When to stop.
    seed, best, before
        As for `analysis.estimate`.

    Returns
    -------
    EstimateReport
        A row a role.
    """
    asked_for = parse_contract(contract)
    score_contract(variant, asked_for, 0)  # refuses contracts that do not exist
    if play not in PLAYS:
        raise InputError(f"play {play!r} is not allowed; allowed: {', '.join(PLAYS)}")
    if declarer is not None and declarer not in ROLE_NAMES:
        raise InputError(f"declarer {declarer!r} is not allowed; allowed: {', '.join(ROLE_NAMES)}")
    setup = make_setup(variant, bots, seed)
    if play == "perfect":
        from simcore.solver.checks import check_variant

        check_variant(variant)
    asked = _Asked(setup, asked_for, play, plan, keep_of(where, variant, asked_for))
    roles = [int(Role.DEALER), int(Role.NON_DEALER)] if declarer is None else [ROLE_NAMES.index(declarer)]
    deals, notes = _deals_of(variant, question, roles, setup, asked)
    if before is not None:
        before()
    sides = [_Side(asked, deal, role) for role, deal in deals]
    try:
        notes += _count(sides, plan, FIRST_LOOK_PERFECT if asked.perfect else FIRST_LOOK)
        rows = tuple(side.result(best) for side in sides)
    finally:
        for side in sides:
            side.collected.close()
    bid = N_STRAINS * asked_for.level + asked_for.strain
    if bid not in allowed_bids(variant, deals[0][1]):
        notes.append(f"this hand may not bid {bid_text(bid)} in {variant.name}")
    return EstimateReport(_header(setup, question, contract_text(asked_for), play, where), rows, tuple(notes))


def _deals_of(
    variant: Variant, question: Question, roles: list[int], setup: Setup, asked: _Asked
) -> tuple[list[tuple[int, Deal]], list[str]]:
    """What is known, by role; a role in which it cannot be is left out, unless it is the only one."""
    hands_only = asked.perfect and question.auction is None and asked.keep is None
    deals, faults = [], []
    for role in roles:
        try:
            deals.append((role, known_of(variant, question, role, setup.bots, hands_only)))
        except InputError as error:
            faults.append((role, str(error)))
    if not deals:
        raise InputError("\n".join(dict.fromkeys(fault for _, fault in faults)))
    return deals, [f"{ROLE_NAMES[role].replace('_', '-')} left out: {fault}" for role, fault in faults]


def _count(sides: list[_Side], plan: Plan, first: int) -> list[str]:
    """Play until every interval is narrow enough; -> notes."""
    for size in plan.looks(first):
        reached = [side.reach(size) for side in sides]
        enough = all(reached)
        widest = max(side.half_width() for side in sides)
        if not enough:
            least = min(side.tricks.shape[1] for side in sides)
            return [f"the attempts ended after {least:,} deals; the interval is as wide as it is"]
        if plan.until is not None and widest <= plan.until:
            return []
    if plan.until is not None:
        return [f"{plan.looks(first)[-1]:,} deals are the most; the half-width is {widest:.4f}, not {plan.until}"]
    return []


def _header(setup: Setup, question: Question, contract: str, play: str, where: Where | None) -> dict[str, Any]:
    known: dict[str, Any] = {key: value for key, value in vars(question).items() if value is not None}
    if where is not None:
        known["where"] = shown_where(where)
    return {
        "variant": setup.variant.name,
        "contract": contract,
        "bots": [bot.name for bot in setup.bots],
        "play": play,
        "seed": setup.seed,
        "known": known,
    }


def load_rules(variant: Variant | str | Path | Mapping[str, Any], overrides: Sequence[str]) -> Variant:
    """A variant, by name, path or content."""
    return variant if isinstance(variant, Variant) else load_variant(variant, overrides)
