"""Configuration: defaults and the shipped files, extends, overrides, numbers and text, round trips, digests, the schema."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from simcore.codes import Colon, RandomBiddingParam
from simcore.config import (
    Bot,
    Variant,
    check_file,
    json_schema,
    load,
    load_any,
    load_bot,
    load_run,
    load_variant,
    policy_params,
    shipped,
    tenths,
    to_yaml,
)
from simcore.config.bot_models import PointsBidding, RandomBidding
from simcore.config.families import FAMILIES, family_of
from simcore.config.faults import Where
from simcore.config.load import MODELS
from simcore.config.models.cards import COLON_NAMES, ColonName
from simcore.config.reader import read_yaml
from simcore.config.sections import _arguments, section
from simcore.config.shipped_files import configs_folder
from simcore.config.tree import from_python, plain
from simcore.errors import InputError

BRIDGETTE_DIGEST = "9e6088683fd7ec1851c15f3a91a7d57166476124e88c48dd221fc8e97ada38c0"
SHIPPED = [path for kind in ("variants", "bots", "runs") for path in shipped(kind).values()]


def write(path: Path, text: str) -> str:
    """Write a file and return its path as text."""
    path.write_text(text, encoding="utf-8")
    return str(path)


# --- shipped files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_shipped_file_is_valid(path: Path) -> None:
    """Every shipped file is valid and is named like its content."""
    assert check_file(path) == []
    model = load_any(path).model
    assert getattr(model, "name", path.stem) == path.stem


GAMES: dict[str, dict[str, Any]] = {
    "bridgette": {},
    "draw_bridge": {"exchange": {"kind": "draw_tricks"}},
    "draw_and_discard_bridge": {"exchange": {"kind": "look_and_choose"}},
    "call_bridge": {"auction": {"kind": "calls"}},
    "pit": {"auction": {"kind": "steps"}},
}
"""The shipped file of each game -> the least that means it."""


@pytest.mark.parametrize("name", GAMES)
def test_defaults_are_the_documented_table(name: str) -> None:
    """A variant with nothing but the kind that marks a game plays the rules of the file that states every key."""
    bare = load_variant({"name": "x", **GAMES[name]})
    documented = load_variant(name)
    assert bare.model_dump(exclude={"name"}) == documented.model_dump(exclude={"name"})
    assert bare.digest() == documented.digest()
    assert family_of(from_python(GAMES[name], Where("x"))) == name
    assert set(GAMES) == set(FAMILIES)


def test_bot_defaults_are_the_documented_values() -> None:
    """The shipped bots state the defaults of their policies, but for what is said here."""
    others = {"expert": {"bidding": {"solves_known": True, "without_model": "points"}}}
    for name in shipped("bots"):
        bot = load_bot(name)
        bare = load_bot(
            {"name": name, **{
                key: {"policy": getattr(bot, key).policy, **others.get(name, {}).get(key, {})}
                for key in ("exchange", "bidding", "play")
            }}
        )  # fmt: skip
        assert bare.model_dump(exclude={"description"}) == bot.model_dump(exclude={"description"})


def _stated(model: BaseModel, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in model:
        if isinstance(value, BaseModel):
            yield from _stated(value, (*path, key))
        yield (*path, key)


NOT_STATED: dict[str, tuple[str, ...]] = {
    "bridgette": ("shedding", "match.target", "match.victory"),
    "draw_bridge": ("colons", "shedding", "match.deals", "match.victory"),
    "draw_and_discard_bridge": ("colons", "shedding", "match.deals", "match.victory"),
    "call_bridge": ("colons", "shedding", "match.deals", "match.victory"),
    "pit": ("colons", "match.deals", "match.target", "match.tie"),
}
"""What the file of a game leaves out, because the game does not have it."""


@pytest.mark.parametrize("name", GAMES)
def test_every_key_is_stated(name: str) -> None:
    """Every key of the schema that means something in a game stands in its file, or in the one that it builds on."""
    loaded = load("variant", name)
    stated = {origin[:length] for origin in loaded.origins for length in range(1, len(origin) + 1)}
    left_out = [path for path in _stated(loaded.model) if path not in stated]
    assert {".".join(path) for path in left_out if path[0] != "colons" or len(path) == 1} == set(NOT_STATED[name])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_key_is_commented(path: Path) -> None:
    """Every key of a shipped file has a comment beside it or above it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if re.match(r"\s*[A-Za-z_]+:", line) and not line.startswith("name:"):
            assert "#" in line or lines[number - 1].lstrip().startswith("#"), f"{path.name}:{number + 1} has no comment"


