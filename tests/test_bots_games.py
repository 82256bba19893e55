"""The shipped bots in games of calls and in the draw games: choices a person can check, legality, the order of the ladder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import reference
from helpers import HEURISTIC, U, bots_of, card, deals_of, mask, suit, texts
from options_games import CASES, GAMES, game, is_about_matches

from analysis.ladder import play_ladder
from simcore.batch import prepare
from simcore.bot_table import Bots
from simcore.bots.bidding.seen import most_are_seen
from simcore.bots.bidding.switch import choose_call as bid
from simcore.bots.bidding.switch import plan_auction
from simcore.bots.calls.averages import EXPECTED
from simcore.bots.calls.points import expected_tricks
from simcore.bots.calls.switch import choose_call
from simcore.bots.choosing.switch import keeps_first
from simcore.bots.drawing.switch import choose_card as draw
from simcore.bots.many.careful import highest_rank, not_above
from simcore.bots.many.switch import choose_card
from simcore.bots.view import AuctionView, CallView, ChooseView, DrawView, ManyView
from simcore.cards import NATURALS
from simcore.codes import BID_OFFSET, CALL_PASS, MAX_TRICKS, BiddingPolicy, ExchangePolicy, PlayPolicy
from simcore.config import load_bot, load_variant
from simcore.notation import parse_bid
from simcore.phases.play.many_hands import cards_above

NOVICE = load_bot("novice").model_dump(mode="json")
POINTS, HIGH_CARDS = int(BiddingPolicy.POINTS), int(BiddingPolicy.HIGH_CARDS)
KEEP_BEST, KEEP_HIGH = int(ExchangePolicy.KEEP_BEST), int(ExchangePolicy.KEEP_HIGH)
CAREFUL, EAGER = int(PlayPolicy.CAREFUL), int(PlayPolicy.EAGER)
UNSEEN = "CA C9 DK D8 HA HT S9 S5"
EXACT, ONE_OVER, NEVER_HURT = 0, 1, MAX_TRICKS


def table_of(name: str) -> Bots:
    """A shipped bot as the kernels read it."""
    return prepare(load_variant("call_bridge"), [load_bot(name)], 1, "deal").bot_table


HEURISTIC_TABLE, NOVICE_TABLE = table_of("heuristic"), table_of("novice")


def number(x: int) -> np.uint64:
    return U(int(x))


# --- play to a call --------------------------------------------------------------------------------------------------


def many_view(hand: str, cards: str, legal: str, **changes: Any) -> ManyView:
    """Seat 0's view among four with spades trumps, after the cards of the trick so far; it called 3 and has taken none."""
    played = [card(word) for word in cards.split()]
    best = U(0)
    suit_led = suit(cards[0]) if cards else U(0)
    winners = U(0)
    for one in played:
        if best == U(0) or one & winners:
            best, winners = one, U(cards_above(one, suit_led, suit("S")))
    fields: dict[str, Any] = {
        "hand": mask(hand),
        "legal": mask(legal),
        "n_legal": number(len(legal.split())),
        "led": played[0] if played else U(0),
        "best": best,
        "winners": winners,
        "best_seat": 3 if played else -1,
        "to_play": 3 - len(played),
        "unseen": mask(UNSEEN),
        "trumps": suit("S"),
        "strain": 3,
        "seat": 0,
        "players": 4,
        "voids": np.zeros(6, np.uint64),
        "shown": U(0),
        "calls": np.array([3, 3, 3, 3, 0, 0], np.int64),
        "overtricks": NEVER_HURT,
        "taken": np.zeros(6, np.int64),
        "quotas": np.zeros(6, np.int64),
        "declarer": -1,
        "bid": 0,
        "alone": 0,
        "trick": 0,
        "n_tricks": 13,
        "totals": np.zeros(6, np.int64),
        "key": U(1),
    }
    return ManyView(**{**fields, **changes})


def played(policy: int, view: ManyView) -> str:
    chosen, _ = choose_card(policy, view, HEURISTIC_TABLE.play_params, U(0), U(0))
    (text,) = texts(chosen)
    return text


