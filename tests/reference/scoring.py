"""The points of a contract: Bridgette's table of awards, or a value for each trick (see ``trick_value``)."""

from __future__ import annotations

from . import trick_value
from .auction import level_of
from .cards import STRAINS
from .points import number, tenths

BOOK = 6
DOUBLING_NAME = {"": "undoubled", "X": "doubled", "XX": "redoubled"}


def split_contract(contract):
    """Level, strain and doubling of a contract such as "4SX"."""
    level, rest = level_of(contract), contract[1:]
    strain = rest.rstrip("X")
    if strain not in STRAINS:
        raise ValueError(f"{contract!r} is not a contract")
    return level, strain, rest[len(strain) :]


def tricks_needed(contract):
    """Level + 6."""
    return level_of(contract) + BOOK


def is_made(contract, tricks):
    """Whether declarer's tricks fulfil the contract."""
    return tricks >= tricks_needed(contract)


def by_number(table, count):
    """A value of a map keyed by numbers, which are text once the map has been JSON; 0 where there is none."""
    return table.get(count, table.get(str(count), 0))


def made_tenths(scoring, contract, tricks):
    """The points of a contract that was made, in tenths."""
    level, strain, doubled = split_contract(contract)
    over = tricks - tricks_needed(contract)
    if scoring.get("kind") == "trick_value":
        times = scoring["multiplier"][DOUBLING_NAME[doubled]] if doubled else 1
        return trick_value.made_tenths(scoring, level, strain, over, times)
    return award_tenths(scoring, contract, over)


def award_tenths(scoring, contract, over):
    """The award once; a bonus for exactly the tricks bid or for some number of overtricks; the doubling.

    The multiplier takes everything (`total`), or all but the bonus for a doubled contract made (`award`), or nothing.
    """
    level, strain, doubled = split_contract(contract)
    basic = tenths(scoring["award"][strain][level])
    if over == 0:
        basic += tenths(scoring["exact"][level])
    basic += tenths(by_number(scoring["overtricks_exactly"], over))
    if doubled == "":
        return basic
    bonus = tenths(scoring["doubled_made"] if doubled == "X" else scoring["redoubled_made"])
    times = scoring["multiplier"][DOUBLING_NAME[doubled]]
    applies_to = scoring["multiplier"]["applies_to"]
    if applies_to == "total":
        return (basic + bonus) * times
    if applies_to == "award":
        return basic * times + bonus
    return basic + bonus


def failed_tenths(scoring, contract, tricks):
    """The undertrick table: a total by tricks short, its last value for all beyond; never multiplied again."""
    if scoring["undertricks"] == "none":
        return 0
    _, _, doubled = split_contract(contract)
    table = scoring["undertricks"][DOUBLING_NAME[doubled]]
    short = tricks_needed(contract) - tricks
    return tenths(table[min(short, len(table)) - 1])


def contract_points(scoring, contract, tricks):
    """What declarer and opponent score for a contract played with so many tricks.

    Examples
    --------
    >>> table = {"award": {"S": [None, 150]}, "exact": [0, 250], "overtricks_exactly": {3: 350}}
    >>> contract_points(table, "1S", 7)
    {'declarer': 400, 'opponent': 0}
    """
    if is_made(contract, tricks):
        return {"declarer": number(made_tenths(scoring, contract, tricks)), "opponent": 0}
    return {"declarer": 0, "opponent": number(failed_tenths(scoring, contract, tricks))}
