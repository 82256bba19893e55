"""House rules, checked on the source itself: where Numba may be, what a kernel looks like, sizes, docstrings, imports."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest
import reference
from helpers import EXPERT, RANDOM, Json, deals_of, setup_of

import simcore
from simcore import _jit, codes
from simcore.batch import Setup, play_chunk

ROOT = Path(__file__).parent.parent
SOURCES = sorted([*(ROOT / "simcore").rglob("*.py"), *(ROOT / "analysis").rglob("*.py")])
KERNEL_MODULES = sorted(
    [
        *(ROOT / "simcore" / f"{name}.py" for name in ("cards", "rng", "course", "course_shedding")),
        *(ROOT / "simcore" / "phases").rglob("*.py"),
        *(ROOT / "simcore" / "bots").rglob("*.py"),
        *(ROOT / "simcore" / "solver").rglob("*.py"),
        *(ROOT / "simcore" / "sampling").rglob("*.py"),
    ]
)
MAX_MODULE = 400
LONGER_MODULES = {"codes.py": 520}  # the one registry of codes
MAX_BODY = 60
LONGER: dict[str, tuple[int, str]] = {
    "two_hands.py play_tricks": (120, "two views of some twenty named fields, a field a line"),
}
"""Functions that may be longer, up to a number of lines, with the reason."""
PLAIN_PYTHON = {
    "cards.py": {"_card_tables", "_border_cards"},  # tables made at import
    "rng.py": {"_group_tables"},
    "contract_table.py": None,  # all of it: the kernels read the table of points it makes
}
"""Functions without a decorator in modules of kernels, beside those whose docstring (or module's) says `Plain Python`."""
DECORATORS = {"kernel", "inlined", "entry"}


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node  # type: ignore[misc]


def is_kernel(function: ast.FunctionDef) -> bool:
    return any(isinstance(decorator, ast.Name) and decorator.id in DECORATORS for decorator in function.decorator_list)


def by_file(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=name_of)


def test_sources_were_found() -> None:
    """No list of files below may become empty unnoticed."""
    assert len(SOURCES) > 60
    assert len(KERNEL_MODULES) > 20


# --- Numba -----------------------------------------------------------------------------------------------------------


@by_file(SOURCES)
def test_numba_is_imported_in_one_place(path: Path) -> None:
    if name_of(path) in ("simcore/_jit.py", "simcore/bits.py", "simcore/cli/doctor.py"):  # doctor reports versions
        return
    for node in ast.walk(tree_of(path)):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not [module for module in modules if module.split(".")[0] in ("numba", "llvmlite")]


@by_file(KERNEL_MODULES)
def test_functions_of_kernel_modules_are_kernels(path: Path) -> None:
    tree = tree_of(path)
    exempt = PLAIN_PYTHON.get(path.name, set())
    if exempt is None or "Plain Python" in (ast.get_docstring(tree) or ""):
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name not in exempt:
            assert is_kernel(node) or "Plain Python" in (ast.get_docstring(node) or ""), node.name


def test_every_kernel_is_registered() -> None:
    """The registry holds exactly the functions that carry a decorator of `_jit`."""
    import simcore.call_tables  # noqa: F401
    import simcore.choice_deals  # noqa: F401
    import simcore.sampling.attempts  # noqa: F401
    import simcore.sampling.plays  # noqa: F401
    import simcore.sampling.sampled_play  # noqa: F401
    import simcore.solver.losses  # noqa: F401
    import simcore.solver.memory  # noqa: F401
    import simcore.solver.position  # noqa: F401
    import simcore.solver.position_points  # noqa: F401
    import simcore.solver.values  # noqa: F401
    import simcore.step_tables  # noqa: F401
    import simcore.summary  # noqa: F401
    import simcore.transcript
    import simcore.transcript_shedding  # noqa: F401  (these import all modules of kernels)
    import simcore.trick_tables  # noqa: F401

    decorated = {
        (".".join(path.relative_to(ROOT).with_suffix("").parts), function.name)
        for path in SOURCES
        for function in functions(tree_of(path))
        if is_kernel(function)
    }
    registered = {(kernel.__module__, kernel.__name__) for kernel in _jit.KERNELS}
    assert registered == decorated
    assert len(_jit.KERNELS) == len(decorated)
    if not _jit.JIT_DISABLED:
        assert all(hasattr(kernel, "py_func") for kernel in _jit.KERNELS)


@by_file(KERNEL_MODULES)
def test_kernels_say_what_they_do(path: Path) -> None:
    """Private ones too: the name alone never says what the bits of an argument mean."""
    for function in functions(tree_of(path)):
        if is_kernel(function):
            assert ast.get_docstring(function), function.name


@by_file(KERNEL_MODULES)
def test_kernels_make_nothing_that_a_loop_would_pay_for(path: Path) -> None:
    """No arrays, no random state, no parallel loops, no exceptions but the one at the end of a switch."""
    forbidden = {"prange", "zeros", "empty", "ones", "append", "seed", "default_rng"}
    for function in functions(tree_of(path)):
        if not is_kernel(function):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                assert called not in forbidden, (function.name, called)
            if isinstance(node, ast.Raise):
                text = ast.unparse(node)
                assert "unknown" in text or "a compiled bot" in text, function.name
            assert not isinstance(node, ast.Try | ast.List | ast.ListComp | ast.Dict), function.name


# --- sizes and words -------------------------------------------------------------------------------------------------


@by_file(SOURCES)
def test_modules_are_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGER_MODULES.get(path.name, MAX_MODULE)


@by_file(SOURCES)
def test_functions_are_small(path: Path) -> None:
    """Lines of a body without its docstring, blank lines and comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for function in functions(tree_of(path)):
        body = function.body[1:] if ast.get_docstring(function) else function.body
        if not body:
            continue
        code = [line for line in lines[body[0].lineno - 1 : function.end_lineno] if line.strip()]
        length = sum(not line.strip().startswith("#") for line in code)
        allowed, _ = LONGER.get(f"{path.name} {function.name}", (MAX_BODY, ""))
        assert length <= allowed, (function.name, length)


@by_file(SOURCES)
def test_words_that_stay_outside(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for word in ("# TODO", "# FIXME", "# XXX"):
        assert word not in text
    if "cli" in path.parts:
        return
    for node in ast.walk(tree_of(path)):
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        assert called not in ("print", "exec", "eval", "input")


@by_file(SOURCES)
def test_codes_are_defined_in_one_place(path: Path) -> None:
    if path.name == "codes.py":
        return
    bases = [ast.unparse(base) for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef) for base in node.bases]
    assert not [base for base in bases if base.split(".")[-1] in ("IntEnum", "Enum", "IntFlag", "Flag")]


def public_definitions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Public functions and classes of a module, and public methods of public classes."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node)


@by_file(SOURCES)
def test_everything_public_has_a_docstring(path: Path) -> None:
    tree = tree_of(path)
    assert ast.get_docstring(tree)
    for node in public_definitions(tree):
        assert ast.get_docstring(node), node.name


def documented_parameters(docstring: str) -> list[str]:
    """The names under `Parameters` in a docstring in numpy's style."""
    lines = docstring.splitlines()
    names: list[str] = []
    for line in lines[lines.index("Parameters") + 2 :]:
        if line.startswith("---"):
            return names[:-1]  # the last name was the title of the next section
        if line and not line.startswith(" "):
            names += [name.strip().lstrip("*") for name in line.split(" : ")[0].split(",")]
    return names


@by_file(SOURCES)
def test_docstrings_name_parameters_that_exist(path: Path) -> None:
    for function in functions(tree_of(path)):
        docstring = ast.get_docstring(function) or ""
        if "\nParameters\n---" in docstring:
            arguments = function.args
            there = [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]
            there += [a.arg for a in (arguments.vararg, arguments.kwarg) if a]
            assert documented_parameters(docstring) == [name for name in there if name not in ("self", "cls")], function.name


# --- imports ---------------------------------------------------------------------------------------------------------


def test_import_contracts() -> None:
    """Kernels reach no heavy library; imports go one way; the reference shares nothing with the project."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@by_file(sorted((ROOT / "tests" / "reference").glob("*.py")))
def test_the_reference_imports_nothing_of_ours(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 1 or node.module == "__future__", ast.unparse(node)
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= set(sys.stdlib_module_names)


def test_the_package_is_the_one_in_this_tree() -> None:
    assert Path(simcore.__file__).parent == ROOT / "simcore"


# --- policies --------------------------------------------------------------------------------------------------------

STAGES = {"exchange": codes.ExchangePolicy, "bidding": codes.BiddingPolicy, "play": codes.PlayPolicy}
# compiled bots: tests/test_plugins.py
POLICIES = [(stage, policy) for stage, enum in STAGES.items() for policy in enum if policy.name != "COMPILED"]


@pytest.mark.parametrize(("stage", "policy"), POLICIES, ids=lambda value: getattr(value, "name", value))
def test_every_policy_is_reached(stage: str, policy: IntEnum) -> None:
    """The switch of the stage names it, a bot can have it, and it plays by the rules."""
    switch = (ROOT / "simcore" / "bots" / stage / "switch.py").read_text(encoding="utf-8")
    assert f"{type(policy).__name__}.{policy.name}" in switch
    base = EXPERT if policy is codes.ExchangePolicy.EXPECTED else RANDOM  # kernels that other tests use as well
    bot: Json = {**base, "name": "probe", stage: {"policy": policy.name.lower()}}
    setup = setup_of({}, (bot,))
    assert list(getattr(setup.bot_table, stage)) == [int(policy)] * 2
    for line in deals_of(setup, 0, 15):
        assert reference.check_transcript(line) == []


@pytest.mark.parametrize("stage", STAGES)
def test_unknown_policies_are_refused_loudly(stage: str) -> None:
    """Every switch ends in a raise; the kernel does not play on."""
    setup = setup_of()
    bots = setup.bot_table._replace(**{stage: np.full(2, 98, np.int64)}, only_random=None)
    wrong = Setup(setup.variant, setup.bots, setup.seed, setup.unit, setup.rules, bots)
    with pytest.raises(ValueError, match=f"unknown {stage} policy"):
        play_chunk(wrong, 0, 1)
