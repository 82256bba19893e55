"""Games composed in YAML alone: what fits together loads, what does not is refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simcore.config import (
    ConfigError,
    Variant,
    cards_of,
    check_file,
    final_cards,
    json_schema,
    load,
    load_any,
    load_run,
    load_variant,
    pack_size,
    shipped,
    to_yaml,
    turns_card,
)
from simcore.errors import InputError

COMPOSED = {path.stem: path for path in sorted((Path(__file__).parent / "composed").glob("*.yaml"))}

# --- the blocks of the rules ------------------------------------------------------------------------------------------

BLOCKS = {
    "bridgette": """\
name: bridgette
players: 2
deck: {colons: [grand, royal, little]}
deal: {cards: 13, upcard: true}
exchange:
  kind: upcard
  non_dealer_draw: 2
  dealer_draw: {spot: 4, face: 8, ace: 12}
  upcard: aside
auction:
  kind: bridge
  opener: dealer
  lowest_bid: 0NT
  min_suit_length: 2
  min_jump_length: 4
  jump: level
  nt_needs_every_suit: true
  doubles: true
  passed_out: count_zero
play:
  must_follow: true
match: {deals: 6, tie: extra_deal_then_draw}
""",
    "draw_bridge": """\
name: draw_bridge
players: 2
deal: {cards: 13}
exchange:
  kind: draw_tricks
  must_follow: false
  winner: led_suit
  top_card_visible: false
  drawn: hand
auction: {kind: bridge, opener: dealer, lowest_bid: 1C, min_suit_length: 0, min_jump_length: 0, jump: none,
  nt_needs_every_suit: false, doubles: true, passed_out: count_zero}
play: {must_follow: true}
scoring:
  kind: trick_value
  trick_value: {C: 20, D: 20, H: 30, S: 30, NT: 30}
  nt_first: 40
  overtricks: trick_value
  multiplier: {doubled: 2, redoubled: 4}
  undertricks: none
match: {target: 100, max_deals: 60}
""",
    "draw_and_discard_bridge": """\
name: draw_and_discard_bridge
players: 2
deal: {cards: 0}
exchange: {kind: look_and_choose, second_seen_when_keeping: true, discards_face_up: false}
""",
    "call_bridge": """\
name: call_bridge
players: 4
deal: {cards: 13}
auction: {kind: calls, min: 2, max: 12, total_may_equal_tricks: true}
play: {trump: S, must_follow: true, must_ruff: true, must_overruff: true, must_underruff: false, must_head: false}
scoring:
  kind: calls
  success: at_least
  made: call
  failed: minus_call
  overtrick_points: 0
  bonus_from: 8
  bonus_points: 13
  bonus_overtricks: 1
match: {target: 20, tie: extra_deal, max_deals: 30}
""",
    "pit": """\
name: pit
players: 4
deal: {cards: {3: 7, 4: 7, 5: 6, 6: 6}}
auction: {kind: steps, bids: [3, 4, 5], jump_bids: false, pass_is_final: true, short_hand: bid_all, alone: true,
  nobody_bids: throw_in, forced_bidder: next_dealer_left}
play: {trump: turned_card, must_follow: true}
shedding:
  model: quota
  unit: trick
  alone_failed: all_not_won
