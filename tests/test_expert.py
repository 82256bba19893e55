"""The bot `expert`: what it draws, how it values cards, what it knows, and that nothing of it depends on threads."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from helpers import EXPECTED, EXPERT, HEURISTIC, Json, card, hand, mask, play_rules, setup_of, suit, variant_with
from scipy.stats import chi2
from test_layouts import is_uniform

from analysis import ladder
from analysis.ladder import play_ladder
from simcore import explain
from simcore.batch import Setup, play_chunk, prepare
from simcore.bots.play.switch import choose_follow, choose_lead
from simcore.bots.view import PlayView
from simcore.cards import COLONS
from simcore.codes import SAMPLE_DRAWS, PlayPolicy, SamplingParam
from simcore.config import load_bot, load_variant
from simcore.errors import InputError
from simcore.phases.play.two_hand_rules import lacks_after_lead, lacks_after_reply, winning_replies
from simcore.rng import derive
from simcore.sampling.layouts import draw_hand
from simcore.sampling.sampled_play import draw_kept
from simcore.solving import solving_memory

U, I = np.uint64, np.int64
PLAYS: Json = {"policy": "sampling", "samples": 20, "aim": "points", "solve_from": 13, "discards": 0}


def expert(**play: Any) -> Json:
    """The expert with other parameters of its play."""
    kept = {key: value for key, value in EXPERT.items() if key not in ("reads", "sees_all")}
    return {**kept, "play": {**PLAYS, **play}}


def sampler(**play: Any) -> Json:
    """The heuristic bot, which bids without a model, playing by sampling."""
    kept = {key: value for key, value in HEURISTIC.items() if key not in ("reads", "sees_all")}
    return {**kept, "name": "sampler", "play": {**PLAYS, **play}}


def games(variant: str, bots: tuple[Json, ...], seed: int = 3) -> Setup:
    return prepare(load_variant(variant), [load_bot(bot) for bot in bots], seed, "deal")


# --- what is drawn ---------------------------------------------------------------------------------------------------


def test_hands_of_a_decision_are_uniform() -> None:
    """The draws of decision after decision, one block after another: all hands that may be, each equally often."""
    pool = mask("SA SK S2 HQ H3 D4 C5 GC")
    size = 3
    counts: Counter = Counter()
    for decision in range(600):
        key = U(derive(U(77), U(decision)))
        for sample in range(20):
            counts[int(draw_hand(key, U(SAMPLE_DRAWS * 10 + sample), pool, U(0), I(size)))] += 1
    bits = [1 << bit for bit in range(64) if int(pool) >> bit & 1]
    is_uniform(counts, [sum(cards) for cards in itertools.combinations(bits, size)])


def test_hands_of_one_who_threw_his_lowest() -> None:
    """Each as often as it comes out when all larger sets are drawn equally often and lose their lowest cards."""
    pool = mask("SA S9 S2 HQ H3 DT C5 GC")
    bits = [1 << bit for bit in range(64) if int(pool) >> bit & 1]
    by_rank = sorted(bits, key=lambda one: ((one.bit_length() - 1) % 16, one))
    due = Counter(sum(sorted(held, key=by_rank.index)[2:]) for held in itertools.combinations(bits, 5))
    drawn = Counter(int(draw_kept(U(derive(U(5), U(i))), U(0), pool, I(3), I(2))) for i in range(6000))
    assert set(drawn) <= set(due)
    total = sum(due.values())
    statistic = sum((drawn[held] - 6000 * n / total) ** 2 / (6000 * n / total) for held, n in due.items())
    assert statistic < chi2.isf(1e-5, len(due) - 1)


def test_nobody_threw_cards_where_none_are_exchanged() -> None:
    """`discards` is for games with an exchange."""
    changes = {"exchange": {"kind": "none"}, "deal.upcard": False}
    assert setup_of(changes, (sampler(discards=4),)).bot_table.play_params[0, SamplingParam.DISCARDS] == 0
    assert setup_of({}, (expert(discards=4),)).bot_table.play_params[0, SamplingParam.DISCARDS] == 4


def test_what_a_card_shows() -> None:
    """Voids; and where an option makes one play a card who has it, that he has none."""
    forced = play_rules(off_range_when_void="only_if_forced")
    beaten = play_rules(must_beat_led_colon=True)
    plain = play_rules()

    def reply(rules: Any, led: str, answer: str, trumps: str | None = None) -> int:
        bit = U(int(card(led)).bit_length() - 1)
        return int(lacks_after_reply(rules, bit, card(answer), U(winning_replies(bit, suit(trumps)))))

    assert reply(plain, "SA", "S2") == 0
    assert reply(plain, "S5", "LC") == 0  # the colon of the range may be played by one who could follow
    assert reply(plain, "S5", "H2") == reply(plain, "S5", "GC") == int(suit("S"))
    thrown = reply(forced, "S5", "GC")
    assert thrown & int(mask("H2 DA LC")) == int(mask("H2 DA LC"))
    assert not thrown & int(mask("GC RC"))  # he may hold the other colon out of range
    assert reply(plain, "GC", "H2") == 0
    missed = reply(beaten, "GC", "H2", "D")
    assert missed == int(suit("D") | mask("SA HA DA CA"))
    bar = suit("S")
    assert int(lacks_after_lead(plain, card("H2"), bar)) == 0
    only = int(lacks_after_lead(plain, card("S2"), bar))
    assert only & int(mask("H2 DA") | COLONS) == int(mask("H2 DA") | COLONS)
    assert not only & int(bar)
    may_hold_colons = play_rules(bar_lifted="no_other_suit")
    assert not int(lacks_after_lead(may_hold_colons, card("S2"), bar)) & int(COLONS)


# --- how cards are valued --------------------------------------------------------------------------------------------


def view_of(own: str, unseen: str, led: str = "", **changes: Any) -> PlayView:
    """A view in an ending, no trump, seat 1 leads against 1NT with all tricks to come but these cards' lost."""
    held = hand(own)
    n = int(held).bit_count()
    legal = held
    if led and held & suit(led[0]):
        legal = held & suit(led[0])
    bit = U(int(card(led)).bit_length() - 1) if led else U(0)
    fields: Json = {
        "hand": held, "legal": legal, "n_legal": U(int(legal).bit_count()), "led": card(led) if led else U(0),
        "winners": U(winning_replies(bit, U(0))) if led else U(0), "barring": U(0), "bar": U(0), "unseen": mask(unseen),
        "opponent_void": U(0), "trumps": U(0), "strain": 4, "level": 1, "doubling": 0, "is_declarer": 0, "own_tricks": 0,
        "trick": 13 - n, "n_tricks": 13, "own_score": 0, "opponent_score": 0, "key": U(9), "opponent_lacks": U(0),
    }  # fmt: skip
    return PlayView(**{**fields, **changes})


