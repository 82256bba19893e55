"""The columns that rows of a run have for `--by` and `--where`: those of its files, and those that follow from them.

A row is a deal; in games of calls it is a seat's call, and the columns of that seat lose its number. Derived columns are
those of the dealer, of declarer and (in games of two) of the other one, such as `hcp_opponent`, and the class of the upcard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from analysis.groups import check_groups
from analysis.load import RunData
from analysis.summary import GROUPS as SUMMARY_GROUPS
from simcore.columns import CARD_NAMES, ROLE_NAMES, STRAIN_NAMES, UPCARD_CLASS_NAMES

NUMBER, TEXT, TRUTH = "number", "text", "truth"
UPCARD, UPCARD_CLASS = "upcard", "upcard_class"
MADE = "made"
_TWO = 2
_OF_SEAT = re.compile(r"(.+)_([0-9])")
_NAMES = {"strain": STRAIN_NAMES, "declarer_role": ROLE_NAMES, UPCARD: CARD_NAMES, UPCARD_CLASS: UPCARD_CLASS_NAMES}
_NO_GROUPS = ("match", "deal", MADE)
_SUMMARY = {
    "declarer_role": (TEXT, "declarer's relation to the dealer"),
    UPCARD_CLASS: (TEXT, "class of the upcard by what the dealer may draw"),
    "strain": (TEXT, "strain of the contract"),
    "level": (NUMBER, "level of the contract"),
    "doubling": (NUMBER, "1 undoubled, 2 doubled, 4 redoubled"),
    "contested": (TRUTH, "both seats made a bid"),
    "tricks": (NUMBER, "tricks taken by declarer"),
}
_UPCARD_SQL = (
    f"CASE WHEN {UPCARD} LIKE '_A' OR {UPCARD} = 'GC' THEN '{UPCARD_CLASS_NAMES[2]}' "
    f"WHEN {UPCARD} LIKE '_J' OR {UPCARD} LIKE '_Q' OR {UPCARD} LIKE '_K' OR {UPCARD} = 'RC' THEN '{UPCARD_CLASS_NAMES[1]}' "
    f"WHEN {UPCARD} IS NOT NULL THEN '{UPCARD_CLASS_NAMES[0]}' END"
)


@dataclass(frozen=True, slots=True)
class RowColumn:
    """A column of the rows of a run.

    Attributes
    ----------
    name : str
    kind : {"number", "text", "truth"}
        Of its values.
    sql : str
        How it is made of the columns of the files.
    meaning : str
    groups : bool
        Whether rows can be grouped by it.
    values : tuple of str or None
        The texts that it can have, where they are known, in their order.
    """

    name: str
    kind: str
    sql: str
    meaning: str
    groups: bool = True
    values: tuple[str, ...] | None = None


def deal_row_columns(data: RunData) -> dict[str, RowColumn]:
    """Columns of rows that are deals, by name: those of the files, then derived ones."""
    found = {field.name: _stored(field) for field in data.columns("deals") if field.type != pa.uint64()}
    for column in _derived(found, data.players):
        found.setdefault(column.name, column)
    return found


def row_columns(data: RunData) -> dict[str, RowColumn]:
    """Columns that make rates of a run can be grouped by or restricted by.

    Parameters
    ----------
    data : RunData
        A run; of one with ``output: summary`` these are the columns of its sums.

    Returns
    -------
    dict
        Name to column, in the order in which they are listed to people.
    """
    if data.summed:
        return {
            name: RowColumn(name, *_SUMMARY[name][:1], f'"{name}"', _SUMMARY[name][1], True, _NAMES.get(name))
            for name in SUMMARY_GROUPS
        }
    deals = deal_row_columns(data)
    if data.rules["auction"]["kind"] != "calls":
        return deals
    return _of_calls(deals, data)


def seat_sql(column: RowColumn, seat: int) -> str:
    """SQL of a column of calls for one seat; `{seat}` stands for its number."""
    return column.sql.replace("{seat}", str(seat))


def _stored(field: pa.Field) -> RowColumn:
    kind = NUMBER
    if pa.types.is_dictionary(field.type) or pa.types.is_string(field.type):
        kind = TEXT
    elif pa.types.is_boolean(field.type):
        kind = TRUTH
    meaning = (field.metadata or {}).get(b"meaning", b"").decode()
    groups = field.name not in _NO_GROUPS and not pa.types.is_floating(field.type)
    return RowColumn(field.name, kind, f'"{field.name}"', meaning, groups, _NAMES.get(field.name))


def _derived(stored: dict[str, RowColumn], players: int) -> list[RowColumn]:
    """Columns of roles, and of the upcard."""
    found = []
    if UPCARD in stored:
        meaning = "class of the upcard by what the dealer may draw: aces and GC, faces and RC, the others and LC"
        found.append(RowColumn(UPCARD_CLASS, TEXT, _UPCARD_SQL, meaning, True, UPCARD_CLASS_NAMES))
    stems = [match[1] for name in stored if (match := _OF_SEAT.fullmatch(name)) and match[2] == "0"]
    roles = [("dealer", "dealer", 0)] + [("non_dealer", "dealer", 1)] * (players == _TWO)
    if "declarer" in stored:
        roles += [("declarer", "declarer", 0)] + [("opponent", "declarer", 1)] * (players == _TWO)
    for role, holder, other in roles:
        for stem in stems:
            first = stored[f"{stem}_0"]
            cases = " ".join(f'WHEN {seat} THEN "{stem}_{(seat + other) % players}"' for seat in range(players))
            meaning = first.meaning.replace("seat 0", f"the {role.replace('_', '-')}" if role != "declarer" else role)
            found.append(
                RowColumn(f"{stem}_{role}", first.kind, f'CASE "{holder}" {cases} END', meaning, first.groups, first.values)
            )
        if role == "opponent" and "strain" in stored:
            suits = " ".join(
                f'WHEN \'{s}\' THEN CASE declarer WHEN 0 THEN "len_{s}_1" WHEN 1 THEN "len_{s}_0" END' for s in "CDHS"
            )
            meaning = "the opponent's cards in the trump suit; null in no trump"
            found.append(RowColumn("len_trump_opponent", NUMBER, f"CASE strain {suits} END", meaning))
    return found


def _of_calls(deals: dict[str, RowColumn], data: RunData) -> dict[str, RowColumn]:
    """Columns of rows that are calls: the seat's own, its place, and those of the deal."""
    bonus_from = data.rules["scoring"]["bonus_from"]
    players = data.players
    place = f'CAST(({{seat}} - "dealer" + {players - 1}) % {players} AS TINYINT)'
    is_bonus = "FALSE" if bonus_from is None else f'"call_{{seat}}" >= {int(bonus_from)}'
    own = {
        "call": None,
        "bonus": RowColumn("bonus", TRUTH, is_bonus, "the call is a bonus call"),
        "seat": RowColumn("seat", NUMBER, "CAST({seat} AS TINYINT)", "seat that called"),
        "position": RowColumn("position", NUMBER, place, "0 calls and leads first, the last is the dealer"),
    }
    stems = [match[1] for name in deals if (match := _OF_SEAT.fullmatch(name)) and match[2] == "0"]
    for stem in ["call", "tricks", "hcp", *stems]:
        first = deals[f"{stem}_0"]
        meaning = first.meaning.replace("seat 0", "the seat")
        own.setdefault(stem, None)
        if own[stem] is None:
            own[stem] = RowColumn(stem, first.kind, f'"{stem}_{{seat}}"', meaning, first.groups and stem != MADE, first.values)
    found = {name: column for name, column in own.items() if column is not None}
    for name, column in deals.items():
        if not (_OF_SEAT.fullmatch(name) or name.endswith("_dealer")) and name != "passed_out":
            found.setdefault(name, column)
    return found


def check_columns(by: Sequence[str], columns: dict[str, RowColumn], why: str = "") -> None:
    """Refuse grouping columns that do not exist, are nothing to group by, or stand there twice.

    Parameters
    ----------
    by : sequence of str
        What was asked for.
    columns : dict
        The columns of the rows.
    why : str
        Said at the end.
    """
    allowed = [name for name, column in columns.items() if column.groups]
    check_groups(by, allowed, list(columns), why)
