"""What all kinds of model share: the digest, and the reader of their files, which trusts nothing that it reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from simcore.errors import InputError

DIGEST_LENGTH = 16
_MAPS = ("rules", "provenance", "calibration")
_WRONG = (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
"""What a document raises that is not what it should be."""
Model = TypeVar("Model")


def digest_of(rules: Any, numbers: Iterable[np.ndarray]) -> str:
    """Digest of all that decisions depend on.

    Parameters
    ----------
    rules
        What the model was fitted for, as JSON has it.
    numbers : iterable of ndarray
        Whole numbers, in an order that stays.

    Returns
    -------
    str
        `DIGEST_LENGTH` hexadecimal digits.
    """
    found = hashlib.sha256(json.dumps(rules, sort_keys=True).encode())
    for array in numbers:
        found.update(np.ascontiguousarray(array, np.dtype("<i8")).tobytes())
    return found.hexdigest()[:DIGEST_LENGTH]


def read_file(path: Path, form: str, features: Sequence[str], build: Callable[[dict[str, Any]], Model]) -> Model:
    """Read a model from a file; one that was read before and has not changed is the same object.

    Parameters
    ----------
    path : Path
        As `simcore.trick_model.write_model` wrote it.
    form : str
        What the file says as its format.
    features : sequence of str
        What the weights stand for.
    build : callable
        Makes the model from the document.

    Raises
    ------
    InputError
        There is no such file, or it holds something else.
    """
    if not path.is_file():
        raise InputError(f"bidding.model: there is no file {path}; `simcore fit VARIANT --out FILE` makes one")
    return cast("Model", _read(path, path.stat().st_mtime_ns, form, tuple(features), build))


@lru_cache
def _read(path: Path, changed: int, form: str, features: tuple[str, ...], build: Callable[[dict[str, Any]], Any]) -> Any:
    del changed  # only part of the cache's key
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(document, dict) or not all(isinstance(document.get(part), dict) for part in _MAPS):
            raise TypeError(f"a map with the maps {', '.join(_MAPS)} is expected")
        if document["format"] != form or document["features"] != list(features):
            raise InputError(f"{path} is a model of another kind or of another version; make it again with `simcore fit`")
        model, said = build(document), document["digest"]
    except _WRONG as error:
        raise InputError(f"{path} is no model of tricks: {type(error).__name__} {error}") from None
    if said != model.digest:
        raise InputError(f"{path} was changed: its digest is {model.digest}, but it says {said}")
    return model