def plays(setup: Setup, view: PlayView, policy: PlayPolicy = PlayPolicy.SAMPLING) -> np.uint64:
    table, _memory = solving_memory(setup)
    choose = choose_follow if view.led else choose_lead
    given = (setup.bot_table.play_params, table.memory, U(0), U(0), None, None, U(0), table.sampling)
    return U(choose(I(policy), view, *given)[0])


def test_sees_all_possible_hands_of_a_small_ending() -> None:
    """What it plays is best on average over all hands that may be: worked out by trying everything, in plain Python."""
    setup = setup_of({"deck.colons": []}, (sampler(samples=1000, aim="tricks"),))
    chosen = np.random.default_rng(5)
    deck = [f"{letter}{rank}" for letter in "SHDC" for rank in "AKQJT98765432"]
    for _ in range(25):
        cards = [str(one) for one in chosen.permutation(deck)[:9]]
        own, unseen = cards[:4], cards[4:9]
        trump = "SHDC"[int(chosen.integers(4))]
        text = ".".join("".join(one[1] for one in own if one[0] == letter) for letter in "SHDC")
        view = view_of(text, " ".join(unseen), strain="CDHS".index(trump), trumps=suit(trump), is_declarer=1)
        totals = {
            one: sum(best_after(one, own, list(other), trump) for other in itertools.combinations(unseen, 4)) for one in own
        }
        found = plays(setup, view)
        assert [one for one in own if card(one) == found][0] in {
            one for one, total in totals.items() if total == max(totals.values())
        }


def best_after(led: str, lead: list[str], follow: list[str], trump: str) -> int:
    """Tricks of the leader with a lead, both sides knowing both hands; every card is tried."""
    rest = [one for one in lead if one != led]
    same = [one for one in follow if one[0] == led[0]]
    worst = 99
    for reply in same or follow:
        left = [one for one in follow if one != reply]
        ranks = "23456789TJQKA"
        wins = ranks.index(reply[1]) > ranks.index(led[1]) if reply[0] == led[0] else reply[0] == trump
        if wins:
            taken = len(rest) - most_tricks(left, rest, trump)
        else:
            taken = 1 + most_tricks(rest, left, trump)
        worst = min(worst, taken)
    return worst


def most_tricks(lead: list[str], follow: list[str], trump: str) -> int:
    return max((best_after(one, lead, follow, trump) for one in lead), default=0)


