"""Bridgette's colons, rule by rule (C1 to C12), on hands written down here; the kernels that play are called directly.

Each table states what the rules say, not what the code does. GC's range is aces, RC's J Q K, LC's 2 to 10.
"""

from __future__ import annotations

from typing import Any

import pytest
from helpers import U, bit_of, card, hand, mask, play_rules, suit, texts

from simcore.phases.play.two_hand_rules import (
    bar_after,
    legal_leads,
    legal_replies,
    suit_to_follow,
    void_shown,
    winning_replies,
)

pytestmark = pytest.mark.nojit

COLON_FOR = {"GC": "A", "RC": "JQK", "LC": "23456789T"}
RANKS = "23456789TJQKA"
DECK = [letter + rank for letter in "CDHS" for rank in RANKS] + ["GC", "RC", "LC"]


def colon_for(led: str) -> str:
    """The colon in whose range a natural card is."""
    return next(colon for colon, ranks in COLON_FOR.items() if led[1] in ranks)


def replies(held: str, led: str, trump: str | None = None, **options: Any) -> set[str]:
    return texts(legal_replies(play_rules(**options), hand(held), bit_of(led), suit(trump)))


def leads(held: str, barred: str | None, **options: Any) -> set[str]:
    """What may be led when the last trick barred a suit (or nothing)."""
    rules = play_rules(**options)
    return texts(legal_leads(rules, hand(held), bar_by(barred + "A", "GC", "...2/G", rules) if barred else U(0)))


def bar_by(led: str, reply: str, held: str, rules: Any = None) -> Any:
    """The bar after a reply from a hand."""
    return bar_after(rules or play_rules(), hand(held), bit_of(led), card(reply))


def bars(led: str, reply: str, held: str, **options: Any) -> str | None:
    """The suit that a reply bars, or None; whether colons are barred with it is tested with `leads`."""
    barred = int(bar_by(led, reply, held, play_rules(**options))) & ~int(mask("GC RC LC"))
    return next((letter for letter in "CDHS" if barred == suit(letter)), None) if barred else None


def wins(reply: str, led: str, trump: str | None) -> bool:
    return bool(card(reply) & winning_replies(bit_of(led), suit(trump)))


# --- natural cards ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "led", "may"),
    [
        ("A2.KQ.3.4", "S5", "SA S2"),
        ("A2.KQ.3.4", "C5", "C4"),
        (".KQ.3.4", "S5", "HK HQ D3 C4"),  # void: any card, a trump or not
        (".KQ.3.", "S5", "HK HQ D3"),
        ("5...", "S2", "S5"),  # the last card
        ("..5.", "S2", "D5"),
    ],
)
@pytest.mark.parametrize("trump", ["C", "H", "S", None])
def test_follow_suit_if_able(held: str, led: str, may: str, trump: str | None) -> None:
    assert replies(held, led, trump) == set(may.split())


@pytest.mark.parametrize(
    ("led", "reply", "trump", "follower_wins"),
    [
        ("S5", "S6", None, True),
        ("S5", "S4", None, False),
        ("S5", "HA", None, False),  # a higher card of another suit
        ("S5", "HA", "D", False),
        ("S5", "D2", "D", True),  # ruffed
        ("SA", "D2", "D", True),
        ("D5", "D6", "D", True),  # trumps led
        ("D5", "D2", "D", False),
        ("D2", "SA", "D", False),
        ("C2", "CA", "D", True),
        ("SA", "C2", "C", True),
        ("CA", "S2", "S", True),
    ],
)
def test_highest_trump_else_highest_of_the_led_suit(led: str, reply: str, trump: str | None, follower_wins: bool) -> None:
    assert wins(reply, led, trump) is follower_wins


def test_every_winner_of_every_trick() -> None:
    """All pairs of cards under all strains, by the definition in words."""
    for trump in ("C", "D", "H", "S", None):
        for led in DECK:
            expected = set()
            for reply in DECK:
                if reply == led or reply in COLON_FOR:
                    continue  # C2, C7, C10: a colon never beats what was led
                if led in COLON_FOR:
                    better = reply[0] == trump or reply[1] in COLON_FOR[led]  # C9, C11
                elif reply[0] == led[0]:
                    better = RANKS.index(reply[1]) > RANKS.index(led[1])
                else:
                    better = reply[0] == trump
                if better:
                    expected.add(reply)
            assert texts(winning_replies(bit_of(led), suit(trump))) == expected, (trump, led)


