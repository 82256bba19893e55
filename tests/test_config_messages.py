"""Broken files and overrides: each gives the message that says where, which value, what is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore.config import ConfigError, check_file, load_any, load_bot, load_run, load_variant, shipped
from simcore.config.bot_models import BiddingPolicy
from simcore.errors import InputError

TOP = "name, description, players, deck, deal, exchange, auction, play, colons, scoring, shedding, match"
BIDDING = ", ".join(
    name for model in get_args(BiddingPolicy) for name in get_args(model.model_fields["policy"].annotation) if name != "plugin"
)
RUN = (
    "description, variant, bots, unit, matches, deals, seed, contracts, play, hands, hands_digest, output, columns, chunk,"
    " engine, scheduler, until"
)
NAMES = ", ".join(shipped("variants"))
BID = "kind, opener, lowest_bid, min_suit_length, min_jump_length, jump, nt_needs_every_suit, doubles, passed_out"

SYNTAX = {
    "empty": ("", "f.yaml: the file is empty"),
    "comments_only": ("# nothing\n---\n", "f.yaml: the file is empty"),
    "list": ("- a\n", f"f.yaml:1: [a] is not a map of keys; allowed: {TOP}"),
    "tab": ("name: x\nauction:\n\tjump: level\n", "f.yaml:3: a tab cannot be used here; indent with spaces"),
    "open_list": ("name: x\ndeck: {colons: [grand}\n", "f.yaml:2: a list in [ ] lacks a comma or is not closed"),
    "open_map": ("name: x\nauction: {jump: level\n", "f.yaml:2: a map in { } lacks a comma or is not closed"),
    "open_quote": ("name: 'x\nplayers: 2\n", "f.yaml:1: a quotation mark is not closed"),
    "indentation": ("name: x\nmatch:\n  deals: 3\n tie: draw\n", "f.yaml:4: the indentation does not fit the lines above"),
    "colon": (
        "name: x\nauction: jump: level\n",
        "f.yaml:2: a ': ' does not belong here; check the indentation, or put the text in quotes",
    ),
    "no_colon": ("name: x\nauction\nplay: {}\n", "f.yaml:2: a key without ': ' and value"),
    "at_sign": ("name: @x\n", "f.yaml:1: a text cannot begin like this; put it in quotes"),
    "duplicate": (
        "name: x\nmatch:\n  deals: 3\n  deals: 4\n",
        "f.yaml:4: match.deals: the key is given twice (first in line 3)",
    ),
    "anchor": ("name: &a x\n", "f.yaml:1: name: &a: anchors are not used here; use extends to share values"),
    "alias": ("name: *a\n", "f.yaml:1: *a: aliases are not used here; write the value again, or use extends"),
    "merge_key": ("name: x\n<<: {players: 2}\n", "f.yaml:2: <<: merge keys are not used here; use extends to share values"),
    "tag": ("name: !!str x\n", "f.yaml:1: name: !!str: tags are not used here; write the plain value"),
    "python_tag": (
        "name: x\ndescription: !!python/name:os.system x\n",
        "f.yaml:2: description: !!python/name:os.system: tags are not used here; write the plain value",
    ),
    "documents": ("name: x\n---\nname: y\n", "f.yaml:2: a second document begins here (---); a file holds one"),
    "directive": ("%YAML 1.1\n---\nname: x\n", "f.yaml:1: a directive (%) is not used here; take it out"),
    "list_as_key": ("name: x\n[a]: 3\n", "f.yaml:2: a key must be text, not a map or list"),
    "deep": ("name: x\ny: " + "[" * 40 + "]" * 40 + "\n", "f.yaml:2: nested more than 16 levels deep"),
    "control_character": ("name: x\ndescription: a\x07b\n", "f.yaml:2: the character U+0007 is not allowed in YAML"),
}
"""Text of the file -> the only problem, of reading."""

VARIANTS = {
    "choice": (
        "name: x\nauction:\n  jump: laddr\n",
        "f.yaml:3: auction.jump: 'laddr' is not allowed; allowed: level, ladder, none; did you mean 'ladder'?",
    ),
    "unknown_key": (
        "name: x\nauction: {jmp: level}\n",
        f"f.yaml:2: auction.jmp: unknown key; allowed: {BID}; did you mean 'jump'?",
    ),
    "key_of_elsewhere": (
        "name: x\ndoubled_made: 0\n",
        f"f.yaml:2: doubled_made: unknown key; allowed: {TOP}; did you mean 'scoring.doubled_made'?",
    ),
    "key_of_other_kind": (
        "name: x\nexchange: {kind: none, non_dealer_draw: 2}\n",
        "f.yaml:2: exchange.non_dealer_draw: unknown key; allowed: kind; it belongs to kind: upcard",
    ),
    "boolean_key": ("name: x\nNO: 1\n", f"f.yaml:2: NO: unknown key; allowed: {TOP}"),
    "boolean_no": (
        "name: x\nauction: {doubles: NO}\n",
        "f.yaml:2: auction.doubles: 'NO' is not allowed; allowed: true, false; did you mean false?",
    ),
    "boolean_off": (
        "name: x\nauction: {doubles: off}\n",
        "f.yaml:2: auction.doubles: 'off' is not allowed; allowed: true, false; did you mean false?",
    ),
    "boolean_quoted": (
        'name: x\nauction: {doubles: "true"}\n',
        "f.yaml:2: auction.doubles: 'true' is not allowed; allowed: true, false (without quotes)",
    ),
    "boolean_number": ("name: x\ndeal: {upcard: 1}\n", "f.yaml:2: deal.upcard: 1 is not allowed; allowed: true, false"),
    "text_for_number": (
        "name: x\nmatch: {deals: six}\n",
        "f.yaml:2: match.deals: 'six' is not a whole number; allowed: 1 to 10000",
    ),
    "boolean_for_number": (
        "name: x\nmatch: {deals: true}\n",
        "f.yaml:2: match.deals: true is not a whole number; allowed: 1 to 10000",
    ),
    "null_for_number": ("name: x\nplayers: \n", "f.yaml:2: players: null is not a whole number; allowed: 2 to 6"),
    "quoted_number": (
        "name: x\nmatch: {deals: '6'}\n",
        "f.yaml:2: match.deals: '6' is quoted text, not a whole number; allowed: 1 to 10000; write the number without quotes",
    ),
    "octal": (
        "name: x\nmatch: {deals: 010}\n",
        "f.yaml:2: match.deals: 010 begins with a zero; write numbers without leading zeros",
    ),
    "hexadecimal": (
        "name: x\nmatch: {deals: 0x10}\n",
        "f.yaml:2: match.deals: 0x10 is not a decimal number; write numbers in decimal digits",
    ),
    "sexagesimal": (
        "name: x\nmatch: {deals: 1:30}\n",
        "f.yaml:2: match.deals: 1:30 is not a whole number; allowed: 1 to 10000",
    ),
    "fraction": ("name: x\nmatch: {deals: 2.5}\n", "f.yaml:2: match.deals: 2.5 is not a whole number; allowed: 1 to 10000"),
    "range": ("name: x\nmatch: {deals: 0}\n", "f.yaml:2: match.deals: 0 is out of range; allowed: 1 to 10000"),
    "huge": ("name: x\nmatch: {deals: 1e999}\n", "f.yaml:2: match.deals: 1e999 is out of range; allowed: 1 to 10000"),
    "not_a_number": (
        "name: x\nscoring: {doubled_made: .nan}\n",
        "f.yaml:2: scoring.doubled_made: '.nan' is not a number; allowed: -1000000 to 1000000, at most 1 decimal",
    ),
    "hundredth_of_a_point": (
        "name: x\nscoring: {doubled_made: 0.05}\n",
        "f.yaml:2: scoring.doubled_made: 0.05 has too many decimals; allowed: at most 1",
    ),
    "short_row": (
        "name: x\nscoring:\n  award:\n    C: [null, 150]\n",
        "f.yaml:4: scoring.award.C: [null, 150] has 2 entries; allowed: 8, one a level, 0 to 7",
    ),
    "long_row": (
        "name: x\nscoring:\n  exact:\n" + "    - 1\n" * 9,
        "f.yaml:3: scoring.exact: [1, 1, 1, 1, 1, 1, 1, 1, 1] has 9 entries; allowed: 8, one a level, 0 to 7",
    ),
    "cell": (
        "name: x\nscoring:\n  exact:\n    - 1\n    - two\n" + "    - 3\n" * 6,
        "f.yaml:5: scoring.exact[1]: 'two' is not a number; allowed: -1000000 to 1000000, at most 1 decimal",
    ),
    "null_cell": (
        "name: x\nscoring: {undertricks: {doubled: [null]}}\n",
        "f.yaml:2: scoring.undertricks.doubled[0]: null is not a number; allowed: -1000000 to 1000000, at most 1 decimal",
    ),
    "empty_table": (
        "name: x\nscoring: {undertricks: {doubled: []}}\n",
        "f.yaml:2: scoring.undertricks.doubled: [] has 0 entries; allowed: 1 to 13, one for 1, 2, ... tricks short",
    ),
    "number_for_list": (
        "name: x\nscoring: {exact: 250}\n",
        "f.yaml:2: scoring.exact: 250 is not a list; allowed: a list of 8 entries, one a level, 0 to 7",
    ),
    "bad_key_of_map": (
        "name: x\nscoring: {overtricks_exactly: {three: 350}}\n",
        "f.yaml:2: scoring.overtricks_exactly.three: the key three is not a whole number; allowed: 1 to 7",
    ),
    "impossible_overtricks": (
        "name: x\nscoring: {overtricks_exactly: {8: 350}}\n",
        "f.yaml:2: scoring.overtricks_exactly.8: the key 8 is out of range; allowed: 1 to 7",
    ),
    "number_for_map": (
        "name: x\nscoring: {overtricks_exactly: 350}\n",
        "f.yaml:2: scoring.overtricks_exactly: 350 is not a map; write {key: value}",
    ),
    "section_as_text": (
        "name: x\nexchange: upcard\n",
        "f.yaml:2: exchange: 'upcard' is not a map of keys; allowed: for example {kind: none}, {kind: upcard},"
        " {kind: draw_tricks}, {kind: look_and_choose}",
    ),
    "empty_section": (
        "name: x\nplay:\n",
        "f.yaml:2: play: null is not a map of keys; allowed: trump, must_follow, must_ruff, must_overruff,"
        " must_underruff, must_head",
    ),
    "kind": (
        "name: x\nexchange: {kind: upcrd}\n",
        "f.yaml:2: exchange.kind: 'upcrd' is not allowed; allowed: none, upcard, draw_tricks,"
        " look_and_choose; did you mean 'upcard'?",
    ),
    "name_missing": ("players: 2\n", "f.yaml:1: name: is missing (name of the variant)"),
    "name_with_space": (
        "name: my game\n",
        "f.yaml:1: name: 'my game' is not a name; allowed: letters, digits, '_', '-', '+' and '.', at most 60",
    ),
    "colon_twice": (
        "name: x\ndeck: {colons: [grand, grand]}\n",
        "f.yaml:2: deck.colons: [grand, grand] names a colon twice; allowed: each of grand, royal, little at most once",
    ),
    "no_upcard": (
        "name: x\ndeal: {upcard: false}\n",
        "f.yaml:2: deal.upcard: the exchange of kind upcard needs a turned card; say deal.upcard: true, or exchange.kind: none",
    ),
    "too_many_cards": (
        "name: x\nexchange: {dealer_draw: {face: 27}}\n",
        "f.yaml:2: exchange.dealer_draw.face: the deal and the exchange may need 56 cards, but the deck has 55",
    ),
    "bid_of_level_0": (
        "name: x\nscoring: {award: {H: [90, 1, 1, 1, 1, 1, 1, 1]}}\n",
        "f.yaml:2: scoring.award.H[0]: 90 for 0H, but suit bids begin at level 1; allowed: null",
    ),
    "jump_below_bid": (
        "name: x\nauction: {min_suit_length: 5}\n",
        "f.yaml:2: auction.min_suit_length: min_jump_length (4) is below min_suit_length (5), but a jump in a suit is a suit"
        " bid too; raise it, or say jump: none",
    ),
    "match_above_cap": ("name: x\nmatch: {max_deals: 5}\n", "f.yaml:2: match.max_deals: deals (6) is above max_deals (5)"),
    "extends_unknown": (
        "name: x\nextends: bridgete\n",
        f"f.yaml:2: extends: there is no shipped variant 'bridgete'; allowed: {NAMES}, or a path"
        " ending in .yaml; did you mean 'bridgette'?",
    ),
    "extends_no_file": ("name: x\nextends: ./no.yaml\n", "f.yaml:2: extends: './no.yaml': there is no such file (no.yaml)"),
    "extends_without_name": (
        "extends: bridgette\n",
        "f.yaml:1: name: is missing; what extends another variant needs a name of its own",
    ),
    "extends_itself": (
        "name: x\nextends: f.yaml\n",
        "f.yaml:2: extends: the files extend each other in a circle: f.yaml -> f.yaml",
    ),
    "extends_a_list": ("name: x\nextends: [bridgette]\n", "f.yaml:2: extends: [bridgette] is not a name or path of a variant"),
}
"""Text of a variant file -> its only problem."""

RUNS = {
    "unknown_variant": (
        "variant: bridgete\n",
        f"f.yaml:1: variant: there is no shipped variant 'bridgete'; allowed: {NAMES}, or a path"
        " ending in .yaml; did you mean 'bridgette'?",
    ),
    "unknown_bot": (
        "variant: bridgette\nbots: [heuristic, heuristik]\n",
        f"f.yaml:2: bots[1]: there is no shipped bot 'heuristik'; allowed: {', '.join(shipped('bots'))}, or a path ending in"
        " .yaml; did you mean 'heuristic'?",
    ),
    "too_many_bots": (
        "variant: bridgette\nbots: [random, random, random]\n",
        "f.yaml:2: bots: 3 bots for 2 players; give one for all seats or exactly one a seat",
    ),
    "no_variant": ("bots: random\n", "f.yaml:1: variant: is missing (the rules)"),
    "typo": ("variant: bridgette\nsed: 4\n", f"f.yaml:2: sed: unknown key; allowed: {RUN}; did you mean 'seed'?"),
    "both_lengths": (
        "variant: bridgette\nmatches: 3\ndeals: 4\n",
        "f.yaml:3: deals: both deals and matches are given; give one of them",
    ),
    "matches_of_deals": (
        "variant: bridgette\nmatches: 3\nunit: deal\n",
        "f.yaml:2: matches: unit: deal plays no matches; give deals instead of matches",
    ),
    "seed": ("variant: bridgette\nseed: -1\n", "f.yaml:2: seed: -1 is out of range; allowed: 0 to 18446744073709551615"),
    "seed_too_large": (
        f"variant: bridgette\nseed: {2**64}\n",
        "f.yaml:2: seed: 18446744073709551616 is out of range; allowed: 0 to 18446744073709551615",
    ),
    "output": ("variant: bridgette\noutput: sums\n", "f.yaml:2: output: 'sums' is not allowed; allowed: rows, summary"),
    "columns": (
        "variant: bridgette\ncolumns: [hand]\n",
        "f.yaml:2: columns: [hand] is not allowed; allowed: each of hands, exchange once",
    ),
    "columns_twice": (
        "variant: bridgette\ncolumns: [hands, hands]\n",
        "f.yaml:2: columns: [hands, hands] is not allowed; allowed: each of hands, exchange once",
    ),
    "columns_of_sums": (
        "variant: bridgette\ncolumns: [hands]\noutput: summary\n",
        "f.yaml:2: columns: output: summary keeps no rows, so it has no column groups; allowed: []",
    ),
    "thrown_without_exchange": (
        "variant: {name: x, exchange: {kind: none}}\ncolumns: [exchange]\n",
        "f.yaml:2: columns: x throws no cards before the auction; allowed: [], [hands]",
    ),
    "until": (
        "variant: bridgette\nuntil: {half_width: wide}\n",
        "f.yaml:2: until.half_width: 'wide' is not a number; allowed: 0 to 1, at most 6 decimals",
    ),
    "until_never": (
        "variant: bridgette\nuntil: {half_width: 0}\n",
        "f.yaml:2: until.half_width: 0 is never reached; allowed: above 0, at most 6 decimals",
    ),
    "until_of": (
        "variant: bridgette\nuntil: {half_width: 0.01, of: 8S}\n",
        "f.yaml:2: until.of: '8S' is not a contract; write a level, a strain and perhaps X or XX, as in 4SX",
    ),
    "until_of_no_bid": (
        "variant: bridgette\nuntil: {half_width: 0.01, of: 0S}\n",
        "f.yaml:2: until.of: bridgette has no such bid as 0S",
    ),
    "inline_variant": (
        "variant: {name: y, auction: {opener: me}}\n",
        "f.yaml:1: variant.auction.opener: 'me' is not allowed; allowed: dealer, non_dealer",
    ),
    "inline_bot_once": (
        "variant: bridgette\nbots: {name: b, extends: heuristic, bidding: {ace: 0.905}}\n",
        "f.yaml:2: bots[0].bidding.ace: 0.905 has too many decimals; allowed: at most 2",
    ),
}
"""Text of a run file -> its only problem."""

_BOT = "name: b\nexchange: {policy: random}\nbidding: {policy: random}\nplay: {policy: random}\n"
BOTS = {
    "no_policy": (
        _BOT.replace("{policy: random}\nplay", "{level_weights: [1]}\nplay"),
        f"f.yaml:3: bidding.policy: is missing; allowed: {BIDDING}",
    ),
    "policy": (
        _BOT.replace("bidding: {policy: random}", "bidding: {policy: pionts}"),
        f"f.yaml:3: bidding.policy: 'pionts' is not allowed; allowed: {BIDDING}; did you mean 'points'?",
    ),
    "stage_missing": (_BOT.replace("play: {policy: random}\n", ""), "f.yaml:1: play: is missing (how it plays its cards)"),
    "percent": (
        _BOT.replace("bidding: {policy: random}", "bidding: {policy: random, pass_percent: 95}"),
        "f.yaml:3: bidding.pass_percent: double_percent + pass_percent is 105; allowed: at most 100",
    ),
    "weights": (
        _BOT.replace("bidding: {policy: random}", "bidding: {policy: random, level_weights: [0, 0, 0, 0, 0, 0, 0, 0]}"),
        "f.yaml:3: bidding.level_weights: all weights are 0; at least one must be positive",
    ),
    "sees_all": (
        _BOT + "sees_all: true\n",
        "f.yaml:5: sees_all: true is only for perfect-play oracles, and none of these policies is one; allowed: false",
    ),
    "sees_all of an oracle": (
        _BOT.replace("play: {policy: random}", "play: {policy: perfect}") + "sees_all: false\n",
        "f.yaml:5: sees_all: play.policy: perfect sees all hands; allowed: true (or leave it out)",
    ),
    "aim": (
        _BOT.replace("play: {policy: random}", "play: {policy: perfect, aim: trick}"),
        "f.yaml:4: play.aim: 'trick' is not allowed; allowed: points, tricks; did you mean 'tricks'?",
    ),
    "reads": (
        _BOT + "reads: {table: true}\n",
        "f.yaml:5: reads.table: this follows from the policies; allowed: false (or leave it out)",
    ),
}
"""Text of a bot file -> its only problem."""

GROUPS = {"syntax": SYNTAX, "variant": VARIANTS, "run": RUNS, "bot": BOTS}
ALL = {f"{group}-{key}": case for group, cases in GROUPS.items() for key, case in cases.items()}


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("case", ALL)
def test_broken_file(case: str) -> None:
    """Every broken file gives exactly its message: from the check, and as the error of loading it."""
    text, message = ALL[case]
    Path("f.yaml").write_text(text, encoding="utf-8")
    assert [str(problem) for problem in check_file("f.yaml")] == [message]
    with pytest.raises(InputError) as caught:
        load_any("f.yaml")
    assert str(caught.value) == message


def test_no_phrase_of_the_library_leaks() -> None:
    """Our messages never contain pydantic's words."""
    text = " ".join(message for _, message in ALL.values())
    assert "Input should" not in text
    assert "pydantic" not in text


