"""Whether tunings promise what they keep: planted faults, promised improvements, and tables that need no change.

    python -m benchmarks.tuning_honesty --seeds 200

A reduced problem: three free groups of cells, searches over 5,000 deals each, one bidder (plain). Each seed has search deals,
fresh deals and beliefs of its own; what bidders know before there is a candidate is fitted once, on deals of another seed.

The groups are the game awards (750), the slam awards (1500) and all penalties; the measures are the make rate and the shares of
three tiers. Why these: a step of each group moves the four measures in a direction of its own (the singular values of the
problem are printed, in units of the measures). An earlier choice, the awards of 250, of 750 and the undoubled penalties with
three measures, had two tables with the same measures: a larger 250 does what larger penalties do.

Planted: a table whose groups are off (games by 0.75 to 1.25, slams by 0.8 to 1.1, penalties by 0.6 to 1.6); aimed at is what
the sound table does, measured on 100,000 other deals. Counted: cells whose sound value lies in the reported interval of the
factor; promised improvements whose interval holds the true one, measured on the 100,000 deals. Sound: the same search where
nothing is wrong; counted are claims of an improvement. Flat: an objective that is met everywhere.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from analysis.tuning.cells import cells, path_text, table_of, with_cells
from analysis.tuning.evaluator import Evaluator
from analysis.tuning.measures import measures
from analysis.tuning.result import BETTER
from analysis.tuning.search import Searcher
from analysis.tuning.tune import Tuner, check_tuning, groups_of, world_of
from simcore.config import Tuning, load_tuning, load_variant

GROUPS = {"games": ("award=750", 5.0), "slams": ("award=1500", 5.0), "penalties": ("undertricks", 1.0)}
RANGES = {"games": (0.75, 1.25), "slams": (0.8, 1.1), "penalties": (0.6, 1.6)}
"""Factors of faults; awards of neighbouring tiers stay apart."""
UNITS = {"make": ("plain", 0.02), "share 1": ("log", 0.1), "share 2": ("log", 0.1), "share 3": ("log", 0.1)}
"""Measures; tiers by number, since they are named by the awards of the planted table."""
DEALS = {"model": 20_000, "beliefs": 2000, "search": 5000, "final": 5000, "parts": 5}
TRUTH = {**DEALS, "final": 100_000, "parts": 10}
FIT_SEED, TRUTH_SEED = 9001, 9002
N_FAULTS = 5
SEARCH = {"searches": 3, "steps": 2, "damping": [0.1]}
SEARCH_SOUND = {"searches": 2, "steps": 1, "damping": [0.1]}


def faults() -> list[dict[str, float]]:
    """Factors by which the groups are off, drawn once for all."""
    random = np.random.default_rng(2)
    return [{name: float(np.exp(random.uniform(*np.log(RANGES[name])))) for name in GROUPS} for _ in range(N_FAULTS)]


def tuning_of(factors: dict[str, float], targets: list[Any], search: dict[str, Any], seed: int, deals: Any) -> Tuning:
    """The reduced problem; the groups' cells are named by path, since a planted table has other values."""
    sound = load_variant("bridgette")
    paths = {name: list(cells(sound, selector)) for name, (selector, _) in GROUPS.items()}
    wrong = {path: round(value * factors[name], 1) for name, found in paths.items()
             for path in found for value in cells(sound, path_text(path)).values()}  # fmt: skip
    variant = with_cells(sound, wrong)
    free = [{"name": name, "cells": [path_text(path) for path in paths[name]], "low": 0.3, "high": 3, "step": GROUPS[name][1]}
            for name in GROUPS]  # fmt: skip
    return load_tuning({
        "variant": variant.model_dump(mode="json"), "seed": seed, "fit_seed": FIT_SEED, "deals": deals, "free": free,
        "targets": targets or [{"measure": "make", "band": [0, 1], "unit": 1}], "search": search, "distance": {"weight": 0},
        "monotone": {"weight": 0}, "panel": {"bidders": ["plain"], "beside": []}, "played": {"bots": []},
    })  # fmt: skip


_TRUTHS: list[Evaluator] = []


@cache
def problem(number: int) -> tuple[dict[str, float], list[dict[str, Any]], Evaluator]:
    """Factors of a fault (-1: none), what is aimed at, and an evaluator on the deals of the truth."""
    factors = faults()[number] if number >= 0 else dict.fromkeys(GROUPS, 1.0)
    tuning = tuning_of(factors, [], SEARCH, TRUTH_SEED, TRUTH)
    evaluator = Evaluator(world_of(tuning, 1))
    if _TRUTHS:  # the same deals for all
        evaluator.share_deals(_TRUTHS[0])
    _TRUTHS.append(evaluator)
    sound = table_of(groups_of(tuning), [1 / factors[name] for name in GROUPS])
    found = measures(evaluator.judge(sound))
    targets = []
    for text, (scale, unit) in UNITS.items():
        kind, _, tier = text.partition(" ")
        name = f"{kind}_{evaluator.tiers.names[int(tier)]}" if tier else kind
        targets.append({"measure": name, "band": [round(float(found[name][0]), 6)] * 2, "unit": unit, "scale": scale})
    return factors, targets, evaluator


