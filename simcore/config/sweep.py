"""Reading a sweep: the points of its grid, each a complete and checked run, with messages that name the line of the value."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from simcore.config.faults import ConfigError, Problem, fault, raise_problems
from simcore.config.fields import nearest
from simcore.config.load import apply_to_run, read_reference, resolve
from simcore.config.merge import Override, parse_override, parse_path
from simcore.config.problems import validate
from simcore.config.reader import read_file
from simcore.config.run_model import Run
from simcore.config.shipped_files import locate, looks_like_path
from simcore.config.sweep_model import Sweep
from simcore.config.tree import Branch, Leaf, Node, Path_, Plain, Row, value_text

MOST_POINTS = 1000
_RANGE = ("from", "to", "step")
_LONGEST = 60
_UNSAFE = re.compile(r"[^A-Za-z0-9_.+=,-]+")
SEED = "seed"
PAIR = 2


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One point of a sweep.

    Attributes
    ----------
    index : int
        Number of the point, from 0.
    name : str
        Its values, as ``doubled_made=400, bots=heuristic``.
    settings : dict
        Path to value, as text.
    run : Run
        Complete and checked.
    """

    index: int
    name: str
    settings: dict[str, str]
    run: Run

    @property
    def directory(self) -> str:
        """Name of the point's run directory."""
        return f"{self.index:03d}-{_UNSAFE.sub('-', self.name.replace(', ', ','))[:_LONGEST].strip('-')}"


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """A sweep whose points are known."""

    source: str
    common_deals: bool
    reference: int
    measure: str
    points: tuple[SweepPoint, ...]


@dataclass(frozen=True, slots=True)
class _Value:
    """A value of one path."""

    path: Path_
    text: str
    node: Node


Axis = list[tuple[_Value, ...]]
"""What one step along an axis sets."""


def load_sweep(source: str | Path, overrides: Sequence[str] = ()) -> SweepPlan:
    """Load a sweep.

    Parameters
    ----------
    source : str or Path
        A shipped name or a path.
    overrides : sequence of str
        ``path=value`` texts that change the base run.

    Returns
    -------
    SweepPlan
        Its points, each a complete run.

    Raises
    ------
    InputError
        Up to three problems, a line each.
    """
    name = isinstance(source, str) and not looks_like_path(source)
    path = locate(str(source), ("sweep",)) if name else Path(source)
    problems: list[Problem] = []
    plan = _plan(read_file(path), str(path), overrides, problems)
    raise_problems(problems)
    assert plan is not None
    return plan


def sweep_problems(tree: Node) -> list[Problem]:
    """Everything that is wrong with a sweep and the runs of its points."""
    problems: list[Problem] = []
    try:
        _plan(tree, tree.where.file, (), problems)
    except ConfigError as error:
        problems += error.problems
    return sorted(dict.fromkeys(problems), key=lambda problem: problem.line)


def _plan(tree: Node, source: str, overrides: Sequence[str], problems: list[Problem]) -> SweepPlan | None:
    resolve("sweep", tree, problems)  # refuses what is surely another kind of file
    sweep, found = validate(Sweep, tree)
    if found or not isinstance(tree, Branch):
        problems += found
        return None
    axes = list(_axes(tree, problems))
    n_points = 1
    for axis in axes:
        n_points *= len(axis)
    if not axes:
        problems.append(_problem(tree, "", "a grid, or a zip, with at least one path and its values is expected"))
    elif n_points > MOST_POINTS:
        problems.append(_problem(tree, "grid", f"these are {n_points} points; allowed: at most {MOST_POINTS}"))
    _check_seed(sweep, axes, problems)
    try:
        base = _base(tree, overrides, problems)
    except ConfigError as error:
        problems += error.problems
    if problems:
        return None
    points = _points(base, axes, sweep, problems)
    if problems:
        return None
    reference = _reference(tree, sweep.reference, points, problems)
    _check_measure(tree, sweep.measure, points[0].run, problems)
    return SweepPlan(source, sweep.common_deals, reference, sweep.measure, tuple(points))


