"""Scores a run again under another scoring table: the same deals, auctions and cards, other points.

That is exact where the bots read neither the scoring table nor the score of the match: under the other table they would have
bid and played the same. Nothing is replayed: the points of a deal are looked up by its result, so only the columns of results
are read. All sums are of whole tenths.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.auctions import auction_kind
from analysis.differences import POINTS, SHARED, WINS, Difference
from analysis.estimates import ClusterSums, Estimate, clustered_rate, rate
from analysis.load import RunData, open_run
from analysis.match_ends import UNKNOWN, Ends, why_no_totals
from analysis.paired import Cells, PairSums
from analysis.rescored import RescoreReport
from analysis.rescored_sums import SummarySums, sums_of_summary
from analysis.tables_of_points import CHANGED, FIRST, PASSED_OUT, PLAYED, ContractLookup, Lookup, lookup_of, unpacked
from simcore.codes import TENTHS
from simcore.config import load_variant
from simcore.config.other_scoring import load_other_scoring
from simcore.errors import InputError
from simcore.places import Place
from simcore.runs import RunResult, read_parts
from simcore.runs.resume import differing

if TYPE_CHECKING:
    import pandas as pd

    from simcore.config import Variant

ROWS_AT_ONCE = 20_000
"""Deals looked up together: what they need fits into a processor's cache."""
WORKERS = 2
PAIR = 2
_SHORT = 16
"""Deals of matches that are summed deal by deal."""
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Tenths = npt.NDArray[np.int32]
_SUMS_NOTE = (
    "sums keep no matches: intervals are those of independent deals, widened by as much as the matches of today's table ask for"
)


def rescore(run: RunResult | Place | str, scoring: str | Path | None = None, overrides: Sequence[str] = ()) -> pd.DataFrame:
    """A run under another scoring table, as a frame.

    Parameters
    ----------
    run : RunResult, Path or str
        The run or its directory.
    scoring : str, Path or None
        A file with a scoring section, or a variant whose scoring is taken.
    overrides : sequence of str
        ``scoring.path=value`` texts.

    Returns
    -------
    pandas.DataFrame
        A row a number: what, who, today, new, estimate (new less today), low, high, n, method.
    """
    import pandas as pd

    report = rescore_run(run, scoring, overrides)
    return pd.DataFrame(
        {
            "what": row.kind,
            "who": row.who,
            "today": row.a.estimate,
            "new": row.b.estimate,
            **row.difference.as_json(),
            "method": row.difference.method,
        }
        for row in [*report.points, *report.wins]
    )


def rescore_run(
    run: RunResult | Place | str, scoring: str | Path | None = None, overrides: Sequence[str] = ()
) -> RescoreReport:
    """A run under another scoring table.

    Parameters
    ----------
    run : RunResult, Path or str
        The run or its directory, of rows or a summary.
    scoring : str, Path or None
        A file with a scoring section, or a variant whose scoring is taken.
    overrides : sequence of str
        ``scoring.path=value`` texts.

    Returns
    -------
    RescoreReport
        Points under both tables, the differences on the same deals, and whose matches are won by another.

    Raises
    ------
    InputError
        The bots read the table or the score of the match, or the table changes what may be bid or what is made.
    """
    data = open_run(run)
    if auction_kind(data) == "steps":
        raise InputError(
            f"{data.out}: {data.rules['name']} is won by getting rid of cards, and what a round does to them is part of the "
            "play; there is no table by which the same rounds could be scored again. Play it anew with `simcore run --set ...`"
        )
    new = load_other_scoring(data.rules, scoring, overrides, label=str(data.out))
    today = load_variant(data.rules, label=str(data.out))
    refuse_readers(data)
    refuse_other_bids(data, today, new)
    lookup = lookup_of(today, new)
    why = why_no_totals(data.rules, data.manifest.config["unit"])
    notes: list[str] = []
    found: SummarySums | _Sums
    if data.summed:
        found = sums_of_summary(data, lookup)
        why = why or "sums (output: summary) hold no match by itself"
        if data.clustered:
            notes.append(_SUMS_NOTE)
    else:
        found = _Sums(data, lookup, Ends.of(data.rules) if why is None else None)
        found.read()
    if why is not None and data.rules["match"].get("target") is not None and data.clustered:
        notes.append("the deals are those of matches that today's table ended")
    changes = [f"{path}: {before} today, {after} new" for path, before, after in differing(*map(_dump, (today, new)))]
    return RescoreReport(data.header(), changes, found.points(), found.changed(), found.wins(), found.unknown, why, notes)


