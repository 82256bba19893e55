"""Pictures of what is bid, of tricks, of points and of matches."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd

from analysis import charts, frames
from analysis.report import source
from analysis.report.classes import class_frame
from analysis.report.made import doubled_figure
from analysis.report.parts import Figure, Table, interval, interval2, number, percent, plain
from analysis.report.view import RunView, bid_name
from analysis.scores import PAIR, Summary

_FULL: Any = "container"


def share_table(headings: tuple[str, ...], frame: pd.DataFrame, names: list[str]) -> Table:
    """Shares of a frame with their counts and intervals.

    Parameters
    ----------
    headings : tuple of str
        Of the columns `names`.
    frame : pandas.DataFrame
        names, count, estimate .. method.
    names : list of str
        The columns that say what a row is.

    Returns
    -------
    Table
        With the methods as its note.
    """
    rows = [
        (
            *(plain(row[name]) for name in names),
            f"{row['count']:,.0f}",
            f"{row['n']:,.0f}",
            percent(row["estimate"], 2),
            interval2(row["low"], row["high"]),
        )
        for row in frame.to_dict("records")
    ]
    note = f"Intervals: 95 %, {'; '.join(dict.fromkeys(frame['method']))}."
    return Table((*headings, "count", "of", "share", "95 % interval"), rows, len(names), note)


def usage_figures(view: RunView) -> list[Figure]:
    """What is bid."""
    if view.kind == "bridge":
        frame = frames.contracts(view.data.out, ["level", "strain"])
        table = share_table(("level", "strain"), frame, ["level", "strain"])
        frame = frame[frame["level"].notna()]
        frame = frame.assign(row=frame["level"].astype(int).astype(str), part=frame["strain"], order=frame["level"].astype(int))
        caption = (
            "The share of all deals that end in a contract of each level, divided by strain; doubled contracts are "
            "included. What is missing to 100 % was passed out."
        )
        chart = charts.usage(frame, "level", "strain", width=_FULL)
        return [Figure("Contracts that are played", caption, chart, table, run=view.letter), doubled_figure(view)]
    what = bid_name(view)
    by = ["call"] if what == "call" else ["bid", "alone"]
    frame = frames.contracts(view.data.out).merge(view.bids[[*by, "label", "order"]], on=by, how="left")
    frame = frame.assign(
        label=frame["label"].fillna("thrown in"), order=frame["order"].fillna(-1), row=frame["label"].fillna("thrown in")
    )
    seats = "of all calls of all seats" if what == "call" else "of all rounds, thrown-in ones included"
    caption = f"How often each {what} is chosen, as a share {seats}."
    chart = charts.usage(frame, what, width=_FULL)
    table = share_table((what,), frame, ["row"])
    return [Figure(f"{what.capitalize()}s that are chosen", caption, chart, table, run=view.letter)]


def trick_figures(view: RunView) -> list[Figure]:
    """Tricks taken, by strain, call or bid; and beside what was promised."""
    if view.kind == "bridge":
        figures = [_tricks(view, "strain", "declarer"), _against_promise(view)]
        return [*([_imposed_tricks(view)] if view.imposed else []), *figures]
    if view.kind == "calls":
        return [_tricks(view, "call", "the caller")]
    return [_tricks(view, "bid", "declarer")]


def _tricks(view: RunView, by: str, who: str) -> Figure:
    frame = frames.tricks(view.data.out, [by])
    few = frame.groupby(by)["count"].sum().nlargest(charts.MOST_GROUPS).index
    shown = frame[frame[by].isin(few)]
    shown = shown.assign(group=[plain(value) for value in shown[by]])
    drawn = f", and the {len(few)} most frequent {by}s are drawn" if len(few) < frame[by].nunique() else ""
    caption = (
        f"How many tricks {who} takes, as shares of the deals of each {by}; lines only lead the eye from one number of "
        f"tricks to the next{drawn}. A narrow hill: the result is settled by the {by}; a wide one: by the cards."
    )
    title = f"Tricks by {by}{', as bid' if view.imposed else ''}"
    chart = charts.trick_distribution(shown, by, width=_FULL)
    return Figure(title, caption, chart, share_table((by, "tricks"), frame, [by, "tricks"]), run=view.letter)


def _imposed_tricks(view: RunView) -> Figure:
    frame = source.imposed_tricks(view.data)
    caption = (
        "How many tricks declarer takes in each strain when every strain is played from both sides on every deal: the "
        "lines of the same cards, so their distances are what the choice of trumps is worth."
    )
    table = share_table(("strain", "tricks"), frame, ["group", "tricks"])
    return Figure("Tricks by strain, imposed", caption, charts.trick_distribution(frame, width=_FULL), table, run=view.letter)


def _against_promise(view: RunView) -> Figure:
    found = source.results(view.data).sort_values("beyond", ascending=False)
    labels = [_result(beyond) for beyond in found["beyond"]]
    groups = ["made" if beyond >= 0 else "failed" for beyond in found["beyond"]]
    found = found.assign(row=labels, part=groups, order=range(len(found)))
    caption = (
        "Tricks beyond the contract (made with overtricks, exactly, or so many down), as shares of all deals. The first "
        "bar below 'exactly' are deals lost by a single trick."
    )
    chart = charts.usage(found, "result", "result", width=_FULL)
    return Figure("Results beside the contract", caption, chart, share_table(("result",), found, ["row"]), run=view.letter)


def _result(beyond: int) -> str:
    if beyond == 0:
        return "exactly"
    return f"{beyond} over" if beyond > 0 else f"{-beyond} down"


def point_figures(view: RunView) -> list[Figure]:
    """Points per deal, match totals and margins, with what they are on average."""
    figures = [_deal_points(view)]
    if view.data.clustered:
        figures += [*_match_figures(view), _wins(view)]
    else:
        missing = "Not possible here: deals of a run with unit: deal are not parts of matches."
        figures.append(Figure("Match totals and margins", "", missing=missing, run=view.letter))
    return figures


def _deal_points(view: RunView) -> Figure:
    found = source.points_of_deals(view.data)
    pair = view.data.players == PAIR
    if pair:
        shown = {"dealer": found["dealer"], "non-dealer": found["non_dealer"]}
    else:
        shown = {"all seats": _all_seats(view, found)}
    caption = (
        "The share of deals in which a player scores so many points, "
        + ("for dealer and non-dealer. " if pair else "over all seats. ")
        + "Labels are the least and the greatest result of a class that came up. Passed-out deals count as 0."
    )
    chart = charts.histogram(class_frame(shown), "points", "role", width=_FULL)
    table = summary_table("points per deal", view.scores.deals, view.scores.method["points_per_deal"])
    return Figure("Points per deal", caption, chart, table, run=view.letter)


def _all_seats(view: RunView, found: source.Counts) -> Counter[float]:
    return sum((found[f"seat {seat}"] for seat in range(view.data.players)), Counter())


def _match_figures(view: RunView) -> list[Figure]:
    found = source.points_of_matches(view.data)
    totals = charts.histogram(class_frame({"all seats": _all_seats(view, found)}), "points", width=_FULL)
    table = summary_table("points per match", view.scores.totals, view.scores.method["match_totals"])
    margins = class_frame({"margin": found["margin"]}, independent=True)
    of_totals = "The share of seats that end a match with so many points, over all seats."
    of_margins = "The share of matches in which the two highest totals lie so many points apart."
    chart = charts.histogram(margins, "points", width=_FULL)
    return [
        Figure("Match totals", of_totals, totals, table, run=view.letter),
        Figure("Match margins", of_margins, chart, share_table(("margin",), margins, ["label"]), run=view.letter),
    ]


def _wins(view: RunView) -> Figure:
    rows = []
    for win in view.scores.wins:
        dealt = "any seat" if win.first_dealer is None else f"seat {win.first_dealer}"
        if win.first_dealer is None or view.data.players == PAIR:
            found = win.rate
            rows.append(
                (f"seat {win.seat}", dealt, f"{found.n:,}", percent(found.estimate, 2), interval(found.low, found.high, True))
            )
    lengths = view.scores.lengths
    mean = sum(deals * n for deals, n in lengths.items()) / max(1, sum(lengths.values()))
    table = Table(("won by", "first dealer", "n", "won", "95 % interval"), rows, 2, "Intervals: 95 %, Wilson.")
    caption = f"How often each seat wins. A match of this run has {number(mean)} deals on average."
    return Figure("Who wins matches", caption, table=table, run=view.letter, open=True)


def summary_table(title: str, summaries: dict[str, Summary], method: str) -> Table:
    """Means with intervals, standard deviations and quantiles."""
    shares = [f"{100 * share:g} %" for share in next(iter(summaries.values())).quantiles]
    rows = []
    for who, found in summaries.items():
        if found.mean.n:
            mean = found.mean
            cells = (f"{mean.n:,}", number(mean.estimate, 2), interval(mean.low, mean.high, False), number(found.sd))
            rows.append(
                (
                    who.replace("_", "-"),
                    *cells,
                    *(number(value, 0) if value is not None else "-" for value in found.quantiles.values()),
                )
            )
    note = f"Intervals of means: 95 %, {method}; the last columns are quantiles."
    return Table((title, "n", "mean", "95 % interval", "sd", *shares), rows, 1, note)
