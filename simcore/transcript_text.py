"""Transcripts as text for people, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simcore.notation import COLONS, hand_text, parse_card, parse_hand
from simcore.transcript_events import MATCH_FORMAT, Event


def render(line: dict[str, Any]) -> str:
    """A transcript or a match line as text, card by card."""
    if line["format"] == MATCH_FORMAT:
        winner = "shared" if line["winner"] is None else f"seat {line['winner']} wins"
        return f"match {line['match']} ends {' : '.join(str(t) for t in line['totals'])}, {winner}\n"
    pages = _Pages()
    for event in line["events"]:
        pages.add(event, line)
    return "\n".join([head_text(line), *pages.finished(), *result_lines(line), ""])


def head_text(line: dict[str, Any]) -> str:
    """The first line of a transcript."""
    return f"{line['variant']}, seed {line['seed']}, match {line['match']}, deal {line['deal']}, dealer seat {line['dealer']}"


def deal_lines(event: Event, line: dict[str, Any]) -> list[str]:
    """Hands, turned card and, where no contract names them, trumps."""
    out = [f"  seat {seat}    {hand}" for seat, hand in enumerate(event["hands"])] if any_cards(event) else []
    if event["upcard"]:
        out.append(f"  upcard    {event['upcard']}")
    trump = line["rules"]["play"].get("trump", "contract")
    if trump == "turned_card":
        trump = "none" if event["upcard"] in COLONS else event["upcard"][0]
    return out if trump == "contract" else [*out, f"  trumps    {trump}"]


def any_cards(event: Event) -> bool:
    """Whether a deal event gives anybody a card; in Draw and Discard it does not."""
    return any(hand.strip(".") for hand in event["hands"])


class MadeHands:
    """Hands that come about before the auction, by tricks or by choice, to be shown when it begins."""

    def __init__(self, line: dict[str, Any]) -> None:
        kind = line["rules"]["exchange"]["kind"]
        self.by_tricks = kind == "draw_tricks"
        self.shows = self.by_tricks or kind == "look_and_choose"
        self.hands = [parse_hand(hand) for hand in line["events"][0]["hands"]]

    def add(self, event: Event) -> None:
        """Follow an event before the auction."""
        if event["act"] in ("play", "draw", "choose"):
            self.hands[event["seat"]] ^= 1 << parse_card(event["kept"] if event["act"] == "choose" else event["card"])

    def lines(self) -> list[str]:
        """The hands, where they are not those of the deal."""
        return [f"  seat {seat}    {hand_text(hand)}" for seat, hand in enumerate(self.hands)] if self.shows else []


class _Pages:
    """Lines of a transcript; several events may share one."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.trick: list[str] = []
        self.calls: list[str] = []
        self.n_tricks = self.n_turns = 0
        self.draws_after_trick = 0
        self.made_hands: MadeHands | None = None

    def add(self, event: Event, line: dict[str, Any]) -> None:
        """Write an event."""
        act = event["act"]
        if act != "call" and self.calls:
            self._write_calls()
        if act == "deal":
            self.out += deal_lines(event, line)
            self.made_hands = MadeHands(line)
        elif act == "exchange":
            self.out.append(f"  exchange  seat {event['seat']} draws {' '.join(event['drew'])}")
            self.out.append(f"            and throws {' '.join(event['discarded'])}")
        elif act == "choose":
            self.n_turns += 1
            self.out.append(f"  turn   {self.n_turns:>2}  {choice_text(event)}")
        elif act == "call":
            if self.made_hands is not None:
                self.out += self.made_hands.lines()
                self.made_hands = None
            self.calls.append(f"{event['seat']}:{event['call']}")
        elif act == "play":
            self.trick.append(f"{event['seat']}:{event['card']}")
        elif act == "trick":
            self.n_tricks += 1
            draws = self.made_hands is not None and self.made_hands.by_tricks
            label = "draw " if draws else "trick"
            self.out.append(f"  {label} {self.n_tricks:>2}  {'  '.join(self.trick)}   seat {event['winner']}")
            self.trick = []
            self.draws_after_trick = 2 if draws else 0
        elif act == "draw":
            self._write_draw(event)
        else:
            self.out.append(settle_text(event))
        if self.made_hands is not None:
            self.made_hands.add(event)

    def _write_draw(self, event: Event) -> None:
        """The winner's and the loser's card on the line of their trick; penalties on lines of their own."""
        if self.draws_after_trick == 0:
            self.out.append(f"  draws     seat {event['seat']} draws {event['card']}")
        elif self.draws_after_trick == 2:
            self.out[-1] += f" draws {event['card']}"
        else:
            self.out[-1] += f", seat {event['seat']} {event['card']}"
        self.draws_after_trick = max(0, self.draws_after_trick - 1)

    def _write_calls(self) -> None:
        self.out.append("  auction   " + "  ".join(self.calls))
        self.calls, self.n_tricks = [], 0

    def finished(self) -> list[str]:
        """All lines."""
        if self.calls:
            self._write_calls()
        return self.out


def choice_text(event: Event) -> str:
    """A turn of Draw and Discard."""
    return f"seat {event['seat']} sees {' '.join(event['seen'])}, keeps {event['kept']}"


def settle_text(event: Event) -> str:
    """What a round of a shedding game leaves."""
    return f"  settle    left to shed {_list(event['quota'])}, points {_list(event['points'])}"


def _list(numbers: Sequence[Any]) -> str:
    return " : ".join(str(number) for number in numbers)


def _outcome(made: bool) -> str:
    return "made" if made else "failed"


def result_lines(line: dict[str, Any]) -> list[str]:
    """The result, in a line or a line a seat."""
    result = line["result"]
    points = _list(result["points"])
    if "calls" in result:
        seats = zip(result["calls"], result["tricks"], result["made"], result["points"], strict=True)
        return [
            f"  {'result' if seat == 0 else '':8}  seat {seat} calls {call}, takes {tricks}, {_outcome(made)}, points {score}"
            for seat, (call, tricks, made, score) in enumerate(seats)
        ]
    if result["contract"] is None:
        what = "thrown in" if line["rules"]["auction"]["kind"] == "steps" else "passed out"
        return [f"  result    {what}, points {points}"]
    taken = result["tricks"][result["declarer"]]
    outcome = _outcome(result["made"])
    return [f"  result    {result['contract']} by seat {result['declarer']}, {taken} tricks, {outcome}, points {points}"]
