"""Chunks of matches: from a checked variant, bots and a seed to columns of results.

`play_chunk` releases the interpreter lock while kernels run, so a thread pool over chunks uses all cores. What a
chunk holds depends on (seed, rules, bots, match numbers) alone, never on chunking or threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore import codes
from simcore._jit import mark_cache_warm
from simcore.bot_table import (
    Bots,
    ask_the_solver,
    build_bots,
    python_bots,
    refuse_unknown_stages,
    refuse_unsampled,
    refuse_unsolved,
)
from simcore.cards import BORDER_CARD
from simcore.columns import CARD_GROUPS, CARD_STEMS, STRAIN_NAMES, deal_columns, group_columns
from simcore.course import DealColumns, MatchColumns, play_matches
from simcore.course_shedding import play_shedding_matches
from simcore.errors import InputError
from simcore.hands import border_masks
from simcore.plugins import STAGES
from simcore.rules import BEYOND_REACH, Rules, build_rules
from simcore.rules_shedding import SheddingRules, build_shedding_rules
from simcore.solving import solving_memory
from simcore.table import Given, Record, Table, new_record, no_given_deals

if TYPE_CHECKING:
    from simcore.config import Bot, Variant
    from simcore.trick_model import AnyModel

MAX_SEED = 2**64 - 1
_USUAL_DEALS = 32
_PAGE, _CACHE_LINE = 4096, 64
PERFECT_TABLE = "perfect_table"
"""The column group of perfect play's tricks in every contract."""


_CARD_OF_BYTE = np.resize(BORDER_CARD.astype(np.int8), 256).tobytes()
"""Cards as files hold them by the byte of a kernel's bit number."""


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
    rules : Rules or SheddingRules
    groups : tuple of str
        Column groups on request (`simcore.columns.group_columns`); with ``trick_table``, every strain is played from
        both sides as well, with ``perfect_table`` by perfect play.
    given : Given
        The user's own deals (`simcore.given`), or none.
    """

    variant: Variant
    bots: tuple[Bot, ...]
    seed: int
    unit: str
    rules: Any
    bot_table: Bots
    groups: tuple[str, ...] = ()
    given: Given = field(default_factory=no_given_deals)

    @property
    def has_compiled_bots(self) -> bool:
        """Whether a bot was compiled by the user; the kernels are compiled a second time for such runs."""
        return any(getattr(bot, stage).policy == "plugin" for bot in self.bots for stage in STAGES)


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


def prepare(
    variant: Variant,
    bots: Sequence[Bot],
    seed: int,
    unit: str = "match",
    groups: Sequence[str] = (),
    given: Given | None = None,
    model: AnyModel | None = None,
) -> Setup:
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
    groups : sequence of str
        Column groups on request, as in the run's `columns`.
    given : Given or None
        The user's own deals; then ``unit: deal``.
    model : TrickModel, CallModel or None
        What bots that bid by expected score use in place of the model in their file.

    Returns
    -------
    Setup

    Raises
    ------
    InputError
        For a wrong number of bots, users' bots in a game that they do not know, a seed out of range or an unknown unit.
    """
    if len(bots) == 1:
        bots = tuple(bots) * variant.players
    if len(bots) != variant.players:
        raise InputError(f"bots: {len(bots)} given, but {variant.name} has {variant.players} seats: name one, or one a seat")
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed {seed} is out of range; allowed: 0 .. {MAX_SEED} (2^64 - 1)")
    if unit not in ("match", "deal"):
        raise InputError(f"unit {unit!r} is not allowed; allowed: match, deal")
    refuse_unknown_stages(variant, bots)
    refuse_unsolved(variant, bots, PERFECT_TABLE in groups)
    refuse_unsampled(variant, bots)
    _refuse_python(bots, groups)
    rules = (build_shedding_rules if variant.auction.kind == "steps" else build_rules)(variant, unit)
    return Setup(
        variant=variant,
        bots=tuple(bots),
        seed=seed,
        unit=unit,
        rules=rules,
        bot_table=build_bots(bots, variant, rules, model),
        groups=tuple(groups),
        given=given or no_given_deals(),
    )


