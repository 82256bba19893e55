"""What the result of a deal must be, by the calls and the tricks taken."""

from __future__ import annotations

from typing import Any

from simcore.notation import Contract, contract_text, points_number
from simcore.phases.scoring.calls import call_is_made, call_tenths
from simcore.phases.scoring.contracts import result_tenths
from simcore.referee.base import Referee


def no_result(players: int) -> dict[str, Any]:
    """The result of a deal that was passed out or thrown in."""
    return {"contract": None, "declarer": None, "tricks": None, "made": None, "points": [0] * players}


def contract_result(referee: Referee, contract: Contract | None, declarer: int) -> dict[str, Any]:
    """The result of a contract, or of a deal that was passed out."""
    if contract is None:
        return no_result(referee.players)
    taken = referee.tricks[declarer]
    tenths = result_tenths(referee.variant.scoring, contract, taken)
    points = [points_number(max(0, -tenths))] * 2
    points[declarer] = points_number(max(0, tenths))
    return {
        "contract": contract_text(contract),
        "declarer": declarer,
        "tricks": referee.tricks,
        "made": taken >= contract.need,
        "points": points,
    }


def call_result(referee: Referee, calls: list[int]) -> dict[str, Any]:
    """The result of a deal in which each seat called."""
    scoring = referee.variant.scoring
    pairs = list(zip(calls, referee.tricks, strict=True))
    return {
        "contract": None,
        "declarer": None,
        "tricks": referee.tricks,
        "made": [call_is_made(scoring, call, taken) for call, taken in pairs],
        "calls": calls,
        "points": [points_number(call_tenths(scoring, call, taken)) for call, taken in pairs],
    }
