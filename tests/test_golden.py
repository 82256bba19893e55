"""Golden deals: one readable deal for each feature of the game, in `tests/golden`; each must still come out the same.

A file that changes is a change of the rules, of a bot or of the random streams: make it a commit of its own
(`python tests/test_golden.py` writes the files again).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers import HEURISTIC, RANDOM, Json, lines_of, setup_of
from reference import colons
from reference.cards import is_colon, parse_hand, suit_of
from reference.play import trump_suit

from simcore.transcript import render

FOLDER = Path(__file__).parent / "golden"
SEED = 7
BOTS = {"random": RANDOM, "heuristic": HEURISTIC}


class Trick(NamedTuple):
    """One trick, with what both held before it."""

    leader: int
    led: str
    reply: str
    winner: int
    lead_hand: list[str]
    follow_hand: list[str]
    trump: str | None

    @property
    def follows(self) -> bool:
        """Whether the follower could follow suit."""
        return not is_colon(self.led) and any(suit_of(card) == suit_of(self.led) for card in self.follow_hand)


def tricks_of(line: Json) -> list[Trick]:
    """The tricks of a deal; none of one that was passed out."""
    hands = [parse_hand(text) for text in line["events"][0]["hands"]]
    trump = trump_suit(line["result"]["contract"]) if line["result"]["contract"] else None
    plays: list[Json] = []
    tricks = []
    for event in line["events"]:
        if event["act"] == "exchange":
            hands[event["seat"]] = [c for c in hands[event["seat"]] + event["drew"] if c not in event["discarded"]]
        elif event["act"] == "play":
            plays.append(event)
        elif event["act"] == "trick":
            (leader, led), (follower, reply) = ((play["seat"], play["card"]) for play in plays[-2:])
            tricks.append(Trick(leader, led, reply, event["winner"], list(hands[leader]), list(hands[follower]), trump))
            hands[leader].remove(led)
            hands[follower].remove(reply)
    return tricks


def pairs_after_a_bar(line: Json) -> Iterator[tuple[Trick, Trick]]:
    """A trick in which a colon barred a suit (C3), and the next one."""
    tricks = tricks_of(line)
    for before, after in zip(tricks, tricks[1:]):
        if is_colon(before.reply) and not is_colon(before.led) and colons.in_range(before.reply, before.led):
            yield before, after


def is_ruffed(line: Json) -> bool:
    return any(
        not is_colon(t.led) and suit_of(t.led) != t.trump == suit_of(t.reply) and t.winner != t.leader for t in tricks_of(line)
    )


def is_barred(line: Json) -> bool:
    """C3, C4: the leader still has cards of the barred suit and leads another."""
    return any(
        suit_of(before.led) in map(suit_of, after.lead_hand) and suit_of(after.led) not in (None, suit_of(before.led))
        for before, after in pairs_after_a_bar(line)
    )


def leads_a_colon_when_barred(line: Json) -> bool:
    """C4: a barred leader leads a colon though he has other suits."""
    return any(
        is_colon(after.led) and {suit_of(card) for card in after.lead_hand} - {None, suit_of(before.led)}
        for before, after in pairs_after_a_bar(line)
    )


def bar_is_lifted(line: Json) -> bool:
    """C5: the leader has nothing but the barred suit."""
    return any(
        len(after.lead_hand) > 1 and {suit_of(card) for card in after.lead_hand} == {suit_of(before.led)}
        for before, after in pairs_after_a_bar(line)
    )


def throws_a_colon(line: Json) -> bool:
    """C7: a void follower throws a colon out of range."""
    return any(
        is_colon(t.reply) and not is_colon(t.led) and not colons.in_range(t.reply, t.led) and not t.follows
        for t in tricks_of(line)
    )


def led_colon_is_beaten(line: Json) -> bool:
    """C9: by a card in its range and, in another trick, by a trump outside it."""
    beaten = [t for t in tricks_of(line) if is_colon(t.led) and t.winner != t.leader]
    ways = {colons.in_range(t.led, t.reply) for t in beaten}
    return ways == {True, False}


def colon_on_colon(line: Json) -> bool:
    """C10: the led colon wins."""
    return any(is_colon(t.led) and is_colon(t.reply) and t.winner == t.leader for t in tricks_of(line))


def contract_is(line: Json, *, level: int | None = None, doubling: int | None = None, made: bool = True) -> bool:
    contract = line["result"]["contract"]
    if contract is None or line["result"]["made"] is not made:
        return False
    marks = len(contract) - len(contract.rstrip("X"))
    return (level is None or int(contract[0]) == level) and (doubling is None or marks == doubling)


def grand_slam(line: Json) -> bool:
    return contract_is(line, level=7) and 13 in line["result"]["tricks"]


FEATURES: dict[str, tuple[str, str, Callable[[Json], bool]]] = {
    "ruff": ("a side suit is ruffed", "heuristic", is_ruffed),
    "bar": ("C3, C4: a colon bars the suit just led, the leader leads another", "heuristic", is_barred),
    "colon_lead_when_barred": ("C4: a barred leader leads a colon", "random", leads_a_colon_when_barred),
    "bar_lifted": ("C5: the bar is lifted for one who has only the barred suit", "random", bar_is_lifted),
    "colon_thrown": ("C7: a void follower throws a colon out of range", "random", throws_a_colon),
    "colon_led_and_beaten": ("C9: led colons lose to their range and to a trump", "random", led_colon_is_beaten),
    "colon_on_colon": ("C10: a colon on a led colon", "random", colon_on_colon),
    "doubled_made": ("a doubled contract, made", "random", lambda line: contract_is(line, doubling=1)),
    "redoubled_failed": ("a redoubled contract, failed", "random", lambda line: contract_is(line, doubling=2, made=False)),
    "passed_out": ("both pass", "random", lambda line: line["result"]["contract"] is None),
    "grand_slam": ("a bid of seven, made", "heuristic", grand_slam),
    "seventh_deal": ("level after six deals: a seventh deal decides", "random", lambda line: line["deal"] == 6),
}
"""By file: what the deal shows, the bots, and whether a deal really shows it."""

WHERE = {
    "ruff": (0, 0),
    "bar": (0, 0),
    "colon_lead_when_barred": (5, 4),
    "bar_lifted": (25, 3),
    "colon_thrown": (1, 3),
    "colon_led_and_beaten": (25, 5),
    "colon_on_colon": (8, 0),
    "doubled_made": (10, 4),
    "redoubled_failed": (29, 1),
    "passed_out": (5, 2),
    "grand_slam": (523, 2),
    "seventh_deal": (15, 6),
}
"""Match and deal of each feature; found by `search`."""


def match_of(name: str, match: int) -> list[Json]:
    """The lines of the match of a golden deal."""
    return lines_of(setup_of({}, (BOTS[FEATURES[name][1]],), seed=SEED), match, 1)


def golden_text(name: str) -> str:
    """The file of a feature: a line that says what and how, the deal, and after a seventh deal the end of its match."""
    feature, bots, _ = FEATURES[name]
    match, deal = WHERE[name]
    lines = match_of(name, match)
    shown = [lines[deal], lines[-1]] if name == "seventh_deal" else [lines[deal]]
    head = f"# {feature}; simcore deal bridgette --seed {SEED} --match {match} --bots {bots} (deal {deal})\n"
    return head + "".join(render(line) for line in shown)


def search(name: str, most: int = 3000) -> tuple[int, int]:
    """The first deal that shows a feature."""
    setup = setup_of({}, (BOTS[FEATURES[name][1]],), seed=SEED)
    for first in range(0, most, 100):
        for line in lines_of(setup, first, 100):
            if "events" in line and FEATURES[name][2](line):
                return line["match"], line["deal"]
    raise LookupError(f"no deal shows {name}")


@pytest.mark.nojit
@pytest.mark.portable
@pytest.mark.parametrize("name", FEATURES)
def test_golden_deal(name: str) -> None:
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8") == golden_text(name)


@pytest.mark.parametrize("name", FEATURES)
def test_the_deal_shows_its_feature(name: str) -> None:
    match, deal = WHERE[name]
    assert FEATURES[name][2](match_of(name, match)[deal])


def test_every_file_is_tested() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(FEATURES) == set(WHERE)


def write() -> None:
    """Write all golden files again."""
    for name in FEATURES:
        (FOLDER / f"{name}.txt").write_text(golden_text(name), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["search"]:
        for feature_name in FEATURES:
            print(f'    "{feature_name}": {search(feature_name)},')
    else:
        write()
