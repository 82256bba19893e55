"""Charts: one function a picture, from a tidy frame to an `altair.Chart`, for notebooks, files and the report.

Every function takes a `pandas.DataFrame` whose columns its docstring lists and returns a chart without colours of its own;
`themed` gives it those of a light or a dark page, `save_chart` writes it as PNG, SVG, HTML or JSON. All palettes can be
told apart by colour-blind readers. Needs the extra ``report``.
"""

from __future__ import annotations

from analysis.charts.comparisons import break_even, differences, ladder_ranking
from analysis.charts.distributions import histogram, trick_distribution, usage
from analysis.charts.rates import MOST_GROUPS, make_rate_heatmap, rate_by_strength, rates_by_bid
from analysis.charts.theme import require_charts, save_chart, themed
from analysis.charts.tunings import search_trace, slopes

__all__ = [
    "MOST_GROUPS",
    "break_even",
    "differences",
    "histogram",
    "ladder_ranking",
    "make_rate_heatmap",
    "rate_by_strength",
    "rates_by_bid",
    "require_charts",
    "save_chart",
    "search_trace",
    "slopes",
    "themed",
    "trick_distribution",
    "usage",
]
