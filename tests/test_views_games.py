"""Bots are blind in the other games too: what a seat sees in phase 1 of Draw Bridge, in Draw and Discard, when it calls and
among any number of hands is rebuilt here from the transcript, out of its own cards and public events only.

The phases are run in plain Python with a recorder in the place of the policies: each view they hand over must be the rebuilt
one, field by field, and each decision the recorded one. When the unseen cards change places, the rebuilt view stays what it
was.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers import RANDOM, Json, U, bots_of, can_play, card, deals_of, mask, suit
from options_games import CASES, game
from reference import cards as reference_cards
from reference import draw_tricks, duties, streams
from reference.calls import forbidden_number
from reference.play import trump_of_play

from simcore import bits
from simcore.batch import Setup, prepare
from simcore.bot_table import rollouts_of
from simcore.bots.view import CallView, ChooseView, DrawView, ManyView
from simcore.codes import MAX_TRICKS
from simcore.config import load_bot, shipped
from simcore.phases.auction import calls as calls_phase
from simcore.phases.exchange import draw_tricks as draw_phase
from simcore.phases.exchange import look_and_choose as choose_phase
from simcore.phases.play import many_hands as many_phase
from simcore.table import new_record, new_table

OWN_OR_PUBLIC = {
    DrawView: {"hand", "waiting", "legal", "n_legal", "led", "winners", "visible", "unseen", "opponent_known", "trick",
               "n_tricks", "is_dealer", "key"},
    ChooseView: {"hand", "first", "unseen", "opponent_thrown", "turn", "n_turns", "is_dealer", "key"},
    CallView: {"hand", "trumps", "strain", "turned", "unseen", "lowest", "highest", "forbidden", "position", "players",
               "seat", "calls", "n_tricks", "overtricks", "bonus_from", "bonus_overtricks", "totals", "key"},
    ManyView: {"hand", "legal", "n_legal", "led", "best", "winners", "best_seat", "to_play", "unseen", "trumps", "strain",
               "seat", "players", "voids", "shown", "calls", "overtricks", "taken", "quotas", "declarer", "bid", "alone",
               "trick", "n_tricks", "totals", "key"},
}  # fmt: skip


@pytest.mark.parametrize("view", OWN_OR_PUBLIC, ids=lambda view: view.__name__)
def test_views_hold_nothing_hidden(view: Any) -> None:
    """A new field of a view needs a place in this list, and in the tests below."""
    assert set(view._fields) == OWN_OR_PUBLIC[view]


# --- what a seat knows -----------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """What the seat of an event knew before it."""

    own: list[str]
    """Cards in its hand, those laid aside included."""
    waiting: list[str]
    gone: list[str]
    """Cards it knows to be out of play."""
    open: list[str]
    """Cards that lie open for both: those the winner of each trick of phase 1 will draw (option)."""
    opponent_drew: list[str]
    """Of these, the ones the opponent drew."""
    calls: dict[int, int]
    tricks: list[list[tuple[int, str]]]
    """Tricks so far of this phase, the one under way last."""
    winners: list[int]


def thrown_of(line: Json, event: Json) -> tuple[str, str]:
    """The two cards of a turn of Draw and Discard: kept and thrown."""
    place = [other for other in line["events"] if other["act"] == "choose"].index(event)
    first, second = line["events"][0]["stock"][2 * place : 2 * place + 2]
    return event["kept"], second if event["kept"] == first else first


def seen_at(line: Json, number: int) -> Seen:
    """Reads public events, and of the rest only the seat's own."""
    events, rules = line["events"], line["rules"]
    seat, deal = events[number]["seat"], events[0]
    exchange = rules["exchange"]
    seen = Seen(list(reference_cards.parse_hand(deal["hands"][seat])), [], [], [], [], {}, [], [])
    if deal["upcard"] and exchange.get("upcard") != "dealer_takes_it":
        seen.gone.append(deal["upcard"])
    stock = list(deal["stock"])
    shows = bool(exchange.get("top_card_visible"))
    if shows:
        seen.open.append(stock[0])
    for event in events[1:number]:
        act, is_own = event["act"], event.get("seat") == seat
        if act == "exchange" and is_own:
            seen.own[:] = [one for one in seen.own + event["drew"] if one not in event["discarded"]]
            seen.gone.extend(event["discarded"])
        elif act == "choose":
            kept, thrown = thrown_of(line, event)
            if is_own:
                seen.own.append(kept)
            if exchange["discards_face_up"] or (is_own and thrown in event["seen"]):
                seen.gone.append(thrown)
        elif act == "call":
            if not seen.calls:
                seen.tricks.clear()
                seen.winners.clear()
                seen.waiting.clear()
            seen.calls[event["seat"]] = int(event["call"]) if event["call"].isdigit() else -1
        elif act == "play":
            if not seen.tricks or len(seen.tricks) == len(seen.winners):
                seen.tricks.append([])
            seen.tricks[-1].append((event["seat"], event["card"]))
            seen.gone.append(event["card"])
            if is_own:
                seen.own.remove(event["card"])
        elif act == "trick":
            seen.winners.append(event["winner"])
        elif act == "draw":
            if is_own:
                seen.own.append(event["card"])
                if exchange["drawn"] == "aside":
                    seen.waiting.append(event["card"])
            elif event["card"] in seen.open:
                seen.opponent_drew.append(event["card"])
            stock.remove(event["card"])
            if shows and len(stock) % 2 == len(deal["stock"]) % 2 and stock:
                seen.open.append(stock[0])
    return seen


