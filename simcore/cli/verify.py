"""``simcore verify``: the statistical verification."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.cli.options import JsonOption, column_names, count, print_json

if TYPE_CHECKING:
    from analysis.verify import Outcome

_SHOWN = 3

EXAMPLES = """Examples:
  simcore verify --quick
  simcore verify --seed 7 --out verify.html
  simcore verify --only hands,pairs --json
"""


def command(
    quick: Annotated[bool, typer.Option("--quick", help="The short form: small samples, some seconds.")] = False,
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="Seed of all that is played, 0 .. 2^64 - 1.")] = "1",
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="A[,B]", help="Only these checks.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.html", help="Write a page with pictures.", show_default=False),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if there is one.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Verify the program: cards, random streams, intervals, rules, points, the solver, bots that must not peek.

    Exit code 1 where a check fails. A sound program fails with a chance below 1 in 1000.
    """
    from analysis.verify import FALSE_ALARM, verify
    from simcore.api import MAX_SEED
    from simcore.runs.progress import announce_compile

    number = count("--seed", seed, 0, MAX_SEED)
    names = column_names("--only", only) or []
    announce_compile()
    found = verify(number or 0, short=quick, only=names, out=out, overwrite=overwrite, report=None if as_json else _print)
    if as_json:
        print_json(found.as_json())
        return 1 if found.failed else 0
    verdict = f"failed: {', '.join(found.failed)}" if found.failed else "every check passed"
    typer.echo(f"{verdict}; seed {found.seed}, {found.seconds:,.0f} s, chance of a false alarm below {FALSE_ALARM:g}")
    if found.out is not None:
        typer.echo(f"page: {found.out}")
    return 1 if found.failed else 0


def _print(outcome: Outcome) -> None:
    """A line a check, and what is wrong."""
    from analysis.verify.page import allowed, verdict, worst

    typer.echo(
        f"{verdict(outcome):8} {outcome.name:10} {len(outcome.findings):4} comparisons, n up to {outcome.n:>11,},"
        f" largest {worst(outcome):>9}, tolerance {allowed(outcome):>6}, {outcome.seconds:6.1f} s"
    )
    if outcome.skipped:
        typer.echo(f"         {outcome.skipped}")
    for finding in outcome.failed[:_SHOWN]:
        size = f"{finding.faults} faults" if finding.z is None else f"{finding.z:+.1f} standard errors"
        typer.echo(f"         {finding.name}: {size}{'; ' + finding.note if finding.note else ''}")
