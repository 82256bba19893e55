"""Checks that random streams have nothing to do with one another: cards, seats, purposes, neighbouring deals and seeds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from analysis.verify import plain
from analysis.verify.cards import indicators, masks
from analysis.verify.effort import Effort
from analysis.verify.findings import Finding, Outcome, exact, independence, of_chi_square, one_hot, pillai
from analysis.verify.games import before_throw
from simcore.api import deal
from simcore.batch import play_chunk, prepare
from simcore.config import load_bot, load_variant

CALLING = {"extends": "random", "name": "calling", "bidding": {"call_spread": 27}}
FREE = {
    "extends": "bridgette",
    "name": "free_bridgette",
    "auction": {"min_suit_length": 0, "min_jump_length": 0, "jump": "none", "nt_needs_every_suit": False},
}
"""Bridgette in which anything may be bid, so that calls do not depend on cards."""
_BINS = 4
_FEW = 60
_CHUNK = 1 << 15
_SEATS = 4
_MAX_SEED = 2**64 - 1


def check_streams(seed: int, effort: Effort) -> Outcome:
    """Cards, first dealer, exchange, bidding and play of each seat against each other; neighbours against neighbours."""
    from analysis.verify.figures import deviation_figure

    found = Outcome("streams", "independence of the random streams: purposes, seats, neighbouring deals and seeds")
    found.findings += _of_calls(seed, effort.calls)
    found.findings += _of_neighbours(seed, effort.calls)
    for variant in (FREE, "draw_and_discard_bridge"):
        found.findings += _of_features(variant, seed, effort.transcripts)
    found.findings.append(_same_cards(seed))
    found.figures.append(deviation_figure("Pairs of streams", found))
    return found


class _Pairs:
    """Sums for `independence` over many chunks of observations."""

    def __init__(self) -> None:
        self.sums: dict[str, list[Any]] = {}

    def add(self, name: str, one: np.ndarray, other: np.ndarray) -> None:
        """More observations of a pair."""
        both = np.hstack([one, other]).astype(np.float64)
        sums = self.sums.setdefault(name, [0, 0.0, 0.0, one.shape[1]])
        sums[0] += len(both)
        sums[1] = sums[1] + both.sum(axis=0)
        sums[2] = sums[2] + both.T @ both

    def findings(self) -> list[Finding]:
        """One a pair."""
        return [_from_sums(name, *sums) for name, sums in self.sums.items()]


def _from_sums(name: str, n: int, total: np.ndarray, products: np.ndarray, left: int) -> Finding:
    covariance = products / n - np.outer(total / n, total / n)
    return pillai(name, n, covariance, left)


def _columns(seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    """Calls, first dealers and hands of Call Bridge, in which every call is one number drawn."""
    names = ["match", "dealer", *(f"{stem}_{seat}" for stem in ("call", "hand") for seat in range(_SEATS))]
    setup = prepare(load_variant("call_bridge"), [load_bot(CALLING)], seed, "deal", ("hands",))
    return play_chunk(setup, first, count, names=names).deals


def _of_calls(seed: int, deals: int) -> list[Finding]:
    """The bidding streams of four seats, the cards, and the first dealer, within a deal."""
    pairs = _Pairs()
    for first in range(0, deals, _CHUNK):
        table = _columns(seed, first, min(_CHUNK, deals - first))
        calls = [np.eye(11)[table[f"call_{seat}"] - 2] for seat in range(_SEATS)]
        dealer = np.eye(_SEATS)[table["dealer"]]
        for seat in range(_SEATS):
            after = (table["dealer"] + 1) % _SEATS
            pairs.add(f"bidding of seat {seat}, first dealer", calls[seat], dealer)
            hands = np.choose(after, [table[f"hand_{other}"] for other in range(_SEATS)])
            pairs.add(f"bidding of seat {seat}, cards dealt first", calls[seat], indicators(hands, 52))
            pairs.add(f"bidding of seat {seat}, its cards", calls[seat], indicators(table[f"hand_{seat}"], 52))
        pairs.add("cards of seat 0, first dealer", indicators(table["hand_0"], 52), dealer)
        for one, other in combinations(range(_SEATS), 2):
            pairs.add(f"bidding of seats {one} and {other}", calls[one], calls[other])
    return pairs.findings()


def _of_neighbours(seed: int, deals: int) -> list[Finding]:
    """The cards and the calls of one deal, the next deal, and the same deal of the next seed."""
    pairs = _Pairs()
    next_seed = seed + 1 if seed < _MAX_SEED else 0
    for first in range(0, deals, _CHUNK):
        count = min(_CHUNK, deals - first)
        here, there = masks(55, seed, first, count)[0], masks(55, next_seed, first, count)[0]
        cards, others = indicators(here, 55), indicators(there, 55)
        pairs.add("cards of a deal and of the next", cards[:-1], cards[1:])
        pairs.add("cards of a deal and of the next but one", cards[:-2], cards[2:])
        pairs.add("cards of a seed and of the next", cards, others)
        pairs.add("cards of a deal and of the next deal of the next seed", cards[:-1], others[1:])
        table, other = _columns(seed, first, count), _columns(next_seed, first, count)
        calls = np.eye(11)[table["call_0"] - 2]
        pairs.add("bidding in a deal and in the next", calls[:-1], calls[1:])
        pairs.add("bidding under a seed and under the next", calls, np.eye(11)[other["call_0"] - 2])
    return pairs.findings()


def _of_features(variant: Any, seed: int, deals: int) -> list[Finding]:
    """What the streams of a deal were used for first, pair by pair: in games whose rules tie none of it to another.

    Anything may be called, and who leads to the first trick may lead all of his cards.
    """
    rows = [row for line in deal(variant, count=deals, seed=seed, bots="random", unit="deal") if (row := _features(line))]
    name = variant if isinstance(variant, str) else variant["name"]
    tables = {key: _table([row[key] for row in rows]) for key in rows[0] if key not in ("legal", "reply")}
    tied = ({"call, dealer", "call, opponent"},)
    found = [
        independence(f"{name}: {one}; {other}", tables[one], tables[other])
        for one, other in combinations(tables, 2)
        if {one, other} not in tied
    ]
    replies = _replies(f"{name}: play of both seats", rows)
    return [*found, replies] if replies.n else found  # few deals have too few replies alike


def _features(line: dict[str, Any]) -> dict[str, Any]:
    """What was drawn in a deal, by purpose and role; nothing where it was passed out."""
    choices = [choice for choice in plain.follow(line).decisions if not choice.kind.startswith("early")]
    if not choices or choices[0].chosen not in choices[0].legal or choices[1].chosen not in choices[1].legal:
        return {}
    row: dict[str, Any] = {"first dealer": line["dealer"]}
    for event in line["events"][1:]:
        who = "dealer" if event.get("seat") == line["dealer"] else "opponent"
        if event["act"] == "exchange" and who == "opponent":  # he draws two cards, always
            hand = plain.in_draw_order(before_throw(line, event))
            row["throw, opponent"] = [float(card in event["discarded"]) for card in hand]
        elif event["act"] == "choose":
            row.setdefault(f"choose, {who}", []).append(float(event["seen"][0] == event["kept"]))
        elif event["act"] == "call":
            row.setdefault(f"call, {who}", min(event["call"][0], "6") if event["call"][0].isdigit() else event["call"][0])
    row["lead"] = choices[0].legal.index(choices[0].chosen)
    row["legal"], row["reply"] = len(choices[1].legal), choices[1].legal.index(choices[1].chosen)
    first = plain.hand_of(line["events"][0]["hands"][1 - line["dealer"]])
    if first:
        row["cards"] = [float(card in first) for card in plain.DRAW_ORDER]
    return row


def _replies(name: str, rows: list[dict[str, Any]]) -> Finding:
    """The first lead and the reply to it, among replies with the same number of legal cards."""
    value, freedom, n = 0.0, 0, 0
    for legal in range(2, 14):
        same = [row for row in rows if row["legal"] == legal]
        if len(same) < _FEW * legal:
            continue
        lead = one_hot(np.array([row["lead"] * _BINS // 13 for row in same]))
        reply = one_hot(np.array([row["reply"] for row in same]))
        due = np.outer(lead.sum(axis=0), reply.sum(axis=0)) / len(same)
        value += float(((lead.T @ reply - due) ** 2 / due).sum())
        freedom += (lead.shape[1] - 1) * (reply.shape[1] - 1)
        n += len(same)
    return of_chi_square(name, n, value, freedom)


def _table(values: list[Any]) -> np.ndarray:
    if isinstance(values[0], list):
        table = np.array(values, float)
        return table[:, table.std(axis=0) > 0]
    return one_hot(np.array([str(value) for value in values]))


def _same_cards(seed: int) -> Finding:
    """Other bots meet the same cards: a bot's draws never move them."""
    n = 500
    hands = []
    for bot in ("random", "heuristic"):
        setup = prepare(load_variant("call_bridge"), [load_bot(bot)], seed, "deal", ("hands",))
        chunk = play_chunk(setup, 0, n, names=[f"hand_{seat}" for seat in range(_SEATS)]).deals
        hands.append(np.stack(list(chunk.values())))
    moved = np.flatnonzero((hands[0] != hands[1]).any(axis=0))
    return exact("the same cards under other bots", n, [f"deal {number}" for number in moved])
