"""Charts of the verification: deviations by check, observed and exact shares, maps of deviations, coverage of intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.charts.theme import WIDTH

if TYPE_CHECKING:
    import pandas as pd

_ROW = 26
_CELL = 9
_MOST_LABELS = 30


def deviations(frame: pd.DataFrame, width: Any = WIDTH) -> Any:
    """How far each comparison is from what it should be.

    Parameters
    ----------
    frame : pandas.DataFrame
        group, name, deviation (standard errors), tolerance.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A row a group, a mark a comparison; the two vertical lines of a row are its tolerance.
    """
    import altair as alt

    groups = list(dict.fromkeys(frame["group"]))
    limits = frame.groupby("group", sort=False, as_index=False)["tolerance"].first()
    limits = limits.assign(below=-limits["tolerance"])
    y = alt.Y("group:N", title=None, sort=groups)
    marks = (
        alt.Chart(frame)
        .mark_tick(thickness=1.5, size=14, opacity=0.6)
        .encode(
            x=alt.X("deviation:Q", title="standard errors").axis(grid=False),
            y=y,
            tooltip=[
                alt.Tooltip("name:N"),
                alt.Tooltip("deviation:Q", format="+.2f"),
                alt.Tooltip("tolerance:Q", format=".2f"),
            ],
        )
    )
    bounds = [
        alt.Chart(limits).mark_tick(thickness=2, size=20, style="muted").encode(x=f"{name}:Q", y=y)
        for name in ("below", "tolerance")
    ]
    return alt.layer(*bounds, marks).properties(width=width, height=_ROW * len(groups))


def observed_and_exact(frame: pd.DataFrame, title: str, width: Any = WIDTH) -> Any:
    """Observed shares beside exact ones.

    Parameters
    ----------
    frame : pandas.DataFrame
        group, exact, observed, n, deviation.
    title : str
        What a group is.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        Bars are exact, points observed.
    """
    import altair as alt

    groups = [str(group) for group in frame["group"]]
    frame = frame.assign(group=groups)
    x = alt.X("group:N", title=title, sort=groups).axis(labelAngle=-90 if len(groups) > 14 else 0, grid=False)
    tooltip = [
        alt.Tooltip("group:N", title=title),
        alt.Tooltip("exact:Q", format=".4%"),
        alt.Tooltip("observed:Q", format=".4%"),
        alt.Tooltip("deviation:Q", title="standard errors", format="+.2f"),
        alt.Tooltip("n:Q", title="of", format=","),
    ]
    bars = (
        alt.Chart(frame)
        .mark_bar(opacity=0.45)
        .encode(x=x, y=alt.Y("exact:Q", title="share").axis(format=".0%"), tooltip=tooltip)
    )
    points = alt.Chart(frame).mark_tick(thickness=2, style="tick").encode(x=x, y="observed:Q", tooltip=tooltip)
    return alt.layer(bars, points).properties(width=width, height=240)


def deviation_map(frame: pd.DataFrame, x_title: str, y_title: str, width: Any = WIDTH) -> Any:
    """A map of deviations.

    Parameters
    ----------
    frame : pandas.DataFrame
        x, y, deviation (standard errors), in order.
    x_title, y_title : str
    width : int or "container"

    Returns
    -------
    altair.Chart
        A cell each.
    """
    import altair as alt

    xs, ys = list(dict.fromkeys(frame["x"])), list(dict.fromkeys(frame["y"]))
    colour = alt.Color("deviation:Q", title="standard errors").scale(scheme="purpleorange", domain=[-5, 5], clamp=True)
    return (
        alt.Chart(frame)
        .mark_rect()
        .encode(
            x=alt.X("x:N", title=x_title, sort=xs).axis(labels=len(xs) <= _MOST_LABELS, ticks=False, grid=False),
            y=alt.Y("y:N", title=y_title, sort=ys).axis(labels=len(ys) <= _MOST_LABELS, ticks=False, grid=False),
            color=colour,
            tooltip=[
                alt.Tooltip("x:N", title=x_title),
                alt.Tooltip("y:N", title=y_title),
                alt.Tooltip("deviation:Q", format="+.2f"),
            ],
        )
        .properties(width=width, height=_CELL * len(ys))
    )


def coverage(frame: pd.DataFrame, width: Any = WIDTH) -> Any:
    """How many intervals contained the true value.

    Parameters
    ----------
    frame : pandas.DataFrame
        name, covered, low, high (its own 95 % interval), expected, runs.
    width : int or "container"

    Returns
    -------
    altair.LayerChart
        A row a kind of interval; the light mark is what it should be.
    """
    import altair as alt

    y = alt.Y("name:N", title=None, sort=list(frame["name"])).axis(labelLimit=260)
    x = alt.X("covered:Q", title="runs whose interval contains the true value").axis(format=".1%").scale(zero=False)
    tooltip = [
        alt.Tooltip("name:N"),
        alt.Tooltip("covered:Q", format=".2%"),
        alt.Tooltip("expected:Q", format=".2%"),
        alt.Tooltip("runs:Q", format=","),
    ]
    spans = alt.Chart(frame).mark_rule(strokeWidth=3).encode(x=x, x2="high:Q", y=y).transform_calculate(covered="datum.low")
    points = alt.Chart(frame).mark_point(filled=True, size=80).encode(x=x, y=y, tooltip=tooltip)
    due = alt.Chart(frame).mark_tick(thickness=2, size=22, style="muted").encode(x="expected:Q", y=y)
    return alt.layer(spans, due, points).properties(width=width, height=40 * len(frame))