scoring: {kind: shedding, per_trick: 1, declarer_per_trick: 0, alone_per_trick: 2}
match: {victory: shed, max_deals: 100}
""",
}
"""The keys of each game as the rules write them down."""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def from_text(text: str) -> Variant:
    """Load a variant from text."""
    Path("f.yaml").write_text(text, encoding="utf-8")
    return load_variant("f.yaml")


def difference(variant: Variant, other: Variant) -> dict[str, Any]:
    """Paths in which a variant differs from another one, and what it has there."""

    def leaves(value: Any, path: str) -> dict[str, Any]:
        if isinstance(value, dict):
            return {key: leaf for name, child in value.items() for key, leaf in leaves(child, f"{path}.{name}").items()}
        return {path[1:]: value}

    mine, others = (leaves(entry.model_dump(mode="json", exclude={"name"}), "") for entry in (variant, other))
    return {path: value for path, value in mine.items() if path not in others or others[path] != value}


@pytest.mark.parametrize("name", BLOCKS)
def test_block_of_the_rules_is_the_game(name: str) -> None:
    """A file that consists of the block of the rules resolves to exactly the shipped game: nothing of another one lingers."""
    assert from_text(BLOCKS[name]) == load_variant(name)


SHORT = [50 * n for n in range(1, 14)]
SHORT_DOUBLED = [100, 300, 500, *range(800, 3501, 300)]
PUBLISHED = {
    "scoring.undertricks.undoubled": SHORT,
    "scoring.undertricks.doubled": SHORT_DOUBLED,
    "scoring.undertricks.redoubled": [2 * points for points in SHORT_DOUBLED],
}
OH_HELL = {
    "deal.cards": 10,
    "auction.min": 0,
    "auction.max": "cards",
    "play.trump": "turned_card",
    "play.must_ruff": False,
    "play.must_overruff": False,
    "scoring.success": "exact",
    "scoring.made.base": 10,
    "scoring.made.per_trick": 1,
    "scoring.failed": "zero",
    "scoring.bonus_from": None,
    "match.deals": 10,
    "match.target": None,
}
PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "draw_bridge_published": ("draw_bridge", {"exchange.must_follow": True, **PUBLISHED}),
    "draw_and_discard_bridge_published": ("draw_and_discard_bridge", PUBLISHED),
    "call_bridge_pagat": ("call_bridge", {"scoring.success": "at_most_one_over"}),
    "call_break": (
        "call_bridge",
        {
            "auction.min": 1,
            "auction.max": 13,
            "scoring.bonus_from": None,
            "scoring.overtrick_points": 0.1,
            "match.deals": 5,
            "match.target": None,
        },
    ),
    "oh_hell": ("call_bridge", OH_HELL),
    "oh_hell_openspiel": ("oh_hell", {"scoring.failed.per_trick": 1, "auction.total_may_equal_tricks": False}),
}
"""Shipped preset -> the game it varies and all that is different."""


@pytest.mark.parametrize("name", PRESETS)
def test_preset_differs_in_what_it_says(name: str) -> None:
    """A preset changes exactly the keys of the rules."""
    base, changes = PRESETS[name]
    assert difference(load_variant(name), load_variant(base)) == changes
    assert set(PRESETS) | set(BLOCKS) | {"bridgette_flat_doubles"} == set(shipped("variants"))


# --- what fits --------------------------------------------------------------------------------------------------------

EXPECTED: dict[str, tuple[str, dict[str, Any]]] = {
    "plain_bridgette": ("bridgette", {"deck.colons": [], "deal.upcard": False, "exchange.kind": "none"}),
    "chosen_hands_with_colons": (
        "bridgette",
        {
            "deal.cards": 0,
            "deal.upcard": False,
            "exchange.kind": "look_and_choose",
            "exchange.second_seen_when_keeping": False,
            "exchange.discards_face_up": False,
        },
    ),
    "bridgette_to_3000": (
        "bridgette",
        {"match.deals": None, "match.target": 3000, "match.tie": "extra_deal", "match.max_deals": 60},
    ),
    "ruffing_bridgette": ("bridgette", {"play.must_ruff": True, "play.must_overruff": True, "play.must_head": True}),
    "spades_always": ("bridgette", {"play.trump": "S"}),
    "draw_bridge_with_holdings": (
        "draw_bridge",
        {
            "auction.min_suit_length": 2,
            "auction.min_jump_length": 4,
            "auction.jump": "level",
            "auction.nt_needs_every_suit": True,
        },
    ),
    "three_callers": ("call_bridge", {"players": 3, "deal.cards": 17, "auction.max": 15}),
    "turned_trump_calls": ("call_bridge", {"deal.cards": 12, "play.trump": "turned_card"}),
    "two_callers_with_colons": (
        "call_bridge",
        {"players": 2, "deck.colons": ["grand", "royal", "little"], "colons.off_range_when_void": "only_if_forced"},
    ),
    "oh_hell_for_five": ("oh_hell", {"players": 5, "deal.cards": 7, "auction.total_may_equal_tricks": False}),
    "loose_pit": ("pit", {"players": 5, "play.must_follow": False}),
    "persistent_pit": (
        "pit",
        {
            "players": 3,
            "shedding.model": "persistent",
            "shedding.alone_failed": "shortfall",
        },
    ),
    "cards_pit": (
        "pit",
        {
            "players": 6,
            "deal.cards": 8,
            "auction.short_hand": "auto_out",
            "auction.alone": False,
            "shedding.unit": "card",
        },
    ),
}
"""Composed game -> a shipped one, and all that is different from it."""


def test_composed_games_were_found() -> None:
    """There are enough of them, and the ones compared below exist."""
    assert len(COMPOSED) >= 20
    assert set(EXPECTED) <= set(COMPOSED)


@pytest.mark.parametrize("name", COMPOSED)
def test_composed_game_loads(name: str) -> None:
    """A short file is valid, is shown in full and loaded again as the same game, also as a run."""
    path = COMPOSED[name]
    assert check_file(path) == []
    loaded = load("variant", path)
    variant = loaded.model
    assert isinstance(variant, Variant)
    assert variant.name == name
    for text in (to_yaml(variant), to_yaml(variant, loaded.origins)):
        assert from_text(text) == variant
    assert load_variant(json.loads(json.dumps(variant.model_dump(mode="json")))) == variant
    run = load_run(path, ["matches=3"])
    assert run.variant == variant
    assert len(run.bots) == variant.players
    assert load_run(run.model_dump(mode="json")) == run


@pytest.mark.parametrize("name", EXPECTED)
def test_composed_game_is_what_it_says(name: str) -> None:
    """What a short file does not say is that of the game it varies."""
    base, changes = EXPECTED[name]
    assert difference(load_variant(COMPOSED[name]), load_variant(base)) == changes


def test_phases_of_different_games() -> None:
    """A section of another kind than the game's has the defaults of its kind, the others those of the game."""
    by_table = load_variant(COMPOSED["chosen_hands_by_table"])
    assert by_table.scoring == load_variant("bridgette").scoring
    assert by_table.auction == load_variant("draw_bridge").auction
    then_calls = load_variant(COMPOSED["drawn_hands_then_calls"])
    assert then_calls.scoring == load_variant("call_bridge").scoring
    assert (then_calls.play.trump, then_calls.match.target, then_calls.match.max_deals) == ("S", 30, 30)
    exchanged = load_variant(COMPOSED["exchange_then_calls"]).model_dump()
    assert exchanged["exchange"]["dealer_draw"] == {"spot": 4, "face": 8, "ace": 10}
    assert exchanged["deal"] == {"cards": 13, "upcard": True}


