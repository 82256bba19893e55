"""What a make is in a run, by the kind of its auction: the rows that are made or not, how they are grouped, what else is told.

Contracts and bids of steps: a row is a deal that was played. Calls: a row is a seat's call; the calls of a deal depend on
each other, so they are one cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analysis.load import Key, RunData
from simcore.columns import STRAIN_NAMES

CONTRACT = ("level", "strain", "doubling")
"""The columns that make a contract; groupings by these show contracts that nobody bid."""
CALL = ("call",)
BID = ("bid", "alone")
DEFAULT_GROUPS = {"bridge": CONTRACT, "calls": CALL, "steps": BID}
"""By kind of the auction: the columns that rates are grouped by unless told otherwise."""
SHARES = {"bridge": ("passed_out", "contested"), "calls": (), "steps": ("passed_out",)}
"""By kind of the auction: columns of deals whose shares are reported beside the rates."""
SEAT_STEMS = ("call", "made", "tricks", "hcp")
"""Columns of each seat that belong to its call."""
SEAT_GROUPS = ("call", "bonus", "seat", "position", "tricks", "hcp", "dealer")
"""Columns that the calls of all seats can be grouped by; position 0 calls and leads first."""


def auction_kind(data: RunData) -> str:
    """Kind of the auction of a run: ``bridge``, ``calls`` or ``steps``."""
    return str(data.rules["auction"]["kind"])


def is_clustered(data: RunData) -> bool:
    """Whether several rows of a rate come from one match or deal."""
    return data.clustered or auction_kind(data) == "calls"


def possible_groups(rules: dict[str, Any], by: Sequence[str]) -> Iterator[Key]:
    """Groups that can occur in a variant, some more than once where `by` leaves a column out; none for other columns.

    Parameters
    ----------
    rules : dict
        The resolved variant.
    by : sequence of str
        The grouping columns.

    Yields
    ------
    tuple
        Values in the order of `by`.
    """
    auction = rules["auction"]
    if not by or not set(by) <= set(DEFAULT_GROUPS[auction["kind"]]):
        return
    for found in _POSSIBLE[auction["kind"]](rules):
        yield tuple(found[name] for name in by)


def _possible_contracts(rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    lowest = rules["auction"]["lowest_bid"]
    floor = (int(lowest[0]), STRAIN_NAMES.index(lowest[1:]))
    doublings = (1, 2, 4) if rules["auction"]["doubles"] else (1,)
    award = rules["scoring"].get("award")
    for place, strain in enumerate(STRAIN_NAMES):
        for level in range(8):
            exists = award[strain][level] is not None if award else level > 0 or strain == STRAIN_NAMES[-1]
            if exists and (level, place) >= floor:
                for doubling in doublings:
                    yield {"level": level, "strain": strain, "doubling": doubling}


def _possible_calls(rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    highest = rules["auction"]["max"]
    cards = rules["deal"]["cards"]
    if isinstance(cards, dict):
        cards = cards[str(rules["players"])]
    for call in range(int(rules["auction"]["min"]), int(cards if highest == "cards" else highest) + 1):
        yield {"call": call}


def _possible_bids(rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for bid in rules["auction"]["bids"]:
        for alone in (False, True) if rules["auction"]["alone"] else (False,):
            yield {"bid": int(bid), "alone": alone}


_POSSIBLE = {"bridge": _possible_contracts, "calls": _possible_calls, "steps": _possible_bids}


def seat_columns(players: int) -> list[str]:
    """Columns of the deals table that `stack_seats` needs."""
    return ["match", "dealer", *(f"{stem}_{seat}" for seat in range(players) for stem in SEAT_STEMS)]


def stack_seats(piece: pa.Table, rules: dict[str, Any]) -> pa.Table:
    """Calls of all seats, one row each, in deal order.

    Parameters
    ----------
    piece : pyarrow.Table
        Rows of the deals table with `seat_columns`.
    rules : dict
        The resolved variant.

    Returns
    -------
    pyarrow.Table
        match, made and `SEAT_GROUPS`.
    """
    players, n = int(rules["players"]), piece.num_rows
    dealer = piece["dealer"].to_numpy()
    bonus_from = rules["scoring"]["bonus_from"]
    parts = []
    for seat in range(players):
        own = {stem: piece[f"{stem}_{seat}"] for stem in SEAT_STEMS}
        own |= {"match": piece["match"], "dealer": piece["dealer"]}
        own["seat"] = pa.chunked_array([np.full(n, seat, np.int8)])
        own["position"] = pa.chunked_array([((seat - dealer - 1) % players).astype(np.int8)])
        is_bonus = pc.greater_equal(own["call"], bonus_from) if bonus_from is not None else np.zeros(n, bool)
        own["bonus"] = is_bonus if bonus_from is not None else pa.chunked_array([is_bonus])
        parts.append(pa.table(own))
    order = np.arange(players * n).reshape(players, n).T.ravel()
    return pa.concat_tables(parts).take(order)
