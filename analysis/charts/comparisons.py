"""Charts of numbers beside a mark: make rates and what they must be to pay, differences and zero, the ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.charts.rates import in_order, rate_tooltip, with_texts
from analysis.charts.theme import WIDTH

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

PAYS = ("pays", "not settled", "costs")
"""Where the interval of a make rate lies: above the break-even rate, on both sides, below."""


def break_even(frame: pd.DataFrame, width: int | str = WIDTH) -> alt.LayerChart:
    """Make rates of contracts beside the rate at which each neither wins nor loses.

    Parameters
    ----------
    frame : pandas.DataFrame
        label, order, estimate, low, high, n, break_even.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A line a contract: its rate with the interval, and a tick at the break-even rate.
    """
    import altair as alt

    frame = with_texts(frame[(frame["n"] > 0) & frame["break_even"].notna()])
    above, below = frame["low"] > frame["break_even"], frame["high"] < frame["break_even"]
    frame["verdict"] = [PAYS[0] if a else PAYS[2] if b else PAYS[1] for a, b in zip(above, below, strict=True)]
    frame["needed"] = [f"{100 * value:.1f} %" for value in frame["break_even"]]
    y = alt.Y("label:N", title=None, sort=in_order(frame))
    colour = alt.Color("verdict:N", title="the contract").scale(domain=list(PAYS))
    shape = alt.Shape("verdict:N", title="the contract").scale(domain=list(PAYS), range=["circle", "diamond", "triangle-down"])
    tooltip = rate_tooltip(alt.Tooltip("label:N", title="contract"))
    tooltip.insert(2, alt.Tooltip("needed:N", title="break-even"))
    base = alt.Chart(frame).encode(y=y, tooltip=tooltip)
    legend = alt.Legend(columns=3, symbolStrokeWidth=0)
    axis = alt.X("low:Q", title="make rate").scale(domain=[0, 1]).axis(format=".0%", tickCount=5)
    rule = base.mark_rule(strokeWidth=2).encode(x=axis, x2="high:Q", color=colour.legend(legend))
    mark = base.mark_tick(thickness=3, size=16).encode(x="break_even:Q")
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x="estimate:Q", color=colour.legend(legend), shape=shape.legend(legend)
    )
    return alt.LayerChart(layer=[mark, rule, points]).properties(width=width, height=24 * len(frame))


def differences(frame: pd.DataFrame, title: str, percent: bool = False, width: int | str = WIDTH) -> alt.LayerChart:
    """Differences with intervals beside zero.

    Parameters
    ----------
    frame : pandas.DataFrame
        label, order, estimate, low, high, n, method, and group where several runs are compared with the first.
    title : str
        What the difference is of.
    percent : bool
        Whether to show them in percentage points.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A line a label and group; intervals across the dashed line include no difference.
    """
    import altair as alt

    scale = 100 if percent else 1
    frame = frame[frame["estimate"].notna()].copy()
    for name in ("estimate", "low", "high"):
        frame[name] = scale * frame[name].astype(float)
    if "group" not in frame:
        frame["group"] = "all"
    unit = " points of percent" if percent else ""
    frame["found"] = [f"{value:+,.2f}{unit}" for value in frame["estimate"]]
    frame["interval"] = [f"{low:+,.2f} .. {high:+,.2f}" for low, high in zip(frame["low"], frame["high"], strict=True)]
    names = list(dict.fromkeys(frame["group"]))
    colour = alt.Color("group:N", title=None).scale(domain=names)
    colour = colour.legend(columns=1, symbolType="circle", symbolStrokeWidth=0) if len(names) > 1 else colour.legend(None)
    tooltip = [
        alt.Tooltip("label:N", title=" "),
        *([alt.Tooltip("group:N", title="run")] if len(names) > 1 else []),
        alt.Tooltip("found:N", title="difference"),
        alt.Tooltip("interval:N", title="95 % interval"),
        alt.Tooltip("n:Q", format=","),
        alt.Tooltip("method:N"),
    ]
    base = alt.Chart(frame).encode(y=alt.Y("label:N", title=None, sort=in_order(frame)), color=colour, tooltip=tooltip)
    if len(names) > 1:
        base = base.encode(yOffset=alt.YOffset("group:N").scale(domain=names))
    zero = alt.Chart().mark_rule(style="zero").encode(x=alt.datum(0))
    rule = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=title).axis(tickCount=5), x2="high:Q")
    points = base.mark_point(filled=True, size=80, opacity=1).encode(x="estimate:Q")
    rows = frame["label"].nunique() * (10 + 14 * len(names))
    return alt.LayerChart(data=frame, layer=[zero, rule, points]).properties(width=width, height=max(60, rows))


def ladder_ranking(frame: pd.DataFrame, title: str, width: int | str = WIDTH) -> alt.LayerChart:
    """Bots by what they win against the others.

    Parameters
    ----------
    frame : pandas.DataFrame
        label (a bot), order (its rank), estimate, low, high, n, method.
    title : str
        The measure.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A line a bot, the best first.
    """
    return differences(frame, title, width=width)
