"""``simcore tune``: searches a scoring table, and judges what was found on fresh deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from simcore.cli.options import (
    MOST_HELD,
    MOST_WORKERS,
    JsonOption,
    PluginOption,
    SeedOption,
    SetOption,
    WorkersOption,
    count,
    print_json,
)
from simcore.errors import InputError

EXAMPLES = """Examples:
  simcore tune bridgette --dry-run
  simcore tune bridgette --out tunings/first
  simcore tune my_tuning.yaml --seed 7 --deals 50_000 --out tunings/second
  simcore tune bridgette --out tunings/first --resume --set played.bots=[expected,heuristic]
  simcore tune my_tuning.yaml --plugin my_objective.py
"""
EVALUATIONS = "evaluations.jsonl"
_LEAST = 1000


def command(
    tuning: Annotated[str, typer.Argument(metavar="TUNING", help="A tuning: shipped name or YAML file.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the results go; without it: tunings/<variant>-seed<seed>.", show_default=False),
    ] = None,
    seed: SeedOption = None,
    deals: Annotated[
        str | None, typer.Option(metavar="N", help="Deals of each search, in place of the file's.", show_default=False)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted tuning in DIR.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done; do nothing.")] = False,
    plugin: PluginOption = None,
    set_: SetOption = None,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search a scoring table by simulated auctions, and judge it on fresh deals."""
    from simcore.api import MAX_SEED, load_plugins
    from simcore.config import load_tuning
    from simcore.plugins import OBJECTIVES
    from simcore.runs.progress import announce_compile, note

    OBJECTIVES.clear()  # those of an earlier command in the same process
    load_plugins(plugin or ())
    own = list(OBJECTIVES.values())[-1] if OBJECTIVES else None
    number = count("--seed", seed, 0, MAX_SEED)
    n_deals = count("--deals", deals, _LEAST, MOST_HELD)
    threads = count("--workers", workers, 1, MOST_WORKERS)
    changes = [*(set_ or ()), *([f"seed={number}"] if number is not None else [])]
    wanted = load_tuning(tuning, [*changes, *([f"deals.search={n_deals}"] if n_deals is not None else [])])
    from analysis.tuning.output import print_plan, print_result, write_result
    from analysis.tuning.tune import check_tuning, most_evaluations, tune

    check_tuning(wanted, own)
    folder = out or Path("tunings") / f"{wanted.variant.name}-seed{wanted.seed}"
    if dry_run:
        if as_json:
            print_json({"out": str(folder), "evaluations": most_evaluations(wanted), "tuning": wanted.model_dump(mode="json")})
        else:
            print_plan(wanted)
        return
    store = _prepared(folder, wanted, resume)
    announce_compile()
    try:
        result = tune(wanted, store, threads, note, own)
    except KeyboardInterrupt:
        note(f"interrupted; to go on: simcore tune {tuning} --out {folder} --resume, with the same other options")
        raise
    write_result(result, folder)
    note(f"results: {folder}")
    if as_json:
        print_json({"out": str(folder), **result.as_json()})
    else:
        print_result(result)


def _prepared(folder: Path, wanted: Any, resume: bool) -> Path:
    """The file of evaluations in a folder that holds nothing else, or the same tuning."""
    store, said, content = folder / EVALUATIONS, folder / "wanted.yaml", _said(wanted)
    if folder.exists() and any(folder.iterdir()):
        if not said.is_file():
            raise InputError(f"{folder} is not empty and holds no tuning; choose another --out")
        if not resume:
            raise InputError(f"{folder} holds a tuning already; --resume goes on with it, another --out begins anew")
        if said.read_text(encoding="utf-8") != content:
            raise InputError(f"{folder} holds another tuning (its settings: {said}); choose another --out")
        return store
    if resume:
        raise InputError(f"{folder} holds no tuning to go on with; leave --resume out")
    folder.mkdir(parents=True, exist_ok=True)
    said.write_text(content, encoding="utf-8")
    return store


def _said(wanted: Any) -> str:
    """What must be the same to go on: all settings but who plays deals in the end, and a plugin's objective."""
    from simcore.config import to_yaml
    from simcore.plugins import OBJECTIVES

    same = to_yaml(wanted.model_copy(update={"played": type(wanted.played)(bots=())}))
    return same + "".join(f"# objective: {name}\n" for name in OBJECTIVES)
