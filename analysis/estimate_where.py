"""Conditions on sampled deals: in the language of ``--where``, by columns with the names that rows of a run have."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.columns import NUMBER, TEXT, RowColumn
from analysis.where import read_condition
from simcore.codes import N_STRAINS, N_SUITS
from simcore.columns import CARD_NAMES, ROLE_NAMES, STRAIN_NAMES, UPCARD_CLASS_NAMES
from simcore.config import Variant
from simcore.errors import InputError
from simcore.notation import Contract
from simcore.sampling.sampler import Columns, Keep

Where = str | Callable[[Any], Any]
"""A condition: as text, or a function from a frame of sampled deals to which of them count."""
_VALUES = {
    "upcard": CARD_NAMES,
    "upcard_class": UPCARD_CLASS_NAMES,
    "declarer_role": ROLE_NAMES,
    "strain": STRAIN_NAMES,
}


def condition_columns(variant: Variant) -> dict[str, RowColumn]:
    """Columns of sampled deals, by name: of declarer, opponent, dealer and non-dealer, or, in games of calls, of the caller."""
    stems = {"hcp": "high cards as the auction begins: A 4, K 3, Q 2, J 1"}
    stems |= {f"len_{STRAIN_NAMES[suit]}": f"cards in suit {STRAIN_NAMES[suit]}" for suit in reversed(range(N_SUITS))}
    if variant.deck.colons:
        stems["colons"] = "colons held"
    if variant.exchange.kind == "upcard":
        stems["drawn"] = "cards drawn in the exchange"
    found: dict[str, tuple[str, str]] = {}
    if variant.auction.kind == "calls":
        found |= {stem: (NUMBER, f"{meaning}, of the caller") for stem, meaning in stems.items()}
        found["position"] = (NUMBER, "0 calls and leads first, the last is the dealer")
    else:
        for who in ("declarer", "opponent", "dealer", "non_dealer"):
            found |= {f"{stem}_{who}": (NUMBER, f"{meaning}, of the {who}") for stem, meaning in stems.items()}
        for who in ("declarer", "opponent"):
            found[f"len_trump_{who}"] = (NUMBER, f"cards of the {who} in the trump suit; null in no trump")
        found["declarer_role"] = (TEXT, "declarer's relation to the dealer")
        found["strain"] = (TEXT, "strain of the contract asked for")
        found["level"] = (NUMBER, "level of the contract asked for")
    if variant.turns_card:
        found["upcard"] = (TEXT, "the card turned")
        found["upcard_class"] = (TEXT, "class of the upcard by what the dealer may draw")
    return {
        name: RowColumn(name, kind, f'"{name}"', meaning, True, _VALUES.get(name)) for name, (kind, meaning) in found.items()
    }


def _completed(found: Columns, contract: Contract | None) -> Columns:
    """Columns with those of the contract asked for."""
    if contract is None:
        return found
    n = len(found["hcp_declarer"])
    strain = STRAIN_NAMES[contract.strain]
    found = {**found, "strain": np.full(n, strain, object), "level": np.full(n, contract.level)}
    for who in ("declarer", "opponent"):
        if contract.strain < N_STRAINS - 1:
            found[f"len_trump_{who}"] = found[f"len_{strain}_{who}"]
        else:
            found[f"len_trump_{who}"] = np.full(n, np.nan)
    return found


def keep_of(where: Where | None, variant: Variant, contract: Contract | None = None) -> Keep | None:
    """A condition for the sampler.

    Parameters
    ----------
    where : str, callable or None
        As in `analysis.estimate`.
    variant : Variant
        Whose deals.
    contract : Contract or None
        The contract asked for.

    Returns
    -------
    callable or None
        From columns of sampled deals to which of them count.

    Raises
    ------
    InputError
        With a mark under the place that is wrong.
    """
    if where is None:
        return None
    if not isinstance(where, str):
        return _by_function(where, contract)
    columns = condition_columns(variant)
    condition = read_condition(where, columns)
    local = threading.local()

    def keep(found: Columns) -> np.ndarray:
        import pyarrow as pa

        if not hasattr(local, "connection"):
            local.connection = _database()
        found = _completed(found, contract)
        names = condition.columns or tuple(found)[:1]
        table = pa.table({name: pa.array(found[name], from_pandas=True) for name in names})
        local.connection.register("sampled", table)
        try:
            answer = local.connection.execute(f"SELECT coalesce({condition.sql}, false) AS kept FROM sampled").fetchnumpy()
        except _errors() as error:
            said = str(error).splitlines()[0]
            raise InputError(f"--where: the condition cannot be worked out for all deals ({said})") from error
        local.connection.unregister("sampled")
        return np.asarray(answer["kept"], bool)

    return keep


def _by_function(where: Callable[[Any], Any], contract: Contract | None) -> Keep:
    import pandas as pd

    return lambda found: np.asarray(where(pd.DataFrame(_completed(found, contract))), bool)


def shown_where(where: Where) -> str:
    """A condition for people."""
    return where if isinstance(where, str) else getattr(where, "__name__", "a function")


def _errors() -> tuple[type[Exception], ...]:
    import duckdb

    return (duckdb.OutOfRangeException, duckdb.ConversionException, duckdb.InvalidInputException)


def _database() -> Any:
    """A database in memory, in the order of its rows, that reaches nothing outside."""
    import duckdb

    connection = duckdb.connect(config={"threads": 1, "temp_directory": ""})
    for setting in (
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    return connection