# --- C1 to C3 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("led", [letter + rank for letter in "CDHS" for rank in RANKS])
def test_c1_the_colon_of_the_range_may_be_played_by_all(led: str) -> None:
    """By one who could follow suit, by one who could not, on trumps too."""
    other_suit = {"S": "..32.", "H": "32...", "D": "32...", "C": "32..."}[led[0]]
    same_suit = {"S": "5432...", "H": ".5432..", "D": "..5432.", "C": "...5432"}[led[0]]
    own = {led[0] + rank for rank in "5432"}
    for trump in (led[0], None):
        assert replies(same_suit + "/GRL", led, trump) == own | {colon_for(led)}
        assert colon_for(led) in replies(other_suit + "/GRL", led, trump)


def test_c1_one_who_follows_need_not_play_it() -> None:
    assert replies("5.2../G", "SA") == {"S5", "GC"}
    assert replies(".2../G", "SA") == {"H2", "GC"}
    assert replies(".../G", "SA") == {"GC"}


@pytest.mark.parametrize("trump", ["C", "D", "H", "S", None])
def test_c2_the_colon_loses(trump: str | None) -> None:
    for led in DECK[:52]:
        for colon in COLON_FOR:
            assert not wins(colon, led, trump)


@pytest.mark.parametrize("led", DECK[:52])
def test_c3_the_suit_just_led_is_barred(led: str) -> None:
    for colon in COLON_FOR:
        held = {"S": "2...", "H": ".2..", "D": "..2.", "C": "...2"}[led[0]] + "/" + colon[0]
        assert bars(led, colon, held) == (led[0] if colon == colon_for(led) else None)


def test_c3_other_replies_bar_nothing() -> None:
    assert bars("SA", "S2", "2.3../G") is None
    assert bars("SA", "H3", ".3../G") is None


@pytest.mark.parametrize(
    ("held", "always", "when_not_void"), [("2.../G", "S", "S"), (".2../G", "S", None), (".../G", "S", None)]
)
def test_c3_by_one_who_was_void_is_an_option(held: str, always: str, when_not_void: str | None) -> None:
    assert bars("SA", "GC", held) == always
    assert bars("SA", "GC", held, bar_when_void=True) == always
    assert bars("SA", "GC", held, bar_when_void=False) == when_not_void


# --- C4, C5: the whole table of what a barred leader may lead --------------------------------------------------------

BARRED_LEADER = [
    # holds (spades are barred)  no_other_card+colons  no_other_card, no colons  no_other_suit+colons  no_other_suit, no colons
    ("A2.3..", "H3", "H3", "H3", "H3"),
    ("A2.3.4.5", "H3 D4 C5", "H3 D4 C5", "H3 D4 C5", "H3 D4 C5"),
    ("A2.3../R", "H3 RC", "H3", "H3 RC", "H3"),
    ("A2.3../GRL", "H3 GC RC LC", "H3", "H3 GC RC LC", "H3"),
    (".3../R", "H3 RC", "H3", "H3 RC", "H3"),
    (".3.4.", "H3 D4", "H3 D4", "H3 D4", "H3 D4"),
    ("A2.../R", "RC", "SA S2 RC", "SA S2 RC", "SA S2 RC"),
    ("A.../GL", "GC LC", "SA GC LC", "SA GC LC", "SA GC LC"),
    ("A2...", "SA S2", "SA S2", "SA S2", "SA S2"),
    ("5...", "S5", "S5", "S5", "S5"),
    (".../R", "RC", "RC", "RC", "RC"),
    (".../GRL", "GC RC LC", "GC RC LC", "GC RC LC", "GC RC LC"),
]
BAR_OPTIONS = [
    {"bar_lifted": "no_other_card", "bar_allows_colon_lead": True},
    {"bar_lifted": "no_other_card", "bar_allows_colon_lead": False},
    {"bar_lifted": "no_other_suit", "bar_allows_colon_lead": True},
    {"bar_lifted": "no_other_suit", "bar_allows_colon_lead": False},
]


