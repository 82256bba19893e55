"""Fifty deals of every shipped variant with every shipped bot, of every option value, and of composed games: legal to
the referee, and a part of them to the reference (``make replay-all`` does the same with 2000).
"""

from __future__ import annotations

import pytest
from replay_all import Table, composed_tables, option_tables, replay, shipped_tables

DEALS = 50
TABLES = [*shipped_tables(), *option_tables(), *composed_tables()]


def is_long(table: Table) -> bool:
    """Kernels for bots that sample, solve or bid by expected score are compiled anew for every game: here for Bridgette."""
    dear = any(bot.play.policy == "sampling" or bot.sees_all or bot.bidding.policy == "expected" for bot in table.bots)
    return dear and table.name not in ("bridgette, expert", "bridgette, oracle", "bridgette, expected")


@pytest.mark.parametrize(
    "table",
    [pytest.param(table, marks=[pytest.mark.long] if is_long(table) else []) for table in TABLES],
    ids=[table.name for table in TABLES],
)
def test_no_violation(table: Table) -> None:
    found = replay(table, DEALS)
    assert found.deals >= DEALS
    assert found.by_reference > 0
    assert found.violations == []


def test_every_variant_and_option_is_there() -> None:
    names = {table.name for table in TABLES}
    assert len(names) == len(TABLES) > 400
