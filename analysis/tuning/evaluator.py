"""The evaluator: what a scoring table makes of auctions over stored trick tables.

Each deal's tricks, of every strain and declarer, are found once, by perfect play or by a play policy. Under a candidate table
bots that bid by expected score fit their beliefs anew, always from the same start on the same deals of the part, so that
what is measured is a function of the table; then they bid over deals that all candidates share. Disjoint parts of the match
numbers of one seed: the model of tricks, the beliefs under today's table, each search and the final judgement, these with
beliefs and deals of their own, so that what several searches find differs by both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.beliefs import SHAPE, Hearing, fit_beliefs, setup_with
from analysis.fitting import fit_distributions, fit_weights
from analysis.tuning.cells import Values, path_text, with_cells
from analysis.tuning.measures import Sums, Tiers, sum_up, tiers_of
from simcore import auctions, batch
from simcore.bots.bidding.expected import N_GRID, STATES
from simcore.codes import N_RANKS, N_STRAINS, PROB_UNIT, TRICK_UNIT
from simcore.config import Variant, load_bot
from simcore.errors import InputError
from simcore.trick_model import N_RESULTS, ROLES, SETS, TrickModel, rules_for_model
from simcore.trick_tables import Deals

PERFECT = "perfect"
FINAL = "final"
OF = "beliefs of "
MODEL_DEALS, BELIEF_DEALS = 60_000, 10_000


@dataclass(frozen=True, slots=True)
class World:
    """What an evaluation depends on besides the candidate.

    Attributes
    ----------
    variant : Variant
        With today's table.
    play : str
        ``perfect``, or the play policy that finds the tricks; the aim is tricks.
    bot : str
        The bot that bids, by expected score.
    seed : int
    model, beliefs, search, final : int
        Deals of each part.
    rounds : int
        Of the beliefs under a candidate.
    workers : int or None
    """

    variant: Variant
    play: str = PERFECT
    bot: str = "expected"
    seed: int = 1
    model: int = MODEL_DEALS
    beliefs: int = BELIEF_DEALS
    search: int = 20_000
    final: int = 200_000
    rounds: int = 2
    workers: int | None = None

    def part(self, name: str) -> tuple[int, int]:
        """First deal and number of deals of a part.

        Parameters
        ----------
        name : str
            ``model``; ``beliefs``, under today's table; ``final``, ``search 0``, ...; ``beliefs of final``, ...

        Returns
        -------
        tuple of int
        """
        if name == "model":
            return 0, self.model
        if name == "beliefs":
            return self.model, self.beliefs
        is_beliefs = name.startswith(OF)
        first, wanted = self.model + self.beliefs, name.removeprefix(OF)
        if wanted == FINAL:
            return (first, self.beliefs) if is_beliefs else (first + self.beliefs, self.final)
        first += self.beliefs + self.final + int(wanted.split()[1]) * (self.beliefs + self.search)
        return (first, self.beliefs) if is_beliefs else (first + self.beliefs, self.search)

    def digest(self) -> str:
        """Digest of all that an evaluation depends on besides the candidate."""
        from simcore import _jit

        bot = load_bot(self.bot).digest()
        numbers = [getattr(self, name) for name in ("play", "seed", "model", "beliefs", "search", "final", "rounds")]
        content = json.dumps([self.variant.digest(), bot, _jit.ENGINE_DIGEST, numbers])
        return hashlib.sha256(content.encode()).hexdigest()[:16]


def collect_tricks(variant: Variant, play: str, seed: int, first: int, n_deals: int, workers: int | None = None) -> Deals:
    """Deals as the auction begins, with what every contract takes.

    Parameters
    ----------
    variant : Variant
    play : str
        ``perfect``, or a play policy of both sides.
    seed, first, n_deals : int
    workers : int or None

    Returns
    -------
    Deals
    """
    policy = "random" if play == PERFECT else play
    bot = load_bot("heuristic", [f"play.policy={policy}"])
    setup = batch.prepare(variant, [bot], seed, "deal")
    deals = auctions.collect(setup, n_deals, first, workers)
    if play != PERFECT:
        return deals
    from simcore.solver import solve_tricks

    found = solve_tricks(np.ascontiguousarray(deals.hands.T), setup.rules.play, workers=workers)
    table = deals.trick_table.reshape(2, N_STRAINS, -1)
    table[0] = found[:, :, 1].T  # declarer's opponent leads
    table[1] = N_RANKS - found[:, :, 0].T
    return deals


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
    evaluations: int = 0
    _deals: dict[str, Deals] = field(default_factory=dict)
    _models: dict[tuple[str, str], TrickModel] = field(default_factory=dict)
    _start: TrickModel | None = None
    _heard: dict[str, tuple[Any, Any]] = field(default_factory=dict)

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
            self._deals[part] = collect_tricks(world.variant, world.play, world.seed, first, n_deals, world.workers)
        return self._deals[part]

    def start(self) -> TrickModel:
        """The bidders' model under today's table, where the beliefs of every candidate begin."""
        if self._start is None:
            world, deals = self.world, self.deals("model")
            self.tell("fits the model of tricks")
            weights = fit_weights(batch.prepare(world.variant, [load_bot("heuristic")], world.seed, "deal"), deals)
            even = np.zeros((len(STATES), len(ROLES), len(SETS), N_GRID, N_RESULTS), np.int64)
            even[..., 0] = PROB_UNIT
            shifts = np.zeros(SHAPE, np.int64)
            model = TrickModel(rules_for_model(world.variant), weights, even, shifts, {"variant": world.variant.name})
            means = auctions.predicted_means(setup_with(world.variant, model), deals, world.workers)
            tricks = fit_distributions(means, auctions.tricks_by_role(deals))
            model = replace(model, tricks=np.stack([tricks] * len(STATES)))
            self.tell("fits beliefs under today's table")
            self._start = fit_beliefs(world.variant, model, self.deals("beliefs"), world.workers)
            del self._deals["model"]
        return self._start

    def bidders(self, variant: Variant, part: str) -> TrickModel:
        """The bidders' model under a table: beliefs fitted anew from the start, on the same deals for a part always."""
        key = variant.digest(), part
        if key not in self._models:
            self._models.clear()
            self._models[key] = self._react(variant, OF + part)
        return self._models[key]

    def _react(self, variant: Variant, part: str) -> TrickModel:
        """A few damped rounds of self-play under a table; then the distributions after bids and doubles."""
        world, model, deals = self.world, self.start(), self.deals(part)
        if part not in self._heard:
            setup = setup_with(variant, model)
            means = auctions.predicted_means(setup, deals, world.workers).astype(np.int64)
            self._heard[part] = means, auctions.tricks_by_role(deals).astype(np.int64)
        shifts = model.shifts / TRICK_UNIT
        for _ in range(world.rounds):
            setup = setup_with(variant, model)
            outcomes = auctions.hold(setup, deals, world.workers, with_calls=True)
            means, tricks = self._heard[part]
            heard = Hearing(means, tricks, outcomes, int(setup.rules.auction.opener))
            shifts = (shifts + heard.fit()) / 2
            model = replace(model, shifts=np.rint(shifts * TRICK_UNIT).astype(np.int64))
        known = heard.distributions(model.shifts / TRICK_UNIT, model.tricks[0])
        return replace(model, tricks=np.stack([model.tricks[0], *known]))

    def evaluate(self, values: Values, part: str) -> Sums:
        """What a candidate makes of the deals of a part.

        Parameters
        ----------
        values : dict
            Cells that differ from today's table.
        part : str

        Returns
        -------
        Sums
        """
        key = self._key(values, part)
        if key not in self.found:
            variant = with_cells(self.world.variant, values)
            setup = setup_with(variant, self.bidders(variant, part), self.world.bot)
            deals = self.deals(part)
            sums = sum_up(self.tiers, deals, auctions.hold(setup, deals, self.world.workers))
            self.found[key] = sums
            self.evaluations += 1
            if self.store is not None:
                line = json.dumps({"world": self.world.digest(), "candidate": key, "sums": sums.values.tolist()})
                with self.store.open("a", encoding="utf-8") as stream:
                    stream.write(line + "\n")
        return self.found[key]

    def _key(self, values: Values, part: str) -> str:
        changed = {path_text(path): float(value) for path, value in sorted(values.items(), key=lambda item: path_text(item[0]))}
        return json.dumps([part, changed])

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
                world, candidate, sums = entry["world"], str(entry["candidate"]), np.array(entry["sums"], np.int64)
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                continue
            if sums.ndim != 2:
                continue
            if world != digest:
                raise InputError(f"{self.store} holds evaluations of another search or version; choose another --out")
            self.found[candidate] = Sums(self.tiers, sums)
            whole.append(line)
        self.store.write_text("".join(line + "\n" for line in whole), encoding="utf-8")
        return len(whole)


def check_world(world: World) -> None:
    """Refuse what cannot be evaluated.

    Parameters
    ----------
    world : World

    Raises
    ------
    InputError
        The game has no contracts, the bot does not bid by expected score, or perfect play does not know the rules.
    """
    variant = world.variant
    if variant.auction.kind != "bridge":
        raise InputError(f"{variant.name} has auction.kind {variant.auction.kind}; a scoring table needs auction.kind bridge")
    policy = load_bot(world.bot).bidding.policy
    if policy != "expected":
        raise InputError(f"bot {world.bot} has bidding.policy {policy}; only bidding.policy expected reacts to a scoring table")
    if world.play == PERFECT:
        from simcore.solver.checks import check_variant

        check_variant(variant)
