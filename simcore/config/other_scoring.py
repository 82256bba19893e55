"""The rules of a run with another scoring table, given as a file or as single values; everything else stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simcore.config.faults import Where, raise_problems
from simcore.config.fields import nearest
from simcore.config.load import load_variant
from simcore.config.merge import apply_override, merge, parse_override
from simcore.config.problems import validate
from simcore.config.reader import read_file
from simcore.config.sections import EXTENDS, section
from simcore.config.tree import Branch, Node, from_python
from simcore.config.variant import Variant
from simcore.errors import InputError

SCORING = "scoring"


def load_other_scoring(
    rules: Mapping[str, Any], source: str | Path | None, overrides: Sequence[str] = (), *, label: str = "run"
) -> Variant:
    """The rules of a run with another scoring table.

    Parameters
    ----------
    rules : mapping
        The resolved variant of the run.
    source : str, Path or None
        A file that holds the section ``scoring`` or keys of it, which states only what differs, or a variant (file or
        shipped name), whose scoring is taken as a whole.
    overrides : sequence of str
        ``scoring.path=value`` texts, applied after the file.
    label : str
        How messages name the rules of the run.

    Returns
    -------
    Variant
        Complete and checked.

    Raises
    ------
    InputError
        Nothing is given, something is wrong with it, or a path does not begin with ``scoring``.
    """
    if source is None and not overrides:
        raise InputError("no other scoring table is given; write --scoring FILE, or --set scoring.doubled_made=0 and the like")
    tree = from_python(rules, Where(label))
    assert isinstance(tree, Branch)
    if source is not None:
        tree = _with_file(tree, source)
    for text in overrides:
        override = parse_override(text)
        if override.path[0] != SCORING:
            raise InputError(
                f"--set {text}: only the scoring can be another one here, the deals stay as they were played; "
                f"write a path that begins with {SCORING}., or run anew with `simcore run`"
            )
        tree = apply_override(Variant, tree, override)
    model, problems = validate(Variant, tree)
    raise_problems(problems)
    assert isinstance(model, Variant)
    return model


def _with_file(tree: Branch, source: str | Path) -> Branch:
    """The rules with the scoring of a file."""
    path = Path(source)
    is_name = isinstance(source, str) and not path.suffix and not path.is_file()
    found: Node | None = None if is_name else read_file(path)
    if is_name or (isinstance(found, Branch) and _is_variant(found)):
        scoring = load_variant(source).model_dump()[SCORING]
        return Branch({**tree.entries, SCORING: from_python(scoring, Where(str(source)))}, tree.where)
    if not isinstance(found, Branch):
        raise InputError(f"{source}: this is no map of keys; a section scoring, keys of it, or a variant is expected")
    if SCORING not in found.entries:
        found = Branch({SCORING: found}, found.where)
    _refuse_other_keys(found)
    return merge(Variant, tree, found)


def _is_variant(tree: Branch) -> bool:
    return any(key in tree.entries for key in (EXTENDS, "name"))


def _refuse_other_keys(tree: Branch) -> None:
    known = section(Variant, SCORING)
    assert known is not None
    keys = {key for model in known.models.values() for key in model.model_fields}
    for key in tree.entries:
        if key != SCORING:
            near = nearest(key, keys)
            hint = f"; did you mean {near!r}?" if near else ""
            raise InputError(f"{tree.where.file}: {key}: only {SCORING} is allowed beside a section {SCORING}{hint}")