OVERRIDES = {
    "match.deals": "--set match.deals: a path, '=' and a value are expected, for example match.deals=8",
    "a b=3": "--set a b=3: 'a b' is not a path; write keys joined by '.', for example scoring.award.NT[3]",
    "auction.jump=": "--set auction.jump=: no value after '='; write null if you mean none",
    "auction.jmp=3": f"--set auction.jmp=3: there is no key 'jmp' in auction; allowed: {BID}; did you mean 'auction.jump'?",
    "auction.jump=laddr": "--set: auction.jump: 'laddr' is not allowed; allowed: level, ladder, none; did you mean 'ladder'?",
    "auction.jump.x=4": "--set auction.jump.x=4: auction.jump is a single value; it has no 'x'",
    "scoring.award.NT[8]=3": "--set scoring.award.NT[8]=3: scoring.award.NT has no entry 8; allowed: 0 to 7",
    "scoring.award.NT.x=3": "--set scoring.award.NT.x=3: scoring.award.NT has no entry x; allowed: 0 to 7",
    "scoring.overtricks_exactly.x=4": "--set: scoring.overtricks_exactly.x: the key x is not a whole number; allowed: 1 to 7",
    "match.deals=010": "--set: match.deals: 010 begins with a zero; write numbers without leading zeros",
    "deck.colons=[grand": "--set deck.colons: a list in [ ] lacks a comma or is not closed",
    "extends=bridgette": "--set extends=bridgette: extends belongs in a file; name the variant itself, or write a file",
    "playrs=2": f"--set playrs=2: there is no key 'playrs'; allowed: {TOP}; did you mean 'players'?",
}


