"""The evaluator: what a scoring table makes of auctions over stored trick tables.

Each deal's tricks, of every strain and declarer, are found once, by perfect play or by a play policy. Under a candidate table
bots that bid by expected score fit their beliefs anew, always from the same start on the same deals of the part, so that
what is measured is a function of the table; then they bid over deals that all candidates share. Disjoint parts of the match
numbers of one seed: the model of tricks, the beliefs under today's table, each search and the final judgement, these with
beliefs and deals of their own, so that what several searches find differs by both.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.beliefs import SHAPE, Hearing, fit_beliefs
from analysis.fitting import fit_distributions, fit_weights
from analysis.tuning.bidders import COARSE, EQUILIBRATED, NO_MARGINS, OPEN, PLAIN, Bidder, Margins, coarse_basis, seated
from analysis.tuning.cells import Values, path_text, with_cells
from analysis.tuning.equilibrium import Equilibrium, equilibrate
from analysis.tuning.measures import Sums, Tiers, sum_up, tiers_of
from analysis.tuning.world import ATTACK, FINAL, OF, RESPOND, World, collect_tricks
from simcore import auctions, batch
from simcore.bots.bidding.expected import N_GRID, STATES
from simcore.codes import PROB_UNIT, TRICK_UNIT
from simcore.config import Bot, Variant, load_bot
from simcore.errors import InputError
from simcore.trick_model import N_RESULTS, ROLES, SETS, TrickModel, rules_for_model
from simcore.trick_tables import Deals


@dataclass
class Evaluator:
    """Evaluates candidates; what was found once is kept, in a file too where one is given.

    Attributes
    ----------
    world : World
    store : Path or None
        JSON Lines, one evaluation a line.
    tell : callable
        Is told what goes on.
    """

    world: World
    store: Path | None = None
    tell: Callable[[str], None] = lambda text: None
    found: dict[str, Sums] = field(default_factory=dict)
    equilibria: dict[str, Equilibrium] = field(default_factory=dict)
    evaluations: int = 0
    _deals: dict[str, Deals] = field(default_factory=dict)
    _starts: dict[str, TrickModel] = field(default_factory=dict)
    _known: dict[str, TrickModel] = field(default_factory=dict)
    _means: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    _bot: Bot | None = None
    _last: tuple[str, Variant, batch.Setup] | None = None

    def _under(self, values: Values) -> tuple[Variant, batch.Setup]:
        """The variant under a candidate, and a setup whose seats are still to be taken; the last ones are kept."""
        key = self._key(values, "", "", NO_MARGINS)
        if self._last is None or self._last[0] != key:
            variant = with_cells(self.world.variant, values) if values else self.world.variant
            self._last = key, variant, self._setup(variant, self.start())
        return self._last[1:]

    def _setup(self, variant: Variant, model: TrickModel) -> batch.Setup:
        """Under a table, the bots that bid."""
        if self._bot is None:
            self._bot = load_bot(self.world.bot)
        return batch.prepare(variant, [self._bot] * variant.players, self.world.seed, "deal", model=model)

    @property
    def tiers(self) -> Tiers:
        """Tiers of contracts, by today's awards."""
        return tiers_of(self.world.variant)

    def deals(self, part: str) -> Deals:
        """The deals of a part."""
        if part not in self._deals:
            world = self.world
            first, n_deals = world.part(part)
            self.tell(f"deals, {part}: {n_deals:,}, every strain from both sides, play {world.play}")
            self._deals[part] = collect_tricks(world.variant, world.play, world.seed_of(part), first, n_deals, world.workers)
        return self._deals[part]

    def share(self, other: Evaluator) -> None:
        """Take over what another evaluator has fitted before there was a candidate; its world differs by `seed` at most."""
        self._starts = other._starts
        self.equilibria = other.equilibria

    def share_deals(self, other: Evaluator) -> None:
        """Take over deals and what is known of their tricks; the other's world differs by today's table at most."""
        self._deals, self._known, self._means = other._deals, other._known, other._means

    def start(self, name: str = PLAIN, margins: Margins = NO_MARGINS) -> TrickModel:
        """A bidder's model under today's table, where the beliefs of every candidate begin."""
        if name == EQUILIBRATED and not margins.key:
            name = PLAIN
        key = name + margins.key
        if key not in self._starts:
            world = self.world
            if name == EQUILIBRATED:
                model = self.start()
            else:
                model = self._tricks_known(COARSE if name == COARSE else PLAIN)
            self.tell(f"fits beliefs under today's table, bidder {name}")
            base = self._setup(world.variant, model)

            def seat(model: TrickModel) -> batch.Setup:
                return seated(base, [Bidder(name, model, margins)])

            self._starts[key] = fit_beliefs(world.variant, model, self.deals("beliefs"), world.workers, seat)
        return self._starts[key]

    def _tricks_known(self, name: str) -> TrickModel:
        """A model of tricks, without beliefs; it does not depend on today's table."""
        if name not in self._known:
            self._known[name] = self._fit_tricks(coarse_basis() if name == COARSE else None)
        return self._known[name]

    def _fit_tricks(self, basis: Any) -> TrickModel:
        world, deals = self.world, self.deals("model")
        self.tell("fits the model of tricks")
        weights = fit_weights(batch.prepare(world.variant, [load_bot("heuristic")], world.seed, "deal"), deals, basis)
        even = np.zeros((len(STATES), len(ROLES), len(SETS), N_GRID, N_RESULTS), np.int64)
        even[..., 0] = PROB_UNIT
        shifts = np.zeros(SHAPE, np.int64)
        model = TrickModel(rules_for_model(world.variant), weights, even, shifts, {"variant": world.variant.name})
        means = auctions.predicted_means(self._setup(world.variant, model), deals, world.workers)
        tricks = fit_distributions(means, auctions.tricks_by_role(deals))
        return replace(model, tricks=np.stack([tricks] * len(STATES)))

    def bidder(self, variant: Variant, part: str, name: str = PLAIN, margins: Margins = NO_MARGINS) -> Bidder:
        """A bidder under a table: beliefs fitted anew from the start, on the same deals for a part always."""
        model = self.start(name, margins)
        setup = self._setup(variant, model)
        return self._react(setup, Bidder(name, model, margins), OF + part, self.world.rounds)

    def _react(self, setup: batch.Setup, bidder: Bidder, part: str, rounds: int) -> Bidder:
        """A few damped rounds of self-play under a table; then the distributions after bids and doubles."""
        model, deals = bidder.model, self.deals(part)
        means, tricks = self._predicted(setup, bidder, part)
        shifts = model.shifts / TRICK_UNIT
        for _ in range(rounds):
            outcomes = auctions.hold(seated(setup, [replace(bidder, model=model)]), deals, self.world.workers, with_calls=True)
            heard = Hearing(means, tricks, outcomes, int(setup.rules.auction.opener))
            shifts = (shifts + heard.fit()) / 2
            model = replace(model, shifts=np.rint(shifts * TRICK_UNIT).astype(np.int64))
        known = heard.distributions(model.shifts / TRICK_UNIT, model.tricks[0])
        return replace(bidder, model=replace(model, tricks=np.stack([model.tricks[0], *known])))

    def _predicted(self, setup: batch.Setup, bidder: Bidder, part: str) -> tuple[Any, Any]:
        """What is predicted before anybody has called, and what is taken; of the coarse bidder other predictions."""
        key = part + (COARSE if bidder.name == COARSE else "")
        if key not in self._means:
            deals = self.deals(part)
            means = auctions.predicted_means(seated(setup, [bidder]), deals, self.world.workers).astype(np.int64)
            self._means[key] = means, auctions.tricks_by_role(deals).astype(np.int64)
        return self._means[key]

    def equilibrium(self, values: Values, origin: Margins = NO_MARGINS) -> Equilibrium:
        """Margins that are nearly best responses to themselves under a candidate.

        Parameters
        ----------
        values : dict
            Cells that differ from today's table.
        origin : Margins
            Where the rounds begin.

        Returns
        -------
        Equilibrium
        """
        key = self._key(values, "equilibrium", EQUILIBRATED, origin)
        if key not in self.equilibria:
            world, model, setup = self.world, self.start(), self._under(values)[1]
            first = self._react(setup, Bidder(EQUILIBRATED, model, origin), "beliefs", world.rounds)

            def refit(bidder: Bidder) -> TrickModel:
                return self._react(setup, bidder, "beliefs", 1).model

            deals = self.deals(RESPOND), self.deals(ATTACK)
            found, _ = equilibrate(setup, first, deals, refit, world.equilibrium, world.workers, self.tell)
            self.equilibria[key] = found
            self._keep({"candidate": key, "equilibrium": found.as_json()})
        return self.equilibria[key]

    def _keep(self, entry: dict[str, Any]) -> None:
        if self.store is not None:
            line = json.dumps({"world": self.world.digest(), **entry})
            with self.store.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")

    def evaluate(self, values: Values, part: str, name: str = PLAIN, margins: Margins = NO_MARGINS) -> Sums:
        """What a candidate makes of the deals of a part.

        Parameters
        ----------
        values : dict
            Cells that differ from today's table.
        part : str
        name : str
            Of the bidder in both seats.
        margins : Margins
            Of the equilibrated bidder.

        Returns
        -------
        Sums
        """
        key = self._key(values, part, name, margins)
        if key not in self.found:
            deals = self.deals(part)
            if name == OPEN:
                variant = with_cells(self.world.variant, values)
                setup = batch.prepare(variant, [load_bot("heuristic")], self.world.seed, "deal")
                outcomes = auctions.hold_open(setup, deals, self.world.workers)
            else:
                setup = self._under(values)[1]
                bidder = self._react(setup, Bidder(name, self.start(name, margins), margins), OF + part, self.world.rounds)
                outcomes = auctions.hold(seated(setup, [bidder]), deals, self.world.workers)
            sums = sum_up(self.tiers, deals.dealer, outcomes)
            self.found[key] = sums
            self.evaluations += 1
            self._keep({"candidate": key, "sums": sums.values.tolist()})
        return self.found[key]

    def judge(self, values: Values, name: str = PLAIN, margins: Margins = NO_MARGINS) -> Sums:
        """What a candidate makes of the fresh deals; a block is a part, with beliefs of its own.

        Parameters
        ----------
        values : dict
        name : str
        margins : Margins

        Returns
        -------
        Sums
        """
        parts = [self.evaluate(values, f"{FINAL} {number}", name, margins) for number in range(self.world.parts)]
        return Sums(self.tiers, np.stack([sums.values.sum(axis=0) for sums in parts]))

    def _key(self, values: Values, part: str, name: str, margins: Margins) -> str:
        changed = {path_text(path): float(value) for path, value in sorted(values.items(), key=lambda item: path_text(item[0]))}
        return json.dumps([part, name + margins.key, changed])

    def recall(self) -> int:
        """Read what an earlier, interrupted search has found; a line that was cut off is left out.

        Returns
        -------
        int
            Evaluations read.
        """
        if self.store is None or not self.store.is_file():
            return 0
        digest, whole = self.world.digest(), []
        for line in self.store.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
                world, candidate = entry["world"], str(entry["candidate"])
                equilibrium = Equilibrium.from_json(entry["equilibrium"]) if "equilibrium" in entry else None
                sums = np.array(entry["sums"] if equilibrium is None else [[]], np.int64)
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                continue
            if sums.ndim != 2:
                continue
            if world != digest:
                raise InputError(f"{self.store} holds evaluations of another search or version; choose another --out")
            if equilibrium is None:
                self.found[candidate] = Sums(self.tiers, sums)
            else:
                self.equilibria[candidate] = equilibrium
            whole.append(line)
        self.store.write_text("".join(line + "\n" for line in whole), encoding="utf-8")
        return len(whole)

