"""Checks of random bots: each of the legal choices is taken equally often, and calls as often as they say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis.verify import plain
from analysis.verify.effort import Effort
from analysis.verify.findings import Finding, Outcome, fit, of_chi_square
from analysis.verify.games import Seen, all_seen
from simcore.config import load_bot, load_variant

_LEVELS = range(1, 8)
_EXPECTED = 5


def check_choices(seed: int, effort: Effort) -> Outcome:
    """Plays, discards, kept cards and calls of random bots in every shipped variant."""
    from analysis.verify.figures import choice_figure

    found = Outcome("choices", "choices of random bots among the legal ones: plays, discards, kept cards, calls")
    of_random = [seen for seen in all_seen(seed, effort) if seen.bot == "random"]
    for seen in of_random:
        for kind, by_number in sorted(seen.choices.items()):
            found.findings.append(even(f"{seen.variant}: {kind}", by_number, int(kind.split()[1]) if "throw" in kind else 1))
        found.findings += list(_openings(seen))
    found.figures.append(choice_figure(of_random))
    return found


def even(name: str, by_number: dict[int, np.ndarray], at_once: int = 1) -> Finding:
    """Whether each of n choices is taken equally often, for all n together; `at_once` of them are taken together."""
    value, freedom, n = 0.0, 0, 0
    for number, counts in by_number.items():
        total = int(counts.sum())
        due = total / number
        n += total
        if number == 1 or due < _EXPECTED:
            continue
        spread = due * (1 - at_once / number) * number / (number - 1)
        value += float(((counts - due) ** 2).sum() / spread)
        freedom += number - 1
    return of_chi_square(name, n, value, freedom)


def _openings(seen: Seen) -> Iterator[Finding]:
    """The first call of an auction, where anything may be called."""
    rules = load_variant(seen.variant).model_dump(mode="json")
    bidding = load_bot("random").model_dump(mode="json")["bidding"]
    auction = rules["auction"]
    if auction["kind"] == "calls":
        highest = rules["deal"]["cards"] if auction["max"] == "cards" else auction["max"]
        calls = [str(call) for call in range(auction["min"], min(highest, auction["min"] + bidding["call_spread"]) + 1)]
        yield fit(f"{seen.variant}: first call", *_counted(seen, dict.fromkeys(calls, 1 / len(calls))))
    elif auction["kind"] == "bridge" and auction["min_suit_length"] == 0:
        weights = bidding["level_weights"]
        total, passes = sum(weights), bidding["pass_percent"] / 100
        shares = {"Pass": passes + (1 - passes) * weights[0] / total}
        for level in _LEVELS:
            each = (1 - passes) * sum(weights[top] / (5 * top) for top in range(level, 8)) / total
            shares |= {f"{level}{strain}": each for strain in (*plain.SUITS, "NT")}
        yield fit(f"{seen.variant}: first call", *_counted(seen, shares))


def _counted(seen: Seen, shares: dict[str, float]) -> tuple[list[int], list[float]]:
    """Counts and shares, with a last group of share 0 for calls that cannot be."""
    others = sum(count for call, count in seen.openings.items() if call not in shares)
    return [*(seen.openings[call] for call in shares), others], [*shares.values(), 0.0]
