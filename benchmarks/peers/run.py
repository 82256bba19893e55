"""This project beside what a user would pick instead, in one run: the table and the chart of benchmarks/README.md.

    python -m benchmarks.peers.run             nine rounds; writes the table and the chart
    python -m benchmarks.peers.run --short     three shorter rounds; writes them too
    python -m benchmarks.peers.run --dry-run   three shorter rounds, printed only

What is not installed is named as missing. `pip install '.[peers]'` and `apt-get install dealer gcc libc6-dev` install all.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.peers.contest import Line, Work, contest, ratios
from benchmarks.publish import README, machine, put

CHART = README.parent / "peers.svg"


def figure(speed: float) -> str:
    """Three digits."""
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if speed >= size:
            return f"{speed / size:.3g}{unit}"
    return f"{speed:.3g}"


def times(ratio: float) -> str:
    """A ratio with three digits."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def table(found: list[tuple[Work, list[Line]]], rounds: int, seconds: float) -> str:
    """The tables as Markdown."""
    lines = [
        f"{machine()}. Processor time (of DDS: of all of its threads), {rounds} rounds of {seconds:g} s an entry, medians; "
        "ratios are those within a round: median, and the least and the greatest."
    ]
    for work, entries in found:
        lines += ["", f"**{work.name}**: {work.what}.", ""]
        lines += [f"| who | version | {work.unit} a second | as fast as it | least .. greatest | does besides |"]
        lines += ["| --- | --- | ---: | ---: | ---: | --- |", *(row(entries[0], line) for line in entries)]
    return "\n".join(lines)


def row(ours: Line, line: Line) -> str:
    """One entry."""
    entry = line.entry
    if line.missing:
        return f"| {entry.who} | | missing | | | {line.missing} |"
    ratio = ratios(ours, line)
    if ratio is None or line is ours:
        return f"| **{entry.who}** | {line.version} | **{figure(line.speed)}** | | | {entry.does} |"
    spread = f"{times(ratio[1])} .. {times(ratio[2])}"
    return f"| {entry.who} | {line.version} | {figure(line.speed)} | {times(ratio[0])} | {spread} | {entry.does} |"


def recorded(found: list[tuple[Work, list[Line]]]) -> dict[str, float]:
    """Ratios by the name of the work and the entry: the greater the better."""
    kept = {}
    for work, entries in found:
        for line in entries[1:]:
            ratio = ratios(entries[0], line)
            if ratio is not None and not line.entry.who.startswith("this project"):
                kept[f"{work.name}: {line.entry.who}"] = round(ratio[0], 4)
    return kept


def chart(found: list[tuple[Work, list[Line]]]) -> str | None:
    """The speeds as an SVG picture; None where Altair is not installed."""
    try:
        import altair as alt
        import pandas as pd
        import vl_convert
    except ImportError:
        return None
    rows = [
        {
            "work": f"{work.name}: {work.unit} a second",
            "who": line.entry.who,
            "speed": line.speed,
            "ours": "this" in line.entry.who,
        }
        for work, entries in found
        for line in entries
        if not line.missing
    ]
    base = alt.Chart(pd.DataFrame(rows)).encode(
        x=alt.X("speed:Q", scale=alt.Scale(type="log"), title=None, axis=alt.Axis(format="~s", tickCount=8)),
        y=alt.Y("who:N", sort=alt.SortField("speed", order="descending"), title=None, axis=alt.Axis(labelLimit=260)),
        color=alt.Color("ours:N", legend=None, scale=alt.Scale(domain=[True, False], range=["#00796b", "#8d99a6"])),
    )
    marks = base.mark_circle(size=90, opacity=1).properties(width=460, height=alt.Step(20))
    order = [f"{work.name}: {work.unit} a second" for work, _ in found]
    title = alt.Header(title=None, labelAnchor="start", labelFontWeight="bold")
    picture = marks.facet(row=alt.Row("work:N", sort=order, header=title)).resolve_scale(y="independent", x="independent")
    picture = picture.configure(background="white", font="sans-serif").configure_header(labelOrient="top")
    return str(vl_convert.vegalite_to_svg(picture.to_json()))


def measure(rounds: int, seconds: float, write: bool) -> dict[str, float]:
    """Measure, print, and write the table and the chart; -> the ratios."""
    from benchmarks.peers.works import WORKS

    found = contest(WORKS, rounds, seconds, lambda name: print(f"{name} ...", file=sys.stderr, flush=True))
    text = table(found, rounds, seconds)
    print(text)
    if write:
        picture = chart(found)
        if picture is not None:
            CHART.write_text(picture, encoding="utf-8")
        put("peers", text)
    return recorded(found)


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="three shorter rounds")
    parser.add_argument("--dry-run", action="store_true", help="three shorter rounds, nothing written")
    asked = parser.parse_args()
    quick = asked.short or asked.dry_run
    measure(3 if quick else 9, 0.15 if quick else 0.4, not asked.dry_run)
    return 0


if __name__ == "__main__":
    sys.exit(main())