@pytest.mark.parametrize("path", shipped("variants").values(), ids=lambda path: path.stem)
def test_shipped_variant_describes_itself(path: Path) -> None:
    """The file begins with one sentence on a line, which `simcore variants` shows."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert re.fullmatch(r"# [A-Z].{30,}\.", first)


def test_flat_doubles_differs_in_one_value() -> None:
    """The shipped preset changes the multiplier and nothing else."""
    flat, documented = (load_variant(name).model_dump(exclude={"name"}) for name in ("bridgette_flat_doubles", "bridgette"))
    assert flat["scoring"]["multiplier"].pop("applies_to") == "none"
    assert documented["scoring"]["multiplier"].pop("applies_to") == "total"
    assert flat == documented


# --- numbers and text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1_000_000", 1_000_000),
        ("1e6", 1_000_000),
        ("1.5e3", 1500),
        ("1000000", 1_000_000),
        ("+10", 10),
        ("2E+1", 20),
        ("6.0", 6),
    ],
)
def test_counts(tmp_path: Path, text: str, number: int) -> None:
    """Counts may be grouped or have an exponent."""
    assert load_run(write(tmp_path / "r.yaml", f"variant: bridgette\ndeals: {text}\n")).deals == number


@pytest.mark.parametrize(
    "text", ["1__0", "1_", "_1", "1,000", "5.", "1e", "one", "0b1", "0o7", "1 000", ".inf", "1e-3", "~", "''"]
)
def test_no_counts(tmp_path: Path, text: str) -> None:
    """Other spellings are refused, not guessed."""
    path = write(tmp_path / "r.yaml", f"variant: bridgette\nseed: {text}\n")
    assert [problem.path for problem in check_file(path)] == ["seed"]


@pytest.mark.parametrize("name", ["2024", "1e6", "010", "NO", "off", "yes", "0x1F", "1_000", "97", "4S", "on"])
def test_text_stays_text(tmp_path: Path, name: str) -> None:
    """What is meant as text is text as it was written, even where YAML 1.1 reads a number or a boolean."""
    assert load_variant(write(tmp_path / "v.yaml", f"name: {name}\n")).name == name
    assert load_variant("bridgette", [f"name={name}"]).name == name
    assert load_variant({"name": name}).name == name


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False), ("True", True), ("FALSE", False)])
def test_booleans(tmp_path: Path, text: str, value: bool) -> None:
    """Booleans are those of YAML 1.2."""
    assert load_variant(write(tmp_path / "v.yaml", f"name: x\nauction: {{doubles: {text}}}\n")).auction.doubles is value


def test_points_are_exact_tenths() -> None:
    """Points keep one decimal exactly; whole values are whole numbers."""
    variant = load_variant("bridgette", ["scoring.doubled_made=0.1", "scoring.redoubled_made=5.0", "scoring.exact[0]=-27.3"])
    scoring = variant.scoring
    assert [tenths(points) for points in (scoring.doubled_made, scoring.redoubled_made, scoring.exact[0])] == [1, 50, -273]
    assert isinstance(scoring.redoubled_made, int)


@given(st.integers(-10_000_000, 10_000_000))
def test_tenths_survive(number: int) -> None:
    """Every tenth within the bounds survives reading and writing."""
    text = f"{'-' if number < 0 else ''}{abs(number) // 10}.{abs(number) % 10}"
    variant = load_variant({"name": "x"}, [f"scoring.doubled_made={text}"])
    assert tenths(variant.scoring.doubled_made) == number
    assert tenths(load_variant(variant.model_dump(mode="json")).scoring.doubled_made) == number


# --- extends --------------------------------------------------------------------------------------------------------


def test_extends_merges_maps_and_replaces_lists(tmp_path: Path) -> None:
    """Maps merge key by key through several files; lists and maps keyed by numbers are replaced whole."""
    write(
        tmp_path / "a.yaml",
        "name: a\nextends: bridgette\ndescription: base\nauction: {jump: ladder, opener: non_dealer}\n"
        "deck: {colons: [little, grand]}\n"
        "scoring:\n  overtricks_exactly: {2: 100, 4: 200}\n  undertricks: {undoubled: [50]}\n",
    )
    path = write(
        tmp_path / "b.yaml",
        "name: b\nextends: ./a.yaml\nauction: {jump: none}\ndeck: {colons: [royal]}\nscoring: {overtricks_exactly: {1: 5}}\n",
    )
    a, b = load_variant(tmp_path / "a.yaml"), load_variant(path)
    assert a.deck.colons == ("grand", "little")
    assert (b.auction.jump, b.auction.opener, b.deck.colons) == ("none", "non_dealer", ("royal",))
    assert b.scoring.overtricks_exactly == {1: 5}
    assert b.scoring.undertricks.undoubled == (50,)
    assert b.scoring.undertricks.doubled == load_variant("bridgette").scoring.undertricks.doubled
    assert b.description is None


def test_extends_is_relative_to_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory does not matter."""
    (tmp_path / "sub").mkdir()
    write(tmp_path / "base.yaml", "name: base\nmatch: {deals: 4}\n")
    path = write(tmp_path / "sub" / "v.yaml", "name: v\nextends: ../base.yaml\n")
    monkeypatch.chdir(tmp_path / "sub")
    assert load_variant(path).match.deals == 4


