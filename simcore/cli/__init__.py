"""The command line ``simcore``: one file a command, and one place where errors become messages and exit codes.

Nothing heavy is imported here; each command imports what it needs when it runs.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
import threading
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer

from simcore import __version__
from simcore.cli import (
    bots,
    check,
    compare,
    deal,
    doctor,
    estimate,
    fit,
    init,
    ladder,
    merge,
    rates,
    regret,
    replay,
    report,
    rescore,
    run,
    schema,
    score,
    scores,
    sensitivity,
    show,
    solve,
    sweep,
    thresholds,
    tune,
    variants,
    verify,
)
from simcore.cli.form import Command, with_completion
from simcore.errors import InputError, SimcoreError, printable

_ALLOCATIONS = 100_000
"""Objects made between two looks for garbage."""
EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130
_UsageError: Any = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="simcore",
    help="Fast simulation of Bridgette and its relatives: make rates, score distributions, single deals.",
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog="Begin with: simcore run bridgette --deals 100_000, then simcore rates on the directory it names.",
)

_COMMANDS = {
    "run": run,
    "merge": merge,
    "rates": rates,
    "scores": scores,
    "compare": compare,
    "rescore": rescore,
    "sweep": sweep,
    "deal": deal,
    "replay": replay,
    "score": score,
    "estimate": estimate,
    "solve": solve,
    "show": show,
    "check": check,
    "schema": schema,
    "init": init,
    "variants": variants,
    "bots": bots,
    "ladder": ladder,
    "regret": regret,
    "fit": fit,
    "thresholds": thresholds,
    "sensitivity": sensitivity,
    "tune": tune,
    "report": report,
    "verify": verify,
    "doctor": doctor,
}
for _name, _module in _COMMANDS.items():
    _examples = f"\b\n{_module.EXAMPLES}" if hasattr(_module, "EXAMPLES") else None
    app.command(_name, cls=Command, epilog=_examples)(with_completion(_module.command))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"simcore {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks; may stand anywhere.")] = False,
) -> None:
    """Options of the program itself."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process.

    Parameters
    ----------
    arguments : sequence of str or None
        Without the program's name; None: those of the process.
    """
    # NumPy's library for linear algebra starts threads that burn a tenth of a second; nothing here needs it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Looking through every installed package for plugins of pydantic takes a thirtieth of the start; none is used here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # The half million objects of imported modules stay: looking for garbage among them again and again, and once more
    # at the end, takes longer than the rest of a short run.
    gc.set_threshold(_ALLOCATIONS, 50, 100)
    code = invoke(sys.argv[1:] if arguments is None else arguments)
    if arguments is None and threading.active_count() == 1:
        _leave(code)
    gc.freeze()
    sys.exit(code)


def _leave(code: int) -> NoReturn:
    """End the process at once: taking half a million objects apart one by one is a twentieth of a short run."""
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # the reader of a pipe has seen enough
        pass
    except OSError as error:
        code = code or EXIT_FAILED
        with contextlib.suppress(OSError):
            os.write(2, f"error: {error.strerror}\n".encode())
    os._exit(code)


def invoke(arguments: Sequence[str]) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str
        Without the program's name.

    Returns
    -------
    int
        The exit code: 0 done, 1 a check failed, 2 wrong usage or input, 130 interrupted.
    """
    before, dashes, after = _split(arguments)
    debug = "--debug" in before
    arguments = [*(word for word in before if word != "--debug"), *dashes, *after]
    try:
        result = app(args=arguments, prog_name="simcore", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.ctx.get_help(), err=True)
        else:
            _complain(_usage_text(error))
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe has seen enough; without this, flushing at exit would complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (SimcoreError, OSError) as error:
        if debug:
            raise
        _complain(_error_text(error))
        return EXIT_USAGE if isinstance(error, InputError) else EXIT_FAILED
    except Exception as error:
        if debug:
            raise
        _complain(f"a fault in simcore, please report it: {type(error).__name__}: {error}\n--debug shows where")
        return EXIT_FAILED


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Words before, at and after ``--``."""
    words = list(arguments)
    place = words.index("--") if "--" in words else len(words)
    return words[:place], words[place : place + 1], words[place + 1 :]


def _error_text(error: SimcoreError | OSError) -> str:
    if isinstance(error, OSError):
        what = f"{error.filename}: " if error.filename else ""
        return f"{what}{error.strerror or error}"
    return str(error)


def _usage_text(error: Any) -> str:
    """One sentence about a wrong command line, and where help is."""
    message = error.format_message().rstrip(".")
    if message.startswith("No such option"):
        near = _nearest_option(error)
        message = f"No such option: {error.option_name}" + (f"; did you mean {near}?" if near else "")
    command = error.ctx.command_path if error.ctx is not None else "simcore"
    return f"{message}\n{command} --help says what is possible"


def _nearest_option(error: Any) -> str | None:
    from difflib import get_close_matches

    if error.ctx is None:
        return None
    names = [name for param in error.ctx.command.params for name in param.opts if name.startswith("--")]
    near = get_close_matches(str(getattr(error, "option_name", "")), names, 1, 0.5)
    return near[0] if near else None


def _complain(text: str) -> None:
    typer.echo(f"error: {printable(text)}", err=True)


__all__ = ["app", "invoke", "main"]
