"""Make rates, contract usage and distributions of tricks as data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.auctions import DEFAULT_GROUPS, SHARES, auction_kind, is_clustered
from analysis.columns import check_columns, row_columns
from analysis.estimates import ClusterSums, Estimate
from analysis.frames.basics import AnyRun, estimate_frame, needs_rows
from analysis.imposed import imposed_rates
from analysis.load import Key, RunData, open_run
from analysis.query import Rows, group_sums, share_sums
from analysis.rates import TRUTH_SQL, RatesReport, bidding_order, estimate_rate, make_rates, read_where
from analysis.summary import UNKNOWN_CLUSTERS, cell_counts

if TYPE_CHECKING:
    import pandas as pd



def rates(run: AnyRun, by: Sequence[str] | None = None, where: str | None = None) -> pd.DataFrame:
    """Make rates by any columns.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.
    by : sequence of str or None
        Grouping columns; None: level, strain and doubling, in games of calls the call, in games of steps bid and alone.
    where : str or None
        Only rows that meet this condition.

    Returns
    -------
    pandas.DataFrame
        `by`, made (a count), estimate .. method. Contracts that nobody bid, and groups in which no row meets the condition,
        have n = 0.
    """
    return _of_report(make_rates(run, by, where))


def imposed(run: AnyRun, by_role: bool = False, where: str | None = None) -> pd.DataFrame:
    """Make rates of every contract, played on every deal from both sides, of a run with ``contracts: all``.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.
    by_role : bool
        Dealer and non-dealer as declarer apart.
    where : str or None
        Only deals that meet this condition, such as ``hcp_dealer >= 15``.

    Returns
    -------
    pandas.DataFrame
        level, strain (and declarer_role), made, estimate .. method.
    """
    return _of_report(imposed_rates(run, by_role, where))


def _of_report(report: RatesReport) -> pd.DataFrame:
    return estimate_frame([*report.by, "made"], [((*row.key, row.made), row.rate) for row in report.rows])


def shares(run: AnyRun, by: Sequence[str] = (), where: str | None = None) -> pd.DataFrame:
    """Shares of all deals that were passed out, and of those in which both seats bid.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.
    by : sequence of str
        Grouping columns.
    where : str or None
        Only deals that meet this condition.

    Returns
    -------
    pandas.DataFrame
        `by`, what (passed_out, contested), estimate .. method. Games of calls have no such shares.
    """
    data = open_run(run)
    names = SHARES[auction_kind(data)]
    if data.summed and not by and where is None:
        report = make_rates(run, ())
        known = {"passed_out": report.passed_out, "contested": report.contested}
        return estimate_frame(["what"], [((what,), one) for what, one in known.items() if one is not None])
    needs_rows(data, "shares of groups")
    rows = Rows.of_deals(data)
    check_columns(by, rows.columns)
    rows.where = None if where is None else read_where(where, data, rows.columns)
    found = {}
    if names:
        found = group_sums(rows, {"all": (by, {name: TRUTH_SQL.format(name) for name in names})}, data.clustered)["all"]
    listed = [
        ((*key, what), estimate_rate(found[what][key], data.clustered))
        for key in sorted({key for sums in found.values() for key in sums}, key=bidding_order)
        for what in names
    ]
    return estimate_frame([*by, "what"], listed)


def contracts(run: AnyRun, by: Sequence[str] | None = None, where: str | None = None) -> pd.DataFrame:
    """How often each contract, call or bid is reached: its share of all deals (of all calls).

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.
    by : sequence of str or None
        The columns whose combinations are counted; None as for `rates`. Deals that were passed out have missing values there.
    where : str or None
        Only rows that meet this condition.

    Returns
    -------
    pandas.DataFrame
        `by`, count, estimate .. method; n is the number of all rows.
    """
    data = open_run(run)
    by = tuple(DEFAULT_GROUPS[auction_kind(data)] if by is None else by)
    return _distribution(data, (), by, where)


def tricks(run: AnyRun, by: Sequence[str] = ("level", "strain"), where: str | None = None) -> pd.DataFrame:
    """How many tricks declarer (in games of calls: the seat) takes in each group.

    Parameters
    ----------
    run : RunResult, Path or str
        A run or its directory.
    by : sequence of str
        Grouping columns.
    where : str or None
        Only rows that meet this condition.

    Returns
    -------
    pandas.DataFrame
        `by`, tricks, count, estimate .. method: the share of the group's rows with so many tricks. Deals that were passed out
        are left out.
    """
    data = open_run(run)
    played = "tricks is not null" if where is None else f"tricks is not null and ({where})"
    if where is not None:
        read_where(where, data, row_columns(data))  # a message about the user's own text
    return _distribution(data, tuple(by), ("tricks",), played)


def _distribution(data: RunData, within: Key, names: Key, where: str | None) -> pd.DataFrame:
    """Shares of the values of some columns within groups."""
    columns = row_columns(data)
    check_columns((*within, *names), columns)
    condition = None if where is None else read_where(where, data, columns)
    clustered = is_clustered(data)
    listed: list[tuple[Key, Estimate]] = []
    if data.summed:
        counts = cell_counts(data, (*within, *names), condition)
        totals: dict[Key, int] = {}
        for key, count in counts.items():
            totals[key[: len(within)]] = totals.get(key[: len(within)], 0) + count
        for key in sorted(counts, key=bidding_order):
            n = totals[key[: len(within)]]
            unknown = Estimate(n, counts[key] / n, None, None, UNKNOWN_CLUSTERS)
            known = estimate_rate(ClusterSums(n, float(counts[key]), float(n)), False)
            listed.append(((*key, counts[key]), unknown if clustered else known))
        return estimate_frame([*within, *names, "count"], listed)
    found = share_sums(Rows.of_rates(data, condition), within, names, clustered)
    for key in sorted(found, key=bidding_order):
        listed.append(((*key, round(found[key].y)), estimate_rate(found[key], clustered)))
    return estimate_frame([*within, *names, "count"], listed)

