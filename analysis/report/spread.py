"""Pictures of what is bid, of tricks, of points and of matches."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd

from analysis import charts
from analysis.imposed import joint_tricks
from analysis.report import source
from analysis.report.classes import class_frame
from analysis.report.made import doubled_figure
from analysis.report.parts import Figure, Table, interval, number, percent, plain
from analysis.report.view import RunView
from analysis.scores import PAIR, Summary
from simcore.codes import BOOK

_FULL: Any = "container"


def share_table(headings: tuple[str, ...], frame: pd.DataFrame, names: list[str]) -> Table:
    """Shares of a frame with count and estimate."""
    rows = [
        (*(plain(row[name]) for name in names), f"{row['count']:,.0f}", percent(row["estimate"], 2))
        for row in frame.to_dict("records")
    ]
    return Table((*headings, "n", "share"), rows, len(names))


def usage_figures(view: RunView) -> list[Figure]:
    """What is bid."""
    if view.kind == "bridge":
        frame = view.cells
        total = view.data.manifest.deals
        frame = frame.assign(
            count=frame["n"], estimate=frame["n"] / total, row=frame["level"].astype(str), part=frame["strain"]
        )
        frame = frame.assign(order=frame["level"])
        table = share_table(("level", "strain"), frame, ["row", "part"])
        caption = (
            "The share of all deals that end in a contract of each level, divided by strain; doubled contracts are "
            "included. What is missing to 100 % was passed out."
        )
        chart = charts.usage(frame[frame["count"] > 0], "level", "strain", width=_FULL)
        return [Figure("Contracts that are played", caption, chart, table, run=view.letter), doubled_figure(view)]
    frame = view.bids
    what = "call" if view.kind == "calls" else "bid"
    frame = frame.assign(count=frame["n"], estimate=frame["n"] / max(int(frame["n"].sum()), 1), row=frame["label"])
    seats = "of all calls of all seats" if what == "call" else "of all rounds that were played"
    caption = f"How often each {what} is chosen, as a share {seats}."
    chart = charts.usage(frame, what, width=_FULL)
    name = "Calls that are made" if what == "call" else "Bids that are played"
    name = "Calls that are chosen" if what == "call" else name
    return [Figure(name, caption, chart, share_table((what,), frame, ["row"]), run=view.letter)]


def trick_figures(view: RunView) -> list[Figure]:
    """Tricks taken, by strain, call or bid; and beside what was promised."""
    if view.kind == "bridge":
        figures = [_tricks(view, "strain", "declarer"), _against_promise(view)]
        return [*([_imposed_tricks(view)] if view.imposed else []), *figures]
    if view.kind == "calls":
        return [_tricks(view, "call", "the caller")]
    return [_tricks(view, "bid", "declarer")]


def _tricks(view: RunView, by: str, who: str) -> Figure:
    frame = source.together(view.tricks, by)
    few = frame.groupby(by)["count"].sum().nlargest(5).index
    shown = frame[frame[by].isin(few)]
    shown = shown.assign(group=[plain(value) for value in shown[by]])
    caption = (
        f"How many tricks {who} takes, as shares of the deals of each {by}; lines only lead the eye from one number of "
        "tricks to the "
        f"next{', and the five most frequent ' + by + 's are drawn' if len(few) < frame[by].nunique() else ''}. A narrow "
        f"hill: the result is settled by the {by}; a wide one: by the cards."
    )
    table = share_table((by, "tricks"), frame, [by, "tricks"])
    return Figure(
        f"Tricks by {by}{', as bid' if view.imposed else ''}",
        caption,
        charts.trick_distribution(shown, by, width=_FULL),
        table,
        run=view.letter,
    )


def _imposed_tricks(view: RunView) -> Figure:
    rows = []
    for strain, joint in joint_tricks(view.data).items():
        counts = joint.sum(axis=0) + joint.sum(axis=1)
        total = int(counts.sum())
        rows += [(strain, tricks, int(n), n / total, total) for tricks, n in enumerate(counts.tolist()) if n]
    frame = pd.DataFrame(rows, columns=["group", "tricks", "count", "estimate", "n"])
    caption = (
        "How many tricks declarer takes in each strain when every strain is played from both sides on every deal: the "
        "lines of the same cards, so their distances are what the choice of trumps is worth."
    )
    table = share_table(("strain", "tricks"), frame, ["group", "tricks"])
    return Figure("Tricks by strain, imposed", caption, charts.trick_distribution(frame, width=_FULL), table, run=view.letter)


def _against_promise(view: RunView) -> Figure:
    counts: dict[int, int] = {}
    for row in view.tricks.to_dict("records"):
        beyond = int(row["tricks"] - BOOK - row["level"])
        counts[beyond] = counts.get(beyond, 0) + int(row["count"])
    total = sum(counts.values())
    rows = [
        {"label": _result(beyond), "order": -beyond, "count": count, "estimate": count / total, "n": total}
        for beyond, count in counts.items()
    ]
    found = pd.DataFrame(rows).sort_values("order")
    found = found.assign(group=["made" if order <= 0 else "failed" for order in found["order"]])
    caption = (
        "Tricks beyond the contract (made with overtricks, exactly, or so many down), over all contracts. The first bar below "
        "'exactly' are deals lost by a single trick."
    )
    shown = found.assign(row=found["label"], part=found["group"])
    chart = charts.usage(shown, "result", "result", width=_FULL)
    return Figure("Results beside the contract", caption, chart, share_table(("result",), found, ["label"]), run=view.letter)


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
    margins = class_frame({"margin": found["margin"]})
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
