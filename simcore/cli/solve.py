"""``simcore solve``: perfect play of two known hands, in tricks or in the points of a contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcore.cli.options import JsonOption, SetOption, VariantArgument, count, one_of, print_json
from simcore.codes import N_RANKS
from simcore.errors import InputError
from simcore.notation import STRAINS

if TYPE_CHECKING:
    from simcore.solver.api import Solution

EXAMPLES = """Examples:
  simcore solve bridgette --hands AKQ2.K83.A4.QT95 JT98.AQ2.KQ3.KJ/G
  simcore solve bridgette --hands AK.Q.2./G QJ.A.K.3 --strain S --leader 1 --led SQ
  simcore solve bridgette --hands A.KQ..2 K.A.3.4 --strain NT --leader 0 --barred H
  simcore solve bridgette --hands AKQ2.K83.A4.QT95 JT98.AQ2.KQ3.KJ/G --aim points --contract 4S
"""
_WIDTH = 5
COMPILE_SECONDS = 10
"""About how long the solver's kernels take to compile, once per version and machine."""


def command(
    variant: VariantArgument,
    hands: Annotated[
        tuple[str, str],
        typer.Option(metavar="H0 H1", help="Both hands, S.H.D.C and colons after a slash; seat 0 first.", show_default=False),
    ],
    leader: Annotated[
        str | None, typer.Option(metavar="0|1", help="The seat that leads, or has led.", show_default=False)
    ] = None,
    strain: Annotated[str | None, typer.Option(metavar="C|D|H|S|NT", help="Trumps.", show_default=False)] = None,
    led: Annotated[
        str | None, typer.Option(metavar="CARD", help="The card on the table; needs --leader.", show_default=False)
    ] = None,
    barred: Annotated[
        str | None,
        typer.Option(metavar="C|D|H|S", help="The suit the leader may not lead; needs --leader.", show_default=False),
    ] = None,
    aim: Annotated[str, typer.Option(metavar="tricks|points", help="What both sides play for.")] = "tricks",
    contract: Annotated[
        str | None, typer.Option(metavar="CONTRACT", help="For points: for example 4S, 3NTX.", show_default=False)
    ] = None,
    declarer: Annotated[
        str | None, typer.Option(metavar="0|1", help="For points: who plays it; without: each in turn.", show_default=False)
    ] = None,
    taken: Annotated[
        str | None, typer.Option(metavar="N", help="For points in an ending: declarer's tricks so far.", show_default=False)
    ] = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what two hands make if both sides see all cards: perfect play."""
    from simcore._jit import mark_cache_warm
    from simcore.runs.progress import announce_compile

    one_of("--aim", aim, ("tricks", "points"))
    if leader is None and (led is not None or barred is not None):
        raise InputError(f"{'--led' if led is not None else '--barred'} needs --leader: 0 or 1, the seat that leads")
    if aim == "tricks" and not (declarer is None and taken is None):
        raise InputError("--declarer and --taken go with --aim points and a --contract")
    announce_compile(f"warm-solver-{aim}", COMPILE_SECONDS)
    question = _Question(variant, hands, led, barred, tuple(set_ or ()))
    leads = count("--leader", leader, 0, 1)
    if aim == "points" or contract is not None:
        what = {"aim": aim, "contract": contract, "strain": strain, "taken": count("--taken", taken, 0, N_RANKS)}
        _points(question, what, leads, count("--declarer", declarer, 0, 1), as_json)
    else:
        _tricks(question, leads, strain, as_json)
    mark_cache_warm(f"warm-solver-{aim}")


class _Question:
    """A position, as it was given."""

    def __init__(
        self, variant: str, hands: tuple[str, str], led: str | None, barred: str | None, overrides: tuple[str, ...]
    ) -> None:
        self.hands = hands
        self._variant = variant
        self._fixed: dict[str, Any] = {"led": led, "barred": barred, "overrides": overrides}
        self.is_plain = led is None and barred is None

    def ask(self, leader: int, **what: Any) -> Solution:
        from simcore.api import solve_position

        return solve_position(self._variant, self.hands, leader=leader, **self._fixed, **what)

    def table(self) -> list[list[int]]:
        """Tricks of seat 0 by strain and leader."""
        from simcore.api import solve

        found: list[list[int]] = solve(self._variant, [self.hands], overrides=self._fixed["overrides"])[0].tolist()
        return found


def _tricks(question: _Question, leader: int | None, strain: str | None, as_json: bool) -> None:
    from simcore.solver.checks import strain_of

    strains = STRAINS if strain is None else (STRAINS[strain_of(strain)],)
    leaders = (0, 1) if leader is None else (leader,)
    if strain is not None and leader is not None:
        solution = question.ask(leader, strain=strains[0])
        _print_position(solution, {strains[0]: {str(leader): solution.value}}, as_json)
        return
    if question.is_plain:
        every = question.table()
        table = {name: {str(seat): every[STRAINS.index(name)][seat] for seat in leaders} for name in strains}
    else:
        table = {name: {str(seat): int(question.ask(seat, strain=name).value) for seat in leaders} for name in strains}
    if as_json:
        print_json({"tricks": table})
        return
    typer.echo("tricks of seat 0, perfect play for tricks")
    typer.echo("leader" + "".join(f"{name:>{_WIDTH}}" for name in strains))
    for seat in leaders:
        typer.echo(f"seat {seat}" + "".join(f"{table[name][str(seat)]:>{_WIDTH}}" for name in strains))


def _points(question: _Question, what: dict[str, Any], leader: int | None, declarer: int | None, as_json: bool) -> None:
    table: dict[str, dict[str, int | float]] = {}
    contract = what["contract"]
    solution = None
    for seat in (0, 1) if declarer is None else (declarer,):
        leads = 1 - seat if leader is None else leader
        solution = question.ask(leads, **what, declarer=seat)
        table[str(seat)] = {str(leads): solution.value}
    if declarer is not None and solution is not None:
        _print_position(solution, table, as_json, contract)
    elif as_json:
        print_json({"contract": contract, "points": table})
    else:
        typer.echo(f"{contract}: declarer's points, perfect play for points")
        for seat_text, values in table.items():
            for leads_text, value in values.items():
                typer.echo(f"declarer seat {seat_text}, seat {leads_text} leads: {value:g}")


def _print_position(
    solution: Solution, table: dict[str, dict[str, int | float]], as_json: bool, contract: str | None = None
) -> None:
    """One position: its value and what each card is worth."""
    if as_json:
        head: dict[str, Any] = {} if contract is None else {"contract": contract}
        body = {"to_move": solution.to_move, "best": solution.best, "cards": solution.cards}
        print_json({**head, solution.aim: table, **body})
        return
    whose = "tricks of seat 0" if contract is None else f"declarer's points in {contract}"
    typer.echo(f"{whose}: {solution.value:g}, perfect play for {solution.aim}; seat {solution.to_move} to move")
    for card, worth in solution.cards.items():
        typer.echo(f"{card}  {worth:g}{'  best' if card in solution.best else ''}")
