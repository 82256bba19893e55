"""The answer of an estimate: make rate, tricks, points, best contract, each with n and an interval; as JSON and as a frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.estimates import MEAN, ClusterSums, Estimate, clustered_mean, rate

if TYPE_CHECKING:
    import pandas as pd

EXACT = "exact: every card is known"
DOUBLINGS = ("undoubled", "doubled", "redoubled")


def mean_of(values: np.ndarray) -> Estimate:
    """Mean of independent numbers in tenths, in points."""
    points = np.asarray(values, np.float64) / 10
    n, y, squares = len(points), float(points.sum()), float((points * points).sum())
    return clustered_mean(ClusterSums(n=n, y=y, nn=n, ny=y, yy=squares, squares=squares), MEAN)


def exactly(found: Estimate) -> Estimate:
    """The same number as one that is certain."""
    return Estimate(found.n, found.estimate, found.estimate, found.estimate, EXACT)


@dataclass(frozen=True)
class Best:
    """The bid with most points on average, chosen on the sampled deals, measured on fresh ones.

    Attributes
    ----------
    bid : str
        A contract, or a call.
    rate : Estimate
        How often it makes, on fresh deals.
    points : Estimate
        Points per deal, likewise.
    difference : Estimate
        Points of it less those of the bid that was asked for, on the same fresh deals.
    """

    bid: str
    rate: Estimate
    points: Estimate
    difference: Estimate

    def as_json(self, name: str) -> dict[str, Any]:
        """Form for ``--json``; `name`: contract or call."""
        return {
            name: self.bid,
            **self.rate.as_json("rate"),
            "points": self.points.as_json("mean"),
            "difference": self.difference.as_json("mean"),
        }


@dataclass(frozen=True)
class RoleEstimate:
    """What was found for declarer in one role, or for the caller.

    Attributes
    ----------
    declarer : str or None
        ``"dealer"``, ``"non_dealer"``, or None in games of calls.
    rate : Estimate
        How often the contract makes.
    tricks : tuple of int
        How often declarer took 0, 1, .. tricks.
    points : dict of str to Estimate
        Declarer's points per deal, undoubled, doubled, redoubled (negative: the opponent's); of a call ``"points"``.
    best : Best or None
        The best bid.
    attempts : int
        Deals simulated, those included that did not agree with what is known.
    acceptance : Estimate
        Share of them that agreed.
    notes : tuple of str
        What is assumed.
    """

    declarer: str | None
    rate: Estimate
    tricks: tuple[int, ...]
    points: dict[str, Estimate]
    best: Best | None
    attempts: int
    acceptance: Estimate
    notes: tuple[str, ...] = ()

    def as_json(self, name: str) -> dict[str, Any]:
        """Form for ``--json``; `name`: contract or call."""
        total = max(sum(self.tricks), 1)
        return {
            **self.rate.as_json("rate"),
            "tricks": {str(number): count / total for number, count in enumerate(self.tricks)},
            "points": {key: found.as_json("mean") for key, found in self.points.items()},
            "best": None if self.best is None else self.best.as_json(name),
            "attempts": self.attempts,
            "acceptance": self.acceptance.estimate,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class EstimateReport:
    """How often a contract or a call makes when it is imposed, given what is known.

    Attributes
    ----------
    header : dict
        variant, contract or call, bots, play, seed, known.
    rows : tuple of RoleEstimate
        One a role of declarer.
    notes : tuple of str
        Notes about all of it.
    """

    header: dict[str, Any]
    rows: tuple[RoleEstimate, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def rate(self) -> Estimate:
        """The make rate; of two roles, each counting half."""
        if len(self.rows) == 1:
            return self.rows[0].rate
        made = sum(round((row.rate.estimate or 0) * row.rate.n) for row in self.rows)
        return rate(made, sum(row.rate.n for row in self.rows))

    @property
    def bid(self) -> str:
        """The contract or the call asked for, as text."""
        return str(self.header.get("contract", self.header.get("call")))

    def as_json(self) -> dict[str, Any]:
        """Form for ``--json``."""
        name = "contract" if "contract" in self.header else "call"
        tricks = np.sum([row.tricks for row in self.rows], axis=0)
        total = max(int(tricks.sum()), 1)
        found: dict[str, Any] = {
            **self.header,
            **self.rate.as_json("rate"),
            "tricks": {str(number): int(count) / total for number, count in enumerate(tricks)},
        }
        if len(self.rows) == 1:
            found |= self.rows[0].as_json(name)
        if name == "contract":
            found["declarer"] = self.rows[0].declarer if len(self.rows) == 1 else None
            found["roles"] = {str(row.declarer): row.as_json(name) for row in self.rows}
        found["notes"] = [*self.notes, *dict.fromkeys(note for row in self.rows for note in row.notes)]
        found["method"] = {
            "rate": self.rate.method,
            "points": next(iter(self.rows[0].points.values())).method,
            "deals": "counted at fixed sizes; the best bid is chosen on these deals and measured on fresh ones",
        }
        return found

    def frame(self) -> pd.DataFrame:
        """A row a number: declarer, bid, quantity, estimate, low, high, n, method."""
        import pandas as pd

        lines: list[tuple[Any, ...]] = []

        def add(row: RoleEstimate, bid: str, quantity: str, found: Estimate) -> None:
            lines.append((row.declarer, bid, quantity, found.estimate, found.low, found.high, found.n, found.method))

        for row in self.rows:
            add(row, self.bid, "make rate", row.rate)
            for number, count in enumerate(row.tricks):
                add(row, self.bid, f"{number} tricks", rate(count, sum(row.tricks)))
            for key, found in row.points.items():
                add(row, self.bid, "points" if key == "points" else f"points {key}", found)
            if row.best is not None:
                add(row, row.best.bid, "best: make rate", row.best.rate)
                add(row, row.best.bid, "best: points", row.best.points)
                add(row, row.best.bid, "best: points more", row.best.difference)
            add(row, self.bid, "deals that agree with what is known", row.acceptance)
        names = ["declarer", "bid", "quantity", "estimate", "low", "high", "n", "method"]
        return pd.DataFrame(lines, columns=names)
