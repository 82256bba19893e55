"""Pictures of the verification, with the tables behind them. Charts are made where the libraries of the report are there."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from analysis.estimates import rate
from analysis.report.parts import Figure, Table
from analysis.verify.findings import Outcome
from analysis.verify.games import Seen

_NO_CHARTS = "The libraries of the charts are not installed: pip install 'bridgette-lab[report]'."
_MOST_ROWS = 60


def _figure(title: str, caption: str, chart: Callable[[], Any], table: Table | None = None, wide: bool = False) -> Figure:
    """A picture, or what is said where there can be none."""
    if importlib.util.find_spec("altair") is None:
        return Figure(title, caption, table=table, missing=_NO_CHARTS, wide=wide)
    return Figure(title, caption, chart(), table, wide=wide)


def _frame(columns: dict[str, Any]) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)


def share_figure(title: str, what: str, counts: Any, shares: Sequence[float], names: Sequence[str] | None = None) -> Figure:
    """Observed shares beside exact ones."""
    counts = np.asarray(counts, float)
    n = int(counts.sum())
    kept = [place for place, share in enumerate(shares) if share * n >= 1]
    exact = np.array([shares[place] for place in kept])
    observed = counts[kept] / n
    deviation = (observed - exact) / np.sqrt(exact * (1 - exact) / n)
    groups = [names[place] if names else str(place) for place in kept]
    frame = _frame({"group": groups, "exact": exact, "observed": observed, "n": [n] * len(kept), "deviation": deviation})
    rows = [
        (group, f"{due:.5%}", f"{got:.5%}", f"{z:+.2f}")
        for group, due, got, z in zip(groups, exact, observed, deviation, strict=True)
    ]
    table = Table((what, "exact", "observed", "standard errors"), rows, 1, f"{n:,} hands; both hands of a deal are counted.")
    caption = "Bars are the exact shares, marks what was dealt."

    def chart() -> Any:
        from analysis.charts.verification import observed_and_exact

        return observed_and_exact(frame, what, "container")

    return _figure(title, caption, chart, table)


def shape_figure(pack: int, counts: list[dict[tuple[int, ...], int]], shapes: dict[tuple[int, ...], float]) -> Figure:
    """The commonest shapes."""
    order = sorted(shapes, key=lambda shape: -shapes[shape])
    both = [sum(of_seat.get(shape, 0) for of_seat in counts) for shape in order]
    names = ["-".join(map(str, shape)) for shape in order]
    shares = [shapes[shape] for shape in order]
    shown = 20
    rest = (sum(both[shown:]), sum(shares[shown:]))
    return share_figure(
        f"Shapes, {pack} cards",
        "shape",
        [*both[:shown], rest[0]],
        [*shares[:shown], rest[1]],
        [*names[:shown], "other"],
    )


def _map(title: str, caption: str, x: tuple[str, list[str]], y: tuple[str, list[str]], deviates: np.ndarray) -> Figure:
    """A map of deviations, rows by y."""
    frame = _frame(
        {
            "x": [name for _ in y[1] for name in x[1]],
            "y": [name for name in y[1] for _ in x[1]],
            "deviation": np.round(deviates, 3).ravel(),
        }
    )
    flat = deviates.ravel()
    places = np.argsort(-np.abs(flat))[:10]
    rows = [(x[1][place % len(x[1])], y[1][place // len(x[1])], f"{flat[place]:+.2f}") for place in places]
    table = Table((x[0], y[0], "standard errors"), rows, 2, f"The ten largest of {flat.size:,}.")

    def chart() -> Any:
        from analysis.charts.verification import deviation_map

        return deviation_map(frame, x[0], y[0], "container")

    return _figure(title, caption, chart, table)


def pair_figure(pack: int, deviates: np.ndarray, cards: list[str]) -> Figure:
    """Every pair of cards in one hand."""
    caption = "How often two cards were in the hand of seat 0 together, less what is due, in standard errors."
    return _map(f"Pairs of cards, {pack} cards", caption, ("card", cards), ("other card", cards), np.nan_to_num(deviates))


def place_figure(pack: int, deviates: np.ndarray, cards: list[str]) -> Figure:
    """Every card at every place of the stock."""
    places = [str(place) for place in range(len(deviates))]
    caption = "How often each card lay at each place of the stock, less what is due, in standard errors."
    return _map(f"Places, {pack} cards", caption, ("card", cards), ("place", places), deviates)


def choice_figure(tables: list[Seen]) -> Figure:
    """Which of the legal cards was played, of all games together."""
    names, deviates, rows = [], [], []
    for number in range(2, 14):
        counts = np.zeros(number)
        for seen in tables:
            for kind, by_number in seen.choices.items():
                if "lead" in kind or "follow" in kind:
                    counts += by_number.get(number, 0)
        n = counts.sum()
        for place, count in enumerate(counts):
            z = (count - n / number) / math.sqrt(n / number * (1 - 1 / number)) if n else 0.0
            names.append((str(place + 1), f"of {number}"))
            deviates.append(z)
            rows.append((f"{place + 1} of {number}", f"{int(count):,}", f"{n / number:,.1f}", f"{z:+.2f}"))
    frame = _frame({"x": [x for x, _ in names], "y": [y for _, y in names], "deviation": deviates})
    table = Table(("choice", "taken", "due", "standard errors"), rows, 1, "All variants together.")

    def chart() -> Any:
        from analysis.charts.verification import deviation_map

        return deviation_map(frame, "choice", "legal cards", "container")

    return _figure("Which legal card is played", "How often each of the legal cards was played, in draw order.", chart, table)


def coverage_figure(found: list[tuple[str, float, int, float]]) -> Figure:
    """How many intervals contained the true value."""
    bounds = [rate(round(covered * runs), runs) for _, covered, runs, _ in found]
    frame = _frame(
        {
            "name": [name for name, *_ in found],
            "covered": [covered for _, covered, *_ in found],
            "low": [bound.low for bound in bounds],
            "high": [bound.high for bound in bounds],
            "expected": [due for *_, due in found],
            "runs": [runs for _, _, runs, _ in found],
        }
    )
    rows = [
        (name, f"{runs:,}", f"{covered:.2%}", f"{100 * (bound.low or 0):.2f} .. {100 * (bound.high or 0):.2f} %", f"{due:.2%}")
        for (name, covered, runs, due), bound in zip(found, bounds, strict=True)
    ]
    table = Table(("interval", "runs", "covered", "95 % interval", "due"), rows)

    def chart() -> Any:
        from analysis.charts.verification import coverage

        return coverage(frame, "container")

    return _figure(
        "Coverage", "Share of small runs whose 95 % interval contained the true value; the tall mark is due.", chart, table
    )


def deviation_figure(title: str, outcome: Outcome) -> Figure:
    """Every comparison of one check."""
    return deviations_figure(title, [outcome], by_check=False)


def deviations_figure(title: str, outcomes: list[Outcome], by_check: bool = True) -> Figure:
    """Every comparison of some checks, in standard errors, with the tolerance."""
    found = [(outcome, finding) for outcome in outcomes for finding in outcome.findings if finding.z is not None]
    groups = [outcome.name if by_check else finding.name.split(":")[0].split(" of ")[0] for outcome, finding in found]
    frame = _frame(
        {
            "group": groups,
            "name": [finding.name for _, finding in found],
            "deviation": [finding.z for _, finding in found],
            "tolerance": [outcome.tolerance for outcome, _ in found],
        }
    )
    order = sorted(found, key=lambda pair: -abs(pair[1].z or 0.0))[:_MOST_ROWS]
    rows = [(f.name, f"{f.n:,}", f"{f.z:+.2f}", f"{o.tolerance:.2f}") for o, f in order]
    table = Table(("comparison", "n", "standard errors", "tolerance"), rows, 1, f"The largest of {len(found)}.", long=True)

    def chart() -> Any:
        from analysis.charts.verification import deviations

        return deviations(frame, "container")

    return _figure(title, "Each mark is a comparison; the tall marks are the tolerance.", chart, table, wide=by_check)