@pytest.mark.parametrize(
    ("source", "dealt", "final", "turned", "pack"),
    [
        ("bridgette", 13, 13, True, 55),
        ("draw_bridge", 13, 13, False, 52),
        ("draw_and_discard_bridge", 0, 13, False, 52),
        ("call_bridge", 13, 13, False, 52),
        ("oh_hell", 10, 10, True, 52),
        ("pit", 7, 7, True, 52),
        (COMPOSED.get("loose_pit"), 6, 6, True, 52),
        (COMPOSED.get("capturing_pit"), 5, 5, False, 52),
        (COMPOSED.get("calls_by_players"), 8, 8, False, 52),
        (COMPOSED.get("chosen_hands_with_colons"), 0, 13, False, 55),
    ],
)
def test_numbers_of_cards(source: str | Path, dealt: int, final: int, turned: bool, pack: int) -> None:
    """What is dealt, what is in hand as the auction begins, whether a card is turned, and the pack."""
    variant = load_variant(source)
    assert (cards_of(variant), final_cards(variant), turns_card(variant), pack_size(variant)) == (dealt, final, turned, pack)


# --- merging ----------------------------------------------------------------------------------------------------------


def test_end_of_the_match_is_replaced() -> None:
    """Of deals, target and victory the one given replaces the other; what cannot stand beside it goes too, and only that."""
    for name, override, expected in (
        ("bridgette", "match.target=2500", (None, 2500, "draw", 60)),
        ("draw_bridge", "match.deals=4", (4, None, "draw", 60)),
        ("call_bridge", "match.deals=5", (5, None, "extra_deal", 30)),
        ("oh_hell", "match.target=100", (None, 100, "extra_deal", 30)),
    ):
        for match in (load_variant(name, [override]).match, from_text(f"name: x\nextends: {name}\n" + _nested(override)).match):
            assert (match.deals, match.target, match.tie, match.max_deals) == expected
    kept = load_variant("bridgette", ["match.tie=draw", "match.max_deals=9", "match.target=2500"]).match
    assert (kept.tie, kept.max_deals) == ("draw", 9)
    back = load_variant("pit", ["match.victory.points=30", "match.max_deals=50"]).match
    assert (back.victory, back.max_deals) == (load_variant({"name": "x", **_PIT_TO_30}).match.victory, 50)


_PIT_TO_30 = {"auction": {"kind": "steps"}, "match": {"victory": {"points": 30}}}


def _nested(override: str) -> str:
    path, _, value = override.partition("=")
    first, _, second = path.partition(".")
    return f"{first}: {{{second}: {value}}}\n"