REACHED: dict[str, Any] = {"taken": np.array([3, 0, 0, 0, 0, 0], np.int64), "trick": 5}


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "cards", "legal", "changes", "expected"),
    [
        # last to play and in need of tricks: the cheapest card that wins, else the lowest
        ("HK HQ H5 C2", "HT H2 HJ", "HK HQ H5", {}, "HQ"),
        ("HT H7 H5 C2", "HJ H2 HK", "HT H7 H5", {}, "H5"),
        # others are still to play: only with what they can hardly beat
        ("HK H5", "HT", "HK H5", {"unseen": mask("HA H3")}, "H5"),
        ("HK H5", "HT", "HK H5", {"unseen": mask("HQ H3")}, "HK"),
        ("HA HK H5", "HT", "HA HK H5", {"unseen": mask("HQ H3")}, "HK"),
        # where nobody must follow a void with a trump, a ruff is the cheapest trump
        ("S4 SK D2", "HA", "S4 SK D2", {}, "S4"),
        # the call is reached and must be met exactly: the highest card that loses; forced to win, win high when last
        ("HK H9 H5", "HT H2 HJ", "HK H9 H5", {"overtricks": EXACT, **REACHED}, "H9"),
        ("HK HQ", "HT H2 HJ", "HK HQ", {"overtricks": EXACT, **REACHED}, "HK"),
        ("HK HQ", "HT", "HK HQ", {"overtricks": EXACT, **REACHED}, "HQ"),
        ("DA D3 C4", "HT", "DA D3 C4", {"overtricks": EXACT, **REACHED}, "DA"),
        # a bonus call may be exceeded by one: so at one over it ducks as well
        ("HK H9", "HT H2 HJ", "HK H9", {"overtricks": ONE_OVER, "taken": np.array([4, 0, 0, 0, 0, 0]), "trick": 6}, "H9"),
        # more tricks never hurt: the others shall not have them
        ("HK HQ H9", "HT H2 HJ", "HK HQ H9", REACHED, "HQ"),
    ],
)  # fmt: skip
def test_careful_follows(hand: str, cards: str, legal: str, changes: dict[str, Any], expected: str) -> None:
    assert played(CAREFUL, many_view(hand, cards, legal, **changes)) == expected


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("hand", "changes", "expected"),
    [
        ("HK H5 C7 C2", {"unseen": mask("HQ CA")}, "HK"),  # the king is the highest heart left
        ("HK H5 C7 C2 D4", {"unseen": mask("HA CA D9")}, "D4"),  # nothing sure: low from the shortest suit
        ("SA S9 S8 S7 HK", {"unseen": mask("HQ S2")}, "SA"),  # long in trumps: it draws them
        ("SA S9 HK", {"unseen": mask("HQ S2")}, "HK"),
        ("SA S9 HK", {"unseen": mask("HQ S2"), "shown": suit("H")}, "SA"),  # hearts would be ruffed
        ("HK H5 C7", {"unseen": mask("HQ C9"), "overtricks": EXACT, **REACHED}, "C7"),  # it wants no more
    ],
)
def test_careful_leads(hand: str, changes: dict[str, Any], expected: str) -> None:
    assert played(CAREFUL, many_view(hand, "", hand, **changes)) == expected


@pytest.mark.nojit
def test_eager_wants_every_trick_that_does_not_hurt() -> None:
    assert played(EAGER, many_view("HK HQ H5", "HT", "HK HQ H5", overtricks=EXACT)) == "HK"
    assert played(EAGER, many_view("HK HQ H5", "HT", "HK HQ H5", overtricks=EXACT, **REACHED)) == "H5"
    assert played(EAGER, many_view("HK HQ H5", "HT", "HK HQ H5", **REACHED)) == "HK"
    assert played(EAGER, many_view("H9 H5", "HT", "H9 H5")) == "H5"
    assert played(EAGER, many_view("H9 DA", "", "H9 DA")) == "DA"


@pytest.mark.nojit
def test_cards_by_rank() -> None:
    assert texts(not_above(mask("H4 C2"))) == {"H4", "H3", "H2", "C2"}
    assert texts(highest_rank(mask("C9 DQ HQ S2"))) == {"HQ"}
    assert texts(cards_above(card("HQ"), suit("H"), suit("H"))) == {"HK", "HA"}
    assert texts(cards_above(card("HQ"), suit("H"), suit("C"))) == {"HK", "HA"} | texts(suit("C"))


# --- calls -----------------------------------------------------------------------------------------------------------


def call_view(hand: str, players: int = 4, **changes: Any) -> CallView:
    """The first caller's view, spades trumps, calls from 0."""
    fields: dict[str, Any] = {
        "hand": mask(hand),
        "trumps": suit("S"),
        "strain": 3,
        "turned": U(0),
        "unseen": NATURALS & ~mask(hand),
        "lowest": 0,
        "highest": 13,
        "overtricks": NEVER_HURT,
        "bonus_from": MAX_TRICKS + 1,
        "bonus_overtricks": 0,
        "forbidden": -1,
        "position": 0,
        "players": players,
        "seat": 0,
        "calls": np.full(6, -1, np.int64),
        "n_tricks": len(hand.split()),
        "totals": np.zeros(6, np.int64),
        "key": U(1),
    }
    return CallView(**{**fields, **changes})


