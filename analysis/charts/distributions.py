"""Charts of how something is distributed: tricks, points, margins, and what is bid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.charts.rates import STRAIN_COLOURS, in_order
from analysis.charts.theme import WIDTH
from simcore.columns import STRAIN_NAMES

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

_SHARE = ".0%"
_BAR = 11
"""Height of one bar, in pixels."""
_GAP = 8


def _nominal(name: str, title: str | None, names: list[str]) -> Any:
    """Colour of a column of names; strains have the same colour everywhere."""
    import altair as alt

    strains = set(names) <= set(STRAIN_NAMES)
    domain = list(STRAIN_COLOURS) if strains else names
    colour = alt.Color(f"{name}:N", title=title).scale(domain=domain)
    if len(names) == 1:
        return colour.legend(None)
    shown = [strain for strain in STRAIN_NAMES if strain in names] if strains else names
    label = "{C: '♣', D: '♦', H: '♥', S: '♠'}[datum.label] || datum.label"
    short = max(len(text) for text in names) <= 12
    return colour.legend(values=shown, columns=5 if short else 1, labelExpr=label, symbolType="circle", symbolStrokeWidth=0)


def share_tooltip(frame: pd.DataFrame) -> list[alt.Tooltip]:
    """What hovering shows of a share: the share, its interval where the frame has one, and the counts."""
    import altair as alt

    bounds = [alt.Tooltip("interval:N", title="95 % interval")] if "interval" in frame else []
    n = [alt.Tooltip("n:Q", title="of", format=",")] if "n" in frame else []
    return [alt.Tooltip("estimate:Q", title="share", format=".2%"), *bounds, alt.Tooltip("count:Q", format=","), *n]


def _with_intervals(frame: pd.DataFrame) -> pd.DataFrame:
    if "low" not in frame or frame["low"].isna().all():
        return frame
    bounds = zip(frame["low"], frame["high"], strict=True)
    return frame.assign(interval=[f"{100 * low:.2f} .. {100 * high:.2f} %" for low, high in bounds])


def trick_distribution(frame: pd.DataFrame, group_title: str = "strain", width: Any = WIDTH) -> alt.LayerChart:
    """How many tricks were taken, as shares of each group.

    Parameters
    ----------
    frame : pandas.DataFrame
        tricks, group, estimate (share of its group), count.
    group_title : str
        What a group is.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A line a group.
    """
    import altair as alt

    frame = _with_intervals(frame)
    names = list(dict.fromkeys(frame["group"].astype(str)))
    frame = frame.assign(group=frame["group"].astype(str))
    colour = _nominal("group", group_title, names)
    base = alt.Chart(frame).encode(
        x=alt.X("tricks:Q", title="tricks").scale(nice=False, zero=False).axis(tickMinStep=1, format="d", grid=False),
        y=alt.Y("estimate:Q", title="share").axis(format=_SHARE, tickCount=5),
        color=colour,
    )
    tooltip = [
        alt.Tooltip("group:N", title=group_title),
        alt.Tooltip("tricks:Q"),
        *share_tooltip(frame),
    ]
    line = base.mark_line(strokeWidth=2)
    points = base.mark_point(filled=True, size=36, opacity=1).encode(tooltip=tooltip)
    hover = base.mark_point(filled=True, size=260, opacity=0).encode(tooltip=tooltip)
    return alt.LayerChart(layer=[line, points, hover]).properties(width=width, height=260)


def histogram(frame: pd.DataFrame, title: str, group_title: str | None = None, width: Any = WIDTH) -> alt.Chart:
    """Shares of classes of points, as bars that lie; labels stay readable at any width.

    Parameters
    ----------
    frame : pandas.DataFrame
        label, order, estimate (a share), count, and group where there are several.
    title : str
        What a label is.
    group_title : str or None
        What a group is.
    width : int or "container"

    Returns
    -------
    altair.Chart
        A bar a class and group.
    """
    import altair as alt

    if "group" not in frame:
        frame = frame.assign(group="all")
    frame = _with_intervals(frame)
    frame = frame.assign(group=frame["group"].astype(str))
    names = list(dict.fromkeys(frame["group"]))
    tooltip = [
        alt.Tooltip("label:N", title=title),
        *([alt.Tooltip("group:N", title=group_title)] if len(names) > 1 else []),
        *share_tooltip(frame),
    ]
    y = alt.Y("label:N", title=title, sort=in_order(frame)).scale(paddingInner=0.28)
    rows = frame["label"].nunique()
    chart: alt.Chart = (
        alt.Chart(frame, width=width, height=max(60, rows * (_BAR * max(len(names), 1.4) + _GAP)))
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            x=alt.X("estimate:Q", title="share").axis(format=_SHARE, tickCount=5),
            y=y,
            color=_nominal("group", group_title, names),
            tooltip=tooltip,
        )
    )
    if len(names) > 1:
        chart = chart.encode(yOffset=alt.YOffset("group:N", sort=names).scale(domain=names))
    return chart


def usage(frame: pd.DataFrame, row: str, part: str | None = None, width: Any = WIDTH) -> alt.Chart:
    """What is bid, as shares of all that could have been.

    Parameters
    ----------
    frame : pandas.DataFrame
        row, order, estimate (a share), count, and part where rows have parts (strains of a level).
    row : str
        What a row is, for the axis.
    part : str or None
        What a part is; None: rows have none.
    width : int or "container"

    Returns
    -------
    altair.Chart
        A bar a row, in the order of ``order``.
    """
    import altair as alt

    frame = _with_intervals(frame)
    frame = frame.assign(part=frame["part"].astype(str) if "part" in frame else "all")
    names = list(dict.fromkeys(frame["part"]))
    if set(names) <= set(STRAIN_NAMES):
        frame = frame.assign(place=[STRAIN_NAMES.index(name) for name in frame["part"]])
    else:
        frame = frame.assign(place=[names.index(name) for name in frame["part"]])
    tooltip = [
        alt.Tooltip("row:N", title=row),
        *([alt.Tooltip("part:N", title=part)] if part else []),
        *share_tooltip(frame),
    ]
    chart: alt.Chart = (
        alt.Chart(frame, width=width, height=26 * frame["row"].nunique())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            x=alt.X("estimate:Q", title="share", stack="zero").axis(format=_SHARE, tickCount=5),
            y=alt.Y("row:N", title=row, sort=in_order(frame, "row")).scale(paddingInner=0.28),
            color=_nominal("part", part, names),
            order=alt.Order("place:Q"),
            tooltip=tooltip,
        )
    )
    return chart