def one(seed: int) -> dict[str, Any]:
    """All tests of one seed."""
    begun = time.process_time()
    number = seed % N_FAULTS
    factors, targets, truth = problem(number)
    result, planted = tuned(factors, targets, SEARCH, seed, truth)
    document = result.as_json()
    true_factors = [1 / factors[name] for name in GROUPS]
    covered = [group["low"] <= true <= group["high"] for group, true in zip(document["groups"], true_factors, strict=True)]
    errors = [float(np.log(group["factor"] / true)) for group, true in zip(document["groups"], true_factors, strict=True)]
    ones = [1.0] * len(GROUPS)
    value = result.objective.value
    before = value(truth.judge({}), ones, with_distance=False)[0]
    after = value(truth.judge(result.values), result.factors.tolist(), True, False)[0]
    gain = result.gain()
    found = {
        "seed": seed, "fault": number, "covered": covered, "errors": errors, "promised": gain, "true": float(before - after),
        "held": bool(gain["low"] <= before - after <= gain["high"]), "better": result.verdict() == BETTER,
        "before": float(before), "after": float(after),
    }  # fmt: skip
    factors, targets, truth = problem(-1)
    result, sound = tuned(factors, targets, SEARCH_SOUND, seed, truth, planted)
    found["sound_claimed"] = result.verdict() == BETTER
    found["flat_claimed"] = tuned(factors, [], SEARCH_SOUND, seed, truth, sound)[0].verdict() == BETTER
    return {**found, "seconds": time.process_time() - begun}


def tuned(
    factors: dict[str, float], targets: list[dict[str, Any]], search: dict[str, Any], seed: int, truth: Evaluator,
    like: Evaluator | None = None,
) -> tuple[Any, Evaluator]:
    """A tuning from beginning to end; what bidders know is shared, and the deals of an evaluator of the same seed."""
    tuning = tuning_of(factors, targets, search, seed, DEALS)
    _, objective = check_tuning(tuning)
    evaluator = Evaluator(world_of(tuning, 1))
    evaluator.share(truth)
    if like is not None:
        evaluator.share_deals(like)
        if like.world.variant == tuning.variant:
            evaluator.found = like.found
    return Tuner(tuning, objective, evaluator, lambda text: None).run(), evaluator


def singular_values() -> list[float]:
    """Of the reduced problem at the sound table: how well its measures tell its groups apart."""
    factors, targets, truth = problem(-1)
    tuning = tuning_of(factors, targets, SEARCH, TRUTH_SEED, {**TRUTH, "search": 50_000})
    _, objective = check_tuning(tuning)
    evaluator = Evaluator(world_of(tuning, 1))
    evaluator.share(truth)
    searcher = Searcher(evaluator, objective, "search 0")
    bound = np.full(len(GROUPS), 1.0)
    return np.linalg.svd(searcher._jacobian(np.zeros(len(GROUPS)), -bound, bound), compute_uv=False).tolist()


def told(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The shares that count."""
    n = len(rows)
    covered = np.array([row["covered"] for row in rows])
    flat = [row["flat_claimed"] for row in rows]
    return {
        "seeds": n,
        "brought back, by cell": {name: f"{covered[:, i].mean():.1%}" for i, name in enumerate(GROUPS)},
        "brought back, all cells of a seed": f"{covered.all(axis=1).mean():.1%}",
        "root mean square error of ln": {name: round(float(np.sqrt(np.mean([row["errors"][i] ** 2 for row in rows]))), 4)
                                         for i, name in enumerate(GROUPS)},
        "promised improvement held": f"{np.mean([row['held'] for row in rows]):.1%}",
        "planted fault: said to be better": f"{np.mean([row['better'] for row in rows]):.1%}",
        "sound table: improvement claimed": f"{np.mean([row['sound_claimed'] for row in rows]):.1%}",
        "flat objective: improvement claimed": f"{sum(flat)} of {len(flat)}",
        "mean objective before, after": [round(float(np.mean([row[name] for row in rows])), 2) for name in ("before", "after")],
        "CPU seconds": round(sum(row["seconds"] for row in rows)),
    }  # fmt: skip


def main() -> None:
    """Run all seeds, and go on where an earlier call ended."""
    parser = argparse.ArgumentParser(description="Whether tunings promise what they keep.")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/tuning_honesty.jsonl"))
    wanted = parser.parse_args()
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: several threads only wait for each other
    rows = [json.loads(line) for line in wanted.out.read_text().splitlines()] if wanted.out.is_file() else []
    rows = [row for row in rows if row["seed"] < wanted.seeds]
    left = sorted(set(range(wanted.seeds)) - {row["seed"] for row in rows})
    with ProcessPoolExecutor(wanted.processes, mp_context=get_context("spawn")) as pool, wanted.out.open("a") as stream:
        for future in as_completed([pool.submit(one, seed) for seed in left]):
            rows.append(future.result())
            stream.write(json.dumps(rows[-1]) + "\n")
            stream.flush()
    print(json.dumps({**told(rows), "singular values": [round(value, 1) for value in singular_values()]}, indent=1))


if __name__ == "__main__":
    main()
