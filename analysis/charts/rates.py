"""Charts of make rates: by level and strain, by call or bid, and against the strength of the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.charts.theme import WIDTH
from simcore.columns import STRAIN_NAMES

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

STRAIN_LABELS = "{C: '♣', D: '♦', H: '♥', S: '♠'}[datum.label] || datum.label"
"""Vega expression for axis labels of strains."""
STRAIN_COLOURS = ("S", "H", "C", "NT", "D")
"""Strains in the order of the palette's colours: spades blue, hearts red, clubs green."""
_DARK_CELL = 0.58
"""Rates below this have dark cells in viridis, with white figures."""
_PERCENT = ".0%"
_ROW, _LINE = 36, 24
"""Heights of a row of cells and of a line with one mark, in pixels."""
MOST_GROUPS = 5
"""Lines of one chart."""


def with_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Rates as texts for tooltips: ``rate_text`` and ``interval``; n = 0 is said in words."""
    frame = frame.copy()
    empty = frame["n"] == 0
    frame["rate_text"] = [
        f"{100 * rate:.1f} %" if n else "no deal" for rate, n in zip(frame["estimate"], frame["n"], strict=True)
    ]
    bounds = zip(frame["low"], frame["high"], empty, strict=True)
    frame["interval"] = ["-" if none else f"{100 * low:.1f} % .. {100 * high:.1f} %" for low, high, none in bounds]
    return frame


def in_order(frame: pd.DataFrame, label: str = "label") -> list[str]:
    """Labels of a frame by their ``order``: Vega-Lite's own sorting adds the orders of equal labels up."""
    return list(dict.fromkeys(frame.sort_values("order", kind="stable")[label].astype(str)))


def short_count(n: int) -> str:
    """A count in at most four characters: ``950``, ``8.4k``, ``88k``, ``1.2M``."""
    for limit, unit in ((1_000_000, "M"), (1000, "k")):
        if n >= limit:
            value = n / limit
            return f"{value:.1f}{unit}" if value < 9.95 else f"{value:.0f}{unit}"
    return str(n)


def rate_tooltip(*first: alt.Tooltip, counted: str = "n") -> list[alt.Tooltip]:
    """What hovering shows of a rate: what it is of, rate, interval and n; for frames of `with_texts`."""
    import altair as alt

    return [
        *first,
        alt.Tooltip("rate_text:N", title="make rate"),
        alt.Tooltip("interval:N", title="95 % interval"),
        alt.Tooltip("n:Q", title=counted, format=","),
    ]


def make_rate_heatmap(frame: pd.DataFrame, width: int | str = WIDTH) -> alt.LayerChart:
    """Make rates by level and strain; contracts that nobody bid are shown as such.

    Parameters
    ----------
    frame : pandas.DataFrame
        level, strain, estimate, low, high, n.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A cell a contract: rate and n; hovering shows the interval.
    """
    import altair as alt

    frame = with_texts(frame)
    frame["rate_percent"] = [f"{100 * rate:.0f} %" if n else "" for rate, n in zip(frame["estimate"], frame["n"], strict=True)]
    frame["count"] = ["n = 0" if not n else short_count(int(n)) for n in frame["n"]]
    frame["contract"] = frame["level"].astype(str) + frame["strain"].astype(str)
    tooltip = rate_tooltip(alt.Tooltip("contract:N"))
    base = alt.Chart(frame).encode(
        x=alt.X("strain:N", sort=list(STRAIN_NAMES), title=None)
        .scale(paddingInner=0.03)
        .axis(orient="top", labelAngle=0, labelExpr=STRAIN_LABELS, labelFontSize=15, domain=False, ticks=False),
        y=alt.Y("level:O", title="level", sort="ascending").scale(paddingInner=0.06),
        tooltip=tooltip,
    )
    colour = (
        alt.Color("estimate:Q", title="make rate")
        .scale(domain=[0, 1], scheme="viridis")
        .legend(orient="bottom", format=_PERCENT, gradientLength=200, gradientThickness=10, tickCount=3, direction="horizontal")
    )
    cells = base.transform_filter("datum.n > 0").mark_rect(cornerRadius=4)
    empty = base.transform_filter("datum.n == 0").mark_rect(style="empty", cornerRadius=4, strokeDash=[2, 3])
    figure = alt.when(f"datum.estimate < {_DARK_CELL}").then(alt.value("white")).otherwise(alt.value("#10151c"))
    rates = base.transform_filter("datum.n > 0").mark_text(dy=-6, fontSize=13, fontWeight=600)
    counts = base.transform_filter("datum.n > 0").mark_text(dy=9, fontSize=10, opacity=0.9)
    none = base.transform_filter("datum.n == 0").mark_text(style="muted", fontSize=10)
    layers = (
        cells.encode(color=colour),
        empty.encode(fill=alt.value("transparent")),
        rates.encode(text="rate_percent:N", color=figure),
        counts.encode(text="count:N", color=figure),
        none.encode(text="count:N"),
    )
    return alt.LayerChart(layer=list(layers)).properties(width=width, height=_ROW * frame["level"].nunique())