def test_finds_what_careful_misses() -> None:
    """Four cards left, no trump, five unseen: careful leads the ace of the suit of which least is unseen, the wrong one.

    Over the five hands he may hold the ace of spades first takes 12 tricks together, the ace of clubs 15.
    """
    setup = setup_of({"deck.colons": []}, (sampler(aim="tricks"),))
    view = view_of("A7...A5", "ST S6 CQ CJ C8", is_declarer=1)
    assert plays(setup, view, PlayPolicy.CAREFUL) == card("SA")
    assert plays(setup, view) == card("CA")
    unseen = ["ST", "S6", "CQ", "CJ", "C8"]
    own = ["SA", "S7", "CA", "C5"]
    totals = {one: sum(best_after(one, own, list(other), "N") for other in itertools.combinations(unseen, 4)) for one in own}
    assert totals == {"SA": 12, "S7": 11, "CA": 15, "C5": 12}


def test_plays_as_careful_before_it_solves() -> None:
    early = play_chunk(setup_of({}, (expert(solve_from=0),), seed=4), 0, 20).deals
    careful = play_chunk(setup_of({}, ({**EXPERT, "play": EXPECTED["play"]},), seed=4), 0, 20).deals
    assert all((early[name] == careful[name]).all() for name in careful)


# --- what it knows ---------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_knows_the_other_hand_in_draw_bridge() -> None:
    """Two of them play the deal as two oracles would: every card of phase 1 was seen."""
    variant = load_variant("draw_bridge_published")
    tricks = expert(samples=1, aim="tricks")
    chunk = play_chunk(prepare(variant, [load_bot(tricks)], 11, "deal", ("hands",)), 0, 30).deals
    from test_oracle import FOR_TRICKS

    seers = {**FOR_TRICKS, "exchange": EXPERT["exchange"]}
    other = play_chunk(prepare(variant, [load_bot(seers)], 11, "deal", ("hands",)), 0, 30).deals
    for name in ("strain", "level", "doubling", "declarer", "tricks", "points_0", "points_1"):
        assert (chunk[name] == other[name]).all(), name


# --- explanations, threads, refusals ---------------------------------------------------------------------------------

EXPLAINED: dict[str, tuple[str, Json, tuple[Json, ...]]] = {
    "bridgette": ("bridgette", {}, (expert(samples=6, solve_from=9, discards=3), expert(samples=6, aim="score"))),
    "draw_bridge_published": ("draw_bridge_published", {}, (EXPERT, HEURISTIC)),
}


@pytest.mark.parametrize(
    "name", ["bridgette", pytest.param("draw_bridge_published", marks=pytest.mark.long)]
)
def test_explanations_decide_as_the_kernels(name: str) -> None:
    """`explain_transcripts` raises where they do not."""
    variant, _, bots = EXPLAINED[name]
    found = [line for line in explain.explain_transcripts(games(variant, bots), 0, 2) if "events" in line]
    reasons = [event["explain"] for line in found for event in line["events"] if event["act"] == "play" and "explain" in event]
    sampled = [reason for reason in reasons if reason["policy"] == "sampling" and "layouts" in reason["numbers"]]
    assert len(sampled) > 20
    assert all({"layouts", "of_possible", "solved_for"} < set(reason["numbers"]) for reason in sampled)
    if name == "draw_bridge_published":
        assert all(reason["numbers"]["of_possible"] == 1 for reason in sampled)
        calls = [event["explain"] for line in found for event in line["events"] if event["act"] == "call"]
        assert any("knows the other hand" in reason["rule"] for reason in calls)


def test_workers_and_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = play_ladder("bridgette", ["expert", "heuristic"], deals=60, workers=1).as_json()
    monkeypatch.setattr(ladder, "_BLOCK", 7)
    assert play_ladder("bridgette", ["expert", "heuristic"], deals=60, workers=3).as_json() == one


def test_games_it_cannot_play() -> None:
    with pytest.raises(InputError, match=r"play\.must_head"):
        prepare(variant_with({"deck.colons": [], "play.must_head": True}), [load_bot(sampler())], 1)


def test_other_runs_know_nothing_of_it() -> None:
    assert solving_memory(setup_of({}, (HEURISTIC,)))[0].sampling is None


# --- strength --------------------------------------------------------------------------------------------------------

GAMES = (
    "bridgette", "draw_bridge", "draw_bridge_published", "draw_and_discard_bridge", "draw_and_discard_bridge_published",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_beats_the_others(game: str) -> None:
    """By at least five standard errors, at 20 000 mirrored deals."""
    for other in ("heuristic", "expected"):
        (duel,) = play_ladder(game, ["expert", other], deals=20_000).duels
        assert duel.difference.estimate is not None
        assert duel.difference.estimate > 5 * duel.standard_error, (game, other)
