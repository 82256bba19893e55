"""`analysis.estimate`: how often a contract or a call makes when it is imposed, given what one player knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.estimate_call import estimate_call
from analysis.estimate_contract import estimate_contract, load_rules, make_plan
from analysis.estimate_report import EstimateReport
from analysis.estimate_where import Where
from simcore.errors import InputError
from simcore.sampling.known import Question


def estimate(
    variant: str | Path | Mapping[str, Any],
    contract: str | None = None,
    *,
    call: int | None = None,
    hand: str | None = None,
    opponent: str | None = None,
    declarer: str | None = None,
    upcard: str | None = None,
    thrown: str | None = None,
    auction: str | None = None,
    where: Where | None = None,
    bots: str | Sequence[Any] = "heuristic",
    play: str = "bots",
    until: float | None = None,
    deals: int | None = None,
    seed: int = 1,
    workers: int | None = None,
    best: bool = True,
    overrides: Sequence[str] = (),
    before: Callable[[], None] | None = None,
) -> EstimateReport:
    """How often a contract (or a call) makes when it is imposed, given what is known.

    Parameters
    ----------
    variant : str, Path or mapping
        A game of contracts or of calls.
    contract : str or None
        In games of contracts, for example ``"4S"``.
    call : int or None
        In games of calls, the tricks called.
    hand, opponent : str or None
        Declarer's hand and his opponent's as the auction begins, or parts of them: ``"AK.Q..+"`` (at least these cards),
        ``"AKxxx.*.Q*.*"`` (x one more card of a suit, * any number).
    declarer : {"dealer", "non_dealer"} or None
        Declarer's role; None: each, shown apart.
    upcard : str or None
        The card turned.
    thrown : str or None
        The cards declarer threw, all of them; ``"any"`` (the default) or ``"policy"`` where they are not known. In an exchange
        by tricks, cards that went.
    auction : str or None
        Calls with which the bots are to begin the auction, as ``"1S Pass 2S"``.
    where : str, callable or None
        A further condition on the sampled deals, in the language of ``rates --where``: ``"hcp_declarer >= 12"``; or a function
        from a frame of them to which rows count.
    bots : str or sequence
        One for all seats, or declarer's (the caller's) first.
    play : {"bots", "perfect"}
        Who plays the cards; perfect play sees both hands and aims at tricks.
    until : float or None
        Stop at this half-width of the 95 % interval of the make rate; 0.005 where `deals` is not given either.
    deals : int or None
        Exactly so many deals; with `until` at most so many.
    seed : int
        0 .. 2^64 - 1.
    workers : int or None
        Threads; results do not depend on it.
    best : bool
        Whether the best contract or call is looked for.
    overrides : sequence of str
        Changes of the rules as ``path=value``.
    before : callable or None
        Called when everything was checked, before anything is drawn.

    Returns
    -------
    EstimateReport
        Rate, tricks, points with intervals; ``as_json()``, ``frame()``.

    Raises
    ------
    InputError
        For knowledge that contradicts itself or the rules, and for conditions that hardly ever hold.
    """
    rules = load_rules(variant, overrides)
    kind = rules.auction.kind
    if kind == "steps":
        raise InputError(f"{rules.name}: a bid that sheds cards over many rounds is not estimated; contracts and calls are")
    question = Question(hand, opponent, upcard, thrown, auction)
    plan = make_plan(until, deals, workers)
    if kind == "calls":
        if call is None or contract is not None:
            raise InputError(f"{rules.name} has calls of tricks: give a call, as --call 5")
        for name, value in (("declarer", declarer), ("play", None if play == "bots" else play)):
            if value is not None:
                raise InputError(f"{name} {value}: {rules.name} has calls of tricks; {name} is for contracts")
        return estimate_call(rules, call, question, bots=bots, where=where, plan=plan, seed=seed, best=best, before=before)
    if contract is None or call is not None:
        raise InputError(f"{rules.name} has contracts: give one, as --contract 4S")
    return estimate_contract(
        rules, contract, question, declarer=declarer, bots=bots, play=play, where=where, plan=plan, seed=seed, best=best,
        before=before,
    )  # fmt: skip
