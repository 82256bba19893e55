"""Checks of the cards: hands against exact values, cards and places, pairs of cards in a hand, neighbours in the stock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import perm
from typing import Any

import numpy as np

from analysis.verify import exact_shares, plain
from analysis.verify.effort import Effort
from analysis.verify.findings import Finding, Outcome, fit, largest, of_chi_square
from simcore.api import deal
from simcore.batch import play_chunk, prepare
from simcore.columns import CARD_NAMES
from simcore.config import load_bot, load_variant

PACKS = {52: [], 55: ["grand", "royal", "little"]}
PASSING = {"extends": "random", "name": "passing", "bidding": {"double_percent": 0, "pass_percent": 100}}
_CHUNK = 1 << 16
_HAND = exact_shares.HAND
_HCP = np.array([{"A": 4, "K": 3, "Q": 2, "J": 1}.get(name[1], 0) if name[0] in plain.SUITS else 0 for name in CARD_NAMES])


@dataclass(slots=True)
class Dealt:
    """Counts over many deals of one pack, by seat.

    Attributes
    ----------
    n : int
    single : ndarray
        Deals in which the seat held the card.
    pairs : ndarray
        Deals in which it held both cards.
    lengths, points, colons : ndarray
        Deals by seat, suit and length; by points; by colons.
    shapes : list of dict
        Deals by shape, a dict a seat.
    repeated : int
        Deals that came twice.
    """

    n: int
    single: np.ndarray
    pairs: np.ndarray
    lengths: np.ndarray
    points: np.ndarray
    colons: np.ndarray
    shapes: list[dict[tuple[int, ...], int]]
    repeated: int


def masks(pack: int, seed: int, first: int, count: int) -> np.ndarray:
    """Hands of both seats as the kernels deal them, as masks of 55 bits."""
    variant = load_variant(
        {"extends": "bridgette", "name": "dealt", "exchange": {"kind": "none"}, "deck": {"colons": PACKS[pack]}}
    )
    setup = prepare(variant, [load_bot(PASSING)], seed, "deal", ("hands",))
    chunk = play_chunk(setup, first, count, names=("hand_0", "hand_1")).deals
    return np.stack([chunk["hand_0"], chunk["hand_1"]])


def indicators(hands: np.ndarray, pack: int) -> np.ndarray:
    """A row a hand, a column a card."""
    bits = (hands[:, None] >> np.arange(pack, dtype=np.uint64)) & np.uint64(1)
    return bits.astype(np.float32)


def dealt(pack: int, seed: int, deals: int) -> Dealt:
    """Count over so many deals."""
    found = Dealt(
        n=deals,
        single=np.zeros((2, pack)),
        pairs=np.zeros((2, pack, pack)),
        lengths=np.zeros((2, 4, _HAND + 1), np.int64),
        points=np.zeros((2, exact_shares.MOST_POINTS + 1), np.int64),
        colons=np.zeros((2, pack - 51), np.int64),
        shapes=[{}, {}],
        repeated=0,
    )
    suits = np.zeros((pack, 5), np.float32)
    for card in range(pack):
        suits[card, card // _HAND if card < 52 else 4] = 1
    seen: list[np.ndarray] = []
    for first in range(0, deals, _CHUNK):
        both = masks(pack, seed, first, min(_CHUNK, deals - first))
        seen.append(both[0] * np.uint64(0x9E3779B97F4A7C15) ^ both[1])
        for seat in range(2):
            held = indicators(both[seat], pack)
            found.single[seat] += held.sum(axis=0)
            found.pairs[seat] += held.T @ held
            of_suit = (held @ suits).astype(np.int64)
            for suit in range(4):
                found.lengths[seat, suit] += np.bincount(of_suit[:, suit], minlength=_HAND + 1)
            found.colons[seat] += np.bincount(of_suit[:, 4], minlength=pack - 51)
            points = (held @ _HCP[:pack].astype(np.float32)).astype(np.int64)
            found.points[seat] += np.bincount(points, minlength=len(found.points[seat]))
            _count_shapes(found.shapes[seat], of_suit[:, :4])
    found.repeated = deals - len(np.unique(np.concatenate(seen)))
    return found


def _count_shapes(shapes: dict[tuple[int, ...], int], of_suit: np.ndarray) -> None:
    sorted_lengths = np.sort(of_suit, axis=1)[:, ::-1]
    codes = sorted_lengths @ np.array([14**3, 14**2, 14, 1])
    for code, count in zip(*np.unique(codes, return_counts=True), strict=True):
        shape = tuple(int(code) // 14**power % 14 for power in (3, 2, 1, 0))
        shapes[shape] = shapes.get(shape, 0) + int(count)


# --- the checks -------------------------------------------------------------------------------------------------------


def check_hands(seed: int, effort: Effort) -> Outcome:
    """Lengths, shapes, high cards and colons against exact values."""
    from analysis.verify.figures import shape_figure, share_figure

    found = Outcome("hands", "hand shapes, high cards and colon counts against exact values")
    for pack in PACKS:
        counts = effort.shared(f"dealt{pack}", partial(dealt, pack, seed, effort.deals))
        exact_lengths, exact_points = exact_shares.lengths(pack), exact_shares.points(pack)
        shapes = exact_shares.shapes(pack)
        for seat in range(2):
            where = f"{pack} cards, seat {seat}"
            for suit, letter in enumerate(plain.SUITS):
                found.findings.append(fit(f"{where}: length in {letter}", counts.lengths[seat, suit], exact_lengths))
            found.findings.append(fit(f"{where}: high-card points", counts.points[seat], exact_points))
            found.findings.append(_shapes_found(where, counts.shapes[seat], shapes))
            if pack > 52:
                found.findings.append(fit(f"{where}: colons", counts.colons[seat], exact_shares.colons(pack)))
        found.findings.append(Finding(f"{pack} cards: deals that came twice", counts.n, None, counts.repeated))
        found.figures.append(shape_figure(pack, counts.shapes, shapes))
        found.figures.append(share_figure(f"High-card points, {pack} cards", "points", counts.points.sum(0), exact_points))
    return found


def _shapes_found(where: str, counts: dict[tuple[int, ...], int], shapes: dict[tuple[int, ...], float]) -> Finding:
    strange = sum(count for shape, count in counts.items() if shape not in shapes)
    if strange:
        return Finding(f"{where}: shapes", sum(counts.values()), None, strange, "shapes that cannot be")
    return fit(f"{where}: shapes", [counts.get(shape, 0) for shape in shapes], list(shapes.values()))


def check_pairs(seed: int, effort: Effort) -> Outcome:
    """Every pair of cards in a hand; pairs of neighbours in the stock."""
    from analysis.verify.figures import pair_figure

    found = Outcome("pairs", "pairs of cards in a hand, pairs of neighbours in the stock")
    for pack in PACKS:
        counts = effort.shared(f"dealt{pack}", partial(dealt, pack, seed, effort.deals))
        for seat in range(2):
            name = f"{pack} cards, seat {seat}"
            finding, z = pair_findings(name, counts.pairs[seat], counts.n, pack)
            found.findings += finding
            if seat == 0:
                found.figures.append(pair_figure(pack, z, [CARD_NAMES[card] for card in range(pack)]))
        found.findings += list(_neighbours(pack, effort.shared(f"stock{pack}", partial(stock, pack, seed, effort))))
    return found


def pair_findings(name: str, pairs: np.ndarray, n: int, pack: int) -> tuple[list[Finding], np.ndarray]:
    """Pairs of cards in one hand of thirteen.

    The counts of pairs have a covariance that depends on how many cards two pairs share, so its eigenspaces are those of the
    triangular graph: all pairs alike, differences of cards, and the rest. In each the squared length over the eigenvalue is
    a chi-square.
    """
    share2 = _HAND * (_HAND - 1) / (pack * (pack - 1))
    share3 = perm(_HAND, 3) / perm(pack, 3)
    share4 = perm(_HAND, 4) / perm(pack, 4)
    upper = np.triu_indices(pack, 1)
    away = pairs - n * share2
    np.fill_diagonal(away, 0)
    of_cards = away.sum(axis=1)
    card_part = (of_cards[:, None] + of_cards[None, :])[upper] / (pack - 2)
    card_part -= card_part.mean()
    rest = away[upper] - card_part - away[upper].mean()
    found = []
    for what, part, theta, freedom in (("cards", card_part, pack - 4, pack - 1), ("pairs", rest, -2, pack * (pack - 3) // 2)):
        eigenvalue = n * ((share2 - share2**2) + theta * (share3 - share2**2) - (1 + theta) * (share4 - share2**2))
        found.append(of_chi_square(f"{name}: {what}", n, float((part**2).sum()) / eigenvalue, freedom))
    deviates = away / np.sqrt(n * share2 * (1 - share2))
    return [*found, largest(f"{name}: every pair", n, deviates[upper])], deviates


# --- places -----------------------------------------------------------------------------------------------------------


def stock(pack: int, seed: int, effort: Effort) -> np.ndarray:
    """Cards by place as transcripts show them, a row a deal: both hands' cards are not in order, the stock's are.

    With 52 cards nobody is dealt any (Draw and Discard), so that all places are in order.
    """
    base = "draw_and_discard_bridge" if pack == 52 else "bridgette"
    config = {"variant": base, "bots": [PASSING, PASSING]}
    numbers = {name: number for number, name in enumerate(CARD_NAMES)}
    rows = []
    for line in deal(config, count=effort.stocks, seed=seed, unit="deal"):
        event = line["events"][0]
        rows.append([numbers[card] for card in ([event["upcard"]] if event["upcard"] else []) + event["stock"]])
    return np.array(rows)


def check_positions(seed: int, effort: Effort) -> Outcome:
    """Every card comes to every place equally often."""
    from analysis.verify.figures import place_figure

    found = Outcome("positions", "every card comes to every place: hands, turned card, places of the stock")
    for pack in PACKS:
        counts = effort.shared(f"dealt{pack}", partial(dealt, pack, seed, effort.deals))
        share = _HAND / pack
        for seat in range(2):
            away = (counts.single[seat] - counts.n * share) / np.sqrt(counts.n * share * (1 - share))
            name = f"{pack} cards, hand of seat {seat}"
            found.findings.append(of_chi_square(name, counts.n, float((away**2).sum() * (pack - 1) / pack), pack - 1))
            found.findings.append(largest(f"{name}: every card", counts.n, away))
        places = effort.shared(f"stock{pack}", partial(stock, pack, seed, effort))
        table = np.stack([np.bincount(column, minlength=pack) for column in places.T])
        n = len(places)
        for place, row in enumerate(table):
            found.findings.append(fit(f"{pack} cards, place {place}", row, np.full(pack, 1 / pack)))
        away = (table - n / pack) / np.sqrt(n / pack * (1 - 1 / pack))
        found.findings.append(largest(f"{pack} cards: every card at every place", n, away))
        found.figures.append(place_figure(pack, away, [CARD_NAMES[card] for card in range(pack)]))
    return found


def _neighbours(pack: int, places: np.ndarray) -> Iterator[Finding]:
    """Ranks and suits of neighbours in the stock, within a group of six that share a word and across its border."""
    n_places = places.shape[1]
    for classes, name in ((_RANK, "ranks"), (_SUIT, "suits")):
        of_card = np.array(classes[:pack])
        size = np.bincount(of_card)
        k = len(size)
        due = (size[:, None] * size[None, :] - np.diag(size)) / (pack * (pack - 1))
        for left, right in ((0, 1), (1, 2), (5, 6), (11, 12), (n_places - 2, n_places - 1), (0, n_places - 1)):
            table = np.zeros((k, k))
            np.add.at(table, (of_card[places[:, left]], of_card[places[:, right]]), 1)
            yield fit(f"{pack} cards, {name} at places {left} and {right}", table.ravel(), due.ravel())


_RANK: list[Any] = [card % _HAND if card < 52 else _HAND for card in range(55)]
_SUIT: list[Any] = [card // _HAND for card in range(55)]
