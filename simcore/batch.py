"""Chunks of matches: from a checked variant, bots and a seed to columns of results.

`play_chunk` releases the interpreter lock while kernels run, so a thread pool over chunks uses all cores. What a chunk holds depends on
(seed, rules, bots, match numbers) alone, never on chunking or threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simcore import codes
from simcore._jit import mark_cache_warm
from simcore.cards import BORDER_CARD
from simcore.columns import STRAIN_NAMES, deal_columns
from simcore.course import DealColumns, MatchColumns, play_matches
from simcore.errors import InputError
from simcore.rules import Rules, build_rules
from simcore.table import Given, Record, new_record, new_table, no_given_deals

if TYPE_CHECKING:
    from simcore.config import Bot, Variant

MAX_SEED = 2**64 - 1
_MAX_PARAMS = 32
_PAGE, _CACHE_LINE = 4096, 64


class Bots(NamedTuple):
    """Policies and parameters by seat, as the kernels read them."""

    exchange: np.ndarray
    """int64[seat]: `ExchangePolicy`."""
    bidding: np.ndarray
    play: np.ndarray
    exchange_params: np.ndarray
    """int64[seat, i]: parameters of the policy."""
    bidding_params: np.ndarray
    play_params: np.ndarray


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that results depend on, but for the match numbers.

    Attributes
    ----------
    variant : Variant
    bots : tuple of Bot
        One a seat.
    seed : int
        0 .. 2^64 - 1.
    unit : {"match", "deal"}
    contracts : {"auction", "all"}
        What is played: what the bots bid, or every strain from both sides as well.
    given : Given
        The user's own deals (`simcore.given`), or none.
    """

    variant: Variant
    bots: tuple[Bot, ...]
    seed: int
    unit: str
    rules: Rules
    bot_table: Bots
    contracts: str = "auction"
    given: Given = field(default_factory=no_given_deals)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Results of consecutive matches.

    Attributes
    ----------
    deals : dict of str to ndarray
        Raw columns of `simcore.columns.deal_columns`, one row a deal in (match, deal) order.
    matches : dict of str to ndarray
        Raw columns of `simcore.columns.match_columns`, one row a match; empty for ``unit: deal``.
    record : Record or None
        Every decision, where asked for.
    """

    deals: dict[str, np.ndarray]
    matches: dict[str, np.ndarray]
    record: Record | None = None

    @property
    def n_deals(self) -> int:
        """Rows of the deals table."""
        return len(self.deals["match"])


def _build_bots(bots: Sequence[Bot]) -> Bots:
    from simcore.config import policy_params

    def table(stage: str) -> np.ndarray:
        rows = np.zeros((len(bots), _MAX_PARAMS), np.int64)
        for seat, bot in enumerate(bots):
            params = policy_params(getattr(bot, stage))
            rows[seat, : len(params)] = params
            if getattr(bot, stage).policy == "random" and stage == "bidding":
                np.cumsum(rows[seat, : codes.N_LEVELS], out=rows[seat, : codes.N_LEVELS])
        return rows

    def policies(stage: str, enum: Any) -> np.ndarray:
        return np.array([int(enum[getattr(bot, stage).policy.upper()]) for bot in bots], np.int64)

    return Bots(
        exchange=policies("exchange", codes.ExchangePolicy),
        bidding=policies("bidding", codes.BiddingPolicy),
        play=policies("play", codes.PlayPolicy),
        exchange_params=table("exchange"),
        bidding_params=table("bidding"),
        play_params=table("play"),
    )


def prepare(variant: Variant, bots: Sequence[Bot], seed: int, unit: str = "match", contracts: str = "auction") -> Setup:
    """Check what belongs together and build what the kernels read.

    Parameters
    ----------
    variant : Variant
    bots : sequence of Bot
        One a seat, or a single one for every seat.
    seed : int
        0 .. 2^64 - 1.
    unit : {"match", "deal"}
        Whole matches, or independent deals.
    contracts : {"auction", "all"}
        ``all``: also play every strain from both sides on each deal and keep the trick table.

    Returns
    -------
    Setup

    Raises
    ------
    InputError
        For a wrong number of bots, a seed out of range or an unknown unit.
    """
    if len(bots) == 1:
        bots = tuple(bots) * variant.players
    if len(bots) != variant.players:
        raise InputError(f"bots: {len(bots)} given, but {variant.name} has {variant.players} seats: name one, or one a seat")
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed {seed} is out of range; allowed: 0 .. {MAX_SEED} (2^64 - 1)")
    for name, value, allowed in (("unit", unit, ("match", "deal")), ("contracts", contracts, ("auction", "all"))):
        if value not in allowed:
            raise InputError(f"{name} {value!r} is not allowed; allowed: {', '.join(allowed)}")
    return Setup(
        variant=variant,
        bots=tuple(bots),
        seed=seed,
        unit=unit,
        rules=build_rules(variant, unit),
        bot_table=_build_bots(bots),
        contracts=contracts,
    )


def new_deal_columns(players: int, rows: int, with_trick_table: bool = False) -> DealColumns:
    """Columns for `rows` deals.

    The small columns lie one behind the other, each a page and a cache line longer than whole pages: at equal
    distances within a page they would all fight for the same lines of the cache.
    """
    stride = -(-rows // _PAGE) * _PAGE + _CACHE_LINE
    n_small = codes.DealColumn.SEATS + players * codes.SeatColumn.END
    return DealColumns(
        match=np.empty(rows, np.int64),
        deal=np.empty(rows, np.int32),
        points=np.empty((players, rows), np.int32),
        small=np.empty((n_small, stride), np.int8),
        trick_table=np.empty((players * codes.N_STRAINS, stride if with_trick_table else 0), np.int8),
    )


def new_match_columns(players: int, rows: int) -> MatchColumns:
    """Empty columns for `rows` matches."""
    return MatchColumns(
        match=np.empty(rows, np.int64),
        deals=np.empty(rows, np.int32),
        totals=np.empty((players, rows), np.int64),
        winner=np.empty(rows, np.int8),
        finished=np.empty(rows, np.bool_),
    )


def longest_match(rules: Rules) -> int:
    """Most deals a match can have."""
    match = rules.match
    counted = match.deals + {codes.Tie.DRAW: 0, codes.Tie.EXTRA_DEAL_THEN_DRAW: 1}.get(
        codes.Tie(match.tie), codes.MAX_EXTRA_DEALS
    )
    longest = counted * (1 + codes.MAX_REDEALS * match.redeal)
    return min(longest, match.max_deals) if match.max_deals else longest


def _raw_column(columns: DealColumns, name: str, rows: int) -> np.ndarray:
    """The raw array behind one named column of the deals table."""
    if name in ("match", "deal"):
        return getattr(columns, name)[:rows]
    stem, _, last = name.rpartition("_")
    if not last.isdigit():
        raw = columns.small[codes.DealColumn[name.upper()], :rows]
        if name == "upcard":
            return BORDER_CARD[raw]
        return raw.view(np.bool_) if name in ("passed_out", "contested") else raw
    seat = int(last)
    if stem.startswith("tricks_"):
        return columns.trick_table[codes.N_STRAINS * seat + STRAIN_NAMES.index(stem[len("tricks_") :]), :rows]
    if stem == "points":
        return columns.points[seat, :rows]
    block = codes.DealColumn.SEATS + seat * codes.SeatColumn.END
    if stem.startswith("len_"):
        return columns.small[block + codes.SeatColumn.LENGTHS + STRAIN_NAMES.index(stem[len("len_") :]), :rows]
    return columns.small[block + codes.SeatColumn[stem.upper()], :rows]


def _raw_match_columns(columns: MatchColumns, rows: int) -> dict[str, np.ndarray]:
    named = {"match": columns.match[:rows], "deals": columns.deals[:rows]}
    for seat in range(columns.totals.shape[0]):
        named[f"total_{seat}"] = columns.totals[seat, :rows]
    return named | {"winner": columns.winner[:rows], "finished": columns.finished[:rows]}


def play_chunk(setup: Setup, first_match: int, n_matches: int, with_record: bool = False) -> Chunk:
    """Play consecutive matches.

    Parameters
    ----------
    setup : Setup
    first_match : int
        Number of the first match.
    n_matches : int
        How many.
    with_record : bool
        Also keep every decision, for transcripts.

    Returns
    -------
    Chunk
        One row a deal and one a match, in order.
    """
    players = setup.variant.players
    longest = longest_match(setup.rules)
    usual = min(longest, setup.rules.match.deals + 1)
    rows = n_matches * usual + longest
    while True:
        deals = new_deal_columns(players, rows, setup.contracts == "all")
        matches = new_match_columns(players, n_matches)
        record = new_record(max(rows, 2) if with_record else 1)
        n_rows, n_played = play_matches(
            setup.rules,
            setup.bot_table,
            np.uint64(setup.seed),
            np.uint64(first_match),
            np.int64(n_matches),
            setup.given,
            new_table(),
            record,
            deals,
            matches,
        )
        if n_played == n_matches:
            break
        rows *= 2  # matches ran longer than usual: everything is played again, with room
    mark_cache_warm()
    named = {c.name: _raw_column(deals, c.name, n_rows) for c in deal_columns(setup.variant, setup.contracts)}
    by_match = _raw_match_columns(matches, n_matches) if setup.unit == "match" else {}
    return Chunk(named, by_match, record if with_record else None)