def test_changed_kind_replaces_the_section(tmp_path: Path) -> None:
    """Keys of the old kind do not linger, and those of the new kind have their defaults."""
    path = write(tmp_path / "v.yaml", "name: v\nextends: bridgette\nexchange: {kind: none}\n")
    assert load_variant(path).exchange.model_dump() == {"kind": "none"}
    again = write(tmp_path / "w.yaml", "name: w\nextends: ./v.yaml\nexchange: {kind: upcard, non_dealer_draw: 3}\n")
    assert load_variant(again).exchange.model_dump()["dealer_draw"] == {"spot": 4, "face": 8, "ace": 12}
    bot = load_bot("heuristic", ["bidding.policy=random"])
    assert bot.bidding == RandomBidding()


def test_kind_may_be_left_out(tmp_path: Path) -> None:
    """A section without its kind is of the default kind."""
    assert load_variant(write(tmp_path / "v.yaml", "name: v\nexchange: {non_dealer_draw: 3}\n")).exchange.kind == "upcard"


def test_extends_in_a_circle(tmp_path: Path) -> None:
    """Files that extend each other are refused."""
    write(tmp_path / "a.yaml", "name: a\nextends: b.yaml\n")
    path = write(tmp_path / "b.yaml", "name: b\nextends: a.yaml\n")
    with pytest.raises(InputError, match=r"circle: b\.yaml -> a\.yaml -> b\.yaml"):
        load_variant(path)


# --- overrides ------------------------------------------------------------------------------------------------------


def test_overrides() -> None:
    """Overrides reach sections, list entries (also of defaults) and entries of maps keyed by numbers."""
    variant = load_variant(
        {"name": "x"},
        [
            "auction.jump=none",
            "scoring.award.NT[3]=500",
            "scoring.award.C.7=null",
            "scoring.overtricks_exactly.4=10",
            "deck.colons=[]",
            "scoring.multiplier={doubled: 3}",
        ],
    )
    scoring = variant.scoring
    assert scoring.award.NT == (150, 250, 250, 500, 750, 1500, 2200, 2500)
    assert scoring.award.C[7] is None
    assert scoring.overtricks_exactly == {3: 350, 4: 10}
    assert (scoring.multiplier.doubled, scoring.multiplier.redoubled) == (3, 4)
    assert variant.deck.colons == ()


