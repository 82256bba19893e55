"""A run as the report looks at it: its data, its key figures, and how it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from analysis.auctions import auction_kind
from analysis.estimates import Estimate, rate
from analysis.imposed import has_trick_table
from analysis.load import RunData, open_run
from analysis.rates import RatesReport, make_rates
from analysis.report import source
from analysis.report.parts import Measure
from analysis.scores import PAIR, ScoresReport, score_summary
from simcore.errors import InputError
from simcore.places import Place
from simcore.runs import RunResult

if TYPE_CHECKING:
    import pandas as pd

_DOUBLING = {1: "", 2: "X", 4: "XX"}
LETTERS = "ABCDEF"
"""Names of several runs; so many there may be."""


@dataclass(frozen=True)
class RunView:
    """A run of a report.

    Attributes
    ----------
    data : RunData
        Where it is read from.
    letter : str
        ``A``, ``B`` ...; empty where there is only one.
    """

    data: RunData
    letter: str = ""

    @property
    def kind(self) -> str:
        """Kind of its auction: ``bridge``, ``calls`` or ``steps``."""
        return auction_kind(self.data)

    @property
    def bots(self) -> list[str]:
        """Names of the bots by seat."""
        return [bot["name"] for bot in self.data.manifest.config["bots"]]

    @property
    def title(self) -> str:
        """Variant and bots; of several runs letter and directory."""
        if self.letter:
            return f"{self.letter}: {self.data.out.resolve().name}"
        names = list(dict.fromkeys(self.bots))
        return f"{self.data.rules['name']}, {names[0] if len(names) == 1 else ' - '.join(self.bots)}"

    @cached_property
    def rates(self) -> RatesReport:
        """Make rates by contract, call or bid."""
        return make_rates(self.data.out)

    @cached_property
    def scores(self) -> ScoresReport:
        """Points per deal and of matches."""
        return score_summary(self.data.out)

    @cached_property
    def bids(self) -> pd.DataFrame:
        """Make rates by contract, call or bid, with label and order."""
        frame = source.frame_of(self.rates)
        if self.kind == "bridge":
            labels = [contract_label(row) for row in frame.to_dict("records")]
        elif self.kind == "calls":
            labels = [f"{call:.0f}" for call in frame["call"]]
        else:
            pairs = zip(frame["bid"], frame["alone"], strict=True)
            labels = [f"{bid:.0f} alone" if alone else f"{bid:.0f}" for bid, alone in pairs]
        return frame.assign(label=labels, order=range(len(frame)))

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Make rates by level and strain, doubled or not, with label and order."""
        frame = source.rates(self.data, ["level", "strain"])
        return frame.assign(label=[contract_label(row) for row in frame.to_dict("records")], order=range(len(frame)))

    @property
    def imposed(self) -> bool:
        """Whether it has a trick table."""
        return has_trick_table(self.data.out)

    def measures(self) -> list[Measure]:
        """Key figures, each with an interval."""
        total = self.rates.total
        assert total is not None
        found = [Measure(f"{bid_name(self)}s made", total.rate, True, "made" if self.kind != "calls" else "")]
        for name, share in (("passed out", self.rates.passed_out), ("contested", self.rates.contested)):
            if share is not None:
                found.append(Measure(name, share, True, name.replace(" ", "_")))
        roles = ("dealer", "non_dealer") if self.data.players == PAIR else tuple(f"seat {s}" for s in range(self.data.players))
        for who in roles:
            mean = self.scores.deals[who].mean
            found.append(Measure(f"points per deal, {who.replace('_', '-')}", mean, False, who))
        if self.scores.totals:
            found.append(Measure("margin of a match", self.scores.totals["margin"].mean, False))
            found.append(Measure("matches won by the first dealer", self._first_dealer(), True))
        if self.scores.drawn is not None:
            found.append(Measure("matches drawn", self.scores.drawn, True))
        if self.scores.unfinished is not None:
            found.append(Measure("matches ended at the cap", self.scores.unfinished, True))
        return found

    def _first_dealer(self) -> Estimate:
        own = [win for win in self.scores.wins if win.first_dealer == win.seat]
        return rate(sum(win.won for win in own), sum(win.rate.n for win in own))


def open_views(runs: Sequence[RunResult | Place | str]) -> list[RunView]:
    """Runs to report on together.

    Parameters
    ----------
    runs : sequence of RunResult, Path or str
        One to six.

    Returns
    -------
    list of RunView
        With letters where there are several.

    Raises
    ------
    InputError
        Too many, one twice, or games whose auctions cannot be set side by side.
    """
    if len(runs) > len(LETTERS):
        raise InputError(f"a report shows at most {len(LETTERS)} runs side by side; {len(runs)} were given")
    opened = [open_run(run) for run in runs]
    for place, data in enumerate(opened):
        if any(data.out.resolve() == other.out.resolve() for other in opened[:place]):
            raise InputError(f"{data.out} is given twice")
    views = [RunView(data, LETTERS[place] if len(runs) > 1 else "") for place, data in enumerate(opened)]
    for view in views[1:]:
        if view.kind != views[0].kind:
            raise InputError(
                f"{view.data.out} ({view.data.rules['name']}) and {views[0].data.out} ({views[0].data.rules['name']}) are "
                f"games with other auctions ({view.kind}, {views[0].kind}); make a report of each"
            )
    return views


def contract_label(row: Mapping[Any, Any]) -> str:
    """A contract of a row in the usual notation."""
    return f"{row['level']:.0f}{row['strain']}{_DOUBLING[int(row.get('doubling', 1))]}"


def bid_name(view: RunView) -> str:
    """What is made or not in a game: a contract, a call or a bid."""
    return {"bridge": "contract", "calls": "call", "steps": "bid"}[view.kind]
