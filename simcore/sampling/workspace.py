"""Makes what policies that draw hidden cards and solve work with: addresses and scratch memory of one thread. Plain Python."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simcore.codes import OracleWord, SampleWord
from simcore.rules import PlayRules
from simcore.solver.oracle import OracleMemory, new_oracle
from simcore.table import Oracle, Sampling

_SEATS = 2


@dataclass(frozen=True)
class SamplingMemory:
    """What such policies work with, and the memory that it knows by addresses only: keep this while kernels run.

    Attributes
    ----------
    sampling
        For `simcore.table.Table`.
    known
        Likewise, for auctions with a known hand; None where nobody can know one.
    oracle
        The memory.
    """

    sampling: Sampling
    known: Oracle | None
    oracle: OracleMemory


def new_sampling(play: PlayRules, with_colons: bool, points: bool, tenths: np.ndarray, knows: bool) -> SamplingMemory:
    """Memory for one thread.

    Parameters
    ----------
    play : PlayRules
        Rules of the tricks.
    with_colons : bool
        Whether there may be colons.
    points : bool
        Whether a seat plays for points.
    tenths : ndarray of int32
        Points of every result (`simcore.rules.ScoreRules`).
    knows : bool
        Whether a seat may know the other hand as the auction begins.

    Returns
    -------
    SamplingMemory
        To be kept as long as kernels use it.

    Raises
    ------
    InputError
        Where kernels are switched off.
    """
    memory = new_oracle(play, with_colons, points, tenths, plays=False, bids=knows)
    from simcore.sampling.sampled_play import sample_entry

    asked = memory.oracle.words
    words = np.zeros((_SEATS, int(SampleWord.END)), np.uint64)
    for word in ("TABLES", "SCRATCH", "POINT_SCRATCH", "MODE"):
        words[:, SampleWord[word]] = asked[:, OracleWord[word]]
    n_rules = len(play) - 1  # all but `colons`
    words[:, SampleWord.PLAY : SampleWord.PLAY + n_rules] = asked[:, OracleWord.PLAY : OracleWord.PLAY + n_rules]
    sampling = Sampling(
        card=np.int64(sample_entry.address), words=words, tenths=tenths
    )
    return SamplingMemory(sampling, memory.oracle if knows else None, memory)
