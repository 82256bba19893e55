"""What the seat is worth, and how bids fit what is made of them, as data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.auctions import auction_kind, is_clustered
from analysis.columns import MADE, NUMBER, TRUTH, RowColumn, check_columns
from analysis.estimates import MEAN, MEAN_CLUSTERED, ClusterSums, Estimate, clustered_mean
from analysis.frames.basics import NEEDED, AnyRun, estimate_frame, needs_rows, with_needed
from analysis.load import Key, RunData, open_run
from analysis.query import Rows, group_sums
from analysis.rates import TRUTH_SQL, bidding_order, estimate_rate, read_where

if TYPE_CHECKING:
    import pandas as pd

MARGIN, DECLARES = "points_dealer_less_others", "dealer_declares"
BY_DEALER, BY_OTHER = "made_by_dealer", "made_by_others"
_BID = {"bridge": "level", "calls": "call", "steps": "bid"}
_STRENGTH = {"bridge": "hcp_declarer", "calls": "hcp", "steps": "hcp_declarer"}


def seat_effects(run: AnyRun, by: Sequence[str] = (), where: str | None = None) -> pd.DataFrame:
    """What it is worth to deal.

    Parameters
    ----------
    run : RunResult, Path or str
        A run with rows, or its directory.
    by : sequence of str
        Columns of deals to group by, in Bridgette for example ``["upcard_class"]`` or ``["upcard"]``.
    where : str or None
        Only deals that meet this condition.

    Returns
    -------
    pandas.DataFrame
        `by`, effect, estimate .. method. Effects: ``points_dealer_less_others``, the mean of the dealer's points less those
        of the other seat (the mean of the others) on the same deal; where there is a declarer also ``dealer_declares``, how
        often the dealer is declarer among deals that were played, and ``made_by_dealer`` and ``made_by_others``, make rates.
    """
    data = open_run(run)
    needs_rows(data, "seat effects")
    rows = Rows.of_deals(data)
    check_columns(by, rows.columns)
    rows.where = None if where is None else read_where(where, data, rows.columns)
    effects = _effects(data)
    rows.columns = {**rows.columns, **{column.name: column for column in effects}}
    values = {column.name: f'CAST("{column.name}" AS DOUBLE)' for column in effects}
    found = group_sums(rows, {"all": (by, values)}, data.clustered)["all"]
    listed = []
    for key in sorted({key for sums in found.values() for key in sums}, key=bidding_order):
        for column in effects:
            sums = found[column.name].get(key, ClusterSums())
            is_rate = column.kind == TRUTH
            listed.append(((*key, column.name), estimate_rate(sums, data.clustered) if is_rate else _mean(sums, data)))
    return estimate_frame([*by, "effect"], listed)


def _mean(sums: ClusterSums, data: RunData) -> Estimate:
    return clustered_mean(sums, MEAN_CLUSTERED if is_clustered(data) else MEAN)


def _effects(data: RunData) -> list[RowColumn]:
    """Effects of the dealer's seat as columns of deals."""
    seats = range(data.players)
    others = {seat: " + ".join(f"points_{other}" for other in seats if other != seat) for seat in seats}
    cases = " ".join(f"WHEN {seat} THEN points_{seat} - ({others[seat]}) / {data.players - 1}" for seat in seats)
    found = [RowColumn(MARGIN, NUMBER, f"CASE dealer {cases} END", "")]
    if auction_kind(data) == "calls":
        mine = " ".join(f"WHEN {seat} THEN made_{seat}" for seat in seats)
        rest = {seat: " + ".join(f"made_{other}::INT" for other in seats if other != seat) for seat in seats}
        theirs = " ".join(f"WHEN {seat} THEN ({rest[seat]}) / {data.players - 1}" for seat in seats)
        found += [
            RowColumn(BY_DEALER, TRUTH, f"CASE dealer {mine} END", ""),
            RowColumn(BY_OTHER, NUMBER, f"CASE dealer {theirs} END", ""),
        ]
        return found
    return [
        *found,
        RowColumn(DECLARES, TRUTH, "declarer = dealer", ""),
        RowColumn(BY_DEALER, TRUTH, "CASE WHEN declarer = dealer THEN made END", ""),
        RowColumn(BY_OTHER, TRUTH, "CASE WHEN declarer <> dealer THEN made END", ""),
    ]


def calibration(
    run: AnyRun, by: Sequence[str] | None = None, strength: str | None = "", where: str | None = None
) -> pd.DataFrame:
    """What becomes of bids: the realised make rate by what the bot bid and by the strength of its hand.

    Parameters
    ----------
    run : RunResult, Path or str
        A run with rows, or its directory.
    by : sequence of str or None
        Grouping columns; None: the level, the call, or the bid.
    strength : str or None
        One more grouping column, of the hand; empty: declarer's high-card points (in games of calls the seat's); None: none.
    where : str or None
        Only rows that meet this condition.

    Returns
    -------
    pandas.DataFrame
        `by`, `strength`, made (a count), mean_tricks, mean_needed, estimate .. method. A bot that bids well makes about the
        same share at every strength: where strong hands make far more, it bids them too low.
    """
    data = open_run(run)
    needs_rows(data, "calibration of bids")
    kind = auction_kind(data)
    by = (_BID[kind],) if by is None else tuple(by)
    strength = _STRENGTH[kind] if strength == "" else strength
    groups: Key = by if strength is None or strength in by else (*by, strength)
    rows = Rows.of_rates(data)
    check_columns(groups, rows.columns)
    condition = f"{MADE} is not null" if where is None else f"{MADE} is not null and ({where})"
    if where is not None:
        read_where(where, data, rows.columns)
    rows.where = read_where(condition, data, rows.columns)
    rows.columns = with_needed(rows.columns, data)
    values = {MADE: TRUTH_SQL.format(MADE), "tricks": '"tricks"', NEEDED: f'"{NEEDED}"'}
    found = group_sums(rows, {"all": (groups, values)}, is_clustered(data))["all"]
    listed: list[tuple[Sequence[Any], Estimate]] = []
    for key in sorted(found[MADE], key=bidding_order):
        made = found[MADE][key]
        means = (found["tricks"][key].mean, found[NEEDED][key].mean)
        listed.append(((*key, round(made.y), *means), estimate_rate(made, is_clustered(data))))
    return estimate_frame([*groups, "made", "mean_tricks", "mean_needed"], listed)