def test_parts_of_sections_merge_by_the_kind_of_the_base() -> None:
    """A base that leaves its kinds to the defaults is merged by them; maps merge, maps of players are replaced whole."""
    Path("a.yaml").write_text(
        "name: a\nauction: {kind: calls, max: cards}\nscoring: {made: {base: 5}}\ndeal: {cards: {3: 9, 4: 8}}\n",
        encoding="utf-8",
    )
    variant = from_text("name: b\nextends: a.yaml\nscoring: {made: {per_trick: 2}, success: exact}\ndeal: {cards: {4: 6}}\n")
    made = variant.model_dump()["scoring"]["made"]
    assert made == {"base": 5, "per_trick": 2}
    assert variant.deal.cards == {4: 6}
    assert load_variant("f.yaml", ["scoring.made.base=7"]).model_dump()["scoring"]["made"] == {"base": 7, "per_trick": 2}
    assert load_variant("f.yaml", ["scoring.made=call"]).model_dump()["scoring"]["made"] == "call"
    assert load_variant("oh_hell", ["scoring.failed.per_trick=0.5"]).model_dump()["scoring"]["failed"] == {"per_trick": 0.5}
    assert load_variant("pit", ["deal.cards.4=9"]).deal.cards == {3: 7, 4: 9, 5: 6, 6: 6}


def test_rules_in_runs_merge_by_their_kinds_too() -> None:
    """Rules written into a run that another run builds on."""
    Path("a.yaml").write_text(
        "variant: {name: a, auction: {kind: calls}, scoring: {made: {base: 5}}}\nbots: random\n", encoding="utf-8"
    )
    Path("b.yaml").write_text("extends: a.yaml\nvariant: {scoring: {made: {per_trick: 2}}}\n", encoding="utf-8")
    assert load_run("b.yaml").variant.model_dump()["scoring"]["made"] == {"base": 5, "per_trick": 2}
    Path("c.yaml").write_text("extends: a.yaml\nvariant: {name: c, extends: oh_hell, players: 3}\n", encoding="utf-8")
    assert load_run("c.yaml", ["deal.cards=12"]).variant.deal.cards == 12


def test_defaults_follow_the_kinds_in_the_end() -> None:
    """A file or override that names another game's kind over nothing but defaults gives that game's defaults."""
    Path("a.yaml").write_text("name: a\n", encoding="utf-8")
    assert from_text("name: x\nextends: a.yaml\nauction: {kind: calls}\n").match == load_variant("call_bridge").match
    assert load_variant({"name": "x"}, ["auction.kind=steps"]).digest() == load_variant("pit").digest()
    assert load_variant({"name": "x"}, ["exchange.kind=draw_tricks"]).digest() == load_variant("draw_bridge").digest()
    assert load_variant("draw_and_discard_bridge", ["exchange.kind=draw_tricks", "deal.cards=13"]) == load_variant(
        "draw_bridge", ["name=draw_and_discard_bridge"]
    )


def test_origins_of_defaults() -> None:
    """A default is shown as one, whichever game it is from."""
    loaded = load("variant", {"name": "x", "auction": {"kind": "calls", "min": 1}}, label="inline")
    lines = {line.split(":")[0].strip(): line for line in to_yaml(loaded.model, loaded.origins).splitlines()}
    assert lines["min"].endswith("# inline")
    assert lines["trump"].split() == ["trump:", "S", "#", "default"]
    assert lines["max"].endswith("# default")


def test_one_bot_sits_in_every_seat() -> None:
    """The number of seats is that of the game, also where it is a default or changes on the command line."""
    Path("v.yaml").write_text("name: v\nauction: {kind: steps}\n", encoding="utf-8")
    Path("r.yaml").write_text("variant: ./v.yaml\nbots: random\n", encoding="utf-8")
    assert len(load_run("r.yaml").bots) == 4
    assert len(load_run("r.yaml", ["players=6"]).bots) == 6
    assert len(load_run("r.yaml", ["variant=bridgette"]).bots) == 2
    assert len(load_run("call_bridge").bots) == 4
    assert [bot.name for bot in load_run("pit", ["bots[2]=random", "players=4"]).bots] == [
        "heuristic",
        "heuristic",
        "random",
        "heuristic",
    ]
    with pytest.raises(InputError, match="bots: 4 bots for 5 players"):
        load_run("pit", ["bots[2]=random", "players=5"])


# --- what does not fit ------------------------------------------------------------------------------------------------