def _choices(model: BaseModel, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield every path of a switch or of a choice among words with each other value than it has."""
    for key, field in type(model).model_fields.items():
        here, value = (*path, key), getattr(model, key)
        if isinstance(value, BaseModel):
            yield from _choices(value, here)
        elif isinstance(value, bool):
            yield ".".join(here), "false" if value else "true"
        elif isinstance(value, str):
            words = {word for arg in _arguments(field.annotation) for word in get_args(arg) if isinstance(word, str)}
            yield from ((".".join(here), word) for word in sorted(words - {value}) if key != "kind")


NEEDS = {
    "deal.upcard=false": ["exchange.kind=none"],
    "match.tie=extra_deal": ["match.max_deals=60"],
    "match.tie=extra_deal_then_draw": ["match.deals=6"],
    "match.tie=until_broken": ["match.deals=6"],
    "play.must_follow=false": ["play.must_ruff=false", "play.must_overruff=false"],
}
"""Choices that go with others only -> what has to be said before them."""
REFUSED = {
    ("draw_bridge", "deal.upcard=true"): "needs 4 x 13 cards, and a card is turned",
    ("draw_and_discard_bridge", "deal.upcard=true"): "uses the whole pack",
    ("draw_bridge", "play.trump=turned_card"): "leaves no card to turn",
    ("draw_and_discard_bridge", "play.trump=turned_card"): "leaves no card to turn",
    ("call_bridge", "deal.upcard=true"): "at most 12 a hand",
    ("call_bridge", "play.trump=turned_card"): "at most 12 a hand",
    ("call_bridge", "play.trump=contract"): "names no strain",
    ("pit", "play.trump=contract"): "names no strain",
}
"""Game and choice -> why it is refused."""
CHOICES = [(name, f"{path}={value}") for name in GAMES for path, value in _choices(load_variant(name)) if path != "name"]


@pytest.mark.parametrize(("name", "choice"), CHOICES, ids=[f"{name}-{choice}" for name, choice in CHOICES])
def test_every_option_has_an_effect(name: str, choice: str) -> None:
    """Every choice and switch of every game can be set and changes its rules, or is refused with the reason."""
    before = load_variant(name, NEEDS.get(choice, ())).digest()
    if (name, choice) in REFUSED:
        with pytest.raises(InputError, match=REFUSED[name, choice]):
            load_variant(name, [choice])
    else:
        assert load_variant(name, [*NEEDS.get(choice, ()), choice]).digest() != before


def test_overrides_of_a_run() -> None:
    """Paths begin at the run or at its variant; bots are given by name, seat or parameter."""
    run = load_run(
        "bridgette",
        [
            "scoring.doubled_made=5",
            "variant.match.deals=4",
            "matches=10",
            "bots[1]=random",
            "bots[0].bidding.ace=0.85",
            "seed=9",
        ],
    )
    assert (run.variant.scoring.doubled_made, run.variant.match.deals, run.seed) == (5, 4, 9)
    assert (run.matches, run.deals) == (10, None)
    assert [bot.name for bot in run.bots] == ["heuristic", "random"]
    assert isinstance(run.bots[0].bidding, PointsBidding)
    assert run.bots[0].bidding.ace == 0.85
    assert [bot.name for bot in load_run("bridgette", ["bots=random"]).bots] == ["random", "random"]
    assert load_run("bridgette", ["variant=bridgette_flat_doubles"]).variant == load_variant("bridgette_flat_doubles")


# --- runs -----------------------------------------------------------------------------------------------------------


def test_run_of_a_variant() -> None:
    """A variant is a run with the defaults; of a name that is both, the run is meant."""
    run = load_run("bridgette_flat_doubles")
    assert run.variant == load_variant("bridgette_flat_doubles")
    assert (run.seed, run.deals, run.matches, [bot.name for bot in run.bots]) == (1, 1_000_000, None, ["heuristic"] * 2)
    assert load_run("bridgette").deals == 1_000_000
    assert load_run({"name": "x", "match": {"deals": 2}}).variant.match.deals == 2


def test_run_from_files(tmp_path: Path) -> None:
    """Variant and bots may be shipped names, paths relative to the run, or maps."""
    write(tmp_path / "v.yaml", "name: v\nmatch: {deals: 2}\n")
    write(tmp_path / "b.yaml", "name: mine\nextends: heuristic\nbidding: {margin: 0.5}\n")
    path = write(
        tmp_path / "r.yaml", "variant: v.yaml\nbots: [./b.yaml, {name: other, extends: random, play: {policy: careful}}]\n"
    )
    run = load_run(path)
    assert (run.variant.name, [bot.name for bot in run.bots]) == ("v", ["mine", "other"])
    assert run.bots[1].play.policy == "careful"
    longer = write(tmp_path / "s.yaml", "extends: r.yaml\nmatches: 5\nseed: 3\n")
    assert (load_run(longer).matches, load_run(longer).bots) == (5, run.bots)


def test_manifest_is_a_run(tmp_path: Path) -> None:
    """A manifest, or the directory that holds it, gives the same run again."""
    run = load_run("bridgette", ["matches=10", "scoring.doubled_made=0.3"])
    path = write(
        tmp_path / "manifest.json", json.dumps({"config": run.model_dump(mode="json"), "versions": {"a": 1}, "chunks": []})
    )
    assert load_run(path) == run
    assert load_run(tmp_path) == run
    assert load_any(path).model == run


# --- round trips, origins, digests ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_round_trips(path: Path, tmp_path: Path) -> None:
    """What is shown can be loaded again and is equal, with and without origins, as YAML and as JSON."""
    loaded = load_any(path)
    for text in (to_yaml(loaded.model), to_yaml(loaded.model, loaded.origins)):
        assert load(loaded.kind, write(tmp_path / "again.yaml", text)).model == loaded.model
    assert load(loaded.kind, json.loads(loaded.model.model_dump_json())).model == loaded.model
    assert load(loaded.kind, loaded.model.model_dump(mode="json")).model == loaded.model


@given(st.text(max_size=40))
def test_any_text_survives(text: str) -> None:
    """Free text of any kind survives being shown and loaded."""
    variant = Variant(name="x", description=text.encode("utf-8", "replace").decode())
    assert plain(read_yaml(to_yaml(variant), "x"))["description"] == variant.description


def test_origins() -> None:
    """Every value knows whether it is a default, of which line, or of the command line."""
    loaded = load("variant", "bridgette_flat_doubles", ["match.deals=4"])
    text = to_yaml(loaded.model, loaded.origins)
    assert re.search(r"applies_to: none +# .*bridgette_flat_doubles\.yaml:\d+\n", text)
    assert re.search(r"deals: 4 +# --set\n", text)
    assert re.search(r"jump: level +# .*bridgette\.yaml:\d+\n", text)
    bare = load("variant", {"name": "x"}, label="inline")
    assert re.search(r"name: x +# inline\n", to_yaml(bare.model, bare.origins))
    assert re.search(r"jump: level +# default\n", to_yaml(bare.model, bare.origins))


def test_digest_is_stable() -> None:
    """The digest is that of the meaning: not of the name, the order of keys, the spelling of numbers, or the process."""
    assert load_variant("bridgette").digest() == BRIDGETTE_DIGEST
    spelled = {
        "match": {"deals": 6.0},
        "name": "y",
        "deck": {"colons": ["little", "royal", "grand"]},
        "scoring": {"doubled_made": 400.0},
    }
    assert load_variant(spelled).digest() == BRIDGETTE_DIGEST
    assert load_variant("bridgette", ["description=text"]).digest() == BRIDGETTE_DIGEST
    assert load_variant("bridgette", ["scoring.award.NT[7]=2500.1"]).digest() != BRIDGETTE_DIGEST


def test_models_are_frozen() -> None:
    """A loaded configuration cannot be changed."""
    with pytest.raises(ValueError, match="frozen"):
        load_variant("bridgette").players = 3


# --- bots -----------------------------------------------------------------------------------------------------------


def test_policy_params() -> None:
    """Parameters cross to kernels as whole numbers in field order: hundredths, counts, switches and lists."""
    assert policy_params(RandomBidding()) == (4, 16, 24, 24, 16, 9, 5, 2, 10, 20, 5, 60, 10)
    assert [int(code) for code in RandomBiddingParam] == [0, *range(8, len(policy_params(RandomBidding())))]
    assert policy_params(load_bot("heuristic").exchange)[0] in (0, 1)
    points = load_bot("heuristic", ["bidding.ace=0.29"]).bidding
    assert policy_params(points)[list(type(points).model_fields).index("ace") - 1] == 29
    assert all(isinstance(number, int) for number in policy_params(points))


def test_derived_keys_are_accepted_if_right() -> None:
    """`sees_all` and `reads` are shown, and may be given back."""
    bot = load_bot("random")
    assert bot.model_dump()["reads"] == {"table": False, "match_score": False}
    assert load_bot({**bot.model_dump(), "sees_all": False}) == bot


# --- schema ---------------------------------------------------------------------------------------------------------


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from _nodes(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _nodes(value)


@pytest.mark.parametrize("kind", list(MODELS))
def test_json_schema(kind: str) -> None:
    """The schema is closed, complete and described, its references resolve, and files may extend."""
    schema = json_schema(kind)
    json.dumps(schema)
    assert set(schema["properties"]) == {*MODELS[kind].model_fields, *(() if kind == "sweep" else ("extends",))}
    for node in _nodes(schema):
        if "$ref" in node:
            assert node["$ref"].removeprefix("#/$defs/") in schema["$defs"]
        if node.get("type") == "object" and "properties" in node:
            assert node["additionalProperties"] is False
            for key, entry in node["properties"].items():
                section_text = schema["$defs"][entry["$ref"].removeprefix("#/$defs/")]["description"] if "$ref" in entry else ""
                assert entry.get("description") or section_text, key


def test_json_schema_of_unknown_kind() -> None:
    """Kinds that do not exist are named."""
    with pytest.raises(InputError, match="there is no schema 'game'; allowed: variant, bot, run"):
        json_schema("game")


def test_every_field_is_described() -> None:
    """Every key has a description, and every default of a section is that of its model."""
    seen: list[type[BaseModel]] = [Variant, Bot, MODELS["run"]]
    for model in seen:
        for key, field in model.model_fields.items():
            assert field.description, f"{model.__name__}.{key}"
            found = section(model, key)
            if found is not None:
                seen += [entry for entry in found.models.values() if entry not in seen]
                if isinstance(field.default, BaseModel) and key != "match":  # a match by itself has no end
                    assert field.default == type(field.default)()


def test_literals_name_codes() -> None:
    """The colons have the order of their codes."""
    assert ColonName == Literal["grand", "royal", "little"]
    assert tuple(colon.name.lower() for colon in Colon) == COLON_NAMES


# --- package --------------------------------------------------------------------------------------------------------


def test_light_import() -> None:
    """The configuration needs no numpy, numba or pandas."""
    code = "import simcore.config, sys; print(sorted({'numpy', 'numba', 'pandas', 'pyarrow'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_shipped_prefers_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed wheel holds the files inside the package; a checkout holds them beside it."""
    assert configs_folder().name == "configs"
    package = tmp_path / "simcore"
    monkeypatch.setattr("simcore.config.shipped_files._PACKAGE", package)
    (tmp_path / "configs" / "bots").mkdir(parents=True)
    write(tmp_path / "configs" / "bots" / "beside.yaml", "name: beside\n")
    assert list(shipped("bots")) == ["beside"]
    (package / "configs" / "bots").mkdir(parents=True)
    write(package / "configs" / "bots" / "inside.yaml", "name: inside\n")
    assert list(shipped("bots")) == ["inside"]
    with pytest.raises(InputError, match="'games' is not a kind of shipped files"):
        shipped("games")
