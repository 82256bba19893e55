"""Finding, reading, merging and validating configurations: the functions that everybody else calls."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from simcore.config.bot_models import Bot
from simcore.config.families import filled
from simcore.config.faults import ConfigError, Problem, Where, fault, raise_problems
from simcore.config.fields import Document, nearest
from simcore.config.merge import Override, apply_override, merge, parse_override
from simcore.config.problems import validate
from simcore.config.reader import read_file
from simcore.config.run_model import Run
from simcore.config.sections import EXTENDS
from simcore.config.shipped_files import locate, looks_like_path, shipped, shown_path
from simcore.config.sweep_model import Sweep
from simcore.config.tree import DEFAULT_ORIGIN, Branch, Leaf, Node, Path_, Row, find, from_python, leaves, value_text
from simcore.config.tuning_model import Tuning
from simcore.config.variant import Variant
from simcore.errors import InputError
from simcore.places import Place, place
from simcore.plugins import bot_settings

Source: TypeAlias = str | Place | Mapping[str, Any]
MODELS: dict[str, type[Document]] = {"variant": Variant, "bot": Bot, "run": Run, "sweep": Sweep, "tuning": Tuning}
"""The kinds of files and their models."""
MANIFEST = "manifest.json"
"""Name of the file in a run directory that holds the resolved run."""
_MANIFEST_KEY = "config"
_DEEPEST_GUESS = 5
_NOT_INHERITED = "description"


@dataclass(frozen=True)
class Loaded:
    """A configuration and where its values come from.

    Attributes
    ----------
    kind
        ``variant``, ``bot`` or ``run``.
    model
        The validated model.
    origins
        Path -> ``file:line`` or ``--set``; paths that are missing have their default.
    """

    kind: str
    model: Document
    origins: dict[Path_, str]


def load_variant(source: Source, overrides: Sequence[str] = (), *, label: str = "variant") -> Variant:
    """Load a variant.

    Parameters
    ----------
    source
        A shipped name, a path, or the rules as a mapping (for example of a transcript).
    overrides
        ``path=value`` texts, as given to ``--set``.
    label
        How messages name a mapping.

    Raises
    ------
    InputError
        If something is wrong: up to three problems, a line each.
    """
    model = load("variant", source, overrides, label=label).model
    assert isinstance(model, Variant)
    return model


def load_bot(source: Source, overrides: Sequence[str] = (), *, label: str = "bot") -> Bot:
    """Load a bot; see :func:`load_variant`."""
    model = load("bot", source, overrides, label=label).model
    assert isinstance(model, Bot)
    return model


def load_run(source: Source, overrides: Sequence[str] = (), *, label: str = "run") -> Run:
    """Load a run.

    Parameters
    ----------
    source
        A run or a variant (name, path, mapping; of a name that is both, the run), a manifest, or a run directory.
    overrides
        ``path=value`` texts; paths begin at the run (``seed``, ``bots[0]``) or at its variant (``scoring.doubled_made``).
    label
        How messages name a mapping.
    """
    model = load("run", source, overrides, label=label).model
    assert isinstance(model, Run)
    return model


def load_tuning(source: Source, overrides: Sequence[str] = (), *, label: str = "tuning") -> Tuning:
    """Load a tuning; see :func:`load_variant`."""
    model = load("tuning", source, overrides, label=label).model
    assert isinstance(model, Tuning)
    return model


def load(kind: str, source: Source, overrides: Sequence[str] = (), *, label: str = "") -> Loaded:
    """Load a configuration of a known kind, with the origins of its values."""
    return _finish(kind, read_source(kind, source, label or kind), overrides)


def load_any(source: Source, overrides: Sequence[str] = (), kinds: Sequence[str] = tuple(MODELS)) -> Loaded:
    """Load a configuration of whatever kind it is.

    Parameters
    ----------
    source
        A path, a mapping, or a shipped name.
    overrides
        ``path=value`` texts.
    kinds
        In which order a name is looked up among the shipped ones.
    """
    if isinstance(source, str) and not looks_like_path(source):
        path = locate(source, kinds)
        return load(path.parent.name.removesuffix("s"), path, overrides)
    tree = read_source("run", source, "configuration")
    return _finish(kind_of(tree), tree, overrides)


def _finish(kind: str, tree: Node, overrides: Sequence[str]) -> Loaded:
    problems: list[Problem] = []
    resolved = resolve(kind, tree, problems)
    for text in overrides:
        resolved = _apply(kind, resolved, parse_override(text), problems)
    model, found = validate(MODELS[kind], resolved)
    raise_problems([*problems, *found])
    origins = {path: str(where) for path, where in leaves(resolved) if where.file != DEFAULT_ORIGIN}
    return Loaded(kind, model, origins)


def read_source(kind: str, source: Source, label: str) -> Node:
    """Read a name, path or mapping into a tree; a manifest gives its resolved run."""
    if isinstance(source, Mapping):
        return _config_of_manifest(from_python(source, Where(label)))
    plugin_bot = _plugin_bot(kind, source)
    if plugin_bot is not None:
        return plugin_bot
    if isinstance(source, str) and not looks_like_path(source):
        return read_file(locate(source, ("run", "variant") if kind == "run" else (kind,)))
    path = place(source)
    if kind == "run" and (os.path.isfile(path / MANIFEST) if isinstance(path, Path) else (path / MANIFEST).is_file()):
        path = path / MANIFEST
    return _config_of_manifest(read_file(path))


def _config_of_manifest(tree: Node) -> Node:
    config = tree.entries.get(_MANIFEST_KEY) if isinstance(tree, Branch) else None
    return config if isinstance(config, Branch) else tree


def kind_of(tree: Node, depth: int = 0) -> str:
    """Tell by its keys whether a tree is a variant, a bot or a run; a variant if nothing tells."""
    if not isinstance(tree, Branch):
        return "variant"
    votes = {kind: sum(key in model.model_fields for key in tree.entries) for kind, model in MODELS.items()}
    stages = (tree.entries.get(stage) for stage in ("exchange", "bidding", "play"))
    votes["bot"] += sum(isinstance(stage, Branch) and "policy" in stage.entries for stage in stages)
    best = max(votes, key=lambda kind: votes[kind])
    extends = tree.entries.get(EXTENDS)
    if extends is not None and depth < _DEEPEST_GUESS and list(votes.values()).count(votes[best]) > 1:
        try:
            return kind_of(read_file(_target(extends, tuple(MODELS), EXTENDS)), depth + 1)
        except InputError:
            return best
    return best


def _is_surely(kind: str, tree: Branch) -> bool:
    marks = {
        "run": ("variant", "bots"),
        "bot": ("bidding",),
        "variant": ("auction", "scoring", "deck", "match"),
        "sweep": ("grid", "zip"),
        "tuning": ("free", "targets"),
    }
    return any(key in tree.entries for key in marks[kind])


def resolve(kind: str, tree: Node, problems: list[Problem]) -> Branch:
    """Follow `extends`, and in a run the names of its variant and bots.

    Parameters
    ----------
    kind
        What the tree must be.
    tree
        What was read.
    problems
        Takes the names and paths that lead nowhere; something valid stands in for them, so that the rest can be checked.
    """
    if not isinstance(tree, Branch):
        raise_problems(validate(MODELS[kind], tree)[1])
    assert isinstance(tree, Branch)
    found = kind_of(tree)
    if kind == "run" and found == "variant":
        tree = Branch({"variant": Branch(tree.entries, tree.where, True)}, tree.where)
    elif found != kind and _is_surely(found, tree):
        raise fault(Where(tree.where.file), f"this is a {found}; a {kind} is expected")
    tree = _extended(kind, tree, problems)
    if kind == "tuning" and "variant" in tree.entries:
        mounted = _mounted("variant", tree.entries["variant"], "variant", problems)
        return Branch({**tree.entries, "variant": mounted}, tree.where, tree.mounted)
    return _with_references(tree, problems) if kind == "run" else tree


def _extended(kind: str, tree: Branch, problems: list[Problem], chain: tuple[Path, ...] = (), key: str = "") -> Branch:
    """Return a tree merged over what it extends.

    Parameters
    ----------
    kind, tree, problems
        As for :func:`resolve`.
    chain
        The files that led here, to find circles.
    key
        Path of the tree in a run, for messages.
    """
    extends = tree.entries.get(EXTENDS)
    if extends is None:
        return _filled(kind, tree)
    own = Branch({name: child for name, child in tree.entries.items() if name != EXTENDS}, tree.where, tree.mounted)
    chain = chain or (Path(tree.where.file).resolve(),)
    prefix = f"{key}." if key else ""
    if "name" in MODELS[kind].model_fields and "name" not in own.entries:
        message = f"is missing; what extends another {kind} needs a name of its own"
        problems.append(Problem(tree.where.file, tree.where.line, f"{prefix}name", "", message))
        own = Branch({"name": Leaf("unnamed", tree.where), **own.entries}, own.where, own.mounted)
    try:
        path = _target(extends, (kind,), prefix + EXTENDS).resolve()
        if path in chain:
            names = " -> ".join(entry.name for entry in (*chain, path))
            raise fault(extends.where, f"the files extend each other in a circle: {names}", prefix + EXTENDS)
        base = _read_kind(kind, path, extends, prefix + EXTENDS)
    except ConfigError as error:
        problems += error.problems
        return _filled(kind, merge(MODELS[kind], _stand_in(kind, extends), own))
    base = _extended(kind, base, problems, (*chain, path))
    base = Branch({name: child for name, child in base.entries.items() if name != _NOT_INHERITED}, base.where, base.mounted)
    return _filled(kind, merge(MODELS[kind], base, own))


def _filled(kind: str, tree: Branch) -> Branch:
    full = filled(MODELS[kind], tree)
    assert isinstance(full, Branch)
    return full


def _read_kind(kind: str, path: Path, reference: Node, key: str) -> Branch:
    """Read the file that a name or path stands for; it must hold a tree of the kind."""
    tree = _config_of_manifest(read_file(shown_path(path)))
    if not isinstance(tree, Branch) or (kind_of(tree) != kind and _is_surely(kind_of(tree), tree)):
        raise fault(reference.where, f"{value_text(reference)} is not a {kind}", key)
    return tree


def read_reference(node: Node, kinds: Sequence[str], key: str) -> Node:
    """Read the file that a name or path in a file stands for; of a manifest or a run directory its run."""
    shown = node.value if isinstance(node, Leaf) else None
    if isinstance(shown, str) and looks_like_path(shown) and node.where.line:
        folder = Path(node.where.file).parent / shown
        if os.path.isfile(folder / MANIFEST):
            return _config_of_manifest(read_file(folder / MANIFEST))
    return _config_of_manifest(read_file(shown_path(_target(node, kinds, key).resolve())))


def _stand_in(kind: str, reference: Node | None = None) -> Branch:
    """Return something valid for a reference that leads nowhere, so that the rest of a file can be checked.

    For a variant it is the shipped one that is most like the reference, since its kinds decide which keys there are.
    """
    if kind == "variant":
        name = nearest(reference.value, shipped("variants")) if isinstance(reference, Leaf) else None
        if name is not None:
            tree = read_file(locate(name, ("variant",)))
            assert isinstance(tree, Branch)
            return _extended("variant", tree, [])
        return _filled(kind, Branch({"name": Leaf("unknown", Where("unknown"))}, Where(DEFAULT_ORIGIN)))
    default = read_file(locate(Run.default_bots, ("bot",)))
    assert isinstance(default, Branch)
    return default if kind == "bot" else Branch({"variant": _stand_in("variant")}, Where(DEFAULT_ORIGIN))


def _target(reference: Node, kinds: Sequence[str], key: str) -> Path:
    """Return the file that a name or path in a file means; a path is relative to that file."""
    shown = value_text(reference)
    if not isinstance(reference, Leaf) or not isinstance(reference.value, str):
        raise fault(reference.where, f"{shown} is not a name or path of a {kinds[0]}", key, shown)
    if not looks_like_path(reference.value):
        try:
            return locate(reference.value, kinds)
        except InputError as error:
            raise fault(reference.where, str(error), key, shown) from None
    folder = Path(reference.where.file).parent if reference.where.line else Path()
    path = folder / reference.value
    if not os.path.isfile(path):  # Path.is_file raises on names that are too long
        raise fault(reference.where, f"{shown}: there is no such file ({path})", key, shown)
    return path


def _with_references(tree: Branch, problems: list[Problem]) -> Branch:
    """Return a run in which the names and paths of variant and bots are replaced by what they mean."""
    entries = dict(tree.entries)
    if "variant" in entries:
        entries["variant"] = _mounted("variant", entries["variant"], "variant", problems)
    bots = entries.get("bots", Leaf(Run.default_bots, Where(DEFAULT_ORIGIN)))
    if isinstance(bots, Row):
        resolved = [_mounted("bot", item, f"bots[{position}]", problems) for position, item in enumerate(bots.items)]
    else:
        resolved = [_mounted("bot", bots, "bots", problems)]
    one_for_all = all(bot is resolved[0] for bot in resolved)  # also when the number of players has changed since
    if one_for_all and resolved:
        resolved = resolved[:1] * _players(entries.get("variant"))
    entries["bots"] = Row(resolved, bots.where)
    return Branch(entries, tree.where, tree.mounted)


def _plugin_bot(kind: str, name: object) -> Branch | None:
    """Return the settings of a bot of a plugin that the command line has loaded."""
    settings = bot_settings(name) if kind == "bot" and isinstance(name, str) else None
    if settings is None:
        return None
    tree = from_python(settings, Where(f"plugin bot {name}"))
    assert isinstance(tree, Branch)
    return Branch(tree.entries, tree.where, True)


def _mounted(kind: str, node: Node, key: str, problems: list[Problem]) -> Node:
    """Return what a name or path in a run stands for; a map stands for itself."""
    if isinstance(node, Branch):
        return _extended(kind, node, problems, key=key)
    plugin_bot = _plugin_bot(kind, node.value) if isinstance(node, Leaf) else None
    if plugin_bot is not None:
        return plugin_bot
    try:
        tree = _read_kind(kind, _target(node, (kind,), key), node, key)
    except ConfigError as error:
        problems += error.problems
        return _stand_in(kind, node)
    return Branch(_extended(kind, tree, problems).entries, tree.where, True)


def _players(variant: Node | None) -> int:
    players = find(variant, ("players",))
    text = str(players.value) if isinstance(players, Leaf) else ""
    default: int = Variant.model_fields["players"].default
    return int(text) if text in {"2", "3", "4", "5", "6"} else default


def _apply(kind: str, tree: Branch, override: Override, problems: list[Problem]) -> Branch:
    if kind != "run":
        return _filled(kind, apply_override(MODELS[kind], tree, override))
    return apply_to_run(tree, override, problems)


def apply_to_run(tree: Branch, override: Override, problems: list[Problem]) -> Branch:
    """Apply an override to a resolved run; a path that is none of the run's own begins at its variant."""
    first = str(override.path[0])
    if first not in Run.model_fields and first in Variant.model_fields:
        override = Override(("variant", *override.path), override.value, override.text)
    return _with_references(apply_override(Run, tree, override), problems)


def check_file(path: str | Path) -> list[Problem]:
    """Return everything that is wrong with a file of any kind; an empty list for a valid one."""
    problems: list[Problem] = []
    try:
        tree = _config_of_manifest(read_file(Path(path), problems))
        kind = kind_of(tree)
        if kind == "sweep":
            from simcore.config.sweep import sweep_problems

            return [*problems, *sweep_problems(tree)]
        resolved = resolve(kind, tree, problems)
    except ConfigError as error:
        return [*problems, *error.problems]
    found = validate(MODELS[kind], resolved)[1]
    return sorted([*problems, *found], key=lambda problem: (problem.file, problem.line))
