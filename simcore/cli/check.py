"""``simcore check``: everything that is wrong with configuration files and run directories."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.cli.options import JsonOption, print_json
from simcore.errors import printable

EXAMPLES = """Examples:
  simcore check my_variant.yaml runs/bridgette-heuristic-seed1
"""


def command(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="YAML files or run directories.", show_default=False)],
    as_json: JsonOption = False,
) -> int:
    """Check YAML files and run directories; every fault is listed.

    Exit code 2 where a file is wrong, 1 where a run directory is damaged.
    """
    from simcore.config import check_file
    from simcore.places import Url, place
    from simcore.runs.verify import check_run

    found: dict[str, list[str]] = {}
    code = 0
    for name in files:
        path = place(name)
        if isinstance(path, Url) or path.is_dir():
            found[name] = [f"{name}: {fault}" for fault in check_run(path)]
            code = max(code, 1 if found[name] else 0)
        else:
            found[name] = [str(problem) for problem in check_file(path)]
            code = max(code, 2 if found[name] else 0)
    if as_json:
        print_json({"files": [{"file": name, "ok": not faults, "problems": faults} for name, faults in found.items()]})
        return code
    for name, faults in found.items():
        if not faults:
            typer.echo(f"{name}: ok")
        for fault in faults:
            typer.echo(printable(fault), err=True)
    return code
