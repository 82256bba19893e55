"""A tuning from beginning to end: several searches on different deals, their mean, and its judgement on fresh deals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from analysis.tuning.bidders import COARSE, EQUILIBRATED, NO_MARGINS, PLAIN, Margins
from analysis.tuning.cells import Group, Values, cells, path_text, scoring_of, table_of, with_cells
from analysis.tuning.evaluator import Evaluator
from analysis.tuning.objective import Objective, check_targets
from analysis.tuning.played import PlayedDeals, play_deals
from analysis.tuning.result import Judged, Result, today
from analysis.tuning.search import Searcher, Trace, mean_factors
from analysis.tuning.skill import skill_and_luck
from analysis.tuning.world import FINAL, World, check_world
from simcore import batch
from simcore.config import Tuning, load_bot
from simcore.errors import InputError


def groups_of(tuning: Tuning) -> list[Group]:
    """The free groups of cells, checked.

    Parameters
    ----------
    tuning : Tuning

    Returns
    -------
    list of Group
    """
    found: list[Group] = []
    owner: dict[Any, str] = {}
    for free in tuning.free:
        today: Values = {}
        for selector in free.cells:
            today |= cells(tuning.variant, selector)
        for path in today:
            if path in owner:
                both = f"{owner[path]} and in {free.name}"
                raise InputError(f"free: scoring.{path_text(path)} is in {both}; a cell moves with one group")
            owner[path] = free.name
        if not any(today.values()):
            raise InputError(f"free: all cells of {free.name} are 0 today, and a factor leaves them 0")
        found.append(Group(free.name, today, float(free.low), float(free.high), float(free.step)))
    numbers = set(cells(tuning.variant, "award")) if "award" in scoring_of(tuning.variant) else set()
    if numbers and numbers <= set(owner):
        raise InputError("free: every award may move, but auctions see ratios only; leave one award out as the anchor")
    return found


def world_of(tuning: Tuning, workers: int | None = None) -> World:
    """What the evaluations of a tuning depend on.

    Parameters
    ----------
    tuning : Tuning
    workers : int or None

    Returns
    -------
    World
    """
    deals, panel = tuning.deals, tuning.panel
    counts = (deals.model, deals.beliefs, deals.search, deals.final, tuning.search.belief_rounds)
    return World(
        tuning.variant, tuning.play, tuning.bot, tuning.seed, *counts, workers, panel.deals, panel.rounds,
        tuning.fit_seed, deals.parts,
    )


def outer_steps(tuning: Tuning) -> int:
    """How often bidders are found anew and the table is searched."""
    return int(tuning.panel.outer) if EQUILIBRATED in tuning.panel.bidders else 1


def most_evaluations(tuning: Tuning) -> int:
    """Evaluations that the searches and the final judgement need at most."""
    settings, who = tuning.search, len(tuning.panel.bidders)
    if settings.method == "gauss_newton":
        each = 1 + settings.steps * (2 * len(tuning.free) + len(settings.damping))
    else:
        each = 1 + settings.generations * (settings.population + 1)
    judged = 2 * (who + len(tuning.panel.beside)) + (1 if EQUILIBRATED in tuning.panel.bidders else 0)
    return outer_steps(tuning) * settings.searches * each * who + judged * tuning.deals.parts


def check_tuning(tuning: Tuning, own: Callable[..., Any] | None = None) -> tuple[World, Objective]:
    """Check what the schema cannot, and prepare.

    Parameters
    ----------
    tuning : Tuning
    own : callable or None
        A user's objective, a function of measures and cells by name.

    Returns
    -------
    tuple of World and Objective
    """
    world = world_of(tuning)
    check_world(world)
    groups = groups_of(tuning)
    tiers = Evaluator(world).tiers
    check_targets(tuning, tiers)
    if not tuning.targets and own is None:
        raise InputError("targets: nothing is aimed at; state a target, or load an objective with --plugin")
    for name in tuning.played.bots:
        load_bot(name)
    return world, Objective(tuning, groups, tiers, own)


def tune(
    tuning: Tuning,
    store: Path | None = None,
    workers: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
    own: Callable[..., Any] | None = None,
) -> Result:
    """Search a scoring table and judge it on fresh deals.

    Parameters
    ----------
    tuning : Tuning
    store : Path or None
        Where evaluations are kept as they are made; what is there already is not done again.
    workers : int or None
        Threads; results do not depend on it.
    tell : callable
        Is told what goes on.
    own : callable or None
        A user's objective, as for `check_tuning`.

    Returns
    -------
    Result
        The same for the same tuning.
    """
    _, objective = check_tuning(tuning, own)
    evaluator = Evaluator(world_of(tuning, workers), store, tell)
    recalled = evaluator.recall()
    if recalled:
        tell(f"{recalled} evaluations are there already")
    return Tuner(tuning, objective, evaluator, tell).run()


class Tuner:
    """The course of a tuning.

    Parameters
    ----------
    tuning : Tuning
    objective : Objective
    evaluator : Evaluator
    tell : callable
    """

    def __init__(self, tuning: Tuning, objective: Objective, evaluator: Evaluator, tell: Callable[[str], None]) -> None:
        self.tuning, self.objective, self.evaluator, self.tell = tuning, objective, evaluator, tell
        self.has_equilibrium = EQUILIBRATED in tuning.panel.bidders

    def run(self) -> Result:
        """Search, with bidders found anew at what was found, and judge.

        Returns
        -------
        Result
        """
        margins, begin, values = NO_MARGINS, None, dict[Any, float]()
        if self.has_equilibrium:
            margins = self.evaluator.equilibrium({}).margins
        for outer in range(outer_steps(self.tuning)):
            if outer:
                margins = self.evaluator.equilibrium(values, margins).margins
            traces = self._search(margins, begin)
            factors, spread = mean_factors(traces)
            begin, values = np.log(factors), self._table(factors.tolist())
        self.tell("judges today's table and the one that was found on fresh deals")
        panel = [self._judged(name, values, margins) for name in self.tuning.panel.bidders]
        beside = [self._judged(name, values, margins) for name in self.tuning.panel.beside]
        kept = None
        if self.has_equilibrium:
            again = self.evaluator.judge(values, EQUILIBRATED, margins)
            before = next(each for each in panel if each.name == EQUILIBRATED).before
            kept = Judged(EQUILIBRATED, before, again)
        played = [self._played(name, values) for name in self.tuning.played.bots]
        skill = [self._skill(table) for table in ({}, values)] if COARSE in self.tuning.panel.beside else []
        n = len(self.evaluator.found)
        return Result(self.tuning, self.objective, traces, factors, spread, values, panel, beside, n, kept, played, skill)

    def _search(self, margins: Margins, begin: Any) -> list[Trace]:
        searches = range(self.tuning.search.searches)
        return [
            Searcher(self.evaluator, self.objective, f"search {number}", margins, self.tell).run(begin) for number in searches
        ]

    def _table(self, factors: list[float]) -> Values:
        """The table on the grid of the steps: cells that differ from today's."""
        groups = self.objective.groups
        table = table_of(groups, factors, shipped=True)
        return {path: value for path, value in table.items() if value != today(groups, path)}

    def _judged(self, name: str, values: Values, margins: Margins) -> Judged:
        """A bidder over the fresh deals; the equilibrated one is found anew under either table."""
        judge = self.evaluator.judge
        if name != EQUILIBRATED:
            return Judged(name, judge({}, name), judge(values, name))
        both = self.evaluator.equilibrium({}), self.evaluator.equilibrium(values, margins if values else NO_MARGINS)
        return Judged(name, judge({}, name, both[0].margins), judge(values, name, both[1].margins), both)

    def _skill(self, values: Values) -> dict[str, Any]:
        """What the plain bidder gains from the coarse one, over the fresh deals of one part."""
        world, part = self.evaluator.world, f"{FINAL} 0"
        variant = with_cells(world.variant, values)
        plain, coarse = (self.evaluator.bidder(variant, part, name) for name in (PLAIN, COARSE))
        setup = batch.prepare(variant, [load_bot(world.bot)], world.seed, "deal", model=plain.model)
        return skill_and_luck(setup, self.evaluator.deals(part), plain, coarse, world.workers)

    def _played(self, name: str, values: Values) -> PlayedDeals:
        """Whole deals under both tables."""
        self.tell(f"plays {self.tuning.played.deals:,} deals under each table, bot {name}")
        bot, world, sums = load_bot(name), self.evaluator.world, []
        for table in ({}, values):
            variant = with_cells(world.variant, table)
            model = self.evaluator.bidder(variant, f"{FINAL} 0").model if bot.bidding.policy == "expected" else None
            tiers, n_deals = self.evaluator.tiers, self.tuning.played.deals
            sums.append(play_deals(variant, bot, tiers, world.seed, n_deals, model, world.workers))
        before, after = (self.objective.of_targets(each) for each in sums)
        return PlayedDeals(bot, sums[0], sums[1], (before, after))
