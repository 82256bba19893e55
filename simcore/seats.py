"""Seats: numbers 0 .. players - 1 in turn order."""

from __future__ import annotations

from simcore._jit import inlined


@inlined
def next_seat(seat, players):
    """The seat after a seat in turn order. seat, players : int64 -> int64"""
    return seat + 1 if seat + 1 < players else 0
