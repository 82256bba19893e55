"""The points of a sweep side by side: each with its own figures, against the reference on common deals, and the best one.

The best point is the one with the highest value of the sweep's measure. It is called so only where its paired difference to
every other point excludes 0 after Bonferroni's correction for all pairs of points, since it was chosen for looking best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from analysis.auctions import SHARES, auction_kind
from analysis.comparison import compare_runs
from analysis.differences import MAKE_RATE, POINTS, RATES, SHARE, WINS, CompareReport, Difference
from analysis.estimates import Z95, Estimate, clustered_mean, clustered_rate
from analysis.load import RunData, open_run
from analysis.measures import own_sums
from simcore.config.sweep import SweepPlan, load_sweep
from simcore.places import Place, place
from simcore.runs.sweeps import SweepOptions, default_out, play_sweep

if TYPE_CHECKING:
    import pandas as pd

FEW = 500
"""Common matches (of single deals: deals) below which nothing is called best."""
_ALPHA = 0.05
PAIR = 2
What = tuple[str, str]
"""Kind and who, as of `Difference`."""


@dataclass(frozen=True, slots=True)
class PointReport:
    """A point: its own figures and its differences to the reference.

    Attributes
    ----------
    index, name, settings, seed
        As of the sweep.
    run : str
        Its directory.
    deals : int
    figures : dict
        By kind and who: the estimate over all its deals.
    differences : dict
        By kind and who: the point less the reference; empty for the reference.
    paired : bool
        Whether these are on common deals.
    """

    index: int
    name: str
    settings: dict[str, str]
    seed: int
    run: str
    deals: int
    figures: dict[What, Estimate]
    differences: dict[What, Difference]
    paired: bool

    def as_json(self) -> dict[str, Any]:
        """Form for ``--json``."""
        return {
            "index": self.index,
            "name": self.name,
            "settings": self.settings,
            "seed": self.seed,
            "run": self.run,
            "deals": self.deals,
            "figures": [{"what": kind, "who": who, **found.as_json()} for (kind, who), found in self.figures.items()],
            "paired": self.paired,
            "against_reference": [{"what": kind, **found.as_json()} for (kind, _), found in self.differences.items()],
        }


@dataclass(frozen=True, slots=True)
class SweepReport:
    """A sweep that was played.

    Attributes
    ----------
    header : dict
        Source, directory, bots, whether deals are common.
    reference : int
        Number of the point that the others are compared with.
    measure : str
        What the best point is best in.
    points : list of PointReport
    best : int or None
        Number of the point that is shown to be the best, if any is.
    highest : int
        Number of the point that looks best.
    verdict : str
        What is shown, in words.
    notes : list of str
    """

    header: dict[str, Any]
    reference: int
    measure: str
    points: list[PointReport]
    best: int | None
    highest: int
    verdict: str
    notes: list[str]

    def as_json(self) -> dict[str, Any]:
        """The result of ``simcore sweep --json``."""
        return {
            **self.header,
            "reference": self.reference,
            "measure": self.measure,
            "points": [point.as_json() for point in self.points],
            "best": self.best,
            "highest": self.highest,
            "verdict": self.verdict,
            "notes": self.notes,
        }


def sweep(
    source: str | Path, out: str | Path | None = None, overrides: Sequence[str] = (), *, resume: bool = False
) -> pd.DataFrame:
    """Play a sweep and return its table.

    Parameters
    ----------
    source : str or Path
        A shipped name or a path.
    out : str, Path or None
        The sweep's directory; None: ``runs/sweep-<name>``.
    overrides : sequence of str
        ``path=value`` texts that change the base run, as ``deals=10_000``.
    resume : bool
        Whether to go on with a sweep that is in `out`.

    Returns
    -------
    pandas.DataFrame
        A row a point and figure: index, name, what, who, estimate, low, high, n, and the difference to the reference.
    """
    import pandas as pd

    plan = load_sweep(source, overrides)
    where = default_out(plan) if out is None else place(out)
    play_sweep(plan, where, SweepOptions(resume=resume, progress=False))
    rows = []
    for point in report_sweep(plan, where).points:
        for (kind, who), found in point.figures.items():
            row = {"index": point.index, "name": point.name, "what": kind, "who": who, **found.as_json()}
            less = point.differences.get((kind, who))
            numbers = Estimate(0, None, None, None, "") if less is None else less.difference
            row |= {"difference": numbers.estimate, "difference_low": numbers.low, "difference_high": numbers.high}
            rows.append({**row, "paired": point.paired, "method": found.method})
    return pd.DataFrame(rows)


def report_sweep(plan: SweepPlan, out: Place) -> SweepReport:
    """The table of a sweep that was played.

    Parameters
    ----------
    plan : SweepPlan
        Its points.
    out : Path or Url
        Its directory.

    Returns
    -------
    SweepReport
        With the differences to the reference, and the best point where one is shown.
    """
    runs = [open_run(out / point.directory) for point in plan.points]
    points = []
    for point, run in zip(plan.points, runs, strict=True):
        less = None if point.index == plan.reference else compare_runs(runs[plan.reference].out, run.out, ())
        places = (point.index, point.name, point.settings, point.run.seed, str(run.out), run.manifest.deals)
        points.append(PointReport(*places, figures_of(run), _differences(less), less is not None and less.paired))
    what = what_is(plan.measure)
    values = [point.figures[what].estimate for point in points]
    highest = max(range(len(points)), key=lambda index: -1.0 if values[index] is None else float(values[index] or 0))
    best, verdict = _best(points, runs, what, plan, highest)
    header = {
        "sweep": plan.source,
        "out": str(out),
        "variant": runs[0].rules["name"],
        "bots": sorted({" - ".join(run.header()["bots"]) for run in runs}),
        "common_deals": plan.common_deals,
        "method": points[0].figures[MAKE_RATE, ""].method,
    }
    return SweepReport(header, plan.reference, plan.measure, points, best, highest, verdict, _notes(points, plan))


def figures_of(run: RunData) -> dict[What, Estimate]:
    """Make rate, shares, points per deal and wins of a run."""
    sums = own_sums(run, ())
    wanted: list[What] = [(MAKE_RATE, ""), *((SHARE, name) for name in SHARES[auction_kind(run)])]
    found = {(kind, who): value for (kind, who, _), value in sums.of_deals.items()}
    wanted += [key for key in found if key[0] == POINTS]
    found |= sums.of_matches
    wanted += [key for key in sums.of_matches if key[0] == WINS]
    return {key: clustered_rate(found[key]) if key[0] in RATES else clustered_mean(found[key]) for key in wanted}


def _differences(report: CompareReport | None) -> dict[What, Difference]:
    return {} if report is None else {(found.kind, found.who): found for found in report.all()}


def what_is(measure: str) -> What:
    """Kind and who of a measure."""
    if measure == "make_rate":
        return MAKE_RATE, ""
    if measure.startswith("wins_"):
        return WINS, measure.removeprefix("wins_").replace("_", " ")
    if not measure.startswith("points_"):
        return SHARE, measure
    who = measure.removeprefix("points_")
    return POINTS, who.replace("_", " ") if who.startswith("seat") else who


def _best(
    points: Sequence[PointReport], runs: Sequence[RunData], what: What, plan: SweepPlan, highest: int
) -> tuple[int | None, str]:
    """The point that is shown to be the best, and the sentence about it."""
    n_pairs = len(points) * (len(points) - 1) // PAIR
    measure, top = plan.measure.replace("_", " "), points[highest]
    if not n_pairs:
        return None, "a single point; nothing to compare"
    widening = NormalDist().inv_cdf(1 - _ALPHA / PAIR / n_pairs) / Z95
    close = []
    for point, run in zip(points, runs, strict=True):
        if point.index == highest:
            continue
        report = compare_runs(run.out, runs[highest].out, ())
        if not report.paired:
            return None, f"no best point is shown: {report.why}, and only common deals can show that its {measure} is higher"
        found = next(row for row in report.all() if (row.kind, row.who) == what)
        if not _holds(found, widening, min(report.common.values())):
            close.append(point.name)
    method = f"95 %, Bonferroni for {n_pairs} pairs of points"
    if not close:
        return highest, f"highest {measure}: {top.name}, above every other point ({method})"
    if len(close) == len(points) - 1:
        return None, f"no difference in {measure} is shown ({method})"
    shown = ", ".join(f"[{name}]" for name in close)
    return None, f"no single best point: {top.name} has the highest {measure}, but is not told apart from {shown} ({method})"


def _holds(found: Difference, widening: float, matches: int) -> bool:
    """Whether a paired difference excludes 0 by an interval that is wider by so much."""
    estimate, low, high = found.difference.estimate, found.difference.low, found.difference.high
    if estimate is None or low is None or high is None or matches < FEW or found.same or found.alike:
        return False
    return estimate - widening * (high - low) / PAIR > 0


def _notes(points: Sequence[PointReport], plan: SweepPlan) -> list[str]:
    notes = []
    if any(point.differences and not point.paired for point in points):
        why = "each point has deals of its own" if not plan.common_deals else "some points have other deals, or keep only sums"
        notes.append(f"differences that are not paired are those of independent runs ({why})")
    return notes