def called(view: CallView, policy: int = POINTS) -> int:
    table = HEURISTIC_TABLE if policy == POINTS else NOVICE_TABLE
    return int(choose_call(policy, view, table.bidding_params, U(0)))


STRONG = "SA SK SQ SJ ST S9 S8 S7 HA HK DA DK CA"
POOR = "S2 H2 H3 H4 H5 D2 D3 D4 D5 C2 C3 C4 C5"
FAIR = "SA S7 S2 HA H8 H5 DK D9 D3 D2 CQ C5 C4"


@pytest.mark.nojit
def test_calls_by_strength() -> None:
    assert called(call_view(STRONG)) >= 10
    assert called(call_view(POOR)) == 0
    assert called(call_view(POOR, lowest=2)) == 2
    assert 3 <= called(call_view(FAIR)) <= 4
    assert called(call_view(FAIR), HIGH_CARDS) == 13 * 13 * 90 // (40 * 100)
    assert called(call_view(STRONG, highest=8)) == 8


@pytest.mark.nojit
def test_calls_suit_the_rules() -> None:
    """Where tricks beyond the call hurt it does not call below what it expects; bonus calls want tricks to spare."""
    tricks = expected_tricks(call_view(FAIR), HEURISTIC_TABLE.bidding_params, U(0))
    exact, over = called(call_view(FAIR, overtricks=EXACT)), called(call_view(FAIR))
    assert abs(100 * exact - tricks) <= 100
    assert over <= exact
    near = "SA SK SQ S9 S8 HA H5 H4 DA D5 D2 C3 C2"
    tricks = expected_tricks(call_view(near), HEURISTIC_TABLE.bidding_params, U(0))
    bonus = tricks // 100
    assert called(call_view(near, bonus_from=bonus + 1)) <= bonus
    assert called(call_view(near, bonus_from=bonus - 1, bonus_overtricks=1)) >= bonus - 1


@pytest.mark.nojit
@pytest.mark.parametrize("policy", [POINTS, HIGH_CARDS])
def test_the_forbidden_call_is_not_made(policy: int) -> None:
    free = called(call_view(FAIR), policy)
    assert called(call_view(FAIR, forbidden=free), policy) == free - 1
    assert called(call_view(FAIR, lowest=free, forbidden=free), policy) == free + 1


