"""The columns of the two result tables, as a function of the resolved variant.

One list says name, type, unit and meaning of each column; the kernels' output arrays, the Parquet schema and the
documentation are made from it. Source: the run directory of the public contract (docs/files.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simcore import notation
from simcore.codes import N_CARDS, N_COLONS, N_SUITS

if TYPE_CHECKING:
    from simcore.config import Variant

STRAIN_NAMES = notation.STRAINS
ROLE_NAMES = ("dealer", "non_dealer")
UPCARD_CLASS_NAMES = ("spot", "face", "ace")
"""Classes of upcards by the cards the dealer may draw; the colons belong to the class of their range."""
CARD_NAMES = tuple(notation.card_text(card) for card in range(N_CARDS + N_COLONS))
SUITS_HIGH_TO_LOW = tuple(reversed(range(N_SUITS)))


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a result table.

    Attributes
    ----------
    name : str
        Name in files and frames.
    type : str
        Type of the raw array, as NumPy writes it: ``int64``, ``int8``, ``bool`` ...; ``text``: masks of cards that
        files hold as text.
    unit : str
        Unit of the values (``cards``, ``tricks``, ``points`` ...), or ``""``.
    meaning : str
        One sentence for the schema's metadata.
    played_only : bool
        Whether the value is null in deals that were passed out.
    names : tuple of str or None
        Text of each code where the raw array holds codes; files hold the text. A negative code is null.
    tenths : bool
        Whether the raw array holds whole tenths; files hold the number.
    optional : bool
        Whether a negative value means "none" and becomes null.
    """

    name: str
    type: str
    unit: str
    meaning: str
    played_only: bool = False
    names: tuple[str, ...] | None = None
    tenths: bool = False
    optional: bool = False

    @property
    def nullable(self) -> bool:
        """Whether the column may hold nulls; files need not keep track of them in the others."""
        return self.played_only or self.optional


def _common(seats: range) -> list[Column]:
    columns = [
        Column("match", "int64", "", "number of the match, from 0; of the deal under unit: deal"),
        Column("deal", "int32", "", "number of the deal within its match, from 0; redealt deals count"),
        Column("dealer", "int8", "seat", "seat of the dealer"),
        Column("passed_out", "bool", "", "nobody bid, so nothing was played"),
    ]
    columns += [
        Column(f"points_{s}", "int32", "points", f"points of seat {s} in this deal", tenths=True) for s in seats
    ]
    columns += [
        Column(f"tricks_{s}", "int8", "tricks", f"tricks taken by seat {s}", played_only=True) for s in seats
    ]
    columns += [
        Column(f"hcp_{s}", "int8", "points", f"high cards of seat {s} as the auction begins: A 4, K 3, Q 2, J 1")
        for s in seats
    ]
    for s in seats:
        columns += [
            Column(
                f"len_{STRAIN_NAMES[suit]}_{s}",
                "int8",
                "cards",
                f"cards in suit {STRAIN_NAMES[suit]} of seat {s} as the auction begins; colons have no suit",
            )
            for suit in SUITS_HIGH_TO_LOW
        ]
    return columns


def _bridge_auction() -> list[Column]:
    return [
        Column("declarer", "int8", "seat", "seat that plays the contract", played_only=True),
        Column("declarer_role", "int8", "", "declarer's relation to the dealer", played_only=True, names=ROLE_NAMES),
        Column("strain", "int8", "", "strain of the contract", played_only=True, names=STRAIN_NAMES),
        Column("level", "int8", "tricks", "level of the contract: tricks promised beyond six", played_only=True),
        Column("doubling", "int8", "", "1 undoubled, 2 doubled, 4 redoubled", played_only=True),
        Column("calls", "int8", "calls", "calls of the auction, passes included"),
        Column("contested", "bool", "", "both seats made a bid"),
        Column("made", "bool", "", "declarer took at least level + 6 tricks", played_only=True),
        Column("tricks", "int8", "tricks", "tricks taken by declarer", played_only=True),
        Column("overtricks", "int8", "tricks", "declarer's tricks beyond the contract, else 0", played_only=True),
        Column("undertricks", "int8", "tricks", "tricks short of the contract, else 0", played_only=True),
        Column("hcp_declarer", "int8", "points", "declarer's high cards as the auction begins", played_only=True),
        Column(
            "len_trump_declarer",
            "int8",
            "cards",
            "declarer's cards in the trump suit as the auction begins; null in no trump",
            played_only=True,
            optional=True,
        ),
    ]


