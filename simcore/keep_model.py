"""What the exchange policy `expected` reads: models of tricks, and the worth of each strain's best contract at each mean."""

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

_NO_BID = -(2**40)
"""Worth of what nobody may bid; below all others, and small enough to be multiplied."""


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
    bids, (n_strains, _, n_levels) = existing_bids(variant), guarded.shape[3:]
    exists = np.array([[bids >> (n_strains * level + strain) & 1 for level in range(n_levels)] for strain in range(n_strains)])
    best = np.where(exists[:, None, :] == 1, guarded, _NO_BID).max(axis=-1)
    return Keeping(
        weights=tables.weights,
        worth=np.ascontiguousarray(best, np.int64),
        deck=U(rules.deal.deck),
        aside=U0 if rules.exchange.takes_upcard else ALL_ONES,
        nt_needs_every_suit=int(variant.auction.nt_needs_every_suit),  # type: ignore[union-attr]
    )
