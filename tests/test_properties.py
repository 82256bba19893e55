"""Properties that hold for every deal: cards are conserved, suits are equal, and nothing depends on chunks or threads."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from helpers import BOLD, HEURISTIC, RANDOM, SHY, Json, U, deals_of, play_rules, setup_of, suit, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import cards as reference_cards
from test_parity import some_rules

from simcore.batch import Chunk, Setup, play_chunk
from simcore.cards import bit_number, from_border
from simcore.phases.play.two_hand_rules import bar_after, legal_leads, legal_replies, void_shown, winning_replies
from simcore.raw_columns import Room
from simcore.runs.until import WATCHED
from simcore.summary import row_names

EASY = settings(max_examples=50, derandomize=True, deadline=None)
SLOW = settings(max_examples=30, derandomize=True, deadline=None)
MATCHES = 500


# --- cards -----------------------------------------------------------------------------------------------------------


@SLOW
@given(st.integers(0, 10_000))
def test_cards_are_conserved(number: int) -> None:
    """Under any rules: the deal is the deck; what is thrown and played was held, once; tricks sum to thirteen."""
    changes, bots = some_rules(number)
    bots = (HEURISTIC, *bots[1:]) if number % 2 else bots
    for line in deals_of(setup_of(changes, bots, seed=number), number, 1):
        deal = line["events"][0]
        hands = [set(reference_cards.parse_hand(text)) for text in deal["hands"]]
        rest = [*deal["stock"], *([deal["upcard"]] if deal["upcard"] else [])]
        assert sorted([*hands[0], *hands[1], *rest]) == sorted(reference_cards.deck(line["rules"]))
        for event in line["events"]:
            seat = event.get("seat")
            if event["act"] == "exchange":
                assert set(event["drew"]) <= set(rest)
                hands[seat] |= set(event["drew"])
                assert set(event["discarded"]) <= hands[seat]
                hands[seat] -= set(event["discarded"])
                assert len(hands[seat]) == 13
            elif event["act"] == "play":
                assert event["card"] in hands[seat]
                hands[seat].remove(event["card"])
        played = [event["card"] for event in line["events"] if event["act"] == "play"]
        winners = [event["winner"] for event in line["events"] if event["act"] == "trick"]
        if line["result"]["contract"] is None:
            assert played == winners == []
            continue
        assert len(set(played)) == len(played) == 26
        assert hands == [set(), set()]
        assert line["result"]["tricks"] == [winners.count(0), winners.count(1)]
        assert sum(line["result"]["tricks"]) == 13


# --- suits -----------------------------------------------------------------------------------------------------------

CARD = st.integers(0, 54)
SEVERAL = st.sets(CARD, min_size=1, max_size=13)
COLON_OPTIONS = st.fixed_dictionaries(
    {
        "must_follow": st.booleans(),
        "off_range_when_void": st.sampled_from(["discard", "only_if_forced"]),
        "bar_allows_colon_lead": st.booleans(),
        "bar_lifted": st.sampled_from(["no_other_card", "no_other_suit"]),
        "bar_when_void": st.booleans(),
        "must_beat_led_colon": st.booleans(),
    }
)


def kernel(cards: Iterable[int]) -> np.uint64:
    return U(from_border(U(sum(1 << number for number in cards))))


def renamed(number: int, order: list[int]) -> int:
    """A card with its suit renamed; colons stay."""
    return number if number >= 52 else 13 * order[number // 13] + number % 13


def renamed_texts(cards: set[str], order: list[int]) -> set[str]:
    return {text if text in ("GC", "RC", "LC") else "CDHS"[order["CDHS".index(text[0])]] + text[1] for text in cards}


@pytest.mark.nojit
@EASY
@given(SEVERAL, CARD, CARD, st.integers(0, 4), st.permutations(range(4)), COLON_OPTIONS)
def test_renaming_suits_changes_nothing(
    held: set[int], led: int, reply: int, strain: int, order: list[int], options: Json
) -> None:
    """Legal leads and replies, winners, bars and voids: the same after suits are renamed."""
    rules = play_rules(**options)
    new_strain = 4 if strain == 4 else order[strain]
    before, after = (
        (kernel(cards), bit_number(card), U(1 << bit_number(answer)), suit([*"CDHS", None][trump]))
        for cards, card, answer, trump in (
            (held, led, reply, strain),
            ({renamed(n, order) for n in held}, renamed(led, order), renamed(reply, order), new_strain),
        )
    )
    results = []
    for hand, bit, answer, trumps in (before, after):
        bar = U(bar_after(rules, hand, U(bit), answer))
        results.append(
            [
                texts(bar),
                texts(legal_leads(rules, hand, bar)),
                texts(legal_replies(rules, hand, U(bit), trumps)),
                texts(winning_replies(U(bit), trumps)),
                texts(void_shown(rules, U(bit), answer)),
            ]
        )
    assert [renamed_texts(cards, order) for cards in results[0]] == results[1]
    for cards in results[0][1:3]:
        assert cards  # something may always be played
        assert cards <= texts(before[0])


# --- chunks and threads ----------------------------------------------------------------------------------------------


def joined(chunks: list[Chunk]) -> dict[str, np.ndarray]:
    """All tables of chunks in order, as one."""
    tables = {f"deals {name}": [chunk.deals[name] for chunk in chunks] for name in chunks[0].deals}
    tables |= {f"matches {name}": [chunk.matches[name] for chunk in chunks] for name in chunks[0].matches}
    return {name: np.concatenate(parts) for name, parts in tables.items()}


def assert_equal(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].dtype == other[name].dtype
        assert np.array_equal(one[name], other[name]), name


def in_chunks(setup: Setup, size: int, workers: int = 1) -> dict[str, np.ndarray]:
    firsts = range(0, MATCHES, size)
    with ThreadPoolExecutor(workers) as pool:
        return joined(list(pool.map(lambda first: play_chunk(setup, first, min(size, MATCHES - first)), firsts)))


SETUPS: dict[str, tuple[Json, tuple[Json, ...], str]] = {
    "heuristic": ({}, (HEURISTIC,), "match"),
    "random against heuristic": ({}, (RANDOM, HEURISTIC), "match"),
    "redeals": ({"auction.passed_out": "redeal", "match.tie": "until_broken"}, (SHY, BOLD), "match"),
    "single deals": ({}, (RANDOM,), "deal"),
}


@pytest.mark.parametrize("name", SETUPS)
def test_same_table_for_any_chunks_and_threads(name: str) -> None:
    changes, bots, unit = SETUPS[name]
    setup = setup_of(changes, bots, seed=12, unit=unit)
    whole = in_chunks(setup, 4096)
    assert len(set(zip(whole["deals match"].tolist(), whole["deals deal"].tolist()))) == len(whole["deals match"])
    for size, workers in ((1, 1), (7, 1), (1000, 1), (1, 7), (7, 2), (64, 7)):
        assert_equal(in_chunks(setup, size, workers), whole)


def test_two_halves_are_the_whole() -> None:
    setup = setup_of({}, (HEURISTIC, BOLD))
    halves = [play_chunk(setup, 0, 200), play_chunk(setup, 200, 300)]
    assert_equal(joined(halves), in_chunks(setup, MATCHES))


@pytest.mark.parametrize("name", SETUPS)
def test_memory_that_is_used_again_and_fewer_columns_change_nothing(name: str) -> None:
    """Rooms are filled with rows of other matches first, more and fewer; columns that nobody wants are left out."""
    changes, bots, unit = SETUPS[name]
    setup = setup_of(changes, bots, seed=12, unit=unit)
    whole = play_chunk(setup, 100, 60)
    for names in (None, row_names(setup.variant), (*WATCHED, "points_1"), ("calls", "hcp_0")):
        room = Room(names)
        for first, count in ((0, 10), (300, 90), (100, 60)):
            chunk = play_chunk(setup, first, count, names=names, room=room)
        assert set(chunk.deals) == set(names or whole.deals)
        assert_equal(joined([chunk]), {key: column for key, column in joined([whole]).items() if key in joined([chunk])})


def test_recording_changes_nothing() -> None:
    setup = setup_of({}, (HEURISTIC, RANDOM))
    assert_equal(joined([play_chunk(setup, 5, 50)]), joined([play_chunk(setup, 5, 50, with_record=True)]))


def test_one_match_alone_is_the_same() -> None:
    """A transcript of match 321 is that of the batch."""
    setup = setup_of({}, (RANDOM,))
    alone = deals_of(setup, 321, 1)
    assert alone == [line for line in deals_of(setup, 300, 30) if line["match"] == 321]


def test_different_seeds_and_matches_give_different_deals() -> None:
    deals = [deals_of(setup_of({}, (RANDOM,), seed=seed), match, 1)[0]["events"][0]["hands"][0]
             for seed in (0, 1, 2) for match in (0, 1, 2)]  # fmt: skip
    assert len(set(deals)) == 9


@pytest.mark.parametrize(
    "option",
    [
        {"colons.off_range_when_void": "only_if_forced"},
        {"colons.bar_allows_colon_lead": False},
        {"colons.bar_lifted": "no_other_suit"},
        {"colons.bar_when_void": False},
        {"colons.must_beat_led_colon": True},
    ],
)
def test_options_of_colons_matter_only_with_colons(option: Json) -> None:
    """And each of them does change some game when there are colons."""

    def table(changes: Json) -> dict[str, np.ndarray]:
        return joined([play_chunk(setup_of(changes, (RANDOM,)), 0, 3000)])

    assert_equal(table({"deck.colons": []}), table({"deck.colons": [], **option}))
    assert any(not np.array_equal(a, b) for a, b in zip(table({}).values(), table(option).values()))