@pytest.mark.parametrize("override", OVERRIDES)
def test_broken_override(override: str) -> None:
    """An override that cannot have an effect is refused."""
    with pytest.raises(InputError) as caught:
        load_variant("bridgette", [override])
    assert str(caught.value) == OVERRIDES[override]


def test_an_endless_number_is_no_key() -> None:
    """Python refuses to read whole numbers of more than 4300 digits."""
    with pytest.raises(InputError, match="scoring.award.NT has no entry 99999"):
        load_variant("bridgette", [f"scoring.award.NT[{'9' * 5000}]=3"])


def test_override_of_other_kind_has_no_effect() -> None:
    """A key of a kind that is not in play is refused, not ignored."""
    with pytest.raises(InputError, match="there is no key 'dealer_draw' in exchange; allowed: kind"):
        load_variant("bridgette", ["exchange.kind=none", "exchange.dealer_draw.ace=3"])


def test_run_overrides_name_seats_and_bots() -> None:
    """Bots of a run are named by seat."""
    with pytest.raises(InputError, match=r"--set bots\[2\]=random: bots has no entry 2; allowed: 0 to 1"):
        load_run("bridgette", ["bots[2]=random"])
    with pytest.raises(InputError, match=r"^--set: bots: there is no shipped bot 'rndom'.*did you mean 'random'\?$"):
        load_run("bridgette", ["bots=rndom"])


