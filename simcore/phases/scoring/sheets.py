"""Points of one result, or of all, whatever the kind of the auction: contracts, calls, or bids in steps. Plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.notation import parse_contract
from simcore.phases.scoring.calls import call_sheet, score_call
from simcore.phases.scoring.contracts import score_contract, score_sheet

if TYPE_CHECKING:
    from simcore.config import Variant

WAYS = {
    "bridge": ("contract", "--contract 4S --tricks 11"),
    "calls": ("call", "--call 5 --tricks 6"),
    "steps": ("bid", "--bid 3 --tricks 4"),
}
"""By the kind of the auction: what is bid, and how it is written on the command line."""


def _refuse_other_ways(variant: Variant, given: dict[str, object]) -> None:
    """What was bid must be given, in the form of the variant, and nothing else."""
    kind = variant.auction.kind
    due, example = WAYS[kind]
    for name, value in given.items():
        if name not in (due, "tricks") and value not in (None, False):
            what = {"contract": "a contract", "call": "a call", "bid": "a bid", "alone": "alone"}[name]
            end = f"auction.kind: {kind}; write for example {example}"
            raise InputError(f"--{name}: {variant.name} has no result with {what} ({end})")
    if given[due] is None or given["tricks"] is None:
        raise InputError(f"give both --{due} and --tricks (as in {example}), or --table")


def score_result(
    variant: Variant, contract: str | None, tricks: int | None, call: int | None, bid: int | None, alone: bool
) -> dict[str, Any]:
    """The points of one result, in the form of ``simcore score --json``.

    Parameters
    ----------
    variant : Variant
        Whose scoring.
    contract : str or None
        In games of contracts.
    tricks : int or None
        Tricks taken.
    call : int or None
        In games of calls.
    bid : int or None
        In games of steps.
    alone : bool
        In games of steps.

    Returns
    -------
    dict
        By the kind of the auction.

    Raises
    ------
    InputError
        Where another form is given than the variant's, or a result that it cannot have.
    """
    kind = variant.auction.kind
    given: dict[str, object] = {"contract": contract, "call": call, "bid": bid, "tricks": tricks}
    _refuse_other_ways(variant, given if kind == "steps" else {**given, "alone": alone})
    assert tricks is not None
    if contract is not None:
        return score_contract(variant, parse_contract(contract), tricks)
    if call is not None:
        return score_call(variant, call, tricks)
    from simcore.phases.shedding import score_bid

    assert bid is not None
    return score_bid(variant, bid, alone, tricks)


def sheet_of(variant: Variant) -> list[dict[str, Any]]:
    """Every result of a variant, as `score_result` gives them."""
    kind = variant.auction.kind
    if kind == "bridge":
        return score_sheet(variant)
    if kind == "calls":
        return call_sheet(variant)
    from simcore.phases.shedding import bid_sheet

    return bid_sheet(variant)
