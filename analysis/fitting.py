"""Fits the model of tricks that bots bid by: weights of a hand's features, distributions of tricks at each mean, beliefs.

All from simulated deals in which every strain is played from both sides (`simcore.auctions`). Four disjoint parts of the
match numbers of one seed: the fit of weights and distributions, the beliefs, the fresh deals of the calibration. The method:
docs/bidding.md.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.beliefs import SHAPE, fit_beliefs
from analysis.calibration import calibrate
from analysis.distributions import Counts
from simcore import auctions, batch
from simcore.bots.bidding.expected import STATES
from simcore.codes import HUNDREDTHS, N_STRAINS, TRICK_UNIT, Role, Strain, TrickSet
from simcore.config import Bot, Variant, load_bot
from simcore.trick_model import N_RESULTS, ROLES, SETS, TrickModel, rules_for_model, set_of
from simcore.trick_tables import Deals

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
DEALS, SEED = 400_000, 811
"""The seed is not that of runs and ladders, whose deals must be fresh for the bots."""
EXCHANGE = "keep_best"
"""Exchange policy of the deals of a fit, unless told otherwise."""
_BLOCK = 20_000
"""Deals whose features are in memory at a time."""
_SMALLEST = 1e-10
"""Singular values below this share of the largest count as none: features that follow from others."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """What a fit is made of.

    Attributes
    ----------
    variant : Variant
    bot : Bot
        Whose exchange and play policies make the deals.
    deals : int
        Deals of the fit; half as many, at least 5 000, for the beliefs, half as many, at least 50 000, for the calibration.
    seed : int
    workers : int or None
    """

    variant: Variant
    bot: Bot
    deals: int = DEALS
    seed: int = SEED
    workers: int | None = None

    @property
    def parts(self) -> dict[str, tuple[int, int]]:
        """First deal and number of deals of each part; disjoint."""
        beliefs, fresh = max(self.deals // 2, 5_000), max(self.deals // 2, 50_000)
        return {"fit": (0, self.deals), "beliefs": (self.deals, beliefs), "calibration": (self.deals + beliefs, fresh)}

    def collected(self, part: str) -> Deals:
        """The deals of a part, with what every contract takes."""
        first, n_deals = self.parts[part]
        setup = batch.prepare(self.variant, [self.bot], self.seed, "deal")
        return auctions.collect(setup, n_deals, first, self.workers)


def fit_model(fitting: Fitting, progress: Callable[[str], None] = lambda text: None) -> TrickModel:
    """Fit a model of tricks and calibrate it on fresh deals.

    Parameters
    ----------
    fitting : Fitting
    progress : callable
        Is told what goes on.

    Returns
    -------
    TrickModel
        The same for the same `fitting` on the same machine.
    """
    progress(f"plays {fitting.deals:,} deals in every strain from both sides")
    deals = fitting.collected("fit")
    setup = batch.prepare(fitting.variant, [fitting.bot], fitting.seed, "deal")
    progress("fits weights and distributions")
    weights = fit_weights(setup, deals)
    tricks = fit_distributions(_means(setup, deals, weights), auctions.tricks_by_role(deals))
    model = TrickModel(
        rules=rules_for_model(fitting.variant),
        weights=weights,
        tricks=np.stack([tricks] * len(STATES)),
        shifts=np.zeros(SHAPE, np.int64),
        provenance=provenance_of(fitting, fitting.parts),
    )
    progress("fits beliefs in self-play")
    model = fit_beliefs(fitting.variant, model, fitting.collected("beliefs"), fitting.workers)
    progress("calibrates on fresh deals")
    fresh = fitting.collected("calibration")
    base = auctions.tricks_by_role(deals)
    report = calibrate(fitting.variant, model, _means(setup, fresh, weights), auctions.tricks_by_role(fresh), base)
    return replace(model, calibration=report)


def provenance_of(fitting: Fitting, parts: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    """How a model was made.

    Parameters
    ----------
    fitting : Fitting
    parts : mapping
        First deal and number of deals of each part.

    Returns
    -------
    dict
    """
    from simcore import __version__

    policy = fitting.bot.exchange.policy
    exchange = "" if policy == EXCHANGE else f" --exchange {policy}"
    return {
        "variant": fitting.variant.name,
        "variant_digest": fitting.variant.digest(),
        "exchange": fitting.bot.exchange.model_dump(mode="json"),
        "play": fitting.bot.play.model_dump(mode="json"),
        "seed": fitting.seed,
        "deals": {part: {"first": first, "n": n} for part, (first, n) in parts.items()},
        "made_by": f"simcore fit {fitting.variant.name} --play {fitting.bot.play.policy}{exchange}"
        f" --deals {fitting.deals} --seed {fitting.seed}",
        "versions": {"simcore": __version__, "numpy": np.__version__, "python": platform.python_version()},
    }


def fit_weights(setup: batch.Setup, deals: Deals, basis: Floats | None = None) -> Ints:
    """Weights of features by least squares, one fit for each role and `TrickSet`.

    Parameters
    ----------
    setup : Setup
    deals : Deals
    basis : ndarray or None
        Combinations of features, one a column, to which the fit is confined; None: every feature has a weight of its own.

    Returns
    -------
    ndarray of int64, shape (role, set, feature)
        In ten-thousandths of a trick.
    """
    tricks = auctions.tricks_by_role(deals)
    found = []
    for role in Role:
        sets = [np.zeros(0)] * len(TrickSet)
        for strains in (range(N_STRAINS - 1), range(N_STRAINS - 1, N_STRAINS)):
            squares, products = _normal_equations(setup, deals, tricks, int(role), strains)
            for who in range(2):
                if basis is None:
                    weighted = solved(squares, products[:, who])
                else:
                    weighted = basis @ solved(basis.T @ squares @ basis, basis.T @ products[:, who])
                sets[set_of(strains[0], who)] = weighted
        found.append(sets)
    weights: Ints = np.rint(np.array(found) * TRICK_UNIT).astype(np.int64)
    return weights


def _normal_equations(
    setup: batch.Setup, deals: Deals, tricks: npt.NDArray[np.int8], role: int, strains: range
) -> tuple[Floats, Floats]:
    """Sums of products of features with each other, and with the tricks of oneself and of the opponent as declarer."""
    squares: Any = 0.0
    products: Any = 0.0
    n_deals = len(deals.keys)
    for first in range(0, n_deals, _BLOCK):
        last = min(first + _BLOCK, n_deals)
        for strain in strains:
            rows = auctions.features(setup, deals, role, strain, first, last)
            taken = tricks[[role, 1 - role], strain, first:last].astype(np.float64)
            squares = squares + rows.T @ rows
            products = products + rows.T @ taken.T
    return squares, products


def solved(squares: Floats, products: Floats) -> Floats:
    """Least squares of normal equations, features scaled to length one; of all solutions the shortest.

    Parameters
    ----------
    squares, products : ndarray
        Sums of products of features with each other, and with what is to be predicted.

    Returns
    -------
    ndarray
        Weights (feature, what is predicted).
    """
    scale = np.sqrt(np.diag(squares))
    scale[scale == 0.0] = 1.0
    found: Floats = np.linalg.lstsq(squares / np.outer(scale, scale), products / scale, rcond=_SMALLEST)[0]
    found /= scale
    return found


def _means(setup: batch.Setup, deals: Deals, weights: Ints) -> npt.NDArray[np.int16]:
    """Predicted tricks, hundredths, (role, who declares, strain, row), rounded as the kernels do."""
    n = len(deals.keys)
    means = np.zeros((2, 2, N_STRAINS, n), np.int16)
    unit = TRICK_UNIT // HUNDREDTHS
    most = HUNDREDTHS * (N_RESULTS - 1)
    for role in range(2):
        for strain in range(N_STRAINS):
            sets = weights[role][[set_of(strain, 0), set_of(strain, 1)]].T
            for first in range(0, n, _BLOCK):
                last = min(first + _BLOCK, n)
                rows = auctions.features(setup, deals, role, strain, first, last)
                total = np.rint(rows @ sets.astype(np.float64)).astype(np.int64)
                means[role, :, strain, first:last] = np.clip((total + unit // 2) // unit, 0, most).T
    return means


def cases(means: npt.NDArray[np.int16], tricks: npt.NDArray[np.int8], role: int, kind: int) -> tuple[Ints, Ints]:
    """Predicted means and tricks of all cases of a role and a `TrickSet`.

    Parameters
    ----------
    means : ndarray
        Hundredths of a trick (role, who declares, strain, row).
    tricks : ndarray
        Tricks (role of declarer, strain, row).
    role, kind : int

    Returns
    -------
    tuple of ndarray
        One entry a case: mean in hundredths, tricks.
    """
    who = kind % 2
    suits = kind in (TrickSet.SUIT_OWN, TrickSet.SUIT_OPPONENT)
    strains = slice(0, int(Strain.NOTRUMP)) if suits else slice(int(Strain.NOTRUMP), N_STRAINS)
    declarer = role if who == 0 else 1 - role
    return means[role, who, strains].ravel().astype(np.int64), tricks[declarer, strains].ravel().astype(np.int64)


def fit_distributions(means: npt.NDArray[np.int16], tricks: npt.NDArray[np.int8]) -> Ints:
    """How tricks are distributed where a mean was predicted, before anybody has called.

    Parameters
    ----------
    means, tricks : ndarray
        As for `cases`.

    Returns
    -------
    ndarray of int64, shape (role, set, mean on the grid, tricks)
        In `PROB_UNIT`s; each row adds up to one.
    """
    counts = Counts()
    for role in range(len(ROLES)):
        for kind in range(len(SETS)):
            counts.add(role, kind, *cases(means, tricks, role, kind))
    return counts.distributions()


def bot_of(play: str, exchange: str = EXCHANGE) -> Bot:
    """The heuristic bot with another play policy, and maybe another exchange.

    Parameters
    ----------
    play, exchange : str
        Names of policies.

    Returns
    -------
    Bot
    """
    changes = [f"play.policy={play}", f"name=heuristic_{play}"]
    return load_bot("heuristic", changes if exchange == EXCHANGE else [*changes, f"exchange.policy={exchange}"])
