"""What tunings must do, as one command: costs, scale, planted and sound tables, alarms, thresholds, known figures.

    python -m benchmarks.tuning_acceptance                 Bridgette with colons, play careful
    python -m benchmarks.tuning_acceptance --cards 52      without colons, perfect play
    python -m benchmarks.tuning_acceptance --only 1,2,7
    python -m benchmarks.tuning_acceptance --tuned DIR     only 4 and 5b, of a tuning of the default objective that has ended

Bounds are those of a study of 52 cards with perfect play and an exchange rule of its own, or, where a setting measures other
figures, these with the reason beside them. Times are the process's CPU time.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.thresholds import thresholds
from analysis.tuning.bidders import COARSE, OPEN, PLAIN, Bidder, seated
from analysis.tuning.cells import Group, Values, cells, default_groups, path_text, table_of
from analysis.tuning.evaluator import Evaluator
from analysis.tuning.measures import Sums, measures, standard_error, sum_up
from analysis.tuning.search import Searcher
from analysis.tuning.sensitivity import found_alarms
from analysis.tuning.tune import check_tuning, world_of
from analysis.tuning.world import World
from simcore import auctions, batch
from simcore.config import Tuning, load_bot, load_tuning, load_variant

DEALS = {"model": 60_000, "beliefs": 15_000, "search": 20_000, "final": 100_000, "parts": 10}
UNITS = {"make": 0.05, "share": 0.2, "doubled": 0.02, "redoubled": 0.01}
NO_BELIEFS = {"name": "deaf", "extends": "expected", "bidding": {"policy": "expected", "beliefs": False}}
Row = tuple[str, str, str, bool]
"""What, what is asked for, what was measured, whether that holds."""


@dataclass
class Setting:
    """Rules, play, and an evaluator that all checks share."""

    cards: int
    evaluator: Evaluator

    @property
    def variant(self) -> Any:
        """The rules with today's table."""
        return self.evaluator.world.variant

    def judged(self, values: Any) -> dict[str, float]:
        """Measures of a table on all fresh deals."""
        return {key: float(rows[0]) for key, rows in measures(self.evaluator.judge(values)).items()}

    def values(self, part: str, values: Any, name: str = PLAIN) -> dict[str, float]:
        """Measures of a table."""
        return {key: float(rows[0]) for key, rows in measures(self.evaluator.evaluate(values, part, name)).items()}


def setting_of(cards: int, deals: dict[str, int]) -> Setting:
    """Bridgette, with colons or without."""
    variant = load_variant("bridgette", ["deck.colons=[]"] if cards == 52 else [])
    counts = {name: deals[name] for name in ("model", "beliefs", "search", "final", "parts")}
    return Setting(cards, Evaluator(World(variant, "perfect" if cards == 52 else "careful", **counts)))


def costs(setting: Setting) -> Iterator[Row]:
    """1: what a deal and an evaluation cost."""
    evaluator, n = setting.evaluator, setting.evaluator.world.search
    evaluator.evaluate({}, "search 0")
    deals = evaluator.deals("search 0")
    bidder = evaluator.bidder(setting.variant, "search 0")
    setup = seated(batch.prepare(setting.variant, [load_bot("expected")], 1, "deal", model=bidder.model), [bidder])
    begun = time.process_time()
    auctions.hold(setup, deals)
    each = (time.process_time() - begun) / n * 1e6
    yield "1 auction and score, us a deal", "<= 10", f"{each:.1f}", each <= 10
    begun = time.process_time()
    evaluator.deals("search 1")
    each = (time.process_time() - begun) / n * 1e6
    yield "1 trick table, us a deal", "<= 200", f"{each:.0f}", each <= 200
    found = cells(setting.variant, "award=1500")
    begun = time.process_time()
    evaluator.evaluate({path: value + 10 for path, value in found.items()}, "search 0")
    seconds = time.process_time() - begun
    yield "1 one evaluation with refits, s", "<= 1", f"{seconds:.2f}", seconds <= 1


def scale(setting: Setting) -> Iterator[Row]:
    """2: all numbers times 1.7: the same auctions."""
    names = ("award", "exact", "undertricks", "overtricks_exactly", "doubled_made", "redoubled_made")
    times = {path: round(1.7 * value, 1) for name in names for path, value in cells(setting.variant, name).items()}
    once, larger = (setting.evaluator.evaluate(values, "search 0") for values in ({}, times))
    same = once.bids() == larger.bids()
    yield "2 all numbers x1.7", "same contracts", "same" if same else "different", same


