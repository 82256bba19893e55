"""How often an imposed call makes in a game of calls, given the caller's hand: the others call and all play as their bots do.

The tricks depend on the call, since players play to it; so each call is played on its own, on the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from analysis.estimate_contract import (
    FIRST_LOOK,
    FRESH,
    MOST_FRESH,
    Plan,
    make_setup,
)
from analysis.estimate_report import Best, EstimateReport, RoleEstimate, mean_of
from analysis.estimate_where import Where, keep_of, shown_where
from analysis.estimates import rate
from simcore.batch import Setup
from simcore.config import Variant
from simcore.errors import InputError
from simcore.sampling.known import Deal, Question, known_of
from simcore.sampling.sampler import Batch, Collector, Keep, Sampler

MOST_FOR_CHOICE = 20_000
"""Deals on which the best call is chosen, at most."""


class _Calls:
    """Sampled deals of one question, with any call."""

    def __init__(self, setup: Setup, deal: Deal, keep: Keep | None, workers: int | None) -> None:
        self.setup, self.deal, self.keep, self.workers = setup, deal, keep, workers
        self.score: Any = setup.rules.call_score

    def collector(self, call: int, stream: int = 0) -> Collector:
        return Collector(Sampler(self.setup, self.deal, None, self.keep, call), stream, self.workers, with_cards=False)

    def deals(self, call: int, size: int, stream: int = 0) -> Batch:
        collected = self.collector(call, stream)
        try:
            collected.reach(size)
            return collected.batch(min(size, collected.n))
        finally:
            collected.close()

    def points(self, call: int, tricks: np.ndarray) -> np.ndarray:
        found: np.ndarray = self.score.tenths[call, tricks]
        return found

    def made(self, call: int, tricks: np.ndarray) -> int:
        return int(self.score.made[call, tricks].sum())


def _tricks(batch: Batch) -> np.ndarray:
    assert batch.tricks is not None
    found: np.ndarray = batch.tricks[0]
    return found


def _best(calls: _Calls, asked: int, size: int) -> Best:
    """The call with most points on some deals, measured on fresh ones."""
    few = min(size, MOST_FOR_CHOICE)
    rules = calls.setup.rules.calls
    means = {}
    for call in range(rules.lowest, rules.highest + 1):
        tricks = _tricks(calls.deals(call, few))
        means[call] = float(calls.points(call, tricks).mean()) if len(tricks) else -np.inf
    chosen = max(means, key=lambda call: means[call])
    fresh = {call: calls.deals(call, min(size, MOST_FRESH), FRESH) for call in {chosen, asked}}
    _, mine, theirs = np.intersect1d(
        fresh[chosen].sampled.attempt, fresh[asked].sampled.attempt, assume_unique=True, return_indices=True
    )
    tricks = _tricks(fresh[chosen])
    points = calls.points(chosen, tricks)
    more = points[mine] - calls.points(asked, _tricks(fresh[asked]))[theirs]
    return Best(str(chosen), rate(calls.made(chosen, tricks), len(tricks)), mean_of(points), mean_of(more))


def estimate_call(
    variant: Variant,
    call: int,
    question: Question,
    *,
    bots: str | Sequence[Any],
    where: Where | None,
    plan: Plan,
    seed: int,
    best: bool = True,
    before: Callable[[], None] | None = None,
) -> EstimateReport:
    """`analysis.estimate` for a game of calls; parameters as there.

    Parameters
    ----------
    variant : Variant
        With an auction of calls.
    call : int
        What seat 0 calls.
    question : Question
        What is known.
    bots, where
        As for `analysis.estimate`; the caller's bot first.
    plan : Plan
        When to stop.
    seed, best, before
        As for `analysis.estimate`.

    Returns
    -------
    EstimateReport
        With one row.
    """
    if variant.exchange.kind != "none":
        raise InputError(f"{variant.name}: calls are estimated without an exchange; exchange.kind is {variant.exchange.kind}")
    if question.auction is not None:
        raise InputError(f"auction: {variant.name} has calls of tricks; an auction so far is known for contracts only")
    setup = make_setup(variant, bots, seed)
    rules = setup.rules.calls
    if not rules.lowest <= call <= rules.highest:
        raise InputError(f"call {call}: {variant.name} has calls {rules.lowest} .. {rules.highest}")
    deal = known_of(variant, question, None, setup.bots)
    if before is not None:
        before()
    calls = _Calls(setup, deal, keep_of(where, variant), plan.workers)
    collected, notes = calls.collector(call), []
    try:
        for size in plan.looks(FIRST_LOOK):
            enough = collected.reach(size)
            batch = collected.batch(min(size, collected.n))
            tricks = _tricks(batch)
            found = rate(calls.made(call, tricks), len(tricks))
            half = 1.0 if found.low is None or found.high is None else (found.high - found.low) / 2
            if not enough or (plan.until is not None and half <= plan.until):
                break
    finally:
        collected.close()
    if plan.until is not None and half > plan.until:
        notes.append(f"{found.n:,} deals are the most; the half-width is {half:.4f}, not {plan.until}")
    counts = np.bincount(tricks, minlength=variant.final_cards + 1)
    row = RoleEstimate(
        None,
        found,
        tuple(int(count) for count in counts),
        {"points": mean_of(calls.points(call, tricks))},
        _best(calls, call, len(tricks)) if best else None,
        batch.attempts,
        rate(len(tricks), batch.attempts),
        ("the dealer is drawn at random; the others call and play as their bots do", *deal.notes),
    )
    known: dict[str, Any] = {key: value for key, value in vars(question).items() if value is not None}
    if where is not None:
        known["where"] = shown_where(where)
    header = {
        "variant": variant.name,
        "call": call,
        "bots": [bot.name for bot in setup.bots],
        "play": "bots",
        "seed": seed,
        "known": known,
    }
    return EstimateReport(header, (row,), tuple(notes))
