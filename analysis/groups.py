"""What rows are grouped by: keys, the refusal of columns that cannot be grouped by, and classes of upcards."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import pyarrow as pa
import pyarrow.compute as pc

from analysis.load import Key
from simcore.columns import UPCARD_CLASS_NAMES
from simcore.errors import InputError

__all__ = ["Key", "check_groups", "upcard_classes"]


def check_groups(by: Sequence[str], allowed: Sequence[str], known: Sequence[str], why: str = "") -> None:
    """Refuse grouping columns that are not allowed or named twice.

    Parameters
    ----------
    by : sequence of str
        What was asked for.
    allowed : sequence of str
        What is possible.
    known : sequence of str
        Columns that exist but are nothing to group by.
    why : str
        Said at the end.
    """
    for place, name in enumerate(by):
        if name in by[:place]:
            raise InputError(f"--by names {name!r} twice")
        if name not in allowed:
            near = [] if name in known else get_close_matches(name, allowed, 1)
            meant = f"; did you mean {near[0]!r}?" if near else f"; allowed: {', '.join(allowed)}"
            raise InputError(f"--by: {name!r} is not a column to group by{meant}{why}")


def upcard_classes(upcard: pa.ChunkedArray) -> pa.ChunkedArray:
    """Class of each upcard, as text: aces and the Grand Colon, faces and the Royal, the other cards and the Little."""
    name = upcard.cast(pa.string())
    ace = pc.or_(pc.ends_with(name, "A"), pc.equal(name, "GC"))
    face = pc.or_(pc.match_substring_regex(name, "[JQK]$"), pc.equal(name, "RC"))
    spot_, face_, ace_ = UPCARD_CLASS_NAMES
    return pc.if_else(ace, ace_, pc.if_else(face, face_, spot_))