def unseen(line: Json, *known: list[str]) -> list[str]:
    """Cards of the pack that are in none of some lists."""
    all_known = {one for cards in known for one in cards}
    return [one for one in reference_cards.deck(line["rules"]) if one not in all_known]


def key_of(line: Json, purpose: int, seat: int) -> int:
    return streams.seat_key(streams.deal_key(line["seed"], line["match"], line["deal"]), purpose, seat)


# --- the views -------------------------------------------------------------------------------------------------------


def draw_view(line: Json, number: int) -> Json:
    seen, event, rules = seen_at(line, number), line["events"][number], line["rules"]
    seat, options = event["seat"], rules["exchange"]
    hand = [one for one in seen.own if one not in seen.waiting]
    under_way = seen.tricks[-1] if len(seen.tricks) > len(seen.winners) else []
    led = under_way[0][1] if under_way else None
    legal = [one for one in hand if led is None or draw_tricks.reply_fault(options, hand, led, one) is None]
    naturals = [one for one in reference_cards.DRAW_ORDER if not reference_cards.is_colon(one)]
    winners = [one for one in naturals if led and draw_tricks.reply_wins(options, led, one)]
    played = [one for trick in seen.tricks for _, one in trick]
    return {
        "hand": mask(hand),
        "waiting": mask(seen.waiting),
        "legal": mask(legal),
        "n_legal": len(legal),
        "led": card(led) if led else 0,
        "winners": mask(winners),
        "visible": card(seen.open[-1]) if options["top_card_visible"] else 0,
        "unseen": mask(unseen(line, seen.own, seen.gone, seen.open)),
        "opponent_known": mask([one for one in seen.opponent_drew if one not in played]),
        "trick": len(seen.winners),
        "n_tricks": sum(other["act"] == "draw" for other in line["events"]) // 2,
        "is_dealer": seat == line["dealer"],
        "key": key_of(line, streams.EXCHANGE, seat),
    }


def choose_view(line: Json, number: int) -> Json:
    seen, event = seen_at(line, number), line["events"][number]
    seat = event["seat"]
    before = [other for other in line["events"][:number] if other["act"] == "choose"]
    theirs = [thrown_of(line, other)[1] for other in before if other["seat"] != seat]
    return {
        "hand": mask(seen.own),
        "first": card(event["seen"][0]),
        "unseen": mask(unseen(line, seen.own, seen.gone, event["seen"][:1])),
        "opponent_thrown": mask(theirs if line["rules"]["exchange"]["discards_face_up"] else []),
        "turn": sum(other["seat"] == seat for other in before),
        "n_turns": 13,
        "is_dealer": seat == line["dealer"],
        "key": key_of(line, streams.EXCHANGE, seat),
    }