def _dump(variant: Variant) -> dict[str, Any]:
    return {"scoring": variant.model_dump(mode="json")["scoring"]}


def refuse_readers(data: RunData) -> None:
    """Refuse bots whose decisions may depend on points."""
    again = f"play it anew: simcore run {data.out}/manifest.json --set scoring... --out NEW, then simcore compare"
    for bot in data.manifest.config["bots"]:
        for key, what in (("table", "the scoring table"), ("match_score", "the score of the match")):
            if bot["reads"][key]:
                raise InputError(
                    f"{data.out}: {bot['name']} reads {what} (reads.{key}: true), so under another table it would have "
                    f"decided otherwise;\n{again}"
                )
        if data.clustered and any(bot[stage]["policy"] == "plugin" for stage in ("exchange", "bidding", "play")):
            raise InputError(
                f"{data.out}: {bot['name']} is a bot of a plugin, which is shown the score of the match, and nothing tells "
                f"whether it reads it;\n{again}"
            )


def refuse_other_bids(data: RunData, today: Variant, new: Variant) -> None:
    """Refuse a table under which other bids exist, or another result is a make: bots know that much of any table."""
    again = "so the auctions would have been others; play it anew with `simcore run`"
    if today.auction.kind == "bridge":
        from simcore.phases.auction.bridge_tables import existing_bids

        if existing_bids(today) != existing_bids(new):
            raise InputError(f"{data.out}: under the new table other bids exist (award: null, or another kind), {again}")
        return
    one, other = (variant.scoring.model_dump() for variant in (today, new))
    random = all(bot[stage]["policy"] == "random" for bot in data.manifest.config["bots"] for stage in ("bidding", "play"))
    for key in ("success", "bonus_from", "bonus_overtricks"):
        if one[key] != other[key] and not random:
            raise InputError(
                f"{data.out}: scoring.{key} says when a call is made, which the bots aim at (only random does not), {again}"
            )


