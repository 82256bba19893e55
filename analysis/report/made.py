"""Pictures of make rates: by contract, call or bid, imposed on every deal, and against strength."""

from __future__ import annotations

from typing import Any

from analysis import charts, frames
from analysis.report import source
from analysis.report.parts import Figure, rate_table
from analysis.report.view import RunView

FEW = 30
"""Points of a line that stand for fewer deals are left out of the picture."""
_FULL: Any = "container"


def rate_figures(view: RunView) -> list[Figure]:
    """Make rates of what was bid, and of every contract where all were played."""
    if view.kind == "bridge":
        return [*([_imposed(view)] if view.imposed else []), _heatmap(view)]
    frame = view.bids
    what = "call" if view.kind == "calls" else "bid"
    more = "A call is made by the rule of this variant, which may ask for exactly the tricks called. " if what == "call" else ""
    caption = (
        f"Each point is the share of deals in which a {what} was made, with its 95 % interval; most intervals of a long "
        f"run are narrower than the point. {more}A {what} that nobody chose says n = 0."
    )
    chart = charts.rates_by_bid(frame, what, width=_FULL)
    return [Figure(f"Make rate by {what}", caption, chart, rate_table([what], frame, ["label"]), run=view.letter)]


def _heatmap(view: RunView) -> Figure:
    frame = view.cells
    caption = (
        "Each cell is a contract, doubled or not. The upper figure is the share of deals with this contract in which "
        "declarer took enough tricks, the lower one how many deals that were; hover or tap for the interval. Brighter is "
        "made more often. Dashed cells: nobody bid it (n = 0). Cells with few deals are mostly noise."
    )
    table = rate_table(["level", "strain"], frame, ["level", "strain"])
    chart = charts.make_rate_heatmap(frame, width=_FULL)
    return Figure("Make rate by level and strain, as bid", caption, chart, table, run=view.letter)


def _imposed(view: RunView) -> Figure:
    frame = frames.imposed(view.data.out)
    caption = (
        "Every contract was played from both sides on every deal, for tricks alone: this is how often it makes when it "
        "is imposed, not when the players choose it. Rates fall with the level on the same deals, so cells of a column "
        "can be compared."
    )
    table = rate_table(["level", "strain"], frame, ["level", "strain"])
    chart = charts.make_rate_heatmap(frame, width=_FULL)
    return Figure("Make rate of every contract, imposed on every deal", caption, chart, table, run=view.letter)


def doubled_figure(view: RunView) -> Figure:
    """Make rates of doubled contracts."""
    frame = view.bids
    doubled = frame[frame["doubling"] > 1]
    played = doubled[doubled["n"] > 0]
    if played.empty:
        missing = "No contract of this run was doubled." if len(doubled) else "This variant knows no doubles."
        return Figure("Doubled and redoubled contracts", "", missing=missing, run=view.letter)
    most = played.nlargest(12, "n").sort_values("order")
    caption = (
        "Make rates of contracts that were doubled (X) or redoubled (XX), at most the twelve most frequent ones; the bar "
        "is the 95 % interval. They are chosen by the doubler, so they are no sample of all such contracts."
    )
    chart = charts.rates_by_bid(most, "contract", width=_FULL)
    return Figure(
        "Doubled and redoubled contracts", caption, chart, rate_table(["contract"], played, ["label"]), run=view.letter
    )


def strength_figures(view: RunView) -> list[Figure]:
    """Make rate against high cards and trump length."""
    if view.data.summed:
        missing = "Not possible here: a run with output: summary keeps no features of hands. Run it again with output: rows."
        return [Figure("Make rate against strength", "", missing=missing, run=view.letter)]
    if view.kind == "bridge":
        return [
            _strength(view, ("level", "hcp_declarer"), "declarer's high cards", "level", _HIGH_CARDS),
            _strength(view, ("level", "len_trump_declarer"), "declarer's trumps", "level", _LENGTH),
        ]
    if view.kind == "calls":
        return [_strength(view, ("call", "hcp"), "high cards of the caller", "call", _CALLER)]
    return [_strength(view, ("bid", "hcp_declarer"), "declarer's high cards", "bid", _DECLARER)]


_HIGH_CARDS = (
    "How often declarer makes a contract, by the high cards in his hand as the auction begins (A 4, K 3, Q 2, J 1), a "
    "line for each of the most frequent levels. "
)
_LENGTH = "The same by declarer's length in the trump suit; contracts in no trump are left out. "
_DECLARER = (
    "How often a bid is made, by declarer's high cards as the auction begins (A 4, K 3, Q 2, J 1), a line for each bid. "
    "How many trumps he holds is not in it. "
)
_CALLER = (
    "How often a call is made, by the caller's high cards (A 4, K 3, Q 2, J 1), a line for each of the most frequent calls. "
)


def _strength(view: RunView, by: tuple[str, str], title: str, group: str, start: str) -> Figure:
    frame = source.rates(view.data, list(by))
    frame = frame[frame[by[0]].notna() & frame[by[1]].notna()]
    frame = frame.assign(**{by[0]: frame[by[0]].astype(int), by[1]: frame[by[1]].astype(int)})
    shown = frame[frame["n"] >= FEW].rename(columns={by[1]: "x"})
    table = rate_table([group, title], frame, by)
    name = f"Make rate against {title}"
    if shown.empty:
        missing = f"No value came up in {FEW} deals; see the table."
        return Figure(name, "", table=table, missing=missing, run=view.letter)
    caption = (
        f"{start}The shaded band is the 95 % interval; points of fewer than {FEW} deals are only in the table. A steeper line: "
        "there the strength of the hand decides more."
    )
    return Figure(name, caption, charts.rate_by_strength(shown, title, by[0], group, width=_FULL), table, run=view.letter)
