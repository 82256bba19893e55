"""What MkDocs does beside rendering the documents: the order of the pages, pages that are generated, links out of `docs/`.

A new document needs no entry anywhere: its folder decides where it stands. Documents link to files of the repository as they
do on any page that shows the repository; in the site those files become pages that show their text.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent
ROOT = DOCS.parent
for folder in (HERE, ROOT):
    sys.path.insert(0, str(folder))

import generated

SECTIONS = {"howto": "How to", "studies": "Studies", "rules": "The games", "reference": "Reference"}
"""Folders of documents and their titles, in order; other folders follow under their own name."""
PROJECT = (
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "benchmarks/README.md",
    "benchmarks/solver.md",
    "README.md",
    "configs/README.md",
)
"""Documents outside `docs/` that are pages too."""
_FIRST = ("index.md", "tutorial.md")
_IN_REFERENCE = ("files.md",)
_LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")
_WHOLE_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#\s:]+)\)")
_LANGUAGES = {".py": "python", ".yaml": "yaml", ".yml": "yaml", ".json": "json", ".c": "c", ".toml": "toml"}
_PICTURES = (".svg", ".png")
_LONGEST = 200_000
"""Characters of a file that a page shows."""


def on_config(config: Any) -> Any:
    """Put the pages into an order: by folder, in each by title."""
    config.nav = _nav(list(generated.pages()))
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages, the documents outside `docs/`, and the files that documents link to."""

    def add(path: str, content: str | bytes) -> None:
        files.append(File.generated(config, path, content=content))

    for path, content in {**generated.pages(), **generated.schemas()}.items():
        add(path, content)
    for name in PROJECT:
        if (ROOT / name).exists():
            add(_place(name), _text_of(ROOT / name))
    for path in _linked_files():
        add(_place(path), (ROOT / path).read_bytes() if path.endswith(_PICTURES) else _shown(path))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to files of the repository to their pages in the site."""
    here = _origin(page.file.src_uri)
    return markdown if here is None else _outside_code(markdown, lambda text: _relinked(text, here, page.file.src_uri))


# --- order ------------------------------------------------------------------------------------------------------------


def _nav(made: list[str]) -> list[Any]:
    """The tree of pages."""
    pages = {path.relative_to(DOCS).as_posix(): _title(path) for path in sorted(DOCS.rglob("*.md")) if HERE not in path.parents}
    top = [path for path in pages if "/" not in path and path not in (*_FIRST, *_IN_REFERENCE)]
    nav: list[Any] = [{"Home": "index.md"}, {"Tutorial": "tutorial.md"}]
    folders = dict.fromkeys(path.split("/")[0] for path in pages if "/" in path)
    for folder in [*(name for name in SECTIONS if name in folders), *(name for name in folders if name not in SECTIONS)]:
        inside = sorted((path for path in pages if path.startswith(f"{folder}/")), key=_readme_first)
        nav.append({SECTIONS.get(folder, folder.capitalize()): inside})
    more = [path for path in _IN_REFERENCE if path in pages]
    nav.append({SECTIONS["reference"]: [*made, *more]})
    nav.append({"Explanation": top})
    nav.append({"Project": [_place(name) for name in PROJECT if (ROOT / name).exists()]})
    return nav


def _readme_first(path: str) -> tuple[bool, str]:
    return (not path.endswith("README.md"), path)


def _title(path: Path) -> str:
    found = re.search(r"^# (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else path.stem


# --- links ------------------------------------------------------------------------------------------------------------


def _place(path: str) -> str:
    """Where a file of the repository stands among the pages: documents under `project`, pictures too, others under `source`."""
    if path.startswith("docs/") and path.endswith(".md"):
        return path.removeprefix("docs/")
    if path in PROJECT:
        return f"project/{path.replace('/README', '-readme').replace('/', '-').lower()}"
    return f"project/{path.replace('/', '-')}" if path.endswith(_PICTURES) else f"source/{path}.md"


def _origin(src_uri: str) -> str | None:
    """The file of the repository behind a page; None: a generated page."""
    for name in PROJECT:
        if _place(name) == src_uri:
            return name
    return f"docs/{src_uri}" if (DOCS / src_uri).exists() else None


def _linked_files() -> list[str]:
    """Files of the repository, not pages themselves, that documents link to."""
    found: dict[str, None] = {}
    documents = [*(path for path in DOCS.rglob("*.md")), *(ROOT / name for name in PROJECT if (ROOT / name).exists())]
    for document in documents:
        here = document.relative_to(ROOT).as_posix()
        for link in _LINK.finditer(document.read_text(encoding="utf-8")):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(here), link[2]))
            is_page = target in PROJECT or (target.startswith("docs/") and target.endswith(".md"))
            if "://" not in link[2] and not is_page and (ROOT / target).is_file():
                found[target] = None
    return list(found)


def _relinked(text: str, here: str, src_uri: str) -> str:
    """Links to files of the repository lead to their pages; those to folders, which have none, become plain text."""

    def target(found: re.Match[str]) -> str:
        if "://" in found[2] or found[2].startswith("mailto:"):
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), found[2]))
        if not (ROOT / path).is_file():
            return found[0]  # MkDocs says so
        link = posixpath.relpath(_place(path), posixpath.dirname(src_uri) or ".")
        return f"{found[1]}{link}{found[3] or ''}{found[4]}"

    def unless_folder(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), found[2]))
        return found[1] if (ROOT / path).is_dir() else found[0]

    return _LINK.sub(target, _WHOLE_LINK.sub(unless_folder, text))


def _outside_code(markdown: str, change: Any) -> str:
    """Change a text, but not its blocks of code."""
    pieces = re.split(r"(^```.*?^```)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(piece if piece.startswith("```") else change(piece) for piece in pieces)


# --- files as pages ---------------------------------------------------------------------------------------------------


def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _shown(path: str) -> str:
    """A page with the text of a file; of a notebook its cells."""
    text = _text_of(ROOT / path)
    if path.endswith(".ipynb"):
        return _notebook(json.loads(text))
    fence = "~~~~"
    return f"# {path}\n\n{fence}{_LANGUAGES.get(Path(path).suffix, 'text')}\n{text[:_LONGEST].rstrip()}\n{fence}\n"


def _notebook(notebook: dict[str, Any]) -> str:
    """Texts, code, and what it printed as text."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            printed = "".join(output.get("text", output.get("data", {}).get("text/plain", [])))
            if printed and not printed.startswith("alt."):
                parts.append(f"```text\n{printed.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"