def test_check_lists_everything() -> None:
    """A check lists all faults by line, also what does not go together; loading shows three and counts the rest."""
    Path("f.yaml").write_text(
        "name: x\n"
        "players: 3\n"
        "auction:\n"
        "  jmp: level\n"
        "  min_suit_length: 9\n"
        "match: {deals: six, max_deals: 4}\n"
        "match: {deals: 6}\n"
        "scoring: {exact: [1]}\n",
        encoding="utf-8",
    )
    problems = check_file("f.yaml")
    assert [(problem.line, problem.path) for problem in problems] == [
        (2, "players"),
        (4, "auction.jmp"),
        (5, "auction.min_suit_length"),
        (6, "match.deals"),
        (7, "match"),
        (8, "scoring.exact"),
    ]
    assert [problem.value for problem in problems][3:] == ["'six'", "", "[1]"]
    with pytest.raises(ConfigError) as caught:
        load_variant({"name": "a b", "players": 3.5, "play": 1, "deal": 2, "x": 1}, label="line 7")
    lines = str(caught.value).splitlines()
    assert len(lines) == 3
    assert lines[2].endswith("(and 2 more)")
    assert len(caught.value.problems) == 5
    assert all(line.startswith("line 7: ") for line in lines)


def test_check_goes_on_behind_a_broken_reference() -> None:
    """A name that leads nowhere does not hide the other faults of a run."""
    Path("f.yaml").write_text("variant: bridgete\nbots: [x, random]\nsed: 3\nchunk: 0\n", encoding="utf-8")
    found = [(problem.line, problem.path) for problem in check_file("f.yaml")]
    assert found == [(1, "variant"), (2, "bots[0]"), (3, "sed"), (4, "chunk")]