def _refuse_python(bots: Sequence[Bot], groups: Sequence[str]) -> None:
    """Bots in Python play the contracts that are bid, not every contract of a trick table."""
    name = next((bot.name for bot, python in zip(bots, python_bots(tuple(bots)), strict=True) if python), None)
    if name is not None and "trick_table" in groups:
        raise InputError(f"contracts: all is played by kernels, and bot {name} is in Python; allowed: contracts: auction")


def new_deal_columns(players: int, rows: int, groups: Sequence[str] = ()) -> DealColumns:
    """Columns for `rows` deals; with room for the cards of each only where a group wants them.

    The small columns lie one behind the other, each a page and a cache line longer than whole pages: at equal
    distances within a page they would all fight for the same lines of the cache.
    """
    stride = -(-rows // _PAGE) * _PAGE + _CACHE_LINE
    n_cards = max(rows, 2) if (CARD_GROUPS | {PERFECT_TABLE}) & set(groups) else 1
    n_small = codes.DealColumn.SEATS + players * codes.SeatColumn.END
    return DealColumns(
        match=np.empty(rows, np.int64),
        deal=np.empty(rows, np.int32),
        points=np.empty((players, rows), np.int32),
        small=np.empty((n_small, stride), np.int8),
        trick_table=np.empty((players * codes.N_STRAINS, stride if "trick_table" in groups else 0), np.int8),
        hands=np.empty((players, n_cards), np.uint64),
        thrown=np.empty((players, n_cards), np.uint64),
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


def longest_match(rules: Rules | SheddingRules) -> int:
    """Most deals a match can have."""
    match = rules.match
    if match.deals >= BEYOND_REACH or match.tie == codes.Tie.EXTRA_DEAL:
        return match.max_deals  # the schema asks for a cap
    counted = match.deals + {codes.Tie.DRAW: 0, codes.Tie.EXTRA_DEAL_THEN_DRAW: 1}.get(
        codes.Tie(match.tie), codes.MAX_EXTRA_DEALS
    )
    longest = counted * (1 + codes.MAX_REDEALS * match.redeal)
    return min(longest, match.max_deals) if match.max_deals else longest


def usual_match(rules: Rules | SheddingRules) -> int:
    """About as many deals as a match has, for the size of columns."""
    deals = rules.match.deals
    return min(longest_match(rules), deals + 1 if deals < BEYOND_REACH else _USUAL_DEALS)


def _raw_column(columns: DealColumns, name: str, rows: int) -> np.ndarray:
    """The raw array behind one named column of the deals table."""
    if name in ("match", "deal"):
        numbers: np.ndarray = getattr(columns, name)[:rows]
        return numbers
    stem, _, last = name.rpartition("_")
    if not last.isdigit():
        raw: np.ndarray = columns.small[codes.DealColumn[name.upper()], :rows]
        if name == "upcard":
            # as bytes: twenty times as fast as an array of indices
            return np.frombuffer(raw.tobytes().translate(_CARD_OF_BYTE), np.int8)
        return raw.view(np.bool_) if name in ("passed_out", "contested") else raw
    seat = int(last)
    if stem.startswith("tricks_"):
        return columns.trick_table[codes.N_STRAINS * seat + STRAIN_NAMES.index(stem[len("tricks_") :]), :rows]
    if stem == "points":
        points: np.ndarray = columns.points[seat, :rows]
        return points
    if stem in CARD_STEMS:
        return border_masks(getattr(columns, CARD_STEMS[stem])[seat, :rows])
    block = codes.DealColumn.SEATS + seat * codes.SeatColumn.END
    if stem == "made":
        return columns.small[block + codes.SeatColumn.MADE, :rows].view(np.bool_)
    if stem.startswith("len_"):
        return columns.small[block + codes.SeatColumn.LENGTHS + STRAIN_NAMES.index(stem[len("len_") :]), :rows]
    return columns.small[block + codes.SeatColumn[stem.upper()], :rows]


def _perfect_columns(setup: Setup, columns: DealColumns, rows: int) -> dict[str, np.ndarray]:
    """Columns of the perfect-play trick table, from the hands that were kept."""
    from simcore.solver.contracts import contract_tricks

    table = contract_tricks(columns.hands[:, :rows].T, setup.rules.play, bool(setup.variant.deck.colons))
    names = [column.name for column in group_columns(PERFECT_TABLE, setup.variant)]
    return dict(zip(names, table, strict=True))


def _raw_match_columns(columns: MatchColumns, rows: int) -> dict[str, np.ndarray]:
    named = {"match": columns.match[:rows], "deals": columns.deals[:rows]}
    for seat in range(columns.totals.shape[0]):
        named[f"total_{seat}"] = columns.totals[seat, :rows]
    return named | {"winner": columns.winner[:rows], "finished": columns.finished[:rows]}


def run_kernel(
    setup: Setup,
    first_match: int,
    n_matches: int,
    table: Table,
    record: Record,
    deals: DealColumns,
    matches: MatchColumns,
) -> tuple[int, int]:
    """Play consecutive matches in the kernels, into columns that are there already.

    Parameters
    ----------
    setup : Setup
        Without Python bots.
    first_match, n_matches : int
        Matches to play.
    table, record
        Scratch (`simcore.table`).
    deals, matches
        Columns; whole matches are played as long as they fit.

    Returns
    -------
    tuple of int
        Rows written, matches played.
    """
    numbers = (np.uint64(setup.seed), np.uint64(first_match), np.int64(n_matches))
    play = play_shedding_matches if isinstance(setup.rules, SheddingRules) else play_matches
    n_rows, n_played = play(setup.rules, setup.bot_table, *numbers, setup.given, table, record, deals, matches)
    return int(n_rows), int(n_played)


def _play(
    setup: Setup, first_match: int, n_matches: int, record: Record, deals: DealColumns, matches: MatchColumns
) -> tuple[int, int]:
    """Play in the kernels, or in Python where a bot is a Python object; -> rows, matches."""
    in_python = python_bots(setup.bots)
    if any(in_python):
        from simcore import slow_course

        return slow_course.play_matches(setup, in_python, first_match, n_matches, record, deals, matches)
    table, _memory = solving_memory(setup)  # kept while the table knows its addresses
    try:
        return run_kernel(setup, first_match, n_matches, table, record, deals, matches)
    except ValueError as error:  # the kernels' only error that a user can cause
        if "compiled bot" not in str(error):
            raise
        raise InputError(f"{error} (bots {', '.join(bot.name for bot in setup.bots)})") from None


def play_chunk(
    setup: Setup, first_match: int, n_matches: int, with_record: bool = False, names: Sequence[str] | None = None
) -> Chunk:
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
    names : sequence of str or None
        The columns of deals that are wanted; None: all.

    Returns
    -------
    Chunk
        One row a deal and one a match, in order.
    """
    n_given = len(setup.given.hands)
    if n_given and first_match + n_matches > n_given:
        raise InputError(f"deal {max(first_match, n_given)}: the file of hands has deals 0 .. {n_given - 1} only")
    players = setup.variant.players
    rows = n_matches * usual_match(setup.rules) + longest_match(setup.rules)
    while True:
        deals = new_deal_columns(players, rows, setup.groups)
        matches = new_match_columns(players, n_matches)
        record = new_record(max(rows, 2) if with_record else 1)
        n_rows, n_played = _play(setup, first_match, n_matches, record, deals, matches)
        if n_played == n_matches:
            break
        rows *= 2  # matches ran longer than usual: everything is played again, with room
    mark_cache_warm("warm-perfect" if ask_the_solver(setup.bots) else "warm")
    if names is None:
        names = [column.name for column in deal_columns(setup.variant, setup.groups)]
    perfect = _perfect_columns(setup, deals, n_rows) if PERFECT_TABLE in setup.groups else {}
    named = {name: perfect[name] if name in perfect else _raw_column(deals, name, n_rows) for name in names}
    by_match = _raw_match_columns(matches, n_matches) if setup.unit == "match" else {}
    return Chunk(named, by_match, record if with_record else None)