def problem(setting: Setting, targets: dict[str, float], seed: int, **changes: Any) -> tuple[Searcher, Tuning]:
    """A search towards measures."""
    world = setting.evaluator.world
    aimed = [{"measure": name, "band": [round(value, 6)] * 2, **_unit(name)} for name, value in targets.items()]
    free = [{"name": group.name, "cells": [path_text(path) for path in group.today],
             "low": 0.3, "high": 3.5} for group in default_groups(setting.variant) if group.name != "award_750"]  # fmt: skip
    counts = {name: getattr(world, name) for name in ("model", "beliefs", "search", "final", "parts")}
    tuning = load_tuning({
        "variant": setting.variant.model_dump(mode="json"), "seed": seed, "play": world.play, "deals": counts, "free": free,
        "targets": aimed, "panel": {"bidders": ["plain"], "beside": []}, "played": {"bots": []}, "monotone": {"weight": 0},
        "distance": {"weight": 0.5}, **changes,
    })  # fmt: skip
    _, objective = check_tuning(tuning)
    evaluator = Evaluator(world_of(tuning))
    evaluator.share(setting.evaluator)
    return Searcher(evaluator, objective, "search 0"), tuning


def _unit(name: str) -> dict[str, Any]:
    kind = name.partition("_")[0]
    rare = name.endswith(("_2200", "_150"))
    if kind == "share":
        return {"unit": 0.3 if rare else 0.1, "scale": "log"}
    return {"unit": 0.1 if rare and kind == "make" else UNITS[kind]}


TIERS = ("250", "750", "1500", "2200")
AIMED = ("make", *(f"make_{tier}" for tier in TIERS), *(f"share_{tier}" for tier in TIERS), "doubled", "redoubled", "share_150",
         "make_150")  # fmt: skip


def planted(setting: Setting) -> Iterator[Row]:
    """3 and 5: thirteen measures of a random table recovered, and of today's table."""
    groups = [group for group in default_groups(setting.variant) if group.name != "award_750"]
    random = np.random.default_rng(3)
    wrong = next(table for table in _random_tables(groups, random) if _rises(setting.variant, table))
    for word, values, most_rms, most in (("3 planted", wrong, 0.3, 0.6), ("5 sound", {}, 0.3, 0.5)):
        told = setting.judged(values)
        searcher, _ = problem(setting, {name: told[name] for name in AIMED}, 1, search={"searches": 1, "steps": 4})
        trace = searcher.run()
        after = setting.judged(table_of(searcher.groups, trace.factors))
        errors = []
        for name in AIMED:
            unit = _unit(name)
            wanted, got = told[name], after[name]
            errors.append((np.log(got / wanted) if unit.get("scale") else got - wanted) / unit["unit"])
        n = len(searcher.evaluator.found)
        noise = _noise(searcher.evaluator.evaluate(table_of(searcher.groups, trace.factors), "search 0"), told)
        rms, worst = float(np.sqrt(np.mean(np.square(errors)))), float(np.max(np.abs(errors)))
        place = int(np.argmax(np.abs(errors)))
        which = f"{AIMED[place]}, standard error of the deals searched {noise[place]:.2f}"
        yield f"{word}: evaluations", "<= 120", str(n), n <= 120
        about = f"{rms:.2f} (standard errors of the deals searched: {np.sqrt(np.mean(np.square(noise))):.2f})"
        yield f"{word}: rms of 13 measures, units", f"<= {most_rms}", about, rms <= most_rms
        yield f"{word}: worst, units", f"<= {most}", f"{worst:.2f} ({which})", worst <= most
        if not values:
            moved = float(np.sqrt(np.mean(np.square(np.log(trace.factors)))))
            yield f"{word}: rms change of ln", "<= .08", f"{moved:.3f}", moved <= 0.08


def _noise(sums: Sums, told: dict[str, float]) -> list[float]:
    """Standard errors of the measures over the deals of a search, in units; beliefs and fresh deals add to it."""
    found, errors = measures(sums), []
    for name in AIMED:
        unit = _unit(name)
        errors.append(standard_error(found[name]) / (told[name] if unit.get("scale") else 1.0) / unit["unit"])
    return errors


def _random_tables(groups: Sequence[Group], random: np.random.Generator) -> Iterator[Values]:
    """Tables whose groups are off by factors with a standard deviation of 0.25 of the logarithm."""
    while True:
        yield table_of(groups, np.exp(random.normal(0, 0.25, len(groups))).tolist())