def test_fault_in_a_file_that_a_run_names() -> None:
    """The message names the file of the fault and the path in it."""
    Path("sub").mkdir()
    Path("sub/v.yaml").write_text("name: v\nauction:\n  jump: x\n", encoding="utf-8")
    Path("sub/r.yaml").write_text("variant: ./v.yaml\nbots: random\n", encoding="utf-8")
    assert [str(problem) for problem in check_file("sub/r.yaml")] == [
        "sub/v.yaml:3: auction.jump: 'x' is not allowed; allowed: level, ladder, none"
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"name: \xff\n", "f.yaml:1: the file is not UTF-8 text; save it as UTF-8"),
        ("name: x\n".encode("utf-16"), "f.yaml:1: the file is not UTF-8 text; save it as UTF-8"),
        (b"#" * 1_000_001, "f.yaml: the file is larger than 1 MB; no configuration is that large"),
    ],
)
def test_unreadable_bytes(data: bytes, message: str) -> None:
    """Files that are no text, or far too large, are refused before parsing."""
    Path("f.yaml").write_bytes(data)
    with pytest.raises(InputError) as caught:
        load_variant("f.yaml")
    assert str(caught.value) == message


def test_wrong_sources() -> None:
    """Names and files that do not exist or hold something else."""
    Path("mine.yaml").write_text("name: mine\nmatch: {deals: 2}\n", encoding="utf-8")
    Path("r.yaml").write_text("variant: ./mine.yaml\n", encoding="utf-8")
    for load, source, message in (
        (load_variant, "bridget", "there is no shipped variant 'bridget'; allowed: .*; did you mean 'bridgette'?"),
        (load_variant, "mine", "there is no shipped variant 'mine'; .*; for the file write mine.yaml"),
        (load_variant, "heuristic", "there is no shipped variant 'heuristic'; .*; 'heuristic' is a bot"),
        (load_variant, "no.yaml", "no.yaml: there is no such file"),
        (load_variant, ".", r"\.: this is a directory; a file is expected"),
        (load_variant, "r.yaml", "r.yaml: this is a run; a variant is expected"),
        (load_bot, "mine.yaml", "mine.yaml: this is a variant; a bot is expected"),
    ):
        with pytest.raises(InputError, match=message):
            load(source)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"config": {"variant": "bridgette", "seed": 1, "seed": 2}}', "m.json: seed: the key is given twice"),
        ('{"config": {"variant": "bridgette",}', "m.json:1: this is not JSON; check the text around column 3"),
        ('{"config": {"variant": "bridgette", "seed": NaN}}', "m.json: NaN is not a JSON number"),
        ('{"config": {"variant": "bridgette", "seed": "1"}}', "m.json: seed: '1' is quoted text"),
        ('{"a":' * 3000 + "1" + "}" * 3000, "m.json: nested more than 16 levels deep"),
    ],
)
def test_broken_manifest(text: str, message: str) -> None:
    """Manifests are read as strictly as YAML."""
    Path("m.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_run("m.json")
    assert str(caught.value).startswith(message)


BRIDGETTE = shipped("variants")["bridgette"].read_text(encoding="utf-8")
FRAGMENTS = [
    "\n",
    "  ",
    ":",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "'",
    '"',
    "#",
    "&a",
    "*a",
    "!!x",
    "|",
    ">",
    "%",
    "\t",
    "\x00",
    "null",
    "9",
    "~",
    "? ",
    "\u2028",
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(0, len(BRIDGETTE)), cut=st.integers(0, 40), put=st.lists(st.sampled_from(FRAGMENTS), max_size=4))
def test_any_damage_is_explained(position: int, cut: int, put: list[str]) -> None:
    """Whatever happens to a file, the check answers with lines of ours, and agrees with loading."""
    Path("f.yaml").write_text(BRIDGETTE[:position] + "".join(put) + BRIDGETTE[position + cut :], encoding="utf-8")
    problems = check_file("f.yaml")
    assert all(problem.file == "f.yaml" and problem.message for problem in problems)
    if problems:
        with pytest.raises(InputError) as caught:
            load_any("f.yaml")
        assert len(str(caught.value).splitlines()) <= 3
    else:
        load_any("f.yaml")