def test_expectations_of_hands() -> None:
    """Against random deals: what `points` counts is, on average, what its tables say, for trumps and without."""
    rng = np.random.default_rng(3)
    for cards in (5, 13):
        for trumps in (suit("S"), U(0)):
            view = call_view("S2", n_tricks=cards, trumps=trumps)
            hands = [rng.permutation(52)[:cards] for _ in range(4000)]
            masks = [U(sum(1 << (16 * (int(c) // 13) + int(c) % 13) for c in hand)) for hand in hands]
            found = [expected_tricks(view._replace(hand=one), HEURISTIC_TABLE.bidding_params, U(0)) for one in masks]
            assert abs(np.mean(found) - 100 * cards / 4) < 8
    assert EXPECTED.shape == (2, 27, 9)


# --- draw games ------------------------------------------------------------------------------------------------------


def keeps(first: str, hand: str, turn: int, policy: int = KEEP_BEST) -> bool:
    view = ChooseView(mask(hand), card(first), NATURALS & ~mask(hand), U(0), turn, 13, 0, U(1))
    return bool(keeps_first(policy, view, HEURISTIC_TABLE.exchange_params, U(0)))


@pytest.mark.nojit
def test_draw_and_discard_keeps() -> None:
    assert keeps("HA", "", 0)
    assert keeps("DA", "H2 H3 H4 H5 HQ HK", 6)
    assert not keeps("D2", "", 0)
    assert not keeps("D4", "H2 H3 H4 H5 HQ HK", 6)
    assert keeps("H6", "H2 H3 H4 H5 HQ HK", 6)
    assert keeps("D9", "", 0, KEEP_HIGH)
    assert not keeps("D8", "DA DK DQ DJ", 4, KEEP_HIGH)


def drawn(hand: str, legal: str, policy: int = KEEP_BEST, **changes: Any) -> str:
    fields: dict[str, Any] = {
        "hand": mask(hand), "waiting": U(0), "legal": mask(legal), "n_legal": number(len(legal.split())), "led": U(0),
        "winners": U(0), "visible": U(0), "unseen": NATURALS & ~mask(hand), "opponent_known": U(0), "trick": 0,
        "n_tricks": 13, "is_dealer": 0, "key": U(1),
    }  # fmt: skip
    chosen, _ = draw(policy, DrawView(**{**fields, **changes}), HEURISTIC_TABLE.exchange_params, U(0), U(0))
    (text,) = texts(chosen)
    return text


@pytest.mark.nojit
def test_draw_bridge_plays_what_it_needs_least() -> None:
    hand = "SA SK S9 S7 S2 HA H4 D8 D6 C3"
    assert drawn(hand, hand) == "C3"
    assert drawn(hand.replace(" C3", ""), hand.replace(" C3", "")) == "D6"
    assert drawn(hand, "HA H4") == "H4"
    assert drawn("SA SK S9 HA", "SA SK S9 HA") == "S9"
    assert drawn("SA SK HA", "HA") == "HA"
    assert drawn("SA SK S9 S2 H4 H3", "SA SK S9 S2 H4 H3", KEEP_HIGH) == "S2"


@pytest.mark.nojit
def test_draw_bridge_fights_for_good_cards_that_lie_open() -> None:
    hand = "SA SK S9 S7 HQ HJ H4"
    above = {"led": card("HT"), "winners": mask("HJ HQ HK HA")}
    assert drawn(hand, "HQ HJ H4", visible=card("SQ"), **above) == "HJ"
    assert drawn(hand, "HQ HJ H4", visible=card("D2"), **above) == "H4"
    assert drawn(hand, "HQ HJ", visible=card("D2"), **above) == "HJ"


# --- the auction where most cards were seen ---------------------------------------------------------------------------


LEGAL = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]


def auction_view(hand: str, opponent: str) -> AuctionView:
    return AuctionView(
        hand=mask(hand), thrown=U(0), upcard=U(0), is_dealer=1, own_drawn=13, opponent_drawn=13,
        legal=U(sum(1 << parse_bid(word) for word in LEGAL)), may_double=0, last_bid=-1, doubling=0, own_bids=U(0),
        opponent_bids=U(0), own_calls=0, own_score=0, opponent_score=0, deals_left=1, key=U(1), unseen=mask(opponent),
    )  # fmt: skip


@pytest.mark.nojit
def test_bids_by_both_hands() -> None:
    """With all honours gone that the other could hold, small cards are masters; the other way round it passes."""
    params = HEURISTIC_TABLE.bidding_params
    middling = "S9 S8 S7 S6 S5 S4 H9 H8 H7 D9 D8 C9 C8"
    low = "S3 S2 H6 H5 H4 H3 D7 D6 D5 C7 C6 C5 C4"
    high = "SA SK HA HK HQ HJ DA DK DQ CA CK CQ CJ"
    for opponent, is_strong in ((low, True), (high, False)):
        view = auction_view(middling, opponent)
        assert most_are_seen(view)
        plan = plan_auction(POINTS, view, params, U(0))
        call = int(bid(POINTS, view, plan, params, None, U(0)))
        assert (call >= BID_OFFSET + parse_bid("3S")) is is_strong
        assert (call == CALL_PASS) is not is_strong


@pytest.mark.nojit
def test_cards_seen_in_bridgette_are_too_few() -> None:
    """The dealer who sees most, with an ace turned: 29 of 55 cards are unseen."""
    view = auction_view(FAIR, "S2")._replace(unseen=U(2**29 - 1))
    assert not most_are_seen(view)


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, (_, changes) in CASES.items() if not is_about_matches(changes)])
def test_all_choices_are_legal(name: str) -> None:
    """Under every option that does not concern matches only, judged by the reference engine: one among others, both ways."""
    base, changes = CASES[name]
    variant = game(base, changes)
    for one, others in ((HEURISTIC, NOVICE), (NOVICE, HEURISTIC)):
        setup = prepare(variant, bots_of(one, *[others] * (variant.players - 1)), 3, "deal")
        for line in deals_of(setup, 0, 12):
            assert reference.check.check_transcript(line) == []


@pytest.mark.parametrize("name", GAMES)
def test_shipped_bots_stand_in_order(name: str) -> None:
    """heuristic beats novice beats random, each by far more than chance, even where overbidding is free."""
    duels = {(d.challenger, d.opponent): d for d in play_ladder(name, ["heuristic", "novice", "random"], deals=1500).duels}
    for better, worse in (("heuristic", "novice"), ("novice", "random"), ("heuristic", "random")):
        duel = duels[better, worse]
        assert duel.difference.estimate is not None
        assert duel.difference.estimate > 5 * duel.standard_error
