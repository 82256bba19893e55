"""Points of deals and of matches as data frames: means, distributions, who wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.columns import check_columns
from analysis.estimates import Estimate, rate
from analysis.frames.basics import AnyRun, estimate_frame, needs_rows
from analysis.load import RunData, open_run
from analysis.query import Rows, share_sums
from analysis.rates import bidding_order, estimate_rate
from analysis.scores import QUANTILES, Summary, match_distributions, point_columns, score_summary
from analysis.summary import UNKNOWN_CLUSTERS, deal_points
from analysis.where import read_condition
from simcore.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_QUANTILES = tuple(f"q{100 * share:g}" for share in QUANTILES)


def _cells(found: Summary) -> tuple[Any, ...]:
    return (found.sd, *found.quantiles.values())


def points(run: AnyRun, by: Sequence[str] = (), where: str | None = None) -> pd.DataFrame:
    """Mean points per deal of each seat and role.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.
    by : sequence of str
        Columns of deals to group by.
    where : str or None
        Only deals that meet this condition.

    Returns
    -------
    pandas.DataFrame
        `by`, who (seat 0, .., dealer, declarer, ..), sd and quantiles q5 .. q95 of single deals, estimate .. method. Deals
        that were passed out count with 0, but not for declarer and opponent.
    """
    report = score_summary(run, by, where)
    groups = [(group.key, group.deals) for group in report.groups] if by else [((), report.deals)]
    rows = [((*key, who, *_cells(found)), found.mean) for key, deals in groups for who, found in deals.items()]
    return estimate_frame([*by, "who", "sd", *_QUANTILES], rows)


def point_distribution(run: AnyRun, by: Sequence[str] = (), where: str | None = None) -> pd.DataFrame:
    """How often a deal brings so many points.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.
    by : sequence of str
        Columns of deals to group by.
    where : str or None
        Only deals that meet this condition.

    Returns
    -------
    pandas.DataFrame
        `by`, who, points, count, estimate .. method: the share of the group's deals.
    """
    data = open_run(run)
    keys = [*by, "who", "points", "count"]
    if data.summed and not by and where is None:
        return estimate_frame(keys, _of_summary(data))
    needs_rows(data, "points of groups of deals")
    rows = Rows.of_deals(data)
    check_columns(by, rows.columns)
    condition = None if where is None else read_condition(where, rows.columns)
    listed: list[tuple[Sequence[Any], Estimate]] = []
    for who, column in point_columns(data).items():
        if who in ("declarer", "opponent"):
            played = "not passed_out" if where is None else f"not passed_out and ({where})"
            rows.where = read_condition(played, rows.columns)
        else:
            rows.where = condition
        found = share_sums(rows, tuple(by), (column,), data.clustered)
        for key in sorted(found, key=bidding_order):
            estimate = estimate_rate(found[key], data.clustered)
            listed.append(((*key[:-1], who, key[-1], round(found[key].y)), estimate))
    return estimate_frame(keys, listed)


def _of_summary(data: RunData) -> list[tuple[Sequence[Any], Estimate]]:
    listed: list[tuple[Sequence[Any], Estimate]] = []
    for who, (sums, counts) in deal_points(data).items():
        for value in sorted(counts):
            unknown = Estimate(sums.n, counts[value] / sums.n, None, None, UNKNOWN_CLUSTERS)
            listed.append(((who, value, counts[value]), unknown if data.clustered else rate(counts[value], sums.n)))
    return listed


def totals(run: AnyRun) -> pd.DataFrame:
    """Mean points of whole matches by seat, and the mean margin.

    Parameters
    ----------
    run : RunResult, Path or str
        A run of matches, or its directory.

    Returns
    -------
    pandas.DataFrame
        what (seat 0, .., margin), sd, q5 .. q95, estimate .. method.
    """
    found = score_summary(run).totals
    _needs_matches(run, bool(found))
    return estimate_frame(["what", "sd", *_QUANTILES], [((what, *_cells(one)), one.mean) for what, one in found.items()])


def total_distribution(run: AnyRun) -> pd.DataFrame:
    """How often a match ends with so many points of a seat, and with such a margin.

    Parameters
    ----------
    run : RunResult, Path or str
        A run of matches, or its directory.

    Returns
    -------
    pandas.DataFrame
        what (seat 0, .., margin), points, count, estimate .. method.
    """
    data = open_run(run)
    _needs_matches(run, data.clustered)
    listed = [
        ((what, value, found.counts[value]), rate(found.counts[value], found.sums.n))
        for what, found in match_distributions(data)[0].items()
        for value in sorted(found.counts)
    ]
    return estimate_frame(["what", "points", "count"], listed)


def wins(run: AnyRun) -> pd.DataFrame:
    """How often each seat wins a match, over all matches and by who dealt first.

    Parameters
    ----------
    run : RunResult, Path or str
        A run of matches, or its directory.

    Returns
    -------
    pandas.DataFrame
        seat, first_dealer (missing: any), won (a count), estimate .. method. The last row, without a seat, are shared matches.
    """
    report = score_summary(run)
    _needs_matches(run, report.drawn is not None)
    assert report.drawn is not None
    drawn = round((report.drawn.estimate or 0.0) * report.drawn.n)
    listed: list[tuple[Sequence[Any], Estimate]] = [((win.seat, win.first_dealer, win.won), win.rate) for win in report.wins]
    return estimate_frame(["seat", "first_dealer", "won"], [*listed, ((None, None, drawn), report.drawn)])


def _needs_matches(run: AnyRun, found: bool) -> None:
    if not found:
        raise InputError(f"{open_run(run).out} has no matches: it was run with unit: deal")
