"""What the exchange policy `expected` reads: models of tricks, and what the best contract of each strain is worth at each mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.bits import ALL_ONES, U0, U
from simcore.bots.bidding.expected import NOTHING_KNOWN
from simcore.bots.exchange.expected import Keeping
from simcore.codes import Doubling
from simcore.trick_model import TrickModel, build_expected

if TYPE_CHECKING:
    from simcore.config import Variant


def build_keeping(models: Sequence[TrickModel], variant: Variant, rules: Any) -> Keeping:
    """What the kernels read in an exchange by upcard.

    Parameters
    ----------
    models : sequence of TrickModel
        Those that seats use.
    variant : Variant
        With a bridge auction.
    rules : Rules
        With the scoring table.

    Returns
    -------
    Keeping
        Scores as in `build_expected`; of levels that nobody may bid, none counts.
    """
    from simcore.phases.auction.bridge_tables import existing_bids

    tables = build_expected(models, rules)
    scores = tables.scores[:, NOTHING_KNOWN]  # model, role, who, strain, row, doubling, level
    guarded = np.minimum(scores[..., Doubling.UNDOUBLED, :], scores[..., Doubling.DOUBLED, :])
    if not variant.auction.doubles:  # type: ignore[union-attr]
        guarded = scores[..., Doubling.UNDOUBLED, :]
    n_strains, n_levels = guarded.shape[3], guarded.shape[-1]
    exists = np.array([[int(existing_bids(variant)) >> (n_strains * level + strain) & 1 for level in range(n_levels)]
                       for strain in range(n_strains)], bool)
    lowest = np.iinfo(np.int64).min // 2**20
    best = np.where(exists[:, None, :], guarded, lowest).max(axis=-1)
    best = np.where(exists.any(axis=1)[:, None], best, 0)
    return Keeping(
        weights=tables.weights,
        worth=np.ascontiguousarray(best, np.int64),
        deck=U(rules.deal.deck),
        aside=U0 if rules.exchange.takes_upcard else ALL_ONES,
        nt_needs_every_suit=int(variant.auction.nt_needs_every_suit),  # type: ignore[union-attr]
    )
