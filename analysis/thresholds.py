"""Doubling and redoubling break-evens of every contract under a scoring table: exact, no simulation.

A contract that is made takes exactly the tricks bid, one that fails is so many tricks short (one unless told otherwise). With a
belief p that it is made, a double gains while p is below a threshold, a redouble while it is above one. Where the redouble's
threshold lies below the double's, a declarer redoubles nearly everything that a defender may double.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import IO, Any

from simcore.codes import BOOK, N_LEVELS, N_STRAINS, TENTHS
from simcore.config import Variant
from simcore.errors import InputError
from simcore.notation import Contract, contract_text
from simcore.phases.auction.bridge_tables import existing_bids
from simcore.phases.scoring.contracts import result_tenths

SOUND_DOUBLE = Fraction(1, 5)
"""A table whose doubles begin at lower beliefs than this makes doubling a rare insult."""
ALARM = "everything that may be doubled will be redoubled"


@dataclass(frozen=True, slots=True)
class Threshold:
    """Break-evens of a contract, as beliefs that it is made; None where no belief makes a difference.

    Attributes
    ----------
    contract : str
    redouble : Fraction or None
        Redoubling gains above it.
    double : Fraction or None
        Doubling gains below it, if nobody redoubles.
    double_if_redoubled : Fraction or None
        Doubling gains below it, if the redouble is certain.
    alarm : bool
        Redoubling gains at lower beliefs than those at which doubling stops to gain.
    cost : float
        Points of the opponent when it fails undoubled.
    """

    contract: str
    redouble: Fraction | None
    double: Fraction | None
    double_if_redoubled: Fraction | None
    cost: float

    @property
    def alarm(self) -> bool:
        """Whether a declarer redoubles what a defender doubles, nearly always."""
        return self.redouble is not None and self.double is not None and self.redouble < self.double

    def as_json(self) -> dict[str, Any]:
        """Decimals, and the fractions they stand for."""
        found: dict[str, Any] = {"contract": self.contract}
        for name in ("redouble", "double", "double_if_redoubled"):
            value = getattr(self, name)
            found[name] = None if value is None else float(value)
            found[f"{name}_exact"] = None if value is None else str(value)
        return {**found, "alarm": self.alarm}


def break_even(made_before: int, made_after: int, lost_before: int, lost_after: int) -> Fraction | None:
    """The belief at which raising the stakes from one doubling to another makes no difference.

    Parameters
    ----------
    made_before, made_after : int
        Declarer's points of a made contract.
    lost_before, lost_after : int
        The opponent's points of a failed one.

    Returns
    -------
    Fraction or None
        Below it the opponent gains by higher stakes, above it declarer; 0 or 1 where one of them always gains, None where
        nothing changes, or where the higher doubling is the cheaper one for both.
    """
    at_risk, at_hope = made_after - made_before, lost_after - lost_before
    if (at_risk < 0 and at_hope < 0) or at_risk == at_hope == 0:
        return None
    if at_risk <= 0:
        return Fraction(1)
    return Fraction(0) if at_hope <= 0 else Fraction(at_hope, at_hope + at_risk)


def thresholds(variant: Variant, short: int = 1) -> list[Threshold]:
    """Break-evens of every contract of a variant.

    Parameters
    ----------
    variant : Variant
        With a bridge auction.
    short : int
        Tricks that a failing contract is short; where a contract promises fewer, as many as it can be.

    Returns
    -------
    list of Threshold
        In bidding order.
    """
    if variant.auction.kind != "bridge":
        raise InputError(f"{variant.name} has auction.kind {variant.auction.kind}; doubles need auction.kind bridge")
    bids = existing_bids(variant)
    levels = [(level, strain) for level in range(N_LEVELS) for strain in range(N_STRAINS)]
    return [_threshold(variant, *bid, short) for bid in levels if bids >> (N_STRAINS * bid[0] + bid[1]) & 1]


def _threshold(variant: Variant, level: int, strain: int, short: int) -> Threshold:
    need = BOOK + level
    made = [result_tenths(variant.scoring, Contract(level, strain, doubling), need) for doubling in range(3)]
    fewer = max(need - short, 0)
    lost = [-result_tenths(variant.scoring, Contract(level, strain, doubling), fewer) for doubling in range(3)]
    steps = [break_even(made[before], made[after], lost[before], lost[after]) for before, after in ((1, 2), (0, 1), (0, 2))]
    return Threshold(contract_text(Contract(level, strain, 0)), steps[0], steps[1], steps[2], lost[0] / TENTHS)


def as_document(variant: Variant, short: int = 1) -> dict[str, Any]:
    """The result of ``simcore thresholds --json``.

    Parameters
    ----------
    variant : Variant
    short : int

    Returns
    -------
    dict
    """
    rows = thresholds(variant, short)
    return {
        "variant": variant.name,
        "short": short,
        "doubles": _has_doubles(variant),
        "rows": [row.as_json() for row in rows],
        "alarms": list(alarms(variant, rows)),
        "method": "exact; made with the tricks bid, or short by the tricks said",
    }


def alarms(variant: Variant, rows: list[Threshold]) -> Iterator[str]:
    """What is wrong with the doubles of a table, in words.

    Parameters
    ----------
    variant : Variant
    rows : list of Threshold

    Yields
    ------
    str
    """
    free = [row.contract for row in rows if not row.cost]
    if free:
        yield f"a failed contract costs nothing ({_which(free, rows)}): overbidding is free"
    if not _has_doubles(variant):
        return
    bad = [row.contract for row in rows if row.alarm]
    if bad:
        yield f"{ALARM} ({_which(bad, rows)}): the redouble gains at lower beliefs than the double"
    low = [row.contract for row in rows if row.double is not None and row.double < SOUND_DOUBLE]
    if low:
        yield f"doubling gains only below a belief of {float(SOUND_DOUBLE):g} ({_which(low, rows)}): most doubles are blunders"


def _has_doubles(variant: Variant) -> bool:
    auction: Any = variant.auction
    return bool(auction.doubles)


def _which(found: list[str], rows: list[Threshold]) -> str:
    return "all contracts" if len(found) == len(rows) else f"{len(found)} of {len(rows)} contracts"


def print_thresholds(variant: Variant, short: int = 1, file: IO[str] | None = None) -> None:
    """Print the break-evens, contracts with equal ones together.

    Parameters
    ----------
    variant : Variant
    short : int
    file : text file or None
        Where to; None: standard output.
    """
    from analysis.tables import new_console, new_table

    console = new_console(file)
    rows = thresholds(variant, short)
    console.print(f"Break-evens of doubling, {variant.name}: beliefs that the contract is made, {short} short when it fails")
    table = new_table(["contracts", "redouble above", "double below", "double below, redouble certain", ""], text=1)
    groups: dict[tuple[Fraction | None, ...], list[Threshold]] = {}
    for row in rows:
        groups.setdefault((row.redouble, row.double, row.double_if_redoubled), []).append(row)
    for values, same in groups.items():
        cells = ["-" if value is None else f"{float(value):.3f}" for value in values]
        table.add_row(" ".join(row.contract for row in same), *cells, "alarm" if same[0].alarm else "")
    console.print(table)
    if not _has_doubles(variant):
        console.print(f"note: {variant.name} has auction.doubles: false; the table says what they would do")
    for text in alarms(variant, rows):
        console.print(f"alarm: {text}")
