"""Bots are blind: each decision follows from what the seat could see, rebuilt here from the transcript, and from nothing else.

What a seat sees is collected without looking at the other hand, the other's discards and the rest of the stock. The
policies then have to choose what was recorded; and when the unseen cards change places, nothing of this changes.
"""

from __future__ import annotations

import ast
import copy
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import reference
from helpers import (
    BOLD,
    EXPECTED,
    EXPERT,
    HEURISTIC,
    RANDOM,
    Json,
    U,
    bit_of,
    card,
    deals_of,
    mask,
    play_rules,
    setup_of,
    suit,
    texts,
)
from reference import cards as reference_cards
from reference import colons, streams
from reference.play import trick_is_won_by_reply, trump_suit

import simcore
from simcore.batch import Setup
from simcore.bots import view as views
from simcore.bots.bidding.switch import choose_call, plan_auction
from simcore.bots.exchange.switch import choose_throw
from simcore.bots.play.switch import choose_follow, choose_lead
from simcore.bots.view import AuctionView, ExchangeView, PlayView
from simcore.codes import BID_OFFSET
from simcore.notation import bid_text, parse_bid
from simcore.solving import solving_memory
from simcore.table import new_table
from simcore.transcript import CALL_TEXT

COLONS = ("GC", "RC", "LC")
SAMPLER: Json = {
    **{key: value for key, value in HEURISTIC.items() if key not in ("reads", "sees_all")},
    "name": "sampler", "play": {"policy": "sampling", "samples": 5},
}  # fmt: skip
"""Bids without a model, so under any rules."""


class Seen(NamedTuple):
    """What a seat knows when an event of its own is due."""

    rules: Json
    deal_key: int
    seat: int
    dealer: int
    hand: list[str]
    """Own cards now, those just drawn included."""
    thrown: list[str]
    drew: list[str]
    upcard: str | None
    drawn: list[int]
    """How many cards each seat drew."""
    calls: list[str]
    tricks: list[list[tuple[int, str]]]
    """Cards played so far, by trick, the one under way last."""
    totals: list[int]
    """Tenths of a point of the match before this deal."""
    deals_left: int


def seen_at(line: Json, number: int, totals: list[int], counted: int) -> Seen:
    """What the seat of an event saw before it. Reads public events, and of the rest only its own."""
    event = line["events"][number]
    seat = event["seat"]
    deal = line["events"][0]
    hand = list(reference_cards.parse_hand(deal["hands"][seat]))
    thrown: list[str] = []
    drew: list[str] = []
    drawn = [0, 0]
    calls: list[str] = []
    tricks: list[list[tuple[int, str]]] = []
    for before in line["events"][1:number]:
        if before["act"] == "exchange":
            drawn[before["seat"]] = len(before["drew"])
            if before["seat"] == seat:
                thrown, drew = before["discarded"], before["drew"]
                hand = [held for held in hand + drew if held not in thrown]
        elif before["act"] == "call":
            calls.append(before["call"])
        elif before["act"] == "play":
            if not tricks or len(tricks[-1]) == 2:
                tricks.append([])
            tricks[-1].append((before["seat"], before["card"]))
            if before["seat"] == seat:
                hand.remove(before["card"])
    if event["act"] == "exchange":
        drew = event["drew"]
        hand = hand + drew
    key = streams.deal_key(line["seed"], line["match"], line["deal"])
    deals_left = max(line["rules"]["match"]["deals"] - counted, 1)
    return Seen(
        line["rules"], key, seat, line["dealer"], sorted(hand), sorted(thrown), sorted(drew), deal["upcard"], drawn, calls,
        tricks, totals, deals_left,
    )  # fmt: skip


def typed(kind: type, **fields: Any) -> Any:
    """A view with every field of the type that kernels expect; no field missing, none too many."""
    hints = {name: kind.__annotations__[name] for name in kind._fields}  # type: ignore[attr-defined]
    assert set(hints) == set(fields)
    return kind(**{name: U(value) if "uint64" in str(hints[name]) else int(value) for name, value in fields.items()})


