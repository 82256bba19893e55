"""How strong the shipped bots are: every pair on mirrored deals, what each loses against perfect play, as tables and a chart.

    python -m benchmarks.strength                     what is missing or was played under other settings; then docs/strength.md
    python -m benchmarks.strength --only pit,bridgette
    python -m benchmarks.strength --table             plays nothing

Results are kept in benchmarks/strength.json, each under the digest of the variant, the bots, the seed and the number of
deals it was played with, so that a bot whose settings change is played again and nobody else. An interrupted call goes on
where it stopped, at the pair. The kernels are not part of the digest: `--again` plays everything.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from analysis.ladder import play_ladder
from analysis.regret import bots_regret
from benchmarks.publish import put
from simcore.config import load_bot, load_variant

HERE = Path(__file__).parent
KEPT = HERE / "strength.json"
PAGE = HERE.parent / "docs" / "strength.md"
CHART = HERE.parent / "docs" / "strength.svg"
SEED = 1
DEALS = 20_000
REGRET_DEALS = 2000
TWO = ("oracle", "expert", "expected", "heuristic", "novice", "random")
"""Bots for two hands, the strongest first: each challenges those after it."""
KNOWING = ("oracle", "expert", "heuristic", "novice", "random")
"""Those of a game for whose literal scoring there is no model of tricks."""
MANY = ("expert", "expected", "heuristic", "novice", "random")
GAMES: dict[str, tuple[str, ...]] = {
    "bridgette": TWO,
    "draw_bridge_published": TWO,
    "draw_bridge": KNOWING,
    "draw_and_discard_bridge_published": TWO,
    "draw_and_discard_bridge": KNOWING,
    "call_bridge": MANY,
    "pit": ("expert", "heuristic", "novice", "random"),
}
LOSERS = ("bridgette", "draw_bridge_published", "draw_and_discard_bridge_published")
"""Variants whose play is compared with perfect play."""
Results = dict[str, dict[str, Any]]


def _key(what: str, variant: str, bots: Sequence[str], deals: int) -> str:
    """Name of a result: what was played, and a digest of all that decides it but the program."""
    settings = [load_variant(variant).digest(), *(load_bot(bot).digest() for bot in bots), SEED, deals]
    digest = hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:12]
    return f"{what} {variant} {' '.join(bots)} {digest}"


def _duel(variant: str, pair: Sequence[str]) -> dict[str, Any]:
    def tell(done: int, of: int) -> None:
        print(f"\r  {done:,} of {of:,}", end="", file=sys.stderr, flush=True)

    report = play_ladder(variant, pair, deals=DEALS, seed=SEED, progress=tell)
    found = next(duel for duel in report.duels if duel.challenger == pair[0])
    return {**found.as_json(), "unit": report.unit, "sees_all": list(report.sees_all)}


def _lost(variant: str, bot: str) -> dict[str, Any]:
    report = bots_regret(load_variant(variant), [bot], deals=REGRET_DEALS, seed=SEED)
    both = next(row for row in report.rows if row.role == "both")
    return both.as_json()


def tasks(variant: str) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """What is to be played of a variant, by the name of the result."""
    for pair in combinations(GAMES[variant], 2):
        yield _key("duel", variant, pair, DEALS), lambda pair=pair: _duel(variant, pair)  # type: ignore[misc]
    for bot in GAMES[variant] if variant in LOSERS else ():
        yield _key("regret", variant, [bot], REGRET_DEALS), lambda bot=bot: _lost(variant, bot)  # type: ignore[misc]


def play(variants: Sequence[str], kept: Results, again: bool) -> None:
    """Play what is missing; every result is kept at once."""
    for variant in variants:
        for name, task in tasks(variant):
            if name in kept and not again:
                continue
            print(name, file=sys.stderr, flush=True)
            begun = time.process_time()
            kept[name] = {**task(), "processor_seconds": round(time.process_time() - begun, 1)}
            current = {key for game in GAMES for key, _ in tasks(game)}
            text = json.dumps({key: kept[key] for key in sorted(current & kept.keys())}, indent=1)
            KEPT.write_text(text + "\n", encoding="utf-8")
            print("", file=sys.stderr)


def _cell(found: dict[str, Any] | None) -> str:
    if found is None:
        return ""
    percent = found["unit"] == "match"
    scale, digits = (100, 1) if percent else (1, 2 if abs(found["difference"]) < 10 else 1)
    half = scale * (found["high"] - found["low"]) / 2
    return f"{scale * found['difference']:+,.{digits}f} ± {half:.{digits}f}"


def table(kept: Results) -> str:
    """The tables as Markdown."""
    lines = []
    for variant, bots in GAMES.items():
        duels = {pair: kept.get(_key("duel", variant, pair, DEALS)) for pair in combinations(bots, 2)}
        units = {found["unit"] for found in duels.values() if found is not None}
        if not units:
            continue
        what = "percent of matches" if units == {"match"} else "points per deal"
        lines += ["", f"**`{variant}`**, {what}", "", f"| | {' | '.join(bots[1:])} |", "| --- |" + " ---: |" * (len(bots) - 1)]
        lines += [f"| {one} | {' | '.join(_cell(duels.get((one, other))) for other in bots[1:])} |" for one in bots[:-1]]
    lines += ["", f"Lost by the play, a deal, {REGRET_DEALS:,} deals of a bot against itself, both roles:", ""]
    lines += ["| variant | bot | tricks | points |", "| --- | --- | ---: | ---: |"]
    for variant in LOSERS:
        for bot in GAMES[variant]:
            found = kept.get(_key("regret", variant, [bot], REGRET_DEALS))
            if found is not None:
                lost = (
                    f"{value['mean']:.{digits}f} ({value['low']:.{digits}f} .. {value['high']:.{digits}f})"
                    for value, digits in ((found["tricks_lost"], 2), (found["points_lost"], 1))
                )
                lines.append(f"| {variant} | {bot} | {' | '.join(lost)} |")
    return "\n".join(lines).strip()


def chart(kept: Results) -> str:
    """Every bot against `heuristic` as an SVG picture, a panel a game."""
    import altair as alt
    import pandas as pd
    import vl_convert

    rows = []
    for variant, bots in GAMES.items():
        for pair in combinations(bots, 2):
            found = kept.get(_key("duel", variant, pair, DEALS))
            if found is None or "heuristic" not in pair:
                continue
            sign, scale = (1 if pair[1] == "heuristic" else -1), (100 if found["unit"] == "match" else 1)
            ends = sorted((sign * scale * found["low"], sign * scale * found["high"]))
            game = f"{variant}, {'% of matches' if scale == 100 else 'points per deal'}"
            rows.append(
                {
                    "game": game,
                    "bot": pair[0] if sign > 0 else pair[1],
                    "gain": sign * scale * found["difference"],
                    "low": ends[0],
                    "high": ends[1],
                }
            )
    y = alt.Y("bot:N", sort=list(TWO), title=None)
    base = alt.Chart(pd.DataFrame(rows)).encode(y=y)
    bars = base.mark_bar(height=12).encode(
        x=alt.X("gain:Q", title=None),
        color=alt.condition("datum.gain > 0", alt.value("#00796b"), alt.value("#8d99a6")),
    )
    spans = base.mark_rule(strokeWidth=2, color="#1c2430").encode(x="low:Q", x2="high:Q")
    marks = alt.layer(bars, spans).properties(width=460, height=alt.Step(20))
    header = alt.Header(title=None, labelAnchor="start", labelFontWeight="bold", labelOrient="top")
    order = list(dict.fromkeys(row["game"] for row in rows))
    picture = marks.facet(row=alt.Row("game:N", sort=order, header=header)).resolve_scale(y="independent", x="independent")
    return str(vl_convert.vegalite_to_svg(picture.configure(background="white", font="sans-serif").to_json()))


def main() -> int:
    """Play, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(GAMES), help="variants")
    parser.add_argument("--again", action="store_true", help="also what was played before")
    parser.add_argument("--table", action="store_true", help="only write the page")
    asked = parser.parse_args()
    kept: Results = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    if not asked.table:
        play(asked.only.split(","), kept, asked.again)
    put("strength", table(kept), PAGE)
    CHART.write_text(chart(kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