def _problem(tree: Node, path: str, message: str) -> Problem:
    return Problem(tree.where.file, tree.where.line, path, "", message)


def _base(tree: Branch, overrides: Sequence[str], problems: list[Problem]) -> Branch:
    """The run that is varied, resolved."""
    node = tree.entries["base"]
    base = node if isinstance(node, Branch) else read_reference(node, ("run", "variant"), "base")
    if isinstance(base, Branch):
        base = Branch(base.entries, base.where)
    resolved = resolve("run", base, problems)
    for text in overrides:
        resolved = apply_to_run(resolved, parse_override(text), problems)
    return resolved


def _axes(tree: Branch, problems: list[Problem]) -> Iterator[Axis]:
    """The axes: one a path of the grid, and one of all paths of the zip."""
    for path, values in _values(tree, "grid", problems):
        yield [(_Value(path[0], path[1], node),) for node in values]
    zipped = list(_values(tree, "zip", problems))
    lengths = {path[1]: len(values) for path, values in zipped}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{path} {length}" for path, length in lengths.items())
        message = f"the lists move together, so all have the same length; here: {found}"
        problems.append(_problem(tree.entries["zip"], "zip", message))
    elif zipped:
        yield [
            tuple(_Value(path[0], path[1], values[step]) for path, values in zipped) for step in range(len(zipped[0][1]))
        ]


def _values(tree: Branch, key: str, problems: list[Problem]) -> Iterator[tuple[tuple[Path_, str], list[Node]]]:
    """Paths and values of a section."""
    section = tree.entries.get(key)
    for text, node in section.entries.items() if isinstance(section, Branch) else ():
        path = parse_path(text)
        if path is None:
            message = f"{text!r} is not a path; write keys joined by '.', for example scoring.award.NT[3]"
            problems.append(_problem(node, key, message))
            continue
        try:
            values = _range(node, f"{key}.{text}") if isinstance(node, Branch) else _items(node)
        except ConfigError as error:
            problems += error.problems
            continue
        if not values:
            message = f"{value_text(node)} is not a list of values; write [a, b], or {{from: 0, to: 400, step: 100}}"
            problems.append(_problem(node, f"{key}.{text}", message))
            continue
        yield (path, text), values


def _items(node: Node) -> list[Node]:
    return node.items if isinstance(node, Row) else []


def _range(node: Branch, key: str) -> list[Node]:
    """The numbers of ``{from: a, to: b, step: c}``, its end included where the steps meet it."""
    where = node.where
    for name in node.entries:
        if name not in _RANGE:
            near = nearest(name, _RANGE)
            hint = f"; did you mean '{near}'?" if near else ""
            raise fault(where, f"{name} is not allowed in a range; allowed: from, to, step{hint}", key)
    numbers = []
    for name in _RANGE:
        child = node.entries.get(name, Leaf(Plain("1"), where) if name == "step" else None)
        try:
            numbers.append(Decimal(str(child.value).replace("_", "")) if isinstance(child, Leaf) else Decimal("x"))
        except InvalidOperation:
            found = "is missing" if child is None else f"{value_text(child)} is not a number"
            raise fault(where, f"{name}: {found}; write {{from: 0, to: 400, step: 100}}", key) from None
    first, last, step = numbers
    if not (step > 0 and first <= last and all(number.is_finite() for number in numbers)):
        raise fault(where, f"from {first} to {last} by {step} has no end; allowed: from at most to, step above 0", key)
    count = int((last - first) / step) + 1
    if count > MOST_POINTS:
        raise fault(where, f"from {first} to {last} by {step} is {count} values; allowed: at most {MOST_POINTS}", key)
    return [Leaf(Plain(format(first + step * place, "f")), where) for place in range(count)]


def _check_seed(sweep: Sweep, axes: list[Axis], problems: list[Problem]) -> None:
    for axis in axes:
        for value in axis[0]:
            if value.path == (SEED,) and sweep.common_deals:
                message = "points with the same deals have the same seed; leave it out, or write common_deals: false"
                problems.append(_problem(value.node, SEED, message))


