"""Runs: a batch of matches on threads, stored in a run directory that can be read without this package."""

from __future__ import annotations

from simcore.runs.manifest import Manifest, read_manifest
from simcore.runs.result import RunResult, read_parts, read_table

__all__ = ["Manifest", "RunResult", "read_manifest", "read_parts", "read_table"]