IMPOSSIBLE = {
    "bridge_for_three": (
        "players: 3\n",
        "2: players: 3 players cannot hold a bridge auction; it takes exactly 2; auction.kind: calls takes more",
    ),
    "bridge_hands_of_six": (
        "deal: {cards: 6}\n",
        "2: deal.cards: 6 cards a hand do not fit a bridge auction, where a contract promises 6 + level tricks; allowed:"
        " 7 to 13",
    ),
    "bridge_hands_of_fourteen": (
        "deal: {cards: 14}\nexchange: {kind: none}\n",
        "2: deal.cards: 14 cards a hand do not fit a bridge auction, where a contract promises 6 + level tricks; allowed:"
        " 7 to 13",
    ),
    "pit_for_two": (
        "players: 2\nauction: {kind: steps}\n",
        "2: players: 2 players cannot play with auction.kind: steps; it takes 3 to 6",
    ),
    "exchange_of_three": (
        "players: 3\nauction: {kind: calls}\nexchange: {kind: draw_tricks}\n",
        "4: exchange.kind: draw_tricks is laid down for 2 players, and there are 3; allowed: none",
    ),
    "exchange_in_pit": (
        "auction: {kind: steps}\nexchange: {kind: upcard}\n",
        "3: exchange.kind: upcard does not go with auction.kind: steps, which plays hands as they are dealt; allowed: none",
    ),
    "chosen_and_dealt": (
        "exchange: {kind: look_and_choose}\ndeal: {cards: 13}\n",
        "3: deal.cards: 13 does not go with exchange.kind: look_and_choose, under which nothing is dealt; allowed: 0",
    ),
    "nothing_dealt": (
        "deal: {cards: 0}\n",
        "2: deal.cards: 0 leaves everybody without a hand under exchange.kind: upcard; allowed: 1 or more",
    ),
    "turned_of_no_rest": (
        "exchange: {kind: look_and_choose}\nplay: {trump: turned_card}\n",
        "3: play.trump: turned_card does not go with exchange.kind: look_and_choose, which leaves no card to turn",
    ),
    "turned_of_stock": (
        "exchange: {kind: draw_tricks}\nplay: {trump: turned_card}\n",
        "3: play.trump: turned_card does not go with exchange.kind: draw_tricks, which leaves no card to turn",
    ),
    "upcard_of_no_rest": (
        "exchange: {kind: look_and_choose}\ndeal: {upcard: true}\n",
        "3: deal.upcard: true does not go with exchange.kind: look_and_choose, which uses the whole pack; say false",
    ),
    "upcard_missing": (
        "deal: {upcard: false}\n",
        "2: deal.upcard: the exchange of kind upcard needs a turned card; say deal.upcard: true, or exchange.kind: none",
    ),
    "colons_in_first_tricks": (
        "exchange: {kind: draw_tricks}\ndeck: {colons: [grand]}\n",
        "3: deck.colons: the colons have no rules in the first tricks of exchange.kind: draw_tricks; say deck.colons: []",
    ),
    "colons_of_four": (
        "auction: {kind: calls}\ndeck: {colons: [little]}\n",
        "3: deck.colons: the colons have rules for 2 players only, and there are 4; say deck.colons: []",
    ),
    "colons_in_pit": (
        "auction: {kind: steps}\ndeck: {colons: [little]}\n",
        "3: deck.colons: the colons have no rules under auction.kind: steps; say deck.colons: []",
    ),
    "contract_trumps_of_calls": (
        "auction: {kind: calls}\nplay: {trump: contract}\n",
        "3: play.trump: contract does not go with auction.kind: calls, which names no strain; allowed with it: C, D, H,"
        " S, none, turned_card",
    ),
    "table_of_calls": (
        "auction: {kind: calls}\nscoring: {kind: contract_table}\n",
        "3: scoring.kind: contract_table does not go with auction.kind: calls; allowed with it: calls",
    ),
    "calls_of_bridge": (
        "scoring: {kind: calls}\n",
        "2: scoring.kind: calls does not go with auction.kind: bridge; allowed with it: contract_table, trick_value",
    ),
    "shedding_of_bridge": (
        "shedding: {model: quota}\n",
        "2: shedding: the section shedding does not go with auction.kind: bridge; only auction.kind: steps has quotas;"
        " leave the section out",
    ),
    "no_shedding": (
        "auction: {kind: steps}\nshedding: null\n",
        "3: shedding: null does not go with auction.kind: steps, which is a shedding game; allowed: a map",
    ),
    "deals_of_pit": (
        "auction: {kind: steps}\nmatch: {deals: 6}\n",
        "3: match.deals: a match with match.deals does not go with auction.kind: steps; allowed with it: match.victory",
    ),
    "victory_of_calls": (
        "auction: {kind: calls}\nmatch: {victory: shed}\n",
        "3: match.victory: a match with match.victory does not go with auction.kind: calls; allowed with it: match.deals"
        " or match.target",
    ),
    "two_ends": (
        "match: {deals: 6, target: 100}\n",
        "2: match.target: match.deals and match.target are given, but a match has one end; give one of them",
    ),
    "no_end": (
        "match: {deals: null}\n",
        "2: match.deals: nothing says when a match under auction.kind: bridge is over; allowed with it: match.deals or"
        " match.target",
    ),
    "tie_of_target": (
        "match: {target: 100, tie: until_broken}\n",
        "2: match.tie: until_broken counts deals beyond match.deals, but this match goes to a target; allowed: draw,"
        " extra_deal",
    ),
    "tie_of_pit": (
        "auction: {kind: steps}\nmatch: {tie: draw}\n",
        "3: match.tie: draw does not go with match.victory, which has an order of its own; allowed: null",
    ),
    "tie_null": (
        "match: {tie: null}\n",
        "2: match.tie: null leaves open who wins when the match ends level; allowed: extra_deal_then_draw, until_broken,"
        " draw, extra_deal",
    ),
    "target_without_cap": (
        "auction: {kind: calls}\nmatch: {max_deals: null}\n",
        "3: match.max_deals: a match with match.target may never end without a cap; give match.max_deals",
    ),
    "extra_deals_without_cap": (
        "match: {tie: extra_deal}\n",
        "2: match.tie: extra_deal may never end without a cap; give match.max_deals",
    ),
    "deals_above_cap": (
        "auction: {kind: calls}\nmatch: {deals: 31}\n",
        "3: match.deals: deals (31) is above max_deals (30)",
    ),
    "ruff_without_follow": (
        "auction: {kind: calls}\nplay: {must_follow: false}\n",
        "3: play.must_follow: must_ruff and must_overruff mean nothing under must_follow: false, where any card may be"
        " played; say must_ruff: false, must_overruff: false",
    ),
    "head_without_follow": (
        "play: {must_follow: false, must_head: true}\n",
        "2: play.must_head: must_head means nothing under must_follow: false, where any card may be played; say"
        " must_head: false",
    ),
    "cards_of_persistent": (
        "auction: {kind: steps}\nshedding: {model: persistent, unit: card}\n",
        "3: shedding.unit: card does not go with model: persistent, which removes the cards that won the tricks; say"
        " unit: trick",
    ),
    "points_without_quotas": (
        "auction: {kind: steps}\nshedding: {model: capture}\nmatch: {victory: {points: 30}}\n",
        "4: match.victory: points do not go with shedding.model: capture, in which hands run out; say model: quota",
    ),
    "too_many_hands": (
        "players: 5\nauction: {kind: calls}\n",
        "2: players: 5 hands of 13 cards are more than the 52 cards of the pack; allowed: at most 10 a hand",
    ),
    "no_card_to_turn": (
        "auction: {kind: calls}\nplay: {trump: turned_card}\n",
        "3: play.trump: 4 hands of 13 cards and a card to turn are more than the 52 cards of the pack; allowed: at most"
        " 12 a hand",
    ),
    "no_stock_for_tricks": (
        "players: 2\nauction: {kind: calls}\nexchange: {kind: draw_tricks}\ndeal: {cards: 14}\n",
        "5: deal.cards: exchange.kind: draw_tricks needs 4 x 14 cards, but the pack has 52; allowed: at most 13 a hand",
    ),
    "no_stock_for_upcard": (
        "deck: {colons: []}\nexchange: {dealer_draw: {ace: 24}}\n",
        "3: exchange.dealer_draw.ace: the deal and the exchange may need 53 cards, but the deck has 52",
    ),
    "no_pit": (
        "players: 4\nauction: {kind: steps}\nplay: {trump: D}\ndeal: {cards: 13}\n",
        "5: deal.cards: 4 hands of 13 cards leave no card for the Pit; allowed: at most 12 a hand",
    ),
    "map_without_players": (
        "auction: {kind: calls}\ndeal: {cards: {3: 17}}\n",
        "3: deal.cards: the map has no entry for 4 players; its players are 3",
    ),
    "call_above_cards": (
        "auction: {kind: calls}\ndeal: {cards: 7}\n",
        "3: deal.cards: auction.max: 12 is above the 7 tricks of a deal; allowed: at most 7, or cards",
    ),
    "calls_upside_down": (
        "auction: {kind: calls, min: 9, max: 8}\n",
        "2: auction.min: 9 is above auction.max (8), so there is no call",
    ),
    "min_above_cards": (
        "auction: {kind: calls, min: 14, max: cards}\n",
        "2: auction.min: 14 is above the cards of a hand (13), so there is no call",
    ),
    "only_call_taken": (
        "auction: {kind: calls, min: 3, max: 3, total_may_equal_tricks: false}\n",
        "2: auction.total_may_equal_tricks: false can take the only call (3) from the last caller; allowed: true, or a"
        " min below max",
    ),
    "bids_empty": (
        "auction: {kind: steps, bids: []}\n",
        "2: auction.bids: [] has 0 entries; allowed: 1 to 13, the bids, each above the one before it",
    ),
    "bids_unsorted": (
        "auction: {kind: steps, bids: [4, 3]}\n",
        "2: auction.bids: [4, 3] does not rise; allowed: each bid once, the lowest first",
    ),
    "bids_twice": (
        "auction: {kind: steps, bids: [3, 3, 4]}\n",
        "2: auction.bids: [3, 3, 4] does not rise; allowed: each bid once, the lowest first",
    ),
    "bids_out_of_reach": (
        "auction: {kind: steps, bids: [8], short_hand: no_bid}\n",
        "2: auction.bids: the lowest bid (8) is above the 7 cards of a hand, so nobody could ever bid; allowed: at most 7",
    ),
    "word_or_map": (
        "auction: {kind: calls}\nscoring: {made: calls}\n",
        "3: scoring.made: 'calls' is not allowed; allowed: call, or a map {base: N, per_trick: N}; did you mean 'call'?",
    ),
    "word_or_map_inside": (
        "auction: {kind: calls}\nscoring: {made: {bas: 10}}\n",
        "3: scoring.made.bas: unknown key; allowed: base, per_trick; did you mean 'base'?",
    ),
    "number_for_word": (
        "auction: {kind: calls}\nscoring: {failed: 3}\n",
        "3: scoring.failed: 3 is not allowed; allowed: minus_call, zero, or a map {per_trick: N}",
    ),
    "number_or_word": (
        "auction: {kind: calls, max: card}\n",
        "2: auction.max: 'card' is not a whole number; allowed: 0 to 27, or cards",
    ),
    "tables_or_word": (
        "exchange: {kind: draw_tricks}\nscoring: {undertricks: {undoubled: 50}}\n",
        "3: scoring.undertricks.undoubled: 50 is not a list; allowed: a list of 1 to 13 entries, one for 1, 2, ... tricks"
        " short",
    ),
    "tables_misspelt": (
        "exchange: {kind: draw_tricks}\nscoring: {undertricks: non}\n",
        "3: scoring.undertricks: 'non' is not allowed; allowed: none, or a map {undoubled: [...], doubled: [...],"
        " redoubled: [...]}; did you mean 'none'?",
    ),
    "victory_word": (
        "auction: {kind: steps}\nmatch: {victory: points}\n",
        "3: match.victory: 'points' is not allowed; allowed: shed, or a map {points: N}",
    ),
    "victory_points": (
        "auction: {kind: steps}\nmatch: {victory: {points: 0}}\n",
        "3: match.victory.points: 0 is out of range; allowed: 1 to 1000000",
    ),
    "victory_empty": (
        "auction: {kind: steps}\nmatch: {victory: {}}\n",
        "3: match.victory.points: is missing (points that win the match)",
    ),
    "target_zero": (
        "match: {target: 0}\n",
        "2: match.target: 0 is out of range; allowed: 1 to 1000000",
    ),
    "map_key": (
        "auction: {kind: steps}\ndeal: {cards: {7: 3}}\n",
        "3: deal.cards.7: the key 7 is out of range; allowed: 2 to 6",
    ),
    "map_value": (
        "auction: {kind: steps}\ndeal: {cards: {4: 0}}\n",
        "3: deal.cards.4: 0 is out of range; allowed: 1 to 27",
    ),
    "kind_misspelt": (
        "auction: {kind: call, min: 1}\nscoring: {success: exact}\n",
        "2: auction.kind: 'call' is not allowed; allowed: bridge, calls, steps; did you mean 'calls'?",
    ),
    "key_of_other_family": (
        "scoring: {nt_first: 40}\n",
        "2: scoring.nt_first: unknown key; allowed: kind, award, exact, overtricks_exactly, doubled_made, redoubled_made,"
        " multiplier, undertricks; it belongs to kind: trick_value",
    ),
    "key_of_other_auction": (
        "auction: {min: 1}\n",
        "2: auction.min: unknown key; allowed: kind, opener, lowest_bid, min_suit_length, min_jump_length, jump,"
        " nt_needs_every_suit, doubles, passed_out; it belongs to kind: calls",
    ),
    "overtricks_kind": (
        "exchange: {kind: draw_tricks}\nscoring: {overtricks: any_suit_rank}\n",
        "3: scoring.overtricks: 'any_suit_rank' is not allowed; allowed: trick_value, none",
    ),
    "winner_kind": (
        "exchange: {kind: draw_tricks, winner: any_rank}\n",
        "2: exchange.winner: 'any_rank' is not allowed; allowed: led_suit, any_suit_rank; did you mean 'any_suit_rank'?",
    ),
    "unit": (
        "auction: {kind: steps}\nshedding: {unit: cards}\n",
        "3: shedding.unit: 'cards' is not allowed; allowed: trick, card; did you mean 'card'?",
    ),
    "changed_exchange": (
        "extends: bridgette\nexchange: {kind: draw_tricks}\n",
        "3: exchange.kind: the colons have no rules in the first tricks of exchange.kind: draw_tricks; say deck.colons: []",
    ),
}
"""What follows the name in a file -> line and text of its only problem."""


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_impossible_game_is_refused(case: str) -> None:
    """Every composition that cannot be played gives one sentence: the key, the reason, what is allowed."""
    text, message = IMPOSSIBLE[case]
    Path("f.yaml").write_text(f"name: x\n{text}", encoding="utf-8")
    assert [str(problem) for problem in check_file("f.yaml")] == [f"f.yaml:{message}"]
    with pytest.raises(ConfigError) as caught:
        load_any("f.yaml")
    assert str(caught.value) == f"f.yaml:{message}"


