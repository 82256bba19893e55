"""What the evaluation of candidates depends on: rules, bots, seeds, the parts of the deals; and trick tables of deals."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache

import numpy as np

from simcore import auctions, batch
from simcore.codes import N_RANKS, N_STRAINS
from simcore.config import Bot, Variant, load_bot
from simcore.errors import InputError
from simcore.trick_tables import Deals

PERFECT = "perfect"
FINAL = "final"
OF = "beliefs of "
MODEL_DEALS, BELIEF_DEALS = 60_000, 10_000
RESPOND, ATTACK = "responses", "attacks"
"""Deals over which best responses are sought, and over which they are judged."""


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
    responses : int
        Deals over which best responses are sought.
    equilibrium : int
        Rounds of best responses.
    fit_seed : int or None
        Seed of the deals that bidders are fitted to before there is a candidate; None: the same.
    parts : int
        Of the final deals, each with beliefs fitted on deals of its own: so their scatter is in the intervals.
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
    responses: int = 4096
    equilibrium: int = 6
    fit_seed: int | None = None
    parts: int = 20

    def seed_of(self, name: str) -> int:
        """Seed of a part; what bidders know may have one of its own, so that several searches share it."""
        is_known = name in ("model", "beliefs", RESPOND, ATTACK)
        return self.fit_seed if is_known and self.fit_seed is not None else self.seed

    def part(self, name: str) -> tuple[int, int]:
        """First deal and number of deals of a part.

        Parameters
        ----------
        name : str
            ``model``; ``beliefs``, under today's table; ``responses`` and ``attacks`` of the equilibrated bidder; ``final 0``,
            ``search 0``, ...; ``beliefs of final 0``, ...

        Returns
        -------
        tuple of int
        """
        first = 0
        sizes = {"model": self.model, "beliefs": self.beliefs, RESPOND: self.responses, ATTACK: _JUDGED * self.responses}
        for known, size in sizes.items():
            if name == known:
                return first, size
            first += size
        kind, number = name.removeprefix(OF).split()
        size = self.final // self.parts
        if kind != FINAL:  # the searches come last
            first += self.parts * (self.beliefs + size)
            size = self.search
        first += int(number) * (self.beliefs + size)
        return (first, self.beliefs) if name.startswith(OF) else (first + self.beliefs, size)

    def digest(self) -> str:
        """Digest of all that an evaluation depends on besides the candidate."""
        from simcore import _jit

        bot = load_bot(self.bot).digest()
        numbers = [getattr(self, name) for name in _COUNTED]
        content = json.dumps([_METHOD, self.variant.digest(), bot, _jit.ENGINE_DIGEST, numbers])
        return hashlib.sha256(content.encode()).hexdigest()[:16]


_METHOD = 2
"""Raised whenever bidders are fitted in another way: evaluations stored before are not gone on with."""
_JUDGED = 4
"""So many times the deals over which responses are sought judge them."""
_COUNTED = ("play", "seed", "model", "beliefs", "search", "final", "rounds", "responses", "equilibrium", "fit_seed", "parts")


@cache
def _player(policy: str) -> Bot:
    """The bot that plays every strain from both sides."""
    return load_bot("heuristic", [f"play.policy={policy}"])


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
    setup = batch.prepare(variant, [_player("random" if play == PERFECT else play)], seed, "deal")
    deals = auctions.collect(setup, n_deals, first, workers)
    if play != PERFECT:
        return deals
    from simcore.solver import solve_tricks

    found = solve_tricks(np.ascontiguousarray(deals.hands.T), setup.rules.play, workers=workers)
    table = deals.trick_table.reshape(2, N_STRAINS, -1)
    table[0] = found[:, :, 1].T  # declarer's opponent leads
    table[1] = N_RANKS - found[:, :, 0].T
    return deals


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