# --- the decisions of each stage -------------------------------------------------------------------------------------


def decide_throw(setup: Setup, seen: Seen) -> set[str]:
    bots = setup.bot_table
    view = typed(
        ExchangeView,
        hand=mask(seen.hand),
        n_throw=len(seen.drew),
        upcard=mask([seen.upcard] if seen.upcard else []),
        is_dealer=seen.seat == seen.dealer,
        colons=mask([card for card in reference_cards.deck(seen.rules) if card in COLONS]),
        key=streams.seat_key(seen.deal_key, streams.EXCHANGE, seen.seat),
    )
    fixed = (bots.exchange_params, new_table().memory, seen.seat, None, bots.keeping)
    return texts(choose_throw(bots.exchange[seen.seat], view, *fixed))


def unseen_by(seen: Seen) -> Any:
    """Cards that may be in the opponent's hand as the auction begins."""
    set_aside = [seen.upcard] if seen.upcard and seen.rules["exchange"].get("upcard") != "dealer_takes_it" else []
    known = {*seen.hand, *seen.thrown, *set_aside}
    return mask([one for one in reference_cards.deck(seen.rules) if one not in known])


def bids_mask(calls: list[str]) -> int:
    return sum(1 << parse_bid(call) for call in calls if call[0].isdigit())


def decide_call(setup: Setup, seen: Seen) -> str:
    bots, seat = setup.bot_table, seen.seat
    own = seen.calls[-2::-2]  # calls alternate; the last one is the opponent's
    theirs = seen.calls[-1::-2]
    common: Json = {
        "hand": mask(seen.hand),
        "thrown": mask(seen.thrown),
        "upcard": mask([seen.upcard] if seen.upcard else []),
        "is_dealer": seat == seen.dealer,
        "own_drawn": seen.drawn[seat],
        "opponent_drawn": seen.drawn[1 - seat],
        "own_score": seen.totals[seat],
        "opponent_score": seen.totals[1 - seat],
        "deals_left": seen.deals_left,
        "key": streams.seat_key(seen.deal_key, streams.BIDDING, seat),
        "unseen": unseen_by(seen),
    }
    before = {"legal": 0, "may_double": 0, "last_bid": -1, "doubling": 0, "own_bids": 0, "opponent_bids": 0, "own_calls": 0}
    opening = typed(AuctionView, **common, **before)
    plan = plan_auction(bots.bidding[seat], opening, bots.bidding_params, seat, expected=bots.expected)
    legal = reference.legal_calls(seen.rules, seen.hand, seen.calls)
    bids = [call for call in seen.calls if call[0].isdigit()]
    view = typed(
        AuctionView,
        **common,
        legal=bids_mask(legal),
        may_double=2 if "XX" in legal else 1 if "X" in legal else 0,
        last_bid=parse_bid(bids[-1]) if bids else -1,
        doubling={"": 0, "X": 1, "XX": 2}[reference.auction.doubling(seen.calls)],
        own_bids=bids_mask(own),
        opponent_bids=bids_mask(theirs),
        own_calls=len(own),
    )
    plan = type(plan)(*(U(part) for part in plan))
    policy, params, memory = bots.bidding[seat], bots.bidding_params, new_table().memory
    code = choose_call(policy, view, plan, params, memory, seat, expected=bots.expected)
    return CALL_TEXT[code] if code < BID_OFFSET else bid_text(code - BID_OFFSET)