def rates_by_bid(frame: pd.DataFrame, title: str = "call", width: int | str = WIDTH) -> alt.LayerChart:
    """Make rates of calls or of bids of steps, with intervals.

    Parameters
    ----------
    frame : pandas.DataFrame
        label, order, estimate, low, high, n; labels without rows are shown as ``n = 0``.
    title : str
        What a label is.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A line a label, in the order of ``order``.
    """
    import altair as alt

    frame = with_texts(frame)
    frame["none"] = "n = 0"
    y = alt.Y("label:N", title=title, sort=in_order(frame))
    base = alt.Chart(frame).encode(y=y, tooltip=rate_tooltip(alt.Tooltip("label:N", title=title)))
    played = base.transform_filter("datum.n > 0")
    x = alt.X("estimate:Q", title="make rate").scale(domain=[0, 1]).axis(format=_PERCENT, tickCount=5)
    rule = played.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title="make rate"), x2="high:Q")
    points = played.mark_point(filled=True, size=90, opacity=1).encode(x=x)
    empty = base.transform_filter("datum.n == 0").mark_text(style="muted", align="left").encode(x=alt.datum(0), text="none:N")
    return alt.LayerChart(layer=[rule, points, empty]).properties(width=width, height=_LINE * frame["label"].nunique())


def rate_by_strength(
    frame: pd.DataFrame, strength: str, group: str | None = None, group_title: str | None = None, width: int | str = WIDTH
) -> alt.LayerChart:
    """Make rate against a feature of the hand, with a band for the interval.

    Parameters
    ----------
    frame : pandas.DataFrame
        x, estimate, low, high, n, and a column `group`.
    strength : str
        What x is.
    group : str or None
        A column with a line for each value, five at most.
    group_title : str or None
        What that column is.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        Lines with points; hovering a point shows n and the interval.
    """
    import altair as alt

    frame = with_texts(frame[frame["n"] > 0])
    if group is None:
        group, frame["_all"] = "_all", "all"
    few = frame.groupby(group, observed=True)["n"].sum().nlargest(MOST_GROUPS).index
    frame = frame[frame[group].isin(few)]
    frame = frame.assign(**{group: frame[group].astype(str)})
    names = sorted(frame[group].unique())
    colour: Any = alt.Color(f"{group}:N", title=group_title).scale(domain=names)
    if len(names) == 1:
        colour = colour.legend(None)
    else:
        colour = colour.legend(columns=MOST_GROUPS, symbolType="circle", symbolStrokeWidth=0, symbolOpacity=1)
    first = [alt.Tooltip("x:Q", title=strength)]
    if len(names) > 1:
        first.append(alt.Tooltip(f"{group}:N", title=group_title))
    base = alt.Chart(frame).encode(
        x=alt.X("x:Q", title=strength).scale(zero=False, nice=False).axis(tickMinStep=1, format="d", grid=False)
    )
    y = alt.Y("estimate:Q", title="make rate").scale(domain=[0, 1]).axis(format=_PERCENT, tickCount=5)
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", title="make rate"), y2="high:Q", color=colour)
    line = base.mark_line(strokeWidth=2).encode(y=y, color=colour)
    points = base.mark_point(filled=True, size=36, opacity=1).encode(y=y, color=colour, tooltip=rate_tooltip(*first))
    hover = base.mark_point(filled=True, size=260, opacity=0).encode(y=y, tooltip=rate_tooltip(*first))
    return alt.LayerChart(layer=[band, line, points, hover]).properties(width=width, height=260)
