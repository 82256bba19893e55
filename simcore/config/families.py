"""What a game is made of where its file says nothing: the defaults of the five games, and which game's are meant.

A file says which game it varies by the kinds it names: an auction of calls is Call Bridge's, one of steps is Pit's, an exchange
by tricks or by choice is Draw Bridge's or Draw and Discard Bridge's, everything else is Bridgette's. What the file leaves out
is that game's; a section of another kind than the game's has the defaults of its kind (``simcore.config.models``). There is no
other place with defaults.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from simcore.config.faults import Where
from simcore.config.fields import Settings, nearest
from simcore.config.merge import merge
from simcore.config.models.auction import BridgeAuction, CallsAuction, StepsAuction
from simcore.config.models.cards import Deal, Deck
from simcore.config.models.exchange import DrawTricks, LookAndChoose, NoExchange
from simcore.config.models.match import Match, Shedding
from simcore.config.models.play import Colons, Play
from simcore.config.models.scoring import CallsScoring, SheddingScoring, TrickValue
from simcore.config.sections import EXTENDS, section
from simcore.config.tree import DEFAULT_ORIGIN, Branch, Leaf, Node, child_of, find, from_python
from simcore.config.variant import Variant

Family = dict[str, Any]
"""The fields of a variant but its name and description."""

_MATCH_TO_TARGET = Match(target=100, tie="draw", max_deals=60)

BRIDGETTE: Family = {key: field.default for key, field in Variant.model_fields.items() if key not in ("name", "description")}
DRAW_BRIDGE: Family = {
    "players": 2,
    "deck": Deck(colons=()),
    "deal": Deal(cards=13, upcard=False),
    "exchange": DrawTricks(),
    "auction": BridgeAuction(lowest_bid="1C", min_suit_length=0, min_jump_length=0, jump="none", nt_needs_every_suit=False),
    "play": Play(),
    "colons": Colons(),
    "scoring": TrickValue(),
    "shedding": None,
    "match": _MATCH_TO_TARGET,
}
DRAW_AND_DISCARD_BRIDGE: Family = {**DRAW_BRIDGE, "deal": Deal(cards=0, upcard=False), "exchange": LookAndChoose()}
CALL_BRIDGE: Family = {
    "players": 4,
    "deck": Deck(colons=()),
    "deal": Deal(cards=13, upcard=False),
    "exchange": NoExchange(),
    "auction": CallsAuction(),
    "play": Play(trump="S", must_ruff=True, must_overruff=True),
    "colons": Colons(),
    "scoring": CallsScoring(),
    "shedding": None,
    "match": Match(target=20, tie="extra_deal", max_deals=30),
}
PIT: Family = {
    "players": 4,
    "deck": Deck(colons=()),
    "deal": Deal(cards={3: 7, 4: 7, 5: 6, 6: 6}, upcard=False),
    "exchange": NoExchange(),
    "auction": StepsAuction(),
    "play": Play(trump="turned_card"),
    "colons": Colons(),
    "scoring": SheddingScoring(),
    "shedding": Shedding(),
    "match": Match(victory="shed", max_deals=100),
}
FAMILIES: dict[str, Family] = {
    "bridgette": BRIDGETTE,
    "draw_bridge": DRAW_BRIDGE,
    "draw_and_discard_bridge": DRAW_AND_DISCARD_BRIDGE,
    "call_bridge": CALL_BRIDGE,
    "pit": PIT,
}
"""The games whose defaults there are; the names are those of the shipped files that state them."""

_BY_AUCTION = {"bridge": "", "calls": "call_bridge", "steps": "pit"}
_BY_EXCHANGE = {"none": "", "upcard": "", "draw_tricks": "draw_bridge", "look_and_choose": "draw_and_discard_bridge"}


def family_of(tree: Node) -> str:
    """Return the name of the game whose defaults a variant has; a misspelt kind counts as the one that is most like it."""
    auction = _BY_AUCTION.get(_kind(tree, "auction", _BY_AUCTION), "")
    return auction or _BY_EXCHANGE.get(_kind(tree, "exchange", _BY_EXCHANGE), "") or "bridgette"


def _kind(tree: Node, key: str, kinds: dict[str, str]) -> str:
    node = find(tree, (key, "kind"))
    text = node.value if isinstance(node, Leaf) and isinstance(node.value, str) else ""
    return nearest(text, kinds) or ""


def _defaults(tree: Branch) -> Family:
    """Return what a variant has where it says nothing; a few defaults follow from what is said elsewhere."""
    name = family_of(tree)
    family = dict(FAMILIES[name])
    exchange = _kind(tree, "exchange", _BY_EXCHANGE)
    if exchange == "look_and_choose":  # nothing is dealt
        family["deal"] = Deal(cards=0, upcard=False)
    elif exchange == "upcard":  # the exchange needs it
        family["deal"] = family["deal"].model_copy(update={"upcard": True})
    if name == "bridgette" and _is_given(tree, "target"):
        family["match"] = _MATCH_TO_TARGET
    return family


def _is_given(tree: Branch, key: str) -> bool:
    node = find(tree, ("match", key))
    return node is not None and not (isinstance(node, Leaf) and node.value is None)


def filled(model: type[Settings], tree: Node, meant: Node | None = None) -> Node:
    """Return a tree in which every section of a variant, and its kind, stands as it will be validated.

    Parameters
    ----------
    model
        The model of the tree; only a variant, or that of a run, has defaults of a family.
    tree
        What was written; defaults filled in earlier are replaced, since the family may be another one now.
    meant
        The tree that says which family is meant, if another one: `tree` may lack what is at fault in it.
    """
    if not isinstance(tree, Branch):
        return tree
    if model is not Variant and "variant" in model.model_fields:
        variant = child_of(tree, "variant")
        if not isinstance(variant, Branch) or EXTENDS in variant.entries:  # a name, or rules that are not all known yet
            return tree
        entries = {**tree.entries, "variant": filled(Variant, variant, child_of(meant, "variant"))}
        return Branch(entries, tree.where, tree.mounted)
    if model is not Variant:
        return tree
    written = _written(Variant, tree)
    said = _written(Variant, meant) if isinstance(meant, Branch) else written
    content = {key: value.model_dump() if isinstance(value, BaseModel) else value for key, value in _defaults(said).items()}
    base = from_python(content, Where(DEFAULT_ORIGIN))
    assert isinstance(base, Branch)
    return Branch(merge(Variant, base, written).entries, tree.where, tree.mounted)


def _written(model: type[Settings], tree: Branch) -> Branch:
    """Return a tree without the defaults that were filled in; lists and maps of numbers stay or go as a whole."""
    entries: dict[str, Node] = {}
    for key, child in tree.entries.items():
        found = section(model, key)
        inner = found.model_for(child) if found is not None else None
        if inner is not None and isinstance(child, Branch):
            child = _written(inner, child)
            if child.entries or child.where.file != DEFAULT_ORIGIN:
                entries[key] = child
        elif child.where.file != DEFAULT_ORIGIN:
            entries[key] = child
    return Branch(entries, tree.where, tree.mounted)