@pytest.mark.parametrize("option", range(4))
@pytest.mark.parametrize("row", BARRED_LEADER, ids=lambda row: row[0])
def test_c4_c5_what_a_barred_leader_may_lead(row: tuple[str, ...], option: int) -> None:
    assert leads(row[0], "S", **BAR_OPTIONS[option]) == set(row[1 + option].split())


@pytest.mark.parametrize("letter", "CDHS")
def test_c4_the_bar_is_on_the_suit_that_was_led(letter: str) -> None:
    assert {led[0] for led in leads("A2.A2.A2.A2", letter)} == set("CDHS") - {letter}


@pytest.mark.parametrize("held", [row[0] for row in BARRED_LEADER])
def test_without_a_bar_anything_may_be_led(held: str) -> None:
    for option in BAR_OPTIONS:
        assert leads(held, None, **option) == texts(hand(held))


# --- C6, C7 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "led", "may"),
    [
        ("3.2../R", "SA", "S3"),
        ("3.2../RL", "SA", "S3"),
        ("3.2../GRL", "SK", "S3 RC"),
        ("3.2../GRL", "S7", "S3 LC"),
        ("K.../G", "S2", "SK"),
    ],
)
@pytest.mark.parametrize("rule", ["discard", "only_if_forced"])
def test_c6_one_who_follows_keeps_a_colon_out_of_range(held: str, led: str, may: str, rule: str) -> None:
    assert replies(held, led, off_range_when_void=rule) == set(may.split())


@pytest.mark.parametrize(
    ("held", "led", "discard", "only_if_forced"),
    [
        (".42../R", "SA", "H4 H2 RC", "H4 H2"),
        (".42../RL", "SA", "H4 H2 RC LC", "H4 H2"),
        (".42../GR", "SA", "H4 H2 GC RC", "H4 H2 GC"),
        (".../GR", "SA", "GC RC", "GC"),
        (".../RL", "SA", "RC LC", "RC LC"),  # nothing else may be played
        (".../R", "SA", "RC", "RC"),
        ("..2./L", "HQ", "D2 LC", "D2"),
        ("..2./L", "H5", "D2 LC", "D2 LC"),  # in range: C1
    ],
)
def test_c7_a_void_follower_may_throw_it(held: str, led: str, discard: str, only_if_forced: str) -> None:
    for trump in ("S", "H", "D", None):
        assert replies(held, led, trump) == set(discard.split())
        assert replies(held, led, trump, off_range_when_void="only_if_forced") == set(only_if_forced.split())


def test_c7_it_loses_and_bars_nothing() -> None:
    assert not wins("RC", "SA", "H")
    assert not wins("GC", "S2", None)
    assert bars("SA", "RC", ".42../R") is None
    assert bars("S2", "GC", ".../G") is None


# --- C8 to C12 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colon", COLON_FOR)
@pytest.mark.parametrize("held", ["A2.KQ.3.4", "A2.KQ.3.4/R", "...5/GL", ".../G"])
def test_c8_any_card_may_be_played_on_a_led_colon(colon: str, held: str) -> None:
    for trump in ("S", "C", None):
        for rule in ("discard", "only_if_forced"):
            assert replies(held, colon, trump, off_range_when_void=rule) == texts(hand(held))


@pytest.mark.parametrize(
    ("held", "led", "trump", "may"),
    [
        ("A2.K.3.4", "GC", None, "SA"),
        ("A2.K.3.4", "GC", "H", "SA HK"),
        ("K2.K.3.4", "GC", None, "SK S2 HK D3 C4"),  # nobody can be made to beat it
        ("K2.K.3.4", "GC", "C", "C4"),
        ("AQ.K.3.4", "RC", None, "SQ HK"),
        ("AQ.A.A.A", "LC", None, "SA SQ HA DA CA"),
        ("AQ.A.A.A/R", "LC", None, "SA SQ HA DA CA RC"),
        ("AQ.A.A.2/R", "LC", None, "C2"),
        (".../RL", "GC", "S", "RC LC"),
        ("2.../RL", "GC", "S", "S2"),
    ],
)
def test_c8_must_beat_a_led_colon_is_an_option(held: str, led: str, trump: str | None, may: str) -> None:
    assert replies(held, led, trump, must_beat_led_colon=True) == set(may.split())
    assert replies(held, led, trump) == texts(hand(held))