def by_seat(line: Json, calls: dict[int, int]) -> list[int]:
    return [calls.get(seat, -1) for seat in range(line["rules"]["players"])]


def made_by(rules: Json) -> Json:
    """How far beyond a call one may go."""
    scoring = rules["scoring"]
    return {
        "overtricks": {"at_least": MAX_TRICKS, "at_most_one_over": 1, "exact": 0}[scoring["success"]],
        "bonus_from": MAX_TRICKS + 1 if scoring["bonus_from"] is None else scoring["bonus_from"],
        "bonus_overtricks": scoring["bonus_overtricks"],
    }


def call_view(line: Json, number: int) -> Json:
    seen, event, rules = seen_at(line, number), line["events"][number], line["rules"]
    seat, upcard, auction = event["seat"], line["events"][0]["upcard"], rules["auction"]
    trump = trump_of_play(rules, None, upcard)
    cards = len(seen.own)
    highest = cards if auction["max"] == "cards" else auction["max"]
    forbidden = forbidden_number(rules, cards, list(seen.calls.values()))
    return {
        "hand": mask(seen.own),
        "trumps": suit(trump),
        "strain": "CDHS".index(trump) if trump else 4,
        "turned": card(upcard) if upcard else 0,
        "unseen": mask(unseen(line, seen.own, seen.gone)),
        "lowest": auction["min"],
        "highest": highest,
        "forbidden": forbidden if forbidden is not None and auction["min"] <= forbidden <= highest else -1,
        "position": len(seen.calls),
        "players": rules["players"],
        "seat": seat,
        "calls": by_seat(line, seen.calls),
        "n_tricks": cards,
        **made_by(rules),
        "totals": [0] * rules["players"],
        "key": key_of(line, streams.BIDDING, seat),
    }


def voids_shown(line: Json, seen: Seen) -> list[int]:
    voids = [0] * line["rules"]["players"]
    for trick in seen.tricks:
        led = trick[0][1][0]
        for seat, played in trick:
            if played[0] != led and line["rules"]["play"]["must_follow"]:
                voids[seat] |= int(suit(led))
    return voids


def many_view(line: Json, number: int) -> Json:
    seen, event, rules = seen_at(line, number), line["events"][number], line["rules"]
    seat, players = event["seat"], rules["players"]
    trump = trump_of_play(rules, None, line["events"][0]["upcard"])
    under_way = seen.tricks[-1] if len(seen.tricks) > len(seen.winners) else []
    cards = [one for _, one in under_way]
    legal = duties.legal_cards(rules, seen.own, cards, trump)
    best = duties.winning_place(cards, trump) if cards else None
    winners = [
        one
        for one in reference_cards.deck({**rules, "deck": {"colons": []}})
        if cards and one not in cards and duties.winning_place([*cards, one], trump) == len(cards)
    ]
    return {
        "hand": mask(seen.own),
        "legal": mask(legal),
        "n_legal": len(legal),
        "led": card(cards[0]) if cards else 0,
        "best": card(cards[best]) if best is not None else 0,
        "winners": mask(winners),
        "best_seat": under_way[best][0] if best is not None else -1,
        "to_play": players - len(cards) - 1,
        "unseen": mask(unseen(line, seen.own, seen.gone)),
        "trumps": suit(trump),
        "strain": "CDHS".index(trump) if trump else 4,
        "seat": seat,
        "players": players,
        "voids": voids_shown(line, seen),
        "shown": int(np.bitwise_or.reduce(np.array(voids_shown(line, seen), np.uint64))),
        "calls": by_seat(line, seen.calls),
        "overtricks": made_by(rules)["bonus_overtricks" if seen.calls[seat] >= made_by(rules)["bonus_from"] else "overtricks"],
        "taken": [seen.winners.count(one) for one in range(players)],
        "quotas": [0] * players,
        "declarer": -1,
        "bid": 0,
        "alone": 0,
        "trick": len(seen.winners),
        "n_tricks": len(line["events"][0]["hands"][0].replace(".", "")) or 13,
        "totals": [0] * players,
        "key": key_of(line, streams.PLAY, seat),
    }


