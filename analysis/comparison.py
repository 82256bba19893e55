"""Compares two runs: deal by deal where both played the same deals, else as two independent runs, and says which.

Runs are read piece by piece, so their size does not matter. Only sums over matches are kept (`analysis.paired`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.aligned import Unmatched, common_pieces, common_places, pair_rows, why_not_paired
from analysis.auctions import DEFAULT_GROUPS, auction_kind
from analysis.differences import MAKE_RATE, POINTS, SHARE, WINS, CompareReport, Difference
from analysis.estimates import ClusterSums
from analysis.groups import Key
from analysis.load import RunData, open_run
from analysis.measures import (
    Measure,
    add_column,
    add_deals,
    check_by,
    deal_names,
    match_keys,
    match_names,
    match_values,
    new_counters,
    own_sums,
    pair_sums,
)
from analysis.paired import PairCounter, PairSums
from analysis.rates import bidding_order
from simcore.errors import InputError
from simcore.places import Place
from simcore.runs import RunResult
from simcore.runs.resume import differing

if TYPE_CHECKING:
    import pandas as pd

_FREE = ("deals", "matches", "chunk", "output", "columns", "until", "hands", "description")
"""Keys of a run that change how much is played and kept, not what."""
_NAME = ".name"
_SUMMED = "sums hold no single deals, so the intervals are those of independent runs; on common deals they are too wide"
_FEW = 500


def compare(run_a: RunResult | Place | str, run_b: RunResult | Place | str, by: Sequence[str] | None = None) -> pd.DataFrame:
    """Differences of two runs, B less A, as a frame.

    Parameters
    ----------
    run_a, run_b : RunResult, Path or str
        The runs or their directories.
    by : sequence of str or None
        Columns to group make rates by; None: the contract, the call, or the bid.

    Returns
    -------
    pandas.DataFrame
        A row a number: what, who, the columns of `by`, a, b, estimate (B less A), low, high, n, method, the table of pairs
        (both, only_a, only_b, neither) and the verdict.
    """
    import pandas as pd

    report = compare_runs(run_a, run_b, by)
    rows = []
    for found in report.all():
        key = dict(zip(report.by, found.key, strict=False))
        cells: dict[str, Any] = dict.fromkeys(("both", "only_a", "only_b", "neither"), pd.NA)
        if found.cells is not None and found.paired:
            cells = {name: count for name, count in found.cells.as_json().items() if name != "n"}
        numbers = {"a": found.a.estimate, "b": found.b.estimate, **found.difference.as_json()}
        rows.append(
            {"what": found.kind, "who": found.who, **{name: key.get(name) for name in report.by}, **numbers}
            | {"method": found.difference.method, **cells, "verdict": found.as_json()["verdict"]}
        )
    return pd.DataFrame(rows)


def compare_runs(
    run_a: RunResult | Place | str, run_b: RunResult | Place | str, by: Sequence[str] | None = None
) -> CompareReport:
    """Differences of two runs, B less A.

    Parameters
    ----------
    run_a, run_b : RunResult, Path or str
        The runs or their directories.
    by : sequence of str or None
        Columns to group make rates by; None: the contract, the call, or the bid.

    Returns
    -------
    CompareReport
        Paired by (match, deal) where the deals are the same ones.

    Raises
    ------
    InputError
        What is made is not the same kind of thing in the two, or `by` names no column of both.
    """
    return compare_data(open_run(run_a), open_run(run_b), by)


def compare_data(a: RunData, b: RunData, by: Sequence[str] | None = None) -> CompareReport:
    """The same of runs that are open."""
    kinds = [auction_kind(run) for run in (a, b)]
    if kinds[0] != kinds[1]:
        raise InputError(
            f"{a.out} and {b.out} cannot be compared: their auctions are of kinds {kinds[0]} and {kinds[1]}, "
            "so what is made in one is not made in the other"
        )
    if a.players != b.players:
        raise InputError(f"{a.out} and {b.out} cannot be compared: {a.players} and {b.players} players")
    names = tuple(DEFAULT_GROUPS[kinds[0]] if by is None else by)
    for run in (a, b):
        check_by(run, names)
    why = why_not_paired(a, b)
    found = _Paired(a, b, names) if why is None else _Unpaired(a, b, names)
    found.read()
    return found.report(why)


def is_same(a: RunData, b: RunData) -> bool:
    """Whether two runs are one and the same by their rules, bots and seed."""
    return not _changes(a, b)


def _changes(a: RunData, b: RunData) -> list[str]:
    """What is different in the configurations, but for names and for how much was played and kept; other bots by name alone."""
    one, other = ({key: value for key, value in run.manifest.config.items() if key not in _FREE} for run in (a, b))
    found = [line for line in differing(one, other) if not line[0].endswith(_NAME)]
    seats = {line[0].split(".")[0] for line in found if line[0].startswith("bots[")}
    bots = [[bot["name"] for bot in run.manifest.config["bots"]] for run in (a, b)]
    renamed = {f"bots[{seat}]": (mine, theirs) for seat, (mine, theirs) in enumerate(zip(*bots, strict=True)) if mine != theirs}
    lines = [(path, *renamed[path]) for path in sorted(seats & set(renamed))]
    lines += [line for line in found if line[0].split(".")[0] not in renamed]
    return [f"{path}: {mine} in A, {theirs} in B" for path, mine, theirs in lines]


class _Comparison:
    """What both ways of comparing have in common: how sums become a report."""

    paired = False

    def __init__(self, a: RunData, b: RunData, by: tuple[str, ...]) -> None:
        self.a, self.b, self.by = a, b, by
        self.same = is_same(a, b)
        self.unmatched = Unmatched()
        self.deals = self.matches = 0
        self.of_deals: dict[Measure, PairSums] = {}
        self.of_matches: dict[tuple[str, str], PairSums] = {}

    def report(self, why: str | None) -> CompareReport:
        """The report."""
        same = self.same and self.paired
        rows = [
            Difference.of(kind, who, sums, self.deals, key=key, same=same) for (kind, who, key), sums in self.of_deals.items()
        ]
        by_group = sorted((row for row in rows if row.key), key=lambda row: bidding_order(row.key))
        common = {"deals": self.deals} | ({"matches": self.matches} if self.a.clustered and self.b.clustered else {})
        total = next(row for row in rows if row.kind == MAKE_RATE and not row.key)
        return CompareReport(
            {"run": str(self.a.out), **self.a.header()},
            {"run": str(self.b.out), **self.b.header()},
            self.paired,
            why,
            _changes(self.a, self.b),
            common if self.paired else {},
            self.unmatched,
            self.by,
            by_group,
            total,
            [row for row in rows if row.kind == POINTS],
            [row for row in rows if row.kind == SHARE],
            [Difference.of(kind, who, sums, self.matches, same=same) for (kind, who), sums in self.of_matches.items()],
            self._notes(),
        )

    def _notes(self) -> list[str]:
        notes = []
        for run in (self.a, self.b):
            if run.manifest.state != "finished":
                notes.append(f"{run.out} is not finished ({run.manifest.state}); this is what its finished chunks hold")
        if any(run.summed for run in (self.a, self.b)):
            notes.append(_SUMMED)
        elif not self.paired and self.a.manifest.config["seed"] == self.b.manifest.config["seed"]:
            notes.append("not paired, though the seeds are the same: the intervals are those of independent runs")
        if 0 < self.matches < _FEW:
            notes.append(f"only {self.matches:,} matches: few are worth so much that intervals of points are too narrow")
        if len(self.by_group_names) > 1:
            notes.append(
                f"each interval is one of 95 % by itself: of {len(self.by_group_names)} groups without a difference, "
                "one in twenty would show one"
            )
        return notes

    @property
    def by_group_names(self) -> list[Key]:
        """Keys of the groups of make rates."""
        return [key for kind, _, key in self.of_deals if kind == MAKE_RATE and key]


class _Paired(_Comparison):
    """Deal by deal."""

    paired = True

    def read(self) -> None:
        """Read both runs together."""
        found = new_counters(self.a, self.by)
        for one, other in common_pieces(self.a, self.b, "deals", deal_names(self.a, self.by)):
            mine, theirs = pair_rows(one, other, self.a.rules, self.unmatched)
            self.deals += len(mine)
            if len(mine) < one.num_rows:
                one = one.take(mine)
            if len(theirs) < other.num_rows:
                other = other.take(theirs)
            add_deals(found, self.a, one, other, (True, True))
        if not self.deals:
            raise InputError(f"{self.a.out} and {self.b.out} have no deal in common")
        self.of_deals = pair_sums(found, True)
        if self.a.clustered:
            self._read_matches()

    def _read_matches(self) -> None:
        counters = {key: PairCounter(key[0] == WINS) for key in match_keys(self.a.players)}
        for one, other in common_pieces(self.a, self.b, "matches", match_names(self.a)):
            mine, theirs = common_places(one["match"].to_numpy(), other["match"].to_numpy())
            if not len(mine):
                continue
            self.matches += len(mine)
            values = [match_values(rows.take(place), self.a.players) for rows, place in ((one, mine), (other, theirs))]
            for key, counter in counters.items():
                add_column(counter, np.arange(len(mine)), [value[key] for value in values], (True, True))
        self.of_matches = {key: counter.sums() for key, counter in counters.items()}


class _Unpaired(_Comparison):
    """As two independent runs."""

    def read(self) -> None:
        """Read one run after the other."""
        one, other = (own_sums(run, self.by) for run in (self.a, self.b))
        keys = dict.fromkeys([*one.of_deals, *other.of_deals])
        none = ClusterSums()
        self.of_deals = {key: PairSums.independent(one.of_deals.get(key, none), other.of_deals.get(key, none)) for key in keys}
        self.deals = min(self.a.manifest.deals, self.b.manifest.deals)
        if self.a.clustered and self.b.clustered:
            self.matches = min(self.a.manifest.matches, self.b.manifest.matches)
            self.of_matches = {key: PairSums.independent(sums, other.of_matches[key]) for key, sums in one.of_matches.items()}