def lacks_of(seen: Seen, trump: str | None) -> int:
    """Cards that the opponent has shown not to hold, beside the suits of his voids: options of C5, C7 and C8."""
    rules, lacks = seen.rules, 0
    options = play_rules(**rules["colons"])
    every = int(mask(list(reference_cards.DRAW_ORDER)))
    barred: str | None = None
    for trick in seen.tricks:
        leader, lead = trick[0]
        bar = int(suit(barred) | options.barred_colons) if barred else 0
        if leader != seen.seat and int(card(lead)) & bar:
            lacks |= int(options.lifts_without) & ~bar
        barred = None
        if len(trick) < 2:
            continue
        follower, reply = trick[1]
        in_range = reply in COLONS and lead not in COLONS and colons.in_range(reply, lead)
        barred = lead[0] if in_range and follower == seen.seat else None
        if follower == seen.seat:
            continue
        last = [colon for colon in COLONS if lead not in COLONS and not colons.in_range(colon, lead)]
        if reply in last and rules["colons"]["off_range_when_void"] == "only_if_forced":
            lacks |= every & ~int(mask(last))
        if lead in COLONS and rules["colons"]["must_beat_led_colon"] and not trick_is_won_by_reply(lead, reply, trump):
            beating = [one for one in reference_cards.DRAW_ORDER if one != lead and trick_is_won_by_reply(lead, one, trump)]
            lacks |= int(mask(beating))
    return lacks


def decide_card(setup: Setup, seen: Seen, contract: str, declarer: int, notes: list[Any], table: Any) -> str:
    """The card; the contract and its declarer are known from the auction, each policy's own note from its last card."""
    bots, seat, rules = setup.bot_table, seen.seat, seen.rules
    trump = trump_suit(contract)
    done = [trick for trick in seen.tricks if len(trick) == 2]
    led = seen.tricks[-1][0][1] if seen.tricks and len(seen.tricks[-1]) == 1 else None
    played = [card for trick in seen.tricks for _, card in trick]
    void: set[str] = set()
    won = [0, 0]
    for (leader, lead), (follower, reply) in done:
        won[follower if trick_is_won_by_reply(lead, reply, trump) else leader] += 1
        in_range = reply in COLONS and lead not in COLONS and colons.in_range(reply, lead)
        follows = reference_cards.suit_of(reply) == lead[0] or in_range
        if follower != seat and lead not in COLONS and rules["play"]["must_follow"] and not follows:
            void.add(lead[0])
    barred = None
    if done and led is None:
        (_, lead), (follower, reply) = done[-1]
        if follower != seat:  # what he held then is known as far as it matters: whether he could follow
            followed = reply in COLONS and lead not in COLONS and colons.in_range(reply, lead)
            barred = lead[0] if followed else None
    legal = (
        reference.legal_leads(rules, seen.hand, barred)
        if led is None
        else reference.legal_replies(rules, seen.hand, led, trump)
    )
    winners = {one for one in reference_cards.DRAW_ORDER if led and one != led and trick_is_won_by_reply(led, one, trump)}
    barring = [colon for colon in COLONS if led and led not in COLONS and colons.in_range(colon, led)]
    set_aside = [seen.upcard] if seen.upcard and rules["exchange"].get("upcard") != "dealer_takes_it" else []
    known = {*seen.hand, *seen.thrown, *played, *set_aside}
    bar = suit(barred) | (play_rules(**rules["colons"]).barred_colons if barred else U(0))
    view = typed(
        PlayView,
        hand=mask(seen.hand),
        legal=mask(legal),
        n_legal=len(legal),
        led=card(led) if led else 0,
        winners=mask(sorted(winners)),
        barring=mask(barring),
        bar=bar,
        unseen=mask([one for one in reference_cards.deck(rules) if one not in known]),
        opponent_void=sum(int(suit(letter)) for letter in void),
        trumps=suit(trump),
        strain=parse_bid(contract.rstrip("X")) % 5,
        level=int(contract[0]),
        doubling=len(contract) - len(contract.rstrip("X")),
        is_declarer=seat == declarer,
        own_tricks=won[seat],
        trick=len(done),
        n_tricks=13,
        own_score=seen.totals[seat],
        opponent_score=seen.totals[1 - seat],
        key=streams.seat_key(seen.deal_key, streams.PLAY, seat),
        opponent_lacks=sum(int(suit(letter)) for letter in void) | lacks_of(seen, trump),
    )
    choose = choose_lead if led is None else choose_follow
    played_card, note = choose(
        bots.play[seat], view, bots.play_params, table.memory, U(seat), notes[seat], None, None, U(0), table.sampling
    )
    notes[seat] = U(note)
    (chosen,) = texts(played_card)
    return chosen