def _points(base: Branch, axes: list[Axis], sweep: Sweep, problems: list[Problem]) -> list[SweepPoint]:
    short = _short_names([value.text for axis in axes for value in axis[0]])
    points: list[SweepPoint] = []
    for index, steps in enumerate(itertools.product(*axes)):
        values = [value for step in steps for value in step]
        tree, found = base, list[Problem]()
        for value in values:
            try:
                tree = apply_to_run(tree, Override(value.path, value.node, value.text), found)
            except ConfigError as error:
                found += error.problems
        run, wrong = validate(Run, tree) if not found else (None, [])
        for problem in (*found, *wrong):
            if problem not in problems:
                problems.append(problem)
        if run is None:
            continue
        if not sweep.common_deals and not any(value.path == (SEED,) for value in values):
            run = run.model_copy(update={SEED: derived_seed(run.seed, index)})
        settings = {value.text: _text(value.node) for value in values}
        name = ", ".join(f"{short[path]}={text}" for path, text in settings.items())
        points.append(SweepPoint(index, name, settings, run))
    return _with_unique_names(points)


def _with_unique_names(points: list[SweepPoint]) -> list[SweepPoint]:
    times = Counter(point.name for point in points)
    return [replace(point, name=f"{point.name} ({point.index})") if times[point.name] > 1 else point for point in points]


def derived_seed(seed: int, index: int) -> int:
    """The seed of a point whose deals are its own."""
    return int.from_bytes(hashlib.sha256(f"{seed} {index}".encode("ascii")).digest()[:8], "little")


def _short_names(paths: Sequence[str]) -> dict[str, str]:
    """The last key of each path, or all of it where another path ends alike."""
    last = {path: path.rpartition(".")[2] for path in paths}
    times = Counter(last.values())
    return {path: name if times[name] == 1 else path for path, name in last.items()}


def _text(node: Node) -> str:
    """A value in a name."""
    if isinstance(node, Row):
        return "+".join(_text(child) for child in node.items) or "[]"
    if isinstance(node, Branch):
        return _text(node.entries["name"]) if "name" in node.entries else ",".join(
            f"{key}:{_text(child)}" for key, child in node.entries.items()
        )
    return "null" if node.value is None else str(node.value).lower() if isinstance(node.value, bool) else str(node.value)


def _reference(tree: Branch, wanted: int | str | None, points: Sequence[SweepPoint], problems: list[Problem]) -> int:
    """Number of the point that others are compared with."""
    if wanted is None:
        return 0
    names = [point.name for point in points]
    if isinstance(wanted, int) and 0 <= wanted < len(points):
        return wanted
    if wanted in names:
        return names.index(str(wanted))
    close = nearest(wanted, names)
    hint = f"; did you mean '{close}'?" if close else f", or a name as '{names[0]}'"
    node = tree.entries["reference"]
    problems.append(_problem(node, "reference", f"{value_text(node)} is no point; allowed: 0 to {len(points) - 1}{hint}"))
    return 0


def measures_of(run: Run) -> list[str]:
    """What points of a sweep can be compared by."""
    kind, seats = run.variant.auction.kind, range(run.variant.players)
    found = ["make_rate", *{"bridge": ("passed_out", "contested"), "steps": ("passed_out",)}.get(kind, ()), "points_dealer"]
    if kind != "calls":
        found.append("points_declarer")
    if len(seats) == PAIR:
        found += ["points_non_dealer", "points_opponent"] if kind != "calls" else ["points_non_dealer"]
    found += [f"points_seat_{seat}" for seat in seats]
    return found + [f"wins_seat_{seat}" for seat in seats] if run.unit == "match" else found


def _check_measure(tree: Branch, measure: str, run: Run, problems: list[Problem]) -> None:
    allowed = measures_of(run)
    if measure not in allowed:
        close = nearest(measure, allowed)
        hint = f"; did you mean '{close}'?" if close else ""
        where: Any = tree.entries["measure"]
        problems.append(_problem(where, "measure", f"'{measure}' is not allowed; allowed: {', '.join(allowed)}{hint}"))

