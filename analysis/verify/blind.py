"""Check that bots are blind: a deal is played again with unseen cards in each other's places.

Cards that a seat cannot see change places, between the other hands and the stock: two, six or many. Both deals are played by
the same kernels with the same random streams. As long as the seat has seen the same in both, it must decide the same. A bot
that sees all cards is played as well: it must be caught, or the check would be worth nothing.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.verify import plain
from analysis.verify.effort import Effort
from analysis.verify.findings import Finding, Outcome, exact
from analysis.verify.games import tables
from simcore.api import deal
from simcore.config import load_bot

PEEKING = "oracle"
Event = Mapping[str, Any]


def check_blind(seed: int, effort: Effort) -> Outcome:
    """Every shipped bot in every shipped variant; and one that sees all cards."""
    found = Outcome("blind", "decisions stay the same when unseen cards change places")
    for variant, bot in tables():
        if load_bot(bot).sees_all:
            if variant == "bridgette" and effort.oracle:
                decisions, faults = compared(variant, bot, seed, effort.oracle)
                note = f"caught in {len(faults)} of {decisions} decisions"
                found.findings.append(Finding(f"{variant}, {bot}: is caught", decisions, None, int(not faults), note))
            continue
        if effort.bots and bot == "random":  # it looks at nothing; in the short form the others are more worth the time
            continue
        decisions, faults = compared(variant, bot, seed, effort.swaps)
        found.findings.append(exact(f"{variant}, {bot}", decisions, faults))
    return found


def compared(variant: str, bot: str, seed: int, deals: int) -> tuple[int, list[str]]:
    """Decisions that had to be the same, and those that were not.

    Parameters
    ----------
    variant, bot : str
    seed : int
    deals : int
        Deals that are played twice.

    Returns
    -------
    tuple
        How many, and the faults.
    """
    chosen = random.Random(f"{seed} {variant} {bot}")
    originals = list(deal(variant, count=deals, seed=seed, bots=bot, unit="deal"))
    players = len(originals[0]["bots"])
    seats = [chosen.randrange(players) for _ in originals]
    others = [_swapped(line, seat, chosen) for line, seat in zip(originals, seats, strict=True)]
    with tempfile.TemporaryDirectory(prefix="simcore-verify-") as folder:
        path = Path(folder) / "deals.jsonl"
        path.write_text("".join(json.dumps(other) + "\n" for other in others), encoding="utf-8")
        again = list(deal(variant, count=deals, seed=seed, bots=bot, hands=path))
    decisions, faults = 0, []
    for line, other, seat in zip(originals, again, seats, strict=True):
        for number, (one, two) in enumerate(_decisions(line["events"], other["events"], seat)):
            decisions += 1
            if one != two:
                faults.append(
                    f"deal {line['match']}, seat {seat}, decision {number}: {one}, after a change that it cannot see {two}"
                )
    return decisions, faults


def _swapped(line: Event, seat: int, chosen: random.Random) -> dict[str, Any]:
    """The deal with some cards changed over that the seat sees late, if it ever does."""
    start = line["events"][0]
    late = _seen_late(line, seat)
    where = {card: group for group, cards in _places(line, seat).items() for card in cards}
    size = chosen.choice((2, 6, len(late)))  # few changes leave the play alike for long, many show more
    if size == 2:
        first = chosen.choice(late)
        second = chosen.choice([card for card in late if where[card] != where[first]] or [first])
        change = {first: second, second: first}
    else:
        moved = chosen.sample(late, min(size, len(late)))
        change = dict(zip(moved, chosen.sample(moved, len(moved)), strict=True))
    hands = [plain.text_of([change.get(card, card) for card in plain.hand_of(text)]) for text in start["hands"]]
    stock = [change.get(card, card) for card in start["stock"]]
    return {"hands": hands, "stock": stock, "upcard": start["upcard"], "dealer": line["dealer"]}


def _places(line: Event, seat: int) -> dict[str, list[str]]:
    """Cards that a seat does not see at first, by where they are; cards of the stock each in a place of its own."""
    start = line["events"][0]
    groups = {f"hand {other}": plain.hand_of(text) for other, text in enumerate(start["hands"]) if other != seat}
    return groups | {f"stock {place}": [card] for place, card in enumerate(start["stock"])}


def _seen_late(line: Event, seat: int) -> list[str]:
    """The half of the unseen cards that the seat sees last, or never."""
    order: dict[str, int] = {}
    for number, event in enumerate(line["events"][1:]):
        for card in _cards_seen(event, seat):
            order.setdefault(card, number)
    unseen = [card for cards in _places(line, seat).values() for card in cards]
    unseen.sort(key=lambda card: order.get(card, len(line["events"])))
    return unseen[len(unseen) // 2 :]


def _cards_seen(event: Event, seat: int) -> list[str]:
    """Cards that an event shows to a seat."""
    own = event.get("seat") == seat
    if event["act"] == "play" or (event["act"] == "draw" and own):
        return [event["card"]]
    if own and event["act"] == "exchange":
        return list(event["drew"])
    return list(event["seen"]) if own and event["act"] == "choose" else []


def _decisions(one: list[Event], two: list[Event], seat: int) -> Iterator[tuple[Any, Any]]:
    """What a seat decided in two deals, as long as it has seen the same in both."""
    if _shown(one[0], seat) != _shown(two[0], seat):
        raise AssertionError("the change can be seen")
    for event, other in zip(one[1:], two[1:], strict=False):
        if _before(event, seat) != _before(other, seat):
            return
        mine, theirs = _decided(event, seat), _decided(other, seat)
        if mine is not None:
            yield mine, theirs
            if mine != theirs:
                return
        if _shown(event, seat) != _shown(other, seat):
            return


def _before(event: Event, seat: int) -> Any:
    """What a seat knows of an event as it comes to decide: whose turn it is, and what it has drawn."""
    acts = (event["act"], event.get("seat"))
    if event.get("seat") != seat:
        return acts
    if event["act"] == "exchange":
        return (*acts, sorted(event["drew"]))
    return (*acts, event["seen"][0]) if event["act"] == "choose" else acts


def _decided(event: Event, seat: int) -> Any:
    """What a seat chose in an event of its own."""
    if event.get("seat") != seat:
        return None
    if event["act"] == "choose":
        return event["seen"].index(event["kept"])
    return {"exchange": event.get("discarded"), "call": event.get("call"), "play": event.get("card")}.get(event["act"])


def _shown(event: Event, seat: int) -> Any:
    """What an event shows to a seat."""
    own = event.get("seat") == seat
    if event["act"] == "deal":
        return event["hands"][seat], event["upcard"]
    if own or event["act"] in ("play", "call", "trick"):
        return event
    if event["act"] == "exchange":
        return len(event["drew"])
    return event["act"]