class _Sums:
    """Sums over the matches of a run of rows.

    Parameters
    ----------
    data : RunData
    lookup : Lookup
    ends : Ends or None
        How matches end, where their winners are known.
    """

    def __init__(self, data: RunData, lookup: Lookup, ends: Ends | None) -> None:
        self.data, self.lookup, self.ends = data, lookup, ends
        width = 1 + FIRST + 2 * len(lookup.names)
        self.total, self.moments = np.zeros(width), np.zeros((width, width))
        self.counts = np.zeros(PASSED_OUT + 1, np.int64)
        """Deals by their place in the table, of independent deals with contracts."""
        players = data.players
        self.won: Counts = np.zeros((players + 2, players + 2), np.int64)
        """Matches by winner under both tables, each plus 2."""

    def read(self) -> None:
        """Read the run."""
        groups = list(self.data.groups(ROWS_AT_ONCE))
        self._check(groups[0]["deals"])
        with ThreadPoolExecutor(WORKERS) as pool:
            for total, moments, won, counts in pool.map(self._part, groups):
                self.total, self.moments, self.won = self.total + total, self.moments + moments, self.won + won
                self.counts += counts
        if self.counts.any():
            self._from_counts()

    def _check(self, names: Sequence[str]) -> None:
        """The points that the run holds are those of its own table."""
        paths, seats = [self.data.out / name for name in names], range(self.data.players)
        rows = read_parts(paths, [f"points_{seat}" for seat in seats])
        stored = np.column_stack([rows[f"points_{seat}"].to_numpy() for seat in seats])
        if (np.rint(stored * TENTHS) != unpacked(self.lookup.numbers(paths))[:, FIRST : FIRST + len(seats)]).any():
            raise InputError(
                f"{self.data.out}: its points are not those of its own scoring table, so it was not written by this version; "
                "play it anew"
            )

    def _part(self, group: dict[str, list[str]]) -> tuple[Floats, Floats, Counts | int, Counts | int]:
        """Sums of some part files."""
        paths = {table: [self.data.out / name for name in names] for table, names in group.items()}
        if not self.data.clustered and isinstance(self.lookup, ContractLookup):
            places = self.lookup.places(read_parts(paths["deals"], self.lookup.columns))
            return self.total * 0, self.moments * 0, 0, np.bincount(places, minlength=PASSED_OUT + 1)
        numbers = self.lookup.numbers(paths["deals"])
        if not self.data.clustered:
            values = np.column_stack([np.ones(len(numbers)), unpacked(numbers)])
            return values.sum(axis=0), values.T @ values, 0, 0
        lengths = read_parts(paths["matches"], ["deals"])["deals"].to_numpy().astype(np.int64)
        starts = np.cumsum(lengths) - lengths
        sums = unpacked(sums_by_match(numbers, starts, lengths))
        values = np.empty((len(lengths), 1 + sums.shape[1]))
        values[:, 0], values[:, 1:] = lengths, sums
        won = self._winners(numbers, sums, lengths, starts, paths["deals"]) if self.ends is not None else 0
        return values.sum(axis=0), values.T @ values, won, 0

    def _winners(self, numbers: Counts, sums: Tenths, lengths: Counts, starts: Counts, paths: Sequence[Place]) -> Counts:
        """Matches by winner under both tables; redealt deals score nothing, so `sums` are the totals."""
        assert self.ends is not None
        players, n_names = self.data.players, len(self.lookup.names)
        dealt = lengths
        if self.ends.redeal:
            counted = self.ends.counted(read_parts(paths, ["dealer"])["dealer"].to_numpy(), starts)
            lengths = np.add.reduceat(counted.astype(np.int64), starts)
            numbers = numbers[counted]
        own, change = (slice(first, first + players) for first in (FIRST, FIRST + n_names))
        before = self.ends.winners(_Points(numbers, (own,)), sums[:, own], lengths, dealt) + 2
        total = sums[:, own] + sums[:, change]
        after = self.ends.winners(_Points(numbers, (own, change)), total, lengths, dealt) + 2
        return np.bincount(before * (players + 2) + after, minlength=self.won.size).reshape(self.won.shape)

    def _from_counts(self) -> None:
        """Sums of independent deals from how often each result came."""
        assert isinstance(self.lookup, ContractLookup)
        table = np.column_stack([np.ones(PASSED_OUT + 1), self.lookup.table])
        self.total = self.counts @ table
        self.moments = (table * self.counts[:, None]).T @ table

    @property
    def unknown(self) -> int:
        """Matches whose winner under the new table an extra deal would decide that was not played."""
        return int(self.won[:, UNKNOWN + 2].sum())

    def changed(self) -> Estimate:
        """Share of deals whose points change."""
        place = 1 + CHANGED
        y, moments = float(self.total[place]), self.moments
        if not self.data.clustered:
            return rate(round(y), round(self.total[0]))
        sums = ClusterSums(round(self.total[0]), y, moments[0, 0], moments[0, place], moments[place, place], y)
        return clustered_rate(sums)

    def points(self) -> list[Difference]:
        """Points per deal under both tables."""
        names = self.lookup.names
        places: dict[str, tuple[int, ...]] = {name: (place,) for place, name in enumerate(names)}
        if self.data.players == PAIR:  # what both score, less what the one does
            rest = {"non_dealer": "dealer", "opponent": "declarer"}
            places |= {who: (0, 1, -names.index(other)) for who, other in rest.items() if other in names}
        order = [*names[: self.data.players], "dealer", "non_dealer", "declarer", "opponent"]
        return [self._difference(who, places[who]) for who in order if who in places]

    def _difference(self, who: str, places: tuple[int, ...]) -> Difference:
        """Of a sum of columns; that of a negative place is taken away."""
        width, n_names = len(self.total), len(self.lookup.names)
        played = who in ("declarer", "opponent")
        pick = np.zeros((3, width))
        pick[0, 1 + PLAYED if played else 0] = 1
        for place in places:
            for row, first in ((1, 1 + FIRST), (2, 1 + FIRST + n_names)):
                pick[row, first + abs(place)] += 1 if place >= 0 else -1
        scale = np.array([1.0, TENTHS, TENTHS])  # only now, so that sums are exact
        n, y, change = ((pick @ self.total) / scale).tolist()
        moments = pick @ self.moments @ pick.T / np.outer(scale, scale)
        return Difference.of(POINTS, who, pair_of(n, y, change, moments), round(n))

    def wins(self) -> list[Difference]:
        """Matches won under both tables, those that are known."""
        known = self.won[1:, 1:]
        if self.ends is None or not known.any():
            return []
        seats = [(f"seat {seat}", seat + 1) for seat in range(self.data.players)]
        return [_win(who, known, place) for who, place in [*seats, (SHARED, 0)]]