# --- the recorder ----------------------------------------------------------------------------------------------------


def as_unsigned(value: Any) -> Any:
    """The unsigned word with the bits of a number, or such words in place of several; nothing stays nothing."""
    if value is None or isinstance(value, tuple):
        return value and tuple(map(as_unsigned, value))
    return U(int(value) % 2**64)


class Recorder:
    """Stands in the place of a policy switch: keeps each view, and decides as the switch does."""

    def __init__(self, switch: Any) -> None:
        self.switch = switch
        self.views: list[Any] = []
        self.decisions: list[int] = []

    def __call__(self, policy: Any, view: Any, *rest: Any) -> Any:
        """Keep the view with copies of its arrays, ask the switch."""
        fields = view._asdict().items()
        self.views.append({name: value.tolist() if isinstance(value, np.ndarray) else int(value) for name, value in fields})
        hints = type(view).__annotations__
        exact = {name: U(value) for name, value in fields if hints[name] == "np.uint64"}
        answer = self.switch(policy, view._replace(**exact), *rest)
        self.decisions.append(int(answer[0] if isinstance(answer, tuple) else answer))
        return as_unsigned(answer) if isinstance(answer, tuple) else answer


PHASES = {"exchange_by_tricks", "exchange_by_choice", "run_calls", "play_many_hands"}
NO_MASKS = {*PHASES, "_view", "next_seat", "forbidden_call", "stock_for_draws", "seats_to_follow", "overtricks_allowed",
            "keep_trick", "forget", "note_card", "note_trick"}  # fmt: skip
"""Kernels of these modules whose results are no masks, keys or bits."""
ASKING = {"take_turn", "take_all_turns", "make_hands", "_card_of", "play_card"}
"""Kernels of these modules that ask a policy themselves."""
PLAIN = {"select": bits._select_python, "ctz": bits._ctz_python, "popcount": bits._popcount_python,
         "unlikely": bool}  # fmt: skip


def plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


def unsigned(kernel: Any) -> Any:
    """A kernel whose results are unsigned in Python too, as they are in kernels."""

    def call(*args: Any) -> Any:
        return as_unsigned(kernel(*args))

    return call


def recorded(monkeypatch: pytest.MonkeyPatch, module: Any, switch: str) -> Recorder:
    """Make a module of kernels playable in plain Python, with a recorder for its policies."""
    for name, function in PLAIN.items():
        if hasattr(module, name):
            monkeypatch.setattr(module, name, function)
    for name, function in vars(module).copy().items():
        if name in ASKING:
            monkeypatch.setattr(module, name, function.py_func)
        elif hasattr(function, "py_func") and name not in {*NO_MASKS, switch}:
            monkeypatch.setattr(module, name, unsigned(function))
    recorder = Recorder(getattr(module, switch))
    monkeypatch.setattr(module, switch, recorder)
    return recorder


def table_of(setup: Setup, line: Json) -> Any:
    table = new_table(rollouts=rollouts_of(setup))
    deal = line["events"][0]
    for seat, hand in enumerate(deal["hands"]):
        table.hands[seat] = mask(reference_cards.parse_hand(hand))
    for place, one in enumerate(([deal["upcard"]] if deal["upcard"] else []) + deal["stock"]):
        table.stock[place] = card(one)
    return table


