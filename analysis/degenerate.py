"""Alarms: what is degenerate about the auctions of a run, in words; for reports of rates and scores."""

from __future__ import annotations

from typing import Any

from analysis.auctions import CONTRACT, auction_kind
from analysis.load import open_run
from analysis.rates import RatesReport, make_rates
from analysis.tuning.measures import alarms as of_measures
from analysis.tuning.measures import tiers_of
from simcore.codes import BOOK, N_LEVELS, N_STRAINS
from simcore.columns import STRAIN_NAMES
from simcore.config import load_variant
from simcore.notation import Contract
from simcore.phases.scoring.contracts import result_tenths
from simcore.places import Place
from simcore.runs import RunResult


def alarms(run: RunResult | Place | str) -> list[str]:
    """What is degenerate about the auctions of a run.

    Parameters
    ----------
    run : RunResult, Path or str
        The run or its directory.

    Returns
    -------
    list of str
        Sentences: overbidding is free, nearly every double is redoubled, most deals are passed out, few contracts are made,
        contracts of a tier are never used. Empty for games without contracts and where contracts were imposed.
    """
    data = open_run(run)
    return alarms_of(make_rates(run, CONTRACT), data.rules) if auction_kind(data) == "bridge" else []


def alarms_of(report: RatesReport, rules: dict[str, Any]) -> list[str]:
    """The same, where the make rates of all contracts that were bid are at hand.

    Parameters
    ----------
    report : RatesReport
        By `CONTRACT`, of all rows of a run.
    rules : dict
        The run's resolved variant.

    Returns
    -------
    list of str
        Sentences.
    """
    if report.total is None or tuple(report.by) != CONTRACT or report.where is not None:
        return []
    variant = load_variant(rules)
    tiers = tiers_of(variant)
    counts = dict.fromkeys(("doubled", "redoubled", "level_7", "zero"), 0)
    by_tier = [0] * len(tiers.names)
    for row in report.rows:
        level, strain, doubling = row.key
        n, place = row.rate.n, STRAIN_NAMES.index(strain)
        by_tier[tiers.of_bid[N_STRAINS * level + place]] += n
        counts["doubled"] += n if doubling > 1 else 0
        counts["redoubled"] += n if doubling > 2 else 0
        counts["level_7"] += n if level == N_LEVELS - 1 else 0
        if not result_tenths(variant.scoring, Contract(level, place, (1, 2, 4).index(doubling)), BOOK + level - 1):
            counts["zero"] += n - row.made
    contracts = report.total.rate.n
    passed = report.passed_out
    deals = contracts if passed is None else passed.n
    share_passed = 0.0 if passed is None or passed.estimate is None else passed.estimate
    found: dict[str, float | None] = {"make": report.total.rate.estimate, "passed_out": share_passed}
    if contracts:
        found["level_7"] = counts["level_7"] / contracts
        found |= {f"share_{name}": n / contracts for name, n in zip(tiers.names, by_tier, strict=True)}
    if counts["doubled"]:
        found["redoubled_of_doubled"] = counts["redoubled"] / counts["doubled"]
    if deals:
        found["doubled"] = counts["doubled"] / deals
        found["zero"] = share_passed + counts["zero"] / deals
    return of_measures(found, tiers.names, contracts)
