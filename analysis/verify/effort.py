"""How much the verification does, in full and in its short form, and what its checks share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Effort:
    """Sizes of the samples.

    Attributes
    ----------
    deals : int
        Deals in kernels, for hands and pairs.
    stocks : int
        Deals whose places are looked at one by one.
    transcripts : int
        Transcripts of each variant with random bots.
    others : int
        Transcripts of each variant with each other bot.
    calls : int
        Deals of calls, for streams.
    runs : int
        Small runs, for intervals.
    endings : int
        Endings, for perfect play.
    cards : int
        Cards of a hand in the longest endings.
    swaps : int
        Deals of each variant and bot in which unseen cards change places.
    fresh : int
        Matches of each variant that the reference plays.
    bots : tuple of str
        Bots whose transcripts are looked at; none: all.
    oracle : int
        Deals of a bot that sees all cards, which must be caught.
    """

    deals: int
    stocks: int
    transcripts: int
    others: int
    calls: int
    runs: int
    endings: int
    cards: int
    swaps: int
    fresh: int
    oracle: int
    bots: tuple[str, ...] = ()
    _shared: dict[str, Any] = field(default_factory=dict)

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """What several checks use: made once."""
        if name not in self._shared:
            self._shared[name] = make()
        found: T = self._shared[name]
        return found


def full() -> Effort:
    """The whole verification."""
    return Effort(
        deals=3_000_000, stocks=100_000, transcripts=4000, others=600, calls=2_000_000, runs=4000, endings=2400, cards=6,
        swaps=1000, fresh=60, oracle=200,
    )  # fmt: skip


def quick() -> Effort:
    """The short form."""
    return Effort(
        deals=100_000, stocks=2000, transcripts=120, others=12, calls=50_000, runs=200, endings=32, cards=5,
        swaps=25, fresh=2, oracle=0, bots=("random", "heuristic"),
    )  # fmt: skip