def replay(monkeypatch: pytest.MonkeyPatch, setup: Setup, line: Json) -> Iterator[tuple[str, Recorder]]:
    """Run the phases of a deal in plain Python; yields the act of a decision and the recorder of its views."""
    rules, dealer = setup.rules, np.int64(line["dealer"])
    key = U(streams.deal_key(line["seed"], line["match"], line["deal"]))
    table, record, slot = table_of(setup, line), new_record(1), np.int64(0)
    common, bots = rules.common, setup.bot_table
    if rules.draw is not None:
        recorder = recorded(monkeypatch, draw_phase, "choose_card")
        plain(draw_phase.exchange_by_tricks)(common, rules.draw, bots, key, dealer, table, record.phase1, slot)
        yield "draws", recorder
    if rules.choose is not None:
        recorder = recorded(monkeypatch, choose_phase, "keeps_first")
        with_views = bots._replace(only_random=None)  # where all bots are random, they are not shown their views
        plain(choose_phase.exchange_by_choice)(common, rules.choose, with_views, key, dealer, table, record.choices, slot)
        yield "choose", recorder
    if rules.calls is None:
        return
    for event in line["events"]:
        if event["act"] == "exchange":
            table.thrown[event["seat"]] = table.gone[event["seat"]] = mask(event["discarded"])
            table.hands[event["seat"]] |= mask(event["drew"])
            table.hands[event["seat"]] &= ~table.thrown[event["seat"]]
    trump = trump_of_play(line["rules"], None, line["events"][0]["upcard"])
    strain = np.int64("CDHS".index(trump) if trump else 4)
    recorder = recorded(monkeypatch, calls_phase, "choose_call")
    plain(calls_phase.run_calls)(
        common, rules.calls, rules.call_score, bots, key, dealer, strain, table, record.calls, slot
    )
    yield "call", recorder
    if rules.between_two is None:
        leader = np.int64((line["dealer"] + 1) % rules.deal.players)
        recorder = recorded(monkeypatch, many_phase, "choose_card")
        plain(many_phase.play_many_hands)(
            rules, bots, key, leader, strain, -1, 0, 0, rules.deal.final_cards, table, record.tricks, slot
        )
        yield "play", recorder


UNREAD = {"voids", "shown"}
"""What nobody notes in games of random bots, which do not look at it."""
VIEWS = {"draws": draw_view, "choose": choose_view, "call": call_view, "play": many_view}


def decision_of(line: Json, event: Json) -> int:
    """The recorded decision, as the switch gives it."""
    if event["act"] == "choose":
        return int(event["kept"] == event["seen"][0])
    return int(event["call"]) if event["act"] == "call" else int(card(event["card"]))


def numbers_of(line: Json, act: str) -> list[int]:
    """Numbers of the events at which these decisions were made."""
    events = line["events"]
    first_call = next(number for number, event in enumerate(events) if event["act"] == "call")
    if act == "draws":
        return [number for number in range(first_call) if events[number]["act"] == "play"]
    return [n for n, event in enumerate(events) if event["act"] == act and (act != "play" or n > first_call)]