def _calls(seats: range) -> list[Column]:
    columns = [Column(f"call_{s}", "int8", "tricks", f"tricks that seat {s} called") for s in seats]
    return columns + [Column(f"made_{s}", "bool", "", f"seat {s} made its call") for s in seats]


def _steps(seats: range) -> list[Column]:
    columns = [
        Column("declarer", "int8", "seat", "seat of the highest bid", played_only=True),
        Column("bid", "int8", "tricks", "tricks that declarer bid", played_only=True),
        Column("alone", "bool", "", "declarer bid alone", played_only=True),
        Column("calls", "int8", "calls", "calls of the auction, passes included"),
        Column("made", "bool", "", "declarer took at least the tricks bid", played_only=True),
        Column("tricks", "int8", "tricks", "tricks taken by declarer", played_only=True),
    ]
    return columns + [
        Column(f"quota_{s}", "int8", "cards", f"cards seat {s} still had to shed after the round") for s in seats
    ]


_AUCTION_COLUMNS = {"bridge": lambda seats: _bridge_auction(), "calls": _calls, "steps": _steps}


def _trick_table(seats: range) -> list[Column]:
    return [
        Column(
            f"tricks_{strain}_{s}", "int8", "tricks", f"tricks of seat {s} as declarer in {strain}, played for tricks alone"
        )
        for s in seats
        for strain in STRAIN_NAMES
    ]


def _perfect_table(seats: range) -> list[Column]:
    return [
        Column(
            f"perfect_tricks_{strain}_{s}",
            "int8",
            "tricks",
            f"tricks of seat {s} as declarer in {strain}, when both seats see all cards and play perfectly for tricks",
        )
        for s in seats
        for strain in STRAIN_NAMES
    ]


CARD_GROUPS = {"hands", "exchange"}
"""Groups on request whose columns hold cards."""
CARD_STEMS = {"hand": "hands", "hand_text": "hands", "thrown": "thrown", "thrown_text": "thrown"}
"""Beginnings of the names of columns that hold cards, and the array behind them."""
_MASK = "bit 13 suit + rank, suits C D H S 0..3, ranks 2..A 0..12; colons G R L bits 52..54"


def group_columns(group: str, variant: Variant) -> list[Column]:
    """Columns of a group on request.

    Parameters
    ----------
    group : {"hands", "exchange", "trick_table", "perfect_table"}
        Name of the group; a new one is a branch here and what fills its raw arrays.
    variant : Variant
        For the number of seats.
    """
    seats = range(variant.players)
    if group == "trick_table":
        return _trick_table(seats)
    if group == "perfect_table":
        return _perfect_table(seats)
    if group == "hands":
        stem, meaning = "hand", "hand of seat {} as the auction begins"
    elif group == "exchange":
        stem, meaning = "thrown", "cards seat {} threw in the exchange"
    else:
        raise ValueError(f"unknown column group {group!r}")
    masks = [Column(f"{stem}_{s}", "uint64", "cards", f"{meaning.format(s)}: {_MASK}") for s in seats]
    return masks + [Column(f"{stem}_text_{s}", "text", "cards", f"{meaning.format(s)}, as S.H.D.C/colons") for s in seats]


def deal_columns(variant: Variant, groups: Sequence[str] = ()) -> tuple[Column, ...]:
    """Columns of the deals table of a variant, in file order; groups on request at the end."""
    seats = range(variant.players)
    columns = _common(seats) + _AUCTION_COLUMNS[variant.auction.kind](seats)
    if variant.turns_card:
        columns += [Column("upcard", "int8", "", "the card turned before the auction", names=CARD_NAMES)]
    if variant.exchange.kind == "upcard":
        columns += [Column(f"drawn_{s}", "int8", "cards", f"cards seat {s} drew in the exchange") for s in seats]
    if variant.deck.colons:
        columns += [
            Column(f"colons_{s}", "int8", "cards", f"colons held by seat {s} as the auction begins") for s in seats
        ]
    for group in groups:
        columns += group_columns(group, variant)
    return tuple(columns)


def match_columns(variant: Variant) -> tuple[Column, ...]:
    """Columns of the matches table of a variant, in file order."""
    columns = [
        Column("match", "int64", "", "number of the match, from 0"),
        Column("deals", "int32", "deals", "deals of the match, redealt and passed-out ones included"),
    ]
    columns += [
        Column(f"total_{s}", "int64", "points", f"points of seat {s} in the match", tenths=True)
        for s in range(variant.players)
    ]
    columns += [
        Column("winner", "int8", "seat", "seat with the highest total; null where the match is shared", optional=True),
        Column("finished", "bool", "", "false where the match ended at a cap on its deals"),
    ]
    return tuple(columns)
