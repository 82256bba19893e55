"""Call Bridge's points: each player for himself, by his call and his tricks.

A call from ``bonus_from`` on is a bonus call: it is made with the call or up to ``bonus_overtricks`` more and scores
``bonus_points``. Every other call is made as ``success`` says and scores as ``made`` says, and ``overtrick_points`` for
every trick beyond it. A failed call of either sort scores as ``failed`` says.
"""

from __future__ import annotations

from .points import number, tenths


def is_bonus_call(scoring, call):
    """Whether a call is one of the high ones with a fixed bonus."""
    return scoring["bonus_from"] is not None and call >= scoring["bonus_from"]


def overtricks_allowed(scoring, call):
    """How many tricks beyond the call still make it; None if any number does."""
    if is_bonus_call(scoring, call):
        return scoring["bonus_overtricks"]
    return {"at_least": None, "at_most_one_over": 1, "exact": 0}[scoring["success"]]


def is_call_made(scoring, call, tricks):
    """Whether the tricks fulfil a call."""
    allowed = overtricks_allowed(scoring, call)
    return tricks >= call and (allowed is None or tricks - call <= allowed)


def made_tenths(scoring, call, tricks):
    """The points of a call that was made, in tenths."""
    if is_bonus_call(scoring, call):
        return tenths(scoring["bonus_points"])
    over = (tricks - call) * tenths(scoring["overtrick_points"])
    if scoring["made"] == "call":
        return tenths(call) + over
    return tenths(scoring["made"]["base"]) + tricks * tenths(scoring["made"]["per_trick"]) + over


def failed_tenths(scoring, call, tricks):
    """The points of a call that failed, in tenths."""
    if scoring["failed"] == "minus_call":
        return -tenths(call)
    if scoring["failed"] == "zero":
        return 0
    return tricks * tenths(scoring["failed"]["per_trick"])


def call_points(scoring, call, tricks):
    """What a call scores with so many tricks.

    Examples
    --------
    >>> table = {"success": "at_least", "made": "call", "failed": "minus_call", "overtrick_points": 0.1}
    >>> table |= {"bonus_from": 8, "bonus_points": 13, "bonus_overtricks": 1}
    >>> [call_points(table, 5, tricks) for tricks in (4, 5, 6)], call_points(table, 8, 9)
    ([-5, 5, 5.1], 13)
    """
    amount = made_tenths if is_call_made(scoring, call, tricks) else failed_tenths
    return number(amount(scoring, call, tricks))