def moved(line: Json, number: int, chosen: random.Random) -> Json:
    """The same transcript with the cards that the seat of an event has not seen in each other's places, everywhere."""
    seen = seen_at(line, number)
    event = line["events"][number]
    upcard = [line["events"][0]["upcard"]] if line["events"][0]["upcard"] else []
    looked_at = event["seen"][:1] if event["act"] == "choose" else []
    hidden = unseen(line, seen.own, seen.gone, seen.open, upcard, looked_at)
    others = list(hidden)
    chosen.shuffle(others)
    new = dict(zip(hidden, others))

    def change(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: change(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [change(one, key) for one in value]
        if key == "hands":
            return reference_cards.hand_text([new.get(one, one) for one in reference_cards.parse_hand(value)])
        return new.get(value, value) if isinstance(value, str) else value

    return {**line, "events": change(line["events"])}


def same_view(found: Json, due: Json) -> None:
    assert set(found) == set(due)
    for name, value in due.items():
        if isinstance(value, list):
            assert found[name][: len(value)] == value, name
        else:
            assert found[name] == int(value), name


TABLES: dict[str, tuple[str, Json]] = {
    "call_bridge": ("call_bridge", {}),
    "call_bridge, total": CASES["call_bridge: total may not equal tricks, few calls"],
    "call_bridge, all duties": CASES["call_bridge: all duties"],
    "no duty to follow": CASES["call_bridge: no duty to follow"],
    "oh_hell": ("oh_hell", {}),
    "5 players": CASES["call_bridge: 5 players"],
    "upcard": CASES["call_bridge: upcard"],
    "draw_bridge": ("draw_bridge", {}),
    "draw_bridge, upcard": CASES["draw_bridge: 12 cards and an upcard"],
    "draw_bridge, visible": CASES["draw_bridge: top card visible"],
    "draw_bridge, aside and visible": CASES["draw_bridge: drawn cards wait, visible"],
    "draw_bridge, any suit": CASES["draw_bridge: any suit's rank wins"],
    "draw_and_discard_bridge": ("draw_and_discard_bridge", {}),
    "second not seen": CASES["draw_and_discard_bridge: second not seen"],
    "face up": CASES["draw_and_discard_bridge: discards face up"],
    "second not seen, face up": CASES["draw_and_discard_bridge: second not seen, face up"],
    "colons": CASES["draw_and_discard_bridge: colons"],
    "Bridgette, calls": CASES["Bridgette, calls"],
    "Bridgette, calls, no colons": CASES["Bridgette, calls, no colons"],
    "dealer takes the upcard": CASES["Bridgette, calls, dealer takes the upcard"],
    "draws, then calls": CASES["draws, then calls"],
    "draws and duties, then calls": CASES["draws and duties, then calls"],
    "choices, then calls": CASES["choices, then calls"],
}
BOTS = sorted({"random", *(name for name in shipped("bots") if not load_bot(name).sees_all and name != "expert")})
"""`expert` differs from `expected` in what tests/test_views.py and tests/test_expert.py look at."""


KEEPER: Json = {**RANDOM, "exchange": {"policy": "expected", "model": "draw_and_discard_bridge_published"}}
"""Keeps or throws by expected score."""
OWN_BOTS = {"random": RANDOM, "keeper": KEEPER}


def deals_by(name: str, bot: str, seed: int) -> tuple[Setup, list[Json]]:
    """Some deals of a table, played by the kernels."""
    base, changes = TABLES[name]
    bots = bots_of(OWN_BOTS[bot]) if bot in OWN_BOTS else [load_bot(bot)]
    setup = prepare(game(base, changes), bots, seed, "deal")
    return setup, deals_of(setup, 3, 4)


def tables_and_bots() -> list[tuple[str, str]]:
    """Each table with each bot that can play it."""
    games = {name: game(base, changes) for name, (base, changes) in TABLES.items()}
    bots = {name: load_bot(name) for name in shipped("bots")}
    found = [(name, bot) for name in TABLES for bot in BOTS if bot == "random" or can_play(games[name], bots[bot])]
    return [*found, ("draw_and_discard_bridge", "keeper")]


@pytest.mark.parametrize(("name", "bot"), tables_and_bots())
def test_views_follow_from_what_is_seen(monkeypatch: pytest.MonkeyPatch, name: str, bot: str) -> None:
    setup, lines = deals_by(name, bot, seed=17)
    chosen = random.Random(name)
    compared = 0
    for line in lines:
        with monkeypatch.context() as patched:
            for act, recorder in replay(patched, setup, line):
                numbers = numbers_of(line, act)
                assert len(numbers) == len(recorder.views)
                for number, found, decision in zip(numbers, recorder.views, recorder.decisions):
                    due = VIEWS[act](line, number)
                    if setup.bot_table.only_random is not None:
                        found |= {name: due[name] for name in UNREAD & due.keys()}
                    same_view(found, due)
                    assert decision == decision_of(line, line["events"][number])
                    other = moved(line, number, chosen)
                    again = VIEWS[act](other, number)
                    assert {key: np.array(value).tolist() for key, value in again.items()} == {
                        key: np.array(value).tolist() for key, value in due.items()
                    }
                    compared += 1
    assert compared >= 8


def test_moving_unseen_cards_does_move_some() -> None:
    """The test above would see a view that looks: the moved deals are other deals."""
    for name in ("call_bridge", "draw_bridge", "draw_and_discard_bridge", "Bridgette, calls"):
        _, lines = deals_by(name, "random", seed=1)
        number = next(n for n, event in enumerate(lines[0]["events"]) if event["act"] in ("play", "choose", "call"))
        other = moved(lines[0], number, random.Random(1))
        seat = lines[0]["events"][number]["seat"]
        assert other["events"][0]["hands"][seat] == lines[0]["events"][0]["hands"][seat]
        assert json.dumps(other["events"]) != json.dumps(lines[0]["events"])