def test_the_file_is_blamed_that_brought_it_about() -> None:
    """Where both values were written, the one of the command line or of the file itself is named, not the one built on."""
    Path("f.yaml").write_text("name: x\nextends: bridgette\nauction: {kind: calls}\n", encoding="utf-8")
    assert [(problem.file, problem.line, problem.path) for problem in check_file("f.yaml")] == [
        ("f.yaml", 3, "auction.kind")
    ] * 2
    with pytest.raises(InputError, match=r"^--set: exchange.kind: the colons have no rules in the first tricks"):
        load_variant("bridgette", ["exchange.kind=draw_tricks"])


def test_misspelt_base_stands_for_the_nearest() -> None:
    """Keys of the game that was meant are not called unknown because its name is misspelt."""
    Path("f.yaml").write_text("name: x\nextends: cal_bridge\nauction: {max: 10}\nscoring: {failed: 0}\n", encoding="utf-8")
    assert [(problem.line, problem.path) for problem in check_file("f.yaml")] == [(2, "extends"), (4, "scoring.failed")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "contracts: all\n",
            "contracts: call_bridge has no contracts, because its auction is of kind calls; allowed: contracts: auction",
        ),
        (
            "until: {half_width: 0.01, of: 4S}\n",
            "until.of: '4S' is not a call; write a number of tricks, as in 5",
        ),
        (
            "columns: [exchange]\n",
            "columns: call_bridge throws no cards before the auction; allowed: [], [hands]",
        ),
        ("bots: [random, random]\n", "bots: 2 bots for 4 players; give one for all seats or exactly one a seat"),
    ],
)
def test_run_of_a_game_without_contracts(text: str, message: str) -> None:
    """What only contract games have is refused in a run of another game."""
    Path("f.yaml").write_text(f"variant: call_bridge\n{text}", encoding="utf-8")
    assert [str(problem) for problem in check_file("f.yaml")] == [f"f.yaml:2: {message}"]


# --- schema -----------------------------------------------------------------------------------------------------------


def test_json_schema_allows_every_kind() -> None:
    """An editor may not call a section wrong because it leaves its kind to the defaults, or holds a word in place of a map."""
    schema = json_schema("variant")
    text = json.dumps(schema)
    assert "oneOf" not in text
    assert "discriminator" not in text
    for key, kinds in (("exchange", 4), ("auction", 3), ("scoring", 4)):
        assert len(schema["properties"][key]["anyOf"]) == kinds
    assert {"type": "string", "enum": ["minus_call", "zero"]} in schema["$defs"]["CallsScoring"]["properties"]["failed"][
        "anyOf"
    ]
    assert {"const": "cards"} in schema["$defs"]["CallsAuction"]["properties"]["max"]["anyOf"]
