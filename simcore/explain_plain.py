"""Explanations of stages without explainers over views: who decided, by which policy, and what the seat had before it.

These are the draws of Draw Bridge, the choices of Draw and Discard, and games of calls and of steps throughout. Policies whose
views can be put together again from the events give their reasons as well (`simcore.explain_called`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore.batch import Setup
from simcore.bits import U
from simcore.errors import SimcoreError
from simcore.explain_called import Follower, decided
from simcore.explain_sampled import is_sampled
from simcore.notation import hand_text, parse_card, parse_hand
from simcore.rng import deal_key, match_key
from simcore.transcript_events import Event

NOT_RECORDED = "decides; no reason is recorded for this stage"
AT_RANDOM = "draws one of its possible choices"
SEES_ALL = "perfect"
"""The policies that see all cards."""
_PERFECT = {
    "bidding": "sees both hands: the call that the best answers of the opponent leave worth most",
    "play": "sees both hands: the lowest card that keeps what perfect play makes, for {}",
}


class _Seen:
    """What is known of a deal, event by event."""

    def __init__(self, setup: Setup, deal: Event) -> None:
        self.setup = setup
        self.hands = [parse_hand(hand) for hand in deal["hands"]]
        self.calls: list[str] = []
        self.trick: list[str] = []
        self.draws = setup.variant.exchange.kind == "draw_tricks"

    def stage(self, event: Event) -> str:
        """Stage of a decision: exchange, bidding or play."""
        if event["act"] == "call":
            return "bidding"
        return "exchange" if event["act"] in ("choose", "exchange") or (self.draws and not self.calls) else "play"

    def numbers(self, event: Event) -> dict[str, Any]:
        """What the seat had before it."""
        numbers: dict[str, Any] = {"holds": hand_text(self.hands[event["seat"]])}
        if event["act"] == "exchange":
            return numbers | {"draws": " ".join(event["drew"])}
        if event["act"] == "choose":
            return numbers | {"looks_at": event["seen"][0]}
        if event["act"] == "call":
            return numbers | {"called_before": " ".join(self.calls)}
        return numbers | {"in_the_trick": " ".join(self.trick)}

    def add(self, event: Event) -> None:
        """Follow an event."""
        act = event["act"]
        if act == "call":
            self.calls.append(event["call"])
        elif act == "trick":
            self.trick = []
        elif act == "exchange":
            for card in (*event["drew"], *event["discarded"]):
                self.hands[event["seat"]] ^= 1 << parse_card(card)
        elif act in ("play", "draw", "choose"):
            card = event["kept"] if act == "choose" else event["card"]
            self.hands[event["seat"]] ^= 1 << parse_card(card)
            if act == "play":
                self.trick.append(card)


def explains_nothing_of(setup: Setup) -> bool:
    """Whether no stage of a game has explainers; they are those of bridge auctions, and of the play after one."""
    return bool(setup.variant.auction.kind != "bridge")


def add_plain_reasons(setup: Setup, line: dict[str, Any], sampled: Iterator[dict[str, Any]]) -> None:
    """Give a field ``explain`` to the decisions of a transcript that nothing else explains.

    Parameters
    ----------
    setup : Setup
    line : dict
        A transcript; its events are changed.
    sampled : iterator of dict
        Reasons of cards played by sampled roll-outs (`simcore.explain_sampled`), from the first of this transcript on.
    """
    seen = _Seen(setup, line["events"][0])
    key = deal_key(U(match_key(U(line["seed"]), U(line["match"]))), U(line["deal"]))
    follower = Follower(setup, line["events"][0], line["dealer"], int(key))
    everything = explains_nothing_of(setup)
    for event in line["events"][1:]:
        if event["act"] in ("exchange", "choose", "call", "play") and event.get("discarded") != []:
            stage = seen.stage(event)
            model = getattr(setup.bots[event["seat"]], stage)
            policy = model.policy
            # an exchange by upcard, and all that follows a bridge auction, has explainers; but not for who sees all cards
            if everything or policy == SEES_ALL or (stage == "exchange" and event["act"] != "exchange"):
                rule = AT_RANDOM if policy == "random" else NOT_RECORDED
                if policy == SEES_ALL:
                    rule = _PERFECT[stage].format(getattr(model, "aim", ""))
                event["explain"] = {"policy": policy, "rule": rule, "numbers": seen.numbers(event)}
                if is_sampled(setup, event):
                    why = next(sampled)
                    event["explain"]["rule"] = why["rule"]
                    event["explain"]["numbers"] |= why["numbers"]
                _add_reason(event, follower)
        seen.add(event)
        follower.follow(event)


def _add_reason(event: Event, follower: Follower) -> None:
    """What the policy weighed, where it can be told from what the seat has seen."""
    reason = follower.reason(event)
    if reason is None:
        return
    if reason.choice != decided(event):
        raise SimcoreError(
            f"the explanation of {reason.policy} leads to {reason.choice}, not to {event}\na fault in simcore, please report it"
        )
    event["explain"] |= {"policy": reason.policy, "rule": reason.rule, "numbers": event["explain"]["numbers"] | reason.numbers}
