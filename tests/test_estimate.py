"""Estimates against deals of the game under the same condition, against enumeration, and their limits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from helpers import hand
from scipy.stats import chi2

import analysis
import simcore
from simcore.batch import play_chunk, prepare
from simcore.bots.explain.exchange import keep_best
from simcore.bots.view import ExchangeView
from simcore.cards import from_border
from simcore.cli import invoke
from simcore.codes import BID_OFFSET, CALL_PASS, Role
from simcore.columns import ROLE_NAMES
from simcore.config import load_bot, load_variant
from simcore.notation import card_numbers, hand_text, mask_of, parse_bid, parse_card, parse_contract, parse_hand
from simcore.sampling.known import Question, known_of
from simcore.sampling.sampler import Sampler

U = np.uint64
Deals = dict[str, np.ndarray]
MOST_ERRORS = 4.0
PIECE = 60_000


# --- deals of the game itself -----------------------------------------------------------------------------------------


@cache
def played(variant: str, n: int, bot: str = "heuristic") -> Deals:
    """Single deals, every contract played from both sides, as a run has them."""
    setup = prepare(load_variant(variant), [load_bot(bot)], 99, "deal", groups=("trick_table", "hands", "exchange"))
    pieces: list[Deals] = []
    for first in range(0, n, PIECE):
        chunk = play_chunk(setup, first, min(PIECE, n - first), with_record=True)
        assert chunk.record is not None
        pieces.append({**chunk.deals, "first_calls": chunk.record.calls[: len(chunk.deals["match"]), :3].copy()})
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def side(deals: Deals, role: str) -> Deals:
    """The same with declarer in one role."""
    seat = deals["dealer"] if role == "dealer" else 1 - deals["dealer"]
    found = {name: column for name, column in deals.items() if not name[-1].isdigit()}
    for stem in ("hand", "thrown", "hcp", "len_S", *(f"tricks_{strain}" for strain in ("C", "D", "H", "S", "NT"))):
        both = deals[f"{stem}_0"], deals[f"{stem}_1"]
        found[stem] = np.where(seat == 0, *both)
        found[f"{stem}_opponent"] = np.where(seat == 1, *both)
    return found


def holds(column: np.ndarray, text: str) -> np.ndarray:
    cards = U(parse_hand(text))
    return (column & cards) == cards


def suit_length(column: np.ndarray, suit: int) -> np.ndarray:
    return np.bitwise_count((column >> U(13 * suit)) & U(0x1FFF))


def agree(made: np.ndarray, report: analysis.EstimateReport) -> None:
    """Two rates within four standard errors of their difference."""
    found = report.rate
    assert found.estimate is not None
    n, share = len(made), float(made.mean())
    assert n > 300
    pooled = (made.sum() + found.estimate * found.n) / (n + found.n)
    error = np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / found.n))
    assert abs(share - found.estimate) <= MOST_ERRORS * error, (share, found.estimate, error, n)


Case = tuple[dict[str, Any], Callable[[Deals], np.ndarray]]
CASES: dict[str, Case] = {
    "ace and king": ({"hand": "AK...+", "declarer": "dealer"}, lambda d: holds(d["hand"], "AK...")),
    "five spades": (
        {"hand": "xxxxx*.*.*.*/*", "declarer": "non_dealer", "opponent": "A...+"},
        lambda d: (d["len_S"] >= 5) & holds(d["hand_opponent"], "A..."),
    ),
    "condition": (
        {"where": "hcp_declarer >= 15 and len_trump_declarer >= 5", "declarer": "dealer", "upcard": "HA"},
        lambda d: (d["hcp"] >= 15) & (d["len_S"] >= 5) & (d["upcard"] == parse_card("HA")),
    ),
    "auction": (
        {"auction": "Pass", "declarer": "non_dealer"},
        lambda d: d["first_calls"][:, 0] == CALL_PASS,
    ),
}
LONG_CASES: dict[str, Case] = {
    "ace and king, non-dealer": ({"hand": "AK...+", "declarer": "non_dealer"}, lambda d: holds(d["hand"], "AK...")),
    "four honours": ({"hand": "AKQ.A..+", "declarer": "dealer"}, lambda d: holds(d["hand"], "AKQ.A..")),
    "opponent's aces": ({"opponent": "A.A..+", "declarer": "dealer"}, lambda d: holds(d["hand_opponent"], "A.A..")),
    "an ace turned": ({"upcard": "HA", "declarer": "dealer"}, lambda d: d["upcard"] == parse_card("HA")),
    "a void": (
        {"opponent": "*..*.*/*", "declarer": "dealer"},
        lambda d: suit_length(d["hand_opponent"], 2) == 0,
    ),
    "colons": (
        {"hand": "*.*.*.*/G*", "opponent": "*.*.*.*/R", "declarer": "dealer"},
        lambda d: holds(d["hand"], ".../G") & (d["hand_opponent"] >> U(52) == U(2)),
    ),
    "a shape": (
        {"hand": "xxxxx.xxxx*.*.*/*", "declarer": "non_dealer"},
        lambda d: (d["len_S"] == 5) & (suit_length(d["hand"], 2) >= 4),
    ),
    "thrown": (
        {"thrown": "C2 C3", "declarer": "non_dealer"},
        lambda d: d["thrown"] == U(parse_hand("...32")),
    ),
    "an opening": (
        {"auction": "1S", "declarer": "dealer"},
        lambda d: d["first_calls"][:, 0] == parse_bid("1S") + BID_OFFSET,
    ),
    "an overcall": (
        {"auction": "Pass Pass", "hand": "A...+", "declarer": "dealer"},
        lambda d: (d["first_calls"][:, :2] == CALL_PASS).all(1) & d["passed_out"] & holds(d["hand"], "A..."),
    ),
}


def check_case(case: Case, run: Deals, strain: str, level: int, variant: str, **how: Any) -> None:
    known, chosen = case
    found = side(run, known["declarer"])
    rows = chosen(found)
    report = analysis.estimate(variant, f"{level}{strain}", **known, **how, seed=5, best=False)
    agree(found[f"tricks_{strain}"][rows] >= 6 + level, report)


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_deals_of_the_game(name: str) -> None:
    """Deals of a run, restricted to those that agree with what is known, make as often."""
    check_case(CASES[name], played("bridgette", 120_000), "S", 3, "bridgette", deals=20_000)


@pytest.mark.long
@pytest.mark.parametrize("contract", [("S", 4), ("H", 2), ("NT", 3)], ids=lambda contract: f"{contract[1]}{contract[0]}")
@pytest.mark.parametrize("name", [*CASES, *(name for name in LONG_CASES if name != "an overcall")])
def test_agrees_with_many_deals(name: str, contract: tuple[str, int]) -> None:
    """A dozen kinds of knowledge, three contracts, four million deals."""
    strain, level = contract
    if name == "condition" and strain != "S":
        pytest.skip("the condition is about spades")
    check_case((CASES | LONG_CASES)[name], played("bridgette", 4_000_000), strain, level, "bridgette", deals=200_000)


@pytest.mark.long
def test_agrees_with_random_bots() -> None:
    """Their exchange, auction and play draw; every twentieth deal or so is passed out."""
    case = LONG_CASES["an overcall"]
    deals = played("bridgette", 1_000_000, "random")
    check_case(case, deals, "S", 1, "bridgette", deals=50_000, bots="random")
    check_case(CASES["ace and king"], deals, "S", 1, "bridgette", deals=50_000, bots="random")


@pytest.mark.long
@pytest.mark.parametrize("variant", ["draw_bridge", "draw_bridge_published", "draw_and_discard_bridge"])
@pytest.mark.parametrize("role", ROLE_NAMES)
def test_agrees_in_the_games_of_drawing(variant: str, role: str) -> None:
    deals = played(variant, 500_000)
    case: Case = ({"hand": "AK.Q..+", "declarer": role}, lambda d: holds(d["hand"], "AK.Q.."))
    check_case(case, deals, "S", 2, variant, deals=50_000)


@pytest.mark.long
def test_the_upcard_of_who_takes_it() -> None:
    """The option in which the dealer takes the upcard, whose weight follows from what is known."""
    rules = {"extends": "bridgette", "name": "taken", "exchange": {"upcard": "dealer_takes_it"}}
    setup = prepare(load_variant(rules), [load_bot("heuristic")], 99, "deal", groups=("trick_table", "hands", "exchange"))
    deals = {**play_chunk(setup, 0, 1_000_000).deals}
    for role in ROLE_NAMES:
        case: Case = ({"hand": "AK...+", "declarer": role}, lambda d: holds(d["hand"], "AK..."))
        known, chosen = case
        found = side(deals, role)
        rows = chosen(found)
        report = analysis.estimate(rules, "3S", **known, deals=100_000, best=False)
        agree(found["tricks_S"][rows] >= 9, report)
        # the upcards themselves
        variant = load_variant(rules)
        bots = (load_bot("heuristic"),) * 2
        deal = known_of(variant, Question(hand="AK...+"), ROLE_NAMES.index(role), bots)
        sampled = Sampler(prepare(variant, bots, 4, "deal"), deal, ROLE_NAMES.index(role), play=False).first(100_000).sampled
        for text in ("SA", "H2", "DQ"):
            card = parse_card(text)
            one, two = (found["upcard"][rows] == card).mean(), (sampled.upcard == from_border(U(1 << card))).mean()
            error = np.sqrt(one * (1 - one) * (1 / rows.sum() + 1 / 100_000))
            assert abs(one - two) <= MOST_ERRORS * max(error, 1e-4), (text, one, two)


@pytest.mark.long
def test_agrees_without_an_exchange() -> None:
    """Hands drawn directly, with voids of both, and a turned card whose weight follows from the layouts that it leaves."""
    rules = {"extends": "bridgette", "name": "plain", "exchange": {"kind": "none"}}
    setup = prepare(load_variant(rules), [load_bot("heuristic")], 99, "deal", groups=("trick_table", "hands", "exchange"))
    deals = side(play_chunk(setup, 0, 2_000_000).deals, "dealer")
    mine, theirs = deals["hand"], deals["hand_opponent"]
    rows = (suit_length(mine, 2) == 0) & holds(mine, "A...") & (suit_length(theirs, 0) == 0) & (theirs >> U(52) == 0)
    known = {"hand": "A*..*.*/*", "opponent": "*.*.*."}
    report = analysis.estimate(rules, "3S", **known, declarer="dealer", deals=100_000, best=False)
    found = deals["tricks_S"][rows]
    share, n = float((found >= 9).mean()), len(found)
    assert n > 50
    rate = report.rate.estimate
    assert rate is not None
    assert abs(share - rate) < MOST_ERRORS * np.sqrt(rate * (1 - rate) * (1 / n + 1 / 100_000))
    variant, bots = load_variant(rules), (load_bot("heuristic"),) * 2
    deal = known_of(variant, Question(**known), 0, bots)
    batch = Sampler(prepare(variant, bots, 4, "deal"), deal, 0, play=False).first(100_000)
    assert batch.attempts == 100_000  # nothing had to be rejected
    weights = np.diff(deal.known.weights, prepend=U(0)).astype(float)
    for card, weight in zip(deal.known.upcards, weights / weights.sum(), strict=True):
        share = float((batch.sampled.upcard == card).mean())
        assert abs(share - weight) < 5 * np.sqrt(weight * (1 - weight) / 100_000)


# --- enumeration ------------------------------------------------------------------------------------------------------

HAND = "AKQJ2.A9.K7.K853"
KEPT = "AKQJ92.AK9.KQ.K/G"


def test_thrown_cards_by_enumeration() -> None:
    """The two cards that the non-dealer threw: all pairs of unseen cards are tried in plain Python; the bot would have thrown
    just these from some of them, and each of those comes up equally often."""
    variant, bot = load_variant("bridgette"), load_bot("heuristic")
    held, upcard = hand(KEPT), U(from_border(U(1 << parse_card("H2"))))
    unseen = [card for card in range(55) if not (parse_hand(KEPT) | 1 << parse_card("H2")) >> card & 1]
    setup = prepare(variant, [bot], 3, "deal")
    possible = []
    for pair in combinations(unseen, 2):
        thrown = U(from_border(U(mask_of(list(pair)))))
        view = ExchangeView(held | thrown, 2, upcard, 0, U(7 << 13), U(0))
        if keep_best(view, setup.bot_table.exchange_params[0]).choice == thrown:
            possible.append(int(thrown))
    assert 10 < len(possible) < 400
    deal = known_of(variant, Question(hand=KEPT, upcard="H2", thrown="policy"), Role.NON_DEALER, (bot, bot))
    n = 100 * len(possible)
    batch = Sampler(setup, deal, Role.NON_DEALER, play=False).first(n)
    counts = Counter(int(cards) for cards in batch.sampled.thrown[:, 0])
    assert set(counts) == set(possible)
    assert sum((counts[cards] - 100) ** 2 / 100 for cards in possible) < chi2.isf(1e-5, len(possible) - 1)
    share = len(possible) / (len(unseen) * (len(unseen) - 1) / 2)
    assert abs(n / batch.attempts - share) < 4 * np.sqrt(share * (1 - share) / batch.attempts)


def test_an_ending_by_enumeration() -> None:
    """Draw Bridge with all but four cards known: the six hands the opponent may have are solved one by one."""
    mine = "KQT95.A82.K4.QJT"
    deck = (1 << 52) - 1
    others = card_numbers(deck & ~parse_hand(mine))
    their = mask_of([parse_card(card) for card in ("SA", "SJ", "S3", "HK", "HQ", "H5", "DA", "D7", "D3", "C3", "C9")])
    rest = [card for card in others if not their >> card & 1]
    unknown = [parse_card(card) for card in ("S8", "HT", "CK", "H9")]
    gone = mask_of([card for card in rest if card not in unknown])
    hands = [their | mask_of(list(pair)) for pair in combinations(unknown, 2)]
    tricks = simcore.solve("draw_bridge", [(mine, hand_text(cards)) for cards in hands])
    need = parse_contract("1S").need
    made = np.array([tricks[row, 3, 1] >= need for row in range(len(hands))])
    assert 0 < made.mean() < 1
    report = analysis.estimate(
        "draw_bridge", "1S", hand=mine, opponent=hand_text(their) + "+", thrown=hand_text(gone), play="perfect",
        declarer="dealer", deals=2000, best=False,
    )  # fmt: skip
    share, rate = made.mean(), report.rate.estimate
    assert rate is not None
    assert abs(rate - share) < 4 * np.sqrt(share * (1 - share) / 2000)
    assert report.rows[0].notes == ()
    exact = analysis.estimate(
        "draw_bridge", "1S", hand=mine, opponent=hand_text(hands[0]), play="perfect", declarer="dealer", best=False
    )
    assert exact.rate.estimate == exact.rate.low == exact.rate.high == float(made[0])


# --- what comes out ---------------------------------------------------------------------------------------------------


def test_any_number_of_threads() -> None:
    how: dict[str, Any] = {"hand": "AK.Q..+", "deals": 9_000, "seed": 8}
    one = analysis.estimate("bridgette", "4S", **how, workers=1)
    three = analysis.estimate("bridgette", "4S", **how, workers=3)
    assert one.as_json() == three.as_json()
    assert one.as_json() != analysis.estimate("bridgette", "4S", **how | {"seed": 9}).as_json()


def test_stops_at_fixed_numbers() -> None:
    report = analysis.estimate("bridgette", "4S", until=0.006, declarer="dealer", best=False)
    assert report.rate.n in (10_000, 20_000, 40_000)
    low, high = report.rate.low, report.rate.high
    assert low is not None
    assert high is not None
    assert high - low <= 0.012
    few = analysis.estimate("bridgette", "4S", until=0.0001, deals=15_000, declarer="dealer", best=False)
    assert few.rate.n == 15_000
    assert "are the most" in few.notes[0]


def test_points_are_those_of_the_tricks() -> None:
    """Means and the best contract follow from the distribution of tricks, worked out again from `score`."""
    report = analysis.estimate("bridgette", "3NT", hand="AKQJ2.A9.K7.K853", declarer="dealer", deals=5_000)
    row = report.rows[0]
    for name, contract in (("undoubled", "3NT"), ("doubled", "3NTX"), ("redoubled", "3NTXX")):
        points = [simcore.score("bridgette", contract, tricks)["points"] for tricks in range(14)]
        mean = sum(n * (p["declarer"] - p["opponent"]) for n, p in zip(row.tricks, points, strict=True)) / 5_000
        assert row.points[name].estimate == pytest.approx(mean)
    assert row.best is not None
    assert row.best.points.n == 5_000
    assert row.best.points.low is not None
    assert row.best.difference.high is not None
    assert row.best.difference.high >= 0
    frame = report.frame()
    assert list(frame.columns) == ["declarer", "bid", "quantity", "estimate", "low", "high", "n", "method"]
    assert frame["estimate"].between(frame["low"], frame["high"]).all()


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["estimate", "bridgette", "--contract", "4S", "--hand", "AK...+", "--deals", "3000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["contract"] == "4S"
    assert found["n"] == 6000
    assert set(found["tricks"]) == {str(tricks) for tricks in range(14)}
    assert sum(found["tricks"].values()) == pytest.approx(1)
    assert found["low"] < found["rate"] < found["high"]
    assert set(found["roles"]) == set(ROLE_NAMES)
    assert found["roles"]["dealer"]["n"] == 3000
    assert invoke(["estimate", "bridgette", "--contract", "4S", "--hand", "AK...+", "--deals", "3000"]) == 0
    assert "most points on average as dealer" in capsys.readouterr().out


def test_calls_play_as_their_bots_do() -> None:
    """A call imposed that the bot makes anyway changes nothing: the tricks are those of the game."""
    variant, bot = load_variant("call_bridge"), load_bot("heuristic")
    setup = prepare(variant, [bot], 6, "deal", groups=("hands",))
    deal = known_of(variant, Question(hand="AK...+"), None, setup.bots)
    sampled = Sampler(setup, deal, None, None, 5, play=False).first(2_000).sampled
    from simcore.table import Given, no_given_deals

    given = Given(sampled.hands, no_given_deals().stock[:0].repeat(1, 0), sampled.dealer)
    stock = np.zeros((2_000, no_given_deals().stock.shape[1]), np.uint64)
    natural = play_chunk(prepare(variant, [bot], 6, "deal", given=given._replace(stock=stock)), 0, 2_000).deals
    chosen = np.flatnonzero(natural["call_0"] == 5)
    assert len(chosen) > 50
    batch = Sampler(setup, deal, None, None, 5).first(2_000)
    assert batch.tricks is not None
    assert (batch.tricks[0, chosen] == natural["tricks_0"][chosen]).all()


REFUSED = [
    ({"hand": "AKQ52.K83.A4.QT98"}, "14 cards, not 13"),
    ({"hand": "AKQ52.K83.A4.QTT"}, "CT twice"),
    ({"hand": HAND, "opponent": "A...+"}, "SA is known twice: in hand and in opponent"),
    ({"hand": HAND, "upcard": "SA"}, "SA is known twice: in hand and in upcard"),
    ({"hand": HAND, "thrown": "S2 S3"}, "S2 is known twice: in hand and in thrown"),
    ({"opponent": "A...+", "thrown": "SA S3"}, "SA is known twice: in opponent and in thrown"),
    ({"upcard": "H2", "thrown": "H2 S3"}, "H2 is known twice: in thrown and in upcard"),
    ({"thrown": "S3 S3"}, "S3 appears twice"),
    ({"thrown": "S3 S4 S5", "declarer": "dealer"}, "throws 4 or 8 or 12"),
    ({"thrown": "S3 S4", "upcard": "HA", "declarer": "dealer"}, "throws 12 with the upcard HA"),
    ({"thrown": "S3 S4 S5"}, "non-dealer throws 2"),
    ({"hand": "AKxxxx.AKxx.AKxx.*"}, "at least 14 cards"),
    ({"hand": "AKx.xx.xx.x"}, "at most 8 cards"),
    ({"hand": "AKQJT98765432x.*.*.*"}, "of which the pack has 13"),
    ({"auction": "1S 1H"}, "1H is not above 1S"),
    ({"auction": "1S Pass Pass"}, "has ended"),
    ({"auction": "X"}, "not possible"),
    ({"auction": "1S X X"}, "not possible"),
    ({"auction": "0S"}, "no bid 0S"),
    ({"declarer": "west"}, "dealer, non_dealer"),
    ({"play": "well"}, "bots, perfect"),
    ({"deals": 0}, "deals 0"),
    ({"until": 2.0}, "half-width"),
    ({"where": "hcp_declarr > 3"}, "did you mean 'hcp_declarer'"),
    ({"upcard": "H2 H3"}, "one card is turned"),
]


@pytest.mark.parametrize(("known", "message"), REFUSED, ids=lambda part: str(part)[:40])
def test_contradictions_are_refused_at_once(known: dict[str, Any], message: str) -> None:
    def never() -> None:
        raise AssertionError("something was drawn")

    with pytest.raises(simcore.errors.InputError, match=message.replace("(", r"\(")):
        analysis.estimate("bridgette", "4S", **known, before=never)


@pytest.mark.parametrize(
    ("variant", "known", "message"),
    [
        ("pit", {"contract": "4S"}, "not estimated"),
        ("call_bridge", {"contract": "4S"}, "give a call"),
        ("call_bridge", {"call": 13}, "calls 2 .. 12"),
        ("call_bridge", {"call": 5, "opponent": "A...+"}, "only the own hand"),
        ("call_bridge", {"call": 5, "declarer": "dealer"}, "for contracts"),
        ("bridgette", {"call": 5}, "give one, as --contract 4S"),
        ("bridgette", {"contract": "0S"}, "no such bid"),
        ("draw_bridge", {"contract": "4S", "hand": "AKQ52.K83.A4.Q9/G"}, "not in the pack"),
        ("draw_bridge", {"contract": "4S", "upcard": "S2"}, "no card is turned"),
    ],
)
def test_other_games_say_what_they_have(variant: str, known: dict[str, Any], message: str) -> None:
    with pytest.raises(simcore.errors.InputError, match=message):
        analysis.estimate(variant, **known)


def test_what_hardly_ever_holds_is_given_up() -> None:
    """The heuristic never opens with a grand slam on this hand."""
    with pytest.raises(simcore.errors.InputError, match="only 0 of 2,"):
        analysis.estimate("bridgette", "4S", hand=HAND, auction="7NT", declarer="dealer", best=False)
