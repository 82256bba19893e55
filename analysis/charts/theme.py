"""Colours and type of all charts, for light and dark pages, and charts as files.

Categories have the colours of M. Okabe and K. Ito (Color Universal Design, 2008), rates those of viridis: both are told
apart by colour-blind readers and in grey. On a page of the report colours are CSS variables, so that one chart follows the
page from light to dark and onto paper.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError

if TYPE_CHECKING:
    import altair as alt

WIDTH = 480
"""Width of a chart in a notebook or file, in pixels; ``"container"`` fills a page."""
FORMATS = ("png", "svg", "html", "json")
_LIGHT = {
    "ink": "#1c2430",
    "muted": "#5d6775",
    "line": "#d5dae1",
    "paper": "#ffffff",
    "c1": "#0072B2",
    "c2": "#D55E00",
    "c3": "#009E73",
    "c4": "#AA4499",
    "c5": "#E69F00",
    "c6": "#56B4E9",
    "c7": "#5d6775",
}
_DARK = {
    "ink": "#e8ebf0",
    "muted": "#9aa5b4",
    "line": "#333b47",
    "paper": "#14181f",
    "c1": "#56B4E9",
    "c2": "#F0803C",
    "c3": "#1DB88C",
    "c4": "#CC79A7",
    "c5": "#E69F00",
    "c6": "#F0E442",
    "c7": "#9aa5b4",
}
THEMES = {"light": _LIGHT, "dark": _DARK, "page": {name: f"var(--{name})" for name in _LIGHT}}
"""Colours by theme; ``page`` takes them from the style sheet."""
CATEGORIES = ("c1", "c2", "c3", "c4", "c5", "c6", "c7")
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"


def require_charts() -> None:
    """Say how to get the libraries of the charts where they are missing."""
    import importlib.util

    missing = [name for name in ("altair", "vl_convert", "jinja2") if importlib.util.find_spec(name) is None]
    if missing:
        needed = ", ".join(name.replace("_", "-") for name in missing)
        raise InputError(f"charts and reports need {needed}; install them with: pip install 'bridgette-lab[report]'")


def config(theme: str) -> dict[str, Any]:
    """Vega-Lite's configuration of a theme.

    Parameters
    ----------
    theme : {"light", "dark", "page"}
        ``page`` writes CSS variables.
    """
    colour = THEMES[theme]
    text = {"labelColor": colour["muted"], "titleColor": colour["muted"], "labelFontSize": 12, "titleFontSize": 12}
    axis = {
        **text,
        "titleFontWeight": "normal",
        "gridColor": colour["line"],
        "domainColor": colour["line"],
        "tickColor": colour["line"],
    }
    return {
        "background": "transparent" if theme == "page" else colour["paper"],
        "font": _FONT,
        "padding": 2 if theme == "page" else 12,
        "view": {"stroke": None},
        "axis": {**axis, "titlePadding": 8, "labelOverlap": "greedy", "labelSeparation": 8},
        "axisXQuantitative": {"labelFlush": 18},
        "axisY": {"domain": False, "ticks": False, "labelPadding": 6},
        "legend": {**text, "titleFontWeight": "normal", "symbolSize": 90, "labelLimit": 230, "orient": "top", "offset": 8},
        "header": {**text, "titleFontWeight": "normal"},
        "title": {"color": colour["ink"], "fontWeight": 600, "anchor": "start", "fontSize": 14},
        "mark": {"color": colour["c1"]},
        "text": {"color": colour["ink"], "fontSize": 12},
        "tick": {"color": colour["ink"]},
        "rule": {"color": colour["c1"]},
        "range": {
            "category": [colour[name] for name in CATEGORIES],
            "heatmap": {"scheme": "viridis"},
            "ramp": {"scheme": "viridis"},
        },
        "style": {
            "muted": {"color": colour["muted"], "fill": colour["muted"]},
            "empty": {"fill": "transparent", "stroke": colour["line"]},
            "zero": {"color": colour["muted"], "stroke": colour["muted"], "strokeDash": [3, 3]},
        },
    }


def themed(chart: alt.Chart | alt.LayerChart, theme: str = "light") -> Any:
    """A chart with the colours of a theme.

    Parameters
    ----------
    chart : altair.Chart
        From a function of this package; it is not changed.
    theme : {"light", "dark", "page"}
        ``page`` is for the report.

    Returns
    -------
    altair.Chart
        With its configuration.
    """
    import altair as alt

    copy: Any = chart.copy(deep=False)
    copy.config = alt.Config(**config(theme))
    return copy


def save_chart(chart: alt.Chart | alt.LayerChart, path: Path | str, theme: str = "light", scale: float = 2.0) -> None:
    """Write a chart to a file.

    Parameters
    ----------
    chart : altair.Chart
        From a function of this package.
    path : Path or str
        Its ending says the format: .png, .svg, .html or .json.
    theme : {"light", "dark"}
        Colours.
    scale : float
        Pixels of a PNG for each pixel of the chart.

    Raises
    ------
    InputError
        Another ending, or another theme.
    """
    require_charts()
    path = Path(path)
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise InputError(f"{path} has no ending that says what it is; allowed: {', '.join('.' + name for name in FORMATS)}")
    if theme not in ("light", "dark"):
        raise InputError(f"theme: {theme!r} is not allowed in a file; allowed: light, dark")
    more: dict[str, Any] = {"inline": True} if ending == "html" else {}
    if ending == "png":
        more["scale_factor"] = scale
    themed(chart, theme).save(str(path), format=ending, **more)
