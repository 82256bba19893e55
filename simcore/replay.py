"""Replay: reads transcripts (JSON Lines), checks every event against the rules and recomputes points and match totals."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from simcore.errors import InputError
from simcore.notation import points_number
from simcore.referee import Violation, violations_of
from simcore.referee_shedding import RoundsFound
from simcore.transcript import MATCH_FORMAT


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay found.

    Attributes
    ----------
    transcripts : int
        Transcripts read; match lines are not counted.
    ok : int
        Transcripts without a violation.
    violations : list of dict
        transcript (number from 0), event (number from 0, or None), rule, message.
    """

    transcripts: int
    ok: int
    violations: list[dict[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of ``simcore replay --json``."""
        return {"transcripts": self.transcripts, "ok": self.ok, "violations": self.violations}


@dataclass(slots=True)
class _Match:
    """Points of the match being read, in tenths, as long as all its deals came in order."""

    number: Any = None
    next_deal: int = 0
    tenths: list[int] = field(default_factory=list)
    rounds: RoundsFound | None = None
    """Of a shedding game, whose rounds go on from one another."""

    def add(self, transcript: dict[str, Any]) -> Violation | None:
        """Take up the next deal; what is wrong with it as the next one of the match."""
        points = transcript["result"]["points"]
        if transcript.get("match") != self.number or transcript.get("deal") == 0:
            self.number, self.next_deal, self.tenths = transcript.get("match"), 0, [0] * len(points)
            self.rounds = RoundsFound() if transcript["rules"]["auction"]["kind"] == "steps" else None
        if transcript.get("deal") != self.next_deal:
            self.number = None  # a part of a match: its totals cannot be checked
            return None
        self.next_deal += 1
        self.tenths = [total + round(10 * p) for total, p in zip(self.tenths, points, strict=True)]
        return self.rounds.add(transcript) if self.rounds is not None else None

    def violation(self, line: dict[str, Any]) -> str | None:
        if self.number is None or line.get("match") != self.number:
            return None
        totals = [points_number(total) for total in self.tenths]
        winners = [seat for seat, total in enumerate(self.tenths) if total == max(self.tenths)]
        if self.rounds is not None:
            if not self.rounds.is_over():
                return f"the match ends, but is not over after round {self.next_deal - 1}"
            winners = self.rounds.winners()
        due = {"totals": totals, "winners": winners, "winner": winners[0] if len(winners) == 1 else None}
        for key, value in due.items():
            if line.get(key) != value:
                return f"{key} is {line.get(key)!r}, by the deals {value!r}"
        return None


def _parse(number: int, text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"line {number}: not JSON ({error}); a transcript is one JSON object a line") from None
    if not isinstance(line, dict):
        raise InputError(f"line {number}: {text[:40]!r} is not a JSON object; a transcript is one JSON object a line")
    return line


def replay_lines(lines: Iterable[str]) -> ReplayReport:
    """Check transcripts.

    Parameters
    ----------
    lines : iterable of str
        JSON Lines as ``simcore deal --json`` prints them; empty lines are passed over.

    Returns
    -------
    ReplayReport

    Raises
    ------
    InputError
        For a line that is not a JSON object.
    """
    n_transcripts, n_bad = 0, 0
    violations: list[dict[str, Any]] = []
    match = _Match()
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        line = _parse(number, text)
        if line.get("format") == MATCH_FORMAT:
            message = match.violation(line)
            if message is not None:
                violations.append(
                    {"transcript": n_transcripts - 1, "event": None, "rule": "match_totals", "message": message}
                )
            continue
        found = list(violations_of(line))
        broken = match.add(line) if not found else None
        if broken is not None:
            found = [{"event": None, "rule": broken.rule, "message": str(broken)}]
        violations += [{"transcript": n_transcripts, **violation} for violation in found]
        n_bad += bool(found)
        n_transcripts += 1
        if found:
            match.number = None
    return ReplayReport(n_transcripts, n_transcripts - n_bad, violations)