def _rises(variant: Any, values: Values) -> bool:
    """Whether awards rise from tier to tier and penalties with the doubling, as every search asks for by default."""
    awards = [_in_table(cells(variant, f"award={today}"), values) for today in (150, 250, 750, 1500, 2200, 2500)]
    columns = [_in_table(cells(variant, f"undertricks.{name}"), values) for name in ("undoubled", "doubled", "redoubled")]
    pairs = [*itertools.pairwise(awards), *itertools.pairwise(columns)]
    return all(low < high for below, above in pairs for low, high in zip(below, above, strict=False))


def _in_table(today: Values, values: Values) -> list[float]:
    """Cells as a table has them."""
    return [values.get(path, value) for path, value in today.items()]


def paired(setting: Setting) -> Iterator[Row]:
    """4: what common deals are worth."""
    group = next(group for group in default_groups(setting.variant) if group.name == "undertricks_undoubled")
    sums = [setting.evaluator.evaluate(values, "search 0") for values in ({}, table_of([group], [1.1]))]
    rows = [measures(each)["make"] for each in sums]
    apart = float(np.hypot(*(standard_error(each) for each in rows)))
    ratio = standard_error(rows[1] - rows[0]) / apart
    yield "4 sd of a difference, paired / unpaired", "<= 1/3", f"{ratio:.3f}", ratio <= 1 / 3


def ended(folder: Path) -> Iterator[Row]:
    """4 and 5b, of a tuning of the default objective by `simcore tune`."""
    found = json.loads((folder / "tuning.json").read_text(encoding="utf-8"))
    before, after = (found["objective"][when]["value"] for when in ("before", "after"))
    yield "5b objective on fresh deals, before", ">= 100", f"{before:.1f}", before >= 100
    most = AFTER[found["play"]]
    yield "5b objective on fresh deals, after", f"<= {most}", f"{after:.2f}", after <= most
    steps = max(len(search["steps"]) for search in found["searches"])
    yield f"5b most steps of {len(found['searches'])} searches", "<= 5", str(steps), steps <= 5
    for group in found["groups"]:
        most = 0.15 if group["name"] in ("award_150", "award_250") else 0.08
        yield f"5b sd of ln {group['name']}", f"<= {most}", f"{group['spread']:.3f}", group["spread"] <= most
    margins = next(each for each in found["panel"] if each["name"] == "equilibrated")["measures"]["make"]["after"]["value"]
    kept = found["kept_margins"]["measures"]["make"]["after"]["value"]
    yield "5b make rate, found anew less that of the searches", "<= .05", f"{margins - kept:+.3f}", abs(margins - kept) <= 0.05
    distance = sum((0.5 * np.log(group["factor"]) / np.log(1.5)) ** 2 for group in found["groups"])
    training = float(np.mean([search["best"] for search in found["searches"]]))
    ratio, says = (after + distance) / training, any("over-fitted" in text for text in found["words"])
    yield "4 objective, fresh / training", "<= 1.25, or said", f"{ratio:.2f}{', said' if says else ''}", ratio <= 1.25 or says


def degenerate(setting: Setting) -> Iterator[Row]:
    """6: the alarms."""
    penalties = cells(setting.variant, "undertricks")
    free = found_alarms(setting.evaluator.evaluate(dict.fromkeys(penalties, 0.0), "search 0"))
    yield "6 no penalties", "alarm", "; ".join(free) or "none", any("overbidding is free" in text for text in free)
    half = found_alarms(setting.evaluator.evaluate({path: value / 2 for path, value in penalties.items()}, "search 0"))
    yield "6 penalties x0.5", "alarm", "; ".join(half) or "none", any("few contracts are made" in text for text in half)
    deaf = load_bot(NO_BELIEFS)
    evaluator = setting.evaluator
    model = evaluator.start()
    model = replace(model, tricks=np.stack([model.tricks[0]] * len(model.tricks)), shifts=np.zeros_like(model.shifts))
    setup = batch.prepare(setting.variant, [deaf], 1, "deal", model=model)
    deals = evaluator.deals("search 0")
    sums = sum_up(evaluator.tiers, deals.dealer, auctions.hold(setup, deals))
    share = float(measures(sums)["redoubled_of_doubled"][0])
    good = any("every double" in text for text in found_alarms(sums))
    yield "6 no beliefs: redoubles of the doubles", "> .9 and an alarm", f"{share:.3f}", good


