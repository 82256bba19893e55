"""Charts of tunings: how a search went, and what each group of cells moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.charts.theme import WIDTH

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd


def search_trace(frame: pd.DataFrame, width: Any = WIDTH) -> alt.LayerChart:
    """The objective after each step.

    Parameters
    ----------
    frame : pandas.DataFrame
        step, objective, group (a search).
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A line a search; logarithmic.
    """
    import altair as alt

    frame = frame[frame["objective"] > 0]
    base = alt.Chart(frame).encode(
        x=alt.X("step:Q", title="step").axis(values=list(range(int(frame["step"].max()) + 1)), format="d", grid=False),
        y=alt.Y("objective:Q", title="objective").scale(type="log").axis(tickCount=5),
        color=alt.Color("group:N", title=None).legend(symbolType="circle", symbolStrokeWidth=0),
        tooltip=[alt.Tooltip("group:N", title="search"), "step:Q", alt.Tooltip("objective:Q", format=".3f")],
    )
    marks = [base.mark_line(strokeWidth=2), base.mark_point(filled=True, size=40, opacity=1)]
    return alt.LayerChart(layer=marks).properties(width=width, height=260)


def slopes(frame: pd.DataFrame, width: Any = WIDTH) -> alt.LayerChart:
    """How strongly each group moves each measure, as a grid of numbers.

    Parameters
    ----------
    frame : pandas.DataFrame
        measure, group, slope (in units, not negative).
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A square a pair; the numbers are in it.
    """
    import altair as alt

    measures, groups = (list(dict.fromkeys(frame[name])) for name in ("measure", "group"))
    most = max(float(frame["slope"].max()), 1e-9)
    frame = frame.assign(text=[f"{value:.1f}" for value in frame["slope"]], dark=frame["slope"] < most / 2)
    base = alt.Chart(frame).encode(
        x=alt.X("group:N", title=None, sort=groups).axis(labelAngle=-90, orient="top", labelOverlap=False, labelFlush=False),
        y=alt.Y("measure:N", title=None, sort=measures).axis(labelLimit=220),
        tooltip=["measure:N", "group:N", alt.Tooltip("slope:Q", format=".2f", title="units")],
    )
    squares = base.mark_rect().encode(color=alt.Color("slope:Q", title="units").scale(domain=[0, most]))
    numbers = base.mark_text(fontSize=10).encode(
        text="text:N", color=alt.condition("datum.dark", alt.value("#ffffff"), alt.value("#000000"))
    )
    return alt.LayerChart(layer=[squares, numbers]).properties(width=width, height=22 * len(measures))