def assert_blind(setup: Setup, line: Json, totals: list[int], counted: int, chosen: random.Random) -> dict[str, int]:
    """Every decision of a deal is the recorded one, and stays it when unseen cards change places."""
    numbers = dict.fromkeys(("exchange", "call", "play"), 0)
    notes = [U(0), U(0)]
    table, _memory = solving_memory(setup)
    result = line["result"]
    for number, event in enumerate(line["events"]):
        if event["act"] not in numbers:
            continue
        seen = seen_at(line, number, totals, counted)
        assert seen_at(with_unseen_cards_moved(line, number, seen, chosen), number, totals, counted) == seen
        if event["act"] == "exchange":
            assert decide_throw(setup, seen) == set(event["discarded"])
        elif event["act"] == "call":
            assert decide_call(setup, seen) == event["call"]
        else:
            assert decide_card(setup, seen, result["contract"], result["declarer"], notes, table) == event["card"]
        numbers[event["act"]] += 1
    return numbers


def with_unseen_cards_moved(line: Json, number: int, seen: Seen, chosen: random.Random) -> Json:
    """The same transcript with other cards in the places that the seat of an event cannot see then.

    These are: the opponent's hand (but for cards he has played), his discards, the stock not drawn by the seat itself.
    """
    known = {*seen.hand, *seen.thrown, *seen.drew, *(card for trick in seen.tricks for _, card in trick)}
    known |= {seen.upcard} if seen.upcard else set()
    unseen = [one for one in reference_cards.deck(line["rules"]) if one not in known]
    others = list(unseen)
    chosen.shuffle(others)
    new = dict(zip(unseen, others))
    moved = copy.deepcopy(line)
    deal = moved["events"][0]
    for seat in (0, 1):
        held = reference_cards.parse_hand(deal["hands"][seat])
        deal["hands"][seat] = reference_cards.hand_text([new.get(one, one) for one in held])
    deal["stock"] = [new.get(one, one) for one in deal["stock"]]
    for event in moved["events"][1:]:
        for key in ("drew", "discarded"):
            if key in event and event["seat"] != seen.seat:
                event[key] = [new.get(one, one) for one in event[key]]
        if event["act"] == "play":
            event["card"] = new.get(event["card"], event["card"])
    return moved


CASES: dict[str, tuple[Json, tuple[Json, ...]]] = {
    "heuristic": ({}, (HEURISTIC,)),
    "random": ({}, (RANDOM,)),
    "mixed": ({}, (HEURISTIC, BOLD)),
    "expected": ({}, (EXPECTED,)),
    "expected against heuristic": ({}, (EXPECTED, HEURISTIC)),
    "expert": ({}, (EXPERT,)),
    "expert, options of the colons": (
        {"colons.off_range_when_void": "only_if_forced", "colons.must_beat_led_colon": True}, (SAMPLER, RANDOM),
    ),
    "expert, options of the bar": (
        {"colons.bar_lifted": "no_other_suit", "colons.bar_allows_colon_lead": False}, (SAMPLER, RANDOM),
    ),
    "no duty to follow": ({"play.must_follow": False}, (HEURISTIC, RANDOM)),
    "no colon lead": ({"colons.bar_allows_colon_lead": False}, (HEURISTIC,)),
    "no stock": ({"exchange": {"kind": "none"}, "deal.upcard": False}, (HEURISTIC,)),
    "no colons": ({"deck.colons": []}, (HEURISTIC, RANDOM)),
}