def test_c8_the_option_does_not_touch_natural_leads() -> None:
    assert replies("52.3../G", "S3", must_beat_led_colon=True) == {"S5", "S2"}
    assert replies(".3../G", "S3", "H", must_beat_led_colon=True) == {"H3", "GC"}


@pytest.mark.parametrize("trump", ["C", "D", "H", "S", None])
@pytest.mark.parametrize("colon", COLON_FOR)
def test_c9_c10_c11_who_wins_a_led_colon(colon: str, trump: str | None) -> None:
    winners = {reply for reply in DECK if reply not in COLON_FOR and (reply[1] in COLON_FOR[colon] or reply[0] == trump)}
    assert texts(winning_replies(bit_of(colon), suit(trump))) == winners


@pytest.mark.parametrize(
    ("reply", "led", "trump", "follower_wins"),
    [
        ("C2", "GC", "C", True),  # C9: a trump outside the range
        ("C2", "GC", "D", False),
        ("SA", "GC", "C", True),  # C9: in the range
        ("SK", "GC", None, False),  # C11
        ("SJ", "RC", None, True),
        ("ST", "RC", None, False),
        ("ST", "LC", None, True),
        ("S2", "LC", "H", True),
        ("SA", "LC", "H", False),
        ("RC", "GC", "H", False),  # C10
        ("GC", "LC", None, False),
    ],
)
def test_c9_c10_c11_examples(reply: str, led: str, trump: str | None, follower_wins: bool) -> None:
    assert wins(reply, led, trump) is follower_wins


@pytest.mark.parametrize("reply", ["GC", "RC", "LC", "SA", "C2"])
@pytest.mark.parametrize("led", COLON_FOR)
def test_c10_c12_a_trick_led_with_a_colon_bars_nothing(led: str, reply: str) -> None:
    if reply != led:
        for option in ({}, {"bar_when_void": False}, {"bar_allows_colon_lead": False}):
            assert bar_by(led, reply, "A...2/GRL", play_rules(**option)) == 0


# --- must_follow: false ----------------------------------------------------------------------------------------------


def test_where_nobody_must_follow_everyone_counts_as_void() -> None:
    free = {"must_follow": False}
    assert replies("3.A../RL", "SA", **free) == {"S3", "HA", "RC", "LC"}
    assert replies("3.A../RL", "SA", **free, off_range_when_void="only_if_forced") == {"S3", "HA"}
    assert replies("3.A../GR", "SA", **free, off_range_when_void="only_if_forced") == {"S3", "HA", "GC"}
    assert bars("SA", "GC", "3.../G", **free) == "S"
    assert bars("SA", "GC", "3.../G", **free, bar_when_void=False) is None
    assert suit_to_follow(play_rules(**free), bit_of("SA")) == 0
    assert suit_to_follow(play_rules(), bit_of("SA")) == suit("S")


# --- what others learn -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("led", "reply", "shown"),
    [
        ("SA", "S2", None),
        ("SA", "H2", "S"),
        ("SA", "GC", None),  # C1: also played by one who could follow
        ("SA", "RC", "S"),  # C7
        ("S5", "LC", None),
        ("S5", "GC", "S"),
        ("HQ", "RC", None),
        ("HQ", "D2", "H"),
        ("GC", "S2", None),  # C8
        ("GC", "RC", None),
    ],
)
def test_what_a_reply_shows(led: str, reply: str, shown: str | None) -> None:
    assert void_shown(play_rules(), bit_of(led), card(reply)) == suit(shown)
    assert void_shown(play_rules(must_follow=False), bit_of(led), card(reply)) == 0
