"""Points are added up in whole tenths, so that 5.1 points stay exact."""

from __future__ import annotations


def tenths(points):
    """Points as a whole number of tenths."""
    return round(10 * points)


def number(amount):
    """Tenths as the number that is written: whole if it can be."""
    return amount // 10 if amount % 10 == 0 else amount / 10