def doubling(setting: Setting) -> Iterator[Row]:
    """7: thresholds of 4S."""
    for applies, wanted in (("total", (0.019, 0.053)), ("award", (0.037, 0.067)), ("none", (0.143, 0.200))):
        variant = load_variant("bridgette", [f"scoring.multiplier.applies_to={applies}"])
        row = next(row for row in thresholds(variant) if row.contract == "4S")
        found = tuple(round(float(value), 3) for value in (row.redouble, row.double))  # type: ignore[arg-type]
        yield f"7 redouble, double of 4S, {applies}", str(wanted), str(found), found == wanted


def known(setting: Setting) -> Iterator[Row]:
    """8: figures of the setting, as they were measured first."""
    evaluator = setting.evaluator
    deals = evaluator.deals("model")
    tricks = auctions.tricks_by_role(deals)
    best = tricks.max(axis=1).mean(axis=1)
    yield "8 best strain, dealer / other", *_near(best, KNOWN[setting.cards]["best"], 0.02)
    model = evaluator.start(COARSE)
    setup = batch.prepare(setting.variant, [load_bot("expected")], 1, "deal", model=model)
    means = auctions.predicted_means(seated(setup, [Bidder(COARSE, model)]), deals)[:, 0] / 100
    shown = [slice(0, 4), slice(4, 5)]
    explained = [1 - np.square(tricks[:, part] - means[:, part]).mean() / tricks[:, part].astype(float).var() for part in shown]
    yield "8 R2 of the coarse model, suit / NT", *_near(np.array(explained), KNOWN[setting.cards]["R2"], 0.02)
    found = setting.values("final 0", {}, OPEN)
    for name in ("make", "doubled", "edge"):
        yield f"8 perfect information: {name}", *_near(np.array([found[name]]), [KNOWN[setting.cards][name]], 0.06)


def _near(found: Any, wanted: list[float], share: float) -> tuple[str, str, bool]:
    good = all(abs(a - b) <= share * abs(b) for a, b in zip(found, wanted, strict=True))
    return " ".join(f"{value:g}" for value in wanted), " ".join(f"{value:.3f}" for value in found), good


AFTER = {"perfect": 10, "careful": 15}
"""With colons and play by `careful` 11.5 was measured: contracts of 1500 and grand slams, often sacrifices, stay below
their bands of make rates (0.48 and 0.32 where 0.55 and 0.40 are asked for), whatever the numbers."""
KNOWN: dict[int, dict[str, Any]] = {
    52: {"best": [9.56, 8.35], "R2": [0.529, 0.388], "make": 0.350, "doubled": 0.650, "edge": 336.0},
    55: {"best": [9.74, 8.61], "R2": [0.465, 0.272], "make": 0.38, "doubled": 0.62, "edge": 289.0},
}
"""Not the study's (9.28, 8.11; R2 .555 and .465; perfect information .587 made, .329 doubled, edge 314): the bot keeps
other cards, colons take tricks that honours do not tell, and here every contract that fails with open cards is doubled."""
CHECKS: dict[str, Callable[[Setting], Iterator[Row]]] = {
    "1": costs, "2": scale, "3": planted, "4": paired, "6": degenerate, "7": doubling, "8": known,
}  # fmt: skip


def main() -> None:
    """Run checks and print each figure beside what is asked for."""
    parser = argparse.ArgumentParser(description="Acceptance figures of tunings.")
    parser.add_argument("--cards", type=int, choices=(52, 55), default=55)
    parser.add_argument("--only", default=",".join(CHECKS))
    parser.add_argument("--tuned", type=Path, metavar="DIR", help="only 4 and 5b, of this tuning")
    parser.add_argument("--deals", type=float, default=1.0, help="factor on all numbers of deals")
    wanted = parser.parse_args()
    deals = {name: n if name == "parts" else max(int(n * wanted.deals), 2000) for name, n in DEALS.items()}
    if wanted.tuned is not None:
        parts = [ended(wanted.tuned)]
    else:
        setting = setting_of(wanted.cards, deals)
        parts = [CHECKS[number](setting) for number in wanted.only.split(",")]
    failed = 0
    for what, asked, found, good in (row for part in parts for row in part):
        failed += not good
        print(f"{'ok  ' if good else 'MISS'}  {what}: {found} (asked {asked})", flush=True)
    print(f"{failed} missed; CPU {time.process_time():.0f} s")


if __name__ == "__main__":
    main()
