"""The report of a fit: for people and as a JSON document."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

from analysis.tables import new_console, new_table
from simcore.choice_model import ChoiceModel
from simcore.trick_model import AnyModel

_PERCENT = 100


def as_document(model: AnyModel, out: Path | None) -> dict[str, Any]:
    """The report as ``simcore fit --json`` prints it.

    Parameters
    ----------
    model : TrickModel, CallModel or StepModel
    out : Path or None
        Where the model was written.

    Returns
    -------
    dict
        variant, play, seed, deals by part, digest, out, calibration.
    """
    made = model.provenance
    return {
        "variant": made["variant"],
        "exchange": made["exchange"]["policy"],
        "play": made["play"]["policy"],
        "seed": made["seed"],
        "deals": {part: entry["n"] for part, entry in made["deals"].items()},
        "digest": model.digest,
        "out": None if out is None else str(out),
        "calibration": model.calibration,
    }


def _print_choices(model: ChoiceModel, file: IO[str] | None) -> None:
    """How much of a deal's score the worths of hands in the making tell, on fresh deals."""
    console = new_console(file)
    made, found = model.provenance, model.calibration
    deals = [entry["n"] for entry in made["deals"].values()]
    console.print(
        f"Worths of hands: {made['variant']}, play {made['play']['policy']}, seed {made['seed']}, rounds of {deals[0]:,} deals,"
        f" digest {model.digest}"
    )
    table = new_table(["cards held", "of the variance of the score of fresh deals"], text=0)
    for turn, share in enumerate(found["r2"]):
        table.add_row(str(turn + 1), f"{_PERCENT * share:.1f} %")
    console.print(table)
    console.print(f"{found['method']}; {deals[-1]:,} deals")


def print_fit(model: AnyModel, file: IO[str] | None = None) -> None:
    """Print the calibration of a model.

    Parameters
    ----------
    model : TrickModel, CallModel or StepModel
    file : text file or None
        Where to; None: standard output.
    """
    if isinstance(model, ChoiceModel):
        _print_choices(model, file)
        return
    console = new_console(file)
    made, found = model.provenance, model.calibration
    deals = {part: entry["n"] for part, entry in made["deals"].items()}
    unit = made.get("deals_are", "deals")
    beliefs = f" (beliefs {deals['beliefs']:,})" if "beliefs" in deals else ""
    console.print(
        f"Model of tricks: {made['variant']}, exchange {made['exchange']['policy']}, play {made['play']['policy']},"
        f" seed {made['seed']}, {deals['fit']:,} {unit}{beliefs}, digest {model.digest}"
    )
    table = new_table(["predicted make rate", "cases", "predicted", "made", "95 % interval"], text=1)
    for row in found["reliability"]:
        if row["n"]:
            predicted, rate, low, high = (f"{_PERCENT * row[key]:.2f} %" for key in ("predicted", "made", "low", "high"))
            table.add_row(f"{row['from']:.1f} .. {row['to']:.1f}", f"{row['n']:,}", predicted, rate, f"{low} .. {high}")
    console.print(table)
    console.print(f"{found['n_deals']:,} fresh {unit}; {found['method']}")
    loss = found["log_loss"]
    console.print(f"log loss {loss['model']:.4f}, of the base rate of each contract {loss['base_rate']:.4f}")
    table = new_table(["tricks of", "cases", "R2", "sd", "bias"], text=1)
    for name, row in found["sets"].items():
        role, by_role, kind = name.partition(".")
        label = f"{role.replace('_', '-')}, {kind.replace('_', ', ')}" if by_role else name
        table.add_row(label, f"{row['n']:,}", f"{row['r2']:.3f}", f"{row['sd']:.2f}", f"{row['bias']:+.3f}")
    console.print(table)
