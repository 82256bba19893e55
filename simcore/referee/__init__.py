"""The referee: checks one transcript against the rules, event by event, and recomputes its result.

Legal cards, legal calls, winners and points come from the same functions that the kernels play by; the referee only
follows the events and says which rule an event breaks. The first violation ends the check of a transcript.

`base` reads the head, the deal and events of any game; then come a file for each phase, and here the order of the phases.
Games of steps (Pit) have a module of their own, `simcore.referee_shedding`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore import codes
from simcore.errors import InputError
from simcore.referee.auction import check_bridge_auction, check_calls
from simcore.referee.base import Referee, Violation
from simcore.referee.exchange import check_exchange
from simcore.referee.play import check_tricks
from simcore.referee.results import call_result, contract_result


def _check_contract_deal(referee: Referee) -> None:
    """A deal with a bridge auction; declarer's opponent leads."""
    check_exchange(referee, referee.check_deal())
    contract, declarer = check_bridge_auction(referee)
    if contract is not None:
        check_tricks(referee, leader=1 - declarer, strain=contract.strain)
    referee.check_result(contract_result(referee, contract, declarer))


def _check_call_deal(referee: Referee) -> None:
    """A deal in which everybody calls; the seat after the dealer leads."""
    check_exchange(referee, referee.check_deal())
    calls = check_calls(referee)
    check_tricks(referee, leader=referee.next_seat(referee.dealer), strain=codes.Strain.NOTRUMP)
    referee.check_result(call_result(referee, calls))


def _check(referee: Referee) -> None:
    kind = referee.variant.auction.kind
    try:
        if kind == "steps":
            from simcore.referee_shedding import check_round

            check_round(referee)
        elif kind == "calls":
            _check_call_deal(referee)
        else:
            _check_contract_deal(referee)
    except InputError as error:
        raise Violation("format", str(error)) from None


def violations_of(transcript: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The first violation of a transcript, if there is one, as ``event``, ``rule`` and ``message``."""
    referee = None
    try:
        referee = Referee(transcript)
        _check(referee)
    except Violation as violation:
        yield {"event": referee.at if referee else None, "rule": violation.rule, "message": str(violation)}


__all__ = ["Referee", "Violation", "violations_of"]
