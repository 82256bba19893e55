"""The notebooks run as they stand, and hold the outputs of a run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "docs" / "notebooks").glob("*.ipynb"))


def outputs(notebook: Any) -> list[list[str]]:
    """Kinds of the outputs of each cell of code."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [sorted(kind for output in cell.outputs for kind in output.get("data", {"error": ""})) for cell in cells]


def test_notebooks_are_there() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["make_rates", "scoring"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell runs, and shows what the stored notebook shows: tables and pictures."""
    nbformat = pytest.importorskip("nbformat")
    from nbclient import NotebookClient

    root = str(path.parent.parent.parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")])))
    stored = nbformat.read(path, 4)
    fresh = nbformat.read(path, 4)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(fresh, timeout=300, kernel_name="python3").execute()
    assert outputs(fresh) == outputs(stored)
    kinds = {kind for cell in outputs(stored) for kind in cell}
    assert {"text/html", "image/svg+xml"} <= kinds
    assert "error" not in kinds
