"""Shards: one run on several machines, each playing a range of its chunks; `simcore merge` joins them.

Shard i of n plays chunks ``(i - 1) * C // n .. i * C // n - 1`` of the C chunks. So it must be known before how many
matches the run has; where it has a target in deals and matches differ in length, only playing tells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.config import Run


@dataclass(frozen=True, slots=True)
class Shard:
    """Shard `index` of `of`, counted from 1."""

    index: int
    of: int

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"

    def as_json(self) -> dict[str, Any]:
        """Form in the manifest."""
        return {"index": self.index, "of": self.of}

    def matches(self, run: Run, matches: int | None) -> tuple[int, int]:
        """First match, and the match after the last.

        Parameters
        ----------
        run : Run
            The resolved run.
        matches : int or None
            Matches of the whole run, if known.

        Raises
        ------
        InputError
            The run cannot be cut, or has fewer chunks than shards.
        """
        if run.until is not None:
            raise InputError("--shard: a run that stops by itself (until) is looked at in match order, so it cannot be cut")
        if matches is None:
            raise InputError(
                "--shard: matches differ in length, so only playing tells which matches a target in deals takes; "
                "give --matches N (about six deals a match) instead of --deals"
                if run.unit == "match"
                else "--shard: passed-out deals are dealt again, so only playing tells which deals a target takes; "
                "give a run with unit: match and --matches N"
            )
        chunks = -(-matches // run.chunk_matches)
        if chunks < self.of:
            raise InputError(
                f"--shard {self}: the run has {chunks} chunks of {run.chunk_matches} matches, too few for {self.of} shards; "
                "a smaller chunk (--set chunk=N) makes more"
            )
        first = (self.index - 1) * chunks // self.of * run.chunk_matches
        return first, min(matches, self.index * chunks // self.of * run.chunk_matches)


def parse_shard(text: str | None) -> Shard | None:
    """Shard of a text such as ``2/3``; None for None."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise InputError(f"--shard: {text!r} is no shard; write i/n with i from 1 to n, as in 2/3")
    return Shard(int(found[1]), int(found[2]))