class _Points(NamedTuple):
    """Points of deals, of the rows that are asked for."""

    numbers: Counts
    columns: tuple[slice, ...]

    def __getitem__(self, rows: Any) -> Any:
        found = unpacked(self.numbers[rows])
        return sum(found[:, columns] for columns in self.columns)


def sums_by_match(numbers: Counts, starts: Counts, lengths: Counts) -> Counts:
    """Sums of the rows of each match.

    Of short matches all first deals, all second ones, and so on: numpy's sums of segments take most of their time to begin.

    Parameters
    ----------
    numbers : ndarray of int64, shape (deals, columns)
    starts : ndarray of int
        First row of each match.
    lengths : ndarray of int
        Its rows, one at least.

    Returns
    -------
    ndarray of int64, shape (matches, columns)
    """
    least, most = int(lengths.min()), int(lengths.max())
    if most > _SHORT:
        return np.add.reduceat(numbers, starts, axis=0)
    sums = numbers.take(starts, axis=0)
    for k in range(1, most):
        if k < least:
            sums += numbers.take(starts + k, axis=0)
        else:
            longer = np.flatnonzero(lengths > k)
            sums[longer] += numbers.take(starts[longer] + k, axis=0)
    return sums


def pair_of(n: float, y: float, change: float, moments: Floats) -> PairSums:
    """Sums of two tables from the moments of n, y and the change of y."""
    (nn, ny, nd), (_, yy, yd), (_, _, dd) = moments.tolist()
    whole = np.zeros((4, 4))
    whole[np.ix_([0, 1, 3], [0, 1, 3])] = moments
    today = ClusterSums(round(n), y, nn, ny, yy)
    new = ClusterSums(round(n), y + change, nn, ny + nd, yy + 2 * yd + dd)
    return PairSums(today, new, whole, ClusterSums(round(n), change, nn, nd, dd), None, True)


def _win(who: str, won: Counts, place: int) -> Difference:
    """How often a seat (or nobody alone) wins, from matches by winner under both tables."""
    n = int(won.sum())
    before, after, both = int(won[place].sum()), int(won[:, place].sum()), int(won[place, place])
    lost, gained = before - both, after - both
    moments = np.array([[n, before, gained - lost], [before, before, -lost], [gained - lost, -lost, gained + lost]], float)
    sums = pair_of(n, before, gained - lost, moments)
    cells = Cells(both, lost, gained, n - both - lost - gained)
    return Difference.of(WINS, who, PairSums(sums.a, sums.b, sums.moments, sums.both, cells, True), n)
