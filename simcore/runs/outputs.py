"""The two ways to keep what a run plays: rows in the files of their chunks, or sums over all of them.

Both add or write a chunk on whatever thread has played it; with sums, several chunks together are stored as a segment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from simcore.runs.sums import SummaryWriter
from simcore.runs.tables import TableWriter

if TYPE_CHECKING:
    from simcore.config import Run

Writer: TypeAlias = TableWriter | SummaryWriter


def writer_of(run: Run) -> Writer:
    """What stores the output of a run."""
    return SummaryWriter(run) if run.output == "summary" else TableWriter(run)