@pytest.mark.parametrize("name", CASES)
def test_decisions_follow_from_what_is_seen(name: str) -> None:
    changes, bots = CASES[name]
    setup = setup_of(changes, bots, seed=17)
    chosen = random.Random(name)
    numbers = dict.fromkeys(("exchange", "call", "play"), 0)
    totals, match, counted = [0, 0], -1, 0
    for line in deals_of(setup, 0, 3):
        if line["match"] != match:
            totals, match, counted = [0, 0], line["match"], 0
        for act, count in assert_blind(setup, line, totals, counted, chosen).items():
            numbers[act] += count
        totals = [total + round(10 * points) for total, points in zip(totals, line["result"]["points"])]
        counted += 1
    assert numbers["play"] > 300
    assert numbers["call"] > 40
    assert numbers["exchange"] >= (0 if name == "no stock" else 36)


def test_moving_unseen_cards_does_move_some() -> None:
    """The test above would see a bot that looks: the moved deals are other deals."""
    line = deals_of(setup_of({}, (HEURISTIC,)), 0, 1)[0]
    number = next(i for i, event in enumerate(line["events"]) if event["act"] == "play")
    seen = seen_at(line, number, [0, 0], 0)
    moved = with_unseen_cards_moved(line, number, seen, random.Random(1))
    assert moved["events"][0]["hands"][seen.seat] == line["events"][0]["hands"][seen.seat]
    assert moved["events"][0]["hands"][1 - seen.seat] != line["events"][0]["hands"][1 - seen.seat]
    assert reference_cards.in_draw_order(
        [one for text in moved["events"][0]["hands"] for one in reference_cards.parse_hand(text)]
        + moved["events"][0]["stock"]
        + [moved["events"][0]["upcard"]]
    ) == reference_cards.deck(line["rules"])


# --- what policies are given -----------------------------------------------------------------------------------------

OWN_OR_PUBLIC = {
    "exchange": {"hand", "n_throw", "upcard", "is_dealer", "colons", "key"},
    "auction": {"hand", "thrown", "upcard", "is_dealer", "own_drawn", "opponent_drawn", "legal", "may_double", "last_bid",
                "doubling", "own_bids", "opponent_bids", "own_calls", "own_score", "opponent_score", "deals_left", "key",
                "unseen"},
    "play": {"hand", "legal", "n_legal", "led", "winners", "barring", "bar", "unseen", "opponent_void", "trumps", "strain",
             "level", "doubling", "is_declarer", "own_tricks", "trick", "n_tricks", "own_score", "opponent_score", "key",
             "opponent_lacks"},
}  # fmt: skip
FORBIDDEN = {"table", "hands", "deal", "rules", "record", "stock", "deck", "columns", "contracted", "bots", "dealt"}


def test_views_hold_nothing_hidden() -> None:
    """A new field of a view needs a place in this list, and in the tests above."""
    assert set(ExchangeView._fields) == OWN_OR_PUBLIC["exchange"]
    assert set(AuctionView._fields) == OWN_OR_PUBLIC["auction"]
    assert set(PlayView._fields) == OWN_OR_PUBLIC["play"]
    others = {"DrawView", "ChooseView", "CallView", "StepView", "ManyView"}  # tests/test_views_games.py
    assert {name for name in vars(views) if name.endswith("View")} == {"ExchangeView", "AuctionView", "PlayView"} | others


def test_policies_are_given_neither_table_nor_deal() -> None:
    folder = Path(simcore.__file__).parent / "bots"
    functions = 0
    for path in folder.rglob("*.py"):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                functions += 1
                names = {argument.arg for argument in node.args.args}
                assert not names & FORBIDDEN, (path.name, node.name)
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith(("simcore.course", "simcore.phases", "simcore.batch", "simcore.table"))
    assert functions > 15


def test_cards_and_bits_of_this_file() -> None:
    assert card("S2") == U(1) << bit_of("S2")
