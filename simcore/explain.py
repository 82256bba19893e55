"""Explanations: each decision of a deal with the policy, the rule that fired and the numbers it weighed.

The match is played once more by the slow course, with explainers in the seats: the policies in plain Python
(`simcore.bots.explain`) over the same views. What they decide must be what the kernels decided; a difference is a fault
and is reported as one. Stages without such policies have plain explanations only (`simcore.explain_plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simcore import slow_course
from simcore.batch import Setup, longest_match
from simcore.bits import U0, U
from simcore.bots.bidding import switch as bidding_switch
from simcore.bots.exchange import switch as exchange_switch
from simcore.bots.explain import bidding, exchange, expected, keeping, play
from simcore.bots.explain.reason import Reason
from simcore.bots.play import switch as play_switch
from simcore.bots.view import AuctionView, ExchangeView, PlayView
from simcore.cards import BORDER_CARD, bit_number
from simcore.errors import SimcoreError
from simcore.explain_plain import SEES_ALL, add_plain_reasons, explains_nothing_of
from simcore.explain_sampled import sampled_reasons
from simcore.explain_solved import SolvingExplainer
from simcore.notation import card_text, parse_card
from simcore.plugins import METHODS, REGISTRY, PythonBot
from simcore.raw_columns import new_deal_columns, new_match_columns
from simcore.table import new_record, new_table
from simcore.transcript import MATCH_FORMAT, call_text, play_transcripts, render
from simcore.transcript_text import choice_text, deal_lines, head_text, result_lines, settle_text

Explainers = dict[str, Callable[..., Reason]]
EXCHANGE: Explainers = {"keep_best": exchange.keep_best, "keep_high": exchange.keep_high, "expected": keeping.expected}
BIDDING: Explainers = {
    "points": bidding.points,
    "high_cards": bidding.high_cards,
    "expected": expected.expected,
}
PLAY: Explainers = {"careful": play.careful, "eager": play.eager}
"""Explainers by policy, of a view and the parameters; `expected` gets its tables as well. The policy `random` needs none: its
reason is the draw."""
SAMPLES = "sampling"
"""A policy that is explained by solving (`simcore.explain_solved`)."""
_DECISIONS = ("exchange", "call", "play")
I = np.int64


@dataclass(slots=True)
class _Explainer(PythonBot):
    """Sits in a seat of the slow course, decides as its bot does, and says why."""

    setup: Setup
    seat: int
    reasons: list[Reason]
    plan: Any = None
    note: np.uint64 = field(default=U0)
    memory: Any = None
    solving: SolvingExplainer = field(init=False)

    def __post_init__(self) -> None:
        self.solving = SolvingExplainer(self.setup)
        self.memory = new_table(self.setup.has_compiled_bots).memory

    def decides(self, stage: str) -> bool:
        """Everything but what takes more than a view: that is left to the kernels, and explained from the events."""
        return getattr(self.setup.bots[self.seat], stage).policy != SEES_ALL and PythonBot.decides(self, stage)

    def _explained(self, stage: str, explainers: Explainers, view: Any) -> Reason | None:
        model = getattr(self.setup.bots[self.seat], stage)
        plugin = REGISTRY[model.bot].bot if model.policy == "plugin" else None
        if isinstance(plugin, PythonBot):
            return Reason(int(getattr(plugin, METHODS[stage])(view)), "plugin", f"decided by bot {plugin.name}", {})
        params = getattr(self.setup.bot_table, f"{stage}_params")[self.seat].tolist()
        if model.policy == SAMPLES:
            return self.solving.card(view, params)
        if stage == "bidding" and getattr(model, "solves_known", False) and self.solving.knows(view):
            return self.solving.call(view, self.seat)
        if model.policy not in explainers:
            return None
        bots = self.setup.bot_table
        tables = {"exchange": bots.keeping, "bidding": bots.expected}
        return explainers[model.policy](view, params, *((tables[stage],) if model.policy == "expected" else ()))

    def _say(self, reason: Reason | None, choice: int, numbers: dict[str, Any], stage: str) -> int:
        policy = getattr(self.setup.bots[self.seat], stage).policy
        rule = "decided by a compiled bot" if policy == "plugin" else "draws one of its possible choices"
        self.reasons.append(reason or Reason(choice, policy, rule, numbers))
        return self.reasons[-1].choice

    def choose_throw(self, view: ExchangeView) -> int:
        """Cards to throw."""
        table, reason = self.setup.bot_table, self._explained("exchange", EXCHANGE, view)
        choice = 0
        if reason is None:
            choice = int(
                exchange_switch.choose_throw(table.exchange[self.seat], view, table.exchange_params, self.memory, I(self.seat))
            )
        return self._say(reason, choice, {"to_throw": int(view.n_throw), "of": int(view.hand).bit_count()}, "exchange")

    def choose_call(self, view: AuctionView) -> int:
        """A call."""
        table, reason = self.setup.bot_table, self._explained("bidding", BIDDING, view)
        choice, legal = 0, int(view.legal)
        if reason is None:
            if view.own_calls == 0:
                plan = bidding_switch.plan_auction(table.bidding[self.seat], view, table.bidding_params, I(self.seat))
                self.plan = type(plan)(*(U(part) for part in plan))
            choice = int(
                bidding_switch.choose_call(table.bidding[self.seat], view, self.plan, table.bidding_params,
                self.memory, I(self.seat))
            )
            legal &= int(self.plan.wants)
        return self._say(reason, choice, {"bids_below_its_ceiling": legal.bit_count()}, "bidding")

    def choose_card(self, view: PlayView) -> int:
        """A card."""
        table, reason = self.setup.bot_table, self._explained("play", PLAY, view)
        choice = 0
        if reason is None:
            choose = play_switch.choose_follow if view.led else play_switch.choose_lead
            note = U0 if view.trick == 0 else self.note
            card, note = choose(table.play[self.seat], view, table.play_params, self.memory, U(self.seat), note)
            choice, self.note = int(card), U(note)
        return self._say(reason, choice, {"cards_it_may_play": int(view.n_legal)}, "play")


def reasons_of(setup: Setup, match: int) -> list[Reason]:
    """Reasons of all decisions of a match, in their order.

    Parameters
    ----------
    setup : Setup
    match : int

    Returns
    -------
    list of Reason
    """
    reasons: list[Reason] = []
    players = tuple(_Explainer(setup, seat, reasons) for seat in range(setup.variant.players))
    rows = longest_match(setup.rules)
    slow_course.play_matches(
        setup, players, match, 1, new_record(1), new_deal_columns(len(players), rows), new_match_columns(len(players), 1)
    )
    return reasons


def _decided(event: dict[str, Any]) -> int | str:
    """What was decided at an event, in the form of `_wanted`."""
    if event["act"] == "exchange":
        return sum(1 << bit_number(parse_card(card)) for card in event["discarded"])
    return str(event["call"] if event["act"] == "call" else event["card"])


def _wanted(event: dict[str, Any], reason: Reason) -> int | str:
    if event["act"] == "exchange":
        return reason.choice
    if event["act"] == "call":
        return call_text(reason.choice)
    return card_text(int(BORDER_CARD[reason.choice.bit_length() - 1]))


def explain_transcripts(setup: Setup, first_match: int, count: int) -> Iterator[dict[str, Any]]:
    """Transcripts as of `play_transcripts`, whose decisions carry a field ``explain``: policy, rule, numbers.

    Parameters
    ----------
    setup : Setup
    first_match, count : int
        Matches ``first_match`` to ``first_match + count - 1``.

    Yields
    ------
    dict
        Transcripts and match lines.

    Raises
    ------
    SimcoreError
        Where an explanation does not lead to the decision it is to explain.
    """
    for match in range(first_match, first_match + count):
        reasons = iter(() if explains_nothing_of(setup) else reasons_of(setup, match))
        sampled = sampled_reasons(setup, match)
        for line in play_transcripts(setup, match, 1):
            if "events" in line:
                add_plain_reasons(setup, line, sampled)
            for event in line.get("events", ()):
                if event["act"] not in _DECISIONS or event.get("discarded") == [] or "explain" in event:
                    continue
                reason = next(reasons)
                if _wanted(event, reason) != _decided(event):
                    raise SimcoreError(
                        f"match {match}: the explanation of {reason.policy} leads to {_wanted(event, reason)}, not to {event}\n"
                        "a fault in simcore, please report it"
                    )
                event["explain"] = {"policy": reason.policy, "rule": reason.rule, "numbers": reason.numbers}
            yield line


def _numbers_text(numbers: dict[str, Any]) -> str:
    parts = []
    for name, value in numbers.items():
        shown = " ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else value
        parts.append(f"{name.replace('_', ' ')}: {'-' if shown in (None, '') else shown}")
    return "; ".join(parts)


def _why(event: dict[str, Any], indent: int) -> list[str]:
    """Lines that explain an event, if it is explained."""
    if "explain" not in event:
        return []
    why, margin = event["explain"], " " * indent
    return [f"{margin}{why['policy']}: {why['rule']}", f"{margin}  {_numbers_text(why['numbers'])}"]


def render_explained(line: dict[str, Any]) -> str:
    """An explained transcript, or a match line, as text: each decision on a line, and below it why.

    Parameters
    ----------
    line : dict
        As `explain_transcripts` yields it.

    Returns
    -------
    str
        Many lines.
    """
    if line["format"] == MATCH_FORMAT:
        return render(line)
    out = [head_text(line), *deal_lines(line["events"][0], line)]
    n_tricks, is_lead = 0, True
    for event in line["events"][1:]:
        seat, act = event.get("seat"), event["act"]
        if act == "exchange":
            drew, threw = (" ".join(event[key]) or "-" for key in ("drew", "discarded"))
            out.append(f"  exchange  seat {seat} draws {drew}, throws {threw}")
        elif act == "choose":
            out.append(f"  chooses   {choice_text(event)}")
        elif act == "call":
            n_tricks = 0
            out.append(f"  call      seat {seat}: {event['call']}")
        elif act == "play":
            n_tricks += is_lead
            head = f"trick {n_tricks:>2}" if is_lead else "        "
            out.append(f"  {head}  seat {seat} {'leads' if is_lead else 'plays'} {event['card']}")
            is_lead = False
        elif act == "trick":
            out.append(f"            seat {event['winner']} wins")
            is_lead = True
        else:
            out.append(settle_text(event) if act == "settle" else f"            seat {seat} draws {event['card']}")
        out += _why(event, 14)
    return "\n".join([*out, *result_lines(line), ""])
