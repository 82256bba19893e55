"""Classes of points for histograms: the same for several distributions, labelled by the values that came up."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from typing import TYPE_CHECKING

from analysis.estimates import Estimate, rate
from analysis.frames.basics import estimate_frame

if TYPE_CHECKING:
    import pandas as pd

MOST = 14
"""Classes of one histogram; fewer values than that are shown one by one."""
_DEPENDENT = "no interval: rows of a match depend on each other"
_TAIL = 0.99
"""The last class begins about where so many rows lie below it."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
Counts = Mapping[float, int]


def class_frame(distributions: Mapping[str, Counts], independent: bool = False) -> pd.DataFrame:
    """Shares of the classes of some distributions.

    Parameters
    ----------
    distributions : mapping
        By group: how often each value came.
    independent : bool
        Whether the rows of a group are independent of each other; else there are no intervals.

    Returns
    -------
    pandas.DataFrame
        group, label, order, count, estimate (share of the group) .. method.
    """
    together: dict[float, int] = {}
    for counts in distributions.values():
        for value, count in counts.items():
            together[value] = together.get(value, 0) + count
    together = {value: count for value, count in together.items() if count}
    tops = _tops(together)
    labels = _labels(sorted(together), tops)
    rows = []
    for group, counts in distributions.items():
        total = sum(counts.values())
        found = [0] * len(tops)
        for value, count in counts.items():
            if count:
                found[bisect_left(tops, value)] += count
        for order, (label, count) in enumerate(zip(labels, found, strict=True)):
            if label:
                found_share = rate(count, total)
                rows.append(((group, label, order, count), found_share if independent else _without_interval(found_share)))
    return estimate_frame(["group", "label", "order", "count"], rows)


def _without_interval(found: Estimate) -> Estimate:
    return Estimate(found.n, found.estimate, None, None, _DEPENDENT)


def _tops(together: Counts) -> list[float]:
    """Upper ends of the classes, each included; the last is infinite."""
    values = sorted(together)
    if len(values) <= MOST + 2:
        return [*values[:-1], math.inf]
    n, seen, top = sum(together.values()), 0, values[-1]
    for value in values:
        seen += together[value]
        if seen >= _TAIL * n:
            top = value
            break
    low = values[0]
    rough = (top - low) / (MOST - 2)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in _steps(values, power) if power * factor >= rough * (1 - 1e-9))
    first = math.floor(low / step)
    tops = [step * place for place in range(first, math.ceil(top / step) + 1) if step * place >= low]
    if 0 in together and low < 0 < top:  # nothing is a class of its own
        below = max(value for value in values if value < 0)
        tops = sorted({*tops, below, 0.0})
    elif low == 0:
        tops = sorted({*tops, 0.0})
    return [*tops, math.inf]


def _steps(values: list[float], power: float) -> list[float]:
    """Round widths of classes, in units of a power of ten; whole ones for whole values, so that all classes are as wide."""
    if all(value == int(value) for value in values):
        return [factor for factor in _STEPS if power * factor == int(power * factor)]
    return list(_STEPS)


def _labels(values: list[float], tops: list[float]) -> list[str]:
    """The least and the greatest value of each class that came up; empty where none did."""
    labels, below = [], -math.inf
    for top in tops:
        there = [value for value in values if below < value <= top]
        below = top
        if not there:
            labels.append("")
        elif len(there) == 1:
            labels.append(f"{there[0]:g}")
        elif top == math.inf:
            labels.append(f"{there[0]:,g} or more")
        else:
            labels.append(f"{there[0]:,g} to {there[-1]:,g}")
    return labels
