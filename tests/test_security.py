"""What comes from a file is data: nothing of it is run, no path in it leads out, no text of it is obeyed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from test_house import ROOT, SOURCES, by_file, name_of, tree_of

from simcore.api import resolve_run
from simcore.config import load_bot, load_run, load_tuning, load_variant
from simcore.config.sweep import load_sweep
from simcore.errors import InputError, printable
from simcore.runs.plan import default_out

NO_MODULES = {"shelve", "marshal", "dill", "cloudpickle", "joblib", "subprocess", "pty", "code", "codeop", "xml"}
PICKLE = {"simcore/_jit.py"}
"""Numba's cache of compiled code, in a folder of the user's own, read only behind a checksum (`tests/test_field_notes.py`)."""
IMPORTERS = {
    "simcore/plugins.py", "simcore/solver/__init__.py", "analysis/__init__.py", "analysis/verify/__init__.py",
    "analysis/verify/replays.py",
}  # fmt: skip
"""Plugins are named on the command line; the others import modules of their own, from a fixed list."""
NO_CALLS = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}
NO_METHODS = {"read_pickle", "to_pickle", "fromfile", "system", "popen", "eval", "query", "from_string"}
OF_YAML = {"parse", "safe_dump", "dump", "SafeLoader", "SafeDumper", "MarkedYAMLError", "reader"}
"""What is taken from the YAML library, beside the parser's events."""
HOSTILE_YAML = (
    "!!python/object/apply:os.mkdir [hit]",
    "!!python/object/new:os.mkdir [hit]",
    "!!python/name:os.system ",
    "!<tag:yaml.org,2002:python/object/apply:os.mkdir> [hit]",
    "{policy: plugin, plugin: evil.py}",
    "{policy: !!python/module:os }",
)


def attributes(tree: ast.AST, module: str) -> set[str]:
    """Names that are taken from a module by ``module.name``, chains too."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module:
            found.add(node.attr)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).startswith(f"{module}."):
            found.add(ast.unparse(node.value).split(".")[1])
    return found


@by_file(SOURCES)
def test_nothing_runs_what_it_reads(path: Path) -> None:
    tree = tree_of(path)
    for node in ast.walk(tree):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        roots = {module.split(".")[0] for module in modules}
        assert not roots & NO_MODULES, modules
        assert "pickle" not in roots or name_of(path) in PICKLE
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            plain = isinstance(node.func, ast.Name)
            assert not (plain and called in NO_CALLS), ast.unparse(node)
            assert plain or called not in NO_METHODS, ast.unparse(node)
            assert called != "import_module" or name_of(path) in IMPORTERS
            assert not {"allow_pickle", "shell"} & {keyword.arg for keyword in node.keywords}, ast.unparse(node)
    of_yaml = {name for name in attributes(tree, "yaml") if not name.endswith("Event")}
    assert of_yaml <= OF_YAML
    assert "load" not in attributes(tree, "np") | attributes(tree, "yaml")


def test_templates_escape_everything() -> None:
    templates = [*(ROOT / "analysis" / "report" / "templates").rglob("*.j2")]
    assert templates
    for path in templates:
        assert "safe" not in path.read_text(encoding="utf-8").replace("unsafe", "")


@pytest.mark.parametrize("text", HOSTILE_YAML)
def test_yaml_names_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("import os; os.mkdir('hit')\nBOTS = []\n", encoding="utf-8")
    for load, lines in (
        (load_variant, f"extends: bridgette\nname: mine\nauction: {text}\n"),
        (load_bot, f"extends: novice\nname: mine\nbidding: {text}\n"),
        (load_run, f"variant: bridgette\nbots: [random, {text}]\n"),
        (load_run, f"variant: {text}\n"),
        (load_run, "variant: bridgette\nplugins: [evil.py]\n"),
        (load_sweep, f"base: bridgette\ngrid: {{bots: [{text}]}}\n"),
        (load_tuning, f"variant: bridgette\nbot: {text}\n"),
    ):
        (tmp_path / "f.yaml").write_text(lines, encoding="utf-8")
        with pytest.raises(InputError):
            load("f.yaml")  # type: ignore[operator]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evil.py", "f.yaml"]


@pytest.mark.parametrize("name", ["../out", "/tmp/out", "a/b", "..", ".", "a\\b", "a\x00b", "-rf", "~"])
def test_names_lead_nowhere(tmp_path: Path, name: str) -> None:
    """Names of variants and bots become parts of paths; what is not a plain name is refused."""
    for overrides in ([f"variant={{extends: bridgette, name: {name!r}}}"], [f"bots={{extends: random, name: {name!r}}}"]):
        with pytest.raises(InputError):
            load_run("bridgette", overrides)


def test_directories_of_sweeps_stay_in_them(tmp_path: Path) -> None:
    text = "base: bridgette\ngrid: {description: ['../../x', '/etc', '..', \"a\\0b\", '']}\n"
    (tmp_path / "s.yaml").write_text(text, encoding="utf-8")
    try:
        plan = load_sweep(tmp_path / "s.yaml")
    except InputError:
        return
    for point in plan.points:
        assert (tmp_path / point.directory).resolve().parent == tmp_path
    assert len({point.directory for point in plan.points}) == len(plan.points)


def test_a_run_goes_where_its_names_say() -> None:
    assert default_out(resolve_run("bridgette", bots="random")).parts[0] == "runs"
    assert len(default_out(resolve_run("bridgette", bots="random")).parts) == 2


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mred", r"a\x1b[31mred"),
        ("\x9b2J", r"\x9b2J"),
        ("two\nlines", "two\nlines"),
        ("\u202eright to left", r"\u202eright to left"),
        ("\udc80", r"\udc80"),
        ("Łódź ♠ 中文", "Łódź ♠ 中文"),
    ],
)
def test_a_terminal_obeys_no_message(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert str(InputError(text)) == shown
    assert str(InputError(str(InputError(text)))) == shown


def test_lines_of_messages_end() -> None:
    assert len(str(InputError("x" * 10**6))) < 2000
